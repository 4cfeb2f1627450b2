"""Whole games before the referee: it ends with the right record and the right scores, and commits nothing wrong in silence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.euronimoes.actions import Play
from tests.referee.playing import Match

MANY = bool(os.environ.get("KIBITZ_SLOW"))
SEEDS = range(100, 160) if MANY else range(100, 104)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_round_of_block_and_draw_ends_with_the_right_record_and_scores(tmp_path: Path, seed: int) -> None:
    match = Match("block", 2 + seed % 3, seed, tmp_path / "journal.db")
    match.play_round()
    assert match.right, (match.referee.word, match.texts()[len(match.referee.game.standing):][:2])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_of_euronimoes_ends_with_the_right_record_and_scores(tmp_path: Path, seed: int) -> None:
    match = Match("euronimoes", 2 + seed % 3, seed, tmp_path / "journal.db")
    match.play_out()
    assert match.right, (match.referee.word, match.texts()[len(match.referee.game.standing):][:2])
    assert match.state.outcome() == match.full.outcome()


def test_the_last_play_of_a_game_may_still_be_laid_elsewhere(tmp_path: Path) -> None:
    match = Match("euronimoes", 2, 100, tmp_path / "journal.db")
    match.play_out()
    last = match.told[-1]
    assert isinstance(last, Play) and match.state.outcome() is not None
    match.full.pop()
    seat = match.full.turn
    assert seat is not None
    otherwise = next(each for each in match.full.legal() if isinstance(each, Play) and each.tile == last.tile
                     and each.level == 1 and each.cells != last.cells)
    del match.stage.tiles[max(match.stage.tiles)]  # the last that was put there
    match.stage.do(match.full, otherwise)
    match.full.push(otherwise)
    match.told[-1] = otherwise
    match.look(4.0, reaching=seat)
    assert match.right and match.state.outcome() == match.full.outcome()
    match.stage.tiles.clear()  # all is put away
    match.look(4.0, reaching=seat)
    assert match.right and match.referee.word == "ready"


@pytest.mark.parametrize("name", ["block", "euronimoes"])
@pytest.mark.parametrize("seed", SEEDS[: len(SEEDS) // 2])
def test_where_halves_are_hard_to_read_the_referee_asks_but_never_errs_in_silence(tmp_path: Path, name: str, seed: int) -> None:
    match = Match(name, 2 + seed % 3, seed, tmp_path / "journal.db")
    match.stage.eyes.misread = 0.01
    if name == "block":
        match.play_round()
    else:
        match.play_out()
    told, believed = match.texts(), [act.text for act in match.referee.game.standing]
    assert believed == told[: len(believed)]


def test_two_rounds_are_scored_one_after_the_other(tmp_path: Path) -> None:
    match = Match("block", 2, 3, tmp_path / "journal.db")
    match.play_round()
    after_one = match.state.scores()
    match.play_round()
    assert match.right
    assert sum(match.state.scores()) > sum(after_one)
