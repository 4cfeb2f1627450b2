"""Which parts of the picture changed, light set aside: two small pictures of one view are compared.

Lamps, clouds and automatic exposure change brightness smoothly over the picture, so the smooth part of the change is
fitted and taken away; what stays is a tile, a hand or a shadow with an edge.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.medians import medians
from vision.observation import Array
from vision.rectify import ImagePyramid

Mask = NDArray[np.bool_]

SMALL = 320
"""Longer side of the pictures that are compared, pixels."""

DARK = 16.0
"""Levels added before brightnesses are compared as ratios."""

NOTICEABLE = 0.13
"""Ratios beyond this, as logarithms, are changes."""

BURNT = float(np.log(240 + DARK))
"""What is as bright as this may be any brighter: cameras show little difference there, or none."""

_LOGARITHMS = np.log(np.arange(256, dtype=np.float32) + np.float32(DARK))

USUAL = 0.06
"""What differs by more than this from the smooth change of light says little about light."""

SAMPLES = 32
"""Places along the longer side at which the smooth change of light is measured."""


@dataclass(frozen=True, slots=True)
class Blob:
    """One connected changed region of a small picture. box: x0, y0, x1, y1. area in pixels. edge: it touches the border."""

    label: int
    box: tuple[int, int, int, int]
    area: int
    edge: bool


def small(pyramid: ImagePyramid) -> Image:
    """The picture as it is compared: longer side 320 pixels, or as it is where that is smaller."""
    height, width = pyramid.size(0).shape[:2]
    factor = max(height, width) / SMALL
    if factor <= 1:
        return pyramid.size(0)
    halved = pyramid.size(int(math.log2(factor)))  # halving is quick, and what is left is less than that
    size = (round(width / factor), round(height / factor))
    return np.asarray(cv2.resize(halved, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def logarithms(image: Image) -> Array:
    """(h, w, 3) float32 logarithms of brightness, of a small picture."""
    return np.asarray(cv2.LUT(image, _LOGARITHMS), np.float32)


def changed(old: Array, new: Array, seen: Mask | None = None) -> tuple[Mask, Array]:
    """(h, w) where two pictures differ by more than light, and (h, w, 3) by how much; both given as logarithms.

    seen: (h, w) where both show the table.
    """
    rest = new - old
    rest -= _smooth_part(rest, seen)
    strong: Mask = cv2.inRange(rest, (-NOTICEABLE,) * 3, (NOTICEABLE,) * 3) == 0
    if seen is not None:
        strong &= seen
    if strong.any():
        box = bounds(strong, 1)
        rest[box] = _told_by_burnt(rest[box], old[box], new[box])
        strong[box] &= highest(np.abs(rest[box])) > NOTICEABLE
    return strong, rest


def _told_by_burnt(rest: Array, old: Array, new: Array) -> Array:
    """The difference, where nobody knows how bright what is burnt out was or is: white paper stays as it is in any light."""
    return np.where(((new > BURNT) & (rest < 0)) | ((old > BURNT) & (rest > 0)), np.float32(0), rest)


def beyond_neighbours(change: Mask, difference: Array, new: Array) -> Mask:
    """The changes without those that a slip by part of a pixel makes: what lies between lowest and highest neighbours is none.
    All as `changed` has them, of pictures that were not taken from the same place."""
    return np.asarray(change & (off_neighbours(new - difference, new) > NOTICEABLE), np.bool_)


def off_neighbours(old: Array, new: Array) -> Array:
    """(h, w) by how much one of two pictures lies beyond the lowest and highest of the other's neighbours there, each colour by
    itself; both given as logarithms."""
    kernel = np.ones((3, 3), np.uint8)
    over = np.maximum(new - cv2.dilate(old, kernel), cv2.erode(old, kernel) - new)
    back = np.maximum(old - cv2.dilate(new, kernel), cv2.erode(new, kernel) - old)
    return highest(np.maximum(over, back))


def bounds(mask: Mask, margin: int) -> tuple[slice, slice]:
    """The rows and columns that hold all of a mask, which is not empty, and a margin around them."""
    x, y, width, height = cv2.boundingRect(mask.view(np.uint8))
    return slice(max(0, y - margin), y + height + margin), slice(max(0, x - margin), x + width + margin)


def highest(picture: NDArray[Any]) -> NDArray[Any]:
    """(h, w) the highest of three channels; quicker than to reduce along the last axis."""
    out: NDArray[Any] = np.maximum(np.maximum(picture[..., 0], picture[..., 1]), picture[..., 2])
    return out


def mixed(picture: NDArray[Any], other: NDArray[Any], where: Mask) -> NDArray[Any]:
    """A picture, (h, w, 3), with another where a mask, (h, w), has it so; many times quicker than numpy's `where`."""
    return np.asarray(cv2.copyTo(other, where.view(np.uint8), picture.copy()))


def _smooth_part(difference: Array, seen: Mask | None) -> Array:
    """(h, w, 3) the best quadratic through the difference of each colour; what sticks out of it weighs little."""
    height, width = difference.shape[:2]
    step = max(1, max(height, width) // SAMPLES)
    samples = difference[::step, ::step]
    rows, columns = samples.shape[:2]
    flat, terms = np.ascontiguousarray(samples).reshape(-1, 3), _terms(rows, columns)
    weights = np.ones(len(flat), np.float32) if seen is None else seen[::step, ::step].ravel().astype(np.float32)
    first = medians(flat[weights > 0].T) if (weights > 0).any() else np.zeros(3, np.float32)
    fitted = np.broadcast_to(first, flat.shape)
    for _ in range(4):
        outside = np.square(highest(np.abs(flat - fitted)) / np.float32(USUAL))
        weighed = (terms * (weights / (1 + outside * outside))[:, None]).T
        fitted = terms @ np.linalg.solve(weighed @ terms + _STEADY, weighed @ flat)
    whole = (columns * step, rows * step)
    smooth = cv2.resize(fitted.reshape(rows, columns, 3), whole, interpolation=cv2.INTER_LINEAR)
    return np.asarray(smooth[:height, :width], np.float32)


_STEADY = np.eye(6, dtype=np.float32) * np.float32(1e-3)


@cache
def _terms(rows: int, columns: int) -> Array:
    """(rows * columns, 6) 1, x, y, xy, xx, yy over a grid."""
    down, across = np.meshgrid(np.linspace(-0.5, 0.5, rows), np.linspace(-0.5, 0.5, columns), indexing="ij")
    x, y = across.ravel(), down.ravel()
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=1).astype(np.float32)


def blobs(mask: Mask, least: int) -> tuple[NDArray[np.int32], list[Blob]]:
    """The labels (h, w) of connected regions, and those of at least `least` pixels."""
    labels = np.zeros(mask.shape, np.int32)
    if not mask.any():
        return labels, []
    (height, width), (rows, columns) = mask.shape, bounds(mask, 0)
    x0, y0 = columns.start & ~1, rows.start & ~1  # regions are numbered by blocks of 2x2 pixels
    box = slice(y0, rows.stop), slice(x0, columns.stop)
    _, labels[box], stats, _ = cv2.connectedComponentsWithStats(mask[box].view(np.uint8), connectivity=8)
    found = []
    for label, (x, y, w, h, area) in enumerate(stats.tolist()):
        if label > 0 and area >= least:
            x, y = x + x0, y + y0
            found.append(Blob(label, (x, y, x + w, y + h), area, x <= 0 or y <= 0 or x + w >= width or y + h >= height))
    return labels, found
