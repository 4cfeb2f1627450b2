"""What a lesson's weights are worth: `python -m models.training.tryout --out runs/try --photos DIR`.

The committed weights of `lessons/` become 8-bit networks beside copies of all other shipped files, and that folder reads
labelled photographs, and made-up ones that were never shown. To round weights takes minutes: `--floats` tries them as they are.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

import click
import numpy as np
import torch
from numpy.typing import NDArray

from models.training.data import SMALLEST_HALF, scene_of, wide_scene_of
from models.training.evaluate import Tally, judge
from models.training.export import export_detector, export_reader, heat_of, quantise
from models.training.fitting import picture_tensor
from models.training.lean import lean
from models.training.lesson import COURSES, DIET, HELD_OUT_SEED, LESSONS, grown, picture
from models.training.networks import Detector
from models.training.tiles import crops_of
from simulator.noise import log_between
from simulator.scene import Scene, make_scene
from vision.evaluation import evaluate_photo, facedown_right, score
from vision.labels import read_labels
from vision.network import Network
from vision.photo_reader import PhotoReader
from vision.reader import MODELS, Reader

NARROWED = 120
"""Pictures as ever that a detector is given while its weights are rounded, as in the full recipe."""

FIRST = 20_000
"""Numbers of these pictures from here on: none that a lesson is measured by."""


def detector_of(weights: dict[str, torch.Tensor], out: Path) -> None:
    """Write the detector as it is shipped: 7-bit weights, pictures in blocks."""
    pictures = [scene_of(HELD_OUT_SEED, FIRST + number).image[None] for number in range(NARROWED)]
    _shipped(lambda path: export_detector(weights, path), out, "picture", pictures, heat_of)


def reader_of(weights: dict[str, torch.Tensor], out: Path) -> None:
    """Write the tile reader as it is shipped."""
    rng = np.random.default_rng(HELD_OUT_SEED)
    tiles = np.concatenate([crops_of(picture(HELD_OUT_SEED, FIRST + number), None, rng)[0] for number in range(len(DIET) * 8)])
    tiles = tiles[rng.permutation(len(tiles))]
    batches = [tiles[at : at + 32] for at in range(0, min(len(tiles), 2048), 32)]
    _shipped(lambda path: export_reader(weights, path), out, "tiles", batches, None)


def _shipped(export: Callable[[Path], None], out: Path, name: str, samples: list[NDArray[np.uint8]],
             objectness: Callable[[NDArray[np.float32]], NDArray[np.float32]] | None) -> None:
    floats = out.with_suffix(".floats.onnx")
    export(floats)
    quantise(floats, out, name, samples, objectness)
    lean(out)
    floats.unlink()


WRITERS = {"detector": ("halves.onnx", detector_of), "reader": ("tiles.onnx", reader_of)}


def folder_of(out: Path, names: tuple[str, ...]) -> None:
    """All shipped files, and in place of some of them what the lessons of these names have taught so far."""
    out.mkdir(parents=True, exist_ok=True)
    for path in (*MODELS.glob("*.onnx"), *MODELS.glob("*.json")):
        shutil.copy(path, out / path.name)
    for name in names:
        target, write = WRITERS[name]
        write(grown(torch.load(LESSONS / f"{name}.pt")["average"]), out / target)


def whole(blocks: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(n, h, w, 3) pictures of what `vision.blocks.in_blocks` made of them."""
    count, height, width, _ = blocks.shape
    return blocks.reshape(count, height, width, 2, 2, 3).transpose(0, 1, 3, 2, 4, 5).reshape(count, 2 * height, 2 * width, 3)


@contextmanager
def unrounded(name: str) -> Iterator[None]:
    """Meanwhile a lesson's committed weights answer, in floats, in place of the shipped file."""
    network = COURSES[name].network().to(memory_format=torch.channels_last).eval()
    network.load_state_dict(grown(torch.load(LESSONS / f"{name}.pt")["average"]))
    run = Network.run

    @torch.no_grad()
    def floating(asked: Network, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        if asked.path.name != COURSES[name].shipped or not pictures.size:
            return run(asked, pictures)
        given = picture_tensor(torch.from_numpy(whole(pictures)))
        answer = network.maps(network.features(given)) if isinstance(network, Detector) else network(given)
        return np.asarray(answer.numpy(), np.float32)

    with patch.object(Network, "run", floating):
        yield


def usual(number: int) -> Scene:
    """Picture `number` of those as ever, 640 x 640."""
    rng = np.random.default_rng([HELD_OUT_SEED, 2 * FIRST + number])
    return make_scene(640, 640, log_between(rng, SMALLEST_HALF + 2, 100), rng)


def wide(number: int) -> Scene:
    """Picture `number` of what is hard to find."""
    return wide_scene_of(HELD_OUT_SEED, 2 * FIRST + number)


def tallied(reader: Reader, made: Callable[[int], Scene], count: int) -> Tally:
    """How a reader does on so many made-up pictures."""
    tally = Tally()
    for number in range(count):
        scene = made(number)
        judge(scene, PhotoReader(reader).read(scene.image).tiles, tally)
    return tally


def told(models: Path, photos: tuple[Path, ...], made_up: int) -> Iterator[str]:
    """A line for each set."""
    reader = Reader(1, models)
    for folder in photos:
        results = [evaluate_photo(label, folder, PhotoReader(reader).read) for label in read_labels(folder)]
        got = score(results)
        backs, counted = facedown_right(results)
        yield (f"{folder.name}: recall {got.recall:.4f} precision {got.precision:.4f} halves {got.halves:.4f} "
               f"all right {got.exact:.4f}; backs counted right in {backs} of {counted}")
    for name, made in (("usual", usual), ("wide", wide)):
        yield f"{name}: {tallied(reader, made, made_up).line()}"


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("runs/try"), show_default=True)
@click.option("--lesson", "names", type=click.Choice(list(WRITERS)), multiple=True, help="Whose weights, instead of the shipped.")
@click.option("--photos", type=click.Path(exists=True, file_okay=False, path_type=Path), multiple=True, help="With labels.csv.")
@click.option("--floats", is_flag=True, help="Without rounding the weights, which takes minutes.")
@click.option("--made-up", type=int, default=150, show_default=True, help="Made-up pictures of each kind.")
def main(out: Path, names: tuple[str, ...], photos: tuple[Path, ...], floats: bool, made_up: int) -> None:
    """Try what was learned so far; without a lesson's name, what is shipped."""
    torch.set_num_threads(1)
    rounded = bool(names) and not floats
    if rounded:
        folder_of(out, names)
    with ExitStack() as stack:
        for name in names if floats else ():
            stack.enter_context(unrounded(name))
        for line in told(out if rounded else MODELS, photos, made_up):
            click.echo(line)


if __name__ == "__main__":
    main()
