"""Made-up tables full of pieces: a showing, pieces in a game, and the crowded ones that the networks learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration import mats
from simulator.layouts import random_ends
from simulator.noise import between, chance
from simulator.tabletop.look import Look
from simulator.tabletop.lying import Board, Chip, Coin, Die, Pawn, Sheet, Tabletop, Thing, Tile
from vision.observation import Kind
from vision.piece_sets import LABELS, Label

Area = tuple[float, float, float, float]
Spot = tuple[float, float, float]
"""x, y and radius of a place on the table, mm."""

AREA = (-330.0, -240.0, 330.0, 240.0)
"""The play area of the tables that are measured, mm."""

KINDS: Sequence[Kind] = ("die", "coin", "pawn", "chip")
SHARES = (0.36, 0.33, 0.17, 0.14)
"""How much of each kind lies on a crowded table."""


def thing_of(label: Label, number: int, x: float, y: float, rng: np.random.Generator, z: float = 0.0) -> Thing:
    """A piece that shows a label, turned anyhow."""
    kind, shown = label
    name, angle = f"{kind} {shown} {number}", between(rng, 0, 2 * np.pi)
    if kind == "chip":
        return Chip(name, x, y, angle, shown, z)
    if kind == "pawn":
        return Pawn(name, x, y, angle, shown, z)
    first, second = shown.split(":")
    if kind == "die":
        return Die(name, x, y, angle, first, second, int(rng.integers(1 << 30)), z)
    if first == "suit":
        return Coin(name, x, y, angle, second, "null", False, z)
    return Coin(name, x, y, angle, "suns", second, True, z)


def every_label(look: Look) -> list[Label]:
    """Everything that the pieces of a table's edition can show."""
    labels = {**LABELS, "chip": look.edition.chips}
    return [(kind, label) for kind, names in labels.items() for label in names]


def room_of(kind: str, look: Look) -> float:
    """Radius in mm of the place that a piece takes."""
    of = look.edition
    return {"coin": of.coin_mm[0] / 2, "die": of.die_mm * 0.72, "pawn": of.pawn_mm[0] / 2, "chip": of.chip_mm[0] / 2}[kind]


class Places:
    """Free places in an area."""

    def __init__(self, rng: np.random.Generator, area: Area = AREA) -> None:
        self.rng, self.area, self.taken = rng, area, np.zeros((0, 3))

    def take(self, x: float, y: float, radius: float) -> None:
        """Something lies here."""
        self.taken = np.vstack([self.taken, (x, y, radius)])

    def free(self, x: float, y: float, radius: float) -> bool:
        """Whether nothing lies here."""
        return bool((np.hypot(*(self.taken[:, :2] - (x, y)).T) >= self.taken[:, 2] + radius - 1e-6).all())

    def find(self, radius: float, gap: float) -> tuple[float, float] | None:
        """A free place, from now on taken; None where none was found. Where the gap is small, often beside another."""
        rng, (x0, y0, x1, y1) = self.rng, self.area
        for _ in range(60):
            x, y = between(rng, x0 + radius, x1 - radius), between(rng, y0 + radius, y1 - radius)
            if len(self.taken) and chance(rng, 0.3) and gap < 2:  # people push pieces together
                near, turn = self.taken[int(rng.integers(len(self.taken)))], between(rng, 0, 2 * np.pi)
                far = near[2] + radius + gap
                x, y = float(near[0] + far * np.cos(turn)), float(near[1] + far * np.sin(turn))
                if not (x0 + radius < x < x1 - radius and y0 + radius < y < y1 - radius):
                    continue
            if self.free(x, y, radius + gap):
                self.take(x, y, radius)
                return x, y
        return None


def showing_table(look: Look, rng: np.random.Generator) -> Tabletop:
    """Every side of every piece, once, none near another: a whole showing in one picture."""
    places, things = Places(rng), []
    for number, label in enumerate(every_label(look)):
        place = places.find(room_of(label[0], look), 9.0)
        if place is not None:
            things.append(thing_of(label, number, *place, rng))
    return Tabletop(tuple(things))


