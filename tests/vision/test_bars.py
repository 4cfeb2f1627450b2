"""What lies between the halves tells a double blank from a back that is made like it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.straighten import HEIGHT, WIDTH
from vision.table.bars import SEVERAL, Bars

RED, BAR = (60, 60, 190), (140, 200, 235)
UNSURE = np.array([[0.36, 0.63, 0.01]], np.float32)


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
    kinds = _known(SEVERAL, SEVERAL).told(_tile(99, barred)[None], UNSURE)
    assert (kinds[0, 1] > kinds[0, 0]) == back and (not back) == (kinds[0, 0] > 0.9)


@pytest.mark.parametrize("bars", [_known(SEVERAL - 1, SEVERAL), _known(SEVERAL, SEVERAL - 1),
                                  _known(SEVERAL, SEVERAL, barred=False)])
def test_a_set_of_which_little_is_known_or_whose_faces_have_no_bar_tells_nothing(bars: Bars) -> None:
    assert bars.told(_tile(99, barred=True)[None], UNSURE)[0, 1] > 0.5


def test_what_is_surely_read_is_not_doubted() -> None:
    sure = np.array([[0.99, 0.0, 0.01], [0.01, 0.99, 0.0]], np.float32)
    assert np.array_equal(_known(SEVERAL, SEVERAL).told(np.stack([_tile(98, True), _tile(99, True)]), sure), sure)
