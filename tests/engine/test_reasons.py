"""The reasons of hints: each is true of the table, would be noticed if it were not, and tells its action from the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from engine.actions import Action
from engine.euronimoes.layout import EMPTY, ENDS, Layout
from engine.games import GAMES, game
from engine.hints.hint import sentences, think
from engine.lines.reasons import Barred, OnlyYours, Stuck
from engine.pieces import Tile
from engine.playout import choose, deal_on
from engine.reasons import Reason, told_apart
from engine.state import State
from tests.engine.positions import positions

NAMES = ("Ann", "Ben", "Cem", "Dee", "Eve", "Fay", "Gil", "Ida")


def claims(view: State) -> Iterator[tuple[Action, Reason]]:
    for action in view.legal()[:12]:
        for reason in view.reasons(action):
            yield action, reason


@pytest.mark.parametrize("name", GAMES)
def test_every_reason_holds_and_is_a_sentence(name: str) -> None:
    for view in positions(name, 25):
        for action, reason in claims(view):
            assert reason.holds(view, action), (view, action, reason)
            words = reason.words(NAMES[: view.players])
            assert words[0].isupper() and words.endswith(".") and "None" not in words, words


def wrong(value: Any) -> Any:
    """Another value of the same kind, as far from the truth as one step."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "?"
    if isinstance(value, Tile):
        return Tile(value.low, value.high + 1)
    if isinstance(value, tuple):
        return (*value[:-1], wrong(value[-1])) if value else (Tile(0, 0),)
    return Tile(0, 0) if value is None else value


@pytest.mark.parametrize("name", GAMES)
def test_a_reason_with_a_wrong_fact_does_not_hold(name: str) -> None:
    for view in positions(name, 12):
        for action, reason in claims(view):
            for each in fields(reason):  # type: ignore[arg-type]
                changed = replace(reason, **{each.name: wrong(getattr(reason, each.name))})  # type: ignore[type-var]
                try:
                    believed = changed.holds(view, action)
                except (IndexError, KeyError, ValueError):  # a seat, a column or a tile that there is not
                    believed = False
                assert not believed or changed in view.reasons(action), (view, action, reason, changed)


@pytest.mark.parametrize("name", [name for name in GAMES if name != "elimination"])
def test_the_first_two_hints_have_reasons_of_their_own(name: str) -> None:
    told = [list(islice(think(view, Random(1)), 2))[-1].hints(2) for view in positions(name, 30)]
    pairs = [[hint.reasons[0].words(NAMES) for hint in hints] for hints in told if len(hints) == 2]
    assert sum(first != second for first, second in pairs) >= 0.9 * len(pairs) > 0
    assert all(hint.reasons for hints in told for hint in hints)


@pytest.mark.parametrize("name", ["block", "all-fives", "matador", "one-arm-joe"])
def test_on_no_table_that_may_be_a_seat_can_play_that_is_said_to_have_nothing(name: str) -> None:
    found = 0
    for view in positions(name, 80):
        for action, reason in claims(view):
            if not isinstance(reason, Stuck | Barred | OnlyYours):
                continue
            found += 1
            for seed in range(5):
                full: Any = view.sample(Random(seed))
                full.push(action)
                others = [tile for seat, hand in enumerate(full.hands) if seat != view.turn for tile in hand]
                if isinstance(reason, OnlyYours):
                    assert not any(full.kit.fit(tile, reason.number) for tile in (*others, *full.boneyard))
                else:
                    assert not any(full.kit.fit(tile, number) for tile in full.hands[reason.seat] for number in reason.numbers)
                    assert not isinstance(reason, Stuck) or [each.kind for each in full.legal()] == [reason.then]
    assert found > 5


def test_whoever_passed_twice_is_said_to() -> None:
    rng = Random(1)
    for seed in range(400):
        state: Any = game("block").start(None, 2, Random(seed))
        while state.turn is not None:
            view = state.view(state.turn)
            stuck = [reason for action, reason in claims(view) if isinstance(reason, Stuck) and reason.times == 2]
            if stuck:
                assert "twice" in stuck[0].words(NAMES) and NAMES[1 - state.turn] in stuck[0].words(NAMES)
                return
            state.push(choose(state.legal(), rng))
    raise AssertionError("nobody passed twice")


def test_what_a_tile_changes_in_a_grid_is_what_its_score_then_differs() -> None:
    rng = Random(4)
    for _ in range(20):
        layout: Layout = EMPTY
        for _ in range(12):
            pair = rng.randrange(ENDS * ENDS)
            low, high = divmod(pair, ENDS)
            plays = layout.plays({pair, high * ENDS + low}, True, None)
            play = rng.choice(plays)
            change, layout = layout.change(play), layout.after(play)
            total = sum(points for _, points in layout.column_scores()) + layout.level_score()
            assert layout.points == total
            assert change == total - sum(points for _, points in before(layout).column_scores()) - before(layout).level_score()


def before(layout: Layout) -> Layout:
    """The grid without its newest tile."""
    earlier = EMPTY
    for placed in layout.placed[:-1]:
        earlier = earlier.after(type("Laid", (), {"cells": placed.cells, "ends": placed.ends, "level": placed.level})())
    return earlier


def test_reasons_that_the_rival_lacks_come_first() -> None:
    from engine.reasons import GetsRid, GoesOut, NothingFits

    mine, rival = (GetsRid(3), NothingFits(), GoesOut()), (GetsRid(5), NothingFits())
    assert told_apart(mine, rival) == (GoesOut(), GetsRid(3), NothingFits())
    assert told_apart((GetsRid(7), GoesOut()), rival)[0] == GetsRid(7)


def test_a_hint_says_what_is_gained_and_what_to_fear() -> None:
    state: Any = game("all-fives").start(None, 2, Random(8))
    deal_on(state, Random(1))
    while len(state.legal()) < 3:
        state.push(state.legal()[0])
    advice = next(each for each in think(state.view(state.turn), Random(1)) if each.looks >= 600)
    hint = advice.hints(1)[0]
    assert hint.lead is not None and hint.lead.low < hint.lead.mean < hint.lead.high
    assert hint.chance is not None and 0 <= hint.chance.low < hint.chance.high <= 1
    assert hint.fear is not None and hint.fear.seat != state.turn and 0 < hint.fear.often <= 1
    told = sentences(hint, NAMES[:2])
    assert any("On average" in each and "% to win" in each for each in told)
    assert any(NAMES[hint.fear.seat] in each and str(hint.fear.action) in each for each in told)
