"""Hands and arms that reach in over the table and hide what lies beneath: modelled from rounded limbs, lit, and laid over.

A hand is modelled once for each pose, owner and direction of the light, as a picture with cover; for every frame only
that picture is warped to where the hand is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.noise import between, blobs, chance, clouds
from simulator.tabletop.camera import HARDLY_BEFORE, LensView
from simulator.tabletop.look import Lamp, Look
from simulator.tabletop.painting import GAMMA, HAND_ID, TableCanvas, cast
from simulator.tabletop.parts import Rect, around

Array = NDArray[np.float64]
Picture = NDArray[np.float32]
Image = NDArray[np.uint8]
Point = tuple[float, float]

SCALE = 1.5  # pixels per millimetre of a modelled hand
BEHIND, SIDE, REACH = 60, 110, 940  # mm modelled: before the fingertips, to each side, and along the arm
SECTORS = 12
ROUNDED = 1.2  # how far limbs may reach beyond the points around them, widths of a tile

# Each finger: points from knuckle to tip as (along the arm, aside, height) mm; fingertips meet at the origin.
Finger = tuple[tuple[float, float, float], ...]
POSES: Mapping[str, tuple[Finger, ...]] = {
    "pinch": (
        ((84, -8, 30), (46, 8, 34), (18, 17, 24), (2, 15, 10)), ((82, 14, 30), (46, 27, 33), (20, 27, 22), (8, 19, 10)),
        ((78, 35, 28), (50, 44, 28), (30, 38, 16), (24, 30, 8)), ((70, 53, 24), (52, 58, 22), (38, 52, 12)),
        ((122, -26, 20), (82, -38, 20), (40, -32, 16), (6, -16, 8)),
    ),
    "point": (
        ((88, -8, 30), (52, -6, 28), (24, -3, 18), (0, 0, 8)), ((84, 14, 30), (60, 20, 32), (58, 18, 14)),
        ((80, 35, 28), (58, 38, 28), (60, 34, 12)), ((72, 53, 24), (56, 54, 22), (58, 48, 10)),
        ((124, -26, 20), (92, -34, 18), (66, -16, 12)),
    ),
    "flat": (
        ((88, -12, 22), (50, -20, 18), (24, -24, 12), (2, -26, 8)), ((86, 10, 22), (44, 6, 18), (14, 4, 12), (-8, 3, 8)),
        ((80, 32, 21), (42, 32, 17), (16, 32, 12), (-2, 31, 8)), ((72, 52, 20), (42, 56, 15), (22, 58, 11), (8, 59, 8)),
        ((126, -28, 16), (92, -48, 14), (62, -62, 10), (44, -66, 8)),
    ),
}  # fmt: skip
THICK = (10.2, 10.5, 10.0, 8.8, 11.6)
"""Radius of each finger, the thumb last."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table. tip: where its fingertips meet, mm; source: from where its arm comes, mm; height: of the
    fingertips above the table, mm. owner: whose it is (skin, sleeve, left- or right-handed follow from it)."""

    tip: Point
    source: Point
    height: float = 4.0
    pose: str = "pinch"
    owner: int = 0

    def _ways(self) -> tuple[Array, Array]:
        """Unit vectors along the arm and to its side."""
        along = np.array([self.source[0] - self.tip[0], self.source[1] - self.tip[1]])
        along /= max(1e-6, float(np.linalg.norm(along)))
        return along, np.array([-along[1], along[0]])

    def corners(self) -> Array:
        """(4, 3) mm: the corners of the modelled picture as it hangs over the table, rising towards the shoulder."""
        along, side = self._ways()
        tip = np.array(self.tip)
        low, high = self.height + 14.0, self.height + 150.0
        ends = [(-BEHIND, -SIDE, low), (REACH, -SIDE, high), (REACH, SIDE, high), (-BEHIND, SIDE, low)]
        return np.array([[*(tip + along * u + side * v), z] for u, v, z in ends])

    def shapes(self, view: LensView, look: Look) -> list[tuple[Array, float]]:
        """(n, 2) pixels whose hull holds it, and those of each of its shadows, with how far they blur beyond, pixels."""
        solid = self._solid() * (1, -1, 1) / look.tile_mm
        shadows = [(view.project(cast(solid, _place(lamp, look))), 3 * _blur(lamp, view, look)) for lamp in look.lamps]
        return [(points, margin + ROUNDED * view.half_px) for points, margin in ((view.project(solid), 0.0), *shadows)]

    def limbs(self, seed: int) -> list[tuple[Array, Array, float, Picture]]:
        """Rounded rods of hand and arm, on the table of that seed: from, to (mm, height last), radius, and colour, BGR 0..1."""
        along, side = self._ways()
        ways = np.array([[*along, 0.0], [*side, 0.0], [0.0, 0, 1]])
        skin, cloth, sleeve_from, mirror, size = _owner(np.random.default_rng([seed, 7, self.owner]))
        start = np.array([*self.tip, self.height])
        return [(start + a @ ways, start + b @ ways, (ra + rb) / 2, (cloth if a[0] >= sleeve_from else skin).astype(np.float32))
                for a, b, ra, rb in _limbs(self.pose, mirror, size)]

    def _solid(self) -> Array:
        """(n, 3) mm: points around hand and arm, without the empty rim of the picture."""
        along, side = self._ways()
        rise = 136 / (REACH + BEHIND)
        ends = [(u, v, self.height + 14 + rise * (u + BEHIND)) for u in (-20, 130, 400, REACH) for v in (-80, 80)]
        return np.array([[*(np.array(self.tip) + along * u + side * v), z] for u, v, z in ends])

    def paint(self, canvas: TableCanvas) -> None:
        """Its shadows, then itself."""
        look, view = canvas.easel.look, canvas.view
        lamp = canvas.lamp * (1, -1, 1)
        along, side = self._ways()
        sector = round(np.arctan2(float(lamp[:2] @ side), float(lamp[:2] @ along)) / (2 * np.pi) * SECTORS) % SECTORS
        model = modelled(look.seed, self.owner, self.pose, sector, round(float(lamp[2]), 1))
        corners, solid = (points * (1, -1, 1) / look.tile_mm for points in (self.corners(), self._solid()))
        if not (view.position[2] > corners[:, 2]).all():
            return
        rim = ROUNDED * view.half_px
        for each in canvas.lamps:
            place = _place(each, look)
            if place[2] >= 1.3 * corners[:, 2].max():
                blur = _blur(each, view, look)
                box = around(view.project(cast(solid, place)), 3 * blur + rim, view.width, view.height)
                strength = 1 - (1 - each.share) ** (1 / GAMMA)
                fallen = cast(corners, place)
                cover = _in_view(model[..., 3], view.depths(fallen))
                _darken(canvas.image, cover, view.project(fallen, behind=True), blur, strength, box)
        x0, y0, x1, y1 = around(view.project(solid), rim, view.width, view.height)
        if x1 <= x0 or y1 <= y0:
            return
        warp = _warp(model, view.project(corners, behind=True) - (x0, y0))
        warped = cv2.warpPerspective(_in_view(model, view.depths(corners)), warp, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        solid_at = cv2.extractChannel(warped, 3)
        cover = solid_at * np.float32(1 / 255)
        part = canvas.image[y0:y1, x0:x1]
        part[:] = cv2.blendLinear(part, cv2.cvtColor(warped, cv2.COLOR_BGRA2BGR), 1 - cover, cover)
        canvas.ids[y0:y1, x0:x1][solid_at > 127] = HAND_ID


def _place(lamp: Lamp, look: Look) -> Array:
    """(3,) where a lamp stands, in the units of a canvas."""
    return np.array(lamp.place) * (1, -1, 1) / look.tile_mm


def _blur(lamp: Lamp, view: LensView, look: Look) -> float:
    """By how much the edge of a hand's shadow is blurred, pixels."""
    return max(1.0, lamp.soft / look.tile_mm * view.half_px * 3.0)


