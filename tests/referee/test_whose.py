"""Whose hands did it, by what was seen of hands."""

from __future__ import annotations

from referee.reading import Reached
from referee.whose import SIGHTS, against, against_any, against_laying, measured, sight_of, speaks

ANN, BEN, CEM = 0, 1, 2


def test_rates_are_shares_of_all_that_may_be_seen() -> None:
    for rates in (measured()["acting"], measured()["idle"]):
        assert set(rates) == set(SIGHTS) and abs(sum(rates.values()) - 1) < 0.01


def test_whose_hand_was_seen_acted_rather_than_another() -> None:
    seen = Reached(frozenset({ANN}), frozenset({ANN}))
    assert against({ANN}, seen, 2) + 4 < against({BEN}, seen, 2)


def test_two_hands_that_were_seen_acted_both_rather_than_one_twice() -> None:
    seen = Reached(frozenset({ANN, BEN}))
    assert against({ANN, BEN}, seen, 2) < against({ANN}, seen, 2) == against({BEN}, seen, 2)


def test_what_moved_at_an_edge_is_a_hand_where_none_was_seen_and_may_be_a_shadow_beside_one() -> None:
    alone, beside = Reached(perhaps=frozenset({BEN})), Reached(frozenset({ANN}), frozenset({ANN, BEN}))
    assert sight_of(BEN, alone) == "hand" and sight_of(ANN, alone) == "nothing" and sight_of(BEN, beside) == "edge"
    assert speaks("hand") > speaks("edge") > speaks("nothing")


def test_where_nothing_was_seen_of_hands_nobody_is_likelier() -> None:
    assert against({ANN}, Reached(), 2) == against({BEN}, Reached(), 2)


def test_where_anybody_may_have_acted_besides_only_unseen_hands_speak_against_it() -> None:
    seen = Reached(frozenset({ANN}))
    assert against_any(frozenset(), seen, 2) == 0 < against_any(frozenset({BEN}), seen, 2)


def test_of_two_that_reached_over_the_table_each_laid_the_tile_at_its_fingers() -> None:
    tips = {ANN: (100.0, 20.0), BEN: (-80.0, 0.0)}
    here, there = (90.0, 0.0), (-90.0, 10.0)
    assert against_laying(BEN, there, frozenset({ANN}), tips) == 0 < against_laying(BEN, here, frozenset({ANN}), tips)


def test_one_hand_alone_and_two_at_one_place_tell_nothing() -> None:
    tips, here = {ANN: (100.0, 20.0), BEN: (70.0, 10.0)}, (110.0, 0.0)
    assert against_laying(BEN, here, frozenset({ANN}), tips) == 0  # both near
    assert against_laying(BEN, (-60.0, 0.0), frozenset({ANN}), tips) == 0  # none of them
    assert against_laying(BEN, here, frozenset({CEM}), tips) == 0  # the other's was not seen
    assert against_laying(BEN, (300.0, 0.0), frozenset({BEN}), tips) == 0  # a second play of its own
    assert against_laying(BEN, None, frozenset({ANN}), tips) == 0
