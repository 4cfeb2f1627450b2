"""Shards of made-up photographs on disk, made by all cores, resumable, the same for the same seed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.games import game_scene
from simulator.noise import log_between
from simulator.pathtraced import traced_scene
from simulator.scene import Scene, make_scene
from simulator.table_scenes import table_scene
from simulator.tabletop.look import TESTING_SEEDS
from simulator.wide import wide_scene

SIZE = 448
SHARD = 250
SMALLEST_HALF, LARGEST_HALF = 10.0, 92.0


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """images: (n, SIZE, SIZE, 3) uint8; the tiles of image i are rows first[i]:first[i+1] of the other arrays."""

    images: NDArray[np.uint8]
    first: NDArray[np.int64]
    corners: NDArray[np.float32]  # (t, 4, 2)
    ends: NDArray[np.int8]  # (t, 2), -1 for backs
    visible: NDArray[np.float32]  # (t, 2)
    sure: NDArray[np.bool_]  # (t,)


def shard_of(scenes: Sequence[Scene]) -> Shard:
    """Pictures of one size, and the truth about all of them."""
    tiles = [t for s in scenes for t in s.tiles]
    return Shard(
        np.stack([s.image for s in scenes]),
        first=np.cumsum([0] + [len(s.tiles) for s in scenes]),
        corners=np.array([t.corners for t in tiles], np.float32).reshape(-1, 4, 2),
        ends=np.array([t.ends or (-1, -1) for t in tiles], np.int8).reshape(-1, 2),
        visible=np.array([t.visible for t in tiles], np.float32).reshape(-1, 2),
        sure=np.array([t.sure for t in tiles], np.bool_),
    )


def scene_of(seed: int, index: int) -> Scene:
    """Training scene number `index`: halves from 10 to 92 pixels wide."""
    rng = np.random.default_rng([seed, index])
    return make_scene(SIZE, SIZE, log_between(rng, SMALLEST_HALF, LARGEST_HALF), rng)


def traced_scene_of(seed: int, index: int) -> Scene:
    """Path-traced scene number `index`, of the same sizes; some hundred times slower to make."""
    rng = np.random.default_rng([seed, index])
    return traced_scene(SIZE, SIZE, log_between(rng, SMALLEST_HALF, LARGEST_HALF), rng)


def bare_scene_of(seed: int, index: int) -> Scene:
    """Scene number `index` of a table without tiles."""
    rng = np.random.default_rng([seed, index])
    return make_scene(SIZE, SIZE, log_between(rng, SMALLEST_HALF, LARGEST_HALF), rng, bare=True)


def game_scene_of(seed: int, index: int) -> Scene:
    """Scene number `index` of a game: tiles upon tiles, a boneyard, and other pieces strewn about."""
    rng = np.random.default_rng([seed, index])
    return game_scene(SIZE, SIZE, log_between(rng, SMALLEST_HALF, LARGEST_HALF), rng)


def wide_scene_of(seed: int, index: int) -> Scene:
    """Scene number `index` of what is hard to find: packed tiles, low views, tiles on edge, things like tiles."""
    rng = np.random.default_rng([seed, index])
    return wide_scene(SIZE, SIZE, log_between(rng, SMALLEST_HALF, LARGEST_HALF), rng)


def table_scene_of(seed: int, index: int) -> Scene:
    """Window number `index` on tables of all games, as the camera over them sees them."""
    return table_scene(SIZE, seed, index)


def _write(folder: Path, seed: int, maker: Callable[[int, int], Scene], size: int, number: int) -> int:
    """Make one shard, unless it is there; returns how many pictures were made."""
    cv2.setNumThreads(1)
    target = folder / f"{number:05d}.npz"
    if target.exists():
        return 0
    shard = shard_of([maker(seed, number * size + i) for i in range(size)])
    np.save(folder / f"{number:05d}.npy", shard.images)
    part = folder / f"{number:05d}.part.npz"
    np.savez(part, first=shard.first, corners=shard.corners, ends=shard.ends, visible=shard.visible, sure=shard.sure)
    part.rename(target)
    return size


def refuse_testing(seed: int) -> None:
    """ValueError for a seed that is reserved for testing."""
    if seed in TESTING_SEEDS:
        raise ValueError(f"the seeds from {TESTING_SEEDS.start} on are for testing: nothing is trained on them, so not on {seed}")


def make_shards(folder: Path, seed: int, scenes: int, workers: int,
                maker: Callable[[int, int], Scene] = scene_of, size: int = SHARD) -> None:
    """Fill `folder` with shards of `size` for `scenes` pictures; those already there are kept.

    ValueError for a seed that is reserved for testing.
    """
    refuse_testing(seed)
    folder.mkdir(parents=True, exist_ok=True)
    count, done, start = -(-scenes // size), 0, time.perf_counter()
    with workforce(workers) as pool:
        for made in pool.map(partial(_write, folder, seed, maker, size), range(count)):
            done += made
            print(f"\r{done} pictures, {done / (time.perf_counter() - start):.1f} a second", end="", flush=True)
    print()


def workforce(workers: int) -> ProcessPoolExecutor:
    """Processes that start afresh: a copy of a process whose network has run in several threads would hang."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


def load_shards(folder: Path) -> list[Shard]:
    """All finished shards; pictures stay on disk until they are looked at."""
    return list(_shards(folder))


def _shards(folder: Path) -> Iterator[Shard]:
    for truth in sorted(folder.glob("?????.npz")):
        with np.load(truth) as data:
            images = np.load(truth.with_suffix(".npy"), mmap_mode="r")
            yield Shard(images, data["first"], data["corners"], data["ends"], data["visible"], data["sure"])
