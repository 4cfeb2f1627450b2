"""A seat's grid in Euronimoes: which cells each tile covers, by a lattice fitted to the tiles that are known to lie there.

People's grids drift, so a tile is placed by the lattice of all tiles and then shifted as its neighbours are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, log, pi, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.actions import Cell
from engine.euronimoes.layout import Layout, Placed, cells_of, code
from engine.pieces import Tile
from referee.geometry import ASKEW, similarity, turned
from referee.readers.follow import chance_of
from referee.setting import Point, Seat
from vision.degrees import HALF, LITTLE, PERHAPS, SOME
from vision.observation import SeenTile

Cells = tuple[Cell, Cell]
Array = NDArray[np.float64]

GAP = 1.035
"""From one cell to the next, in halves of a tile: people leave a little room between tiles."""

IN_LINE = LITTLE
"""How far tiles that are in line lie off their lattice, in cells, as a root mean square."""


class Found(NamedTuple):
    """A seen tile on two cells, left or lower first; swapped: its second half lies on the first cell. off: in cells."""

    tile: SeenTile
    cells: Cells
    swapped: bool
    off: float

    @property
    def askew(self) -> float:
        """Log-odds that it was laid anywhere between the cells rather than on them, by how far it is off: half a cell at most."""
        anywhere, in_line = 2.0, 2 / (sqrt(2 * pi) * IN_LINE)
        return log(anywhere / in_line) + (self.off / IN_LINE) ** 2 / 2


def visible(layout: Layout) -> list[Placed]:
    """The tiles of a grid on which no other lies."""
    return [placed for at, placed in enumerate(layout.placed) if all(layout.owners[code(cell)] == at for cell in placed.cells)]


@dataclass(frozen=True, eq=False)
class Lattice:
    """matrix: (2, 3) from cells (x to the right, y towards the seat) to the table. anchors, shifts: (n, 2) where known tiles
    were expected, on the table, and how far off they lie. unpushed: without a tile that was pushed out of line with the others.
    """

    matrix: Array
    anchors: Array
    shifts: Array
    unpushed: Lattice | None = None

    @property
    def pitch(self) -> float:
        """From one cell to the next."""
        return float(np.hypot(*self.matrix[:, 0]))

    def point(self, x: float, y: float) -> Point:
        """Where a cell's middle lies on the table; y upward, as the game counts."""
        at = self.matrix @ (x, -y, 1.0)
        return float(at[0]), float(at[1])

    def middles(self, cells: Array) -> Array:
        """(n, 2) where the middles of cells, (n, 2), lie, with the shift that tiles near there have."""
        points = (cells * (1, -1)) @ self.matrix[:, :2].T + self.matrix[:, 2]
        return points + self._shift(points)

    def cell(self, point: Point) -> tuple[float, float]:
        """The inverse."""
        at = np.asarray([point], np.float64)
        x, y = self._inverse @ ((at - self._shift(at))[0] - self.matrix[:, 2])
        return float(x), -float(y)

    def _shift(self, points: Array) -> Array:
        """(n, 2) by how much tiles near these points, (n, 2), lie off the lattice."""
        away = ((self.anchors[None] - points[:, None]) ** 2).sum(axis=2)
        near = np.exp(-away / (2 * (1.5 * self.pitch) ** 2)) + 1e-9
        shift: Array = (near / (near.sum(axis=1, keepdims=True) + SOME)) @ self.shifts
        return shift

    @cached_property
    def _inverse(self) -> Array:
        return np.asarray(np.linalg.inv(self.matrix[:, :2]), np.float64)


def upright(seat: Seat, pitch: float, origin: Point, turn: float) -> Array:
    """The lattice of a seat whose cell (0, 0) has its middle at `origin`, turned a little."""
    (rx, ry), (fx, fy) = seat.rightward, seat.forward
    c, s = cos(turn), sin(turn)
    rotation = np.array([[c, -s], [s, c]])
    basis = rotation @ np.array([[rx, -fx], [ry, -fy]]) * pitch
    return np.column_stack([basis, origin])


def first_lattice(seat: Seat, pitch: float, tile: SeenTile) -> Lattice:
    """The lattice that the first tile of a grid sets: its left or lower half lies on the cell (0, 0)."""
    turn = turned(seat.facing, tile.angle, pi / 2)
    (rx, ry), (fx, fy) = seat.rightward, seat.forward
    origin = min(tile.middles, key=lambda point: point[0] * (rx + fx) + point[1] * (ry + fy))
    return Lattice(upright(seat, GAP * pitch, origin, turn), np.zeros((0, 2)), np.zeros((0, 2)))


def places_beside(layout: Layout, lattice: Lattice) -> Array:
    """(n, 2, 2) the middles of both halves of all tiles that could be laid on the table beside those of a grid."""
    pairs = sorted(map(cells_of, layout.spots)) if layout.placed else []
    return lattice.middles(np.array(pairs, np.float64).reshape(-1, 2)).reshape(-1, 2, 2)


