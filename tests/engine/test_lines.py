"""The booklet's line games, rule by rule: Block & Draw, All Fives, Matador, One-Arm Joe."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import UNKNOWN, IllegalError, MalformedError
from engine.games import GAMES
from engine.hidden import deal_to_slots
from engine.lines import all_fives, block, matador, one_arm_joe
from engine.lines.actions import CLAIM, DRAW, PASS, SKIP, Deal, Muggins, Play
from engine.lines.line import Line
from engine.lines.rounds import blocked_gains, domino_gains, identity, nearest_five
from engine.pieces import DOUBLE_SIX, Tile
from engine.playout import choose
from tests.engine.laws import random_rules

LINE_GAMES = ("block", "all-fives", "matador", "one-arm-joe")


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, text.split()))


def dealt(kind: type[Line], *hands: str, boneyard: str = "", **flags: Any) -> Any:
    """A round with these tiles in the hands (filled up with low singles) and next in the boneyard."""
    state = kind(kind.Rules.of(flags), len(hands))
    chosen = [tiles(hand) for hand in hands]
    named = {tile for hand in (*chosen, tiles(boneyard)) for tile in hand}
    rest = sorted((tile for tile in state.kit.tiles if tile not in named), key=lambda tile: (tile.is_double, tile.pips))
    full = []
    for hand in chosen:
        while len(hand) < state.kit.hand:
            hand = (*hand, rest.pop(0))
        full.append(hand)
    starter = state.starter_of(tuple(full))
    state.play(Deal(tuple(full), (*tiles(boneyard), *rest), 0 if starter is None else starter))
    return state


def do(state: Any, *texts: str) -> None:
    for text in texts:
        state.play(state.parse_action(text))


@pytest.mark.parametrize(("name", "players", "hand"), [
    ("block", 2, 5), ("block", 4, 5), ("all-fives", 2, 7), ("all-fives", 3, 5), ("matador", 2, 7), ("matador", 4, 5),
    ("one-arm-joe", 2, 3), ("one-arm-joe", 4, 3),
])
def test_everybody_takes_as_many_tiles_as_the_game_says(name: str, players: int, hand: int) -> None:
    """4.1 to 4.4, C13."""
    state: Any = GAMES[name].start(None, players, Random(4))
    assert {len(each) for each in state.hands} == {hand}
    assert len(state.boneyard) == 28 - players * hand


def test_the_highest_double_leads_and_nothing_else_may() -> None:
    state = dealt(block.State, "4-4 6-5", "5-5 6-3")
    assert state.turn == 1
    assert [str(action) for action in state.legal()] == ["play 5-5 root -"]
    verdict = state.verify(Play(Tile(3, 6), "root", None))
    assert not verdict and verdict.rule == "lead" and "5-5" in verdict.sentence


def test_without_a_double_block_and_draw_deals_again_and_all_fives_leads_the_highest_single() -> None:
    """C5."""
    with pytest.raises(IllegalError, match="dealt again"):
        dealt(block.State, "5-6 0-1", "4-6 0-2")
    state = dealt(all_fives.State, "4-6 0-1", "5-6 0-2")
    assert [str(action) for action in state.legal()] == ["play 5-6 root -"]
    do(state, "play 5-6")
    assert state.scores() == (0, 0), "eleven is no multiple of five"


def test_who_can_play_must_and_who_cannot_draws_until_a_tile_fits() -> None:
    state = dealt(block.State, "6-6 0-1 0-2 0-3 0-4", "1-2 1-3 1-4 1-5 2-3", boneyard="2-4 3-4 6-3")
    do(state, "play 6-6")
    assert state.legal() == [DRAW]
    assert state.verify(PASS).rule == "must-draw"
    do(state, "draw", "draw", "draw")
    assert {str(action) for action in state.legal()} == {"play 3-6 left 3", "play 3-6 right 3"}
    assert state.verify(DRAW).rule == "must-play" and "3-6" in state.verify(DRAW).sentence


def test_after_drawing_and_playing_no_tile_left_in_the_hand_carries_an_open_number() -> None:
    state = dealt(block.State, "6-6 0-1 0-2 0-3 0-4", "1-2 1-3 1-4 1-5 2-3", boneyard="2-4 3-4 6-3")
    do(state, "play 6-6", "draw", "draw", "draw", "play 3-6 left")
    slots = state.view(0).knowledge()[1]
    assert len(slots) == 7 and all(Tile(0, 6) in slot for slot in slots)


def test_the_reserve_stays_in_the_boneyard() -> None:
    state = dealt(block.State, "6-6 0-1 0-2 0-3 0-4", "1-2 1-3 1-4 1-5 2-3", boneyard="2-4 3-4", reserve=2)
    do(state, "play 6-6")
    while state.legal() == [DRAW]:
        state.push(DRAW)
    assert len(state.boneyard) >= 2


def test_domino_earns_the_pips_of_all_opponents() -> None:
    assert domino_gains([0, 7, 12], 0, identity) == [19, 0, 0]


def test_a_blocked_round_of_45_and_37_pips_gives_eight_to_the_second() -> None:
    """4.1, C3."""
    first = ["5-5", "4-5", "3-5", "2-5", "3-3", "2-3"]
    right, left = [[6, 1], [1, 2], [2, 6], [6, 0], [0, 5], [5, 6]], [[6, 3], [3, 4], [4, 4], [4, 6]]
    laid = {Tile(6, 6), *(Tile.of(*ends) for ends in left + right)}
    second = [str(tile) for tile in DOUBLE_SIX if tile not in laid and str(tile) not in first]
    data = block.State.start(None, 2, Random(1)).to_exchange() | {
        "phase": "play", "turn": 0, "hands": [first, second], "boneyard": [], "root": "6-6",
        "arms": {"left": left, "right": right}}
    state = block.State.from_exchange(data)
    assert [sum(tile.pips for tile in hand) for hand in state.hands] == [45, 37]
    assert state.legal() == [PASS]
    do(state, "pass", "pass")
    assert state.scores() == (0, 8)
    assert blocked_gains([45, 37], block.Rules(), identity) == ([1], [0, 8])


@pytest.mark.parametrize(("flag", "points"), [("per_opponent", 21), ("sum_minus_own", 26), ("sum_all", 31)])
def test_blocked_with_5_19_and_12_by_each_formula(flag: str, points: int) -> None:
    """C3."""
    assert blocked_gains([5, 19, 12], block.Rules(blocked=flag), identity) == ([0], [points, 0, 0])


def test_tied_lowest_hands_score_nothing_or_each() -> None:
    assert blocked_gains([5, 5, 12], block.Rules(), identity) == ([0, 1], [0, 0, 0])
    assert blocked_gains([5, 5, 12], block.Rules(blocked_tie="each"), identity) == ([0, 1], [7, 7, 0])


def test_rounding_once_or_hand_by_hand() -> None:
    """A6."""
    assert domino_gains([0, 12, 11], 0, nearest_five) == [25, 0, 0]
    assert domino_gains([0, 12, 11], 0, nearest_five, each_hand=True) == [20, 0, 0]
    assert domino_gains([0, 7, 8], 0, nearest_five) == domino_gains([0, 7, 8], 0, nearest_five, each_hand=True) == [15, 0, 0]


@pytest.mark.parametrize("name", LINE_GAMES)
def test_a_round_is_blocked_when_all_have_passed_in_a_row(name: str) -> None:
    rng = Random(11)
    kind: Any = GAMES[name]
    blocked = 0
    for _ in range(300):
        state = kind.start(None, 2, rng)
        while not state.chance and state.outcome() is None:
            state.push(choose(state.legal(), rng))
        if state.ending != "blocked":
            continue
        blocked += 1
        assert state.pushed[-2:] == (PASS, PASS)
        pips = [sum(tile.pips for tile in hand) for hand in state.hands]
        gain = abs(pips[0] - pips[1])
        winner = int(pips[1] < pips[0])
        if name == "all-fives":
            assert state.match[winner] >= nearest_five(gain)
        else:
            assert state.match[winner] == gain and state.match[1 - winner] == 0
    assert blocked > 3


@pytest.mark.parametrize("name", LINE_GAMES)
def test_the_first_with_a_hundred_wins_and_the_highest_of_several(name: str) -> None:
    rng = Random(2)
    for players in (2, 3, 4):
        state = GAMES[name].start(None, players, rng)
        while state.outcome() is None:
            state.push(state.random_chance(rng) if state.chance else choose(state.legal(), rng))
        outcome = state.outcome()
        assert outcome is not None and max(outcome.scores) >= 100
        assert outcome.winners == (outcome.scores.index(max(outcome.scores)),)


def test_the_winner_leads_any_tile_where_so_agreed() -> None:
    rng = Random(5)
    state = block.State.start(block.Rules(next_start="winner"), 2, rng)
    while state.chance is None:
        state.push(choose(state.legal(), rng))
    leader = state.leader
    state.push(state.random_chance(rng))
    assert leader is not None and state.turn == leader and len(state.legal()) == 5


def test_after_a_blocked_tie_the_highest_double_leads_again_and_the_text_says_so() -> None:
    state = block.State.start(block.Rules(next_start="winner"), 2, Random(5))
    state.match, state.leader = (30, 12), None
    again = block.State.from_text(state.text())
    assert again == state and again.legal() == state.legal() and len(state.legal()) == 1


def test_fosters_all_fives_sequence_scores_ten_four_times() -> None:
    """A2: the sequence of Foster's Hoyle, which plays without a spinner."""
    state = dealt(all_fives.State, "5-5 0-0 0-4", "0-5 5-6")
    do(state, "play 5-5")
    assert state.scores() == (10, 0)
    do(state, "play 0-5 left")
    assert state.scores() == (10, 10)
    do(state, "play 0-0 left")
    assert state.scores() == (20, 10)
    do(state, "play 5-6 right")
    assert state.scores() == (20, 10)
    do(state, "play 0-4 left")
    assert state.scores() == (30, 10)


