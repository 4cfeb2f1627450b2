"""A lesson for the tile reader of the live table: `python -m models.training.table_tiles --work runs/table-tiles`.

It is shown tiles of made-up game tables, cut out of what the camera over them sees, most of them of sets that are hard to
read: large ones, or pips hardly darker or lighter than a body that is marbled, grained or speckled. It goes on from the network
that is shipped, and learns to tell numbers (`ends`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from engine.games import game as game_named
from models.training.data import Shard, make_shards, workforce
from models.training.ends import FinishedReader, shown, taught
from models.training.export import scores_of
from models.training.tiles import BACK, FACE, NOTHING, crops_of, load_crops, make_crops
from simulator.faces import SetStyle
from simulator.staging.games import STAGES, seat_counts
from simulator.table_scenes import as_it_comes, faint, grained, under_way
from simulator.tabletop.look import Look
from simulator.tabletop.lying import LYING, Tile
from simulator.tabletop.truth import Truth
from vision.finder import Finder
from vision.halves import overlap
from vision.rectify import ImagePyramid

Array = NDArray[np.float32]
Image = NDArray[np.uint8]
Labels = NDArray[np.int8]

FIRST_SEED = 700_000_000
"""Of the looks: none that is kept for testing."""

SHARES = (0.25, 0.35, 0.4)
"""Of tables that show sets as they come, sets whose pips are faint, and sets whose body may hide them."""

FIFTEEN = "set_max=15"

GAMES = (*((game, "") for game in (*STAGES, *["mexican-train"] * 6, *["euronimoes", "dominoids"] * 2)),
         *((game, FIFTEEN) for game in ["block", "all-fives", "one-arm-joe"] * 4))
"""Games with flags. Every fifth table shows a set to double-twelve and more than every third one to double-fifteen, whose numbers
are the hardest to tell apart, and every fifth the chips or the coins and dice that are no tiles."""

PIECES = 12
"""So many things that are no tiles are shown of a table at most, where a tile might be seen in them."""

PER_FILE = 20
"""Tables in one file."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything. pictures: made-up photographs, which are not to be forgotten. times: each tile is shown."""

    tables: int
    held_out: int
    pictures: int
    times: int
    steps: int


PLANS = {"full": Plan(tables=1000, held_out=66, pictures=1500, times=2, steps=3000),
         "tiny": Plan(tables=4, held_out=1, pictures=250, times=1, steps=4)}  # fmt: skip


def table_tiles(number: int, finder: Finder) -> tuple[Image, Labels]:
    """Straightened tiles, (n, 64, 112, 3), of table `number` and what they show, (n, 3): kind, first and second end."""
    rng, moves = np.random.default_rng([FIRST_SEED, number]), Random(FIRST_SEED + number)
    game, flags = GAMES[number % len(GAMES)]
    players = int(rng.choice(seat_counts(game)))
    wanted = (as_it_comes, faint, grained)[int(rng.choice(3, p=SHARES))]
    image, truth, *_ = under_way(game, players, _look_seed(number, wanted), rng, moves,
                               game_named(game).Rules.parse(flags))
    tiles = [(shown, shown.thing) for shown in truth.shown if isinstance(shown.thing, Tile)]
    shard = Shard(
        image[None], np.array([0, len(tiles)]), np.array([shown.outline for shown, _ in tiles], np.float32).reshape(-1, 4, 2),
        np.array([tile.ends if tile.up else (-1, -1) for _, tile in tiles], np.int8).reshape(-1, 2),
        np.array([shown.visible for shown, _ in tiles], np.float32).reshape(-1, 2),
        np.array([tile.pose == LYING for _, tile in tiles], np.bool_),
    )  # fmt: skip
    pieces = _mistaken(truth, shard.corners, rng)
    return crops_of(shard, lambda picture: np.concatenate([finder.look(ImagePyramid(picture), 1.0).corners, pieces]), rng)


def _mistaken(truth: Truth, tiles: Array, rng: np.random.Generator) -> Array:
    """Places (n, 4, 2) where a tile might be seen in a chip, a coin, a die or a board: as large as the nearest of the tiles,
    (m, 4, 2), is seen, and clear of all of them."""
    things = [shown for shown in truth.shown if not isinstance(shown.thing, Tile)]
    middles, places = tiles.mean(axis=1), []
    for which in rng.permutation(len(things))[:PIECES] if len(tiles) else ():
        left, top, right, bottom = things[which].box
        middle = rng.uniform((left, top), (right, bottom)).astype(np.float32)
        nearest = int(np.linalg.norm(middles - middle, axis=1).argmin())
        angle = rng.choice([0.0, np.pi / 2, rng.uniform(0, np.pi)])
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]], np.float32)
        place = middle + (tiles[nearest] - middles[nearest]) @ turn
        if not any(overlap(place, tile) > 0 for tile in tiles):
            places.append(place)
    return np.array(places, np.float32).reshape(-1, 4, 2)


