"""What several commands share: the reader, the option for its threads, a bar of progress, the way a source is opened."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from vision.piece_sets import PieceSet
    from vision.reader import Reader
    from vision.sources.source import Source

class Finite(click.FloatRange):
    """A number in a range; `nan` and `inf`, which Python takes for numbers, too, are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


FIRST_PICTURE_S = 10.0
"""A camera shows its first picture by then: an address may take twice as long as one attempt to reach it."""

TABLE_SEED = click.IntRange(0, 900_000)
"""The number of a simulated table."""

threads_option = click.option(
    "--threads", type=click.IntRange(1, 64), default=2, show_default=True, help="Processor threads the reader uses."
)

own_set_option = click.option(
    "--set", "own_set", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="JSON",
    help="Your pieces, as `kibitz learn-set` wrote them.",
)  # fmt: skip

source_argument = click.argument("text", metavar="SOURCE")


def open_reader(threads: int) -> Reader:
    """The reader with the models of this installation; a clear error where they are missing."""
    from vision.reader import Reader

    return Reader(threads=threads)


def own_pieces(path: Path | None) -> PieceSet | None:
    """The owner's pieces from a file, if one is named; one sentence where it holds none for this reader."""
    from vision.piece_sets import PieceSet
    from vision.pieces import version

    try:
        return None if path is None else PieceSet.load(path, version())
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from error


def open_source(text: str) -> Source:
    """The source that the text names, simulated tables among them; one sentence where there is none."""
    from simulator.opening import open_source as opened

    source = opened(text)
    if source.live and source.next(FIRST_PICTURE_S) is None:  # of those that show none yet, all others end by themselves
        lost = source.health().lost or "no picture comes"
        source.close()
        raise click.ClickException(f"{text}: {lost}.")
    return source


@contextmanager
def progress(what: str, count: int) -> Iterator[Any]:
    """Calls to the value it gives move a bar on stderr, where somebody watches and there is more than one step."""
    if count < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=count, label=what, file=sys.stderr, show_pos=True) as bar:
        yield lambda: bar.update(1)