def ends_sum(left: list[tuple[int, int]], right: list[tuple[int, int]], root: str) -> int:
    state = all_fives.State.start(None, 2, Random(1))
    state.root = Tile.parse(root)
    state.left_arm, state.right_arm = tuple(left), tuple(right)
    return state.ends_sum()


def test_four_and_one_score_five_and_a_double_three_beside_a_four_scores_ten() -> None:
    """A1, A3: a double at an open end counts both its halves."""
    assert ends_sum([(6, 1)], [(6, 2), (2, 4)], "6-6") == 5
    assert ends_sum([(6, 3), (3, 3)], [(6, 4)], "6-6") == 10
    state = dealt(all_fives.State, "6-6 2-4 0-3", "1-6 2-6")
    do(state, "play 6-6", "play 1-6 left")
    assert state.scores() == (0, 0), "twelve and one"
    state.hands = (tiles("2-6 0-3"), tiles("2-4 0-4"))
    do(state, "play 2-6 right", "play 2-4 right")
    assert state.scores() == (0, 5)


def test_the_first_double_counts_once_while_alone_and_twice_with_one_side_covered() -> None:
    """A2: and the most there can be is 20, a 4-4 and a 6-6."""
    assert ends_sum([], [], "5-5") == 10 and ends_sum([], [(5, 0)], "5-5") == 10
    assert max(ends_sum([(0, one), (one, one)], [(0, other), (other, other)], "0-0")
               for one in range(1, 7) for other in range(1, 7) if one != other and (one + other) % 5 == 0) == 20
    assert ends_sum([(0, 4), (4, 4)], [(0, 6), (6, 6)], "0-0") == 20


