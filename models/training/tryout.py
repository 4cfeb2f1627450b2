"""What a lesson's weights are worth: `python -m models.training.tryout --out runs/try --photos DIR`.

The committed weights of `lessons/` become 8-bit networks beside copies of all other shipped files, and that folder reads
labelled photographs, and made-up ones that were never shown, and searches tables. To round weights takes minutes: `--floats`
tries them as they are. `--share` tries weights between those that are shipped and those that were learned.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

import click
import numpy as np
import torch
from numpy.typing import NDArray

from models.training.data import SMALLEST_HALF, scene_of, table_scene_of, wide_scene_of
from models.training.evaluate import Tally, judge
from models.training.export import export_detector, export_reader, heat_of, quantise
from models.training.fitting import picture_tensor
from models.training.lean import lean
from models.training.lesson import COURSES, DIET, HELD_OUT_SEED, LESSONS, grown, picture
from models.training.networks import Detector
from models.training.thaw import thaw
from models.training.tiles import crops_of
from simulator.noise import log_between
from simulator.scene import Scene, make_scene
from simulator.table_scenes import WINDOWS
from vision.degrees import EVEN, HALF, PERHAPS
from vision.evaluation import evaluate_photo, facedown_right, score
from vision.halves import iou, overlap
from vision.labels import read_labels
from vision.network import Network
from vision.photo_reader import PhotoReader
from vision.reader import MODELS, Reader

NARROWED = 120
"""Pictures as ever that a detector is given while its weights are rounded, as in the full recipe."""

WHOLE = 0.8
"""A half that shows more of itself than this is to be found."""

FIRST = 20_000
"""Numbers of these pictures from here on: none that a lesson is measured by."""


def detector_of(weights: dict[str, torch.Tensor], out: Path, maker: Callable[[int, int], Scene] = scene_of) -> None:
    """Write a detector as it is shipped: 7-bit weights, pictures in blocks."""
    pictures = [maker(HELD_OUT_SEED, FIRST + number).image[None] for number in range(NARROWED)]
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


WRITERS: dict[str, Callable[[dict[str, torch.Tensor], Path], None]] = {
    "detector": detector_of, "tables": partial(detector_of, maker=table_scene_of), "reader": reader_of,
}  # fmt: skip


def folder_of(out: Path, names: tuple[str, ...], share: float) -> None:
    """All shipped files, and in place of some of them what the lessons of these names have taught so far."""
    out.mkdir(parents=True, exist_ok=True)
    for path in (*MODELS.glob("*.onnx"), *MODELS.glob("*.json")):
        shutil.copy(path, out / path.name)
    for name in names:
        WRITERS[name](weights_of(name, share), out / COURSES[name].shipped)


def weights_of(name: str, share: float) -> dict[str, torch.Tensor]:
    """What a lesson taught so far; share: of the way to it from what is shipped."""
    course = COURSES[name]
    learned = grown(torch.load(LESSONS / f"{name}.pt")["average"])
    if share == 1:
        return learned
    before = course.network()
    thaw(before, MODELS / course.shipped, picture_tensor(torch.from_numpy(course.views())))
    return {key: torch.lerp(old, learned[key], share) if old.is_floating_point() else learned[key]
            for key, old in before.state_dict().items()}  # fmt: skip


def whole(blocks: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(n, h, w, 3) pictures of what `vision.blocks.in_blocks` made of them."""
    count, height, width, _ = blocks.shape
    return blocks.reshape(count, height, width, 2, 2, 3).transpose(0, 1, 3, 2, 4, 5).reshape(count, 2 * height, 2 * width, 3)


@contextmanager
def unrounded(name: str, share: float) -> Iterator[None]:
    """Meanwhile a lesson's committed weights answer, in floats, in place of the shipped file."""
    network = COURSES[name].network().to(memory_format=torch.channels_last).eval()
    network.load_state_dict(weights_of(name, share))
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


def found_on_tables(reader: Reader, windows: int) -> Iterator[str]:
    """How many of the tiles in so many windows on tables are found, the faintest that count and plain ones; and what else is."""
    every: dict[str, list[float]] = {"faces": [], "backs": []}
    false = 0
    for number in range(windows):
        scene = table_scene_of(HELD_OUT_SEED, (FIRST + number) * WINDOWS)
        found = reader.find_on_table(scene.image)
        left = np.ones(len(found.objectness), np.bool_)
        for tile in scene.tiles:
            place = tile.corners.astype(np.float32)
            near = np.array([iou(place, corners) > HALF for corners in found.corners], np.bool_)
            left &= ~near & np.array([overlap(corners, place) < HALF for corners in found.corners], np.bool_)
            if tile.sure and min(tile.visible) > WHOLE:
                every["faces" if tile.ends else "backs"].append(float(found.objectness[near].max(initial=0.0)))
        false += int((left & (found.objectness > EVEN)).sum())
    for kind, heats in every.items():
        shares = ", ".join(f"{np.mean(np.array(heats) > least):.4f} above {least}" for least in (0.0, PERHAPS, EVEN))
        yield f"{kind}: {shares}, of {len(heats)}"
    yield f"where no tile lies: {false} in {windows} windows"


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
    yield from found_on_tables(reader, made_up)


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("runs/try"), show_default=True)
@click.option("--lesson", "names", type=click.Choice(list(WRITERS)), multiple=True, help="Whose weights, instead of the shipped.")
@click.option("--photos", type=click.Path(exists=True, file_okay=False, path_type=Path), multiple=True, help="With labels.csv.")
@click.option("--floats", is_flag=True, help="Without rounding the weights, which takes minutes.")
@click.option("--share", type=click.FloatRange(0, 1), default=1.0, show_default=True, help="Of the way from what is shipped.")
@click.option("--made-up", type=int, default=150, show_default=True, help="Made-up pictures of each kind.")
def main(out: Path, names: tuple[str, ...], photos: tuple[Path, ...], floats: bool, share: float, made_up: int) -> None:
    """Try what was learned so far; without a lesson's name, what is shipped."""
    torch.set_num_threads(1)
    rounded = bool(names) and not floats
    if rounded:
        folder_of(out, names, share)
    with ExitStack() as stack:
        for name in names if floats else ():
            stack.enter_context(unrounded(name, share))
        for line in told(out if rounded else MODELS, photos, made_up):
            click.echo(line)


if __name__ == "__main__":
    main()
