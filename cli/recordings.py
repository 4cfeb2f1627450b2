"""The commands of recordings: make one, and run one again."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from cli.common import Finite, open_reader, open_source, source_argument

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
                        if source.health().ended:
                            break
                        continue
                    if source.live and frame.time - last < 0.9 / fps:
                        continue
                    first = frame.time if first is None else first
                    last = frame.time
                    writer.frame(frame)
            except KeyboardInterrupt:
                pass  # what there is, is kept
            whole = Path(folder) / file.name
            writer.save(whole)
            whole.replace(file)
    except OSError as error:
        raise click.ClickException(f"The recording {file} cannot be written: {error}") from error
    finally:
        source.close()
    size = file.stat().st_size / 1e6
    click.echo(f"{file}: {writer.frames} frames, {max(0.0, last - (first or 0.0)):.1f} s, {size:.1f} MB", err=True)


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


COMMANDS = (record, replay)
"""The commands of recordings."""
