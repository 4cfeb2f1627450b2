"""The rules of Mexican Train, as RULES.md numbers them."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest

from engine.actions import Show
from engine.core import UNKNOWN, IllegalError, MalformedError
from engine.games import GAMES
from engine.mexican_train.actions import DRAW, END, PASS, Deal, Play
from engine.mexican_train.game import Rules, State
from engine.pieces import DOUBLE_TWELVE, Tile
from engine.playout import choose

Ends = list[tuple[int, int]]


def table(hands: list[str], trains: dict[int, Ends] | None = None, flags: str = "", boneyard: str | None = None,
          **values: Any) -> State:
    """A table with seat 0 to move: hands as texts, trains by number. The other tiles are the boneyard, or the last hand's."""
    seats, engine = len(hands), values.pop("engine", 12)
    dealt = [text.split() for text in hands]
    laid = [list((trains or {}).get(train, [])) for train in range(seats + 1)]
    used = {tile for hand in dealt for tile in hand} | {str(Tile.of(*ends)) for train in laid for ends in train}
    used |= {f"{engine}-{engine}", *(boneyard or "").split()}
    rest = [str(tile) for tile in DOUBLE_TWELVE if str(tile) not in used]
    if boneyard is not None:
        dealt[-1] += rest
    data = {
        "turn": 0, "phase": "play", "hands": dealt, "boneyard": rest if boneyard is None else boneyard.split(), "engine": engine,
        "trains": laid, "marked": [False] * seats, "double": None, "begun": [True] * seats, "passes": 0, "starter": 0,
        "match": [0] * seats,
    }  # fmt: skip
    return State.from_exchange(data | values, Rules.parse(flags))


def texts(state: State) -> list[str]:
    return sorted(map(str, state.legal()))


def broken(state: State, action: Any) -> str:
    verdict = state.verify(action)
    assert not verdict
    return verdict.rule


def tile(text: str) -> Tile:
    return Tile.parse(text)


@pytest.mark.parametrize(("players", "flags", "size"), [
    (2, "", 16), (3, "", 16), (4, "", 15), (5, "", 14), (6, "", 12), (7, "", 10), (8, "", 9),
    (2, "hands=few", 15), (5, "hands=few", 12)])
def test_the_engine_lies_in_the_middle_and_everybody_takes_as_many(players: int, flags: str, size: int) -> None:
    state = State.start(Rules.parse(flags), players, Random(1))
    assert state.engine == 12 and {len(hand) for hand in state.hands} == {size}
    assert len(state.boneyard) == 90 - size * players and tile("12-12") not in state.seen()[:-1]


def test_a_tile_goes_on_the_own_train_and_on_the_mexican_but_on_no_closed_one() -> None:
    state = table(["1-12 2-3", "4-5"], {1: [(12, 3)]})
    assert texts(state) == ["play 1-12 0", "play 1-12 2"]
    assert broken(state, Play(tile("2-3"), 1)) == "train"
    assert broken(state, Play(tile("2-3"), 0)) == "match"
    assert broken(state, Play(tile("6-12"), 0)) == "not-your-tile"


def test_a_marker_opens_a_train_to_all() -> None:
    state = table(["1-12 2-3", "4-5"], {1: [(12, 3)]}, marked=[False, True])
    assert "play 2-3 1" in texts(state)
    state.push(Play(tile("2-3"), 1))
    assert state.trains[1] == ((12, 3), (3, 2)) and state.marked == (False, True), "only its owner closes it again"


def test_laying_on_the_own_train_takes_its_marker_away() -> None:
    state = table(["1-12 2-3", "4-5"], marked=[True, False])
    state.push(Play(tile("1-12"), 2))
    assert state.marked[0]
    state.pop()
    state.push(Play(tile("1-12"), 0))
    assert not state.marked[0]


def test_who_can_lay_must_and_who_cannot_draws_one_and_passes_with_a_marker() -> None:
    state = table(["1-12 2-3", "4-5"])
    assert broken(state, DRAW) == broken(state, PASS) == "must-play"
    state = table(["2-3 2-4", "4-5"])
    assert texts(state) == ["draw"] and broken(state, PASS) == "must-draw"
    state.push(DRAW)
    assert state.hands[0][-1] == tile("0-0") and texts(state) == ["pass"] and broken(state, DRAW) == "one-draw"
    state.push(PASS)
    assert state.turn == 1 and state.marked == (True, False)


def test_a_drawn_tile_that_fits_is_laid() -> None:
    state = table(["2-3", "4-5"], boneyard="6-12")
    state.push(DRAW)
    assert texts(state) == ["play 6-12 0", "play 6-12 2"] and broken(state, PASS) == "must-play"