def game_table(look: Look, rng: np.random.Generator) -> Tabletop:
    """Pieces among dominoes, on a board of piecepack tiles, beside and on top of one another."""
    places, things = Places(rng), list[Thing]()
    side, thick = look.edition.tile_mm
    if chance(rng, 0.5):
        x0, y0, turn = between(rng, -150, 100), between(rng, -120, 60), between(rng, -0.4, 0.4)
        c, s = np.cos(turn), np.sin(turn)
        for k in range(6):
            u, v = (k % 3) * (side + 0.6), (k // 3) * (side + 0.6)
            things.append(Board(f"board {k}", x0 + u * c - v * s, y0 + u * s + v * c, turn))
            places.take(things[-1].x, things[-1].y, side * 0.72)
    boards = list(things)
    for k in range(int(rng.integers(0, 12))):
        place = places.find(look.length_mm * 0.56, 2.0)
        if place is not None:
            ends = random_ends(look.style.highest, rng)
            things.append(Tile(f"tile {k}", *place, between(rng, 0, 6.3), ends, chance(rng, 0.8)))
    every = every_label(look)
    for number, k in enumerate(rng.permutation(len(every))[:34]):
        label = every[int(k)]
        if boards and label[0] != "chip" and chance(rng, 0.4):
            board = boards.pop()
            things.append(
                thing_of(label, number, board.x + between(rng, -9, 9), board.y + between(rng, -9, 9), rng, thick)
            )
            continue
        place = places.find(room_of(label[0], look), 0.6)
        if place is not None:
            things.append(thing_of(label, number, *place, rng))
            if label[0] == "chip" and chance(rng, 0.3):
                things.append(thing_of(label, 100 + number, *place, rng, look.edition.chip_mm[1]))
    return Tabletop(tuple(things))


@dataclass
class _Crowd:
    """A crowded table in the making. spots: places where no piece lies, though it may look so."""

    look: Look
    rng: np.random.Generator
    places: Places
    things: list[Thing] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)

    def label(self) -> Label:
        """What some piece shows."""
        kind = KINDS[int(self.rng.choice(len(KINDS), p=SHARES))]
        names = LABELS[kind] if kind != "chip" else self.look.edition.chips
        return kind, str(self.rng.choice(names))

    def put(self, label: Label, x: float, y: float, z: float = 0.0) -> None:
        """Lay one piece."""
        self.things.append(thing_of(label, len(self.things), x, y, self.rng, z))

    def strew(self) -> None:
        """One piece, or coins in a stack, or chips in a stack or a row, anywhere."""
        rng, look = self.rng, self.look
        label = self.label()
        place = self.places.find(room_of(label[0], look), 0.6)
        if place is None:
            return
        high = 0.0
        if label[0] in ("coin", "chip") and chance(rng, 0.25):
            high = (look.edition.coin_mm if label[0] == "coin" else look.edition.chip_mm)[1]
        way, step = between(rng, 0, 6.3), between(rng, 6, 16) if label[0] == "chip" and chance(rng, 0.5) else 0.0
        for k in range(int(rng.integers(2, 7)) if high else 1):
            self.put(label, place[0] + k * step * float(np.cos(way)), place[1] + k * step * float(np.sin(way)), k * high)


def crowded_table(look: Look, area: Area, rng: np.random.Generator) -> tuple[Tabletop, list[Spot]]:
    """A part of a game table with more on it than in any game, and places on it where no piece lies.

    Mats and tags lie anywhere, a board with pieces and tiles in its cells, tiles in rows, pieces between all of it.
    """
    crowd = _Crowd(look, rng, Places(rng, area))
    _sheets(crowd, area)
    if chance(rng, 0.55):
        _board(crowd, area)
    for _ in range(int(rng.integers(0, 4))):
        _row(crowd)
    for _ in range(int(rng.integers(20, 55))):
        crowd.strew()
    crowd.spots = [spot for spot in crowd.spots if crowd.places.free(spot[0], spot[1], 0.7 * spot[2])]
    return Tabletop(tuple(crowd.things)), crowd.spots


