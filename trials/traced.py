"""Path-traced games of our own, from a seed: tiles packed in a grid, lines of play, a market, with people's hands over them.

No game's rules are kept: what matters is how tiles lie, how they come and how they go. A game has the rhythm of the rendered
ones (`trials.shots`): the start, then for every play the hand, the tile laid, and the same once more; a bump, another light.
Looks come from seeds on which nothing is trained and which no other test draws. Needs mitsuba (extra `train`); every picture is
kept, so that a game is slow only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import cv2
import numpy as np
from platformdirs import user_cache_path

from simulator.faces import SetStyle
from simulator.noise import between, chance
from simulator.staging.setting import Setting, pressed
from simulator.tabletop.camera import Camera
from simulator.tabletop.hands import Hand
from simulator.tabletop.look import TESTING_SEEDS, Look
from simulator.tabletop.lying import Tabletop, Tile
from simulator.tabletop.painting import hull_of, tile_body
from simulator.tabletop.render import DAY, Light, Renderer
from simulator.tabletop.traced import TracedRenderer, traceable
from simulator.tabletop.truth import Shown
from trials.shots import BUMP, LAMP, PLAYS, Lying, Shot, in_own_mm

Point = tuple[float, float]
Cell = tuple[int, int]
Pair = tuple[Cell, Cell]
"""Where a tile's first and second half lie in a grid."""

Ends = tuple[int, int]
Face = tuple[str, Ends]
"""A tile's name and what is printed on its halves."""

Wanted = Callable[[Ends], bool]
"""Whether a tile will do."""

MEASURING_SEEDS = range(TESTING_SEEDS.stop, TESTING_SEEDS.stop + 1_000_000_000)
"""Of these games' looks: nothing is trained on them, and other tests draw others."""

AREAS: Mapping[str, tuple[float, float]] = {"packed": (470.0, 320.0), "line": (800.0, 590.0), "market": (680.0, 480.0)}
"""Each kind of game, and how wide and deep its play area is, mm; a table tag lies near each corner."""

SETS = ("ivory", "white", "black", "dark wood", "coloured")
TOPS = ("wood", "cloth", "dark", "bright", "printed")

BUMPED = (13.0, 7.5, float(np.radians(1.5)))
"""The camera's bump: 15 mm and a degree and a half."""

CARD_MM = 46.0
"""From the middle of a table tag's card to its corners."""

RIM_PX = 8
"""Cards lie so far inside the picture at least."""

SHAKEN_MM, SHAKEN = 1.0, float(np.radians(1.0))
"""Nobody lays a tile more exactly than this."""

TOUCHING_MM = 0.15
"""Edges are rounded: tiles that are so far in one another still only touch."""

TRIES = 150
"""So often a tile is laid a little otherwise until it lies free."""

FINE = 4
"""So many points to the pixel are looked at to tell how much of a tile is covered."""

EXPOSED = 8
"""After so many looks a camera has got used to the light."""


# The look and the camera.


