"""How long nothing has moved in the view."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Image
from vision.medians import medians
from vision.table.changes import Mask

NOTICEABLE = 7
"""Levels by which a pixel of the small picture must change between two frames to have moved; noise is averaged out there."""

SPECK = 5
"""Pixels of the small picture: less is no movement."""


def differing(before: Image, now: Image, watched: Mask | None) -> Mask:
    """(h, w) where two small pictures differ; what only gets brighter or darker as a whole does not."""
    difference = cv2.subtract(now, before, dtype=cv2.CV_16S)
    light = np.trunc(medians(np.ascontiguousarray(difference[::4, ::4].reshape(-1, 3).T)))
    mask: Mask = cv2.inRange(difference, light - NOTICEABLE, light + NOTICEABLE) == 0
    return mask if watched is None else mask & watched


def is_something(mask: Mask) -> bool:
    """Whether a mask of differences holds more than specks of noise."""
    return int(np.count_nonzero(mask)) >= SPECK and bool(cv2.erode(mask.astype(np.uint8), np.ones((2, 2), np.uint8)).any())


class MotionDetector:
    """Fed with small pictures, one a frame. touched: (h, w) where anything moved since it was last cleared."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._moved = 0.0
        self.touched: Mask = np.zeros((0, 0), np.bool_)

    def feed(self, picture: Image, time: float, watched: Mask | None) -> float:
        """Seconds since anything moved in the watched part of the picture, (h, w)."""
        last, self._last = self._last, picture
        if last is None or last.shape != picture.shape:
            self._moved, self.touched = time, np.zeros(picture.shape[:2], np.bool_)
            return 0.0
        mask = differing(last, picture, watched)
        if is_something(mask):
            self._moved = time
            self.touched = self.touched | mask
        return time - self._moved

    def clear(self, but: Mask) -> None:
        """What was touched has been looked at; but: (h, w) where it has not."""
        self.touched = self.touched & but
