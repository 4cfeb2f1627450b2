"""Whole games before a referee that is told what lies there: what it then makes of them is its own doing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.games import game as game_named
from simulator.tabletop.happenings import Move
from tests.referee.told import ToldTrial
from tests.referee.told_dominoids import ToldDominoids
from tests.referee.told_market import ToldMarket
from trials.tally import Tally
from trials.trial import Difficulty

TURNS = 40


def played(game: str, players: int, seed: int, where: Path, wrong: float = 0.0, turns: int = TURNS, **flags: object) -> Tally:
    told, rules = ToldMarket if game == "euronimoes" else ToldTrial, game_named(game).Rules(**flags)
    trial = told(game, players, seed, None, where / "journal.db", Difficulty(wrong), rules=rules)  # type: ignore[arg-type]
    trial.players.most = turns
    return trial.run()


@pytest.mark.parametrize(("game", "players", "seed"), [
    ("block", 2, 101), ("block", 3, 102), ("block", 4, 103), ("all-fives", 3, 104), ("matador", 2, 105),
    ("engine191", 2, 108), ("engine191", 4, 109),
])
def test_a_game_is_understood_from_the_table_alone(game: str, players: int, seed: int, tmp_path: Path) -> None:
    tally = played(game, players, seed, tmp_path)
    assert tally.silent_wrong == tally.false_alarms == 0 and tally.scores_right == 1, tally.troubles
    assert tally.right >= tally.plays - 2, tally.troubles


def test_a_bonus_that_is_let_go_leaves_no_trace_but_nothing_wrong_is_believed(tmp_path: Path) -> None:
    tally = played("one-arm-joe", 3, 106, tmp_path)
    assert tally.silent_wrong == 0 and tally.scores_right == 1, tally.troubles
    assert tally.right >= 0.85 * tally.plays, tally.troubles


@pytest.mark.parametrize("seed", [7101, 7102])
def test_a_bonus_let_go_is_not_asked_about_where_the_table_is_the_same_without(tmp_path: Path, seed: int) -> None:
    tally = played("one-arm-joe", 3, seed, tmp_path, wrong=0.1, turns=40)
    assert tally.right == tally.plays >= 38 and tally.asked == tally.silent_wrong == 0, tally.troubles


def test_a_die_passed_before_a_coin_is_looked_at_is_not_missed_though_nobody_sees_it_yet(tmp_path: Path) -> None:
    rules = game_named("dominoids").Rules.parse("reveal=chosen")
    trial = ToldDominoids("dominoids", 2, 7210, None, tmp_path / "journal.db", Difficulty(0.1), rules=rules)  # type: ignore[arg-type]
    trial.players.most = 40
    tally = trial.run()
    assert tally.right == tally.plays == 40 and tally.silent_wrong == 0, tally.troubles


def test_broken_rules_are_reported_by_their_names(tmp_path: Path) -> None:
    tally = played("block", 2, 107, tmp_path, wrong=0.4)
    assert tally.illegal_planted >= 8 and len(tally.rules) >= 4
    assert tally.illegal_reported >= tally.illegal_planted - 1 and tally.illegal_rule_right >= tally.illegal_planted - 1
    assert tally.silent_wrong == tally.false_alarms == 0, tally.troubles


def test_a_broken_rule_that_went_unseen_is_told_with_what_was_thought_instead(tmp_path: Path) -> None:
    trial = ToldTrial("block", 2, 107, None, tmp_path / "journal.db", Difficulty())  # type: ignore[arg-type]
    trial.register(Move(0, (), note="wrong", rule="must-match"))
    trial.register(Move(0, (), note="take-back"))
    assert trial.tally.troubles == ["0.0 s: must-match was not reported: uncalibrated"]


def test_a_market_is_understood_and_what_is_done_wrong_there_is_named(tmp_path: Path) -> None:
    tally = played("euronimoes", 3, 110, tmp_path, wrong=0.3, turns=16)
    assert tally.plays == tally.right == 16 and tally.scores_right == 1, tally.troubles
    assert tally.illegal_rule_right == tally.illegal_planted >= 3 and tally.false_alarms == 0, tally.troubles


@pytest.mark.parametrize(("game", "rule", "seed"), [
    ("knock-out", "knock", 128), ("knock-out", "knock", 131), ("elimination", "leave", 116), ("solitaire", "match", 117),
])
def test_games_for_one_are_understood_and_what_breaks_a_rule_there_is_named(
        game: str, rule: str, seed: int, tmp_path: Path) -> None:
    tally = played(game, 1, seed, tmp_path, wrong=0.4)
    assert tally.right == tally.plays and tally.scores_right == 1 and not tally.false_alarms, tally.troubles
    assert tally.rules[rule][0] == tally.rules[rule][2] >= 1 and tally.illegal_rule_right == tally.illegal_planted


def test_in_engine_191_broken_rules_are_reported_by_their_names(tmp_path: Path) -> None:
    tally = played("engine191", 3, 110, tmp_path, wrong=0.4)
    assert tally.illegal_planted >= 8 and len(tally.rules) >= 2
    assert tally.illegal_reported >= tally.illegal_planted - 1 and tally.illegal_rule_right >= tally.illegal_planted - 1
    assert tally.silent_wrong == tally.false_alarms == 0, tally.troubles


@pytest.mark.parametrize(("spinner", "players", "seed"), [("first_double", 2, 111), ("first_double", 4, 112), ("all", 3, 113)])
def test_a_line_with_spinners_is_understood_and_what_breaks_a_rule_there_is_named(
        spinner: str, players: int, seed: int, tmp_path: Path) -> None:
    tally = played("all-fives", players, seed, tmp_path, wrong=0.4, spinner=spinner)
    assert tally.silent_wrong == tally.false_alarms == 0 and tally.scores_right == 1, tally.troubles
    assert tally.right >= tally.plays - 1 and tally.plays == TURNS, tally.troubles
    assert tally.illegal_planted >= 3 and tally.illegal_rule_right >= tally.illegal_planted - 1, tally.troubles


def test_points_that_have_to_be_called_count_for_those_who_called_them(tmp_path: Path) -> None:
    tally = played("all-fives", 3, 117, tmp_path, wrong=0.1, turns=60, muggins="call")
    assert tally.silent_wrong == tally.false_alarms == 0 and tally.scores_right == 1, tally.troubles
    assert tally.right >= tally.plays - 2, tally.troubles


def test_who_plays_after_a_pass_is_understood_though_tiles_stay_in_the_boneyard(tmp_path: Path) -> None:
    tally = played("matador", 3, 7101, tmp_path, wrong=0.1, reserve=2)
    assert tally.plays == tally.right == TURNS and tally.scores_right == 1, tally.troubles
    assert tally.illegal_rule_right == tally.illegal_planted >= 5 and tally.false_alarms == 0, tally.troubles


@pytest.mark.parametrize("flags", [{}, {"attach": "both_ends"}])
def test_in_solitaire_the_next_line_is_on_its_way_when_a_move_is_understood(flags: dict[str, Any], tmp_path: Path) -> None:
    tally = played("solitaire", 1, 7100, tmp_path, wrong=0.1, **flags)
    assert tally.plays == tally.right == 4 and tally.illegal_rule_right == 2 and not tally.false_alarms, tally.troubles


def test_whether_a_line_was_laid_above_or_below_is_told_by_the_column_that_stayed(tmp_path: Path) -> None:
    tally = played("solitaire", 1, 958, tmp_path, wrong=0.3, attach="both_ends")
    assert tally.plays == tally.right >= 10 and tally.illegal_rule_right == tally.illegal_planted, tally.troubles


@pytest.mark.parametrize(("players", "seed"), [(2, 4), (3, 2), (4, 6)])
def test_mexican_train_is_understood_and_what_breaks_a_rule_there_is_named(players: int, seed: int, tmp_path: Path) -> None:
    tally = played("mexican-train", players, seed, tmp_path, wrong=0.3)
    assert tally.plays == tally.right >= TURNS - 1 and tally.scores_right == 1, tally.troubles
    assert tally.illegal_rule_right == tally.illegal_planted >= 8 and len(tally.rules) >= 2 and not tally.false_alarms


def test_the_rounds_of_mexican_train_follow_each_other_with_another_engine(tmp_path: Path) -> None:
    tally = played("mexican-train", 4, 11, tmp_path, turns=130, rounds=3)
    assert tally.silent_wrong == tally.false_alarms == 0 and tally.scores_right == 1, tally.troubles
    assert tally.right >= tally.plays - 1, tally.troubles
