"""The open ends of a line with spinners: doubles that can be played on their two sides as well (A4, Five Up).

The sides open when both ends of the double are covered; a side counts for the score only when a tile lies on it. The
sides of the first double are the arms `up` and `down`. Where every double is a spinner, a side arm is named after
its double: the arm it lies on, its place on that arm (or `root`), then `up` or `down`, as in `left.2.up`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.pieces import Tile
from engine.words import say

Arm = tuple[tuple[int, int], ...]


class Spun(NamedTuple):
    """An open end: its arm, its number, and what it adds to the sum."""

    arm: str
    number: int
    worth: int


def side_arms(place: str, every: bool) -> tuple[str, str]:
    """The arms up and down from a spinner that lies there: `root`, or its arm and its place on that; every: all doubles are."""
    return (f"{place}.up", f"{place}.down") if every else ("up", "down")


def where(arm: str, root: Tile, arms: Mapping[str, Arm], only: Tile | None) -> str:
    """A side arm in a player's words; on which side of a later double it lies is told by a drawing, since lines bend.

    >>> where("left.0.up", Tile(1, 3), {"left": ((1, 1),)}, None)
    'beside the 1-1'
    >>> where("root.up", Tile(3, 3), {}, None)  # the first tile is always drawn upright
    'above the 3-3'
    """
    place, _, side = arm.rpartition(".")
    parent, _, at = place.rpartition(".")
    double = only if not place else root if place == "root" else None
    if double is None and at.isdigit():
        double = next((Tile.of(*ends) for ends in arms.get(parent, ())[int(at) : int(at) + 1]), None)
    if double == root:
        return say("above the {double}", double=double) if side == "up" else say("below the {double}", double=double)
    return say("beside the {double}", double=double) if double else say("beside a spinner")


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
        for name in side_arms(place, only is None):
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
