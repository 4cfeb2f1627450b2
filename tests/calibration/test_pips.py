"""The middles of halves, told by their pips in a picture drawn here."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pips import HalfPips, pips_of

SPOTS = {0: (), 1: ((0.0, 0.0),), 2: ((-1, -1), (1, 1)), 4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
         6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1))}
SIDE = 40.0


def at(x: float, y: float) -> NDArray[np.float64]:
    """Pixels of a place of the tile, in halves from its middle."""
    c, s = np.cos(0.3), np.sin(0.3)
    return np.array([80 + SIDE * (c * x - s * y), 60 + SIDE * (s * x + c * y)])


def drawn(ends: tuple[int, int], apart: float = 0.28) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A light tile on a dark table, turned a little, and the pixels of its corners; pips as far apart as told."""
    picture = np.full((120, 160), 60, np.uint8)
    corners = np.array([at(-1, -0.5), at(1, -0.5), at(1, 0.5), at(-1, 0.5)])
    cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), 220, cv2.LINE_AA, 4)
    for half, end in zip((-0.5, 0.5), ends, strict=True):
        for x, y in SPOTS[end]:
            place = np.round(at(half + apart * x, apart * y) * 16).astype(int).tolist()
            cv2.circle(picture, place, round(0.09 * SIDE * 16), 30, -1, cv2.LINE_AA, 4)
    bar = np.round(np.array([at(-0.03, -0.4), at(0.03, -0.4), at(0.03, 0.4), at(-0.03, 0.4)]) * 16).astype(np.int32)
    cv2.fillConvexPoly(picture, bar, 30, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(picture, (0, 0), 0.7), corners


def middles_of(found: dict[int, HalfPips]) -> NDArray[np.float64]:
    return np.array([found[half].pixels.mean(axis=0) for half in (0, 1)])


def true_middles(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    ends = (corners[[0, 1]] + corners[[3, 2]]) / 2
    return np.asarray(0.75 * ends + 0.25 * ends[::-1])


@pytest.mark.parametrize("ends", [(1, 2), (4, 6), (6, 4), (2, 2)])
@pytest.mark.parametrize("slip", [(0.0, 0.0), (4.0, 1.0), (-2.0, 4.0)])
def test_pips_tell_the_middles_of_halves_however_rough_the_outline_is(ends: tuple[int, int], slip: tuple[float, float]) -> None:
    picture, corners = drawn(ends)
    found = pips_of(picture, corners + slip, ends)
    assert [len(found[half].pixels) for half in (0, 1)] == list(ends)
    assert np.abs(middles_of(found) - true_middles(corners)).max() < 0.4


def test_pips_near_the_rim_count_where_the_outline_cuts_them() -> None:
    picture, corners = drawn((4, 4), apart=0.34)
    smaller = corners.mean(axis=0) + 0.84 * (corners - corners.mean(axis=0))
    found = pips_of(picture, smaller, (4, 4))
    assert np.abs(middles_of(found) - true_middles(corners)).max() < 0.4


def test_pips_that_lie_opposite_are_as_far_from_the_ends_of_the_list() -> None:
    picture, corners = drawn((6, 4))
    for pips in pips_of(picture, corners, (6, 4)).values():
        assert np.abs(pips.rough + pips.rough[::-1]).max() < 0.02


def test_a_blank_half_and_one_with_other_pips_than_told_say_nothing() -> None:
    picture, corners = drawn((0, 4))
    assert list(pips_of(picture, corners, (0, 4))) == [1]
    assert not pips_of(picture, corners, (0, 2))


def test_pips_that_are_not_laid_out_symmetrically_say_nothing() -> None:
    picture, corners = drawn((1, 4))
    for (x, y), tone in ((at(0.78, 0.28), 220), (at(0.5, 0.0), 30)):  # one of the four is hidden, and there is another
        cv2.circle(picture, (round(x), round(y)), 6 if tone > 100 else 4, tone, -1)
    assert list(pips_of(picture, corners, (1, 4))) == [0]
