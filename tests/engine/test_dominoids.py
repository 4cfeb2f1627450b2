"""Dominoids, rule by rule, with the examples of the rules (T-D1 to T-D11); the figures are lost, so squares are made up."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import IllegalError, MalformedError
from engine.dominoids.actions import (
    SUITS,
    Attack,
    Bud,
    Choose,
    Eat,
    Look,
    Pass,
    Place,
    Roll,
    Rotate,
    Shift,
    Slide,
    TurnCoin,
)
from engine.dominoids.board import TILES_IN_PLAY
from engine.dominoids.game import Rules, State
from engine.pieces import Tile
from engine.playout import choose, deal_on
from tests.engine.laws import random_rules

SUNS, MOONS, CROWNS, ARMS = range(4)
FAR = {"suns": [0, 7], "moons": [2, 7], "crowns": [4, 7], "arms": [6, 7]}


def board(*dominoids: str, dice: str = "2 2 2 2", chosen: str = "suns", pawns: dict[str, list[int]] | None = None,
          coins: str = "", eaten: tuple[str, str] = ("", ""), **flags: Any) -> Any:
    """Dominoids are written `x,y-x,y:p-q`, coins `suit@x,y=value`, eaten coins `suit=value`; the rest lies in the stacks.

    One of the two dice picked may have been used already.
    """
    laid: list[dict[str, Any]] = []
    for text in dominoids:
        cells, ends = text.split(":")
        laid.append({"cells": [[int(each) for each in cell.split(",")] for cell in cells.split("-")],
                     "ends": [int(each) for each in ends.split("-")]})
    tiles = {f"{min(each['ends'])}-{max(each['ends'])}" for each in laid}
    collected = [[{"suit": coin.split("=")[0], "value": int(coin.split("=")[1])} for coin in text.split()] for text in eaten]
    out = []
    for coin in coins.split():
        suit, _, rest = coin.partition("@")
        cell, value = rest.split("=")
        out.append({"suit": suit, "cell": [int(each) for each in cell.split(",")], "value": int(value), "up": False})
    used = Counter((coin["suit"], coin["value"]) for coin in [*out, *collected[0], *collected[1]])
    picked = [*chosen.split(), *(suit for suit in SUITS if suit not in chosen)][:2]
    faces: list[Any] = [face if face in ("ace", "null") else int(face) for face in dice.split()]
    return State.from_exchange({
        "turn": 0, "phase": "act" if chosen else "choose", "dominoids": laid,
        "pool": [str(tile) for tile in TILES_IN_PLAY if str(tile) not in tiles],
        "pawns": FAR | (pawns or {}), "coins": out,
        "stacks": {suit: [value for value in range(6) if not used[suit, value]] for suit in SUITS},
        "collected": collected, "dice": {suit: {"face": face, "box": "old"} for suit, face in zip(SUITS, faces, strict=True)},
        "picked": picked if chosen else [], "chosen": chosen.split(), "mover": None, "parents": [], "turns": 0,
    }, Rules.of(flags))


def texts(state: Any) -> set[str]:
    return {str(action) for action in state.legal()}


def test_the_scoring_example_counts_34_and_31() -> None:
    """T-D1: the last crown ends the game; only an arm of four stays uncollected."""
    state = board("0,0-1,0:1-5", dice="5 2 2 2", coins="crowns@5,0=5", eaten=(
        "arms=0 arms=1 arms=3 crowns=2 crowns=3 moons=1 suns=1 suns=3 suns=4 suns=5",
        "arms=2 arms=5 crowns=0 crowns=1 crowns=4 moons=0 moons=2 moons=3 moons=4 moons=5 suns=0 suns=2"))
    state.dominoids = (state.dominoids[0]._replace(first=2, second=3, p=1, q=5),)
    state.phase, state.mover, state.chosen = "consequence", 0, ()
    state.coins = (*state.coins[:CROWNS], (4, 5, True), *state.coins[CROWNS + 1 :])
    state.play(Eat(CROWNS))
    outcome = state.outcome()
    assert outcome is not None and outcome.scores == (34, 31) and outcome.winners == (0,)
    assert state.score_parts(0) == [("suns", 13), ("suns bonus", 3), ("moons", 1), ("crowns", 10), ("arms", 4), ("arms bonus", 3)]
    assert state.score_parts(1) == [("suns", 2), ("moons", 14), ("moons bonus", 3), ("crowns", 5), ("arms", 7)]
    assert state.stacks == ((), (), (), (4,))


def test_the_game_ends_at_once_when_three_suits_are_wholly_eaten() -> None:
    every = " ".join(f"{suit}={value}" for suit in ("suns", "moons") for value in range(6))
    state = board("0,0-1,0:1-3", "6,0-7,0:2-2", dice="5 5 2 2", chosen="suns moons", coins="crowns@4,1=0",
                  eaten=(every + " crowns=1 crowns=2", "crowns=3 crowns=4 crowns=5"))
    state.play(Slide(SUNS, Tile(1, 3), ((3, 0), (4, 0)), (1, 3)))
    assert state.legal() == [Eat(CROWNS)]
    state.play(Eat(CROWNS))
    outcome = state.outcome()
    assert outcome is not None and outcome.winners == (0,) and state.chosen == (MOONS,), "the second action is not taken"


def dice(old: str, new: str) -> Any:
    state = State.start(None, 2, Random(1))
    faces = [*old.split(), *new.split()]
    state.dice = tuple({"ace": 1, "blank": 0}.get(face) or int(face if face.isdigit() else 0) for face in faces)
    state.new = (False,) * len(old.split()) + (True,) * len(new.split())
    return state


def test_at_least_one_of_the_two_dice_is_old() -> None:
    """T-D2."""
    state = dice("2 5", "ace blank")
    assert len(state.legal()) == 5
    assert state.verify(Choose((CROWNS, ARMS))).rule == "one-old-die"
    assert state.verify(Choose((ARMS, CROWNS))).rule == "two-dice"


def test_four_new_dice_become_old() -> None:
    """T-D3."""
    state = dice("0 0 0 0", "")
    for pair, new in (((0, 1), (True, True, False, False)), ((2, 3), (False,) * 4), ((0, 1), (True, True, False, False)),
                      ((0, 2), (True, True, True, False))):
        state.play(Choose(pair))
        for die in pair:
            state.dice = (0,) * 4
            state.play(Pass(die))
        state.play(Roll((0, 0)))
        assert state.new == new
    assert [action.dice for action in state.legal()] == [(0, 3), (1, 3), (2, 3)]


def test_the_leading_end_must_be_less_than_the_die() -> None:
    """T-D4."""
    state = board("3,3-4,3:2-3", dice="3 2 2 2")
    assert texts(state) == {
        "slide suns 2-3 [[2,3],[1,3]] [3,2]", "rotate suns 2-3 [[4,3],[4,4]] [3,2]", "rotate suns 2-3 [[4,3],[4,2]] [3,2]"}
    verdict = state.verify(Slide(SUNS, Tile(2, 3), ((6, 3), (7, 3)), (2, 3)))
    assert verdict.rule == "leading-end" and verdict.involved == {"end": 3, "face": 3}
    four = board("3,3-4,3:2-3", dice="4 2 2 2")
    assert {"slide suns 2-3 [[6,3],[7,3]] [2,3]", "rotate suns 2-3 [[3,3],[3,4]] [2,3]"} <= texts(four), "the 3 end needs a 4"
    five = board("3,3-4,3:5-5", "0,0-1,0:1-1", dice="5 2 2 2")
    assert not any("5-5" in text for text in texts(five)), "a 5 end never leads"


def test_a_slide_is_stopped_by_what_is_in_the_way_and_never_leaves_the_board() -> None:
    """T-D5."""
    state = board("3,3-4,3:2-3", "6,2-6,3:1-1", "0,0-1,0:3-4", dice="5 2 2 2", pawns={"suns": [1, 3]})
    slides = {text for text in texts(state) if text.startswith("slide")}
    assert "slide suns 2-3 [[3,3],[2,3]] [3,2]" in slides and "slide suns 2-3 [[4,3],[5,3]] [2,3]" in slides
    assert "slide suns 3-4 [[3,0],[2,0]] [4,3]" not in slides
    other = board("5,0-6,0:3-4", dice="5 2 2 2")
    assert {text for text in texts(other) if text.startswith("slide")} == {"slide suns 3-4 [[3,0],[2,0]] [4,3]"}
    verdict = other.verify(Slide(SUNS, Tile(3, 4), ((6, 0), (7, 0)), (3, 4)))
    assert verdict.rule == "edge"


def test_a_slide_towards_the_edge_may_be_stopped_before_it_unless_agreed_otherwise() -> None:
    for flag, allowed in (("legal", True), ("illegal", False)):
        state = board("3,0-4,0:2-4", "7,0-7,1:1-1", dice="5 2 2 2", edge_if_blocked=flag)
        assert ("slide suns 2-4 [[5,0],[6,0]] [2,4]" in texts(state)) == allowed


def test_a_turn_needs_the_target_and_the_corner_between_empty() -> None:
    state = board("3,3-4,3:2-4", dice="5 2 2 2", pawns={"suns": [4, 4], "moons": [3, 2]})
    assert not any(text.startswith("rotate") and "[[3,3]" in text for text in texts(state))
    assert state.verify(Rotate(SUNS, Tile(2, 4), ((3, 3), (3, 4)), (2, 4))).rule == "rotate"


def test_after_a_slide_one_coin_is_eaten_that_is_not_larger_than_the_end_beside_it() -> None:
    """T-D6."""
    state = board("2,3-3,3:4-3", dice="5 2 2 2", coins="suns@6,4=2 moons@5,2=0 crowns@7,3=5")
    state.play(Slide(SUNS, Tile(3, 4), ((5, 3), (6, 3)), (4, 3)))
    assert [coin[2] for coin in state.coins if coin] == [True, True, True], "all coins beside it are turned up"
    assert set(state.legal()) == {Eat(SUNS), Eat(MOONS)}
    assert state.verify(Eat(CROWNS)).rule == "eat" and state.verify(Pass(SUNS)).rule == "must-act"
    state.play(Eat(MOONS))
    assert state.collected == (((MOONS, 0),), ()) and state.phase != "consequence", "not both"
    small = board("2,3-3,3:3-2", dice="5 2 2 2", coins="arms@6,3=1")
    small.play(Slide(SUNS, Tile(2, 3), ((4, 3), (5, 3)), (3, 2)))
    assert small.legal() == [Eat(ARMS)], "a 2 end eats the ace"


def test_nothing_is_eaten_without_a_slide() -> None:
    """T-D6."""
    state = board("3,3-4,3:2-3", dice="3 2 2 2", coins="suns@5,4=0")
    state.play(Rotate(SUNS, Tile(2, 3), ((4, 3), (4, 4)), (3, 2)))
    assert state.phase != "consequence" and state.coins[SUNS] == (5 + 8 * 4, 0, False)


def test_a_smaller_end_beside_the_mover_is_attacked_and_an_equal_or_larger_one_not() -> None:
    """T-D7."""
    state = board("1,3-2,3:4-3", "6,3-7,3:1-3", "4,4-5,4:2-5", "5,2-6,2:4-5", dice="5 2 2 2", coins="suns@4,2=0")
    state.play(Slide(SUNS, Tile(3, 4), ((4, 3), (5, 3)), (4, 3)))
    assert set(state.legal()) == {Attack(Tile(1, 3)), Attack(Tile(2, 5)), Eat(SUNS)}
    assert state.verify(Attack(Tile(4, 5))).rule == "attack"
    state.play(Attack(Tile(2, 5)))
    assert Tile(2, 5) in state.pool and len(state.dominoids) == 3
    assert state.phase != "consequence", "neither a second attack nor food"


def test_equal_ends_breed_a_child_that_lies_beside_a_matching_end() -> None:
    """T-D8."""
    state = board("0,3-1,3:2-3", "4,4-5,4:3-4", dice="5 2 2 2")
    state.play(Slide(SUNS, Tile(2, 3), ((3, 3), (4, 3)), (2, 3)))
    assert texts(state) >= {"breed 3-4"}
    state.play(state.parse_action("breed 3-4"))
    assert state.phase == "child" and state.parents == (0, 1)
    assert "place 3-5 [[4,5],[4,6]] [3,5]" in texts(state), "the 3 lies beside the 3-4's 3"
    below_two = Place(Tile(3, 5), ((2, 2), (3, 2)), (5, 3))
    assert state.verify(below_two).rule == "child-place"
    assert any("place 4-4" in text for text in texts(state)), "a child shares a number with one parent, not with both"
    assert state.verify(Place(Tile(1, 1), ((5, 5), (6, 5)), (1, 1))).rule == "child-number"
    others = board("0,3-1,3:1-3", "4,4-5,4:3-4", dice="5 2 2 2")
    others.play(Slide(SUNS, Tile(1, 3), ((3, 3), (4, 3)), (1, 3)))
    others.play(others.parse_action("breed 3-4"))
    assert "place 4-4 [[6,4],[7,4]] [4,4]" in texts(others), "4-4 is a child of 3-4 and 1-3"


def test_any_half_of_the_child_may_touch_where_so_agreed() -> None:
    wrong_way = "place 3-5 [[4,5],[4,6]] [5,3]"
    for flag in ("matching_half", "any_half"):
        state = board("0,3-1,3:2-3", "4,4-5,4:3-4", dice="5 2 2 2", child_contact=flag)
        state.play(Slide(SUNS, Tile(2, 3), ((3, 3), (4, 3)), (2, 3)))
        state.play(state.parse_action("breed 3-4"))
        assert (wrong_way in texts(state)) == (flag == "any_half")


def test_where_no_dominoid_can_move_one_buds() -> None:
    """T-D9."""
    walled = {"suns": [0, 1], "moons": [1, 1], "crowns": [2, 0], "arms": [7, 7]}
    state = board("0,0-1,0:1-4", "4,4-5,4:3-5", dice="2 2 2 2", pawns=walled)
    assert set(state.legal()) == {Bud(SUNS, Tile(3, 5))}, "there is no room beside the 1-4"
    state.play(Bud(SUNS, Tile(3, 5)))
    assert state.phase == "child" and state.parents == (1,)
    free = board("3,3-4,3:1-4", dice="2 2 2 2")
    assert free.verify(Bud(SUNS, Tile(1, 4))).rule == "bud"


def test_the_ace_shifts_the_row_or_column_with_its_pawn_but_none_that_a_dominoid_straddles() -> None:
    """T-D10."""
    state = board("1,0-2,0:1-3", dice="2 ace 2 2", chosen="moons", pawns={"moons": [0, 4]})
    assert set(state.legal()) == {Shift(MOONS, "row", 2, 1), Shift(MOONS, "row", 2, -1)}
    assert state.verify(Shift(MOONS, "column", 0, 1)).rule == "straddle"
    assert state.verify(Shift(MOONS, "row", 1, 1)).rule == "shift-pawn"
    state.play(Shift(MOONS, "row", 2, -1))
    assert state.pawns[MOONS] == 6 + 8 * 4


def test_a_dominoid_across_the_seam_forbids_the_direction_that_tears_it() -> None:
    for flag, legal in (("illegal", {-1}), ("strip", set())):
        state = board("5,4-6,4:1-3", dice="2 ace 2 2", chosen="moons", pawns={"moons": [0, 4]}, torn_wrap=flag)
        assert {action.step for action in state.legal() if isinstance(action, Shift) and action.line == "row"} == legal
        assert state.verify(Shift(MOONS, "row", 2, 1)).rule == "torn"


def test_everything_on_the_shifted_tiles_rides_along() -> None:
    state = board("6,4-7,4:1-3", dice="2 ace 2 2", chosen="moons", pawns={"moons": [0, 4]}, coins="suns@3,5=2")
    state.play(Shift(MOONS, "row", 2, 1))
    assert state.dominoids[0][:2] == (0 + 32, 1 + 32) and state.coins[SUNS] == (5 + 40, 2, False)


def test_missing_coins_are_replaced_where_there_is_room_and_a_coin() -> None:
    """T-D11."""
    pawns = {"suns": [0, 0], "moons": [7, 0], "crowns": [4, 7], "arms": [3, 3]}
    every = " ".join(f"moons={value}" for value in range(6))
    state = board("1,0-1,1:1-2", "0,1-0,2:1-3", "2,3-2,4:4-4", "3,4-4,4:5-5", dice="null null 2 2", chosen="suns",
                  pawns=pawns, coins="crowns@4,6=3", eaten=(every, ""))
    state.play(Pass(SUNS))
    assert state.phase == "replace"
    assert {str(action) for action in state.legal()} == {"replace arms [3,2]", "replace arms [4,3]"}
    assert state.verify(Choose((0, 1))).rule == "replace"
    state.play(state.legal()[0])
    assert state.chance == "roll", "the sun has no room now, the moons are all eaten"
    state.play(Roll((0, 0)))
    state.dominoids = state.dominoids[1:]  # the square beside the sun's pawn is free again
    state.pool = tuple(sorted((*state.pool, Tile(1, 2))))
    state.play(state.legal()[0])
    for die in state.chosen:
        state.dice = (0,) * 4
        state.play(Pass(die))
    assert {str(action) for action in state.legal()} == {"replace suns [1,0]"}, "due again on the next turn"


def test_a_camera_waits_for_the_value_of_a_coin_turned_up() -> None:
    state = board("2,3-3,3:4-3", dice="5 2 2 2", coins="suns@6,4=2")
    camera = state.project()
    camera.play(Slide(SUNS, Tile(3, 4), ((5, 3), (6, 3)), (4, 3)))
    assert camera.chance == "coin" and len(camera.outcomes()) == 6
    with pytest.raises(IllegalError):
        camera.play(TurnCoin(MOONS, 2))
    camera.play(TurnCoin(SUNS, 2))
    assert camera.legal() == [Eat(SUNS)]


def test_a_sample_reaches_every_value_that_a_hidden_coin_may_have() -> None:
    state = board("2,3-3,3:4-3", coins="suns@6,4=2", eaten=("suns=0 suns=5", ""))
    samples = [state.project().sample(Random(seed)) for seed in range(80)]
    assert {sample.coins[SUNS][1] for sample in samples if sample.coins[SUNS]} == {1, 2, 3, 4}
    assert all(sorted((sample.coins[SUNS][1], *sample.stacks[SUNS])) == [1, 2, 3, 4] for sample in samples)


def test_coins_may_be_turned_up_one_by_one_where_so_agreed() -> None:
    state = board("2,3-3,3:4-3", dice="5 2 2 2", coins="suns@6,4=5 moons@5,2=0", reveal="chosen")
    state.play(Slide(SUNS, Tile(3, 4), ((5, 3), (6, 3)), (4, 3)))
    assert set(state.legal()) == {Look(SUNS), Look(MOONS)}
    state.play(Look(SUNS))
    assert state.legal() == [Look(MOONS)]
    state.play(Look(MOONS))
    assert state.legal() == [Eat(MOONS)]
    with pytest.raises(MalformedError):
        State.dump_rules(state.rules)


def test_the_board_begins_as_in_the_figure() -> None:
    state = State.start(None, 2, Random(5))
    assert len(state.dominoids) == 4 and len(state.pool) == 11
    assert [len(stack) for stack in state.stacks] == [5] * 4
    assert sorted(state.pawns) == [5 + 8, 1 + 16, 6 + 40, 2 + 48]
    deal: Any = State(None, 2).random_chance(Random(1))
    moved = type(deal)(**{name: getattr(deal, name) for name, _, _ in deal.FORM} | {"pawns": deal.pawns[::-1]})
    with pytest.raises(IllegalError, match="pawn"):
        State(None, 2).play(moved)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_dominoids_and_coins_are_conserved(seed: int) -> None:
    rng = Random(seed)
    state: Any = State.start(random_rules("dominoids", rng), 2, rng)
    for _ in range(80):
        deal_on(state, rng)
        if state.outcome():
            break
        state.push(choose(state.legal(), rng))
        assert sorted([*(each.tile for each in state.dominoids), *state.pool]) == sorted(TILES_IN_PLAY)
        for suit in range(4):
            coin = state.coins[suit]
            values = [*state.stacks[suit], *([coin[1]] if coin else []),
                      *(v for own in state.collected for s, v in own if s == suit)]
            assert sorted(values) == list(range(6))
        pieces = [*(cell for each in state.dominoids for cell in each[:2]), *state.pawns, *(c[0] for c in state.coins if c)]
        assert len(set(pieces)) == len(pieces)


@pytest.mark.parametrize(("change", "words"), [
    ({"pool": []}, "15"), ({"mover": 2}, "mover"), ({"coins": []}, "coins"), ({"turn": 2}, "seat 2"),
    ({"phase": "dice"}, "phase"), ({"pawns": {}}, "pawns"),
])
def test_a_board_that_cannot_be_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    data = State.start(None, 2, Random(1)).to_exchange() | change
    with pytest.raises(MalformedError, match=words):
        State.from_exchange(data)
