"""The grid of a photographed layout: which cell each tile and each half of a tile covers, and what it shows.

Nothing is known but the picture. The tiles that the reader finds say where the cells are; then every pair of neighbouring
cells is read as if a tile lay there, and the tiles are those that explain the cells best together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.actions import Cell
from vision.reader import Reader, log_odds
from vision.reading import ReadTile
from vision.straighten import Album

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

OFF_GRID = 0.3
"""How far, in cells, the corners of a tile of the grid may lie from those of its cells."""

WIDEST = 24
"""The most cells that a grid may be wide or high."""

HIGHEST = 6
"""The most pips on a half."""

KEPT = 32
"""So many ways to explain the cells are followed."""

TWICE = 4.0
"""Nats against each tile that is seen twice: most grids are laid from one set."""

ALONE = 2.0
"""Nats against a half that looks out from under another tile."""

ASIDE = tuple(np.array([dx, dy]) for dx, dy in ((0, 0), (0.1, 0), (-0.1, 0), (0, 0.1), (0, -0.1)))
"""Where tiles are looked for beside their cells, in cells."""

FOUND = 6.0
"""Nats for a tile that the reader has found by itself: it knows the outlines better than the cells do."""

LOOKS = 4.0
"""Nats that the colour of a cell says at most."""

FINE = 40
"""Side of a cell where its colours are compared, pixels."""

JOG, JOGS = (0.04, 0.06), 8.0
"""From where to where, in cells, two halves out of line come to be of two tiles, since one is rigid; nats against being one."""

BEYOND, WITHIN = 0.2, 0.16
"""So far out of a cell's edge, and into the cell, its side is looked for."""


Pair = tuple[Cell, Cell]
Way = tuple[float, tuple[Pair | Cell, ...]]
"""How much speaks for it, in nats, and what lies there."""


class NoGrid(ValueError):
    """The picture shows no grid of dominoes; the text says why."""


class Top(NamedTuple):
    """A tile that is seen whole, on two cells, left or lower first; ends in their order."""

    cells: tuple[Cell, Cell]
    ends: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SeenGrid:
    """tops: tiles seen whole. peeping: cells where half a tile looks out from under another, with its number."""

    tops: tuple[Top, ...]
    peeping: dict[Cell, int]

    @property
    def twice(self) -> int:
        """How many tiles are there more than once."""
        return len(self.tops) - len({tuple(sorted(top.ends)) for top in self.tops})

    @property
    def numbers(self) -> dict[Cell, int]:
        """What each covered cell shows."""
        return dict(self.peeping) | {cell: end for top in self.tops for cell, end in zip(top.cells, top.ends, strict=True)}


def seen_grids(image: Image, tiles: Sequence[ReadTile], reader: Reader) -> list[tuple[float, SeenGrid]]:
    """What the grid may be that most of these tiles lie in, each with the nats against it, likeliest first.

    image: (H, W, 3) BGR; raises NoGrid.
    """
    matrix, covered = _lattice([np.asarray(tile.corners, np.float64) for tile in tiles])
    columns, rows = ([cell[axis] for cell in covered] for axis in (0, 1))
    x0, y0, x1, y1 = min(columns) - 1, min(rows) - 1, max(columns) + 1, max(rows) + 1
    if max(x1 - x0, y1 - y0) > WIDEST:
        raise NoGrid("The tiles lie too far apart to be one grid.")
    flat = _flat(image, matrix, covered, (x0, y0, x1, y1))
    lies = flat.lying()
    pairs = [pair for pair in _pairs(x0, y0, x1, y1) if min(lies[cell] for cell in pair) > 0]
    found = {_cells_of(matrix, np.asarray(tile.corners, np.float64)) for tile in tiles}
    read = _read_all(reader, Album(image), matrix, pairs, found)
    read = {pair: each._replace(tile=each.tile - JOGS * float(np.interp(flat.jog(pair, lies), JOG, (0, 1))))
            for pair, each in read.items()}
    grids = [(worth, _told(read, laid)) for worth, laid in _best(read, lies, (x0, y0, x1, y1))]
    return sorted(((TWICE * grid.twice - worth, grid) for worth, grid in grids), key=lambda each: each[0])


