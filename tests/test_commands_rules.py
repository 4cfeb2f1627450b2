"""The commands of the rules: what they print, and what they say to wrong input."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest
from click.testing import CliRunner, Result

import kibitz
from engine.games import GAMES


def run(*arguments: object, typed: str | None = None) -> Result:
    return CliRunner().invoke(kibitz.main, [str(each) for each in arguments], input=typed)


def test_the_commands_know_every_game() -> None:
    assert all(name in run("rules", "chess").stderr for name in GAMES)


def test_dump_writes_one_json_line_per_decision() -> None:
    asked = ("dump", "block", "--games", 2, "--seed", 1, "--players", 3, "--rules", "reserve=2,peg_out=true")
    result = run(*asked)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0 and sum("outcome" in line for line in lines) == 2
    assert lines[0]["rules"]["reserve"] == 2 and lines[0]["rules"]["peg_out"] is True and len(lines[0]["state"]["hands"]) == 3
    assert run(*asked).stdout == result.stdout


@pytest.mark.parametrize(("arguments", "words"), [
    (("dump", "block", "--rules", "spinner=all"), "no rule flag 'spinner'"),
    (("dump", "all-fives", "--rules", "spinner=all"), "cannot be written"),
    (("dump", "block", "--players", "1"), "not for 1"), (("dump", "chess"), "'chess' is not one of"),
    (("rules", "block", "castling"), "no rule 'castling'"), (("perft", "block", "deep"), "not a number of actions"),
    (("perft", "block", "matador -", "2"), "not a state of block"), (("play", "block", "--seat", "3"), "there are 2 seats"),
    (("play", "solitaire", "--players", "2"), "not for 2"),
])
def test_wrong_input_gets_a_clear_error(arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2 and words in result.stderr, result.output


def test_perft_counts_from_a_state_or_from_the_deal_of_a_seed() -> None:
    first = run("perft", "block", 2, "--seed", 3)
    assert first.exit_code == 0
    again = run("perft", "block", first.stderr.strip(), 2)
    assert again.stdout == first.stdout and int(first.stdout) > 0


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_printed_with_its_source(name: str) -> None:
    result = run("rules", name)
    assert result.exit_code == 0
    for rule in GAMES[name].RULE_BOOK.values():
        assert f"{rule.id}: {rule.text}\n    {rule.source}" in result.stdout
        assert rule.text.endswith(".") and rule.source.endswith(".")
        assert "_" not in rule.source and not {each.name for each in fields(GAMES[name].Rules)} & set(
            rule.source.rstrip(".").split(", ")), "a flag has a sentence of its own, its name says nothing to players"
    one = next(iter(GAMES[name].RULE_BOOK))
    assert run("rules", name, one).stdout.startswith(one)


def test_soaking_plays_games_of_every_kind() -> None:
    result = run("soak-rules", "--games", len(GAMES), "--seed", 4)
    assert result.exit_code == 0 and all(f"{name} 1" in result.stdout for name in GAMES)


def test_soaking_fails_at_a_broken_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAMES["block"], "scores", lambda state: (1, 2, 3, 4))
    result = run("soak-rules", "--games", 10, "--seed", 4)
    assert result.exit_code == 1 and "block: broken: the parts of a score add up" in result.stderr


@pytest.mark.parametrize("name", GAMES)
def test_bots_play_a_game_to_its_end_in_the_terminal(name: str) -> None:
    flags = ["--rules", "max_turns=4"] if name == "dominoids" else []
    result = run("play", name, "--bots", "--seed", 3, *flags)
    assert result.exit_code == 0 and result.stdout.rstrip().endswith("won")


def test_a_player_chooses_by_number_or_words_and_leaves_with_q() -> None:
    result = run("play", "knock-out", "--seed", 3, typed="?\n99\n1\nnonsense\nq\n")
    assert result.exit_code == 0
    assert "to be written: knock AT; stop" in result.stdout
    assert "no action '99'" in result.stdout and "no action 'nonsense'" in result.stdout and "[" in result.stdout


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_picture(name: str) -> None:
    flags = ["--rules", "max_turns=4"] if name == "dominoids" else []
    result = run("play", name, "--seed", 2, *flags, typed="1\n1\n1\n1\nq\n")
    assert result.exit_code == 0 and result.stdout.count("scores: seat 0") >= 1


def test_bench_times_the_rules_beside_a_chess_game() -> None:
    pytest.importorskip("chess")
    told = json.loads(run("bench", "--rules", "--seconds", "0.1", "--json").stdout)
    assert set(told["playouts_per_s"]) == set(GAMES) and told["reference_loop_per_s"] > 0
    assert all(ratio > 0 for ratio in told["playout_ratio"].values())
    assert "times the reference" in run("bench", "--rules", "--seconds", "0.1").stdout
