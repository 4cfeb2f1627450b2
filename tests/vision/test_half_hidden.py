"""Stacks in the first picture: halves that look out beside a tile, alone, are of the tiles on which it lies."""

from collections.abc import Sequence
from typing import Any, Literal

import cv2
import numpy as np
import pytest

from tests.vision.test_table import tile
from vision.straighten import Album
from vision.table.half_hidden import with_those_below
from vision.table.sighting import Sighting
from vision.table.stacks import half_at

IVORY, IN_SHADE, BARE, WOOD = (205, 225, 225), (95, 105, 105), (90, 120, 200), (60, 120, 60)
BEHIND, AHEAD, ABOVE, NEXT_ABOVE = (80, 100), (140, 100), (120, 80), (100, 80)
"""Middles of halves beside a tile that lies at (90..130, 90..110)."""


class Sees:
    """Reads every place as a blank that is not all of the table's colour; what lies on tiles is seen `high` farther right."""

    def __init__(self, units: Literal["mm", "px"] = "mm", high: float = 0.0) -> None:
        self.units, self._high = units, np.float32(high)

    def judge(self, crops: Any) -> tuple[Any, Any]:
        assert (crops == crops[:, ::-1, ::-1]).mean() > 0.9  # what hides the other half is not read
        kinds = np.zeros((len(crops), 3), np.float32)
        empty = np.abs(crops.astype(int) - WOOD).mean(axis=(1, 2, 3)) < 20
        kinds[:, 0], kinds[:, 2] = np.where(empty, 0.01, 0.98), np.where(empty, 0.99, 0.02)
        counts = np.zeros((len(crops), 2, 16), np.float32)
        counts[..., 0] = 1.0
        return kinds, counts

    def upon(self, points: Any) -> Any:
        return points - (self._high, 0)

    def to_picture(self, points: Any) -> Any:
        return points


def below(*halves: tuple[int, int], colour: tuple[int, int, int] = IVORY, sees: Any = None,
          found: Sequence[Sighting] = ()) -> list[Sighting]:
    """The tiles seen to lie under a 2-3 where halves of a colour look out at these places."""
    picture = np.full((200, 300, 3), WOOD, np.uint8)
    for x, y in halves:
        cv2.rectangle(picture, (x - 10, y - 10), (x + 10, y + 10), colour, -1)
    high = int(sees.upon(np.zeros(2))[0]) if sees else 0
    cv2.rectangle(picture, (91 - high, 91), (129 - high, 109), IVORY, -1)
    sees = sees or Sees()
    seen = [tile((2, 3), 110 - high, 100), *found]
    told = with_those_below(seen, sees, Album(picture), sees)
    assert told[len(told) - len(seen) :] == seen
    return told[: len(told) - len(seen)]


def test_where_halves_look_out_beside_both_ends_of_a_tile_it_lies_on_two() -> None:
    first, second = below(BEHIND, AHEAD)
    assert first.ends == (0, 2) and second.ends == (0, 3) and first.half_hidden
    assert np.allclose(half_at(first.corners, 0), BEHIND, atol=3.5) and np.allclose(half_at(second.corners, 0), AHEAD, atol=3.5)
    assert len(below(BEHIND, ABOVE)) == 2


def test_tiles_below_lie_where_the_upper_one_hides_them_not_where_it_is_seen() -> None:
    first, _ = below(BEHIND, AHEAD, sees=Sees(high=-6))
    assert np.allclose(half_at(first.corners, 0), BEHIND, atol=3.5)


@pytest.mark.parametrize("halves", [(), (BEHIND,), (NEXT_ABOVE, ABOVE)])
def test_one_half_alone_or_two_that_may_be_a_tile_that_was_missed_tell_nothing(halves: tuple[tuple[int, int], ...]) -> None:
    assert not below(*halves)


def test_a_half_of_a_tile_that_was_found_looks_out_from_under_none() -> None:
    assert not below(BEHIND, AHEAD, found=[tile((0, 0), 150, 100)])
    assert not below(BEHIND, AHEAD, found=[tile((0, 0), 150, 100, score=0.3)])
    assert below(BEHIND, AHEAD, found=[tile((3, 0), 132, 100, score=0.3)])  # made of its half and the other


@pytest.mark.parametrize(("colour", "found"), [(IN_SHADE, 2), (BARE, 0)])
def test_bare_cells_of_a_board_are_no_blanks_under_a_tile_but_halves_in_its_shade_are(colour: tuple[int, int, int],
                                                                                       found: int) -> None:
    assert len(below(BEHIND, AHEAD, colour=colour)) == found


def test_without_a_calibration_nobody_knows_where_halves_must_be() -> None:
    assert not below(BEHIND, AHEAD, sees=Sees("px"))
