"""What moves in the view: how long nothing has, in which order tiles were taken up meanwhile, and what a movement leaves.

Tiles are seen to be taken up whenever the hand over the table lets their places be seen again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.degrees import LITTLE, MOST, SOME
from vision.detection import points_within
from vision.frame import Image
from vision.medians import medians
from vision.observation import Array
from vision.table.changes import Mask, blobs
from vision.table.veils import HAND, grown, outlines, regions

NOTICEABLE = 7
"""Levels by which a pixel of the small picture must change between two frames to have moved; noise is averaged out there."""

SPECK = 5
"""Pixels of the small picture: less is no movement."""


def differing(before: Image, now: Image, watched: Mask | None) -> Mask:
    """(h, w) where two small pictures differ; what only gets brighter or darker as a whole does not."""
    difference = cv2.subtract(now, before, dtype=cv2.CV_16S)
    light = np.trunc(medians(np.ascontiguousarray(difference[::4, ::4].reshape(-1, 3).T)))
    mask: Mask = cv2.inRange(difference, light - NOTICEABLE, light + NOTICEABLE) == 0
    return mask if watched is None else mask & watched


def is_something(mask: Mask) -> bool:
    """Whether a mask of differences holds more than specks of noise."""
    return int(np.count_nonzero(mask)) >= SPECK and bool(cv2.erode(mask.astype(np.uint8), np.ones((2, 2), np.uint8)).any())


class MotionDetector:
    """Fed with small pictures, one a frame. touched: (h, w) where anything moved since it was last cleared."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._moved = 0.0
        self.touched: Mask = np.zeros((0, 0), np.bool_)

    def feed(self, picture: Image, time: float, watched: Mask | None) -> float:
        """Seconds since anything moved in the watched part of the picture, (h, w)."""
        last, self._last = self._last, picture
        if last is None or last.shape != picture.shape:
            self._moved, self.touched = time, np.zeros(picture.shape[:2], np.bool_)
            return 0.0
        mask = differing(last, picture, watched)
        if is_something(mask):
            self._moved = time
            self.touched = self.touched | mask
        return time - self._moved

    def clear(self, but: Mask) -> None:
        """What was touched has been looked at; but: (h, w) where it has not."""
        self.touched = self.touched & but


AWAY = 3
"""What lay uncovered and showed something else in so many looks on end was away for a while: its twin may lie there now."""


class Lifted:
    """Fed with what has changed since the table last lay still. names: of the tracks whose place was left, in order.

    untouched: those that were seen to lie as before when the first of them had gone, and never away until then. A light tile
    on light ground goes unseen by the small picture, so that is looked at closely.
    """

    def __init__(self) -> None:
        self.names: list[int] = []
        self.untouched: tuple[int, ...] = ()
        self._otherwise: Counter[int] = Counter()  # in how many looks on end a tile's place showed something else

    def see(self, change: Mask, names: NDArray[np.int64], corners: Array, half: float,
            as_before: Callable[[int], bool | None]) -> None:
        """change: (h, w) of the small picture. corners: (n, 4, 2) of the tracks there, its pixels. half: side of a half.

        as_before: whether the n-th track's place, which nothing covers, shows closely what it showed, if that can be told.
        """
        if not len(names) or not change.any():
            return
        labels, found = blobs(change, 1)
        tiles = [blob.label for blob in found if not blob.edge and blob.area < HAND * half**2]  # else more than tiles
        points = np.round(np.einsum("pc,ncd->npd", _INSIDE, corners)).astype(int)
        height, width = change.shape
        columns, rows = points[..., 0].clip(0, width - 1), points[..., 1].clip(0, height - 1)
        gone = (change[rows, columns] & np.isin(labels[rows, columns], tiles)).mean(axis=1) > MOST
        if not self.names:
            free = np.flatnonzero(change[rows, columns].mean(axis=1) < LITTLE)
            beside = grown(change, 1)[rows, columns].any(axis=1)
            for at in free[beside[free]].tolist():
                name = int(names[at])
                if self._otherwise[name] < AWAY:
                    self._otherwise[name] = 0 if as_before(at) else self._otherwise[name] + 1
            if gone.any():
                stayed = (int(at) for at in free if self._otherwise[int(names[at])] < AWAY)
                self.untouched = tuple(int(names[at]) for at in stayed if as_before(at))
        self.names += [name for name in names[gone].tolist() if name not in self.names]

    def clear(self) -> None:
        """The table lies still again, and has been read."""
        self.names, self.untouched = [], ()
        self._otherwise.clear()


_INSIDE = points_within(np.linspace(0.1, 0.9, 4), np.linspace(0.15, 0.85, 3))


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """Outlines on the table, as `Observation` has them; the same object until there is more to tell."""

    swept: tuple[Array, ...] = ()
    altered: tuple[Array, ...] | None = None
    unexplained: tuple[Array, ...] | None = None


class ResidualMotion:
    """Fed with where the small picture changed, (h, w), while things move and when they are still again."""

    def __init__(self) -> None:
        self.told = Told()
        self._swept: Mask | None = None
        self._altered: tuple[Mask, Mask] | None = None
        self._new = self._more = False  # whether anything moved since it was told, or was seen to be otherwise later

    def moving(self, change: Mask, was_ready: bool) -> None:
        """Something moves. was_ready: until now the table was ready, so what is known of earlier movements is over."""
        if was_ready:
            self._swept = self._altered = None
        self._swept = change if self._swept is None else self._swept | change
        self.told, self._new = replace(self.told, swept=()), True

    def still(self, change: Mask, explained: Mask, half: float, gone: Mask | None = None) -> None:
        """The table lies still again. explained: (h, w) where tiles are known; half: the side of a half, pixels.

        gone: (h, w) where tiles lay that have gone: a grey back leaves a grey table as it was, in a small picture.
        """
        nothing = np.zeros_like(change)
        # No change of less than some of a half's area can be a tile that came or went unseen.
        now = regions(change, nothing, 0), regions(change, explained, SOME * half**2)
        before = self._altered or (nothing, nothing)
        self._altered = before[0] | now[0], before[1] | now[1]
        if gone is not None:
            self._altered, self._more = (self._altered[0] | gone, self._altered[1]), True

    def tell(self, on_table: Callable[[tuple[Array, ...]], tuple[Array, ...]]) -> None:
        """The table is ready. on_table: from outlines in the small picture to the table."""
        if self._swept is not None and (self._new or self._more):
            swept = on_table(outlines(self._swept)) if self._new else self.told.swept
            self.told = Told(swept, *(on_table(outlines(mask)) for mask in self._altered or ()))
            self._new = self._more = False
