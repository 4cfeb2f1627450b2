"""What is told of seen tiles before anything is known of the game: which lie face down, and how surely each shows its ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine import games
from engine.pieces import Tile
from referee.readers.follow import Knot, all_open, beside_others, sight_of, up_and_down
from referee.readers.shown import lacks
from referee.readers.star import Star
from referee.reading import EXTRA, Sight
from referee.setting import Setting, seated
from vision.observation import Array, SeenTile


def seen(track: int, x: float, y: float, ends: tuple[int, int] | None, score: float = 0.99) -> SeenTile:
    """A tile of 48 by 24 that lies upright."""
    rows: Array = np.full((2, 16), 1e-4, np.float32)
    for half, end in enumerate(ends or ()):
        rows[half, end] = 1
    return SeenTile(track, (x, y), np.pi / 2, 48.0, 24.0, ends, rows / rows.sum(axis=1, keepdims=True), score)


@pytest.mark.parametrize("beside", [None, (2, 0)])
def test_what_reads_as_a_double_blank_or_not_plainly_amid_backs_is_one_of_them(beside: tuple[int, int] | None) -> None:
    block = [seen(3 * row + column, 30.0 * column, 55.0 * row, None) for row in range(3) for column in range(3)]
    odd = {8: seen(8, *block[8].center, (0, 0)), 7: seen(7, *block[7].center, beside, 0.84)}
    scratched = [odd.get(each.track, each) for each in block]
    assert up_and_down(scratched, []) == ({}, {each.track: each for each in scratched})


def test_a_scratched_back_at_the_end_of_a_row_is_one_though_an_open_tile_lies_beyond_it() -> None:
    row, market = [seen(at, 32.0 * at, 0.0, None) for at in range(3)], seen(4, 164.0, 0.0, (5, 6))
    assert set(up_and_down([*row, seen(3, 96.0, 0.0, (0, 0)), market], [])[0]) == {4}


@pytest.mark.parametrize("odd", [seen(8, 60.0, 110.0, (0, 1)), seen(8, 160.0, 110.0, (0, 0))])
def test_another_tile_amid_backs_lies_open_and_so_does_a_double_blank_that_lies_apart(odd: SeenTile) -> None:
    block = [seen(3 * row + column, 30.0 * column, 55.0 * row, None) for row in range(3) for column in range(3)][:-1]
    up, down = up_and_down([*block, odd], [])
    assert up == {8: odd} and len(down) == 8


def test_a_double_blank_that_lies_at_the_end_of_a_line_is_open_though_the_line_has_come_to_the_backs() -> None:
    block = [seen(3 * row + column, 30.0 * column, 55.0 * row, None) for row in range(3) for column in range(3)][:-1]
    line = [seen(8, 60.0, 110.0, (0, 0)), seen(9, 60.0, 160.0, (0, 3))]
    up, down = up_and_down([*block, *line], [])
    assert set(up) == {8, 9} and len(down) == 8


@pytest.mark.parametrize("bones", [[], [(60.0, 110.0)]])
def test_a_tile_that_was_played_is_no_back_though_the_line_has_come_to_the_backs_and_it_is_hardly_read(
        bones: list[tuple[float, float]]) -> None:
    block = [seen(3 * row + column, 30.0 * column, 55.0 * row, None) for row in range(3) for column in range(3)][:-1]
    tip = seen(8, 60.0, 110.0, (6, 10), 0.84)
    assert [set(up_and_down([*block, tip], bones, played=played)[0]) for played in (set(), {8})] == [set(), {8}]


@pytest.mark.parametrize("other", [(0, 0), (0, 1)])
def test_where_all_lie_open_the_one_without_a_bar_is_the_double_blank_unless_another_is(other: tuple[int, int]) -> None:
    plain = replace(seen(1, 0.0, 0.0, (0, 0), 0.86), ends=None)  # were it a face, it would be the double blank
    assert [tile.ends for tile in all_open([plain, seen(2, 60.0, 0.0, other)])] == [None if other == (0, 0) else (0, 0), other]


@pytest.mark.parametrize(("score", "is_open"), [(0.8, False), (0.995, True)])
def test_what_lies_where_a_tile_of_the_boneyard_lay_is_open_only_if_it_surely_is(score: float, is_open: bool) -> None:
    scratched = seen(1, 103.0, 50.0, (0, 1), score)
    assert set(up_and_down([scratched], [(100.0, 50.0)])[0]) == ({1} if is_open else set())
    assert set(up_and_down([scratched], [(70.0, 50.0)])[0]) == {1}  # there was none


@pytest.mark.parametrize("lean", [-0.08, 0.0, 0.08])
def test_beside_a_double_that_half_of_a_tile_lies_against_it_which_is_nearer_its_middle(lean: float) -> None:
    double, beside = seen(1, 0.0, 0.0, (1, 1)), replace(seen(2, 24.6, 3.7, (1, 0)), angle=np.pi / 2 + lean)
    assert Knot(double, 1).contact(beside, 24.0)[1] == 0


def test_a_tile_that_lies_there_for_sure_leaves_open_only_what_its_numbers_do() -> None:
    rows: Array = np.full((2, 16), 1e-4, np.float32)
    rows[0, 6], rows[1, [10, 11]] = 1, (0.6, 0.4)
    rows /= rows.sum(axis=1, keepdims=True)
    sight = sight_of(SeenTile(1, (0, 0), 0.0, 48.0, 24.0, (6, 10), rows, 0.6))  # there, and a 6-10 by six in ten
    assert sight.there > 0.99
    assert sight.cost((6, 11)) == pytest.approx(np.log(0.6 / 0.4), abs=0.02)
    assert sight.cost((5, 10)) > 4  # that it is no 6-10 does not make it likelier that it is no six


def test_a_hand_lacks_a_tile_while_some_of_it_lie_open_before_its_seat_but_not_all() -> None:
    setting = Setting("block", games.game("block").Rules(), seated(("Ann", "Ben")))
    (x, y), (_, fy) = setting.edge(0), setting.seats[0].forward
    own = [seen(track, x + 30 * track, y + 60 * fy, (1, track)) for track in (1, 2)]
    hands = ((Tile(1, 1), Tile(1, 2)), (Tile(3, 3),))
    assert lacks(hands, setting, own[:1], own[1]) and not lacks(hands, setting, own, own[1])
    assert not lacks(hands, setting, own, seen(3, *setting.edge(1), None))  # it may as well lie face down


@pytest.mark.parametrize(("gaps", "is_laid"), [((6.5, 6.5), True), ((1.0, 6.5), False), ((6.5, 12.0), False)])
def test_a_tile_that_does_not_fit_continues_a_line_that_it_lies_as_near_to_as_the_others_do(gaps: tuple[float, float],
                                                                                           is_laid: bool) -> None:
    known, new = gaps
    steps, ends = np.cumsum([0.0, 48 + known, 48 + known, 48 + new]), [(5, 5), (5, 1), (1, 2), (3, 4)]
    hub, *line = [seen(track, 0.0, float(y), each) for track, (y, each) in enumerate(zip(steps, ends, strict=True))]
    star = Star(("line",), 24.0, {tile.track: tile for tile in line}, {}, {}, {}, hub, lambda star: None)
    star.know([[(5, 1), (1, 2)]])
    star.grow()
    assert (("line", 0, 3) in star.tiles) is is_laid


@pytest.mark.parametrize(("there", "elsewhere", "least", "most"), [
    (0.8, (1, 1), 0.0, 0.0), (0.9999, (1, 1), 5.0, EXTRA), (0.8, (2, 3), 3.0, EXTRA),
])
def test_what_lies_elsewhere_already_is_hardly_seen_once_more(
    there: float, elsewhere: tuple[int, int], least: float, most: float,
) -> None:  # fmt: skip
    shown = np.full((2, 16), 0.0004, np.float32)
    shown[:, 1] = 0.994
    sight = Sight(shown, there * 0.994**2, (0.0, 0.0), 0.0, 7)
    assert least <= beside_others(sight, {Tile.of(*elsewhere)}).nats <= most
