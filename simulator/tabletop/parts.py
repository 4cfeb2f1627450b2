"""Parts of a picture that have changed: rectangles, and bands of them that follow slanting arms and shadows closely."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rect = tuple[int, int, int, int]  # x0, y0, x1, y1 in pixels

BLOCK = 16
"""Side of the squares that bands are made of, pixels: those in which a JPEG is compressed."""

TALL = 4
"""Height of a band, blocks."""


def meet(a: Rect, b: Rect) -> bool:
    """Whether two rectangles have a pixel in common."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def wider(rect: Rect, margin: int, width: int, height: int) -> Rect:
    """A rectangle with a margin, as far as the picture reaches."""
    return max(rect[0] - margin, 0), max(rect[1] - margin, 0), min(rect[2] + margin, width), min(rect[3] + margin, height)


def around(points: Array, margin: float, width: int, height: int) -> Rect:
    """The rectangle of a picture that holds (n, 2) pixels with a margin."""
    x0, y0 = np.clip(np.floor(points.min(axis=0) - margin), 0, (width, height)).astype(int)
    x1, y1 = np.clip(np.ceil(points.max(axis=0) + margin), 0, (width, height)).astype(int)
    return int(x0), int(y0), int(x1), int(y1)


def area(rect: Rect) -> int:
    """How many pixels a rectangle has."""
    return max(0, rect[2] - rect[0]) * max(0, rect[3] - rect[1])


def of_blocks(rect: Rect, width: int, height: int) -> Rect:
    """The smallest rectangle of whole blocks that holds another."""
    x0, y0, x1, y1 = rect
    return (x0 // BLOCK * BLOCK, y0 // BLOCK * BLOCK, min(-(-x1 // BLOCK) * BLOCK, width), min(-(-y1 // BLOCK) * BLOCK, height))


def joined(rects: Sequence[Rect]) -> list[Rect]:
    """The same with those that meet made one."""
    apart: list[Rect] = []
    for rect in rects:
        while touching := [other for other in apart if meet(rect, other)]:
            both = [rect, *touching]
            rect = (min(r[0] for r in both), min(r[1] for r in both), max(r[2] for r in both), max(r[3] for r in both))
            apart = [other for other in apart if other not in touching]
        apart.append(rect)
    return apart


def blockwise(differs: NDArray[np.uint8] | NDArray[np.bool_], across: int) -> NDArray[np.bool_]:
    """For each block of a (height, n) part whether anything in it is not 0; a block is so many columns wide."""
    rows = np.maximum.reduceat(differs, np.arange(0, differs.shape[0], BLOCK), axis=0)
    return np.asarray(np.maximum.reduceat(rows, np.arange(0, differs.shape[1], across), axis=1) > 0)


def bands(marked: NDArray[np.uint8], width: int, height: int) -> list[Rect]:
    """Rectangles that do not overlap and together hold the blocks marked of a picture of that size."""
    found = []
    for top in range(0, len(marked), TALL):
        held = np.flatnonzero(np.diff(marked[top : top + TALL].any(axis=0).astype(np.int8), prepend=0, append=0))
        found += [(int(a) * BLOCK, top * BLOCK, min(int(b) * BLOCK, width), min((top + TALL) * BLOCK, height))
                  for a, b in zip(held[::2], held[1::2], strict=True)]
    return found
