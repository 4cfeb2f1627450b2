"""Made-up tables as a camera somewhere above them sees them, with the truth in millimetres: what calibration is measured with.

Table frame: millimetres, origin in the middle of the play area, x right, y down as seen from above, z away from the camera
(what stands on the table has negative z).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import mats
from simulator.faces import SetStyle, set_style
from simulator.layouts import Table, line, rows, scatter
from simulator.light import glare, illumination, photograph
from simulator.noise import between, chance
from simulator.scene import Canvas, body_of
from simulator.surfaces import surface
from simulator.view import View

Image = NDArray[np.uint8]
Array = NDArray[np.float64]
Picture = NDArray[np.float32]

SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))


@dataclass(frozen=True, slots=True, eq=False)
class TrueCamera:
    """A pinhole with a bent lens: `matrix` (3, 3) pixels, `distortion` (5,) as OpenCV has it, pose of the table before it."""

    size: tuple[int, int]
    matrix: Array
    distortion: Array
    rotation: Array
    translation: Array

    def pixels(self, points: Array) -> Array:
        """(n, 3) or, on the table, (n, 2) millimetres to (n, 2) pixels."""
        points = np.column_stack([points, np.zeros(len(points))]) if points.shape[1] == 2 else points
        return cv2.projectPoints(points, self.rotation, self.translation, self.matrix, self.distortion)[0].reshape(-1, 2)

    def moved(self, shift: tuple[float, float], turn: float) -> TrueCamera:
        """The same camera after the table was shifted (millimetres) and turned (radians) under it."""
        c, s = np.cos(turn), np.sin(turn)
        about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        return replace(self, rotation=self.rotation @ about,
                       translation=self.translation + self.rotation @ np.array([*shift, 0.0]))

    def nudged(self, turn: Array, shift: Array) -> TrueCamera:
        """The camera itself turned by a rotation vector (radians) and shifted (millimetres), both in its own axes."""
        about = cv2.Rodrigues(turn)[0]
        return replace(self, rotation=about @ self.rotation, translation=about @ self.translation + shift)


def random_camera(rng: np.random.Generator, size: tuple[int, int] | None = None) -> TrueCamera:
    """60 to 120 cm over the table, up to 40 degrees oblique, some focal length, a mildly bent lens, not quite centred."""
    width, height = SIZES[int(rng.integers(len(SIZES)))] if size is None else size
    focal = width / 2 / np.tan(np.radians(between(rng, 52, 84)) / 2)
    middle = np.array([width - 1, height - 1]) / 2 + rng.normal(0, 0.004, 2) * width
    matrix = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    corner = float(np.hypot(*np.maximum(middle, (width - 1, height - 1) - middle))) / focal
    while not _reaches(bend := (between(rng, -0.15, 0.15), between(rng, -0.02, 0.02)), corner):
        pass
    distortion = np.array([*bend, 0, 0, 0])
    tilt, side = np.radians(between(rng, 0, 40)), between(rng, -np.pi, np.pi)
    up = between(rng, 600, 1200)
    roll = rng.normal(0, 0.05)
    lean = cv2.Rodrigues(np.array([np.cos(side), np.sin(side), 0]) * tilt)[0]
    rotation = cv2.Rodrigues(np.array([0, 0, roll]))[0] @ lean
    translation = np.array([rng.normal(0, 10), rng.normal(0, 10), up / np.cos(tilt)])
    return TrueCamera((width, height), matrix, distortion, rotation, translation)


def _reaches(bend: tuple[float, float], corner: float) -> bool:
    """Whether a lens with this k1 and k2 shows anything in the corners of its picture, so far from the middle, in focal
    lengths: where the bend turns back no ray arrives, and no lens is built so."""
    way = np.linspace(0, 2 * corner, 200)
    arrives = way * (1 + bend[0] * way**2 + bend[1] * way**4)
    turned = np.flatnonzero(np.diff(arrives) <= 0)
    return float(arrives[turned[0] if len(turned) else -1]) > 1.03 * corner


def visible_area(camera: TrueCamera, rng: np.random.Generator, margin: float) -> tuple[float, float, float, float]:
    """The largest play area of some random shape about the origin that the camera sees with `margin` millimetres around."""
    shape = between(rng, 1.0, 1.7)
    low, high = 50.0, 900.0
    width, height = camera.size
    for _ in range(30):
        half = (low + high) / 2
        x, y = half * np.sqrt(shape) + margin, half / np.sqrt(shape) + margin
        t = np.linspace(-1, 1, 9)
        edge = np.concatenate([np.column_stack([t * x, np.full(9, s * y)]) for s in (-1, 1)]
                              + [np.column_stack([np.full(9, s * x), t * y]) for s in (-1, 1)])
        seen = camera.pixels(edge)
        fits = (seen > (4, 4)).all() and (seen < (width - 5, height - 5)).all()
        low, high = (half, high) if fits else (low, half)
    low = min(low * between(rng, 0.85, 1.0), 650.0)
    x, y = low * np.sqrt(shape), low / np.sqrt(shape)
    return (-x, -y, x, y)


class Studio:
    """A table in the making: painted as a straight pinhole sees it, then bent, lit and photographed.

    unit: the side of a half in millimetres, which the painted tiles are measured in. grounded: the table's pattern stays
    where it is on the table whatever the camera, as a running table needs it.
    """

    def __init__(self, camera: TrueCamera, style: SetStyle, unit: float, rng: np.random.Generator,
                 grounded: bool = False) -> None:
        self.camera, self.unit, self.rng = camera, unit, rng
        self._straight = _straightened(camera)
        x0, y0 = self._straight.reshape(-1, 2).min(axis=0) - 4
        x1, y1 = self._straight.reshape(-1, 2).max(axis=0) + 4
        self.fine = 1.5 if camera.size[0] <= 1920 else 1.0
        self.frame = (round((x1 - x0) * self.fine), round((y1 - y0) * self.fine))
        shrink = np.array([[self.fine, 0, (0.5 - x0) * self.fine - 0.5], [0, self.fine, (0.5 - y0) * self.fine - 0.5], [0, 0, 1]])
        self.matrix = shrink @ camera.matrix
        self._straight = (self._straight + 0.5 - (x0, y0)) * self.fine - 0.5
        half_px = float(camera.matrix[0, 0] / camera.translation[2] * unit)
        self.half_px = half_px
        ground = self._ground(grounded)
        self.canvas = Canvas(self.view(unit), ground, style, rng)

    def view(self, unit: float) -> View:
        """The straight pinhole for things measured in `unit` millimetres, y and z up."""
        flip = np.diag([1.0, -1.0, -1.0])
        pose = np.column_stack([self.camera.rotation @ flip * unit, self.camera.translation])
        position = flip @ (-self.camera.rotation.T @ self.camera.translation) / unit
        return View(self.matrix @ pose, position, *self.frame, float(self.half_px * self.fine))

    def plane(self, z: float = 0.0) -> Array:
        """(3, 3) from millimetres on the plane at height z (negative: above the table) to pixels of the straight picture."""
        rotation, translation = self.camera.rotation, self.camera.translation
        return self.matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], translation + z * rotation[:, 2]])

    def _ground(self, grounded: bool) -> Image:
        """A table top with about a millimetre of detail."""
        size = 1024
        texture = surface(size, self.rng)
        corners = np.array([[0, 0], [self.frame[0], 0], [*self.frame], [0, self.frame[1]]], np.float64)
        reach = cv2.perspectiveTransform(corners[None], np.linalg.inv(self.plane()))[0]
        centre = np.zeros(2) if grounded else np.clip(reach.mean(axis=0), -500, 500)
        scale, turn = between(self.rng, 1.0, 2.6), between(self.rng, 0, 2 * np.pi)
        c, s = np.cos(turn) * scale, np.sin(turn) * scale
        onto = np.array([[c, -s, centre[0] - (c - s) * size / 2], [s, c, centre[1] - (s + c) * size / 2], [0, 0, 1]])
        return cv2.warpPerspective((np.clip(texture, 0, 1) * 255).astype(np.uint8), self.plane() @ onto, self.frame,
                                   flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)

    def lay_print(self, mat: mats.Mat, x: float, y: float, turn: float, scale: float = 1.0, z: float = 0.0) -> None:
        """Lay a card or mat with its middle at (x, y); `scale`: as the printer made it; z: negative on top of something."""
        if z:
            self._box(mat.width * scale, mat.height * scale, x, y, turn, z)
        px_per_mm = float(np.clip(np.ceil(1.2 * self.half_px / self.unit * self.fine), 2, 8))
        paper = mats.picture(mat, px_per_mm)
        height, width = paper.shape
        c, s = np.cos(turn), np.sin(turn)
        step = scale / px_per_mm
        local = np.array([[step, 0, (0.5 - width / 2) * step], [0, step, (0.5 - height / 2) * step], [0, 0, 1]])
        warp = self.plane(z) @ np.array([[c, -s, x], [s, c, y], [0, 0, 1]]) @ local
        tone = np.stack([paper, np.full_like(paper, 255)], axis=-1)
        if px_per_mm > 2.2 * self.fine * self.half_px / self.unit:
            tone = cv2.GaussianBlur(tone, (0, 0), 0.4)
        laid = cv2.warpPerspective(tone, warp, self.frame, flags=cv2.INTER_AREA)
        cover = laid[..., 1:].astype(np.float32) / 255
        ink, white = np.array([12, 11, 12], np.float32), np.array([228, 233, 236], np.float32)
        shown = ink + (white - ink) * (laid[..., :1].astype(np.float32) / 255 / np.maximum(cover, 0.02)).clip(0, 1)
        image = self.canvas.image
        rows_, columns = np.nonzero(cover[..., 0] > 0)
        if len(rows_) == 0:
            return
        patch = (slice(rows_.min(), rows_.max() + 1), slice(columns.min(), columns.max() + 1))
        image[patch] = (image[patch] * (1 - cover[patch]) + shown[patch] * cover[patch]).astype(np.uint8)

    def _box(self, width: float, height: float, x: float, y: float, turn: float, z: float) -> None:
        """What something lies on, so that it is higher than the table."""
        c, s = np.cos(turn), np.sin(turn)
        foot = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
        foot = foot @ np.array([[c, s], [-s, c]]) + (x, y)
        hull = np.vstack([cv2.perspectiveTransform(foot[:, None], self.plane(h))[:, 0] for h in (0.0, z)])
        cv2.fillConvexPoly(self.canvas.image, cv2.convexHull(np.round(hull).astype(np.int32)), (60, 80, 100), cv2.LINE_AA)

    def lay_tiles(self, area: tuple[float, float, float, float], count: int, rng: np.random.Generator,
                  scale: float = 1.0, taken: Table | None = None, plain: bool = False) -> tuple[Table, Array]:
        """Lay face-up tiles in the area, `scale` times the usual size; returns them and their true corners.

        plain: scattered one by one, so that more tiles leave the others where they are. taken: tiles that lie already.

        The corners, (n, 4, 3) millimetres, are of the faces, clockwise, the first edge along the tile.
        """
        canvas, unit = self.canvas, self.unit * scale
        canvas.view = self.view(unit)
        x0, y0, x1, y1 = (v / unit for v in area)
        table = Table(canvas.style.length, (x0 + 1.2, -y1 + 1.2, x1 - 1.2, -y0 - 1.2))
        if taken is not None:
            ratio = self.unit / unit
            table.tiles = [replace(t, x=t.x * ratio, y=t.y * ratio) for t in taken.tiles]
        before = len(table.tiles)
        plan = 1.0 if plain else rng.random()
        if plan < 0.4:
            line(table, count, 6, rng)
        elif plan < 0.6:
            rows(table, count // 2, 6, rng)
        for _ in range(count):
            if len(table.tiles) - before < count:
                scatter(table, 1, 6, rng, facedown=0.0)
        table.tiles = [t for t in table.tiles[before:] if t.ends is not None]
        bodies = [body_of(t, canvas.style) for t in table.tiles]
        canvas.shadows(bodies, 0.0)
        far = sorted(range(len(bodies)), key=lambda i: -float(np.linalg.norm(canvas.view.position - bodies[i].centre)))
        for number in far:
            canvas.block(bodies[number], number + 1)
        corners = np.array([body.corners(canvas.style)[[1, 2, 3, 0]] for body in bodies]).reshape(-1, 4, 3)
        return table, corners * unit * (1, -1, -1)

    def bent(self) -> Image:
        """(H, W, 3) what was painted, through the lens, without light."""
        width, height = self.camera.size
        soft = self.canvas.image if self.fine == 1 else cv2.GaussianBlur(self.canvas.image, (0, 0), 0.45)
        x, y = (_dense(self._straight[..., axis], width, height) for axis in (0, 1))
        return cv2.remap(soft, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)

    def photo(self, calm: bool = False) -> Image:
        """The photograph of the table; calm: good light and a good camera."""
        width, height = self.camera.size
        bent = self.bent()
        if calm:
            noisy = cv2.GaussianBlur(bent, (0, 0), 0.6).astype(np.float32)
            noisy += self.rng.standard_normal((height, width, 1), np.float32) * 2
            return np.clip(noisy, 0, 255).astype(np.uint8)
        lit = bent.astype(np.float32) * np.float32(1 / 255) * illumination(height, width, self.rng)
        shine = glare(height, width, self.half_px, self.rng)
        if shine is not None and chance(self.rng, 0.5):
            lit += (shine * np.float32(between(self.rng, 0, 0.7)))[..., None] * (1 - 0.4 * np.minimum(lit, 1))
        return photograph(lit, self.half_px, self.rng)


_STEP = 8
"""Every so many pixels the bend of the lens is computed; between them it is smooth."""


def _straightened(camera: TrueCamera) -> Array:
    """(rows, columns, 2) where a grid of the camera's pixels lies in the picture of the same camera without bend."""
    width, height = camera.size
    x = np.linspace(0, width - 1, width // _STEP + 1)
    y = np.linspace(0, height - 1, height // _STEP + 1)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    focal, middle = camera.matrix[0, 0], camera.matrix[:2, 2]
    wanted = (grid - middle) / focal
    straight = wanted.copy()
    k1, k2 = camera.distortion[:2]
    for _ in range(60):
        square = (straight**2).sum(axis=1, keepdims=True)
        straight = wanted / (1 + k1 * square + k2 * square**2)
    return (straight * focal + middle).reshape(len(y), len(x), 2)


def _dense(grid: Array, width: int, height: int) -> Picture:
    """The grid's values at every pixel."""

    def between_nodes(nodes: int, count: int) -> Array:
        """(count, nodes) weights; OpenCV's own resizing rounds places to 1/32 of a step, which would be seen."""
        at = np.linspace(0, nodes - 1, count)
        return np.maximum(0.0, 1 - np.abs(at[:, None] - np.arange(nodes)))

    return (between_nodes(grid.shape[0], height) @ grid @ between_nodes(grid.shape[1], width).T).astype(np.float32)


def random_style(rng: np.random.Generator) -> tuple[SetStyle, float]:
    """Some set of dominoes and the side of its halves in millimetres; tiles 8 to 12 mm thick, 40 to 57 long."""
    style = set_style(rng, 6)
    unit = between(rng, 40, 57) / style.length
    return replace(style, thickness=between(rng, 8, 12) / unit), unit
