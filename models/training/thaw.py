"""From a shipped 8-bit network back to one that can be trained on: its weights, with batch norms as they would be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn


def thaw(network: nn.Module, shipped: Path, sample: Tensor) -> nn.Module:
    """`network` with the weights of `shipped`, an ONNX file that was exported from one like it.

    sample: a batch of its input. Batch norms were folded into the convolutions before them; they become ones with this
    sample's statistics that do the same. ValueError where the layers do not fit.
    """
    layers = _layers(shipped)
    network.eval()
    order: list[nn.Module] = []
    hooks = [module.register_forward_hook(lambda module, *_: order.append(module)) for module in network.modules()
             if isinstance(module, nn.Conv2d | nn.Linear | nn.BatchNorm2d)]  # fmt: skip
    with torch.no_grad():
        network(sample[:2])
    for hook in hooks:
        hook.remove()
    weighted = [module for module in order if not isinstance(module, nn.BatchNorm2d)]
    if layers and layers[0][0].shape[2:] == (2, 2):
        layers[0] = _whole_kernel(layers[0][0]), layers[0][1]
    if [module.weight.shape for module in weighted] != [weight.shape for weight, _ in layers]:
        raise ValueError(f"{shipped.name} does not hold the layers of {type(network).__name__}")
    for module, (weight, bias) in zip(weighted, layers, strict=True):
        module.weight.data = torch.from_numpy(weight)
        if module.bias is not None:
            module.bias.data = torch.from_numpy(bias)
            continue
        norm = order[order.index(module) + 1]
        assert isinstance(norm, nn.BatchNorm2d)
        norm.running_mean, norm.running_var = torch.zeros(len(bias)), torch.ones(len(bias)) - norm.eps
        norm.weight.data, norm.bias.data = torch.ones(len(bias)), torch.from_numpy(bias)
    norms = [module for module in order if isinstance(module, nn.BatchNorm2d)]
    hooks = [norm.register_forward_pre_hook(_measured) for norm in norms]
    with torch.no_grad():
        network(sample)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, spread = norm.seen
        norm.running_mean, norm.running_var = mean, spread
        norm.bias.data = norm.bias.data + mean
        norm.weight.data = torch.sqrt(spread + norm.eps)
    return network


def _whole_kernel(blocks: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, c, 3, 3) of a first layer that `lean` rewrote to work on blocks of 2x2 pixels, (n, 4 c, 2, 2)."""
    cells = blocks.reshape(len(blocks), 2, 2, -1, 2, 2)
    kernel = np.empty((len(blocks), cells.shape[3], 3, 3), np.float32)
    for y in range(3):
        for x in range(3):
            kernel[:, :, y, x] = cells[:, (y + 1) % 2, (x + 1) % 2, :, (y + 1) // 2, (x + 1) // 2]
    return kernel


def _measured(norm: nn.Module, given: tuple[Tensor]) -> None:
    norm.seen = given[0].mean(dim=(0, 2, 3)), given[0].var(dim=(0, 2, 3))


def _layers(shipped: Path) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Weight and bias of every convolution and full layer, in the order in which they are used."""
    graph = onnx.load(shipped).graph
    stored = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    makers = {node.output[0]: node for node in graph.node if node.op_type == "DequantizeLinear"}

    def value(name: str) -> NDArray[np.float32]:
        if name in stored:
            return np.array(stored[name], np.float32)
        packed, scale, zero = (stored[each] for each in makers[name].input)
        shape = (-1,) + (1,) * (packed.ndim - 1)
        return ((packed.astype(np.float32) - zero.reshape(shape)) * scale.reshape(shape)).astype(np.float32)

    return [(value(node.input[1]), value(node.input[2])) for node in graph.node if node.op_type in ("Conv", "Gemm")]
