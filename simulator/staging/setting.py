"""What all games share about a table: its play area, the seats round it, racks, piles, and how exactly people lay things.

Seats sit clockwise as seen from above: seat 0 at the lower edge (y > 0); with two players seat 1 opposite, with three
at the left and the right edge, with four all round. A seat's own frame: u to its right along the edge, v from its edge
towards the middle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from zlib import crc32

import numpy as np

from engine.core import UNKNOWN
from engine.pieces import Tile as Domino
from simulator.layouts import LYING, STANDING, box_corners
from simulator.tabletop.look import Look
from simulator.tabletop.lying import Rail, Sheet, Tabletop, Thing, Tile

SEATS: Mapping[int, tuple[float, ...]] = {
    1: (np.pi / 2,), 2: (np.pi / 2, -np.pi / 2), 3: (np.pi / 2, np.pi, 0.0), 4: (np.pi / 2, np.pi, -np.pi / 2, 0.0),
}
"""Where each seat sits as seen from the middle: angles clockwise from x."""


@dataclass(frozen=True, slots=True)
class Loose:
    """How far from its place a thing may come to lie: along and across it in mm, turned in radians; spreads, cut at twice."""

    along: float
    across: float
    turn: float


EXACT = Loose(0.0, 0.0, 0.0)
LAID = Loose(0.3, 0.7, 0.016)
TUCKED = Loose(0.25, 0.25, 0.008)
PILED = Loose(0.8, 0.8, 0.022)
STREWN = Loose(1.6, 1.6, 0.05)


class Fault(NamedTuple):
    """A seat breaks a rule; afterwards the table lies so."""

    rule: str
    seat: int
    table: Tabletop


RACKED = 46.0
"""Hands stand so far outside the play area, mm: beyond the outer corners of its tags."""


@dataclass(frozen=True)
class Setting:
    """A table set for a game. area: (x0, y0, x1, y1) mm, with a table tag near each corner if `tags`.

    tidy: 1 as people usually lay things, 0 exactly, 2 carelessly. rails: whether hands stand in wooden racks.
    """

    look: Look
    players: int
    seed: int = 0
    area: tuple[float, float, float, float] = (-480.0, -380.0, 480.0, 380.0)
    tags: bool = True
    tidy: float = 1.0
    rails: bool = False

    @property
    def length(self) -> float:
        """Length of a tile, mm."""
        return self.look.length_mm

    @property
    def width(self) -> float:
        """Width of a tile, mm."""
        return self.look.tile_mm

    def at(self, seat: int, u: float, v: float) -> tuple[float, float]:
        """The table point of a seat's own frame."""
        angle = SEATS[self.players][seat]
        x0, y0, x1, y1 = self.area
        out = np.array([np.cos(angle), np.sin(angle)])
        right = np.array([np.sin(angle), -np.cos(angle)])
        edge = (x1 - x0) / 2 if abs(out[0]) > 0.5 else (y1 - y0) / 2
        middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
        x, y = middle + out * (edge - v) + right * u
        return float(x), float(y)

    def facing(self, seat: int) -> float:
        """The angle at which things lie whose first half is to the seat's left."""
        return SEATS[self.players][seat] - np.pi / 2

    def corners(self) -> list[Thing]:
        """The table tags, near the corners, turned anyhow."""
        if not self.tags:
            return []
        rng = np.random.default_rng([self.seed, 11])
        x0, y0, x1, y1 = self.area
        places = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        return [Sheet(f"tag {k}", x + float(rng.normal(0, 6)), y + float(rng.normal(0, 6)), float(rng.uniform(0, 2 * np.pi)),
                      f"tag {k}") for k, (x, y) in zip(rng.permutation(4), places, strict=True)]


@dataclass
class Plan:
    """Things at the places that they are meant for, each with how loosely people lay it."""

    setting: Setting
    things: dict[str, tuple[Thing, Loose]] = field(default_factory=dict)

    def add(self, thing: Thing, loose: Loose = LAID) -> None:
        """Mean a thing to lie here."""
        self.things[thing.name] = (thing, loose)

    def nominal(self) -> Tabletop:
        """Everything exactly where it is meant to lie."""
        return Tabletop((*self.setting.corners(), *(thing for thing, _ in self.things.values())))

    def laid(self) -> Tabletop:
        """Everything as people lay it; a thing whose place has not changed lies as it lay."""
        return Tabletop((*self.setting.corners(), *(self._laid(thing, loose) for thing, loose in self.things.values())))

    def _laid(self, thing: Thing, loose: Loose) -> Thing:
        if loose is EXACT or not self.setting.tidy:
            return thing
        place = f"{thing.name} {thing.x:.1f} {thing.y:.1f} {thing.angle:.2f} {getattr(thing, 'level', 0)}"
        rng = np.random.default_rng([self.setting.seed, crc32(place.encode())])
        a, b, t = np.clip(rng.standard_normal(3), -2, 2) * (loose.along, loose.across, loose.turn) * self.setting.tidy
        c, s = np.cos(thing.angle), np.sin(thing.angle)
        return replace(thing, x=float(thing.x + a * c - b * s), y=float(thing.y + a * s + b * c), angle=float(thing.angle + t))


