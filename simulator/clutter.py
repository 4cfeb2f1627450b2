"""What else lies on tables: dice, coins, chips, pens, cards, cups, paper, cables and hands. None of it is a tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.noise import between, chance, log_between
from simulator.surfaces import any_colour
from simulator.view import View

Image = NDArray[np.uint8]
Ids = NDArray[np.int32]
Tone = Sequence[float] | NDArray[np.float64]
CLUTTER_ID = 30000


def _tone(rng: np.random.Generator, low: float = 20, high: float = 250) -> tuple[float, float, float]:
    b, g, r = any_colour(rng, low, high) * 255
    return (float(b), float(g), float(r))


def _pixels(view: View, points: NDArray[np.float64]) -> NDArray[np.int32]:
    """(n, 3) table points to (n, 2) pixels with four fractional bits, as OpenCV's drawing wants them."""
    fixed: NDArray[np.int32] = np.clip(view.project(points) * 16, -1e6, 1e6).astype(np.int32)
    return fixed


class Painter:
    """Paints flat shapes that lie at a height over the table, and remembers what they cover."""

    def __init__(self, image: Image, ids: Ids, view: View) -> None:
        self.image, self.ids, self.view = image, ids, view

    def fill(self, points: NDArray[np.int32], tone: Tone) -> None:
        """Fill an outline given in sixteenths of a pixel."""
        cv2.fillPoly(self.image, [points], [float(np.clip(v, 0, 255)) for v in tone], cv2.LINE_AA, shift=4)
        cv2.fillPoly(self.ids, [points], CLUTTER_ID, shift=4)

    def shape(self, outline: NDArray[np.float64], z: float, tone: Tone) -> None:
        """Fill an outline, (n, 2) table points, at height z."""
        self.fill(_pixels(self.view, np.column_stack([outline, np.full(len(outline), z)])), tone)

    def shade(self, outline: NDArray[np.float64], strength: float, blur: float) -> None:
        """Darken the table under an outline: a soft shadow."""
        points = _pixels(self.view, np.column_stack([outline, np.zeros(len(outline))]))
        mask = np.zeros(self.image.shape[:2], np.uint8)
        cv2.fillPoly(mask, [points], 255, shift=4)
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, blur))
        self.image[:] = cv2.multiply(self.image, cv2.merge([255 - (mask * strength).astype(np.uint8)] * 3), scale=1 / 255)


def _circle(x: float, y: float, radius: float, points: int = 28) -> NDArray[np.float64]:
    t = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return np.column_stack([x + radius * np.cos(t), y + radius * np.sin(t)])


def _box(x: float, y: float, length: float, width: float, angle: float) -> NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    u, v = np.array([c, s]) * length / 2, np.array([-s, c]) * width / 2
    return np.array([x, y]) + np.stack([-u - v, u - v, u + v, -u + v])


def _coin(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """A coin or a game chip: rings, marks, dashes on the rim."""
    radius, height = between(rng, 0.25, 0.9), between(rng, 0.03, 0.15)
    base = np.array(_tone(rng, 60))
    paint.shade(_circle(x + 0.06, y + 0.06, radius * 1.05), 0.5, 1.5)
    paint.shape(_circle(x, y, radius), 0.0, base * 0.6)
    paint.shape(_circle(x, y, radius), height, base)
    for ring in rng.uniform(0.2, 0.95, int(rng.integers(0, 4))):
        paint.shape(_circle(x, y, radius * float(ring)), height, base * between(rng, 0.6, 1.4))
    turn, marks = between(rng, 0, 6), int(rng.integers(0, 9))
    for k in range(marks):
        a = turn + 2 * np.pi * k / marks
        paint.shape(_box(x + radius * 0.85 * np.cos(a), y + radius * 0.85 * np.sin(a), radius * 0.25, radius * 0.2, a),
                    height, base * 1.5)


_DIE = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (1, 1), (-1, 1), (1, -1)]}
_DIE[5] = [*_DIE[4], (0, 0)]
_DIE[6] = [*_DIE[4], (0, -1), (0, 1)]


