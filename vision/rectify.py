"""Cut tiles out of a photo and straighten them: all the same size, first half left, whatever their size and turn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.medians import medians

WIDTH, HEIGHT, MARGIN = 112, 64, 8
"""A straightened tile in pixels, with a margin of what lies around it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """How tiles are cut out, pixels: the tile and a margin of what lies around it."""

    width: int
    height: int
    margin: int

    @property
    def corners(self) -> NDArray[np.float32]:
        """(4, 2) of the tile."""
        x0, y0, x1, y1 = self.margin, self.margin, self.width - self.margin, self.height - self.margin
        return np.array([[x0, y1], [x0, y0], [x1, y0], [x1, y1]], np.float32)


CLOSE = Cut(WIDTH, HEIGHT, MARGIN)


def halvings(times: float) -> int:
    """How often a photo is halved before a tile in it is made so many times smaller."""
    return min(max(math.floor(math.log2(max(times, 1e-3)) + 0.3), 0), 5)


class ImagePyramid:
    """A photo at its own and at halved sizes, so that big tiles are shrunk without losing their pips."""

    def __init__(self, image: NDArray[np.uint8]) -> None:
        self._sizes = [image]
        self._cuts: dict[tuple[Cut, bytes], NDArray[np.uint8]] = {}

    def size(self, level: int) -> NDArray[np.uint8]:
        """The photo halved `level` times."""
        while len(self._sizes) <= level:
            last = self._sizes[-1]
            half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self._sizes.append(cv2.resize(last, half, interpolation=cv2.INTER_AREA))
        return self._sizes[level]

    @cached_property
    def usual(self) -> NDArray[np.float64]:
        """(3,) the usual level of each colour, from a few pixels all over the photo."""
        few = self.size(2)[2::6, 2::6].reshape(-1, 3)  # of a small picture: in a large one they lie far apart
        return np.asarray(medians(few.T), np.float64)

    def warp_crops(self, corners: NDArray[np.float32], cut: Cut = CLOSE) -> NDArray[np.uint8]:
        """(n, height, width, 3) straightened tiles for (n, 4, 2) corners in pixels of the photo; each place is cut out once."""
        out, target = np.empty((len(corners), cut.height, cut.width, 3), np.uint8), cut.corners
        across, along = np.linalg.norm(corners[:, 1:3] - corners[:, :2], axis=2).T
        levels = [halvings(each / (cut.height - 2 * cut.margin)) for each in np.minimum(across, along / 2).tolist()]
        for level in set(levels):
            image, which = self.size(level), [at for at, each in enumerate(levels) if each == level]
            scale = np.array(image.shape[1::-1], np.float32) / self._sizes[0].shape[1::-1]
            for index, quad in zip(which, (corners[which] * scale).astype(np.float32), strict=True):
                place = cut, quad.tobytes()
                if place not in self._cuts:
                    warp = cv2.getPerspectiveTransform(quad, target)
                    self._cuts[place] = np.asarray(cv2.warpPerspective(
                        image, warp, (cut.width, cut.height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)
                out[index] = self._cuts[place]
        return out
