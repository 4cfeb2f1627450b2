"""What the camera's word about a place is worth, and how often things happen on a table, in nats.

Rates and weights are measured (`kibitz measure-sensor`, on path-traced tables of our own) and stand in `models/sensor.json`;
`plain` was measured on simulated tables so far. What no picture tells stands here: how much rarer some plays are than others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.reader import MODELS

FILE = MODELS / "sensor.json"


@dataclass(frozen=True, slots=True)
class Sensor:
    """other, alike, upper: weights that make sights (`belief.half_features`, `upper_features`, and 1) log-likelihood ratios:
    that a half shows another thing than before, that it does though both show alike, and that a tile was laid on others.
    plain: the same of the colour and the outline of a half without edges (`belief.plain_features`), both halves of a tile
    together counting once, as they change together.
    come, go: log-odds that a tile came to, or left, a place over which something moved; by_itself: where nothing moved.
    unnoticed: that one lay there and was missed. shadow: that a shadow or a thing came there. on_alike, on_others, on_one: that
    it was laid on two halves that show what it shows, on two others, on one. foreign: that a set has a tile once more. glare:
    how much the changed picture of a half speaks against the tile at most: glare and shade change it, too. outlier: how often a
    network's word about a place is worth nothing. most: nats of the surest sight.
    """

    other: tuple[float, ...]
    alike: tuple[float, ...]
    upper: tuple[float, ...]
    plain: tuple[float, ...]
    come: float
    go: float
    by_itself: float = -9.0
    unnoticed: float = -4.0
    shadow: float = -4.0
    on_alike: float = -0.5
    on_others: float = -2.0
    on_one: float = -6.0
    foreign: float = -7.0
    glare: float = 3.0
    outlier: float = 0.002
    most: float = 8.0

    def weighed(self, weights: Sequence[float], features: Sequence[float], sights: int = 1) -> float:
        """One or several sights as a log-likelihood ratio."""
        told = sum(weight * each for weight, each in zip(weights, (*features, 1.0), strict=True))
        return float(np.clip(told, -self.most * sights, self.most * sights))


def measured() -> Sensor:
    """The sensor as it was measured last."""
    told = json.loads(FILE.read_text(encoding="utf-8"))
    other, alike, upper, plain = (tuple(told[what]) for what in ("other", "alike", "upper", "plain"))
    return Sensor(other, alike, upper, plain, told["come"], told["go"])


SENSOR = measured()
