"""Tiles and clutter as solids with their pictures: what path-traced tables are laid with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.faces import SetStyle, face_texture
from simulator.noise import between, chance, log_between
from simulator.pips import pip_layout
from simulator.scene import Body
from simulator.solids import Cut, Solid, face_relief, flat, limb, slab, turned
from simulator.surfaces import any_colour, surface
from simulator.view import View

Array = NDArray[np.float64]
Picture = NDArray[np.float32]
Reach = tuple[float, float, float, float]  # x0, y0, x1, y1 of the visible table


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A solid with its picture: face (h, w, 3) BGR 0..1 as displayed, and the colours of side and back."""

    solid: Solid
    face: Picture
    side: Picture
    back: Picture


def tile_things(
    bodies: Sequence[Body], style: SetStyle, half_px: float, rng: np.random.Generator
) -> list[Thing]:
    """Every tile as a rounded block; where pips are drilled or domed its skin is, the paint stays flat."""
    depth = {
        "drilled": between(rng, 0.25, 0.7),
        "domed": -between(rng, 0.15, 0.4),
        "ring": between(rng, 0.1, 0.3),
    }
    cut = Cut(
        depth.get(style.pip_kind, 0.0),
        between(rng, 0.3, 1.0) if style.bar == "groove" else 0.0,
        -between(rng, 0.2, 0.6),
        between(rng, 0.05, 0.25) if style.grain == "dimple" else 0.0,
    )
    paint = replace(
        style,
        pip_kind="ring" if style.pip_kind == "ring" else "printed",
        bevel=0.0,
        bar="line" if style.bar == "groove" else style.bar,
    )
    cells, side_px = float(np.clip(0.75 * half_px, 12, 60)), round(float(np.clip(1.3 * half_px, 20, 140)))
    things = []
    for body in bodies:
        ends, lean = body.placed.ends, abs(np.sin(body.placed.lean)) * style.length / 2
        relief = flat if ends is None else face_relief(style, ends, cut, rng)
        block = slab(style.length, style.corner, style.bevel, style.thickness, cells, relief)
        block = block.moved(body.centre + (0, 0, lean), np.stack([body.long, body.short, body.normal]))
        face = face_texture(paint, ends, side_px, between(rng, 0, 6.3), rng)[..., :3]
        things.append(Thing(block, face, style.side, style.back))
    return things


def _upright(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, s, 0.0], [s, -c, 0.0], [0.0, 0, 1]])


Maker = Callable[[float, float, Array, Picture, Picture, np.random.Generator], Thing]


def _plain(tone: Picture, size: int = 32) -> Picture:
    return np.ascontiguousarray(np.broadcast_to(tone, (size, size, 3)).astype(np.float32))


def _coin(x: float, y: float, axes: Array, tone: Picture, other: Picture, rng: np.random.Generator) -> Thing:
    """A coin, a chip, a bottle top."""
    radius, high, face = between(rng, 0.25, 0.9), between(rng, 0.05, 0.18), _plain(tone, 64)
    for ring in rng.uniform(5, 30, int(rng.integers(0, 4))):
        cv2.circle(face, (32, 32), int(ring), (tone * between(rng, 0.5, 1.5)).tolist(), 2, cv2.LINE_AA)
    coin = turned([(0, high), (radius * 0.94, high), (radius, high * 0.6), (radius, 0)])
    return Thing(coin.moved((x, y, 0), axes), face, tone * np.float32(0.8), other)


def _die(x: float, y: float, axes: Array, tone: Picture, other: Picture, rng: np.random.Generator) -> Thing:
    size, face = between(rng, 0.5, 1.0), _plain(tone, 64)
    ink = 0.05 if tone.mean() > 0.45 else 0.95
    for u, v in pip_layout(int(rng.integers(1, 7)), rng):
        cv2.circle(face, (int(32 + 17 * u), int(32 + 17 * v)), 5, (ink, ink, ink), -1, cv2.LINE_AA)
    return Thing(slab(1, 0.15, 0.12, 1, 4).moved((x, y, size), axes, size), face, tone, tone)


def _pen(x: float, y: float, axes: Array, tone: Picture, other: Picture, rng: np.random.Generator) -> Thing:
    radius, reach = between(rng, 0.1, 0.25), between(rng, 1.5, 4) * axes[0]
    middle = np.array([x, y, radius])
    return Thing(limb(middle - reach, middle + reach, radius), _plain(tone), tone, other)


def _box(x: float, y: float, axes: Array, tone: Picture, other: Picture, rng: np.random.Generator) -> Thing:
    """A card, a box, a score pad, with any print."""
    wide, high = log_between(rng, 0.8, 3), 0.03 if chance(rng, 0.6) else between(rng, 0.15, 1.2)
    block = slab(between(rng, 1.1, 2.2), between(rng, 0, 0.1), 0.02, high / wide, 4)
    return Thing(block.moved((x, y, high), axes, wide), surface(128, rng), tone, other)


def _cup(x: float, y: float, axes: Array, tone: Picture, other: Picture, rng: np.random.Generator) -> Thing:
    radius, high, wall = between(rng, 0.9, 1.9), between(rng, 0.8, 3.5), 0.12
    full, foot = high * between(rng, 0.2, 0.9), between(rng, 0.7, 1)
    inner = radius - wall
    cup = turned([(0, full), (inner, full), (inner, high), (radius, high), (radius * foot, 0)])
    return Thing(cup.moved((x, y, 0), axes), _plain(other), tone, other)