def test_going_out_with_a_scoring_play_earns_both() -> None:
    """A7: the play's points and the round's."""
    state = dealt(all_fives.State, "5-5 0-4", "0-5 0-1")
    do(state, "play 5-5", "play 0-5 left")
    assert state.scores() == (10, 10)
    state.hands = (tiles("0-0"), tiles("1-2 1-3"))
    do(state, "play 0-0 left")
    assert state.scores() == (10 + 10 + 5, 10), "ten for the ends, seven pips rounded to five"


def test_at_a_spinner_the_sides_open_when_both_ends_are_covered() -> None:
    state = dealt(all_fives.State, "6-6 0-6 4-6", "1-6 2-6 5-6", spinner="first_double")
    do(state, "play 6-6", "play 1-6 left")
    assert {arm for arm, _ in state.open_ends()} == {"left", "right"}
    do(state, "play 0-6 right")
    assert dict(state.open_ends()) == {"left": 1, "right": 0, "up": 6, "down": 6}
    do(state, "play 5-6 up")
    assert state.ends_sum() == 6 and state.scores() == (0, 0)
    do(state, "play 4-6 down")
    assert state.ends_sum() == 10 and state.scores() == (10, 0)


def test_in_five_up_every_double_is_a_spinner() -> None:
    state = dealt(all_fives.State, "6-6 1-3 4-6", "1-6 1-1 5-6", spinner="all")
    do(state, "play 6-6", "play 1-6 left", "play 4-6 right", "play 1-1 left", "play 1-3 left")
    assert {("left.1.up", 1), ("left.1.down", 1), ("root.up", 6)} <= set(state.open_ends())
    with pytest.raises(MalformedError):
        all_fives.State.dump_rules(state.rules)


