"""Which tiles were taken up first is seen as soon as the hand lets their places be seen again."""

from __future__ import annotations

import numpy as np

from vision.table.movement import Lifted

HALF = 6.0
NAMES = np.array([7, 8, 9])


def corners(x: float, y: float) -> np.ndarray:
    return np.array([(x, y + HALF), (x, y), (x + 2 * HALF, y), (x + 2 * HALF, y + HALF)], np.float32)


PLACES = np.stack([corners(20, 20), corners(60, 20), corners(60, 60)])


def same(_: int) -> bool:
    return True


def other_than_first(at: int) -> bool:
    return at != 0


def changed(*boxes: tuple[int, int, int, int]) -> np.ndarray:
    mask = np.zeros((100, 160), np.bool_)
    for x0, y0, x1, y1 in boxes:
        mask[y0:y1, x0:x1] = True
    return mask


def test_places_that_are_left_are_named_in_their_order() -> None:
    lifted = Lifted()
    lifted.see(changed((60, 20, 73, 27)), NAMES, PLACES, HALF, same)
    lifted.see(changed((60, 20, 73, 27), (20, 20, 33, 27)), NAMES, PLACES, HALF, same)
    assert lifted.names == [8, 7]


def test_a_tile_under_the_arm_is_not_taken_up() -> None:
    lifted = Lifted()
    lifted.see(changed((55, 15, 80, 100)), NAMES, PLACES, HALF, same)
    assert lifted.names == []


def test_a_shadow_over_part_of_a_tile_takes_nothing_up() -> None:
    lifted = Lifted()
    lifted.see(changed((60, 20, 66, 27)), NAMES, PLACES, HALF, same)
    assert lifted.names == []


def test_what_lies_as_before_is_known_when_the_first_tile_has_gone() -> None:
    lifted = Lifted()
    lifted.see(changed((60, 20, 73, 27)), NAMES, PLACES, HALF, lambda at: at == 0)
    lifted.see(changed((60, 20, 73, 27), (60, 60, 73, 67)), NAMES, PLACES, HALF, same)
    assert lifted.names == [8, 9] and lifted.untouched == (7,)


def test_what_was_away_for_a_while_may_have_a_twin_in_its_place_now() -> None:
    """A light tile is taken from light ground: a few of its pips are all that changes; then its twin is moved there."""
    lifted = Lifted()
    for _ in range(3):
        lifted.see(changed((23, 22, 24, 23)), NAMES, PLACES, HALF, other_than_first)
    lifted.see(changed((60, 20, 73, 27)), NAMES, PLACES, HALF, same)
    assert lifted.names == [8] and lifted.untouched == (9,)


def test_a_shadow_that_passes_over_a_tile_does_not_take_it_away() -> None:
    lifted = Lifted()
    for dark in (True, True, False, True):
        lifted.see(changed((23, 22, 24, 23)), NAMES, PLACES, HALF, other_than_first if dark else same)
    lifted.see(changed((60, 20, 73, 27)), NAMES, PLACES, HALF, same)
    assert lifted.untouched == (7, 9)