def _read_all(reader: Reader, album: Album, matrix: Array, pairs: Sequence[Pair], found: set[Pair | None]) -> dict[Pair, _Read]:
    """All pairs of cells read as tiles; what lies higher lies a little aside in the picture, so each is tried there, too."""
    every = [np.stack([_to_picture(matrix, np.asarray(_outline(pair) + aside, np.float64)) for pair in pairs]) for aside in ASIDE]
    kinds, counts = reader.judge(album.straight(np.concatenate(every).astype(np.float32)))
    odds = np.array([log_odds(float(face)) for face in kinds[:, 0]]).reshape(len(ASIDE), -1)
    chances = (counts[..., : HIGHEST + 1] + np.float32(1e-6)).reshape(len(ASIDE), len(pairs), 2, -1)
    best = odds.argmax(axis=0)
    return {pair: _Read(float(odds[at, k]) + FOUND * (pair in found), chances[at, k] / chances[at, k].sum(axis=-1, keepdims=True))
            for k, (pair, at) in enumerate(zip(pairs, best, strict=True))}


class _Read(NamedTuple):
    """Two cells read as one tile: log-odds that they are one, and (2, 7) the chance of each number of pips."""

    tile: float
    counts: NDArray[np.float32]


def _pairs(x0: int, y0: int, x1: int, y1: int) -> Iterator[Pair]:
    """All pairs of neighbouring cells, corners of the grid included."""
    for y in range(y0, y1 + 1):
        for x in range(x0, x1 + 1):
            if x < x1:
                yield (x, y), (x + 1, y)
            if y < y1:
                yield (x, y), (x, y + 1)


def _outline(pair: Pair) -> Array:
    """(4, 2) the corners of two cells, 0 and 1 at the first, clockwise where y runs down; whole numbers are middles."""
    (x, y), (x2, _) = pair
    if x2 > x:
        return np.array([(x - 0.5, y + 0.5), (x - 0.5, y - 0.5), (x + 1.5, y - 0.5), (x + 1.5, y + 0.5)])
    return np.array([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 1.5), (x - 0.5, y + 1.5)])


def _to_picture(matrix: Array, points: Array) -> Array:
    return np.asarray(cv2.perspectiveTransform(points[None], matrix)[0], np.float64)


# Where the cells are.


def _lattice(quads: Sequence[Array]) -> tuple[Array, set[Cell]]:
    """(3, 3) from cells to the picture, and the cells covered: of the start from which most tiles come to lie on cells."""
    best: tuple[Array, set[Cell]] | None = None
    for start in quads:
        matrix = cv2.getPerspectiveTransform(_outline(((0, 0), (1, 0))).astype(np.float32), start.astype(np.float32))
        found = _grown(np.asarray(matrix, np.float64), quads)
        if best is None or len(found[1]) > len(best[1]):
            best = found
    if best is None or len(best[1]) < 4:
        raise NoGrid("No two tiles of a grid can be seen.")
    return best


def _grown(matrix: Array, quads: Sequence[Array]) -> tuple[Array, set[Cell]]:
    """The lattice fitted to all tiles that line up with it, nearest first."""
    placed: dict[int, Pair] = {}
    while True:
        fresh = {}
        for at, quad in enumerate(quads):
            pair = _cells_of(matrix, quad)
            if pair is not None and _near(pair, placed):
                fresh[at] = pair
        if fresh == placed or not fresh:
            return matrix, {cell for pair in placed.values() for cell in pair}
        if len(fresh) < len(placed):
            return matrix, {cell for pair in placed.values() for cell in pair}
        placed = fresh
        points = np.concatenate([_ordered(matrix, placed[at], quads[at]) for at in placed])
        cells = np.concatenate([_outline(pair) for pair in placed.values()])
        fitted, _ = cv2.findHomography(cells, points, 0)
        if fitted is None:
            return matrix, {cell for pair in placed.values() for cell in pair}
        matrix = np.asarray(fitted, np.float64)


