"""The commands of the photograph: read its tiles, and measure how well that is done."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.common import open_reader, progress, threads_option
from engine.pieces import TILE_SETS, TileSet
from vision.degrees import SURE
from vision.photo import PhotoError, at_full_size, load_photo
from vision.reading import Reading, ReadPiece, ReadTile

if TYPE_CHECKING:
    from vision.photo_reader import PhotoReader

PIECES = {"coin": "coins", "die": "dice", "pawn": "pawns", "chip": "chips"}
"""What a reading calls the pieces of each kind."""

SOME_UNREADABLE = 2
"""Exit status where at least one photo could not be read."""

@click.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object per photo, one per line.")
@click.option(
    "--overlay", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Also write each photo with its tiles outlined into this folder.",
)  # fmt: skip
@click.option(
    "--set", "set_name", type=click.Choice([*TILE_SETS, "any"]), default="any", show_default=True,
    help="The set the tiles come from; nothing outside it is read.",
)  # fmt: skip
@click.option("--lines", is_flag=True, help="With --json: also lines of touching tiles and their open ends.")
@click.option("--pieces", is_flag=True, help="Also read coins, dice, pawns and chips beside the tiles, which takes longer.")
@threads_option
def read(
    photos: Sequence[Path], as_json: bool, overlay: Path | None, set_name: str, lines: bool, pieces: bool, threads: int
) -> None:
    """Read the tiles in photos.

    A photo that cannot be read says why, the others are still read; the exit status is 2 then.
    """
    tile_set = TILE_SETS.get(set_name)
    if overlay is not None:
        _make_folder(overlay)
    reader = _photo_reader(threads, pieces)
    unreadable = 0
    with progress("Reading", 0 if sys.stdout.isatty() else len(photos)) as done:
        for photo in photos:
            try:
                reading, ms = _read_one(reader, photo, tile_set, overlay, inputs=photos)
            except PhotoError as error:
                unreadable += 1
                _say_error(photo, error, as_json)
            else:
                click.echo(_reading_json(photo, reading, ms, lines, pieces) if as_json else _reading_text(photo, reading))
            done()
    if unreadable:
        sys.exit(SOME_UNREADABLE)


def _say_error(photo: Path, error: PhotoError, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"photo": str(photo), "error": str(error)}))
    else:
        click.echo(f"{click.format_filename(photo)}: {error}", err=True)


def _photo_reader(threads: int, pieces: bool) -> PhotoReader:
    from vision.photo_reader import PhotoReader
    from vision.pieces import PieceReader

    return PhotoReader(open_reader(threads), PieceReader(threads) if pieces else None)


def _read_one(
    reader: PhotoReader, path: Path, tile_set: TileSet | None, overlay: Path | None, inputs: Sequence[Path]
) -> tuple[Reading, float]:
    """The reading in pixels of the upright photo, and the milliseconds from file to reading."""
    start = time.perf_counter()
    photo = load_photo(path)
    reading = reader.read(photo.image, tile_set)
    ms = 1000 * (time.perf_counter() - start)
    if overlay is not None:
        from vision.drawing import draw_reading, write_picture

        try:
            write_picture(draw_reading(photo.image, reading), overlay / _overlay_name(path, inputs))
        except OSError as error:
            raise click.ClickException(f"The overlay of {path} cannot be written: {error}") from error
    return at_full_size(reading, photo), ms


def _overlay_name(path: Path, inputs: Sequence[Path]) -> str:
    """`<name>-read.jpg`, numbered where photos of several folders have the same name."""
    namesakes = [other for other in dict.fromkeys(inputs) if other.stem == path.stem]
    place = namesakes.index(path)
    return f"{path.stem}-read.jpg" if place == 0 else f"{path.stem}-{place + 1}-read.jpg"


def _reading_json(photo: Path, reading: Reading, ms: float, lines: bool, pieces: bool) -> str:
    from referee.chain import chains

    told: dict[str, Any] = {
        "photo": str(photo),
        "tiles": [_tile_object(tile) for tile in reading.tiles],
        "facedown": len(reading.facedown),
        "total": reading.total,
        "ms": round(ms, 1),
        **{name: [_piece_object(piece) for piece in reading.pieces if piece.kind == kind] for kind, name in PIECES.items()
           if pieces or name in ("coins", "dice")},
    }
    if lines:
        told["lines"] = [{"tiles": [list(reading.tiles[at].low_high) for at in chain.tiles], "ends": list(chain.ends)}
                         for chain in chains(reading.tiles)]
    return json.dumps(told)


def _piece_object(piece: ReadPiece) -> dict[str, Any]:
    return {"shows": piece.label, "score": round(piece.score, 4), "center": [round(float(each), 1) for each in piece.center],
            "radius": round(piece.radius, 1)}


def _tile_object(tile: ReadTile) -> dict[str, Any]:
    """The low end first, and corners 0 and 1 at that end."""
    corners = tile.corners if tile.ends[0] <= tile.ends[1] else tile.corners[[2, 3, 0, 1]]
    return {
        "ends": list(tile.low_high),
        "score": round(float(tile.score), 4),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in corners],
    }


def _reading_text(photo: Path, reading: Reading) -> str:
    from referee.chain import chains

    tiles = sorted(reading.tiles, key=lambda tile: tile.low_high)
    lines = [f"{click.format_filename(photo)}: {_counted(len(tiles), 'tile')}, {_counted(reading.total, 'pip')}"]
    if tiles:
        lines.append("  " + " ".join(_name(tile) for tile in tiles))
    unsure = [f"{_name(tile)} ({100 * tile.score:.0f} %)" for tile in tiles if tile.score < SURE]
    if unsure:
        lines.append("  unsure: " + ", ".join(unsure))
    for chain in chains(reading.tiles):
        laid = " ".join(_name(reading.tiles[at]) for at in chain.tiles)
        lines.append(f"  in a line: {laid}; open ends: {', '.join(map(str, chain.ends)) or 'none'}")
    if reading.facedown:
        lines.append(f"  face down: {len(reading.facedown)}")
    for kind, name in PIECES.items():
        shown = sorted(piece.label.replace(":", " ") for piece in reading.pieces if piece.kind == kind)
        if shown:
            lines.append(f"  {name}: {', '.join(shown)}")
    return "\n".join(lines)


def _name(tile: ReadTile) -> str:
    return "{}-{}".format(*tile.low_high)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every figure instead of the tables.")
@click.option(
    "--csv", "csv_path", type=click.Path(dir_okay=False, path_type=Path), default=Path("evaluation.csv"),
    show_default=True, help="Where the row of each photo goes: readings, errors, stage times.",
)  # fmt: skip
@threads_option
def evaluate(folder: Path, as_json: bool, csv_path: Path, threads: int) -> None:
    """Read every photo of DIR/labels.csv and say how much was read right.

    Exit status 2 where a photo could not be read at all.
    """
    from vision.evaluation import evaluate_photo
    from vision.labels import read_labels
    from vision.photo_reader import PhotoReader
    from vision.report import as_object, as_text, write_csv

    try:
        labels = read_labels(folder)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    reader = open_reader(threads)
    results = []
    with progress("Reading", len(labels)) as done:
        for label in labels:
            results.append(evaluate_photo(label, folder, PhotoReader(reader).read))
            done()
    try:
        write_csv(results, csv_path)
    except OSError as error:
        raise click.ClickException(f"The rows cannot be written: {error}") from error
    if as_json:
        click.echo(json.dumps({"reader": reader.version, "csv": str(csv_path), **as_object(results)}))
    else:
        click.echo(f"reader {reader.version}, {len(results)} photos of {folder}; a row for each in {csv_path}\n")
        click.echo("\n".join(as_text(results)))
    if any(result.error for result in results):
        sys.exit(SOME_UNREADABLE)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"The folder {folder} cannot be made: {error}") from error


COMMANDS = (read, evaluate)
