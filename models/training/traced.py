"""Do path-traced pictures help on real photographs? Measured: the tile reader trained on, with them and without.

`python -m models.training.traced --work runs/full --traced FOLDER --photos FOLDER` writes `path_traced.md`, which the
model card quotes. FOLDER of path-traced shards: see `simulator/pathtraced.py`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import click
import numpy as np
import torch

from models.training.export import export_reader
from models.training.tiles import load_crops, make_crops
from models.training.train_reader import train
from vision.evaluation import Score, evaluate_photo, score
from vision.labels import read_labels
from vision.photo_reader import PhotoReader
from vision.reader import MODELS, Reader

PROSE = """## Path-traced pictures

{traced} straightened tiles from {pictures} pictures whose light was traced (mitsuba). From the same finished weights the tile
reader was trained {steps} batches further (rate 0.0003, 32-bit), once on the {plain} painted tiles alone, once with the traced
tiles making up {share:.0%} of every batch; then both read the real photographs:

| trained further on | recall | precision | halves | photos exact |
| --- | --- | --- | --- | --- |
| painted tiles | {a.recall:.4f} | {a.precision:.4f} | {a.halves:.4f} | {a.exact:.4f} |
| painted and traced tiles | {b.recall:.4f} | {b.precision:.4f} | {b.halves:.4f} | {b.exact:.4f} |
"""


@click.command()
@click.option("--work", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--traced", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--photos", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--steps", type=int, default=400, show_default=True)
@click.option("--share", type=float, default=0.2, show_default=True, help="Part of the tiles that are path-traced.")
def main(work: Path, traced: Path, photos: Path, steps: int, share: float) -> None:
    """Train on with and without path-traced tiles and compare on real photographs."""
    make_crops(traced, work / "traced-tiles", work / "halves.onnx", 1, 2, most=10_000)
    plain, plain_labels = load_crops(work / "tiles")
    extra, extra_labels = load_crops(work / "traced-tiles")
    repeats = round(share / (1 - share) * len(plain) / len(extra))
    mixed = (np.concatenate([plain, *[extra] * repeats]), np.concatenate([plain_labels, *[extra_labels] * repeats]))
    results = []
    for name, (pictures, labels) in {"painted": (plain, plain_labels), "traced": mixed}.items():
        checkpoint = work / f"reader-{name}.pt"
        train(pictures, labels, checkpoint, steps, seed=2, rate=3e-4, start=work / "reader.pt")
        results.append(_score(work / f"models-{name}", torch.load(checkpoint)["average"], photos))
    pictures_count = sum(len(np.load(path)["first"]) - 1 for path in traced.glob("?????.npz"))
    text = PROSE.format(traced=len(extra), pictures=pictures_count, steps=steps, plain=len(plain), share=share,
                        a=results[0], b=results[1])
    Path(__file__).with_name("path_traced.md").write_text(text)
    click.echo(text)


def _score(folder: Path, weights: dict[str, torch.Tensor], photos: Path) -> Score:
    """Figures on the photographs of the shipped detector with these weights of the tile reader."""
    folder.mkdir(exist_ok=True)
    export_reader(weights, folder / "tiles.onnx")
    for name in ("halves.onnx", "reader.json"):
        shutil.copy(MODELS / name, folder / name)
    reader = Reader(threads=2, models=folder)
    return score([evaluate_photo(label, photos, PhotoReader(reader).read) for label in read_labels(photos)])


if __name__ == "__main__":
    main()
