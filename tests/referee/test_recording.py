"""A recorded game runs again to the same journal, and a changed decision is noticed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import referee.policy
from engine.games import game
from referee.decoder import Kind
from referee.journal import Journal
from referee.recording import Recorder, from_json, replay, to_json
from referee.session import Session
from referee.setting import Setting, seated
from referee.table import Table
from tests.calibration.test_profile_files import profile_of
from tests.referee.playing import Match
from vision.observation import Observation
from vision.piece_sets import PieceSet
from vision.sources.source import SourceError


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Match, Path]:
    folder = tmp_path_factory.mktemp("recording")
    match = Match("euronimoes", 2, 6, folder / "journal.db")
    recorder = Recorder(folder / "spool")
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


def _begun_again(folder: Path, own: PieceSet) -> Path:
    """The recording of the second game at a table with these pieces, whose camera was measured during the first."""
    setting = Setting("dominoids", game("dominoids").Rules(), seated(("Ann", "Ben")))
    nobody: Any = None
    session = Session(nobody, Table(Journal(folder / "first.db")), own=own, sink=Recorder(folder / "first"))
    session.measured(profile_of())
    second = Recorder(folder / "second")
    session.turn_to(Table(Journal(folder / "second.db")), second)
    session.set_up(setting, 0.0)
    second.save(folder / "game.kibitz", session.refereed)
    return folder / "game.kibitz"


def test_a_second_game_is_recorded_with_the_camera_and_the_pieces_that_were_known(tmp_path: Path) -> None:
    again = replay(_begun_again(tmp_path, PieceSet("mine", reader="1.0")))
    assert again.session.profile is not None and again.session._own.name == "mine" and again.differs is None


def test_pieces_that_another_reader_learnt_are_not_seen_again(tmp_path: Path) -> None:
    file, eyes = _begun_again(tmp_path, PieceSet("mine", reader="1.0")), SimpleNamespace()
    with pytest.raises(SourceError, match="another version of the reader: replay it --blind"):
        replay(file, cast(Any, eyes))
