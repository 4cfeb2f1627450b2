"""Whose hands did it, by what was seen of hands."""

from __future__ import annotations

from referee.reading import Reached
from referee.whose import SIGHTS, against, against_any, measured, sight_of

ANN, BEN = 0, 1


def test_rates_are_shares_of_all_that_may_be_seen() -> None:
    for rates in (measured().acting, measured().idle):
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
    assert measured().speaks("hand") > measured().speaks("edge") > measured().speaks("nothing")


def test_where_nothing_was_seen_of_hands_nobody_is_likelier() -> None:
    assert against({ANN}, Reached(), 2) == against({BEN}, Reached(), 2)


def test_where_anybody_may_have_acted_besides_only_unseen_hands_speak_against_it() -> None:
    seen = Reached(frozenset({ANN}))
    assert against_any(frozenset(), seen, 2) == 0 < against_any(frozenset({BEN}), seen, 2)
