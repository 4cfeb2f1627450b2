"""Numbers of a set that the reader hardly knows: what plain halves look like tells what doubtful ones show."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.lying import a_table, tile
from vision.table.evidence import HALF, MARGIN, NUDGE
from vision.table.lookalikes import told_apart
from vision.table.track import Track

Array = NDArray[np.float32]

PIPS: dict[int, list[tuple[float, float]]] = {
    9: [(x, y) for x in (5.0, 10.0, 15.0) for y in (5.0, 10.0, 15.0)],
    11: [(x, y) for x in (3.0, 6.5, 10.0, 13.5, 17.0) for y in (4.0, 16.0)] + [(10, 10)],
    2: [(5, 5), (15, 15)],
    4: [(x, y) for x in (5.0, 15.0) for y in (5.0, 15.0)],
}
"""Where this set has its pips, in a half of 20 pixels."""


def patch(rng: np.random.Generator, *ends: int) -> Array:
    """A tile of this set as it looks in a straightened patch, in some light, a little pushed, with a sensor's noise."""
    rim = MARGIN + NUDGE
    out = np.full((HALF + 2 * rim, 2 * HALF + 2 * rim, 3), 190, np.float32)
    push = rng.uniform(-1, 1, 2)
    for side, end in enumerate(ends):
        for x, y in PIPS[end]:
            at = np.array([rim + side * HALF + x, rim + y]) + push
            cv2.circle(out, tuple(np.round(at * 16).astype(int).tolist()), 24, (60, 60, 90), -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(out, (0, 0), 1.2) * rng.uniform(0.6, 1.2) + rng.normal(0, 4, out.shape), np.float32)


def lying(rng: np.random.Generator, name: int, *ends: int, read: dict[int, float] | None = None) -> Track:
    """A tile of which the first half is read as these numbers, and the other plainly."""
    (track,) = a_table(tile((ends[0], ends[1]), 0, 0, 0.999)).tiles
    rows = np.full((2, 16), 1e-4, np.float32)
    rows[1, ends[1]] = 1
    for number, share in (read or {ends[0]: 1.0}).items():
        rows[0, number] = share
    return replace(track, name=name, counts=np.log(rows / rows.sum(axis=1, keepdims=True)), patch=patch(rng, *ends))


@pytest.mark.parametrize(("shows", "other"), [(9, 11), (11, 9)])
def test_a_half_in_doubt_shows_what_it_looks_like_on_other_tiles(shows: int, other: int) -> None:
    rng = np.random.default_rng(1)
    plain = [lying(rng, at, *ends) for at, ends in enumerate([(9, 2), (11, 4), (9, 11), (2, 9), (4, 11)])]
    doubtful = lying(rng, 9, shows, 4, read={other: 0.55, shows: 0.45})
    (*rest, told) = told_apart([*plain, doubtful])
    assert told.ends == (shows, 4) and told.probabilities[0, shows] > 0.8
    assert told.probabilities[0].sum() == pytest.approx(1)
    assert [each.probabilities.tolist() for each in rest] == [track.probabilities.tolist() for track in plain]


def test_of_numbers_that_no_plain_half_shows_nothing_is_said() -> None:
    rng = np.random.default_rng(2)
    plain = [lying(rng, at, *ends) for at, ends in enumerate([(9, 2), (9, 4), (2, 9), (4, 2)])]
    doubtful = lying(rng, 9, 11, 4, read={9: 0.6, 11: 0.4})
    told = told_apart([*plain, doubtful])[-1]
    assert np.allclose(told.probabilities, doubtful.probabilities, atol=1e-6)


@pytest.mark.parametrize("known", [[], [(9, 2), (11, 4)]])
def test_before_it_is_known_how_alike_halves_of_one_number_are_nothing_is_said(known: list[tuple[int, int]]) -> None:
    rng = np.random.default_rng(3)
    tracks = [*(lying(rng, at, *ends) for at, ends in enumerate(known)), lying(rng, 9, 9, 4, read={11: 0.6, 9: 0.4})]
    assert np.allclose(told_apart(tracks)[-1].probabilities, tracks[-1].probabilities, atol=1e-6)


def test_numbers_that_look_alike_in_this_set_are_left_as_they_were_read() -> None:
    rng = np.random.default_rng(4)
    plain = [replace(lying(rng, at, *ends), patch=patch(rng, 9, ends[1])) for at, ends in
             enumerate([(9, 2), (11, 4), (9, 4), (11, 2), (9, 2), (11, 4)])]
    doubtful = lying(rng, 9, 9, 4, read={9: 0.6, 11: 0.4})
    assert told_apart([*plain, doubtful])[-1].probabilities[0, 9] == pytest.approx(0.6, abs=0.2)
