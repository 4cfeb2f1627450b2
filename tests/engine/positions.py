"""Tables in the midst of random games, as the seat to move knows them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.games import game
from engine.playout import choose, deal_on
from engine.state import State

LATEST = {"knock-out": 5}
"""No more actions than this before the position, where a game is short."""


def full_positions(name: str, count: int, seed: int = 5) -> Iterator[State]:
    """So many random tables, everything known, with a choice to make where the game has any."""
    rng, kind = Random(seed), game(name)
    while count:
        state = kind(None, kind.SEATS[count % len(kind.SEATS)])
        deal_on(state, rng)
        for _ in range(rng.randrange(LATEST.get(name, 60))):
            if state.turn is not None:
                state.push(choose(state.legal(), rng))
                deal_on(state, rng)
        while state.turn is not None and len(state.legal()) < 2 and name != "elimination":
            state.push(state.legal()[0])
            deal_on(state, rng)
        if state.turn is not None:
            count -= 1
            yield state.copy()


def positions(name: str, count: int, seed: int = 5) -> Iterator[State]:
    """The same as the seat to move knows them."""
    for state in full_positions(name, count, seed):
        yield state.view(state.turn or 0)