def _near(pair: Pair, placed: Mapping[int, Pair]) -> bool:
    """Whether a tile lies by those that are placed: only near them is a lattice known well."""
    known = [cell for other in placed.values() for cell in other] or [(0, 0)]
    return any(abs(x - kx) + abs(y - ky) <= 3 for x, y in pair for kx, ky in known)


def _cells_of(matrix: Array, quad: Array) -> Pair | None:
    """The cells on which a tile lies, None where it does not line up."""
    with np.errstate(all="ignore"):
        corners = _to_picture(np.asarray(np.linalg.inv(matrix), np.float64), quad)
    if not np.isfinite(corners).all() or np.abs(corners).max() > 2 * WIDEST:
        return None
    middle, along = corners.mean(axis=0), corners[2:].mean(axis=0) - corners[:2].mean(axis=0)
    across = abs(along[0]) > abs(along[1])
    x, y = (round(middle[0] - 0.5), round(middle[1])) if across else (round(middle[0]), round(middle[1] - 0.5))
    pair: Pair = ((x, y), (x + 1, y)) if across else ((x, y), (x, y + 1))
    meant = _outline(pair)
    off = min(float(np.abs(corners - np.roll(meant, turn, axis=0)).max()) for turn in (0, 2))
    return pair if off < OFF_GRID else None


def _ordered(matrix: Array, pair: Pair, quad: Array) -> Array:
    """A tile's corners in the order of `_outline`."""
    meant = _to_picture(matrix, _outline(pair))
    return min((quad, np.asarray(np.roll(quad, 2, axis=0), np.float64)), key=lambda turned: float(np.abs(turned - meant).sum()))


# What explains them.


class _Flat(NamedTuple):
    """The cells of a box, x0, y0, x1, y1, as seen from above, (h, w, 3) LAB, and the usual colours of tiles and of the table."""

    colours: NDArray[np.float32]
    box: tuple[int, int, int, int]
    face: NDArray[np.float32]
    table: NDArray[np.float32]

    def cell(self, cell: Cell) -> NDArray[np.float32]:
        """(n, 3) the colours of a cell, without its rim."""
        return _inner(self.colours, self.box, cell)

    def lying(self) -> dict[Cell, float]:
        """Log-odds that half a tile lies on each cell: whether it looks like tiles that are known, or like the rim's cells."""
        lies = {}
        for cell in _cells(self.box):
            part = self.cell(cell)
            share = float((np.linalg.norm(part - self.face, axis=1) < np.linalg.norm(part - self.table, axis=1)).mean())
            lies[cell] = LOOKS * float(np.clip(2 * (share - 0.4) / 0.4, -1, 1))
        return lies

    def jog(self, pair: Pair, lies: Mapping[Cell, float]) -> float:
        """How far the sides of a pair's halves are out of line, in cells, where nothing lies beside them; 0 where something does.

        What lies higher is seen a little aside, and no two tiles are laid quite in line.
        """
        (x, y), (x2, y2) = pair
        if min(lies[x, y], lies[x2, y2]) < 0:
            return 0.0
        free = [(nx, ny) for nx, ny in ((y - y2, x2 - x), (y2 - y, x - x2))
                if max(lies.get((x + nx, y + ny), 0.0), lies.get((x2 + nx, y2 + ny), 0.0)) < 0]
        return max((abs(self._side((x, y), normal, pair) - self._side((x2, y2), normal, pair)) for normal in free), default=0.0)

    def _side(self, cell: Cell, normal: tuple[int, int], pair: Pair) -> float:
        """How far out a half's side is seen on this side of it, in cells: the median along it near the joint, off the corners."""
        along = np.linspace(0.15, 0.42, 12) * (1 if cell == pair[0] else -1)  # towards the other half
        out = np.linspace(-WITHIN, BEYOND, 19)
        way = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1])
        x, y = ((FINE * (cell[axis] - self.box[axis] + 0.5 + normal[axis] * (0.5 + out)[None] + way[axis] * along[:, None]) - 0.5)
                .astype(np.float32) for axis in (0, 1))
        seen = cv2.remap(self.colours, x, y, cv2.INTER_LINEAR)
        face, table = (np.linalg.norm(seen - colour, axis=2) for colour in (self.face, self.table))
        of_tile = np.clip((table / (table + face + 1e-3) - 0.3) / 0.4, 0, 1)
        return float(np.median(of_tile.mean(axis=1))) * (WITHIN + BEYOND)


