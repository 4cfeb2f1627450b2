"""Photographs of a table: paints what has changed since the last one, lights it, and lets a camera take it.

A picture is made in layers that are kept: the bare table with what is printed on it, the settled things, their light as
the lens shows it. Only what has changed is painted again; held things and hands lie over it for one picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import mats
from vision.synthetic.tabletop.camera import Camera, LensView
from vision.synthetic.tabletop.look import TOP_MM, Lamp, Look
from vision.synthetic.tabletop.lying import Sheet, Tabletop, Thing
from vision.synthetic.tabletop.painting import GAMMA, HAND_ID, Easel, TableCanvas, hull_of
from vision.synthetic.tabletop.truth import Shown, Truth, told

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Picture = NDArray[np.float32]
Rect = tuple[int, int, int, int]  # x0, y0, x1, y1

COARSE = 8  # light changes slowly: its fields are painted this much smaller
GRAINS = 4
"""So many pictures with different noise are made of a table at rest, and shown in turn: to make each anew would be slow."""

HEADROOM = 0.72
"""Where full white lies in the stored layers, so that a longer exposure has something to show."""


@dataclass(frozen=True, slots=True)
class Light:
    """The light of a moment: each lamp's strength (1 as set up), that of the room, and a flash that whitens all."""

    lamps: tuple[float, ...] = (1.0, 1.0)
    room: float = 1.0
    flash: float = 0.0


DAY = Light()


class Veil(Protocol):
    """A hand, or whatever else is painted over the table for one picture."""

    def rect(self, view: LensView, look: Look) -> Rect:
        """The part of the picture that it and its shadow touch."""

    def paint(self, canvas: TableCanvas) -> None:
        """Paint it."""


