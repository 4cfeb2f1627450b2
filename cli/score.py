"""The command that scores the layout on a photograph."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command()
@click.argument("photo", metavar="PHOTO", type=click.Path(path_type=Path))
@click.option("--game", required=True, metavar="NAME", help="The game whose layout it is.")
@click.option("--chips", type=click.IntRange(0, 4), help="Euronimoes: the chips in hand; without it those in the photo count.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: total, parts, notes.")
@click.option("--threads", type=click.IntRange(1, 64), default=2, show_default=True, help="Processor threads the reader uses.")
def score(photo: Path, game: str, chips: int | None, as_json: bool, threads: int) -> None:
    """What the layout in PHOTO scores at the game's end, part by part.

    Euronimoes: one player's grid, seen whole, with the chips in her hand beside it. Games for one: the tiles that are left.
    Dominoids: no photo tells it. The others: the tiles left in a hand, shown. A photo that cannot be scored says why; the exit
    status is 1 then.
    """
    from engine.games import GAMES
    from referee.photo_score import score_photo
    from referee.readers.cells import NoScore
    from vision.photo import PhotoError, load_photo
    from vision.pieces import PieceReader
    from vision.reader import Reader

    if game not in GAMES:
        raise click.BadParameter(f"no game {game!r}; there are {', '.join(GAMES)}", param_hint="--game")
    try:
        image = load_photo(photo).image
        scored = score_photo(game, image, Reader(threads=threads), PieceReader(threads=threads), chips)
    except (PhotoError, NoScore, FileNotFoundError) as error:
        raise click.ClickException(f"{click.format_filename(photo)}: {error}") from error
    if as_json:
        click.echo(json.dumps({"photo": str(photo), "game": game, "total": scored.total,
                               "parts": [list(part) for part in scored.parts], "notes": list(scored.notes)}))
        return
    for name, points in scored.parts:
        click.echo(f"{points:5}  {name}")
    click.echo(f"{scored.total:5}  in all")
    for note in scored.notes:
        click.echo(note)


COMMANDS = (score,)
