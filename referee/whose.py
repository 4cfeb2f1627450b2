"""Whose hands did it: how likely it is that just these seats acted, by whose hands were seen over the table.

How often the hand of somebody who acts is seen, or only something at that edge, and how often that of somebody who does not,
is measured on whole simulated games (`kibitz measure-hands`) and stands in `models/hands.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from math import dist, log

from referee.reading import Reached
from referee.setting import Point
from vision.degrees import HARDLY, nats_against
from vision.reader import MODELS

FILE = MODELS / "hands.json"

FINGERS_MM = 80.0
"""So far from a tile, at most, reach the fingers that laid it, beyond it and as a camera sees them from the side."""

SIGHTS = ("hand", "edge", "nothing")
"""What may be seen at a seat while hands come: its hand, or, where no picture shows any, that something moved at its edge;
something that moved there and may be the shadow of another's hand; or nothing. Where no hands are seen, they tell nothing."""


@cache
def measured() -> Mapping[str, Mapping[str, float]]:
    """How often each of `SIGHTS` comes of a seat that is `acting`, and of one that is `idle`, as it was measured last."""
    told: dict[str, dict[str, float]] = json.loads(FILE.read_text(encoding="utf-8"))
    return told


def speaks(sight: str) -> float:
    """Nats for a seat having acted of which this was seen."""
    return log(measured()["acting"][sight] / measured()["idle"][sight])


def sight_of(seat: int, reached: Reached) -> str:
    """What was seen at a seat."""
    if seat in reached.came:
        return "hand"
    return "edge" if seat in reached.perhaps else "nothing"


def against(acted: AbstractSet[int], reached: Reached, players: int) -> float:
    """Nats against these seats having acted and no others, beside the likeliest that may have."""
    if not reached.seats and not reached.perhaps:
        return 0.0
    told = {seat: speaks(sight_of(seat, reached)) for seat in range(players)}
    return sum(max(0.0, -nats) if seat in acted else max(0.0, nats) for seat, nats in told.items())


def against_laying(hand: int | None, at: Point | None, acted: AbstractSet[int], tips: Mapping[int, Point]) -> float:
    """Nats against a seat having laid what lies there, where another that acted before reached just there, and it did not."""
    if hand is None or hand not in tips or at is None:
        return 0.0
    there = {seat for seat in acted | {hand} if seat in tips and dist(tips[seat], at) < FINGERS_MM}
    return nats_against(HARDLY) if there and hand not in there else 0.0


def against_any(acted: AbstractSet[int], reached: Reached, players: int) -> float:
    """Nats against these seats having acted, whoever did besides."""
    return against(acted | reached.seats | reached.perhaps, reached, players)
