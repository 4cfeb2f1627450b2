"""Rounds that are nearly over: the tables that may be are listed, and the hint is what is best on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest

from engine.core import UNKNOWN
from engine.games import game
from engine.hints import exact
from engine.hints.hint import think
from engine.playout import choose, deal_on

LINES = ("block", "all-fives", "matador", "one-arm-joe", "mexican-train")


def late(name: str, count: int, unseen: int) -> Iterator[Any]:
    """So many views in which no more tiles than these are unseen, and there is a choice."""
    rng = Random(3)
    while count:
        state: Any = game(name)(None, 2)
        deal_on(state, rng)
        while state.turn is not None:
            view = state.view(state.turn)
            if len(view.unseen()) <= unseen and len(view.legal()) > 1 and view.phase != "lead":
                count -= 1
                yield view
                break
            state.push(choose(state.legal(), rng))


def listed(view: Any) -> Counter[Any]:
    """Every deal of the unseen tiles to the hidden places that the public facts allow, by trying them all."""
    seat = 1 - view.turn
    known = view.knowledge()[seat]
    found: Counter[Any] = Counter()
    for order in permutations(view.unseen()):
        hand, boneyard = order[: len(known)], order[len(known) :]
        if all(tile not in slot for tile, slot in zip(hand, known, strict=True)):
            found[tuple(sorted(hand)), boneyard] += 1
    return found


def end(state: Any, seat: int) -> float:
    """How far this seat is ahead at the end of the round when both do their best, by trying everything."""
    if state.result is not None or state.chance == "deal":
        return float(state.leads()[seat])
    found = []
    for action in state.legal():
        state.push(action)
        found.append(end(state, seat))
        state.pop()
    return max(found) if state.turn == seat else min(found)


@pytest.mark.parametrize("name", LINES)
def test_all_tables_that_may_be_are_listed_with_how_often_they_come(name: str) -> None:
    for view in late(name, 8, 5):
        worlds = view.worlds(200)
        assert {(world.hands[1 - view.turn], world.boneyard): ways for world, ways in worlds} == listed(view)
        assert all(UNKNOWN not in (*world.boneyard, *(tile for hand in world.hands for tile in hand)) for world, _ in worlds)
        assert all(world.view(view.turn) == view for world, _ in worlds)
        if len(worlds) > 1:
            assert view.worlds(len(worlds) - 1) is None


@pytest.mark.parametrize("name", LINES)
def test_tables_are_drawn_as_often_as_they_may_have_come(name: str) -> None:
    rng = Random(6)
    for view in late(name, 3, 4):
        expected = listed(view)
        drawn: Counter[Any] = Counter()
        for _ in range(1500):
            full = view.sample(rng)
            drawn[tuple(sorted(full.hands[1 - view.turn])), full.boneyard] += 1
        assert set(drawn) <= set(expected)
        total = expected.total()
        assert sum(abs(drawn[each] / 1500 - ways / total) for each, ways in expected.items()) < 0.2


@pytest.mark.parametrize("name", LINES)
def test_the_hint_is_the_best_action_of_all_tables_listed(name: str) -> None:
    for view in late(name, 6, 3):
        advice = next(each for each in think(view, Random(2)) if each.settled)
        expected = {hint.action: 0.0 for hint in advice.hints()}
        worlds = view.worlds(200)
        for world, ways in worlds:
            for action in expected:
                full = world.copy()
                before = full.leads()[view.turn]
                full.push(action)
                expected[action] += ways * (end(full, view.turn) - before) / sum(each for _, each in worlds)
        first = advice.hints(1)[0]
        assert expected[first.action] == pytest.approx(max(expected.values()))
        if len(advice.actions) > 1:
            assert first.lead is not None and first.lead.low == first.lead.high == pytest.approx(expected[first.action])


@pytest.mark.parametrize("name", LINES)
def test_what_is_solved_in_slices_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for view in late(name, 3, 5):
        whole = next(each for each in think(view, Random(2)) if each.settled)
        monkeypatch.setattr(exact, "SLICE", 25)
        monkeypatch.setattr(exact, "SLICES", 10_000)
        sliced = next(each for each in think(view, Random(2)) if each.settled)
        monkeypatch.undo()
        assert [(hint.action, hint.lead) for hint in sliced.hints()] == [(hint.action, hint.lead) for hint in whole.hints()]


def max_n(state: Any) -> tuple[float, ...]:
    """The leads at the end of the round when every seat does the first of what leaves it furthest ahead, by trying everything."""
    if state.result is not None or state.chance == "deal":
        return tuple(state.leads())
    found = []
    for action in state.legal():
        state.push(action)
        found.append(max_n(state))
        state.pop()
    return max(found, key=lambda leads: leads[state.turn])


def test_three_seats_each_do_what_leaves_them_furthest_ahead() -> None:
    rng, solved = Random(5), 0
    while solved < 20:
        state: Any = game("block")(None, 3)
        deal_on(state, rng)
        while state.turn is not None and sum(map(len, state.hands)) + len(state.boneyard) > 7:
            state.push(choose(state.legal(), rng))
        if state.turn is not None:
            solved += 1
            assert tuple(lead for lead, _ in exact.Solver().value(state)) == max_n(state)
