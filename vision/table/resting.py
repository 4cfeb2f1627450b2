"""What covers the table and lies still: a hand moves before long, what does not becomes a part of the table."""

from __future__ import annotations

import numpy as np

from vision.table.changes import Array, Mask, changed
from vision.table.settled import grown_by_rim

RESTING_S = 6.0
"""What covers the table and has not changed for so long is no hand any more: what lies beside it is decided upon, and
what it covers stays hidden."""


class Resting:
    """Told at every settled picture what covers the table; masks are (h, w) of the small picture, as are the logarithms."""

    def __init__(self) -> None:
        self._covered: Mask | None = None
        self._logs: Array | None = None
        self._since: Array | None = None

    def settle(self, covered: Mask, logs: Array, time: float) -> None:
        """The table rests, looks like this, and is covered there."""
        if not covered.any():
            self._covered = self._logs = self._since = None
            return
        covered = grown_by_rim(covered)
        lies = self._as_it_was(logs)
        since = np.full(covered.shape, time, np.float32)
        if lies is not None and self._since is not None:
            since[lies] = self._since[lies]
        self._covered, self._logs, self._since = covered, logs, since

    def lying(self, logs: Array, time: float) -> Mask:
        """Where something has covered the table for a while and still does, in a picture that looks like this."""
        lies = self._as_it_was(logs)
        if lies is None or self._since is None:
            return np.zeros(logs.shape[:2], np.bool_)
        return np.asarray(lies & (time - self._since >= RESTING_S), np.bool_)

    def rests(self, time: float) -> bool:
        """Whether all that covers the table has done so for a while, if nothing changed since the last settled picture."""
        if self._covered is None or self._since is None:
            return True
        return bool((time - self._since[self._covered] >= RESTING_S).mean() > 0.9)

    def _as_it_was(self, logs: Array) -> Mask | None:
        """The part of what was covered that looks as it did."""
        if self._covered is None or self._logs is None or self._logs.shape != logs.shape:
            return None
        return np.asarray(self._covered & ~changed(self._logs, logs)[0], np.bool_)
