"""The camera over the table: where it stands, what its lens bends, what its sensor makes of the light."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.view import View

Array = NDArray[np.float64]


BENT = 3.0
"""Square of how far out, in focal lengths, lenses bend by their formula; no camera's picture reaches so far."""

HARDLY_BEFORE = 0.05
"""Nothing is seen that lies nearer before the camera than this, in the units of the table."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that looks at the point `aim` (mm) of the table from `height_mm` above it.

    tilt: from straight down. azimuth: towards which side it stands off, clockwise from x (a quarter turn: where seat 0
    sits). roll: about its own axis. field: horizontal angle of view, radians. k1, k2: OpenCV's radial distortion.
    blur_px: spread of a point by lens and focus. noise: spread of the sensor's noise at medium light, of 255.
    exposure: multiplies the light. balance: gains of blue, green, red. auto_exposure: whether it follows the light.
    jpeg: quality of the compression, None for none. rate: frames per second.
    """

    width: int = 1920
    height: int = 1080
    height_mm: float = 900.0
    tilt: float = 0.0
    azimuth: float = np.pi / 2
    roll: float = 0.0
    aim: tuple[float, float] = (0.0, 0.0)
    field: float = 1.40
    k1: float = 0.0
    k2: float = 0.0
    blur_px: float = 0.7
    noise: float = 2.0
    exposure: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    auto_exposure: bool = True
    jpeg: int | None = 90
    rate: float = 10.0

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        return float(self.width / 2 / np.tan(self.field / 2))

    @property
    def position(self) -> Array:
        """(3,) where it stands: x, y of the table and the height, mm."""
        off = np.tan(self.tilt) * self.height_mm
        x, y = self.aim[0] + off * np.cos(self.azimuth), self.aim[1] + off * np.sin(self.azimuth)
        return np.array([x, y, self.height_mm])

    @property
    def matrix(self) -> Array:
        """(3, 3) of the pinhole, pixels."""
        return np.array([[self.focal, 0, (self.width - 1) / 2], [0, self.focal, (self.height - 1) / 2], [0, 0, 1.0]])

    @property
    def distortion(self) -> Array:
        """(5,) k1 k2 p1 p2 k3, as OpenCV has it."""
        return np.array([self.k1, self.k2, 0.0, 0.0, 0.0])

    @property
    def px_per_mm(self) -> float:
        """Pixels per millimetre of the table at the middle of the picture, across the line of sight."""
        return float(self.focal * np.cos(self.tilt) / self.height_mm)

    def view(self, unit: float = 1.0) -> LensView:
        """The camera for painting, where lengths are in `unit` millimetres, y points up and z to the camera."""
        turn, away = -self.azimuth, np.array([np.sin(self.tilt), 0.0, np.cos(self.tilt)])
        c, s = np.cos(turn), np.sin(turn)
        away = np.array([away[0] * c, away[0] * s, away[2]])
        flat = np.array([-np.sin(turn + self.roll), np.cos(turn + self.roll), 0.0])
        right = flat + away * -float(flat @ away)
        right /= np.linalg.norm(right)
        rotation = np.stack([right, np.cross(-away, right), -away])
        position = self.position * (1, -1, 1) / unit
        shift = -rotation @ position
        matrix = self.matrix @ np.column_stack([rotation, shift])
        half_px = self.px_per_mm * unit / np.cos(self.tilt)
        return LensView(matrix, position, self.width, self.height, half_px, rotation, shift, self.focal,
                        self.matrix[:2, 2], self.k1, self.k2)

    def project(self, points: Array) -> Array:
        """(n, 3) millimetres x, y, height above the table to (n, 2) pixels of the bent picture."""
        return self.view().project(np.asarray(points, np.float64) * (1, -1, 1))

    def to_table(self, pixels: Array, height: float = 0.0) -> Array:
        """(n, 2) pixels to (n, 2) millimetres on the plane that high above the table."""
        return self.view().onto(np.asarray(pixels, np.float64), height) * (1, -1)

    def bumped(self, x: float, y: float, turn: float, tilt: float = 0.0) -> Camera:
        """The camera pushed by (x, y) mm, turned about its axis and tilted further, radians."""
        return replace(self, aim=(self.aim[0] + x, self.aim[1] + y), roll=self.roll + turn, tilt=self.tilt + tilt)


@dataclass(frozen=True, slots=True, eq=False)
class LensView(View):
    """A pinhole view with a bent lens, and cuttings of it.

    rotation (3, 3), shift (3,): from the table to the camera. `matrix` and `plane` are those of the straight pinhole.
    """

    rotation: Array
    shift: Array
    focal: float
    middle: Array
    k1: float
    k2: float

    def depths(self, points: Array) -> Array:
        """(...,) how far (..., 3) table points lie before the camera; negative behind it."""
        return np.asarray(points @ self.rotation[2] + self.shift[2])

    def project(self, points: Array, behind: bool = False) -> Array:
        """(..., 3) table points to (..., 2) pixels, as the lens bends them.

        What lies behind the camera comes far out where it would come into view; `behind`: where its lines meet the picture,
        as a plane that goes on behind the camera is told by its corners.
        """
        seen = points @ self.rotation.T + self.shift
        flat = seen[..., :2] / (seen[..., 2:] if behind else np.maximum(seen[..., 2:], HARDLY_BEFORE))
        if self.k1 or self.k2:
            r2 = np.minimum((flat**2).sum(axis=-1, keepdims=True), BENT)
            flat = flat * (1 + self.k1 * r2 + self.k2 * r2**2)
        return flat * self.focal + self.middle

    def onto(self, pixels: Array, height: float) -> Array:
        """(n, 2) pixels to (n, 2) points of the plane at that height."""
        inner = np.array([[self.focal, 0, self.middle[0]], [0, self.focal, self.middle[1]], [0, 0, 1.0]])
        bent = np.array([self.k1, self.k2, 0, 0, 0])
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-9)
        flat = cv2.undistortPoints(pixels.reshape(-1, 1, 2), inner, bent, criteria=stop) if bent.any() else (
            (pixels - self.middle) / self.focal)
        rays = np.column_stack([np.asarray(flat).reshape(-1, 2), np.ones(len(pixels))]) @ self.rotation
        far = (height - self.position[2]) / np.minimum(rays[:, 2:], -1e-6)
        return self.position[:2] + rays[:, :2] * far

    def cut(self, x: int, y: int, width: int, height: int) -> LensView:
        """The same camera's view of a rectangle of its picture."""
        off = np.array([[1.0, 0, -x], [0, 1, -y], [0, 0, 1]])
        return replace(self, matrix=off @ self.matrix, width=width, height=height, middle=self.middle - (x, y))
