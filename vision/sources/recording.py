"""Recordings (`.kibitz`): all that came to a table, in order, and its pictures; docs/recordings.md describes the file.

Pictures are kept in patches: of each frame only the blocks that look otherwise than before, together in one JPEG. Whoever
records goes on with the picture as it is kept, so that a recording leads to the same decisions again.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures

from vision.frame import Frame, Image
from vision.sources.played import Played
from vision.sources.source import SourceError

SUFFIX = ".kibitz"
FORMAT = 2
ABOUT, EVENTS, PICTURES, OUTCOME = "about.json", "events.jsonl", "pictures.jpgs", "outcome.json"

BLOCK = 32
"""Side of a block, pixels: a multiple of what JPEG takes together, so that blocks side by side do not mix."""

FINE, COARSE = 4, 8
"""Frames are compared in means of so many pixels each way, which noise of the sensor hardly moves: their light in fine ones, as a
pip may be three pixels wide; their colour, which JPEG keeps at half the size, in coarse ones."""

OTHERWISE = 8
"""A block of which any such mean differs by more than this, of 255, is kept again."""

QUALITY, QUALITY_OF_PATCHES = 90, 75

AHEAD, A_FRAME = 4_000_000, 4_500
"""Bytes that may be kept at once, and more with each frame: about 160 MB in an hour of ten frames a second. Where a view needs
more, as under lamps that flicker, blocks have to differ the more to be kept again."""

AT_ONCE = 200
"""So many events are packed together."""

LARGEST_PICTURE, LARGEST_EVENT, LARGEST_SIDE = 30_000_000, 5_000_000, 8192
"""Bytes that are read of one picture and of one event, and pixels of a picture's side."""


