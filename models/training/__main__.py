"""The whole recipe in one command: `python -m models.training --work runs/full`. Stops anywhere, goes on where it was."""

from __future__ import annotations

import json
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import torch
from numpy.typing import NDArray

from models.training.calibrate import fit, fit_scores
from models.training.data import SHARD, bare_scene_of, game_scene_of, load_shards, make_shards, table_scene_of
from models.training.evaluate import judged_candidates
from models.training.export import export_detector, export_reader, quantise
from models.training.lean import lean
from models.training.networks import Detector, TileReader
from models.training.thaw import thaw
from models.training.tiles import load_crops, make_crops
from models.training.train_detector import picture_tensor
from models.training.train_detector import train as train_detector
from models.training.train_reader import train as train_reader
from vision.blocks import in_blocks
from vision.reader import Reader

VERSION = "1.1"
HELD_OUT_SEED = 900_000
BARE_SHARE = 0.15
"""Straightened tiles from bare tables, as a part of the others, in the last lessons."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything. The held-out pictures calibrate the 8-bit networks and the scores."""

    scenes: int
    tile_shards: int  # shards whose tiles are cut for the tile reader: about 8,000 tiles each
    games: int  # pictures of games under way: stacks and boneyards, for the last lessons
    tables: int  # windows of whole tables as the camera over them sees them, for the last lessons
    bare: int  # pictures of tables without tiles, for the last lessons in what is none
    held_out: int
    judged: int  # pictures that the finished reader reads, so that its scores can be made honest
    detector_steps: int
    games_steps: int
    reader_steps: int
    finish_steps: int


PLANS = {
    "full": Plan(scenes=12_000, tile_shards=36, games=3_000, tables=6_000, bare=3_000, held_out=1_000, judged=500,
                 detector_steps=13_000, games_steps=2_000, reader_steps=4_500, finish_steps=1_200),
    "lesson": Plan(scenes=1_500, tile_shards=6, games=750, tables=2_500, bare=500, held_out=250, judged=300,
                   detector_steps=0, games_steps=1_000, reader_steps=0, finish_steps=1_500),
    "tiny": Plan(scenes=SHARD, tile_shards=1, games=SHARD, tables=SHARD, bare=SHARD, held_out=SHARD, judged=4,
                 detector_steps=6, games_steps=4, reader_steps=6, finish_steps=4),
}


class Stopwatch:
    """Minutes each stage took, over all runs in this folder, for the model card."""

    def __init__(self, work: Path) -> None:
        self.file = work / "minutes.json"
        self.minutes: dict[str, float] = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.last = time.monotonic()

    def stage(self, name: str) -> None:
        now = time.monotonic()
        self.minutes[name] = round(self.minutes.get(name, 0.0) + (now - self.last) / 60, 1)
        self.file.write_text(json.dumps(self.minutes, indent=1) + "\n")
        click.echo(f"-- {name}: {self.minutes[name]} minutes")
        self.last = now


def run(plan: Plan, work: Path, out: Path, seed: int, workers: int, shipped: Path | None = None) -> None:
    """Pictures, detector, tiles, reader, 8-bit copies, honest scores; leaves the model files in `out`.

    shipped: a folder whose networks to go on from, in the place of the first lessons.
    """
    work.mkdir(parents=True, exist_ok=True)
    watch = Stopwatch(work)
    make_shards(work / "pictures", seed, plan.scenes, workers)
    make_shards(work / "held-out", HELD_OUT_SEED + seed, plan.held_out, workers)
    make_shards(work / "held-out-tables", HELD_OUT_SEED + seed + 3, plan.held_out, workers, maker=table_scene_of)
    watch.stage("pictures")
    if shipped is None:
        train_detector([work / "pictures"], work / "detector.pt", plan.detector_steps, seed)
    else:
        _thaw_detector(shipped, work)
    watch.stage("detector")
    make_shards(work / "games", seed + 2, plan.games, workers, maker=game_scene_of)
    make_shards(work / "tables", seed + 3, plan.tables, workers, maker=table_scene_of)
    lessons = [work / "pictures", work / "tables", work / "games", work / "tables"]
    train_detector(lessons, work / "detector-games.pt", plan.games_steps, seed + 2, rate=7e-4, start=work / "detector.pt",
                   counting=shipped is None)
    watch.stage("games, detector")
    export_detector(_mean(work / "detector.pt", work / "detector-games.pt"), work / "detector.onnx")
    pictures = [np.asarray(image)[None] for name in ("held-out", "held-out-tables")
                for image in load_shards(work / name)[0].images[:60]]
    quantise(work / "detector.onnx", work / "halves.onnx", "picture", pictures)
    lean(work / "halves.onnx")
    watch.stage("detector export")
    make_crops(work / "pictures", work / "tiles", work / "halves.onnx", seed, workers, plan.tile_shards)
    for name in ("held-out", "held-out-tables"):
        make_crops(work / name, work / f"{name}-tiles", work / "halves.onnx", seed, workers, plan.tile_shards)
    watch.stage("tiles")
    if shipped is None:
        train_reader(*load_crops(work / "tiles"), work / "reader.pt", plan.reader_steps, seed)
    else:
        _thaw_reader(shipped, work)
    watch.stage("reader")
    _finish(plan, work, seed, workers)
    watch.stage("games and bare tables")
    export_reader(torch.load(work / "finished.pt")["average"], work / "reader.onnx")
    held_out = [load_crops(work / name) for name in ("held-out-tiles", "held-out-tables-tiles")]
    batches = [tiles[i : i + 32] for tiles, _ in held_out for i in range(0, min(len(tiles), 1024), 32)]
    quantise(work / "reader.onnx", work / "tiles.onnx", "tiles", batches)
    lean(work / "tiles.onnx")
    watch.stage("reader export")
    out.mkdir(parents=True, exist_ok=True)
    for name in ("halves.onnx", "tiles.onnx"):
        shutil.copy(work / name, out / name)
    tiles, labels = (np.concatenate(parts) for parts in zip(*held_out, strict=True))
    kind, count = fit(_scores(work / "tiles.onnx", tiles), labels)
    card: dict[str, str | float] = {"version": VERSION, "kind_temperature": kind, "count_temperature": count}
    _write_card(card | {"certainty_weight": 1.0, "heat_weight": 0.0, "offset": 0.0}, out)
    judged = judged_candidates(Reader(workers, out), plan.judged, HELD_OUT_SEED - seed)
    weights: dict[str, str | float] = dict(zip(("certainty_weight", "heat_weight", "offset"), fit_scores(*judged), strict=True))
    _write_card(card | weights, out)
    watch.stage("honest scores")


