"""Which numbers of the set on the table look like others, learned from the tiles that are known to lie there.

A reader that knows most sets takes the tens of some for twelves, every time. What was asked about one of them is told of all.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from referee.reading import Ends
from vision.degrees import CERTAIN, RARELY
from vision.observation import Array, Observation, SeenTile
from vision.reading import HIGHEST_END
from vision.table.track import WEIGHTIEST

NUMBERS = HIGHEST_END + 1

PRIOR: Array = ((1 - RARELY) * np.eye(NUMBERS) + RARELY / NUMBERS).astype(np.float32)
"""Before any tile is known it counts as one that was read as what it shows, and rarely a number of a set looks like another: what
a tile shows otherwise than it is read was hard to read, more often."""


@dataclass(frozen=True, eq=False)
class Likeness:
    """tiles: by track, how a tile was read when it was laid, (2, 16), and what it shows, its halves as they are seen."""

    tiles: Mapping[int, tuple[Array, Ends]] = field(default_factory=dict)

    def learned(self, tile: SeenTile, ends: Ends) -> Likeness:
        """With a tile of which it is known what it shows, its halves as they are seen. One that shares no number with what was
        read may be another than people think."""
        rows = tile.probabilities
        if tile.ends is None or not any(rows[half].argmax() == ends[half] for half in (0, 1)):
            return self
        return Likeness({**self.tiles, tile.track: (rows, ends)})

    def without(self, tracks: Set[int]) -> Likeness:
        """As if nobody had said what these are."""
        return Likeness({track: told for track, told in self.tiles.items() if track not in tracks})

    @cached_property
    def looks(self) -> Array:
        """(16, 16) how often each number, by row, looks like each."""
        seen = np.zeros((NUMBERS, NUMBERS), np.float32)
        for rows, ends in self.tiles.values():
            for looked, number in zip(rows, ends, strict=True):
                likely = looked * (PRIOR[number] + seen[number])
                seen[number] += likely / likely.sum()
        return np.asarray((np.eye(NUMBERS) + seen) / (1 + seen.sum(axis=1, keepdims=True)), np.float32)

    @cached_property
    def _known(self) -> tuple[Array, Array, Array]:
        """(n, 16) how the halves of all known tiles were read, (n, 16) which number each shows, (n,) their tracks."""
        halves = [(looked, number, track) for track, (rows, ends) in self.tiles.items()
                  for looked, number in zip(rows, ends, strict=True)]
        looked, numbers, tracks = zip(*halves, strict=True)
        return np.stack(looked), np.eye(NUMBERS, dtype=np.float32)[list(numbers)], np.array(tracks)

    def told(self, seen: Observation) -> Observation:
        """An observation as read by one who knows that."""
        if not self.tiles:
            return seen
        return replace(seen, tiles=tuple(tile if tile.ends is None else _as(tile, self._rows(tile)) for tile in seen.tiles))

    def _rows(self, tile: SeenTile) -> Array:
        """(2, 16) the numbers of a tile: what known tiles of a number looked like, and what none of them did. Those of one number
        that all look otherwise, seen by the same light, count for no more than looks at one tile do."""
        rows: Array = tile.probabilities @ self.looks.T
        for half in np.flatnonzero(rows.max(axis=1) < CERTAIN * rows.sum(axis=1)).tolist():
            looked, numbers, tracks = self._known
            others = tracks != tile.track
            alike = np.minimum(looked[others], tile.probabilities[half]).sum(axis=1) ** 2
            like, unlike = alike @ numbers[others], (1 - alike) @ numbers[others]
            rows[half] *= (1 + like) / (1 + like + np.minimum(unlike, WEIGHTIEST))
        return rows


def _as(tile: SeenTile, rows: Array) -> SeenTile:
    rows = rows / rows.sum(axis=1, keepdims=True)
    first, second = rows.argmax(axis=1)
    there = min(1.0, tile.score / float(tile.probabilities.max(axis=1).prod()))
    return replace(tile, ends=(int(first), int(second)), probabilities=rows, score=there * float(rows.max(axis=1).prod()))