def look_of(kind: str, seed: int) -> Look:
    """The set, the table and the lamps of a game."""
    made, top = SETS[seed % len(SETS)], TOPS[(2 * seed + seed // 5) % len(TOPS)]
    first = MEASURING_SEEDS[100_000 * (list(AREAS).index(kind) * 1000 + seed)]
    for number in count(first):
        look = Look.of(number)
        even = kind == "line" or 1.95 < look.style.length < 2.06  # else tiles across one another leave gaps
        if even and _made(look.style) == made and _covered(look, top):
            style = replace(look.style, bar="none", pin=0.0) if seed % 3 == 1 else look.style
            return replace(look, style=style)
    raise AssertionError("numbers do not end")


def _made(style: SetStyle) -> str:
    """Which kind of set it is; empty for those between."""
    low, high = float(style.body.min()), float(style.body.max())
    if style.grain == "wood":
        return "dark wood" if high < 0.5 else ""
    if high - low > 0.3:
        return "coloured"
    if high < 0.18:
        return "black"
    if low > 0.84:
        return "white"
    return "ivory" if high > 0.72 and high - low > 0.06 else ""


def _covered(look: Look, top: str) -> bool:
    """Whether a table is of that kind."""
    if top in ("wood", "cloth"):
        return look.covering == top
    if top == "printed":
        return look.covering == "print" and float(look.top.std()) > 20
    if look.covering not in (("wood", "felt", "laminate") if top == "dark" else ("cloth", "laminate")):
        return False
    return float(look.top.mean()) < 60 if top == "dark" else float(look.top.mean()) > 175


def _camera(setting: Setting, rng: np.random.Generator) -> Camera:
    """A camera 80 to 100 cm above the table whose lens takes in all four tags, bumped or not, and hardly more."""
    tags = np.array([(tag.x + CARD_MM * np.cos(turn), tag.y + CARD_MM * np.sin(turn), 0.0)
                     for tag in setting.corners() for turn in np.linspace(0, 2 * np.pi, 12)])
    stands = Camera(1280, 720, height_mm=between(rng, 800, 1000), tilt=float(np.radians(between(rng, 0, 25))),
                    azimuth=float(np.pi / 2 + rng.normal(0, 0.06)), roll=float(rng.normal(0, 0.03)),
                    aim=(between(rng, -10, 10), between(rng, -10, 10)), blur_px=between(rng, 0.3, 0.8),
                    noise=0.0, jpeg=None)  # `held` adds them
    for field in np.arange(0.4, 2.0, 0.02):
        camera = traceable(replace(stands, field=float(field)))
        pixels = np.vstack([each.project(tags) for each in (camera, camera.bumped(*BUMPED))])
        if ((pixels > RIM_PX) & (pixels < (camera.width - RIM_PX, camera.height - RIM_PX))).all():
            return camera
    raise AssertionError("no lens is that wide")


# Laying tiles.


@dataclass(frozen=True, slots=True)
class Deed:
    """What a play does: tiles that come or move, as they lie afterwards, and names of those taken off the table."""

    laid: tuple[Tile, ...] = ()
    gone: tuple[str, ...] = ()

    def done(self, table: Tabletop) -> Tabletop:
        """The table afterwards."""
        return table.without(self.gone).put(*self.laid)


class Stock:
    """The tiles of one or two sets that do not lie on the table yet."""

    def __init__(self, copies: int, rng: np.random.Generator) -> None:
        self.rng = rng
        faces = [(a, b) for a in range(7) for b in range(a, 7)]
        self.left: list[Face] = [(f"{a}-{b}{mark}", (a, b)) for mark in ("", " b")[:copies] for a, b in faces]

    def holds(self, wanted: Wanted) -> bool:
        """Whether such a tile is left."""
        return any(wanted(ends) for _, ends in self.left)

    def draw(self, wanted: Wanted = lambda ends: True) -> Face:
        """Any such tile, or any at all where none is left."""
        faces = [face for face in self.left if wanted(face[1])] or self.left
        face = faces[int(self.rng.integers(len(faces)))]
        self.left.remove(face)
        return face


def _awkward(ends: Ends) -> bool:
    """Whether a tile is easily taken for something else: doubles, and blank halves."""
    return ends[0] == ends[1] or 0 in ends


def _these(a: int, b: int) -> Wanted:
    return lambda ends: sorted(ends) == sorted((a, b))


def _neither(a: int, b: int) -> Wanted:
    return lambda ends: not {a, b} & set(ends)


def _with(number: int) -> Wanted:
    return lambda ends: number in ends


def _tiles(table: Tabletop) -> list[Tile]:
    return [thing for thing in table if isinstance(thing, Tile)]


def _shaken(tile: Tile, share: float, rng: np.random.Generator) -> Tile:
    """The tile up to so much of what hands are inexact by from its place."""
    x, y, turn = (rng.uniform(-1, 1, 3) * share).tolist()
    return replace(tile, x=tile.x + x * SHAKEN_MM, y=tile.y + y * SHAKEN_MM, angle=tile.angle + turn * SHAKEN)


def _fitted(tile: Tile, table: Tabletop, look: Look, rng: np.random.Generator, share: float = 1.0) -> Tile | None:
    """The tile near its place, as a hand lays it or (`share` below 1) touches it, in none of the others; None: no room."""
    others = [other for other in _tiles(table) if other.name != tile.name and abs(other.z - tile.z) < 1
              and float(np.hypot(other.x - tile.x, other.y - tile.y)) < 1.2 * look.length_mm]
    for each in range(TRIES):
        trial = _shaken(tile, share * (1 - 0.9 * each / TRIES), rng)
        if all(pressed(trial, other, look.length_mm, look.tile_mm) <= TOUCHING_MM for other in others):
            return trial
    return None


def _nudged(deed: Deed, table: Tabletop, look: Look, rng: np.random.Generator) -> Deed:
    """The deed, and what the hand has touched beside it moved by less than a millimetre and a degree."""
    new = deed.laid[-1] if deed.laid else None
    if new is None or chance(rng, 0.3):
        return deed
    after = deed.done(table)
    bearing = [tile for tile in _tiles(after) if tile.level]
    near = [tile for tile in _tiles(after) if tile.name != new.name and not tile.level
            and np.hypot(tile.x - new.x, tile.y - new.y) < 1.6 * look.length_mm
            and not any(np.hypot(tile.x - upper.x, tile.y - upper.y) < look.length_mm for upper in bearing)]
    for at in rng.permutation(len(near))[: int(rng.integers(1, 4))].tolist():
        moved = _fitted(near[at], after, look, rng, 0.6)
        if moved is not None:
            deed = Deed((moved, *deed.laid), deed.gone)
            after = deed.done(table)
    return deed


class Grid:
    """Tiles packed into a grid of halves, and some laid across halves of others.

    lower: for each cell the tile that lies there and the number it shows. upon: which tile covers a cell, or hangs over it.
    """

    def __init__(self, look: Look, stock: Stock, rng: np.random.Generator, middle: Point, columns: int, rows: int) -> None:
        self.look, self.stock, self.rng, self.middle = look, stock, rng, middle
        self.columns, self.rows = columns, rows
        self.pitch = max(look.tile_mm, look.length_mm / 2) + between(rng, 0.15, 0.8)
        self.turn = float(rng.normal(0, 0.03))
        self.awkward = 0.5 if chance(rng, 0.4) else 0.12
        self.lower: dict[Cell, tuple[str, int]] = {}
        self.upon: dict[Cell, str] = {}

    def lay(self, table: Tabletop) -> Deed | None:
        """One more tile beside those that lie there; None where there is no room."""
        face = self.stock.draw(_awkward if chance(self.rng, self.awkward) else lambda ends: True)
        for pair in self._free():
            tile = _fitted(self._tile(face, self._blank_by_blank(pair, face[1])), table, self.look, self.rng)
            if tile is not None:
                self._keep(tile)
                return Deed((tile,))
        self.stock.left.append(face)
        return None

    def place(self, face: Face, table: Tabletop) -> Deed | None:
        """That tile beside those that lie there."""
        for pair in self._free():
            tile = _fitted(self._tile(face, pair), table, self.look, self.rng)
            if tile is not None:
                self._keep(tile)
                return Deed((tile,))
        return None

    def cover(self, table: Tabletop, same: bool) -> Deed | None:
        """A tile laid across halves of two others, with the same numbers or with none of them."""
        for pair in self._shuffled(self._across()):
            a, b = (self.lower[cell][1] for cell in pair)
            wanted = _these(a, b) if same else _neither(a, b)
            if not self.stock.holds(wanted):
                continue
            name, ends = self.stock.draw(wanted)
            tile = self._upper((name, ends), pair if not same or ends == (a, b) else pair[::-1], table)
            if tile is not None:
                self.upon |= dict.fromkeys(pair, name)
                return Deed((tile,))
            self.stock.left.append((name, ends))
        return None

    def overhang(self, table: Tabletop) -> Deed | None:
        """A tile laid on one half of another, a little more than half of it so that it does not tip."""
        for pair in self._shuffled([(cell, beside) for cell in self.lower for beside in _beside(cell)
                                    if cell not in self.upon and beside not in self.lower and beside not in self.upon]):
            face = self.stock.draw()
            tile = self._upper(face, pair, table, inwards=between(self.rng, 0.1, 0.2) * self.look.tile_mm)
            if tile is not None:
                self.upon |= dict.fromkeys(pair, face[0])
                return Deed((tile,))
            self.stock.left.append(face)
        return None

    def take(self, table: Tabletop) -> Deed | None:
        """A tile taken away on which none lies."""
        name = self._loose(table)
        if name is None:
            return None
        self._forget(name)
        return Deed(gone=(name,))

    def exchange(self, table: Tabletop) -> Deed | None:
        """A tile taken away, and another laid in its place."""
        name = self._loose(table, lowest=True)
        if name is None:
            return None
        old = table[name]
        assert isinstance(old, Tile)
        new, ends = self.stock.draw()
        tile = replace(_shaken(old, 0.2, self.rng), name=new, ends=ends)
        tile = _fitted(tile, table.without([name]), self.look, self.rng) or replace(old, name=new, ends=ends)
        cells = self._cells(name)
        self._forget(name)
        self.lower |= {cell: (new, number) for cell, number in zip(cells, ends, strict=True)}
        return Deed((tile,), (name,))

    def _at(self, cell: Cell) -> Point:
        """The middle of a cell, mm."""
        u, v = (cell[0] - (self.columns - 1) / 2) * self.pitch, (cell[1] - (self.rows - 1) / 2) * self.pitch
        c, s = np.cos(self.turn), np.sin(self.turn)
        return float(self.middle[0] + u * c - v * s), float(self.middle[1] + u * s + v * c)

    def _tile(self, face: Face, pair: Pair) -> Tile:
        """A tile exactly in its place; its first half lies in the pair's first cell."""
        (xa, ya), (xb, yb) = map(self._at, pair)
        return Tile(face[0], (xa + xb) / 2, (ya + yb) / 2, float(np.arctan2(yb - ya, xb - xa)), face[1])

    def _upper(self, face: Face, pair: Pair, table: Tabletop, inwards: float = 0.0) -> Tile | None:
        tile = self._tile(face, pair)
        tile = replace(tile, x=tile.x - inwards * float(np.cos(tile.angle)), y=tile.y - inwards * float(np.sin(tile.angle)),
                       level=1, z=self.look.thick_mm)
        return _fitted(tile, table, self.look, self.rng)

    def _keep(self, tile: Tile) -> None:
        """Remember which cells a tile lies in that was laid there."""
        half = self.pitch / 2
        for side, number in zip((-half, half), tile.ends, strict=True):
            x, y = tile.x + side * np.cos(tile.angle), tile.y + side * np.sin(tile.angle)
            cell = min(self._inside(), key=lambda cell: np.hypot(self._at(cell)[0] - x, self._at(cell)[1] - y))
            self.lower[cell] = (tile.name, number)

    def _cells(self, name: str) -> list[Cell]:
        """The cells of a tile, that of its first half first; those of a double are in any order."""
        return [cell for cell, (owner, _) in self.lower.items() if owner == name]

    def _forget(self, name: str) -> None:
        self.lower = {cell: held for cell, held in self.lower.items() if held[0] != name}
        self.upon = {cell: owner for cell, owner in self.upon.items() if owner != name}

    def _inside(self) -> list[Cell]:
        return [(column, row) for column in range(self.columns) for row in range(self.rows)]

    def _free(self) -> list[Pair]:
        """Pairs of free cells, those with most neighbours mostly first, turned anyhow."""
        free = {cell for cell in self._inside() if cell not in self.lower and cell not in self.upon}
        if not self.lower:
            middle = (self.columns // 2, self.rows // 2)
            return [(middle, _beside(middle)[int(self.rng.integers(4))])]
        pairs = [(cell, beside) for cell in free for beside in _beside(cell) if beside in free]
        counted = [(sum(each in self.lower for cell in pair for each in _beside(cell)), pair) for pair in sorted(pairs)]
        held = [(neighbours * between(self.rng, 0.3, 1), pair) for neighbours, pair in counted if neighbours]
        return [pair for _, pair in sorted(held, reverse=True)]

    def _blank_by_blank(self, pair: Pair, ends: Ends) -> Pair:
        """The pair turned so that a blank half comes to lie beside another, where that can be and chance has it."""
        if 0 not in ends or chance(self.rng, 0.4):
            return pair
        at = [any(self.lower.get(beside, ("", 1))[1] == 0 for beside in _beside(cell)) for cell in pair]
        turned = (pair[1], pair[0])
        return turned if at[1 - ends.index(0)] and not at[ends.index(0)] else pair

    def _across(self) -> list[Pair]:
        """Pairs of cells beside one another of two tiles, neither of which has anything upon it."""
        covered = {self.lower[cell][0] for cell in self.upon if cell in self.lower}
        bare = {cell: name for cell, (name, _) in self.lower.items() if name not in covered}
        return [(cell, beside) for cell in bare for beside in _beside(cell) if beside in bare and bare[beside] != bare[cell]]

    def _shuffled(self, pairs: Sequence[Pair]) -> list[Pair]:
        return [pairs[k] for k in self.rng.permutation(len(pairs)).tolist()]

    def _loose(self, table: Tabletop, lowest: bool = False) -> str | None:
        """Any tile on which none lies."""
        covered = {self.lower[cell][0] for cell in self.upon if cell in self.lower}
        names = sorted({name for name, _ in self.lower.values()} - covered | (set() if lowest else set(self.upon.values())))
        names = [name for name in names if name in table]
        return names[int(self.rng.integers(len(names)))] if names else None


def _beside(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]


def _rows(faces: Sequence[Face], middle: Point, columns: int, turned: bool, look: Look, rng: np.random.Generator) -> list[Tile]:
    """Tiles face down in rows, 2 to 5 mm apart: a boneyard."""
    gap = between(rng, 2.5, 5.0)
    step = np.array([look.length_mm, look.tile_mm] if turned else [look.tile_mm, look.length_mm]) + gap
    angle, table = 0.0 if turned else float(np.pi / 2), Tabletop()
    rows = -(-len(faces) // columns)
    for at, (name, ends) in enumerate(faces):
        row, column = divmod(at, columns)
        x, y = (np.array(middle) + (np.array([column, row]) - ((columns - 1) / 2, (rows - 1) / 2)) * step).tolist()
        tile = Tile(name, x, y, angle, ends, up=False)
        table = table.put(_fitted(tile, table, look, rng) or tile)
    return _tiles(table)


# The three kinds of games.


class Packed:
    """A grid into which tiles are packed, some across others; one is taken away or exchanged now and then."""

    def __init__(self, look: Look, area: tuple[float, float], seed: int, rng: np.random.Generator) -> None:
        self.grid = Grid(look, Stock(1 + seed % 2, rng), rng, (between(rng, -30, 30), between(rng, -15, 15)), 8, 6)
        covering = ["same", "other"] * 2
        rng.shuffle(covering)
        deeds = covering[: int(rng.integers(2, 5))] + ["overhang"] * chance(rng, 0.4)
        deeds += ["take"] * chance(rng, 0.5) + ["exchange"] * chance(rng, 0.5)
        at = rng.permutation(np.arange(3, PLAYS - 2))[: len(deeds)].tolist()
        self.due = sorted(zip(at, deeds, strict=True))
        self.first = int(rng.integers(4, 11)) if chance(rng, 0.5) else 0

    def start(self) -> list[Tile]:
        """What lies there at first."""
        table = Tabletop()
        for _ in range(self.first):
            deed = self.grid.lay(table)
            table = deed.done(table) if deed else table
        return _tiles(table)

    def play(self, number: int, table: Tabletop) -> Deed:
        """The deed of a play."""
        for at, what in [(at, what) for at, what in self.due if at <= number]:
            deed = self._special(what, table)
            if deed is not None:
                self.due.remove((at, what))
                return deed
        deed = self.grid.lay(table) or self.grid.cover(table, False) or self.grid.take(table)
        assert deed is not None
        return deed

    def _special(self, what: str, table: Tabletop) -> Deed | None:
        """A deed other than laying a tile beside the others; None where it cannot be done yet."""
        match what:
            case "same" | "other":
                return self.grid.cover(table, what == "same")
            case "overhang":
                return self.grid.overhang(table)
            case "take":
                return self.grid.take(table)
            case "exchange":
                return self.grid.exchange(table)
        return None


class Market:
    """Five face-up tiles in a row, a bone pile that fills the row again, and two small grids."""

    def __init__(self, look: Look, area: tuple[float, float], seed: int, rng: np.random.Generator) -> None:
        self.look, self.rng, self.stock = look, rng, Stock(2, rng)
        across = area[0] / 2
        self.grids = [Grid(look, self.stock, rng, (between(rng, -30, 30), side * 0.3 * area[1]), 7, 3) for side in (1, -1)]
        step = look.tile_mm + between(rng, 4, 14)
        self.slots = [(-0.42 * across + (k - 2) * step, between(rng, -2, 2)) for k in range(5)]
        self.pile_at = (0.5 * across, 0.0)
        self.row: list[str | None] = [None] * 5
        self.pile: list[Tile] = []

    def start(self) -> list[Tile]:
        """The row, the pile, and a few tiles in each grid."""
        table = Tabletop()
        for k in range(5):
            table = self._into(k, self.stock.draw(), table).done(table)
        faces = [self.stock.draw() for _ in range(int(self.rng.integers(6, 11)))]
        self.pile = _rows(faces, self.pile_at, 5, False, self.look, self.rng)
        table = table.put(*self.pile)
        for grid in self.grids:
            for _ in range(int(self.rng.integers(1, 5))):
                deed = grid.lay(table)
                table = deed.done(table) if deed else table
        return _tiles(table)

    def play(self, number: int, table: Tabletop) -> Deed:
        """A tile from the row, one into the row, or one from a hand."""
        grid = self.grids[number % 2]
        empty = [k for k, name in enumerate(self.row) if name is None]
        if empty and self.pile:
            taken = self.pile.pop(int(self.rng.integers(len(self.pile))))
            return self._into(empty[0], (taken.name, taken.ends), table)
        if chance(self.rng, 0.5):
            k = int(self.rng.integers(5))
            name = self.row[k]
            if name is not None:
                self.row[k] = None
                old = table[name]
                assert isinstance(old, Tile)
                laid = grid.place((name, old.ends), table.without([name])) if chance(self.rng, 0.5) else None
                if laid is None:  # into a hand
                    self.stock.left.append((name, old.ends))
                return laid or Deed(gone=(name,))
        deed = grid.cover(table, chance(self.rng, 0.5)) if chance(self.rng, 0.35) else None
        deed = deed or grid.lay(table) or grid.cover(table, False) or grid.take(table)
        assert deed is not None
        return deed

    def _into(self, slot: int, face: Face, table: Tabletop) -> Deed:
        """A tile laid into a place of the row, its low end at the top."""
        x, y = self.slots[slot]
        tile = Tile(face[0], x, y, float(np.pi / 2), face[1])
        self.row[slot] = face[0]
        return Deed((_fitted(tile, table, self.look, self.rng) or tile,))


@dataclass(frozen=True, slots=True)
class End:
    """An open end of a line: the middle of the outer edge there, the way on (radians), its number, whether it is a double."""

    at: Point
    way: float
    number: int
    double: bool


class Line:
    """A line of play with bends, doubles crosswise, and two ends; a boneyard beside it from which a tile is taken at times."""

    def __init__(self, look: Look, area: tuple[float, float], seed: int, rng: np.random.Generator) -> None:
        self.look, self.area, self.rng, self.stock = look, area, rng, Stock(1, rng)
        self.side = 1.0 if chance(rng, 0.5) else -1.0
        self.upright = chance(rng, 0.5)  # the boneyard lies at the left or the right, not at the far edge
        self.ends: list[End] = []
        self.pile: list[Tile] = []
        self.first = int(rng.integers(0, 6))
        self.draws = set(rng.permutation(np.arange(2, PLAYS))[: int(rng.integers(1, 4))].tolist())

    def start(self) -> list[Tile]:
        """The boneyard, and the beginning of a line."""
        faces = [self.stock.draw() for _ in range(int(self.rng.integers(8, 15)))]
        if self.upright:
            self.pile = _rows(faces, (self.side * 0.38 * self.area[0], 0.0), 2, True, self.look, self.rng)
        else:
            self.pile = _rows(faces, (0.0, -0.4 * self.area[1]), min(8, len(faces)), False, self.look, self.rng)
        table = Tabletop(tuple(self.pile))
        for _ in range(self.first):
            deed = self._join(table)
            table = deed.done(table) if deed else table
        return _tiles(table)

    def play(self, number: int, table: Tabletop) -> Deed:
        """A tile joined to an end, or one taken from the boneyard."""
        joined = None if number in self.draws and self.pile else self._join(table)
        return joined or self._drawn()

    def _drawn(self) -> Deed:
        """A tile taken from the boneyard into a hand."""
        tile = self.pile.pop(int(self.rng.integers(len(self.pile))))
        self.stock.left.append((tile.name, tile.ends))
        return Deed(gone=(tile.name,))

    def _join(self, table: Tabletop) -> Deed | None:
        """A tile at one of the ends: one that matches where there is one. None where there is no room."""
        if not self.ends:
            return self._begin(table)
        for strict in (True, True, True, False, False) if self.stock.left else ():
            for at in self.rng.permutation(2).tolist():
                end = self.ends[at]
                if strict and not self.stock.holds(_with(end.number)):
                    continue
                name, ends = self.stock.draw(_with(end.number))
                ways = self._ways(end, (name, ends if ends[0] == end.number else ends[::-1]))
                for tile, grown in ways:
                    fitted = _fitted(tile, table, self.look, self.rng)
                    if fitted is not None and self._clear(tile, table) and self._goes_on(grown, table.put(tile)):
                        self.ends[at] = grown
                        return Deed((fitted,))
                self.stock.left.append((name, ends))
        return None

    def _goes_on(self, end: End, table: Tabletop) -> bool:
        """Whether one more tile could be joined to an end."""
        return any(self._clear(tile, table) for tile, _ in self._ways(end, ("next", (0, 1))))

    def _begin(self, table: Tabletop) -> Deed:
        name, ends = self.stock.draw(lambda ends: chance(self.rng, 0.5) or ends[0] == ends[1])
        double, way = ends[0] == ends[1], float(self.rng.normal(0, 0.03)) + (np.pi / 2 if chance(self.rng, 0.3) else 0.0)
        x, y = -self.side * 0.08 * self.area[0] * self.upright, 0.08 * self.area[1] * (not self.upright)
        half = (self.look.tile_mm if double else self.look.length_mm) / 2
        tile = Tile(name, x, y, float(way + np.pi / 2 * double), ends)
        for side, number in ((1, ends[1]), (-1, ends[0])):
            out = (x + side * half * float(np.cos(way)), y + side * half * float(np.sin(way)))
            self.ends.append(End(out, float(way if side > 0 else way + np.pi), number, double))
        return Deed((_shaken(tile, 0.5, self.rng),))

    def _ways(self, end: End, face: Face) -> Iterator[tuple[Tile, End]]:
        """How a tile may be joined to an end, the likeliest first, and the end that it has then."""
        turns = [0, 1, -1] if chance(self.rng, 0.75) else [1, -1, 0]
        if chance(self.rng, 0.5):
            turns = [-turn for turn in turns]
        length, width = self.look.length_mm, self.look.tile_mm
        gap = between(self.rng, 0.2, 1.2)
        for turn in turns:
            ahead = np.array([np.cos(end.way), np.sin(end.way)])
            way = end.way + turn * np.pi / 2
            aside = np.array([np.cos(way), np.sin(way)])
            if face[1][0] == face[1][1]:
                if turn:
                    continue
                middle = np.array(end.at) + ahead * (width / 2 + gap)
                out, angle = middle + ahead * width / 2, way + np.pi / 2
            elif turn:
                if end.double:
                    continue  # players bend a line beside a double
                middle = np.array(end.at) + ahead * (width / 2 + gap) + aside * (length - width) / 2
                out, angle = middle + aside * length / 2, way
            else:
                middle = np.array(end.at) + ahead * (length / 2 + gap)
                out, angle = middle + ahead * length / 2, way
            tile = Tile(face[0], float(middle[0]), float(middle[1]), float(angle), face[1])
            yield tile, End((float(out[0]), float(out[1])), float(way), face[1][1], face[1][0] == face[1][1])

    def _clear(self, tile: Tile, table: Tabletop) -> bool:
        """Whether a tile lies well inside, and touches nothing but the one it is joined to."""
        room = 0.7 * self.look.length_mm
        inside = abs(tile.x) < self.area[0] / 2 - room and abs(tile.y) < self.area[1] / 2 - room
        near = sum(pressed(tile, other, self.look.length_mm + 6, self.look.tile_mm + 6) > 0 for other in _tiles(table))
        return inside and near <= 1


KINDS: Mapping[str, Callable[[Look, tuple[float, float], int, np.random.Generator], Packed | Line | Market]] = {
    "packed": Packed, "line": Line, "market": Market,
}  # fmt: skip


# Games.


@dataclass(frozen=True, slots=True)
class Moment:
    """What is to be photographed; event as in `Shot`."""

    event: str
    table: Tabletop
    camera: Camera
    light: Light = DAY
    hands: tuple[Hand, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    """A game before it is photographed."""

    setting: Setting
    camera: Camera
    moments: tuple[Moment, ...]


def staged(kind: str, seed: int) -> Game:
    """All moments of a game of a kind: packed, line or market. The same ones whenever it is asked for."""
    rng = np.random.default_rng([seed, list(AREAS).index(kind), 31])
    look, (wide, deep) = look_of(kind, seed), AREAS[kind]
    setting = Setting(look, 4, look.seed, (-wide / 2, -deep / 2, wide / 2, deep / 2))
    camera = _camera(setting, rng)
    return Game(setting, camera, tuple(_moments(setting, camera, KINDS[kind](look, AREAS[kind], seed, rng), rng)))


def _moments(setting: Setting, camera: Camera, layout: Packed | Line | Market, rng: np.random.Generator) -> Iterator[Moment]:
    now = Moment("start", Tabletop((*setting.corners(), *layout.start())), camera)
    dimmed = between(rng, 0.0, 0.45)
    yield now
    yield replace(now, event="still")
    for number in range(PLAYS):
        if number == BUMP:
            now = replace(now, event="bump", camera=now.camera.bumped(*BUMPED))
            yield from (now, replace(now, event="still"))
        if number == LAMP:
            now = replace(now, event="light", light=Light((dimmed, 1.0)))
            yield from (now, replace(now, event="still"))
        deed = layout.play(number, now.table)
        yield _reaching(deed, now, setting, rng)
        now = replace(now, event="play", table=_nudged(deed, now.table, setting.look, rng).done(now.table))
        yield from (now, replace(now, event="still"))


def _reaching(deed: Deed, now: Moment, setting: Setting, rng: np.random.Generator) -> Moment:
    """The hand over the table with the tile that it brings or takes, near where that lies."""
    tile = deed.laid[-1] if deed.laid else now.table[deed.gone[0]]
    assert isinstance(tile, Tile)
    seat = int(rng.choice(4, p=(0.6, 0.15, 0.1, 0.15)))
    source = setting.at(seat, between(rng, 60, 200), -1300.0)
    far = np.array(source) - (tile.x, tile.y)
    back = far / np.linalg.norm(far) * between(rng, 0, 70) + rng.normal(0, 6, 2)
    held = replace(tile, x=float(tile.x + back[0]), y=float(tile.y + back[1]), angle=tile.angle + float(rng.normal(0, 0.2)),
                   lift=between(rng, 8, 40))
    hand = Hand((held.x, held.y), source, held.z + held.lift + 6.0, "pinch", seat)
    return replace(now, event="reach", table=now.table.put(held), hands=(hand,))


def kept_in() -> Path:
    """Where pictures are kept unless somebody says otherwise."""
    return user_cache_path("kibitz", appauthor=False) / "traced"


def traced(kind: str, seed: int, kept: Path | None = None) -> Iterator[Shot]:
    """The shots of a path-traced game: kind packed, line or market. kept: the folder in which pictures are kept."""
    game = staged(kind, seed)
    look = game.setting.look
    renderer = TracedRenderer(game.camera, look, (kept or kept_in()) / f"{kind}-{seed}")
    for number, moment in enumerate(game.moments):
        yield photographed(moment, renderer, f"{number:03}")


def photographed(moment: Moment, renderer: Renderer, name: str) -> Shot:
    """A moment as a camera sees it that has got used to the light."""
    for _ in range(2 if moment.hands else EXPOSED):
        image, truth = renderer.shoot(moment.table, moment.hands, moment.light, moment.camera)
    lying = tuple(_true(shown, moment, renderer.look) for shown in truth.shown if isinstance(shown.thing, Tile))
    return Shot(name, moment.event, bool(moment.hands), image, lying, in_own_mm(renderer.look, moment.camera))


def _true(shown: Shown, moment: Moment, look: Look) -> Lying:
    """What is true about a tile of a moment."""
    tile = shown.thing
    assert isinstance(tile, Tile)
    visible = _bare(tile, moment, look)
    if moment.hands:  # the painter counts their pixels, those of rounded corners as hidden
        visible = min(visible, float(np.mean(shown.visible)))
    return Lying(tile.ends if tile.up else None, (tile.x, tile.y), tile.level, visible, tile.lift > 0)


def _bare(tile: Tile, moment: Moment, look: Look) -> float:
    """The share of a tile's upper face over which no other tile lies, as the camera sees it."""
    view = moment.camera.view(look.tile_mm)
    face = view.project(tile_body(tile, look).corners(look.style))
    corner = face.min(axis=0) - 1
    width, height = (np.ceil((face.max(axis=0) - corner + 1) * FINE)).astype(int).tolist()
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.round((face - corner) * FINE * 16).astype(np.int32), 1, shift=4)
    whole = int(mask.sum())
    for other in _tiles(moment.table):
        if other.z + other.lift > tile.z + tile.lift:
            hull = cv2.convexHull(((view.project(hull_of(other, look)) - corner) * FINE * 16).astype(np.int32))
            cv2.fillConvexPoly(mask, hull, 0, shift=4)
    return float(mask.sum() / whole)
