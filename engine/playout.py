"""Random games: whole games for soaking and timing, and their lines in the exchange form."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.actions import Action
from engine.core import Flags
from engine.games import game
from engine.state import State


def choose(legal: list[Action], rng: Random) -> Action:
    """Any legal action with equal chance, but `stop` one time in twenty where there is a move."""
    if len(legal) > 1 and legal[-1].kind == "stop":
        return legal[-1] if rng.random() < 0.05 else rng.choice(legal[:-1])
    return rng.choice(legal)


def deal_on(state: State, rng: Random) -> None:
    """Let chance act until a seat is to move or the game is over."""
    while state.chance:
        state.push(state.random_chance(rng))


def random_game(state: State, rng: Random) -> Iterator[tuple[State, list[Action]]]:
    """The same state object at each decision with its legal actions, played at random to the end."""
    deal_on(state, rng)
    while state.outcome() is None:
        legal = state.legal()
        yield state, legal
        state.push(choose(legal, rng))
        deal_on(state, rng)


def seats_of(kind: type[State], number: int, players: int | None) -> int:
    """How many play the game with this number when nobody says: 2, 3, 4, 2, ... where the game is for so many."""
    return players if players is not None else kind.SEATS[number % len(kind.SEATS)]


def dump(name: str, games: int, players: int | None, seed: int, rules: Flags | None = None) -> Iterator[dict[str, Any]]:
    """Random games with full knowledge, one object per decision and one at each game's end (EXCHANGE.md).

    MalformedError for flags that the exchange form cannot express.
    """
    kind = game(name)
    rules = kind.Rules() if rules is None else rules
    rules = kind.dump_rules(rules)
    rng = Random(seed)
    for number in range(games):
        state = kind(rules, seats_of(kind, number, players))
        deal_on(state, rng)
        ply = 0
        head = {"game": name, "rules": rules.values()}
        while state.outcome() is None:
            legal = state.legal()
            action = choose(legal, rng)
            line = head | {"ply": ply, "state": state.to_exchange(), "legal": [each.to_exchange() for each in legal],
                           "action": action.to_exchange()}
            state.push(action)
            while state.chance and state.chance != "deal":  # what belongs to the action: a shuffle and the tile then drawn
                state.push(state.random_chance(rng))
            yield line | {"scores": list(state.scores())}
            deal_on(state, rng)
            ply += 1
        outcome = state.outcome()
        assert outcome is not None
        yield head | {"ply": ply, "state": state.to_exchange(), "legal": [], "action": None, "scores": list(state.scores()),
                      "outcome": {"reason": outcome.reason, "winners": list(outcome.winners), "scores": list(outcome.scores)}}


def perft(state: State, depth: int) -> int:
    """How many sequences of this many actions there are; chance takes what the state's own order says.

    Where chance must be asked the sequence ends there.
    """
    if depth == 0 or state.chance or state.outcome() is not None:
        return 1
    legal = state.legal()
    if depth == 1:
        return len(legal)
    count = 0
    for action in legal:
        state.push(action)
        count += perft(state, depth - 1)
        state.pop()
    return count
