"""The recipe of the networks for pieces: `python -m models.training.pieces --work runs/pieces`. Goes on where it was."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.training import piece_presence
from models.training.calibrate import temperature
from models.training.export import _export, quantise
from models.training.piece_crops import CHIP, NOTHING, Pictures, crops, mine, views
from models.training.piece_data import NAMES, load_shards, make_shards
from models.training.piece_networks import ANGLES, COLOURS, KINDS, NAMED, RADII, SUITS, VALUES, PieceFinder, PieceReader
from models.training.thaw import thaw
from models.training.train_pieces import train_finder, train_reader

VERSION = "2.0"
HELD_OUT_SEED = 900_000


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything; four pictures of each edition. views, sets: how many views the finder sees at a time, and of how
    many editions crops the reader. tables: of each game, on which the finds are weighed."""

    editions: int
    held_out: int
    finder_steps: int
    reader_steps: int
    views: int = 16
    sets: int = 8
    tables: int = 44


PLANS = {
    "full": Plan(editions=1900, held_out=48, finder_steps=5500, reader_steps=4500, views=160, sets=64),
    "lesson": Plan(editions=300, held_out=24, finder_steps=2000, reader_steps=3000),
    "tiny": Plan(editions=2, held_out=2, finder_steps=2, reader_steps=2, tables=1),
}
"""`full` needs a graphics card; a processor learns a `lesson` in an hour, best with --go-on-from."""


def run(plan: Plan, work: Path, out: Path, seed: int, workers: int, shipped: Path | None = None) -> None:
    """Pictures, finder, reader, 8-bit copies, honest probabilities; leaves the model files in `out`.

    shipped: a folder with networks to go on from.
    """
    make_shards(work / "pictures", seed, plan.editions, workers)
    make_shards(work / "held-out", HELD_OUT_SEED + seed, plan.held_out, workers)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    pictures = pictures_of(work / "pictures", seed, device)
    if shipped:
        _thaw(pictures, work, shipped)
    starts = (work / "finder-start.pt", work / "reader-start.pt") if shipped else (None, None)
    finder = train_finder(pictures, work / "finder.pt", plan.finder_steps, plan.views, seed, start=starts[0])
    click.echo(f"{mine(pictures, finder)} things that the finder takes for pieces")
    train_reader(pictures, work / "reader.pt", plan.reader_steps, plan.sets, seed, start=starts[1])
    finish(work, out, plan.tables)


def pictures_of(folder: Path, seed: int, device: torch.device) -> Pictures:
    """All pictures that were drawn into a folder, on a device."""
    shards, rng = load_shards(folder), np.random.default_rng(seed)
    out = Pictures(sum(len(shard.images) for shard in shards), device)
    for shard in shards:
        out.add(shard, rng)
    return out


