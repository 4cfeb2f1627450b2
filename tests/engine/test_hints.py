"""Hints: they see what their seat sees and nothing else, know what is certain, and beat bots that do not look ahead."""

from __future__ import annotations

from itertools import islice
from math import inf
from random import Random
from typing import Any

import pytest

from engine.actions import Show
from engine.bots import bot
from engine.core import MalformedError
from engine.estimates import student
from engine.games import GAMES, game
from engine.hints.hint import Hint, sentences, think
from engine.match import Pair, match, mean_difference, share_won
from engine.playout import choose
from engine.state import State
from tests.engine.positions import full_positions, positions

SHARED = ("euronimoes", "engine191", "dominoids", "block", "all-fives", "matador", "one-arm-joe", "mexican-train")


def hints(view: State, seed: int = 1, batches: int = 3) -> tuple[Hint, ...]:
    return list(islice(think(view, Random(seed)), batches))[-1].hints()


@pytest.mark.parametrize("name", SHARED)
def test_hints_are_legal_ranked_and_have_reasons(name: str) -> None:
    for view in positions(name, 3):
        found = hints(view, batches=4)
        assert {each.action for each in found} <= set(view.legal())
        assert all(0 <= each.worth <= 1 and each.reasons for each in found)


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_cannot_see_does_not_change_its_hints(name: str) -> None:
    """Tables that this seat cannot tell apart: the other hands, the boneyard, what lies face down are others."""
    for number, state in enumerate(full_positions(name, 4, 7)):
        view = state.view(state.turn or 0)
        again = view.sample(Random(number)).view(state.turn or 0)
        assert hints(view) == hints(again)


def wrongly_passed(name: str, seed: int) -> State | None:
    """What a seat knows after the one before it passed, who held a tile that fits and nothing was left to draw."""
    rng, kind = Random(seed), GAMES[name]
    full = kind.start(None, 2, rng)
    known = full.project()
    while full.turn is not None and known.turn is not None:
        action, wrong = choose(full.legal(), rng), kind.action_of("pass")
        gone_by = action.kind == "play" and known.phase == "play" and bool(known.verify(wrong))
        for state in (full, known):
            state.push(wrong if gone_by else action)
        if gone_by and full.turn is not None and known.turn == full.turn:
            return known.after(Show(full.turn, full.hands[full.turn])).view(full.turn)
    return None


@pytest.mark.parametrize("name", ["block", "all-fives", "matador", "mexican-train"])
def test_hints_look_ahead_though_somebody_passed_who_could_have_played(name: str) -> None:
    views = [view for seed in range(12) if (view := wrongly_passed(name, seed)) is not None and len(view.legal()) > 1]
    assert views
    for view in views:
        assert any(advice.looks or advice.settled for advice in islice(think(view, Random(1)), 1, 3))


def test_thinking_leaves_the_view_as_it_was() -> None:
    view = next(positions("all-fives", 1))
    text = view.text()
    hints(view)
    assert view.text() == text


def test_knock_out_is_solved_and_elimination_foretold() -> None:
    state: Any = game("knock-out").start(None, 1, Random(4))
    left, knock = state.best()
    first, *others = hints(state)
    assert first.action == knock and first.lead is not None and first.lead.mean == -left
    assert all(each.lead is not None and each.lead.mean <= -left for each in others)
    machine: Any = game("elimination").start(None, 1, Random(4))
    assert any(machine.foretell().reason in words for words in sentences(hints(machine)[0], ["You"]))


@pytest.mark.parametrize(("name", "looks"), [("block", 40), ("all-fives", 30)])
def test_looking_ahead_beats_playing_at_random(name: str, looks: int) -> None:
    pairs = list(match(game(name), None, (bot(f"hints:{looks}"), bot("random")), 3))
    assert share_won(pairs).mean > 0.6
    assert mean_difference(pairs).mean > 0


def test_a_bot_against_itself_is_even() -> None:
    pairs = list(match(game("block"), None, (bot("random"), bot("random")), 40))
    assert mean_difference(pairs).mean == 0
    assert all(pair.won == 0.5 for pair in pairs)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.7062), (2, 4.3027), (5, 2.5706), (10, 2.2281), (99, 1.9842), (1000, 1.9623)]
)
def test_quantiles_of_student_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=1e-4)


@pytest.mark.parametrize("won", [0.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("count", [1, 2, 50])
def test_a_share_lies_within_an_interval_that_lies_between_none_and_all(won: float, count: int) -> None:
    found = share_won([Pair(0.0, won)] * count)
    assert 0 <= found.low <= won <= found.high <= 1 and found.high - found.low > 3 / (count + 4)


def test_the_interval_of_wilson_for_eight_of_ten() -> None:
    found = share_won([Pair(0.0, 1.0)] * 8 + [Pair(0.0, 0.0)] * 2)
    assert found.low == pytest.approx(0.4902, abs=1e-4) and found.high == pytest.approx(0.9433, abs=1e-4)


def test_an_interval_of_points_holds_the_truth_as_often_as_it_says() -> None:
    rng = Random(4)
    found = [mean_difference([Pair(rng.gauss(3, 5), 0.5) for _ in range(4)]) for _ in range(2000)]
    assert sum(each.low < 3 < each.high for each in found) / 2000 == pytest.approx(0.95, abs=0.015)


@pytest.mark.parametrize("count", [1, 2, 9])
def test_pairs_that_are_alike_tell_nothing_of_their_spread(count: int) -> None:
    found = mean_difference([Pair(4.0, 1.0)] * count)
    assert found.mean == 4 and found.low == -inf and found.high == inf


def test_a_match_is_the_same_for_the_same_seed() -> None:
    def played() -> list[Any]:
        return list(match(game("euronimoes"), None, (bot("simple"), bot("random")), 2, 5))

    assert played() == played()


def test_an_unknown_bot_is_refused_with_the_names_there_are() -> None:
    for name in ("best", "hints:-1", "hints:0", "hints:x", "hints:0s", "hints:infs", "hints:1.5"):
        with pytest.raises(MalformedError, match="random, simple, hints"):
            bot(name, lambda: 0.0)


def test_a_bot_that_thinks_for_some_time_stops_by_the_clock() -> None:
    times = iter(range(100))
    view = next(positions("block", 1))
    assert bot("hints:0.5s", lambda: next(times) / 10)(view, Random(1)) in view.legal()
    assert next(times) < 10


def test_leads_are_best_for_whoever_wins() -> None:
    for name in GAMES:
        rng = Random(2)
        state = game(name)()
        for _ in range(3000):
            if state.result is not None:
                break
            state.push(state.random_chance(rng) if state.chance else choose(state.legal(), rng))
        if state.result is not None and state.players > 1 and len(state.result.winners) == 1 and name != "engine191":
            assert max(range(state.players), key=state.leads().__getitem__) == state.result.winners[0]
