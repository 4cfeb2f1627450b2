"""Train the half detector; resumes where it stopped, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from models.training.crops import Example, example
from models.training.data import load_shards
from models.training.fitting import begun, done_of, fit, picture_tensor
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
             for name in ("picture", "objectness", "known", "geometry", "weight", "counts")}
    return {name: torch.from_numpy(values) for name, values in stack.items()}


def loss_of(maps: Tensor, scores: Tensor, batch: dict[str, Tensor], counting: bool = True) -> tuple[Tensor, dict[str, float]]:
    """Focal loss on the heat (CenterNet), L1 on the geometry over the half's size, cross entropy on the counts if `counting`."""
    objectness, known = batch["objectness"], batch["known"]
    guess = torch.sigmoid(maps[:, :2].float()).clamp(1e-4, 1 - 1e-4)
    peaks = (objectness > 0.999).float()
    positive = -peaks * (1 - guess) ** 2 * torch.log(guess)
    negative = -(1 - peaks) * (1 - objectness) ** 4 * guess**2 * torch.log(1 - guess) * known
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


def train(folders: Sequence[Path], out: Path, steps: int, seed: int = 1, rate: float = 2e-3,
          start: Path | None = None, counting: bool = True) -> Detector:
    """Train for `steps` batches of 16 crops; writes `out` (averaged weights) every 250 steps and at the end.

    start: a checkpoint whose weights to begin from. counting: whether it is asked for pips, too, so that it learns what they are.
    """
    torch.manual_seed(seed)
    done = done_of(out, steps)
    loader = DataLoader(Crops(folders, seed, done * BATCH), BATCH, num_workers=1, collate_fn=batch_of, prefetch_factor=6,
                        multiprocessing_context="spawn")
    stream = iter(loader) if done < steps else iter(())

    def loss(model: Detector, _: int) -> tuple[Tensor, dict[str, float]]:
        batch = next(stream)
        with torch.autocast("cpu", torch.bfloat16):
            maps, scores = model(picture_tensor(batch["picture"]))
        return loss_of(maps, scores, batch, counting)

    return fit(begun(Detector(), start), loss, out, steps, rate, steepest=20.0)
