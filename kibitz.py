"""The command line of Kibitz; the commands stand in `cli/`, one file a family."""

from __future__ import annotations

import warnings
from importlib.metadata import PackageNotFoundError, version

import click

from cli import bench, calibration, demo, hints, pieces, read, recordings, renders, rules, score, serve, simulate, watch
from cli.common import open_reader

FAMILIES = (read, bench, calibration, demo, hints, pieces, recordings, renders, rules, score, serve, simulate, watch)


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    try:
        own = version("kibitz")
    except PackageNotFoundError:
        own = "(not installed)"
    click.echo(f"kibitz {own}, reader {open_reader(threads=1).version}")
    context.exit()


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Show the version of Kibitz and of its reader, and exit.",
)  # fmt: skip
def main() -> None:
    """Kibitz reads dominoes: photograph tiles and it says which they are and what they count."""
    warnings.filterwarnings("ignore", module=r"PIL\.")  # odd EXIF blocks: what matters of a file is told as an error


for family in FAMILIES:
    for command in family.COMMANDS:
        main.add_command(command)


if __name__ == "__main__":
    main()