class Patches:
    """The picture as it is kept, patch by patch."""

    def __init__(self) -> None:
        self._image: Image | None = None
        self._kept = self._frames = 0

    def keep(self, image: Image) -> tuple[bytes, str | None]:
        """The patches that lead from what was kept to a picture, (H, W, 3) BGR, as JPEG, empty where nothing changed.

        With them which blocks they are, a bit each, row by row, in hexadecimal; None for all of the picture.
        """
        jpeg, blocks = self._patches(image)
        self._put(jpeg, blocks, image.shape)
        self._kept, self._frames = self._kept + len(jpeg), self._frames + 1
        return jpeg, blocks

    def _patches(self, image: Image) -> tuple[bytes, str | None]:
        if self._image is None or self._image.shape != image.shape:
            return _jpeg(image, QUALITY), None
        changed = _changed(self._image, image, OTHERWISE * max(1.0, self._kept / (AHEAD + A_FRAME * self._frames)) ** 4)
        if not changed.any():
            return b"", ""
        showing = _showing(image)
        if changed.mean() > 0.5 or 2 * changed[showing].sum() > showing.sum():  # pushed: a plain table looks as before
            return _jpeg(image, QUALITY_OF_PATCHES), None
        return _jpeg(_mosaic(_padded(image), changed), QUALITY_OF_PATCHES), np.packbits(changed).tobytes().hex()

    def put(self, jpeg: bytes, blocks: str | None, width: int, height: int) -> Image:
        """The picture after these patches, (H, W, 3) BGR; ValueError where they do not fit."""
        if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
            raise ValueError(f"a picture of {width} x {height} pixels")
        self._put(jpeg, blocks, (height, width, 3))
        return self.image

    @property
    def image(self) -> Image:
        """The picture as it is kept."""
        assert self._image is not None
        return self._image.copy()

    def _put(self, jpeg: bytes, blocks: str | None, shape: tuple[int, ...]) -> None:
        height, width = shape[:2]
        if blocks is None:
            self._image = _decoded(jpeg, width, height)
            return
        if self._image is None or self._image.shape[:2] != (height, width):
            raise ValueError("patches of a picture that was not kept")
        if not blocks:
            return
        rows, columns = -(-height // BLOCK), -(-width // BLOCK)
        bits = np.unpackbits(np.frombuffer(bytes.fromhex(blocks), np.uint8))[: rows * columns]
        if bits.size != rows * columns or not bits.any():
            raise ValueError("patches without their places")
        changed = bits.reshape(rows, columns).astype(bool)
        count = int(changed.sum())
        patches = _blocks(_decoded(jpeg, *_size(count)), BLOCK).reshape(-1, BLOCK, BLOCK, 3)
        pasted = _padded(self._image)
        _blocks(pasted, BLOCK)[changed] = patches[:count]
        self._image = np.ascontiguousarray(pasted[:height, :width])


ACROSS = 32
"""Patches lie so many side by side in their JPEG."""


def _changed(before: Image, now: Image, otherwise: float) -> NDArray[np.bool_]:
    """Which blocks look otherwise, (rows, columns), in light or in colour."""
    light = _differing(cv2.cvtColor(before, cv2.COLOR_BGR2GRAY), cv2.cvtColor(now, cv2.COLOR_BGR2GRAY), FINE, otherwise)
    return light | _differing(before, now, COARSE, otherwise)


def _differing(before: NDArray[Any], now: NDArray[Any], side: int, otherwise: float) -> NDArray[np.bool_]:
    """(rows, columns) of blocks where the mean of any square of so many pixels differs by more."""
    difference = cv2.absdiff(_means(before, side), _means(now, side))
    difference = difference.reshape(*difference.shape[:2], -1).max(axis=2)
    return np.asarray(_blocks(difference, BLOCK // side).max(axis=(2, 3)) > otherwise, np.bool_)


def _showing(image: Image) -> NDArray[np.bool_]:
    """(rows, columns) of blocks that show more than a plain table."""
    means = _means(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), FINE)
    return np.asarray(np.ptp(_blocks(means, BLOCK // FINE), axis=(2, 3)) > 4 * OTHERWISE, np.bool_)


def _means(image: NDArray[Any], side: int) -> NDArray[np.uint8]:
    padded = _padded(image)
    size = padded.shape[1] // side, padded.shape[0] // side
    return np.asarray(cv2.resize(padded, size, interpolation=cv2.INTER_AREA), np.uint8)


def _padded(image: NDArray[Any]) -> Image:
    """The picture with whole blocks only; its rim is repeated."""
    below, right = -image.shape[0] % BLOCK, -image.shape[1] % BLOCK
    return np.asarray(cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)


def _blocks(picture: NDArray[Any], side: int) -> NDArray[Any]:
    """(rows, columns, side, side, ...) the blocks of which a picture is made, as a view of it."""
    return picture.reshape(picture.shape[0] // side, side, -1, side, *picture.shape[2:]).swapaxes(1, 2)


def _size(patches: int) -> tuple[int, int]:
    """Width and height of so many patches together."""
    return BLOCK * min(patches, ACROSS), BLOCK * -(-patches // ACROSS)


def _mosaic(padded: Image, changed: NDArray[np.bool_]) -> Image:
    patches = _blocks(padded, BLOCK)[changed]
    width, height = _size(len(patches))
    mosaic = np.zeros((height, width, 3), np.uint8)
    _blocks(mosaic, BLOCK)[np.divmod(np.arange(len(patches)), ACROSS)] = patches
    return mosaic


def _jpeg(image: Image, quality: int) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def _decoded(jpeg: bytes, width: int, height: int) -> Image:
    """A JPEG of this size; ValueError where it is none, before anything larger is decoded."""
    try:
        with Pictures.open(io.BytesIO(jpeg), formats=("JPEG",)) as told:
            size = told.size
    except (OSError, SyntaxError) as error:
        raise ValueError("a picture that cannot be read") from error
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if size == (width, height) else None
    if image is None:
        raise ValueError("a picture of another size than was told")
    return np.asarray(image, np.uint8)


class Writer:
    """A recording that is being made, in two files of a folder that only grow; what was there before is dropped.

    settled: each picture is a moment of rest by itself. observed: what was seen in each frame is among the events.
    """

    def __init__(self, folder: Path, settled: bool = False, observed: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._events, self._pictures = folder / "events.jsonl.gz", folder / PICTURES
        self._about = {"format": FORMAT, "kibitz": _version(), "settled": settled, "observed": observed}
        self._patches = Patches()
        self._waiting: list[str] = []
        self.frames = 0
        for file in (self._events, self._pictures):
            file.write_bytes(b"")

    def add(self, event: Mapping[str, Any]) -> None:
        """Append an event."""
        self._waiting.append(json.dumps(event))
        if len(self._waiting) == AT_ONCE:
            self._write()

    def frame(self, frame: Frame) -> Frame:
        """Append a frame; the frame as it is kept."""
        jpeg, blocks = self._patches.keep(frame.image)
        with self._pictures.open("ab") as pictures:
            pictures.write(jpeg)
        height, width = frame.image.shape[:2]
        self.add({"frame": frame.sequence, "time": frame.time, "size": [width, height], "bytes": len(jpeg), "blocks": blocks})
        self.frames += 1
        return Frame(self._patches.image, frame.time, frame.sequence)

    def save(self, file: Path | BinaryIO, outcome: Mapping[str, Any] | None = None) -> None:
        """Write the recording as far as it is; outcome: what it led to."""
        self._write()
        with ZipFile(file, "w", ZIP_DEFLATED) as archive:
            archive.writestr(ABOUT, json.dumps(self._about))
            with archive.open(EVENTS, "w") as lines, gzip.open(self._events) as events:
                while part := events.read(1 << 20):
                    lines.write(part)
            archive.write(self._pictures, PICTURES, ZIP_STORED)
            if outcome is not None:
                archive.writestr(OUTCOME, json.dumps(outcome))

    def _write(self) -> None:
        with self._events.open("ab") as packed:
            packed.write(gzip.compress("".join(line + "\n" for line in self._waiting).encode(), 4))
        self._waiting.clear()


class Recording:
    """A recording that was made; SourceError, a sentence, wherever it turns out to be damaged."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._opened() as archive:
            about = json.loads(archive.read(ABOUT))
            if about["format"] != FORMAT:
                raise SourceError(f"The recording {path} was made by another version of Kibitz (format {about['format']}, "
                                  f"not {FORMAT}) and cannot be read by this one.")
            self.settled, self.observed = about["settled"] is True, about["observed"] is True
            archive.getinfo(EVENTS), archive.getinfo(PICTURES)

    def events(self, pictures: bool = True) -> Iterator[dict[str, Any] | Frame]:
        """All events in turn; frames as such where pictures are wanted, else left out."""
        patches = Patches()
        with self._opened() as archive, archive.open(EVENTS) as lines, archive.open(PICTURES) as jpegs:
            while line := lines.readline(LARGEST_EVENT):
                event = json.loads(line)
                if "frame" not in event:
                    yield _an_object(event)
                elif pictures:
                    if not 0 <= event["bytes"] <= LARGEST_PICTURE:
                        raise ValueError("a picture larger than any that is made here")
                    image = patches.put(jpegs.read(event["bytes"]), event["blocks"], *map(int, event["size"]))
                    yield Frame(image, float(event["time"]), int(event["frame"]))

    @property
    def outcome(self) -> dict[str, Any] | None:
        """What it led to when it was made; None where that was not kept."""
        with self._opened() as archive:
            return _an_object(json.loads(archive.read(OUTCOME))) if OUTCOME in archive.namelist() else None

    def accept(self, outcome: Mapping[str, Any]) -> None:
        """Let this be what it leads to from now on."""
        beside = self._path.with_name(self._path.name + ".new")
        with self._opened() as archive, ZipFile(beside, "w") as copy:
            for each in archive.infolist():
                if each.filename != OUTCOME:
                    copy.writestr(each, archive.read(each))
            copy.writestr(OUTCOME, json.dumps(outcome), ZIP_DEFLATED)
        beside.replace(self._path)

    @contextmanager
    def _opened(self) -> Iterator[ZipFile]:
        try:
            with ZipFile(self._path) as archive:
                yield archive
        except SourceError:
            raise
        except (OSError, EOFError, BadZipFile, zlib.error) as error:
            raise SourceError(f"{self._path} is no recording that can be opened ({error}).") from error
        except (KeyError, TypeError, ValueError, IndexError, OverflowError, RecursionError, RuntimeError) as error:
            raise SourceError(f"The recording {self._path} is damaged ({error}).") from error


def play_back(path: Path) -> Played:
    """The frames of a recording in turn, with their numbers and times; SourceError where it is none."""
    recording = Recording(path)
    return Played((event for event in recording.events() if isinstance(event, Frame)), recording.settled)


def _an_object(told: Any) -> dict[str, Any]:
    if not isinstance(told, dict):
        raise ValueError(f"{type(told).__name__} where an object is expected")
    return told


def _version() -> str:
    try:
        return version("kibitz")
    except PackageNotFoundError:
        return ""
