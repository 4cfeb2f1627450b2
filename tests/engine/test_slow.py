"""The legal actions and the perft counts agree with the slow second move generators."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.actions import action_from_exchange
from engine.games import GAMES, state_from_text
from engine.playout import perft
from engine.state import State
from tests.engine.laws import random_state
from tests.engine.slow import SLOW

CORPUS = [line.split(" ", 2) for line in Path(__file__).with_name("perft.txt").read_text().splitlines()
          if line and not line.startswith("#")]


def slow_legal(state: State) -> list[dict[str, Any]]:
    history = {"leader": getattr(state, "leader", None), "given": getattr(state, "given", False)}
    return SLOW[state.game](state.rules.values(), json.loads(json.dumps(state.to_exchange())), history)


def canonical(actions: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(action, sort_keys=True) for action in actions)


def slow_perft(state: State, depth: int) -> int:
    if depth == 0 or state.chance or state.outcome() is not None:
        return 1
    moves = slow_legal(state)
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        state.push(action_from_exchange(state.ACTIONS, move))
        count += slow_perft(state, depth - 1)
        state.pop()
    return count


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_both_generators_list_the_same_actions(name: str, seed: int) -> None:
    state = random_state(name, Random(seed))
    assert canonical([action.to_exchange() for action in state.legal()]) == canonical(slow_legal(state))


@pytest.mark.parametrize(("depth", "count", "text"), CORPUS)
def test_the_corpus_counts_by_both_generators(depth: str, count: str, text: str) -> None:
    state = state_from_text(text)
    before = state.text()
    assert perft(state, int(depth)) == int(count)
    assert state.text() == before
    if int(count) < 4000:
        assert slow_perft(state, int(depth)) == int(count)


def test_every_game_is_in_the_corpus() -> None:
    assert {text.split(" ")[0] for _, _, text in CORPUS} == set(GAMES)
