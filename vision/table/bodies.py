"""What tiles are made of: the colour of their bodies beside that of the whole picture, so that light counts little."""

from __future__ import annotations

import numpy as np

from vision.frame import Image
from vision.medians import medians
from vision.observation import Array
from vision.rectify import HEIGHT, MARGIN, WIDTH, ImagePyramid
from vision.table.changes import DARK

OTHER_BODY = 0.35
"""Halves whose brightness or tint differ by more than this, as logarithms, are hardly of one tile or one set."""


def logarithms_of(pyramid: ImagePyramid, levels: Array) -> Array:
    """Levels, (..., 3), of the album's picture as logarithms of ratios to the whole picture's."""
    return np.log((levels + DARK) / (pyramid.usual + DARK)).astype(np.float32)


def bodies_of(pyramid: ImagePyramid, crops: Image) -> Array:
    """(n, 2, 3) the body of each half of straightened tiles: logarithms of its levels over those of the whole picture."""
    inside = crops[:, MARGIN + 4 : HEIGHT - MARGIN - 4 : 2, MARGIN + 4 : WIDTH - MARGIN - 4 : 2]
    middle = inside.shape[2] // 2
    halves = np.stack([inside[:, :, : middle - 2], inside[:, :, middle + 2 :]], axis=1)
    levels = halves.reshape(len(crops), 2, halves.shape[2] * halves.shape[3], 3)
    return logarithms_of(pyramid, medians(levels.swapaxes(2, 3)))
