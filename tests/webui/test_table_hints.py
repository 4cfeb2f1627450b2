"""Hints on a seat's own page: for that seat alone, from what it sees and has told, and only on its turn."""

from __future__ import annotations

import pickle
import time
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from flask import Flask

from engine.core import UNKNOWN, MalformedError
from engine.games import GAMES, game
from engine.hints.hint import think
from engine.pieces import Tile
from engine.playout import choose, deal_on
from engine.state import State
from referee.hints import Thinker, seat_view
from referee.setting import Setting
from tests.engine.positions import full_positions, positions
from tests.webui.browsing import DESK, PHONE, Screen, needs_chromium, open_chromium, serving
from tests.webui.faketable import FakeTable, dealt
from tests.webui.test_table_routes import HOST, Guest, guest, keys  # noqa: F401 - fixtures
from webui.app import create_app
from webui.cameras.stand import CameraStand
from webui.live.form import moment_form
from webui.live.hints import Adviser
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


def test_of_a_hand_that_was_told_only_what_may_be_led_fits() -> None:
    running, full = dealt("block", 2, 0)
    moment, leads = running.moment(), full.turn
    assert leads is not None
    best = max(tile for tile in full.hands[leads] if tile.is_double)
    assert moment_form(moment, leads, full.hands[leads])["tiles"] == [list(best)]
    assert moment_form(moment, 1 - leads, full.hands[1 - leads])["tiles"] == moment_form(moment, None)["tiles"]
    assert list(best) in moment_form(moment, leads, full.hands[leads][:3] + (best,))["tiles"]  # not all of it is told


@pytest.mark.parametrize("name", ["block", "all-fives", "euronimoes", "engine191"])
def test_the_view_of_a_seat_holds_its_hand_and_no_other(name: str) -> None:
    seen, full = table_and_hands(name, 3, 5)
    for seat in (0, 1):
        view: Any = seat_view(seen, seat, full.hands[seat])
        assert view is not None and sorted(view.hands[seat]) == sorted(full.hands[seat])
        known = [tile for tile in view.hands[1 - seat] if tile != UNKNOWN]
        assert set(known) <= set(seen.hands[1 - seat])


@pytest.mark.parametrize("name", [name for name, kind in GAMES.items() if "hands" in kind.FIELDS])
def test_for_whoever_has_told_her_hand_there_are_tables_that_may_be(name: str) -> None:
    for seed in range(8):
        rng = Random(seed)
        full: Any = game(name)(None, 2)
        seen: Any = game(name)(None, 2)
        while full.outcome() is None and len(full.pushed) < 60:
            if full.turn is not None and not full.chance:
                hand = full.hands[full.turn]
                view: Any = seat_view(seen, full.turn, hand)
                assert sorted(view.sample(rng).hands[full.turn]) == sorted(hand)
            action = full.random_chance(rng) if full.chance else choose(full.legal(), rng)
            seen.push(full.public(action))
            full.push(action)
            while seen.chance not in (None, "deal") and seen.chance != full.chance:
                seen.push(full.answer(seen))


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
    refused = nobody.get("/live/hints", headers=HOST | {"Accept": "application/json"})
    assert refused.status_code == 403 and "seat" in refused.get_json()["error"], "the page shows it"
    assert "turn" in other.get("/live/hints", headers=HOST).get_json()["error"]
    asked = mine.get("/live/hints", headers=HOST)
    assert asked.status_code == 422 and asked.get_json()["error"].startswith("Tell first which")
    sample: Any = state.sample(Random(1))
    running.hands[turn] = tuple(sample.hands[turn])
    before = [visitor.get("/live/table.json", headers=HOST).get_json() for visitor in (other, nobody)]
    told = mine.get("/live/hints", headers=HOST).get_json()
    assert [visitor.get("/live/table.json", headers=HOST).get_json() for visitor in (other, nobody)] == before
    assert all(form["hints"] == "best" and told["hints"][0]["reasons"][0] not in str(form) for form in before)
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


def with_a_choice() -> FakeTable:
    """All Fives for two where the seat to move may lay more than two tiles; it has told its hand."""
    tables = (dealt("all-fives", 2, actions)[0] for actions in range(4, 40))
    running = next(table for table in tables if len(table.moment().state.sample(Random(1)).legal()) > 2)
    state: Any = running.moment().state
    running.hands[state.turn] = tuple(state.sample(Random(1)).hands[state.turn])
    return running


