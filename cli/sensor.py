"""The commands that measure what the camera's word about a table is worth."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cli.common import TABLE_SEED, open_reader, progress, threads_option

GAMES = ("packed-1", "packed-2", "packed-3", "packed-4", "packed-5", "packed-6", "packed-7", "line-8", "line-9",
         "market-10", "market-11", "market-12")
"""Path-traced games that the rates are measured on: kinds and seeds."""


@click.command("measure-sensor")
@click.option("--games", default=",".join(GAMES), show_default=True, metavar="KIND-SEED,...", help="Which path-traced games.")
@click.option("--kept", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Where their pictures are kept; those that are not there are traced (needs the extra `train`).")
@click.option("--write", is_flag=True, help="Write the rates to models/sensor.json, where the belief reads them.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@threads_option
def measure_sensor(games: str, kept: Path | None, write: bool, as_json: bool, threads: int) -> None:
    """Watch path-traced tables of our own, and measure by how many nats each sight speaks for what is true.

    Nothing is trained on these tables. Weights are of features as `vision/table/belief.py` defines them, the constant last.
    """
    from trials.looks import AREAS
    from trials.sensor import Samples, collect, rates
    from trials.traced import traced
    from vision.table.sensor import FILE

    reader, samples = open_reader(threads), Samples()
    names = games.split(",")
    with progress("Watching", len(names)) as done:
        for name in names:
            kind, _, seed = name.partition("-")
            if kind not in AREAS or not seed.isdecimal():
                raise click.ClickException(f"{name} is no game: name it as packed-1, line-2 or market-3")
            try:
                collect(traced(kind, int(seed), kept), reader, samples)
            except ModuleNotFoundError as error:
                raise click.ClickException(f"{name} is not traced yet, and cannot be: {error}") from error
            done()
    measured = rates(samples)
    if write:
        if missing := {"other", "alike", "upper", "plain", "come", "go"} - measured.keys():
            raise click.ClickException(f"these games do not show enough of {', '.join(sorted(missing))}: name more of them")
        FILE.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    if as_json:
        click.echo(json.dumps(measured))
        return
    rests = measured.pop("rests on")
    click.echo(f"{rests.pop('settled pictures')} settled pictures of {len(names)} games")
    for asked, told in measured.items():
        click.echo(f"{asked:8} {told}, from {rests[asked]}")


HAND_GAMES = ("block", "block", "euronimoes", "all-fives", "all-fives", "engine191", "matador", "block")
"""Whose hands came is measured on these, as usual and harder in turn."""


@click.command("measure-hands")
@click.option("--seed", type=TABLE_SEED, default=7300, show_default=True, help="Of the first game; the next has the next.")
@click.option("--rounds", type=click.IntRange(1, 100), default=1, show_default=True, help="How often all games are played.")
@click.option("--turns", type=click.IntRange(1), default=20, show_default=True, help="Of each game.")
@click.option("--write", is_flag=True, help="Write the rates to models/hands.json, where the referee reads them.")
@threads_option
def measure_hands(seed: int, rounds: int, turns: int, write: bool, threads: int) -> None:
    """Play games on the simulated table, and measure how often the hand of somebody who acts, or does not, is seen."""
    from referee.whose import FILE
    from trials.hands import measure

    games = [(game, seed + number) for number, game in enumerate(HAND_GAMES * rounds)]
    with progress("Playing", len(games)) as done:
        measured = measure(games, open_reader(threads), turns, done)
    if write:
        FILE.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    rests = measured.pop("rests on")
    for asked, rates in measured.items():
        click.echo(f"{asked:8} {', '.join(f'{sight} {rate:.1%}' for sight, rate in rates.items())}, from {rests[asked]}")


COMMANDS = (measure_sensor, measure_hands)
