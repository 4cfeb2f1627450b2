"""What is told of the time that hints take."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.games import game
from trials.hint_timing import HintTiming, first_answers


def test_a_decision_is_compared_with_itself_beside_a_hint() -> None:
    timing = HintTiming({"block": [1.0, 2.0, 3.0]}, alone_ms=[10.0, 200.0, 20.0], beside_ms=[11.0, 200.0, 22.0])
    assert timing.slower == pytest.approx(0.1)
    assert timing.as_object()["decisions"] == 3 and timing.as_object()["first_hint_ms_p95"]["block"] == pytest.approx(2.9)
    assert "+10.0 %" in "\n".join(timing.as_text())


@pytest.mark.parametrize("name", ["block", "elimination", "mexican-train"])
def test_first_answers_are_timed_at_tables_of_all_sizes(name: str) -> None:
    assert all(took >= 0 for took in islice(first_answers(game(name)), 8))