def test_who_lays_a_double_covers_it_at_once_and_lays_nowhere_else() -> None:
    state = table(["3-3 3-4 5-12", "4-5"], {0: [(12, 3)]})
    state.push(Play(tile("3-3"), 0))
    assert state.turn == 0 and texts(state) == ["play 3-4 0"] and broken(state, Play(tile("5-12"), 2)) == "double"
    state.push(Play(tile("3-4"), 0))
    assert state.turn == 1 and state.double is None


def test_an_open_double_on_a_closed_train_is_covered_by_the_next_who_can() -> None:
    state = table(["3-3 5-12", "3-9 8-12", "1-2"], {0: [(12, 3)]})
    state.push(Play(tile("3-3"), 0))
    assert texts(state) == ["draw"]
    state.push(DRAW)
    state.push(PASS)
    assert state.turn == 1 and texts(state) == ["play 3-9 0"] and broken(state, Play(tile("8-12"), 1)) == "double"
    state.push(Play(tile("3-9"), 0))
    assert state.double is None and state.turn == 2


def test_a_double_waits_no_longer_when_all_its_tiles_lie_on_the_table() -> None:
    threes: Ends = [(12, 3), (3, 0), (0, 1), (1, 3), (3, 2), (2, 4), (4, 3), (3, 5), (5, 6), (6, 3), (3, 7), (7, 8), (8, 3),
                    (3, 9), (9, 10), (10, 3)]  # fmt: skip
    state = table(["3-3 5-12", "4-5"], {2: threes})
    state.push(Play(tile("3-3"), 2))
    assert state.must_cover() and state.turn == 0, "the 3-11 lies somewhere else"
    state = table(["3-3 5-12", "4-5"], {2: threes, 0: [(12, 11), (11, 3)]})
    state.push(Play(tile("3-3"), 0))
    assert not state.must_cover() and state.turn == 1


@pytest.mark.parametrize(("flags", "turn", "found"), [("doubles=later", 1, ["play 3-9 0"]),
                                                     ("doubles=free", 1, ["play 8-12 1", "play 8-12 2"])])
def test_by_other_rules_a_double_ends_the_turn(flags: str, turn: int, found: list[str]) -> None:
    state = table(["3-3 3-4", "3-9 8-12"], {0: [(12, 3)]}, flags)
    state.push(Play(tile("3-3"), 0))
    assert state.turn == turn and texts(state) == found


def test_the_first_turn_may_be_a_whole_train() -> None:
    state = table(["1-12 1-3 3-3 3-5 7-9", "4-5"], flags="first_turn=train", begun=[False, False])
    state.push(Play(tile("1-12"), 0))
    assert state.phase == "chain" and texts(state) == ["end", "play 1-3 0"]
    state.push(Play(tile("1-3"), 0))
    state.push(Play(tile("3-3"), 0))
    assert texts(state) == ["play 3-5 0"], "a double is covered first"
    state.push(Play(tile("3-5"), 0))
    assert texts(state) == ["end"] and broken(state, DRAW) == "first-train"
    state.push(END)
    assert state.turn == 1 and state.begun == (True, False) and broken(state, END) == "nothing-to-end"


def test_the_mexican_train_may_have_to_wait_for_the_second_turn() -> None:
    state = table(["1-12", "4-5"], flags="mexican=second_turn", begun=[False, False])
    assert texts(state) == ["play 1-12 0"] and broken(state, Play(tile("1-12"), 2)) == "mexican"


def test_the_last_tile_ends_the_round_a_double_too_and_the_double_blank_counts_fifty() -> None:
    for flags, blank in (("", 50), ("blank=zero", 0)):
        state = table(["3-3", "0-0 4-5"], {0: [(12, 3)]}, flags)
        state.push(Play(tile("3-3"), 0))
        assert state.chance == "deal" and state.ending == "out" and state.match == (0, blank + 9)


def test_a_photo_of_a_hand_counts_the_double_blank_fifty_in_this_game_alone() -> None:
    assert State.left_counts(tile("0-0")) == 50 and State.left_counts(tile("5-12")) == 17
    assert GAMES["block"].left_counts(tile("0-0")) == 0


def test_a_round_is_blocked_when_all_have_passed_since_a_train_was_last_opened() -> None:
    state = table(["2-3", "4-5", "6-7"], {0: [(12, 11)], 1: [(12, 10)], 2: [(12, 9)], 3: [(12, 8)]}, boneyard="")
    fitting = [each for each in state.hands[2] if {8, 9, 10, 11} & {*each}]
    assert fitting, "the last seat holds everything else"
    state.push(PASS)
    state.push(PASS)
    assert state.passes == 1, "the second pass opened a train, which is news"
    assert state.turn == 2 and all(isinstance(action, Play) for action in state.legal())


def test_a_blocked_round_counts_every_hand() -> None:
    state = table(["2-3", "4-5"], {2: [(12, 1)]}, marked=[True, True], passes=1, boneyard="")
    state.hands = (state.hands[0], (tile("4-5"),))
    state.push(PASS)
    assert state.ending == "blocked" and state.match == (5, 9)


