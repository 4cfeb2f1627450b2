"""How well a table stands for a seat: by points ahead of the best other seat, as far as the round has come."""

from __future__ import annotations

from math import tanh

from engine.state import State

WINNING = 0.3
"""The share of a table's worth that is winning itself; the rest is by how many points."""


def over(state: State) -> bool:
    """Whether a round has ended: what comes next is another deal."""
    return state.result is not None or state.chance == "deal"


def worths(state: State, before: list[float]) -> list[float]:
    """For each seat between 0 and 1 how good a table is; `before`: the leads from which the lookahead began."""
    ahead = [0.5 + 0.5 * tanh((now - then) / state.NEARLY_WON) for now, then in zip(state.leads(), before, strict=True)]
    if state.result is None:
        return ahead
    winners = state.result.winners
    return [(1 - WINNING) * each + WINNING * (seat in winners) for seat, each in enumerate(ahead)]


def chance_to_win(state: State, seat: int) -> float:
    """How likely a seat wins the game: certain where it is over, else by its lead; alone nothing is won before the end."""
    if state.result is not None:
        winners = state.result.winners
        return (seat in winners) / max(len(winners), 1)
    return 0.5 + 0.5 * tanh(state.leads()[seat] / state.NEARLY_WON) if state.players > 1 else 0.0
