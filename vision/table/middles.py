"""How the middles of this set's tiles look, where a bar is or none: those of joints, where two tiles meet, look otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import HEIGHT, MARGIN, WIDTH, ImagePyramid
from vision.table.changes import DARK

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

FINE = 1e-3
"""Nothing is told from less."""

ENOUGH = 4
"""So many tiles that are surely read tell how the middle of a tile of this set looks."""

MIDDLE = np.s_[:, MARGIN + 4 : HEIGHT - MARGIN - 4, WIDTH // 2 - 6 : WIDTH // 2 + 6]
AROUND_MIDDLE = np.s_[MARGIN : HEIGHT - MARGIN, WIDTH // 2 - 11 : WIDTH // 2 + 11]
"""Of straightened tiles, where the bar is, if there is one; of one, where it is looked for: people do not lay by the mm."""


class Middles:
    """The usual middle, learned from the tiles of a picture that are read surely; plain: (4, 2) pixels of each of these."""

    def __init__(self, plain: Sequence[Array], pyramid: ImagePyramid) -> None:
        self._usual: Array | None = None
        if len(plain) >= ENOUGH:
            crops = pyramid.warp_crops(np.stack(plain))
            self._usual = np.median(_logarithms(crops)[MIDDLE], axis=0).astype(np.float32)
            self._most = float(np.median(self._off(crops)))

    def unlike(self, crops: Image) -> list[float]:
        """How unlike that the middles of straightened tiles are, as logarithms of ratios to how unlike most are; 0 where nobody
        knows.
        """
        if self._usual is None:
            return [0.0] * len(crops)
        return [math.log(max(off, FINE) / max(self._most, FINE)) for off in self._off(crops).tolist()]

    def _off(self, crops: Image) -> Array:
        """(n,) how far, as a logarithm, the middles are off, wherever around the middle they are like it most; turned or not."""
        assert self._usual is not None
        out = np.array([[_least_off(seen[AROUND_MIDDLE], self._usual) for seen in _logarithms(way)]
                        for way in (crops, np.ascontiguousarray(crops[:, ::-1, ::-1]))], np.float32)
        return np.asarray(out.min(axis=0), np.float32)


def _logarithms(crops: Image) -> Array:
    """(n, h, w, 3) straightened tiles as logarithms of ratios to their bodies' levels."""
    inside = crops[:, MARGIN + 4 : HEIGHT - MARGIN - 4, MARGIN + 4 : WIDTH - MARGIN - 4]
    bodies = np.median(inside.reshape(len(crops), -1, 3), axis=1)
    out: Array = np.log((crops + np.float32(DARK)) / (bodies[:, None, None] + DARK)).astype(np.float32)
    return out


def _least_off(seen: Array, usual: Array) -> float:
    """The least root mean square by which a part of what is seen, (h, w, 3), is off what is usual, (h', w', 3)."""
    squares = sum(cv2.matchTemplate(np.ascontiguousarray(seen[..., k]), np.ascontiguousarray(usual[..., k]), cv2.TM_SQDIFF)
                  for k in range(3))
    return math.sqrt(max(float(np.min(squares)), 0.0) / usual.size)