@pytest.mark.parametrize(("flags", "starter"), [("", 1), ("next_start=winner", 0)])
def test_the_next_round_has_the_next_engine_and_begins_with(flags: str, starter: int) -> None:
    state = table(["3-12", "4-5", "1-2"], flags=flags)
    state.push(Play(tile("3-12"), 0))
    deal = state.random_chance(Random(1))
    assert isinstance(deal, Deal) and deal.starter == starter
    wrong = Deal(deal.hands, deal.boneyard, (starter + 1) % 3)
    assert broken(state, wrong) == "starter"
    state.push(deal)
    assert (state.engine, state.turn) == (11, starter) and tile("12-12") in state.seen() and not any(state.trains)


def test_the_fewest_points_win_after_the_last_round_and_equals_share() -> None:
    state = table(["3-12", "4-5", "1-2"], flags="rounds=1", match=[3, 0, 0])
    state.push(Play(tile("3-12"), 0))
    assert state.result is not None and state.result.winners == (0, 2) and state.result.scores == (3, 9, 3)


def test_who_drew_or_passed_holds_nothing_that_could_be_laid_then() -> None:
    state = table(["2-3 2-4", "4-5"]).project()
    state.push(DRAW)
    *held, drawn = state.slots[0]
    assert all(tile("7-12") in slot for slot in held) and not drawn
    state.push(PASS)
    assert all(tile("7-12") in slot for slot in state.slots[0])
    assert not any(12 in each for _ in range(20) for each in state.sample(Random(_)).hands[0])


def could_hold(hand: tuple[Tile, ...], events: list[tuple[str, Any]]) -> bool:
    """Whether a seat that was seen to do this may hold this now: some of it was dealt, and the rest drawn in some order."""
    played = [fact for what, fact in events if what == "play"]
    draws = sum(what == "draw" for what, _ in events)

    def agrees(drawn: tuple[Tile, ...]) -> bool:
        held, to_come = {*hand, *played} - set(drawn), list(drawn)
        for what, fact in events:
            if what == "play":
                if fact not in held:
                    return False
                held.remove(fact)
                continue
            if any(number in each for each in held for number in fact):
                return False
            if what == "draw":
                held.add(to_come.pop(0))
        return True

    return any(agrees(drawn) for drawn in permutations([*hand, *played], draws))


@pytest.mark.parametrize("seed", range(12))
def test_a_seat_may_hold_whatever_is_dealt_to_it_for_a_look_ahead(seed: int) -> None:
    rng = Random(seed)
    state = State.start(Rules(hands="few", doubles=rng.choice(("cover", "later", "free"))), rng.randrange(5, 9), rng)
    events: dict[int, list[tuple[str, Any]]] = {seat: [] for seat in range(state.players)}
    compared = 0
    for _ in range(rng.randrange(20, 60)):
        if state.turn is None:
            break
        action = choose(state.legal(), rng)
        fact = action.tile if isinstance(action, Play) else [end for _, end in state.targets()]
        events[state.turn].append((action.kind, fact))
        state.push(action)
    view = state.view(0)
    for seat in range(1, state.players):
        if sum(what == "draw" for what, _ in events[seat]) <= 2:
            for _ in range(10):
                assert could_hold(view.sample(rng).hands[seat], events[seat])
                compared += 1
    assert compared


def test_hands_are_shown_at_the_end_of_a_round_that_a_camera_followed() -> None:
    state = table(["3-12", "4-5"]).project()
    state.push(Play(tile("3-12"), 0))
    assert state.chance == "show" and broken(state, Show(1, (tile("3-12"),))) == "show"
    state.play(Show(1, (tile("4-5"),)))
    assert state.match == (0, 9) and UNKNOWN not in state.hands[1]


@pytest.mark.parametrize("spoilt", [
    {"trains": [[[11, 3]], [], []]}, {"double": 1}, {"double": 7}, {"engine": 13}, {"engine": 9.5}, {"marked": [True]},
    {"starter": 2}, {"phase": "over"}, {"passes": 3}, {"boneyard": []}], ids=str)
def test_a_table_that_cannot_be_is_refused(spoilt: dict[str, Any]) -> None:
    state = table(["1-12", "4-5"])
    with pytest.raises(MalformedError):
        State.from_exchange(state.to_exchange() | spoilt, state.rules)


@pytest.mark.parametrize("seed", range(3))
def test_most_random_rounds_end_with_an_empty_hand_or_blocked_and_points_never_fall(seed: int) -> None:
    rng = Random(seed)
    state = State(Rules(), rng.choice(State.SEATS))
    before, rounds = state.match, 0
    while state.result is None:
        if state.chance:
            with pytest.raises(IllegalError):
                state.play(PASS)
            rounds += 1
            state.play(state.random_chance(rng))
        state.push(choose(state.legal(), rng))
        assert all(now >= then for now, then in zip(state.match, before, strict=True))
        before = state.match
    assert rounds == 13
