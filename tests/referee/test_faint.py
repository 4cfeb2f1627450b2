"""A tile that could hardly be read and is seen no more was not taken."""

from __future__ import annotations

import pytest

from referee.reading import MISSING, Expected, Laid, Reading, differences

PLACE = ("train", 0, 3)


@pytest.mark.parametrize(("read", "least", "most"), [(None, MISSING, MISSING), (0.9999, MISSING, MISSING), (0.97, 3.0, 4.0),
                                                     (0.4, 0.0, 1.0)])
def test_a_tile_that_is_seen_no_more_is_missed_as_surely_as_it_was_read(read: float | None, least: float, most: float) -> None:
    reading = Reading({}, faint={} if read is None else {PLACE: read})
    missed, = differences(Expected({PLACE: Laid((3, 4))}), reading)
    assert missed.kind == "missing" and least <= missed.cost <= most
