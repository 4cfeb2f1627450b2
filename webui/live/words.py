"""Tiles, sentences and flags as players write them."""

from __future__ import annotations

import re
from typing import Any

from engine.pieces import Tile
from engine.words import Said, say

CHOICES = {
    "true": say("yes"), "false": say("no"), "all": say("all"), "all_consecutive": say("when all pass in a row"),
    "any": say("any"), "any_half": say("any half"), "at_once": say("at once"), "auto": say("counted"),
    "both_ends": say("at both ends"), "bottom": say("only below"), "call": say("called"), "chain": say("chain"),
    "chosen": say("chosen"), "cover": say("at once, by whom it was laid"), "each": say("each"),
    "each_hand": say("hand by hand"), "few": say("few"), "fifty": say("50"), "figure": say("as in the figure"),
    "first_double": say("first double"), "free": say("left open"), "highest_double": say("highest double"),
    "highest_single": say("highest single"), "illegal": say("forbidden"), "immediate": say("immediate"),
    "largest_tile": say("largest tile"), "later": say("by the others later"), "left": say("the seat on the left"),
    "legal": say("allowed"), "lenient": say("lenient"), "many": say("many"), "matching_half": say("matching half"),
    "none": say("none"), "observed": say("as it is seen"), "off": say("off"), "on": say("on"),
    "on_double": say("for playing on a double"), "one": say("one"), "pair": say("pair"),
    "per_opponent": say("for each opponent by itself"), "play_on": say("play on"),
    "plays_double": say("for playing a double"), "redeal": say("redeal"), "second_turn": say("second turn"),
    "shared": say("shared"), "simultaneous": say("simultaneous"), "strict": say("strict"), "strip": say("the whole shift"),
    "suffix": say("may move alone"), "sum": say("all hands at once"), "sum_all": say("the sum of all"),
    "sum_minus_own": say("their sum less its own"), "train": say("a whole train"), "turns": say("in turn"),
    "when_needed": say("when needed"), "whole_run": say("only the whole line"), "winner": say("winner"), "zero": say("0"),
}  # fmt: skip
"""The values of the flags in words."""


TILE = re.compile(r"(?<![\d.-])(\d{1,2})-(\d{1,2})(?![\d-])")
"""A tile as the engine writes it: no date, and no ruling of a number and a part."""


def as_written(words: str) -> str:
    """A sentence with its tiles as players write them.

    >>> as_written("Ann plays the 3-5; the -1 slot is empty.")
    'Ann plays the 3|5; the -1 slot is empty.'
    """
    return words if isinstance(words, Said) else TILE.sub(r"\1|\2", words)


def tile_name(tile: Tile) -> str:
    """A tile as players write it.

    >>> tile_name(Tile(3, 5))
    '3|5'
    """
    return f"{tile.low}|{tile.high}" if tile.low >= 0 else say("an unknown tile")


def flag_words(choice: Any) -> tuple[str, str]:
    """A flag's value as it is sent, and as it is read."""
    sent = str(choice).lower() if choice is None or isinstance(choice, bool) else str(choice)
    words = CHOICES.get(sent, sent)
    return sent, words
