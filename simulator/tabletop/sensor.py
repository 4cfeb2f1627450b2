"""The camera's sensor: what it stores of the light that the lens throws on it. Exposure, colour, noise, compression."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.tabletop.camera import Camera
from simulator.tabletop.painting import GAMMA
from simulator.tabletop.parts import BLOCK, Rect, wider

Image = NDArray[np.uint8]
Picture = NDArray[np.float32]

HEADROOM = 0.72
"""Where full white lies in the lens's picture, so that a longer exposure has something to show."""

GRAINS = 4
"""So many pictures of noise are shown in turn: what has not changed need not be made grainy and compressed anew."""

STEP = 0.02
"""A camera leaves its exposure alone until it is off by so much, of the light: else it would flicker."""

SHIFTS = 96  # pixels by which the noise is shifted at most


class Sensor:
    """Takes pictures of one table. It keeps those of the table at rest, and makes anew what has changed of them."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._gain: float | None = None
        self._used = 0.0  # the gain as it was last set
        self._noise: tuple[Image, Image] | None = None
        self._levels = b""  # how the pictures that are kept were exposed
        self._kept: dict[int, Image] = {}  # pictures of the table at rest, by their noise
        self._old: dict[int, list[Rect]] = {}  # the parts of each that have changed since

    def forget(self) -> None:
        """Everything at rest has changed."""
        self._kept, self._old = {}, {}

    def changed(self, parts: Sequence[Rect]) -> None:
        """These parts of what is at rest have changed."""
        for old in self._old.values():
            old += parts

    def take(self, camera: Camera, resting: Image, number: int, flash: float = 0.0,
             veiled: tuple[Image, Sequence[Rect]] | None = None) -> Image:
        """What the camera stores. resting: (H, W, 3) the table at rest; veiled: the same with hands, and where it differs."""
        clean = veiled[0] if veiled else resting
        table = self._exposed(camera, clean, flash)
        grain = number % GRAINS
        if table.tobytes() != self._levels:
            self._levels = table.tobytes()
            self.forget()
            if veiled:  # the next may be exposed otherwise again
                return self._stored(camera, clean, table, grain)
        if grain not in self._kept:
            self._kept[grain] = self._stored(camera, resting, table, grain)
        elif self._old[grain]:
            self._kept[grain] = self._mended(camera, self._kept[grain], resting, self._old[grain], table, grain)
        self._old[grain] = []
        self._kept[grain].flags.writeable = False
        return self._mended(camera, self._kept[grain], *veiled, table, grain) if veiled else self._kept[grain]

    def noisy(self, camera: Camera, image: Image, number: int, x0: int = 0, y0: int = 0) -> Image:
        """A part of a picture, which begins at (x0, y0), with the noise of the sensor."""
        if camera.noise <= 0:
            return image
        if self._noise is None or self._noise[0].shape[0] < camera.height + SHIFTS:
            rng = np.random.default_rng([self.seed, 5])
            self._noise = _grain(camera.height + SHIFTS, camera.width + SHIFTS, camera.noise, rng)
        rng = np.random.default_rng([self.seed, 6, number])
        x, y, a, b = (int(v) for v in rng.integers(0, SHIFTS, 4) + (x0, y0, x0, y0))
        height, width = image.shape[:2]
        more, less = self._noise
        image = cv2.add(image, more[y : y + height, x : x + width])
        return np.asarray(cv2.subtract(image, less[b : b + height, a : a + width]), np.uint8)

    def _exposed(self, camera: Camera, clean: Image, flash: float) -> Image:
        """(256, 3): what becomes of each level of light; more where little light has to be amplified."""
        seen = clean[::16, ::16] * np.float32((1 + flash * 2) / 255 / HEADROOM)
        wanted = _exposure(seen) if camera.auto_exposure else 1.0
        self._gain = wanted if self._gain is None or not camera.auto_exposure else self._gain + 0.3 * (wanted - self._gain)
        if abs(self._gain - self._used) > STEP * self._gain:
            self._used = self._gain
        levels = np.arange(256, dtype=np.float32)[:, None] / np.float32(255 * HEADROOM)
        shown = levels * np.float32(self._used * camera.exposure ** (1 / GAMMA)) * np.array(camera.balance, np.float32)
        shown = shown * np.float32(1 + flash * 2) + np.float32(flash * 0.3)
        shoulder = np.where(shown > 0.8, 0.8 + 0.2 * np.tanh((shown - 0.8) / 0.2), shown)
        return np.clip(shoulder * 255 + 0.5, 0, 255).astype(np.uint8)

    def _mended(self, camera: Camera, stored: Image, clean: Image, parts: Sequence[Rect], table: Image, grain: int) -> Image:
        """A stored picture with these parts, of whole blocks, stored anew as `clean` has them."""
        image = stored.copy()
        for part in parts:
            # Colours are smoothed across the edges of blocks: a little more changes, and depends on a block around it.
            x0, y0, x1, y1 = wider(part, BLOCK // 2, camera.width, camera.height)
            a, b, c, d = wider(part, BLOCK, camera.width, camera.height)
            piece = self._stored(camera, clean[b:d, a:c], table, grain, a, b)
            image[y0:y1, x0:x1] = piece[y0 - b : y1 - b, x0 - a : x1 - a]
        return image

    def _stored(self, camera: Camera, clean: Image, table: Image, grain: int, x0: int = 0, y0: int = 0) -> Image:
        """A part of a picture exposed by a table of (256, 3) levels, with noise and compression."""
        image = np.asarray(cv2.LUT(clean, table.reshape(1, 256, 3)), np.uint8)
        image = self.noisy(camera, image, grain, x0, y0)
        if camera.jpeg is not None:
            packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, camera.jpeg])[1]
            image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return image


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
