"""How the table lies before a camera that nobody has measured, told by the tiles on it: all are twice as long as wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.degrees import LITTLE

Array = NDArray[np.float64]
Corners = NDArray[np.float32]

HALF_MM = 24.0
"""The width of a usual tile, which gives the plane its unit."""

UNUSUAL = np.array([0.3, 0.3, 0.25, 0.25])
"""How much cameras usually shear, stretch and tilt the table, as a standard deviation: few tiles tell little of it."""

UNEQUAL = 0.06
"""How far, as a logarithm, what is seen of a tile is from twice as long as wide, on the whole;"""

ROUGH = 0.04
"""how far length, width and the angle between them are off by themselves."""

STEPS, ENOUGH = 25, 1e-4
"""So often at most the plane is fitted anew, tiles that do not fit counting less each time, until no step is larger."""


@dataclass(frozen=True, slots=False, eq=False)
class Plane:
    """The plane of tiles' faces in a picture of this size (width, height), pixels; its units are millimetres if tiles are as
    wide as usual.

    camera: (6,) shear, logarithm of stretch, two tilts, logarithms of the length and width of tiles. hold: (6, 6) how surely
    they are known, the inverse of their covariance.
    """

    size: tuple[int, int]
    camera: Array
    hold: Array

    @cached_property
    def homography(self) -> Array:
        """(3, 3) from pixels to the plane."""
        unit, middle, scale = HALF_MM / np.exp(self.camera[5]), np.array(self.size) / 2, max(self.size) / 2
        centred = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, scale]]) / scale
        shear, stretch, across, down = self.camera[:4]
        told = np.array([[1, shear, 0], [0, np.exp(stretch), 0], [across, down, 1]])
        return np.asarray(np.diag([unit, unit, 1]) @ told @ centred, np.float64)

    def places(self, pixels: Corners) -> Corners:
        """(..., 2) pixels on the plane; what lies beyond the horizon is nowhere: infinite."""
        lengths = np.asarray(pixels, np.float64) @ self.homography[:, :2].T + self.homography[:, 2]
        depth = lengths[..., 2:] / self.homography[2, 2]
        here = lengths[..., :2] / self.homography[2, 2] / np.maximum(depth, 1e-9)
        return np.asarray(np.where(depth > 0, here, np.inf), np.float32)

    def nats(self, outlines: Corners) -> Array:
        """(n,) for outlines, (n, 4, 2) pixels, being as large as tiles there, 0 at most; less so where the plane is doubtful.

        Where outlines alone are seen, length and width are off by a little, as a logarithm.
        """
        seen = _centred(outlines, self.size)
        off, slopes = (each[:, :2] for each in _misfits_and_slopes(self.camera, seen))
        spread = LITTLE**2 + np.einsum("nki,ij,nkj->nk", slopes, np.linalg.inv(self.hold), slopes)
        return np.asarray(-(off**2 / spread).sum(axis=1) / 2, np.float64)


def plane_of(tiles: Sequence[Corners], size: tuple[int, int]) -> Plane:
    """The plane on which tiles, (4, 2) pixels each, lie anyhow, one of them at least."""
    seen = _centred(np.stack(tiles), size)
    camera = np.zeros(6)
    camera[4:] = np.median(_misfits(camera, seen)[:, :2], axis=0)
    ratio = np.array([0, 0, 0, 0, 1.0, -1.0])
    hold = np.eye(6)
    for _ in range(STEPS):
        off, slopes = _misfits_and_slopes(camera, seen)
        weights = 1 / (1 + (off**2).sum(axis=1) / (2 * ROUGH) ** 2)
        hold = np.einsum("nki,nkj,n->ij", slopes, slopes, weights) / ROUGH**2 + np.outer(ratio, ratio) / UNEQUAL**2
        pull = np.einsum("nki,nk,n->i", slopes, off, weights) / ROUGH**2 + ratio * (ratio @ camera - np.log(2)) / UNEQUAL**2
        hold[range(4), range(4)] += 1 / UNUSUAL**2
        pull[:4] += camera[:4] / UNUSUAL**2
        step = np.linalg.solve(hold, pull)
        camera = camera - step
        if np.abs(step).max() < ENOUGH:
            break
    return Plane(size, camera, hold)


def _centred(corners: Corners, size: tuple[int, int]) -> Array:
    return np.asarray((corners.astype(np.float64) - np.array(size) / 2) / (max(size) / 2))


def _misfits(cameras: Array, tiles: Array) -> Array:
    """(..., n, 3) of tiles, (n, 4, 2), by cameras, (..., 6): logarithms of their length and width beside the usual, and the
    cosine between both."""
    shear, stretch, across, down, length, width = np.moveaxis(cameras, -1, 0)[..., None, None]
    x, y = tiles[..., 0], tiles[..., 1]
    places = np.stack([x + shear * y, np.exp(stretch) * y], axis=-1) / (1 + across * x + down * y)[..., None]
    one, two = (places[..., 0, :] + places[..., 1, :]) / 2, (places[..., 2, :] + places[..., 3, :]) / 2
    left, right = (places[..., 1, :] + places[..., 2, :]) / 2, (places[..., 0, :] + places[..., 3, :]) / 2
    long, wide = (np.maximum(np.hypot(*np.moveaxis(side, -1, 0)), 1e-9) for side in (two - one, right - left))
    cosine = ((two - one) * (right - left)).sum(axis=-1) / (long * wide)
    return np.stack([np.log(long) - length[..., 0], np.log(wide) - width[..., 0], cosine], axis=-1)


def _misfits_and_slopes(camera: Array, tiles: Array) -> tuple[Array, Array]:
    """`_misfits` by one camera, (n, 3), and how they change with it, (n, 3, 6)."""
    step = 1e-6
    off, *beside = _misfits(np.vstack([camera, camera + step * np.eye(6)]), tiles)
    return off, np.moveaxis((np.stack(beside) - off) / step, 0, -1)