def _flat(image: Image, matrix: Array, covered: set[Cell], box: tuple[int, int, int, int]) -> _Flat:
    """The box's cells from above. covered: cells on which tiles are known to lie."""
    x0, y0, x1, y1 = box
    scale = np.array([[1 / FINE, 0, x0 - 0.5 + 0.5 / FINE], [0, 1 / FINE, y0 - 0.5 + 0.5 / FINE], [0, 0, 1]])
    size = ((x1 - x0 + 1) * FINE, (y1 - y0 + 1) * FINE)
    flat = cv2.warpPerspective(image, matrix @ scale, size, flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP)
    colours = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB), np.float32)
    outside = [cell for cell in _cells(box) if cell[0] in (x0, x1) or cell[1] in (y0, y1)]
    face, table = (np.median(np.concatenate([_inner(colours, box, cell) for cell in cells]), axis=0)
                   for cells in (covered, outside))
    return _Flat(colours, box, face, table)


def _cells(box: tuple[int, int, int, int]) -> Iterator[Cell]:
    x0, y0, x1, y1 = box
    return ((x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1))


def _inner(colours: NDArray[np.float32], box: tuple[int, int, int, int], cell: Cell) -> NDArray[np.float32]:
    rim, x, y = FINE // 5, (cell[0] - box[0]) * FINE, (cell[1] - box[1]) * FINE
    return colours[y + rim : y + FINE - rim, x + rim : x + FINE - rim].reshape(-1, 3)


def _best(read: Mapping[Pair, _Read], lies: Mapping[Cell, float], box: tuple[int, int, int, int]) -> list[Way]:
    """The likeliest ways in which tiles and single halves explain all cells, best first: found cell by cell, row by row.

    What matters of the cells before is only which of the next cells are covered already: of all ways to the same one the
    best few are kept.
    """
    x0, y0, x1, y1 = box
    ways: dict[frozenset[Cell], list[Way]] = {frozenset(): [(0.0, ())]}
    for cell in ((x, y) for y in range(y0, y1 + 1) for x in range(x0, x1 + 1)):
        after: dict[frozenset[Cell], list[Way]] = {}
        alike = min(0.0, max((read[pair].tile for pair in _around(cell) if pair in read), default=-LOOKS))
        lying = [pair for pair in _around(cell)[:2] if pair in read and read[pair].tile > 0]
        for taken, before in ways.items():
            after.setdefault(taken - {cell}, []).extend(before)
            if cell in taken or lies[cell] < 0:
                continue
            alone = lies[cell] + alike - ALONE
            after.setdefault(taken, []).extend((worth + alone, (*laid, cell)) for worth, laid in before)
            for pair in lying:
                if pair[1] not in taken:
                    more = lies[cell] + lies[pair[1]] + read[pair].tile
                    after.setdefault(taken | {pair[1]}, []).extend((worth + more, (*laid, pair)) for worth, laid in before)
        ways = {taken: sorted(few, key=lambda way: -way[0])[:KEPT] for taken, few in after.items()}
    return sorted((way for few in ways.values() for way in few), key=lambda way: -way[0])[:KEPT]


def _around(cell: Cell) -> tuple[Pair, ...]:
    """The pairs of a cell with those right of it, below, left and above."""
    x, y = cell
    return (cell, (x + 1, y)), (cell, (x, y + 1)), ((x - 1, y), cell), ((x, y - 1), cell)


def _told(read: Mapping[Pair, _Read], laid: Sequence[Pair | Cell]) -> SeenGrid:
    tops, peeping = [], {}
    for each in laid:
        if isinstance(each[0], tuple):
            pair: Pair = each
            first, second = read[pair].counts.argmax(axis=1)
            tops.append(Top(pair, (int(first), int(second))))
        else:
            cell: Cell = each
            votes = [np.log(read[pair].counts[pair.index(cell)]) for pair in _around(cell) if pair in read]
            peeping[cell] = int(np.sum(votes, axis=0).argmax())
    return SeenGrid(tuple(tops), peeping)
