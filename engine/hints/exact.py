"""Solving a round that is nearly over: on every table that may be, all seats play as well as can be from there on.

Where one table remains (two players, an empty boneyard) that is perfect play. Where several do, an action is worth its mean
over them, as if everybody saw all hands after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from random import Random

from engine.actions import Action
from engine.estimates import Tally
from engine.hints.worth import chance_to_win, over
from engine.state import State

MOST_WORLDS = 200
"""With more tables that may be, looking ahead is better."""

SLICE, SLICES = 2_500, 50
"""So many positions are looked at before anything is told, and so often; what takes more is not solved."""

ENOUGH_TABLES = 10
"""Where only some of the tables are solved, so many say more than looking ahead does."""

Gain = tuple[float, float]
"""A lead at the end of the round, and the chance to win the game."""

Value = tuple[Gain, ...]
"""That of each seat."""

LEAST, MOST = (-inf, -inf), (inf, inf)


class TooLongError(Exception):
    """There are more positions than may be looked at."""


class Solver:
    """Solves tables on which everything is known, and remembers what it has solved.

    What one of two seats gains the other loses: there a play is left as soon as it is known to be no better than another
    (alpha-beta; Knuth and Moore 1975), and what is remembered may be a bound alone.
    """

    def __init__(self) -> None:
        self.left = SLICE  # positions that may still be looked at
        self._known: dict[Hashable, tuple[Value, bool, bool]] = {}  # and whether the first seat gains as much at least, at most
        self._enough: Counter[Action] = Counter()  # how often nothing had to be looked at after an action

    def value(self, state: State, low: Gain = LEAST, high: Gain = MOST) -> Value:
        """How the round ends when every seat does what leaves it furthest ahead; TooLongError.

        low, high: between these the first of two seats' gain matters; what lies beyond may be told as a bound.
        """
        if over(state):
            return tuple((lead, chance_to_win(state, seat)) for seat, lead in enumerate(state.leads()))
        legal = state.legal()
        if len(legal) == 1:
            state.push(legal[0])
            value = self.value(state, low, high)
            state.pop()
            return value
        key = state.position()
        if (known := self._known.get(key)) is not None:
            value, least, most = known
            if (least and most) or (least and value[0] >= high) or (most and value[0] <= low):
                return value
        self.left -= 1
        if self.left < 0 or state.turn is None:
            raise TooLongError
        best = self._best(state, legal, state.turn, low, high)
        self._known[key] = best, best[0] > low, best[0] < high
        return best

    def _best(self, state: State, legal: list[Action], seat: int, low: Gain, high: Gain) -> Value:
        best: Value = ()
        for action in sorted(legal, key=self._enough.__getitem__, reverse=True):
            state.push(action)
            value = self.value(state, low, high)
            state.pop()
            if not best or value[seat] > best[seat]:
                best = value
            if state.players > 2:
                continue
            if seat == 0:
                low = max(low, best[0])
            else:
                high = min(high, best[0])
            if low >= high:
                self._enough[action] += 1
                break
        return best


@dataclass(slots=True)
class Ends:
    """How the tables solved so far end after an action: what the seat gains, and its chance to win."""

    lead: Tally = field(default_factory=Tally)
    chance: Tally = field(default_factory=Tally)


def solve(view: State, actions: Sequence[Action], rng: Random) -> Iterator[tuple[dict[Action, Ends], bool] | None]:
    """How the actions end on the tables solved so far, and whether these are all that may be; None where they are too few yet.

    Tables come in random order, so that those solved are a fair sample of all. Ends early where it would take too long.
    """
    worlds = view.worlds(MOST_WORLDS) or []
    rng.shuffle(worlds)
    ends, solver = {action: Ends() for action in actions}, Solver()
    slices = 0
    for number, (world, weight) in enumerate(worlds, 1):
        while (values := _solved(world, actions, solver)) is None:
            slices += 1
            if slices == SLICES:
                return
            yield None
        for action, (lead, chance) in values.items():
            ends[action].lead.add(lead, weight)
            ends[action].chance.add(chance, weight)
        yield (ends, number == len(worlds)) if number >= min(ENOUGH_TABLES, len(worlds)) else None


def _solved(world: State, actions: Sequence[Action], solver: Solver) -> dict[Action, Gain] | None:
    """What each action gains on a table; None where it takes longer, and what was found is remembered for the next time."""
    seat, values = world.turn or 0, {}
    before = world.leads()[seat]
    solver.left = SLICE
    for action in actions:
        try:
            lead, chance = solver.value(world.after(action))[seat]
        except TooLongError:
            return None
        values[action] = lead - before, chance
    return values