def fit(seat: Seat, pitch: float, layout: Layout, tiles: Sequence[SeenTile], before: Lattice | None) -> Lattice | None:
    """The lattice on which the known tiles lie best; None where none of them is seen."""
    known = visible(layout)
    if not known or not tiles:
        return before
    best = _grown([before.matrix] if before is not None else [], known, tiles)
    if best is None or len(best.anchors) < 2 * max(1, len(known) // 2):
        again = _grown(_starts(seat, pitch, known, tiles), known, tiles)
        if again is not None and (best is None or len(again.anchors) > len(best.anchors)):
            best = again
    return best or before


def _starts(seat: Seat, pitch: float, known: Sequence[Placed], tiles: Iterable[SeenTile]) -> list[Array]:
    """A lattice for every pair of a known tile and a seen one that may be it."""
    found = []
    for placed in known:
        (x, y), (x2, y2) = placed.cells
        wanted = seat.facing if x == x2 else seat.facing + pi / 2
        for tile in tiles:
            turn = turned(wanted, tile.angle, pi)
            if abs(turn) > pi / 4 or chance_of(tile, Tile.of(*placed.ends)) < PERHAPS:
                continue
            matrix = upright(seat, GAP * pitch, (0.0, 0.0), turn)
            middle = matrix @ ((x + x2) / 2, -(y + y2) / 2, 1.0)
            matrix[:, 2] = np.asarray(tile.center) - middle
            found.append(matrix)
    return found


def _grown(starts: Sequence[Array], known: Sequence[Placed], tiles: Sequence[SeenTile]) -> Lattice | None:
    """The start from which most known tiles are found, fitted to them."""
    centers = np.array([tile.center for tile in tiles])
    best, most = None, 0
    for start in starts:
        pairs = _pairs(start, known, tiles, centers)
        if len(pairs) > most:
            best, most = start, len(pairs)
        if most == len(known):
            break
    if best is None:
        return None
    lattice = None
    for _ in range(3):
        pairs = _pairs(best, known, tiles, centers)
        if not pairs:
            break
        cells = np.array([cell for placed, _ in pairs for cell in placed.cells], np.float64) * (1, -1)
        table = np.array([at for placed, tile in pairs for at in _ordered(best, placed.cells, tile)], np.float64)
        lattice = _laid_through(cells, table)
        best = lattice.matrix
    return replace(lattice, unpushed=_unpushed(cells, table)) if lattice else None


def _laid_through(cells: Array, table: Array) -> Lattice:
    """The lattice on which halves of tiles, (n, 2) cells, lie best where they do on the table."""
    matrix = similarity(cells, table)
    meant = cells @ matrix[:, :2].T + matrix[:, 2]
    return Lattice(matrix, meant, table - meant)


def _unpushed(cells: Array, table: Array) -> Lattice | None:
    """The lattice without a tile that lies askew to all others, which are in line: a single one turns that of three to eight."""
    found, least = None, IN_LINE
    of = np.arange(len(cells)) // 2
    for tile in range(len(cells) // 2 if 6 <= len(cells) <= 16 else 0):
        lattice = _laid_through(cells[of != tile], table[of != tile])
        off = np.linalg.norm(lattice.matrix @ np.append(cells[of == tile].mean(axis=0), 1) - table[of == tile].mean(axis=0))
        rest = float(np.sqrt((lattice.shifts**2).sum(axis=1).mean()))
        if off > ASKEW * lattice.pitch and rest < least * lattice.pitch:
            found, least = lattice, rest / lattice.pitch
    return found


def _pairs(matrix: Array, known: Sequence[Placed], tiles: Sequence[SeenTile], centers: Array) -> list[tuple[Placed, SeenTile]]:
    """Known tiles with the seen ones that lie where they should, each seen one once."""
    reach = HALF * float(np.hypot(*matrix[:, 0]))
    cells = np.array([placed.cells for placed in known], np.float64) * (1, -1)
    where = cells.mean(axis=1) @ matrix[:, :2].T + matrix[:, 2]
    ways = (cells[:, 1] - cells[:, 0]) @ matrix[:, :2].T
    away = np.linalg.norm(centers[None] - where[:, None], axis=2)
    nearest = np.argsort(away, axis=1)[:, :3]
    pairs, taken = [], set()
    for at, (placed, angle) in enumerate(zip(known, np.arctan2(ways[:, 1], ways[:, 0]).tolist(), strict=True)):
        for index in nearest[at].tolist():
            tile = tiles[index]
            if tile.track not in taken and away[at, index] <= reach and abs(turned(angle, tile.angle, pi)) < pi / 4:
                pairs.append((placed, tile))
                taken.add(tile.track)
                break
    return pairs


def _ordered(matrix: Array, cells: Cells, tile: SeenTile) -> tuple[Point, Point]:
    """The middles of the cells on which a tile's halves lie, in the order of the cells: they are a little further apart."""
    (x, y), ends = tile.center, tile.middles
    one, other = ((x + GAP * (at[0] - x), y + GAP * (at[1] - y)) for at in ends)
    way = matrix[:, :2] @ (cells[1][0] - cells[0][0], cells[0][1] - cells[1][1])
    ahead = (other[0] - one[0]) * way[0] + (other[1] - one[1]) * way[1]
    return (one, other) if ahead >= 0 else (other, one)


def placed_at(lattice: Lattice, tile: SeenTile) -> Found:
    """The two cells that a tile covers, and how far it is off them; whoever lays it need not mind one that was pushed."""
    found = _placed_on(lattice, tile)
    if found.off > ASKEW and lattice.unpushed is not None:
        return min(found, _placed_on(lattice.unpushed, tile), key=lambda each: each.off)
    return found


def _placed_on(lattice: Lattice, tile: SeenTile) -> Found:
    one, other = (lattice.cell(point) for point in tile.middles)
    x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    along = int(abs(other[0] - one[0]) < abs(other[1] - one[1]))  # the axis: 0 of a row, 1 of a column
    left, low = (round(x), round(y - 0.5)) if along else (round(x - 0.5), round(y))
    cells = (left, low), (left + 1 - along, low + along)
    tilt = abs(other[1 - along] - one[1 - along])
    off = max(abs(x - (left + (1 - along) / 2)), abs(y - (low + along / 2)), tilt / 2)
    return Found(tile, cells, one[along] > other[along], off)
