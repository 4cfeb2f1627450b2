"""Tiles, sentences and flags as players write them."""

from __future__ import annotations

import re
from typing import Any

from engine.pieces import Tile


def as_written(words: str) -> str:
    """A sentence with its tiles as players write them.

    >>> as_written("Ann plays the 3-5; the -1 slot is empty.")
    'Ann plays the 3|5; the -1 slot is empty.'
    """
    return re.sub(r"\b(\d{1,2})-(\d{1,2})\b", r"\1|\2", words)


def tile_name(tile: Tile) -> str:
    """A tile as players write it.

    >>> tile_name(Tile(3, 5))
    '3|5'
    """
    return f"{tile.low}|{tile.high}" if tile.low >= 0 else "an unknown tile"


def flag_words(choice: Any) -> tuple[str, str]:
    """A flag's value as it is sent, and as it is read."""
    sent = str(choice).lower() if choice is None or isinstance(choice, bool) else str(choice)
    words = {"none": "none", "true": "yes", "false": "no"}.get(sent, sent.replace("_", " "))
    return sent, words