def test_points_not_claimed_can_be_called_after_the_next_play_and_then_lapse() -> None:
    state = dealt(all_fives.State, "5-5 0-0", "0-5 5-6", "1-5 2-5", muggins="call")
    do(state, "play 5-5")
    assert state.phase == "claim" and state.legal() == [CLAIM, SKIP]
    do(state, "skip", "play 0-5 left")
    assert state.turn == 1 and state.legal() == [Muggins(0), SKIP]
    assert state.verify(Play(Tile(0, 0), "left", 0)).rule == "claim-first"
    missed = state.copy()
    do(state, "muggins 0")
    assert state.scores() == (0, 10, 0)
    assert state.turn == 1 and state.legal() == [CLAIM, SKIP], "now the mover's own ten"
    do(state, "claim")
    assert state.scores() == (0, 20, 0) and state.turn == 2 and state.phase == "play"
    do(missed, "skip")
    assert missed.turn == 2
    do(missed, "skip", "claim")
    assert missed.scores() == (0, 10, 0)


def test_pegging_out_ends_the_game_with_the_play() -> None:
    state = dealt(all_fives.State, "5-5 0-0", "0-5 5-6", peg_out=True)
    state.match = (95, 0)
    do(state, "play 5-5")
    outcome = state.outcome()
    assert outcome is not None and outcome.scores == (105, 0) and outcome.winners == (0,)


def test_in_matador_a_six_wants_a_one_and_a_three_a_four() -> None:
    """M1."""
    state = dealt(matador.State, "6-6 4-2", "1-3 6-3")
    do(state, "play 6-6")
    assert state.verify(Play(Tile(1, 3), "left", 3)) and not state.verify(Play(Tile(3, 6), "left", 3))
    other = state.copy()
    other.hands = (tiles("2-4 0-2"), tiles("1-1 3-6"))
    do(other, "play 1-1 left", "draw")
    other.hands, other.turn = (tiles("2-4"), tiles("3-6 0-0")), 1
    do(other, "play 3-6 left")
    assert other.left == 3 and other.verify(Play(Tile(2, 4), "left", 2)), "a 4-2 may be played on a 6-3"
    do(state, "play 1-3 left")
    assert state.verify(Play(Tile(2, 4), "left", 2))
    assert state.verify(Play(Tile(2, 4), "right", 2)).rule == "match"


def test_a_matador_goes_on_a_blank_either_way_round_and_nothing_else_does() -> None:
    state = dealt(matador.State, "0-0 1-6 3-4", "2-5 0-1 0-2 0-3 0-4 0-5 0-6")
    do(state, "play 0-0")
    plays = [str(action) for action in state.legal() if action != DRAW]
    assert sorted(plays) == ["play 2-5 left 2", "play 2-5 left 5", "play 2-5 right 2", "play 2-5 right 5"]
    dead = dealt(matador.State, "0-0 1-6 3-4", "2-5", matadors="off")
    do(dead, "play 0-0")
    assert dead.legal() == [DRAW]


def test_matador_may_draw_with_a_playable_tile_as_the_flag_says() -> None:
    for flag, draws in (("any", 3), ("one", 1), ("none", 0)):
        state = dealt(matador.State, "6-6 4-2", "1-3 6-3", voluntary_draw=flag)
        do(state, "play 6-6")
        for _ in range(draws):
            assert DRAW in state.legal()
            state.play(DRAW)
            assert state.drawn
        assert (DRAW in state.legal()) == (flag == "any")


def test_in_matador_a_draw_tells_nothing_but_a_pass_does() -> None:
    state = dealt(matador.State, "6-6 4-2", "0-1 6-3")
    do(state, "play 6-6", "draw")
    assert not any(state.knowledge()[1])


def test_one_arm_joe_has_one_open_end_and_a_play_on_a_double_earns_one_more() -> None:
    state = dealt(one_arm_joe.State, "6-6 0-1", "3-6 3-5 0-2")
    do(state, "play 6-6")
    assert state.turn == 1, "leading the double earns nothing"
    assert [str(action) for action in state.legal()] == ["play 3-6 right 3"]
    do(state, "play 3-6")
    assert state.phase == "bonus" and state.turn == 1
    assert [str(action) for action in state.legal()] == ["play 3-5 right 5", "skip"]
    do(state, "play 3-5")
    assert state.turn == 0 and state.phase == "play"


