"""Make the probabilities of pieces honest: how much each network's word counts, fitted on game tables with the truth beside them.

`python -m models.training.piece_presence` writes the weights into `models/pieces.json`; the networks stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click
import numpy as np

from calibration.profile import Profile
from engine.games import game as game_named
from engine.playout import deal_on
from simulator.piece_truth import PIECE_KINDS, profile_of, sold, wanted
from simulator.staging.games import set_table, stage_of
from simulator.staging.overhead import whole_view
from simulator.staging.playing import play_on
from simulator.tabletop.camera import Camera
from simulator.tabletop.look import Look
from simulator.tabletop.lying import Tabletop
from simulator.tabletop.render import Renderer
from vision.observation import Kind
from vision.piece_kinds import FORM_OF, Weighed, weighed
from vision.piece_sets import COMMON
from vision.pieces import KINDS, PieceReader
from vision.reader import log_odds

FIRST_SEED = 700_000_000
"""Of the looks that are fitted on: those of no training picture, as far as chance has it, and none kept for testing."""

EARLIER = 40
"""So many actions at most were played before a picture of a game."""

HARDLY = 0.05
"""A piece of which less than this can be seen is none."""

UNFITTED = {"marks": 1.0, "heat": 1.0} | dict.fromkeys(KINDS, 0.0)
"""Both networks' words as they are, and all kinds as common as nothing."""

NEAR = 0.75
"""A find within this part of a piece's radius, and 2 mm, is that piece: as where it is measured."""


@dataclass(frozen=True, slots=True)
class Example:
    """One find, as what it most looks like. right: whether it is that."""

    kind: Kind
    weighed: Weighed
    right: bool


def tables(number: int) -> Iterator[tuple[Camera, Profile, Tabletop, Look, Sequence[Kind]]]:
    """A picture of each game with pieces; every other table has a set that is sold."""
    seed, rng = FIRST_SEED + number, np.random.default_rng([FIRST_SEED, number])
    for game, kinds in PIECE_KINDS.items():
        kind, chance = game_named(game), Random(seed)
        players = kind.SEATS[number % len(kind.SEATS)]
        setting = set_table(game, players, seed)
        if number % 2:
            sold(setting.look, number // 2)
        state, stage = kind(None, players), stage_of(game, setting)
        deal_on(state, chance)
        play_on(state, stage, chance, chance.randrange(EARLIER))
        camera = whole_view(setting, rng)
        yield camera, profile_of(camera, setting.area), stage.lay(state), setting.look, kinds


def examples(reader: PieceReader, number: int) -> Iterator[Example]:
    """What the networks say of every find in the pictures of this number, and what stands there."""
    for camera, profile, laid, look, kinds in tables(number):
        image, truth = Renderer(camera, look).shoot(laid)
        finds, forms = reader.look(image, profile, kinds)
        feet = {kind: finds.of_form(FORM_OF[kind]).foot for kind in kinds}
        there = list(wanted(truth, look, profile, HARDLY))
        for k in range(len(finds.objectness)):
            every = weighed(finds, forms, k, COMMON, kinds, {})
            kind = max(kinds, key=lambda each: every[each].share)
            right = any(piece.label[0] == kind and np.linalg.norm(feet[kind][k] - piece.foot) < NEAR * piece.radius + 2
                        for piece in there)  # fmt: skip
            yield Example(kind, every[kind], right)


def fit(every: Sequence[Example]) -> dict[str, float]:
    """The weights under which the truth of these is likeliest (Platt 1999); see `Weighed.there`.

    No kind is commoner than the networks say: on tables that were not made up there is more that is no piece.
    """
    inputs = np.array([[log_odds(each.weighed.marks), log_odds(each.weighed.objectness), *(each.kind == kind for kind in KINDS)]
                       for each in every]).reshape(-1, len(UNFITTED))  # fmt: skip
    truth = np.array([each.right for each in every], np.float64)
    start = np.array(list(UNFITTED.values()))  # towards which a slight pull keeps a few finds from deciding all
    weights = start.copy()
    for _ in range(100):  # Newton's method, by steps that are no longer than 1: far off it leaps too far
        guess = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (guess - truth) + (weights - start)
        bend = (inputs * (guess * (1 - guess))[:, None]).T @ inputs + np.eye(len(start))
        step = np.linalg.solve(bend, slope)
        weights = weights - step / max(1.0, float(np.linalg.norm(step)))
        weights[2:] = np.minimum(weights[2:], 0.0)
    return {name: round(float(weight), 3) for name, weight in zip(UNFITTED, weights, strict=True)}


@click.command()
@click.option("--models", type=click.Path(exists=True, path_type=Path), default=Path("models"), show_default=True)
@click.option("--tables", "number", type=click.IntRange(1), default=44, show_default=True, help="Of each game.")
def main(models: Path, number: int) -> None:
    """Fit how much each network's word counts, and write it beside them."""
    write(models, number)


def write(models: Path, number: int) -> None:
    """Fit the weights of the networks in this folder on so many tables of each game, and write them into their card."""
    card = json.loads((models / "pieces.json").read_text())
    reader = PieceReader(1, models)
    every = [each for table in range(number) for each in examples(reader, table)]
    card["presence"] = fit(every)
    (models / "pieces.json").write_text(json.dumps(card, indent=1) + "\n")
    click.echo(f"{len(every)} finds on {number} tables of each game: {card['presence']}")


if __name__ == "__main__":
    main()
