"""Short words for scenes at a table, most of them of Euronimoes."""

from __future__ import annotations

from typing import Any

from engine.euronimoes.actions import DRAW, Play
from engine.pieces import Tile
from referee.decoder import Kind
from tests.referee.playing import Match

Cells = tuple[tuple[int, int], tuple[int, int]]


def tile(text: str) -> Tile:
    return Tile.parse(text)


def lay(text: str, cells: Cells, ends: tuple[int, int], level: int = 1) -> Play:
    return Play(tile(text), cells, ends, level)


def word(match: Match) -> str:
    return match.referee.word


def told(match: Match) -> dict[str, Any]:
    """What is told of a rule that is broken; pending: it may just not be finished."""
    alarm = match.referee.alarm
    assert alarm is not None and alarm.verdict is not None
    return {"rule": alarm.verdict.rule, "sentence": alarm.verdict.sentence, "steps": list(alarm.steps),
            "pending": alarm.kind is Kind.UNFINISHED}


def drawn(match: Match) -> Match:
    """Ben has drawn from the pile."""
    match.do(DRAW)
    assert match.right
    return match