_MAKERS: tuple[Maker, ...] = (_coin, _die, _pen, _box, _cup)
_UP_TO = (0.27, 0.47, 0.6, 0.85, 1.0)


def _thing(x: float, y: float, rng: np.random.Generator) -> Thing:
    """Something that lies on tables."""
    kind, axes = rng.random(), _upright(between(rng, 0, 6.3))
    tone, other = any_colour(rng, 40), any_colour(rng)
    return _MAKERS[int(np.searchsorted(_UP_TO, kind, side="right"))](x, y, axes, tone, other, rng)


def _rods(rods: Sequence[tuple[Array, Array, float, Picture]]) -> list[Thing]:
    """Rods between two points, of a radius and a colour."""
    return [Thing(limb(a, b, radius), _plain(tone), tone, tone) for a, b, radius, tone in rods]


def _hand(reach: Reach, rng: np.random.Generator) -> list[Thing]:
    """A hand that reaches in over the table: arm, palm, thumb and four fingers of two rods each."""
    axes = _upright(between(rng, 0, 6.3))
    where = rng.uniform((reach[0], reach[1], 1.0), (reach[2], reach[3], 2.2))
    skin = rng.uniform((0.25, 0.33, 0.47), (0.68, 0.75, 0.92)).astype(np.float32)
    sleeve = any_colour(rng) if chance(rng, 0.6) else skin
    rods = [
        ((-3.2, 0, 0.3), (-30, between(rng, -4, 4), 6), between(rng, 1.1, 1.8), sleeve),
        ((-3.6, 0, 0.2), (-1.2, 0.5, 0), 1.0, skin),
        ((-3.0, -0.5, 0.1), (-0.6, -0.5, 0), 0.85, skin),
        ((-2.0, 1.1, 0), (between(rng, -0.5, 0.8), 2.1, -0.4), 0.4, skin),
    ]
    for k in range(4):
        v, far, drop = -1.1 + 0.72 * k, between(rng, 1.2, 2.6), between(rng, 0.0, 0.9)
        knuckle = (far * 0.55, v, 0.25)
        rods += [((-0.5, v * 0.9, 0.1), knuckle, 0.36, skin), (knuckle, (far, v * 1.05, -drop), 0.33, skin)]
    return _rods(
        [(np.array(a) @ axes + where, np.array(b) @ axes + where, r, tone) for a, b, r, tone in rods]
    )


def _onlooker(view: View, rng: np.random.Generator) -> list[Thing]:
    """Whoever holds the camera: unseen, but throws a shadow and stands in reflections."""
    forward, tone = view.matrix[2, :3], any_colour(rng, 10, 150)
    aside = np.array([*rng.normal(0, 1, 2), 0.0])
    head = view.position - forward * between(rng, 7, 16) + aside * 3
    chest = head - forward * 8 + np.array([*aside[:2], -1.0]) * 5
    rods = ((head, head + (0, 0, 3.0), 4.0, tone), (chest, chest - (0, 0, 12.0), 8.0, tone))
    return _rods([rod for rod in rods if max((end - view.position) @ forward for end in rod[:2]) < -rod[2]])


def clutter_things(bodies: Sequence[Body], view: View, reach: Reach, rng: np.random.Generator) -> list[Thing]:
    """What else is on, over and around the table."""
    things = []
    taken = np.array([b.centre[:2] for b in bodies]).reshape(-1, 2)
    for _ in range(int(rng.integers(1, 9)) if chance(rng, 0.35 if bodies else 0.7) else 0):
        x, y = between(rng, reach[0], reach[2]), between(rng, reach[1], reach[3])
        apart = np.hypot(*(taken - (x, y)).T).min(initial=99)
        near_camera = np.hypot(x - view.position[0], y - view.position[1]) < 4 and view.position[2] < 8
        if apart > 2.2 and not near_camera:
            taken = np.vstack([taken, (x, y)])
            things.append(_thing(x, y, rng))
    if chance(rng, 0.07):
        things += _hand(reach, rng)
    if chance(rng, 0.5):
        things += _onlooker(view, rng)
    return things


def atlas(things: Sequence[Thing]) -> tuple[Picture, list[Solid]]:
    """One picture of all faces, displayed BGR, and the solids with `uv` in it."""
    high, wide = (max(t.face.shape[k] for t in things) for k in (0, 1))
    strip, columns = 4, int(np.ceil(np.sqrt(len(things) / 2)))
    rows = -(-len(things) // columns)
    sheet = np.zeros((rows * (high + strip), columns * wide, 3), np.float32)
    size, solids = np.array([sheet.shape[1], sheet.shape[0]], np.float64), []
    for k, thing in enumerate(things):
        x, y = k % columns * wide, k // columns * (high + strip)
        h, w = thing.face.shape[:2]
        sheet[y : y + h, x : x + w] = thing.face
        sheet[y + high : y + high + strip, x : x + wide // 2] = thing.side
        sheet[y + high : y + high + strip, x + wide // 2 : x + wide] = thing.back
        uv, off_face = thing.solid.uv, thing.solid.uv[:, 1] > 1.5
        inside = np.clip(uv * (w, h), 0.75, (w - 0.75, h - 0.75))
        swatch = np.column_stack([uv[:, 0] * wide, np.full(len(uv), high + strip / 2)])
        solids.append(replace(thing.solid, uv=(np.where(off_face[:, None], swatch, inside) + (x, y)) / size))
    return sheet, solids
