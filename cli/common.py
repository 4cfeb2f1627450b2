"""What several commands share: the reader, the option for its threads, a bar of progress, the way a source is opened."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from vision.reader import Reader
    from vision.sources.source import Source

threads_option = click.option(
    "--threads", type=click.IntRange(1, 64), default=2, show_default=True, help="Processor threads the reader uses."
)

source_argument = click.argument("text", metavar="SOURCE")


def open_reader(threads: int) -> Reader:
    """The reader with the models of this installation; a clear error where they are missing."""
    from vision.reader import Reader

    try:
        return Reader(threads=threads)
    except FileNotFoundError as error:
        raise click.ClickException(str(error)) from error


def open_source(text: str) -> Source:
    """The source that the text names, simulated tables among them; one sentence where there is none."""
    from simulator.opening import open_source as opened
    from vision.sources.source import SourceError

    try:
        return opened(text)
    except (SourceError, OSError) as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def progress(what: str, count: int) -> Iterator[Any]:
    """Calls to the value it gives move a bar on stderr, where somebody watches and there is more than one step."""
    if count < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=count, label=what, file=sys.stderr, show_pos=True) as bar:
        yield lambda: bar.update(1)
