"""Sentences that several games say alike."""

from __future__ import annotations

from typing import Any

from engine.pieces import Tile
from referee.reading import Difference


def put_right(difference: Difference, where: str) -> str:
    """What to do about a tile that is missing or wrong at a place; where: as "at the left end"."""
    ends, seen = difference.ends, difference.seen
    if difference.kind == "missing":
        return f"Put the {named(ends)} back {where}."
    if seen is None:
        return f"Turn the {named(ends)} face up again, {where}."
    if ends is not None and tuple(seen) == ends[::-1]:
        return f"Turn the {named(seen)} round, {where}."
    return f"{where[0].upper()}{where[1:]} should lie the {named(ends)}, not the {named(seen)}."


def named(ends: Any) -> str:
    """A tile with these ends; just "tile" where they are not known."""
    return "tile" if ends is None else str(Tile.of(*ends))
