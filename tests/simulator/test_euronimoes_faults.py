"""Every rule of Euronimoes that a table shows to be broken is broken by somebody, and nothing else is then wrong."""

from __future__ import annotations

from random import Random

import pytest

from engine.euronimoes.actions import Play
from engine.euronimoes.book import RULE_BOOK
from engine.euronimoes.game import Rules, State
from engine.playout import choose, deal_on
from simulator.staging.euronimoes import EuronimoesStage
from simulator.staging.euronimoes_faults import RULES
from simulator.staging.games import set_table
from simulator.staging.setting import Fault
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.lying import Tile


def faults_of_a_game(players: int, seed: int) -> list[tuple[State, Fault, set[str]]]:
    """One fault before each action of a random game, with the names of the things that it moved."""
    rng = Random(seed)
    state = State(Rules(), players)
    stage = EuronimoesStage(set_table("euronimoes", players, TESTING_SEEDS[seed]))
    deal_on(state, rng)
    found = []
    while state.outcome() is None:
        table = stage.lay(state)
        fault = stage.fault(state, table, stage.lay, rng)
        if fault is not None:
            moved = {thing.name for pair in table.changed(fault.table) for thing in pair if thing is not None}
            found.append((state.copy(), fault, moved))
        stage.lay(state)
        near = [each for each in state.legal() if not isinstance(each, Play) or stage.fits(state.turn or 0, each)]
        state.push(choose(near or state.legal(), rng))
        deal_on(state, rng)
    return found


@pytest.mark.parametrize("players", [2, 3])
def test_every_rule_is_broken_sooner_or_later(players: int) -> None:
    planted = [each for seed in range(3) for each in faults_of_a_game(players, seed)]
    twins = {"stack-two-tiles"}  # a tile that matches the one beneath it is its twin
    assert {fault.rule for _, fault, _ in planted} == set(RULES) - (twins if players == 2 else set())
    assert set(RULES) <= set(RULE_BOOK)
    for state, fault, moved in planted:
        assert moved, fault.rule
        if fault.rule == "out-of-turn":
            assert fault.seat != state.turn
        else:
            other = (state.turn + 1) % players if fault.rule == "must-play" and state.turn is not None else state.turn
            assert fault.seat == other


def test_what_people_do_wrong_leaves_the_state_as_it_was() -> None:
    for state, fault, _ in faults_of_a_game(2, 5):
        tiles = [thing for thing in fault.table if isinstance(thing, Tile)]
        assert len(tiles) == len(state.kit) + (fault.rule == "not-in-set")  # nothing is lost or comes from another set
