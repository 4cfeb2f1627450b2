"""The account of a session, by a recorded game: what was weighed of the table and of the game, and the command that tells it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

import kibitz
from referee.account import account, picture
from referee.recording import replay
from referee.session import Session
from vision.reader import Reader

FILE = Path(__file__).resolve().parents[1] / "recorded/euronimoes-wrong.kibitz"


@pytest.fixture(scope="module")
def reader() -> Reader:
    """The real one."""
    return Reader(threads=2)


def test_a_play_on_the_market_is_told_with_its_shares(reader: Reader) -> None:
    session = replay(FILE, reader, until=32.0).session
    told = account(session)
    laid = {tile["words"]: tile for tile in told["table"]["tiles"]}
    assert laid["The 1-6 was laid there"]["believed"] and laid["The 1-6 was laid there"]["share"] > 0.9
    assert not laid["The 2-3 still lies there"]["believed"] and laid["The 2-3 still lies there"]["against"]
    assert told["game"]["explanations"][0]["share"] == pytest.approx(told["game"]["share"])
    assert json.loads(json.dumps(told)) == json.loads(json.dumps(account(session)))
    drawn = picture(session)
    assert drawn is not None
    image = cv2.imdecode(np.frombuffer(drawn, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None and image.shape == (720, 1280, 3)
    bought = [entry for entry in session.refereed.journal.entries() if str(entry.data.get("action", "")).startswith("buy")]
    assert bought[0].data["weighed"][0][0].startswith("The tiles are dealt") and bought[0].data["weighed"][0][1] > 0.9


def test_a_broken_rule_is_told_beside_what_else_it_could_be() -> None:
    said = CliRunner().invoke(kibitz.main, ["explain", str(FILE), "--at", "38"])
    assert said.exit_code == 0 and "The 1-4 was laid there: believed." in said.output
    assert "Of the game: illegal" in said.output and "Ann lays the 1-4 out of turn." in said.output
    said = CliRunner().invoke(kibitz.main, ["explain", str(FILE), "--at", "28"])
    assert "Of the game: illegal" in said.output and "Who draws from the pile takes a chip" in said.output
    assert "Ben lays the 0-6 out of turn." in said.output


def test_before_anything_was_weighed_it_says_so() -> None:
    told = account(Session(None))  # type: ignore[arg-type]
    assert told == {"table": None, "game": None} and picture(Session(None)) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(("what", "sentence"), [
    (["nowhere.kibitz"], "nowhere.kibitz"),
    (["http://127.0.0.1:9"], "No table answers at http://127.0.0.1:9"),
    (["http://127.0.0.1:9", "--at", "3"], "only now can be explained"),
])  # fmt: skip
def test_what_cannot_be_explained_says_so_in_a_sentence(what: list[str], sentence: str) -> None:
    said = CliRunner().invoke(kibitz.main, ["explain", *what])
    assert said.exit_code in (1, 2) and sentence in said.output and not isinstance(said.exception, ValueError)
