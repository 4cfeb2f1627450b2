"""What a finished round earns: a hand played out, or a blocked round (Domino basics: Ending the game)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Points = Callable[[int], int]


def identity(pips: int) -> int:
    """Every pip is a point."""
    return pips


def nearest_five(pips: int) -> int:
    """Rounded to the nearest multiple of five; there are no ties (A6).

    >>> [nearest_five(pips) for pips in (5, 6, 7, 8, 9, 10)]
    [5, 5, 5, 10, 10, 10]
    """
    return (pips + 2) // 5 * 5


def domino_gains(pips: Sequence[int], winner: int, points: Points, each_hand: bool = False) -> list[int]:
    """The points per seat when this seat has played its last tile: all opponents' pips (C2)."""
    gains = [0] * len(pips)
    others = [held for seat, held in enumerate(pips) if seat != winner]
    gains[winner] = sum(map(points, others)) if each_hand else points(sum(others))
    return gains


def blocked_gains(pips: Sequence[int], rules: Any, points: Points, each_hand: bool = False) -> tuple[list[int], list[int]]:
    """The lowest seats of a blocked round, and the points per seat (C3, C4)."""
    least = min(pips)
    lowest = [seat for seat, held in enumerate(pips) if held == least]
    gains = [0] * len(pips)
    if len(lowest) == 1 or rules.blocked_tie == "each":
        for seat in lowest:
            others = [held for other, held in enumerate(pips) if other != seat]
            gains[seat] = _blocked_gain(others, least, rules.blocked, points, each_hand)
    return lowest, gains


def _blocked_gain(others: Sequence[int], own: int, formula: str, points: Points, each_hand: bool) -> int:
    if formula == "per_opponent":
        parts = [held - own for held in others]
    elif formula == "sum_minus_own":
        parts = [*others, -own]
    else:
        parts = list(others)
    return sum(map(points, parts)) if each_hand else points(sum(parts))
