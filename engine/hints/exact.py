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

A_TABLE, AT_FIRST = 2_000, 4_000
"""So many positions are looked at for each table, and so many more for the first ones, of which the others make use. What takes
more is not solved."""

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

    def __init__(self, most: int) -> None:
        self.left = most  # positions that may be looked at
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


def solve(view: State, actions: Sequence[Action], rng: Random) -> Iterator[tuple[dict[Action, Ends], bool]]:
    """After each table that may be, how the actions end on those solved so far; and whether it was the last.

    Tables come in random order, so that those solved are a fair sample of all. Ends early where it would take too long.
    """
    seat = view.turn or 0
    worlds = view.worlds(MOST_WORLDS) or []
    rng.shuffle(worlds)
    ends, solver = {action: Ends() for action in actions}, Solver(AT_FIRST)
    for number, (world, weight) in enumerate(worlds, 1):
        solver.left += A_TABLE
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
