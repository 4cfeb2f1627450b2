"""A player's grid: what lies where, on which level, where a tile can go next, and what the columns score.

A layout never changes; `after` makes the next one and touches only what the new tile changes, so that a play costs the
same late in the game as early. Inside, a cell is one number (`code`), so that its neighbours are sums: up and down are
1 away, right and left ACROSS away. A spot is a cell and the cell right of it (even) or above it (odd).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from engine.actions import Cell
from engine.euronimoes.actions import Play
from engine.pieces import Tile

ACROSS = 512
REACH = 200  # cells further from the first tile than this cannot be reached
ANY = 127  # every number 0 to 6
ENDS = 7


class Placed(NamedTuple):
    """A tile in the grid: its two cells (left or lower first), the number on each, and its level (1 is the table)."""

    cells: tuple[Cell, Cell]
    ends: tuple[int, int]
    level: int


def code(cell: Cell) -> int:
    """A cell as one number."""
    return (cell[0] + REACH + 2) * ACROSS + cell[1] + REACH + 2


def uncode(number: int) -> Cell:
    """The cell of `code`."""
    return number // ACROSS - REACH - 2, number % ACROSS - REACH - 2


def spot_of(cells: tuple[Cell, Cell]) -> int | None:
    """The spot of two cells, None where the second is not right of or above the first, or far out of reach."""
    (x, y), (x2, y2) = cells
    if max(abs(x), abs(y)) > REACH or (x2 - x, y2 - y) not in ((1, 0), (0, 1)):
        return None
    return code(cells[0]) * 2 + (x2 == x)


def cells_of(spot: int) -> tuple[Cell, Cell]:
    """The two cells of a spot."""
    x, y = uncode(spot // 2)
    return (x, y), ((x, y + 1) if spot % 2 else (x + 1, y))


def second(spot: int) -> int:
    """The code of a spot's second cell."""
    return spot // 2 + (1 if spot % 2 else ACROSS)


@cache
def play(spot: int, pair: int, level: int) -> Play:
    """The play of a pair of numbers (first * 7 + second) on a spot."""
    ends = divmod(pair, ENDS)
    return Play(Tile.of(*ends), cells_of(spot), ends, level)


class _Rows(dict[int, list[Play]]):
    """For each spot its 49 plays on the table, by pair of numbers."""

    def __missing__(self, spot: int) -> list[Play]:
        cells = cells_of(spot)
        row = [Play(_TILES[pair], cells, _ENDS[pair], 1) for pair in range(ENDS * ENDS)]
        self[spot] = row
        return row


_ENDS = [divmod(pair, ENDS) for pair in range(ENDS * ENDS)]
_TILES = [Tile.of(*ends) for ends in _ENDS]
ROWS = _Rows()


@cache
def pairs_of(bits: int) -> tuple[int, ...]:
    """The pairs of numbers of a bit set."""
    return tuple(pair for pair in range(ENDS * ENDS) if bits >> pair & 1)


@cache
def beside(first: int, second: int) -> int:
    """The pairs (a bit set) that a lying spot takes whose cells take these numbers (bit sets)."""
    return sum(1 << p * ENDS + q for p in range(ENDS) for q in range(ENDS) if first >> p & 1 and second >> q & 1)


@cache
def upright(below: int | None, rising_below: int, above: int | None, rising_above: int) -> int:
    """The pairs of a standing spot: the numbers next to it below and above, and how those runs rise upward (0: single)."""
    pairs = 0
    for rise in (1, -1):
        for p in range(ENDS):
            q = p + rise
            if not 0 <= q < ENDS:
                continue
            if below is not None and (p - below != rise or rising_below not in (0, rise)):
                continue
            if above is not None and (above - q != rise or rising_above not in (0, rise)):
                continue
            pairs |= 1 << p * ENDS + q
    return pairs


@cache
def between(below: int | None, rising_below: int, above: int | None, rising_above: int) -> int:
    """The numbers (bit set) that a single empty cell takes between these (Playing a Domino, 3 and 4)."""
    allowed = 0
    for p in range(ENDS):
        rises = {1, -1}
        if below is not None:
            rises &= {p - below} if rising_below in (0, p - below) else set()
        if above is not None:
            rises &= {above - p} if rising_above in (0, above - p) else set()
        if rises:
            allowed |= 1 << p
    return allowed


