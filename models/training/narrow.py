"""Weights of 7 bits in the 8-bit networks, so that every processor gives the same answers.

Processors without VNNI add two products of an unsigned and a signed byte into 16 bits and saturate there: with weights
from -64 to 63 no pair can (2 * 255 * 64 < 32768). What the coarser rounding costs is made good layer by layer: a
weight is rounded so that it mends what the rounding before it did to the answers on sample inputs (GPTQ, Frantar 2022),
and each layer is fitted to what the rounded layers before it give, the last one, of floats, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import NodeProto, helper

from models.training.lean import Graph

Array = NDArray[np.float64]

LARGEST = 63
"""Of a weight of 7 bits, either way."""

COLUMNS = 20_000
"""Of so many places of the sample inputs each layer is told."""

HOT = 0.5
"""So many of the places, as a share, are chosen where a detector sees something: most of a picture is bare table."""

DAMPING = 0.01
"""Of the mean of the diagonal: keeps the inverse finite where inputs are never lit (as GPTQ does)."""

STAY = 0.3
"""Of the mean of the diagonal: how strongly a fitted layer holds to the weights that it had."""

SHRUNK = np.linspace(0.7, 1.0, 31)
"""Parts of the largest weight that are tried as the largest that can be told."""


Heat = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""From a detector's answer, (n, maps, h, w), to how surely something is where, (n, h, w) 0..1."""


def narrow(path: Path, samples: Sequence[NDArray[np.uint8]], objectness: Heat | None = None) -> None:
    """Rewrite the file of a network that `quantise` made: 7-bit weights. samples: batches of its input. objectness: if any."""
    before, model = onnx.load(path), onnx.load(path)
    graph = Graph(model)
    makers = {name: node for node in graph.graph.node for name in node.output}
    places = _Places(before, samples, objectness)
    for node in [node for node in graph.graph.node if node.op_type in ("Conv", "Gemm")]:
        packed = _is_packed(graph, makers, node)
        if packed:
            weight, bias = (makers[name] for name in node.input[1:3])
            shape = graph.value(weight.input[0]).shape
            full = _rows(*(np.asarray(graph.value(name), np.float64) for name in weight.input[:2]))
            told = np.asarray(graph.value(bias.input[0]), np.float64) * np.asarray(graph.value(bias.input[1]), np.float64)
        else:
            shape = graph.value(node.input[1]).shape
            full = np.asarray(graph.value(node.input[1]), np.float64).reshape(shape[0], -1)
            told = np.asarray(graph.value(node.input[2]), np.float64)
        meant, given = places.columns(node, shape, before, model)
        full, aim = _fitted(full, meant, given), full @ meant + told[:, None]
        if packed:
            whole, scales = _rounded(full, given)
            lost = (aim - whole * scales[:, None] @ given).mean(axis=1)
            step = scales * np.asarray(graph.value(makers[node.input[0]].input[1])).item()
            graph.set(weight.input[0], whole.reshape(shape).astype(np.int8))
            graph.set(weight.input[1], scales.astype(np.float32))
            graph.set(bias.input[0], np.round(lost / step).astype(np.int32))
            graph.set(bias.input[1], step.astype(np.float32))
        else:
            graph.set(node.input[1], full.reshape(shape).astype(np.float32))
            graph.set(node.input[2], (aim - full @ given).mean(axis=1).astype(np.float32))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _is_packed(graph: Graph, makers: dict[str, NodeProto], node: NodeProto) -> bool:
    """Whether a layer has 8-bit weights; the last layers have not."""
    maker = makers.get(node.input[1])
    return maker is not None and maker.op_type == "DequantizeLinear" and graph.value(maker.input[0]).dtype == np.int8


def _rows(packed: Array, scale: Array) -> Array:
    """(outputs, inputs): the weights as they are meant."""
    return packed.reshape(len(packed), -1) * np.broadcast_to(scale, (len(packed),))[:, None]


