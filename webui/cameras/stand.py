"""The stand that holds the table's camera: whichever it is now, its newest picture, and how it was calibrated.

Whoever watches the table is offered its frames; cameras are exchanged under their hands.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.health import GOOD_PIP, PIP_SHARE, USUAL_TILE, area_grid, health, scales
from calibration.measure import calibrate, from_corners
from calibration.profile import Profile
from engine.words import say
from referee.setting import Point
from vision.exposure import Metering
from vision.frame import Frame, Image
from vision.observation import Quality
from vision.sources.browser import BrowserCamera
from vision.sources.opening import ON_LINUX, open_source
from vision.sources.source import Health, Source, SourceError
from webui.live.running import View

PHONE = "phone"
PUMP_SECONDS = 0.5
SHOWING_S = 5.0
JPEG_QUALITY = 82
PREVIEW_WIDTH = 1280
ALIKE = 0.01
"""Pictures whose sides differ by no more than this in proportion show the same view; sides are whole numbers."""


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A camera one may choose: its name for `choose`, and what people call it."""

    name: str
    words: str


def camera_choices(chosen: str, devices: Path = Path("/dev")) -> list[CameraChoice]:
    """A phone, the cameras plugged in, and whatever is chosen now."""
    numbers = sorted(int(path.name[5:]) for path in devices.glob("video*") if path.name[5:].isdigit())
    if not ON_LINUX:  # where cameras are no files
        numbers = [0, 1]
    names = dict.fromkeys([*map(str, numbers), *([chosen] if chosen and chosen != PHONE else [])])
    return [CameraChoice(PHONE, say("A phone or tablet")), *(CameraChoice(name, _camera_words(name)) for name in names)]


def _camera_words(name: str) -> str:
    """What people call a camera; an address may hold a password, which is nobody's business."""
    if name == PHONE:
        return say("Phone camera")
    return say("Camera {name}", name=name) if name.isdigit() else say("Network camera") if "://" in name else Path(name).name


