"""Hints on a seat's own page: for that seat alone, from what it sees and has told, and only on its turn."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from flask import Flask

from engine.core import UNKNOWN
from engine.games import game
from engine.pieces import Tile
from engine.playout import choose, deal_on
from engine.state import State
from referee.hints import seat_view
from tests.webui.faketable import FakeTable, dealt
from tests.webui.test_table_routes import HOST, Guest, guest, keys  # noqa: F401 - fixtures
from webui.app import create_app
from webui.cameras.stand import CameraStand
from webui.live.keys import Keys


def table_and_hands(name: str, seed: int, actions: int) -> tuple[State, Any]:
    """What a camera knows of a game, and the hands that players hold."""
    rng = Random(seed)
    full: Any = game(name)(None, 2)
    deal_on(full, rng)
    for _ in range(actions):
        full.push(choose(full.legal(), rng))
        deal_on(full, rng)
    return full.project(), full


@pytest.mark.parametrize("name", ["block", "all-fives", "euronimoes", "engine191"])
def test_the_view_of_a_seat_holds_its_hand_and_no_other(name: str) -> None:
    seen, full = table_and_hands(name, 3, 5)
    for seat in (0, 1):
        view: Any = seat_view(seen, seat, full.hands[seat])
        assert view is not None and sorted(view.hands[seat]) == sorted(full.hands[seat])
        known = [tile for tile in view.hands[1 - seat] if tile != UNKNOWN]
        assert set(known) <= set(seen.hands[1 - seat])  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["block", "euronimoes"])
def test_a_hand_that_cannot_be_is_not_taken(name: str) -> None:
    seen, full = table_and_hands(name, 3, 5)
    hand = list(full.hands[0])
    assert seat_view(seen, 0, hand[1:]) is None
    lying = full.root if name == "block" else next(tile for tile in full.market if tile is not None)
    copies = 1 if name == "block" else full.kit.copies
    assert seat_view(seen, 0, [*hand[:-copies], *[lying] * copies]) is None


@pytest.fixture
def running() -> FakeTable:
    """All Fives for two, as a camera knows it; seat 0 holds the tiles it was dealt."""
    return dealt("all-fives", 2, 4)[0]


@pytest.fixture
def app(reader: Any, running: FakeTable, keys: Keys) -> Flask:  # noqa: F811
    return create_app(reader, own_names=lambda: ["localhost", "192.168.1.20"], lan_hosts=lambda: ("192.168.1.20",),
                      table=running, keys=keys, stand=CameraStand())  # fmt: skip


def test_only_the_seat_whose_turn_it_is_gets_hints_and_first_tells_its_tiles(
    guest: Guest, keys: Keys, running: FakeTable,  # noqa: F811
) -> None:  # fmt: skip
    state: Any = running.moment().state
    turn = state.turn
    mine, other, nobody = guest(keys.seats[turn]), guest(keys.seats[1 - turn]), guest("")
    assert nobody.get("/live/hints", headers=HOST).status_code == 403
    assert "turn" in other.get("/live/hints", headers=HOST).get_json()["error"]
    asked = mine.get("/live/hints", headers=HOST)
    assert asked.status_code == 422 and asked.get_json()["error"].startswith("Tell first which")
    sample: Any = state.sample(Random(1))
    running.hands[turn] = tuple(sample.hands[turn])
    told = mine.get("/live/hints", headers=HOST).get_json()
    legal = [str(action) for action in sample.view(turn).legal()]
    assert told["hints"] and all(each["action"] in legal and each["reasons"] for each in told["hints"])
    assert other.get("/live/hints", headers=HOST).status_code == 422
    running.hands[turn] = running.hands[turn][1:]  # a hand told anew is not answered with the hints for the old one
    assert mine.get("/live/hints", headers=HOST).status_code == 422


def test_hands_of_others_do_not_change_the_hints(guest: Guest, keys: Keys, running: FakeTable) -> None:  # noqa: F811
    state: Any = running.moment().state
    turn = state.turn
    running.hands[turn] = tuple(state.sample(Random(1)).hands[turn])
    view = seat_view(state, turn, running.hands[turn])
    running.hands[1 - turn] = tuple(Tile(0, 0) for _ in state.hands[1 - turn])
    assert seat_view(state, turn, running.hands[turn]) == view
