"""Games on the simulated table, and recorded games run again, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

import kibitz
from engine.games import game
from referee.journal import Journal
from referee.recording import Recorder
from referee.session import Session
from referee.setting import Setting, seated
from referee.table import Table
from vision.frame import Frame
from vision.sources.recording import Recording
from vision.sources.source import Health


def run(*arguments: object) -> Result:
    return CliRunner().invoke(kibitz.main, [str(each) for each in arguments])


def test_simulate_tells_of_each_play_and_counts_them_at_last() -> None:
    said = run("simulate", "block", "--turns", 2, "--seed", 3, "--players", 2, "--json")
    assert said.exit_code == 0, said.output
    lines = said.stdout.splitlines()
    told = json.loads(lines[-1])
    assert list(told) == ["game", "games", "plays", "right", "asked", "silent_wrong", "illegal_planted", "illegal_reported",
                          "illegal_rule_right", "false_alarms", "scores_right", "decision_ms_p95",
                          "entry_s_p95"]
    assert any(line.startswith("told with a share from") for line in lines)
    assert (told["game"], told["games"], told["plays"]) == ("block", 1, 2)
    assert told["right"] + told["asked"] + told["silent_wrong"] >= told["plays"] and told["silent_wrong"] == 0
    assert sum(" play " in line and (" right " in line or " asked " in line) for line in lines) == 2


def test_simulate_names_the_games_that_it_can_play() -> None:
    said = run("simulate", "chess")
    assert said.exit_code == 2 and "block" in said.output and "euronimoes" in said.output
    assert run("simulate", "euronimoes", "--players", 1).exit_code == 2


def test_simulate_knows_the_flags_of_the_game() -> None:
    said = run("simulate", "all-fives", "--rules", "spinner=some")
    assert said.exit_code == 2 and "first_double" in said.output
    assert run("simulate", "block", "--rules", "spinner=all").exit_code == 2


def test_simulate_plays_by_every_value_of_every_flag() -> None:
    said = run("simulate", "elimination", "--every-flag", "--turns", 1)
    assert said.exit_code == 0 and said.stderr.count("game 1 of 1") == 1, said.output
    said = run("simulate", "knock-out", "--every-flag", "--turns", 1, "--json")
    assert json.loads(said.stdout.splitlines()[-1])["games"] == 2 and "knock-out knock=chain, game 1 of 1" in said.stderr
    assert run("simulate", "knock-out", "--every-flag", "--record", "x.kibitz").exit_code == 2


NO_READER: Any = None
"""Is never asked: there is no camera."""


def recorded(file: Path) -> Path:
    """A recorded game in which somebody entered the deal by hand."""
    recorder, table = Recorder(file.parent / "spool"), Table(Journal("sqlite://"))
    session = Session(NO_READER, table, sink=recorder)
    state = game("block")(None, 2)
    session.set_up(Setting("block", state.rules, seated(("Ann", "Ben"))), 0.0)
    state.push(state.random_chance(Random(1)))
    session.act({"do": "play", "action": str(state.public(state.pushed[0]))}, 1.0)
    session.act({"do": "play", "action": "play 5-5 root -"}, 2.0)
    recorder.save(file, table)
    return file


def test_replay_agrees_with_what_was_recorded(tmp_path: Path) -> None:
    said = run("replay", recorded(tmp_path / "game.kibitz"), "--check")
    assert said.exit_code == 0, said.output
    assert "play 5-5 root -" in said.output and "all as recorded" in said.output


def test_replay_checks_that_no_decision_differs(tmp_path: Path) -> None:
    file = recorded(tmp_path / "game.kibitz")
    told = Recording(file).outcome
    assert told is not None
    Recording(file).accept(json.loads(json.dumps(told).replace("play 5-5", "play 6-6")))
    said = run("replay", file, "--check")
    assert said.exit_code == 1 and "differs" in said.output
    assert run("replay", file).exit_code == 0
    assert run("replay", file, "--accept").exit_code == 0 and run("replay", file, "--check").exit_code == 0


def test_replay_says_of_another_file_that_it_is_none(tmp_path: Path) -> None:
    other = tmp_path / "other.kibitz"
    other.write_text("no zip")
    said = run("replay", other)
    assert said.exit_code == 1 and "no recording" in said.output


def test_frames_alone_are_seen_again_and_what_they_lead_to_may_be_accepted(tmp_path: Path) -> None:
    for number in range(2):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((120, 160, 3), 90 + 40 * number, np.uint8))
    file = tmp_path / "film.kibitz"
    assert run("record", tmp_path, file).exit_code == 0
    said = run("replay", file, "--check")
    assert said.exit_code == 1 and "--accept" in said.output
    assert run("replay", file, "--accept").exit_code == 0
    said = run("replay", file, "--check")
    assert said.exit_code == 0 and "2 frames" in said.output and "all as recorded" in said.output


def test_a_camera_that_is_pulled_out_is_recorded_no_longer_than_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    pictures = [Frame(np.full((120, 160, 3), 90, np.uint8), time, number) for number, time in enumerate((0.0, 0.5))]
    waits = iter((1.0, 20.0, 29.5, 60.0))
    camera = SimpleNamespace(live=True, settled=False, next=lambda _: pictures.pop(0) if pictures else None, close=lambda: None,
                             health=lambda: Health(lost="unplugged", age=next(waits)))
    monkeypatch.setattr("cli.recordings.open_source", lambda _: camera)
    said = run("record", "0", tmp_path / "film.kibitz", "--seconds", 30)
    assert said.exit_code == 0 and "2 frames, 0.5 s" in said.output
    assert next(waits) == 60.0


def test_what_shows_no_picture_takes_the_place_of_no_recording(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((120, 160, 3), 90, np.uint8))
    file = tmp_path / "film.kibitz"
    assert run("record", tmp_path, file).exit_code == 0
    before = file.read_bytes()
    (tmp_path / "1.png").write_bytes(b"damaged since")
    said = run("record", tmp_path, file)
    assert said.exit_code == 1 and "shows no picture" in said.output and file.read_bytes() == before
