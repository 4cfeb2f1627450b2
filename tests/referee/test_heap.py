"""Which face-down tiles are the boneyard's, and which are hands."""

from __future__ import annotations

from engine.games import game
from referee.readers.heap import Heap
from referee.setting import Point, Setting, seated

MIDDLE = [(10.0 * at, 0.0) for at in range(5)]
BEFORE_ANN, BEFORE_BEN = [(0.0, 430.0), (40.0, 430.0)], [(0.0, -430.0)]


SETTING = Setting("block", game("block").Rules(), seated(("Ann", "Ben")))


def dealt(down: list[Point], due: int) -> Heap:
    return Heap().seen(SETTING, down, due, dealing=True)


def lying(yard: Heap, down: list[Point]) -> list[Point]:
    return yard.lying(SETTING, down, 24.0)


def test_tops_of_tiles_that_stand_before_the_seats_are_not_in_the_boneyard() -> None:
    yard = dealt(MIDDLE + BEFORE_BEN, 5)
    assert lying(yard, MIDDLE + BEFORE_BEN) == MIDDLE
    assert lying(yard, MIDDLE[:3] + BEFORE_ANN) == MIDDLE[:3]
    assert yard.seen(SETTING, MIDDLE[:4] + BEFORE_ANN, 5, dealing=False) == yard  # five would do as well with one of them


def test_a_boneyard_dealt_at_an_edge_is_counted_there_while_it_shrinks() -> None:
    yard = dealt(MIDDLE + BEFORE_ANN, 7)
    assert lying(yard, MIDDLE + BEFORE_ANN) == MIDDLE + BEFORE_ANN
    assert lying(yard, MIDDLE + BEFORE_ANN[:1] + BEFORE_BEN) == MIDDLE + BEFORE_ANN[:1]


def test_a_tile_at_an_edge_that_was_overlooked_at_the_deal_is_of_the_boneyard_beside_it() -> None:
    near, far = (40.0, 310.0), (400.0, 430.0)
    reaching = [(40.0, 60.0 * at) for at in range(5)]
    yard = dealt(reaching, 6)
    assert lying(yard, reaching) == reaching
    assert lying(yard, [*reaching, near, far]) == [*reaching, near]
