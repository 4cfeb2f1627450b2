"""Train the half detector; resumes where it stopped, the same for the same seed."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from models.training.crops import Example, example
from models.training.data import load_shards
from models.training.networks import Detector

BATCH = 16


class Crops(IterableDataset[Example]):
    """An endless stream of crops, starting at crop number `start`; every folder gives as many as every other."""

    def __init__(self, folders: Sequence[Path], seed: int, start: int) -> None:
        self.folders, self.seed, self.start = folders, seed, start

    def __iter__(self) -> Iterator[Example]:
        import cv2

        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        folders = [[(s, i) for s in load_shards(folder) for i in range(len(s.images))] for folder in self.folders]
        number = self.start
        while True:
            rng = np.random.default_rng([self.seed, number])
            places = folders[number % len(folders)]
            shard, index = places[int(rng.integers(len(places)))]
            yield example(shard, index, rng)
            number += 1


def batch_of(examples: list[Example]) -> dict[str, Tensor]:
    """Stack examples into tensors."""
    stack = {name: np.stack([getattr(e, name) for e in examples])
             for name in ("picture", "heat", "known", "geometry", "weight", "counts")}
    return {name: torch.from_numpy(values) for name, values in stack.items()}


def loss_of(maps: Tensor, scores: Tensor, batch: dict[str, Tensor], counting: bool = True) -> tuple[Tensor, dict[str, float]]:
    """Focal loss on the heat (CenterNet), L1 on the geometry over the half's size, cross entropy on the counts if `counting`."""
    heat, known = batch["heat"], batch["known"]
    guess = torch.sigmoid(maps[:, :2].float()).clamp(1e-4, 1 - 1e-4)
    peaks = (heat > 0.999).float()
    positive = -peaks * (1 - guess) ** 2 * torch.log(guess)
    negative = -(1 - peaks) * (1 - heat) ** 4 * guess**2 * torch.log(1 - guess) * known
    halves = peaks.sum().clamp(min=1)
    focal = (positive.sum() + negative.sum()) / halves
    image, row, column = torch.nonzero(batch["weight"][:, 0], as_tuple=True)  # the few cells close to halves
    weight = batch["weight"][image, 0, row, column][:, None]
    miss = (maps[image, 2:, row, column].float() - batch["geometry"][image, :, row, column]).abs()
    geometry = (miss * weight).sum() / weight.sum().clamp(min=1)
    counts = functional.cross_entropy(scores[image, :, row, column].float(), batch["counts"][image, row, column],
                                      ignore_index=-1, label_smoothing=0.02)
    counts = torch.nan_to_num(counts)
    total = focal + 1.5 * geometry + (0.3 * counts if counting else 0.0)
    return total, {"focal": focal.item(), "geometry": geometry.item(), "counts": counts.item()}


def picture_tensor(picture: Tensor) -> Tensor:
    """(n, h, w, 3) uint8 to (n, 3, h, w) float 0..1, channels last in memory."""
    return (picture.permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)


def train(folders: Sequence[Path], out: Path, steps: int, seed: int = 1, rate: float = 2e-3,
          start: Path | None = None, counting: bool = True) -> Detector:
    """Train for `steps` batches of 16 crops; writes `out` (averaged weights) every 250 steps and at the end.

    start: a checkpoint whose weights to begin from. counting: whether it is asked for pips, too, so that it learns what they are.
    """
    torch.manual_seed(seed)
    model = Detector().to(memory_format=torch.channels_last)
    if start is not None:
        model.load_state_dict(torch.load(start)["average"])
    average = copy.deepcopy(model).eval()
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.04)
    done = 0
    if out.exists():
        saved = torch.load(out)
        if saved["steps"] == steps:
            model.load_state_dict(saved["model"])
            average.load_state_dict(saved["average"])
            optimiser.load_state_dict(saved["optimiser"])
            schedule.load_state_dict(saved["schedule"])
            done = saved["done"]
    loader = DataLoader(Crops(folders, seed, done * BATCH), BATCH, num_workers=1, collate_fn=batch_of, prefetch_factor=6,
                        multiprocessing_context="spawn")
    began, parts = time.perf_counter(), {"focal": 0.0, "geometry": 0.0, "counts": 0.0}
    model.train()
    stream = iter(loader) if done < steps else iter(())
    for step in range(done + 1, steps + 1):
        batch = next(stream)
        with torch.autocast("cpu", torch.bfloat16):
            maps, scores = model(picture_tensor(batch["picture"]))
        loss, now = loss_of(maps, scores, batch, counting)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 20.0)
        optimiser.step()
        schedule.step()
        _follow(average, model, min(0.999, step / (step + 20)))
        parts = {k: 0.98 * v + 0.02 * now[k] for k, v in parts.items()}
        if step % 50 == 0:
            speed = (step - done) * BATCH / (time.perf_counter() - began)
            print(f"detector {step}/{steps} " + " ".join(f"{k} {v:.3f}" for k, v in parts.items())
                  + f" {speed:.0f} crops/s", flush=True)
        if step % 250 == 0 or step == steps:
            part = out.with_suffix(".part")
            torch.save({"model": model.state_dict(), "average": average.state_dict(), "optimiser": optimiser.state_dict(),
                        "schedule": schedule.state_dict(), "done": step, "steps": steps}, part)
            part.rename(out)
    return average


@torch.no_grad()
def _follow(average: torch.nn.Module, model: torch.nn.Module, keep: float) -> None:
    """Exponential moving average of the weights; buffers are copied."""
    for mean, value in zip(average.parameters(), model.parameters(), strict=True):
        mean.lerp_(value, 1 - keep)
    for mean, value in zip(average.buffers(), model.buffers(), strict=True):
        mean.copy_(value)
