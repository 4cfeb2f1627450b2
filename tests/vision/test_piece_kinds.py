"""How likely a piece is there at all: what both networks say, weighed."""

from dataclasses import replace

import pytest

from vision.piece_kinds import Weighed
from vision.pieces import PieceReader

WEIGHTS = {"marks": 1.0, "heat": 2.0, "coin": 0.0, "die": -3.0, "pawn": 0.0, "chip": 0.0}
FOUND = Weighed(marks=0.8, objectness=0.5, share=0.9)


def test_a_faint_find_that_the_reader_knows_is_there_and_a_hot_one_all_the_more() -> None:
    assert FOUND.there("coin", WEIGHTS) == pytest.approx(0.9 * 0.8)
    assert replace(FOUND, objectness=0.8).there("coin", WEIGHTS) > 0.88
    assert replace(FOUND, objectness=0.2).there("coin", WEIGHTS) < 0.2


def test_a_kind_that_things_are_often_mistaken_for_needs_more() -> None:
    assert FOUND.there("die", WEIGHTS) < 0.2 < FOUND.there("coin", WEIGHTS)


def test_the_shipped_reader_believes_a_hot_find_of_plain_marks_of_every_kind_and_no_faint_one() -> None:
    weights = PieceReader(1)._presence
    for kind in ("coin", "die", "pawn", "chip"):
        assert Weighed(0.98, 0.8, 1.0).there(kind, weights) > 0.85
        assert Weighed(0.5, 0.25, 1.0).there(kind, weights) < 0.4
        assert Weighed(0.2, 0.12, 1.0).there(kind, weights) < 0.15
