"""The commands that try the referee: whole games on the simulated table, and recorded games run again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from trials.tally import Judged, Tally

NUMBERS = ("games", "plays", "right", "asked", "silent_wrong", "illegal_planted", "illegal_reported", "illegal_rule_right",
           "false_alarms", "scores_right")

DIFFERS = 1
"""Exit status where a recording now leads to another decision."""


@click.command()
@click.argument("game", metavar="GAME")
@click.option("--games", type=click.IntRange(1, 100_000), default=1, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the first game; the next has the next.")
@click.option("--players", type=click.IntRange(1, 4), help="Seats; without it the game's own numbers in turn.")
@click.option("--wrong", type=click.FloatRange(0, 1), default=0.0, show_default=True,
              help="The share of turns in which a play that breaks a rule is tried first.")
@click.option("--turns", type=click.IntRange(1), help="Stop each game after so many turns.")
@click.option("--traced", is_flag=True, help="Path-traced pictures, few of each play: slow, kept in KIBITZ_HOME; needs mitsuba.")
@click.option("--json", "as_json", is_flag=True, help="The last line is one object with the counts.")
@click.option("--threads", type=click.IntRange(1, 64), default=2, show_default=True, help="Processor threads the reader uses.")
def simulate(
    game: str, games: int, seed: int, players: int | None, wrong: float, turns: int | None, traced: bool, as_json: bool,
    threads: int,
) -> None:
    """Play GAME on the simulated table, before a simulated camera, and count what the referee makes of it.

    Each play gets a line: `right` where it was understood without asking, `asked` where a question or a correction by
    hand was needed, `silent wrong` where something else was believed. Every game has a bump of the camera and another
    light; tiles lie as people lay them. Real time does not matter: the table waits for each frame to be read.
    """
    from engine.games import game as game_named
    from engine.playout import seats_of
    from referee.games import READERS
    from trials.tally import Tally
    from trials.trial import Difficulty, Trial
    from vision.reader import Reader

    if game not in READERS:
        raise click.BadParameter(f"no game {game!r} is read from the table; there are {', '.join(READERS)}", param_hint="GAME")
    pictures = _traced_pictures() if traced else None
    kind = game_named(game)
    if players is not None and players not in kind.SEATS:
        raise click.BadParameter(f"{game} is for {' or '.join(map(str, kind.SEATS))} players", param_hint="--players")
    try:
        reader = Reader(threads=threads)
    except FileNotFoundError as error:
        raise click.ClickException(str(error)) from error
    total = Tally()
    for number in range(games):
        seats = seats_of(kind, number, players)
        click.echo(f"{game}, game {number + 1} of {games}, {seats} players, seed {seed + number}", err=True)
        with TemporaryDirectory() as folder:
            trial = Trial(game, seats, seed + number, reader, Path(folder) / "journal.db", Difficulty(wrong), _tell, pictures)
            if turns is not None:
                trial.players.most = turns
            tally = trial.run()
            trial.referee.journal.close()
        total.add(tally)
        for trouble in tally.troubles:
            click.echo(f"  {trouble}")
        click.echo(f"  {_summary(tally)}")
    for rule, (planted, reported, named) in sorted(total.rules.items()):
        click.echo(f"{rule:24} planted {planted}, reported {reported}, the rule right {named}")
    click.echo(json.dumps(_as_object(game, total)) if as_json else f"{game}: {_summary(total)}")


def _traced_pictures() -> Path:
    """Where traced pictures are kept; a sentence where none can be made."""
    from importlib.util import find_spec

    from cli.serve import home_folder

    if find_spec("mitsuba") is None:
        raise click.ClickException("Path-traced tables need mitsuba: pip install 'kibitz[train]'.")
    return home_folder() / "traced"


def _tell(judged: Judged) -> None:
    click.echo(f"{judged.number:4} {judged.time:8.1f} s  {judged.how:12} {judged.ms:7.0f} ms  {judged.text}")
    sys.stdout.flush()


def _summary(tally: Tally) -> str:
    return (f"{tally.plays} plays: {tally.right} right, {tally.asked} asked, {tally.silent_wrong} silent wrong; "
            f"illegal {tally.illegal_reported} of {tally.illegal_planted} reported, {tally.illegal_rule_right} by its rule; "
            f"{tally.false_alarms} false alarms; scores right in {tally.scores_right} of {tally.games}; "
            f"decision p95 {tally.decision_ms_p95:.0f} ms")


def _as_object(game: str, tally: Tally) -> dict[str, object]:
    counts = {name: getattr(tally, name) for name in NUMBERS}
    return {"game": game, **counts, "decision_ms_p95": round(tally.decision_ms_p95, 1)}


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Exit status 1 where a decision differs from the recorded one.")
def replay(file: Path, check: bool) -> None:
    """Run a recorded game (a .kibitz) again through today's code, and print what the journal then says."""
    from zipfile import BadZipFile

    from referee.recording import replay as run_again

    try:
        replayed = run_again(file)
    except (BadZipFile, KeyError, ValueError) as error:
        raise click.ClickException(f"{file} is no recorded game: {error}") from error
    for entry in replayed.table.journal.entries():
        words = entry.data.get("words") or entry.data.get("sentence") or ""
        click.echo(f"{entry.number:4} {entry.time:8.1f} s  {entry.who:8} {entry.kind:8} {entry.data.get('action', '')}  {words}")
    if replayed.differs is None:
        click.echo(f"{replayed.entries} entries, all as recorded.")
        return
    then, now = replayed.differs
    click.echo(f"A decision differs.\n  recorded: {json.dumps(then)}\n  now:      {json.dumps(now)}")
    if check:
        sys.exit(DIFFERS)


COMMANDS = (simulate, replay)
