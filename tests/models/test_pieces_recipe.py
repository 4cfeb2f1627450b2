"""The whole recipe of the networks for pieces, tiny: what comes out runs; and what the reader is taught about sets."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the recipe of the models is not tried")

from calibration.profile import Profile  # noqa: E402
from models.training.pieces import PLANS, run  # noqa: E402
from models.training.train_pieces import set_loss  # noqa: E402
from vision.pieces import PieceReader  # noqa: E402


def test_the_recipe_makes_networks_and_resumes(tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "models"
    run(PLANS["tiny"], work, out, seed=3, workers=2)
    profile = Profile((320, 240), np.diag([1.0, 1.0, 1.0]), (0, 0, 320, 240), "corners", 0.0)
    reader = PieceReader(threads=1, models=out)
    reader.read(np.full((240, 320, 3), 90, np.uint8), profile)
    before = (work / "reader.pt").stat().st_mtime_ns
    run(PLANS["tiny"], work, out, seed=3, workers=2)
    assert (work / "reader.pt").stat().st_mtime_ns == before  # finished work is kept


def test_sides_that_look_alike_cost_more_than_sides_that_differ() -> None:
    apart = torch.eye(4)[[0, 0, 1, 1, 2, 2]]
    names = torch.tensor([5, 5, 6, 6, 7, 7])
    crowded = torch.nn.functional.normalize(apart + 2.0, dim=1)
    sharpness = torch.tensor(2.5)
    assert float(set_loss(apart, names, sharpness)) < 0.1 < float(set_loss(crowded, names, sharpness))
    # a crop on its own has nobody to be named by, and what is no piece is not asked
    assert float(set_loss(apart[:1], names[:1], sharpness)) == 0.0
    assert float(set_loss(apart, torch.full((6,), -1), sharpness)) == 0.0