class CameraStand:
    """Holds one camera at a time; every method may be called from any thread.

    on_calibrated: is told of a new calibration and the picture it was found in; of None where another camera is chosen.
    """

    def __init__(
        self, opening: Callable[[str], Source] = open_source, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._opening = opening
        self._changing, self._choosing = threading.Lock(), threading.Lock()
        self._clock, self._phone = clock, BrowserCamera(clock)
        self._sender, self._senders_before = "", set[str]()  # the phone that is the camera, and those that were
        self._source: Source | None = None
        self._name = ""
        self._by_hand = False  # whether somebody chose to have no camera
        self._broken = ""  # why no more comes of a film, as of a recording that is damaged farther on
        self._newest: Frame | None = None
        self._came = clock()
        self._jpeg: tuple[Frame, bytes] | None = None
        self._measuring = threading.Lock()
        self.profile: Profile | None = None
        self.word = "ready"
        self.quality = Quality()
        self._metering, self._shown = Metering(), -math.inf
        self.on_calibrated: Callable[[Profile | None, Image | None], None] = lambda profile, image: None
        self.closed = threading.Event()

    # For those who watch the table.

    def health(self) -> Health:
        """How the camera is; lost where none is chosen."""
        source = self._source
        if self._broken:
            return Health(self._broken)
        return source.health() if source is not None else Health(say("no camera is chosen"))

    def close(self) -> None:
        """Let every camera go."""
        self.closed.set()
        self.choose(None)
        self._phone.close()

    def pump(self, offer: Callable[[Frame, bool], None] = lambda frame, patient: None) -> None:
        """Read whichever camera is chosen until the stand is closed, so that people see it however busy the watcher is.

        offer: is given each frame, and whether none of them may be left out, as of a film.
        """
        while not self.closed.is_set():
            source = self._source
            if self._clock() - self._shown > SHOWING_S:
                self._metering.measured(self.quality.white, self._clock())
            self._metering.ask(source)
            try:
                frame = source.next(PUMP_SECONDS) if source is not None else None
            except SourceError as error:
                frame = None
                with self._changing:
                    self._broken = str(error) if source is self._source else self._broken
            if source is None or frame is None:
                self.closed.wait(0.02)
                continue
            frame = self._as_measured(frame)
            with self._changing:
                if source is not self._source:
                    continue
                self._newest, self._came = frame, self._clock()
            offer(frame, not source.live)  # not under the lock: whoever waits for the frame to be taken must not hold up `choose`

    def _as_measured(self, frame: Frame) -> Frame:
        """The frame as large as that in which the table was measured: a phone on a slow Wi-Fi sends the same view smaller."""
        profile, (height, width) = self.profile, frame.image.shape[:2]
        if profile is None or profile.size == (width, height):
            return frame
        if abs(width * profile.size[1] / (height * profile.size[0]) - 1) > ALIKE:
            return frame
        smoothly = cv2.INTER_AREA if width > profile.size[0] else cv2.INTER_LINEAR
        return replace(frame, image=np.asarray(cv2.resize(frame.image, profile.size, interpolation=smoothly), np.uint8))

    def shown(self, white: float) -> None:
        """How bright pieces are that are being shown, see `whiteness`: for a while the light is theirs alone."""
        self._shown = self._clock()
        self._metering.measured(white, self._shown)

    @property
    def stops(self) -> float:
        """By so many the camera should take less light than it would by itself."""
        return self._metering.stops

    # For people.

    @property
    def name(self) -> str:
        """What `choose` was told last, or an empty text."""
        return self._name

    def choose(self, name: str | None) -> None:
        """Take another camera, or none; SourceError with a sentence where there is no such one."""
        with self._choosing:  # two people may choose at once
            source = None if name is None else self._phone if name == PHONE else self._opening(name)
            with self._changing:
                before, self._source = self._source, None
                self._by_hand, self._broken = name is None, ""
                self._name, self._newest, self._jpeg, self.profile = name or "", None, None, None
                self.quality, self._metering, self._shown = Quality(), Metering(), -math.inf
            if before is not None and before is not self._phone:
                before.close()
            self.on_calibrated(None, None)  # no frame of the one is measured by the other's calibration
            self._source = source

    def push(self, jpeg: bytes, sender: str = "") -> None:
        """A picture of the phone that is the camera; ValueError with a sentence where it cannot be taken.

        sender: which page sends it. Of several the one that was opened last is the camera: they see different things.
        """
        if self._name != PHONE:
            if self._name:  # it is chosen before it is open: until then a phone that goes on sending does not come in between
                raise ValueError(say("Another camera is chosen at the moment."))
            if self._by_hand:
                raise ValueError(say("No camera: plays are entered by hand."))
            self.choose(PHONE)
        if sender in self._senders_before:
            raise ValueError(say("Another phone is the camera now. Open this page anew to use this one."))
        if sender != self._sender:
            self._senders_before.add(self._sender)
            self._sender = sender
        self._phone.push(jpeg)

    def newest(self) -> Frame | None:
        """The newest frame, however old it is."""
        return self._newest

    def live(self) -> Frame | None:
        """The newest frame of a camera that is not lost."""
        return self._newest if self.health().lost is None else None

    def view(self) -> View | None:
        """What people are shown, as old as its picture is: a camera that is covered or stands still goes on sending. None
        where no camera is chosen."""
        if self._source is None:
            return None
        with self._changing:
            frame, came = self._newest, self._came
        health = self.health()
        age = health.age if frame is None else self._clock() - came
        word = "camera-lost" if health.lost else self.word
        quality = replace(self.quality, frame_age=age, fps=health.fps, light=self.quality.light or _light(frame))
        return View(self._encoded(frame), age, _camera_words(self._name), word, quality)

    def _encoded(self, frame: Frame | None) -> bytes | None:
        if frame is None:
            return None
        jpeg = self._jpeg
        if jpeg is None or jpeg[0] is not frame:
            self._jpeg = jpeg = (frame, jpeg_of(frame.image))
        return jpeg[1]

    def calibrate(self, corners: Sequence[Point] | None, width_mm: float | None, height_mm: float | None) -> Profile:
        """Measure the table in the newest picture: by what is printed, or by four corners (shares of the picture's sides).

        Raises CalibrationError with the reason, ValueError where there is no picture.
        """
        with self._changing:
            frame, source = self._newest, self._source
        if frame is None:
            raise ValueError(say("There is no picture yet: choose a camera first."))
        if (lost := self.health().lost) is not None:  # where it stood may not be where it stands
            raise ValueError(say("There is no picture at the moment: {why}.", why=lost))
        size = (frame.image.shape[1], frame.image.shape[0])
        with self._measuring:  # two people may press the button at once
            if corners is None:
                profile = calibrate(frame.image)
            else:
                profile = from_corners(np.array(corners, np.float64) * size, size, width_mm, height_mm)
            if self._source is not source:  # it takes a while, and the one is not measured by a picture of the other
                raise ValueError(say("Another camera was chosen meanwhile: measure again."))
            self.profile = profile
            self.on_calibrated(profile, frame.image)
        return profile


def jpeg_of(image: Image) -> bytes:
    """A picture as people are shown it, no larger than they need."""
    if image.shape[1] > PREVIEW_WIDTH:
        height = round(image.shape[0] * PREVIEW_WIDTH / image.shape[1])
        image = np.asarray(cv2.resize(image, (PREVIEW_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1])


def _light(frame: Frame | None) -> float:
    return 0.0 if frame is None else float(frame.image[::16, ::16].mean()) / 255


def profile_form(profile: Profile, image: Image | None) -> dict[str, Any]:
    """A calibration as the page draws it, and what to change; places are shares of the picture's sides."""
    x0, y0, x1, y1 = profile.area
    width, height = profile.size
    places = area_grid(profile, 3)
    return {
        "method": profile.method,
        "error": round(profile.error_mm, 2),
        "notes": list(profile.notes),
        "table": [round(x1 - x0), round(y1 - y0)],
        "size": [width, height],
        "outline": _shares(profile, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]),
        "lines": [_shares(profile, line) for line in _grid_lines(profile.area)],
        "scales": [
            {"at": at, "scale": round(float(scale), 2), "poor": bool(scale * PIP_SHARE * USUAL_TILE < GOOD_PIP)}
            for at, scale in zip(_shares(profile, 0.94 * places), scales(profile, places), strict=True)
        ],
        "advice": advice(profile, image),
    }


def advice(profile: Profile, image: Image | None) -> list[str]:
    """How wide a pip is at the worst place, and what to change, a sentence each."""
    pip = float(scales(profile, area_grid(profile)).min()) * PIP_SHARE * USUAL_TILE
    first = (say("Good: tiles are large enough in the picture wherever they lie.") if pip >= GOOD_PIP
             else say("Tiles are small in the picture: a pip is {pixels} pixels wide at the worst place.", pixels=round(pip, 1)))
    return [first, *(health(image, profile).advice if image is not None else ())]


def _grid_lines(area: tuple[float, float, float, float]) -> list[NDArray[np.float64]]:
    """Lines 100 mm apart, each as a few points, since a lens bends them."""
    x0, y0, x1, y1 = area
    steps = np.linspace(0, 1, 9)[:, None]
    uprights = [(x, y0) + steps * (0, y1 - y0) for x in np.arange(100 * np.ceil(x0 / 100), x1, 100)]
    return uprights + [(x0, y) + steps * (x1 - x0, 0) for y in np.arange(100 * np.ceil(y0 / 100), y1, 100)]


def _shares(profile: Profile, places: Any) -> list[list[float]]:
    pixels = profile.to_picture(np.asarray(places, np.float64)) / profile.size
    return [[round(float(x), 4), round(float(y), 4)] for x, y in pixels]
