"""The pinhole camera over the made-up table. Table units: one half's side = 1; z points up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.noise import between, chance, log_between

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A camera: `matrix` (3, 4) projects table points to pixels of a (height, width) picture."""

    matrix: Array
    position: Array
    width: int
    height: int
    half_px: float

    def project(self, points: Array) -> Array:
        """(..., 3) table points to (..., 2) pixels."""
        mapped = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        pixels: Array = mapped[..., :2] / mapped[..., 2:]
        return pixels

    def plane(self, z: float) -> Array:
        """(3, 3) homography from (x, y) at height z to pixels."""
        m = self.matrix
        return np.column_stack([m[:, 0], m[:, 1], m[:, 3] + z * m[:, 2]])


def look_at(tilt: float, azimuth: float, roll: float, focal: float, half_px: float, width: int, height: int,
            centre: tuple[float, float]) -> View:
    """A camera tilted by `tilt` from straight down, where a half at the origin is `half_px` wide."""
    distance = focal / half_px
    away = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    forward = -away
    flat = np.array([-np.sin(azimuth + roll), np.cos(azimuth + roll), 0.0])
    right = flat - forward * float(flat @ forward)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    rotation = np.stack([right, down, forward])
    position = away * distance
    inner = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1.0]])
    matrix = inner @ np.column_stack([rotation, -rotation @ position])
    return View(matrix, position, width, height, half_px)


def random_view(width: int, height: int, half_px: float, rng: np.random.Generator) -> View:
    """Mostly from above, sometimes as oblique as 58 degrees."""
    kind = rng.random()
    tilt = between(rng, 0, 0.2) if kind < 0.5 else between(rng, 0.2, 0.6) if kind < 0.8 else between(rng, 0.6, 1.01)
    focal = log_between(rng, 0.75, 2.6) * max(width, height) * log_between(rng, 1, 3)
    focal = max(focal, 9.0 * half_px)  # nobody photographs from closer than a few tiles
    roll = between(rng, -0.06, 0.06) if chance(rng, 0.6) else between(rng, -np.pi, np.pi)
    centre = (width * between(rng, 0.35, 0.65), height * between(rng, 0.35, 0.65))
    return look_at(tilt, between(rng, -np.pi, np.pi), roll, focal, half_px, width, height, centre)
