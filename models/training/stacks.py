"""Learn what tells a stack in a first picture, fitted on game tables with the truth beside them.

`python -m models.training.stacks` prints the weights that stand in `vision/table/half_hidden.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import click
import numpy as np

from engine.games import game as game_named
from engine.playout import deal_on
from simulator.piece_truth import profile_of
from simulator.staging.games import set_table, stage_of
from simulator.staging.overhead import whole_view
from simulator.staging.playing import play_on
from simulator.tabletop.lying import Tile
from simulator.tabletop.render import Renderer
from simulator.tabletop.truth import Truth
from vision.reader import Reader
from vision.rectify import ImagePyramid
from vision.table.half_hidden import BELIEVED, WEIGHTS, stacks
from vision.table.sight import RectifiedView

FIRST_SEED = 800_000_000
"""Of the looks that are fitted on: those of no training picture, as far as chance has it, and none kept for testing."""

OTHERS = ("block", "all-fives", "engine191", "matador")
"""Games without stacks, of which a table is shown beside every second one of Euronimoes."""

ACTIONS = (10, 60)
"""How many actions were played before the picture, at least and at most."""

NEAR_PX = 12.0
"""A stack is where it is said to be within so many pixels."""

PULL = 0.3
"""How hard weights are held back from growing where few examples ask for it."""


@dataclass(frozen=True, slots=True)
class Example:
    """What speaks for a stack of a kind, and whether there is one."""

    kind: str
    signs: Sequence[float]
    right: bool


def examples(reader: Reader, number: int) -> Iterator[Example]:
    """Everything that may be a stack in the pictures of this number."""
    for game in ("euronimoes", *OTHERS[number // 2 % len(OTHERS) :][: number % 2]):
        seed, rng = FIRST_SEED + number, np.random.default_rng([FIRST_SEED, number])
        kind, chance = game_named(game), Random(seed)
        players = kind.SEATS[number % len(kind.SEATS)]
        setting = set_table(game, players, seed)
        state, stage = kind(None, players), stage_of(game, setting)
        deal_on(state, chance)
        play_on(state, stage, chance, chance.randrange(*ACTIONS))
        camera = whole_view(setting, rng)
        image, truth = Renderer(camera, setting.look).shoot(stage.lay(state))
        sight, pyramid = RectifiedView(profile_of(camera, setting.area)), ImagePyramid(image)
        found, _ = sight.look(reader, pyramid, None)
        upper = _upper(truth)
        for stack in stacks(found, reader, pyramid, sight):
            middle = stack.top.pixels.mean(axis=0)
            yield Example(stack.kind, [*stack.signs.values()], any(np.linalg.norm(middle - other) < NEAR_PX for other in upper))


def _upper(truth: Truth) -> list[np.ndarray]:
    """Where tiles lie on others, (2,) pixels each."""
    return [shown.outline.mean(axis=0) for shown in truth.shown if isinstance(shown.thing, Tile) and shown.thing.level]


def fit(every: Sequence[Example]) -> dict[str, float]:
    """The weights under which the truth of these is likeliest."""
    signs = np.array([each.signs for each in every])
    right = np.array([each.right for each in every], np.float64)
    weights = np.zeros(signs.shape[1])
    for _ in range(200):  # Newton's method, by steps that are no longer than 1: far off it leaps too far
        guess = 1 / (1 + np.exp(-signs @ weights))
        slope = signs.T @ (guess - right) + PULL * weights
        bend = (signs * (guess * (1 - guess))[:, None]).T @ signs + PULL * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights = weights - step / max(1.0, float(np.linalg.norm(step)))
    return {name: round(float(weight), 2) for name, weight in zip(WEIGHTS[every[0].kind], weights, strict=True)}


@click.command()
@click.option("--tables", type=click.IntRange(1), default=110, show_default=True)
def main(tables: int) -> None:
    """Fit how much every sign of a stack counts, and print it."""
    reader = Reader(threads=1)
    every = [each for number in range(tables) for each in examples(reader, number)]
    for kind in WEIGHTS:
        of_it = [each for each in every if each.kind == kind]
        weights = fit(of_it)
        odds = [sum(weight * sign for weight, sign in zip(weights.values(), each.signs, strict=True)) for each in of_it]
        believed = [each.right for each, odd in zip(of_it, odds, strict=True) if odd > BELIEVED]
        click.echo(f"{kind}: {len(of_it)} candidates, {sum(each.right for each in of_it)} of them stacks; "
                   f"believed {sum(believed)} of these, and {believed.count(False)} others")  # fmt: skip
        click.echo(weights)


if __name__ == "__main__":
    main()
