"""Suit symbols and other small signs, drawn as outlines; every maker's hand draws them a little differently."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.noise import between, chance

Array = NDArray[np.float64]

FINE_SIDE = 256
"""Pixels of the mask that a symbol is drawn on."""


class Pen:
    """Draws on a mask in a frame of -1 to 1, y down."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.side = FINE_SIDE
        self.mask = np.zeros((self.side, self.side), np.uint8)
        self.rng = rng

    def _pixels(self, points: Array) -> NDArray[np.int32]:
        fixed: NDArray[np.int32] = np.round((np.asarray(points, np.float64) * 0.47 + 0.5) * self.side * 16).astype(
            np.int32
        )
        return fixed

    def fill(self, points: Array | Sequence[tuple[float, float]], tone: int = 255) -> None:
        cv2.fillPoly(self.mask, [self._pixels(np.asarray(points))], tone, cv2.LINE_AA, shift=4)

    def disc(self, x: float, y: float, radius: float, tone: int = 255) -> None:
        self.fill(circle(x, y, radius), tone)

    def line(
        self, points: Array | Sequence[tuple[float, float] | Array], width: float, tone: int = 255, closed: bool = False
    ) -> None:
        thick = max(1, round(width * 0.47 * self.side))
        cv2.polylines(self.mask, [self._pixels(np.asarray(points))], closed, tone, thick, cv2.LINE_AA, shift=4)

    def both(self, points: Sequence[tuple[float, float]], tone: int = 255) -> None:
        """A smooth outline and its mirror image."""
        outline = smooth(points, True)
        self.fill(outline, tone)
        self.fill(outline * (-1, 1), tone)


def circle(x: float, y: float, radius: float, across: float | None = None, points: int = 48) -> Array:
    """(points, 2) outline of a circle, or of an ellipse."""
    t = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return np.column_stack([x + radius * np.cos(t), y + (across or radius) * np.sin(t)])


def smooth(points: Sequence[tuple[float, float]] | Array, closed: bool = False) -> Array:
    """A Catmull-Rom curve through the points."""
    p = np.asarray(points, np.float64)
    ring = np.vstack([p[-1:], p, p[:2]]) if closed else np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    t = np.linspace(0, 1, 9)[:-1, None]
    parts = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(ring[:-3], ring[1:-2], ring[2:-1], ring[3:], strict=True)
    ]
    return np.vstack(parts if closed else [*parts, ring[-2:-1]])


def spokes(count: int, inner: float, outer: float, turn: float = -np.pi / 2) -> Array:
    """(2 count, 2) points of a star."""
    t = turn + np.arange(2 * count) * np.pi / count
    r = np.where(np.arange(2 * count) % 2 == 0, outer, inner)
    return np.column_stack([r * np.cos(t), r * np.sin(t)])


