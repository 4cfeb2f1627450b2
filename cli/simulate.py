"""The command that tries the referee: whole games on the simulated table."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from cli.common import TABLE_SEED, Finite
from cli.rules import parsed_rules, rules_option

if TYPE_CHECKING:
    from trials.tally import Judged, Tally

NUMBERS = ("games", "plays", "right", "asked", "silent_wrong", "illegal_planted", "illegal_reported", "illegal_rule_right",
           "false_alarms", "scores_right")


@click.command()
@click.argument("game", metavar="GAME")
@click.option("--games", type=click.IntRange(1, 100_000), default=1, show_default=True)
@click.option("--seed", type=TABLE_SEED, default=0, show_default=True, help="Of the first game; the next has the next.")
@click.option("--players", type=click.IntRange(1), help="Seats; without it the game's own numbers in turn.")
@click.option("--wrong", type=Finite(0, 1), default=0.0, show_default=True,
              help="The share of turns in which a play that breaks a rule is tried first.")
@click.option("--turns", type=click.IntRange(1), help="Stop each game after so many turns.")
@rules_option
@click.option("--every-flag", is_flag=True, help="Play all games by each value of each flag, too.")
@click.option("--width", type=click.IntRange(640, 3840), default=1920, show_default=True, help="Of the camera's picture, pixels.")
@click.option("--harder", is_flag=True, help="Black tiles from the side, two hands at once, pushed tiles, switched lamps.")
@click.option("--traced", is_flag=True, help="Path-traced pictures, few of each play: slow, kept in KIBITZ_HOME; needs mitsuba.")
@click.option("--record", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Record the only game into FILE (a .kibitz), for `kibitz replay`.")
@click.option("--json", "as_json", is_flag=True, help="The last line is one object with the counts.")
@click.option("--threads", type=click.IntRange(1, 64), default=2, show_default=True, help="Processor threads the reader uses.")
def simulate(
    game: str, games: int, seed: int, players: int | None, wrong: float, turns: int | None, flags: str,
    every_flag: bool, width: int, harder: bool, traced: bool, file: Path | None, as_json: bool, threads: int,
) -> None:  # fmt: skip
    """Play GAME on the simulated table, before a simulated camera, and count what the referee makes of it.

    Each play gets a line: `right` where it was understood without asking, `asked` where a question or a correction by
    hand was needed, `silent wrong` where something else was believed. Every game has a bump of the camera and another
    light; tiles lie as people lay them. Real time does not matter: the table waits for each frame to be read.
    """
    from engine.games import GAMES
    from referee.flags import flag_values
    from referee.recording import Recorder
    from simulator.staging.games import seat_counts
    from trials.tally import Tally, reliability
    from trials.trial import HARDER, Difficulty, Trial
    from vision.reader import Reader

    if game not in GAMES:
        raise click.BadParameter(f"there is no game {game!r}; there are {', '.join(GAMES)}", param_hint="GAME")
    pictures = _traced_pictures() if traced else None
    rules, counts = parsed_rules(game, flags), seat_counts(game)
    every = {rules: ""}
    if every_flag:
        every |= {other: f" {flag}={value}" for flag, value in flag_values(game)
                  if (other := replace(rules, **{flag: value})) != rules}
    if players is not None and players not in counts:
        raise click.BadParameter(f"at this table {game} is for {' or '.join(map(str, counts))} players", param_hint="--players")
    if file is not None and games * len(every) > 1:
        raise click.BadParameter("one game is recorded: without --games and --every-flag", param_hint="--record")
    difficulty = replace(HARDER if harder else Difficulty(), wrong=wrong, width=width)
    reader = Reader(threads=threads)
    reader.ready()  # as where a table is served
    total = Tally()
    for (rules, named), number in product(every.items(), range(games)):
        seats = counts[number % len(counts)] if players is None else players
        click.echo(f"{game}{named}, game {number + 1} of {games}, {seats} players, seed {seed + number}", err=True)
        with TemporaryDirectory() as folder:
            sink = Recorder(Path(folder) / "recording") if file is not None else None
            journal = Path(folder) / "journal.db"
            trial = Trial(game, seats, seed + number, reader, journal, difficulty, _tell, pictures, sink, rules)
            if turns is not None:
                trial.players.most = turns
            tally = trial.run()
            if file is not None and sink is not None:
                sink.save(file, trial.referee)
            trial.referee.journal.close()
        total.add(tally)
        for trouble in tally.troubles:
            click.echo(f"  {trouble}")
        click.echo(f"  {_summary(tally)}")
    for rule, (planted, reported, named) in sorted(total.rules.items()):
        click.echo(f"{rule:24} planted {planted}, reported {reported}, the rule right {named}")
    for low, told, right in reliability(total.shares):
        if told:
            click.echo(f"told with a share from {low:5.1%}: {told}, right {right}")
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
            f"decision p95 {tally.decision_ms_p95:.0f} ms, entry p95 {tally.entry_s_p95:.1f} s")


def _as_object(game: str, tally: Tally) -> dict[str, object]:
    counts = {name: getattr(tally, name) for name in NUMBERS}
    return {"game": game, **counts, "decision_ms_p95": round(tally.decision_ms_p95, 1),
            "entry_s_p95": round(tally.entry_s_p95, 2)}


COMMANDS = (simulate,)
