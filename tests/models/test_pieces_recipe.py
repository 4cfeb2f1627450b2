"""The whole recipe of the networks for pieces, tiny: what comes out runs; and what the reader is taught about sets."""

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the recipe of the models is not tried")

from calibration.profile import Profile  # noqa: E402
from models.training.piece_networks import PieceFinder  # noqa: E402
from models.training.piece_networks import PieceReader as MarksNetwork  # noqa: E402
from models.training.pieces import PLANS, run  # noqa: E402
from models.training.thaw import thaw  # noqa: E402
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


def test_a_shipped_network_can_be_trained_on() -> None:
    models = Path(__file__).parents[2] / "models"
    views = np.random.default_rng(1).integers(0, 255, (4, 96, 96, 3)).astype(np.uint8)
    tensor = torch.from_numpy(views).permute(0, 3, 1, 2).float() / 255
    network = thaw(PieceFinder(), models / "pieces.onnx", tensor).eval()
    shipped = onnxruntime.InferenceSession(str(models / "pieces.onnx")).run(None, {"picture": views[:1]})[0]
    with torch.no_grad():
        again = network(tensor[:1]).numpy()
    assert np.abs(again - shipped).mean() < 0.1 * np.abs(shipped).mean()  # 8 bits and folded norms, no more
    network.train()
    with torch.no_grad():
        taught = torch.sigmoid(network(tensor)[:1, :3]).numpy()
    assert np.abs(taught - again[:, :3]).max() < 0.2
    with pytest.raises(ValueError, match="does not hold the layers of PieceReader"):
        thaw(MarksNetwork(), models / "pieces.onnx", torch.zeros(2, 3, 18, 64))


def test_sides_that_look_alike_cost_more_than_sides_that_differ() -> None:
    apart = torch.eye(4)[[0, 0, 1, 1, 2, 2]]
    names = torch.tensor([5, 5, 6, 6, 7, 7])
    crowded = torch.nn.functional.normalize(apart + 2.0, dim=1)
    sharpness = torch.tensor(2.5)
    assert float(set_loss(apart, names, sharpness)) < 0.1 < float(set_loss(crowded, names, sharpness))
    # a crop on its own has nobody to be named by, and what is no piece is not asked
    assert float(set_loss(apart[:1], names[:1], sharpness)) == 0.0
    assert float(set_loss(apart, torch.full((6,), -1), sharpness)) == 0.0
