"""What it is worth to know how the numbers of a set look: `python -m tests.vision.like_numbers [--sets N]`. It is no test.

Every made-up set lies on a made-up table of its own, 48 tiles anyhow, under a camera 85 to 125 cm high. Some of its tiles are
known; of the others the halves are counted that the reader doubts, and how surely they are read before and after.
"""

from __future__ import annotations

from collections.abc import Iterator

import click
import numpy as np
from numpy.typing import NDArray

from simulator.tabletop.camera import Camera
from simulator.tabletop.look import TESTING_SEEDS, Look
from simulator.tabletop.lying import Tabletop, Tile
from simulator.tabletop.render import Renderer
from vision.degrees import PLAIN
from vision.reader import Reader
from vision.rectify import ImagePyramid
from vision.table.numbers import Numbers

Set = tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.int64]]
"""Straightened tiles, (n, h, w, 3); what the reader says of them, (n, 2, 16); and what they are, (n, 2)."""

HIGHEST = (12, 12, 9, 12, 15, 6)
"""The sets in turn: numbers that are hard to count are what it is about."""

FIRST = TESTING_SEEDS.start + 300_000
KNOWN = (3, 5, 8, 20)
TIMES = 3
"""So often other tiles of a set are the known ones."""


def made_up(count: int, reader: Reader) -> Iterator[Set]:
    """So many sets; those of which hardly anything shows are left out."""
    for number in range(count):
        rng, highest = np.random.default_rng(number), HIGHEST[number % len(HIGHEST)]
        camera = Camera(height_mm=rng.uniform(850, 1250), tilt=rng.uniform(0, 0.35), azimuth=rng.uniform(0, 6.3))
        every = [(low, high) for low in range(highest + 1) for high in range(low, highest + 1)]
        tiles = [Tile(str(at), 95.0 * (at % 8 - 3.5), 75.0 * (at // 8 - 2.5), rng.uniform(0, 6.3), every[which])
                 for at, which in enumerate(rng.permutation(len(every))[:48])]
        image, truth = Renderer(camera, Look.of(FIRST + number, highest)).shoot(Tabletop(tuple(tiles)), number=number)
        seen = [each for each in truth.shown if isinstance(each.thing, Tile) and min(each.visible) > 0.98]
        if len(seen) < 30:
            continue
        corners = np.stack([each.outline for each in seen]) + rng.normal(0, 0.6, (len(seen), 4, 2))
        pyramid, places = ImagePyramid(image), corners.astype(np.float32)
        crops = pyramid.warp_crops(places)
        _, counts = reader.look_again(pyramid, places, *reader.judge(crops))
        yield crops, counts, np.array([each.thing.ends for each in seen if isinstance(each.thing, Tile)])


def doubted(sets: list[Set], known: int) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
    """How surely the doubted halves are read before and after, and whether they are read right, where so many tiles are known."""
    before, after, right = [], [], []
    for number, (crops, counts, ends) in enumerate(sets):
        for time in range(TIMES):
            order = np.random.default_rng([number, time]).permutation(len(ends))
            learned, asked = order[:known], order[known:]
            numbers = Numbers()
            numbers.learn(crops[learned], [(int(first), int(second)) for first, second in ends[learned]])
            unsure = counts[asked].max(axis=-1) < PLAIN
            before.append(counts[asked].max(axis=-1)[unsure])
            after.append(numbers.told(crops[asked], counts[asked]).max(axis=-1)[unsure])
            right.append((counts[asked].argmax(axis=-1) == ends[asked])[unsure])
    return np.concatenate(before), np.concatenate(after), np.concatenate(right)


@click.command()
@click.option("--sets", "count", type=click.IntRange(2), default=60, show_default=True)
def main(count: int) -> None:
    """Count doubted halves."""
    sets = list(made_up(count, Reader(threads=1).at_a_table()))
    print(f"{len(sets)} sets, {sum(len(ends) for _, _, ends in sets)} tiles")
    for known in KNOWN:
        before, after, right = doubted(sets, known)
        loss = [float(-np.log(np.clip(np.where(right, sure, 1 - sure), 1e-4, 1)).mean()) for sure in (before, after)]
        sure = [f"{(each > least).sum()}, {((each > least) & ~right).sum()} wrong"
                for least in (0.97, 0.99) for each in (before, after)]
        print(f"{known:2} tiles known: {len(right)} halves doubted, {right.mean():.3f} of them right; surer than .97 {sure[0]}, "
              f"then {sure[1]}; than .99 {sure[2]}, then {sure[3]}; loss {loss[0]:.3f}, then {loss[1]:.3f}")


if __name__ == "__main__":
    main()
