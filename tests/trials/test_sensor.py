"""What sights are worth is measured where the truth is known, and both answers count alike."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from simulator.tabletop.render import Renderer
from trials.sensor import Samples, collect, fitted, rates
from trials.traced import photographed, staged
from vision.reader import Reader
from vision.table.sensor import SENSOR


@pytest.mark.parametrize("share", [0.5, 0.02])
def test_a_fit_gives_the_log_likelihood_ratio_however_seldom_it_is_so(share: float) -> None:
    """Of two normal distributions with means 0 and 2 and a spread of 1 that is 2 x - 2."""
    rng = np.random.default_rng(1)
    so = rng.random(20_000) < share
    features = rng.normal(np.where(so, 2.0, 0.0))[:, None]
    slope, constant = fitted(features, so)
    assert slope == pytest.approx(2, abs=0.3) and constant == pytest.approx(-2, abs=0.3)


def test_what_is_never_seen_to_differ_is_not_believed_beyond_measure() -> None:
    so = np.array([False] * 50 + [True] * 5)
    assert np.abs(fitted(so.astype(np.float64)[:, None], so)).max() < 12


def test_a_game_gives_sights_of_tiles_that_came_and_of_those_that_stayed(reader: Reader) -> None:
    game = staged("packed", 2)
    renderer = Renderer(game.camera, game.setting.look)  # painted: here it matters only that truth and sights are put together
    samples = Samples()
    collect((photographed(moment, renderer, str(at)) for at, moment in enumerate(islice(game.moments, 12))), reader, samples)
    assert samples.moments >= 3
    assert any(samples.so["come"]) and not all(samples.so["go"]) and {True, False} == set(samples.so["other"])
    for features, so in zip(samples.features["other"], samples.so["other"], strict=True):
        assert len(features) + 1 == len(SENSOR.other) and isinstance(so, bool)
    told = rates(samples)
    assert told["come"] < 3 and len(told["other"]) == len(SENSOR.other)
    assert told["rests on"]["settled pictures"] == samples.moments
    changed = [told["other"][-1] + np.dot(told["other"][:-1], row) for row in samples.features["other"]]
    assert np.mean([llr > 0 for llr, so in zip(changed, samples.so["other"], strict=True) if so]) > 0.7
