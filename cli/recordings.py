"""The commands of recordings: make one, run one again, and say why it was understood so."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from cli.common import Finite, open_reader, open_source, source_argument, threads_option

ANSWER_S = 10.0
"""A table on this computer answers by then."""

DIFFERS = 1
"""Exit status where a recording now leads to something else."""


@click.command()
@source_argument
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--seconds", type=Finite(0.1), help="Stop after so long; without it at the end, or at Ctrl-C.")
@click.option("--fps", type=Finite(0.1, 60), default=10.0, show_default=True, help="Of a camera, frames kept a second.")
@click.option(
    "--calibration", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="JSON",
    help="The camera's calibration, kept with the frames.",
)  # fmt: skip
def record(text: str, file: Path, seconds: float | None, fps: float, calibration: Path | None) -> None:
    """Record SOURCE into FILE (a .kibitz), which is a source itself."""
    from calibration.store import as_object, load
    from referee.session import WAIT_S
    from vision.sources.recording import SUFFIX, Writer

    if file.suffix != SUFFIX:
        raise click.BadParameter(f"recordings end in {SUFFIX}, as {file.with_suffix(SUFFIX).name}", param_hint="FILE")
    measured = as_object(load(calibration)) if calibration else None
    source = open_source(text)
    first: float | None = None
    last = -math.inf
    try:
        with TemporaryDirectory(prefix=file.name, dir=file.parent) as folder:
            writer = Writer(Path(folder), source.settled)
            if measured is not None:
                writer.add({"measured": measured})
            try:
                while first is None or seconds is None or last - first < seconds:
                    frame = source.next(WAIT_S)
                    if frame is None:
                        health = source.health()
                        over = seconds is not None and (0.0 if first is None else last - first) + health.age >= seconds
                        if health.ended or over:  # a camera that was pulled out shows no more pictures to tell the time by
                            break
                        continue
                    if source.live and frame.time - last < 0.9 / fps:
                        continue
                    first = frame.time if first is None else first
                    last = frame.time
                    writer.frame(frame)
            except KeyboardInterrupt:
                pass  # what there is, is kept
            if first is None:
                raise click.ClickException(f"{text} shows no picture.")
            whole = Path(folder) / file.name
            writer.save(whole)
            whole.replace(file)
    except OSError as error:
        raise click.ClickException(f"The recording {file} cannot be written: {error}") from error
    finally:
        source.close()
    size = file.stat().st_size / 1e6
    click.echo(f"{file}: {writer.frames} frames, {last - first:.1f} s, {size:.1f} MB", err=True)


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Exit status 1 where a decision differs from the recorded one.")
@click.option("--blind", is_flag=True, help="See nothing again: the referee is told what was seen then.")
@click.option("--accept", is_flag=True, help="Write into FILE what it leads to now; later checks compare with that.")
@click.option("--threads", type=click.IntRange(1, 64), default=2, show_default=True, help="Processor threads the reader uses.")
def replay(file: Path, check: bool, blind: bool, accept: bool, threads: int) -> None:
    """Run a recording (a .kibitz) again through today's code: its frames are seen again, and the game is refereed again.

    Prints what the journal then says, what was believed of the table at last, and whether all is as it was recorded.
    """
    from referee.recording import replay as run_again
    from vision.sources.recording import Recording
    from vision.sources.source import SourceError

    try:
        replayed = run_again(file, None if blind else open_reader(threads))
        if accept:
            Recording(file).accept(replayed.outcome)
    except (SourceError, OSError) as error:
        raise click.ClickException(str(error)) from error
    for entry in replayed.table.journal.entries():
        words = entry.data.get("words") or entry.data.get("sentence") or ""
        click.echo(f"{entry.number:4} {entry.time:8.1f} s  {entry.who:8} {entry.kind:8} {entry.data.get('action', '')}  {words}")
    journal, beliefs = replayed.outcome["journal"], replayed.outcome["beliefs"]
    if beliefs:
        click.echo(f"On the table at last: {' '.join(beliefs[-1]) or 'nothing'}")
    told = f"{replayed.frames} frames, {len(journal)} entries, {len(beliefs)} states of the table"
    if replayed.differs is not None and not accept:
        then, now = replayed.differs
        click.echo(f"{told}. A decision differs.\n  recorded: {json.dumps(then)}\n  now:      {json.dumps(now)}")
        if check:
            sys.exit(DIFFERS)
        return
    if check and not replayed.known:
        raise click.ClickException(f"{file} does not tell what it led to: run `kibitz replay {file} --accept` first.")
    click.echo(f"{told}{', all as recorded' if replayed.known or accept else ''}.")


@click.command()
@click.argument("what", metavar="TABLE|RECORDING")
@click.option("--at", type=Finite(0), metavar="SECONDS", help="Of a recording: since its first frame; without it the end.")
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), metavar="JPG",
              help="Write the picture of which it tells, with its tiles outlined and numbered.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead.")
@threads_option
def explain(what: str, at: float | None, picture: Path | None, as_json: bool, threads: int) -> None:
    """Say why the table is believed to lie so, and what was played: what was weighed, the shares, what speaks for and against.

    TABLE is the address of one that is served on this computer (http://localhost:8000), RECORDING a .kibitz.
    """
    if what.startswith(("http://", "https://")):
        if at is not None:
            raise click.BadParameter("of a table that runs, only now can be explained", param_hint="--at")
        told, jpeg = _of_a_table(what.rstrip("/"), picture is not None)
    else:
        told, jpeg = _of_a_recording(Path(what), math.inf if at is None else at, threads)
    if picture is not None and jpeg is None:
        click.echo("There is no picture yet: none was written.", err=True)
    elif picture is not None and jpeg is not None:
        try:
            picture.write_bytes(jpeg)
        except OSError as error:
            raise click.ClickException(f"{picture} cannot be written: {error}") from error
    click.echo(json.dumps(told) if as_json else "\n".join(as_lines(told)))


def _of_a_table(address: str, drawn: bool) -> tuple[dict[str, Any], bytes | None]:
    import urllib.error
    import urllib.request
    from http.client import HTTPException

    try:
        with urllib.request.urlopen(f"{address}/live/why.json", timeout=ANSWER_S) as answer:
            told: Any = json.load(answer)
        if not isinstance(told, dict) or not {"table", "game"} <= told.keys():
            raise ValueError("what it says is no account")
        if not drawn:
            return told, None
        with urllib.request.urlopen(f"{address}/live/why.jpg", timeout=ANSWER_S) as answer:
            return told, answer.read() or None
    except urllib.error.HTTPError as error:
        raise click.ClickException(f"{address} does not tell: {error.reason}. It tells the computer that runs it.") from error
    except (OSError, ValueError, HTTPException) as error:
        raise click.ClickException(f"No table answers at {address}: {error}") from error


def _of_a_recording(file: Path, until: float, threads: int) -> tuple[dict[str, Any], bytes | None]:
    from referee.account import account, picture
    from referee.recording import replay as run_again
    from vision.sources.source import SourceError

    try:
        session = run_again(file, open_reader(threads), until).session
    except (SourceError, OSError) as error:
        raise click.ClickException(str(error)) from error
    return account(session), picture(session)


def as_lines(told: dict[str, Any]) -> list[str]:
    """An account (`referee.account`), for reading."""
    table, game = told["table"], told["game"]
    lines = []
    if table is None:
        lines.append("Nothing has been weighed yet: the first picture is believed as it is read.")
    else:
        lines.append(f"The picture of {table['time']:.1f} s. New, gone or in doubt:" if table["tiles"]
                     else f"The picture of {table['time']:.1f} s: nothing is new, gone or in doubt.")
    for tile in table["tiles"] if table is not None else ():
        believed = "believed" if tile["believed"] else "not believed"
        lines.append(f"{tile['number']:4}  {_percent(tile['share'])}  {tile['words']}: {believed}.")
        lines += [f"{'':14}{way:8} {', '.join(f'{what} {nats:.1f}' for what, nats in tile[way])}"
                  for way in ("for", "against") if tile[way]]
    if game is None:
        return [*lines, "Of a game nothing was weighed."]
    lines.append(f"Of the game: {game['decision']}, {_percent(game['share']).strip()}.")
    for each in game["explanations"]:
        lines.append(f"{'':6}{_percent(each['share'])}  {' '.join(each['words'])}")
        if each["against"]:
            lines.append(f"{'':14}against  {', '.join(f'{what} {nats:.1f}' for what, nats in each['against'])}")
    return [*lines, "Figures behind words are nats: 2.3 are ten to one, 4.6 a hundred to one."]


def _percent(share: float) -> str:
    return f"{100 * share:5.1f} %"


COMMANDS = (record, replay, explain)
"""The commands of recordings."""
