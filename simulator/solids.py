"""Skins of things on tables, as triangles: tiles with rounded edges and drilled pips, cups, limbs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.faces import SetStyle

Array = NDArray[np.float64]
Relief = Callable[[Array, Array], tuple[Array, Array, Array]]
SIDE, BACK = (0.25, 2.0), (0.75, 2.0)  # where a picture keeps the colours of what its face does not show


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """Points and unit normals (n, 3), `uv` (n, 2) in the solid's picture, faces (m, 3).

    uv: 0..1 on the face, from its upper left; `SIDE` and `BACK` for the rest.
    """

    points: Array
    normals: Array
    uv: Array
    faces: NDArray[np.int64]

    def moved(self, origin: Sequence[float] | Array, axes: Array, scale: float = 1.0) -> Solid:
        """The solid scaled, turned so that its axes are the rows of `axes` (3, 3), and moved to `origin`."""
        return Solid(
            self.points * scale @ axes + np.asarray(origin), self.normals @ axes, self.uv, self.faces
        )


def joined(solids: Sequence[Solid]) -> tuple[Solid, NDArray[np.int64]]:
    """All solids as one, wound so that they look outwards; and (m,) which solid each face belongs to."""
    starts = np.cumsum([0] + [len(s.points) for s in solids])
    points, normals, uv = (
        np.concatenate([getattr(s, name) for s in solids]) for name in ("points", "normals", "uv")
    )
    faces = np.concatenate([s.faces + start for s, start in zip(solids, starts[:-1], strict=True)])
    corner = points[faces]
    wound = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    inward = (wound * normals[faces].sum(axis=1)).sum(axis=1) < 0
    faces[inward] = faces[inward][:, ::-1]
    return Solid(points, normals, uv, faces), np.repeat(
        np.arange(len(solids)), [len(s.faces) for s in solids]
    )


def _sheet(rows: int, columns: int) -> NDArray[np.int64]:
    """Triangles between (rows, columns) points in reading order."""
    i = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    first, second = (
        np.column_stack([i, i + 1, i + columns]),
        np.column_stack([i + 1, i + columns + 1, i + columns]),
    )
    return np.vstack([first, second])


def _glued(parts: Sequence[tuple[Array, Array, Array, NDArray[np.int64]]]) -> Solid:
    starts = np.cumsum([0] + [len(p[0]) for p in parts])
    faces = np.concatenate([p[3] + start for p, start in zip(parts, starts[:-1], strict=True)])
    first, second, third = (np.concatenate([p[k] for p in parts]) for k in (0, 1, 2))
    return Solid(first, second, third, faces)


def flat(u: Array, v: Array) -> tuple[Array, Array, Array]:
    """The relief of a plain face."""
    zero = np.zeros_like(u)
    return zero, zero, zero


def slab(
    length: float, corner: float, bevel: float, thickness: float, cells: float, relief: Relief = flat
) -> Solid:
    """A rounded block, 1 wide, with its face upwards at height 0.

    Axes: along, across (clockwise as seen from above), up. bevel: radius of the edges' rounding.
    cells: how many cells of the face lie along a unit.
    relief: heights over the face, and their slopes along and across.
    """
    bevel = max(0.008, min(bevel, 0.45 * thickness, 0.2))
    a, b = length / 2 - bevel, 0.5 - bevel
    r = max(corner - bevel, 0.01)
    arc = np.linspace(0, np.pi / 2, 5)[1:]
    inner = np.linspace(r - b, b - r, max(2, round(cells * 2 * (b - r)) + 1))
    turn = np.concatenate([-arc[::-1], np.zeros(len(inner)), arc])
    rows = np.concatenate([r - b - r * np.sin(arc[::-1]), inner, b - r + r * np.sin(arc)])
    across = np.linspace(-1, 1, max(2, round(cells * 2 * a)) + 1)
    u = (a - r + r * np.cos(turn))[:, None] * across
    v = np.repeat(rows[:, None], len(across), axis=1)
    height, slope_u, slope_v = relief(u, v)
    steep = np.dstack([-slope_u, -slope_v, np.ones_like(u)])
    steep /= np.linalg.norm(steep, axis=2, keepdims=True)
    face = np.dstack([u, v, height])
    planar = np.dstack([u / length + 0.5, v + 0.5])
    top = (face.reshape(-1, 3), steep.reshape(-1, 3), planar.reshape(-1, 2), _sheet(*u.shape))

    ends = np.column_stack([np.cos(turn), np.sin(turn)])
    level = np.broadcast_to([[0.0, -1.0]], (len(across), 2))
    rim = np.concatenate([face[0], face[1:, -1], face[-1, -2::-1], face[-2::-1, 0]])
    out = np.concatenate([level, ends[1:], -level[1:], ends[-2::-1] * (-1, 1)])
    fall = np.linspace(0, np.pi / 2, 4)
    upper = _rings(rim, out, [(np.sin(t), bevel * (np.cos(t) - 1), t) for t in fall], bevel)
    skirt = np.column_stack([upper[0][:, 0] / length + 0.5, upper[0][:, 1] + 0.5])
    below = [(1.0, -bevel, np.pi / 2)]
    below += [(np.sin(t), bevel * (np.cos(t) + 1) - thickness, t) for t in np.pi / 2 + fall]
    lower = _rings(rim, out, below, bevel)
    bottom = np.concatenate(
        [np.column_stack([s * u[:, -1], rows, np.full(len(rows), -thickness)]) for s in (-1, 1)]
    )
    bottom = bottom.reshape(2, -1, 3).transpose(1, 0, 2).reshape(-1, 3)
    return _glued(
        [
            top,
            (upper[0], upper[1], skirt, upper[2]),
            (lower[0], lower[1], np.broadcast_to(SIDE, (len(lower[0]), 2)), lower[2]),
            (
                bottom,
                np.broadcast_to([0.0, 0, -1], bottom.shape),
                np.broadcast_to(BACK, (len(bottom), 2)),
                _sheet(len(rows), 2),
            ),
        ]
    )


def _rings(
    rim: Array, out: Array, steps: Sequence[tuple[float, float, float]], bevel: float
) -> tuple[Array, Array, NDArray[np.int64]]:
    """Rings around a rim: each `(how far out in bevels, height, angle of the normal from straight up)`."""
    points, normals = [], []
    for far, height, angle in steps:
        z = rim[:, 2] if height == 0 else np.full(len(rim), height)
        points.append(np.column_stack([rim[:, :2] + out * far * bevel, z]))
        normals.append(np.column_stack([out * np.sin(angle), np.full(len(rim), np.cos(angle))]))
    return np.concatenate(points), np.concatenate(normals), _sheet(len(steps), len(rim))


def turned(profile: Sequence[tuple[float, float]], smooth: bool = False, sides: int = 40) -> Solid:
    """A body of revolution: `profile` of (radius, height) from the middle of its top outwards and down."""
    line = np.array(profile, np.float64)
    step = np.diff(line, axis=0)
    normal = np.column_stack([-step[:, 1], step[:, 0]])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    at = np.stack([normal, normal], axis=1)  # (segments, its two ends, 2)
    if smooth:
        at[1:, 0] = at[:-1, 1] = (at[1:, 0] + at[:-1, 1]) / np.linalg.norm(
            at[1:, 0] + at[:-1, 1], axis=1, keepdims=True
        )
    t = np.linspace(0, 2 * np.pi, sides + 1)
    parts = []
    for k in range(len(step)):
        ends, lean = np.repeat(line[k : k + 2], sides + 1, axis=0), np.repeat(at[k], sides + 1, axis=0)
        c, s = np.tile(np.cos(t), 2), np.tile(np.sin(t), 2)
        points = np.column_stack([ends[:, 0] * c, ends[:, 0] * s, ends[:, 1]])
        normals = np.column_stack([lean[:, 0] * c, lean[:, 0] * s, lean[:, 1]])
        uv = (
            points[:, :2] / (2 * line[:, 0].max()) + 0.5
            if normal[k, 1] > 0.7
            else np.broadcast_to(SIDE, (len(points), 2))
        )
        parts.append((points, normals, uv, _sheet(2, sides + 1)))
    return _glued(parts)


def limb(start: Array, end: Array, radius: float) -> Solid:
    """A rod with round ends between two points: fingers, arms, heads."""
    along = np.asarray(end, np.float64) - start
    length = float(np.linalg.norm(along))
    along = along / max(length, 1e-9)
    side = np.cross(along, [0.31, 0.59, 0.74])
    side /= np.linalg.norm(side)
    t = np.linspace(0, np.pi / 2, 7)
    cap = [(radius * np.sin(v), length + radius * np.cos(v)) for v in t]
    foot = [(radius * np.cos(v), -radius * np.sin(v)) for v in t]
    skin = turned([*cap, *foot], smooth=True, sides=20)
    return Solid(skin.points, skin.normals, np.broadcast_to(SIDE, skin.uv.shape), skin.faces).moved(
        start, np.stack([side, np.cross(along, side), along])
    )


@dataclass(frozen=True, slots=True)
class Cut:
    """How a maker shapes a set's faces; depths in radii of pips or half widths of bars; raised below 0."""

    pips: float
    bar: float
    pin: float
    rough: float  # slope of a dimpled skin


