"""A network made quicker says what it said before."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the recipe of the models is not tried")

import onnxruntime  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from models.training.export import export_detector, export_reader, quantise  # noqa: E402
from models.training.fitting import picture_tensor  # noqa: E402
from models.training.lean import lean  # noqa: E402
from models.training.networks import Detector, TileReader  # noqa: E402
from models.training.thaw import thaw  # noqa: E402
from vision.blocks import in_blocks  # noqa: E402


def answer(model: Path, name: str, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    out: NDArray[np.float32] = session.run(None, {name: pictures})[0]
    return out


def test_the_lean_detector_finds_what_it_found(tmp_path: Path) -> None:
    torch.manual_seed(1)
    pictures = np.random.default_rng(1).integers(0, 256, (3, 96, 128, 3), np.uint8)
    export_detector(Detector().state_dict(), tmp_path / "floats.onnx")
    quantise(tmp_path / "floats.onnx", tmp_path / "bytes.onnx", "picture", [each[None] for each in pictures])
    before = answer(tmp_path / "bytes.onnx", "picture", pictures[:1])
    lean(tmp_path / "bytes.onnx")
    folded = answer(tmp_path / "bytes.onnx", "picture", in_blocks(pictures[:1]))[0]
    after = folded.reshape(10, 2, 2, 12, 16).transpose(0, 3, 1, 4, 2).reshape(10, 24, 32)
    after[:2] = 1 / (1 + np.exp(-after[:2]))
    assert np.abs(after - before[0]).max() < 0.05 * np.abs(before).max()


def test_the_lean_tile_reader_reads_what_it_read(tmp_path: Path) -> None:
    torch.manual_seed(2)
    tiles = np.random.default_rng(2).integers(0, 256, (16, 64, 112, 3), np.uint8)
    export_reader(TileReader().state_dict(), tmp_path / "floats.onnx")
    quantise(tmp_path / "floats.onnx", tmp_path / "bytes.onnx", "tiles", [tiles])
    before = answer(tmp_path / "bytes.onnx", "tiles", tiles)
    lean(tmp_path / "bytes.onnx")
    after = answer(tmp_path / "bytes.onnx", "tiles", in_blocks(tiles))
    assert np.abs(after - before).max() < 0.05 * np.abs(before).max()


def test_a_thawed_lean_network_says_what_it_said(tmp_path: Path) -> None:
    torch.manual_seed(3)
    pictures = np.random.default_rng(3).integers(0, 256, (2, 96, 128, 3), np.uint8)
    export_detector(Detector().state_dict(), tmp_path / "floats.onnx")
    quantise(tmp_path / "floats.onnx", tmp_path / "bytes.onnx", "picture", [each[None] for each in pictures])
    before = answer(tmp_path / "bytes.onnx", "picture", pictures[:1])[0]
    lean(tmp_path / "bytes.onnx")
    batch = picture_tensor(torch.from_numpy(pictures))
    network = thaw(Detector(), tmp_path / "bytes.onnx", batch).eval()
    with torch.no_grad():
        after = network(batch[:1])[0].numpy()
    assert np.abs(after - before).max() < 0.1 * np.abs(before).max()
