"""The open ends of a line with spinners: doubles that can be played on their two sides as well (A4, Five Up).

The sides open when both ends of the double are covered; a side counts for the score only when a tile lies on it. The
sides of the first double are the arms `up` and `down`. Where every double is a spinner, a side arm is named after
its double: the arm it lies on, its place on that arm (or `root`), then `up` or `down`, as in `left.2.up`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.pieces import Tile

Arm = tuple[tuple[int, int], ...]


class Spun(NamedTuple):
    """An open end: its arm, its number, and what it adds to the sum."""

    arm: str
    number: int
    worth: int


def spun_ends(root: Tile, arms: Sequence[tuple[str, Arm]], only: Tile | None) -> list[Spun]:
    """Every open end of the layout; `only` is the one spinner, None where all doubles are."""
    laid = dict(arms)
    left, right = laid["left"], laid["right"]
    ends = []
    for name, number in (("left", root.low), ("right", root.high)):
        if laid[name]:
            ends.append(_tip(name, laid[name]))
        elif left or right:
            ends.append(Spun(name, number, 2 * number if root.is_double else number))
        else:  # a lone tile counts once, both its ends
            ends.append(Spun(name, number, number))
    ends += [_tip(name, arm) for name, arm in arms if name not in ("left", "right") and arm]
    for place, number in _covered(root, arms):
        if only is not None and only != (number, number):
            continue
        for side in ("up", "down"):
            name = side if only is not None else f"{place}.{side}"
            if not laid.get(name):
                ends.append(Spun(name, number, 0))
    return ends


def _tip(name: str, arm: Arm) -> Spun:
    inner, outer = arm[-1]
    return Spun(name, outer, 2 * outer if inner == outer else outer)


def _covered(root: Tile, arms: Sequence[tuple[str, Arm]]) -> list[tuple[str, int]]:
    """The doubles that have a tile on both ends: where, and which."""
    laid = dict(arms)
    found = [("root", root.low)] if root.is_double and laid["left"] and laid["right"] else []
    for name, arm in arms:
        found += [(f"{name}.{at}", outer) for at, (inner, outer) in enumerate(arm[:-1]) if inner == outer]
    return found
