"""Shards of made-up photographs of piecepack pieces on disk: several of each of thousands of editions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.data import refuse_testing, workforce
from vision.synthetic.editions import CHIP_COLOURS, common_editions, edition
from vision.synthetic.noise import log_between
from vision.synthetic.piece_scene import PieceScene, piece_scene
from vision.synthetic.pieces import PIECE_LABELS, labels_of, size_of

Array = NDArray[np.float32]

SIZE = 512
PICTURES = 4
"""Pictures of each edition."""

SHARD = 25
"""Editions in a shard, at most."""

KINDS = ("coin", "die", "pawn", "chip")
NAMES = (*(label for labels in PIECE_LABELS.values() for label in labels), *CHIP_COLOURS)
"""Every label there is; numbers in shards stand for places in this list."""

COMMON_SHARE = 0.12


@dataclass(frozen=True, slots=True, eq=False)
class PieceShard:
    """p pictures; their n pieces, m other things, lengths in millimetres in a table frame with y down.

    images: (p, SIZE, SIZE, 3) uint8. canonical: (p,) whether the edition's marks mean what they do everywhere.
    plane: (p, 3, 3) from millimetres to pixels. eye: (p, 3) the camera. picture: (n,) the picture a piece is in.
    kind, name: (n,) places in `KINDS` and `NAMES`. place: (n, 3) foot's x, y, z. size: (n, 2) radius and height.
    visible: (n,). others: (m, 4) picture, x, y, radius of things that are no pieces.
    """

    images: NDArray[np.uint8]
    canonical: NDArray[np.bool_]
    plane: NDArray[np.float64]
    eye: Array
    picture: NDArray[np.int32]
    kind: NDArray[np.int8]
    name: NDArray[np.int16]
    place: Array
    size: Array
    visible: Array
    others: Array


def _scenes(seed: int, number: int) -> list[tuple[PieceScene, bool, list[tuple[float, float]]]]:
    """The pictures of edition `number`, whether its marks are common, and the sizes of the pieces in each."""
    rng = np.random.default_rng([seed, number])
    every = list(common_editions().values())
    made = every[int(rng.integers(len(every)))] if rng.random() < COMMON_SHARE else edition(rng)
    out = []
    for _ in range(PICTURES):
        scene = piece_scene(SIZE, SIZE, log_between(rng, 17, 44), made, rng)
        out.append((scene, made.canonical, [size_of(t.piece, made, 1.0) for t in scene.pieces]))
    assert set(labels_of(made)) == set(KINDS)
    return out


def _write(folder: Path, seed: int, each: int, number: int) -> int:
    """Make one shard, unless it is there; returns how many pictures were made."""
    cv2.setNumThreads(1)
    target = folder / f"{number:05d}.npz"
    if target.exists():
        return 0
    scenes = [scene for k in range(each) for scene in _scenes(seed, number * each + k)]
    np.save(folder / f"{number:05d}.npy", np.stack([scene.image for scene, _, _ in scenes]))
    flip = np.diag([1.0, -1.0, 1.0])
    planes, eyes, picture, kind, name, place, size, visible, others = [], [], [], [], [], [], [], [], []
    for k, (scene, _, sizes) in enumerate(scenes):
        unit = scene.unit_mm
        planes.append(scene.view.plane(0.0) @ np.diag([1 / unit, 1 / unit, 1.0]) @ flip)
        eyes.append(scene.view.position * (unit, -unit, unit))
        for told, measures in zip(scene.pieces, sizes, strict=True):
            piece = told.piece
            picture.append(k)
            kind.append(KINDS.index(piece.kind))
            name.append(NAMES.index(piece.label))
            place.append((piece.x * unit, -piece.y * unit, piece.z * unit))
            size.append(measures)
            visible.append(told.visible)
        others += [(k, x * unit, -y * unit, radius * unit) for x, y, radius in scene.others]
    part = folder / f"{number:05d}.part.npz"
    np.savez(
        part,
        canonical=np.array([common for _, common, _ in scenes]),
        plane=np.array(planes),
        eye=np.array(eyes, np.float32),
        picture=np.array(picture, np.int32),
        kind=np.array(kind, np.int8),
        name=np.array(name, np.int16),
        place=np.array(place, np.float32).reshape(-1, 3),
        size=np.array(size, np.float32).reshape(-1, 2),
        visible=np.array(visible, np.float32),
        others=np.array(others, np.float32).reshape(-1, 4),
    )
    part.rename(target)
    return len(scenes)


def make_shards(folder: Path, seed: int, editions: int, workers: int) -> None:
    """Fill `folder` with shards for so many editions; those already there are kept.

    ValueError for a seed that is reserved for testing.
    """
    refuse_testing(seed)
    folder.mkdir(parents=True, exist_ok=True)
    each = min(SHARD, editions)
    count, done, start = -(-editions // each), 0, time.perf_counter()
    with workforce(workers) as pool:
        for made in pool.map(partial(_write, folder, seed, each), range(count)):
            done += made
            print(f"\r{done} pictures, {done / (time.perf_counter() - start):.1f} a second", end="", flush=True)
    print()


def load_shards(folder: Path) -> list[PieceShard]:
    """All finished shards; pictures stay on disk until they are looked at."""
    return list(_shards(folder))


def _shards(folder: Path) -> Iterator[PieceShard]:
    names = [field.name for field in fields(PieceShard)][1:]
    for truth in sorted(folder.glob("?????.npz")):
        with np.load(truth) as data:
            yield PieceShard(np.load(truth.with_suffix(".npy"), mmap_mode="r"), *(data[name] for name in names))
