"""Paints what lies on a table: tiles, pieces, racks and cups, with the shadows that every lamp throws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator import pieces
from simulator.faces import face_texture
from simulator.layouts import LYING, Placed
from simulator.scene import Body, Canvas, body_of
from simulator.tabletop.camera import LensView
from simulator.tabletop.look import Lamp, Look
from simulator.tabletop.lying import Board, Chip, Coin, Cup, Die, Pawn, Rail, Sheet, Thing, Tile
from simulator.tabletop.parts import around

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Textures = dict[tuple[str, tuple[int, int] | None, int, int], NDArray[np.float32]]

GAMMA = 2.2
HAND_ID = 30_000
"""What hands and arms are in a picture's `ids`."""

SECTORS = 24
"""Directions in which a face's pips are lit; its picture is kept for each."""


def fixed(pixels: Array) -> NDArray[np.int32]:
    """Pixels with four fractional bits, as OpenCV's drawing wants them."""
    return np.clip(pixels * 16, -1e6, 1e6).astype(np.int32)


def placed(tile: Tile, look: Look) -> Placed:
    """A tile in the units of `Canvas`."""
    unit = look.tile_mm
    return Placed(tile.x / unit, -tile.y / unit, -tile.angle, tile.ends if tile.up else None, 0, tile.pose)


def tile_body(tile: Tile, look: Look) -> Body:
    """The block that a tile is, in the units of `Canvas`."""
    body = body_of(placed(tile, look), look.style)
    body.centre[2] += (tile.z + tile.lift) / look.tile_mm
    return body


def as_piece(thing: Coin | Die | Pawn | Chip | Board, look: Look) -> pieces.Piece:
    """A thing of the piecepack, or a chip, as its painter knows it."""
    kind, label, turn = "tile", "back", 0
    if isinstance(thing, Coin):
        kind, label = "coin", f"value:{thing.value}" if thing.value_up else f"suit:{thing.suit}"
    elif isinstance(thing, Die):
        kind, label, turn = "die", f"{thing.suit}:{thing.face}", thing.turn
    elif isinstance(thing, Pawn):
        kind, label = "pawn", thing.suit
    elif isinstance(thing, Chip):
        kind, label = "chip", thing.colour
    unit, base = look.tile_mm, 0.0 if isinstance(thing, Board) else thing.z
    return pieces.Piece(kind, label, thing.x / unit, -thing.y / unit, -thing.angle, (base + thing.lift) / unit, turn)


def base_of(thing: Thing) -> float:
    """Height of a thing's underside above the table, mm."""
    if isinstance(thing, Tile | Coin | Die | Pawn | Chip):
        return thing.z + thing.lift
    return 0.0 if isinstance(thing, Sheet) else thing.lift


def hull_of(thing: Thing, look: Look) -> Array:
    """(n, 3) points around a thing, in the units of `Canvas`."""
    unit = look.tile_mm
    if isinstance(thing, Tile):
        body = tile_body(thing, look)
        return np.vstack([body.outline(look.style, 0.0), body.outline(look.style, 1.0)])
    if isinstance(thing, Cup):
        t = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        low = np.column_stack([thing.x + 0.8 * thing.radius * np.cos(t), -thing.y + 0.8 * thing.radius * np.sin(t), 0 * t])
        top = np.column_stack([thing.x + thing.radius * np.cos(t), -thing.y + thing.radius * np.sin(t), 0 * t + thing.height])
        return (np.vstack([low, top]) + (0, 0, thing.lift)) / unit
    if isinstance(thing, Rail):
        return _slab(thing.x, -thing.y, -thing.angle, thing.length, thing.width, thing.height) / unit
    if isinstance(thing, Sheet):
        raise TypeError(f"{thing.name} is printed: it has no height")
    piece = as_piece(thing, look)
    radius, high = pieces.size_of(piece, look.edition, unit)
    if isinstance(thing, Board | Die):
        return _slab(piece.x, piece.y, piece.angle, 2 * radius, 2 * radius, high) + (0, 0, piece.z)
    t = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.column_stack([piece.x + radius * np.cos(t), piece.y + radius * np.sin(t), 0 * t + piece.z])
    return np.vstack([ring, ring + (0, 0, high)])


