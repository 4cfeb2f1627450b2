"""Train the tile reader on straightened tiles; resumes where it stopped, the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from models.training.fitting import begun, coarsened, fit, picture_tensor
from models.training.networks import COUNTS, KINDS, TileReader

BATCH = 192


def loss_of(scores: Tensor, labels: Tensor, smoothing: float = 0.03) -> Tensor:
    """Cross entropy of the kind, and of both ends where the tile shows its face."""
    labels = labels.long()
    kind = functional.cross_entropy(scores[:, :KINDS], labels[:, 0], label_smoothing=0.01)
    face = labels[:, 0] == 0
    ends = scores[face][:, KINDS:].reshape(-1, COUNTS)
    counts = functional.cross_entropy(ends, labels[face][:, 1:].reshape(-1), label_smoothing=smoothing)
    return kind + 2 * torch.nan_to_num(counts)


def varied(pictures: Tensor, labels: Tensor, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """Mirror, turn, tint, blur, soil a batch; (n, 3, h, w) float 0..1."""
    count = len(pictures)
    swap = torch.rand(count, generator=rng) < 0.5  # mirrored left to right: the halves change places
    pictures = torch.where(swap[:, None, None, None], pictures.flip(3), pictures)
    labels = torch.where(swap[:, None], labels[:, [0, 2, 1]], labels)
    upside = torch.rand(count, generator=rng) < 0.5
    pictures = torch.where(upside[:, None, None, None], pictures.flip(2), pictures)
    gain = torch.exp(torch.randn(count, 3, 1, 1, generator=rng) * 0.1 + torch.randn(count, 1, 1, 1, generator=rng) * 0.2)
    pictures = pictures * gain + torch.randn(count, 1, 1, 1, generator=rng) * 0.05
    negative = torch.rand(count, generator=rng) < 0.04
    pictures = torch.where(negative[:, None, None, None], 1 - pictures, pictures)
    grey = torch.rand(count, generator=rng) < 0.08
    pictures = torch.where(grey[:, None, None, None], pictures.mean(1, keepdim=True).expand_as(pictures), pictures)
    pictures = coarsened(pictures, rng, 0.4)
    noise = torch.randn(pictures.shape, generator=rng) * (torch.rand(count, 1, 1, 1, generator=rng) * 0.04)
    return (pictures + noise).clamp(0, 1), labels


def train(pictures: NDArray[np.uint8], labels: NDArray[np.int8], out: Path, steps: int, seed: int = 1,
          rate: float = 2e-3, start: Path | None = None) -> TileReader:
    """Train for `steps` batches of 192; pictures (n, 64, 112, 3) uint8, labels (n, 3). Writes `out` as it goes.

    start: a checkpoint whose weights to begin from.
    """
    torch.manual_seed(seed)

    def loss(model: TileReader, step: int) -> tuple[Tensor, dict[str, float]]:
        rng = torch.Generator().manual_seed(seed * 1_000_003 + step)
        chosen = np.sort(torch.randint(len(labels), (BATCH,), generator=rng).numpy())
        batch, truth = varied(picture_tensor(torch.from_numpy(pictures[chosen])), torch.from_numpy(labels[chosen]), rng)
        with torch.autocast("cpu", torch.bfloat16):
            scores = model(batch.contiguous(memory_format=torch.channels_last))
        missed = loss_of(scores.float(), truth)
        return missed, {"loss": missed.item()}

    return fit(begun(TileReader(), start), loss, out, steps, rate, decay=0.03, warm=0.05, steepest=5.0)
