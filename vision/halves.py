"""From the detector's maps to tiles: peaks are halves, two halves that point at each other are a tile."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.observation import Array

CELL = 4
"""Pixels of the detector's picture per cell of its maps."""

REACH = 16.0
"""Pixels per unit of the geometry maps."""

FACE, BACK = 0, 1


@dataclass(frozen=True, slots=True, eq=False)
class Halves:
    """Halves found in one picture, n of them, in that picture's pixels.

    kind: (n,) FACE or BACK. objectness: (n,) 0..1. centre: (n, 2). partner: (n, 2) where the other half should be.
    outer: (n, 2, 2) the tile's two corners on this half's side.
    """

    kind: NDArray[np.int64]
    objectness: Array
    centre: Array
    partner: Array
    outer: Array


@dataclass(frozen=True, slots=True, eq=False)
class Proposals:
    """Where tiles may lie: corners (n, 4, 2) as in `ReadTile`, objectness (n,) 0..1."""

    corners: Array
    objectness: Array

    @property
    def side(self) -> Array:
        """(n,) typical width of a half in pixels: the square root of half the tile's area."""
        return np.asarray(np.sqrt(areas(self.corners) / 2), np.float32)

    def take(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> Proposals:
        return Proposals(self.corners[which], self.objectness[which])


NOTHING = Proposals(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))


def join(parts: list[Proposals]) -> Proposals:
    """Several sets of proposals as one."""
    return Proposals(np.concatenate([p.corners for p in parts]), np.concatenate([p.objectness for p in parts]))


def find_halves(maps: Array, lowest: float) -> Halves:
    """Peaks of the two heat maps; maps (40, h, w) as the detector gives them: of each of its ten the cells of 2x2 blocks."""
    height, width = maps.shape[1:]
    heat, geometry = np.split(maps.reshape(-1, 2, 2, height, width), [2])  # of faces and of backs, as log odds
    objectness = np.empty((2, 2 * height, 2 * width), np.float32)
    for down, right in np.ndindex(2, 2):  # many times quicker than numpy's transpose
        objectness[:, down::2, right::2] = heat[:, down, right]
    highest = np.stack([cv2.dilate(channel, np.ones((3, 3), np.uint8)) for channel in objectness])
    peaks = (objectness >= highest) & (objectness > math.log(lowest / (1 - lowest)))
    kind, row, column = np.unravel_index(np.flatnonzero(peaks), peaks.shape)  # nonzero() by itself takes far longer
    geometry = geometry[:, row % 2, column % 2, row // 2, column // 2].T * REACH
    cell = (np.stack([column, row], axis=1).astype(np.float32) + 0.5) * CELL
    centre = cell + geometry[:, :2]
    outer = centre[:, None] + geometry[:, 4:].reshape(-1, 2, 2)
    probability = np.asarray(1 / (1 + np.exp(-objectness[kind, row, column])), np.float32)
    return Halves(kind, probability, centre, centre + geometry[:, 2:4], outer)


def pair_halves(halves: Halves, alone: float) -> Proposals:
    """Tiles from halves that point at each other; where a half without a partner is hotter than `alone`
    the other one was missed, and it is completed by itself."""
    count = len(halves.objectness)
    if count == 0:
        return NOTHING
    span = np.linalg.norm(halves.partner - halves.centre, axis=1)
    miss = np.linalg.norm(halves.partner[:, None] - halves.centre[None], axis=2)
    cost = (miss + miss.T) / np.maximum(span[:, None] + span[None], 1e-3)
    cost[halves.kind[:, None] != halves.kind[None]] += 0.2
    np.fill_diagonal(cost, np.inf)
    best = cost.argmin(axis=1)
    index = np.arange(count)
    paired = (best[best] == index) & (cost[index, best] < 0.45)
    first = index[paired & (index < best)]
    second = best[first]
    single = index[~paired & (halves.objectness > alone)]
    mirrored = (halves.centre + halves.partner)[:, None] - halves.outer
    corners = np.concatenate([
        np.concatenate([halves.outer[first], halves.outer[second]], axis=1),
        np.concatenate([halves.outer[single], mirrored[single]], axis=1),
    ])
    objectness = np.concatenate([np.sqrt(halves.objectness[first] * halves.objectness[second]), 0.5 * halves.objectness[single]])
    return Proposals(corners.astype(np.float32), objectness.astype(np.float32))


def areas(corners: Array) -> Array:
    """(n,) of quadrangles, (n, 4, 2)."""
    x, y = corners[..., 0], corners[..., 1]
    return np.asarray(np.abs((x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)) / 2)


def overlap(first: Array, second: Array) -> float:
    """Shared area of two convex quadrilaterals over the smaller one's."""
    smaller = min(cv2.contourArea(first), cv2.contourArea(second))
    return _shared(first, second) / smaller if smaller > 0 else 0.0


def iou(first: Array, second: Array) -> float:
    """Shared area of two convex quadrilaterals over the area that both cover together."""
    shared = _shared(first, second)
    together = cv2.contourArea(first) + cv2.contourArea(second) - shared
    return shared / together if together > 0 else 0.0


def lie_on(places: Array, tiles: Array, most: float, measure: Callable[[Array, Array], float] = overlap) -> NDArray[np.bool_]:
    """(n,) which places, (n, 4, 2), measure more than `most` against any of some tiles, (m, 4, 2)."""
    if not len(places) or not len(tiles):
        return np.zeros(len(places), np.bool_)
    return np.array([any(measure(place, tiles[at]) > most for at in np.flatnonzero(beside))
                     for place, beside in zip(places, may_touch(places, tiles), strict=True)], np.bool_)


def may_touch(first: Array, second: Array) -> NDArray[np.bool_]:
    """(n, m) whether places, (n, 4, 2) and (m, 4, 2), are near enough to share anything: the circles around them meet."""
    middles, others = first.mean(axis=1), second.mean(axis=1)
    reach, far = (np.linalg.norm(each - each.mean(axis=1, keepdims=True), axis=2).max(axis=1) for each in (first, second))
    return np.asarray(np.linalg.norm(middles[:, None] - others[None], axis=2) < reach[:, None] + far[None])


def _shared(first: Array, second: Array) -> float:
    """Shared area of two convex quadrilaterals, whose sides OpenCV must not find on one line: it may tell nothing then, or twice
    as much, even of one that lies on itself."""
    return float(cv2.intersectConvexConvex(first, _A_LITTLE_SMALLER @ second)[0])


_A_LITTLE_SMALLER = (0.999 * np.eye(4) + 0.001 / 4).astype(np.float32)


def non_max_suppression(corners: Array, strength: Array, most: float,
                        measure: Callable[[Array, Array], float] = overlap) -> NDArray[np.int64]:
    """Indices of tiles to keep, strongest first, so that no two measure more than `most` against each other."""
    near = may_touch(corners, corners)
    kept: list[int] = []
    is_kept = np.zeros(len(corners), np.bool_)
    for index in np.argsort(-strength, kind="stable"):
        rivals = np.flatnonzero(near[index] & is_kept)
        if all(measure(corners[index], corners[k]) <= most for k in rivals):
            kept.append(int(index))
            is_kept[index] = True
    return np.array(kept, np.int64)
