"""How well a table stands for a seat: by points ahead of the best other seat, as far as the round has come."""

from __future__ import annotations

from collections.abc import Mapping
from math import tanh

from engine.solo import solitaire
from engine.state import State

LOW_WINS = frozenset(("euronimoes", "engine191", "knock-out"))
"""Games in which few points are good."""

SCALE: Mapping[str, float] = {"euronimoes": 8, "engine191": 30, "dominoids": 12, "block": 40, "all-fives": 50, "matador": 40,
                              "one-arm-joe": 30, "knock-out": 6, "elimination": 6, "solitaire": 8}
"""Points of lead that are nearly as good as won, by game."""

WINNING = 0.3
"""The share of a table's worth that is winning itself; the rest is by how many points."""


def over(state: State) -> bool:
    """Whether a round has ended: what comes next is another deal."""
    return state.result is not None or state.chance == "deal"


def leads(state: State) -> list[float]:
    """For each seat its points ahead of the best other one, behind below 0; alone, how few tiles are left to deal with."""
    if isinstance(state, solitaire.State):
        return [float(sum(tile.up for column in state.columns for tile in column))]
    sign = -1.0 if state.game in LOW_WINS or state.players == 1 else 1.0
    scores = [sign * score for score in state.scores()]
    if len(scores) == 1:
        return scores
    return [own - max(other for at, other in enumerate(scores) if at != seat) for seat, own in enumerate(scores)]


def worths(state: State, before: list[float]) -> list[float]:
    """For each seat between 0 and 1 how good a table is; `before`: the leads from which the lookahead began."""
    scale = SCALE[state.game]
    ahead = [0.5 + 0.5 * tanh((now - then) / scale) for now, then in zip(leads(state), before, strict=True)]
    if state.result is None:
        return ahead
    winners = state.result.winners
    return [(1 - WINNING) * each + WINNING * (seat in winners) for seat, each in enumerate(ahead)]
