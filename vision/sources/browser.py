"""The camera of a phone or tablet whose browser sends pictures: bounded before anything is decoded, never queued."""

from __future__ import annotations

import io
import threading
import time
import zlib
from collections.abc import Callable

import cv2
import numpy as np
from PIL import Image as Pillow

from engine.words import say
from vision.frame import Frame
from vision.sources.pulse import Pulse, is_black
from vision.sources.source import Health

LARGEST_BYTES = 6_000_000
LARGEST_PIXELS = 9_000_000
"""Of one frame: more than 4K."""


class BrowserCamera:
    """Frames that a page sends with `push`, from any thread; only the newest is kept."""

    live = True
    settled = False

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._condition = threading.Condition()
        self._pulse = Pulse(clock())
        self._newest: tuple[bytes, float, int] | None = None
        self._count = 0
        self._closed = False

    def push(self, jpeg: bytes) -> None:
        """Takes one picture; ValueError, with a sentence, where it is no JPEG or too large."""
        if len(jpeg) > LARGEST_BYTES:
            raise ValueError(f"The picture has {len(jpeg)} bytes, more than {LARGEST_BYTES}: send it smaller.")
        try:
            with Pillow.open(io.BytesIO(jpeg), formats=("JPEG",)) as claimed:
                width, height = claimed.size
        except Exception as error:  # damaged files make the decoder raise errors of many kinds
            raise ValueError("This is no JPEG picture.") from error
        if width * height > LARGEST_PIXELS or min(width, height) < 64:
            raise ValueError(f"The picture has {width}x{height} pixels: send between 64x64 and {LARGEST_PIXELS} in all.")
        with self._condition:
            now = self._clock()
            self._pulse.beat(now, zlib.crc32(jpeg), black=False)
            self._newest = (jpeg, now, self._count)
            self._count += 1
            self._condition.notify_all()

    def next(self, wait_s: float) -> Frame | None:
        with self._condition:
            self._condition.wait_for(lambda: self._newest is not None or self._closed, timeout=wait_s)
            newest, self._newest = self._newest, None
        if newest is None or self._pulse.lost(self._clock()) is not None:
            return None
        jpeg, came, number = newest
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            self._pulse.fail(say("the browser sends damaged pictures"))
            return None
        pixels = np.asarray(image, np.uint8)
        if is_black(pixels):
            self._pulse.fail(say("the picture is black"))
            return None
        return Frame(pixels, came, number)

    def health(self) -> Health:
        with self._condition:
            return self._pulse.health(self._clock(), self._closed)

    def close(self) -> None:
        with self._condition:
            self._closed = True
            self._condition.notify_all()
