"""Train the tile reader on straightened tiles; resumes where it stopped, the same for the same seed."""

from __future__ import annotations

import copy
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from models.training.networks import COUNTS, KINDS, TileReader
from models.training.train_detector import _follow, picture_tensor

BATCH = 192


def loss_of(scores: Tensor, labels: Tensor, smoothing: float = 0.03) -> Tensor:
    """Cross entropy of the kind, and of both ends where the tile shows its face."""
    labels = labels.long()
    kind = functional.cross_entropy(scores[:, :KINDS], labels[:, 0], label_smoothing=0.01)
    face = labels[:, 0] == 0
    ends = scores[face][:, KINDS:].reshape(-1, COUNTS)
    counts = functional.cross_entropy(ends, labels[face][:, 1:].reshape(-1), label_smoothing=smoothing)
    return kind + 2 * torch.nan_to_num(counts)


def _varied(pictures: Tensor, labels: Tensor, rng: torch.Generator) -> tuple[Tensor, Tensor]:
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
    if torch.rand(1, generator=rng) < 0.25:
        pick = torch.rand(count, generator=rng) < 0.4
        scale = float(torch.rand(1, generator=rng)) * 0.55 + 0.4
        small = functional.interpolate(pictures, scale_factor=scale, mode="bilinear", antialias=True)
        again = functional.interpolate(small, size=pictures.shape[2:], mode="bilinear")
        pictures = torch.where(pick[:, None, None, None], again, pictures)
    noise = torch.randn(pictures.shape, generator=rng) * (torch.rand(count, 1, 1, 1, generator=rng) * 0.04)
    return (pictures + noise).clamp(0, 1), labels


def train(pictures: NDArray[np.uint8], labels: NDArray[np.int8], out: Path, steps: int, seed: int = 1,
          rate: float = 2e-3, start: Path | None = None) -> TileReader:
    """Train for `steps` batches of 192; pictures (n, 64, 112, 3) uint8, labels (n, 3). Writes `out` as it goes.

    start: a checkpoint whose weights to begin from.
    """
    torch.manual_seed(seed)
    model = TileReader().to(memory_format=torch.channels_last)
    if start is not None:
        model.load_state_dict(torch.load(start)["average"])
    average = copy.deepcopy(model).eval()
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.03)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.05)
    done = 0
    if out.exists():
        saved = torch.load(out)
        if saved["steps"] == steps:
            model.load_state_dict(saved["model"])
            average.load_state_dict(saved["average"])
            optimiser.load_state_dict(saved["optimiser"])
            schedule.load_state_dict(saved["schedule"])
            done = saved["done"]
    began, mean, model_ready = time.perf_counter(), 0.0, model.train()
    for step in range(done + 1, steps + 1):
        rng = torch.Generator().manual_seed(seed * 1_000_003 + step)
        chosen = np.sort(torch.randint(len(labels), (BATCH,), generator=rng).numpy())
        batch, truth = _varied(picture_tensor(torch.from_numpy(pictures[chosen])), torch.from_numpy(labels[chosen]), rng)
        with torch.autocast("cpu", torch.bfloat16):
            scores = model_ready(batch.contiguous(memory_format=torch.channels_last))
        loss = loss_of(scores.float(), truth)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        _follow(average, model, min(0.999, step / (step + 20)))
        mean = loss.item() if step == done + 1 else 0.98 * mean + 0.02 * loss.item()
        if step % 50 == 0:
            speed = (step - done) * BATCH / (time.perf_counter() - began)
            print(f"reader {step}/{steps} loss {mean:.4f} {speed:.0f} tiles/s", flush=True)
        if step % 250 == 0 or step == steps:
            part = out.with_suffix(".part")
            torch.save({"model": model.state_dict(), "average": average.state_dict(), "optimiser": optimiser.state_dict(),
                        "schedule": schedule.state_dict(), "done": step, "steps": steps}, part)
            part.rename(out)
    return average
