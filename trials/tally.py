"""What came of the plays of a trial: counts, times, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.journal import Entry


@dataclass
class Tally:
    """What came of one game or of several. decision_ms: processor time from stillness to each decision. entry_s: from the last
    movement until a play was entered without asking, by the table's clock. shares: of each act believed and each alarm, with
    what share it was told, and whether it was right.
    """

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
    entry_s: list[float] = field(default_factory=list)
    shares: list[tuple[float, bool]] = field(default_factory=list)
    rules: dict[str, list[int]] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take another tally into this one."""
        for name in ("games", "plays", "right", "asked", "silent_wrong", "illegal_planted", "illegal_reported",
                     "illegal_rule_right", "false_alarms", "scores_right"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.decision_ms += other.decision_ms
        self.entry_s += other.entry_s
        self.shares += other.shares
        self.troubles += other.troubles
        for rule, counts in other.rules.items():
            self.rules[rule] = [a + b for a, b in zip(self.rules.get(rule, [0, 0, 0]), counts, strict=True)]

    @property
    def decision_ms_p95(self) -> float:
        """95th percentile of the computing time, milliseconds."""
        return float(np.percentile(self.decision_ms, 95)) if self.decision_ms else 0.0

    @property
    def entry_s_p95(self) -> float:
        """95th percentile of the seconds from the last movement to the entry."""
        return float(np.percentile(self.entry_s, 95)) if self.entry_s else 0.0


BINS = (0.0, 0.9, 0.98, 0.99, 0.995, 0.999)
"""Shares are counted from each of these to the next."""


def reliability(shares: Sequence[tuple[float, bool]]) -> list[tuple[float, int, int]]:
    """Of decisions told with a share from each of `BINS` up to the next: how many there were, and how many were right."""
    found = []
    for low, high in zip(BINS, (*BINS[1:], 2.0), strict=True):
        inside = [right for share, right in shares if low <= share < high]
        found.append((low, len(inside), sum(inside)))
    return found


def told_plays(entries: Iterable[Entry]) -> list[tuple[float, bool]]:
    """The shares of what the camera believed, by a journal; wrong is what a person took back or changed."""
    shares: dict[int, float] = {}
    wrong: set[int] = set()
    for entry in entries:
        if entry.kind == "act" and entry.who == "camera" and "sure" in entry.data:
            shares[entry.number] = entry.data["sure"]
        elif entry.kind == "undo" and entry.who != "camera":
            wrong.update(entry.data["entries"])
        elif entry.kind == "edit":
            wrong.add(entry.data["entry"])
    return [(share, number not in wrong) for number, share in shares.items()]


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
