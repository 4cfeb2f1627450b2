"""The boneyard is counted by what hands do to it: not by what a single look shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from referee.readers.boneyard import Boneyard
from referee.reading import MISCOUNTED, RARE, Count
from referee.setting import Point
from vision.observation import Array, Observation, SeenTile, TableState

HALF = 24.0
PLACES: list[Point] = [(30.0 * at, 0.0) for at in range(6)]
NOWHERE: tuple[Array, ...] = ()


def over(*places: Point) -> tuple[Array, ...]:
    """A hand was over these places."""
    return tuple(np.array([(x - 5, -40), (x + 5, -40), (x + 5, 40), (x - 5, 40)], np.float32) for x, _ in places)


class Table:
    """A boneyard of six tiles, looked at now and then."""

    def __init__(self, seen: Sequence[Point] = PLACES) -> None:
        self.yard, self.time, self.acts = Boneyard(), 0.0, 0
        self.look(seen)
        self.yard = self.yard.dealt(6)

    def look(self, seen: Sequence[Point], swept: tuple[Array, ...] | None = NOWHERE, wait: float = 5.0) -> Count:
        self.time += wait
        self.yard = self.yard.see(seen, Observation(self.time, 0, TableState.READY, units="mm", settled=True, swept=swept), HALF)
        return self.yard.count()

    def told(self, count: int) -> Count:
        """Something was done, after which so many tiles lie there."""
        self.acts += 1
        self.yard = self.yard.go_on(self.acts, count)
        return self.yard.count()


def test_what_a_hand_took_is_gone() -> None:
    table = Table()
    assert table.look(PLACES[1:], over(PLACES[0])).value == 5
    assert table.look(PLACES[1:]).value == 5


def hardly(scores: Mapping[Point, float], swept: tuple[Array, ...], doubtful: bool = True) -> Observation:
    """A look at tiles that hands may have taken, by how surely they lie there."""
    backs = tuple(SeenTile(at, place, 0.0, 48.0, 24.0, None, np.full((2, 16), 1 / 16, np.float32), score, doubtful=doubtful)
                  for at, (place, score) in enumerate(scores.items()))
    return Observation(10.0, 0, TableState.READY, tiles=backs, units="mm", settled=True, swept=swept)


@pytest.mark.parametrize("doubtful", [True, False])
def test_what_a_hand_may_have_taken_is_counted_and_may_be_gone(doubtful: bool) -> None:
    table = Table()
    table.yard = table.yard.see(PLACES, hardly({PLACES[2]: 0.9}, over(PLACES[2]), doubtful), HALF)
    count = table.yard.count()
    assert (count.value, len(count.maybe)) == (6, doubtful)
    assert table.look(PLACES) == Count(6, MISCOUNTED)


def test_the_less_a_tile_is_seen_that_a_hand_may_have_taken_and_the_fewer_others_it_may_the_likelier_it_has() -> None:
    def likelier(score: float, *swept: Point) -> float:
        count = Table().yard.see(PLACES, hardly({PLACES[2]: score}, over(*swept)), HALF).count()
        return count.against(6) - count.against(5)

    one, all_six = [PLACES[2]], PLACES
    assert likelier(0.6, *one) > likelier(0.9, *one) > 0 > likelier(0.96, *all_six)
    assert likelier(0.6, *one) - likelier(0.6, *all_six) == pytest.approx(np.log(6))


def test_of_two_that_may_have_been_taken_the_likelier_is_gone_when_a_draw_is_told() -> None:
    table = Table()
    table.yard = table.yard.see(PLACES, hardly({PLACES[1]: 0.96, PLACES[4]: 0.6}, over(*PLACES)), HALF)
    assert table.told(5).value == 5 and PLACES[4] not in table.yard.places


def test_what_a_hand_may_have_taken_is_gone_once_that_is_told_though_it_seems_to_lie_there_still() -> None:
    table = Table()
    seen = hardly({PLACES[2]: 0.9}, over(PLACES[2]))
    table.yard = table.yard.see(PLACES, seen, HALF)
    assert table.told(5).value == 5
    table.yard = table.yard.see(PLACES, seen, HALF)
    assert table.yard.count() == Count(5, MISCOUNTED)
    assert table.look([place for place in PLACES if place != PLACES[2]], over(PLACES[0])).value == 5


def test_what_a_hand_took_is_gone_though_its_neighbour_lies_close_by() -> None:
    close = [(0.0, 0.0), (20.0, 0.0), *PLACES[2:]]
    table = Table(close)
    assert table.look(close[1:], over(close[0])).value == 5


@pytest.mark.parametrize(("wait", "count"), [(0.5, 5), (4.0, 6)])
def test_what_a_hand_took_may_be_missed_when_something_else_has_moved_meanwhile(wait: float, count: int) -> None:
    table = Table()
    table.look(PLACES, over(PLACES[0]))  # its edges are still taken for it
    assert table.look(PLACES[1:], over((300.0, 0.0)), wait).value == count


def test_what_nobody_touched_lies_there_still_though_it_is_not_seen() -> None:
    table = Table()
    assert table.look(PLACES[1:], over(PLACES[5])) == Count(6, MISCOUNTED)
    assert table.look(PLACES).value == 6


def test_where_hands_were_is_not_known_everything_counts_as_seen() -> None:
    assert Table().look(PLACES[:4], None).value == 4


def test_a_boneyard_counted_wrong_at_the_deal_stays_usable() -> None:
    table = Table(PLACES[:4])
    assert table.look(PLACES[1:4], over(PLACES[0])) == Count(5, MISCOUNTED, (), PLACES[0])
    assert table.told(5).value == 5


@pytest.mark.parametrize("swept", [NOWHERE, over(PLACES[4])])
def test_an_overlooked_tile_that_is_seen_at_last_is_no_new_one(swept: tuple[Array, ...]) -> None:
    table = Table(PLACES[:4])
    assert table.look(PLACES[:5], swept).value == 6


def test_a_tile_put_back_is_counted_again() -> None:
    table = Table()
    table.look(PLACES[1:], over(PLACES[0]))
    assert table.told(5).value == 5
    assert table.look(PLACES, over(PLACES[0])).value == 6


def test_a_hand_that_came_for_nothing_may_have_taken_an_overlooked_tile() -> None:
    table = Table(PLACES[:4])
    assert table.look(PLACES[:4], over(PLACES[3])) == Count(6, MISCOUNTED, (-RARE,) * 2)
    assert len(table.look(PLACES[:4]).maybe) == 2
    assert table.told(5) == Count(5, MISCOUNTED)


def test_a_tile_that_was_not_seen_before_hands_came_may_have_been_taken() -> None:
    table = Table()
    table.look(PLACES[1:], over(PLACES[5]))
    doubted = table.look(PLACES[1:], over(PLACES[0]))
    assert doubted == Count(6, MISCOUNTED, (-RARE,))
    assert doubted.against(5) < doubted.against(7)
    assert table.told(6) == Count(6, MISCOUNTED)


def test_what_people_say_of_the_boneyard_outweighs_what_was_counted() -> None:
    table = Table()
    table.look(PLACES[1:], over(PLACES[0]))
    assert table.told(6).value == 6  # no, nobody has drawn
    assert table.look(PLACES[2:], over(PLACES[1])).value == 5


def test_a_tile_that_was_told_to_be_drawn_and_goes_late_with_another_is_not_drawn_again() -> None:
    table = Table()
    table.look(PLACES, over(PLACES[0]))  # its place is still taken for it
    assert table.told(5).value == 5
    assert table.look(PLACES[2:], over(PLACES[0], PLACES[1])).value == 4


def test_tiles_told_to_be_drawn_before_a_hand_takes_them_are_not_drawn_again() -> None:
    table = Table()
    assert [table.told(5).value, table.told(4).value] == [5, 4]
    assert table.look(PLACES[1:], over(PLACES[0])) == Count(4, MISCOUNTED, (), PLACES[0])
    assert table.look(PLACES[2:], over(PLACES[1])).value == 4
    assert table.look(PLACES[3:], over(PLACES[2])).value == 3


def test_what_goes_after_a_later_play_was_told_is_a_draw_of_its_own() -> None:
    table = Table()
    table.told(5)
    table.told(5)
    assert table.look(PLACES[1:], over(PLACES[0])).value == 4


def test_tiles_missing_after_a_restart_may_have_been_drawn_meanwhile() -> None:
    seen = Observation(1.0, 0, TableState.READY, units="mm", settled=True, swept=NOWHERE)
    yard = Boneyard().go_on("so far", 6).see(PLACES[:5], seen, HALF)
    assert yard.count() == Count(6, MISCOUNTED, (-RARE,))
