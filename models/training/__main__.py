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

from models.training.calibrate import fit, fit_scores
from models.training.data import SHARD, bare_scene_of, game_scene_of, load_shards, make_shards, table_scene_of
from models.training.evaluate import judged_candidates
from models.training.export import export_detector, export_reader, heat_of, quantise, scores_of
from models.training.fitting import picture_tensor
from models.training.lean import lean
from models.training.networks import Detector
from models.training.thaw import thaw
from models.training.tiles import load_crops, make_crops
from models.training.train_detector import train as train_detector
from models.training.train_reader import train as train_reader
from vision.reader import Reader

VERSION = "1.6"
HELD_OUT_SEED = 900_000
BARE_SHARE = 0.15
"""Straightened tiles from bare tables, as a part of the others, in the last lessons."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything. The held-out pictures calibrate the 8-bit networks and the scores."""

    scenes: int
    tile_shards: int  # shards whose tiles are cut for the tile reader: about 8,000 tiles each
    games: int  # pictures of games under way: stacks and boneyards, for the last lessons
    tables: int  # windows of whole tables as the camera over them sees them, for the detector of the live table
    bare: int  # pictures of tables without tiles, for the last lessons in what is none
    held_out: int
    narrowed: int  # of those, how many pictures the detectors are given while their weights are rounded
    judged: int  # pictures that the finished reader reads, so that its scores can be made honest
    detector_steps: int
    games_steps: int
    tables_steps: int
    reader_steps: int
    finish_steps: int


