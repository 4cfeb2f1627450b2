"""Of places that overlap, those that are worth most together are the tiles."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as some
from numpy.typing import NDArray

from vision.halves import overlap
from vision.table.packing import _may_share, worthiest

MOST = 0.25


def tile(x: float, y: float = 0.0) -> NDArray[np.float32]:
    return np.array([[x, y + 10], [x, y], [x + 20, y], [x + 20, y + 10]], np.float32)


def chosen(tiles: list[NDArray[np.float32]], worth: list[float]) -> set[int]:
    return {int(at) for at in worthiest(np.stack(tiles), np.array(worth, np.float32), MOST)}


def test_two_tiles_end_to_end_beat_the_surer_one_across_their_joint() -> None:
    assert chosen([tile(0), tile(10), tile(20)], [0.8, 0.95, 0.85]) == {0, 2}


def test_three_beat_the_two_that_are_made_of_their_halves() -> None:
    tiles = [tile(0), tile(10), tile(20), tile(30), tile(40)]
    assert chosen(tiles, [0.8, 0.95, 0.8, 0.95, 0.8]) == {0, 2, 4}


def test_one_sure_tile_beats_two_doubtful_ones() -> None:
    assert chosen([tile(0), tile(10), tile(20)], [0.3, 0.95, 0.4]) == {1}


def test_the_worthiest_comes_first_and_nobody_is_in_the_way_of_what_lies_alone() -> None:
    found = worthiest(np.stack([tile(0), tile(100), tile(200)]), np.array([0.05, 0.9, 0.5], np.float32), MOST)
    assert found.tolist() == [1, 2, 0]
    assert len(worthiest(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32), MOST)) == 0


@settings(max_examples=60, deadline=None)
@given(some.lists(some.tuples(some.integers(0, 12), some.integers(0, 2), some.integers(10, 100)), min_size=1, max_size=9))
def test_no_other_choice_without_overlaps_is_worth_more(places: list[tuple[int, int, int]]) -> None:
    tiles = [tile(5.0 * x, 10.0 * y) for x, y, _ in places]
    worth = [value / 100 for _, _, value in places]

    def lie_together(group: tuple[int, ...]) -> bool:
        return all(overlap(tiles[a], tiles[b]) <= MOST for a, b in combinations(group, 2))

    best = max(sum(worth[at] for at in group) for size in range(len(tiles) + 1)
               for group in combinations(range(len(tiles)), size) if lie_together(group))
    found = tuple(chosen(tiles, worth))
    assert lie_together(found)
    assert abs(sum(worth[at] for at in found) - best) < 1e-4


@given(some.lists(some.tuples(*[some.floats(0, 40)] * 2, some.floats(0, 3.2)), min_size=2, max_size=2))
def test_what_may_share_nothing_does_not(places: list[tuple[float, float, float]]) -> None:
    quads = []
    for x, y, turn in places:
        along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        corners = [(x, y) + a * along + b * across for a, b in ((-20, 10), (-20, -10), (20, -10), (20, 10))]
        quads.append(np.array(corners, np.float32))
    one, other = quads
    assert _may_share(one[None], other[None], MOST)[0] or overlap(one, other) <= MOST + 1e-3
