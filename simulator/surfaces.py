"""Tables: wood, cloth, felt, stone, glass, prints, boards; as (size, size, 3) BGR textures 0..1."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.faces import face_texture, set_style
from simulator.layouts import random_ends
from simulator.noise import between, blobs, chance, clouds, log_between

Picture = NDArray[np.float32]


def any_colour(rng: np.random.Generator, low: float = 20, high: float = 250) -> NDArray[np.float32]:
    """A colour of any hue; greys are common."""
    saturation = between(rng, 0, 60) if chance(rng, 0.35) else between(rng, 0, 255)
    pixel = np.array([[[between(rng, 0, 180), saturation, between(rng, low, high)]]], np.uint8)
    return (cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] / 255).astype(np.float32)


def _tone(rng: np.random.Generator) -> tuple[float, float, float]:
    """An ink for drawing on 8-bit pictures."""
    b, g, r = any_colour(rng) * 255
    return (float(b), float(g), float(r))


def _bytes(picture: Picture) -> NDArray[np.uint8]:
    """8-bit copy, since only those are drawn on with soft edges."""
    return (np.clip(picture, 0, 1) * 255).astype(np.uint8)


def _floats(picture: NDArray[np.uint8]) -> Picture:
    return picture.astype(np.float32) / np.float32(255)


def _plain(size: int, rng: np.random.Generator) -> Picture:
    base = any_colour(rng, 5, 255)
    field = clouds(size, size, size / 2, rng) * between(rng, 0, 0.08)
    grain = rng.standard_normal((size, size)).astype(np.float32) * between(rng, 0, 0.04)
    return base * (1 + field + grain)[..., None]


def _wood(size: int, rng: np.random.Generator) -> Picture:
    red = between(rng, 0.12, 0.85)
    base = np.array([red * between(rng, 0.3, 0.65), red * between(rng, 0.5, 0.8), red], np.float32)
    stretch = log_between(rng, 5, 30)
    rings = cv2.resize(clouds(size, max(4, int(size / stretch)), log_between(rng, 6, 40), rng, 5), (size, size))
    bend = blobs(size, size, size / 3, rng) * between(rng, 0, 3)
    grain = np.sin(rings * between(rng, 2, 9) + bend)
    fine = cv2.resize(rng.standard_normal((size, max(2, size // 24))).astype(np.float32), (size, size))
    picture = base * (1 + grain * between(rng, 0.03, 0.2) + fine * between(rng, 0, 0.09))[..., None]
    if chance(rng, 0.6):  # boards
        step = between(rng, 0.08, 0.5) * size
        for y in np.arange(between(rng, 0, step), size, step):
            cv2.line(picture, (0, int(y)), (size, int(y)), (base * 0.35).tolist(), int(rng.integers(1, 4)))
    for _ in range(int(rng.poisson(2))):  # knots
        where = tuple(int(v) for v in rng.integers(0, size, 2))
        axes = (int(between(rng, 3, 20)), int(between(rng, 2, 10)))
        cv2.ellipse(picture, where, axes, 0, 0, 360, (base * between(rng, 0.2, 0.6)).tolist(), -1, cv2.LINE_AA)
    return picture


def _cloth(size: int, rng: np.random.Generator) -> Picture:
    base = any_colour(rng, 10, 250)
    period = between(rng, 2, 9)
    t = np.arange(size, dtype=np.float32) * np.float32(2 * np.pi / period)
    weave = np.sin(t)[None] * between(rng, 0, 0.12) + np.sin(t)[:, None] * between(rng, 0, 0.12)
    folds = np.sin(clouds(size, size, size / 2, rng, 2) * between(rng, 1, 6)) * between(rng, 0, 0.35)
    grain = rng.standard_normal((size, size)).astype(np.float32) * between(rng, 0, 0.1)
    return base * np.clip(1 + weave + folds + grain, 0.05, 2)[..., None]


def _stone(size: int, rng: np.random.Generator) -> Picture:
    first, second = any_colour(rng), any_colour(rng)
    field = clouds(size, size, log_between(rng, 8, size / 2), rng, 6)
    mix = 0.5 + 0.5 * np.sin(field * between(rng, 1, 7))
    picture = first + (second - first) * (mix * between(rng, 0.1, 0.9))[..., None]
    specks = rng.random((size, size)) < between(rng, 0, 0.03)
    picture[specks] *= between(rng, 0.2, 1.6)
    return picture


def _print(size: int, rng: np.random.Generator) -> Picture:
    """Flowers, fruit, dots, scribbles: busy cloths, in a few colours."""
    picture = np.empty((size, size, 3), np.uint8)
    picture[:] = any_colour(rng) * 255
    palette = [_tone(rng) for _ in range(int(rng.integers(1, 6)))]
    scale = log_between(rng, 4, 60)
    form = int(rng.integers(6))
    for _ in range(int(np.clip(0.5 * (size / scale) ** 2 * between(rng, 0.05, 0.6), 5, 500))):
        x, y = (int(v) for v in rng.integers(0, size, 2))
        tone, reach = palette[int(rng.integers(len(palette)))], scale * between(rng, 0.3, 1.2)
        if form == 0:
            petals = int(rng.integers(3, 8))
            for k in range(petals):
                a = 2 * np.pi * k / petals
                where = (int(x + reach * 0.6 * np.cos(a)), int(y + reach * 0.6 * np.sin(a)))
                cv2.ellipse(picture, where, (max(1, int(reach * 0.5)), max(1, int(reach * 0.25))), float(np.degrees(a)),
                            0, 360, tone, -1, cv2.LINE_AA)
        elif form == 1:
            cv2.circle(picture, (x, y), max(1, int(reach * 0.5)), tone, -1, cv2.LINE_AA)
        elif form == 2:
            points = (rng.normal(0, reach, (int(rng.integers(3, 8)), 2)) + (x, y)).astype(np.int32)
            cv2.fillPoly(picture, [cv2.convexHull(points)], tone, cv2.LINE_AA)
        elif form == 3:
            points = (np.cumsum(rng.normal(0, reach / 2, (7, 2)), axis=0) + (x, y)).astype(np.int32)
            cv2.polylines(picture, [points], False, tone, max(1, int(reach / 8)), cv2.LINE_AA)
        elif form == 4:
            cv2.ellipse(picture, (x, y), (max(1, int(reach)), max(1, int(reach * 0.45))), between(rng, 0, 180), 0, 360,
                        tone, -1 if chance(rng, 0.6) else max(1, int(reach / 6)), cv2.LINE_AA)
        else:
            word = "".join(chr(int(c)) for c in rng.integers(48, 123, int(rng.integers(1, 9))))
            cv2.putText(picture, word, (x, y), int(rng.integers(0, 8)), reach / 22, tone, max(1, int(reach / 12)), cv2.LINE_AA)
    return _floats(picture) * (1 + 0.06 * rng.standard_normal((size, size, 1)).astype(np.float32))


def _stripes(size: int, rng: np.random.Generator) -> Picture:
    """Stripes, checks and tiles."""
    a, b = any_colour(rng), any_colour(rng)
    period = log_between(rng, 6, size / 2)
    t = np.arange(size, dtype=np.float32) / np.float32(period)
    one, two = (t % 1 < between(rng, 0.1, 0.9)).astype(np.float32), (t % 1 < between(rng, 0.1, 0.9)).astype(np.float32)
    mix = {0: one[None] * np.ones((size, 1), np.float32), 1: 0.5 * one[None] + 0.5 * two[:, None],
           2: np.abs(one[None] - two[:, None])}[int(rng.integers(3))]
    return a + (b - a) * mix[..., None]


def _board(size: int, rng: np.random.Generator) -> Picture:
    """A printed game board: ground, grid, coloured marks on cells, words."""
    picture = _bytes(_plain(size, rng) if chance(rng, 0.6) else _cloth(size, rng))
    cell = log_between(rng, 12, size / 5)
    ink, thick = _tone(rng), int(rng.integers(1, 4))
    for v in np.arange(between(rng, 0, cell), size, cell):
        cv2.line(picture, (int(v), 0), (int(v), size), ink, thick, cv2.LINE_AA)
        cv2.line(picture, (0, int(v)), (size, int(v)), ink, thick, cv2.LINE_AA)
    palette = [_tone(rng) for _ in range(5)]
    for _ in range(int((size / cell) ** 2 * between(rng, 0, 0.4))):
        where = (rng.integers(0, size, 2) // max(1, int(cell)) * cell + cell / 2).astype(np.int32)
        tone, reach = palette[int(rng.integers(5))], max(2, int(cell * between(rng, 0.2, 0.5)))
        x, y = int(where[0]), int(where[1])
        form = int(rng.integers(3))
        if form == 0:
            points = np.array([[x, y - reach], [x + reach, y], [x, y + reach], [x - reach, y]], np.int32)
            cv2.fillPoly(picture, [points], tone, cv2.LINE_AA)
        elif form == 1:
            cv2.circle(picture, (x, y), reach, tone, -1 if chance(rng, 0.6) else 2, cv2.LINE_AA)
        else:
            cv2.rectangle(picture, (x - reach, y - reach), (x + reach, y + reach), tone, -1)
        if chance(rng, 0.5):
            cv2.putText(picture, str(int(rng.integers(1, 10))), (x - reach // 3, y + reach // 3), 0, reach / 30,
                        palette[int(rng.integers(5))], 1, cv2.LINE_AA)
    return _floats(picture)


def _text(size: int, rng: np.random.Generator) -> Picture:
    """Newspaper, box labels, score pads."""
    paper, ink = between(rng, 150, 250), between(rng, 0, 100)
    picture = np.full((size, size, 3), paper, np.uint8)
    height = log_between(rng, 7, 50)
    font, y = int(rng.integers(0, 8)), height
    while y < size:
        word = "".join(chr(int(c)) for c in rng.integers(32, 123, int(size / height * 2.2)))
        cv2.putText(picture, word, (int(between(rng, -5, 30)), int(y)), font, height / 32, (ink, ink, ink),
                    max(1, int(height / 12)), cv2.LINE_AA)
        y += height * between(rng, 1.2, 2.2)
    return _floats(picture)


def printed_dominoes(picture: Picture, half_px: float, rng: np.random.Generator) -> list[np.ndarray]:
    """Print domino faces flat on the surface, in place; returns their corners, (4, 2) texture pixels each."""
    size, style = picture.shape[0], set_style(rng, 6)
    side = max(8, int(half_px * between(rng, 0.7, 1.3)))
    corners = []
    for _ in range(int(rng.integers(1, 12))):
        face = face_texture(style, random_ends(6, rng), side, 0.0, rng)[:, :, :]
        face = np.rot90(face, int(rng.integers(4)))
        h, w = face.shape[:2]
        if h >= size or w >= size:
            break
        x, y = int(rng.integers(0, size - w)), int(rng.integers(0, size - h))
        patch = picture[y : y + h, x : x + w]
        patch += face[..., 3:] * (face[..., :3] - patch)
        corners.append(np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float64))
    return corners


_KINDS = (_plain, _wood, _cloth, _stone, _print, _stripes, _board, _text)
_ODDS = (0.24, 0.18, 0.17, 0.08, 0.14, 0.04, 0.11, 0.04)
_BUSY_ODDS = (0.04, 0.08, 0.06, 0.04, 0.16, 0.1, 0.44, 0.08)


def surface(size: int, rng: np.random.Generator, busy: bool = False) -> Picture:
    """Some table top, (size, size, 3) BGR 0..1; busy: mostly boards and prints."""
    picture = _KINDS[int(rng.choice(len(_KINDS), p=_BUSY_ODDS if busy else _ODDS))](size, rng)
    if chance(rng, 0.5):
        picture = np.rot90(picture)
    if chance(rng, 0.2):
        picture = cv2.GaussianBlur(picture, (0, 0), between(rng, 0.5, 3))
    return np.clip(np.ascontiguousarray(picture), 0.0, 1.2).astype(np.float32)