class Renderer:
    """A camera over one table. Pictures of the same things in the same order are the same to the last bit."""

    def __init__(self, camera: Camera, look: Look) -> None:
        self.look, self.easel = look, Easel(look)
        self.first = camera
        self._sheets: tuple[Sheet, ...] = ()
        self._table = Tabletop()
        self._light = DAY
        self._gain: float | None = None
        self._noise: tuple[Image, Image] | None = None
        self._fresh = False  # whether the layers show the table as `_table` has it
        self._resting: dict[int, Image] = {}  # pictures of the table at rest, by their noise
        self._exposed = b""  # how they were exposed
        self._shown: tuple[Shown, ...] | None = None  # what is true of them
        self._stand(camera)

    def _stand(self, camera: Camera) -> None:
        """Look from here: everything has to be painted anew."""
        self.camera, self.view = camera, camera.view(self.look.tile_mm)
        columns, rows = -(-camera.width // COARSE) + 2, -(-camera.height // COARSE) + 2
        x, y = np.meshgrid(np.arange(columns) * float(COARSE), np.arange(rows) * float(COARSE))
        where = self.view.onto(np.column_stack([x.ravel(), y.ravel()]), 0.0) * self.look.tile_mm * (1, -1)
        self._where = where.reshape(rows, columns, 2).astype(np.float32)
        self._fresh = False

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
        clean, ids = self._clean, self._ids
        if held or veils:
            clean, ids = self._veiled(resting, held, veils)
            shown = told(tabletop, ids, self.easel, self.view)
        else:
            shown = self._shown = self._shown or told(tabletop, ids, self.easel, self.view)
        image = self._taken(clean, light, number)
        return image, Truth(tabletop, shown, self.camera, len(veils), self.camera != self.first)

    def covered(self, number: int = 0) -> Image:
        """The picture while something lies over the lens: dark, a little red, and noisy."""
        camera = self.camera
        glow = cv2.resize(np.random.default_rng([self.look.seed, 9]).uniform(2, 14, (3, 4)).astype(np.float32),
                          (camera.width, camera.height), interpolation=cv2.INTER_CUBIC)
        image = np.clip(glow[..., None] * np.array([0.35, 0.4, 1.0], np.float32), 0, 255).astype(np.uint8)
        return self._noisy(image, number) if camera.noise > 0 else image

    def _settle(self, table: Tabletop, light: Light) -> None:
        """Paint what has changed among the things at rest."""
        sheets = tuple(thing for thing in table if isinstance(thing, Sheet))
        if not (self._fresh and sheets == self._sheets and light == self._light and table == self._table):
            self._resting, self._shown = {}, None
        if not self._fresh or sheets != self._sheets:
            self._paper, self._sheets, self._fresh = self._ground(sheets), sheets, False
        if light.lamps != self._light.lamps or light.room != self._light.room or not self._fresh:
            self._light, self._painted = light, np.empty_like(self._paper)
            self._ids = np.zeros(self._paper.shape[:2], np.int32)
            self._clean = np.empty_like(self._paper)
            self._glow = self._fields()
            self._table, self._fresh = table, True
            for y in range(0, self.camera.height, 540):  # in strips, so that memory stays small
                self._repaint((0, y, self.camera.width, min(y + 540, self.camera.height)), table)
            return
        if table == self._table:
            return
        rects = []
        for before, after in self._table.changed(table):
            rects += [self._reach(thing) for thing in (before, after) if thing is not None and not isinstance(thing, Sheet)]
        self._table = table
        for rect in joined([rect for rect in rects if rect[2] > rect[0] and rect[3] > rect[1]]):
            self._repaint(rect, table)

    def _repaint(self, rect: Rect, table: Tabletop) -> None:
        """Paint a part of the picture anew, a little more than it where light spreads."""
        x0, y0, x1, y1 = rect
        wide = self._wider(rect, 3 * self._spread())
        canvas = self._canvas(wide, self._paper)
        canvas.lay(thing for thing in table if not isinstance(thing, Sheet) and meet(self._reach(thing), wide))
        inner = (slice(y0 - wide[1], y1 - wide[1]), slice(x0 - wide[0], x1 - wide[0]))
        here = (slice(y0, y1), slice(x0, x1))
        self._painted[here], self._ids[here] = canvas.image[inner], canvas.ids[inner]
        self._clean[here] = self._lit(canvas.image, canvas.ids, wide)[inner]

    def _veiled(self, table: Tabletop, held: Sequence[Thing], veils: Sequence[Veil]) -> tuple[Image, NDArray[np.int32]]:
        """The settled picture with hands and what they hold over it."""
        clean, ids = self._clean.copy(), self._ids.copy()
        rects = [self._reach(thing) for thing in held] + [veil.rect(self.view, self.look) for veil in veils]
        for rect in joined([self._wider(rect, 0) for rect in rects if meet(rect, (0, 0, self.camera.width, self.camera.height))]):
            wide = self._wider(rect, 3 * self._spread())
            part = (slice(wide[1], wide[3]), slice(wide[0], wide[2]))
            canvas = self._canvas(wide, self._painted)
            canvas.ids = self._ids[part].copy()
            if held:
                canvas.throw([hull_of(thing, self.look) for thing in held if not isinstance(thing, Sheet)], 0.0)
            for thing in held:
                canvas.paint(thing, hull_of(thing, self.look))
            for veil in veils:
                veil.paint(canvas)
            here, inner = (slice(rect[1], rect[3]), slice(rect[0], rect[2])), (
                slice(rect[1] - wide[1], rect[3] - wide[1]), slice(rect[0] - wide[0], rect[2] - wide[0]))
            ids[here] = canvas.ids[inner]
            clean[here] = self._lit(canvas.image, canvas.ids, wide)[inner]
        return clean, ids

    def _canvas(self, rect: Rect, layer: Image) -> TableCanvas:
        x0, y0, x1, y1 = rect
        ids = np.zeros((y1 - y0, x1 - x0), np.int32)
        return TableCanvas(self.view.cut(x0, y0, x1 - x0, y1 - y0), layer[y0:y1, x0:x1].copy(), ids, self.easel, self._lamps())

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

    def _wider(self, rect: Rect, margin: int) -> Rect:
        return (max(rect[0] - margin, 0), max(rect[1] - margin, 0), min(rect[2] + margin, self.camera.width),
                min(rect[3] + margin, self.camera.height))

    def _reach(self, thing: Thing) -> Rect:
        """The part of the picture that a thing and its shadows touch."""
        hull = hull_of(thing, self.look)
        parts = [self.view.project(hull)]
        for lamp in self.look.lamps:
            place = np.array(lamp.place) * (1, -1, 1) / self.look.tile_mm
            drop = place[2] / np.maximum(place[2] - hull[:, 2:], 0.05 * place[2])
            parts.append(self.view.project(place + (hull - place) * drop))
        points = np.vstack(parts)
        low, high = points.min(axis=0) - 3 * self._spread(), points.max(axis=0) + 3 * self._spread()
        x0, y0 = np.clip(np.floor(low), 0, (self.camera.width, self.camera.height)).astype(int)
        x1, y1 = np.clip(np.ceil(high), 0, (self.camera.width, self.camera.height)).astype(int)
        return int(x0), int(y0), int(x1), int(y1)

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

    # The sensor.

    def _taken(self, clean: Image, light: Light, number: int) -> Image:
        """What the camera stores: exposure, colour, noise, compression."""
        camera = self.camera
        seen = clean[::16, ::16] * np.float32((1 + light.flash * 2) / 255 / HEADROOM)
        wanted = _exposure(seen) if camera.auto_exposure else 1.0
        self._gain = wanted if self._gain is None or not camera.auto_exposure else self._gain + 0.3 * (wanted - self._gain)
        levels = np.arange(256, dtype=np.float32)[:, None] / np.float32(255 * HEADROOM)
        shown = levels * np.float32(self._gain * camera.exposure ** (1 / GAMMA)) * np.array(camera.balance, np.float32)
        shown = shown * np.float32(1 + light.flash * 2) + np.float32(light.flash * 0.3)
        shoulder = np.where(shown > 0.8, 0.8 + 0.2 * np.tanh((shown - 0.8) / 0.2), shown)
        table = np.clip(shoulder * 255 + 0.5, 0, 255).astype(np.uint8)
        if clean is not self._clean:
            return self._stored(clean, table, number)
        if self._exposed != table.tobytes():
            self._resting, self._exposed = {}, table.tobytes()
        grain = number % GRAINS
        if grain not in self._resting:
            self._resting[grain] = self._stored(clean, table, grain)
            self._resting[grain].flags.writeable = False
        return self._resting[grain]

    def _stored(self, clean: Image, table: Image, number: int) -> Image:
        """A picture exposed by a table of (256, 3) levels, with noise and compression."""
        camera = self.camera
        image = np.asarray(cv2.LUT(clean, table.reshape(1, 256, 3)), np.uint8)
        if camera.noise > 0:
            image = self._noisy(image, number)
        if camera.jpeg is not None:
            packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, camera.jpeg])[1]
            image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return image

    def _noisy(self, image: Image, number: int) -> Image:
        """Noise of the sensor: more where little light was amplified; another for every picture."""
        height, width = image.shape[:2]
        if self._noise is None or self._noise[0].shape[0] < height + 96:
            self._noise = _grain(height + 96, width + 96, self.camera.noise, np.random.default_rng([self.look.seed, 5]))
        rng = np.random.default_rng([self.look.seed, 6, number])
        x, y, a, b = (int(v) for v in rng.integers(0, 96, 4))
        more, less = self._noise
        image = cv2.add(image, more[y : y + height, x : x + width])
        return np.asarray(cv2.subtract(image, less[b : b + height, a : a + width]), np.uint8)


