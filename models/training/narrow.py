"""Weights of 7 bits in the 8-bit networks, so that every processor gives the same answers.

Processors without VNNI add two products of an unsigned and a signed byte into 16 bits and saturate there: with weights
from -64 to 63 no pair can (2 * 255 * 64 < 32768). What the coarser rounding costs is made good layer by layer: a
weight is rounded so that it mends what the rounding before it did to the answers on sample inputs (GPTQ, Frantar 2022).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import NodeProto, helper
from torch import from_numpy
from torch.nn.functional import unfold

from models.training.lean import Graph

Array = NDArray[np.float64]

LARGEST = 63
"""Of a weight of 7 bits, either way."""

COLUMNS = 20_000
"""Of so many places of the sample inputs each layer is told."""

DAMPING = 0.01
"""Of the mean of the diagonal: keeps the inverse finite where inputs are never lit (as GPTQ does)."""

SHRUNK = np.linspace(0.7, 1.0, 31)
"""Parts of the largest weight that are tried as the largest that can be told."""


def narrow(path: Path, samples: Sequence[NDArray[np.uint8]]) -> None:
    """Rewrite the file of a network that `quantise` made: 7-bit weights. samples: batches of its input."""
    model = onnx.load(path)
    graph = Graph(model)
    makers = {name: node for node in graph.graph.node for name in node.output}
    layers = [node for node in graph.graph.node if node.op_type in ("Conv", "Gemm") and _is_packed(graph, makers, node)]
    inputs = _inputs(model, [node.input[0] for node in layers], samples)
    for node in layers:
        weight, bias = (makers[name] for name in node.input[1:3])
        shape = graph.value(weight.input[0]).shape
        full = _rows(np.asarray(graph.value(weight.input[0]), np.float64), np.asarray(graph.value(weight.input[1]), np.float64))
        columns = _columns(node, inputs[node.input[0]], shape)
        packed, scales = _rounded(full, columns)
        lost = (full - packed * scales[:, None]) @ columns.mean(axis=1)
        told = np.asarray(graph.value(bias.input[0]), np.float64) * np.asarray(graph.value(bias.input[1]), np.float64)
        step = scales * float(graph.value(makers[node.input[0]].input[1]))
        graph.set(weight.input[0], packed.reshape(shape).astype(np.int8))
        graph.set(weight.input[1], scales.astype(np.float32))
        graph.set(bias.input[0], np.round((told + lost) / step).astype(np.int32))
        graph.set(bias.input[1], step.astype(np.float32))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _is_packed(graph: Graph, makers: dict[str, NodeProto], node: NodeProto) -> bool:
    """Whether a layer has 8-bit weights; the last layers have not."""
    maker = makers.get(node.input[1])
    return maker is not None and maker.op_type == "DequantizeLinear" and graph.value(maker.input[0]).dtype == np.int8


def _rows(packed: Array, scale: Array) -> Array:
    """(outputs, inputs): the weights as they are meant."""
    return packed.reshape(len(packed), -1) * np.broadcast_to(scale, (len(packed),))[:, None]


def _inputs(model: onnx.ModelProto, names: Sequence[str], samples: Sequence[NDArray[np.uint8]]) -> dict[str, list[Array]]:
    """What each layer is given, batch by batch."""
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    told = list(dict.fromkeys(names))
    watched.graph.output.extend(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in told)
    session = onnxruntime.InferenceSession(watched.SerializeToString(), providers=["CPUExecutionProvider"])
    given = session.get_inputs()[0].name
    out = defaultdict[str, list[Array]](list)
    for batch in samples:
        for name, value in zip(told, session.run(told, {given: batch}), strict=True):
            out[name].append(value)
    return out


def _columns(node: NodeProto, inputs: Sequence[Array], shape: tuple[int, ...]) -> Array:
    """(inputs of one answer, places): what the layer's rows are multiplied with, some places of each batch."""
    rng = np.random.default_rng(1)
    each = max(1, COLUMNS // len(inputs))
    out = []
    for batch in inputs:
        if node.op_type == "Gemm":
            found = batch.T
        else:
            with_ = {attribute.name: list(attribute.ints) for attribute in node.attribute if attribute.ints}
            pads = with_.get("pads", [0, 0, 0, 0])
            padded = np.pad(batch, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
            patches = unfold(from_numpy(padded), shape[2:], stride=tuple(with_.get("strides", [1, 1]))).numpy()
            found = patches.transpose(1, 0, 2).reshape(patches.shape[1], -1)
        chosen = rng.choice(found.shape[1], min(each, found.shape[1]), replace=False)
        out.append(found[:, chosen].astype(np.float64))
    return np.concatenate(out, axis=1)


def _rounded(full: Array, columns: Array) -> tuple[Array, Array]:
    """(outputs, inputs) whole numbers of 7 bits and (outputs,) steps that stand for `full` on such inputs."""
    second = columns @ columns.T / columns.shape[1]
    spread = np.diag(second).copy()
    tried = []
    for part in SHRUNK:
        steps = np.maximum(np.abs(full).max(axis=1), 1e-9) * part / LARGEST
        near = np.clip(np.round(full / steps[:, None]), -LARGEST, LARGEST) * steps[:, None]
        tried.append((((near - full) ** 2) @ spread, steps))
    errors, steps = np.array([error for error, _ in tried]), np.array([step for _, step in tried])
    step = steps[errors.argmin(axis=0), np.arange(len(full))].astype(np.float32).astype(np.float64)
    order = np.argsort(-spread)
    second = second[np.ix_(order, order)]
    second[np.diag_indices_from(second)] += DAMPING * spread.mean() + 1e-12
    upper = np.linalg.cholesky(np.linalg.inv(second)).T
    rest, packed = full[:, order].copy(), np.empty_like(full)
    for at in range(len(order)):
        whole = np.clip(np.round(rest[:, at] / step), -LARGEST, LARGEST)
        packed[:, order[at]] = whole
        off = (rest[:, at] - whole * step) / upper[at, at]
        rest[:, at:] -= np.outer(off, upper[at, at:])
    return packed, step
