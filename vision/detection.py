"""A tile as one look shows it, before it is known which of the table's tiles it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.observation import Array
from vision.reading import HIGHEST_END

Mapping = Callable[[Array], Array]

UNKNOWN = np.full((2, HIGHEST_END + 1), 1 / (HIGHEST_END + 1), np.float32)


def as_it_is(points: Array) -> Array:
    """Where nothing is calibrated the table is the picture."""
    return points


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One tile in one picture.

    corners: (4, 2) on the table, in its units, in the picture where no table is known; 0 and 1 bound the first half. pixels: the
    same in the camera's picture.
    probabilities: (2, 16) of each half's pips. back: it lies face down. score: probability that it is read right.
    half_hidden: its second half lies under another tile, and is taken to show the same. kinds: (3,) face, back, nothing.
    """

    corners: Array
    pixels: Array
    probabilities: Array
    back: bool
    score: float
    half_hidden: bool = False
    kinds: Array | None = None

    @property
    def ends(self) -> tuple[int, int] | None:
        """Pips of the first and second half, None for a tile face down."""
        if self.back:
            return None
        first, second = self.probabilities.argmax(axis=1)
        return int(first), int(second)


def half_of(corners: Array) -> float:
    """The side of a half of a tile with these corners, (4, 2)."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    twice = abs((cx - ax) * (dy - by) - (cy - ay) * (dx - bx))  # the product of the diagonals
    return math.sqrt(twice / 4)


def middles_of(corners: Array) -> Array:
    """(..., 2, 2) the middles of both halves of tiles with these corners, (..., 4, 2)."""
    ends = corners.reshape(*corners.shape[:-2], 2, 2, 2).mean(axis=-2)
    return np.asarray((corners.mean(axis=-2, keepdims=True) + ends) / 2, np.float32)


def pixels_of(found: Iterable[Detection]) -> Array:
    """(n, 4, 2) their corners in the camera's picture."""
    return np.array([each.pixels for each in found], np.float32).reshape(-1, 4, 2)


def placed(found: Sequence[Detection], to_table: Mapping) -> list[Detection]:
    """The same, where `to_table` has their pixels on the table: all at once, as a lens is undone step by step."""
    return [replace(each, corners=at) for each, at in zip(found, to_table(pixels_of(found)), strict=True)]


def aligned(detection: Detection, corners: Array) -> tuple[Array, Array]:
    """The sighting's corners and probabilities, named from the half that is the first one in `corners`."""
    straight = np.abs(detection.corners - corners).sum()
    if np.abs(turned(detection.corners) - corners).sum() < straight:
        return turned(detection.corners), detection.probabilities[::-1]
    return detection.corners, detection.probabilities


def turned(corners: Array) -> Array:
    """The same tile named from its other half."""
    return corners[..., [2, 3, 0, 1], :]


def points_within(along: NDArray[np.float64], across: NDArray[np.float64]) -> Array:
    """(n, 4) weights of a tile's corners that give points on it: every one of these parts of its length with every one of these
    parts of its width, from its first corner."""
    u, v = (each.ravel() for each in np.meshgrid(along, across))
    return np.stack([(1 - u) * (1 - v), (1 - u) * v, u * v, u * (1 - v)], axis=1).astype(np.float32)


def same_face(first: tuple[int, int] | None, second: tuple[int, int] | None) -> bool:
    """Whether both show the same two ends in either order, or both lie face down."""
    if first is None or second is None:
        return first is second
    return sorted(first) == sorted(second)
