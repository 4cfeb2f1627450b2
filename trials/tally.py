"""What came of the plays of a trial: counts, times, and what went wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Tally:
    """What came of one game or of several. decision_ms: computing time from stillness to each decision."""

    games: int = 0
    plays: int = 0
    right: int = 0
    asked: int = 0
    silent_wrong: int = 0
    illegal_planted: int = 0
    illegal_reported: int = 0
    illegal_rule_right: int = 0
    false_alarms: int = 0
    scores_right: int = 0
    decision_ms: list[float] = field(default_factory=list)
    rules: dict[str, list[int]] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take another tally into this one."""
        for name in ("games", "plays", "right", "asked", "silent_wrong", "illegal_planted", "illegal_reported",
                     "illegal_rule_right", "false_alarms", "scores_right"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.decision_ms += other.decision_ms
        self.troubles += other.troubles
        for rule, counts in other.rules.items():
            self.rules[rule] = [a + b for a, b in zip(self.rules.get(rule, [0, 0, 0]), counts, strict=True)]

    @property
    def decision_ms_p95(self) -> float:
        """95th percentile of the computing time, milliseconds."""
        return float(np.percentile(self.decision_ms, 95)) if self.decision_ms else 0.0


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one play. how: `right`, `asked` (by a question, or put right by hand), or `silent wrong`.

    time: of the table's clock, seconds; ms: computing time of the decision before.
    """

    number: int
    time: float
    text: str
    how: str
    ms: float
