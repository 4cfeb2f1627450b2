"""A lesson without an end: `python -m models.training.lesson detector --minutes 120`; the same command goes on where it was.

Fresh pictures are made on the fly by one process and seen by another; none is shown in two stretches, as each follows from its
number. The lesson goes on from its checkpoint under `runs/`, where there is one, else from the averaged weights that are
committed under `lessons/` (half floats: small, without the optimiser's memory), else from the shipped network.
"""

from __future__ import annotations

import copy
import json
import math
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import click
import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

from models.training.crops import Example, example
from models.training.data import (
    Shard,
    bare_scene_of,
    game_scene_of,
    scene_of,
    shard_of,
    table_scene_of,
    wide_scene_of,
)
from models.training.fitting import follow, picture_tensor
from models.training.networks import Detector, TileReader
from models.training.thaw import thaw
from models.training.tiles import crops_of
from models.training.train_detector import batch_of, loss_of
from models.training.train_reader import loss_of as reader_loss_of
from models.training.train_reader import varied
from simulator.scene import Scene
from vision.finder import Finder
from vision.reader import MODELS
from vision.rectify import ImagePyramid

Batch = Mapping[str, Tensor]

LESSONS = Path(__file__).with_name("lessons")
"""The committed weights."""

SEED, HELD_OUT_SEED = 40_000_000, 41_000_000
"""Of the pictures shown, and of those that only measure."""

Diet = tuple[Callable[[int, int], Scene], ...]
"""Makers of pictures, in a row."""

DIET: Diet = (wide_scene_of,) * 9 + (scene_of,) * 5 + (game_scene_of,) * 2 + (bare_scene_of,) + (table_scene_of,) * 3
"""Of twenty pictures, and for what searches tables seen from straight above."""

ON_TABLES: Diet = (table_scene_of,) * 12 + (wide_scene_of,) * 4 + (scene_of,) * 2 + (game_scene_of,) * 2

CROPS = 4
"""Of every picture so many are shown to the detector, each much later than the one before: making one takes long."""

APART = 48
"""Pictures between two crops of the same one."""

NEAR = 0.7
"""So many of the crops, where there are tiles, have one in them: bare table is quickly learned."""

BATCH, TILES = 16, 192
"""Crops, and straightened tiles, in a batch."""

POOL = 4_000
"""Straightened tiles from which a batch is drawn."""

WARM = 100
"""Batches of a stretch until the rate is full."""

AVERAGED = 0.998
"""Of the averaged weights so much is kept with each batch."""

KEPT_S = 600.0
"""Seconds between two checkpoints."""

TOLD = ("done", "next", "minutes")
"""What a checkpoint says of its lesson."""


def picture(seed: int, number: int, diet: Diet = DIET) -> Shard:
    """Picture `number` of a lesson with its truth. Tables come in rows, of which several windows are cut."""
    maker, at = diet[number % len(diet)], number % len(diet)
    if maker is table_scene_of:
        number = number // len(diet) * diet.count(maker) + diet[:at].count(maker)
    scene: Scene = maker(seed, number)
    return shard_of([scene])


class FreshCrops(IterableDataset[dict[str, Tensor]]):
    """Endless batches of crops for a detector, from picture number `start` on."""

    def __init__(self, start: int, diet: Diet = DIET) -> None:
        self.start, self.diet = start, diet

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        _alone()
        seen: deque[Shard] = deque(maxlen=(CROPS - 1) * APART + 1)
        waiting: list[Example] = []
        for number in count(self.start):
            rng = np.random.default_rng([SEED, number, 1])
            seen.append(picture(SEED, number, self.diet))
            waiting += [example(shard, 0, rng, NEAR) for shard in list(seen)[::-APART]]
            if len(waiting) >= BATCH:
                yield batch_of(waiting[:BATCH]) | {"number": torch.tensor(number)}
                del waiting[:BATCH]


class FreshTiles(IterableDataset[dict[str, Tensor]]):
    """Endless batches of straightened tiles for the reader, from picture number `start` on, as the detector proposes them."""

    def __init__(self, start: int, detector: Path) -> None:
        self.start, self.detector = start, detector

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        _alone()
        finder = Finder(self.detector, threads=1)
        tiles: list[NDArray[np.uint8]] = []
        labels: list[NDArray[np.int8]] = []
        for number in count(self.start):
            rng = np.random.default_rng([SEED, number, 2])
            some, what = crops_of(picture(SEED, number), lambda image: finder.look(ImagePyramid(image), 1.0).corners, rng)
            tiles += list(some)
            labels += list(what)
            while len(tiles) >= POOL:
                order = rng.permutation(len(tiles))
                chosen, kept = order[:TILES], order[TILES:]
                some, what = np.stack([tiles[i] for i in chosen]), np.stack([labels[i] for i in chosen])
                yield {"tiles": torch.from_numpy(some), "labels": torch.from_numpy(what), "number": torch.tensor(number)}
                tiles, labels = [tiles[i] for i in kept], [labels[i] for i in kept]