def _look_seed(number: int, wanted: Callable[[SetStyle], bool]) -> int:
    """The seed of the look of table `number`: of the next one whose set is wanted."""
    seed = FIRST_SEED + 1000 * number
    while not wanted(Look.of(seed).style):
        seed += 1
    return seed


def _file(folder: Path, detector: Path, numbers: range) -> None:
    """The tiles of these tables as one file; one that is there already is kept."""
    target = folder / f"{numbers.start // PER_FILE:05d}.npz"
    if target.exists():
        return
    cv2.setNumThreads(1)
    finder = Finder(detector, threads=1)
    shown = [table_tiles(number, finder) for number in numbers]
    part = target.with_suffix(".part.npz")
    np.savez(part, pictures=np.concatenate([tiles for tiles, _ in shown]), labels=np.concatenate([labels for _, labels in shown]))
    part.rename(target)


def make_tables(folder: Path, detector: Path, first: int, tables: int, workers: int) -> None:
    """The tiles of so many tables."""
    folder.mkdir(parents=True, exist_ok=True)
    every = range(first, first + tables)
    with workforce(workers) as pool:
        list(pool.map(partial(_file, folder, detector), [every[at : at + PER_FILE] for at in range(0, tables, PER_FILE)]))


def told(model: Path, tiles: Image, labels: Labels) -> Iterator[str]:
    """How a network does on tiles it was not taught, kind by kind."""
    scores = scores_of(model, tiles)
    kinds, ends = scores[:, :3].argmax(axis=1), scores[:, 3:].reshape(-1, 2, 16).argmax(axis=2)
    right = (kinds == labels[:, 0]) & ((labels[:, 0] != FACE) | (ends == labels[:, 1:]).all(axis=1))
    for name, kind in (("faces", FACE), ("backs", BACK), ("no tiles", NOTHING)):
        of_it = labels[:, 0] == kind
        yield f"{name}: {int(right[of_it].sum())} of {int(of_it.sum())}"


def run(plan: Plan, work: Path, out: Path, seed: int, workers: int, shipped: Path) -> None:
    """Tiles, and the lesson; leaves `tiles_table.onnx` in `out`. The temperatures stay those of photographs."""
    make_tables(work / "tables", shipped / "halves_table.onnx", 0, plan.tables, workers)
    make_tables(work / "held-out", shipped / "halves_table.onnx", 900_000, plan.held_out, workers)
    make_shards(work / "pictures", seed + 11, plan.pictures, workers)
    make_crops(work / "pictures", work / "photographs", shipped / "halves.onnx", seed, workers, plan.pictures)
    crops = zip(load_crops(work / "tables"), load_crops(work / "photographs"), strict=True)
    tiles, labels = (np.concatenate(both) for both in crops)
    reader = FinishedReader(shipped / "tiles_table.onnx")
    kept, kept_labels = load_crops(work / "held-out")
    click.echo(f"before: {', '.join(told(shipped / 'tiles_table.onnx', kept, kept_labels))}")
    out.mkdir(parents=True, exist_ok=True)
    numbers = taught(reader.numbers, *shown(reader, tiles, labels, seed, plan.times), plan.steps, seed)
    reader.write(numbers, out / "tiles_table.onnx")
    click.echo(f"after: {', '.join(told(out / 'tiles_table.onnx', kept, kept_labels))}")


@click.command()
@click.option("--work", type=click.Path(path_type=Path), required=True, help="Folder for tiles (5 GB).")
@click.option("--out", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
@click.option("--plan", type=click.Choice(list(PLANS)), default="full", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--workers", type=int, default=os.cpu_count() or 1, show_default=True)
@click.option("--shipped", type=click.Path(exists=True, file_okay=False, path_type=Path), default=Path("models"),
              show_default=True, metavar="FOLDER", help="The networks that find the tiles, and the one that is taught.")
def main(work: Path, out: Path, plan: str, seed: int, workers: int, shipped: Path) -> None:
    """Teach the tile reader the numbers of hard sets on tables. Run it again after an interruption: what is made is kept."""
    run(PLANS[plan], work, out, seed, workers, shipped)


if __name__ == "__main__":
    main()
