"""Things that look like tiles and are none: square tiles, keyboards, remote controls, buttons, bricks, pairs of dice."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.clutter import Painter
from simulator.noise import between, chance, log_between
from simulator.pips import pip_layout
from simulator.surfaces import any_colour

Array = NDArray[np.float64]
Reach = tuple[float, float, float, float]
Free = Callable[[float, float], bool]


def _tone(rng: np.random.Generator, low: float = 10, high: float = 250) -> Array:
    return np.asarray(any_colour(rng, low, high) * 255, np.float64)


def _body(rng: np.random.Generator) -> tuple[Array, Array]:
    """A body and what is printed on it: dark with light ink, or light with dark ink."""
    dark, light = _tone(rng, 5, 80), _tone(rng, 170, 255)
    return (dark, light) if chance(rng, 0.6) else (light, dark)


def _rounded(length: float, width: float, corner: float) -> Array:
    """(16, 2) outline of a rounded rectangle around the origin."""
    corner = min(corner, width * 0.49, length * 0.49)
    points = []
    for su, sv, start in ((1, 1, 0.0), (-1, 1, np.pi / 2), (-1, -1, np.pi), (1, -1, 1.5 * np.pi)):
        for t in np.linspace(0, np.pi / 2, 4):
            points.append((su * (length / 2 - corner) + corner * np.cos(start + t),
                           sv * (width / 2 - corner) + corner * np.sin(start + t)))  # fmt: skip
    return np.array(points)


class _Place:
    """Where a thing lies on the table, turned; paints what is given in the thing's own axes."""

    def __init__(self, paint: Painter, x: float, y: float, angle: float) -> None:
        c, s = np.cos(angle), np.sin(angle)
        self.paint, self.at, self.axes = paint, np.array([x, y]), np.array([[c, s], [-s, c]])

    def flat(self, outline: Array, z: float, tone: Array, u: float = 0.0, v: float = 0.0) -> None:
        """An outline at height z, moved by (u, v)."""
        self.paint.shape((outline + (u, v)) @ self.axes + self.at, z, tone)

    def block(self, outline: Array, z: float, height: float, tone: Array, u: float = 0.0, v: float = 0.0,
              shadow: float = 0.0) -> None:
        """A body from height z up, its sides darker than its top."""
        placed = (outline + (u, v)) @ self.axes + self.at
        if shadow:
            self.paint.shade(placed + 0.06, shadow, 2)
        view = self.paint.view
        solid = np.vstack([np.column_stack([placed, np.full(len(placed), level)]) for level in (z, z + height)])
        hull = cv2.convexHull(np.clip(view.project(solid) * 16, -1e6, 1e6).astype(np.int32))
        self.paint.fill(hull, tone * 0.6)
        self.paint.shape(placed, z + height, tone)


def _disc(radius: float, points: int = 16) -> Array:
    t = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return np.column_stack([radius * np.cos(t), radius * np.sin(t)])