def _die(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """A die: the thing on a table that most resembles a single half."""
    size, angle = between(rng, 0.5, 1.1), between(rng, 0, 6.3)
    body = np.array(_tone(rng, 30) if chance(rng, 0.5) else (235, 240, 245))
    ink: Tone = (20, 20, 20) if body.mean() > 110 else (240, 240, 240)
    paint.shade(_box(x + 0.15, y + 0.15, size * 1.1, size * 1.1, angle), 0.55, 2)
    outline = _box(x, y, size, size, angle)
    sides = np.vstack([np.column_stack([outline, np.zeros(4)]), np.column_stack([outline, np.full(4, size)])])
    hull = cv2.convexHull(_pixels(paint.view, sides))
    paint.fill(hull, body * between(rng, 0.5, 0.8))
    paint.shape(outline, size, body)
    radius = size * between(rng, 0.07, 0.11)
    c, s = np.cos(angle), np.sin(angle)
    for u, v in _DIE[int(rng.integers(1, 7))]:
        du, dv = u * size * 0.27, v * size * 0.27
        paint.shape(_circle(x + du * c - dv * s, y + du * s + dv * c, radius, 14), size, ink)


def _pen(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """Pens, sticks, cutlery: long thin things."""
    angle, length, width = between(rng, 0, 6.3), between(rng, 3, 9), between(rng, 0.12, 0.5)
    tone = np.array(_tone(rng))
    paint.shade(_box(x + 0.1, y + 0.15, length, width, angle), 0.5, 2)
    paint.shape(_box(x, y, length, width, angle), 0.1, tone)
    paint.shape(_box(x, y, length, width * 0.35, angle), 0.12, tone * 1.5 + 20)
    c, s = np.cos(angle), np.sin(angle)
    paint.shape(_box(x + c * length * 0.4, y + s * length * 0.4, length * 0.2, width * 1.02, angle), 0.13, _tone(rng))


def _card(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """Playing cards, score pads, labelled boxes, erasers: flat light rectangles, with marks in rows."""
    angle, width = between(rng, 0, 6.3), log_between(rng, 0.8, 4)
    length = width * between(rng, 1.2, 2.2)
    height = 0.02 if chance(rng, 0.7) else between(rng, 0.1, 0.5)
    paper: Tone = (235, 240, 242) if chance(rng, 0.6) else _tone(rng)
    paint.shade(_box(x + 0.05 + height / 3, y + 0.05, length * 1.02, width * 1.02, angle), 0.5, 1.5)
    if height > 0.05:
        paint.shape(_box(x, y, length, width, angle), 0.0, np.array(paper) * 0.6)
    paint.shape(_box(x, y, length, width, angle), height, paper)
    ink = (30, 20, 200) if chance(rng, 0.4) else _tone(rng, 0, 120)
    c, s = np.cos(angle), np.sin(angle)
    style, rows = int(rng.integers(4)), int(rng.integers(1, 6))
    for i in range(rows):
        for j in range(int(rng.integers(1, 4))):
            u, v = length * (-0.35 + 0.7 * (i + 0.5) / rows), width * (-0.25 + 0.25 * j)
            px, py = x + u * c - v * s, y + u * s + v * c
            if style == 0:
                paint.shape(_circle(px, py, width * 0.07, 12), height, ink)
            elif style == 1:
                paint.shape(_box(px, py, width * 0.14, width * 0.14, angle + 0.78), height, ink)
            elif style == 2:
                paint.shape(_box(px, py, width * 0.05, width * between(rng, 0.1, 0.6), angle), height, ink)


def _cup(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """A cup or glass from above: a wall, a rim and a drink."""
    radius, tone = between(rng, 0.9, 2.6), np.array(_tone(rng, 60))
    top = radius * between(rng, 0.6, 2.2)
    paint.shade(_circle(x + 0.3, y + 0.3, radius * 1.05), 0.6, 5)
    ground = np.column_stack([_circle(x, y, radius * 0.85), np.zeros(28)])
    rim = np.column_stack([_circle(x, y, radius), np.full(28, top)])
    hull = cv2.convexHull(_pixels(paint.view, np.vstack([ground, rim])))
    paint.fill(hull, tone * 0.8)
    paint.shape(_circle(x, y, radius), top, tone * 1.1)
    paint.shape(_circle(x, y, radius * 0.88), top * 0.9, _tone(rng, 10, 160))


def _cable(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """A cable or string: a thin curve."""
    turns = np.cumsum(rng.normal(0, 0.25, 40))
    steps = np.column_stack([np.cos(turns), np.sin(turns)]) * 0.35
    path = np.cumsum(steps, axis=0) + (x, y)
    points = _pixels(paint.view, np.column_stack([path, np.full(40, 0.05)]))
    thick = max(1, int(paint.view.half_px * between(rng, 0.05, 0.15)))
    cv2.polylines(paint.image, [points], False, _tone(rng), thick, cv2.LINE_AA, shift=4)
    cv2.polylines(paint.ids, [points], False, CLUTTER_ID, thick, shift=4)


def _hand(paint: Painter, x: float, y: float, rng: np.random.Generator) -> None:
    """A hand that reaches in from one side: arm or sleeve, palm and fingers."""
    skin = np.array([between(rng, 60, 175), between(rng, 85, 190), between(rng, 120, 240)])
    angle, z = between(rng, 0, 6.3), between(rng, 0.4, 1.5)
    c, s = np.cos(angle), np.sin(angle)

    def limb(u0: float, v0: float, u1: float, v1: float, width: float, tone: NDArray[np.float64]) -> None:
        a, b = (np.array([x + u * c - v * s, y + u * s + v * c]) for u, v in ((u0, v0), (u1, v1)))
        along = (b - a) / max(1e-6, float(np.linalg.norm(b - a)))
        side = np.array([-along[1], along[0]]) * width / 2
        tips = [_circle(float(end[0]), float(end[1]), width / 2, 16) for end in (a, b)]
        outline = np.vstack([*tips, np.stack([a + side, b + side, b - side, a - side])])
        hull = cv2.convexHull(outline.astype(np.float32))[:, 0].astype(np.float64)
        paint.shade(hull + 0.4, 0.35, 4)
        paint.shape(hull, z, tone)

    sleeve = np.array(_tone(rng)) if chance(rng, 0.6) else skin * 0.95
    limb(-3, 0, -25, between(rng, -3, 3), between(rng, 2.4, 4), sleeve)
    limb(-2.6, 0, 0.2, 0, between(rng, 2.6, 3.6), skin)
    spread = between(rng, 0.05, 0.25)
    for k in range(4):
        v = -1.2 + 0.8 * k
        reach = between(rng, 1.5, 3.2)
        limb(0.3, v * 0.9, 0.3 + reach, v * (1 + spread * reach), between(rng, 0.6, 0.85), skin * between(rng, 0.9, 1.08))
    limb(-1.6, 1.2, between(rng, -0.5, 0.8), between(rng, 1.8, 2.8), 0.85, skin * 0.97)


_THINGS: tuple[Callable[[Painter, float, float, np.random.Generator], None], ...] = (
    _coin, _die, _pen, _card, _cup, _cable)
_ODDS = (0.27, 0.2, 0.14, 0.22, 0.1, 0.07)


def strew(paint: Painter, count: int, free: Callable[[float, float], bool], reach: tuple[float, float, float, float],
          rng: np.random.Generator, odds: Sequence[float] = _ODDS) -> None:
    """Lay `count` things where `free(x, y)`; some may cover a tile's edge. odds: of coins, dice, pens, cards, cups, cables."""
    for _ in range(count):
        x, y = between(rng, reach[0], reach[2]), between(rng, reach[1], reach[3])
        if free(x, y) or chance(rng, 0.12):
            _THINGS[int(rng.choice(len(_THINGS), p=odds))](paint, x, y, rng)


def reach_in(paint: Painter, reach: tuple[float, float, float, float], rng: np.random.Generator) -> None:
    """A hand somewhere over the table; covers whatever it covers."""
    _hand(paint, between(rng, reach[0], reach[2]), between(rng, reach[1], reach[3]), rng)
