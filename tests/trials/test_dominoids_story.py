"""What was done in Dominoids and what the referee believes are the same where no table tells them apart, and nowhere else."""

from __future__ import annotations

from random import Random

from engine.dominoids.actions import Choose, Pass, Roll
from engine.dominoids.game import Rules, State
from trials.story import Story


def begun(dice: tuple[int, ...]) -> tuple[Story, State]:
    """A story that has come to the choice of dice 0 and 1, and a state of it."""
    full = State(Rules(), 2)
    deal = full.public(full.random_chance(Random(4)))
    deal = type(deal)(deal.cells, deal.ends, deal.pawns, deal.coins, deal.stacks, dice, 0)  # type: ignore[attr-defined,call-arg]
    told = Story(State(Rules(), 2))
    told.open(deal)
    state = told.state
    assert isinstance(state, State)
    state.push(Choose((0, 1)))
    return told, state


def test_which_of_two_dice_moved_a_dominoid_is_told_in_the_referees_words() -> None:
    told, state = begun((5, 4, 0, 0))
    low = next(action for action in state.legal() if action.kind == "rotate" and action.die == 1)  # type: ignore[attr-defined]
    high = next(action for action in state.legal() if action.kind == "rotate" and (action.tile, action.cells) == (  # type: ignore[attr-defined]
        low.tile, low.cells) and action.die == 0)  # type: ignore[attr-defined]
    state.push(high)
    believed = [*map(str, state.pushed[:2]), str(low)]
    assert told.texts() == [*believed[:2], str(high)] and told.texts(believed) == believed


def test_the_die_that_is_left_is_the_other_one_then() -> None:
    told, state = begun((5, 4, 0, 0))
    low = next(action for action in state.legal() if action.kind == "rotate" and action.die == 1)  # type: ignore[attr-defined]
    high = next(action for action in state.legal() if action.kind == "rotate" and (action.tile, action.cells) == (  # type: ignore[attr-defined]
        low.tile, low.cells) and action.die == 0)  # type: ignore[attr-defined]
    state.push(high)
    after = next(action for action in state.legal() if action.kind == "rotate")
    state.push(after)
    believed = [*map(str, state.pushed[:2]), str(low)]
    assert after.die == 1 and told.texts(believed)[3] == str(after).replace("moons", "suns")  # type: ignore[attr-defined]


def test_a_blank_may_be_passed_first_or_last() -> None:
    told, state = begun((0, 4, 2, 2))
    move = next(action for action in state.legal() if action.kind == "rotate")
    for action in (Pass(0), move, Roll((3, 3))):
        state.push(action)
    believed = [*map(str, state.pushed[:2]), str(move), str(Pass(0)), str(Roll((3, 3)))]
    assert told.texts(believed) == believed


def test_another_table_is_another_story() -> None:
    told, state = begun((5, 4, 0, 0))
    moves = [action for action in state.legal() if action.kind == "rotate"]
    state.push(moves[0])
    other = next(action for action in moves if action.cells != moves[0].cells)  # type: ignore[attr-defined]
    believed = [*map(str, state.pushed[:2]), str(other)]
    assert told.texts(believed)[2] == str(moves[0])
