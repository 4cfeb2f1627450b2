"""Train the two networks for pieces; each resumes where it stopped and is the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from models.training.fitting import begun, done_of, fit, picture_tensor
from models.training.piece_crops import CHIP, NOTHING, Crops, Example, example
from models.training.piece_data import NAMES, load_shards
from models.training.piece_networks import COLOURS, HEATS, KINDS, NAMED, SUITS, VALUES, PieceFinder, PieceReader

FINDER_BATCH = 16
EDITIONS, EACH = 12, 20
"""The reader sees crops of so many editions at a time, so many of each: it learns to tell an edition's pieces apart."""


class Views(IterableDataset[Example]):
    """An endless stream of views, starting at number `start`."""

    def __init__(self, folder: Path, seed: int, start: int) -> None:
        self.folder, self.seed, self.start = folder, seed, start

    def __iter__(self) -> Iterator[Example]:
        import cv2

        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        shards = load_shards(self.folder)
        number = self.start
        while True:
            rng = np.random.default_rng([self.seed, number])
            shard = shards[int(rng.integers(len(shards)))]
            yield example(shard, int(rng.integers(len(shard.images))), rng)
            number += 1


def _batch(examples: list[Example]) -> dict[str, Tensor]:
    names = ("picture", "objectness", "known", "geometry", "weight")
    return {name: torch.from_numpy(np.stack([getattr(e, name) for e in examples])) for name in names}


