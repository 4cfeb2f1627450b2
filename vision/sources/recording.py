"""Recordings: a zip with the frames as JPEG, when each was taken, and the calibration; and a source that plays it back."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Frame
from vision.sources.played import Played
from vision.sources.source import SourceError

SUFFIX = ".kibitz"
INDEX, CALIBRATION = "frames.json", "calibration.json"
QUALITY = 92
LARGEST_INDEX, LARGEST_FRAME = 20_000_000, 30_000_000
"""Bytes that are read of a recording's index, and of one of its frames."""


class Recorder:
    """Writes a recording; the file has its name only when it is closed, so that none is ever half written.

    calibration: what belongs in `calibration.json`, None where there is none. settled: each picture is a moment of rest.
    """

    def __init__(self, path: Path, settled: bool = False, calibration: str | None = None) -> None:
        self._path = path
        self._part = path.with_name(path.name + ".part")
        self._zip = zipfile.ZipFile(self._part, "w", zipfile.ZIP_STORED)
        self._settled = settled
        self._times: list[tuple[int, float]] = []
        if calibration is not None:
            self._zip.writestr(CALIBRATION, calibration)

    def add(self, frame: Frame) -> None:
        """Append a frame."""
        encoded, data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if not encoded:
            raise ValueError(f"frame {frame.sequence} cannot be stored as JPEG")
        self._zip.writestr(_name(len(self._times)), data.tobytes())
        self._times.append((frame.sequence, frame.time))

    @property
    def frames(self) -> int:
        return len(self._times)

    def close(self) -> None:
        index = {"format": 1, "settled": self._settled, "frames": self._times}
        self._zip.writestr(INDEX, json.dumps(index))
        self._zip.close()
        self._part.replace(self._path)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def play_back(path: Path) -> Played:
    """The frames of a recording in turn, with their numbers and times; SourceError where it is none."""
    index = json.loads(_read(path, INDEX, LARGEST_INDEX))
    try:
        times = [(int(sequence), float(time)) for sequence, time in index["frames"]]
        settled = bool(index["settled"])
    except (KeyError, TypeError, ValueError) as error:
        raise SourceError(f"The recording {path} has no readable list of its frames.") from error
    return Played(_frames(path, times), settled)


def calibration_of(path: Path) -> str | None:
    """The calibration in a recording, as it was stored; None where it has none."""
    with _opened(path) as archive:
        if CALIBRATION not in archive.namelist():
            return None
    return _read(path, CALIBRATION, LARGEST_INDEX).decode()


def _name(number: int) -> str:
    return f"frames/{number:06}.jpg"


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise SourceError(f"{path} is no recording that can be opened ({error}).") from error


def _read(path: Path, name: str, most: int) -> bytes:
    with _opened(path) as archive:
        try:
            if archive.getinfo(name).file_size > most:
                raise SourceError(f"In the recording {path} {name} is larger than any that is made here.")
            return archive.read(name)
        except (KeyError, zipfile.BadZipFile) as error:
            raise SourceError(f"The recording {path} is damaged: {name} cannot be read.") from error


def _frames(path: Path, times: list[tuple[int, float]]) -> Iterator[Frame]:
    for number, (sequence, time) in enumerate(times):
        data = np.frombuffer(_read(path, _name(number), LARGEST_FRAME), np.uint8)
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
        if image is not None:
            yield Frame(np.asarray(image, np.uint8), time, sequence)
