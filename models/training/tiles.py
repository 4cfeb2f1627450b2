"""Straightened tiles for the tile reader: true tiles a little off, what the detector proposes, and what is no tile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.data import Shard, load_shards, workforce
from vision.halves import overlap
from vision.rectify import HEIGHT, WIDTH, ImagePyramid

Array = NDArray[np.float32]
FACE, BACK, NOTHING, UNKNOWN = 0, 1, 2, -1


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """What a straightened tile shows; ends are in the order of its corners."""

    kind: int
    ends: tuple[int, int]


def label_of(corners: Array, shard: Shard, rows: slice) -> Label:
    """What is true of a proposal: the tile it fits, nothing, or unknown where it fits halfway."""
    truth = shard.corners[rows]
    nothing, unknown = Label(NOTHING, (-1, -1)), Label(UNKNOWN, (-1, -1))
    if len(truth) == 0:
        return nothing
    side = np.sqrt(max(cv2.contourArea(corners), 1e-3) / 2)
    direct = np.linalg.norm(truth - corners, axis=2).mean(axis=1) / side
    turned = np.linalg.norm(np.roll(truth, 2, axis=1) - corners, axis=2).mean(axis=1) / side
    miss = np.minimum(direct, turned)
    best = int(miss.argmin())
    visible = shard.visible[rows][best]
    if miss[best] < 0.25:
        if not shard.sure[rows][best] or visible.min() < 0.8:
            return unknown
        first, second = (int(v) for v in shard.ends[rows][best])
        if first < 0:
            return Label(BACK, (-1, -1))
        return Label(FACE, (first, second) if direct[best] <= turned[best] else (second, first))
    near = np.flatnonzero(np.linalg.norm(truth.mean(axis=1) - corners.mean(axis=0), axis=1) < 3.5 * side)
    touched = [i for i in near if overlap(corners, truth[i]) > 0.15]
    if any(not shard.sure[rows][i] or shard.visible[rows][i].min() < 0.8 for i in touched):
        return unknown
    if touched and min(miss[i] for i in touched) < 0.45:
        return unknown
    return nothing


def _shaken(corners: Array, rng: np.random.Generator, much: float) -> Array:
    """The same tile seen a little off, as detectors do; sometimes from its other end."""
    side = np.sqrt(max(cv2.contourArea(corners), 1.0) / 2)
    out = corners + rng.normal(0, 0.03 * much, (4, 2)) * side + rng.normal(0, 0.035 * much, 2) * side
    centre = out.mean(axis=0)
    out = centre + (out - centre) * (1 + rng.normal(0, 0.035 * much))
    return (np.roll(out, 2, axis=0) if rng.random() < 0.5 else out).astype(np.float32)


def _astray(corners: Array, rng: np.random.Generator) -> Array:
    """A place where somebody might see a tile across two others: shifted by a half, or turned across."""
    along, across = corners[2] - corners[1], corners[0] - corners[1]
    kind = rng.random()
    if kind < 0.4:
        return (corners + along * 0.5 * rng.choice([-1, 1]) + across * rng.normal(0, 0.1)).astype(np.float32)
    if kind < 0.7:
        return (corners + across * rng.choice([-1, 1]) * rng.uniform(0.4, 1.0) + along * rng.normal(0, 0.1)).astype(np.float32)
    middle = corners[1] + along * rng.choice([0.25, 0.75]) + across * 0.5
    turned = np.array([-across - along / 4, across * -1 + along / 4, across + along / 4, across - along / 4])
    shift = across * rng.choice([-0.5, 0.5])
    return (middle + shift + turned).astype(np.float32)


def _anywhere(size: int, rng: np.random.Generator) -> Array:
    """A place on the bare table."""
    side = np.exp(rng.uniform(np.log(10), np.log(90)))
    angle, centre = rng.uniform(0, 2 * np.pi), rng.uniform(0, size, 2)
    u, v = np.array([np.cos(angle), np.sin(angle)]) * side, np.array([-np.sin(angle), np.cos(angle)]) * side / 2
    return (centre + np.stack([-u + v, -u - v, u - v, u + v])).astype(np.float32)


def crops_of(shard: Shard, propose: Callable[[NDArray[np.uint8]], Array] | None,
             rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """Straightened tiles (n, 64, 112, 3) of one shard and their labels (n, 3): kind, first, second end.

    propose: further places of a picture to show, (n, 4, 2).
    """
    pictures, labels = [], []
    size = shard.images.shape[1]
    for index in range(len(shard.images)):
        rows = slice(int(shard.first[index]), int(shard.first[index + 1]))
        image = np.asarray(shard.images[index])
        places = []
        for corners in shard.corners[rows]:
            places.append(_shaken(corners, rng, 1.0))
            if rng.random() < 0.3:
                places.append(_astray(corners, rng))
        places += [_anywhere(size, rng) for _ in range(2)]
        if propose is not None:
            places += [np.roll(c, 2, axis=0) if rng.random() < 0.5 else c for c in propose(image)]
        chosen = [(p, label_of(p, shard, rows)) for p in places]
        chosen = [(p, what) for p, what in chosen if what.kind != UNKNOWN]
        if chosen:
            pictures.append(ImagePyramid(image).warp_crops(np.stack([p for p, _ in chosen])))
            labels.append(np.array([(what.kind, *what.ends) for _, what in chosen], np.int8))
    return np.concatenate(pictures), np.concatenate(labels)


def _one(folder: Path, out: Path, detector: Path | None, seed: int, number: int) -> int:
    target = out / f"{number:05d}.npz"
    if target.exists():
        return 0
    cv2.setNumThreads(1)
    propose: Callable[[NDArray[np.uint8]], Array] | None = None
    if detector is not None:
        from vision.finder import Finder

        finder = Finder(detector, threads=1)

        def propose(image: NDArray[np.uint8]) -> Array:
            return finder.look(ImagePyramid(image), 1.0).corners

    shard = load_shards(folder)[number]
    pictures, labels = crops_of(shard, propose, np.random.default_rng([seed, number]))
    part = out / f"{number:05d}.part.npz"
    np.savez(part, pictures=pictures, labels=labels)
    part.rename(target)
    return len(labels)


def make_crops(folder: Path, out: Path, detector: Path | None, seed: int, workers: int, most: int) -> None:
    """Cut the tiles of the first `most` shards in `folder`; those already cut are kept."""
    out.mkdir(parents=True, exist_ok=True)
    with workforce(workers) as pool:
        made = sum(pool.map(partial(_one, folder, out, detector, seed), range(min(most, len(load_shards(folder))))))
    print(f"{made} tiles cut")


def load_crops(folder: Path) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """All crops and labels of a folder, in memory."""
    paths = sorted(folder.glob("?????.npz"))
    labels = [np.load(path)["labels"] for path in paths]
    pictures = np.empty((sum(map(len, labels)), HEIGHT, WIDTH, 3), np.uint8)
    row = 0
    for path, some in zip(paths, labels, strict=True):
        pictures[row : row + len(some)] = np.load(path)["pictures"]
        row += len(some)
    return pictures, np.concatenate(labels)