def _alone() -> None:
    """One thread for the process that makes pictures."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)


def _detector_loss(model: nn.Module, batch: Batch, step: int) -> tuple[Tensor, dict[str, float]]:
    """As in `train_detector`; asked for no pips, which shipped weights no longer count."""
    assert isinstance(model, Detector)
    maps = model.shuffle(model.maps(model.features(picture_tensor(batch["picture"]))))
    total, parts = loss_of(maps, maps.new_zeros((len(maps), 16, *maps.shape[2:])), dict(batch), counting=False)
    return total, {name: parts[name] for name in ("focal", "geometry")}


def _reader_loss(model: nn.Module, batch: Batch, step: int) -> tuple[Tensor, dict[str, float]]:
    """As in `train_reader`; varied while it learns, plain while it is measured."""
    tiles, labels = picture_tensor(batch["tiles"]), batch["labels"]
    if model.training:
        tiles, labels = varied(tiles, labels, torch.Generator().manual_seed(SEED + step))
    scores = model(tiles.contiguous(memory_format=torch.channels_last)).float()
    missed = reader_loss_of(scores, labels)
    return missed, {"loss": missed.item()}


def _held_crops(maker: Callable[[int, int], Scene]) -> list[Batch]:
    """Batches of crops that are never shown."""
    return [batch_of([example(shard_of([maker(HELD_OUT_SEED, at + k)]), 0, np.random.default_rng([HELD_OUT_SEED, at + k]))
                      for k in range(BATCH)]) for at in range(0, 8 * BATCH, BATCH)]  # fmt: skip


def _held_tiles(maker: Callable[[int, int], Scene], pictures: int = 100) -> list[Batch]:
    """Straightened tiles that are never shown."""
    shards = [shard_of([maker(HELD_OUT_SEED, at)]) for at in range(pictures)]
    cut = [crops_of(shard, None, np.random.default_rng([HELD_OUT_SEED, at])) for at, shard in enumerate(shards)]
    tiles, labels = (np.concatenate(both) for both in zip(*cut, strict=True))
    return [{"tiles": torch.from_numpy(tiles[at : at + TILES]), "labels": torch.from_numpy(labels[at : at + TILES])}
            for at in range(0, len(tiles), TILES)]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Course:
    """What is taught. fresh: batches from a picture on; each tells the number of the last picture in it."""

    network: Callable[[], nn.Module]
    shipped: str
    fresh: Callable[[int], IterableDataset[dict[str, Tensor]]]
    loss: Callable[[nn.Module, Batch, int], tuple[Tensor, dict[str, float]]]
    held: Callable[[Callable[[int, int], Scene]], list[Batch]]
    views: Callable[[], NDArray[np.uint8]]
    rate: float
    decay: float


def _views() -> NDArray[np.uint8]:
    """Pictures by which thawed batch norms are measured."""
    return np.stack([scene_of(HELD_OUT_SEED, 5_000 + k).image[:320, :320] for k in range(16)])


def _tile_views() -> NDArray[np.uint8]:
    """Straightened tiles for the same."""
    return np.concatenate([batch["tiles"].numpy() for batch in _held_tiles(scene_of, 25)])


COURSES = {
    "detector": Course(Detector, "halves.onnx", FreshCrops, _detector_loss, _held_crops, _views, 2e-4, 0.02),
    "tables": Course(Detector, "halves_table.onnx", lambda start: FreshCrops(start, ON_TABLES),
                     _detector_loss, _held_crops, _views, 2e-4, 0.02),
    "reader": Course(TileReader, "tiles.onnx", lambda start: FreshTiles(start, MODELS / "halves.onnx"),
                     _reader_loss, _held_tiles, _tile_views, 2e-4, 0.03),
}  # fmt: skip


def small(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Weights in half floats, but for the few that could be too large or small for them."""
    return {name: value.half() if value.is_floating_point() and value.ndim > 1 else value for name, value in weights.items()}