PLANS = {
    "full": Plan(scenes=12_000, tile_shards=36, games=3_000, tables=6_000, bare=3_000, held_out=1_000, narrowed=120, judged=500,
                 detector_steps=13_000, games_steps=2_000, tables_steps=2_000, reader_steps=4_500, finish_steps=1_200),
    "tables": Plan(scenes=1_000, tile_shards=0, games=250, tables=1_500, bare=0, held_out=SHARD, narrowed=120, judged=0,
                   detector_steps=0, games_steps=0, tables_steps=300, reader_steps=0, finish_steps=0),
    "tiny": Plan(scenes=SHARD, tile_shards=1, games=SHARD, tables=16, bare=SHARD, held_out=SHARD, narrowed=6, judged=4,
                 detector_steps=6, games_steps=4, tables_steps=2, reader_steps=6, finish_steps=4),
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


TABLES_SHARE = 0.8
"""How much of the lesson on tables goes into the detector's weights for them."""


def teach_tables(plan: Plan, work: Path, out: Path, seed: int, workers: int, shipped: Path) -> None:
    """The detector of the live table alone: one that knows photographs, `shipped`, goes on with tables; the rest is copied."""
    work.mkdir(parents=True, exist_ok=True)
    watch = Stopwatch(work)
    make_shards(work / "pictures", seed, plan.scenes, workers)
    make_shards(work / "games", seed + 2, plan.games, workers, maker=game_scene_of)
    watch.stage("pictures")
    views = torch.from_numpy(np.array(load_shards(work / "pictures")[0].images[:16]))
    torch.save({"average": thaw(Detector(), shipped / "halves.onnx", picture_tensor(views)).state_dict()}, work / "halves.pt")
    _tables_lesson(plan, work, seed, workers)
    watch.stage("tables, detector")
    out.mkdir(parents=True, exist_ok=True)
    for name in ("halves.onnx", "tiles.onnx", "reader.json"):
        if shipped.resolve() != out.resolve():
            shutil.copy(shipped / name, out / name)
    shutil.copy(work / "halves_table.onnx", out / "halves_table.onnx")


def _tables_lesson(plan: Plan, work: Path, seed: int, workers: int) -> None:
    """Go on from `halves.pt` with tables in half of the crops; leaves `halves_table.onnx`.

    How to count pips, which helped the detector to learn, is no longer asked: shipped weights no longer know it.
    """
    make_shards(work / "tables", seed + 3, plan.tables, workers, maker=table_scene_of, size=min(SHARD, plan.tables))
    folders = [work / "pictures", work / "tables", work / "games", work / "tables"]
    train_detector(folders, work / "detector-tables.pt", plan.tables_steps, seed + 2, rate=5e-4, start=work / "halves.pt",
                   counting=False)
    export_detector(_between(work / "halves.pt", work / "detector-tables.pt", TABLES_SHARE), work / "detector-tables.onnx")
    pictures = [np.asarray(image)[None] for name in ("pictures", "tables") for image in load_shards(work / name)[-1].images[::5]]
    quantise(work / "detector-tables.onnx", work / "halves_table.onnx", "picture", pictures[: plan.narrowed], heat_of)
    lean(work / "halves_table.onnx")


def run(plan: Plan, work: Path, out: Path, seed: int, workers: int) -> None:
    """Pictures, detector, tiles, reader, 8-bit copies, honest scores; leaves the model files in `out`."""
    work.mkdir(parents=True, exist_ok=True)
    watch = Stopwatch(work)
    make_shards(work / "pictures", seed, plan.scenes, workers)
    make_shards(work / "held-out", HELD_OUT_SEED + seed, plan.held_out, workers)
    watch.stage("pictures")
    train_detector([work / "pictures"], work / "detector.pt", plan.detector_steps, seed)
    watch.stage("detector")
    make_shards(work / "games", seed + 2, plan.games, workers, maker=game_scene_of)
    train_detector([work / "pictures", work / "games"], work / "detector-games.pt", plan.games_steps, seed + 2, rate=7e-4,
                   start=work / "detector.pt")
    watch.stage("games, detector")
    torch.save({"average": _between(work / "detector.pt", work / "detector-games.pt", 0.5)}, work / "halves.pt")
    export_detector(torch.load(work / "halves.pt")["average"], work / "detector.onnx")
    pictures = [np.asarray(image)[None] for shard in load_shards(work / "held-out") for image in shard.images[:60]]
    quantise(work / "detector.onnx", work / "halves.onnx", "picture", pictures[: plan.narrowed], heat_of)
    lean(work / "halves.onnx")
    watch.stage("detector export")
    _tables_lesson(plan, work, seed, workers)
    watch.stage("tables, detector")
    make_crops(work / "pictures", work / "tiles", work / "halves.onnx", seed, workers, plan.tile_shards)
    make_crops(work / "held-out", work / "held-out-tiles", work / "halves.onnx", seed, workers, plan.tile_shards)
    watch.stage("tiles")
    train_reader(*load_crops(work / "tiles"), work / "reader.pt", plan.reader_steps, seed)
    watch.stage("reader")
    _finish(plan, work, seed, workers)
    watch.stage("games and bare tables")
    export_reader(torch.load(work / "finished.pt")["average"], work / "reader.onnx")
    tiles, labels = load_crops(work / "held-out-tiles")
    quantise(work / "reader.onnx", work / "tiles.onnx", "tiles", [tiles[i : i + 32] for i in range(0, min(len(tiles), 2048), 32)])
    lean(work / "tiles.onnx")
    watch.stage("reader export")
    out.mkdir(parents=True, exist_ok=True)
    for name in ("halves.onnx", "halves_table.onnx", "tiles.onnx"):
        shutil.copy(work / name, out / name)
    kind, count = fit(scores_of(work / "tiles.onnx", tiles), labels)
    card: dict[str, str | float] = {"version": VERSION, "kind_temperature": kind, "count_temperature": count}
    _write_card(card | {"certainty_weight": 1.0, "heat_weight": 0.0, "offset": 0.0}, out)
    judged = judged_candidates(Reader(workers, out), plan.judged, HELD_OUT_SEED - seed)
    weights: dict[str, str | float] = dict(zip(("certainty_weight", "heat_weight", "offset"), fit_scores(*judged), strict=True))
    _write_card(card | weights, out)
    watch.stage("honest scores")


def _between(before: Path, after: Path, share: float) -> dict[str, torch.Tensor]:
    """Weights between two checkpoints: the last lesson is learnt without forgetting the first (Wortsman 2022)."""
    first, second = (torch.load(path)["average"] for path in (before, after))
    return {name: value + share * (second[name] - value) if value.is_floating_point() else value for name, value in first.items()}


def _finish(plan: Plan, work: Path, seed: int, workers: int) -> None:
    """Train the tile reader on with tiles of games, and what the detector takes for tiles on bare, mostly printed tables."""
    make_shards(work / "bare", seed + 1, plan.bare, workers, maker=bare_scene_of)
    make_crops(work / "bare", work / "bare-tiles", work / "halves.onnx", seed, workers, most=plan.bare)
    make_crops(work / "games", work / "games-tiles", work / "halves.onnx", seed, workers, most=plan.games)
    tiles, labels = load_crops(work / "tiles")
    games, shown = load_crops(work / "games-tiles")
    bare, nothing = load_crops(work / "bare-tiles")
    times = max(1, round(BARE_SHARE * len(tiles) / len(bare)))
    train_reader(np.concatenate([tiles, games, *[bare] * times]), np.concatenate([labels, shown, *[nothing] * times]),
                 work / "finished.pt", plan.finish_steps, seed + 1, rate=5e-4, start=work / "reader.pt")


def _write_card(card: dict[str, str | float], out: Path) -> None:
    rounded = {name: round(value, 4) if isinstance(value, float) else value for name, value in card.items()}
    (out / "reader.json").write_text(json.dumps(rounded, indent=1) + "\n")


@click.command()
@click.option("--work", type=click.Path(path_type=Path), required=True, help="Folder for pictures and checkpoints (20 GB).")
@click.option("--out", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
@click.option("--plan", type=click.Choice(list(PLANS)), default="full", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--workers", type=int, default=os.cpu_count() or 1, show_default=True)
@click.option("--go-on-from", "shipped", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER",
              help="Teach tables alone (plan: tables) to the detector in this folder.")  # fmt: skip
def main(work: Path, out: Path, plan: str, seed: int, workers: int, shipped: Path | None) -> None:
    """Train Kibitz' reader from nothing. Run it again after an interruption: finished work is kept."""
    if shipped is None:
        run(PLANS[plan], work, out, seed, workers)
    else:
        teach_tables(PLANS[plan], work, out, seed, workers, shipped)


if __name__ == "__main__":
    main()
