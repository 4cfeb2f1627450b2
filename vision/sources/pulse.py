"""Whether a camera is alive: frames come, they differ as frames of a real sensor do, and they are not black."""

from __future__ import annotations

import zlib
from collections import deque

import numpy as np
from numpy.typing import NDArray

from engine.words import say
from vision.sources.source import Health

SILENT_S = 1.5
"""Without a new frame for so long a camera is lost; noticed well within two seconds. Frames exactly alike are one frame repeated:
sensors have noise."""

BLACK_S = 1.0
"""Black for so long: the lens is covered, or the camera asleep."""

BLACK_LEVEL = 22
"""A picture without any pixel brighter than this, but for a few hot ones, is black."""


def fingerprint(image: NDArray[np.uint8]) -> int:
    """A checksum of a quarter of the rows: sensor noise differs there as everywhere."""
    return zlib.crc32(np.ascontiguousarray(image[::4]).data)


def is_black(image: NDArray[np.uint8]) -> bool:
    """Whether nothing is to be seen in the picture."""
    few = image[::8, ::8]
    return float(np.count_nonzero(few > BLACK_LEVEL)) < 0.002 * few.size


class Pulse:
    """Remembers when what came; all times are given in seconds by the caller's clock."""

    def __init__(self, now: float) -> None:
        self._last = now
        self._changed = now
        self._bright = now
        self._print: int | None = None
        self._failure: str | None = None
        self._times: deque[float] = deque(maxlen=30)

    def beat(self, now: float, image_print: int, black: bool) -> None:
        """A frame came."""
        if image_print != self._print:
            self._changed = now
        if not black:
            self._bright = now
        self._last, self._print, self._failure = now, image_print, None
        self._times.append(now)

    def fail(self, why: str) -> None:
        """The camera said itself that it is gone."""
        self._failure = why

    def lost(self, now: float) -> str | None:
        """Why the camera counts as lost, None while it is alive."""
        if self._failure is not None:
            return self._failure
        if now - self._last > SILENT_S:
            return say("no picture comes")
        if now - self._changed > SILENT_S:
            return say("the picture stands still")
        if now - self._bright > BLACK_S:
            return say("the picture is black")
        return None

    def needs_reopening(self, now: float) -> bool:
        """A black picture gets bright by itself; everything else calls for a new connection."""
        return self.lost(now) not in (None, "the picture is black")

    def health(self, now: float, ended: bool = False) -> Health:
        """How the camera is; its frames per second are those of the last three seconds."""
        recent = [time for time in self._times if now - time < 3]
        fps = (len(recent) - 1) / (recent[-1] - recent[0]) if len(recent) > 1 and recent[-1] > recent[0] else 0.0
        return Health(self.lost(now), now - self._last, fps, ended)
