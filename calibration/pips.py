"""Where the halves of tiles are, told by their pips: sharper than an outline, which bevels, sides and shadows blur.

Makers lay pips out symmetrically about the middle of a half, and the middles of a tile's halves are half its length apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

SIDE = 72
"""Side of the straightened picture of a half, pixels."""

SMALLEST, LARGEST = 0.04, 0.16
"""Radius of pips, of a half's side."""


def half_middles(grey: Image, quads: Array, ends: Sequence[tuple[int, int]]) -> tuple[Array, Array]:
    """(n, 2, 2) pixels of the middles of the pips of each tile's two halves, and (n, 2) how many pips tell it, 0 for none.

    quads: (n, 4, 2) pixels, the first edge along the tile from its first half to its second, clockwise. ends: pips of the
    first and second half; a half where not just so many are found tells nothing.
    """
    middles, pips = np.zeros((len(quads), 2, 2)), np.zeros((len(quads), 2))
    for i, quad in enumerate(quads):
        upper, lower = (quad[0] + quad[1]) / 2, (quad[3] + quad[2]) / 2
        halves = (np.array([quad[0], upper, lower, quad[3]]), np.array([upper, quad[1], quad[2], lower]))
        for j, half in enumerate(halves):
            found = _pips(grey, half, ends[i][j])
            if found is not None:
                middles[i, j], pips[i, j] = found.mean(axis=0), len(found)
    return middles, pips


def _pips(grey: Image, half: Array, count: int) -> Array | None:
    """(count, 2) pixels of the pips in a half, None where another number is found."""
    if count == 0:
        return None
    square = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32) - np.float32(0.5)
    onto = cv2.getPerspectiveTransform(half.astype(np.float32), square)
    crop = cv2.warpPerspective(grey, onto, (SIDE, SIDE), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    inner = crop[6:-6, 6:-6].astype(np.float32)
    body = float(np.median(inner))
    dark, bright = body - float(np.percentile(inner, 1)), float(np.percentile(inner, 99)) - body
    depth = (body - crop.astype(np.float32)) * (1 if dark > bright else -1)
    height = max(dark, bright)
    if height < 12:
        return None
    _, labels, stats, _ = cv2.connectedComponentsWithStats((depth > 0.5 * height).astype(np.uint8))
    places = []
    for number, (x, y, wide, tall, area) in enumerate(stats[1:], 1):
        radius = np.sqrt(area / np.pi) / SIDE
        at_rim = x <= 1 or y <= 1 or x + wide >= SIDE - 1 or y + tall >= SIDE - 1
        if at_rim or not SMALLEST * 0.7 < radius < LARGEST or max(wide, tall) > 1.7 * min(wide, tall):
            continue
        around = cv2.dilate((labels == number).astype(np.uint8), np.ones((5, 5), np.uint8))
        weight = np.maximum(depth, 0) * around
        rows, columns = np.mgrid[0:SIDE, 0:SIDE]
        total = float(weight.sum())
        places.append((float((weight * columns).sum()) / total, float((weight * rows).sum()) / total))
    if len(places) != count:
        return None
    back = cv2.perspectiveTransform(np.array(places)[:, None], np.linalg.inv(onto))
    return np.asarray(back[:, 0], np.float64)
