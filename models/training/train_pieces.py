"""Train the two networks for pieces; each resumes where it stopped and is the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.fitting import begun, fit
from models.training.piece_crops import CHIP, NOTHING, Pictures, Rows, Views, crops, views
from models.training.piece_data import NAMES
from models.training.piece_networks import COLOURS, HEATS, KINDS, NAMED, SUITS, VALUES, PieceFinder, PieceReader

EACH, LABELS, BARE = 30, 8, 0.25
"""The reader sees so many crops of an edition at a time, of so many of its labels: it learns to tell an edition's pieces apart.
BARE: the part of them that shows no piece."""


def finder_loss(maps: Tensor, batch: Views) -> tuple[Tensor, dict[str, Tensor]]:
    """Focal loss on the heat (CenterNet), L1 on the geometry."""
    guess = torch.sigmoid(maps[:, :HEATS].float()).clamp(1e-4, 1 - 1e-4)
    peaks = (batch.objectness > 0.999).float()
    positive = -peaks * (1 - guess) ** 2 * torch.log(guess)
    negative = -(1 - peaks) * (1 - batch.objectness) ** 4 * guess**2 * torch.log(1 - guess) * batch.known
    focal = (positive.sum() + negative.sum()) / peaks.sum().clamp(min=1)
    miss = (maps[:, HEATS:].float() - batch.geometry).abs() * batch.weight
    geometry = miss.sum() / batch.weight.sum().clamp(min=1)
    return focal + 2.0 * geometry, {"focal": focal.detach(), "geometry": geometry.detach()}


def set_loss(traits: Tensor, names: Tensor, sharpness: Tensor) -> Tensor:
    """Cross entropy of naming each crop by the nearest mean of the others' traits (prototypical networks, Snell 2017).

    traits (e, n, d) of the crops of e editions; names (e, n), those below 0 are no pieces.
    """
    member = functional.one_hot(names.clamp(min=0), len(NAMES)).to(traits.dtype) * (names >= 0)[..., None]
    total, count = member.transpose(1, 2) @ traits, member.sum(dim=1)
    own = names.clamp(min=0)[..., None]
    without = total.gather(1, own.expand_as(traits)) - traits  # a crop is no witness for itself
    alike = traits @ functional.normalize(total, dim=2).transpose(1, 2)
    alone = (traits * functional.normalize(without, dim=2)).sum(dim=2, keepdim=True)
    alike = torch.where(member > 0, alone, alike) * torch.exp(sharpness)
    alike = torch.where(count[:, None] > 0, alike, -1e4)
    asked = (names >= 0) & (count.gather(1, own[..., 0]) > 1)
    wanted = torch.where(asked, names, -1).flatten()
    return functional.cross_entropy(alike.flatten(0, 1), wanted, ignore_index=-1, reduction="sum") / asked.sum().clamp(min=1)


def reader_loss(scores: Tensor, labels: Tensor, editions: int, sharpness: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
    """Cross entropies of kind, suit and value where they are known, and of naming within each of so many editions."""
    kinds, suits, values, colours, traits = scores.split(
        [KINDS, SUITS, VALUES, COLOURS, scores.shape[1] - NAMED], dim=1
    )
    kind = functional.cross_entropy(kinds, labels[:, 0], label_smoothing=0.01)
    suit = functional.cross_entropy(suits, labels[:, 1], ignore_index=-1, label_smoothing=0.02)
    value = functional.cross_entropy(values, labels[:, 2], ignore_index=-1, label_smoothing=0.02)
    painted = torch.where((labels[:, 0] == CHIP) & (labels[:, 3] >= 0), labels[:, 3] - (len(NAMES) - COLOURS), -1)
    colour = functional.cross_entropy(colours, painted, ignore_index=-1, label_smoothing=0.02)
    names = torch.where(labels[:, 0] == NOTHING, -1, labels[:, 3])
    own = set_loss(traits.view(editions, -1, traits.shape[1]), names.view(editions, -1), sharpness)
    parts = {name: torch.nan_to_num(part) for name, part in
             {"kind": kind, "suit": suit, "value": value, "colour": colour, "set": own}.items()}  # fmt: skip
    return torch.stack(list(parts.values())).sum(), {name: part.detach() for name, part in parts.items()}


def varied(pictures: Tensor, rng: torch.Generator) -> Tensor:
    """Another light, another camera, noise; the colours of an edition stay about what they are."""
    count = len(pictures)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=rng, device=rng.device)

    def evenly(*shape: int) -> Tensor:
        return torch.rand(*shape, generator=rng, device=rng.device)

    pictures = pictures * torch.exp(normal(count, 3, 1, 1) * 0.05 + normal(count, 1, 1, 1) * 0.12)
    pictures = pictures + normal(count, 1, 1, 1) * 0.02
    scale = float(evenly(1)) * 0.4 + 0.55
    small = functional.interpolate(pictures, scale_factor=scale, mode="bilinear", antialias=True)
    again = functional.interpolate(small, size=pictures.shape[2:], mode="bilinear")
    pictures = torch.where(evenly(count, 1, 1, 1) < 0.08, again, pictures)
    return (pictures + normal(*pictures.shape) * (evenly(count, 1, 1, 1) * 0.03)).clamp(0, 1)


def chosen(rows: Rows, editions: int, each: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows of some editions; of each edition a few labels, so that most have several rows."""
    out = []
    for edition in rng.choice(len(rows.starts) - 1, editions, replace=len(rows.starts) <= editions):
        of = np.arange(rows.starts[edition], rows.starts[edition + 1])
        names = np.unique(rows.name[of][rows.name[of] >= 0])
        some = of[np.isin(rows.name[of], rng.choice(names, min(len(names), LABELS), replace=False))]
        bare = of[rows.name[of] < 0]
        few = each if not len(some) else round(BARE * each) if len(bare) else 0
        out += [rng.choice(part, count, replace=len(part) < count) for part, count in ((some, each - few), (bare, few)) if count]
    return np.concatenate(out)