MATS = {mat.name: mat for mat in (*mats.CARDS, *mats.MATS)}
"""What is printed, by name."""


def _exposure(picture: Picture) -> float:
    """By how much a camera brightens what it sees: towards a medium grey, and paper towards white."""
    mean, white = float(picture.mean()), float(np.percentile(picture, 99.3))
    grey = 0.46 / max(mean, 1e-3)
    wanted = max(grey**0.85, min(0.84 / max(white, 1e-3), 1.5 * grey))
    return float(np.clip(min(wanted, 0.95 / max(white, 1e-3)), 0.4, 6.0))


def _grain(height: int, width: int, spread: float, rng: np.random.Generator) -> tuple[Image, Image]:
    """Two pictures of noise, one to add and one to take away: fine in brightness, coarser in colour."""
    grains = []
    for _ in range(2):
        fine = rng.standard_normal((height, width), np.float32)
        fine = cv2.GaussianBlur(fine, (0, 0), 0.55) * 1.7
        colour = rng.standard_normal((height // 2 + 1, width // 2 + 1, 3), np.float32)
        colour = cv2.resize(colour, (width, height)) * 0.9
        whole = (fine[..., None] + colour) * spread
        grains.append(np.clip(np.abs(whole) + rng.random((height, width, 1), np.float32), 0, 255).astype(np.uint8))
    return grains[0], grains[1]


def meet(a: Rect, b: Rect) -> bool:
    """Whether two rectangles have a pixel in common."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def joined(rects: Sequence[Rect]) -> list[Rect]:
    """The same with those that meet made one."""
    apart: list[Rect] = []
    for rect in rects:
        while touching := [other for other in apart if meet(rect, other)]:
            both = [rect, *touching]
            rect = (min(r[0] for r in both), min(r[1] for r in both), max(r[2] for r in both), max(r[3] for r in both))
            apart = [other for other in apart if other not in touching]
        apart.append(rect)
    return apart
