"""Euronimoes, rule by rule, with the exact examples of the rulings (T-E1 to T-E9)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import UNKNOWN, IllegalError, MalformedError
from engine.euronimoes import layout as grid
from engine.euronimoes.actions import DRAW, STOP, Buy, Deal, Play, Refill
from engine.euronimoes.belief import trace
from engine.euronimoes.game import Rules, State
from engine.euronimoes.layout import EMPTY, Layout
from engine.pieces import DOUBLE_SIX, Tile
from engine.playout import choose, deal_on
from tests.engine.laws import random_rules


def lay(layout: Layout, ends: str, first: tuple[int, int], way: str, level: int = 1) -> Layout:
    p, q = map(int, ends.split("-"))
    x, y = first
    second = (x, y + 1) if way == "V" else (x + 1, y)
    action = Play(Tile.of(p, q), (first, second), (p, q), level)
    assert action in layout.plays({p * 7 + q}, True, None), f"{ends} at {first} {way}"
    return layout.after(action)


def can(layout: Layout, ends: str, first: tuple[int, int], way: str, level: int = 1) -> bool:
    try:
        lay(layout, ends, first, way, level)
    except AssertionError:
        return False
    return True


EXAMPLE = [  # bottom to top, so that each tile touches what lies already
    ("4-3", (1, -1), "V", 1), ("2-5", (1, 1), "H", 1), ("1-4", (1, 2), "H", 1), ("2-0", (4, -1), "H", 1),
    ("0-3", (3, 0), "H", 1), ("1-2", (3, 1), "V", 1), ("3-3", (2, 3), "H", 1), ("6-5", (4, 2), "V", 1),
    ("2-4", (2, 4), "H", 1), ("5-5", (3, 5), "H", 1), ("6-4", (3, 6), "H", 1), ("0-1", (1, 4), "V", 1),
    ("3-2", (1, 0), "V", 2), ("5-1", (2, 1), "H", 2),
]


def example() -> Layout:
    """The layout of the scoring example; its tiles lie anywhere, so the first is moved to 0,0."""
    layout = EMPTY
    order = list(EXAMPLE)
    done: list[Any] = []
    base = order[0][1]
    waiting = [(ends, (x - base[0], y - base[1]), way, level) for ends, (x, y), way, level in order]
    while waiting:
        for tile in waiting:
            if can(layout, *tile):
                layout = lay(layout, *tile)
                done.append(tile)
                waiting.remove(tile)
                break
        else:
            raise AssertionError(f"stuck with {waiting}")
    return layout


def test_the_scoring_example_scores_six_part_by_part() -> None:
    """T-E1."""
    layout = example()
    assert [points for _, points in layout.column_scores()] == [1, 2, -3, 11, 0]
    assert layout.level_score() == -4
    state = State.start(None, 2, Random(1))
    state.layouts, state.chips = (layout, EMPTY), (1, 2)
    assert [points for _, points in state.score_parts(0)] == [1, 2, -3, 11, 0, -4, -1]
    assert state.scores()[0] == 6


def test_next_to_a_five_of_a_falling_run_goes_six_and_next_to_its_two_goes_one() -> None:
    """T-E2."""
    run = lay(lay(EMPTY, "2-3", (0, 0), "V"), "4-5", (0, 2), "V")
    assert can(run, "6-0", (0, 4), "H") and not can(run, "4-0", (0, 4), "H")
    assert can(run, "1-0", (0, -1), "H") and not can(run, "3-0", (0, -1), "H")


def test_next_to_zero_goes_only_one_and_next_to_six_only_five() -> None:
    """T-E3."""
    bottom = lay(EMPTY, "0-6", (0, 0), "H")
    for number in range(7):
        above_zero = Play(Tile.of(3, number), ((-1, 1), (0, 1)), (3, number), 1)
        assert (above_zero in bottom.plays({21 + number}, True, None)) == (number == 1)
        above_six = Play(Tile.of(3, number), ((1, 1), (2, 1)), (number, 3), 1)
        assert (above_six in bottom.plays({number * 7 + 3}, True, None)) == (number == 5)


@pytest.mark.parametrize(("run", "score"), [([5, 4, 3, 2, 1], 1), ([6, 5, 4, 3], 3), ([4, 3, 2, 1, 0], 0), ([4], 4),
                                            ([6, 5, 4, 3, 2, 1, 0], -3), ([0, 1, 2, 3, 4, 5, 6], -3)])
def test_a_run_scores_its_smallest_number_and_a_bomb_minus_three(run: list[int], score: int) -> None:
    """T-E4."""
    assert grid.run_score(run) == score


def test_only_neighbouring_numbers_stand_upright() -> None:
    for tile in DOUBLE_SIX:
        assert can(EMPTY, str(tile), (0, 0), "V") == (tile.high - tile.low == 1)
        assert can(EMPTY, str(tile), (0, 0), "H")


def test_a_tile_rests_on_two_different_tiles_with_equal_numbers() -> None:
    """T-E5."""
    layout = lay(lay(EMPTY, "1-2", (0, 0), "H"), "3-4", (2, 0), "H")
    assert can(layout, "2-3", (1, 0), "H", 2)
    assert not can(layout, "3-2", (1, 0), "H", 2) and not can(layout, "1-2", (0, 0), "H", 2)
    ours = lay(EMPTY, "0-1", (0, 0), "H")
    assert not can(ours, "0-1", (0, 0), "H", 2), "both halves on one tile"
    assert not can(layout, "4-5", (3, 0), "H", 2), "no half hangs in the air"
    stacked = lay(layout, "2-3", (1, 0), "H", 2)
    assert not can(stacked, "1-2", (0, 0), "H", 2), "both halves on one level"
    assert stacked.level_score() == -2
    assert not can(stacked, "2-3", (1, 0), "H", 3)


def third_level() -> Layout:
    layout = EMPTY
    for ends, first in (("1-2", (0, 0)), ("3-4", (2, 0)), ("5-6", (4, 0)), ("0-0", (-2, 0))):
        layout = lay(layout, ends, first, "H")
    return lay(lay(layout, "2-3", (1, 0), "H", 2), "4-5", (3, 0), "H", 2)


def test_a_third_level_may_lie_over_a_first_one_exactly_unless_agreed_otherwise() -> None:
    """T-E5, E4."""
    layout = third_level()
    assert can(layout, "3-4", (2, 0), "H", 3)
    assert lay(layout, "3-4", (2, 0), "H", 3).level_score() == -2 - 2 - 3
    assert not any(play.level == 3 for play in layout.plays({3 * 7 + 4}, False, None))


def test_the_fourth_level_scores_minus_four() -> None:
    """T-E5."""
    layout = lay(lay(lay(third_level(), "6-1", (6, 0), "H"), "6-6", (5, 0), "H", 2), "3-4", (2, 0), "H", 3)
    layout = lay(layout, "5-6", (4, 0), "H", 3)
    assert lay(layout, "4-5", (3, 0), "H", 4).level_score() == -2 - 2 - 2 - 3 - 3 - 4


def market(state: Any) -> str:
    return " ".join("-" if tile is None else str(tile) for tile in state.market)


def table(market: str = "0-0 0-1 0-2 0-3 0-4", chips: tuple[int, int] = (2, 2), **flags: Any) -> Any:
    open_tiles = tuple(map(Tile.parse, market.split()))
    hands = tuple(tuple(map(Tile.parse, hand.split())) for hand in ("6-6 1-2 1-3", "2-5 2-6 3-3"))
    rest = [tile for tile in DOUBLE_SIX if tile not in (*open_tiles, *hands[0], *hands[1])]
    state = State(Rules.of(flags), 2)
    state.play(Deal(hands, open_tiles, tuple(rest), 0))
    state.chips = chips
    return state


def test_buying_for_one_chip_slides_the_dearer_tiles_and_refills() -> None:
    """T-E6."""
    state = table()
    new = state.pile[0]
    state.play(Buy(2))
    assert market(state) == f"0-0 0-1 0-3 0-4 {new}"
    assert state.chips == (1, 2) and len(state.pile) == 16


def test_drawing_from_the_pile_gives_a_chip_and_rotates_the_market() -> None:
    """T-E6."""
    state = table()
    state.play(DRAW)
    assert market(state) == "0-1 0-2 0-3 0-4 0-0"
    assert state.chips == (3, 2) and state.hands[0] == tuple(sorted((*state.hands[0],)))


def test_buying_the_cheapest_with_the_pile_empty_slides_the_market() -> None:
    """T-E6."""
    state = table()
    state.pile = ()
    state.play(Buy(0))
    assert market(state) == "0-1 0-2 0-3 0-4 -" and state.chips == (3, 2)
    assert state.verify(DRAW).rule == "one-draw"


def test_with_two_chips_nobody_buys_for_three_and_with_four_a_draw_gives_none() -> None:
    """T-E7."""
    state = table()
    verdict = state.verify(Buy(4))
    assert verdict.rule == "not-enough-chips" and verdict.involved == {"cost": 3, "chips": 2}
    rich = table(chips=(4, 2))
    rich.play(DRAW)
    assert rich.chips == (4, 2)


@pytest.mark.parametrize(("players", "pile", "draws", "plays"), [
    (2, 17, [11, 11], [14, 14]), (3, 42, [16, 16, 15], [19, 19, 18]), (4, 39, [11] * 4, [14] * 4)])
def test_everybody_takes_as_many_turns_as_the_tiles_allow(players: int, pile: int, draws: list[int], plays: list[int]) -> None:
    """T-E8, E12."""
    rng = Random(6)
    state = State.start(None, players, rng)
    assert len(state.pile) == pile
    taken: Counter[int] = Counter()
    laid: Counter[int] = Counter()
    while state.outcome() is None:
        seat = (state.turn - state.first) % players  # type: ignore[operator]
        action = rng.choice([each for each in state.legal() if each != STOP])
        taken[seat] += isinstance(action, Buy) or action == DRAW
        laid[seat] += isinstance(action, Play)
        state.push(action)
    assert [taken[seat] for seat in range(players)] == draws
    assert [laid[seat] for seat in range(players)] == plays


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_there_is_always_room_and_levels_never_change_a_number(seed: int) -> None:
    """T-E9, F3."""
    rng = Random(seed)
    state = State.start(None, rng.choice((2, 3, 4)), rng)
    while state.outcome() is None:
        legal = state.legal()
        if state.turn is not None and state.hands[state.turn] and state.phase != "draw":
            assert any(isinstance(each, Play) for each in legal)
            assert (STOP in legal) == (state.phase == "last" and len(state.hands[state.turn]) == 1)
        state.push(choose(legal, rng))
        for layout in state.layouts:
            first = {cell: number for tile in layout.placed if tile.level == 1
                     for cell, number in zip(tile.cells, tile.ends, strict=True)}
            assert {grid.uncode(cell): number for cell, number in layout.numbers.items()} == first
            for _, runs in layout.columns():
                for run in runs:
                    assert run in (list(range(run[0], run[-1] + 1)), list(range(run[0], run[-1] - 1, -1)))


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_tiles_and_chips_are_conserved(seed: int) -> None:
    rng = Random(seed)
    state: Any = State.start(random_rules("euronimoes", rng), rng.choice((2, 3, 4)), rng)
    for _ in range(50):
        deal_on(state, rng)
        if state.outcome():
            break
        state.push(choose(state.legal(), rng))
        assert Counter(state.seen()) == Counter(state.kit)
        assert all(0 <= chips <= 4 for chips in state.chips)
        assert all(not Counter(known) - Counter(hand) for known, hand in zip(state.bought, state.hands, strict=True))


def test_a_tie_goes_to_the_player_later_in_turn_order() -> None:
    rng = Random(3)
    ties = 0
    for _ in range(150):
        state = State.start(None, 2, rng)
        while state.outcome() is None:
            state.push(choose(state.legal(), rng))
        outcome = state.outcome()
        assert outcome is not None
        if outcome.scores[0] == outcome.scores[1]:
            ties += 1
            assert outcome.winners == (1 - state.first,)
        else:
            assert outcome.winners == (outcome.scores.index(min(outcome.scores)),)
    assert ties


def test_a_holder_of_the_most_pips_begins_and_so_nobody_was_dealt_more() -> None:
    rng = Random(9)
    dealt = table()
    with pytest.raises(IllegalError, match="most pips"):
        State(None, 2).play(Deal(dealt.hands, dealt.market, dealt.pile, 1))
    for _ in range(40):
        state = State.start(None, rng.choice((2, 3, 4)), rng)
        for _ in range(rng.randrange(40)):
            state.push(choose(state.legal(), rng))
            if state.outcome():
                break
        for _ in range(5):
            sample = state.view(rng.randrange(state.players)).sample(rng)
            assert sample.first in sample.openers(sample.dealt)


def test_a_bought_tile_is_known_until_it_is_played() -> None:
    state = table()
    state.play(Buy(1))
    view = state.view(1)
    assert view.hands[0] == (UNKNOWN, UNKNOWN, UNKNOWN, Tile(0, 1))
    state.play(state.parse_action("play 0-1 [[0,0],[1,0]] [0,1] 1"))
    assert state.view(1).hands[0] == (UNKNOWN,) * 3


def test_a_sample_reaches_every_table_that_is_possible() -> None:
    state = table()
    state.pile = state.pile[:1]
    state.hands = ((Tile(6, 6), Tile(1, 2)), state.hands[1])
    state.dealt = state.hands
    state.kit = tuple(state.seen())
    view = state.view(1)
    wanted = {order for order in permutations(view.unseen()) if Tile(6, 6) in order[:2]}
    reached: set[Any] = set()
    for _ in range(300):
        sample = view.sample(Random(len(reached) + _))
        reached.add((sample.hands[0], sample.pile))
    assert reached == {(tuple(sorted(order[:2])), order[2:]) for order in wanted}


def test_a_hidden_hand_is_traced_to_the_tiles_dealt() -> None:
    hand = trace((Tile(6, 6), None, Tile(0, 1)), 3, 12)
    assert hand is not None and (hand.dealt, hand.drawn) == (1, 1)
    assert trace((Tile(6, 6),), 3, 11) is None


def test_the_camera_must_see_the_tile_turned_up_before_the_game_goes_on() -> None:
    camera = table().project()
    camera.play(Buy(2))
    assert camera.chance == "refill" and camera.verify(Buy(0)).rule == "chance-first"
    chances = camera.outcomes()
    assert sum(chance for _, chance in chances) == 1
    with pytest.raises(IllegalError, match="0-0"):
        camera.play(Refill(Tile(0, 0)))
    camera.play(chances[0][0])
    assert camera.phase == "play"


def test_with_two_sets_a_tile_exists_twice_and_not_three_times() -> None:
    data = State.start(None, 3, Random(2)).to_exchange()
    data["hands"][0] = ["6-6", "6-6", "6-6"]
    with pytest.raises(MalformedError, match="copies of the 6-6"):
        State.from_exchange(data)


@pytest.mark.parametrize(("text", "rule"), [
    ("play 1-2 [[0,0],[2,0]] [1,2] 1", "grid"), ("play 1-2 [[3,3],[4,3]] [1,2] 1", "first-tile"),
    ("play 1-3 [[0,0],[0,1]] [1,3] 1", "run-step"), ("play 5-5 [[0,0],[1,0]] [5,5] 1", "not-your-tile"),
    ("play 1-2 [[0,0],[1,0]] [1,3] 1", "not-in-set"), ("play 1-2 [[0,0],[1,0]] [1,2] 2", "overhang"), ("stop", "must-play"),
])
def test_a_refused_play_names_its_rule(text: str, rule: str) -> None:
    state = table()
    assert state.verify(Play(Tile(1, 2), ((0, 0), (1, 0)), (1, 2), 1)).rule == "draw-first"
    state.play(DRAW)
    with pytest.raises(IllegalError) as error:
        state.parse_action(text)
    assert error.value.verdict.rule == rule


def test_a_refused_play_beside_the_grid_names_its_rule() -> None:
    state = table()
    layout = lay(lay(EMPTY, "2-3", (0, 0), "V"), "4-5", (0, 2), "V")
    state.layouts = (layout, EMPTY)
    state.hands = ((Tile(1, 2), Tile(1, 3), Tile(4, 6), Tile(6, 6)), state.hands[1])
    state.phase = "play"
    for cells, ends, rule in (
        (((1, 4), (2, 4)), (1, 3), "connected"), (((0, 1), (1, 1)), (1, 3), "overlap"),
        (((0, 4), (1, 4)), (4, 6), "run-direction"), (((0, 4), (1, 4)), (1, 3), "run-step"), (((0, 4), (1, 4)), (6, 4), ""),
    ):
        verdict = state.verify(Play(Tile.of(*ends), cells, ends, 1))
        assert verdict.rule == rule, (cells, ends, verdict)


def test_the_end_may_be_played_in_any_order_where_so_agreed() -> None:
    rng = Random(4)
    state = State.start(Rules(endphase="simultaneous"), 2, rng)
    while state.phase != "last":
        state.push(choose(state.legal(), rng))
    other = 1 - (state.turn or 0)
    state.play(state.parse_action(f"give {other}"))
    assert state.turn == other and not any(each.kind == "give" for each in state.legal())
    with pytest.raises(MalformedError):
        State.dump_rules(state.rules)


def test_a_small_table_leaves_no_grid_larger_and_may_end_early() -> None:
    """E21."""
    ends = set()
    for seed in range(30):
        rng = Random(seed)
        state = State.start(Rules(max_extent=6), 2, rng)
        while state.outcome() is None:
            state.push(choose(state.legal(), rng))
            for layout in state.layouts:
                cells = [grid.uncode(cell) for cell in layout.numbers]
                for axis in (0, 1):
                    assert not cells or max(cell[axis] for cell in cells) - min(cell[axis] for cell in cells) < 6
        outcome = state.outcome()
        assert outcome is not None
        assert (outcome.reason == "no grid has room") == (state.market[0] is not None)
        ends.add(outcome.reason)
    assert len(ends) == 2
