"""The reading desk: photos are read one after the other, a few may wait in line, more are sent away at once."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.pieces import TileSet
from vision.photo import at_full_size, load_photo
from vision.reading import Reading


class ReadsPhotos(Protocol):
    """Whatever reads tiles: an upright (H, W, 3) uint8 BGR image in, the tiles out. Called from several threads."""

    def read(self, image: NDArray[np.uint8], tile_set: TileSet | None = None) -> Reading:
        """The tiles in the image; with a set only tiles of that set."""
        ...


class DeskBusy(Exception):
    """So many photos are waiting that one more would only pile up."""


@dataclass(frozen=True, slots=True)
class DeskReading:
    """A reading and how long opening and reading the photo took, without the wait before it."""

    reading: Reading
    milliseconds: float


class ReadingDesk:
    """Reads at most `at_once` photos together while at most `waiting` more stand in line.

    A photo is opened only when its turn comes, so at most `at_once` decoded pictures are in memory.
    """

    def __init__(self, reader: ReadsPhotos, *, at_once: int = 1, waiting: int = 4) -> None:
        self._reader = reader
        self._places = BoundedSemaphore(at_once + waiting)
        self._turns = BoundedSemaphore(at_once)

    def read(self, file: bytes, tile_set: TileSet | None) -> DeskReading:
        """Read one photo when its turn comes; DeskBusy at once where the line is full, PhotoError for no photo.

        Corners are in pixels of the whole upright photo.
        """
        if not self._places.acquire(blocking=False):
            raise DeskBusy
        try:
            with self._turns:
                started = time.perf_counter()
                photo = load_photo(file)
                reading = at_full_size(self._reader.read(photo.image, tile_set), photo)
                return DeskReading(reading, 1000 * (time.perf_counter() - started))
        finally:
            self._places.release()
