"""What is told of a table adds up to what is believed of it, whatever is believed one moment after another."""

import json
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.watched import as_object
from vision.detection import same_face
from vision.observation import Observation, SeenTile, TableState
from vision.table.layout_changes import STIRRED, difference, levels

HALF = 24.0


def tile(track: int, ends: tuple[int, int] | None, x: float = 0.0, y: float = 0.0, angle: float = 0.0,
         under: tuple[int, ...] = ()) -> SeenTile:
    return SeenTile(track, (x, y), angle, 2 * HALF, HALF, ends, np.full((2, 16), 1 / 16, np.float32), 0.9, under)


ENDS = st.none() | st.tuples(st.integers(0, 3), st.integers(0, 3))
LENGTHS = st.floats(-30, 30).map(lambda mm: round(mm, 1))


@st.composite
def beliefs(draw: st.DrawFn) -> list[SeenTile]:
    """Some tiles; what lies on others names tiles with lower names, also such as are not believed any more."""
    names = draw(st.sets(st.integers(1, 6)))
    return [tile(name, draw(ENDS), draw(LENGTHS), draw(LENGTHS), draw(st.floats(-4, 4)),
                 tuple(draw(st.sets(st.integers(1, name - 1), max_size=2))) if name > 1 else ()) for name in names]


def halves(lies: SeenTile) -> list[tuple[float, float]]:
    """The middles of its halves, of the lower end first."""
    (x, y), far = lies.center, lies.length / 4
    ways = [(x + way * far * math.cos(lies.angle), y + way * far * math.sin(lies.angle)) for way in (-1, 1)]
    return ways if lies.ends is None or lies.ends[0] <= lies.ends[1] else ways[::-1]


@given(st.lists(beliefs(), max_size=6))
def test_the_sum_of_all_that_was_told_is_what_is_believed(moments: list[list[SeenTile]]) -> None:
    told: tuple[SeenTile, ...] = ()
    for believed in moments:
        told = difference(told, believed).after(told)
        now = {each.track: each for each in believed}
        assert sorted(each.track for each in told) == sorted(now) and levels(told) == levels(believed)
        for known in told:
            there = now[known.track]
            assert same_face(known.ends, there.ends)
            ways = [halves(there)] + [halves(there)[::-1]] * (known.ends is None or known.ends[0] == known.ends[1])
            assert min(max(map(math.dist, halves(known), way)) for way in ways) <= STIRRED * HALF + 1e-6


def test_a_tile_that_lies_on_another_one_than_was_thought_is_told() -> None:
    told = [tile(4, None, under=(3,))]  # the third was seen no more
    believed = [tile(1, None), tile(2, None), tile(3, None, under=(1,)), tile(4, None, under=(1,))]
    assert levels(difference(told, believed).after(told)) == levels(believed)


@given(st.lists(beliefs(), max_size=6))
def test_the_events_of_the_lines_sum_to_their_tiles(moments: list[list[SeenTile]]) -> None:
    told: tuple[SeenTile, ...] = ()
    faces: Counter[str] = Counter()
    for number, believed in enumerate(moments):
        seen = Observation(number / 10, number, TableState.READY, tuple(believed))
        news = difference(told, believed)
        told = news.after(told)
        line = json.loads(json.dumps(as_object(seen, news)))
        faces.update(str(each["ends"]) for each in line["appeared"])
        faces.subtract(str(each["ends"]) for each in line["vanished"])
        assert +faces == Counter(str(each["ends"]) for each in line["tiles"]) and min(faces.values(), default=0) >= 0


@given(beliefs())
def test_what_was_told_is_not_told_again(believed: list[SeenTile]) -> None:
    assert not difference(believed, believed)
    slid = [replace(each, center=(each.center[0] + 0.9 * STIRRED * HALF, each.center[1])) for each in believed]
    assert not difference(believed, slid)


def test_a_tile_that_is_read_otherwise_vanishes_and_appears() -> None:
    news = difference([tile(1, (2, 5))], [tile(1, (2, 6))])
    assert [each.ends for each in news.vanished] == [(2, 5)] and [each.ends for each in news.appeared] == [(2, 6)]
    assert not news.moved


@pytest.mark.parametrize(("after", "moves"), [
    (tile(1, (2, 5), x=0.4 * HALF), True), (tile(1, (5, 2), angle=math.pi), False), (tile(1, (5, 2)), True),
    (tile(1, (2, 5), angle=0.5), False), (tile(1, (2, 5), angle=0.7), True), (tile(1, (2, 5), under=(2, 3)), True),
])  # fmt: skip
def test_a_tile_that_slid_or_turned_or_lies_on_others_now_has_moved(after: SeenTile, moves: bool) -> None:
    assert bool(difference([tile(1, (2, 5))], [after]).moved) == moves


def test_small_steps_are_told_once_they_add_up() -> None:
    told: tuple[SeenTile, ...] = (tile(1, None),)
    steps = []
    for step in range(1, 7):
        news = difference(told, [tile(1, None, x=step * 0.4 * STIRRED * HALF)])
        told = news.after(told)
        steps.append(bool(news.moved))
    assert steps == [False, False, True, False, False, True]
