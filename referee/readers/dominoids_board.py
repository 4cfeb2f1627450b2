"""Where the board of Dominoids lies on the table: its cells are found by the pawns of the figure, then by all that lies on it.

The board itself is not looked for: it is sixteen plain backs. A cell is (x, y) from the left bottom corner as the first seat
sees it, as in the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import atan2, cos, dist, hypot, pi, sin

import numpy as np

from engine.actions import Cell
from engine.dominoids.actions import FIGURE_PAWNS
from engine.dominoids.board import SIDE
from referee.geometry import similarity, turned
from referee.setting import Point
from vision.degrees import HALF
from vision.observation import Array, SeenTile

MIDDLE = (SIDE - 1) / 2

CELL_MM = (20.0, 36.0)
"""The sides of cells there are: half a piecepack tile, of 50.8 mm by the reference and 60 mm in printed sets (PIECEPACK)."""

@dataclass(frozen=True)
class Board:
    """The middle of the board, mm; the direction of its rows to the right, radians; the side of a cell, mm."""

    middle: Point
    angle: float
    cell_mm: float

    @cached_property
    def pairs(self) -> Array:
        """(n, 2, 2) mm, the middles of all two cells side by side, on which a tile may lie."""
        steps = [((x, y), (x + right, y + 1 - right)) for x, y, right in product(range(SIDE), range(SIDE), (0, 1))]
        return np.array([[self.point(*one), self.point(*other)] for one, other in steps if on_board(other)], np.float32)

    def point(self, x: float, y: float) -> Point:
        """The middle of a cell on the table."""
        right, up = (x - MIDDLE) * self.cell_mm, (y - MIDDLE) * self.cell_mm
        c, s = cos(self.angle), sin(self.angle)
        return self.middle[0] + right * c + up * s, self.middle[1] + right * s - up * c

    def at(self, point: Point) -> Point:
        """A point of the table in cells."""
        dx, dy = point[0] - self.middle[0], point[1] - self.middle[1]
        c, s = cos(self.angle), sin(self.angle)
        return MIDDLE + (dx * c + dy * s) / self.cell_mm, MIDDLE + (dx * s - dy * c) / self.cell_mm

    def cell(self, point: Point, reach: float = HALF) -> Cell | None:
        """The cell on which something lies whose middle is there, no farther than `reach` cells from its own; None between the
        cells, and off the board."""
        x, y = self.at(point)
        cell = round(x), round(y)
        return cell if on_board(cell) and hypot(x - cell[0], y - cell[1]) < reach else None

    def cells(self, tile: SeenTile, reach: float = HALF) -> tuple[Cell, Cell] | None:
        """The cells on which the halves of a tile lie, the first half's first; None where it lies on no two side by side."""
        first, second = (self.cell(middle, reach) for middle in tile.middles)
        if first is None or second is None:
            return None
        return (first, second) if abs(first[0] - second[0]) + abs(first[1] - second[1]) == 1 else None

    def along(self, start: Point, end: Point, reach: float) -> list[Cell]:
        """The cells whose middles lie no farther than this, mm, from the line between two points of the table."""
        cells = list(product(range(SIDE), range(SIDE)))
        way, off = np.subtract(end, start), np.array([self.point(*cell) for cell in cells]) - start
        share = np.clip(off @ way / max(way @ way, 1.0), 0, 1)
        near = np.linalg.norm(off - share[:, None] * way, axis=1) <= reach
        return [cell for cell, is_near in zip(cells, near.tolist(), strict=True) if is_near]

    def beside(self, point: Point) -> bool:
        """Whether something lies on the board at all, or half on it."""
        x, y = self.at(point)
        return -1 < x < SIDE and -1 < y < SIDE


def on_board(cell: Cell) -> bool:
    """Whether there is such a cell."""
    return 0 <= cell[0] < SIDE and 0 <= cell[1] < SIDE


def fitted(lying: Sequence[tuple[Cell | Point, Point]]) -> Board | None:
    """The board on which all these lie best, each by its cell and by mm; None where cells would have no size that there is."""
    cells = np.array([(x - MIDDLE, MIDDLE - y) for (x, y), _ in lying])  # y down, as on the table
    points = np.array([point for _, point in lying])
    if np.ptp(cells, axis=0).max() == 0:
        return None
    found = similarity(cells, points)
    cell_mm = hypot(found[0, 0], found[1, 0])
    if not CELL_MM[0] <= cell_mm <= CELL_MM[1]:
        return None
    return Board((float(found[0, 2]), float(found[1, 2])), atan2(found[1, 0], found[0, 0]), cell_mm)


def by_figure(pawns: Sequence[Point], right: Point) -> Board | None:
    """The board by its four pawns where they stand as in the figure, whatever their suits; None where they do not.

    right: the way to the first seat's right. The figure is the same from all four sides; the first seat's counts.
    """
    if len(pawns) != len(FIGURE_PAWNS):
        return None
    middle = float(np.mean([x for x, _ in pawns])), float(np.mean([y for _, y in pawns]))
    round_it = sorted(pawns, key=lambda point: atan2(point[1] - middle[1], point[0] - middle[0]))
    figure = sorted(FIGURE_PAWNS, key=lambda cell: atan2(MIDDLE - cell[1], cell[0] - MIDDLE))
    boards = [fitted(list(zip((*figure[at:], *figure[:at]), round_it, strict=True))) for at in range(len(figure))]
    way = atan2(right[1], right[0])
    board = next((board for board in boards if board is not None and abs(turned(board.angle, way, 2 * pi)) <= pi / 4), None)
    if board is None or any(min(dist(board.point(*cell), point) for point in pawns) > HALF * board.cell_mm
                            for cell in FIGURE_PAWNS):
        return None
    return board


def by_pawns(pawns: Mapping[int, Cell], seen: Mapping[int, Point]) -> Board | None:
    """The board by pawns whose cells are known, and where they are seen, both by suit."""
    both = [(pawns[suit], seen[suit]) for suit in pawns if suit in seen]
    for count in range(len(both), 2, -1):
        for few in combinations(both, count):
            board = fitted(few)
            if board is not None and all(dist(board.point(*cell), point) < HALF * board.cell_mm for cell, point in few):
                return board
    return None


def followed(board: Board, points: Iterable[Point]) -> Board:
    """The board after a look at what lies on it: it may have been pushed a little."""
    lying = [(cell, point) for point in points if (cell := board.cell(point)) is not None]
    found = fitted(lying) if len(lying) >= 4 else None
    return board if found is None or dist(found.middle, board.middle) > HALF * board.cell_mm else found
