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
from simulator.editions import CHIP_COLOURS, Edition, common_editions, edition, reprinted
from simulator.noise import between, chance, log_between
from simulator.piece_scene import piece_scene
from simulator.piece_tables import crowded_table
from simulator.pieces import PIECE_LABELS, labels_of, size_of
from simulator.tabletop.camera import Camera
from simulator.tabletop.look import TESTING_SEEDS, Look
from simulator.tabletop.lying import Chip, Coin, Die, Pawn
from simulator.tabletop.painting import as_piece
from simulator.tabletop.render import Renderer

Array = NDArray[np.float32]

SIZE = 512
PICTURES = 4
"""Pictures of each edition."""

SHARD = 25
"""Editions in a shard, at most."""

KINDS = ("coin", "die", "pawn", "chip")
NAMES = (*(label for labels in PIECE_LABELS.values() for label in labels), *CHIP_COLOURS)
"""Every label there is; numbers in shards stand for places in this list."""

COMMON_SHARE, OTHER_PRINTING = 0.4, 0.6
"""Editions that are common ones, and how many of those are of another maker or printing."""

TABLES_SHARE = 0.75
"""Editions that lie on game tables; the others on any surface."""

PAWN_FILLS = 0.75
"""About so much of the hull around a pawn does it fill."""


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


@dataclass(frozen=True, slots=True)
class Laid:
    """One piece of a picture, lengths in mm in a table frame with y down: its foot, its radius and height."""

    kind: str
    label: str
    foot: tuple[float, float, float]
    size: tuple[float, float]
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """One picture with what is true about it; plane, eye and others as in `PieceShard`."""

    image: NDArray[np.uint8]
    plane: NDArray[np.float64]
    eye: tuple[float, float, float]
    pieces: list[Laid]
    others: list[tuple[float, float, float]]


def _photos(seed: int, number: int) -> tuple[bool, list[Photo]]:
    """The pictures of edition `number`, strewn on any surface or lying on game tables; whether its marks are common."""
    rng = np.random.default_rng([seed, number])
    every = list(common_editions().values())
    if rng.random() < COMMON_SHARE:
        made = every[int(rng.integers(len(every)))]
        if rng.random() < OTHER_PRINTING:
            made = reprinted(made, rng)
    else:
        made = edition(rng)
    assert set(labels_of(made)) == set(KINDS)
    if rng.random() < TABLES_SHARE:
        look = Look.of(int(rng.integers(TESTING_SEEDS.start)))
        if rng.random() < 0.6:
            look = look.fitted(made.tile_mm[0] / 2)
        look.__dict__["edition"] = made  # in the place where it keeps its own
        return made.canonical, [_of_table(look, rng) for _ in range(PICTURES)]
    return made.canonical, [_strewn(made, rng) for _ in range(PICTURES)]


def _strewn(made: Edition, rng: np.random.Generator) -> Photo:
    """Pieces on any surface, photographed anyhow."""
    scene = piece_scene(SIZE, SIZE, log_between(rng, 17, 44), made, rng)
    unit = scene.unit_mm
    plane = scene.view.plane(0.0) @ np.diag([1 / unit, 1 / unit, 1.0]) @ np.diag([1.0, -1.0, 1.0])
    x, y, z = scene.view.position * unit
    pieces = []
    for told in scene.pieces:
        piece = told.piece
        foot = (piece.x * unit, -piece.y * unit, piece.z * unit)
        pieces.append(Laid(piece.kind, piece.label, foot, size_of(piece, made, 1.0), told.visible))
    others = [(float(x) * unit, -float(y) * unit, float(radius) * unit) for x, y, radius in scene.others]
    return Photo(scene.image, plane, (float(x), -float(y), float(z)), pieces, others)


def _of_table(look: Look, rng: np.random.Generator) -> Photo:
    """A part of a game table, as a camera over it sees it."""
    high, scale = between(rng, 650, 1200), log_between(rng, 0.9, 1.5) if chance(rng, 0.7) else log_between(rng, 1.5, 2.6)
    camera = Camera(SIZE, SIZE, high, between(rng, 0, 0.7), between(rng, 0, 6.3), between(rng, -3.1, 3.1),
                    field=2 * float(np.arctan(SIZE / 2 / (scale * high))), blur_px=between(rng, 0.4, 1.1),
                    noise=between(rng, 0.5, 3.5), exposure=log_between(rng, 0.75, 1.3),
                    jpeg=int(rng.integers(75, 98)))  # fmt: skip
    reach = 0.5 * SIZE / scale
    table, others = crowded_table(look, (-reach, -reach, reach, reach), rng)
    image, truth = Renderer(camera, look).shoot(table, number=int(rng.integers(1 << 30)))
    grid = np.array([[-100, -100], [100, -100], [100, 100], [-100, 100]], np.float64)
    pixels = camera.project(np.column_stack([grid, np.zeros(4)]))
    plane = cv2.getPerspectiveTransform(grid.astype(np.float32), pixels.astype(np.float32))
    pieces = []
    for shown in truth.shown:
        thing = shown.thing
        if isinstance(thing, Coin | Die | Pawn | Chip):
            piece = as_piece(thing, look)
            size, visible = size_of(piece, look.edition, 1.0), min(shown.visible)
            if isinstance(thing, Pawn):
                visible = min(1.0, visible / PAWN_FILLS)
            pieces.append(Laid(piece.kind, piece.label, (thing.x, thing.y, thing.z), size, visible))
    x, y, z = camera.position
    return Photo(image, plane, (float(x), float(y), float(z)), pieces, others)


def _write(folder: Path, seed: int, each: int, number: int) -> int:
    """Make one shard, unless it is there; returns how many pictures were made."""
    cv2.setNumThreads(1)
    target = folder / f"{number:05d}.npz"
    if target.exists():
        return 0
    sets = [_photos(seed, number * each + k) for k in range(each)]
    photos = [photo for _, of in sets for photo in of]
    np.save(folder / f"{number:05d}.npy", np.stack([photo.image for photo in photos]))
    laid = [(k, piece) for k, photo in enumerate(photos) for piece in photo.pieces]
    part = folder / f"{number:05d}.part.npz"
    np.savez(
        part,
        canonical=np.array([common for common, of in sets for _ in of]),
        plane=np.array([photo.plane for photo in photos]),
        eye=np.array([photo.eye for photo in photos], np.float32),
        picture=np.array([k for k, _ in laid], np.int32),
        kind=np.array([KINDS.index(piece.kind) for _, piece in laid], np.int8),
        name=np.array([NAMES.index(piece.label) for _, piece in laid], np.int16),
        place=np.array([piece.foot for _, piece in laid], np.float32).reshape(-1, 3),
        size=np.array([piece.size for _, piece in laid], np.float32).reshape(-1, 2),
        visible=np.array([piece.visible for _, piece in laid], np.float32),
        others=np.array([(k, *spot) for k, photo in enumerate(photos) for spot in photo.others], np.float32).reshape(-1, 4),
    )
    part.rename(target)
    return len(photos)


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
