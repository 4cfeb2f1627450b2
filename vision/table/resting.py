"""What covers the table and lies still: a hand moves before long, what does not becomes a part of the table."""

from __future__ import annotations

import numpy as np

from vision.observation import Array
from vision.table.changes import Mask, changed
from vision.table.veils import grown

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
