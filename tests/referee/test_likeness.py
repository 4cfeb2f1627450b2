"""A set whose tens look like twelves: what was told of one of them is known of the next."""

from __future__ import annotations

import numpy as np
import pytest

from referee.likeness import Likeness
from vision.observation import Array, Observation, SeenTile, TableState


def rows(*halves: dict[int, float]) -> Array:
    """(2, 16) with these probabilities, and a little for all others."""
    out = np.full((2, 16), 1e-4, np.float32)
    for half, shares in enumerate(halves):
        for number, share in shares.items():
            out[half, number] = share
    out /= out.sum(axis=1, keepdims=True)
    return out


def tile(*halves: dict[int, float], back: bool = False, track: int = 1) -> SeenTile:
    read = rows(*halves)
    first, second = read.argmax(axis=1)
    score = float(read.max(axis=1).prod()) * 0.99
    return SeenTile(track, (0, 0), 0.0, 50, 25, None if back else (int(first), int(second)), read, score)


def told(likeness: Likeness, seen: SeenTile) -> SeenTile:
    return likeness.told(Observation(0, 0, TableState.READY, (seen,))).tiles[0]


def test_a_number_that_is_surely_read_for_another_may_be_that_other_from_then_on() -> None:
    likeness = Likeness().learned(tile({5: 1}, {12: 1}), (5, 10))
    after = told(likeness, tile({4: 1}, {12: 1})).probabilities
    assert after[1, 10] > 0.2 and after[0, 4] > 0.99
    assert after[1, [7, 8, 9, 11]].max() < 0.01


def test_what_was_hard_to_read_is_hardly_strange_until_it_comes_again() -> None:
    likeness, shares = Likeness(), []
    for track in range(4):
        likeness = likeness.learned(tile({5: 1}, {12: 0.9, 10: 0.1}, track=track), (5, 10))
        shares.append(told(likeness, tile({4: 1}, {12: 0.9, 10: 0.1})).probabilities[1, 10])
    assert shares[0] < 0.15 and shares == sorted(shares)


def test_tens_that_are_read_as_tens_stay_tens() -> None:
    likeness = Likeness()
    for track in range(6):
        likeness = likeness.learned(tile({5: 1}, {10: 1}, track=track), (5, 10))
    likeness = likeness.learned(tile({6: 1}, {12: 1}, track=6), (6, 10))
    assert told(likeness, tile({4: 1}, {12: 1})).probabilities[1, 10] < 0.15


@pytest.mark.parametrize(("known", "sure"), [(10, True), (8, False)])
def test_a_doubtful_twelve_is_no_ten_where_tens_are_known_and_looked_otherwise(known: int, sure: bool) -> None:
    likeness = Likeness()
    for track in range(2, 5):
        likeness = likeness.learned(tile({5: 1}, {known: 1}, track=track), (5, known))
    assert (told(likeness, tile({4: 1}, {12: 0.96, 10: 0.04})).probabilities[1, 12] > 0.985) == sure


def test_a_tile_that_shares_no_number_with_what_was_told_teaches_nothing() -> None:
    assert not Likeness().learned(tile({3: 1}, {4: 1}), (5, 10)).tiles
    assert not Likeness().learned(tile({0: 1}, {0: 1}, back=True), (0, 0)).tiles


def test_whether_a_tile_lies_there_is_not_changed_by_what_it_shows() -> None:
    likeness = Likeness().learned(tile({5: 1}, {12: 1}), (5, 10))
    before = tile({4: 1}, {12: 1})
    after = told(likeness, before)
    there = [each.score / float(each.probabilities.max(axis=1).prod()) for each in (before, after)]
    assert there[0] == pytest.approx(there[1], abs=1e-5) and after.score < before.score
    assert np.allclose(after.probabilities.sum(axis=1), 1)


def test_nothing_is_changed_before_anything_was_learnt() -> None:
    seen = Observation(0, 0, TableState.READY, (tile({4: 1}, {12: 1}),))
    assert Likeness().told(seen) is seen


def test_what_was_undone_teaches_nothing() -> None:
    likeness = Likeness().learned(tile({5: 1}, {12: 1}), (5, 10))
    assert not likeness.without({1}).tiles and likeness.without({2}).tiles
