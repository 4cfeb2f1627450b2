"""What the networks for pieces are shown: views of the table from above with targets, and crops of single pieces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.data import workforce
from models.training.piece_data import KINDS as KIND_NAMES
from models.training.piece_data import NAMES, PieceShard, load_shards
from models.training.piece_networks import CELL, HEATS, MAPS, RADIUS, REACH
from vision.piece_crops import CROP, crop_window, unwrapped
from vision.piece_finds import PAWN_MM
from vision.pieces import PX_PER_MM

Array = NDArray[np.float32]
VIEW = 192
"""Pixels of the views that the finder learns from."""

HEAT_OF = {"coin": 0, "chip": 0, "die": 1, "pawn": 2}
WANTED, HIDDEN = 0.5, 0.12
"""Pieces that show more than WANTED must be found; between the two nothing is demanded."""

SUIT_SIDE, VALUE_SIDE, DIE, PAWN, CHIP, NOTHING = range(6)
SIZE_OFF, PLACE_OFF, PAWN_OFF = 0.11, 0.11, 0.22
"""How far off the finder is with small pieces: logarithm of the radius, and parts of the radius; with pawns, whose tops
are put where those of pawns usually are, as a whole."""

VARIANTS = 3
"""Crops of each piece in each picture, each turned and a little off in its own way."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A picture's pieces as they appear on the table plane, millimetres: top, foot (n, 2), radius of the top (n,)."""

    top: Array
    foot: Array
    radius: Array


def seen_on_plane(shard: PieceShard, rows: NDArray[np.int64], picture: int) -> Seen:
    """Where the camera sees the pieces' upper faces and feet against the table: what stands high appears farther out."""
    eye = shard.eye[picture]

    def against(height: Array) -> tuple[Array, Array]:
        stretch = eye[2] / (eye[2] - height)
        return eye[:2] + (shard.place[rows, :2] - eye[:2]) * stretch[:, None], stretch

    foot, _ = against(shard.place[rows, 2])
    top, stretch = against(shard.place[rows, 2] + shard.size[rows, 1])
    return Seen(top, foot, shard.size[rows, 0] * stretch)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A view and what the finder should say: picture (VIEW, VIEW, 3) uint8; heat (HEATS, h, w), known (1, h, w),
    geometry (MAPS - HEATS, h, w), weight (1, h, w) float32."""

    picture: NDArray[np.uint8]
    objectness: Array
    known: Array
    geometry: Array
    weight: Array


def example(shard: PieceShard, index: int, rng: np.random.Generator) -> Example:
    """A random part of picture `index`, seen from above at nearly the usual scale."""
    scale = PX_PER_MM * float(np.exp(rng.uniform(np.log(0.85), np.log(1.3))))
    turn = rng.uniform(-np.pi, np.pi)
    size = shard.images.shape[1]
    middle = np.linalg.inv(shard.plane[index]) @ (*(rng.uniform(0.25, 0.75, 2) * size), 1.0)
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    x, y = middle[:2] / middle[2]
    onto = np.array(
        [[c, -s, VIEW / 2 - c * x + s * y], [s, c, VIEW / 2 - s * x - c * y], [0, 0, 1]]
    )  # mm to view pixels
    warp = onto @ np.linalg.inv(shard.plane[index])
    picture = cv2.warpPerspective(np.asarray(shard.images[index]), warp, (VIEW, VIEW), flags=cv2.INTER_LINEAR)
    rows = np.flatnonzero(shard.picture == index)
    seen = seen_on_plane(shard, rows, index)
    cells = VIEW // CELL
    objectness, known = np.zeros((HEATS, cells, cells), np.float32), np.ones((1, cells, cells), np.float32)
    geometry, weight = np.zeros((MAPS - HEATS, cells, cells), np.float32), np.zeros((1, cells, cells), np.float32)
    for k, row in enumerate(rows):
        kind = KIND_NAMES[shard.kind[row]]
        top, foot = (onto[:2, :2] @ p + onto[:2, 2] for p in (seen.top[k], seen.foot[k]))
        middle = (top + foot) / 2 if kind == "pawn" else top
        radius = float(seen.radius[k]) * scale
        if shard.visible[row] < HIDDEN or not (
            -radius < middle[0] < VIEW + radius and -radius < middle[1] < VIEW + radius
        ):
            continue
        if shard.visible[row] < WANTED:
            cv2.circle(known[0], (int(middle[0] / CELL), int(middle[1] / CELL)), max(1, int(radius / CELL)), 0.0, -1)
            continue
        _splat(objectness[HEAT_OF[kind]], geometry, weight, middle, top, foot, radius)
    return Example(_tinted(picture, rng), objectness, known, geometry, weight)


def _tinted(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Another light."""
    gain = np.exp(rng.normal(0, 0.08, 3) + rng.normal(0, 0.12))
    table = np.clip(np.arange(256)[:, None] * gain + rng.normal(0, 5), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table[None]), np.uint8)


