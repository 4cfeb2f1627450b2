"""Photographs of a table: paints what has changed since the last one, lights it, and lets a camera take it.

A picture is made in layers that are kept: the bare table with what is printed on it, the settled things, their light as
the lens shows it. Only what has changed is painted again; held things and hands lie over it for one picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import mats
from simulator.tabletop.camera import Camera, LensView
from simulator.tabletop.look import TOP_MM, Lamp, Look
from simulator.tabletop.lying import Sheet, Tabletop, Thing
from simulator.tabletop.painting import GAMMA, HAND_ID, Easel, TableCanvas, cast, hull_of
from simulator.tabletop.parts import BLOCK, Rect, area, around, bands, blockwise, joined, meet, of_blocks, wider
from simulator.tabletop.sensor import HEADROOM, Sensor
from simulator.tabletop.truth import Shown, Truth, told

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Picture = NDArray[np.float32]

COARSE = 8  # light changes slowly: its fields are painted this much smaller
STRIP = 540  # so many rows of a whole picture are painted at once, that memory stays small


@dataclass(frozen=True, slots=True)
class Light:
    """The light of a moment: each lamp's strength (1 as set up), that of the room, and a flash that whitens all."""

    lamps: tuple[float, ...] = (1.0, 1.0)
    room: float = 1.0
    flash: float = 0.0


DAY = Light()


