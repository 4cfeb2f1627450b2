"""The booklet's games for one player, rule by rule: Knock-Out, Domino Elimination, Domino Solitaire."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.core import IllegalError, MalformedError
from engine.pieces import DOUBLE_SIX, Tile
from engine.playout import deal_on
from engine.solo import elimination, knock_out, solitaire
from engine.solo.common import STOP
from engine.solo.elimination import TOUCH
from engine.solo.knock_out import Knock, best_left
from engine.solo.solitaire import Cap, Move, Upright


def line(*ends: tuple[int, int], knock: str = "pair") -> Any:
    data = {"turn": 0, "phase": "play", "row": [list(each) for each in ends]}
    return knock_out.State.from_exchange(data, knock_out.Rules(knock=knock))


def test_two_tiles_whose_touching_halves_match_leave_and_the_gap_closes() -> None:
    state = line((5, 1), (1, 2), (2, 3), (3, 3))
    assert state.legal() == [Knock(0), Knock(1), Knock(2), STOP]
    state.play(Knock(1))
    assert state.row == ((5, 1), (3, 3)) and state.scores() == (2,)
    assert state.outcome() is not None and state.outcome().winners == ()


def test_a_chain_of_matches_leaves_at_once_where_so_agreed() -> None:
    state = line((0, 1), (1, 2), (2, 3), (4, 4), (4, 5), knock="chain")
    assert state.legal() == [Knock(0), Knock(3), STOP]
    state.play(Knock(0))
    assert state.row == ((4, 4), (4, 5))
    state.play(Knock(0))
    assert state.outcome() is not None and state.outcome().winners == (0,)


def test_tiles_that_do_not_match_stay_and_the_sentence_names_the_halves() -> None:
    verdict = line((5, 1), (2, 3), (3, 0)).verify(Knock(0))
    assert verdict.rule == "knock" and verdict.involved["ends"] == (1, 2) and verdict.nearest == (Knock(1), STOP)


def brute(row: tuple[tuple[int, int], ...]) -> int:
    return min([len(row), *(brute(row[:at] + row[at + 2 :]) for at in range(len(row) - 1) if row[at][1] == row[at + 1][0])])


def test_the_best_that_can_be_left_is_what_trying_everything_leaves() -> None:
    rng = Random(1)
    for _ in range(60):
        row = tuple((rng.randrange(3), rng.randrange(3)) for _ in range(9))
        assert best_left(row, "pair") == brute(row)


def test_following_the_hint_leaves_as_few_as_promised() -> None:
    rng = Random(2)
    total = 0
    for number in range(60):
        state = knock_out.State.start(knock_out.Rules(knock=("pair", "chain")[number % 2]), 1, rng)
        promised, hint = state.best()
        while hint is not None and state.outcome() is None:
            state.play(hint)
            _, hint = state.best()
        assert len(state.row) == promised
        total += promised
    assert 20 < total / 60 < 22.5, "about 21 tiles stay"


def test_the_count_goes_on_over_the_end_of_the_row_and_up_for_every_tile_touched() -> None:
    data = {"turn": 0, "phase": "play", "row": ["0-0", "0-1", "5-5"], "at": 0, "count": 0}
    state: Any = elimination.State.from_exchange(data)
    state.play(TOUCH)
    assert state.row == (Tile(0, 1), Tile(5, 5)) and (state.at, state.count) == (0, 1), "0-0 leaves on nought"
    state.play(TOUCH)
    state.play(TOUCH)
    assert state.row == (Tile(5, 5),) and (state.at, state.count) == (0, 3)
    for _ in range(8):
        state.play(TOUCH)
    assert state.outcome() is not None and state.outcome().winners == (0,)


def test_six_six_leaves_on_twelve_and_then_the_count_begins_again() -> None:
    data = {"turn": 0, "phase": "play", "row": ["6-6", "0-1"], "at": 0, "count": 12}
    state: Any = elimination.State.from_exchange(data)
    state.play(TOUCH)
    assert state.row == (Tile(0, 1),) and state.count == 0


def test_elimination_is_won_nearly_two_times_in_three_and_stuck_only_at_13_or_26() -> None:
    rng = Random(4)
    reasons = [elimination.State.start(None, 1, rng).foretell().reason for _ in range(600)]
    assert set(reasons) == {"all eliminated", "stuck at 13", "stuck at 26"}
    assert 0.57 < reasons.count("all eliminated") / 600 < 0.71


def columns(*texts: str, **flags: Any) -> Any:
    """Columns from top to bottom, `4-5` face up, `(4-5)` face down; the tiles not named lie under the first, matched or not."""
    made = []
    for text in texts:
        column = []
        for word in text.split():
            top, bottom = map(int, word.strip("()").split("-"))
            column.append({"up": "(" not in word, "top": top, "bottom": bottom})
        made.append(column)
    named = {str(Tile.of(tile["top"], tile["bottom"])) for column in made for tile in column}
    rest = [{"up": False, "top": tile.low, "bottom": tile.high} for tile in DOUBLE_SIX if str(tile) not in named]
    made[-1] = rest + made[-1]
    data = {"turn": 0, "phase": "play", "columns": made, "flip": "vertical"}
    return solitaire.State.from_exchange(data, solitaire.Rules.of(flags))


def test_a_line_goes_under_a_matching_column_and_frees_the_tile_above_it() -> None:
    state = columns("(1-1) 3-4 4-5", "2-3", "0-6")
    assert Move(0, 2, 1) in state.legal() and Move(0, 1, 1) not in state.legal()
    state.play(Move(0, 2, 1))
    assert state.columns[0] == (Upright(True, 1, 1),)
    assert [tile[1:] for tile in state.columns[1]] == [(2, 3), (3, 4), (4, 5)]
    assert state.verify(Move(1, 1, 2)).rule == "match"


def test_with_fewer_than_seven_columns_a_line_may_begin_one_and_a_whole_column_may_not() -> None:
    state = columns("(1-1) 3-4 4-5", "2-3", "0-6")
    assert Move(0, 1, None) in state.legal() and Move(1, 1, None) not in state.legal()
    assert state.verify(Move(1, 1, None)).rule == "whole-column"
    state.play(Move(0, 1, None))
    assert state.scores() == (4,)
    full = columns("0-1", "0-2", "0-3", "0-4", "0-5", "(5-5) 2-1", "0-6")
    assert not any(each.to is None for each in full.legal() if isinstance(each, Move))
    assert full.verify(Move(5, 1, None)).rule == "seven-columns"


def test_by_whole_run_only_the_whole_matched_line_moves() -> None:
    state = columns("(1-1) 3-4 4-5", "2-3", "0-6", move_unit="whole_run")
    assert Move(0, 1, None) not in state.legal() and Move(0, 2, None) in state.legal()
    assert state.verify(Move(0, 1, None)).rule == "line"


def test_a_line_may_be_laid_above_a_column_only_where_so_agreed() -> None:
    for attach in ("bottom", "both_ends"):
        state = columns("(1-1) 3-2", "2-5 5-4", "0-6", attach=attach)
        assert (Cap(0, 1, 1) in state.legal()) == (attach == "both_ends")
    state.play(Cap(0, 1, 1))
    assert [tile[1:] for tile in state.columns[1]] == [(3, 2), (2, 5), (5, 4)]
    with pytest.raises(MalformedError):
        solitaire.State.dump_rules(state.rules)


def test_it_does_not_matter_which_of_two_whole_columns_has_come_to_the_other() -> None:
    state = columns("3-2", "6-6", "2-5 5-4", "0-6", attach="both_ends")
    above, under, other = (state.after(action) for action in (Cap(0, 1, 2), Move(2, 2, 0), Move(2, 1, None)))
    assert above.columns != under.columns and above.position() == under.position() != other.position()


def test_an_emptied_column_leaves() -> None:
    state = columns("3-4", "2-3", "0-6")
    state.play(Move(0, 1, 1))
    assert len(state.columns) == 2


def useful(state: solitaire.State, move: Move) -> bool:
    """Whether the move turns a tile over or empties a column."""
    column = state.columns[move.source]
    return move.size == len(column) or not column[-move.size - 1].up


def test_the_game_is_over_when_only_stopping_is_left_and_won_when_all_lie_open() -> None:
    rng = Random(3)
    won = 0
    for _ in range(60):
        state = solitaire.State.start(None, 1, rng)
        while state.outcome() is None:
            whole = [each for each in state.legal() if isinstance(each, Move) and useful(state, each)]
            state.push(rng.choice([each for each in whole if each.to is not None] or whole) if whole else STOP)
        outcome = state.outcome()
        assert outcome is not None
        assert bool(outcome.winners) == all(tile.up for column in state.columns for tile in column)
        won += bool(outcome.winners)
    assert 5 < won < 35, "playing greedily wins about three in ten"


def test_who_stops_while_something_fits_was_not_blocked() -> None:
    for seed in range(20):
        state = solitaire.State.start(None, 1, Random(seed))
        if len(state.legal()) > 1:
            state.play(STOP)
            assert state.result is not None and state.result.reason == "stopped"
            return
    raise AssertionError("nothing ever fits at the beginning")


def test_a_camera_asks_for_the_tile_turned_over() -> None:
    state = columns("(1-1) 3-4 4-5", "2-3", "0-6")
    camera = state.project()
    camera.play(Move(0, 2, 1))
    assert camera.chance == "turn-up"
    assert sum(chance for _, chance in camera.outcomes()) == 1
    with pytest.raises(IllegalError, match="open elsewhere"):
        camera.play(solitaire.TurnUp(3, 2))
    camera.play(solitaire.TurnUp(1, 1))
    deal_on(camera, Random(1))
    assert camera.columns[0] == (Upright(True, 1, 1),)


@pytest.mark.parametrize(("kind", "change", "words"), [
    (knock_out.State, {"row": [[1, 2], [2, 1]]}, "too often"), (elimination.State, {"at": 40}, "no such place"),
    (solitaire.State, {"flip": "sideways"}, "sideways"), (solitaire.State, {"columns": []}, "28"),
])
def test_a_table_that_cannot_be_is_refused_in_words(kind: Any, change: dict[str, Any], words: str) -> None:
    data = kind.start(None, 1, Random(1)).to_exchange() | change
    with pytest.raises(MalformedError, match=words):
        kind.from_exchange(data)


def test_a_hint_in_solitaire_goes_on_to_where_a_tile_is_turned_up_and_stops_where_none_can_be() -> None:
    for seed in range(6):
        rng = Random(seed)
        state: Any = solitaire.State.start(None, 1, rng)
        for _ in range(200):  # by hints to and fro it would be more
            if state.turn is None:
                break
            steps = state.promising()
            assert set(steps) <= set(state.legal()) and set(state.likely()) <= set(state.legal())
            state.push(steps[0])
            while state.chance:
                state.push(state.random_chance(rng))
        assert state.turn is None and state.result is not None


def test_a_hint_in_solitaire_gives_up_only_where_nothing_can_be_turned_up() -> None:
    """By trying all that can be done with so many moves."""
    for seed in range(6):
        rng = Random(seed)
        state: Any = solitaire.State.start(None, 1, rng)
        while state.turn is not None and state.promising() != [STOP]:
            state.push(state.promising()[0])
            while state.chance:
                state.push(state.random_chance(rng))
        if state.turn is not None:
            up = state.leads()[0]
            layers = [state]
            for _ in range(3):
                layers = [each.after(move) for each in layers for move in each.legal() if move != STOP and each.turn is not None]
                assert all(each.leads()[0] == up for each in layers)
