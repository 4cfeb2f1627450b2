"""What the networks are shown: crops of made-up pictures, turned and scaled anyhow, with their targets."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.data import Shard
from models.training.networks import CELL, MAPS, REACH

Array = NDArray[np.float32]
CROP = 320
SMALLEST, LARGEST = 8.0, 96.0  # halves outside this are neither right nor wrong


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One crop and what the detector should say about it; all float32, channels first.

    picture: (CROP, CROP, 3) uint8. objectness: (2, h, w). known: (1, h, w), 0 where nothing can be demanded.
    geometry: (MAPS - 2, h, w). weight: (1, h, w) of the geometry, already divided by the half's size.
    counts: (h, w) int64, -1 where unknown.
    """

    picture: NDArray[np.uint8]
    objectness: Array
    known: Array
    geometry: Array
    weight: Array
    counts: NDArray[np.int64]


def half_centres(corners: NDArray[np.floating]) -> Array:
    """(n, 4, 2) corners to (n, 2, 2) centres of both halves, true under perspective."""
    out = np.empty((len(corners), 2, 2), np.float32)
    source = np.array([[0, 1], [0, 0], [2, 0], [2, 1]], np.float32)
    middles = np.array([[[0.5, 0.5], [1.5, 0.5]]], np.float32)
    for i, quad in enumerate(corners):
        warp = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
        out[i] = cv2.perspectiveTransform(middles, warp)[0]
    return out


def random_warp(size: int, rng: np.random.Generator, around: Array | None = None) -> NDArray[np.float64]:
    """(2, 3) map from a (size, size) picture to a crop: scaled, mirrored, turned; with the point `around` somewhere in it."""
    scale = float(np.exp(rng.uniform(np.log(0.72), np.log(1.35))))
    turn = int(rng.integers(4)) * np.pi / 2 + (rng.uniform(-np.pi, np.pi) if rng.random() < 0.25 else 0.0)
    mirror = -1.0 if rng.random() < 0.5 else 1.0
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    matrix = np.array([[c * mirror, -s], [s * mirror, c]])
    room = max(0.0, size / 2 - CROP / 2 / scale)
    centre = size / 2 + rng.uniform(-1, 1, 2) * room * 1.1
    if around is not None:
        off = (around - size / 2 + rng.uniform(-0.35, 0.35, 2) * CROP / scale) / max(1.0, room)
        centre = size / 2 + np.clip(off, -1, 1) * room
    return np.column_stack([matrix, CROP / 2 - matrix @ centre])


def example(shard: Shard, index: int, rng: np.random.Generator, near: float = 0.0) -> Example:
    """A random crop of picture `index`; near: so often it is one with a certain tile in it."""
    size = shard.images.shape[1]
    rows = slice(int(shard.first[index]), int(shard.first[index + 1]))
    sure = np.flatnonzero(shard.sure[rows]) if near else np.zeros(0, np.int64)
    chosen = len(sure) and rng.random() < near
    warp = random_warp(size, rng, shard.corners[rows][rng.choice(sure)].mean(axis=0) if chosen else None)
    picture = cv2.warpAffine(np.asarray(shard.images[index]), warp, (CROP, CROP), flags=cv2.INTER_LINEAR)
    corners = (shard.corners[rows] @ warp[:, :2].T + warp[:, 2]).astype(np.float32)
    if np.linalg.det(warp[:, :2]) < 0:  # a mirrored tile keeps its corners clockwise
        corners = corners[:, [1, 0, 3, 2]]
    return _targets(_colours(picture, rng), corners, shard.ends[rows], shard.visible[rows], shard.sure[rows])


def _colours(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Another light and another camera."""
    if rng.random() < 0.7:
        gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.15))
        lift = rng.normal(0, 8)
        table = np.clip(np.arange(256)[:, None] * gain + lift, 0, 255).astype(np.uint8)
        picture = cv2.LUT(picture, table[None])
    if rng.random() < 0.05:
        picture = np.repeat(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2)
    if rng.random() < 0.05:
        picture = picture[..., ::-1]
    if rng.random() < 0.03:
        picture = 255 - picture
    return np.ascontiguousarray(picture)


def _targets(picture: NDArray[np.uint8], corners: Array, ends: NDArray[np.int8], visible: Array,
             sure: NDArray[np.bool_]) -> Example:
    cells = CROP // CELL
    objectness = np.zeros((2, cells, cells), np.float32)
    known = np.ones((1, cells, cells), np.float32)
    geometry = np.zeros((MAPS - 2, cells, cells), np.float32)
    weight = np.zeros((1, cells, cells), np.float32)
    counts = np.full((cells, cells), -1, np.int64)
    centres = half_centres(corners)
    inside = ((corners > -1.5) & (corners < CROP + 1.5)).all(axis=(1, 2))
    sides = np.linalg.norm(centres[:, 0] - centres[:, 1], axis=1)
    across = (np.linalg.norm(corners[:, 0] - corners[:, 1], axis=1) + np.linalg.norm(corners[:, 2] - corners[:, 3], axis=1)) / 2
    sizes = np.sqrt(sides * across)
    wanted = sure & inside & (visible.min(axis=1) > 0.8) & (sizes > SMALLEST) & (sizes < LARGEST)
    for i in np.flatnonzero(~wanted & (visible.max(axis=1) > 0.2)):
        mask = np.ascontiguousarray(known[0])
        cv2.fillConvexPoly(mask, np.round(corners[i] / CELL * 16).astype(np.int32), 0.0, shift=4)
        known[0] = mask
    for i in np.flatnonzero(wanted):
        back = int(ends[i, 0] < 0)
        for half in (0, 1):
            centre, partner = centres[i, half], centres[i, 1 - half]
            outer = corners[i, 2 * half : 2 * half + 2]
            _splat(objectness[back], geometry, weight, counts, centre, partner, outer, float(sizes[i]), int(ends[i, half]))
    return Example(picture, objectness, known, geometry, weight, counts)


def _splat(objectness: Array, geometry: Array, weight: Array, counts: NDArray[np.int64], centre: Array, partner: Array,
           outer: Array, size: float, count: int) -> None:
    """Draw one half: a soft peak, and its geometry on the cells close to it."""
    sigma = max(0.75, 0.15 * size / CELL)
    reach = int(np.ceil(2.5 * sigma))
    column, row = int(centre[0] // CELL), int(centre[1] // CELL)
    y0, y1 = max(0, row - reach), min(objectness.shape[0], row + reach + 1)
    x0, x1 = max(0, column - reach), min(objectness.shape[1], column + reach + 1)
    if y1 <= y0 or x1 <= x0:
        return
    ys, xs = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    dx, dy = centre[0] / CELL - 0.5 - xs, centre[1] / CELL - 0.5 - ys
    peak = np.exp(-((xs - column) ** 2 + (ys - row) ** 2) / (2 * sigma**2))
    objectness[y0:y1, x0:x1] = np.maximum(objectness[y0:y1, x0:x1], peak)
    near = (peak > 0.45) & (peak * 16.0 / size > weight[0, y0:y1, x0:x1])
    values = np.stack([dx * CELL, dy * CELL, *(np.full_like(dx, v) for v in (partner - centre)),
                       *(np.full_like(dx, v) for v in (outer - centre).ravel())]) / REACH
    geometry[:, y0:y1, x0:x1] = np.where(near, values, geometry[:, y0:y1, x0:x1])
    weight[0, y0:y1, x0:x1] = np.where(near, peak * 16.0 / size, weight[0, y0:y1, x0:x1])
    counts[y0:y1, x0:x1] = np.where(near, count, counts[y0:y1, x0:x1])
