"""A live camera: one thread reads, a watchdog notices within two seconds when nothing good comes, and connects again.

Only the newest frame is kept. A read that blocks for ever cannot be stopped: its thread is left behind, and when it
comes back it finds itself replaced, lets its camera go and ends.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

from engine.words import say
from vision.frame import Frame, Image
from vision.sources.pulse import Pulse, fingerprint, is_black
from vision.sources.source import Dimmable, Health

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 8.0
"""Between attempts to connect again; it doubles with every attempt."""

GOOD_S = 5.0
"""After so long without trouble the next attempt is a first one again."""

WATCH_S = 0.2
"""The watchdog looks so often."""

CLOSING_S = 1.0
"""So long it is waited for a camera to be let go."""

MOST_STUCK = 3
"""Threads stuck in a blocked read that are left behind at most."""


class Capture(Protocol):
    """An open camera, as OpenCV's VideoCapture."""

    def read(self) -> tuple[bool, Image | None]:
        """Whether a frame came, and the frame; may block."""

    def release(self) -> None:
        """Let the camera go."""


class LiveCamera:
    """Frames of a camera that is opened, watched and opened again by itself.

    open_capture: opens the camera, may block; raises OSError or returns a capture that reads nothing where it cannot.
    """

    live = True
    settled = False

    def __init__(self, open_capture: Callable[[], Capture], clock: Callable[[], float] = time.monotonic,
                 watch_s: float = WATCH_S) -> None:
        self._open, self._clock, self._watch_s = open_capture, clock, watch_s
        self._condition = threading.Condition()
        self._pulse = Pulse(clock())
        self._newest: Frame | None = None
        self._count = 0
        self._stops = 0.0
        self._generation = 0
        self._readers: list[threading.Thread] = []
        self._attempts = 0
        self._attempted = clock()
        self._well_since: float | None = None
        self._closed = threading.Event()
        self._connect()
        threading.Thread(target=self._watch, name="camera-watchdog", daemon=True).start()

    def next(self, wait_s: float) -> Frame | None:
        with self._condition:
            self._condition.wait_for(self._ready, timeout=wait_s)
            if not self._ready():
                return None
            frame, self._newest = self._newest, None
            return frame

    def health(self) -> Health:
        with self._condition:
            return self._pulse.health(self._clock(), self._closed.is_set())

    def expose(self, stops: float) -> None:
        self._stops = stops

    def close(self) -> None:
        with self._condition:
            self._closed.set()
            self._generation += 1
            self._condition.notify_all()
        for reader in self._readers:
            reader.join(CLOSING_S)  # a camera is left as it was found

    def look(self) -> None:
        """One look of the watchdog: connects again where the camera is lost and the pause since the last try is over."""
        now = self._clock()
        with self._condition:
            if self._closed.is_set():
                return
            if not self._pulse.needs_reopening(now):
                self._well_since = now if self._well_since is None else self._well_since
                if now - self._well_since > GOOD_S:
                    self._attempts = 0
                return
            self._well_since = None
            pause = min(FIRST_PAUSE_S * 2**self._attempts, LONGEST_PAUSE_S)
            self._readers = [reader for reader in self._readers if reader.is_alive()]
            if now - self._attempted < pause or len(self._readers) > MOST_STUCK:
                return
            self._attempts = min(self._attempts + 1, 8)
            self._connect()

    def _ready(self) -> bool:
        return self._closed.is_set() or (self._newest is not None and self._pulse.lost(self._clock()) is None)

    def _connect(self) -> None:
        self._generation += 1
        self._attempted = self._clock()
        reader = threading.Thread(target=self._read, args=(self._generation,), name="camera-reader", daemon=True)
        self._readers.append(reader)
        reader.start()

    def _watch(self) -> None:
        while not self._closed.wait(self._watch_s):
            self.look()

    def _read(self, generation: int) -> None:
        try:
            capture = self._open()
        except OSError as error:
            self._failed(generation, say("the camera cannot be opened ({error})", error=error))
            return
        try:
            while generation == self._generation:
                if isinstance(capture, Dimmable):
                    capture.expose(self._stops)
                good, image = capture.read()
                if not good or image is None:
                    self._failed(generation, say("the camera is unplugged or sends nothing"))
                    return
                self._take(generation, image)
        except Exception as error:  # drivers raise errors of many kinds; each of them means that nothing comes
            self._failed(generation, say("the camera fails ({error})", error=error))
        finally:
            capture.release()

    def _failed(self, generation: int, why: str) -> None:
        with self._condition:
            if generation == self._generation:
                self._pulse.fail(why)

    def _take(self, generation: int, image: Image) -> None:
        image_print, black = fingerprint(image), is_black(image)
        with self._condition:
            if generation != self._generation:
                return
            now = self._clock()
            self._pulse.beat(now, image_print, black)
            self._newest = Frame(image, now, self._count)
            self._count += 1
            self._condition.notify_all()