def pressed(one: Tile, other: Tile, length: float, width: float) -> float:
    """By how many millimetres two tiles lie in one another; below 0 where they lie apart."""
    if one.pose != LYING or other.pose != LYING or abs(one.z - other.z) > 1:
        return -np.inf
    boxes = [box_corners(tile.x, tile.y, tile.angle, length, width) for tile in (one, other)]
    least = np.inf
    for angle in (one.angle, one.angle + np.pi / 2, other.angle, other.angle + np.pi / 2):
        a, b = (box @ (np.cos(angle), np.sin(angle)) for box in boxes)
        least = min(least, float(a.max() - b.min()), float(b.max() - a.min()))
    return least


class Copies:
    """Names for tiles of which a set has two: what has not moved keeps its name, what has moved takes the one left over."""

    def __init__(self) -> None:
        self.lies: dict[str, Hashable] = {}

    def names(self, tiles: Sequence[tuple[Domino, Hashable]]) -> list[str]:
        """A name for every tile, each given with where it lies; unknown tiles are named by their place."""
        names = [""] * len(tiles)
        groups: dict[Domino, list[int]] = {}
        for k, (tile, place) in enumerate(tiles):
            if tile == UNKNOWN:
                names[k] = " ".join(map(str, place)) if isinstance(place, tuple) else str(place)
            else:
                groups.setdefault(tile, []).append(k)
        for tile, members in groups.items():
            free, open_ = [str(tile), f"{tile} b"], list(members)
            for name in free[:]:
                stays = next((k for k in open_ if name in self.lies and self.lies[name] == tiles[k][1]), None)
                if stays is not None:
                    names[stays] = name
                    free.remove(name)
                    open_.remove(stays)
            free.sort(key=lambda name: name not in self.lies)
            for k, name in zip(open_, free, strict=False):
                names[k] = name
        self.lies = {name: place for name, (_, place) in zip(names, tiles, strict=True)}
        return names

    def went(self, tiles: Sequence[tuple[Domino, Hashable]], ways: Mapping[Hashable, Hashable]) -> None:
        """Copies went these ways, wherever that leads to how they lie now: the table may look the same otherwise."""
        lie: dict[Domino, list[Hashable]] = {}
        for tile, place in tiles:
            lie.setdefault(tile, []).append(place)
        for tile, places in lie.items():
            gone = {name: ways.get(self.lies[name], self.lies[name]) for name in (str(tile), f"{tile} b") if name in self.lies}
            if Counter(gone.values()) == Counter(places):
                self.lies |= gone


class Racks:
    """Hands standing at the edge, their backs to the others; a tile keeps its place until it is played."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.places: list[dict[str, int]] = [{} for _ in range(setting.players)]

    def add(self, plan: Plan, seat: int, hand: Sequence[tuple[str, tuple[int, int]]], per_row: int = 6) -> None:
        """Put a hand, (name, ends) each, at its seat."""
        places = self.places[seat]
        names = {name for name, _ in hand}
        for name in [name for name in places if name not in names]:
            del places[name]
        setting = self.setting
        step, facing = setting.length + 3.0, setting.facing(seat)
        count = per_row
        for name, ends in hand:
            if name not in places:
                places[name] = next(k for k in range(len(hand) + len(places) + 1) if k not in places.values())
            row, at = divmod(places[name], count)
            x, y = setting.at(seat, (at - (count - 1) / 2) * step, -RACKED - 22.0 * row)
            plan.add(Tile(name, x, y, facing, ends, pose=STANDING), TUCKED)
        if setting.rails:
            x, y = setting.at(seat, 0.0, -RACKED - setting.look.thick_mm * 0.5 - 9)
            plan.add(Rail(f"rack {seat}", x, y, facing, count * step + 10, 12.0, 9.0), EXACT)


class Pile:
    """Tiles in rows, face down as a boneyard or face up; a tile keeps its place until it is taken.

    (x, y): the upper left corner of the rows, mm. tight: close together and in good order.
    """

    def __init__(self, setting: Setting, x: float, y: float, columns: int, up: bool = False, turned: float = np.pi / 2,
                 tight: bool = False) -> None:
        self.setting, self.x, self.y, self.columns, self.up, self.turned = setting, x, y, columns, up, turned
        self.tight = tight
        self.places: dict[str, tuple[float, float]] = {}

    def add(self, plan: Plan, tiles: Sequence[tuple[str, tuple[int, int]]]) -> None:
        """Put the tiles, (name, ends) each."""
        names = {name for name, _ in tiles}
        for name in [name for name in self.places if name not in names]:
            del self.places[name]
        setting = self.setting
        gap = 2.0 if self.tight else 5.5
        across, down = setting.width + gap, setting.length + gap
        if abs(np.cos(self.turned)) > 0.5:
            across, down = down, across
        taken = set(self.places.values())
        spots = ((self.x + (k % self.columns + 0.5) * across, self.y + (k // self.columns + 0.5) * down) for k in range(200))
        for name, ends in tiles:
            if name not in self.places:
                self.places[name] = next(spot for spot in spots if spot not in taken)
            x, y = self.places[name]
            plan.add(Tile(name, x, y, self.turned, ends, up=self.up), TUCKED if self.tight else PILED)


def shown(tile: Domino) -> tuple[int, int]:
    """What is printed on a tile; an unknown one is painted blank, since it never shows its face."""
    return (0, 0) if tile == UNKNOWN else (tile.low, tile.high)


def named(tiles: Sequence[Domino], where: str) -> list[tuple[str, tuple[int, int]]]:
    """Tiles with their names; unknown ones are numbered from the last, so that those that stay keep theirs."""
    return [(f"{where} {len(tiles) - k}" if tile == UNKNOWN else str(tile), shown(tile)) for k, tile in enumerate(tiles)]
