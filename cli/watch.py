"""The commands of the live table without a game."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import TABLE_SEED, Finite, open_reader, open_source, own_pieces, own_set_option, source_argument
from cli.watched import as_object, as_text, piece_as_object
from vision.observation import Observation, SeenPiece, SeenTile, TableState

if TYPE_CHECKING:
    from referee.games import OnTable
    from trials.table import Score
    from vision.pieces import PieceReader
    from vision.table.layout_changes import LayoutChanges

STIR_MM = 4.0
"""Pieces that are seen to have moved less than about this have not moved."""


@click.command()
@source_argument
@click.option("--json", "as_json", is_flag=True, help="One JSON object per settled change, one per line.")
@click.option("--threads", type=click.IntRange(1, 64), default=2, show_default=True, help="Processor threads the reader uses.")
@click.option(
    "--pieces", "kinds", metavar="KIND,...", default="",
    help="Tell these pieces, too: coin, die, pawn, chip. Table tags must be in view, and SOURCE no folder.",
)
@click.option("--game", metavar="GAME", help="What is played: what none of its tiles shows is taken for no tile.")
@own_set_option
def watch(text: str, as_json: bool, threads: int, kinds: str, game: str | None, own_set: Path | None) -> None:
    """Follow a table and tell what is laid, taken away and moved.

    SOURCE: a camera (0, 1, ... or /dev/v4l/by-id/...), an address (rtsp://, http://), a video, a recording, or a
    folder of pictures: each of them is one settled moment. A line without any change tells that the table is veiled
    (state `hand`) in a picture of a folder, or that the camera was lost or is back.
    """
    from referee.session import Session
    from vision.table.layout_changes import difference

    on, pieces = _lying(game, kinds, own_set), _piece_reader(threads) if kinds else None
    source = open_source(text)
    session = Session(open_reader(threads), on=on, pieces=pieces, settled=source.settled)
    before = Observation(0.0, 0, TableState.READING)
    told: tuple[SeenTile, ...] = ()  # the sum of all that was said

    def show(seen: Observation) -> None:
        nonlocal before, told
        news = difference(told, seen.tiles)
        told = news.after(told)
        lost = [each.state is TableState.CAMERA_LOST for each in (before, seen)]
        if (news or lost[0] != lost[1] or (source.settled and not seen.settled) or _changed(before.pieces, seen.pieces)):
            _say(seen, news, as_json, bool(kinds))
        before = seen

    try:
        session.run(source, show)
    except KeyboardInterrupt:
        return
    finally:
        source.close()
    if session.seen is None:
        raise click.ClickException(f"{text} shows no picture.")


def _lying(game: str | None, kinds: str, own_set: Path | None) -> OnTable:
    """What may lie on the table, as the options say."""
    from engine.core import MalformedError
    from referee.games import OnTable, tiles_of
    from vision.in_play import InPlay
    from vision.piece_sets import COMMON
    from vision.pieces import KINDS

    wanted = list(filter(None, map(str.strip, kinds.split(","))))
    if unknown := [kind for kind in wanted if kind not in KINDS]:
        raise click.BadParameter(f"no such piece: {unknown[0]}; there are {', '.join(KINDS)}", param_hint="--pieces")
    try:
        tiles = tiles_of(game) if game else InPlay()
    except MalformedError as error:
        raise click.BadParameter(str(error), param_hint="--game") from error
    return OnTable(tiles, tuple(kind for kind in KINDS if kind in wanted), own_pieces(own_set) or COMMON)


def _piece_reader(threads: int) -> PieceReader:
    from vision.pieces import PieceReader

    return PieceReader(threads)


def _changed(before: Sequence[SeenPiece], now: Sequence[SeenPiece]) -> bool:
    """Whether pieces came, went, moved or were turned over."""
    known = {piece.track: (piece.label, piece.center) for piece in before}
    stirred = [piece for piece in now if piece.track not in known or known[piece.track][0] != piece.label
               or math.dist(known[piece.track][1], piece.center) > STIR_MM]  # fmt: skip
    return bool(stirred) or len(known) != len(now)


def _say(seen: Observation, news: LayoutChanges, as_json: bool, pieces: bool = False) -> None:
    line = as_object(seen, news) | ({"pieces": [piece_as_object(piece) for piece in seen.pieces]} if pieces else {})
    text = "  ".join([as_text(seen, news), *(piece.label for piece in seen.pieces)])
    click.echo(json.dumps(line) if as_json else text)
    sys.stdout.flush()


@click.command("measure-table")
@click.option("--game", "games", multiple=True, metavar="GAME", help="Only this game; may be given again. Without it all.")
@click.option("--tables", type=click.IntRange(1, 10_000), default=2, show_default=True, help="Of each game.")
@click.option("--seed", type=TABLE_SEED, default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per game, and one for all.")
def measure_table(games: tuple[str, ...], tables: int, seed: int, as_json: bool) -> None:
    """Measure how the table is read on made-up tables of each game, 1080p, camera at 90 cm."""
    from simulator.staging.games import STAGES
    from trials.table import Score, measure

    for name in games:
        if name not in STAGES:
            raise click.BadParameter(f"no game {name!r}; there are {', '.join(STAGES)}", param_hint="--game")
    reader = open_reader(2)
    total = Score()
    for name in games or STAGES:
        score = Score()
        for table in range(tables):
            score.add(measure(name, seed + table, reader))
        total.add(score)
        click.echo(_measured(name, score, as_json))
    click.echo(_measured("all", total, as_json))


def _measured(name: str, score: Score, as_json: bool) -> str:
    if as_json:
        return json.dumps({"game": name, **score.as_object()})
    causes = ", ".join(f"{what} {count}" for what, count in score.wrong.most_common(5))
    return (f"{name:12} {score.states:4} states: tiles right {score.right}/{score.tiles}, invented {score.invented}, "
            f"face-down count right {score.facedown_right}/{score.facedown_states}, "
            f"stacks {score.stacked_noticed}/{score.stacked}  ({causes})")


@click.command("soak-table")
@click.argument("game", default="block")
@click.option("--minutes", type=Finite(0.1), default=30.0, show_default=True, help="Of the simulated table's time.")
@click.option("--seed", type=TABLE_SEED, default=0, show_default=True)
@click.option("--fps", type=Finite(2, 30), default=10.0, show_default=True, help="Of the simulated camera.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object at the end.")
@click.pass_context
def soak_table(context: click.Context, game: str, minutes: float, seed: int, fps: float, as_json: bool) -> None:
    """Watch a simulated table for long, while its camera is unplugged, covered, frozen, bumped and dazzled.

    Exit status 1 where the watcher did not say what it should, invented a change, or its memory grew.
    """
    from simulator.staging.games import STAGES
    from trials.soak import soak

    if game not in STAGES:
        raise click.BadParameter(f"no game {game!r}; there are {', '.join(STAGES)}", param_hint="GAME")
    done = soak(game, seed, 60 * minutes, open_reader(2), fps, lambda line: click.echo(line, err=True))
    if as_json:
        click.echo(json.dumps(done.as_object()))
    else:
        click.echo("\n".join(done.tales))
        for what in sorted({*done.met, *done.missed}):
            click.echo(f"{what}: {done.met[what]} of {done.met[what] + done.missed[what]}")
        score = done.score
        click.echo(f"invented changes: {done.invented}; tiles right at rest {score.right} of {score.tiles}, face-down counts "
                   f"{score.facedown_right} of {score.facedown_states}")
        click.echo(f"{done.seconds / 60:.1f} min, {done.frames} frames, {done.grown_mb:+.0f} MB since the first third; said: "
                   + ", ".join(f"{state} {count}" for state, count in done.states.most_common()))
    context.exit(0 if done.good else 1)


COMMANDS = (watch, measure_table, soak_table)
"""The commands of the live table."""
