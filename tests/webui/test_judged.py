"""How well a game was played: judged for each seat by what it knew, on demand, and a reading marked as wrong."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.core import UNKNOWN
from engine.games import game
from engine.hints.hint import think
from engine.pieces import Tile
from referee.hints import seat_view
from referee.setting import Setting, seated
from tests.webui.browsing import DESK, Screen, needs_chromium, open_chromium, serving
from tests.webui.faketable import FakeTable, dealt, picture
from tests.webui.test_table_hints import table_and_hands
from webui.app import create_app
from webui.live.judged import Judge, choices, shown_later
from webui.live.keys import COOKIE, Keys
from webui.live.review import after, running
from webui.live.room import Room
from webui.live.running import Do, Tell
from webui.live.told import chance_action

READER: Any = None
LAN = {"REMOTE_ADDR": "192.168.1.30"}


def ended(name: str = "block", seed: int = 2) -> tuple[FakeTable, Any]:
    """A game that is over, and its state with all hands known."""
    return dealt(name, game(name).SEATS[0], 1000, seed)


def nothing_told(seat: int, number: int) -> tuple[Tile, ...]:
    return ()


def test_hands_are_known_by_what_is_laid_and_shown_later_and_are_those_that_were_held() -> None:
    found = 0
    for seed in range(6):
        table, full = ended(seed=seed)
        played, true, held = running(table.moment()), table.setting.new_state(), []
        for action in full.pushed:
            if isinstance(action, true.ACTIONS):
                held.append(list(true.hands[true.turn]))  # type: ignore[index]
            true.push(action)
        states = [after(played, step).state for step in range(len(played.entries) + 1)]
        plays = [at for at, entry in enumerate(played.entries) if isinstance(entry.action, true.ACTIONS)]
        for at, hand in zip(plays, held, strict=True):
            known = shown_later(played.entries[at:], states[at:], states[at].turn or 0)
            if len(known) == len(hand):
                found += 1
                assert sorted(known) == sorted(hand)
    assert found > 20


def test_what_was_done_is_looked_at_as_closely_as_all_else_together() -> None:
    view: Any = next(filter(None, map(choosing, range(4, 30))))
    for action in view.legal():
        advice = next(each for each in think(view, Random(1), also=action) if each.settled or each.looks >= 100)
        best, *_, done = advice.hints(2)
        assert done.action == action and done.lead is not None and best.action in view.legal()


def choosing(actions: int) -> Any:
    """A seat's view where it may lay more than two tiles."""
    seen, full = table_and_hands("all-fives", 3, actions)
    view: Any = seat_view(seen, seen.turn or 0, full.hands[seen.turn or 0]) if seen.turn is not None and not seen.chance else None
    return view if view is not None and len(view.legal()) > 2 else None


def test_the_hands_of_others_change_nothing_and_a_hand_that_nobody_knows_is_not_judged() -> None:
    played = running(ended()[0].moment())
    asked: list[int] = []

    def told(seat: int, number: int) -> tuple[Tile, ...]:
        asked.append(seat)
        return ()

    found = list(choices(played, (1,), told))
    assert set(asked) == {1} and all(each is None or each.seat == 1 for each in found)
    judged = [each for each in found if each is not None]
    assert judged
    for choice in judged:
        view: Any = choice.view
        shown = [entry.action for entry in played.entries[: choice.step - 1] if entry.action and entry.action.kind == "show"]
        assert shown or all(tile == UNKNOWN for tile in view.hands[0])


def test_a_game_is_judged_play_by_play_until_all_is_known() -> None:
    played = running(ended("euronimoes")[0].moment())
    judge, until = Judge(seconds=0.1), time.monotonic() + 100
    seen = [judge.judged(played, (0, 1), nothing_told)]
    while seen[-1]["done"] < seen[-1]["of"]:
        assert time.monotonic() < until
        seen.append(judge.judged(played, (0, 1), nothing_told))
        time.sleep(0.05)
    assert seen[0]["done"] < seen[0]["of"] and all(play["cost"] >= 0 for play in seen[-1]["plays"])
    assert all(0 < play["step"] <= len(played.entries) for play in seen[-1]["plays"])


