"""Every recorded game is seen and refereed again, and leads to what it led to when it was accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import kibitz
from referee.recording import replay

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.kibitz"))
FAMILIES = ("line", "engine191", "euronimoes", "solo")


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: str(file.stem))
def test_a_recorded_game_leads_to_the_same_decisions(file: Path) -> None:
    said = CliRunner().invoke(kibitz.main, ["replay", str(file), "--check"])
    assert said.exit_code == 0, said.output


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_two_games_that_hold_plays(family: str) -> None:
    games = [file for file in RECORDED if file.stem.startswith(family)]
    assert len(games) >= 2
    for file in games:
        told = replay(file)  # what was seen then is enough to play it through
        assert told.differs is None
        seen = [line["action"] for line in told.outcome["journal"] if line["kind"] == "act" and line["who"] == "camera"]
        assert sum(not action.startswith("deal") for action in seen) >= 2
