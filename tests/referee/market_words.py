"""Short words for scenes at a table of Euronimoes."""

from __future__ import annotations

from typing import Any

from engine.euronimoes.actions import DRAW, Play
from engine.pieces import Tile
from referee.snapshot import snapshot
from tests.referee.playing import Match

Cells = tuple[tuple[int, int], tuple[int, int]]


def tile(text: str) -> Tile:
    return Tile.parse(text)


def lay(text: str, cells: Cells, ends: tuple[int, int], level: int = 1) -> Play:
    return Play(tile(text), cells, ends, level)


def word(match: Match) -> str:
    return str(snapshot(match.referee)["word"])


def told(match: Match) -> dict[str, Any]:
    found: dict[str, Any] = snapshot(match.referee)["illegal"]
    return found


def drawn(match: Match) -> Match:
    """Ben has drawn from the pile."""
    match.do(DRAW)
    assert match.right
    return match