def _sun(pen: Pen) -> None:
    rng, count = pen.rng, int(pen.rng.integers(6, 19))
    core, form = between(rng, 0.36, 0.66), int(rng.integers(5))
    if form == 0:  # a star of rays around a disc
        pen.fill(spokes(count, core * between(rng, 0.8, 1.05), 1.0))
        if chance(rng, 0.5):
            pen.disc(0, 0, core * 1.0, 0)
            pen.disc(0, 0, core * between(rng, 0.72, 0.92))
    elif form in (1, 2):  # separate rays: strokes, triangles
        gap, width = core + between(rng, 0.05, 0.16), between(rng, 0.05, 0.14)
        for k in range(count):
            t = 2 * np.pi * k / count - np.pi / 2
            way, side = np.array([np.cos(t), np.sin(t)]), np.array([-np.sin(t), np.cos(t)])
            far = 1.0 if k % 2 == 0 or form == 1 else between(rng, 0.82, 1.0)
            if form == 1:
                pen.line([way * gap, way * far], width)
            else:
                half = min(0.2, np.pi * gap / count * 0.8)
                pen.fill(np.array([way * gap + side * half, way * far, way * gap - side * half]))
        pen.disc(0, 0, core)
    elif form == 3:  # wavy rays
        for k in range(count):
            bend = 2 * np.pi * k / count + np.linspace(0, 1, 6) * 0.35 * np.sin(np.linspace(0, 4.5, 6))
            r = np.linspace(core * 0.9, 1.0, 6)
            pen.line(np.column_stack([r * np.cos(bend), r * np.sin(bend)]), between(rng, 0.08, 0.13))
        pen.disc(0, 0, core)
    else:  # round petals
        for k in range(max(6, count // 2)):
            t = 2 * np.pi * k / max(6, count // 2)
            pen.disc(0.68 * np.cos(t), 0.68 * np.sin(t), between(rng, 0.2, 0.3))
        pen.disc(0, 0, core)
    look = rng.random()
    if look < 0.25:  # a face
        for x in (-0.35, 0.35):
            pen.disc(x * core, -0.22 * core, 0.13 * core, 0)
        pen.line(
            smooth([(-0.45 * core, 0.25 * core), (0, 0.52 * core), (0.45 * core, 0.25 * core)]), 0.1 * core + 0.03, 0
        )
    elif look < 0.5:
        pen.disc(0, 0, core * between(rng, 0.45, 0.8), 0)
        if chance(rng, 0.5):
            pen.disc(0, 0, core * between(rng, 0.15, 0.42))


def _moon(pen: Pen) -> None:
    rng = pen.rng
    turn, mirror = between(rng, -0.7, 0.7), 1 if chance(rng, 0.5) else -1
    radius, shift = between(rng, 0.66, 1.0), between(rng, 0.22, 0.62)
    c, s = np.cos(turn) * shift * mirror, np.sin(turn) * shift
    pen.disc(0, 0, 0.95)
    if chance(rng, 0.12):  # a half moon
        pen.fill([(0, -1), (mirror, -1), (mirror, 1), (0, 1)], 0)
        pen.line(circle(0, 0, 0.9), 0.08, closed=True)
        return
    pen.disc(c, s, 0.95 * radius + 0.02, 0)
    if chance(rng, 0.2):  # an eye, or a star in the bow
        pen.disc(-0.62 * mirror, -0.2, 0.06, 0)
    if chance(rng, 0.15):
        pen.fill(spokes(5, 0.1, 0.24) + (0.45 * mirror, -0.1))


def _crown(pen: Pen) -> None:
    rng, points = pen.rng, 3 if chance(pen.rng, 0.5) else 5
    top, dip, foot, flare = (
        between(rng, -0.85, -0.5),
        between(rng, -0.1, 0.3),
        between(rng, 0.55, 0.85),
        between(rng, 0.72, 1.0),
    )
    xs = np.linspace(-1, 1, points)
    tips = np.column_stack([xs * flare, top + np.abs(xs) * between(rng, -0.1, 0.35)])
    valleys = np.column_stack([(xs[1:] + xs[:-1]) / 2 * flare * 0.9, np.full(points - 1, dip)])
    outline: list[tuple[float, float]] = [(-0.72, foot)]
    for k in range(points):
        outline.append((tips[k, 0], tips[k, 1]))
        if k < points - 1:
            outline.append((valleys[k, 0], valleys[k, 1]))
    pen.fill([*outline, (0.72, foot)])
    if chance(rng, 0.6):
        for tip in tips:
            pen.disc(float(tip[0]) * 0.96, float(tip[1]), between(rng, 0.08, 0.15))
    if chance(rng, 0.5):  # a band, or its gap
        pen.line([(-0.75, foot - 0.22), (0.75, foot - 0.22)], between(rng, 0.05, 0.1), 0)
    if chance(rng, 0.3):
        for x in (-0.4, 0, 0.4):
            pen.disc(x, foot - 0.35, 0.09, 0)
    if chance(rng, 0.2):  # a closed crown
        pen.line(smooth([(-0.7, 0.4), (-0.75, -0.3), (0, -0.6), (0.75, -0.3), (0.7, 0.4)]), 0.13)
        pen.line([(0, -1), (0, -0.4)], 0.12)
        pen.line([(-0.16, -0.8), (0.16, -0.8)], 0.12)


def _fleur(pen: Pen) -> None:
    rng = pen.rng
    wide, curl, fat = between(rng, 0.78, 0.98), between(rng, 0.1, 0.45), between(rng, 0.75, 1.25)
    petal = [
        (0, -1),
        (0.2 * fat, -0.6),
        (0.27 * fat, -0.3),
        (0.14, 0.2),
        (0, 0.28),
        (-0.14, 0.2),
        (-0.27 * fat, -0.3),
        (-0.2 * fat, -0.6),
    ]
    pen.fill(smooth(petal, True))
    pen.both(
        [
            (0.14, 0.2),
            (0.28, -0.2),
            (0.5, -0.45),
            (wide * 0.85, -0.42),
            (wide, -0.15),
            (wide * 0.93, 0.1),
            (wide * 0.75, curl * 0.5),
            (wide * 0.74, -0.1),
            (0.58, -0.16),
            (0.42, 0.0),
            (0.33, 0.24),
        ]
    )
    pen.fill([(-0.5, 0.2), (0.5, 0.2), (0.5, 0.36), (-0.5, 0.36)])
    pen.fill(smooth([(-0.12, 0.36), (0.12, 0.36), (0.2, 0.66), (0, 1), (-0.2, 0.66)], True))
    pen.both([(0.12, 0.36), (0.34, 0.36), (0.46, 0.62), (0.62, 0.7), (0.4, 0.82), (0.22, 0.66)])
    if chance(rng, 0.35):
        pen.line([(0, -0.7), (0, 0.1)], 0.05, 0)


def _anchor(pen: Pen) -> None:
    rng, width = pen.rng, between(pen.rng, 0.12, 0.24)
    pen.line(circle(0, -0.76, 0.17), width * 0.75, closed=True)
    pen.line([(0, -0.58), (0, 0.88)], width)
    pen.line([(-0.42, -0.36), (0.42, -0.36)], width * 0.9)
    reach = between(rng, 0.62, 0.85)
    pen.line(smooth([(-reach, 0.25), (-0.6 * reach, 0.72), (0, 0.9), (0.6 * reach, 0.72), (reach, 0.25)]), width)
    for sign in (-1, 1):
        pen.fill([(sign * (reach - 0.26), 0.32), (sign * (reach + 0.02), 0.02), (sign * (reach + 0.16), 0.46)])


def _shield(pen: Pen) -> None:
    rng = pen.rng
    top = -0.9 if chance(rng, 0.6) else -0.72
    side = [(0.8, top), (0.82, -0.1), (0.62, 0.45), (0.0, 0.98)]
    outline = np.vstack([[(-0.8, top)], [(0, -0.9)], smooth(side), smooth(side)[::-1] * (-1, 1)])
    pen.fill(outline)
    form = int(rng.integers(5))
    if form == 0:
        pen.fill(outline * 0.78 + (0, -0.02), 0)
        pen.fill(outline * 0.55)
    elif form == 1:
        pen.line([(0, -0.8), (0, 0.8)], 0.2, 0)
        pen.line([(-0.7, -0.2), (0.7, -0.2)], 0.2, 0)
    elif form == 2:
        pen.line([(-0.6, 0.3), (0, -0.3), (0.6, 0.3)], 0.22, 0)
    elif form == 3:
        pen.fill(outline * 0.8 + (0, -0.02), 0)


def _swords(pen: Pen) -> None:
    for sign in (-1, 1):
        pen.line([(-0.75 * sign, -0.85), (0.6 * sign, 0.7)], between(pen.rng, 0.14, 0.22))
        pen.line([(0.2 * sign, 0.68), (0.68 * sign, 0.26)], 0.14)
        pen.line([(0.5 * sign, 0.6), (0.78 * sign, 0.9)], 0.2)


def _heart(pen: Pen) -> None:
    pen.fill(
        smooth(
            [
                (0, -0.45),
                (0.3, -0.85),
                (0.75, -0.8),
                (0.95, -0.35),
                (0.7, 0.2),
                (0, 0.95),
                (-0.7, 0.2),
                (-0.95, -0.35),
                (-0.75, -0.8),
                (-0.3, -0.85),
            ],
            True,
        )
    )


def _spade(pen: Pen) -> None:
    pen.fill(
        smooth(
            [
                (0, -1),
                (0.3, -0.55),
                (0.85, 0.05),
                (0.8, 0.5),
                (0.35, 0.55),
                (0, 0.3),
                (-0.35, 0.55),
                (-0.8, 0.5),
                (-0.85, 0.05),
                (-0.3, -0.55),
            ],
            True,
        )
    )
    pen.fill([(0, 0.2), (0.32, 1), (-0.32, 1)])


def _club(pen: Pen) -> None:
    for x, y in ((0, -0.5), (-0.5, 0.2), (0.5, 0.2)):
        pen.disc(x, y, between(pen.rng, 0.38, 0.46))
    pen.fill([(0, -0.2), (0.3, 1), (-0.3, 1)])


def _leaf(pen: Pen) -> None:
    pen.fill(smooth([(0, -1), (0.5, -0.5), (0.62, 0.1), (0, 0.75), (-0.62, 0.1), (-0.5, -0.5)], True))
    pen.line([(0, -0.6), (0, 1)], 0.1, 0)
    pen.line([(0, 0.5), (0, 1)], 0.12)


def _tree(pen: Pen) -> None:
    for k in range(3):
        y = -1 + 0.45 * k
        pen.fill([(0, y), (0.45 + 0.17 * k, y + 0.75), (-0.45 - 0.17 * k, y + 0.75)])
    pen.fill([(-0.14, 0.6), (0.14, 0.6), (0.14, 1), (-0.14, 1)])


def _bolt(pen: Pen) -> None:
    pen.fill([(0.25, -1), (-0.6, 0.15), (-0.08, 0.15), (-0.3, 1), (0.6, -0.25), (0.08, -0.25)])


def _wave(pen: Pen) -> None:
    x = np.linspace(-0.9, 0.9, 40)
    for y in (-0.5, 0.0, 0.5):
        pen.line(np.column_stack([x, y + 0.18 * np.sin(x * 7)]), between(pen.rng, 0.16, 0.22))


def _key(pen: Pen) -> None:
    pen.line(circle(0, -0.6, 0.3), 0.18, closed=True)
    pen.line([(0, -0.3), (0, 0.95)], 0.18)
    pen.line([(0, 0.88), (0.38, 0.88)], 0.16)
    pen.line([(0, 0.55), (0.3, 0.55)], 0.16)


def _cup(pen: Pen) -> None:
    pen.fill(smooth([(-0.7, -0.9), (0.7, -0.9), (0.55, -0.2), (0.12, 0.12), (-0.12, 0.12), (-0.55, -0.2)], True))
    pen.line([(0, 0), (0, 0.8)], 0.18)
    pen.line([(-0.45, 0.9), (0.45, 0.9)], 0.2)


def _eye(pen: Pen) -> None:
    pen.fill(smooth([(-1, 0), (0, -0.55), (1, 0), (0, 0.55)], True))
    pen.disc(0, 0, 0.36, 0)
    pen.disc(0, 0, 0.2)


def _paw(pen: Pen) -> None:
    pen.fill(smooth([(0, 0), (0.5, 0.45), (0.4, 0.85), (0, 0.75), (-0.4, 0.85), (-0.5, 0.45)], True))
    for x, y in ((-0.7, -0.05), (-0.3, -0.55), (0.3, -0.55), (0.7, -0.05)):
        pen.disc(x, y, 0.23)


def _cross(pen: Pen) -> None:
    width = between(pen.rng, 0.22, 0.45)
    pen.line([(-0.75, -0.75), (0.75, 0.75)], width)
    pen.line([(-0.75, 0.75), (0.75, -0.75)], width)


def _plus(pen: Pen) -> None:
    width = between(pen.rng, 0.25, 0.5)
    pen.line([(-0.9, 0), (0.9, 0)], width)
    pen.line([(0, -0.9), (0, 0.9)], width)


def _ring(pen: Pen) -> None:
    width = between(pen.rng, 0.1, 0.4)
    pen.line(circle(0, 0, 0.95 - width / 2), width, closed=True)


def _arrow(pen: Pen) -> None:
    pen.fill([(0, -1), (0.7, -0.1), (0.28, -0.1), (0.28, 1), (-0.28, 1), (-0.28, -0.1), (-0.7, -0.1)])


def _spiral(pen: Pen) -> None:
    """The ace of most editions."""
    rng, turns = pen.rng, between(pen.rng, 1.4, 3.6)
    t = np.linspace(0, 1, 120)
    r = between(rng, 0.0, 0.12) + (0.92 - 0.1) * t ** between(rng, 0.75, 1.5)
    way = 1 if chance(rng, 0.5) else -1
    angle = between(rng, 0, 2 * np.pi) + way * 2 * np.pi * turns * t
    gap = 0.85 / turns
    pen.line(np.column_stack([r * np.cos(angle), r * np.sin(angle)]), gap * between(rng, 0.25, 0.55))


def _polygon(sides: int) -> Callable[[Pen], None]:
    def draw(pen: Pen) -> None:
        t = -np.pi / 2 + np.arange(sides) * 2 * np.pi / sides
        pen.fill(np.column_stack([np.cos(t), np.sin(t)]) * 0.98)

    return draw


def _star(points: int) -> Callable[[Pen], None]:
    return lambda pen: pen.fill(spokes(points, between(pen.rng, 0.3, 0.55), 1.0))


SYMBOLS: dict[str, Callable[[Pen], None]] = {
    "sun": _sun, "moon": _moon, "crown": _crown, "fleur": _fleur, "anchor": _anchor, "shield": _shield, "swords": _swords,
    "disc": lambda pen: pen.disc(0, 0, 0.9),
    "triangle": _polygon(3), "x": _cross, "heart": _heart, "spade": _spade, "club": _club,
    "diamond": _polygon(4), "hexagon": _polygon(6), "star": _star(5), "plus": _plus, "ring": _ring, "leaf": _leaf, "tree": _tree,
    "bolt": _bolt, "wave": _wave, "key": _key, "cup": _cup, "eye": _eye, "paw": _paw, "arrow": _arrow, "spiral": _spiral,
    "square": lambda pen: pen.fill([(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)]), "star6": _star(6), "star8": _star(8),
}  # fmt: skip
