"""A stand-in for the common nano detector, for machines without that file: the same size, random weights.

2.6 million parameters and about 3.1 billion multiplications on a 640x640 picture, in 3x3 convolutions with SiLU as in
the detector's backbone. It is only timed; it reads nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SIDE = 640
STAGES = ((16, 0), (32, 3), (64, 3), (128, 2), (256, 3))
"""(channels, residual convolutions) after each halving of the picture."""


@dataclass(slots=True)
class _Builder:
    nodes: list[onnx.NodeProto]
    weights: list[onnx.TensorProto]
    chance: np.random.Generator
    last: str
    channels: int

    def convolution(self, channels: int, stride: int) -> None:
        """A 3x3 convolution and its SiLU."""
        name = f"conv{len(self.weights)}"
        fan_in = 9 * self.channels
        values = self.chance.normal(0, (2 / fan_in) ** 0.5, (channels, self.channels, 3, 3)).astype(np.float32)
        self.weights.append(numpy_helper.from_array(values, f"{name}.weight"))
        self.nodes += [
            helper.make_node(
                "Conv", [self.last, f"{name}.weight"], [name], strides=[stride, stride], pads=[1, 1, 1, 1]
            ),
            helper.make_node("Sigmoid", [name], [f"{name}.gate"]),
            helper.make_node("Mul", [name, f"{name}.gate"], [f"{name}.out"]),
        ]
        self.last, self.channels = f"{name}.out", channels

    def residual(self) -> None:
        """A convolution whose input is added to its output."""
        before = self.last
        self.convolution(self.channels, stride=1)
        total = f"{self.last}.sum"
        self.nodes.append(helper.make_node("Add", [before, self.last], [total]))
        self.last = total


def standin_model() -> bytes:
    """The graph as an ONNX file: input (1, 3, 640, 640) float32."""
    builder = _Builder([], [], np.random.default_rng(0), "images", 3)
    for channels, residuals in STAGES:
        builder.convolution(channels, stride=2)
        for _ in range(residuals):
            builder.residual()
    side = SIDE // 2 ** len(STAGES)
    graph = helper.make_graph(
        builder.nodes,
        "standin",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, SIDE, SIDE])],
        [helper.make_tensor_value_info(builder.last, TensorProto.FLOAT, [1, builder.channels, side, side])],
        builder.weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