def _splat(objectness: Array, geometry: Array, weight: Array, middle: Array, top: Array, foot: Array, radius: float) -> None:
    """Draw one piece: a soft peak, and its geometry on the cells close to it."""
    sigma = max(0.7, 0.2 * radius / CELL)
    reach = int(np.ceil(2.5 * sigma))
    column, row = int(middle[0] // CELL), int(middle[1] // CELL)
    y0, y1 = max(0, row - reach), min(objectness.shape[0], row + reach + 1)
    x0, x1 = max(0, column - reach), min(objectness.shape[1], column + reach + 1)
    if y1 <= y0 or x1 <= x0:
        return
    ys, xs = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    peak = np.exp(-((xs - column) ** 2 + (ys - row) ** 2) / (2 * sigma**2))
    objectness[y0:y1, x0:x1] = np.maximum(objectness[y0:y1, x0:x1], peak)
    near = (np.abs(xs - column) <= 1) & (np.abs(ys - row) <= 1)
    values = [(point[axis] - (grid + 0.5) * CELL) / REACH for point in (top, foot) for axis, grid in ((0, xs), (1, ys))]
    values.append(np.full_like(xs, np.log(radius / RADIUS)))
    for channel, value in enumerate(values):
        patch = geometry[channel, y0:y1, x0:x1]
        patch[near] = value[near]
    weight[0, y0:y1, x0:x1][near] = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Crops:
    """pictures: (n, RADII, ANGLES, 3) uint8, unwrapped.

    labels: (n, 5) int32: kind, suit, value (-1: nothing demanded), name, edition.
    """

    pictures: NDArray[np.uint8]
    labels: NDArray[np.int32]


def label_of(kind: int, name: int, canonical: bool) -> tuple[int, int, int]:
    """Kind, suit and value as the reader numbers them; suits only where the marks are common ones."""
    word, text = KIND_NAMES[kind], NAMES[name]
    suits, values = ("suns", "moons", "crowns", "arms"), ("null", "ace", "2", "3", "4", "5")
    if word == "chip":
        return CHIP, -1, -1
    if word == "pawn":
        return PAWN, suits.index(text) if canonical else -1, -1
    first, second = text.split(":")
    if word == "die":
        return DIE, suits.index(first) if canonical else -1, values.index(second)
    if first == "suit":
        return SUIT_SIDE, suits.index(second) if canonical else -1, -1
    return VALUE_SIDE, -1, values.index(second)


def _cut(
    image: NDArray[np.uint8], plane: NDArray[np.float64], centre: Array, half: float, turn: float
) -> NDArray[np.uint8]:
    """A square of the table plane, millimetres, as the camera saw it; see `vision.pieces`."""
    c, s = np.cos(turn) * half, np.sin(turn) * half
    corners = np.array([[-c + s, -s - c], [c + s, s - c], [c - s, s + c], [-c - s, -s + c]]) + centre
    pixels = cv2.perspectiveTransform(corners[None].astype(np.float64), plane)[0].astype(np.float32)
    target = np.array([[0, 0], [CROP, 0], [CROP, CROP], [0, CROP]], np.float32)
    warp = cv2.getPerspectiveTransform(pixels, target)
    return np.asarray(cv2.warpPerspective(image, warp, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _crops(folder: Path, target: Path, seed: int, number: int) -> None:
    """Cut the crops of one shard, unless they are there."""
    cv2.setNumThreads(1)
    out = target / f"{number:05d}.npz"
    if out.exists():
        return
    shard = load_shards(folder)[number]
    rng = np.random.default_rng([seed, number])
    pictures, labels = [], []
    for index in range(len(shard.images)):
        image, rows = np.asarray(shard.images[index]), np.flatnonzero(shard.picture == index)
        seen, edition = seen_on_plane(shard, rows, index), number * 1000 + index // 4
        for k, row in enumerate(rows):
            if shard.visible[row] < 0.6:
                continue
            label = label_of(int(shard.kind[row]), int(shard.name[row]), bool(shard.canonical[index]))
            form = KIND_NAMES[shard.kind[row]].replace("coin", "disc").replace("chip", "disc")
            for _ in range(VARIANTS):
                centre, half = _window(form, seen.top[k], seen.foot[k], float(seen.radius[k]), float(shard.size[row, 1]), rng)
                pictures.append(_cut(image, shard.plane[index], centre, half, rng.uniform(-np.pi, np.pi)))
                labels.append((*label, int(shard.name[row]), edition))
        for centre, radius in _empty_spots(shard, index, seen, rng):
            pictures.append(_cut(image, shard.plane[index], centre, radius * 1.2, rng.uniform(-np.pi, np.pi)))
            labels.append((NOTHING, -1, -1, -1, edition))
    part = out.with_suffix(".part.npz")
    np.savez(part, pictures=unwrapped(np.stack(pictures)), labels=np.array(labels, np.int32))
    part.rename(out)


def _window(
    form: str, top: Array, foot: Array, radius: float, height: float, rng: np.random.Generator
) -> tuple[Array, float]:
    """Where a piece is cut out, as far off as the finder is."""
    radius *= float(np.exp(rng.normal(0.04, SIZE_OFF)))
    if form != "pawn":
        slip = (rng.normal(0, PLACE_OFF, (2, 2)) * radius).astype(np.float32)
        return crop_window(form, top + slip[0], foot + slip[1], radius)
    moved = foot + (rng.normal(0, PAWN_OFF, 2) * radius).astype(np.float32)
    return crop_window(form, moved + (top - foot) * np.float32(PAWN_MM / height), moved, radius)


def _empty_spots(shard: PieceShard, index: int, seen: Seen, rng: np.random.Generator) -> list[tuple[Array, float]]:
    """Places without a piece: dominoes' halves, coins of money, parts of the table, and beside pieces."""
    spots = [(other[1:3], float(other[3])) for other in shard.others[shard.others[:, 0] == index]][:8]
    size = shard.images.shape[1]
    for _ in range(4):
        where = np.linalg.inv(shard.plane[index]) @ (*rng.uniform(0.05, 0.95, 2) * size, 1.0)
        spots.append(((where[:2] / where[2]).astype(np.float32), float(rng.uniform(6, 16))))
    if len(seen.top):
        for k in rng.integers(0, len(seen.top), 2):
            t = rng.uniform(0, 6.3)
            aside = seen.radius[k] * rng.uniform(1.1, 1.6) * np.array([np.cos(t), np.sin(t)])
            spots.append(((seen.top[k] + aside).astype(np.float32), float(seen.radius[k])))
    free = []
    for centre, radius in spots:
        apart = np.linalg.norm(seen.top - centre, axis=1)
        if (apart > np.maximum(0.9 * seen.radius, 0.75 * radius)).all():
            free.append((centre, radius))
    return free


def make_crops(folder: Path, target: Path, seed: int, workers: int) -> None:
    """Cut the crops of every finished shard in `folder`."""
    target.mkdir(parents=True, exist_ok=True)
    numbers = range(len(list(folder.glob("?????.npz"))))
    with workforce(workers) as pool:
        list(pool.map(partial(_crops, folder, target, seed), numbers))


def load_crops(target: Path) -> Crops:
    """All crops that were cut."""
    parts = [np.load(path) for path in sorted(target.glob("?????.npz"))]
    return Crops(np.concatenate([p["pictures"] for p in parts]), np.concatenate([p["labels"] for p in parts]))