def _fitted(full: Array, meant: Array, given: Array) -> Array:
    """Weights, (outputs, inputs), that make of what is given, (inputs, places), nearly what `full` made of what was meant."""
    off = given - given.mean(axis=1, keepdims=True)
    second = off @ off.T / off.shape[1]
    both = full @ (meant - meant.mean(axis=1, keepdims=True)) @ off.T / off.shape[1]
    held = second + STAY * np.trace(second) / len(second) * np.eye(len(second))
    return np.asarray(full + np.linalg.solve(held, (both - full @ second).T).T, np.float64)


class _Places:
    """The places of sample pictures at which the layers of a network are compared."""

    def __init__(self, model: onnx.ModelProto, samples: Sequence[NDArray[np.uint8]], objectness: Heat | None) -> None:
        self.samples, self.rng = samples, np.random.default_rng(1)
        self.objectness: list[NDArray[np.float32]] = []
        if objectness is not None:
            session = _watched(model, ())
            name, answer = session.get_inputs()[0].name, session.get_outputs()[0].name
            for batch in samples:
                found = objectness(session.run([answer], {name: batch})[0])
                self.objectness.append(np.stack([cv2.dilate(each, np.ones((3, 3))) for each in found]))

    def columns(self, node: NodeProto, shape: tuple[int, ...], *models: onnx.ModelProto) -> list[Array]:
        """(inputs of one answer, places) for each model: what the layer's rows are multiplied with."""
        name = node.input[0]
        sessions = [_watched(model, (name,)) for model in models]
        taken = sessions[0].get_inputs()[0].name
        out: list[list[Array]] = [[] for _ in models]
        for at, batch in enumerate(self.samples):
            given = [session.run([name], {taken: batch})[0] for session in sessions]
            chosen = self._chosen(at, _grid(node, given[0].shape, shape))
            for found, each in zip(out, given, strict=True):
                found.append(_cut(node, each, shape, chosen))
        return [np.concatenate(found, axis=1) for found in out]

    def _chosen(self, at: int, grid: tuple[int, ...]) -> NDArray[np.int64]:
        """Some places of a batch, flat, of a layer that answers at so many."""
        count = int(np.prod(grid))
        share = np.full(count, 1 / count)
        if self.objectness:
            seen = [cv2.resize(each, grid[:0:-1]).ravel() for each in self.objectness[at]]
            objectness = np.concatenate(seen).astype(np.float64) + 1e-4
            share = HOT * objectness / objectness.sum() + (1 - HOT) * share
        return self.rng.choice(count, min(max(1, COLUMNS // len(self.samples)), count), replace=False, p=share)


def _watched(model: onnx.ModelProto, names: Sequence[str]) -> onnxruntime.InferenceSession:
    """The network, which also tells what goes by these names."""
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    watched.graph.output.extend(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in names)
    return onnxruntime.InferenceSession(watched.SerializeToString(), providers=["CPUExecutionProvider"])


def _lying(node: NodeProto) -> tuple[list[int], list[int]]:
    """Borders, top, left, bottom and right, and strides of a convolution."""
    said = {attribute.name: list(attribute.ints) for attribute in node.attribute if attribute.ints}
    return said.get("pads", [0, 0, 0, 0]), said.get("strides", [1, 1])


def _grid(node: NodeProto, given: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    """At how many places a layer answers: pictures, and rows and columns of each."""
    if node.op_type == "Gemm":
        return given[:1]
    pads, strides = _lying(node)
    rows, columns = ((given[2 + axis] + pads[axis] + pads[2 + axis] - shape[2 + axis]) // strides[axis] + 1 for axis in (0, 1))
    return given[0], rows, columns


def _cut(node: NodeProto, given: NDArray[np.float32], shape: tuple[int, ...], chosen: NDArray[np.int64]) -> Array:
    """(inputs of one answer, places) of one batch."""
    if node.op_type == "Gemm":
        return given[chosen].T.astype(np.float64)
    pads, strides = _lying(node)
    padded = np.pad(given, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    picture, row, column = (each[:, None, None] for each in np.unravel_index(chosen, _grid(node, given.shape, shape)))
    down, right = np.mgrid[: shape[2], : shape[3]]
    patches = padded[picture, :, row * strides[0] + down, column * strides[1] + right]
    return patches.transpose(3, 1, 2, 0).reshape(-1, len(chosen)).astype(np.float64)


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