class Layout:
    """One player's tiles in the order played, with everything derived from them."""

    __slots__ = ("border", "heights", "numbers", "owners", "placed", "points", "spots", "stacks")

    placed: tuple[Placed, ...]
    points: int  # what the columns and the levels count together
    numbers: dict[int, int]  # top number of each covered cell
    heights: dict[int, int]  # level of its top tile
    owners: dict[int, int]  # which tile is on top
    border: dict[int, int]  # empty cells that touch a tile: the numbers they take, a bit set
    spots: dict[int, int]  # where a tile can lie on the table: the pairs of numbers it may show there, a bit set
    stacks: dict[int, tuple[int, int]]  # where one can lie on two others: pair of numbers, level

    def __init__(self) -> None:
        origin = code((0, 0)) * 2
        self.placed, self.points = (), 0
        self.numbers, self.heights, self.owners, self.border, self.stacks = {}, {}, {}, {}, {}
        self.spots = {origin: beside(ANY, ANY), origin + 1: upright(None, 0, None, 0)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.placed == other.placed

    def __hash__(self) -> int:
        return hash(self.placed)

    def after(self, action: Play) -> Layout:
        """The layout with this tile on it."""
        new = object.__new__(Layout)
        new.placed = (*self.placed, Placed(action.cells, action.ends, action.level))
        new.heights, new.owners, new.stacks = self.heights.copy(), self.owners.copy(), self.stacks.copy()
        new.points = self.points + self.change(action)
        first = code(action.cells[0])
        other = code(action.cells[1])
        for cell in (first, other):
            new.heights[cell] = action.level
            new.owners[cell] = len(self.placed)
        if action.level > 1:
            new.numbers, new.border, new.spots = self.numbers, self.border, self.spots
        else:
            new.numbers = self.numbers.copy()
            new.numbers[first], new.numbers[other] = action.ends
            if self.placed:
                new.border, new.spots = self.border.copy(), self.spots.copy()
            else:
                new.border, new.spots = {}, {}
            new._close(first, other)
            new._open(first, other)
        new._stack(first)
        new._stack(other)
        return new

    def change(self, action: Play) -> int:
        """How many points more the grid counts with this tile: its level, or what the runs that it joins become."""
        if action.level > 1:
            return -action.level
        first, other = map(code, action.cells)
        if first + 1 == other:
            return self._joined(first, action.ends, other)
        return self._joined(first, action.ends[:1], first) + self._joined(other, action.ends[1:], other)

    def _joined(self, low: int, numbers: tuple[int, ...], high: int) -> int:
        """The same for numbers on the cells from low up to high of one column."""
        below, above = self._way(low, -1), self._way(high, 1)
        whole = run_score([*reversed(below), *numbers, *above])
        return whole - (run_score(below) if below else 0) - (run_score(above) if above else 0)

    def _way(self, cell: int, step: int) -> list[int]:
        """The numbers of the run next to a cell, upward or downward."""
        found = []
        while (number := self.numbers.get(cell + step)) is not None:
            found.append(number)
            cell += step
        return found

    def _close(self, *cells: int) -> None:
        """No tile can lie any more on cells just covered."""
        for cell in cells:
            self.border.pop(cell, None)
            for spot in (cell * 2, (cell - ACROSS) * 2, cell * 2 + 1, cell * 2 - 1):
                self.spots.pop(spot, None)

    def _open(self, *cells: int) -> None:
        """The empty cells around, and those at the ends of the columns that have grown, take tiles by new conditions."""
        numbers = self.numbers
        touched = set()
        for cell in cells:
            for near in (cell - ACROSS, cell + ACROSS):
                if near not in numbers:
                    touched.add(near)
            end = cell + 1
            while end in numbers:
                end += 1
            touched.add(end)
            end = cell - 1
            while end in numbers:
                end -= 1
            touched.add(end)
        border, spots = self.border, self.spots
        runs = {cell: (*self._run(cell, -1), *self._run(cell, 1)) for cell in touched}
        for cell in touched:
            border[cell] = between(*runs[cell])
        for cell in touched:
            left, right = cell - ACROSS, cell + ACROSS
            if right not in numbers:
                spots[cell * 2] = beside(border[cell], border.get(right, ANY))
            if left not in numbers:
                spots[left * 2] = beside(border.get(left, ANY), border[cell])
            below, rising_below, above, rising_above = runs[cell]
            if above is None:
                spots[cell * 2 + 1] = upright(below, rising_below, *self._run(cell + 1, 1))
            if below is None:
                spots[cell * 2 - 1] = upright(*self._run(cell - 1, -1), above, rising_above)

    def _run(self, cell: int, step: int) -> tuple[int | None, int]:
        """The number next to a cell, upward or downward, and how its run rises upward (0 where it is single)."""
        near = self.numbers.get(cell + step)
        if near is None:
            return None, 0
        far = self.numbers.get(cell + 2 * step)
        return near, 0 if far is None else (far - near) * step

    def _stack(self, cell: int) -> None:
        """Where a tile can rest on this cell and a neighbour: same height, two different tiles (Levels, 2)."""
        numbers, heights, owners = self.numbers, self.heights, self.owners
        for spot in (cell * 2, (cell - ACROSS) * 2, cell * 2 + 1, cell * 2 - 1):
            first, other = spot // 2, second(spot)
            height = heights.get(first)
            if height is not None and height == heights.get(other) and owners[first] != owners[other]:
                self.stacks[spot] = numbers[first] * ENDS + numbers[other], height + 1
            else:
                self.stacks.pop(spot, None)

    def plays(self, pairs: set[int], direct_only: bool, extent: int | None) -> list[Any]:
        """Every play of tiles with these pairs of numbers (each way round)."""
        moves: list[Any] = []
        held = 0
        for pair in pairs:
            held |= 1 << pair
        for spot, allowed in self.spots.items():
            if fitting := allowed & held:
                row = ROWS[spot]
                for pair in pairs_of(fitting):
                    moves.append(row[pair])
        for spot, (pair, level) in self.stacks.items():
            if pair in pairs and (direct_only or not self.is_twin(spot)):
                moves.append(play(spot, pair, level))
        if extent is not None:
            moves = [move for move in moves if self.extent_with(move.cells) <= extent]
        return moves

    def is_twin(self, spot: int) -> bool:
        """Whether a tile already lies on exactly these two cells, on any level."""
        cells = cells_of(spot)
        return any(tile.cells == cells for tile in self.placed)

    def extent_with(self, cells: tuple[Cell, Cell]) -> int:
        """The width or height of the layout, whichever is larger, with a tile on these cells."""
        covered = [*map(uncode, self.numbers), *cells]
        return 1 + max(max(cell[axis] for cell in covered) - min(cell[axis] for cell in covered) for axis in (0, 1))

    def columns(self) -> Iterator[tuple[int, list[list[int]]]]:
        """Each column from the left: its x and its runs, numbers upward."""
        runs: dict[int, list[list[int]]] = {}
        last = -1
        for cell in sorted(self.numbers):
            column = runs.setdefault(uncode(cell)[0], [])
            if cell != last + 1 or not column:
                column.append([])
            column[-1].append(self.numbers[cell])
            last = cell
        yield from runs.items()

    def column_scores(self) -> list[tuple[int, int]]:
        """Each column's x and its score: the sum over its runs (Final Scoring, 1)."""
        return [(x, sum(map(run_score, runs))) for x, runs in self.columns()]

    def level_score(self) -> int:
        """What the tiles on the second and higher levels count (Final Scoring, 2)."""
        return -sum(tile.level for tile in self.placed if tile.level > 1)


def run_score(run: list[int]) -> int:
    """A run counts its smallest number; the whole way from 6 to 0 is a bomb and counts -3.

    >>> run_score([5, 4, 3, 2, 1]), run_score([0, 1, 2, 3, 4, 5, 6])
    (1, -3)
    """
    return -3 if len(run) == ENDS else min(run)


EMPTY = Layout()
