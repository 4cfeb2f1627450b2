"""Whether the camera was bumped: four quarters of the picture slip together, which no hand and no play makes them do."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Grey = NDArray[np.float32]

WIDE = 480
"""Width of the pictures that are compared, pixels."""

SLIPPED = 0.45
"""Slips beyond this, in pixels of those pictures, are looked into: 1.6 mm where 1.4 m are in view."""

CLEAR = 0.08
"""Quarters whose slip is less clear than this say nothing."""


def outline_of(image: Image) -> Grey:
    """The picture as it is kept for the comparison: edges, so that light says little."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = WIDE / grey.shape[1]
    small = cv2.resize(grey, (WIDE, round(grey.shape[0] * scale)), interpolation=cv2.INTER_AREA).astype(np.float32)
    low = cv2.GaussianBlur(small, (0, 0), 4)
    out: Grey = np.clip((small - low) / (low + 24), -0.5, 0.5).astype(np.float32)
    return out


def slipped(before: Grey, now: Grey) -> bool:
    """Whether most quarters of the picture slipped."""
    height, width = _quick(now.shape[0] // 2), _quick(now.shape[1] // 2)
    window = cv2.createHanningWindow((width, height), cv2.CV_32F)
    moved = clear = 0
    for y in (0, now.shape[0] - height):
        for x in (0, now.shape[1] - width):
            quarter = np.s_[y : y + height, x : x + width]
            (dx, dy), response = cv2.phaseCorrelate(before[quarter], now[quarter], window)
            if response > CLEAR:
                clear += 1
                moved += np.hypot(dx, dy) > SLIPPED
    return moved >= 3 or (moved >= 2 and moved == clear)


def _quick(length: int) -> int:
    """The largest length up to this that a Fourier transform takes as it is: padding an odd one would slip by a half."""
    return next(size for size in range(length - length % 2, 0, -2) if cv2.getOptimalDFTSize(size) == size)