def grown(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What `small` made, as networks take it."""
    return {name: value.float() if value.is_floating_point() else value for name, value in weights.items()}


class Lesson:
    """The state of a lesson. done: batches behind it, over all its stretches; next: picture; minutes: of training."""

    def __init__(self, course: Course, name: str, work: Path) -> None:
        self.course, self.kept, self.milestone = course, work / f"{name}.pt", LESSONS / f"{name}.pt"
        self.model = course.network().to(memory_format=torch.channels_last)
        self.norms = [module for module in self.model.modules() if isinstance(module, nn.BatchNorm2d)]
        self.average = copy.deepcopy(self.model)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), course.rate, weight_decay=course.decay)
        self.done, self.next, self.minutes = 0, 0, 0.0
        self._begin()
        self.average.eval()
        self.started = self.done

    def _begin(self) -> None:
        """From the newest of what there is."""
        local, committed = (torch.load(path) if path.exists() else None for path in (self.kept, self.milestone))
        if local is not None and (committed is None or local["done"] >= committed["done"]):
            self.model.load_state_dict(local["model"])
            self.average.load_state_dict(local["average"])
            self.optimiser.load_state_dict(local["optimiser"])
            self.done, self.next, self.minutes = (local[name] for name in TOLD)
        elif committed is not None:
            for network in (self.model, self.average):
                network.load_state_dict(grown(committed["average"]))
            self.done, self.next, self.minutes = (committed[name] for name in TOLD)
        else:
            thaw(self.model, MODELS / self.course.shipped, picture_tensor(torch.from_numpy(self.course.views())))
            self.average.load_state_dict(self.model.state_dict())

    def step(self, batch: Batch, part: float, bf16: bool) -> dict[str, float]:
        """Learn from one batch. part: of this stretch that is over, 0..1: towards its end the rate sinks (Loshchilov 2017)."""
        late = self.done - self.started
        for group in self.optimiser.param_groups:
            group["lr"] = self.course.rate * min(1.0, (late + 1) / WARM) * (0.02 + 0.98 * (1 + math.cos(math.pi * part)) / 2)
        self.model.train()
        for norm in self.norms:  # as measured in the shipped network: batches so small and mixed would shake what it knows
            norm.eval()
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            loss, parts = self.course.loss(self.model, batch, self.done)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.optimiser.step()
        self.done += 1
        self.next = int(batch["number"]) + 1
        follow(self.average, self.model, min(AVERAGED, (late + 1) / (late + 10)))
        return parts

    def keep(self) -> None:
        """Write everything for this machine, and the averaged weights as they are committed."""
        told = dict(zip(TOLD, (self.done, self.next, round(self.minutes, 1)), strict=True))
        state: dict[str, Any] = {name: getattr(self, name).state_dict() for name in ("model", "average", "optimiser")}
        for path, what in ((self.kept, state | told), (self.milestone, {"average": small(self.average.state_dict())} | told)):
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".part")
            torch.save(what, part)
            part.rename(path)

    @torch.no_grad()
    def measured(self, held: Mapping[str, list[Batch]]) -> dict[str, float]:
        """Losses of the averaged weights on pictures that are never shown."""
        out: dict[str, float] = {}
        for kind, batches in held.items():
            parts = [self.course.loss(self.average, batch, 0)[1] for batch in batches]
            out |= {f"{kind} {name}": round(float(np.mean([each[name] for each in parts])), 4) for name in parts[0]}
        return out


def learn(lesson: Lesson, minutes: float, bf16: bool) -> None:
    """Teach for so long, or until the process is asked to end (SIGTERM); tells and keeps every ten minutes."""
    asked: list[int] = []

    def ending(number: int, frame: FrameType | None) -> None:
        asked.append(number)

    signal.signal(signal.SIGTERM, ending)
    course = lesson.course
    held = {"usual": course.held(scene_of), "wide": course.held(wide_scene_of), "tables": course.held(table_scene_of)}
    loader = DataLoader(course.fresh(lesson.next), None, num_workers=1, prefetch_factor=4,
                        multiprocessing_context="spawn")  # fmt: skip
    _tell(lesson, held)
    began = kept = time.monotonic()
    before, first = lesson.minutes, lesson.done
    parts: dict[str, float] = {}
    spent = 0.0
    for batch in loader:
        now = lesson.step(batch, min(1.0, spent / 60 / minutes), bf16)
        parts = {name: 0.98 * parts.get(name, value) + 0.02 * value for name, value in now.items()}
        spent = time.monotonic() - began
        lesson.minutes = before + spent / 60
        over = bool(asked) or spent > 60 * minutes
        if lesson.done % 100 == 0:
            told = " ".join(f"{name} {value:.4f}" for name, value in parts.items())
            print(f"{lesson.done} {told} {(lesson.done - first) / spent:.2f} batches/s", flush=True)
        if over or time.monotonic() - kept > KEPT_S:
            lesson.keep()
            _tell(lesson, held)
            kept = time.monotonic()
        if over:
            return


def _tell(lesson: Lesson, held: Mapping[str, list[Batch]]) -> None:
    figures = {"batches": lesson.done, "pictures": lesson.next, "minutes": round(lesson.minutes, 1)} | lesson.measured(held)
    print(json.dumps(figures), flush=True)


@click.command()
@click.argument("name", type=click.Choice(list(COURSES)))
@click.option("--work", type=click.Path(path_type=Path), default=Path("runs/lessons"), show_default=True, help="Its checkpoint.")
@click.option("--minutes", type=float, default=60.0, show_default=True, help="How long this stretch is.")
@click.option("--threads", type=int, default=1, show_default=True, help="Of the process that learns; the pictures take another.")
@click.option("--bf16/--float", default=False, help="16-bit floats: quicker with AMX; slower with AVX-512 BF16 alone.")
def main(name: str, work: Path, minutes: float, threads: int, bf16: bool) -> None:
    """Go on teaching a detector or the tile reader."""
    torch.set_num_threads(threads)
    learn(Lesson(COURSES[name], name, work), minutes, bf16)


if __name__ == "__main__":
    main()
