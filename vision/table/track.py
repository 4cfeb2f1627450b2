"""One tile on the table, as all looks at it together tell of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import atan2, dist, hypot, inf

import numpy as np

from vision.degrees import PLAIN, SURE
from vision.detection import Detection, aligned, same_face
from vision.observation import Array, SeenTile
from vision.reader import log_odds

WEIGHTIEST = 3.0
"""As many independent looks a tile's probabilities are ever made of: looks at a still table are alike."""


@dataclass(frozen=True, eq=False)
class Track:
    """A tile on the table. corners: (4, 2) in the table's units. counts: (2, 16) sums of logarithms of probabilities.

    back, worth: sums of log-odds that it lies face down, and that it is read right. looks: how many there were.
    held: log-odds that no hand that came over it has taken it, by what looks since affirm; denied: what the last denies of that.
    patch: how it looked when it was last read well.
    under: the names of the tiles it lies on. covered: of each half, whether a tile lies on it.
    """

    name: int
    corners: Array
    counts: Array
    back: float
    worth: float
    looks: int = 1
    veiled: bool = False
    under: tuple[int, ...] = ()
    covered: tuple[bool, bool] = (False, False)
    patch: Array | None = None
    held: float = inf
    denied: float = 0.0

    @classmethod
    def of(cls, name: int, detection: Detection) -> Track:
        odds = log_odds(detection.score)
        return cls(name, detection.corners, _nats(detection.probabilities), _backness(detection), odds)

    @cached_property
    def middle(self) -> Array:
        """(2,) of its corners."""
        return np.asarray(self.corners.mean(axis=0), np.float32)

    @cached_property
    def probabilities(self) -> Array:
        """(2, 16) for each half, over all looks."""
        scaled = self.counts * np.float32(_weight(self.looks))
        odds = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float32)

    @cached_property
    def ends(self) -> tuple[int, int] | None:
        if self.back > 0:
            return None
        first, second = self.counts.argmax(axis=1)
        return int(first), int(second)

    @cached_property
    def score(self) -> float:
        """Probability that it lies there and `ends` is right."""
        return float(1 / (1 + np.exp(-min(self.worth * _weight(self.looks), self.held + self.denied))))

    @property
    def doubtful(self) -> bool:
        """Whether a hand may have taken it."""
        return self.score < PLAIN and self.held + self.denied < self.worth * _weight(self.looks)

    @property
    def plain(self) -> bool:
        """Whether it surely shows its pips, so that nothing lies on it."""
        return self.score > SURE

    def fused(self, detection: Detection) -> Track:
        """The same tile with one more look at it taken into account."""
        odds = log_odds(detection.score)
        counts = self.counts if detection.back else self.counts + _nats(aligned(detection, self.corners)[1])
        worth = self.worth + (odds if same_face(self.ends, detection.ends) else -abs(odds))
        if worth < 0 < odds:  # it was misread all the time
            return replace(Track.of(self.name, detection), under=self.under, covered=self.covered)
        return replace(self, counts=counts, back=self.back + _backness(detection), worth=worth, looks=self.looks + 1)

    def odds_after(self, nats: float) -> float:
        """Log-odds that it lies there, after one more look that says so with these nats. What denies it is seldom news: looks at
        a still table err alike."""
        return max(self.worth * _weight(self.looks) + nats, (self.worth + nats) * _weight(self.looks + 1))

    def retold(self, detection: Detection) -> Track:
        """A tile of which as much is known, that has shown all along what this look at it shows."""
        counts = _nats(aligned(detection, self.corners)[1])
        return replace(self, counts=counts, back=_backness(detection), worth=self.worth * _weight(self.looks), looks=1)

    @cached_property
    def seen(self) -> SeenTile:
        """The track as others are told of it."""
        a, b, c, d = self.corners.astype(float).tolist()
        x, y = (c[0] + d[0] - a[0] - b[0]) / 2, (c[1] + d[1] - a[1] - b[1]) / 2  # from the first half's edge to the second's
        width = (dist(a, b) + dist(c, d)) / 2
        middle = float(self.middle[0]), float(self.middle[1])
        return SeenTile(self.name, middle, atan2(y, x), hypot(x, y), width, self.ends, self.probabilities, self.score, self.under,
                        self.veiled, self.doubtful)


def _weight(looks: int) -> float:
    """What each of so many looks at a still table counts for."""
    return min(looks, WEIGHTIEST) / looks


def _nats(probabilities: Array) -> Array:
    """What a look says about the pips; how surely it shows a tile at all is no matter for them."""
    return np.log(np.maximum(probabilities, np.float32(1e-4)))


def _backness(detection: Detection) -> float:
    """Log-odds that what was seen lies face down; a poor look still says a little."""
    odds = max(log_odds(detection.score), 0.2)
    return odds if detection.back else -odds
