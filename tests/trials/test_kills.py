"""A server that is killed while plays are entered loses none and doubles none; the bar of 200 kills is `kibitz soak-kills`."""

from __future__ import annotations

import os
from pathlib import Path

from trials.kills import soak_kills

KILLS = 100 if os.environ.get("KIBITZ_SLOW") else 4


def test_a_deed_without_an_answer_is_sent_again_and_done_once(tmp_path: Path) -> None:
    came = soak_kills(KILLS, 3, tmp_path)
    assert came.good, came
    assert came.kills == KILLS and came.unanswered and came.deeds > KILLS
