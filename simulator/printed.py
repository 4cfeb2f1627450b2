"""Table tops that look like tiles and are none: boards of dark squares, checks, cells of 1 to 2, floors, dominoes as ornaments.

As `simulator.surfaces`: (size, size, 3) BGR textures 0..1.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.noise import between, chance, clouds, log_between
from simulator.pips import pip_layout
from simulator.surfaces import Picture, any_colour, surface

Bytes = NDArray[np.uint8]
Ink = tuple[float, float, float]


def _ink(rng: np.random.Generator, low: float = 10, high: float = 250) -> Ink:
    b, g, r = any_colour(rng, low, high) * 255
    return (float(b), float(g), float(r))


def _two_inks(rng: np.random.Generator) -> tuple[Ink, Ink]:
    """Two colours, often a dark and a light one."""
    if chance(rng, 0.5):
        return _ink(rng, 5, 90), _ink(rng, 130, 255)
    return _ink(rng), _ink(rng)


def _paper(size: int, ink: Ink) -> Bytes:
    picture = np.empty((size, size, 3), np.uint8)
    picture[:] = ink
    return picture


def _mark(picture: Bytes, x: float, y: float, reach: float, ink: Ink, rng: np.random.Generator) -> None:
    """A small sign in a cell: a disc, ring, star, letter, leaf or cross."""
    where, form, thick = (int(x), int(y)), int(rng.integers(6)), max(1, int(reach / 5))
    if form == 0:
        cv2.circle(picture, where, max(1, int(reach)), ink, -1, cv2.LINE_AA)
    elif form == 1:
        cv2.circle(picture, where, max(1, int(reach)), ink, thick, cv2.LINE_AA)
    elif form == 2:
        turns = np.arange(10) * np.pi / 5
        far = np.where(np.arange(10) % 2, reach, reach * 0.45)
        star = np.stack([x + far * np.sin(turns), y - far * np.cos(turns)], axis=1)
        cv2.fillPoly(picture, [star.astype(np.int32)], ink, cv2.LINE_AA)
    elif form == 3:
        cv2.putText(picture, chr(int(rng.integers(48, 91))), (int(x - reach), int(y + reach)), int(rng.integers(0, 8)),
                    max(0.2, reach / 11), ink, thick, cv2.LINE_AA)
    elif form == 4:
        axes = (max(1, int(reach)), max(1, int(reach * 0.4)))
        cv2.ellipse(picture, where, axes, between(rng, 0, 180), 0, 360, ink, -1, cv2.LINE_AA)
    else:
        cv2.line(picture, (int(x - reach), int(y)), (int(x + reach), int(y)), ink, thick, cv2.LINE_AA)
        cv2.line(picture, (int(x), int(y - reach)), (int(x), int(y + reach)), ink, thick, cv2.LINE_AA)


def _square_tiles(size: int, rng: np.random.Generator) -> Picture:
    """A board of square tiles as a piecepack has them: each of 2x2 spaces, mostly dark, with signs, numerals or lines."""
    ground, line = _two_inks(rng)
    body = ground if chance(rng, 0.6) else _ink(rng, 5, 110)
    picture = _paper(size, body)
    cell = log_between(rng, 12, size / 8)
    seam = tuple(v * between(rng, 0.3, 0.95) for v in body) if chance(rng, 0.6) else _ink(rng, 0, 120)
    faces = chance(rng, 0.5)  # showing values, or backs with a grid of lines
    ornament = _ink(rng, 90, 250)
    offset = rng.uniform(0, 2 * cell, 2)
    for i in range(-1, int(size / cell / 2) + 2):
        for j in range(-1, int(size / cell / 2) + 2):
            x, y = offset[0] + (2 * i) * cell, offset[1] + (2 * j) * cell
            whole = (int(x), int(y)), (int(x + 2 * cell), int(y + 2 * cell))
            tone = tuple(np.clip(np.array(body) * between(rng, 0.9, 1.1), 0, 255).tolist())
            cv2.rectangle(picture, *whole, tone, -1)
            cv2.rectangle(picture, *whole, seam, max(1, int(cell * 0.04)), cv2.LINE_AA)
            if faces and chance(rng, 0.5):
                _mark(picture, x + cell, y + cell, cell * between(rng, 0.3, 0.7), ornament, rng)
                continue
            if chance(rng, 0.7):
                cv2.line(picture, (int(x + cell), int(y)), (int(x + cell), int(y + 2 * cell)), line, max(1, int(cell * 0.05)))
                cv2.line(picture, (int(x), int(y + cell)), (int(x + 2 * cell), int(y + cell)), line, max(1, int(cell * 0.05)))
            if faces:
                _mark(picture, x + cell * 0.4, y + cell * 0.4, cell * 0.25, ornament, rng)
    return _soft(picture, rng)


def _checks(size: int, rng: np.random.Generator) -> Picture:
    """A chequered cloth or board: squares of two or three tones, or a gingham; at times with lines or draughtsmen."""
    first, second = _two_inks(rng)
    cell = log_between(rng, 10, size / 6)
    t = np.floor((np.arange(size) + between(rng, 0, cell)) / cell).astype(int)
    both = (t[None] + t[:, None]) % 2
    if chance(rng, 0.3):  # gingham: where two stripes cross the tone is full
        both = (t[None] % 2 + t[:, None] % 2) / 2
    mix = both[..., None]
    picture = np.asarray(np.array(first) * (1 - mix) + np.array(second) * mix, np.uint8)
    if chance(rng, 0.4):
        _lines(picture, cell, cell, _ink(rng), rng)
    if chance(rng, 0.3):
        for _ in range(int(rng.integers(3, 25))):
            i, j = rng.integers(0, max(1, int(size / cell)), 2)
            cv2.circle(picture, (int((i + 0.5) * cell), int((j + 0.5) * cell)), int(cell * 0.38), _ink(rng), -1, cv2.LINE_AA)
    return _soft(picture, rng)


def _lines(picture: Bytes, wide: float, high: float, ink: Ink, rng: np.random.Generator) -> None:
    size, thick = picture.shape[0], max(1, int(min(wide, high) * between(rng, 0.01, 0.1)))
    for v in np.arange(0, size, wide):
        cv2.line(picture, (int(v), 0), (int(v), size), ink, thick, cv2.LINE_AA)
    for v in np.arange(0, size, high):
        cv2.line(picture, (0, int(v)), (size, int(v)), ink, thick, cv2.LINE_AA)


def _cells(size: int, rng: np.random.Generator) -> Picture:
    """A printed board whose places are squares or rectangles of 1 to 2, empty, outlined, filled, or with a sign."""
    ground, line = _two_inks(rng)
    picture = _paper(size, ground)
    cell = log_between(rng, 14, size / 6)
    wide, high = (cell, cell) if chance(rng, 0.3) else (2 * cell, cell) if chance(rng, 0.5) else (cell, 2 * cell)
    gap = cell * (0.0 if chance(rng, 0.5) else between(rng, 0.05, 0.6))
    fills = [_ink(rng) for _ in range(int(rng.integers(1, 5)))]
    filled, signs, thick = between(rng, 0, 0.8), between(rng, 0, 0.6), max(1, int(cell * between(rng, 0.02, 0.08)))
    divided = chance(rng, 0.3)
    for x in np.arange(between(rng, -wide, 0), size, wide + gap):
        for y in np.arange(between(rng, -high, 0), size, high + gap):
            corners = (int(x), int(y)), (int(x + wide), int(y + high))
            if chance(rng, filled):
                cv2.rectangle(picture, *corners, fills[int(rng.integers(len(fills)))], -1)
            cv2.rectangle(picture, *corners, line, thick, cv2.LINE_AA)
            if divided and wide != high:
                middle = (x + wide / 2, y + high / 2)
                far = (0, high / 2) if wide > high else (wide / 2, 0)
                cv2.line(picture, (int(middle[0] - far[0]), int(middle[1] - far[1])),
                         (int(middle[0] + far[0]), int(middle[1] + far[1])), line, thick, cv2.LINE_AA)  # fmt: skip
            if chance(rng, signs):
                _mark(picture, x + wide / 2, y + high / 2, cell * between(rng, 0.1, 0.3), _ink(rng), rng)
    return _soft(picture, rng)


def _floor(size: int, rng: np.random.Generator) -> Picture:
    """Bricks, parquet or floor tiles: rectangles with joints, each of its own shade."""
    base = any_colour(rng, 20, 230) * 255
    joint = (base * between(rng, 0.2, 1.3)).clip(0, 255)
    picture = _paper(size, (float(joint[0]), float(joint[1]), float(joint[2])))
    high = log_between(rng, 14, size / 6)
    wide, thin = high * float(rng.choice([1.0, 2.0, 2.0, 3.0, 4.0])), max(1.0, high * log_between(rng, 0.01, 0.12))
    shift, shades = (0.5 if chance(rng, 0.6) else 0.0), between(rng, 0.0, 0.25)
    for row, y in enumerate(np.arange(-high, size, high)):
        for x in np.arange(-2 * wide + shift * (row % 2) * wide, size, wide):
            tone = (base * np.exp(rng.normal(0, shades))).clip(0, 255).tolist()
            cv2.rectangle(picture, (int(x + thin / 2), int(y + thin / 2)),
                          (int(x + wide - thin / 2 - 1), int(y + high - thin / 2 - 1)), tone, -1)  # fmt: skip
    return _soft(picture, rng)


def _ornaments(size: int, rng: np.random.Generator) -> Picture:
    """Dominoes drawn on a box, a cloth or a board: flat, outlined, of any size; none lies on the table."""
    picture = (np.clip(surface(size, rng, busy=chance(rng, 0.4)), 0, 1) * 255).astype(np.uint8)
    paper, ink = ((240.0, 245.0, 248.0), _ink(rng, 0, 80)) if chance(rng, 0.6) else _two_inks(rng)
    side = log_between(rng, 9, size / 9)
    for _ in range(int(rng.integers(2, 20))):
        side_now = side * between(rng, 0.8, 1.25) if chance(rng, 0.5) else side
        _ornament(picture, rng.uniform(0, size, 2), side_now, between(rng, 0, 2 * np.pi), paper, ink, rng)
    return _soft(picture, rng)


def _ornament(picture: Bytes, middle: NDArray[np.float64], side: float, turn: float, paper: Ink, ink: Ink,
              rng: np.random.Generator) -> None:
    """One drawn domino, in place."""
    c, s = np.cos(turn), np.sin(turn)
    axes = np.array([[c, s], [-s, c]]) * side

    def at(u: float, v: float) -> NDArray[np.float64]:
        return middle + np.array([u, v]) @ axes

    outline = np.stack([at(-1, -0.5), at(1, -0.5), at(1, 0.5), at(-1, 0.5)])
    thick = max(1, int(side * between(rng, 0.02, 0.1)))
    cv2.fillPoly(picture, [(outline * 16).astype(np.int32)], paper, cv2.LINE_AA, shift=4)
    cv2.polylines(picture, [(outline * 16).astype(np.int32)], True, ink, thick, cv2.LINE_AA, shift=4)
    ends = np.stack([at(0, -0.4), at(0, 0.4)])
    cv2.polylines(picture, [(ends * 16).astype(np.int32)], False, ink, thick, cv2.LINE_AA, shift=4)
    radius = side * between(rng, 0.07, 0.13)
    for half in (-0.5, 0.5):
        for u, v in pip_layout(int(rng.integers(0, 7)), rng):
            x, y = at(half + 0.27 * float(u), 0.27 * float(v)) * 16
            cv2.circle(picture, (int(x), int(y)), max(16, int(radius * 16)), ink, -1, cv2.LINE_AA, shift=4)


def _soft(picture: Bytes, rng: np.random.Generator) -> Picture:
    """As printed or woven: uneven, with grain."""
    size = picture.shape[0]
    field = clouds(size, size, size / 2, rng, 2) * between(rng, 0, 0.08)
    grain = rng.standard_normal((size, size)).astype(np.float32) * between(rng, 0, 0.05)
    return picture.astype(np.float32) / np.float32(255) * (1 + field + grain)[..., None]


_KINDS: tuple[Callable[[int, np.random.Generator], Picture], ...] = (_square_tiles, _checks, _cells, _floor, _ornaments)
_ODDS = (0.28, 0.2, 0.22, 0.1, 0.2)


def tile_like(size: int, rng: np.random.Generator) -> Picture:
    """A table top on which nothing is a tile, (size, size, 3) BGR 0..1."""
    picture = _KINDS[int(rng.choice(len(_KINDS), p=_ODDS))](size, rng)
    if chance(rng, 0.2):
        picture = cv2.GaussianBlur(picture, (0, 0), between(rng, 0.5, 2))
    return np.clip(np.ascontiguousarray(picture), 0.0, 1.2).astype(np.float32)
