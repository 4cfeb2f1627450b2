"""Lines on photographs of which nothing else is known: what touches with equal ends, and what stays open."""

from __future__ import annotations

from math import cos, sin
from pathlib import Path

import numpy as np
import pytest

from engine.games import GAMES
from referee.chain import Chain, chains
from vision.photo import load_photo
from vision.photo_reader import PhotoReader
from vision.reader import Reader
from vision.reading import ReadTile

SIDE = 30.0


def lying(ends: tuple[int, int], x: float, y: float, angle: float = 0.0) -> ReadTile:
    """A tile read there; x and y in halves, its first half first along the angle."""
    along, across = np.array([cos(angle), sin(angle)]) * SIDE, np.array([-sin(angle), cos(angle)]) * SIDE / 2
    middle = np.array([x, y]) * SIDE
    corners = np.array([middle - along + across, middle - along - across, middle + along - across, middle + along + across])
    return ReadTile(ends, 0.99, corners.astype(np.float32), np.full((2, 16), 1 / 16, np.float32))


def test_a_line_is_followed_round_a_bend_and_over_a_double() -> None:
    tiles = [lying((5, 1), 8, 9), lying((2, 3), 0, 0), lying((3, 6), 2, 0), lying((6, 6), 3.5, 0, np.pi / 2),
             lying((6, 0), 5, 0), lying((0, 4), 5.6, 1.5, np.pi / 2)]
    assert chains(tiles) == [Chain((1, 2, 3, 4, 5), (2, 4))]


def test_tiles_that_touch_with_different_ends_make_no_line() -> None:
    assert chains([lying((2, 3), 0, 0), lying((4, 6), 2, 0)]) == []


def test_a_double_at_an_end_is_one_open_end() -> None:
    assert chains([lying((2, 3), 0, 0), lying((3, 3), 1.5, 0, np.pi / 2)]) == [Chain((0, 1), (2, 3))]


def test_each_half_takes_one_joint_the_firmest() -> None:
    beside = lying((3, 5), 2.2, 1.2)  # its 3 touches the first tile's 3 at a corner only
    assert chains([lying((2, 3), 0, 0), lying((3, 4), 2, 0), beside])[0] == Chain((0, 1), (2, 4))


def test_the_longest_line_comes_first() -> None:
    short = [lying((1, 1), 0, 20), lying((1, 2), 1.5, 20)]
    long = [lying((2, 3), 0, 0), lying((3, 4), 2, 0), lying((4, 5), 4, 0)]
    assert [len(chain.tiles) for chain in chains(short + long)] == [3, 2]


def test_a_heap_in_which_equal_ends_happen_to_meet_is_no_line() -> None:
    heap = [lying((2, 3), 0, 0), lying((3, 4), 2, 0), lying((5, 6), 0, 1), lying((1, 1), 2, 1)]
    assert [tile.ends for tile in heap[:2]] == [(2, 3), (3, 4)] and chains(heap[:2]) and not chains(heap)


def test_a_line_of_matador_joins_where_ends_add_to_seven_or_a_matador_lies() -> None:
    tiles = [lying((6, 3), 0, 0), lying((4, 2), 2, 0), lying((1, 6), 4, 0)]
    joins = GAMES["matador"].joins
    assert chains(tiles, joins) == [Chain((0, 1, 2), (6, 6))] and not chains(tiles)
    assert not chains([lying((6, 3), 0, 0), lying((3, 5), 2, 0)], joins)


def test_open_ends_of_a_photographed_line(photos: Path, reader: Reader) -> None:
    """Fifteen views of one line, 2-4 2-3 3-6 6-6 6-0, with loose tiles beside it."""
    views = sorted(photos.glob("domibot_1680906009*.jpg"))
    if not views:
        pytest.skip("the photographed line is not among these photographs")
    lines = [chains(PhotoReader(reader).read(load_photo(view).image).tiles) for view in views]
    assert sum(bool(found) and found[0].ends == (0, 4) for found in lines) >= 13
