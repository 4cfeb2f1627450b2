"""Looks at a still table: what the first leaves in doubt is looked at by itself."""

import pytest

from tests.vision.test_table import tile
from vision.table.choosing import Box
from vision.table.looks import MOST, Looks
from vision.table.sighting import Sighting, is_in_sight


def test_what_is_read_surely_is_not_looked_at_again() -> None:
    looks = Looks()
    assert not looks.found
    looks.wide([tile((1, 2), 100, 100, 0.95), tile((3, 3), 300, 100, 0.1)])
    assert looks.begun and looks.enough and [each.ends for each in looks.found] == [(1, 2), (3, 3)]


def test_a_tile_in_doubt_is_framed_by_itself_and_believed_as_it_is_read_then() -> None:
    looks = Looks()
    boxes: list[Box] = []

    def look(box: Box) -> list[Sighting]:
        boxes.append(box)
        return [tile((6, 4), 101, 100, 0.99)]

    looks.wide([tile((6, 3), 100, 100, 0.7), tile((5, 5), 300, 100, 0.98)])
    looks.close(look)
    ((x0, _, x1, _),) = boxes
    assert 40 < x0 < 100 < x1 < 200 and looks.enough
    assert {each.ends: round(each.score, 2) for each in looks.found} == {(6, 4): 0.99, (5, 5): 0.98}


def test_what_only_the_wide_look_saw_is_worth_less_each_time() -> None:
    looks = Looks()
    looks.wide([tile((6, 3), 100, 100, 0.8)])
    looks.close(lambda box: [])
    assert looks.enough and looks.found[0].score == pytest.approx(0.4)


def test_doubts_end_after_so_many_looks() -> None:
    looks = Looks()
    looks.wide([tile((6, 3), 100, 100, 0.6)])
    taken = 1
    while not looks.enough:
        taken += 1
        looks.close(lambda box: [tile((6, 3), 100, 100, 0.6)])
    assert taken == MOST and looks.found[0].score == pytest.approx(0.6)


def test_a_close_look_does_not_see_a_sure_neighbour_twice() -> None:
    looks = Looks()
    looks.wide([tile((6, 3), 100, 100, 0.6), tile((1, 1), 142, 100, 0.97)])
    looks.close(lambda box: [tile((6, 3), 100, 100, 0.95), tile((1, 2), 142, 100, 0.5)])
    assert looks.enough and sorted(each.ends or () for each in looks.found) == [(1, 1), (6, 3)]


@pytest.mark.parametrize(("y", "seen", "told"), [
    (150, [], True),  # it lies in the box, and is not there when one looks closer
    (101, [], False),  # on its border: a closer look may have left it out
    (101, [(110, 99)], True), (101, [(110, 180)], False), (99, [(110, 150)], False),
])
def test_a_closer_look_tells_nothing_of_a_tile_on_its_border_unless_something_is_seen_there(
        y: int, seen: list[tuple[int, int]], told: bool) -> None:
    closer = [tile((2, 5), *place) for place in seen]
    assert is_in_sight(tile((2, 5), 110, y), (50.0, 100.0, 200.0, 250.0), closer) == told
