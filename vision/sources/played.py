"""Sources whose frames come in turn: a folder of pictures, a video file, a simulated table."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np

from engine.words import say
from vision.frame import Frame
from vision.photo import PhotoError, load_photo
from vision.sources.source import Health, SourceError

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})

MOST_FPS = 10.0
"""Of a video no more frames per second are taken."""


class Played:
    """Frames of any iterator, one after the other; `close_with` is closed with the source."""

    live = False

    def __init__(self, frames: Iterable[Frame], settled: bool = False) -> None:
        self._frames: Iterator[Frame] = iter(frames)
        self.settled = settled
        self._ended = False
        self._came = time.monotonic()

    def next(self, wait_s: float) -> Frame | None:
        """The next frame at once, whatever `wait_s` is: what is played waits for nobody."""
        frame = next(self._frames, None)
        self._ended = frame is None
        self._came = time.monotonic()
        return frame

    def health(self) -> Health:
        return Health(age=time.monotonic() - self._came, ended=self._ended)

    def close(self) -> None:
        self._ended = True
        closing = getattr(self._frames, "close", None)
        if closing is not None:
            closing()


def folder(path: Path) -> Played:
    """The pictures of a folder in name order, each a settled moment; SourceError where there is none.

    A picture that cannot be read is left out: its number is, too.
    """
    names = sorted((each for each in path.iterdir() if each.suffix.lower() in PICTURES), key=_in_order)
    if not names:
        raise SourceError(say("There is no picture in the folder {path}: name one with photos (JPEG, PNG, WebP).", path=path))
    return Played(_pictures(names), settled=True)


def _in_order(path: Path) -> tuple[str | int, ...]:
    """Numbers in names count as numbers: picture 9 before picture 10."""
    return tuple(int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", path.name.lower()))


def _pictures(names: list[Path]) -> Iterator[Frame]:
    for number, name in enumerate(names):
        try:
            yield Frame(load_photo(name).image, float(number), number)
        except PhotoError:
            continue


def video(path: Path) -> Played:
    """A video file; SourceError where it cannot be opened."""
    capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        raise SourceError(say("The video {path} cannot be opened: it is damaged, or of a kind that is not known here.",
                              path=path))
    return Played(_video(capture))


def _video(capture: cv2.VideoCapture) -> Iterator[Frame]:
    fps = capture.get(cv2.CAP_PROP_FPS) or 25.0
    step = max(1, round(fps / MOST_FPS))
    try:
        number = 0
        while capture.grab():
            if number % step == 0:
                good, image = capture.retrieve()
                if good:
                    yield Frame(np.asarray(image, np.uint8), number / fps, number)
            number += 1
    finally:
        capture.release()
