"""Small patches of a table's surface: where a picture has clear ones, and whether two pictures show the same.

Light changes all the time: so patches are compared by their pattern, not their brightness.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

PATCH = 21
"""Side of a patch, pixels of the reduced picture."""


def reduced_grey(image: Image, scale: float) -> Image:
    """The picture in grey, smaller."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    smaller = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    return np.asarray(smaller, np.uint8)


def evened(grey: Image) -> Image:
    """A grey picture with its light evened out: each place compared with its surroundings."""
    small = cv2.GaussianBlur(grey, (0, 0), 1.0).astype(np.float32)
    mean = cv2.blur(small, (31, 31))
    spread = cv2.sqrt(np.maximum(cv2.blur(cv2.multiply(small - mean, small - mean), (31, 31)), 0))
    even = (small - mean) / (spread + 3.0)
    return np.asarray(np.clip(even * 42 + 128, 0, 255), np.uint8)


def clear_places(picture: Image, mask: Image, count: int) -> Array:
    """(n, 2) clear places to hold on to, at most so many, spread over the mask."""
    points = cv2.goodFeaturesToTrack(picture, 4 * count, 0.08, 14, mask=mask, blockSize=7)
    if points is None:
        return np.zeros((0, 2))
    points = np.asarray(points, np.float64).reshape(-1, 2)
    chosen: list[int] = []
    apart = np.full(len(points), np.inf)
    for _ in range(min(count, len(points))):  # always the one farthest from those chosen: clear ones first, then spread
        pick = 0 if not chosen else int(np.argmax(apart))
        chosen.append(pick)
        apart = np.minimum(apart, np.linalg.norm(points - points[pick], axis=1))
    return points[chosen]


def iou(one: Image, at: Array, other: Image, there: Array) -> Array:
    """(n,) correlation of the patches around (n, 2) places of one picture and of another; -1 where one leaves the picture."""
    height, width = other.shape
    inside = ((there > PATCH / 2) & (there < np.array([width, height]) - PATCH / 2)).all(axis=1)
    out = np.full(len(at), -1.0)
    if inside.any():
        first, second = _patches(one, at[inside]), _patches(other, there[inside])
        norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
        out[inside] = (first * second).sum(axis=1) / np.maximum(norms, 1e-6)
    return out


def _patches(picture: Image, places: Array) -> Array:
    """(n, PATCH²) the patches around (n, 2) places, each less its mean."""
    cut = [cv2.getRectSubPix(picture, (PATCH, PATCH), (x, y)) for x, y in places.tolist()]
    patches = np.stack(cut).reshape(len(cut), -1).astype(np.float64)
    patches -= patches.mean(axis=1, keepdims=True)
    return patches
