"""What a movement leaves: over which places anything moved, and what looks otherwise since the table was ready before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision.degrees import SOME
from vision.observation import Array
from vision.table.changes import Mask
from vision.table.veils import outlines, regions


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
