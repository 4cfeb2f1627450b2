"""Random games of every kind by random flags, with the laws that hold in all of them checked on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from random import Random
from typing import Any

from engine.core import MalformedError
from engine.games import GAMES
from engine.playout import choose
from engine.state import State

LONGEST = 60_000
"""No random game has more actions than this, chance included; the one-player Solitaire and Dominoids may wander."""

CHECK_EVERY = 97
"""Actions between two states whose laws are checked."""

FIRST_CHECK = 20
"""The first state checked comes before this action, so that short games are checked too."""


class BrokenLawError(AssertionError):
    """A law does not hold; says which, in which game and state."""


def random_rules(name: str, rng: Random) -> Any:
    """Each flag as usual or another way, half and half; games that need not end are cut after some turns."""
    kind = GAMES[name]
    values = {}
    for each in fields(kind.Rules):
        facts = each.metadata
        choices = [choice for choice in facts["choices"] if choice is not int]
        if facts["numbers"]:
            choices.append(rng.choice(facts["numbers"]))
        if facts["ends"]:
            choices = choices[-1:]
        values[each.name] = choices[0] if rng.random() < 0.5 else rng.choice(choices)
    return kind.Rules.of(values)


def soak(games: int, seed: int, every: int = CHECK_EVERY) -> Iterator[str]:
    """Play so many random games, in turn of every kind, and name the game of each; raises at the first broken law."""
    rng = Random(seed)
    names = list(GAMES)
    for number in range(games):
        name = names[number % len(names)]
        kind = GAMES[name]
        state = kind(random_rules(name, rng), rng.choice(kind.SEATS))
        try:
            _play(state, rng, every)
        except (MalformedError, BrokenLawError, ArithmeticError, LookupError, TypeError, ValueError, AssertionError) as error:
            raise BrokenLawError(f"game {number} (seed {seed}), {name}: {error} in {state.text()}") from error
        yield name


def _play(state: State, rng: Random, every: int) -> None:
    due = rng.randrange(1, FIRST_CHECK)
    for ply in range(LONGEST):
        if state.outcome() is not None:
            return
        if state.chance:
            action = state.random_chance(rng)
        else:
            legal = state.legal()
            law(bool(legal), "there is a legal action or an outcome")
            action = choose(legal, rng)
        if ply == due:
            due += every
            check(state, rng)
            law(bool(state.verify(action)), f"{action} is legal, so it verifies")
            before, fields = state.text(), state.fields()
            state.push(action)
            law(state.pop() == action and state.fields() == fields and state.text() == before, "pop takes back a push")
        state.push(action)
    law(False, f"a random game ends within {LONGEST} actions")


def check(state: State, rng: Random) -> None:
    """The laws of one state: its text and its views survive, and a sample agrees with its view."""
    law(type(state).from_text(state.text()) == state, "a state survives being written")
    law(len(set(state.legal())) == len(state.legal()), "no action is listed twice")
    view = state.view(rng.randrange(state.players))
    law(type(state).from_text(view.text()) == view, "a view survives being written")
    sample = view.sample(rng)
    if not state.chance:
        law(sample.project() == state.project(), "a sample looks like the table it was made from")
        law(bool(sample.legal()), "a sample has a legal action")
    for seat in range(state.players):
        law(sum(points for _, points in state.score_parts(seat)) == state.scores()[seat], "the parts of a score add up")


def law(holds: bool, what: str) -> None:
    """BrokenLawError unless it holds."""
    if not holds:
        raise BrokenLawError(f"broken: {what}")
