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

from models.training import piece_presence
from models.training.calibrate import temperature
from models.training.export import _export, quantise
from models.training.fitting import picture_tensor
from models.training.piece_crops import CHIP, NOTHING, Crops, load_crops, make_crops
from models.training.piece_data import NAMES, load_shards, make_shards
from models.training.piece_networks import ANGLES, COLOURS, KINDS, NAMED, RADII, SUITS, VALUES, PieceFinder, PieceReader
from models.training.thaw import thaw
from models.training.train_pieces import train_finder, train_reader

VERSION = "1.5"
HELD_OUT_SEED = 900_000


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything; four pictures of each edition. tables: of each game, on which the finds are weighed."""

    editions: int
    held_out: int
    finder_steps: int
    reader_steps: int
    tables: int = 44


PLANS = {
    "full": Plan(editions=850, held_out=50, finder_steps=1500, reader_steps=2500),
    "lesson": Plan(editions=75, held_out=25, finder_steps=700, reader_steps=260),
    "long": Plan(editions=1600, held_out=12, finder_steps=35_000, reader_steps=8_500),
    "tiny": Plan(editions=2, held_out=2, finder_steps=2, reader_steps=2, tables=1),
}


def run(plan: Plan, work: Path, out: Path, seed: int, workers: int, shipped: Path | None = None) -> None:
    """Pictures, crops, finder, reader, 8-bit copies, honest probabilities; leaves the model files in `out`.

    shipped: a folder with networks to go on from.
    """
    make_shards(work / "pictures", seed, plan.editions, workers)
    make_shards(work / "held-out", HELD_OUT_SEED + seed, plan.held_out, workers)
    make_crops(work / "pictures", work / "crops", seed, workers)
    make_crops(work / "held-out", work / "held-out-crops", seed, workers)
    if shipped:
        _thaw(work, shipped)
    starts = (work / "finder-start.pt", work / "reader-start.pt") if shipped else (None, None)
    train_finder(work / "pictures", work / "finder.pt", plan.finder_steps, seed, start=starts[0])
    train_reader(load_crops(work / "crops"), work / "reader.pt", plan.reader_steps, seed, start=starts[1])
    finish(work, out, plan.tables)


def _thaw(work: Path, shipped: Path) -> None:
    """Write the shipped networks as checkpoints to begin from."""
    views = load_shards(work / "pictures")[0].images[:24, 160:352, 160:352]
    finder = thaw(PieceFinder(), shipped / "pieces.onnx", picture_tensor(torch.from_numpy(np.array(views))))
    crops = load_crops(work / "crops").pictures
    some = crops[:: max(1, len(crops) // 400)]
    reader = thaw(PieceReader(), shipped / "piece_marks.onnx", picture_tensor(torch.from_numpy(some)))
    sharpness = json.loads((shipped / "pieces.json").read_text())["temperatures"]["sharpness"]
    reader.sharpness = torch.nn.Parameter(torch.tensor(float(np.log(sharpness))))
    torch.save({"average": finder.state_dict()}, work / "finder-start.pt")
    torch.save({"average": reader.state_dict()}, work / "reader-start.pt")


def finish(work: Path, out: Path, tables: int) -> None:
    """Write the trained networks as 8-bit ONNX, and what makes their probabilities honest."""
    held_out = load_crops(work / "held-out-crops")
    export_finder(torch.load(work / "finder.pt")["average"], work / "finder.onnx")
    views = [
        np.asarray(image)[None, :320, :320] for shard in load_shards(work / "held-out") for image in shard.images[:60]
    ]
    quantise(work / "finder.onnx", work / "pieces.onnx", "picture", views[:100])
    weights = torch.load(work / "reader.pt")["average"]
    export_reader(weights, work / "marks.onnx")
    batches = [held_out.pictures[i : i + 32] for i in range(0, min(len(held_out.pictures), 4096), 32)]
    quantise(work / "marks.onnx", work / "piece_marks.onnx", "crops", batches)
    out.mkdir(parents=True, exist_ok=True)
    for name in ("pieces.onnx", "piece_marks.onnx"):
        shutil.copy(work / name, out / name)
    warmth = temperatures(work / "piece_marks.onnx", held_out)
    warmth["sharpness"] = float(np.exp(weights["sharpness"].item()))
    warmth["belief"] = 0.5
    told = {name: round(value, 3) for name, value in warmth.items()}
    card = {"version": VERSION, "temperatures": told, "presence": piece_presence.UNFITTED}
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


def temperatures(model: Path, crops: Crops) -> dict[str, float]:
    """The divisor of each kind of scores under which the truth of crops is likeliest."""
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    pictures = crops.pictures
    scores = np.concatenate(
        [session.run(None, {"crops": pictures[i : i + 256]})[0] for i in range(0, len(pictures), 256)]
    )
    parts: tuple[NDArray[np.float32], ...] = tuple(
        np.split(scores[:, :NAMED], np.cumsum([KINDS, SUITS, VALUES, COLOURS])[:-1], axis=1)
    )
    colour = np.where(crops.labels[:, 0] == CHIP, crops.labels[:, 3] - (len(NAMES) - COLOURS), -1)
    truths = (crops.labels[:, 0], crops.labels[:, 1], crops.labels[:, 2], colour)
    out = {}
    for name, part, truth in zip(("kind", "suit", "value", "colour"), parts, truths, strict=True):
        asked = (truth >= 0) & ((crops.labels[:, 0] != NOTHING) | (name == "kind"))
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
