"""Dumped games in the exchange form: well-formed lines, whole games, states that can be read and played on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from itertools import groupby, pairwise
from typing import Any

import pytest

from engine.core import MalformedError
from engine.games import GAMES
from engine.playout import dump
from tests.engine import shapes
from tests.engine.slow import dominoids_after, engine191, euronimoes_after, lines_after, mexican_train, solo_after


@pytest.fixture
def every_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dump flags too whose names for arms and moves the exchange form does not settle."""
    for kind in GAMES.values():
        monkeypatch.setattr(kind, "dump_rules", classmethod(lambda cls, rules: rules))


def variants(name: str) -> list[dict[str, Any]]:
    """As usual, and each flag in each other way that can be dumped."""
    kind = GAMES[name]
    found: list[dict[str, Any]] = [{}]
    for each in fields(kind.Rules):
        for choice in each.metadata["choices"][1:]:
            values = {each.name: 7 if choice is int else choice}
            try:
                kind.dump_rules(kind.Rules.of(values))
            except MalformedError:
                continue
            found.append(values)
    return found


CASES = [(name, values) for name in GAMES for values in variants(name)]


def whole_games(lines: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    number = 0

    def of_game(line: dict[str, Any]) -> int:
        nonlocal number
        number += int(line["ply"] == 0)
        return number

    for _, group in groupby(lines, of_game):
        yield list(group)


@pytest.mark.parametrize(("name", "values"), CASES, ids=lambda value: str(value))
def test_dumped_games_are_well_formed(name: str, values: dict[str, Any]) -> None:
    kind = GAMES[name]
    rules = kind.Rules.of(values | ({"max_turns": 15} if name == "dominoids" and "max_turns" not in values else {}))
    lines = [json.loads(json.dumps(line)) for line in dump(name, 1 if len(values) else 3, None, 5, rules)]
    games = list(whole_games(lines))
    assert len(games) == (1 if len(values) else 3)
    for number, game in enumerate(games):
        players = kind.SEATS[number % len(kind.SEATS)]
        shape = shapes.line(name, players)
        for ply, line in enumerate(game):
            assert shape(line), line
            assert line["ply"] == ply and set(line["rules"]) == {each.name for each in fields(kind.Rules)}
            assert ("outcome" in line) == (line is game[-1]) == (line["action"] is None)
            if line["action"] is not None:
                assert line["action"] in line["legal"] and line["state"]["turn"] is not None
            else:
                assert line["legal"] == [] and line["state"]["turn"] is None and line["state"]["phase"] == "over"
                assert line["outcome"]["scores"] == line["scores"] == game[-2]["scores"]


@pytest.mark.parametrize("name", GAMES)
def test_a_dumped_state_reads_back_to_the_same_legal_actions(name: str) -> None:
    kind = GAMES[name]
    rules = kind.Rules.of({"max_turns": 15} if name == "dominoids" else {})
    for line in list(dump(name, 1, None, 9, rules))[:150]:
        if line["action"] is None:
            continue
        state = kind.from_exchange(line["state"], rules)
        assert state.to_exchange() == line["state"]
        legal = [action.to_exchange() for action in state.legal()]
        assert sorted(map(str, legal)) == sorted(map(str, line["legal"]))
        assert state.read_action(line["action"]).to_exchange() == line["action"]


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_dumps_the_same_games(name: str) -> None:
    rules = GAMES[name].Rules.of({"max_turns": 5} if name == "dominoids" else {})
    assert list(dump(name, 1, None, 3, rules)) == list(dump(name, 1, None, 3, rules))


@pytest.mark.parametrize(("name", "values"), [
    ("euronimoes", {"endphase": "simultaneous"}), ("all-fives", {"spinner": "all"}), ("dominoids", {"reveal": "chosen"}),
    ("solitaire", {"attach": "both_ends"})])
def test_flags_that_the_form_cannot_express_are_refused(name: str, values: dict[str, Any]) -> None:
    with pytest.raises(MalformedError, match="cannot be written"):
        next(dump(name, 1, None, 1, GAMES[name].Rules.of(values)))


def test_without_a_number_of_players_games_have_two_three_four_and_again_two() -> None:
    games = list(whole_games(list(dump("one-arm-joe", 4, None, 1))))
    assert [len(game[0]["state"]["hands"]) for game in games] == [2, 3, 4, 2]


def test_dominoids_are_cut_after_two_hundred_turns_unless_told_otherwise() -> None:
    assert GAMES["dominoids"].dump_rules(GAMES["dominoids"].Rules()).max_turns == 200
    *_, last = dump("dominoids", 1, None, 1, GAMES["dominoids"].Rules.of({"max_turns": 3}))
    assert last["outcome"]["reason"] == "max-turns" and last["state"]["turns"] == 3
    assert last["state"]["picked"] == []  # the last turn ended with its roll (8)


@pytest.mark.parametrize("values", [
    {}, {"reshuffle": "when_needed", "after_draw_chain": False}, {"bared_counts_incomplete": True, "token_tie": "play_on"},
    {"remove_ends_turn": True, "obligation": "lenient"}, {"main_station_is_turn": True, "start_foreign_line": False},
], ids=str)
def test_each_line_of_engine_191_follows_from_the_one_before(values: dict[str, Any]) -> None:
    rules = GAMES["engine191"].Rules.of(values)
    lines = [json.loads(json.dumps(line)) for line in dump("engine191", 3, None, 21, rules)]
    for line, told in pairwise(lines):
        if line["action"] is None:
            assert told["ply"] == 0
            continue
        table = engine191.Table(line["rules"], line["state"], told["state"])
        goes_on = table.do(line["action"])
        if not goes_on:
            assert told["state"]["phase"] in ("bid", "over")
            if line["state"]["phase"] != "bid":
                best = [score == min(line["scores"]) for score in line["scores"]]
                assert told["state"]["tokens"] == [held + won for held, won in zip(line["state"]["tokens"], best, strict=True)]
        else:
            assert engine191.sorted_tiles(table.state) == engine191.sorted_tiles(told["state"])
        assert engine191.pips(table.state) == line["scores"]


LINE_FLAGS = [
    ("block", {}), ("block", {"blocked": "sum_all", "blocked_tie": "each", "next_start": "winner", "reserve": 2}),
    ("all-fives", {}), ("all-fives", {"spinner": "first_double", "rounding": "each_hand", "blocked": "sum_minus_own"}),
    ("all-fives", {"peg_out": True, "no_double": "redeal", "set_max": 9}), ("all-fives", {"spinner": "all"}),
    ("all-fives", {"spinner": "all", "set_max": 12, "reserve": 2}), ("matador", {"blocked_tie": "each"}),
    ("matador", {"matadors": "off", "voluntary_draw": "one"}), ("matador", {"voluntary_draw": "none", "reserve": 2}),
    ("one-arm-joe", {}), ("one-arm-joe", {"bonus": "plays_double", "no_double": "highest_single", "next_start": "winner"}),
]


@pytest.mark.parametrize(("name", "values"), LINE_FLAGS, ids=str)
def test_each_line_of_a_line_game_follows_from_the_one_before(name: str, values: dict[str, Any], every_flag: None) -> None:
    rules = GAMES[name].Rules.of(values)
    lines = [json.loads(json.dumps(line)) for line in dump(name, 6, None, 8, rules)]
    if values.get("spinner") == "all":
        arms = {arm for line in lines for arm in line["state"]["arms"]}
        assert "root.up" in arms and any(arm.count(".") > 1 for arm in arms)
    for line, told in pairwise(lines):
        if line["action"] is None:
            assert told["ply"] == 0
            continue
        expected, scores = lines_after.after(name, line["rules"], line["state"], line["action"])
        assert scores == line["scores"]
        if expected is not None:
            for state in (expected, told["state"]):
                state["hands"] = [sorted(hand) for hand in state["hands"]]
            assert expected == told["state"]
        else:
            most = max(scores)
            ends = (most >= 100 and scores.count(most) == 1)
            assert told["state"]["phase"] == ("over" if ends else "lead") and told["state"]["match"] == scores
            assert told["state"]["points"] == [0] * len(scores)


@pytest.mark.parametrize("values", [
    {}, {"first_turn": "train", "hands": "few"}, {"doubles": "later", "blank": "zero"},
    {"doubles": "free", "next_start": "winner"}, {"mexican": "second_turn", "first_turn": "train", "doubles": "later"}
], ids=str)
def test_each_line_of_mexican_train_follows_from_the_one_before(values: dict[str, Any]) -> None:
    rules = GAMES["mexican-train"].Rules.of({"rounds": 3} | values)
    lines = [json.loads(json.dumps(line)) for line in dump("mexican-train", 7, None, 3, rules)]
    for line, told in pairwise(lines):
        if line["action"] is None:
            assert told["ply"] == 0 and told["state"]["engine"] == 12
            continue
        expected, scores = mexican_train.after(line["rules"], line["state"], line["action"])
        assert scores == line["scores"]
        if expected is not None:
            assert expected == told["state"]
            continue
        assert told["state"]["match"] == scores
        assert told["state"]["phase"] == ("over" if line["state"]["engine"] == 10 else "play")
        seat, seats = line["state"]["turn"], len(scores)
        out = len(line["state"]["hands"][seat]) == 1 and line["action"]["kind"] == "play"
        starter = seat if out and line["rules"]["next_start"] == "winner" else (line["state"]["starter"] + 1) % seats
        if told["state"]["phase"] == "play":
            assert told["state"]["engine"] == line["state"]["engine"] - 1
            assert told["state"]["turn"] == told["state"]["starter"] == starter
        else:
            assert told["outcome"]["winners"] == [seat for seat, points in enumerate(scores) if points == min(scores)]


@pytest.mark.parametrize("values", [{}, {"stack_direct_only": False}, {"max_extent": 8}], ids=str)
def test_each_line_of_euronimoes_follows_from_the_one_before(values: dict[str, Any]) -> None:
    lines = [json.loads(json.dumps(line)) for line in dump("euronimoes", 3, None, 4, GAMES["euronimoes"].Rules.of(values))]
    for line, told in pairwise(lines):
        if line["action"] is None:
            continue
        expected, scores = euronimoes_after.after(line["state"], line["action"])
        assert scores == line["scores"]
        for state in (expected, told["state"]):
            state["hands"] = [sorted(hand) for hand in state["hands"]]
        assert expected == told["state"]
        if "outcome" in told:
            order = sorted(range(len(scores)), key=lambda seat: (scores[seat], -((seat - expected["first"]) % len(scores))))
            assert told["outcome"]["winners"] == order[:1]


@pytest.mark.parametrize("values", [
    {}, {"child_contact": "any_half", "torn_wrap": "strip", "edge_if_blocked": "illegal"}], ids=str)
def test_each_line_of_dominoids_follows_from_the_one_before(values: dict[str, Any]) -> None:
    rules = GAMES["dominoids"].Rules.of({"max_turns": 60} | values)
    lines = [json.loads(json.dumps(line)) for line in dump("dominoids", 3, None, 4, rules)]
    for line, told in pairwise(lines):
        if line["action"] is None:
            continue
        expected, scores = dominoids_after.after(line["rules"], line["state"], line["action"], told["state"])
        assert scores == line["scores"]
        assert dominoids_after.plain(expected) == dominoids_after.plain(told["state"])


@pytest.mark.parametrize(("name", "values"), [
    ("knock-out", {}), ("knock-out", {"knock": "chain"}), ("elimination", {}), ("solitaire", {}),
    ("solitaire", {"move_unit": "whole_run"}), ("solitaire", {"attach": "both_ends"})], ids=str)
def test_each_line_of_a_game_for_one_follows_from_the_one_before(name: str, values: dict[str, Any], every_flag: None) -> None:
    rules = GAMES[name].Rules.of(values)
    lines = [json.loads(json.dumps(line)) for line in dump(name, 12, None, 6, rules)]
    passed = solo_after.Pass()
    for line, told in pairwise(lines):
        if line["ply"] == 0:
            passed = solo_after.Pass()
        if line["action"] is None:
            assert told["ply"] == 0
            continue
        expected = solo_after.after(name, line["rules"], line["state"], line["action"], passed)
        ended = solo_after.ending(name, line["rules"], expected, line["action"], passed)
        assert expected == told["state"] | {"turn": 0, "phase": "play"}
        assert line["scores"] == [len(expected["columns" if name == "solitaire" else "row"])]
        assert ("outcome" in told) == (ended is not None)
        if ended is not None:
            assert told["outcome"]["winners"] == ended and told["outcome"]["scores"] == line["scores"]


def polls(owner: int, seats: int) -> list[tuple[str, int]]:
    return [("muggins", (owner + step) % seats) for step in range(1, seats)]


@pytest.mark.parametrize("values", [{}, {"spinner": "first_double"}, {"peg_out": True}], ids=str)
def test_claims_are_asked_for_in_order_and_lapse(values: dict[str, Any]) -> None:
    rules = GAMES["all-fives"].Rules.of({"muggins": "call"} | values)
    lines = [json.loads(json.dumps(line)) for line in dump("all-fives", 6, None, 13, rules)]
    asked: list[tuple[str, int]] = []  # who is to be asked what
    pending: dict[str, int] | None = None
    fresh = 0
    called = 0
    for line in lines:
        state, action = line["state"], line["action"]
        if state["phase"] in ("lead", "over"):
            asked, pending = [], None
        if action is None:
            continue
        seat, seats = state["turn"], len(state["hands"])
        if state["phase"] == "claim":
            what, who = asked.pop(0)
            if what == "claim":
                pending = {"seat": who, "points": fresh}
            assert who == seat and what in [each["kind"] for each in line["legal"]] and state["pending"] == pending
            called += action["kind"] == "muggins"
            if action["kind"] == "muggins":
                asked = [each for each in asked if each[0] == "claim"]
            if action["kind"] != "skip" or (what == "muggins" and not any(each[0] == "muggins" for each in asked)):
                pending = None
            if what == "claim" and action["kind"] == "skip" and [] in state["hands"]:
                asked += polls(who, seats)
            continue
        assert not asked and state["pending"] == pending
        if action["kind"] == "play":
            table, _ = lines_after.after("all-fives", line["rules"] | {"peg_out": False}, state, action)
            over = len(state["hands"][seat]) == 1
            probe = state | {"hands": [[*hand, "0-0"] for hand in state["hands"]]}  # so that the round goes on
            after = table or lines_after.after("all-fives", line["rules"] | {"peg_out": False}, probe, action)[0]
            assert after is not None and over == (table is None)
            total = lines_after.sum_of_ends(line["rules"], after)
            fresh = total if total % 5 == 0 else 0
            asked = (polls(pending["seat"], seats) if pending else []) + ([("claim", seat)] if fresh else [])
        elif action["kind"] == "pass" and state["passes"] == seats - 1 and pending:
            asked = polls(pending["seat"], seats)
    assert called > 3


def test_whoever_was_seen_to_begin_holds_the_largest_tile_in_dumped_games() -> None:
    for line in dump("euronimoes", 8, None, 115, GAMES["euronimoes"].Rules.of({"first_player": "observed"})):
        if line["ply"] == 0:
            best = [max(sum(map(int, tile.split("-"))) for tile in hand) for hand in line["state"]["hands"]]
            assert best[line["state"]["first"]] == max(best)


def test_a_rule_flag_given_twice_is_refused() -> None:
    with pytest.raises(MalformedError, match="set_max is given twice"):
        GAMES["block"].Rules.parse("set_max=9,set_max=12")
