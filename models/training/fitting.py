"""The training loop of all networks: it resumes where it stopped, and what it keeps are the averaged weights."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional

Network = TypeVar("Network", bound=nn.Module)
Parts = Mapping[str, float | Tensor]
"""The parts of a loss, to be told."""

KEPT_EVERY = 250
"""Steps between two checkpoints."""


def picture_tensor(picture: Tensor) -> Tensor:
    """(n, h, w, 3) uint8 to (n, 3, h, w) float 0..1, channels last in memory."""
    return (picture.permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)


def coarsened(pictures: Tensor, rng: torch.Generator, least: float) -> Tensor:
    """A quarter of all batches, (n, 3, h, w), with two in five of their pictures as from afar: shrunk, to `least` of their size
    at most, and enlarged again.
    """
    if torch.rand(1, generator=rng) >= 0.25:
        return pictures
    pick = torch.rand(len(pictures), generator=rng) < 0.4
    scale = float(torch.rand(1, generator=rng)) * (0.95 - least) + least
    small = functional.interpolate(pictures, scale_factor=scale, mode="bilinear", antialias=True)
    again = functional.interpolate(small, size=pictures.shape[2:], mode="bilinear")
    return torch.where(pick[:, None, None, None], again, pictures)


def begun(network: Network, start: Path | None) -> Network:
    """The network, with the averaged weights of the checkpoint `start` where one is named."""
    if start is not None:
        network.load_state_dict(torch.load(start)["average"])
    return network.to(memory_format=torch.channels_last)


def done_of(out: Path, steps: int) -> int:
    """How many of so many steps the checkpoint `out` has behind it; one of another number of steps counts for nothing."""
    if not out.exists():
        return 0
    saved = torch.load(out)
    return int(saved["done"]) if saved["steps"] == steps else 0


def fit(model: Network, loss_of: Callable[[Network, int], tuple[Tensor, Parts]], out: Path, steps: int, rate: float,
        decay: float = 0.02, warm: float = 0.04, steepest: float = 10.0) -> Network:
    """Train `model` for so many steps; `loss_of(model, step)`. Returns its averaged weights, which `out` keeps, too.

    rate: the highest, after `warm` of all steps. decay: of the weights. steepest: longer gradients are shortened.
    """
    average = copy.deepcopy(model).eval()
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=warm)
    states = {"model": model, "average": average, "optimiser": optimiser, "schedule": schedule}
    done, parts, began = done_of(out, steps), dict[str, float](), time.perf_counter()
    if done:
        saved = torch.load(out, map_location=next(model.parameters()).device)
        for name, state in states.items():
            state.load_state_dict(saved[name])
    model.train()
    for step in range(done + 1, steps + 1):
        loss, now = loss_of(model, step)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), steepest)
        optimiser.step()
        schedule.step()
        follow(average, model, min(0.999, step / (step + 20)))
        parts = {name: 0.98 * parts.get(name, float(value)) + 0.02 * float(value) for name, value in now.items()}
        if step % 50 == 0:
            told = " ".join(f"{name} {value:.4f}" for name, value in parts.items())
            print(f"{out.stem} {step}/{steps} {told} {(step - done) / (time.perf_counter() - began):.2f} steps/s", flush=True)
        if step % KEPT_EVERY == 0 or step == steps:
            part = out.with_suffix(".part")
            torch.save({name: state.state_dict() for name, state in states.items()} | {"done": step, "steps": steps}, part)
            part.rename(out)
    return average


@torch.no_grad()
def follow(average: nn.Module, model: nn.Module, keep: float) -> None:
    """Exponential moving average of the weights; buffers are copied."""
    for mean, value in zip(average.parameters(), model.parameters(), strict=True):
        mean.lerp_(value, 1 - keep)
    for mean, value in zip(average.buffers(), model.buffers(), strict=True):
        mean.copy_(value)
