"""Which kind of piece stands where the finder saw something, if any does: what both networks say of it, put together.

How much each network's word counts, and how common each kind is among finds, was fitted on made-up game tables
(`models/training/piece_presence.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.degrees import PERHAPS
from vision.observation import Array, Kind
from vision.piece_finds import Finds
from vision.piece_sets import PieceSet
from vision.reader import log_odds

SUIT_SIDE, VALUE_SIDE, DIE, PAWN, CHIP, NOTHING = range(6)

SCORES_OF: Mapping[Kind, tuple[int, ...]] = {"coin": (SUIT_SIDE, VALUE_SIDE), "die": (DIE,), "pawn": (PAWN,), "chip": (CHIP,)}
"""Which of the reader's kinds a piece of a kind may show."""

FORM_OF: Mapping[Kind, int] = {"coin": 0, "chip": 0, "die": 1, "pawn": 2}
"""The place in FORMS of each kind."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What the reader says of n crops, as probabilities: kinds (n, 6), suits (n, 4), values (n, 6), colours (n, 11); and
    traits (n, d)."""

    kinds: Array
    suits: Array
    values: Array
    colours: Array
    traits: Array


@dataclass(frozen=True, slots=True)
class Weighed:
    """What speaks for a find being a piece of one kind. marks: how sure the reader is that it shows what such pieces do.
    objectness: how sure the finder is that anything is there. share: of all that it may be, by its size and form, too."""

    marks: float
    objectness: float
    share: float

    def there(self, kind: Kind, weights: Mapping[str, float]) -> float:
        """The probability that it is one. weights: of both networks' log odds, and by kind how common it is among finds."""
        odds = weights["marks"] * log_odds(self.marks) + weights["heat"] * log_odds(self.objectness) + weights[kind]
        return self.share / (1 + math.exp(-odds))


def weighed(finds: Finds, forms: Mapping[int, Scores], k: int, pieces: PieceSet, kinds: Sequence[Kind],
            alike: Mapping[Kind, float]) -> dict[Kind, Weighed]:
    """Find k as a piece of each kind.

    forms: what the reader says of the finds by the form in whose window it read them: each kind is sought in its own.
    alike: how like the learnt pieces of a kind it looks, where some are learnt.
    """
    possible = [each for kind in kinds for each in SCORES_OF[kind]]
    marks, odds = dict[Kind, float](), dict[Kind, float]()
    for kind in kinds:
        seen = forms[FORM_OF[kind]].kinds[k]
        marks[kind] = float(seen[list(SCORES_OF[kind])].sum() / (seen[possible].sum() + seen[NOTHING]))
        fits = 1.0 if FORM_OF[kind] == finds.form[k] else PERHAPS  # the finder may have seen another form
        odds[kind] = marks[kind] * _size_odds(float(finds.radius[k]), *pieces.radius[kind]) * fits * alike.get(kind, 1.0)
    total = max(sum(odds.values()), 1e-9)
    return {kind: Weighed(marks[kind], float(finds.objectness[k]), odds[kind] / total) for kind in kinds}


def _size_odds(radius: float, usual: float, spread: float) -> float:
    """How well a radius fits a kind of piece, 1 at best; never quite nothing, since a find's radius may be wrong."""
    away = np.log(radius / usual) / spread
    return float(0.02 + np.exp(-0.5 * away * away))