def test_two_who_ask_in_turn_are_both_told_and_what_one_knows_is_not_told_the_other() -> None:
    played = running(ended("euronimoes")[0].moment())
    judge, until = Judge(seconds=0.02), time.monotonic() + 100
    ways: list[tuple[tuple[int, ...], Any]] = [((0,), nothing_told), ((1,), nothing_told), ((0,), None)]
    while True:
        told = [judge.judged(played, seats, hand) for seats, hand in ways]
        if all(each["done"] == each["of"] for each in told):
            break
        assert time.monotonic() < until
        time.sleep(0.01)
    assert {play["seat"] for play in told[1]["plays"]} <= {1} and told[0]["of"] and told[1]["of"]
    asked: list[int] = []

    def own(seat: int, number: int) -> tuple[Tile, ...]:
        asked.append(seat)
        return ()

    judge.judged(running(ended()[0].moment()), (0,), own)
    before = len(asked)
    judge.judged(running(ended()[0].moment()), (0,), None)  # somebody at that seat whose game it was not
    assert asked and before == len(asked)


def client_of(table: Any, keys: Keys, key: str = "") -> FlaskClient:
    client = create_app(READER, own_names=lambda: ["localhost"], lan_hosts=tuple, table=table, keys=keys).test_client()
    client.environ_base |= LAN
    client.set_cookie(COOKIE, key)
    return client


def test_only_who_plays_has_a_game_judged_and_only_when_it_is_over() -> None:
    keys = Keys()
    for table, status in ((dealt("block", 2, 4)[0], 422), (ended()[0], 200)):
        assert client_of(table, keys).get("/live/judged.json").status_code == 403
        assert client_of(table, keys, keys.seats[0]).get("/live/judged.json").status_code == status


def test_a_seat_is_judged_alone_and_asks_for_no_hand_but_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    table, keys = ended()[0], Keys()
    asked = set()

    def told(self: FakeTable, name: str, seat: int, number: int) -> tuple[Tile, ...]:
        asked.add(seat)
        return ()

    monkeypatch.setattr(FakeTable, "told", told)
    client_of(table, keys, keys.seats[1]).get("/live/judged.json")
    assert asked == {1}
    asked.clear()
    client_of(table, keys, keys.host).get("/live/judged.json")
    assert not asked


def test_what_a_seat_had_told_is_found_again_at_every_entry(tmp_path: Path) -> None:
    room = Room(tmp_path, READER, Setting("block", game("block").Rules(), seated(("Ann", "Ben"))))
    table = room.table

    def do(deed: Any) -> None:
        table.do(table.moment().version, "host", deed)

    do(Do(chance_action(table.moment().state, (), 0)))
    lead: Any = table.moment().state.legal()[0]
    hand = (lead.tile, *[tile for tile in table.moment().state.unseen() if tile != lead.tile][:6])  # type: ignore[attr-defined]
    do(Tell(0, hand))
    do(Do(lead))
    number = table.moment().entries[-1].number
    assert table.told("", 0, number) == hand and lead.tile not in table.hand(0)
    assert table.told("", 1, number) == () and table.told("", 0, 1) == ()
    room.close()


def test_a_reading_is_marked_as_wrong_and_stays_so(tmp_path: Path) -> None:
    room = Room(tmp_path, READER)
    with pytest.raises(ValueError, match="no such picture"):
        room.table.misread("0" * 32)
    room.shelf.misread("ab" * 16, True)
    assert room.table.misreadings == {"ab" * 16}
    room.shelf.misread("ab" * 16, False)
    assert room.table.misreadings == frozenset()
    room.close()


@needs_chromium
@pytest.mark.parametrize(("name", "seed"), [("knock-out", 2), ("euronimoes", 2)])
def test_a_game_that_is_over_is_compared_with_the_hints_or_a_reading_marked(name: str, seed: int, tmp_path: Path) -> None:
    table, browser = ended(name, seed)[0], open_chromium(tmp_path)
    table.pictures["after"] = picture("the play")
    seen = [at for at, entry in enumerate(running(table.moment()).entries, 1) if entry.pictures]
    try:
        with serving(create_app(READER, own_names=lambda: ["localhost"], lan_hosts=tuple, table=table)) as url:
            screen = Screen(browser, url)
            screen.resize(DESK)
            screen.open("/table")
            screen.until(lambda: screen.find_all('[data-ready="true"]'))
            assert not screen.find("#enter").is_displayed()
            screen.open("/review")
            if seen:
                screen.touch(f"step-{seen[0]}")
                screen.touch("misread")
                screen.until(lambda: table.misreadings == {"after"})
            else:
                screen.touch("judge")
                screen.until(lambda: "compared with the best" in screen.text(".judged"))
                screen.find(".judged .review-step").click()
                screen.until(lambda: "The hint" in screen.text('[data-part="verdict"]'))
            screen.touch("picture")
            assert screen.complaints() == []
    finally:
        browser.quit()
