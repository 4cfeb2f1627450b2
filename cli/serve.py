"""The command that referees a table and serves its pages, and the one that kills it."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import own_pieces, own_set_option

if TYPE_CHECKING:
    from referee.setting import Setting


def home_folder() -> Path:
    """Where tables, pictures and certificates are kept: $KIBITZ_HOME, else the platform's folder for data."""
    from platformdirs import user_data_path

    return Path(os.environ.get("KIBITZ_HOME") or user_data_path("kibitz", appauthor=False))


@click.command()
@click.option("--camera", metavar="SOURCE", help="The table's camera: 0, 1, ..., an address, a video, or phone.")
@click.option("--game", "game_name", metavar="GAME",
              help="The game that begins; without it the page to choose one (with --rules or --players: Euronimoes).")
@click.option("--rules", "flags", default="", metavar="FLAG=VALUE,...", help="Its rules, where they are not as usual.")
@click.option("--players", metavar="A,B", help="Who plays, in turn order; without it Player 1, and Player 2 where two can.")
@click.option("--table", default="table", show_default=True, metavar="NAME", help="Which table: its journal and calibration.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Where to listen; 127.0.0.1: this machine only.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any free port.")
@click.option("--https", is_flag=True, help="Also serve encrypted: phones then lend their camera and stay awake.")
@click.option("--https-port", type=click.IntRange(0, 65535), default=8443, show_default=True, help="Where, with --https.")
@click.option(
    "--allow-host", "allowed_hosts", multiple=True, metavar="NAME",
    help="Another name under which the page is opened (a router's name for this machine).",
)  # fmt: skip
@own_set_option
@click.option("--record", is_flag=True, help="Record each game that begins; the table page offers the file, for `kibitz replay`.")
@click.option("--threads", type=click.IntRange(1, 64), default=2, show_default=True, help="Processor threads the reader uses.")
def serve(
    camera: str | None, game_name: str | None, flags: str, players: str | None, table: str, host: str, port: int, https: bool,
    https_port: int, allowed_hosts: Sequence[str], own_set: Path | None, record: bool, threads: int,
) -> None:  # fmt: skip
    """Referee a table, and serve its pages to phones and computers on the local network.

    A game that was going on at this table goes on; --game, --rules and --players are for the first one. The page
    changes all of them, and the camera.
    """
    from simulator.opening import open_source
    from vision.reader import Reader
    from webui import app

    app.serve(
        Reader(threads=threads), host=host, port=port, allowed_hosts=allowed_hosts,
        secure_port=https_port if https else None, home=home_folder(), table=_plain(table), camera=camera,
        setting=_setting(game_name, flags, players), own=own_pieces(own_set), opening=open_source, record=record, tell=click.echo,
    )  # fmt: skip


def _plain(table: str) -> str:
    """The name of a table, which is that of its folder."""
    if not table.replace("-", "").replace("_", "").isalnum():
        raise click.ClickException(f"{table!r} is no name for a table: use letters, digits, - and _.")
    return table


def _setting(game_name: str | None, flags: str, players: str | None) -> Setting | None:
    """What is to begin; None where nothing is said of it."""
    from engine.games import GAMES, game
    from referee.setting import NOT_PLAYERS, Setting, seated, unnamed

    if not (game_name or flags or players):
        return None
    game_name = game_name or next(iter(GAMES))
    kind = game(game_name)
    usual = map(unnamed, range(2 if 2 in kind.SEATS else kind.SEATS[0]))
    names = tuple(usual if players is None else filter(None, map(str.strip, players.split(","))))
    if len(names) not in kind.SEATS or len(set(names)) < len(names):
        seats = " or ".join(map(str, kind.SEATS))
        what = "1 player: --players A" if seats == "1" else f"{seats} players, each with a name of their own: --players A,B"
        raise click.ClickException(f"{game_name} is for {what}")
    if taken := NOT_PLAYERS.intersection(names):
        raise click.ClickException(f"Kibitz itself uses the name {min(taken)!r}: write this player's name otherwise")
    return Setting(game_name, kind.Rules.parse(flags), seated(names))


@click.command("soak-kills")
@click.option("--kills", type=click.IntRange(1), default=200, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every figure.")
def soak_kills(kills: int, seed: int, as_json: bool) -> None:
    """Kill a server over and over while plays are entered by hand; what got no answer is sent again.

    Exit status 1 where a deed was lost, done twice, or answered otherwise than at first.
    """
    from cli.common import progress
    from trials.kills import soak_kills as soak

    with tempfile.TemporaryDirectory(prefix="kibitz-kills-") as home, progress("Killing", kills) as done:
        came = soak(kills, seed, Path(home), lambda so_far: done())
    if as_json:
        click.echo(json.dumps(asdict(came)))
    else:
        click.echo(f"{came.kills} kills, {came.deeds} deeds, {came.unanswered} without an answer were sent again ({came.written} "
                   f"of them had been written): {came.lost} lost, {came.doubled} doubled, {len(came.other)} answered otherwise")
        click.echo("\n".join(came.other), nl=bool(came.other))
    if not came.good:
        sys.exit(1)


COMMANDS = (serve, soak_kills)
