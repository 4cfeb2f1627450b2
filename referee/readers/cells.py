"""The cells of a grid on a photograph: where they are, and on which of them half a tile is seen.

The tiles that the reader finds say roughly where the cells are. Seen from above, cell by cell, every half is then looked for
once more, also those that look out from under another tile; their middles say exactly where the cells are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.actions import Cell
from engine.pieces import DOUBLE_SIX
from referee.geometry import ASKEW
from vision.degrees import EVEN, HALF, NEVER, SELDOM, nats_against
from vision.frame import Image
from vision.halves import FACE
from vision.reader import Reader

Array = NDArray[np.float64]
Pair = tuple[Cell, Cell]
Box = tuple[int, int, int, int]
"""The cells from x0, y0 to x1, y1."""

WIDEST = len(DOUBLE_SIX)
"""The most cells that a grid may be wide or high: no more than there are tiles."""

SIDES = (26, 32, 38)
"""Halves are looked for with their cells as wide as this, pixels: each look is another opinion."""


class NoScore(ValueError):
    """The picture cannot be scored; the text says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """to_picture: (3, 3), from cells to the picture's pixels. lies: log-odds that half a tile lies on each cell of the box.
    pointed: of each pair of neighbouring cells in what share of the looks its halves are told to be one tile.
    """

    to_picture: Array
    box: Box
    lies: Mapping[Cell, float]
    pointed: Mapping[Pair, float]


def seen_cells(image: Image, quads: Sequence[Array], reader: Reader) -> Cells:
    """The cells in which most of these tiles lie. image: (H, W, 3) BGR. quads: (4, 2) each, in pixels. Raises NoScore."""
    rough, covered = _lattice(quads)
    columns, rows = ([cell[axis] for cell in covered] for axis in (0, 1))
    box = min(columns) - 1, min(rows) - 1, max(columns) + 1, max(rows) + 1
    if max(box[2] - box[0], box[3] - box[1]) > WIDEST:
        raise NoScore("The tiles lie too far apart to be one grid.")
    matrix = _refitted(rough, _looks(image, rough, box, reader))
    looks = _looks(image, matrix, box, reader)
    seen = {cell: np.mean([look.objectness_at(cell) for look in looks]) for cell in every(box)}
    most = nats_against(NEVER)  # for or against half a tile on a cell
    lies = {cell: most * float(np.interp(objectness, (SELDOM, EVEN), (-1, 1))) for cell, objectness in seen.items()}
    pointed = {pair: float(np.mean([look.points(pair) for look in looks])) for pair in pairs_of(box)}
    return Cells(matrix, box, lies, pointed)


def every(box: Box) -> Iterator[Cell]:
    """All cells of a box, row by row."""
    x0, y0, x1, y1 = box
    return ((x, y) for y in range(y0, y1 + 1) for x in range(x0, x1 + 1))


def pairs_of(box: Box) -> Iterator[Pair]:
    """All pairs of neighbouring cells of a box."""
    for x, y in every(box):
        if x < box[2]:
            yield (x, y), (x + 1, y)
        if y < box[3]:
            yield (x, y), (x, y + 1)


def outline(pair: Pair) -> Array:
    """(4, 2) the corners of two cells, 0 and 1 at the first, clockwise where y runs down; whole numbers are middles."""
    (x, y), (x2, _) = pair
    if x2 > x:
        return np.array([(x - 0.5, y + 0.5), (x - 0.5, y - 0.5), (x + 1.5, y - 0.5), (x + 1.5, y + 0.5)])
    return np.array([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 1.5), (x - 0.5, y + 1.5)])


def in_picture(matrix: Array, points: Array) -> Array:
    return np.asarray(cv2.perspectiveTransform(points[None], matrix)[0], np.float64)


# Where the cells are.


def _lattice(quads: Sequence[Array]) -> tuple[Array, set[Cell]]:
    """(3, 3) from cells to the picture, and the cells covered: of the start from which most tiles come to lie on cells."""
    cells = outline(((0, 0), (1, 0))).astype(np.float32)
    starts = (np.asarray(cv2.getPerspectiveTransform(cells, quad.astype(np.float32)), np.float64) for quad in quads)
    best = max((_grown(start, quads) for start in starts), key=lambda found: len(found[1]), default=None)
    if best is None or len(best[1]) < 4:
        raise NoScore("No two tiles of a grid can be seen.")
    return best