def finder_loss(maps: Tensor, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Focal loss on the heat (CenterNet), L1 on the geometry."""
    objectness, known = batch["objectness"], batch["known"]
    guess = torch.sigmoid(maps[:, :HEATS].float()).clamp(1e-4, 1 - 1e-4)
    peaks = (objectness > 0.999).float()
    positive = -peaks * (1 - guess) ** 2 * torch.log(guess)
    negative = -(1 - peaks) * (1 - objectness) ** 4 * guess**2 * torch.log(1 - guess) * known
    focal = (positive.sum() + negative.sum()) / peaks.sum().clamp(min=1)
    picture, row, column = torch.nonzero(batch["weight"][:, 0], as_tuple=True)
    miss = (maps[picture, HEATS:, row, column].float() - batch["geometry"][picture, :, row, column]).abs()
    geometry = torch.nan_to_num(miss.mean(dim=0)).sum()
    return focal + 2.0 * geometry, {"focal": focal.item(), "geometry": geometry.item()}


def train_finder(
    folder: Path, out: Path, steps: int, seed: int = 1, rate: float = 2e-3, start: Path | None = None
) -> nn.Module:
    """Train the finder on views of the pictures in `folder`; start: a checkpoint whose weights to begin from."""
    torch.manual_seed(seed)
    done = done_of(out, steps)
    loader = DataLoader(
        Views(folder, seed, done * FINDER_BATCH),
        FINDER_BATCH,
        num_workers=1,
        collate_fn=_batch,
        prefetch_factor=6,
        multiprocessing_context="spawn",
    )
    stream = iter(loader)

    def loss_of(model: nn.Module, _: int) -> tuple[Tensor, dict[str, float]]:
        batch = next(stream)
        with torch.autocast("cpu", torch.bfloat16):
            maps = model(picture_tensor(batch["picture"]))
        return finder_loss(maps, batch)

    return fit(begun(PieceFinder(), start), loss_of, out, steps, rate)


def _varied(pictures: Tensor, rng: torch.Generator) -> Tensor:
    """Another light, another camera, noise; the colours of an edition stay about what they are."""
    count = len(pictures)
    gain = torch.exp(
        torch.randn(count, 3, 1, 1, generator=rng) * 0.05 + torch.randn(count, 1, 1, 1, generator=rng) * 0.12
    )
    pictures = pictures * gain + torch.randn(count, 1, 1, 1, generator=rng) * 0.02
    if torch.rand(1, generator=rng) < 0.2:
        pick = torch.rand(count, generator=rng) < 0.4
        scale = float(torch.rand(1, generator=rng)) * 0.4 + 0.55
        small = functional.interpolate(pictures, scale_factor=scale, mode="bilinear", antialias=True)
        again = functional.interpolate(small, size=pictures.shape[2:], mode="bilinear")
        pictures = torch.where(pick[:, None, None, None], again, pictures)
    noise = torch.randn(pictures.shape, generator=rng) * (torch.rand(count, 1, 1, 1, generator=rng) * 0.03)
    return (pictures + noise).clamp(0, 1)


def set_loss(traits: Tensor, names: Tensor, sharpness: Tensor) -> Tensor:
    """Cross entropy of naming each crop by the nearest mean of the others' traits (prototypical networks, Snell 2017).

    traits (n, d) of one edition's crops; names (n,), those below 0 are no pieces.
    """
    traits, names = traits[names >= 0], names[names >= 0]
    if not len(names):
        return traits.sum() * 0
    every, own = names.unique(return_inverse=True)
    member = functional.one_hot(own, len(every)).to(traits.dtype)
    total, count = member.T @ traits, member.sum(dim=0)
    usual = functional.normalize(total, dim=1)
    alike = traits @ usual.T
    without = functional.normalize(total[own] - traits, dim=1)  # a crop is no witness for itself
    alike = torch.where(member > 0, (traits * without).sum(dim=1, keepdim=True), alike)
    asked = count[own] > 1
    if not bool(asked.any()):
        return traits.sum() * 0
    return functional.cross_entropy((alike * torch.exp(sharpness))[asked], own[asked])


def reader_loss(scores: Tensor, labels: Tensor, sharpness: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Cross entropies of kind, suit and value where they are known, and of naming within each edition."""
    kinds, suits, values, colours, traits = scores.split(
        [KINDS, SUITS, VALUES, COLOURS, scores.shape[1] - NAMED], dim=1
    )
    kind = functional.cross_entropy(kinds, labels[:, 0], label_smoothing=0.01)
    suit = functional.cross_entropy(suits, labels[:, 1], ignore_index=-1, label_smoothing=0.02)
    value = functional.cross_entropy(values, labels[:, 2], ignore_index=-1, label_smoothing=0.02)
    painted = torch.where(labels[:, 0] == CHIP, labels[:, 3] - (len(NAMES) - COLOURS), -1)
    colour = functional.cross_entropy(colours, painted, ignore_index=-1, label_smoothing=0.02)
    names = torch.where(labels[:, 0] == NOTHING, -1, labels[:, 3])
    sets = [
        set_loss(traits[labels[:, 4] == edition], names[labels[:, 4] == edition], sharpness)
        for edition in labels[:, 4].unique()
    ]
    parts = {"kind": kind, "suit": suit, "value": value, "colour": colour, "set": torch.stack(sets).mean()}
    told = {name: torch.nan_to_num(part) for name, part in parts.items()}
    return torch.stack(list(told.values())).sum(), {name: part.item() for name, part in told.items()}


def _chosen(starts: NDArray[np.int64], names: NDArray[np.int32], rng: np.random.Generator) -> NDArray[np.int64]:
    """Crops of some editions; of each edition a few labels, so that most have several crops."""
    out = []
    for edition in rng.choice(len(starts) - 1, EDITIONS, replace=len(starts) <= EDITIONS):
        rows = np.arange(starts[edition], starts[edition + 1])
        every = np.unique(names[rows])
        some = rng.choice(every, min(len(every), 8), replace=False)
        good = rows[np.isin(names[rows], [*some, -1])]  # always some that show no piece
        out.append(rng.choice(good, EACH, replace=len(good) < EACH))
    return np.concatenate(out)


def train_reader(
    crops: Crops, out: Path, steps: int, seed: int = 1, rate: float = 2e-3, start: Path | None = None
) -> nn.Module:
    """Train the reader; the crops of an edition follow each other. start: as for the finder."""
    torch.manual_seed(seed)
    editions = crops.labels[:, 4]
    starts = np.flatnonzero(np.diff(editions, prepend=-1, append=-1))

    def loss_of(model: nn.Module, step: int) -> tuple[Tensor, dict[str, float]]:
        chosen = _chosen(starts, crops.labels[:, 3], np.random.default_rng([seed, step]))
        rng = torch.Generator().manual_seed(seed * 1_000_003 + step)
        pictures = _varied(picture_tensor(torch.from_numpy(crops.pictures[chosen])), rng)
        with torch.autocast("cpu", torch.bfloat16):
            scores = model(pictures.contiguous(memory_format=torch.channels_last))
        return reader_loss(scores.float(), torch.from_numpy(crops.labels[chosen]).long(), model.sharpness)

    return fit(begun(PieceReader(), start), loss_of, out, steps, rate)
