"""How made-up games go on: any legal action that has room on the table, stacks preferred."""

from __future__ import annotations

from random import Random

from engine.actions import Action
from engine.playout import choose, deal_on
from engine.state import State
from simulator.staging.players import Stage

UPON = 0.8
"""Share of the plays in which a tile is laid upon others where that can be done."""


def play_on(state: State, stage: Stage, rng: Random, actions: int) -> None:
    """Go on by so many actions, or to the end."""
    for _ in range(actions):
        if state.outcome() is None:
            state.push(_chosen(state, stage, rng))
            deal_on(state, rng)


def _chosen(state: State, stage: Stage, rng: Random) -> Action:
    """Any legal action that has room on the table; mostly one that lays a tile upon others, where there is one."""
    legal = state.legal()
    fits = getattr(stage, "fits", None)
    if fits is not None:
        legal = [each for each in legal if each.kind != "play" or fits(state.turn, each)] or legal
    upon = [each for each in legal if getattr(each, "level", 1) > 1]
    return rng.choice(upon) if upon and rng.random() < UPON else choose(legal, rng)
