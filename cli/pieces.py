"""The commands of piecepack pieces and chips: learn an owner's set from a showing, and measure how well pieces are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import TABLE_SEED, threads_option

if TYPE_CHECKING:
    from calibration.profile import Profile
    from vision.piece_sets import PieceSet
    from vision.pieces import FoundPiece, PieceReader

# Networks and made-up tables are imported by the commands that need them.


def _reader(threads: int) -> PieceReader:
    from vision.pieces import PieceReader

    return PieceReader(threads)


@click.command("learn-set")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), required=False)
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), default=Path("pieces.json"), show_default=True
)
@click.option("--name", default="my set", show_default=True, help="What the set is called.")
@click.option(
    "--chips", default="", metavar="COLOUR,...", help="Colours of your chips, as white,red,blue; none without it."
)
@click.option("--no-dice", is_flag=True, help="The set has no dice.")
@click.option("--no-pawns", is_flag=True, help="The set has no pawns.")
@click.option("--steps", "only_steps", is_flag=True, help="Only print what to lay before the camera, step by step.")
@threads_option
def learn_set(
    folder: Path | None, out: Path, name: str, chips: str, no_dice: bool, no_pawns: bool, only_steps: bool, threads: int
) -> None:
    """Learn how your pieces and chips look, from the pictures of a showing in FOLDER, in name order.

    `--steps` prints what each picture should show. All steps may be taken again, the pieces turned and laid elsewhere: every
    further round first checks what was learnt, then is learnt from, too. Four table tags must be in view.
    """
    from vision.piece_sets import showing
    from vision.showing import Showing, in_order

    colours = tuple(chip.strip() for chip in chips.split(",") if chip.strip())
    steps = showing(colours, not no_dice, not no_pawns)
    if only_steps:
        click.echo("\n".join(f"{number}. {step.words}" for number, step in enumerate(steps, 1)))
        return
    if folder is None:
        raise click.UsageError("Name the FOLDER of the pictures, or ask for --steps.")
    pictures = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp"))
    if not pictures or len(pictures) % len(steps):
        raise click.ClickException(f"{len(pictures)} pictures for {len(steps)} steps: take every step as often.")
    reader, profile, shown = _reader(threads), _profile(pictures[0]), Showing(steps, colours)
    for picture in pictures:
        own = shown.learnt(name, reader.version) if shown.rounds else None
        try:
            row = in_order(_read(reader, picture, profile), shown.step, profile.to_picture)
            read = in_order(_read(reader, picture, profile, own), shown.step, profile.to_picture) if own is not None else ()
            shown = shown.take(row, read)
        except ValueError as error:
            raise click.ClickException(f"{picture.name}: {error}") from error
    shown.learnt(name, reader.version).save(out)
    for doubt in shown.doubts:
        click.echo(str(doubt))
    checked = "show them once more to have that checked"
    if shown.rounds > 1:
        checked = f"{shown.checked} were read right by what the rounds before had taught"
    click.echo(f"{out}: {shown.sides} sides learnt; {checked}.")


def _profile(picture: Path) -> Profile:
    from calibration.fit import CalibrationError
    from calibration.measure import calibrate
    from vision.photo import PhotoError, load_photo

    try:
        return calibrate(load_photo(picture).image)
    except (CalibrationError, PhotoError) as error:
        raise click.ClickException(f"{picture.name}: {error}") from error


def _read(reader: PieceReader, picture: Path, profile: Profile, pieces: PieceSet | None = None) -> list[FoundPiece]:
    from vision.photo import PhotoError, load_photo
    from vision.piece_sets import COMMON
    from vision.showing import SHOWN

    try:
        image = load_photo(picture).image
    except PhotoError as error:
        raise click.ClickException(f"{picture.name}: {error}") from error
    return reader.read(image, profile, pieces or COMMON, least=SHOWN)


@click.command("measure-pieces")
@click.option(
    "--tables", type=click.IntRange(1), default=20, show_default=True, help="Made-up tables, each another set."
)
@click.option(
    "--seed", type=TABLE_SEED, default=0, show_default=True, help="Number of the first table."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every figure.")
@threads_option
@click.option("--game", type=click.Choice(["euronimoes", "dominoids"]), help="On tables of this game, watched state by state.")
@click.option("--odd", is_flag=True, help="With --game: random sets instead of those that are sold.")
@click.option("--learnt", is_flag=True, help="With --game: the set was shown before.")
@click.option("--write", is_flag=True, help="With --game: write how often pieces go unseen to models/missed.json.")
def measure_pieces(
    tables: int, seed: int, as_json: bool, threads: int, game: str | None, odd: bool, learnt: bool, write: bool
) -> None:
    """Read pieces on made-up tables (1080p, camera 90 cm high): with common knowledge, and with a set learnt there.

    With --game: every settled state of game tables as the watcher sees it, several frames put together.
    """
    from trials.piece_pictures import measure, summary

    if game is not None:
        _measure_game(game, tables, seed, as_json, threads, odd, learnt, write)
        return
    told = summary(measure(_reader(threads), tables, seed))
    if as_json:
        click.echo(json.dumps(told))
        return
    click.echo(f"{tables} tables, {told['pictures']} pictures of game tables; shares of pieces read right")
    click.echo(f"{'':28}{'pieces':>8}{'default':>9}{'learnt':>9}{'missed':>8}")
    for name, of in told["groups"].items():
        click.echo(f"{name:28}{of['pieces']:8}{of['default']:9.4f}{of['learnt']:9.4f}{of['missed']:8}")
    click.echo(
        f"seen where nothing stands: {told['false_default']} by default, {told['false_learnt']} with the learnt set"
    )
    for mistake, times in told["mistakes"].items():
        click.echo(f"  {times:4} {mistake}")


def _measure_game(game: str, tables: int, seed: int, as_json: bool, threads: int, odd: bool, learnt: bool,
                  write: bool) -> None:
    from referee.reading import FILE
    from trials.pieces import PieceScore, measure_game
    from vision.reader import Reader

    reader, tiles, score = _reader(threads), Reader(threads=threads), PieceScore()
    for number in range(seed, seed + tables):
        score.add(measure_game(game, number, tiles, reader, not odd, learnt))
    if write:
        told = json.loads(FILE.read_text(encoding="utf-8"))  # of each kind as the last game told that has it
        rates = {what: told[what] | by_kind for what, by_kind in score.rates().items()}
        FILE.write_text(json.dumps(rates, indent=1) + "\n", encoding="utf-8")
    if as_json:
        click.echo(json.dumps({"game": game, "tables": tables} | score.as_object()))
        return
    click.echo(f"{tables} tables of {game}, {score.states} settled states: {score.share:.4f} of all pieces right")
    for name, of in sorted(score.pieces.items()):
        click.echo(f"{name:12}{of:7}{score.right[name] / of:9.4f}{score.missed[name]:7} not seen")
    click.echo(f"seen where nothing stands: {score.invented}; states that never settled: {score.unsettled}")
    for mistake, times in score.mistakes.most_common(25):
        click.echo(f"  {times:4} {mistake}")


COMMANDS = (learn_set, measure_pieces)
