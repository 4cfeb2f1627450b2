"""The simulated table as a source beside the real ones: `simulated:GAME`, with players and seed where wanted."""

from __future__ import annotations

from simulator.endless import Endless
from vision.sources.opening import open_source as open_real
from vision.sources.source import Source, SourceError

SIMULATED = "simulated:"


def open_source(text: str) -> Source:
    """`simulated:GAME`, `simulated:GAME:PLAYERS` or `simulated:GAME:PLAYERS:SEED`; else what `vision` opens.

    Raises SourceError with one sentence where there is no such source.
    """
    if not text.startswith(SIMULATED):
        return open_real(text)
    game, *numbers = text.removeprefix(SIMULATED).split(":")
    if len(numbers) > 2 or not all(number.isdigit() for number in numbers):
        raise SourceError(f"{text} names no simulated table: write simulated:block, or with players and seed "
                          "simulated:block:3:7.")
    return Endless(game, *map(int, numbers))