def _in_view(model: Image, depths: Array) -> Image:
    """A modelled picture, bare where it lies behind the camera: an arm may come from there. depths: (4,) of its corners."""
    if (depths > HARDLY_BEFORE).all():
        return model
    height, width = model.shape[:2]
    along = np.linspace(0, depths[1] - depths[0], width)[None] + np.linspace(0, depths[3] - depths[0], height)[:, None]
    seen = (depths[0] + along > HARDLY_BEFORE).astype(np.uint8)
    return np.asarray(model * (seen if model.ndim == 2 else seen[..., None]), np.uint8)


def _warp(model: Image, pixels: Array) -> Array:
    """From a modelled picture to the pixels where its corners are."""
    height, width = model.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(source, pixels.astype(np.float32)), np.float64)


def _darken(image: Image, cover: Image, pixels: Array, blur: float, strength: float, box: Rect) -> None:
    """Lay the shadow of a modelled cover on a part of a picture, in place. What is much blurred is painted smaller."""
    x0, y0, x1, y1 = box
    if x1 <= x0 or y1 <= y0:
        return
    shrink = max(1, int(blur / 2))
    size = (-(-(x1 - x0) // shrink), -(-(y1 - y0) // shrink))
    small = cv2.warpPerspective(cover, _warp(cover, (pixels - (x0, y0) + 0.5) / shrink - 0.5), size, flags=cv2.INTER_LINEAR)
    soft = cv2.GaussianBlur(small, (0, 0), blur / shrink)
    left = cv2.convertScaleAbs(soft, alpha=-strength, beta=255)
    if shrink > 1:
        left = cv2.resize(left, (size[0] * shrink, size[1] * shrink), interpolation=cv2.INTER_LINEAR)
    left = left[: y1 - y0, : x1 - x0]
    part = image[y0:y1, x0:x1]
    part[:] = cv2.multiply(part, cv2.merge([left, left, left]), scale=1 / 255)


@lru_cache(maxsize=64)
def modelled(seed: int, owner: int, pose: str, sector: int, steep: float) -> Image:
    """(h, w, 4) uint8 BGR premultiplied by nothing, and cover: a hand and its arm lit from one side.

    The arm runs to the right; `sector` tells from where the light comes, `steep` is how high it stands (sine).
    """
    rng = np.random.default_rng([seed, 7, owner])
    skin, cloth, sleeve_from, mirror, size = _owner(rng)
    shape = (round(2 * SIDE * SCALE), round((REACH + BEHIND) * SCALE))
    high, cover = _heights(pose, mirror, size, shape)
    u = np.arange(shape[1], dtype=np.float32)[None] / SCALE - BEHIND
    sleeved = np.clip((u - sleeve_from) / 2.0, 0, 1)
    high = high + sleeved * 4.0 + sleeved * _folds(shape, rng) * 5.0
    cover = np.maximum(cover, cv2.GaussianBlur(cover, (0, 0), 3.0) * 1.6 * sleeved).clip(0, 1)
    colour = np.empty((*shape, 3), np.float32)
    mottled = 1 + 0.04 * clouds(*shape, 40, rng, 3)
    red = np.exp(-(u / 35) ** 2) * 0.35 + np.exp(-((u - 84) / 14) ** 2) * 0.2  # fingertips and knuckles are redder
    colour[:] = skin * mottled[..., None]
    colour *= 1 - red[..., None] * np.array([0.16, 0.13, 0.0], np.float32)
    weave = 1 + 0.05 * rng.standard_normal(shape).astype(np.float32)
    woven = cloth.astype(np.float32) * weave[..., None]
    colour = colour * (1 - sleeved[..., None]) + woven * sleeved[..., None]
    _nails(colour, pose, mirror, size, skin)
    hand = np.dstack([_shaded(colour, high, sector, steep, sleeved), cover])
    return np.asarray(np.clip(hand * 255 + 0.5, 0, 255), np.uint8)


def _owner(rng: np.random.Generator) -> tuple[Picture, Array, float, float, float]:
    """Of somebody's arm: skin and sleeve, BGR 0..1, where the sleeve begins, mm; -1 for left-handed, and how large it is."""
    skin = _skin(rng)
    sleeve_from = between(rng, 205, 260) if chance(rng, 0.65) else between(rng, 380, 460)
    cloth = rng.uniform(0.05, 0.75) * rng.uniform(0.4, 1.0, 3) if chance(rng, 0.7) else np.full(3, rng.uniform(0.05, 0.85))
    mirror = -1.0 if chance(rng, 0.12) else 1.0
    return skin, cloth, sleeve_from, mirror, between(rng, 0.88, 1.1)


def _skin(rng: np.random.Generator) -> Picture:
    """A skin's colour, BGR 0..1, from dark to pale."""
    tones = ((0.20, 0.27, 0.40), (0.28, 0.40, 0.58), (0.40, 0.54, 0.74), (0.52, 0.64, 0.84), (0.62, 0.70, 0.90))
    tone = np.array(tones[int(rng.integers(len(tones)))]) * rng.uniform(0.92, 1.06)
    return tone.astype(np.float32)


def _limbs(pose: str, mirror: float, size: float) -> list[tuple[Array, Array, float, float]]:
    """Rounded limbs: from, to (mm), and the radius at either end."""
    limbs: list[tuple[Array, Array, float, float]] = []
    for finger, thick in zip(POSES[pose], THICK, strict=True):
        joints = [np.array(p) * (1, mirror, 1) * size for p in finger]
        widths = np.linspace(thick * 1.12, thick * 0.82, len(joints)) * size
        limbs += [(a, b, float(ra), float(rb)) for a, b, ra, rb in zip(joints, joints[1:], widths, widths[1:], strict=False)]
    palm = (((86, -8, 22), (152, 2, 24), 15, 20), ((84, 14, 23), (154, 12, 25), 16, 21), ((79, 35, 22), (150, 22, 24), 15, 19),
            ((72, 52, 18), (146, 32, 22), 12, 16), ((124, -26, 16), (158, -4, 22), 14, 20),
            ((100, 18, 22), (140, 14, 24), 20, 22))
    arm = (((152, 12, 26), (196, 12, 28), 27, 27), ((150, 2, 26), (196, 6, 28), 22, 24), ((190, 10, 28), (300, 10, 36), 28, 36),
           ((300, 10, 36), (470, 12, 46), 36, 44), ((470, 12, 46), (1000, 18, 90), 44, 62))
    limbs += [(np.array(a) * (1, mirror, 1) * size, np.array(b) * (1, mirror, 1) * size, ra * size, rb * size)
              for a, b, ra, rb in (*palm, *arm)]
    return limbs


def _heights(pose: str, mirror: float, size: float, shape: tuple[int, int]) -> tuple[Picture, Picture]:
    """Height of the skin over the fingertips, mm, and how much of each pixel it covers."""
    high = np.full(shape, -40.0, np.float32)
    edge = np.full(shape, -9.0, np.float32)
    for a, b, ra, rb in _limbs(pose, mirror, size):
        reach = max(ra, rb) + 3
        u0, u1 = min(a[0], b[0]) - reach + BEHIND, max(a[0], b[0]) + reach + BEHIND
        v0, v1 = min(a[1], b[1]) - reach + SIDE, max(a[1], b[1]) + reach + SIDE
        x0, x1, y0, y1 = (round(max(0.0, t) * SCALE) for t in (u0, u1, v0, v1))
        y, x = np.mgrid[y0 : min(y1, shape[0]), x0 : min(x1, shape[1])].astype(np.float32)
        if x.size == 0:
            continue
        u, v = x / SCALE - BEHIND - a[0], y / SCALE - SIDE - a[1]
        way = (b - a)[:2]
        part = np.clip((u * way[0] + v * way[1]) / max(1e-6, float(way @ way)), 0, 1)
        away = np.hypot(u - part * way[0], v - part * way[1])
        radius = ra + part * (rb - ra)
        dome = a[2] + part * (b[2] - a[2]) + np.sqrt(np.maximum(radius**2 - away**2, 0)) - np.maximum(away - radius, 0) * 6
        here = (slice(y0, y0 + x.shape[0]), slice(x0, x0 + x.shape[1]))
        old, soft = high[here], 7.0
        high[here] = np.maximum(old, dome) + np.maximum(soft - np.abs(old - dome), 0) ** 2 / (4 * soft)
        edge[here] = np.maximum(edge[here], radius - away)
    return high, np.clip(edge * SCALE + 0.5, 0, 1).astype(np.float32)


def _folds(shape: tuple[int, int], rng: np.random.Generator) -> Picture:
    """Folds of a sleeve, mostly across the arm."""
    wide = cv2.resize(blobs(shape[0] // 3, shape[1], 34, rng), (shape[1], shape[0]))
    return np.abs(np.sin(wide * 2.2)) + 0.3 * blobs(*shape, 16, rng)


def _nails(colour: Picture, pose: str, mirror: float, size: float, skin: Picture) -> None:
    """Finger nails, in place, on fingers that are seen from their backs."""
    for finger, thick in zip(POSES[pose], THICK, strict=True):
        a, b = (np.array(p) * (1, mirror, 1) * size for p in finger[-2:])
        way = b[:2] - a[:2]
        length = float(np.linalg.norm(way))
        if length < 9 or b[2] > a[2]:
            continue
        centre = b[:2] - way / length * 1.5
        x, y = (centre[0] + BEHIND) * SCALE, (centre[1] + SIDE) * SCALE
        axes = (5.2 * SCALE * size, thick * 0.52 * SCALE * size)
        turn = float(np.degrees(np.arctan2(way[1], way[0])))
        nail = np.zeros(colour.shape[:2], np.uint8)
        cv2.ellipse(nail, (round(x * 16), round(y * 16)), (round(axes[0] * 16), round(axes[1] * 16)), turn, 0, 360, 255, -1,
                    cv2.LINE_AA, 4)
        strength = (nail.astype(np.float32) / 255)[..., None] * 0.55
        tone = np.clip(skin * 1.05 + np.array([0.05, 0.03, 0.08], np.float32), 0, 1)
        colour += strength * (tone - colour)


def _shaded(colour: Picture, high: Picture, sector: int, steep: float, sleeved: Picture) -> Picture:
    """Light on the modelled skin: lit from one side, darker in its hollows and along its edges."""
    soft = cv2.GaussianBlur(np.maximum(high, -8), (0, 0), 1.2 * SCALE)
    dx, dy = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=SCALE / 8), cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=SCALE / 8)
    length = np.sqrt(dx * dx + dy * dy + 1)
    turn = sector * 2 * np.pi / SECTORS
    flat = np.sqrt(max(0.0, 1 - steep * steep))
    lit = (-dx * np.cos(turn) * flat - dy * np.sin(turn) * flat + steep) / length
    hollow = np.clip((cv2.GaussianBlur(soft, (0, 0), 7 * SCALE) - soft) / 16, 0, 1)
    light = 0.46 + 0.58 * np.clip(lit, 0, 1) - 0.28 * hollow
    warm = np.array([0.94, 0.97, 1.03], np.float32)  # light that has gone through skin is redder
    shaded = colour * light[..., None]
    shaded = shaded * (1 + (warm - 1) * (1 - light[..., None]) * (1 - sleeved[..., None]) * 2)
    spark = np.clip(lit, 0, 1) ** 30 * 0.1 * (1 - sleeved)
    return shaded + spark[..., None]
