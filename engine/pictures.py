"""Boards as text, for a terminal: what all games share; what lies on its table each game draws itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.actions import tile_text
from engine.pieces import Tile
from engine.state import State


def picture(state: State) -> str:
    """What lies on the table and the scores, in a few lines."""
    scores = ", ".join(f"seat {seat}: {score}" for seat, score in enumerate(state.scores()))
    return "\n".join([*state.picture(), f"scores: {scores}"])


def tiles_line(tiles: Iterable[Tile]) -> str:
    """Tiles beside each other."""
    return " ".join(f"[{tile_text(tile)}]" for tile in tiles) or "-"


def hand_lines(state: Any) -> list[str]:
    """The hands, one a line; a star stands at the seat to move."""
    return [f"seat {seat}{' *' if seat == state.turn else '  '} {tiles_line(hand)}" for seat, hand in enumerate(state.hands)]
