"""The stand that holds the table's camera: whichever it is now, its newest picture, and how it was calibrated.

To whoever watches the table the stand is a source like any other; cameras are exchanged under their hands.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.measure import calibrate, from_corners
from calibration.profile import Profile
from vision.frame import Frame
from vision.observation import Quality
from vision.sources.browser import BrowserCamera
from vision.sources.opening import open_source
from vision.sources.source import Health, Source
from webui.live.running import View

PHONE = "phone"
JPEG_QUALITY = 82
PREVIEW_WIDTH = 1280
PIP_MM = 4.5
"""Usual pips are that wide (of a 48 mm tile)."""
PIP_PIXELS = 6.0
"""Narrower ones are read badly."""


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A camera one may choose: its name for `choose`, and what people call it."""

    name: str
    words: str


def camera_choices(devices: Path = Path("/dev")) -> list[CameraChoice]:
    """A phone, and the cameras plugged in."""
    plugged = sorted(devices.glob("video[0-9]*"), key=lambda path: int(path.name.removeprefix("video")))
    found = [
        CameraChoice(path.name.removeprefix("video"), f"Camera {path.name.removeprefix('video')}") for path in plugged
    ]
    return [CameraChoice(PHONE, "A phone or tablet"), *found]


class CameraStand:
    """Holds one camera at a time; every method may be called from any thread."""

    live = True
    settled = False

    def __init__(
        self, opening: Callable[[str], Source] = open_source, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._opening, self._clock = opening, clock
        self._lock = threading.Lock()
        self._phone = BrowserCamera(clock)
        self._source: Source | None = None
        self._name = ""
        self._newest: Frame | None = None
        self._jpeg: tuple[int, bytes] | None = None
        self._watched = 0.0
        self.profile: Profile | None = None
        self.word = "ready"
        self.quality = Quality()
        self.on_calibrated: Callable[[Profile], None] = lambda profile: None
        self.closed = threading.Event()

    # For those who watch the table.

    def next(self, wait_s: float) -> Frame | None:
        """The next frame of the camera that is chosen."""
        self._watched = self._clock()
        return self._next(wait_s)

    def _next(self, wait_s: float) -> Frame | None:
        source = self._source
        if source is None:
            self.closed.wait(wait_s)
            return None
        frame = source.next(wait_s)
        if frame is not None and source is self._source:
            self._newest = frame
        return frame

    def health(self) -> Health:
        """How the camera is; lost where none is chosen."""
        source = self._source
        return source.health() if source is not None else Health("no camera is chosen")

    def close(self) -> None:
        """Let every camera go."""
        self.closed.set()
        self.choose(None)
        self._phone.close()

    def pump(self) -> None:
        """Keep the newest picture fresh while nobody watches the table; returns when the stand is closed."""
        while not self.closed.is_set():
            if self._clock() - self._watched > 1.0:
                self._next(0.5)
            else:
                self.closed.wait(0.5)

    # For people.

    @property
    def name(self) -> str:
        """What `choose` was told last, or an empty text."""
        return self._name

    def choose(self, name: str | None) -> None:
        """Take another camera, or none; SourceError with a sentence where there is no such one."""
        source = None if name is None else self._phone if name == PHONE else self._opening(name)
        with self._lock:
            before, self._source = self._source, source
            self._name, self._newest, self._jpeg = name or "", None, None
            self.profile = None
        if before is not None and before is not self._phone:
            before.close()

    def push(self, jpeg: bytes) -> None:
        """A picture of the phone that is the camera; ValueError with a sentence where it cannot be taken."""
        if self._name != PHONE:
            if self._source is not None:
                raise ValueError("Another camera is chosen at the moment.")
            self.choose(PHONE)
        self._phone.push(jpeg)

    def newest(self) -> Frame | None:
        """The newest frame, however old it is."""
        return self._newest

    def view(self) -> View | None:
        """What people are shown; None where no camera is chosen."""
        if self._source is None:
            return None
        health, frame = self.health(), self._newest
        word = "camera-lost" if health.lost else self.word
        quality = Quality(health.age, health.fps, self.quality.light or _light(frame), self.quality.glare,
                          self.quality.sharpness, self.quality.scale)  # fmt: skip
        words = {PHONE: "Phone camera"}.get(self._name, f"Camera {self._name}" if self._name.isdigit() else "Camera")
        return View(self._encoded(frame), health.age, words, word, quality)

    def _encoded(self, frame: Frame | None) -> bytes | None:
        if frame is None:
            return None
        with self._lock:
            if self._jpeg is None or self._jpeg[0] != frame.sequence:
                image = frame.image
                if image.shape[1] > PREVIEW_WIDTH:
                    height = round(image.shape[0] * PREVIEW_WIDTH / image.shape[1])
                    image = np.asarray(
                        cv2.resize(image, (PREVIEW_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8
                    )
                encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
                self._jpeg = (frame.sequence, bytes(encoded))
            return self._jpeg[1]

    def calibrate(self, corners: list[list[float]] | None, width_mm: float | None, height_mm: float | None) -> Profile:
        """Measure the table in the newest picture: by what is printed, or by four corners (shares of the picture's sides).

        Raises CalibrationError with the reason, ValueError where there is no picture.
        """
        frame = self._newest
        if frame is None:
            raise ValueError("There is no picture yet: choose a camera first.")
        size = (frame.image.shape[1], frame.image.shape[0])
        if corners is None:
            profile = calibrate(frame.image)
        else:
            profile = from_corners(np.array(corners, np.float64) * size, size, width_mm, height_mm)
        self.profile = profile
        self.on_calibrated(profile)
        return profile


def _light(frame: Frame | None) -> float:
    return 0.0 if frame is None else float(frame.image[::16, ::16].mean()) / 255


def profile_form(profile: Profile) -> dict[str, Any]:
    """A calibration as the page draws it; places are shares of the picture's sides."""
    x0, y0, x1, y1 = profile.area
    width, height = profile.size
    scales = _scales(profile)
    return {
        "method": profile.method,
        "error": round(profile.error_mm, 2),
        "notes": list(profile.notes),
        "table": [round(x1 - x0), round(y1 - y0)],
        "size": [width, height],
        "outline": _shares(profile, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]),
        "lines": [_shares(profile, line) for line in _grid_lines(profile.area)],
        "scales": [{"at": _shares(profile, [place])[0], "scale": round(scale, 2)} for place, scale in scales],
        "worst": round(min(scale for _, scale in scales), 2),
        "advice": advice(profile),
    }


def advice(profile: Profile) -> str:
    """One sentence: whether pips are large enough at the worst place, and what to change."""
    worst = min(scale for _, scale in _scales(profile))
    pip = worst * PIP_MM
    if pip >= 1.5 * PIP_PIXELS:
        return f"Good: a pip is {pip:.0f} pixels wide at the worst place."
    if pip >= PIP_PIXELS:
        return f"Good enough: a pip is {pip:.0f} pixels wide at the worst place. Closer would be surer."
    wanted = PIP_PIXELS / pip
    if profile.size[0] < 1900:
        return f"A pip is only {pip:.1f} pixels wide at the worst place: use 1080p, or bring the camera closer."
    return f"A pip is only {pip:.1f} pixels wide at the worst place: bring the camera to {100 / wanted:.0f} % of its distance."


def _scales(profile: Profile) -> list[tuple[tuple[float, float], float]]:
    """Pixels per millimetre, in the direction where there are fewest, at nine places of the play area."""
    x0, y0, x1, y1 = profile.area
    found = []
    for v in (0.04, 0.5, 0.96):
        for u in (0.04, 0.5, 0.96):
            place = (x0 + u * (x1 - x0), y0 + v * (y1 - y0))
            here, right, down = profile.to_picture(
                np.array([place, (place[0] + 1, place[1]), (place[0], place[1] + 1)])
            )
            jacobian = np.column_stack([right - here, down - here])
            found.append((place, float(np.linalg.svd(jacobian, compute_uv=False)[-1])))
    return found


def _grid_lines(area: tuple[float, float, float, float]) -> list[list[tuple[float, float]]]:
    """Lines 100 mm apart, each as a few points, since a lens bends them."""
    x0, y0, x1, y1 = area
    steps = np.linspace(0, 1, 9)
    lines = [[(x, y0 + t * (y1 - y0)) for t in steps] for x in np.arange(100 * np.ceil(x0 / 100), x1, 100)]
    lines += [[(x0 + t * (x1 - x0), y) for t in steps] for y in np.arange(100 * np.ceil(y0 / 100), y1, 100)]
    return lines


def _shares(profile: Profile, places: list[tuple[float, float]]) -> list[list[float]]:
    pixels = profile.to_picture(np.array(places, np.float64)) / profile.size
    return [[round(float(x), 4), round(float(y), 4)] for x, y in pixels]
