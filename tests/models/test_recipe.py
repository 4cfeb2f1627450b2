"""The whole recipe, tiny: pictures, both networks, 8-bit copies, honest scores; and what comes out reads."""

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the recipe of the models is not tried")

from models.training.__main__ import PLANS, run  # noqa: E402
from models.training.calibrate import fit, fit_scores  # noqa: E402
from vision.photo_reader import PhotoReader  # noqa: E402
from vision.reader import Reader  # noqa: E402


def test_the_recipe_makes_a_reader_and_resumes(tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "models"
    run(PLANS["tiny"], work, out, seed=3, workers=2)
    card = json.loads((out / "reader.json").read_text())
    assert card["kind_temperature"] > 0
    reading = PhotoReader(Reader(threads=1, models=out)).read(np.full((240, 320, 3), 90, np.uint8))
    assert reading.size == (320, 240)
    before = (work / "detector.pt").stat().st_mtime_ns
    run(PLANS["tiny"], work, out, seed=3, workers=2)
    assert (work / "detector.pt").stat().st_mtime_ns == before  # finished work is kept


def test_fitted_temperatures_undo_overconfidence() -> None:
    rng = np.random.default_rng(1)
    labels = np.zeros((4000, 3), np.int8)
    labels[:, 1:] = rng.integers(0, 16, (4000, 2))
    scores = rng.normal(0, 1, (4000, 35)).astype(np.float32)
    scores[:, 0] += 1.5
    for half in (0, 1):
        scores[np.arange(4000), 3 + 16 * half + labels[:, 1 + half]] += 2.0
    calibrated = fit(scores, labels)
    loud = fit(scores * 3, labels)
    assert loud[0] == pytest.approx(3 * calibrated[0], rel=0.1)
    assert loud[1] == pytest.approx(3 * calibrated[1], rel=0.1)


def test_fitted_scores_are_shares_of_right_readings() -> None:
    rng = np.random.default_rng(2)
    certainty, objectness = rng.uniform(0.1, 0.9, (2, 8000))
    odds = 1.5 * np.log(certainty / (1 - certainty)) + 0.7 * np.log(objectness / (1 - objectness)) + 0.5
    right = rng.random(8000) < 1 / (1 + np.exp(-odds))
    assert fit_scores(list(certainty), list(objectness), list(right)) == pytest.approx((1.5, 0.7, 0.5), abs=0.15)
