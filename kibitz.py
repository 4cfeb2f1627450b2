"""The command line of Kibitz; the commands stand in `cli/`, one file a family."""

from __future__ import annotations

import errno
import warnings
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

from cli import (
    bench,
    calibration,
    demo,
    hints,
    pieces,
    read,
    recordings,
    renders,
    rules,
    score,
    sensor,
    serve,
    simulate,
    watch,
)
from cli.common import open_reader

ROOMS = ("engine", "calibration", "vision", "referee", "simulator", "trials", "webui", "models")
FAMILIES = (read, bench, calibration, demo, hints, pieces, recordings, renders, rules, score, sensor, serve, simulate, watch)


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    try:
        own = version("kibitz")
    except PackageNotFoundError:
        own = "(not installed)"
    reader = open_reader(threads=1)  # says in one sentence what is missing
    from vision.network import kernel

    click.echo(f"kibitz {own}, reader {reader.version}\n{kernel()}")
    context.exit()


class _Commands(click.Group):
    """Commands of which each ends what cannot be done with one sentence and exit status 1 (2: it was asked wrongly)."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except Exception as error:
            if not _told(error):
                raise
            raise click.ClickException(" ".join(str(error).split())) from error


def _told(error: Exception) -> bool:
    """Whether an error is for people: our own classes of errors say what happened, and so does the system."""
    if isinstance(error, OSError):
        return error.errno != errno.EPIPE  # nobody listens any more: click knows
    return type(error).__module__.partition(".")[0] in ROOMS


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Show the version of Kibitz and of its reader and what runs it, and exit.",
)  # fmt: skip
def main() -> None:
    """Kibitz referees domino games before a camera, and reads and counts dominoes in photos."""
    warnings.filterwarnings("ignore", module=r"PIL\.")  # odd EXIF blocks: what matters of a file is told as an error


for family in FAMILIES:
    for command in family.COMMANDS:
        main.add_command(command)


if __name__ == "__main__":
    main()
