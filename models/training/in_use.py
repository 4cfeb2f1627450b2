"""What the networks are given while made-up pictures are read, and with it the shipped ones narrowed to weights of 7 bits:
`python -m models.training.in_use`. What is quantised anew is narrowed there and then (`export.quantise`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import click
import numpy as np
from numpy.typing import NDArray

from models.training.data import bare_scene_of, game_scene_of, scene_of, table_scene_of
from models.training.narrow import narrow
from models.training.table_tiles import table_tiles
from models.training.uppers import places
from simulator.noise import between
from simulator.piece_tables import game_table
from simulator.piece_truth import profile_of
from simulator.tabletop.camera import Camera
from simulator.tabletop.look import Look
from simulator.tabletop.render import Renderer
from vision.blocks import in_blocks
from vision.finder import Finder
from vision.network import Network
from vision.photo_reader import PhotoReader
from vision.pieces import PieceReader
from vision.reader import Reader

LARGEST_BATCH = 64
"""So many tiles, places or pieces of one run."""

PHOTOGRAPHS = (scene_of, game_scene_of, scene_of, game_scene_of, bare_scene_of)
"""Made-up photographs by turns: what the first looks of many show, not the last ones of few."""

SEED = 77_000_000
"""Of the made-up pictures: none that is kept for testing."""


@contextmanager
def overheard(most: int) -> Iterator[dict[str, list[NDArray[np.uint8]]]]:
    """What every network is given meanwhile, by its file's stem: of each the first `most` batches that are not tiny."""
    heard = defaultdict[str, list[NDArray[np.uint8]]](list)
    run = Network.run

    def listening(network: Network, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        batches = heard[network.path.stem]
        if len(batches) < most and pictures.size:
            batches.append(pictures[:LARGEST_BATCH].copy())
        return run(network, pictures)

    with patch.object(Network, "run", listening):
        yield heard


def samples(models: Path, pictures: int, seed: int = SEED) -> dict[str, list[NDArray[np.uint8]]]:
    """Batches for each network of a folder, as made-up photographs, tables, tiles on others and pieces make them."""
    reader, pieces = Reader(1, models), PieceReader(1, models)
    with overheard(pictures) as heard:
        for index in range(pictures):
            PhotoReader(reader).read(PHOTOGRAPHS[index % 5](seed, index).image)
            look = Look.of(seed + index)
            rng = np.random.default_rng([seed, index])
            camera = Camera(tilt=between(rng, 0, 0.6), azimuth=between(rng, 0, 6.3))
            image, _ = Renderer(camera, look).shoot(game_table(look, rng))
            pieces.read(image, profile_of(camera))
    heard["halves"] = [in_blocks(PHOTOGRAPHS[index % 5](seed, index).image[None]) for index in range(pictures)]
    finder = Finder(models / "halves_table.onnx", 1)
    heard["halves_table"] = [in_blocks(table_scene_of(seed, index).image[None]) for index in range(pictures)]
    heard["tiles_table"] = [in_blocks(table_tiles(seed + index, finder)[0][:LARGEST_BATCH]) for index in range(pictures)]
    heard["uppers"] = [in_blocks(np.concatenate([crops for crops, _ in places(seed + index)])) for index in range(pictures)]
    return heard


def _heat(maps: NDArray[np.float32]) -> NDArray[np.float32]:
    """How surely a half is where, (n, h, w), by maps as they come in blocks, the heats of 2x2 cells of both kinds first."""
    return np.asarray(1 / (1 + np.exp(-maps[:, :8].max(axis=1))), np.float32)


@click.command()
@click.option("--models", type=click.Path(exists=True, file_okay=False, path_type=Path), default=Path("models"))
@click.option("--pictures", type=click.IntRange(1), default=150, show_default=True, help="Made-up pictures of each kind.")
@click.option("--only", metavar="STEM", multiple=True, help="The networks to narrow, all where none is named.")
def main(models: Path, pictures: int, only: tuple[str, ...]) -> None:
    """Narrow the 8-bit networks of a folder."""
    for stem, batches in samples(models, pictures).items():
        if only and stem not in only:
            continue
        narrow(models / f"{stem}.onnx", batches, _heat if stem.startswith("halves") else None)
        click.echo(f"{stem}: {sum(map(len, batches))} samples")


if __name__ == "__main__":
    main()
