"""The 8 by 8 board as numbers: a cell is x + 8 y; objects are a bit set; what slides, turns, shifts and fits where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from engine.actions import Cell
from engine.dominoids.actions import Place, Rotate, Slide
from engine.pieces import Tile

SIDE = 8
CELLS = SIDE * SIDE
TILES_IN_PLAY = tuple(Tile(low, high) for low in range(1, 6) for high in range(low, 6))


class Dominoid(NamedTuple):
    """A Dominoid on the board: its left or lower cell first, and the end on each."""

    first: int
    second: int
    p: int
    q: int

    @property
    def tile(self) -> Tile:
        """The domino it is."""
        return Tile(min(self.p, self.q), max(self.p, self.q))


def lying(first: int, second: int, p: int, q: int) -> Dominoid:
    """The Dominoid on these cells with these ends, in either order."""
    return Dominoid(first, second, p, q) if first < second else Dominoid(second, first, q, p)


def cell_of(number: int) -> Cell:
    """The cell of a number."""
    return number % SIDE, number // SIDE


def number_of(cell: Cell) -> int:
    """The number of a cell; ValueError off the board."""
    x, y = cell
    if not (0 <= x < SIDE and 0 <= y < SIDE):
        raise ValueError(f"the cell {x},{y} is off the board")
    return x + SIDE * y


def _line(cell: int, dx: int, dy: int) -> tuple[int, ...]:
    x, y = cell_of(cell)
    found = []
    while 0 <= x + dx < SIDE and 0 <= y + dy < SIDE:
        x, y = x + dx, y + dy
        found.append(x + SIDE * y)
    return tuple(found)


STEPS = {1: (1, 0), -1: (-1, 0), SIDE: (0, 1), -SIDE: (0, -1)}
RAYS = {step: [_line(cell, *way) for cell in range(CELLS)] for step, way in STEPS.items()}
"""For each direction and cell, the cells that follow up to the edge."""

NEAR = [tuple(ray[cell][0] for ray in RAYS.values() if ray[cell]) for cell in range(CELLS)]
"""For each cell its neighbours along the rows and columns."""


def occupied(dominoids: Iterable[Dominoid], others: Iterable[int]) -> int:
    """The bit set of cells with an object: Dominoids, and pawns and coins."""
    found = 0
    for each in dominoids:
        found |= 1 << each[0] | 1 << each[1]
    for cell in others:
        found |= 1 << cell
    return found


@cache
def _slide(die: int, trail: int, lead: int, p: int, q: int) -> Slide:
    return Slide(die, Tile.of(p, q), (cell_of(trail), cell_of(lead)), (p, q))


@cache
def _rotate(die: int, pivot: int, lead: int, p: int, q: int) -> Rotate:
    return Rotate(die, Tile.of(p, q), (cell_of(pivot), cell_of(lead)), (p, q))


@cache
def _place(first: int, second: int, p: int, q: int) -> Place:
    return Place(Tile.of(p, q), (cell_of(first), cell_of(second)), (p, q))


@cache
def _turns(pivot: int, lead: int) -> tuple[tuple[int, int], ...]:
    """Where the leading end can turn to, and the bits that must be empty for it: target and corner between (4.5)."""
    step = lead - pivot
    found = []
    for side in (SIDE, -SIDE) if abs(step) == 1 else (1, -1):
        if RAYS[side][pivot]:
            target = pivot + side
            found.append((target, 1 << target | 1 << lead + side))
    return tuple(found)


def slide_length(lead: int, step: int, value: int, objects: int, whole: bool) -> int:
    """How far a Dominoid slides; 0 where it may not (4.4, D5).

    whole: the full distance must lie on the board even where something stops the Dominoid before.
    """
    ray = RAYS[step][lead]
    if whole and len(ray) < value:
        return 0
    for moved, cell in enumerate(ray[:value]):
        if objects >> cell & 1:
            return moved
    return value if len(ray) >= value else 0


def moves(dominoids: Iterable[Dominoid], objects: int, die: int, face: int, whole: bool) -> list[Slide | Rotate]:
    """Every slide and turn of a Dominoid whose leading end is smaller than the die's face (4.3)."""
    found: list[Slide | Rotate] = []
    for first, second, p, q in dominoids:
        for trail, lead, a, b in ((first, second, p, q), (second, first, q, p)):
            if b >= face:
                continue
            step = lead - trail
            length = slide_length(lead, step, b, objects, whole)
            if length:
                found.append(_slide(die, trail + length * step, lead + length * step, a, b))
            for target, needed in _turns(trail, lead):
                if not objects & needed:
                    found.append(_rotate(die, trail, target, a, b))
    return found


def children(parents: Iterable[Dominoid], pool: Iterable[Tile], objects: int, any_half: bool) -> Iterator[Place]:
    """Every way to lay a child beside a matching end of a parent, some perhaps twice (4.8.4; D8)."""
    tiles = tuple(pool)
    for parent in parents:
        for cell, number in ((parent.first, parent.p), (parent.second, parent.q)):
            for near in NEAR[cell]:
                if objects >> near & 1:
                    continue
                fitting = [tile for tile in tiles if number in tile]
                for far in NEAR[near] if fitting else ():
                    if objects >> far & 1:
                        continue
                    for tile in fitting:
                        other = tile[0] + tile[1] - number
                        yield _lay(near, far, number, other)
                        if any_half and other != number:
                            yield _lay(near, far, other, number)


def _lay(near: int, far: int, p: int, q: int) -> Place:
    return _place(near, far, p, q) if near < far else _place(far, near, q, p)


def strip(line: str, index: int) -> int:
    """The bits of a row or column of board tiles."""
    return _STRIPS[line, index]


def _bits(line: str, index: int) -> int:
    axis = 1 if line == "row" else 0
    return sum(1 << cell for cell in range(CELLS) if cell_of(cell)[axis] // 2 == index)


_STRIPS = {(line, index): _bits(line, index) for line in ("row", "column") for index in range(SIDE // 2)}


def shifted(cell: int, line: str, step: int) -> int:
    """Where a cell of the shifted strip goes: two squares on, round the edge."""
    x, y = cell_of(cell)
    if line == "row":
        return (x + 2 * step) % SIDE + SIDE * y
    return x + SIDE * ((y + 2 * step) % SIDE)


def straddles(dominoids: Iterable[Dominoid], line: str, index: int) -> bool:
    """Whether a Dominoid lies half in and half out of the strip (5.5)."""
    bits = strip(line, index)
    return any((bits >> each.first & 1) != (bits >> each.second & 1) for each in dominoids)


def torn(dominoids: Iterable[Dominoid], line: str, index: int, step: int) -> bool:
    """Whether a Dominoid of the strip lies across the seam of the board tile that goes round (D11)."""
    bits = strip(line, index)
    seam = (5, 6) if step > 0 else (1, 2)
    axis = 0 if line == "row" else 1
    return any(bits >> each.first & 1 and (cell_of(each.first)[axis], cell_of(each.second)[axis]) == seam for each in dominoids)
