"""What a camera is found by: flat shapes of known size somewhere on one plane, as they are seen, and the pips on them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Pips on the halves of tiles as a camera sees them, m in all, on h halves.

    pixels: (m, 2). tile: (m,) whose they are. half: (m,) on which half. second: (m,) whether it is the second along the
    length. A pip lies `sign` times `layout[vector]` millimetres, (v, 2), from the middle of its half, along and across the
    tile: the layout is one for all tiles, and only roughly known. noise: (m,) pixels, how well a pip is found. slip: (m,)
    pixels, by how much all pips of a half may lie aside.
    """

    pixels: Array
    tile: NDArray[np.int64]
    half: NDArray[np.int64]
    second: NDArray[np.bool_]
    vector: NDArray[np.int64]
    sign: Array
    layout: Array
    noise: Array
    slip: Array

    def noisier(self, times: float) -> Spots:
        """The same, found so many times worse."""
        return replace(self, noise=self.noise * times)

    def of(self, tiles: NDArray[np.bool_]) -> Spots:
        """Those of some tiles, (n,)."""
        kept = tiles[self.tile]
        half = np.unique(self.half[kept], return_inverse=True)[1]
        names = np.cumsum(tiles) - 1
        return Spots(self.pixels[kept], names[self.tile[kept]], half, self.second[kept], self.vector[kept], self.sign[kept],
                     self.layout, self.noise[kept], self.slip[kept])


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Rectangles on one plane as a camera sees them.

    corners: (n, 4, 2) pixels, clockwise as seen, the first edge along the length.
    length, width: millimetres, of all of them. slack: how uncertain the ratio of the two is (1 sigma of its logarithm).
    noise: how well a corner is found, pixels (1 sigma). spots: pips on them, where they are dominoes.
    """

    corners: Array
    length: float
    width: float
    slack: float = 0.0
    noise: float = 0.1
    spots: Spots | None = None


def quad_area(corners: Array) -> Array:
    """(n,) areas of (n, 4, 2) quadrilaterals; positive where the corners run clockwise as seen."""
    ahead = np.roll(corners, -1, axis=1)
    area: Array = (corners[..., 0] * ahead[..., 1] - corners[..., 1] * ahead[..., 0]).sum(axis=1) / 2
    return area


def scale_line(corners: Array, area_mm: float) -> Array:
    """(a, b, c): a plane is seen at a x + b y + c, cubed, square pixels to the square millimetre.

    That the cube root of the magnification of areas changes linearly over the picture is how a plane looks in
    perspective (Criminisi, Reid and Zisserman, Single view metrology, 2000). corners: (n, 4, 2) about the picture's middle.
    """
    seen = np.cbrt(quad_area(corners) / area_mm)
    middle = corners.mean(axis=1)
    rows = np.column_stack([middle, np.ones(len(middle))])
    weights = np.ones(len(middle))
    line: Array = np.zeros(3)
    for _ in range(12):  # least absolute deviations, so that a few wrong shapes do not lead astray
        line = np.asarray(np.linalg.lstsq(rows * weights[:, None], seen * weights, rcond=None)[0], np.float64)
        distance = np.maximum(np.abs(rows @ line - seen), 0.003 * float(np.median(seen)))
        weights = np.sqrt(distance.min() / distance)
    return line
