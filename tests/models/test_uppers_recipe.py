"""The recipe of the network for tiles on others, tiny; and what it is shown."""

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the recipe of the models is not tried")

from models.training import uppers  # noqa: E402
from models.training.uppers import PLANS, places, run  # noqa: E402
from simulator.tabletop.look import TESTING_SEEDS  # noqa: E402
from vision.blocks import in_blocks  # noqa: E402
from vision.reader import ALONE, AROUND, BARE, UPON  # noqa: E402


def test_the_recipe_makes_a_network_and_resumes(tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "models"
    run(PLANS["tiny"], work, out, seed=3, workers=1)
    session = onnxruntime.InferenceSession(str(out / "uppers.onnx"), providers=["CPUExecutionProvider"])
    crops = np.zeros((2, AROUND.height, AROUND.width, 3), np.uint8)
    assert session.run(None, {"places": in_blocks(crops)})[0].shape == (2, 3)
    before = [path.stat().st_mtime_ns for path in (work / "uppers.pt", *work.glob("*/*.npz"))]
    run(PLANS["tiny"], work, out, seed=3, workers=1)
    assert [path.stat().st_mtime_ns for path in (work / "uppers.pt", *work.glob("*/*.npz"))] == before  # finished work is kept


def test_it_is_shown_joints_and_tiles_on_the_table_and_on_others() -> None:
    shown = list(places(1))
    assert len(shown) == len(uppers.LAID)
    labels = np.concatenate([some for _, some in shown])
    assert all(crops.shape[1:] == (AROUND.height, AROUND.width, 3) for crops, _ in shown)
    assert {BARE, ALONE, UPON} == set(labels.tolist())
    first, _, last = (np.bincount(some, minlength=3)[UPON] for _, some in shown)
    assert last > first + 3
    assert TESTING_SEEDS.start > uppers.FIRST_SEED + 1_000_000  # of the places kept out, too
