"""Which numbers of the set on the table look like others, learned from the tiles that are known to lie there.

A reader that knows most sets takes the tens of some for twelves, every time. What was asked about one of them is told of all.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from referee.reading import Ends
from vision.degrees import RARELY
from vision.observation import Array, Observation, SeenTile
from vision.reading import HIGHEST_END

NUMBERS = HIGHEST_END + 1

STRANGE = RARELY
"""How often a number of a set looks like another: what a tile shows otherwise than it is read was hard to read, more often."""

PRIOR: Array = ((1 - STRANGE) * np.eye(NUMBERS) + STRANGE / NUMBERS).astype(np.float32)
"""Before any tile is known it counts as one that was read as what it shows."""


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """seen: (16, 16) how many halves of each number, by row, looked like each."""

    seen: Array = field(default_factory=lambda: np.zeros((NUMBERS, NUMBERS), np.float32))

    def learned(self, tile: SeenTile, ends: Ends) -> Likeness:
        """With a tile of which it is known what it shows, its halves as they are seen. One that shares no number with what was
        read may be another than people think."""
        rows = tile.probabilities
        if tile.ends is None or not any(rows[half].argmax() == ends[half] for half in (0, 1)):
            return self
        seen = self.seen.copy()
        for half, number in enumerate(ends):
            looked = rows[half] * (PRIOR[number] + self.seen[number])
            seen[number] += looked / looked.sum()
        return Likeness(seen)

    def told(self, seen: Observation) -> Observation:
        """An observation as read by one who knows that."""
        if not self.seen.any():
            return seen
        looks = (np.eye(NUMBERS, dtype=np.float32) + self.seen) / (1 + self.seen.sum(axis=1, keepdims=True))
        return replace(seen, tiles=tuple(tile if tile.ends is None else _as(tile, tile.probabilities @ looks.T)
                                         for tile in seen.tiles))


def _as(tile: SeenTile, rows: Array) -> SeenTile:
    rows = rows / rows.sum(axis=1, keepdims=True)
    first, second = rows.argmax(axis=1)
    there = min(1.0, tile.score / float(tile.probabilities.max(axis=1).prod()))
    return replace(tile, ends=(int(first), int(second)), probabilities=rows, score=there * float(rows.max(axis=1).prod()))
