"""The command that measures tables which somebody else rendered, beside our own."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import open_reader, progress, threads_option

if TYPE_CHECKING:
    from trials.renders import Row

ROOT = Path(__file__).resolve().parents[1]

OWN = ("block", "euronimoes", "all-fives", "euronimoes")
"""Of our own simulated tables these games are watched in turn: lines and grids, as the renders are."""


def _usual_folder() -> str:
    return os.environ.get("KIBITZ_RENDERS", str(ROOT.parent / "shared" / "renders"))


@click.command("measure-renders")
@click.argument("folder", metavar="[FOLDER]", default=_usual_folder, type=click.Path(file_okay=False, path_type=Path))
@click.option("--own", type=click.IntRange(0, 1000), default=len(OWN), show_default=True, help="So many of our own games, too.")
@click.option("--csv", "csv_path", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="A row for each picture of each game, with what was wrong and why.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@threads_option
def measure_renders(folder: Path, own: int, csv_path: Path | None, as_json: bool, threads: int) -> None:
    """Read and watch the rendered pictures and games of FOLDER, and our own simulated tables, and print both side by side.

    FOLDER: KIBITZ_RENDERS, or ../shared/renders beside the checkout; with single pictures and their labels.csv in `read`, and
    games in `game_*`, each with its pictures and truth.json. Each picture of a game is held as video with a sensor's noise.
    """
    from trials.renders import Figures, follow, games_in, read_alone
    from trials.renders import as_table as table_of
    from trials.shots import rendered, simulated
    from vision.evaluation import evaluate_photo
    from vision.labels import read_labels
    from vision.photo_reader import PhotoReader

    games = games_in(folder)
    singles = folder / "read"
    if not games and not singles.is_dir():
        raise click.ClickException(f"{folder} has no rendered pictures in `read` and no games in `game_*` (set KIBITZ_RENDERS)")
    reader = open_reader(threads)
    read = PhotoReader(reader).read
    columns = {"renders": Figures(), "own simulator": Figures()}
    theirs, ours = columns.values()
    rows: list[Row] = []
    try:
        labels = read_labels(singles) if singles.is_dir() else []
        with progress("Measuring", len(labels) + len(games) + own) as done:
            for label in labels:
                theirs.photos.append(evaluate_photo(label, singles, read))
                done()
            for game in games:
                rows += follow(game.name, rendered(game), reader, theirs)
                done()
            for number in range(own):
                name = OWN[number % len(OWN)]
                shots = read_alone(simulated(name, number), read, ours)
                rows += follow(f"own {name} {number}", shots, reader, ours)
                done()
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    if csv_path:
        _write(rows, csv_path)
    told = {column: figures.as_object() for column, figures in columns.items()}
    click.echo(json.dumps({"reader": reader.version, **told}) if as_json else table_of(columns))


def _write(rows: list[Row], path: Path) -> None:
    from trials.renders import Row

    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [each.name for each in fields(Row)], lineterminator="\n")
            writer.writeheader()
            writer.writerows(asdict(row) for row in rows)
    except OSError as error:
        raise click.ClickException(f"The rows cannot be written: {error}") from error


COMMANDS = (measure_renders,)
