"""A folder of pictures as a table over time: every picture is a settled moment, and the camera may have moved between."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.observation import Observation, TableState
from vision.reader import Reader
from vision.straighten import Album
from vision.table.changes import changed, logarithms, small
from vision.table.compared import Compared
from vision.table.registration import REST, Matrix, moved, slip_of_marks, slip_of_tiles
from vision.table.sighting import Sighting, half_of, sightings
from vision.table.tracks import News, Tracks
from vision.table.veils import Veils, draw, find_veils

Array = NDArray[np.float32]
Image = NDArray[np.uint8]


class PictureWatcher:
    """Follows a table from picture to picture, one a settled moment; lengths are pixels of the latest picture.

    news: what the last picture changed. The first picture is the start: everything in it appears.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._tracks = Tracks()
        self._before: Album | None = None
        self.news = News()

    def see(self, frame: Frame) -> Observation:
        """What is known after this picture; state `hand` where something reaches into it: then nothing is decided."""
        after = Album(frame.image)
        found = sightings(*self._reader.consider(frame.image), _as_it_is)
        veils = None
        if self._before is None:
            self.news = self._tracks.begin(found)
        else:
            veils = self._compare(self._before, after, found)
            if veils is not None and veils.hand:
                return self._told(frame, TableState.HAND, veils)
        self._before = after
        return self._told(frame, TableState.READY, veils)

    def _compare(self, before: Album, after: Album, found: list[Sighting]) -> Veils | None:
        """Follows the tiles into the next picture; the veils in it, None where the two do not show the same view."""
        self.news = News()
        slip = self._slip(before, after, found)
        if slip is None:
            self.news = self._tracks.recall(found)
            return None
        veils = self._veils(before, after, slip, found)
        if veils.hand:
            return veils
        for track in self._tracks.tiles:
            track.corners = moved(track.corners, slip)
        self.news = self._tracks.settle(found, Compared(before, after, slip, veils, _as_it_is))
        return veils

    def _slip(self, before: Album, after: Album, found: list[Sighting]) -> Matrix | None:
        if before.size(0).shape != after.size(0).shape:
            return slip_of_tiles(self._tracks.tiles, found)
        slip = slip_of_tiles(self._tracks.tiles, found)
        if slip is None:
            slip = slip_of_marks(before.size(0), after.size(0))
        if slip is None and _alike(before.size(0), after.size(0)):
            return REST
        return slip

    def _veils(self, before: Album, after: Album, slip: Matrix, found: list[Sighting]) -> Veils:
        image = before.size(0)
        height, width = after.size(0).shape[:2]
        new = small(after.size(0))
        scale = new.shape[1] / width
        shape = (new.shape[0], new.shape[1])
        seen = None
        if slip is REST:
            old = small(image)
        else:
            image = np.asarray(cv2.warpPerspective(image, slip, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)
            old = small(image)
            everywhere = np.full(before.size(0).shape[:2], 255, np.uint8)
            seen = small(np.asarray(cv2.warpPerspective(everywhere, slip, (width, height)), np.uint8)) > 250
        change, difference = changed(logarithms(old), logarithms(new), seen)
        known = [moved(track.corners, slip) for track in self._tracks.tiles]
        tiles = known + [each.pixels for each in found if each.score > 0.3]
        half = float(np.median([half_of(corners) for corners in tiles])) if tiles else width / 24
        covers = draw(shape, [corners * scale for corners in tiles], half * scale * 0.3)
        return find_veils(change, difference, covers, half * scale)

    def _told(self, frame: Frame, state: TableState, veils: Veils | None) -> Observation:
        scale = frame.image.shape[1] / veils.mask.shape[1] if veils is not None else 1.0
        outlines = tuple(outline * np.float32(scale) for outline in veils.outlines) if veils is not None else ()
        return Observation(frame.time, frame.sequence, state, self._tracks.seen(), veils=outlines,
                           settled=state is TableState.READY)


def _as_it_is(pixels: Array) -> Array:
    """Lengths are pixels."""
    return pixels


def _alike(before: Image, after: Image) -> bool:
    """Whether two pictures of a plain table are of one view: most of it is as it was."""
    change, _ = changed(logarithms(small(before)), logarithms(small(after)))
    return float(change.mean()) < 0.35
