"""What lies between the halves tells a double blank from a back that is made like it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.rectify import HEIGHT, WIDTH
from vision.table.bars import SEVERAL, Bars

RED, BAR = (60, 60, 190), (140, 200, 235)
UNSURE, A_FACE = np.array([[0.36, 0.63, 0.01]], np.float32), np.array([[0.98, 0.01, 0.01]], np.float32)
THIN = 0.75
"""How dark a bar is that is only scored, beside the tile."""

BLANK, PIPS = np.array([True]), np.array([False])


def _tile(at: int, barred: bool) -> NDArray[np.uint8]:
    """A straightened tile without pips, of a body that is never twice the same."""
    crop = np.clip(np.random.default_rng([at, barred]).normal(RED, 6, (HEIGHT, WIDTH, 3)), 0, 255).astype(np.uint8)
    if barred:
        cv2.line(crop, (WIDTH // 2 + at % 2, 6), (WIDTH // 2 + at % 2, HEIGHT - 6), BAR, 2)
    return crop


def _known(faces: int, backs: int, barred: bool = True) -> Bars:
    bars = Bars()
    up, down = (np.stack([_tile(at, shown) for at in range(many)]) for many, shown in ((faces, barred), (backs, False)))
    bars.learn(up, down)
    return bars


@pytest.mark.parametrize(("barred", "back"), [(True, False), (False, True)])
def test_what_shows_a_bar_lies_face_up(barred: bool, back: bool) -> None:
    kinds = _known(SEVERAL, SEVERAL).told(_tile(99, barred)[None], UNSURE, BLANK)
    assert (kinds[0, 1] > kinds[0, 0]) == back and (not back) == (kinds[0, 0] > 0.9)


@pytest.mark.parametrize("bars", [_known(SEVERAL - 1, SEVERAL), _known(SEVERAL, SEVERAL - 1),
                                  _known(SEVERAL, SEVERAL, barred=False)])
def test_a_set_of_which_little_is_known_or_whose_faces_have_no_bar_tells_nothing(bars: Bars) -> None:
    assert bars.told(_tile(99, barred=True)[None], UNSURE, BLANK)[0, 1] > 0.5


def test_what_is_surely_read_is_not_doubted() -> None:
    sure = np.array([[0.99, 0.0, 0.01], [0.01, 0.99, 0.0]], np.float32)
    crops = np.stack([_tile(98, True), _tile(99, True)])
    assert np.array_equal(_known(SEVERAL, SEVERAL).told(crops, sure, np.ones(2, np.bool_)), sure)


def _scratched() -> NDArray[np.uint8]:
    """A back with a scratch where a bar would be."""
    crop = _tile(97, barred=False)
    cv2.line(crop, (WIDTH // 2, HEIGHT // 4), (WIDTH // 2 + 2, 2 * HEIGHT // 5), BAR, 3)
    return crop


@pytest.mark.parametrize(("crop", "blank", "up"), [
    (_scratched(), BLANK, False), (_tile(96, barred=False), BLANK, False), (_tile(95, barred=True), BLANK, True),
    (_scratched(), PIPS, True)])
def test_where_all_faces_have_bars_no_double_blank_is_without_one(crop: NDArray[np.uint8], blank: NDArray[np.bool_],
                                                                  up: bool) -> None:
    """Before a back is known, too: of a pile of black backs on black hardly one is told from the others."""
    assert (_known(SEVERAL, 1).told(crop[None], A_FACE, blank)[0, 0] > 0.9) == up


def test_a_set_whose_faces_have_no_bars_may_have_a_double_blank_without() -> None:
    assert _known(SEVERAL, 1, barred=False).told(_tile(96, barred=False)[None], A_FACE, BLANK)[0, 0] > 0.9


def _marbled(at: int, barred: bool) -> NDArray[np.uint8]:
    """A tile with dark and light clouds, broader than a bar is, and bolder than its thin bar."""
    clouds = cv2.GaussianBlur(np.random.default_rng([at, 7]).normal(0, 1, (HEIGHT, WIDTH)), (0, 0), 6)
    crop = np.clip(_tile(at, False) * np.exp(clouds / clouds.std() * 0.3)[..., None], 0, 255)
    if barred:
        crop[:, WIDTH // 2 : WIDTH // 2 + 2] *= THIN
    return np.asarray(crop, np.uint8)


@pytest.mark.parametrize("barred", [True, False])
def test_a_bar_is_told_from_marble(barred: bool) -> None:
    bars = Bars()
    bars.learn(*(np.stack([_marbled(at, shown) for at in range(start, start + 16)]) for start, shown in ((0, True), (20, False))))
    seen = bars.told(np.stack([_marbled(at, barred) for at in range(40, 60)]), np.tile(UNSURE, (20, 1)), np.ones(20, np.bool_))
    assert ((seen[:, 0] > 0.9) == barred).mean() > 0.9
