"""One made-up photograph of a domino table, with the truth about every tile in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.clutter import Painter, reach_in, strew
from simulator.faces import SetStyle, face_texture, set_style
from simulator.layouts import LYING, STANDING, Placed, Table, lay_tiles
from simulator.light import SHINY, film, glare, illumination, photograph
from simulator.noise import between, chance, log_between
from simulator.surfaces import Picture, printed_dominoes, surface
from simulator.view import View, random_view

Image = NDArray[np.uint8]
Ids = NDArray[np.int32]
Lay = Callable[[Table, int, float, int, np.random.Generator], list[Placed]]
Top = Callable[[int, np.random.Generator], Picture]


@dataclass(frozen=True, slots=True, eq=False)
class TrueTile:
    """The truth about one tile.

    ends: pips of its first and second half, None for a back.
    corners: (4, 2) pixels of its face; 0 and 1 bound the first half, clockwise as seen.
    visible: how much of each half can be seen, 0..1.
    sure: False where nobody could demand a reading (standing on edge, printed on the table).
    pose: how it lies, as in `layouts`.
    """

    ends: tuple[int, int] | None
    corners: NDArray[np.float64]
    visible: tuple[float, float]
    sure: bool = True
    pose: str = LYING


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """image: (h, w, 3) uint8 BGR; half_px: width of a half at the picture's centre, pixels."""

    image: Image
    tiles: tuple[TrueTile, ...]
    half_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A tile as a block in space: centre of its face, axes (long, short clockwise, normal), and its style."""

    placed: Placed
    centre: NDArray[np.float64]
    long: NDArray[np.float64]
    short: NDArray[np.float64]
    normal: NDArray[np.float64]

    def outline(self, style: SetStyle, depth: float) -> NDArray[np.float64]:
        """(12, 3) rounded outline of the face, `depth` thicknesses below it."""
        r = style.corner * 0.999
        a, b = style.length / 2, 0.5
        points = []
        for su, sv, start in ((1, 1, 0.0), (-1, 1, np.pi / 2), (-1, -1, np.pi), (1, -1, 1.5 * np.pi)):
            for t in (0.0, np.pi / 4, np.pi / 2):
                points.append((su * (a - r) + r * np.cos(start + t), sv * (b - r) + r * np.sin(start + t)))
        uv = np.array(points)
        return self.centre + uv[:, :1] * self.long + uv[:, 1:] * self.short - depth * style.thickness * self.normal

    def corners(self, style: SetStyle) -> NDArray[np.float64]:
        """(4, 3) corners of the face in the order of `TrueTile.corners`."""
        uv = np.array([(-1, 1), (-1, -1), (1, -1), (1, 1)]) * (style.length / 2, 0.5)
        return self.centre + uv[:, :1] * self.long + uv[:, 1:] * self.short


def body_of(tile: Placed, style: SetStyle) -> Body:
    """The block that a placed tile is."""
    c, s = np.cos(tile.angle), np.sin(tile.angle)
    if tile.pose == LYING:
        long, short, normal = np.array([c, s, 0.0]), np.array([s, -c, 0.0]), np.array([0.0, 0, 1])
        if tile.lean:
            normal = normal * np.cos(tile.lean) + long * np.sin(tile.lean)
            long = np.cross(short, normal)
            long /= np.linalg.norm(long)
        return Body(tile, np.array([tile.x, tile.y, style.thickness * (tile.level + 1)]), long, short, normal)
    normal = np.array([s, -c, 0.0])
    if tile.pose == STANDING:
        long, short, height = np.array([c, s, 0.0]), np.array([0.0, 0, -1]), 0.5
    else:
        long, short, height = np.array([0.0, 0, -1]), np.array([-c, -s, 0.0]), style.length / 2
    return Body(tile, np.array([tile.x, tile.y, height]) + normal * style.thickness / 2, long, short, normal)


def _fixed(pixels: NDArray[np.float64]) -> NDArray[np.int32]:
    fixed: NDArray[np.int32] = np.clip(pixels * 16, -1e6, 1e6).astype(np.int32)
    return fixed


class Canvas:
    """The picture being made: surface, then shadows, blocks and faces from far to near."""

    def __init__(self, view: View, ground: Image, style: SetStyle, rng: np.random.Generator) -> None:
        self.view, self.style, self.rng = view, style, rng
        self.image = ground
        self.ids: Ids = np.zeros(ground.shape[:2], np.int32)
        lamp = between(rng, 0, 2 * np.pi)
        steep = log_between(rng, 0.25, 2.0)
        self.lamp = np.array([np.cos(lamp), np.sin(lamp), 1 / steep])
        self.shade_strength = between(rng, 0.15, 0.75)
        self.shade_blur = log_between(rng, 0.02, 0.35) * view.half_px

    def shadows(self, bodies: list[Body], z: float) -> None:
        """Darken the plane at height z where the blocks keep the lamp away, and close around their feet."""
        height, width = self.ids.shape
        cast, contact = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
        for body in bodies:
            points = np.vstack([body.outline(self.style, 0.0), body.outline(self.style, 1.0)])
            drop = (points[:, 2:] - z) / self.lamp[2]
            flat = points - drop * self.lamp
            cv2.fillConvexPoly(cast, cv2.convexHull(_fixed(self.view.project(flat))), 255, shift=4)
            foot = points.copy()
            foot[:, :2] += (foot[:, :2] - body.centre[:2]) * 0.05
            foot[:, 2] = z
            cv2.fillConvexPoly(contact, cv2.convexHull(_fixed(self.view.project(foot))), 255, shift=4)
        cast = cv2.GaussianBlur(cast, (0, 0), max(0.4, self.shade_blur))
        contact = cv2.GaussianBlur(contact, (0, 0), max(0.5, 0.07 * self.view.half_px))
        dark = np.maximum(cast * self.shade_strength, contact * (0.5 * self.shade_strength)).astype(np.uint8)
        self.image = cv2.multiply(self.image, cv2.merge([255 - dark] * 3), scale=1 / 255)

    def block(self, body: Body, number: int) -> None:
        """Paint a block's sides, then its face if it looks at the camera."""
        style, view = self.style, self.view
        if (view.position - body.centre) @ body.normal <= 0:
            shown, depth = style.back, 1.0
        else:
            shown, depth = style.body if body.placed.ends is not None else style.back, 0.0
        hull = cv2.convexHull(_fixed(view.project(np.vstack([body.outline(style, 0.0), body.outline(style, 1.0)]))))
        light = self.lamp / np.linalg.norm(self.lamp)

        def lit(normal: NDArray[np.float64], tone: NDArray[np.float32]) -> tuple[float, float, float]:
            b, g, r = np.clip(tone * (0.55 + 0.45 * max(0.0, float(normal @ light))) * 255, 0, 255)
            return (float(b), float(g), float(r))

        cv2.fillConvexPoly(self.image, hull, lit(-light, style.side), cv2.LINE_AA, shift=4)
        cv2.fillConvexPoly(self.ids, hull, number, shift=4)
        middle = body.centre - body.normal * style.thickness / 2
        for axis, reach, other, width in ((body.long, style.length / 2, body.short, 0.5 - style.corner),
                                          (body.short, 0.5, body.long, style.length / 2 - style.corner)):
            for sign in (1.0, -1.0):
                centre = middle + axis * reach * sign
                if (view.position - centre) @ (axis * sign) <= 0:
                    continue
                d = body.normal * style.thickness / 2
                quad = np.stack([centre - other * width - d, centre + other * width - d,
                                 centre + other * width + d, centre - other * width + d])
                cv2.fillConvexPoly(self.image, _fixed(view.project(quad)), lit(axis * sign, style.side), cv2.LINE_AA, shift=4)
        if depth:
            outline = _fixed(view.project(body.outline(style, depth)))
            cv2.fillConvexPoly(self.image, outline, lit(-body.normal, shown), cv2.LINE_AA, shift=4)
        else:
            self.face(body)

    def face(self, body: Body) -> None:
        """Warp the face's texture into the picture."""
        style, view = self.style, self.view
        pixels = view.project(body.corners(style))
        height, width = self.ids.shape
        x0, y0 = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 2, (width, height))
        if x1 <= x0 or y1 <= y0:
            return
        side = float(np.linalg.norm(pixels[0] - pixels[1]) + np.linalg.norm(pixels[2] - pixels[3])) / 2
        along = float(np.linalg.norm(pixels[1] - pixels[2])) / style.length
        lamp = np.arctan2(float(self.lamp @ body.short), float(self.lamp @ body.long))
        texture = face_texture(style, body.placed.ends, round(np.clip(max(side, along) * 1.15, 16, 150)), lamp, self.rng)
        h, w = texture.shape[:2]
        source = np.array([[0, h], [0, 0], [w, 0], [w, h]], np.float32)
        target = (pixels - (x0, y0)).astype(np.float32)
        warp = cv2.getPerspectiveTransform(source, target)
        warped = cv2.warpPerspective(texture, warp, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
        patch = self.image[y0:y1, x0:x1]
        cover = warped[..., 3:]
        up = 0.72 + 0.28 * max(0.0, float(body.normal @ self.lamp) / float(np.linalg.norm(self.lamp)))
        patch[:] = (patch * (1 - cover) + np.clip(warped[..., :3] * up, 0, 1) * (255 * cover)).astype(np.uint8)

    def truth(self, body: Body, number: int) -> TrueTile | None:
        """What is true about a block once everything has been painted."""
        if (self.view.position - body.centre) @ body.normal <= 0:
            return None
        corners = self.view.project(body.corners(self.style))
        a, b = (corners[1] + corners[2]) / 2, (corners[0] + corners[3]) / 2
        halves = (np.stack([corners[0], corners[1], a, b]), np.stack([b, a, corners[2], corners[3]]))
        visible = [_seen(self.ids, half, number) for half in halves]
        tilted = float((self.view.position - body.centre) @ body.normal / np.linalg.norm(self.view.position - body.centre))
        nameless = self.style.bar == "none" and body.placed.ends == (0, 0)  # looks like a back: nobody can tell
        sure = body.placed.pose == LYING and tilted > 0.3 and not nameless
        return TrueTile(body.placed.ends, corners, (visible[0], visible[1]), sure, body.placed.pose)


Dress = Callable[[Canvas, list[Placed], tuple[float, float, float, float], np.random.Generator], None]


def _seen(ids: Ids, polygon: NDArray[np.float64], number: int) -> float:
    """Share of a polygon's area that lies in the picture and shows tile `number`."""
    area = float(cv2.contourArea(polygon.astype(np.float32)))
    height, width = ids.shape
    x0, y0 = np.maximum(np.floor(polygon.min(axis=0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(polygon.max(axis=0)).astype(int) + 1, (width, height))
    if x1 <= x0 or y1 <= y0 or area < 1:
        return 0.0
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, _fixed(polygon - (x0, y0)), 1, shift=4)
    drawn = max(area, 1.0) if min(x0, y0) > 0 and x1 < width and y1 < height else area
    inside = int(((ids[y0:y1, x0:x1] == number) & (mask > 0)).sum())
    whole = max(drawn, float(mask.sum()) * 0.999)
    return min(1.0, inside / whole)


def _ground(view: View, rng: np.random.Generator, busy: bool = False,
            top: Top | None = None) -> tuple[Image, list[NDArray[np.float64]]]:
    """The table top as the camera sees it, and the corners of dominoes printed on it."""
    size = 512
    texture = surface(size, rng, busy) if top is None else top(size, rng)
    corners = np.array([[0, 0], [view.width, 0], [view.width, view.height], [0, view.height]], np.float64)
    onto_table = np.linalg.inv(view.plane(0.0))
    reach = cv2.perspectiveTransform(corners[None].astype(np.float64), onto_table)[0]
    centre, span = reach.mean(axis=0), float((reach.max(axis=0) - reach.min(axis=0)).max())
    span = float(np.clip(span, 1.0, 400.0)) * between(rng, 1.0, 1.3)
    turn = between(rng, 0, 2 * np.pi) if chance(rng, 0.6) else 0.0
    scale = span * 1.5 / size
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    texture_to_table = np.array([[c, -s, centre[0] - (c - s) * size / 2], [s, c, centre[1] - (s + c) * size / 2], [0, 0, 1]])
    warp = view.plane(0.0) @ texture_to_table
    printed = printed_dominoes(texture, 1 / scale, rng) if chance(rng, 0.04) else []
    image = cv2.warpPerspective((np.clip(texture, 0, 1) * 255).astype(np.uint8), warp, (view.width, view.height),
                                flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    marks = [cv2.perspectiveTransform(p[None], warp)[0] for p in printed]
    return image, marks


def reach_of(view: View) -> tuple[float, float, float, float]:
    """Bounds of the visible table, table units, no farther than tiles can be made out."""
    edge = np.array([[0, 0], [view.width, 0], [view.width, view.height], [0, view.height]], np.float64)
    points = cv2.perspectiveTransform(edge[None], np.linalg.inv(view.plane(0.0)))[0]
    limit = 1.5 * max(view.width, view.height) / view.half_px
    low, high = np.clip(points.min(axis=0), -limit, limit), np.clip(points.max(axis=0), -limit, limit)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def make_scene(width: int, height: int, half_px: float, rng: np.random.Generator, most: int = 36,
               style: SetStyle | None = None, bare: bool = False, lay: Lay = lay_tiles, dress: Dress | None = None,
               view: View | None = None, top: Top | None = None, shine: float = SHINY) -> Scene:
    """A random photograph; `half_px` is the width of a half at the middle of the picture.

    bare: a table without tiles, mostly a printed one; such tables teach what is no tile. lay: arranges the tiles.
    dress: adds what else belongs to a game, before the tiles are painted. view: a camera of this size, or a random one.
    top: paints the table's top. shine: how often lamps and windows are mirrored.
    """
    view = view or random_view(width, height, half_px, rng)
    style = style or set_style(rng)
    ground, printed = _ground(view, rng, bare, top)
    canvas = Canvas(view, ground, style, rng)
    reach = reach_of(view)
    room = (reach[2] - reach[0]) * (reach[3] - reach[1]) / 3.0
    away = float(np.arctan2(-view.position[1], -view.position[0]))
    table = Table(style.length, reach)
    empty = chance(rng, 0.06) or bare
    tiles = [] if empty else lay(table, style.highest, away, int(np.clip(room, 1, most)), rng)
    bodies = [body_of(t, style) for t in tiles]
    bodies.sort(key=lambda b: (b.placed.level > 0 or b.placed.pose != LYING, b.placed.level,
                               -float(np.linalg.norm(view.position - b.centre))))
    lying = [b for b in bodies if b.placed.level == 0 and b.placed.pose == LYING]
    higher = [b for b in bodies if b not in lying]
    painter = Painter(canvas.image, canvas.ids, view)
    if chance(rng, 0.6 if empty else 0.3):
        taken = np.array([[t.x, t.y] for t in tiles]).reshape(-1, 2)
        strew(painter, int(rng.integers(1, 9)), lambda x, y: bool((np.abs(taken - (x, y)).max(axis=1, initial=9) > 1.6).all()
              if len(taken) else True), reach, rng)
    if dress is not None:
        dress(canvas, tiles, reach, rng)
    canvas.shadows(lying + higher, 0.0)
    for number, body in enumerate(lying, 1):
        canvas.block(body, number)
    if higher:
        canvas.shadows(higher, style.thickness)
        for number, body in enumerate(higher, len(lying) + 1):
            canvas.block(body, number)
    painter = Painter(canvas.image, canvas.ids, view)
    if chance(rng, 0.07):
        reach_in(painter, reach, rng)
    truths = [canvas.truth(b, n) for n, b in enumerate(lying + higher, 1)]
    truths += [TrueTile((0, 0), corners, (1.0, 1.0), sure=False) for corners in printed]
    image = _lit(canvas, style, shine, rng)
    return Scene(image, tuple(t for t in truths if t is not None), half_px)


def _lit(canvas: Canvas, style: SetStyle, shine: float, rng: np.random.Generator) -> Image:
    """Light on the painted table, and the photograph of it."""
    height, width = canvas.ids.shape
    half_px = canvas.view.half_px
    lit = canvas.image.astype(np.float32) * np.float32(1 / 255) * illumination(height, width, rng)
    on_tiles = (canvas.ids > 0).astype(np.float32)
    mirrored = glare(height, width, half_px, rng, shine)
    if mirrored is not None:
        strength = on_tiles * np.float32(0.25 + 0.75 * style.gloss) + (1 - on_tiles) * np.float32(between(rng, 0, 0.9))
        lit += (mirrored * strength)[..., None] * (1 - 0.4 * np.minimum(lit, 1))
    if chance(rng, 0.05):
        lit += (film(height, width, half_px, rng) * on_tiles)[..., None]
    return photograph(lit, half_px, rng)
