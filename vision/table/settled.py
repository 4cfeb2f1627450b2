"""The settled picture of the table that new ones are compared with, and what covers the table and lies still: a hand moves before
long, what does not becomes a part of the table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.observation import Array
from vision.rectify import ImagePyramid
from vision.table.changes import Mask, changed, mixed
from vision.table.veils import grown


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A settled picture: as it was, and small: (h, w, 3) logarithms of brightness. earlier: what each pixel of the small one
    showed before it changed last."""

    pyramid: ImagePyramid
    logs: Array
    earlier: Array

    def uncovered(self, change: Mask, logs: Array) -> Mask:
        """(h, w) where a small picture that changed shows again what it showed before: what came over the table there, and was
        taken for a part of it, has left."""
        return change & ~changed(self.earlier, logs)[0]

    def but_under(self, covered: Mask, change: Mask, pyramid: ImagePyramid, logs: Array) -> Settled:
        """The new picture, which changed there and is not uncovered, with this one where the table is covered now; (h, w) of the
        small picture."""
        unknown = grown(covered, 2)  # in the rim of what covers the table nothing is learned
        earlier = mixed(self.earlier, self.logs, change & ~unknown)
        if not covered.any():
            return Settled(pyramid, logs, earlier)
        image = pyramid.size(0)
        whole = cv2.resize(unknown.astype(np.uint8), (image.shape[1], image.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
        return Settled(ImagePyramid(mixed(image, self.pyramid.size(0), whole)), mixed(logs, self.logs, unknown), earlier)


RESTING_S = 6.0
"""What covers the table and has not changed for so long is no hand any more: what lies beside it is decided upon, and
what it covers stays hidden."""


class Resting:
    """Told at every settled picture what covers the table; masks are (h, w) of the small picture, as are the logarithms."""

    def __init__(self) -> None:
        self._was: tuple[Mask, Array, Array] | None = None  # what was covered, how it looked, and since when it has

    def settle(self, covered: Mask, logs: Array, time: float) -> None:
        """The table rests, looks like this, and is covered there."""
        lies, since = self._as_it_was(logs)
        self._was = (grown(covered, 2), logs, np.where(lies, since, np.float32(time))) if covered.any() else None

    def lying(self, logs: Array, time: float) -> Mask:
        """Where something has covered the table for a while and still does, in a picture that looks like this."""
        lies, since = self._as_it_was(logs)
        return np.asarray(lies & (time - since >= RESTING_S), np.bool_)

    def rests(self, time: float) -> bool:
        """Whether all that covers the table has done so for a while, if nothing changed since the last settled picture."""
        if self._was is None:
            return True
        covered, _, since = self._was
        return bool((time - since[covered] >= RESTING_S).mean() > 0.9)

    def _as_it_was(self, logs: Array) -> tuple[Mask, Array]:
        """The part of what was covered that looks as it did, and since when it has."""
        if self._was is None or self._was[1].shape != logs.shape:
            return np.zeros(logs.shape[:2], np.bool_), np.zeros(logs.shape[:2], np.float32)
        covered, before, since = self._was
        return covered & ~changed(before, logs)[0], since
