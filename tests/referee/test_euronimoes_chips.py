"""Whose chips are whose: told by where they lie as the game begins, whatever anybody calls their colours."""

from __future__ import annotations

from random import Random

from engine.euronimoes.game import State
from referee.readers.euronimoes import EuronimoesReader
from referee.readers.euronimoes_plays import Memory
from referee.setting import Setting, seated
from vision.observation import Observation, SeenPiece, TableState

SETTING = Setting("euronimoes", State.Rules(), seated(("Ann", "Ben")))


def before(seat: int, *colours: str) -> list[SeenPiece]:
    """Chips before a seat, side by side."""
    x, y = SETTING.edge(seat)
    return [SeenPiece(10 * seat + at, "chip", (0.8 * x + 40 * at, 0.8 * y), 16.0, 0.0, {colour: 0.9, "grey": 0.1}, 0.9)
            for at, colour in enumerate(colours)]


def table(*chips: SeenPiece) -> Observation:
    return Observation(0.0, 0, TableState.READY, (), chips, units="mm", settled=True)


def owned(memory: Memory, *chips: SeenPiece) -> list[int]:
    """How many of these chips belong to each seat."""
    return [len(own) for own in EuronimoesReader(SETTING)._owned(chips, memory)]


def began(*chips: SeenPiece) -> Memory:
    memory: Memory = EuronimoesReader(SETTING).read(table(*chips), State(State.Rules(), 2), Memory()).noted
    return memory


def test_chips_are_told_by_the_colours_that_lay_before_each_seat_when_all_was_dealt() -> None:
    memory = began(*before(0, "purple", "purple"), *before(1, "orange", "orange"))
    assert owned(memory, *before(0, "purple", "orange"), *before(1, "orange")) == [1, 2]


def test_where_colours_are_alike_place_tells_and_nobody_has_more_than_four() -> None:
    memory = began(*before(0, "purple", "purple"), *before(1, "purple", "purple"))
    assert owned(memory, *before(0, "purple", "purple", "purple"), *before(1, "purple")) == [3, 1]
    assert owned(memory, *before(0, *["purple"] * 6)) == [4, 2]


def test_a_game_under_way_goes_by_the_colours_that_were_agreed() -> None:
    state = State(State.Rules(), 2)
    state.push(state.random_chance(Random(1)))
    first, second = (seat.colour for seat in SETTING.seats)
    memory = EuronimoesReader(SETTING).read(table(*before(0, first)), state, Memory()).noted
    assert not memory.colours and owned(memory, *before(0, first, second)) == [1, 1]