def test_by_the_other_reading_playing_a_double_earns_the_bonus() -> None:
    state = dealt(one_arm_joe.State, "6-6 4-6", "4-4 4-5", bonus="plays_double")
    do(state, "play 6-6")
    assert state.phase == "bonus" and state.turn == 0
    do(state, "play 4-6")
    assert state.turn == 1
    do(state, "play 4-4")
    assert state.phase == "bonus" and state.turn == 1
    do(state, "play 4-5 right")
    assert state.turn == 0


@pytest.mark.parametrize("name", LINE_GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_tiles_are_conserved_and_the_truth_is_never_ruled_out(name: str, seed: int) -> None:
    rng = Random(seed)
    kind: Any = GAMES[name]
    state = kind.start(random_rules(name, rng), rng.choice((2, 3, 4)), rng)
    for _ in range(rng.randrange(80)):
        if state.chance or state.outcome():
            break
        state.push(choose(state.legal(), rng))
    everything = Counter(state.seen())
    assert everything == Counter(state.kit.tiles)
    for slots, hand in zip(state.knowledge(), state.hands, strict=True):
        if hand:
            deal_to_slots(slots, hand, rng)


def test_a_sample_reaches_every_deal_that_is_possible() -> None:
    rng = Random(8)
    for _ in range(200):
        state = block.State.start(None, 3, rng)
        while not state.chance and len(state.view(0).unseen()) > 5:
            state.push(choose(state.legal(), rng))
        view = state.view(0)
        slots = [slot for seat in (1, 2) for slot in view.knowledge()[seat]]
        if state.chance or len(set(slots)) < 2:
            continue
        stock = [frozenset[Tile]()] * len(view.boneyard)
        worlds = {order for order in permutations(view.unseen())
                  if all(tile not in slot for tile, slot in zip(order, slots + stock, strict=True))}
        sizes = [len(hand) for hand in view.hands[1:]]
        wanted = {(frozenset(world[: sizes[0]]), frozenset(world[sizes[0] : sum(sizes)])) for world in worlds}
        reached = set()
        for _ in range(60 * len(wanted)):
            sample = view.sample(rng)
            reached.add((frozenset(sample.hands[1]), frozenset(sample.hands[2])))
        assert reached == wanted
        return
    pytest.fail("no small case came up")


def test_a_camera_waits_for_the_hands_at_the_end_of_a_round() -> None:
    state = dealt(block.State, "6-6 0-1 0-2 0-3 0-4", "1-6 1-2 1-3 1-4 1-5")
    camera = state.project()
    camera.hands = (camera.hands[0][:1], camera.hands[1])
    camera.push(Play(Tile(6, 6), "root", None))
    assert camera.chance == "show" and not camera.legal()
    assert UNKNOWN in camera.hands[1]


@pytest.mark.parametrize(("change", "words"), [
    ({"hands": [["6-6", "6-6"], ["1-2"]]}, "6-6"), ({"hands": [["9-9"], ["1-2"]]}, "9-9"), ({"turn": 5}, "seat 5"),
    ({"turn": None}, "phase"), ({"phase": "draw"}, "phase"), ({"match": [0]}, "one number per seat"), ({"passes": True}, "not a"),
    ({"surprise": 1}, "surprise"), ({"spinner": "6-6"}, "spinner"),
])
def test_a_table_that_cannot_be_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    data = block.State.start(None, 2, Random(1)).to_exchange() | change
    with pytest.raises(MalformedError, match=words):
        block.State.from_exchange(data)


def test_bad_input_gets_one_of_three_errors_and_changes_nothing() -> None:
    state = dealt(block.State, "6-6 0-1", "5-6 1-6")
    do(state, "play 6-6")
    before = state.text()
    with pytest.raises(MalformedError, match="no rule flag 'spinner'"):
        block.Rules.of({"spinner": "none"})
    with pytest.raises(MalformedError, match="reserve cannot be '3'"):
        block.Rules.parse("reserve=3")
    with pytest.raises(MalformedError, match="not a state of matador"):
        matador.State.from_text(before)
    with pytest.raises(MalformedError, match="not for 5"):
        block.State(None, 5)
    with pytest.raises(MalformedError, match="no action 'buy'"):
        state.parse_action("buy 3")
    with pytest.raises(ValueError, match="could be play 5-6 left 5 or play 5-6 right 5"):
        state.parse_action("play 5-6")
    with pytest.raises(IllegalError, match="not in this hand"):
        state.parse_action("play 0-1 left 0")
    assert state.text() == before
