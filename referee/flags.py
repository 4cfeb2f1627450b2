"""The flags of every game by the way of play: what a camera reads, what is said at the page, and what is entered by hand.

`python -m referee.flags` writes the table of docs/flags.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from engine.games import GAMES, game

SAID: Mapping[tuple[str, str], str] = {
    ("muggins", "call"): "yes; points are called on the seat's phone or the host's page",
}
"""By flag and value, what a camera cannot see and people say."""

HEAD = """# Flags by the way of play

Every flag that `--rules FLAG=VALUE,...` and Set up know, the usual value of each first; 12 stands for any number of cells
(`max_extent`) or turns (`max_turns`). *Before a camera*: whether plays are read from the table by that rule; by hand all of them
are played. Games by every value have been played on simulated tables, told and before a camera (docs/log.md);
`kibitz simulate GAME --every-flag` plays them again. A test keeps this file as `python -m referee.flags > docs/flags.md` writes
it.

| game | flag | value | before a camera | by hand |
|---|---|---|---|---|
"""


def flag_values(name: str) -> Iterator[tuple[str, Any]]:
    """Every flag of a game with each value that it may have; a number stands for all."""
    for each in fields(game(name).Rules):
        for value in each.metadata["choices"]:
            yield each.name, 12 if value is int else value


def flags_document() -> str:
    """The text of docs/flags.md."""
    rows = (f"| {name} | {flag} | {str(value).lower() if isinstance(value, bool | None) else value} "
            f"| {SAID.get((flag, str(value)), 'yes')} | yes |\n" for name in GAMES for flag, value in flag_values(name))
    return HEAD + "".join(rows)


if __name__ == "__main__":
    print(flags_document(), end="")
