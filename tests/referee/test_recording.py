"""A recorded game runs again to the same journal, and a changed decision is noticed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import referee.policy
from referee.decoder import Kind
from referee.recording import Recorder, from_json, replay, to_json
from tests.referee.playing import Match
from vision.observation import Observation


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Match, Path]:
    folder = tmp_path_factory.mktemp("recording")
    match = Match("euronimoes", 2, 6, folder / "journal.db")
    recorder = Recorder(folder / "spool", pictures=False)
    recorder.setting(match.setting, 0.0, "host")
    observe = match.referee.observe

    def kept(seen: Observation, *_: Any) -> None:
        observe(recorder.seen(seen))

    match.referee.observe = kept  # type: ignore[method-assign, assignment]
    match.deal()
    for _ in range(6):
        match.do(match.choose())
    recorder.save(folder / "game.kibitz", match.referee)
    return match, folder / "game.kibitz"


def test_a_recording_replays_to_the_same_journal(recorded: tuple[Match, Path]) -> None:
    match, file = recorded
    again = replay(file)
    assert again.differs is None and again.table.state == match.state and len(again.outcome["journal"]) > 6


def test_a_decision_that_has_changed_is_noticed(recorded: tuple[Match, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee.policy, "STILL", {**referee.policy.STILL, Kind.PLAY: 60.0})  # nobody is so patient
    again = replay(recorded[1])
    assert again.differs is not None and again.differs[0] is not None


def test_an_observation_comes_back_from_its_json(recorded: tuple[Match, Path]) -> None:
    seen = recorded[0].stage.seen(reaching=1)
    again = from_json(to_json(seen))
    assert to_json(again) == to_json(seen)
    assert [tile.ends for tile in again.tiles] == [tile.ends for tile in seen.tiles] and len(again.veils) == 1