def _square_tiles(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """A board of square tiles edge to edge, each with 2x2 spaces: piecepack tiles, mostly dark."""
    place, (body, ink) = _Place(paint, x, y, between(rng, 0, 6.3)), _body(rng)
    side, thick, gap = between(rng, 1.5, 3.0), between(rng, 0.08, 0.4), log_between(rng, 0.004, 0.08)
    outline = _rounded(side, side, between(rng, 0, 0.2))
    crossed, signs, line = chance(rng, 0.7), between(rng, 0, 0.8), between(rng, 0.02, 0.08)
    for i in range(int(rng.integers(1, 5))):
        for j in range(int(rng.integers(1, 5))):
            u, v = i * (side + gap), j * (side + gap)
            place.block(outline, 0.0, thick, body * between(rng, 0.95, 1.05), u, v, 0.4)
            if crossed:
                for across in (_rounded(side, line, 0), _rounded(line, side, 0)):
                    place.flat(across, thick, ink, u, v)
            if chance(rng, signs):
                for _ in range(int(rng.integers(1, 3))):
                    off = rng.choice([-0.25, 0.25], 2) * side
                    place.flat(_disc(between(rng, 0.1, 0.3), int(rng.integers(3, 13))), thick, ink, u + off[0], v + off[1])


def _keyboard(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """A part of a keyboard: rows of rounded keys with a letter each."""
    place, (body, ink) = _Place(paint, x, y, between(rng, 0, 6.3)), _body(rng)
    key, gap, rows, columns = between(rng, 0.5, 1.1), between(rng, 0.05, 0.25), int(rng.integers(3, 6)), int(rng.integers(5, 13))
    pitch = key + gap
    place.block(_rounded(columns * pitch + gap, rows * pitch + gap, 0.2), 0.0, 0.25, body * 0.8, shadow=0.5)
    caps = body if chance(rng, 0.7) else _tone(rng)
    for j in range(rows):
        u, shift = 0.0, between(rng, 0, 0.4)
        while u < columns * pitch - key:
            wide = key if chance(rng, 0.85) else key * 2 + gap
            middle = u + wide / 2 - columns * pitch / 2 + (shift if u else 0), (j - (rows - 1) / 2) * pitch
            place.block(_rounded(wide, key, key * 0.15), 0.25, 0.12, caps, *middle)
            place.flat(_rounded(key * between(rng, 0.1, 0.3), key * 0.3, 0.02), 0.37, ink, middle[0] - wide * 0.2, middle[1])
            u += wide + gap


def _remote(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """A remote control or calculator: a long body with rows of round or square buttons."""
    place, (body, ink) = _Place(paint, x, y, between(rng, 0, 6.3)), _body(rng)
    width = between(rng, 1.2, 2.8)
    length = width * between(rng, 1.8, 3.6)
    place.block(_rounded(length, width, width * 0.2), 0.0, between(rng, 0.3, 0.7), body, shadow=0.6)
    rows, columns = int(rng.integers(4, 10)), int(rng.integers(2, 5))
    size = min(length / rows, width / columns) * between(rng, 0.4, 0.75)
    round_ones = chance(rng, 0.6)
    for i in range(rows):
        tone = ink if chance(rng, 0.7) else _tone(rng)
        for j in range(columns):
            if chance(rng, 0.9):
                outline = _disc(size / 2) if round_ones else _rounded(size, size * 0.7, size * 0.1)
                place.flat(outline, 0.7, tone, length * ((i + 0.5) / rows - 0.5), width * ((j + 0.5) / columns - 0.5))


def _buttons(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """Buttons for clothes with two or four holes, alone or two side by side."""
    body, ink = _body(rng)
    radius, holes = between(rng, 0.3, 0.7), int(rng.choice([2, 4]))
    for k in range(int(rng.integers(1, 4))):
        place = _Place(paint, x + k * radius * between(rng, 2.0, 2.5), y + between(rng, -0.2, 0.2), between(rng, 0, 6.3))
        place.block(_disc(radius, 24), 0.0, 0.12, body, shadow=0.5)
        place.flat(_disc(radius * 0.75, 24), 0.12, body * between(rng, 0.8, 1.1))
        for turn in np.arange(holes) * 2 * np.pi / holes:
            place.flat(_disc(radius * 0.13, 10), 0.12, ink, radius * 0.3 * np.cos(turn), radius * 0.3 * np.sin(turn))


def _brick(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """A toy brick with studs in rows of two."""
    place, tone = _Place(paint, x, y, between(rng, 0, 6.3)), _tone(rng, 40)
    pitch, long, wide = between(rng, 0.35, 0.6), int(rng.integers(2, 5)), 2
    height = between(rng, 0.3, 0.7)
    place.block(_rounded(long * pitch, wide * pitch, 0.02), 0.0, height, tone, shadow=0.5)
    for i in range(long):
        for j in range(wide):
            where = (i - (long - 1) / 2) * pitch, (j - 0.5) * pitch
            place.block(_disc(pitch * 0.3), height, 0.1, tone * 1.08, *where)


def _dice(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """Two or three dice that touch or nearly: squares with pips side by side, but taller than tiles and apart."""
    body, ink = _body(rng)
    size, turn = between(rng, 0.5, 0.9), between(rng, 0, 6.3)
    place = _Place(paint, x, y, turn)
    for k in range(int(rng.integers(2, 4))):
        u = k * size * between(rng, 1.08, 1.4)
        place.block(_rounded(size, size, size * 0.15), 0.0, size, body, u, between(rng, -0.1, 0.1) * size, 0.5)
        for p, q in pip_layout(int(rng.integers(1, 7)), rng):
            place.flat(_disc(size * 0.09, 10), size, ink, u + float(p) * size * 0.27, float(q) * size * 0.27)


def _print(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """A card or a box lid with dominoes drawn on it."""
    place = _Place(paint, x, y, between(rng, 0, 6.3))
    paper, (face, ink) = _tone(rng, 60), _body(rng)
    count, side = int(rng.integers(1, 5)), between(rng, 0.3, 1.0)
    place.block(_rounded(side * 2.8, side * (1.4 * count + 0.6), 0.1), 0.0, 0.02, paper, shadow=0.4)
    for k in range(count):
        v = (k - (count - 1) / 2) * side * 1.4
        place.flat(_rounded(side * 2.1, side * 1.1, side * 0.1), 0.02, ink, 0, v)
        place.flat(_rounded(side * 2.0, side, side * 0.1), 0.02, face, 0, v)
        place.flat(_rounded(side * 0.06, side * 0.8, 0), 0.02, ink, 0, v)
        for half in (-0.5, 0.5):
            for p, q in pip_layout(int(rng.integers(0, 7)), rng):
                place.flat(_disc(side * 0.1, 10), 0.02, ink, (half + 0.27 * float(p)) * side, v + 0.27 * float(q) * side)


_THINGS = (_square_tiles, _keyboard, _remote, _buttons, _brick, _dice, _print)
_ODDS = (0.25, 0.15, 0.15, 0.12, 0.13, 0.1, 0.1)


def scatter_oddments(paint: Painter, count: int, free: Free, reach: Reach, rng: np.random.Generator) -> None:
    """Lay so many of them where `free(x, y)`."""
    for _ in range(count):
        x, y = between(rng, reach[0], reach[2]), between(rng, reach[1], reach[3])
        if free(x, y):
            _THINGS[int(rng.choice(len(_THINGS), p=_ODDS))](paint, x, y, rng)
