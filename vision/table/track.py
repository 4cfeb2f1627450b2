"""One tile on the table, as all looks at it together tell of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import is_

import numpy as np
from numpy.typing import NDArray

from vision.observation import SeenTile
from vision.reader import log_odds
from vision.table.sighting import Sighting, aligned, same_face

Array = NDArray[np.float32]

WEIGHTIEST = 3.0
"""As many independent looks a tile's probabilities are ever made of: looks at a still table are alike."""

SURE = 0.9
"""A tile that is read so surely shows its pips."""


@dataclass(slots=True, eq=False)
class Track:
    """A tile on the table. corners: (4, 2) in the table's units. counts: (2, 16) sums of logarithms of probabilities.

    back, worth: sums of log-odds that it lies face down, and that it is read right. looks: how many there were.
    missing: looks running in which it seemed gone. patch: how it looked when it was last read well.
    under: the names of the tiles it lies on. covered: of each half, whether a tile lies on it.
    """

    name: int
    corners: Array
    counts: Array
    back: float
    worth: float
    looks: int = 1
    missing: int = 0
    veiled: bool = False
    under: tuple[int, ...] = ()
    covered: tuple[bool, bool] = (False, False)
    patch: Array | None = None
    _told: tuple[SeenTile, tuple[object, ...]] | None = None

    @classmethod
    def of(cls, name: int, sighting: Sighting) -> Track:
        odds = log_odds(sighting.score)
        counts = np.asarray(_telling(sighting.score) * np.log(np.maximum(sighting.probabilities, 1e-4)), np.float32)
        return cls(name, sighting.corners, counts, _backness(sighting), odds)

    @property
    def _weight(self) -> float:
        return min(self.looks, WEIGHTIEST) / self.looks

    @property
    def probabilities(self) -> Array:
        """(2, 16) for each half, over all looks."""
        scaled = self.counts * np.float32(self._weight)
        odds = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        out: Array = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
        return out

    @property
    def ends(self) -> tuple[int, int] | None:
        if self.back > 0:
            return None
        first, second = self.counts.argmax(axis=1)
        return int(first), int(second)

    @property
    def perhaps_gone(self) -> bool:
        """Whether it seemed gone when it was last looked for, and another look shall tell."""
        return self.missing > 0 and not self.veiled

    @property
    def score(self) -> float:
        """Probability that it lies there and `ends` is right."""
        return float(1 / (1 + np.exp(-self.worth * self._weight)))

    @property
    def plain(self) -> bool:
        """Whether it surely shows its pips, so that nothing lies on it; one that is perhaps gone hides no coin in its place."""
        return self.score > SURE and not self.perhaps_gone

    def with_what_lies_on_it(self, sighting: Sighting) -> Sighting:
        """A look at it, told by one who knows what its halves show that lie under another tile: that one is seen there."""
        if not any(self.covered):
            return sighting
        corners, probabilities = aligned(sighting, self.corners)
        known = np.where(np.array(self.covered)[:, None], self.probabilities, probabilities)
        return replace(sighting, corners=corners, probabilities=known)

    def fuse(self, sighting: Sighting) -> None:
        """Take one more look at the same tile into account."""
        odds = log_odds(sighting.score)
        self.back += _backness(sighting)
        if not sighting.back:
            probabilities = aligned(sighting, self.corners)[1]
            self.counts = self.counts + np.asarray(_telling(sighting.score) * np.log(np.maximum(probabilities, 1e-4)), np.float32)
        self.worth += odds if same_face(self.ends, sighting.ends) else -odds
        self.looks += 1
        if self.worth < 0 < odds:  # it was misread all the time
            fresh = Track.of(self.name, sighting)
            self.corners, self.counts, self.back, self.worth, self.looks = fresh.corners, fresh.counts, fresh.back, odds, 1

    def doubt(self, odds: float) -> None:
        """Take a look into account that speaks against it with these log-odds; of many looks for it few count."""
        if odds > 0:
            self.worth = self.worth * self._weight - odds
            self.counts, self.back = self.counts * np.float32(self._weight), self.back * self._weight
            self.looks = min(self.looks, round(WEIGHTIEST))

    def seen(self) -> SeenTile:
        """The track as others are told of it; the same value as long as nothing changes."""
        known = (self.corners, self.counts, self.back, self.worth, self.looks, self.veiled, self.under)
        if self._told is not None and all(map(is_, self._told[1], known)):
            return self._told[0]
        told = self._described()
        self._told = told, known
        return told

    def _described(self) -> SeenTile:
        first, second = self.corners[:2].mean(axis=0), self.corners[2:].mean(axis=0)
        along = second - first
        half_edge = np.linalg.norm(self.corners[0] - self.corners[1]) + np.linalg.norm(self.corners[2] - self.corners[3])
        x, y = self.corners.mean(axis=0)
        length = float(np.linalg.norm(along))
        return SeenTile(self.name, (float(x), float(y)), float(np.arctan2(along[1], along[0])), length,
                        float(half_edge / 2), self.ends, self.probabilities, self.score, self.under, self.veiled)


def _telling(score: float) -> np.float32:
    """How much a look says about the pips: one that is as likely wrong as right says next to nothing."""
    return np.float32(max(0.1, 2 * score - 1))


def _backness(sighting: Sighting) -> float:
    """Log-odds that what was seen lies face down; a poor look still says a little."""
    odds = max(log_odds(sighting.score), 0.2)
    return odds if sighting.back else -odds
