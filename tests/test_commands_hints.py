"""The commands of hints: ranked hints with reasons, and a match of two bots."""

from __future__ import annotations

import json
from random import Random

from click.testing import CliRunner, Result

import kibitz
from engine.games import game
from engine.playout import deal_on


def run(*arguments: object) -> Result:
    return CliRunner().invoke(kibitz.main, [str(each) for each in arguments])


def state_text() -> str:
    rng = Random(2)
    state = game("all-fives")()
    deal_on(state, rng)
    while len(state.legal()) < 2:
        state.push(state.legal()[0])
        deal_on(state, rng)
    return state.text()


def test_a_hint_names_actions_and_reasons() -> None:
    result = run("hint", "all-fives", state_text(), "--seconds", "0.2")
    assert result.exit_code == 0 and result.stdout.startswith("1. ")
    told = json.loads(run("hint", "all-fives", state_text(), "--seconds", "0.2", "--json").stdout)
    legal = [str(action) for action in game("all-fives").from_text(state_text()).legal()]
    assert {each["action"] for each in told["hints"]} <= set(legal) and all(each["reasons"] for each in told["hints"])


def test_a_match_tells_means_and_intervals() -> None:
    told = json.loads(run("match", "one-arm-joe", "simple", "random", "--games", 6, "--json").stdout)
    assert told["games"] == 6 and told["bots"] == ["simple", "random"]
    low, high = told["mean_difference_95"]
    assert low < told["mean_difference"] < high
    low, high = told["share_won_95"]
    assert 0 <= low < told["share_won"] < high <= 1


def test_a_match_of_a_game_for_one_tells_who_wins_it() -> None:
    told = json.loads(run("match", "solitaire", "simple", "random", "--games", 4, "--json").stdout)
    assert len(told["won_alone"]) == 2 and all(0 <= won <= 2 for won in told["won_alone"])
    assert "of 2 deals simple wins" in run("match", "solitaire", "simple", "random", "--games", 4).stdout
    assert "won_alone" not in json.loads(run("match", "one-arm-joe", "simple", "random", "--games", 2, "--json").stdout)


def test_a_match_of_one_pair_knows_no_spread() -> None:
    told = json.loads(run("match", "block", "simple", "random", "--games", 2, "--json").stdout)
    assert told["mean_difference_95"] == [None, None] and 0 <= told["share_won_95"][0] < told["share_won_95"][1] <= 1
    assert "unknown spread" in run("match", "block", "simple", "random", "--games", 2).stdout


def test_wrong_words_get_a_clear_error() -> None:
    for arguments, words in ((("hint", "block", "nonsense"), "not a state of block"),
                             (("match", "block", "best", "random"), "no bot 'best'"),
                             (("hint", "block", game("block")().text()), "No seat is to move")):
        result = run(*arguments)
        assert result.exit_code == 2 and words in result.stderr, result.output