def _sheets(crowd: _Crowd, area: Area) -> None:
    """Mats and table tags; what is printed on them is no piece."""
    rng = crowd.rng
    for k, mat in enumerate((mats.DICE_BOX, mats.MARKET, *mats.CARDS[:2])):
        if not chance(rng, 0.4 if k < 2 else 0.25):
            continue
        x, y = between(rng, area[0], area[2]), between(rng, area[1], area[3])
        angle = between(rng, 0, 6.3)
        crowd.things.append(Sheet(mat.name, x, y, angle, mat.name))
        c, s = float(np.cos(angle)), float(np.sin(angle))
        for _ in range(6):
            u, v = between(rng, -mat.width / 2, mat.width / 2), between(rng, -mat.height / 2, mat.height / 2)
            crowd.spots.append((x + u * c - v * s, y + u * s + v * c, between(rng, 6, 12)))


def _board(crowd: _Crowd, area: Area) -> None:
    """Piecepack tiles edge to edge, with pieces and dominoes in their cells."""
    rng, look = crowd.rng, crowd.look
    columns, rows = (int(v) for v in rng.integers(2, 5, 2))
    side, thick = look.edition.tile_mm
    pitch = side + between(rng, 0.2, 1.0)
    turn = between(rng, 0, 6.3)
    c, s = float(np.cos(turn)), float(np.sin(turn))
    x0, y0 = between(rng, 0.7 * area[0], 0.7 * area[2]), between(rng, 0.7 * area[1], 0.7 * area[3])

    def at(u: float, v: float) -> tuple[float, float]:
        u, v = (u - columns / 2) * pitch, (v - rows / 2) * pitch
        return x0 + u * c - v * s, y0 + u * s + v * c

    for k in range(columns * rows):
        x, y = at(k % columns + 0.5, k // columns + 0.5)
        crowd.things.append(Board(f"board {k}", x, y, turn))
        crowd.places.take(x, y, side * 0.72)
    taken = set[tuple[int, int]]()
    for k in rng.permutation(4 * columns * rows):
        u, v = int(k) % (2 * columns), int(k) // (2 * columns)
        x, y = at(u / 2 + 0.25, v / 2 + 0.25)
        choice = rng.random()
        if (u, v) in taken:
            continue
        taken.add((u, v))
        if choice < 0.2 and u + 1 < 2 * columns and (u + 1, v) not in taken and look.length_mm < pitch:
            taken.add((u + 1, v))
            x, y = at(u / 2 + 0.5, v / 2 + 0.25)
            ends = random_ends(look.style.highest, rng)
            crowd.things.append(Tile(f"on {k}", x, y, turn + np.pi * float(rng.integers(2)), ends, z=thick))
        elif choice < 0.6 and (label := crowd.label())[0] != "chip":
            crowd.put(label, x + between(rng, -3, 3), y + between(rng, -3, 3), thick)
        elif choice < 0.75:
            crowd.spots.append((x, y, between(rng, 6, 12)))


def _row(crowd: _Crowd) -> None:
    """Dominoes side by side, as in a boneyard, or one after the other."""
    rng, look = crowd.rng, crowd.look
    place = crowd.places.find(look.length_mm * 0.5, 1.0)
    if place is None:
        return
    along, turn = between(rng, 0, 6.3), np.pi / 2 if chance(rng, 0.5) else 0.0
    step = (look.tile_mm if turn else look.length_mm) + between(rng, 0.3, 6)
    up = chance(rng, 0.7)
    for k in range(int(rng.integers(1, 7))):
        x, y = place[0] + k * step * float(np.cos(along)), place[1] + k * step * float(np.sin(along))
        if k and not crowd.places.free(x, y, look.length_mm * 0.4):
            break
        crowd.places.take(x, y, look.length_mm * 0.5)
        crowd.things.append(Tile(f"row {len(crowd.things)}", x, y, along + turn, random_ends(look.style.highest, rng), up))
        for half in (-1, 1):
            off = half * look.tile_mm / 2
            x_half, y_half = x + off * float(np.cos(along + turn)), y + off * float(np.sin(along + turn))
            crowd.spots.append((x_half, y_half, look.tile_mm * between(rng, 0.35, 0.55)))