def _thaw_detector(shipped: Path, work: Path) -> None:
    """The shipped detector as a checkpoint to go on from; how to count pips, which helped it to learn, it has forgotten."""
    views = torch.from_numpy(np.array(load_shards(work / "pictures")[0].images[:16]))
    torch.save({"average": thaw(Detector(), shipped / "halves.onnx", picture_tensor(views)).state_dict()}, work / "detector.pt")


def _thaw_reader(shipped: Path, work: Path) -> None:
    """The shipped tile reader as a checkpoint to go on from."""
    tiles, _ = load_crops(work / "tiles")
    some = torch.from_numpy(tiles[:: max(1, len(tiles) // 600)])
    torch.save({"average": thaw(TileReader(), shipped / "tiles.onnx", picture_tensor(some)).state_dict()}, work / "reader.pt")


def _mean(before: Path, after: Path) -> dict[str, torch.Tensor]:
    """Weights halfway between two checkpoints: the last lesson is learnt without forgetting the first (Wortsman 2022)."""
    first, second = (torch.load(path)["average"] for path in (before, after))
    return {name: (value + second[name]) / 2 if value.is_floating_point() else value for name, value in first.items()}


def _finish(plan: Plan, work: Path, seed: int, workers: int) -> None:
    """Train the tile reader on with tiles of games and tables, and what the detector takes for tiles on bare ones."""
    make_shards(work / "bare", seed + 1, plan.bare, workers, maker=bare_scene_of)
    make_crops(work / "bare", work / "bare-tiles", work / "halves.onnx", seed, workers, most=plan.bare)
    make_crops(work / "games", work / "games-tiles", work / "halves.onnx", seed, workers, most=plan.games)
    make_crops(work / "tables", work / "tables-tiles", work / "halves.onnx", seed, workers, most=plan.tables)
    tiles, labels = load_crops(work / "tiles")
    games, shown = load_crops(work / "games-tiles")
    tables, lying = load_crops(work / "tables-tiles")
    bare, nothing = load_crops(work / "bare-tiles")
    times = max(1, round(BARE_SHARE * len(tiles) / len(bare)))
    train_reader(np.concatenate([tiles, games, tables, *[bare] * times]),
                 np.concatenate([labels, shown, lying, *[nothing] * times]),
                 work / "finished.pt", plan.finish_steps, seed + 1, rate=5e-4, start=work / "reader.pt")


def _write_card(card: dict[str, str | float], out: Path) -> None:
    rounded = {name: round(value, 4) if isinstance(value, float) else value for name, value in card.items()}
    (out / "reader.json").write_text(json.dumps(rounded, indent=1) + "\n")


def _scores(model: Path, tiles: NDArray[np.uint8]) -> NDArray[np.float32]:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    return np.concatenate([session.run(None, {"tiles": in_blocks(tiles[i : i + 256])})[0] for i in range(0, len(tiles), 256)])


@click.command()
@click.option("--work", type=click.Path(path_type=Path), required=True, help="Folder for pictures and checkpoints (20 GB).")
@click.option("--out", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
@click.option("--plan", type=click.Choice(list(PLANS)), default="full", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--workers", type=int, default=os.cpu_count() or 1, show_default=True)
@click.option("--go-on-from", "shipped", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER",
              help="Begin with the networks in this folder, not from nothing.")  # fmt: skip
def main(work: Path, out: Path, plan: str, seed: int, workers: int, shipped: Path | None) -> None:
    """Train Kibitz' reader. Run it again after an interruption: finished work is kept."""
    run(PLANS[plan], work, out, seed, workers, shipped)


if __name__ == "__main__":
    main()