def train_finder(
    pictures: Pictures, out: Path, steps: int, batch: int, seed: int = 1, rate: float = 2e-3, start: Path | None = None
) -> nn.Module:
    """Train the finder on views of the pictures, `batch` at a time; start: a checkpoint whose weights to begin from."""
    torch.manual_seed(seed)

    def loss_of(model: nn.Module, step: int) -> tuple[Tensor, dict[str, Tensor]]:
        with torch.no_grad():
            shown = views(pictures, batch, torch.Generator(pictures.device).manual_seed(seed * 1_000_003 + step))
        with torch.autocast(pictures.device.type, torch.bfloat16):
            maps = model(shown.picture.contiguous(memory_format=torch.channels_last))
        return finder_loss(maps, shown)

    return fit(begun(PieceFinder(), start).to(pictures.device), loss_of, out, steps, rate)


def train_reader(
    pictures: Pictures, out: Path, steps: int, editions: int, seed: int = 1, rate: float = 2e-3, start: Path | None = None
) -> nn.Module:
    """Train the reader on crops of the pictures, of so many editions at a time; start: as for the finder."""
    torch.manual_seed(seed)
    rows = pictures.rows()

    def loss_of(model: nn.Module, step: int) -> tuple[Tensor, dict[str, Tensor]]:
        rng = torch.Generator(pictures.device).manual_seed(seed * 1_000_003 + step)
        which = chosen(rows, editions, EACH, np.random.default_rng([seed, step]))
        with torch.no_grad():
            shown = crops(pictures, rows, which, rng)
            varieties = varied(shown.pictures, rng).contiguous(memory_format=torch.channels_last)
        with torch.autocast(pictures.device.type, torch.bfloat16):
            scores = model(varieties)
        return reader_loss(scores.float(), shown.labels, editions, model.sharpness)

    return fit(begun(PieceReader(), start).to(pictures.device), loss_of, out, steps, rate)
