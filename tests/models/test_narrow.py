"""Weights of 7 bits: no processor saturates, and a network says nearly what it said."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

torch = pytest.importorskip("torch", reason="torch is not installed: the recipe of the models is not tried")

from models.training.export import export_reader, quantise  # noqa: E402
from models.training.networks import TileReader  # noqa: E402
from tests.models.test_lean import answer  # noqa: E402


def test_a_quantised_network_has_weights_of_7_bits_and_says_what_it_said(tmp_path: Path) -> None:
    torch.manual_seed(5)
    tiles = np.random.default_rng(5).integers(0, 256, (24, 64, 112, 3), np.uint8)
    export_reader(TileReader().state_dict(), tmp_path / "floats.onnx")
    quantise(tmp_path / "floats.onnx", tmp_path / "bytes.onnx", "tiles", [tiles[:16]])
    weights = [numpy_helper.to_array(each) for each in onnx.load(tmp_path / "bytes.onnx").graph.initializer]
    packed = [weight for weight in weights if weight.dtype == np.int8 and weight.ndim > 1]
    assert packed and max(np.abs(weight).max() for weight in packed) == 63
    meant, told = answer(tmp_path / "floats.onnx", "tiles", tiles[16:]), answer(tmp_path / "bytes.onnx", "tiles", tiles[16:])
    assert np.abs(told - meant).max() < 0.06 * np.abs(meant).max()
