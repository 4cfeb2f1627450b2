"""The command that shows what Kibitz does: virtual hands play for ever, and the referee watches them through a camera."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import TABLE_SEED

if TYPE_CHECKING:
    from referee.setting import Setting
    from simulator.endless import Endless
    from webui.live.room import Room

NAMES = ("Ann", "Ben", "Cem", "Dee")

THINKING_S = 3.0
"""For so long the players read a question before one of them answers."""


@click.command()
@click.option("--game", "game_name", default="block", show_default=True,
              help="Any game.")
@click.option("--players", type=click.IntRange(1, 4), help="Without it as few as the game is for.")
@click.option("--seed", type=TABLE_SEED, default=5, show_default=True, help="Another table, other tiles, other mistakes.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Where to listen; 127.0.0.1: this machine only.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any free port.")
@click.option("--threads", type=click.IntRange(1, 64), default=2, show_default=True, help="Processor threads the reader uses.")
def demo(game_name: str, players: int | None, seed: int, host: str, port: int, threads: int) -> None:
    """Show a table where virtual hands play, now and then against the rules, before a simulated camera.

    Everything behind the camera is the real thing. Nothing is kept afterwards.
    """
    from engine.games import GAMES
    from simulator.endless import Endless
    from simulator.staging.games import seat_counts
    from vision.reader import Reader
    from webui import app

    if game_name not in GAMES:
        raise click.BadParameter(f"the demo shows {', '.join(GAMES)}, not {game_name!r}", param_hint="--game")
    counts = seat_counts(game_name)
    if players is not None and players not in counts:
        raise click.BadParameter(f"{game_name} is for {' or '.join(map(str, counts))} players", param_hint="--players")
    source = Endless(game_name, players or counts[0], seed)
    setting = _setting(game_name, source.chips)

    def opened(room: Room) -> None:
        threading.Thread(target=_play_along, args=(room, source, setting), name="players", daemon=True).start()

    with tempfile.TemporaryDirectory(prefix="kibitz-demo-") as home:
        app.serve(
            Reader(threads=threads), host=host, port=port, home=Path(home), table="demo", setting=setting,
            camera="simulated", opening=lambda name: source, opened=opened, tell=click.echo,
        )  # fmt: skip


def _setting(game_name: str, chips: Sequence[str]) -> Setting:
    """The virtual players at the sides of the table where their hands come from. chips: their colours."""
    from math import pi

    from engine.games import game
    from referee.setting import Seat, Setting
    from simulator.staging.setting import SEATS

    seats = tuple(Seat(NAMES[at], float(angle) + pi, chips[at]) for at, angle in enumerate(SEATS[len(chips)]))
    return Setting(game_name, game(game_name).Rules(), seats)


def _play_along(room: Room, source: Endless, setting: Setting) -> None:
    """What the virtual players do at the page: they wait for the referee, answer its questions, and begin anew."""
    from webui.live.running import Begin, Refused, Reply, Stale

    table, closed, game = room.table, room.session.closed, source.game

    def understood() -> bool:
        moment = table.moment()
        done = [str(entry.action) for entry in moment.entries if entry.action and not entry.undone]
        looks = moment.state.chance == "deal" and (moment.word != "ready" or moment.sentence)  # at what was dealt
        return _agree(done, source.told) and not looks

    source.wait_for = understood
    while not closed.wait(0.5):
        moment = table.moment()
        try:
            if source.game != game:
                game = source.game
                table.do(moment.version, "host", Begin(setting, anew=True))
            elif moment.question is not None and not closed.wait(THINKING_S):
                right = [choice.name for choice in moment.question.choices if _agree(choice.done, source.told)]
                if right:
                    table.do(moment.version, "host", Reply(moment.question.name, right[0]))
        except (Refused, Stale):
            continue


def _agree(done: Sequence[str], told: Sequence[str]) -> bool:
    """Whether both tell of the same game. Which end of a line is the left one is settled by who looks, anew in each round."""
    one, other = _rounds(_plays(done)), _rounds(_plays(told))
    return len(one) == len(other) and all(a in (b, list(map(_mirrored, b))) for a, b in zip(one, other, strict=True))


def _rounds(texts: Sequence[str]) -> list[list[str]]:
    rounds: list[list[str]] = []
    for text in texts:
        if text.startswith("deal") or not rounds:  # how tiles of a deal turn over no two readers need agree upon
            rounds.append([])
        rounds[-1].append("deal" if text.startswith("deal") else text)
    return rounds


def _mirrored(text: str) -> str:
    """An action on the other arm of the line."""
    arms = {"left": "right", "right": "left"}
    return " ".join(arms.get(word, word) for word in text.split(" "))


def _plays(texts: Sequence[str]) -> list[str]:
    """What was done, without hands that were shown, and without what is told by the next tile alone, where none has followed."""
    from simulator.staging.players import TOLD_LATER

    kept = [text for text in texts if not text.startswith("show")]
    while kept and kept[-1].split()[0] in ("deal", *TOLD_LATER):
        kept.pop()
    return kept


COMMANDS = (demo,)
