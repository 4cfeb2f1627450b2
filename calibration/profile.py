"""How one camera sees one table: from pixels to millimetres and back, and the table as seen from straight above."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Maps = tuple[NDArray[np.int16], NDArray[np.uint16]]
Method = Literal["tags", "mat", "tiles", "corners"]

EXACT = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-7)
"""So many steps at most, and so near, pixels, a lens is undone."""

STEP = 8
"""Pixels of the table's view over which lens and perspective are as good as straight."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """A pinhole with OpenCV's distortion: `matrix` (3, 3) in pixels, `distortion` (5,) k1 k2 p1 p2 k3."""

    matrix: Array
    distortion: Array

    def straight(self, pixels: Array) -> Array:
        """(n, 2) pixels as the same camera without distortion would see them."""
        seen = np.asarray(pixels, np.float64).reshape(-1, 2)
        if not len(seen):  # OpenCV makes nothing of it
            return seen
        # OpenCV's own five steps leave a tenth of a pixel where a wide lens bends strongly
        straight = cv2.undistortPoints(seen[:, None], self.matrix, self.distortion, P=self.matrix, criteria=EXACT)
        return np.asarray(straight, np.float64).reshape(-1, 2)

    def bent(self, straight: Array) -> Array:
        """The inverse of `straight`."""
        if not len(straight):  # OpenCV maps nothing to None
            return straight
        rays = np.ones((len(straight), 3))
        rays[:, :2] = (straight - self.matrix[:2, 2]) / (self.matrix[0, 0], self.matrix[1, 1])
        return np.asarray(cv2.projectPoints(rays, _NOTHING, _NOTHING, self.matrix, self.distortion)[0]).reshape(-1, 2)

    def grid(self, rays: Array, shape: tuple[int, int]) -> NDArray[np.float32]:
        """(h, w, 2) pixels in which a grid is seen; `rays` (3, 3) leads from (column, row, 1) to (x, y, z) before the camera."""
        height, width = shape
        seen = cv2.initUndistortRectifyMap(self.matrix, self.distortion, None, np.linalg.inv(rays), (width, height), cv2.CV_32FC2)
        return np.asarray(seen[0], np.float32)  # many times quicker than to bend points: these come with their derivatives


_NOTHING = np.zeros(3)
_NO_LENS = Lens(np.eye(3), np.zeros(5))


@dataclass(frozen=True, eq=False)
class Profile:
    """One calibrated view.

    size: (width, height) of the camera's pictures, pixels.
    homography: (3, 3) from straightened pixels to millimetres in the table frame.
    area: (x0, y0, x1, y1) the play area, millimetres.
    lens: None where distortion was not estimated.
    error_mm: root mean square distance, on the table, between what was found and what the profile says.
    camera: the name of the camera that sees so, empty where it was not told.
    """

    size: tuple[int, int]
    homography: Array
    area: tuple[float, float, float, float]
    method: Method
    error_mm: float
    lens: Lens | None = None
    notes: tuple[str, ...] = field(default=())
    camera: str = ""

    @cached_property
    def inverse(self) -> Array:
        """(3, 3) from millimetres to straightened pixels."""
        return np.asarray(np.linalg.inv(self.homography), np.float64)

    def to_table(self, pixels: Array) -> Array:
        """(n, 2) pixels of the camera's picture to (n, 2) millimetres."""
        straight = self.lens.straight(pixels) if self.lens else np.asarray(pixels, np.float64).reshape(-1, 2)
        return _mapped(straight, self.homography)

    def to_picture(self, table: Array) -> Array:
        """(n, 2) millimetres to (n, 2) pixels of the camera's picture."""
        straight = _mapped(np.asarray(table, np.float64).reshape(-1, 2), self.inverse)
        return self.lens.bent(straight) if self.lens else straight

    def grid_in_picture(self, table: Array, shape: tuple[int, int]) -> NDArray[np.float32]:
        """(h, w, 2) pixels of the camera's picture in which a grid shows; `table` (3, 3) leads from its (column, row) to
        millimetres.
        """
        lens = self.lens or _NO_LENS
        return lens.grid(np.linalg.inv(lens.matrix) @ self.inverse @ table, shape)


def _mapped(points: Array, homography: Array) -> Array:
    if not len(points):  # OpenCV maps nothing to None
        return points
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), homography)).reshape(-1, 2)


class TableView:
    """The table from straight above, at a fixed scale: `matrix` (3, 3) maps view pixels to millimetres.

    The view shows the profile's play area; its upper left pixel's corner is the area's (x0, y0).
    """

    def __init__(self, profile: Profile, px_per_mm: float) -> None:
        x0, y0, x1, y1 = profile.area
        self.profile, self.px_per_mm = profile, px_per_mm
        self.width, self.height = round((x1 - x0) * px_per_mm), round((y1 - y0) * px_per_mm)
        step = 1 / px_per_mm
        self.matrix = np.array([[step, 0, x0 + step / 2], [0, step, y0 + step / 2], [0, 0, 1]])

    @cached_property
    def _whole(self) -> Maps:
        return self._maps(0, 0, self.width, self.height)

    def _maps(self, x0: int, y0: int, x1: int, y1: int) -> Maps:
        """Where each pixel of a part of the view lies in the picture: found every few pixels, in between by straight lines."""
        left, top = x0 // STEP, y0 // STEP
        across, down = (-(-end // STEP) - first + 2 for end, first in ((x1, left), (y1, top)))  # one more on either side
        start = STEP * (np.array([left, top]) - 0.5) - 0.5
        grid = np.array([[STEP, 0, start[0]], [0, STEP, start[1]], [0, 0, 1]])  # to pixels of the view
        pixels = self.profile.grid_in_picture(self.matrix @ grid, (down, across))
        fine = cv2.resize(pixels, (across * STEP, down * STEP), interpolation=cv2.INTER_LINEAR)
        x, y = x0 - (left - 1) * STEP, y0 - (top - 1) * STEP
        fine = np.ascontiguousarray(fine[y : y + y1 - y0, x : x + x1 - x0])
        near, fraction = cv2.convertMaps(fine, None, cv2.CV_16SC2)
        return np.asarray(near, np.int16), np.asarray(fraction, np.uint16)

    def to_table(self, view: Array) -> Array:
        """(n, 2) view pixels to millimetres."""
        table: Array = np.asarray(view, np.float64) * self.matrix[0, 0] + self.matrix[:2, 2]
        return table

    def to_view(self, table: Array) -> Array:
        """(n, 2) millimetres to view pixels."""
        view: Array = (np.asarray(table, np.float64) - self.matrix[:2, 2]) / self.matrix[0, 0]
        return view

    def of(self, image: NDArray[np.uint8], box: tuple[int, int, int, int] | None = None) -> NDArray[np.uint8]:
        """(height, width, 3): the camera's picture seen from straight above; or the part of it in `box`: x0, y0, x1, y1."""
        x0, y0, x1, y1 = part = box or (0, 0, self.width, self.height)
        if "_whole" in self.__dict__ or part == (0, 0, self.width, self.height):
            near, fraction = (each[y0:y1, x0:x1] for each in self._whole)
        else:
            near, fraction = self._maps(*part)  # for a few small parts all of it is not worth its time
        return np.asarray(cv2.remap(image, near, fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)
