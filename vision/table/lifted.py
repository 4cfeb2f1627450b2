"""In which order tiles were taken up while a hand was over the table: seen whenever it lets the place be seen again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.degrees import LITTLE, MOST
from vision.observation import Array
from vision.table.changes import Mask, blobs
from vision.table.detection import points_within
from vision.table.veils import HAND, grown

AsBefore = Callable[[int], bool | None]

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

    def see(self, change: Mask, names: NDArray[np.int64], corners: Array, half: float, as_before: AsBefore) -> None:
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