def _slab(x: float, y: float, angle: float, length: float, width: float, height: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    u, v = np.array([c, s]) * length / 2, np.array([-s, c]) * width / 2
    flat = np.array([x, y]) + np.stack([-u - v, u - v, u + v, -u + v])
    return np.vstack([np.column_stack([flat, np.zeros(4)]), np.column_stack([flat, np.full(4, height)])])


@dataclass
class Easel:
    """What is kept between paintings: pictures of faces, and a number for every name. `numbers` start at 1."""

    look: Look
    textures: Textures = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """The number under which a thing stands in a picture's `ids`."""
        return self.numbers.setdefault(name, len(self.numbers) + 1)


class TableCanvas(Canvas):
    """A canvas for one part of a table's picture, lit by lamps that stand somewhere."""

    view: LensView

    def __init__(self, view: LensView, ground: Image, ids: NDArray[np.int32], easel: Easel, lamps: Sequence[Lamp]) -> None:
        look = easel.look
        self.view, self.style, self.image, self.ids = view, look.style, ground, ids
        self.easel, self.lamps, self.rng = easel, lamps, np.random.default_rng(look.seed)
        non_max_suppression = max(lamps, key=lambda lamp: lamp.share, default=look.lamps[0])
        self.lamp = np.array(non_max_suppression.place) * (1, -1, 1) / np.linalg.norm(non_max_suppression.place)
        self.shade_strength = 1 - (1 - sum(lamp.share for lamp in lamps)) ** (1 / GAMMA) * 0.9
        self.shade_blur = non_max_suppression.soft / look.tile_mm * view.half_px

    def lay(self, things: Iterable[Thing]) -> None:
        """Paint things, the lower and the farther ones first, each height with the shadows that fall on it."""
        look, eye = self.easel.look, self.view.position * self.easel.look.tile_mm * (1, -1, 1)
        solid = sorted((t for t in things if not isinstance(t, Sheet)),
                       key=lambda t: (round(base_of(t), 1), _tall(t), -float(np.hypot(t.x - eye[0], t.y - eye[1])), t.name))
        hulls = {thing.name: hull_of(thing, look) for thing in solid}
        planes = sorted({round(base_of(thing), 1) for thing in solid})
        for plane in planes:
            here = [thing for thing in solid if round(base_of(thing), 1) == plane]
            above = [thing for thing in solid if round(base_of(thing), 1) >= plane]  # what lies lower is painted: no shade on it
            for tall in (False, True):  # what is tall throws its shadow on what lies beside it, too
                self.throw([hulls[thing.name] for thing in above if _tall(thing) == tall], plane / look.tile_mm)
                for thing in here:
                    if _tall(thing) == tall:
                        self.paint(thing, hulls[thing.name])

    def paint(self, thing: Thing, hull: Array) -> None:
        """Paint one thing over what is there."""
        look, number = self.easel.look, self.easel.number(thing.name)
        self.rng = np.random.default_rng([look.seed, crc32(thing.name.encode())])
        if isinstance(thing, Tile):
            self._name = thing.name
            self.block(tile_body(thing, look), number)
        elif isinstance(thing, Cup):
            self._cup(thing, hull, number)
        elif isinstance(thing, Rail):
            self._rail(hull, number)
        elif not isinstance(thing, Sheet):
            pieces.paint_piece(self, as_piece(thing, look), look.edition, look.tile_mm, number)

    def throw(self, hulls: Sequence[Array], z: float) -> None:
        """Darken the plane at height z where bodies, (n, 3) points each, keep a lamp away, and close around their feet."""
        if not hulls:
            return
        look, width, height = self.easel.look, self.view.width, self.view.height
        places = [np.array(lamp.place) * (1, -1, 1) / look.tile_mm for lamp in self.lamps]
        blurs = [max(0.5, lamp.soft / look.tile_mm * self.view.half_px) for lamp in self.lamps]
        casts = [[self.view.project(cast(hull, place, z)) for hull in hulls] for place in places]
        feet = [_foot(hull, z) for hull in hulls if hull[:, 2].min() <= z + 0.3 and (hull[:, 2] < z + 1.2).sum() >= 3]
        touching = [self.view.project(foot) for foot in feet]
        dimmed = [flat for each in (*casts, touching) for flat in each]
        if not dimmed:
            return
        x0, y0, x1, y1 = around(np.vstack(dimmed), 3 * max(blurs, default=1.0) + 2, width, height)
        if z > 0:  # on top of other things only those near by
            low = np.min([hull.min(axis=0) for hull in hulls], axis=0)
            high = np.max([hull.max(axis=0) for hull in hulls], axis=0)
            reach = 2.0 + 2 * (high[2] - z)
            box = np.array([[x, y, z] for x in (low[0] - reach, high[0] + reach) for y in (low[1] - reach, high[1] + reach)])
            a, b, c, d = around(self.view.project(box), 0, width, height)
            x0, y0, x1, y1 = max(x0, a), max(y0, b), min(x1, c), min(y1, d)
        if x1 <= x0 or y1 <= y0:
            return
        dark = np.zeros((y1 - y0, x1 - x0), np.uint8)
        for lamp, flats, blur in zip(self.lamps, casts, blurs, strict=True):
            shadow = np.zeros_like(dark)
            for flat in flats:
                cv2.fillConvexPoly(shadow, cv2.convexHull(fixed(flat - (x0, y0))), 255, shift=4)
            shadow = cv2.GaussianBlur(shadow, (0, 0), blur)
            dark = cv2.add(dark, cv2.convertScaleAbs(shadow, alpha=1 - (1 - lamp.share) ** (1 / GAMMA)))
        contact = np.zeros_like(dark)
        for flat in touching:
            cv2.fillConvexPoly(contact, cv2.convexHull(fixed(flat - (x0, y0))), 255, shift=4)
        contact = cv2.GaussianBlur(contact, (0, 0), max(0.5, 0.06 * self.view.half_px))
        dark = 255 - np.maximum(dark, (contact * 0.35).astype(np.uint8))
        part = self.image[y0:y1, x0:x1]
        part[:] = cv2.multiply(part, cv2.merge([dark, dark, dark]), scale=1 / 255)

    def face(self, body: Body) -> None:
        """Warp a tile's face into the picture; its texture is painted once for each size and direction of the light."""
        style, view = self.style, self.view
        pixels = view.project(body.corners(style))
        height, width = self.ids.shape
        x0, y0 = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 2, (width, height))
        if x1 <= x0 or y1 <= y0:
            return
        side = float(np.linalg.norm(pixels[0] - pixels[1]) + np.linalg.norm(pixels[2] - pixels[3])) / 2
        along = float(np.linalg.norm(pixels[1] - pixels[2])) / style.length
        texture = self._texture(body, max(side, along))
        h, w = texture.shape[:2]
        source = np.array([[0, h], [0, 0], [w, 0], [w, h]], np.float32) - np.float32(0.5)
        warp = cv2.getPerspectiveTransform(source, (pixels - (x0, y0)).astype(np.float32))
        warped = cv2.warpPerspective(texture, warp, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
        patch, cover = self.image[y0:y1, x0:x1], warped[..., 3:]
        up = 0.72 + 0.28 * max(0.0, float(body.normal @ self.lamp))
        patch[:] = (patch * (1 - cover) + np.clip(warped[..., :3] * up, 0, 1) * (255 * cover)).astype(np.uint8)

    def _texture(self, body: Body, side: float) -> NDArray[np.float32]:
        """(h, w, 4) the picture of a face, or of a back."""
        size = int(np.clip(np.ceil(side * 1.1 / 8) * 8, 16, 160))
        lamp = np.arctan2(float(self.lamp @ body.short), float(self.lamp @ body.long))
        sector = round(lamp / (2 * np.pi) * SECTORS) % SECTORS
        key = (self._name, body.placed.ends, size, sector)  # turned round, the other half comes first
        texture = self.easel.textures.get(key)
        if texture is None:
            texture = face_texture(self.style, body.placed.ends, size, sector * 2 * np.pi / SECTORS, self.rng)
            self.easel.textures[key] = texture
        return texture

    def _cup(self, cup: Cup, hull: Array, number: int) -> None:
        """A cup from above: wall, rim, drink."""
        tone = np.clip(self.rng.uniform(90, 245, 3) * self.rng.uniform(0.5, 1), 20, 250)
        drink = np.array([self.rng.uniform(10, 60), self.rng.uniform(20, 80), self.rng.uniform(30, 110)])
        view = self.view
        outline = cv2.convexHull(view.project(hull).astype(np.float32))[:, 0].astype(np.float64)
        rim = hull[32:]
        middle = rim.mean(axis=0)
        inner = middle + (rim - middle) * 0.9
        level = middle + (rim - middle) * 0.86 - (0, 0, 0.25 * cup.height / self.easel.look.tile_mm)
        for points, colour in ((outline, tone * 0.7), (view.project(rim), tone), (view.project(inner), tone * 0.55),
                               (view.project(level), drink)):
            cv2.fillPoly(self.image, [fixed(points)], colour.tolist(), cv2.LINE_AA, shift=4)
        cv2.fillPoly(self.ids, [fixed(outline)], number, shift=4)

    def _rail(self, hull: Array, number: int) -> None:
        """A wooden rack: its long body and lighter top."""
        tone = np.array([60.0, 95, 140]) * self.rng.uniform(0.5, 1.2)
        outline = cv2.convexHull(self.view.project(hull).astype(np.float32))[:, 0].astype(np.float64)
        cv2.fillPoly(self.image, [fixed(outline)], (tone * 0.6).tolist(), cv2.LINE_AA, shift=4)
        cv2.fillPoly(self.image, [fixed(self.view.project(hull[4:]))], tone.tolist(), cv2.LINE_AA, shift=4)
        cv2.fillPoly(self.ids, [fixed(outline)], number, shift=4)


def cast(points: Array, lamp: Array, z: float = 0.0) -> Array:
    """Where a lamp throws the shadows of (n, 3) points on the plane at height z."""
    flat: Array = lamp + (points - lamp) * ((lamp[2] - z) / np.maximum(lamp[2] - points[:, 2:], 0.05 * lamp[2]))
    return flat


def _foot(hull: Array, z: float) -> Array:
    """(n, 3) where a body stands on the plane at height z, and a little around it."""
    near = hull[hull[:, 2] < z + 1.2].copy()
    near[:, :2] += (near[:, :2] - near[:, :2].mean(axis=0)) * 0.04
    near[:, 2] = z
    return near


def _tall(thing: Thing) -> bool:
    """Whether a thing stands up above what lies beside it, and so is painted after it."""
    return isinstance(thing, Pawn | Cup) or (isinstance(thing, Tile) and thing.pose != LYING)

