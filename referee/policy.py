"""When a decision is acted upon: a play soon, a take-back a little later, a rule broken only when nobody is sliding tiles."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from referee.decoder import NOTHING_DONE, SURE, Decision, Explanation, Kind

STILL: Mapping[Kind, float] = {
    Kind.NOTHING: 0.0, Kind.PLAY: 1.0, Kind.UNDO: 1.5, Kind.ASK: 1.2,
    Kind.ILLEGAL: 2.5, Kind.UNFINISHED: 2.5, Kind.OUT_OF_SYNC: 2.5,
}
"""For how many seconds still tables must agree before a decision of each kind is acted upon."""

READINGS = 2
"""How many readings must agree at least."""


@dataclass
class Policy:
    """Remembers since when the same decision has stood, and what a still table showed before somebody went on playing.

    shown: that, or all that it may have been. lying: since when the table lies so that was acted upon; None once it moves.
    stood: what was decided, and since when, before something passed that was no hand.
    """

    decision: Decision | None = None
    since: float = 0.0
    readings: int = 0
    shown: tuple[Explanation, ...] = ()
    lying: float | None = None
    stood: tuple[Hashable, float] | None = None

    def see(self, decision: Decision, time: float) -> bool:
        """Whether this decision has stood long enough; `time` in seconds."""
        if self.decision is None and self.stood is not None and self.stood[0] == decision.agreement:
            self.since = self.stood[1]
        elif self.decision is None or self.decision.agreement != decision.agreement:
            self.since, self.readings = time if self.lying is None else self.lying, 0
        self.decision, self.lying, self.stood = decision, None, None
        self.readings += 1
        return time - self.since >= _stillness(decision) and (self.readings >= READINGS or decision.kind is Kind.NOTHING)

    def disturbed(self, hand: bool) -> bool:
        """Something moves or a hand is over the table: begin anew, unless what passes is no hand and the table is as before then.
        Whether a play was clear before, and not yet counted."""
        last, self.decision, self.readings, self.lying = self.decision, None, 0, None
        self.stood = None if hand else self.stood if last is None else (last.agreement, self.since)
        if last is None or last.kind not in (Kind.PLAY, Kind.NOTHING, Kind.ASK):
            return False
        plays = tuple(each for each in last.answers or (last.best,) if each.actions and not each.undone and each.breach is None)
        if last.kind is Kind.ASK and sum(each.share for each in plays) < SURE:
            return False
        self.shown = plays
        return bool(plays)

    def acted(self, lying: float | None = None) -> None:
        """A decision was acted upon: what comes is seen beside that, in a table that lies so since that time already."""
        self.decision, self.readings, self.shown, self.lying, self.stood = None, 0, (), lying, None


def _stillness(decision: Decision) -> float:
    """For how long the table must be still. What is said to be drawn, and may be seen there yet, is looked at again first."""
    as_it_was = next((each for each in decision.tried if each.key == NOTHING_DONE.key), None)
    drawn = decision.kind is Kind.PLAY and all(action.kind == "draw" for action in decision.best.actions)
    unsure = drawn and as_it_was is not None and _miscounts(decision.best) and not _miscounts(as_it_was)
    return STILL[Kind.OUT_OF_SYNC if unsure else decision.kind]


def _miscounts(each: Explanation) -> bool:
    """Whether it leaves a heap with more or fewer tiles than are counted there."""
    return any(left.kind == "count" for left in each.misfit)
