"""A stand-in for the common nano detector, for machines without that file: a graph laid out as YOLO11n is, with random weights.

Convolutions with SiLU, blocks that split, go on with one half and join all parts (C3k2), pooling in steps (SPPF), attention
(C2PSA), and a head on three scales: boxes as distributions of distances, and 80 classes by depthwise steps. 2.6 million
parameters and 3.2 billion multiplications on a 640x640 picture. It is only timed; it reads nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

SIDE = 640
CLASSES = 80
DISTANCES = 16
"""How many distances each side of a box is spread over."""

STEPS = (8, 16, 32)
"""Pixels of the picture per cell of the head's three scales."""


class _Graph:
    """A graph as it grows; what flows through it goes by name. channels: of each of these."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.values: list[onnx.TensorProto] = []
        self.channels = {"images": 3}
        self._chance = np.random.default_rng(0)

    def do(self, kind: str, *inputs: str, channels: int = 0, **attributes: Any) -> str:
        """One more node with one output of so many channels; of as many as the first input where none are told."""
        return self._node(kind, inputs, (channels or self.channels[inputs[0]],), **attributes)[0]

    def split(self, x: str, *sizes: int, axis: int = 1) -> list[str]:
        """x in parts of these sizes."""
        return self._node("Split", (x, self.constant(np.array(sizes))), sizes, axis=axis)

    def _node(self, kind: str, inputs: Sequence[str], channels: Sequence[int], **attributes: Any) -> list[str]:
        outputs = [f"{kind}{len(self.nodes)}.{part}" for part in range(len(channels))]
        self.nodes.append(helper.make_node(kind, inputs, outputs, **attributes))
        self.channels.update(zip(outputs, channels, strict=True))
        return outputs

    def constant(self, values: NDArray[Any]) -> str:
        name = f"constant{len(self.values)}"
        self.values.append(numpy_helper.from_array(values, name))
        return name

    def conv(self, x: str, out: int, kernel: int = 1, stride: int = 1, groups: int = 1, silu: bool = True) -> str:
        """A convolution, and its SiLU where asked for."""
        shape = (out, self.channels[x] // groups, kernel, kernel)
        weights = self._chance.normal(0, (2 / np.prod(shape[1:])) ** 0.5, shape).astype(np.float32)
        inputs = x, self.constant(weights), self.constant(np.zeros(out, np.float32))
        y = self.do("Conv", *inputs, channels=out, strides=[stride] * 2, pads=[kernel // 2] * 4, group=groups)
        return self.do("Mul", y, self.do("Sigmoid", y)) if silu else y

    def join(self, *parts: str) -> str:
        return self.do("Concat", *parts, channels=sum(self.channels[part] for part in parts), axis=1)

    def shaped(self, x: str, *shape: int) -> str:
        return self.do("Reshape", x, self.constant(np.array(shape, np.int64)))

    def halves(self, x: str) -> list[str]:
        return self.split(x, self.channels[x] // 2, self.channels[x] // 2)

    def residual(self, x: str, hidden: int) -> str:
        """Two 3x3 convolutions, added to what they begin with."""
        return self.do("Add", x, self.conv(self.conv(x, hidden, 3), self.channels[x], 3))

    def c3k2(self, x: str, out: int, hidden: int, deep: bool = False) -> str:
        """One half goes on: through a residual or, deep, through two of them beside a short way; all parts are joined."""
        first, second = self.halves(self.conv(x, 2 * hidden))
        if deep:
            inner = hidden // 2
            long = self.residual(self.residual(self.conv(second, inner), inner), inner)
            further = self.conv(self.join(long, self.conv(second, inner)), hidden)
        else:
            further = self.residual(second, hidden // 2)
        return self.conv(self.join(first, second, further), out)

    def sppf(self, x: str, out: int) -> str:
        """Pooled three times, all of it joined."""
        pooled = [self.conv(x, self.channels[x] // 2)]
        for _ in range(3):
            pooled.append(self.do("MaxPool", pooled[-1], kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4))
        return self.conv(self.join(*pooled), out)

    def attention(self, x: str, cells: int, heads: int = 2) -> str:
        """Every cell looks at all others; where a value came from is told by a depthwise convolution."""
        width = self.channels[x]
        wide, narrow = width // heads, width // heads // 2
        mixed = self.shaped(self.conv(x, 2 * width, silu=False), 1, heads, 2 * narrow + wide, cells * cells)
        query, key, value = self.split(mixed, narrow, narrow, wide, axis=2)
        alike = self.do("MatMul", self.do("Transpose", query, perm=[0, 1, 3, 2]), key)
        alike = self.do("Softmax", self.do("Mul", alike, self.constant(np.array(narrow**-0.5, np.float32))), axis=-1)
        seen = self.do("MatMul", value, self.do("Transpose", alike, perm=[0, 1, 3, 2]))
        seen, value = (self.shaped(each, 1, width, cells, cells) for each in (seen, value))
        self.channels |= {seen: width, value: width}
        where = self.conv(value, width, 3, groups=width, silu=False)
        return self.conv(self.do("Add", seen, where), width, silu=False)

    def c2psa(self, x: str, cells: int) -> str:
        """One half goes through attention and two convolutions, each added to what it begins with."""
        first, second = self.halves(self.conv(x, self.channels[x]))
        second = self.do("Add", second, self.attention(second, cells))
        further = self.conv(self.conv(second, 2 * self.channels[second]), self.channels[second], silu=False)
        return self.conv(self.join(first, self.do("Add", second, further)), self.channels[x])

    def enlarged(self, x: str) -> str:
        return self.do("Resize", x, "", self.constant(np.array([1, 1, 2, 2], np.float32)), mode="nearest",
                       nearest_mode="floor", coordinate_transformation_mode="asymmetric")

    def head(self, scales: list[str]) -> str:
        """(1, 4 + classes, cells) boxes in pixels and how likely each class is."""
        boxes, classes, cells = [], [], [(SIDE // step) ** 2 for step in STEPS]
        for x, count in zip(scales, cells, strict=True):
            box = self.conv(self.conv(self.conv(x, 64, 3), 64, 3), 4 * DISTANCES, silu=False)
            boxes.append(self.shaped(box, 1, 4 * DISTANCES, count))
            for _ in range(2):
                x = self.conv(self.conv(x, self.channels[x], 3, groups=self.channels[x]), CLASSES)
            classes.append(self.shaped(self.conv(x, CLASSES, silu=False), 1, CLASSES, count))
        spread, likely = (self.do("Concat", *each, axis=2) for each in (boxes, classes))
        spread = self.shaped(spread, 1, 4, DISTANCES, sum(cells))
        shares = self.do("Softmax", self.do("Transpose", spread, perm=[0, 2, 1, 3], channels=DISTANCES), axis=1)
        sides = self.shaped(self.conv(shares, 1, silu=False), 1, 4, sum(cells))
        low, high = self.split(sides, 2, 2)
        grids = [np.stack(np.meshgrid(*[np.arange(SIDE // step) + 0.5] * 2)).reshape(2, -1) for step in STEPS]
        middles = self.constant(np.concatenate(grids, axis=1, dtype=np.float32)[None])
        step = self.constant(np.repeat(np.array(STEPS, np.float32), cells)[None, None])
        low, high = self.do("Sub", middles, low, channels=2), self.do("Add", middles, high, channels=2)
        centre = self.do("Div", self.do("Add", low, high), self.constant(np.array(2, np.float32)))
        box = self.join(centre, self.do("Sub", high, low))
        return self.join(self.do("Mul", box, step), self.do("Sigmoid", likely))


def standin_model() -> bytes:
    """The graph as an ONNX file: input (1, 3, 640, 640) float32, output (1, 84, 8400)."""
    graph = _Graph()
    x = graph.c3k2(graph.conv(graph.conv("images", 16, 3, 2), 32, 3, 2), 64, 16)
    eighth = graph.c3k2(graph.conv(x, 64, 3, 2), 128, 32)
    sixteenth = graph.c3k2(graph.conv(eighth, 128, 3, 2), 128, 64, deep=True)
    x = graph.c3k2(graph.conv(sixteenth, 256, 3, 2), 256, 128, deep=True)
    coarse = graph.c2psa(graph.sppf(x, 256), SIDE // STEPS[-1])
    middle = graph.c3k2(graph.join(graph.enlarged(coarse), sixteenth), 128, 64)
    fine = graph.c3k2(graph.join(graph.enlarged(middle), eighth), 64, 32)
    middle = graph.c3k2(graph.join(graph.conv(fine, 64, 3, 2), middle), 128, 64)
    coarse = graph.c3k2(graph.join(graph.conv(middle, 128, 3, 2), coarse), 256, 128, deep=True)
    last = graph.head([fine, middle, coarse])
    cells = sum((SIDE // step) ** 2 for step in STEPS)
    told = helper.make_graph(
        graph.nodes,
        "standin",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, SIDE, SIDE])],
        [helper.make_tensor_value_info(last, TensorProto.FLOAT, [1, 4 + CLASSES, cells])],
        graph.values,
    )
    model = helper.make_model(told, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString())