class Veil(Protocol):
    """A hand, or whatever else is painted over the table for one picture."""

    def shapes(self, view: LensView, look: Look) -> list[tuple[Array, float]]:
        """(n, 2) pixels and a margin each: what it and its shadows touch lies within their hulls."""

    def paint(self, canvas: TableCanvas) -> None:
        """Paint it."""


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """A picture as it is made. painted: (H, W, 3) uint8 in even light; ids: (H, W) the number of the thing that each pixel
    shows, 0 for none; clean: (H, W, 3) uint8 lit, as the lens throws it on the sensor."""

    painted: Image
    ids: NDArray[np.int32]
    clean: Image

    @classmethod
    def like(cls, picture: Image) -> Layers:
        """Layers of the size of a picture, with anything in them."""
        return cls(np.empty_like(picture), np.empty(picture.shape[:2], np.int32), np.empty_like(picture))

    def take(self, other: Layers, part: Rect) -> None:
        """Become like other layers in a part."""
        here = np.s_[part[1] : part[3], part[0] : part[2]]
        self.painted[here], self.ids[here], self.clean[here] = other.painted[here], other.ids[here], other.clean[here]

    def differs(self, other: Layers, parts: Sequence[Rect]) -> NDArray[np.uint8]:
        """For each block of the picture 1 where something else is painted; only these parts, of whole blocks, are looked at."""
        height, width = self.ids.shape
        marked = np.zeros((-(-height // BLOCK), -(-width // BLOCK)), np.uint8)
        for x0, y0, x1, y1 in parts:
            here = np.s_[y0:y1, x0:x1]
            there = marked[y0 // BLOCK : -(-y1 // BLOCK), x0 // BLOCK : -(-x1 // BLOCK)]
            there |= blockwise(cv2.absdiff(self.painted[here], other.painted[here]).reshape(y1 - y0, -1), 3 * BLOCK)
            there |= blockwise(np.not_equal(self.ids[here], other.ids[here]), BLOCK)
        return marked


class Renderer:
    """A camera over one table. Pictures of the same things in the same order are the same to the last bit."""

    def __init__(self, camera: Camera, look: Look) -> None:
        self.look, self.easel = look, Easel(look)
        self.first = camera
        self.stops = 0.0  # by so many the camera is asked to take less light than it would by itself
        self._sheets: tuple[Sheet, ...] = ()
        self._table = Tabletop()
        self._light = DAY
        self._sensor = Sensor(look.seed)
        self._fresh = False  # whether the layers show the table as `_table` has it
        self._shown: dict[str, Shown] = {}  # what is true of them
        self._changed: list[Rect] = []  # where they are newer than that
        self._stand(camera)

    def _stand(self, camera: Camera) -> None:
        """Look from here: everything has to be painted anew."""
        self.camera, self.view = camera, camera.view(self.look.tile_mm)
        columns, rows = -(-camera.width // COARSE) + 2, -(-camera.height // COARSE) + 2
        x, y = np.meshgrid(np.arange(columns) * float(COARSE), np.arange(rows) * float(COARSE))
        where = self.view.onto(np.column_stack([x.ravel(), y.ravel()]), 0.0) * self.look.tile_mm * (1, -1)
        self._where = where.reshape(rows, columns, 2).astype(np.float32)
        self._fresh, self._shown, self._reaches = False, {}, dict[Thing, Rect]()
        self._sensor.forget()

    # Pictures.

    def shoot(self, tabletop: Tabletop, veils: Sequence[Veil] = (), light: Light = DAY, camera: Camera | None = None,
              number: int = 0) -> tuple[Image, Truth]:
        """The picture of this moment, (H, W, 3) uint8 BGR, and what is true about it; `number` settles its noise."""
        camera = camera or self.camera
        held = tuple(thing for thing in tabletop if getattr(thing, "lift", 0.0) > 0)
        resting = tabletop.without(thing.name for thing in held)
        if camera != self.camera:
            self._stand(camera)
        self._settle(resting, light)
        self._shown = told(resting, self._rest.ids, self.easel, self.view, self._shown, self._changed)
        self._changed = []
        if not held and not veils:
            image = self._sensor.take(self.exposed(self.camera), self._rest.clean, number, light.flash)
            return image, Truth(tabletop, tuple(self._shown.values()), self.camera, 0, self.camera != self.first)
        parts = self._veiled(held, veils)
        image = self._sensor.take(self.exposed(self.camera), self._rest.clean, number, light.flash, (self._over.clean, parts))
        shown = told(tabletop, self._over.ids, self.easel, self.view, self._shown, parts)
        return image, Truth(tabletop, tuple(shown.values()), self.camera, len(veils), self.camera != self.first)

    def exposed(self, camera: Camera) -> Camera:
        """The camera as it does what it was asked to."""
        return replace(camera, exposure=camera.exposure * 2**-self.stops)

    def covered(self, number: int = 0) -> Image:
        """The picture while something lies over the lens: dark, a little red, and noisy."""
        camera = self.camera
        glow = cv2.resize(np.random.default_rng([self.look.seed, 9]).uniform(2, 14, (3, 4)).astype(np.float32),
                          (camera.width, camera.height), interpolation=cv2.INTER_CUBIC)
        image = np.clip(glow[..., None] * np.array([0.35, 0.4, 1.0], np.float32), 0, 255).astype(np.uint8)
        return self._sensor.noisy(camera, image, number)

    def _settle(self, table: Tabletop, light: Light) -> None:
        """Paint what has changed among the things at rest."""
        sheets = tuple(thing for thing in table if isinstance(thing, Sheet))
        if not self._fresh or sheets != self._sheets:
            self._paper, self._sheets, self._fresh = self._ground(sheets), sheets, False
        if light.lamps != self._light.lamps or light.room != self._light.room or not self._fresh:
            self._light, self._glow = light, self._fields()
            self._rest, self._over = Layers.like(self._paper), Layers.like(self._paper)
            self._lifted = [(0, 0, self.camera.width, self.camera.height)]
            self._table, self._fresh, self._shown = table, True, {}
            self._sensor.forget()
            for y in range(0, self.camera.height, STRIP):
                self._repaint((0, y, self.camera.width, min(y + STRIP, self.camera.height)), table)
            return
        if table == self._table:
            return
        rects = []
        for before, after in self._table.changed(table):
            rects += [self._reach(thing) for thing in (before, after) if thing is not None and not isinstance(thing, Sheet)]
        self._table = table
        for rect in joined([of_blocks(rect, self.camera.width, self.camera.height) for rect in rects if area(rect) > 0]):
            self._repaint(rect, table)
            self._changed.append(rect)
            self._lifted.append(rect)
            self._sensor.changed([rect])

    def _repaint(self, rect: Rect, table: Tabletop) -> None:
        """Paint a part of the picture anew, a little more than it where light spreads."""
        x0, y0, x1, y1 = rect
        wide = self._wider(rect, 3 * self._spread())
        a, b, c, d = wide
        view, ids = self.view.cut(a, b, c - a, d - b), np.zeros((d - b, c - a), np.int32)
        canvas = TableCanvas(view, self._paper[b:d, a:c].copy(), ids, self.easel, self._lamps())
        canvas.lay(thing for thing in table if not isinstance(thing, Sheet) and meet(self._reach(thing), wide))
        inner = (slice(y0 - b, y1 - b), slice(x0 - a, x1 - a))
        here = (slice(y0, y1), slice(x0, x1))
        self._rest.painted[here], self._rest.ids[here] = canvas.image[inner], canvas.ids[inner]
        self._rest.clean[here] = self._lit(canvas.image, canvas.ids, wide)[inner]

    def _veiled(self, held: Sequence[Thing], veils: Sequence[Veil]) -> list[Rect]:
        """Paint hands and what they hold over the settled picture; where it is different then."""
        for part in self._lifted:
            self._over.take(self._rest, part)
        hulls = [hull_of(thing, self.look) for thing in held]
        canvas = TableCanvas(self.view, self._over.painted, self._over.ids, self.easel, self._lamps())
        canvas.throw(hulls, 0.0)
        for thing, hull in zip(held, hulls, strict=True):
            canvas.paint(thing, hull)
        for veil in veils:
            veil.paint(canvas)
        width, height = self.camera.width, self.camera.height
        boxes = [self._reach(thing) for thing in held]
        boxes += [around(points, margin, width, height) for veil in veils for points, margin in veil.shapes(self.view, self.look)]
        self._lifted = joined([of_blocks(box, width, height) for box in boxes if area(box) > 0])
        marked = self._over.differs(self._rest, self._lifted)
        parts = bands(cv2.dilate(marked, np.ones((3, 3), np.uint8)), width, height)  # a block farther the lens blurs
        for x0, y0, x1, y1 in parts:
            a, b, c, d = wide = self._wider((x0, y0, x1, y1), self._unsharp())
            lit = self._lit(self._over.painted[b:d, a:c], self._over.ids[b:d, a:c], wide)
            self._over.clean[y0:y1, x0:x1] = lit[y0 - b : y1 - b, x0 - a : x1 - a]
        self._lifted += parts
        return parts

    def _lamps(self) -> list[Lamp]:
        """The lamps that burn, with the share of the light that each gives now."""
        burning = list(zip(self.look.lamps, self._light.lamps, strict=False))
        room = (1 - sum(lamp.share for lamp in self.look.lamps)) * self._light.room
        total = room + sum(lamp.share * power for lamp, power in burning)
        return [Lamp(lamp.place, lamp.share * power / total, lamp.soft) for lamp, power in burning if power > 0]

    def _spread(self) -> int:
        """How far a pixel's colour reaches, pixels: blur of shadows and of the lens."""
        soft = max(lamp.soft for lamp in self.look.lamps) * self.camera.px_per_mm
        return int(np.ceil(max(soft, 2 * self.camera.blur_px) + 1))

    def _unsharp(self) -> int:
        """How far the lens blurs, pixels."""
        return int(np.ceil(4 * self.camera.blur_px)) + 1

    def _wider(self, rect: Rect, margin: int) -> Rect:
        return wider(rect, margin, self.camera.width, self.camera.height)

    def _reach(self, thing: Thing) -> Rect:
        """The part of the picture that a thing and its shadows touch."""
        if thing not in self._reaches:
            self._reaches[thing] = self._reached(thing)
        return self._reaches[thing]

    def _reached(self, thing: Thing) -> Rect:
        hull = hull_of(thing, self.look)
        lamps = [np.array(lamp.place) * (1, -1, 1) / self.look.tile_mm for lamp in self.look.lamps]
        points = np.vstack([self.view.project(part) for part in (hull, *(cast(hull, lamp) for lamp in lamps))])
        return around(points, 3 * self._spread(), self.camera.width, self.camera.height)

    # The table and its light.

    def _up(self, coarse: Picture, rect: Rect) -> Picture:
        """A part of a coarse field at the picture's own size."""
        x0, y0, x1, y1 = rect
        shrink = np.array([[1 / COARSE, 0, x0 / COARSE], [0, 1 / COARSE, y0 / COARSE]])
        return cv2.warpAffine(coarse, shrink, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                              borderMode=cv2.BORDER_REPLICATE)

    def _ground(self, sheets: Sequence[Sheet]) -> Image:
        """The table top as the lens shows it, with what is printed lying on it."""
        whole = (0, 0, self.camera.width, self.camera.height)
        where = self._up(self._where, whole)
        offset = np.array(TOP_MM, np.float32) / 2
        onto = where + offset
        image = np.asarray(cv2.remap(self.look.top, onto[..., 0], onto[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))
        for sheet in sheets:
            self._print(image, sheet)
        return image

    def _print(self, image: Image, sheet: Sheet) -> None:
        """Lay a printed sheet on the table top, in place."""
        mat = MATS[sheet.mat]
        scale = max(0.5, self.camera.px_per_mm * 1.3)
        c, s = np.cos(sheet.angle), np.sin(sheet.angle)
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (mat.width / 2 + 6, mat.height / 2 + 6)
        corners = corners @ np.array([[c, s], [-s, c]]) + (sheet.x, sheet.y)
        pixels = self.camera.project(np.column_stack([corners, np.zeros(4)]))
        x0, y0 = np.maximum(np.floor(pixels.min(axis=0)), 0).astype(int)
        x1, y1 = np.minimum(np.ceil(pixels.max(axis=0)), (self.camera.width, self.camera.height)).astype(int)
        if x1 <= x0 or y1 <= y0:
            return
        where = self._up(self._where, (int(x0), int(y0), int(x1), int(y1))) - np.array([sheet.x, sheet.y], np.float32)
        u = (where[..., 0] * c + where[..., 1] * s + mat.width / 2) * scale - 0.5
        v = (where[..., 1] * c - where[..., 0] * s + mat.height / 2) * scale - 0.5
        paper = mats.picture(mat, scale)
        shown = np.asarray(cv2.remap(paper, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR,
                                     borderMode=cv2.BORDER_REPLICATE), np.float32)
        near_u = np.minimum(u, mat.width * scale - u) / scale
        near_v = np.minimum(v, mat.height * scale - v) / scale
        inside = np.minimum(near_u, near_v) * self.camera.px_per_mm
        cover = np.clip(inside + 0.5, 0, 1)[..., None]
        shade = 1 - 0.3 * np.clip(1 + inside / (1.5 * self.camera.px_per_mm), 0, 1)[..., None]
        white = np.array([0.93, 0.94, 0.95], np.float32)
        ink = (0.09 + 0.91 * shown / 255)[..., None] * white * 255
        part = image[y0:y1, x0:x1]
        part[:] = np.clip(part * shade * (1 - cover) + ink * cover, 0, 255).astype(np.uint8)

    def _fields(self) -> tuple[Picture, Picture, Picture]:
        """Coarse: (h, w, 3) what the light multiplies, and (h, w) what it adds on things and on the bare table."""
        where, look = self._where, self.look
        power = (1 - sum(lamp.share for lamp in look.lamps)) * self._light.room * np.ones(where.shape[:2], np.float32)
        shine, sheen = np.zeros_like(power), np.zeros_like(power)
        eye = self.camera.position
        for lamp, strength in zip(look.lamps, self._light.lamps, strict=False):
            x, y, high = lamp.place
            flat2 = (where[..., 0] - x) ** 2 + (where[..., 1] - y) ** 2
            middle = (high * high / (x * x + y * y + high * high)) ** 1.5
            power += strength * lamp.share * np.minimum((high * high / (flat2 + high * high)) ** 1.5 / middle, 2.5)
            ways = []
            for place in ((x, y, high), eye):
                way = np.dstack([place[0] - where[..., 0], place[1] - where[..., 1], np.full(where.shape[:2], place[2])])
                ways.append(way / np.linalg.norm(way, axis=2, keepdims=True))
            half = ways[0] + ways[1]
            upright = half[..., 2] / np.linalg.norm(half, axis=2)
            shine += (strength * lamp.share * upright ** (90 / lamp.soft)).astype(np.float32)
            sheen += (strength * lamp.share * upright ** (24 / lamp.soft)).astype(np.float32)
        rng = np.random.default_rng([look.seed, 4])
        uneven = cv2.resize(rng.standard_normal((4, 5)).astype(np.float32), power.shape[::-1], interpolation=cv2.INTER_CUBIC)
        power = power * (1 + 0.06 * uneven)
        across, down = np.meshgrid(np.linspace(-1, 1, power.shape[1]), np.linspace(-1, 1, power.shape[0]))
        power = power / (1 + 0.2 * np.tan(self.camera.field / 2) ** 2 * (across**2 + 0.32 * down**2))
        gain = (np.maximum(power, 1e-4) ** (1 / GAMMA))[..., None] * np.array(look.tint)
        return (gain.astype(np.float32), (shine * 0.9 * look.style.gloss**2).astype(np.float32),
                (sheen * 0.7 * look.glossy).astype(np.float32))

    def _lit(self, image: Image, ids: NDArray[np.int32], rect: Rect) -> Image:
        """A painted part as the lens throws it on the sensor."""
        gain, shine, sheen = (self._up(field, rect) for field in self._glow)
        lit = image.astype(np.float32) * gain
        added = np.where((ids > 0) & (ids < HAND_ID), shine, sheen)
        lit += (added * 255)[..., None] * (1 - np.minimum(lit, 255) * np.float32(0.6 / 255))
        stored = np.clip(lit * np.float32(HEADROOM), 0, 255).astype(np.uint8)
        if self.camera.blur_px > 0:
            stored = cv2.GaussianBlur(stored, (0, 0), self.camera.blur_px)
        return stored


MATS = {mat.name: mat for mat in (*mats.CARDS, *mats.MATS)}
"""What is printed, by name."""
