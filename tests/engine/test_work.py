"""A decision late in a game costs no more than one early on, but for what lies on the table; by counts, not by the clock."""

from __future__ import annotations

import sys
from random import Random
from types import FrameType
from typing import Any

import pytest

from engine.games import GAMES
from engine.state import State

LONG = {"dominoids": "max_turns=120", "engine191": "token_tie=play_on"}


class Work:
    """Counts the lines of Python that run while it is on."""

    def __init__(self) -> None:
        self.lines = 0

    def __enter__(self) -> None:
        sys.settrace(self._trace)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.lines += event == "line"
        return self._trace


def size(state: State, legal: int) -> int:
    """How much there is to look at: the actions to choose from, and what lies on the table."""
    return 10 + legal + len(str(state.to_exchange())) // 10


def costs(name: str, seed: int) -> list[tuple[int, int]]:
    """Of each decision of a game: lines run for listing, doing and asking the outcome, and the size of the table."""
    rng = Random(seed)
    kind = GAMES[name]
    state = kind.start(kind.Rules.parse(LONG.get(name, "")), kind.SEATS[-1], rng)
    found: list[tuple[int, int]] = []
    while state.outcome() is None and len(found) < 1500:
        if state.chance:
            state.push(state.random_chance(rng))
            continue
        work = Work()
        with work:
            legal = state.legal()
        action = rng.choice(legal)
        large = size(state, len(legal))
        with work:
            state.push(action)
            state.outcome()
        found.append((work.lines, large))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_late_decision_costs_no_more_than_an_early_one_but_for_the_table(name: str) -> None:
    costs(name, 99)  # fill the tables of plays that are made once
    thirds: list[list[tuple[int, int]]] = [[], [], []]
    for seed in range(12 if 1 in GAMES[name].SEATS else 2):
        game = costs(name, seed)
        for number, decision in enumerate(game):
            thirds[3 * number // len(game)].append(decision)
    (early_work, early_size), _, (late_work, late_size) = (
        [sum(values) / len(part) for values in zip(*part, strict=True)] for part in thirds)
    assert late_work / early_work < 1.25 * max(1, late_size / early_size)
