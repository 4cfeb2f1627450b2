"""Where a tile went that was pushed aside, by how it looked."""

import cv2
import numpy as np
import pytest

from vision.rectify import ImagePyramid
from vision.table.evidence import half_changes, rectify, slid

CORNERS = np.array([[100, 140], [100, 100], [180, 100], [180, 140]], np.float32)


def table(dx: float = 0.0, dy: float = 0.0, degrees: float = 0.0, there: bool = True) -> np.ndarray:
    """A plain table with a tile of five and two pips, pushed by so many pixels and turned."""
    image = np.full((240, 280, 3), 120, np.uint8)
    if there:
        tile = np.full_like(image, 120)
        cv2.rectangle(tile, (100, 100), (180, 140), (40, 40, 30), -1)
        for x, y in [(108, 108), (108, 132), (120, 120), (132, 108), (132, 132), (150, 132), (172, 108)]:
            cv2.circle(tile, (x, y), 4, (230, 230, 230), -1, cv2.LINE_AA)
        turn = cv2.getRotationMatrix2D((140, 120), degrees, 1.0)
        turn[:, 2] += dx, dy
        image = cv2.warpAffine(tile, turn, image.shape[1::-1], borderValue=(120, 120, 120))
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.uint8)


@pytest.mark.parametrize(("dx", "dy", "degrees"), [(0, 0, 0), (14, -9, 0), (-8, 12, 5), (5, 5, -7)])
def test_a_tile_that_was_pushed_aside_is_found_where_it_lies(dx: float, dy: float, degrees: float) -> None:
    patch = rectify(ImagePyramid(table()), CORNERS)
    found = slid(patch, ImagePyramid(table(dx, dy, degrees)), CORNERS)
    turn = cv2.getRotationMatrix2D((140, 120), degrees, 1.0)
    due = cv2.transform(CORNERS[None], turn)[0] + np.array((dx, dy), np.float32)
    assert found is not None and np.abs(found - due).max() < 4  # of 40 that a half is wide


def test_one_that_was_taken_away_is_found_nowhere() -> None:
    patch = rectify(ImagePyramid(table()), CORNERS)
    assert slid(patch, ImagePyramid(table(there=False)), CORNERS) is None


@pytest.mark.parametrize(("steepness", "period", "told"), [(0.6, 9.0, True), (0.6, 7.5, False)])
def test_faint_grain_that_is_dimmer_now_is_the_same_and_other_grain_says_nothing(
        steepness: float, period: float, told: bool) -> None:
    """The grain of a marbled back, and of the wooden table after it was taken, runs much the same way."""
    def grain(slope: float, length: float) -> np.ndarray:
        rows = 120 + slope * length / (2 * np.pi) * np.sin(2 * np.pi * np.arange(32) / length)
        return np.asarray(np.repeat(np.repeat(rows[:, None], 52, axis=1)[..., None], 3, axis=2), np.float32)

    edges = half_changes(grain(13.0, 9.0), grain(13.0 * steepness, period))[:, :2]
    assert (not np.isnan(edges).any()) == told and np.nan_to_num(edges).max() < 0.5


def test_where_a_plain_back_was_taken_from_beside_another_the_side_of_that_is_no_edge_of_its_own() -> None:
    """Its patch with the neighbour's side along the rim, which shows where the tile lay when that is gone."""
    there, bare = (np.full((32, 52, 3), colour, np.float32) for colour in ((140, 160, 170), (110, 180, 170)))
    there[3:6], bare[3:10] = 70, 70
    there, bare = (cv2.GaussianBlur(patch, (0, 0), 0.8) for patch in (there, bare))
    assert not (half_changes(there, bare)[:, 0] < 0.5).any()  # fresh, or none to speak of