def _grown(matrix: Array, quads: Sequence[Array]) -> tuple[Array, set[Cell]]:
    """The lattice fitted to all tiles that line up with it, nearest first."""
    placed: dict[int, Pair] = {}
    while True:
        fresh = {at: pair for at, quad in enumerate(quads)
                 if (pair := _cells_of(matrix, quad)) is not None and _near(pair, placed)}
        if fresh == placed or not fresh or len(fresh) < len(placed):
            break
        placed = fresh
        points = np.concatenate([_ordered(matrix, placed[at], quads[at]) for at in placed])
        cells = np.concatenate([outline(pair) for pair in placed.values()])
        fitted, _ = cv2.findHomography(cells, points, 0)
        if fitted is None:
            break
        matrix = np.asarray(fitted, np.float64)
    return matrix, {cell for pair in placed.values() for cell in pair}


def _near(pair: Pair, placed: Mapping[int, Pair]) -> bool:
    """Whether a tile lies by those that are placed: only near them is a lattice known well."""
    known = [cell for other in placed.values() for cell in other] or [(0, 0)]
    return any(abs(x - kx) + abs(y - ky) <= 3 for x, y in pair for kx, ky in known)


def _cells_of(matrix: Array, quad: Array) -> Pair | None:
    """The cells on which a tile lies, None where it does not line up."""
    with np.errstate(all="ignore"):
        corners = in_picture(np.asarray(np.linalg.inv(matrix), np.float64), quad)
    if not np.isfinite(corners).all() or np.abs(corners).max() > 2 * WIDEST:
        return None
    middle, along = corners.mean(axis=0), corners[2:].mean(axis=0) - corners[:2].mean(axis=0)
    across = abs(along[0]) > abs(along[1])
    x, y = (round(middle[0] - 0.5), round(middle[1])) if across else (round(middle[0]), round(middle[1] - 0.5))
    pair: Pair = ((x, y), (x + 1, y)) if across else ((x, y), (x, y + 1))
    meant = outline(pair)
    off = min(float(np.abs(corners - np.roll(meant, turn, axis=0)).max()) for turn in (0, 2))
    return pair if off < ASKEW else None


def _ordered(matrix: Array, pair: Pair, quad: Array) -> Array:
    """A tile's corners in the order of `outline`."""
    meant = in_picture(matrix, outline(pair))
    return min((quad, np.asarray(np.roll(quad, 2, axis=0), np.float64)), key=lambda turned: float(np.abs(turned - meant).sum()))


# Which halves are seen.


class _Look(NamedTuple):
    """Halves in one look from above, in cells: objectness (n,), middle and where the other half should be, (n, 2) each."""

    objectness: Array
    middle: Array
    partner: Array

    def objectness_at(self, cell: Cell) -> float:
        at = self._at(cell)
        return 0.0 if at is None else float(self.objectness[at])

    def points(self, pair: Pair) -> bool:
        """Whether the halves of a pair point at each other: each says that its other half is no farther from the other than half
        a cell."""
        first, second = (self._at(cell) for cell in pair)
        if first is None or second is None:
            return False
        miss = self.partner[[first, second]] - self.middle[[second, first]]
        return bool(np.abs(miss).max() < HALF)

    def _at(self, cell: Cell) -> int | None:
        """The half that lies on a cell."""
        off = np.abs(self.middle - cell).max(axis=1, initial=0.0)
        return int(off.argmin()) if len(off) and off.min() < HALF else None


def _looks(image: Image, matrix: Array, box: Box, reader: Reader) -> list[_Look]:
    """The halves of the box as seen from above, in several sizes and by either detector."""
    x0, y0, x1, y1 = box
    first = np.array([x0 - 0.5, y0 - 0.5])
    looks = []
    for side in SIDES:
        scale = np.array([[1 / side, 0, x0 - 0.5 + 0.5 / side], [0, 1 / side, y0 - 0.5 + 0.5 / side], [0, 0, 1]])
        size = ((x1 - x0 + 1) * side, (y1 - y0 + 1) * side)
        flat = cv2.warpPerspective(image, matrix @ scale, size, flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP)
        for halves in reader.halves(np.asarray(flat, np.uint8)):
            faces = halves.kind == FACE
            looks.append(_Look(np.asarray(halves.objectness[faces], np.float64), halves.centre[faces] / side + first,
                               halves.partner[faces] / side + first))
    return looks


def _refitted(matrix: Array, looks: Sequence[_Look]) -> Array:
    """The cells fitted to the middles of all halves, each on the nearest cell; from four a look on they tell how a plane lies."""
    middles = np.concatenate([look.middle[look.objectness > EVEN] for look in looks])
    cells = np.round(middles)
    if len(middles) < 4 * len(looks):
        return matrix
    fitted, _ = cv2.findHomography(cells, in_picture(matrix, middles), cv2.LMEDS)
    return matrix if fitted is None else np.asarray(fitted, np.float64)
