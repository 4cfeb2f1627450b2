"""Teaches a finished tile reader numbers: its last layer alone learns, and of that only what tells them.

So what is a face, a back or no tile is decided as before, to the bit, and nothing is rounded again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper
from torch import Tensor, nn
from torch.nn import functional

from models.training.fitting import picture_tensor
from models.training.lean import Graph
from models.training.networks import COUNTS, KINDS
from models.training.tiles import FACE
from models.training.train_reader import varied
from vision.blocks import in_blocks

Array = NDArray[np.float32]
Image = NDArray[np.uint8]
Labels = NDArray[np.int8]

HIGH = 13
"""Tiles with a number no lower are what is to be learned; they are few, so they are shown more often."""

NEW, KNOWN = 128, 384
"""Of those, and of others, so many are in a batch."""

KEPT = 0.5
"""Of others, half of what counts is what they are, half what was said of them before."""

RATE = 1e-3

AT_ONCE = 256


class FinishedReader:
    """A finished tile reader, taken apart before its last layer. path: its ONNX file."""

    def __init__(self, path: Path) -> None:
        self._model = onnx.load(path)
        self._graph = Graph(self._model)
        last = self._graph.graph.node[-1]
        if last.op_type != "Gemm":
            raise ValueError(f"{path.name} does not end with a layer in floats")
        self._before, self._weight, self._bias = last.input
        copied = onnx.ModelProto()
        copied.CopyFrom(self._model)
        copied.graph.output.append(helper.make_tensor_value_info(self._before, TensorProto.FLOAT, None))
        self._session = onnxruntime.InferenceSession(copied.SerializeToString(), providers=["CPUExecutionProvider"])

    def seen(self, tiles: Image) -> Tensor:
        """What the last layer is told of straightened tiles (n, 64, 112, 3), (n, m)."""
        parts = [self._session.run([self._before], {"tiles": in_blocks(tiles[at : at + AT_ONCE])})[0]
                 for at in range(0, len(tiles), AT_ONCE)]
        return torch.from_numpy(np.concatenate(parts))

    @property
    def numbers(self) -> nn.Linear:
        """The part of the last layer that tells numbers, which may be taught."""
        weight, bias = (torch.tensor(self._graph.value(name)[KINDS:]) for name in (self._weight, self._bias))
        layer = nn.Linear(weight.shape[1], len(weight))
        layer.load_state_dict({"weight": weight, "bias": bias})
        return layer

    def write(self, numbers: nn.Linear, path: Path) -> None:
        """The reader with that part exchanged, as a file."""
        for name, new in ((self._weight, numbers.weight), (self._bias, numbers.bias)):
            whole = np.array(self._graph.value(name))
            whole[KINDS:] = new.detach().numpy()
            self._graph.set(name, whole)
        onnx.save(self._model, path)


def shown(reader: FinishedReader, tiles: Image, labels: Labels, seed: int, times: int) -> tuple[Tensor, Tensor]:
    """What the last layer is told of faces, each shown so many times as `varied` has it, those with high numbers three times as
    often; and their numbers, (n, 2)."""
    rng = torch.Generator().manual_seed(seed)
    faces = np.flatnonzero(labels[:, 0] == FACE)
    high = faces[labels[faces, 1:].max(axis=1) >= HIGH]
    told, numbers = [], []
    for which in (*[faces] * times, *[high] * 2 * times):
        for at in range(0, len(which), AT_ONCE):
            part = which[at : at + AT_ONCE]
            pictures, truth = varied(picture_tensor(torch.from_numpy(tiles[part])), torch.from_numpy(labels[part]), rng)
            told.append(reader.seen((pictures.permute(0, 2, 3, 1) * 255).round().to(torch.uint8).contiguous().numpy()))
            numbers.append(truth[:, 1:].long())
    return torch.cat(told), torch.cat(numbers)


def taught(before: nn.Linear, told: Tensor, numbers: Tensor, steps: int, seed: int) -> nn.Linear:
    """The layer after so many batches; what was said of other tiles counts beside what they are, so little of it is forgotten."""
    torch.manual_seed(seed)
    with torch.no_grad():
        said = _numbers(before, told).softmax(dim=2)
    layer = nn.Linear(before.in_features, before.out_features)
    layer.load_state_dict(before.state_dict())
    optimiser = torch.optim.AdamW(layer.parameters(), lr=RATE, weight_decay=0)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, steps)
    high = numbers.max(dim=1).values >= HIGH
    for new, known in _batches(high, steps):
        scores, old = _numbers(layer, told[new]), _numbers(layer, told[known])
        learned = _missed(scores, numbers[new])
        kept = functional.kl_div(old.log_softmax(dim=2).flatten(0, 1), said[known].flatten(0, 1), reduction="batchmean")
        loss = NEW * learned + KNOWN * (KEPT * kept + (1 - KEPT) * _missed(old, numbers[known]))
        optimiser.zero_grad()
        (loss / (NEW + KNOWN)).backward()
        optimiser.step()
        schedule.step()
    return layer


def _batches(high: Tensor, steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Numbers of tiles to be learned, and of others."""
    new, known = high.nonzero()[:, 0], (~high).nonzero()[:, 0]
    for _ in range(steps):
        yield new[torch.randint(len(new), (NEW,))], known[torch.randint(len(known), (KNOWN,))]


def _numbers(layer: nn.Linear, told: Tensor) -> Tensor:
    """(n, 2, 16) scores."""
    return layer(told).reshape(-1, 2, COUNTS)


def _missed(scores: Tensor, numbers: Tensor) -> Tensor:
    return functional.cross_entropy(scores.flatten(0, 1), numbers.flatten())
