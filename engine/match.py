"""Which of two bots is the better player: the same deals twice, with the seats exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev

from engine.bots import Bot
from engine.core import Flags
from engine.estimates import NORMAL, Estimate, student
from engine.state import State

LONGEST = 4000
"""Actions after which a game that does not end is stopped and scored as it lies."""

@dataclass(frozen=True, slots=True)
class Pair:
    """One deal played twice. difference: points of the first bot ahead, on average; won: its share of the wins, 0 to 1.

    alone: in a game for one, whether each bot won it.
    """

    difference: float
    won: float
    alone: tuple[bool, bool] | None = None


def match(kind: type[State], rules: Flags | None, bots: tuple[Bot, Bot], pairs: int, seed: int = 0) -> Iterator[Pair]:
    """Play so many deals, each twice: by two seats with the bots exchanged, alone by each bot."""
    players = 2 if 2 in kind.SEATS else kind.SEATS[0]
    for number in range(pairs):
        seats = (bots, bots[::-1]) if players == 2 else ((bots[0],), (bots[1],))
        ends = [_played(kind(rules, players), each, f"{seed} {number}") for each in seats]
        if players == 1:
            alone = [end.leads()[0] for end in ends]
            first, second = (end.result is not None and bool(end.result.winners) for end in ends)
            yield Pair(alone[0] - alone[1], _share(alone[0] - alone[1]), (first, second))
        else:
            ahead = [ends[0].leads()[0], ends[1].leads()[1]]
            won = [_won(ends[0], 0, ahead[0]), _won(ends[1], 1, ahead[1])]
            yield Pair(fmean(ahead), fmean(won))


def _played(state: State, bots: tuple[Bot, ...], seed: str) -> State:
    """The end of a game. Chance and bots have numbers of their own, so that a deal does not depend on who thinks."""
    chance, thoughts = Random(f"{seed} chance"), Random(f"{seed} thoughts")
    for _ in range(LONGEST):
        while state.chance:
            state.push(state.random_chance(chance))
        if state.turn is None:
            break
        state.push(bots[state.turn](state.view(state.turn), thoughts))
    return state


def _won(end: State, seat: int, lead: float) -> float:
    if end.result is None:
        return _share(lead)
    winners = end.result.winners
    return (seat in winners) / len(winners) if winners else 0.5


def _share(lead: float) -> float:
    return 0.5 if lead == 0 else float(lead > 0)


def mean_difference(pairs: Sequence[Pair]) -> Estimate:
    """How far the first bot is ahead, with the interval of Student's t distribution; where all pairs are alike nothing is
    known of how they spread, and the interval is unbounded."""
    values = [pair.difference for pair in pairs]
    mean = fmean(values)
    spread = stdev(values) if len(values) > 1 else 0.0
    around = student(len(values) - 1) * spread / sqrt(len(values)) if spread else inf
    return Estimate(mean, mean - around, mean + around)


def share_won(pairs: Sequence[Pair]) -> Estimate:
    """What the first bot wins of all, with Wilson's interval over the pairs (Wilson 1927); a share of a pair spreads no more
    than winning all of it or none, so the interval is wide enough."""
    count, share = len(pairs), fmean(pair.won for pair in pairs)
    middle = (share + NORMAL**2 / (2 * count)) / (1 + NORMAL**2 / count)
    around = NORMAL / (1 + NORMAL**2 / count) * sqrt(share * (1 - share) / count + (NORMAL / (2 * count)) ** 2)
    return Estimate(share, max(0.0, middle - around), min(1.0, middle + around))
