"""Solving a round that is nearly over: on every table that may be, all seats play as well as can be from there on.

Where one table remains (two players, an empty boneyard) that is perfect play. Where several do, an action is worth its mean
over them, as if everybody saw all hands after it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from engine.actions import Action
from engine.estimates import Tally
from engine.hints.worth import chance_to_win, over
from engine.state import State

MOST_WORLDS = 200
"""With more tables that may be, looking ahead is better."""

MOST_POSITIONS = 20_000
"""So many positions are looked at in all; what takes more is not solved."""

Value = tuple[tuple[float, float], ...]
"""For each seat its lead at the end of the round and its chance to win the game."""


class TooLongError(Exception):
    """There are more positions than may be looked at."""


class Solver:
    """Solves tables on which everything is known, and remembers what it has solved."""

    def __init__(self, most: int = MOST_POSITIONS) -> None:
        self.left = most
        self._known: dict[Hashable, Value] = {}

    def value(self, state: State) -> Value:
        """How the round ends when every seat does what leaves it furthest ahead; TooLongError."""
        if over(state):
            return tuple((lead, chance_to_win(state, seat)) for seat, lead in enumerate(state.leads()))
        key = state.position()
        found = self._known.get(key)
        if found is None:
            self.left -= 1
            if self.left < 0 or state.turn is None:
                raise TooLongError
            found = self._known[key] = self._best(state, state.turn)
        return found

    def _best(self, state: State, seat: int) -> Value:
        values = []
        for action in state.legal():
            state.push(action)
            values.append(self.value(state))
            state.pop()
        return max(values, key=lambda value: value[seat])


@dataclass(slots=True)
class Ends:
    """How the tables solved so far end after an action: what the seat gains, and its chance to win."""

    lead: Tally = field(default_factory=Tally)
    chance: Tally = field(default_factory=Tally)


def solve(view: State, actions: Sequence[Action], rng: Random) -> Iterator[tuple[dict[Action, Ends], bool]]:
    """After each table that may be, how the actions end on those solved so far; and whether it was the last.

    Tables come in random order, so that those solved are a fair sample of all. Ends early where it would take too long.
    """
    seat = view.turn or 0
    worlds = view.worlds(MOST_WORLDS) or []
    rng.shuffle(worlds)
    ends, solver = {action: Ends() for action in actions}, Solver()
    for number, (world, weight) in enumerate(worlds, 1):
        before = world.leads()[seat]
        try:
            for action in actions:
                world.push(action)
                lead, chance = solver.value(world)[seat]
                world.pop()
                ends[action].lead.add(lead - before, weight)
                ends[action].chance.add(chance, weight)
        except TooLongError:
            return
        yield ends, number == len(worlds)
        if (MOST_POSITIONS - solver.left) * len(worlds) > 2 * number * MOST_POSITIONS:
            return
