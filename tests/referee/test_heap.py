"""Which face-down tiles are the boneyard's, and which are hands."""

from __future__ import annotations

from engine.games import game
from referee.readers.heap import Heap
from referee.setting import Setting, seated

MIDDLE = [(10.0 * at, 0.0) for at in range(5)]
BEFORE_ANN, BEFORE_BEN = [(0.0, 430.0), (40.0, 430.0)], [(0.0, -430.0)]


def heap() -> Heap:
    return Heap(Setting("block", game("block").Rules(), seated(("Ann", "Ben"))))


def test_tops_of_tiles_that_stand_before_the_seats_are_not_in_the_boneyard() -> None:
    yard = heap()
    assert yard.lying(MIDDLE + BEFORE_BEN, 5, True, 24.0) == MIDDLE
    assert yard.lying(MIDDLE[:3] + BEFORE_ANN, 4, False, 24.0) == MIDDLE[:3]
    assert yard.lying(MIDDLE[:4] + BEFORE_ANN, 5, False, 24.0) == MIDDLE[:4]  # five would do as well with one of them


def test_a_boneyard_dealt_at_an_edge_is_counted_there_while_it_shrinks() -> None:
    yard = heap()
    assert yard.lying(MIDDLE + BEFORE_ANN, 7, True, 24.0) == MIDDLE + BEFORE_ANN
    assert yard.lying(MIDDLE + BEFORE_ANN[:1] + BEFORE_BEN, 7, False, 24.0) == MIDDLE + BEFORE_ANN[:1]


def test_a_tile_at_an_edge_that_was_overlooked_at_the_deal_is_of_the_boneyard_beside_it() -> None:
    yard, near, far = heap(), (40.0, 310.0), (400.0, 430.0)
    reaching = [(40.0, 60.0 * at) for at in range(5)]
    assert yard.lying(reaching, 6, True, 24.0) == reaching
    assert yard.lying([*reaching, near, far], 6, False, 24.0) == [*reaching, near]
