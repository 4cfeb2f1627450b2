"""Engine 191, rule by rule, with the exact examples of the rulings (T-N1 to T-N7)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import UNKNOWN, MalformedError
from engine.engine191 import turns
from engine.engine191.actions import DRAW, END, PASS, REMOVE, Bid, Play
from engine.engine191.game import Rules, State
from engine.hidden import deal_to_slots
from engine.pieces import DOUBLE_NINE, DOUBLE_SIX, Tile
from engine.playout import choose, deal_on
from tests.engine.laws import random_rules


def tiles(text: str) -> list[str]:
    return text.split()


def table(hands: tuple[str, ...], hub: str, lines: tuple[str, ...], *, boneyard: str | None = None, scrap: str = "",
          yards: tuple[str, ...] = (), bared: tuple[int, ...] = (), turn: int = 0, phase: str = "turn", passes: int = 0,
          drawn: str | None = None, **flags: Any) -> Any:
    """A table with these tiles; lines are written `3-7 7-5` outward.

    The rest of the set is the boneyard unless that is named; then it lies in the yard of the last seat.
    """
    players = len(hands)
    whole = DOUBLE_SIX if players == 2 else DOUBLE_NINE
    laid = [[[int(end) for end in tile.split("-")] for tile in line.split()] for line in lines]
    kept = [tiles(yard) for yard in yards] or [[] for _ in hands]
    used = {str(Tile.of(*ends)) for line in laid for ends in line} | {hub, *tiles(scrap)}
    used |= {tile for hand in hands for tile in tiles(hand)} | {tile for yard in kept for tile in yard}
    rest = [str(tile) for tile in whole if str(tile) not in used and str(tile) not in tiles(boneyard or "")]
    if boneyard is None:
        stock = rest
    else:
        stock = tiles(boneyard)
        kept[-1] += rest
    return State.from_exchange({
        "turn": turn, "phase": phase, "hands": [tiles(hand) for hand in hands], "hub": hub, "lines": laid,
        "bared": [line in bared for line in range(players)], "yards": kept, "boneyard": stock, "scrap": tiles(scrap),
        "bids": [None] * players, "drawn": drawn, "passes": passes, "tokens": [0] * players,
    }, Rules.of(flags))


def texts(state: Any) -> set[str]:
    return {str(action) for action in state.legal()}


def test_removal_takes_the_line_back_to_the_station_before_its_end() -> None:
    """T-N1, N5."""
    state = table(("0-1 0-2", "0-4", "0-6"), "3-3", ("3-7 7-5 5-5 5-9 9-4", "", ""))
    state.play(REMOVE)
    assert state.lines[0] == ((3, 7), (7, 5), (5, 5)) and state.bared == (True, False, False)
    assert {str(tile) for tile in state.scrap} == {"5-9", "4-9"} and len(state.yards[0]) == 1
    state.play(REMOVE)
    assert state.lines[0] == () and state.bared[0] is False and len(state.yards[0]) == 2
    assert {str(tile) for tile in state.scrap} == {"5-9", "4-9", "5-5", "5-7", "3-7"}
    verdict = state.verify(REMOVE)
    assert verdict.rule == "own-line-empty"


def test_removing_the_station_at_the_end_takes_the_track_before_it() -> None:
    state = table(("0-1 0-2", "0-4", "0-6"), "3-3", ("3-7 7-7 7-5 5-5", "", ""))
    state.play(REMOVE)
    assert state.lines[0] == ((3, 7), (7, 7)) and state.bared[0]
    assert any(each.kind == "draw" for each in state.legal()), "a bared station obliges nobody"


@pytest.mark.parametrize(("players", "hand", "boneyard"), [(2, 9, 10), (3, 11, 22), (4, 9, 19)])
def test_everybody_takes_as_many_tiles_as_the_game_says(players: int, hand: int, boneyard: int) -> None:
    """T-N2."""
    state = State.start(None, players, Random(1))
    assert [len(each) for each in state.hands] == [hand] * players and len(state.boneyard) == boneyard


def bid(state: Any, *bids: str) -> None:
    for text in bids:
        state.push(Bid(Tile.parse(text)))


def test_the_lowest_double_starts_and_the_other_tiles_return() -> None:
    """T-N6."""
    state = State.start(None, 3, Random(3))
    wanted = [Tile(5, 5), Tile(2, 2), Tile(3, 4)]
    others = [tile for tile in DOUBLE_NINE if tile not in wanted]
    state.hands = tuple(tuple(sorted((tile, *others[10 * seat : 10 * seat + 10]))) for seat, tile in enumerate(wanted))
    state.boneyard = tuple(others[30:])
    bid(state, "5-5", "2-2", "3-4")
    assert state.hub == Tile(2, 2) and state.turn == 1 and state.phase == "turn"
    assert [len(hand) for hand in state.hands] == [11, 10, 11] and len(state.boneyard) == 22
    assert state.project().hands[0].count(Tile(5, 5)) == 1, "everybody has seen it"
    assert state.project().hands[2] == (UNKNOWN,) * 10 + (Tile(3, 4),)


def test_laying_the_main_station_may_be_the_first_turn() -> None:
    for seed in range(20):
        state = State.start(Rules(main_station_is_turn=True), 2, Random(seed))
        bids = []
        for _ in range(2):
            bids.append(max(state.legal(), key=lambda each: each.tile.is_double))  # type: ignore[attr-defined]
            state.push(bids[-1])
        if state.hub is not None:
            winner = [each.tile for each in bids].index(state.hub)  # type: ignore[attr-defined]
            assert state.turn == 1 - winner


def test_without_a_double_everybody_deals_again() -> None:
    state = State.start(None, 2, Random(1))
    for _ in range(2):
        state.push(next(each for each in state.legal() if not each.tile.is_double))  # type: ignore[attr-defined]
    assert state.chance == "deal" and state.tokens == (0, 0)


def test_going_out_on_anothers_line_draws_first_and_the_round_goes_on() -> None:
    """T-N3."""
    state = table(("3-4", "0-4 0-5"), "3-3", ("", ""))
    state.play(Play(Tile(3, 4), 1, "hand", None))
    assert len(state.hands[0]) == 1 and state.turn == 1 and state.chance is None


def test_going_out_on_ones_own_line_or_with_a_station_ends_the_round() -> None:
    for line, tile in (("", "3-4"), ("3-5", "5-5")):
        state = table((tile, "0-4 0-5"), "3-3", (line, ""))
        state.play(Play(Tile.parse(tile), 0, "hand", None))
        assert state.chance == "deal" and state.tokens == (1, 0)


def test_a_yard_play_replaced_by_the_last_hand_tile_goes_out() -> None:
    state = table(("0-1", "0-4 0-5"), "3-3", ("", ""), yards=("3-6", ""))
    state.play(Play(Tile(3, 6), 0, "yard", Tile(0, 1)))
    assert state.chance == "deal" and Tile(0, 1) in state.yards[0]
    other = table(("0-1", "0-4 0-5"), "3-3", ("", ""), yards=("3-6", ""))
    other.play(Play(Tile(3, 6), 1, "yard", Tile(0, 1)))
    assert other.chance is None and len(other.hands[0]) == 1, "the tile is drawn after the replacement"


def test_with_nothing_to_draw_anothers_line_is_open_only_at_an_incomplete_station() -> None:
    """T-N4."""
    state = table(("3-4 1-2", "0-4 0-5"), "3-3", ("", ""), boneyard="")
    assert "play 3-4 0 hand -" in texts(state) and "play 3-4 1 hand -" not in texts(state)
    assert state.verify(Play(Tile(3, 4), 1, "hand", None)).rule == "foreign-line"
    assert PASS in state.legal() and state.verify(DRAW).rule == "boneyard-empty"
    state = table(("1-4 1-2", "0-4 0-5"), "3-3", ("", "3-1 1-1"), boneyard="")
    assert texts(state) == {"play 1-4 1 hand -", "play 1-2 1 hand -"}


def test_a_station_then_a_track_on_another_line_obliges_the_next_player() -> None:
    """T-N5."""
    state = table(("4-4 1-3 0-0", "4-5 2-5"), "3-3", ("3-4", ""))
    state.play(Play(Tile(4, 4), 0, "hand", None))
    assert state.phase == "chain" and state.turn == 0 and END in state.legal()
    state.play(Play(Tile(1, 3), 1, "hand", None))
    assert state.turn == 1 and len(state.hands[0]) == 2, "it drew for the foreign line"
    assert texts(state) == {"play 4-5 0 hand -", "remove"}
    assert state.verify(Play(Tile(2, 5), 1, "hand", None)).rule == "match"
    assert state.verify(DRAW).rule == "incomplete-station"
    hand = len(state.hands[1])
    state.play(Play(Tile(4, 5), 0, "hand", None))
    assert len(state.hands[1]) == hand - 1, "completing needs no draw"


def test_who_cannot_complete_draws_and_may_play_the_drawn_tile_only_there() -> None:
    state = table(("0-0 2-3", "4-4 2-5"), "3-3", ("", "3-1 1-1"), boneyard="3-5 1-6")
    assert texts(state) == {"draw"}
    state.play(DRAW)
    assert state.drawn == Tile(3, 5) and texts(state) == {"end"}
    assert state.verify(Play(Tile(3, 5), 0, "yard", Tile(0, 0))).rule == "incomplete-station"
    state.play(END)
    state = table(("0-0 2-3", "4-4 2-5"), "3-3", ("", "3-1 1-1"), boneyard="1-6 3-5")
    state.play(DRAW)
    assert texts(state) == {"play 1-6 1 yard 0-0", "play 1-6 1 yard 2-3", "end"}


def test_by_lenient_obligation_one_may_draw_though_one_could_complete_but_not_play_elsewhere() -> None:
    state = table(("1-4 3-4", "0-4 0-5"), "3-3", ("", "3-1 1-1"), obligation="lenient")
    assert texts(state) == {"play 1-4 1 hand -", "draw"}


def test_the_owner_may_remove_an_incomplete_station_and_then_plays_normally() -> None:
    state = table(("1-4 3-4", "0-4 0-5"), "3-3", ("3-1 1-1", ""))
    assert texts(state) == {"remove", "play 1-4 0 hand -"}
    state.play(REMOVE)
    assert "draw" in texts(state) and "play 3-4 0 hand -" in texts(state) and state.turn == 0
    ending = table(("1-4 3-4", "0-4 0-5"), "3-3", ("3-1 1-1", ""), remove_ends_turn=True)
    ending.play(REMOVE)
    assert ending.turn == 1


def test_bared_stations_count_as_incomplete_where_so_agreed() -> None:
    for flag in (False, True):
        state = table(("1-4 3-4", "0-4 0-5"), "3-3", ("", "3-1 1-1"), bared=(1,), bared_counts_incomplete=flag)
        assert (DRAW in state.legal()) == (not flag)
        held = len(state.hands[0])
        state.play(Play(Tile(1, 4), 1, "hand", None))
        assert len(state.hands[0]) == held - 1 + (not flag)


def test_with_the_boneyard_empty_removed_track_becomes_the_boneyard_at_once() -> None:
    state = table(("1-4 3-4", "0-4 0-5"), "3-3", ("3-1 1-6 6-2", ""), boneyard="")
    state.play(REMOVE)
    assert state.chance == "shuffle" and len(state.scrap) == 3
    state.play(state.random_chance(Random(1)))
    assert state.chance is None and len(state.boneyard) == 2 and not state.scrap and len(state.yards[0]) == 1


def test_the_scrap_waits_until_a_tile_is_needed_where_so_agreed() -> None:
    for flag, chance in (("immediate", "shuffle"), ("when_needed", None)):
        state = table(("1-4 3-4", "0-4 0-5"), "3-3", ("3-1 1-6 6-2", ""), boneyard="0-0", reshuffle=flag)
        state.play(REMOVE)
        assert state.chance == chance and not state.boneyard
    assert len(state.scrap) == 3
    state.play(DRAW)
    assert state.chance == "shuffle"


def test_a_drawn_station_earns_a_further_play_unless_agreed_otherwise() -> None:
    for flag in (True, False):
        state = table(("1-4 3-4", "0-4 0-5"), "3-3", ("3-1", ""), boneyard="1-1 0-0", after_draw_chain=flag)
        state.play(DRAW)
        state.play(Play(Tile(1, 1), 0, "yard", Tile(3, 4)))
        assert (state.phase, state.turn) == (("chain", 0) if flag else ("turn", 1))


def test_all_passing_in_a_row_with_nothing_to_draw_ends_the_round() -> None:
    state = table(("4-4", "5-5"), "3-3", ("", ""), boneyard="")
    state.play(PASS)
    state.play(PASS)
    assert state.chance == "deal" and sum(state.tokens) == 1


def test_tied_players_all_take_a_token_and_may_share_the_win() -> None:
    """T-N7."""
    def tied(flag: str) -> Any:
        state = table(("1-4", "2-4 0-5"), "3-3", ("", ""), boneyard="", token_tie=flag)
        state.yards, state.hands = ((Tile(5, 5),), (Tile(4, 6),)), ((Tile(0, 0),), (Tile(0, 0),))
        state.tokens = (2, 2)
        state.push(PASS)
        state.push(PASS)
        return state

    shared = tied("shared").outcome()
    assert shared is not None and shared.winners == (0, 1) and shared.scores == (10, 10)
    assert tied("play_on").outcome() is None


def test_anothers_line_is_not_begun_where_so_agreed() -> None:
    state = table(("3-4 1-2", "0-4 0-5"), "3-3", ("", ""), start_foreign_line=False)
    assert "play 3-4 1 hand -" not in texts(state)


def test_who_draws_under_a_strict_obligation_holds_nothing_that_completes() -> None:
    state = table(("0-0 2-3", "4-4 2-5"), "3-3", ("", "3-1 1-1"))
    state.play(DRAW)
    assert all(Tile(1, 5) in slot for slot in state.view(1).slots[0])


def test_after_a_flip_the_boneyard_is_a_known_set() -> None:
    state = table(("1-4 3-4", "0-4 0-5"), "3-3", ("3-1 1-6 6-2", ""), boneyard="")
    state.play(REMOVE)
    state.play(state.random_chance(Random(1)))
    view = state.view(0)
    for _ in range(10):
        sample = view.sample(Random(_))
        assert set(sample.boneyard) == set(state.boneyard)


def test_a_sample_reaches_every_table_that_is_possible() -> None:
    state = table(("0-0 2-3", "4-4 1-5 2-5"), "3-3", ("3-1 1-1", ""), boneyard="3-5 1-6", turn=1)
    state.slots = ((frozenset(),) * 2, (frozenset({Tile(1, 5), Tile(1, 6)}),) * 2 + (frozenset(),))
    view = state.view(0)
    worlds = {frozenset(hand) for hand in combinations(view.unseen(), 3) if len({Tile(1, 5), Tile(1, 6)} & {*hand}) < 2}
    reached = {frozenset(view.sample(Random(seed)).hands[1]) for seed in range(250)}
    assert reached == worlds and len(worlds) == 7


@given(seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_tiles_are_conserved_and_a_completing_play_ends_the_turn(seed: int) -> None:
    rng = Random(seed)
    state: Any = State.start(random_rules("engine191", rng), rng.choice((2, 3, 4)), rng)
    for _ in range(120):
        deal_on(state, rng)
        if state.outcome():
            break
        assert Counter(state.seen()) == Counter(state.kit)
        for slots, hand, bid_tile, shown in zip(state.slots, state.hands, state.bids, state.shown, strict=True):
            rest = [tile for tile in (*hand, bid_tile) if tile and tile not in shown]
            if rest:
                deal_to_slots(slots, rest, rng)
        if state.rules.reshuffle == "immediate" and not state.boneyard:
            assert not state.scrap
        action = choose(state.legal(), rng)
        completes = isinstance(action, Play) and action.line in turns.incomplete(state) and state.phase == "turn"
        seat = state.turn
        state.push(action)
        if completes and not state.chance:
            assert state.turn != seat


@pytest.mark.parametrize(("change", "words"), [
    ({"phase": "bid"}, "main station"), ({"hands": [["9-9"], ["0-1"]]}, "no 9-9"), ({"bared": [True, False]}, "bared"),
    ({"lines": [[[0, 0]], []]}, "0-0"), ({"turn": 2}, "no seat 2"), ({"phase": "draw"}, "no phase"),
])
def test_a_table_that_cannot_be_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    data = table(("1-4 3-4", "0-4 0-5"), "3-3", ("", "")).to_exchange() | change
    with pytest.raises(MalformedError, match=words):
        State.from_exchange(data)
