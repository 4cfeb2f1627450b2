"""Write the trained networks as ONNX: 8-bit weights and activations, calibrated on made-up pictures."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.training.narrow import Heat, narrow
from models.training.networks import TILE_HEIGHT, TILE_WIDTH, Detector, TileReader, UpperReader
from vision.blocks import in_blocks
from vision.reader import AROUND


class FromBytes(nn.Module):
    """A network that takes pictures as cameras give them: (n, h, w, 3) uint8 BGR."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, picture: Tensor) -> Tensor:
        out: Tensor = self.network(picture.permute(0, 3, 1, 2).float() * (1 / 255))
        return out


def export_detector(weights: dict[str, Tensor], path: Path) -> None:
    """The detector in 32-bit floats; input `picture`, output `maps`."""
    network = Detector()
    network.load_state_dict(weights)
    _export(network, torch.zeros(1, 320, 320, 3, dtype=torch.uint8), path, "picture", "maps",
            {"picture": {1: "h", 2: "w"}, "maps": {2: "mh", 3: "mw"}})


def export_reader(weights: dict[str, Tensor], path: Path) -> None:
    """The tile reader in 32-bit floats; input `tiles`, output `scores`."""
    network = TileReader()
    network.load_state_dict(weights)
    _export(network, torch.zeros(2, TILE_HEIGHT, TILE_WIDTH, 3, dtype=torch.uint8), path, "tiles", "scores",
            {"tiles": {0: "n"}, "scores": {0: "n"}})


def export_uppers(weights: dict[str, Tensor], path: Path) -> None:
    """The network for tiles on others in 32-bit floats; input `places`, output `scores`."""
    network = UpperReader()
    network.load_state_dict(weights)
    _export(network, torch.zeros(2, AROUND.height, AROUND.width, 3, dtype=torch.uint8), path, "places", "scores",
            {"places": {0: "n"}, "scores": {0: "n"}})


def _export(network: nn.Module, sample: Tensor, path: Path, given: str, answer: str, axes: dict[str, dict[int, str]]) -> None:
    with warnings.catch_warnings():  # the old exporter, on its way out of torch, needs no further package; torch is pinned
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(FromBytes(network).eval(), (sample,), str(path), input_names=[given], output_names=[answer],
                          dynamic_axes=axes, opset_version=17, dynamo=False)


def quantise(source: Path, target: Path, name: str, samples: list[NDArray[np.uint8]],
             objectness: Heat | None = None) -> None:
    """8-bit copy of a network, calibrated on `samples` (batches of its input), with weights of 7 bits; the last layer stays
    in floats. objectness: see `narrow`."""
    from onnxruntime.quantization import (
        CalibrationDataReader,
        CalibrationMethod,
        QuantFormat,
        QuantType,
        quantize_static,
    )
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Samples(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.rest: Iterator[NDArray[np.uint8]] = iter(samples)

        def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
            batch = next(self.rest, None)
            return None if batch is None else {name: batch}

    prepared = target.with_suffix(".prepared.onnx")
    quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
    layers = [n.name for n in onnx.load(prepared).graph.node if n.op_type in ("Conv", "Gemm", "MatMul")]
    quantize_static(str(prepared), str(target), Samples(), quant_format=QuantFormat.QDQ, per_channel=True,
                    activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, nodes_to_exclude=layers[-1:],
                    calibrate_method=CalibrationMethod.MinMax, op_types_to_quantize=["Conv", "Gemm", "MatMul", "Add"])
    prepared.unlink()
    narrow(target, samples, objectness)


def heat_of(maps: NDArray[np.float32]) -> NDArray[np.float32]:
    """How surely the half of a tile is where, (n, h, w), by the detector's maps, (n, 10, h, w)."""
    return np.asarray(maps[:, :2].max(axis=1), np.float32)


def scores_of(model: Path, tiles: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, 35) scores of a finished tile reader for straightened tiles (n, 64, 112, 3)."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    return np.concatenate([session.run(None, {"tiles": in_blocks(tiles[i : i + 256])})[0] for i in range(0, len(tiles), 256)])
