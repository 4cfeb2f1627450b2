"""Sentences that several games say alike."""

from __future__ import annotations

from typing import Any

from engine.pieces import Tile
from engine.words import count, say
from referee.reading import Difference


def put_right(difference: Difference, where: str) -> str:
    """What to do about a tile that is missing or wrong at a place; where: as "at the left end"."""
    ends, seen = difference.due, difference.seen
    if difference.kind == "missing":
        return say("Put the {tile} back {where}.", tile=named(ends), where=where)
    if seen is None:
        return say("Turn the {tile} face up again, {where}.", tile=named(ends), where=where)
    if ends is not None and tuple(seen) == ends[::-1]:
        return say("Turn the {tile} round, {where}.", tile=named(seen), where=where)
    return say("{Where} should lie the {tile}, not the {other}.", Where=where, tile=named(ends), other=named(seen))


def turned_down(open_tiles: int) -> list[str]:
    """What is asked of tiles that lie open before a deal; nothing where none does."""
    asked = count(open_tiles, "{number} tile lies open: turn it face down.", "{number} tiles lie open: turn them face down.")
    return [asked] if open_tiles else []


def named(ends: Any) -> str:
    """A tile with these ends; just "tile" where they are not known."""
    return say("tile") if ends is None else str(Tile.of(*ends))
