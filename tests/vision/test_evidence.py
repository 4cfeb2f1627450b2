"""Where a tile went that was pushed aside, by how it looked."""

import cv2
import numpy as np
import pytest

from vision.rectify import ImagePyramid
from vision.table.evidence import rectify, slid

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
