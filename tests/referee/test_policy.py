"""When a decision is acted upon: how long the table must have lain so, and what may pass meanwhile."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.lines.actions import DRAW
from referee.decoder import Decision, Explanation, Kind
from referee.policy import STILL, Policy
from referee.reading import Difference


@dataclass
class Said:
    """A decision by its kind alone."""

    kind: Kind
    agreement: str
    answers: tuple[Any, ...] = ()
    best: Any = field(default_factory=lambda: Said.Nothing())

    tried: tuple[Any, ...] = ()

    class Nothing:
        actions, undone, breach, share = (), 0, None, 1.0


WRONG = Said(Kind.ILLEGAL, "the 3-6 does not fit")


def acted(policy: Policy, said: Any, start: float, end: float) -> float | None:
    """When, on a table that is seen ten times a second from start to end, this is acted upon."""
    times = [start + 0.1 * step for step in range(round(10 * (end - start)) + 1)]
    return next((time for time in times if policy.see(said, time)), None)


def test_what_passes_and_is_no_hand_does_not_start_the_time_anew() -> None:
    for hand, expected in ((False, STILL[Kind.ILLEGAL]), (True, 1.5 + STILL[Kind.ILLEGAL])):
        policy = Policy()
        assert acted(policy, WRONG, 0.0, 1.0) is None
        policy.disturbed(hand=False)
        policy.disturbed(hand)
        policy.disturbed(hand=False)
        now = acted(policy, WRONG, 1.5, 5.0)
        assert now is not None and abs(now - expected) < 0.11


def test_another_table_after_it_does() -> None:
    policy = Policy()
    assert acted(policy, WRONG, 0.0, 2.4) is None
    policy.disturbed(hand=False)
    other = Said(Kind.ILLEGAL, "another")
    now = acted(policy, other, 2.6, 9.0)
    assert now is not None and now >= 2.6 + STILL[Kind.ILLEGAL] - 0.01


MISCOUNTED = (Difference("count", ("boneyard",), 0.0, 57, 58),)


@pytest.mark.parametrize(("drawn", "before", "kind"), [
    ((), (), Kind.PLAY), (MISCOUNTED, (), Kind.OUT_OF_SYNC), (MISCOUNTED, MISCOUNTED, Kind.PLAY)])  # it was so anyway
def test_a_draw_is_believed_later_where_the_tile_may_still_be_seen(
        drawn: tuple[Difference, ...], before: tuple[Difference, ...], kind: Kind) -> None:
    best = Explanation(actions=(DRAW,), misfit=drawn)
    now = acted(Policy(), Decision(Kind.PLAY, best, tried=(best, Explanation(misfit=before))), 0.0, 5.0)
    assert now is not None and abs(now - STILL[kind]) < 0.11
