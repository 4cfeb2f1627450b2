"""What is measured of tables: games that are under way."""

from __future__ import annotations

from random import Random

import pytest

from engine.games import game
from simulator.staging.games import set_table, stage_of
from simulator.tabletop.look import TESTING_SEEDS
from trials.table import _in_mid_game


@pytest.mark.parametrize("name", ["knock-out", "solitaire", "block"])
def test_tables_are_measured_in_games_that_have_not_ended(name: str) -> None:
    kind, stage = game(name), stage_of(name, set_table(name, game(name).SEATS[0], TESTING_SEEDS[2100]))
    states = [_in_mid_game(kind, kind.SEATS[0], stage, Random(seed)) for seed in range(2100, 2106)]
    assert all(state.outcome() is None for state in states)
    assert any(len(state.pushed) > 1 for state in states)