def test_a_first_answer_comes_at_once_and_better_ones_until_it_is_settled() -> None:
    running = with_a_choice()
    state: Any = running.moment().state
    adviser = Adviser(running, seconds=2.0)
    first = adviser.hints(state.turn)
    assert not first["settled"] and first["hints"][0]["gain"] is None
    for _ in range(200):
        told = adviser.hints(state.turn)
        if told["settled"]:
            break
        time.sleep(0.1)
    assert told["settled"] and told["hints"][0]["action"] in [str(action) for action in state.sample(Random(1)).legal()]
    best = told["hints"][0]
    assert best["gain"][1] >= 0 and 0 <= best["chance"][0] <= 100 and best["mark"]["shapes"]


def test_a_hand_over_the_table_does_not_begin_the_thinking_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    running, questions = with_a_choice(), []
    monkeypatch.setattr(Thinker, "ask", lambda self, view, *how: questions.append(view.text()))
    adviser, seat = Adviser(running), running.moment().state.turn or 0
    adviser.hints(seat)
    running.show(word="hand")
    adviser.hints(seat)
    assert len(questions) == 1
    hand = running.hands[seat]
    unseen = next(tile for tile in running.moment().state.unseen() if tile not in hand)  # type: ignore[attr-defined]
    running.hands[seat] = (*hand[1:], unseen)
    adviser.hints(seat)
    assert len(questions) == 2, "another hand is another question"


def test_hints_go_as_far_as_was_agreed(running: FakeTable) -> None:
    state: Any = running.moment().state
    hand = running.hands[state.turn] = tuple(state.sample(Random(1)).hands[state.turn])
    view: Any = seat_view(state, state.turn, hand)
    running.setting = replace(running.setting, hints="legal")
    told = Adviser(running).hints(state.turn)
    assert [each["action"] for each in told["hints"]] == [str(action) for action in view.legal()]
    assert told["settled"] and not any(each["reasons"] for each in told["hints"])
    running.setting = replace(running.setting, hints="nudge")
    (nudge,) = Adviser(running, seconds=0.1).hints(state.turn)["hints"]
    assert nudge["action"] == "" and len(nudge["reasons"]) == 1


def test_how_far_hints_go_is_kept(running: FakeTable) -> None:
    setting = replace(running.setting, hints="nudge")
    kept = setting.to_json()
    assert Setting.from_json(kept) == setting
    assert Setting.from_json({name: value for name, value in kept.items() if name != "hints"}).hints == "best"
    with pytest.raises(MalformedError, match="best, nudge, legal"):
        Setting.from_json(kept | {"hints": "all"})


def test_a_new_question_ends_the_one_before() -> None:
    views = [seat_view(full.project(), full.turn or 0, full.hands[full.turn or 0])
             for full in full_positions("all-fives", 2)]  # fmt: skip
    thinker = Thinker()
    try:
        for seed, view in enumerate(views):
            assert view is not None
            thinker.ask(view, seed, 30.0 if seed == 0 else 0.2, 3)
        until = time.monotonic() + 20
        while (found := thinker.newest()) is None or not found[1]:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert {hint.action for hint in found[0]} <= set(views[1].legal())  # type: ignore[union-attr]
    finally:
        thinker.close()


@pytest.mark.parametrize("name", GAMES)
def test_a_table_and_its_hints_travel_to_another_process_as_they_are(name: str) -> None:
    view = next(positions(name, 1))
    assert pickle.loads(pickle.dumps(view)) == view
    hints = next(think(view, Random(1))).hints(3)
    assert pickle.loads(pickle.dumps(hints)) == hints


@needs_chromium
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("level", ["best", "nudge", "legal"])
def test_a_hint_is_drawn_on_the_table_as_far_as_hints_go(level: str, size: tuple[int, int], app: Flask, keys: Keys,  # noqa: F811
                                                         running: FakeTable, tmp_path: Any) -> None:  # fmt: skip
    choosing = with_a_choice()
    running.actions, running.hands = choosing.actions, choosing.hands
    running.setting = replace(running.setting, hints=level)
    state: Any = running.moment().state
    browser = open_chromium(tmp_path)
    try:
        with serving(app) as url:
            screen = Screen(browser, url)
            screen.resize(size)
            screen.open(f"/join/{keys.seats[state.turn]}")
            screen.touch("hint")
            screen.until(lambda: screen.find_all(".hints li, .hints .tile-choice"))
            screen.until(lambda: not screen.find_all(".hints [role=status]"))
            if level == "nudge":
                assert not screen.find_all(".hinted") and len(screen.find_all(".hints li")) == 1
            else:
                others = screen.find_all('.hints [aria-pressed="false"]')
                for button in [None, *others]:
                    if button is not None:
                        browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", button)
                        button.click()
                    assert screen.find_all(".board .hinted")
                words = screen.text(".hints")
                assert ("% to win" in words) == (level == "best")
            assert screen.complaints() == []
    finally:
        browser.quit()
