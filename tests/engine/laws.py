"""Helpers for the laws that hold in every game: random games, mutated actions, followed games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from engine.actions import Action
from engine.games import GAMES
from engine.playout import choose, deal_on
from engine.soak import random_rules
from engine.state import State


def random_state(name: str, rng: Random, plies: int | None = None) -> State:
    """A state of a random game by random flags after some actions, not over if that can be helped."""
    kind = GAMES[name]
    state = kind.start(random_rules(name, rng), rng.choice(kind.SEATS), rng)
    for _ in range(rng.randrange(60) if plies is None else plies):
        deal_on(state, rng)
        if state.outcome() is not None:
            break
        state.push(choose(state.legal(), rng))
        if state.outcome() is not None:
            state.pop()
            break
    deal_on(state, rng)
    return state


def mutants(pool: list[Action], rng: Random, count: int) -> Iterator[Action]:
    """Actions made from others of the game by exchanging one value."""
    for _ in range(count):
        action, other = rng.choice(pool), rng.choice(pool)
        values = {name: getattr(action, name) for name, _, _ in action.FORM}
        if type(action) is type(other) and values:
            name = rng.choice(list(values))
            values[name] = getattr(other, name)
            action = type(action)(**values)
        yield action


def follow(full: State, watcher: State, rng: Random, after: Callable[[State, State], None], plies: int) -> None:
    """Play a full game while the watcher, who knows less, is told only what is public; `after` compares them."""

    def tell() -> None:
        while watcher.chance and watcher.chance != full.chance:
            watcher.play(full.answer(watcher))

    for _ in range(plies):
        tell()
        after(full, watcher)
        if full.outcome() is not None:
            return
        action = full.random_chance(rng) if full.chance else choose(full.legal(), rng)
        public = full.public(action)
        verdict = watcher.verify(public)
        assert verdict, f"{public}: {verdict} at {watcher.text()}"
        full.push(action)
        watcher.push(public)


__all__ = ["follow", "mutants", "random_rules", "random_state"]