def face_relief(style: SetStyle, ends: tuple[int, int], cut: Cut, rng: np.random.Generator) -> Relief:
    """Dents of the pips, the groove and the pin of one face, where `face_texture` paints them."""
    places = []
    for half, count in enumerate(ends):
        radius = style.radius(count) * 1.04
        middle = style.length * (0.5 * half - 0.25)
        places += [
            (middle + p[0] * style.spread, p[1] * style.spread, radius, cut.pips) for p in style.pips[count]
        ]
    if style.pin:
        places.append((0.0, 0.0, style.pin, cut.pin))

    def relief(u: Array, v: Array) -> tuple[Array, Array, Array]:
        height, slope_u, slope_v = np.zeros_like(u), np.zeros_like(u), np.zeros_like(u)
        if cut.rough:
            slope_u, slope_v = rng.normal(0, cut.rough, u.shape), rng.normal(0, cut.rough, u.shape)
        if cut.bar and style.bar != "none":
            half = style.bar_width / 2 * 1.1
            inside = (np.abs(u) < half) & (np.abs(v) < style.bar_length / 2)
            height = np.where(inside, -cut.bar * half * (1 - (u / half) ** 2), height)
            slope_u = np.where(inside, 2 * cut.bar * u / half, slope_u)
        for x, y, radius, depth in places:
            du, dv = u - x, v - y
            inside = du**2 + dv**2 < radius**2
            height = np.where(inside, -depth * (radius - (du**2 + dv**2) / radius), height)
            slope_u = np.where(inside, 2 * depth * du / radius, slope_u)
            slope_v = np.where(inside, 2 * depth * dv / radius, slope_v)
        return height, slope_u, slope_v

    return relief