def _thaw(pictures: Pictures, work: Path, shipped: Path) -> None:
    """Write the shipped networks as checkpoints to begin from."""
    rng, rows = torch.Generator(pictures.device).manual_seed(0), pictures.rows()
    finder = thaw(PieceFinder(), shipped / "pieces.onnx", views(pictures, 24, rng).picture.cpu())
    some = crops(pictures, rows, np.arange(0, len(rows.name), max(1, len(rows.name) // 400)), rng)
    reader = thaw(PieceReader(), shipped / "piece_marks.onnx", some.pictures.cpu())
    sharpness = json.loads((shipped / "pieces.json").read_text())["temperatures"]["sharpness"]
    reader.sharpness = torch.nn.Parameter(torch.tensor(float(np.log(sharpness))))
    torch.save({"average": finder.state_dict()}, work / "finder-start.pt")
    torch.save({"average": reader.state_dict()}, work / "reader-start.pt")


def finish(work: Path, out: Path, tables: int) -> None:
    """Write the trained networks as 8-bit ONNX, and what makes their probabilities honest."""
    held_out, rng = pictures_of(work / "held-out", HELD_OUT_SEED, torch.device("cpu")), torch.Generator().manual_seed(0)
    export_finder(torch.load(work / "finder.pt", map_location="cpu")["average"], work / "finder.onnx")
    shown = as_bytes(views(held_out, min(100, held_out.count), rng).picture)
    quantise(work / "finder.onnx", work / "pieces.onnx", "picture", [view[None] for view in shown])
    weights = torch.load(work / "reader.pt", map_location="cpu")["average"]
    export_reader(weights, work / "marks.onnx")
    rows = held_out.rows()
    cut = crops(held_out, rows, np.arange(len(rows.name)), rng)
    told, labels = as_bytes(cut.pictures), cut.labels.numpy()
    mixed = np.random.default_rng(0).permutation(len(told))[:4096]
    quantise(work / "marks.onnx", work / "piece_marks.onnx", "crops", [told[mixed[i : i + 32]] for i in range(0, len(mixed), 32)])
    out.mkdir(parents=True, exist_ok=True)
    for name in ("pieces.onnx", "piece_marks.onnx"):
        shutil.copy(work / name, out / name)
    warmth = temperatures(work / "piece_marks.onnx", told, labels)
    warmth["sharpness"] = float(np.exp(weights["sharpness"].item()))
    rounded = {name: round(value, 3) for name, value in warmth.items()}
    card = {"version": VERSION, "temperatures": rounded, "presence": piece_presence.UNFITTED}
    (out / "pieces.json").write_text(json.dumps(card, indent=1) + "\n")
    piece_presence.write(out, tables)


def export_finder(weights: dict[str, torch.Tensor], path: Path) -> None:
    """The finder in 32-bit floats; input `picture`, output `maps`."""
    network = PieceFinder()
    network.load_state_dict(weights)
    sample = torch.zeros(1, 320, 320, 3, dtype=torch.uint8)
    _export(network, sample, path, "picture", "maps", {"picture": {1: "h", 2: "w"}, "maps": {2: "mh", 3: "mw"}})


def export_reader(weights: dict[str, torch.Tensor], path: Path) -> None:
    """The reader in 32-bit floats; input `crops`, output `scores`."""
    network = PieceReader()
    network.load_state_dict(weights)
    sample = torch.zeros(2, RADII, ANGLES, 3, dtype=torch.uint8)
    _export(network, sample, path, "crops", "scores", {"crops": {0: "n"}, "scores": {0: "n"}})


def as_bytes(pictures: Tensor) -> NDArray[np.uint8]:
    """(n, 3, h, w) 0..1 as (n, h, w, 3) uint8."""
    return np.ascontiguousarray((pictures * 255).round().byte().permute(0, 2, 3, 1).numpy())


def temperatures(model: Path, pictures: NDArray[np.uint8], labels: NDArray[np.int64]) -> dict[str, float]:
    """The divisor of each kind of scores under which the truth of crops, (n, 4) as in `piece_crops.Crops`, is likeliest."""
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    scores = np.concatenate(
        [session.run(None, {"crops": pictures[i : i + 256]})[0] for i in range(0, len(pictures), 256)]
    )
    parts: tuple[NDArray[np.float32], ...] = tuple(
        np.split(scores[:, :NAMED], np.cumsum([KINDS, SUITS, VALUES, COLOURS])[:-1], axis=1)
    )
    colour = np.where((labels[:, 0] == CHIP) & (labels[:, 3] >= 0), labels[:, 3] - (len(NAMES) - COLOURS), -1)
    truths = (labels[:, 0], labels[:, 1], labels[:, 2], colour)
    out = {}
    for name, part, truth in zip(("kind", "suit", "value", "colour"), parts, truths, strict=True):
        asked = (truth >= 0) & ((labels[:, 0] != NOTHING) | (name == "kind"))
        out[name] = temperature(part[asked], truth[asked].astype(np.int64))
        right = float((part[asked].argmax(axis=1) == truth[asked]).mean())
        click.echo(f"{name}: {right:.4f} of {int(asked.sum())} held-out crops right, temperature {out[name]:.2f}")
    return out


@click.command()
@click.option(
    "--work", type=click.Path(path_type=Path), required=True, help="Folder for pictures and checkpoints (8 GB)."
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
@click.option("--plan", type=click.Choice(list(PLANS)), default="full", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--workers", type=int, default=os.cpu_count() or 1, show_default=True)
@click.option(
    "--go-on-from", "shipped", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER",
    help="Begin with the networks in this folder, not from nothing.",
)  # fmt: skip
def main(work: Path, out: Path, plan: str, seed: int, workers: int, shipped: Path | None) -> None:
    """Train the networks for pieces. Run it again after an interruption: finished work is kept."""
    run(PLANS[plan], work, out, seed, workers, shipped)


if __name__ == "__main__":
    main()
