"""Looking back: every game of a table step by step, without what only a seat may see; the rule book, opened at a rule."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from cli.rule_drawings import drawings
from engine.core import Verdict
from engine.games import GAMES, game
from engine.pieces import Tile
from referee import shelf
from referee.journal import Entry, legible
from referee.setting import Setting, seated
from tests.webui.browsing import PHONE, Screen, needs_chromium, open_chromium, serving
from tests.webui.faketable import FakeTable, dealt, table
from webui.app import create_app
from webui.delivery import STATIC
from webui.live.form import scene
from webui.live.review import in_short, running, statistics
from webui.live.room import Room
from webui.live.running import Begin, Do, Fault
from webui.live.told import chance_action

READER: Any = None


def client_of(running: Any) -> FlaskClient:
    """A browser on the same machine."""
    return create_app(READER, own_names=lambda: ["localhost"], lan_hosts=tuple, table=running).test_client()


def test_every_step_shows_the_table_as_it_was(tmp_path: Path) -> None:
    running = dealt("euronimoes", 2, 12)[0]
    client, state = client_of(running), running.setting.new_state()
    count = len(running.actions)
    for step in range(count + 1):
        told = client.get(f"/live/review.json?step={step}").get_json()
        assert (told["step"], told["steps"]) == (step, count)
        assert told["scene"] == scene(state) and [each["score"] for each in told["players"]] == list(state.scores())
        if step < count:
            state.push(running.actions[step][0])
    assert client.get("/live/review.json?step=9999").get_json()["step"] == count


def test_a_hand_that_a_seat_has_told_is_not_looked_back_on() -> None:
    running = dealt("block", 2, 6)[0]
    running.hands[0] = (Tile(1, 2), Tile(3, 4))
    told = client_of(running).get("/live/review.json").get_json()
    assert told["you"] is None and [each["hand"] for each in told["players"]] == [None, None]


def test_games_of_before_can_be_looked_back_on(tmp_path: Path) -> None:
    room = Room(tmp_path, READER, Setting("block", game("block").Rules(), seated(("Ann", "Ben"))))
    assert "Games at this table" not in client_of(room.table).get("/review").get_data(as_text=True)
    room.table.do(room.table.moment().version, "host", Do(chance_action(room.table.moment().state, (), 0)))
    lead = room.table.moment().state.legal()[0]
    room.table.do(room.table.moment().version, "host", Do(lead))
    assert room.table.past() == ()
    room.table.do(room.table.moment().version, "host", Begin(Setting("matador", game("matador").Rules(), seated(("Cem", "Dee")))))
    client = client_of(room.table)
    (before,) = room.table.past()
    page = client.get(f"/review?game={before.name}").get_data(as_text=True)
    assert "Block &amp; Draw: Ann, Ben" in page and "Ann leads the" in page and "Games at this table" in page
    told = client.get(f"/live/review.json?game={before.name}").get_json()
    assert told["game"]["name"] == "block" and told["last"]["action"] == str(lead)
    assert client.get("/review").status_code == 200 and client.get("/review?game=journal-9").status_code == 404
    assert client.get("/review?game=../../etc").status_code == 404
    room.close()


def test_each_journal_of_before_is_read_once_however_many_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(tmp_path, READER, Setting("block", game("block").Rules(), seated(("Ann", "Ben"))))
    room.table.do(room.table.moment().version, "host", Do(chance_action(room.table.moment().state, (), 0)))
    room.table.do(room.table.moment().version, "host", Begin(Setting("matador", game("matador").Rules(), seated(("Cem", "Dee")))))
    (journal,) = tmp_path.rglob("journal-*.db")
    for number in range(80):
        shutil.copy(journal, journal.with_name(f"journal-1999-{number}.db"))
    read: list[Path] = []

    def noted(file: Path) -> Iterator[Entry]:
        read.append(file)
        return iter(legible(file))

    monkeypatch.setattr(shelf, "legible", noted)
    client = client_of(room.table)
    for _ in range(3):
        assert client.get("/review").get_data(as_text=True).count("Block &amp; Draw") == 81
    assert len(read) == 81
    room.close()


def test_who_has_won_is_counted_by_player_and_game_over_games_played_to_their_end() -> None:
    ended = running(dealt("euronimoes", 2, 400)[0].moment())
    unended = running(dealt("euronimoes", 2, 5)[0].moment())
    won = in_short(ended).winners
    assert won and in_short(unended).winners is None
    told = statistics([in_short(ended), in_short(ended), in_short(unended)])
    assert list(told) == ["Euronimoes"] and {row[0] for row in told["Euronimoes"]} == set(ended.setting.names)
    best, count, times, points = told["Euronimoes"][0]
    assert (best, count, times) == (ended.setting.names[won[0]], 2, 2) and points == ended.entries[-1].scores[won[0]]
    block = dealt("block", 2, 2)[0]
    block.games = (replace(ended, name="journal-1"),)
    page = client_of(block).get("/review").get_data(as_text=True)
    assert "Who has won" in page and f'<th scope="row">{best}</th><td>1</td><td>1</td>' in page


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_book_is_a_page_with_a_place_for_each_rule(name: str) -> None:
    page = client_of(table(name, GAMES[name].SEATS[0])).get("/rules").get_data(as_text=True)
    assert all(f'id="{rule}"' in page for rule in GAMES[name].RULE_BOOK)
    assert client_of(table("block")).get(f"/rules?game={name}").status_code == 200


@pytest.mark.parametrize("name", ["euronimoes", "block"])
def test_rules_are_drawn_as_the_games_have_them(name: str) -> None:
    kept = json.loads((STATIC / "rules" / f"{name}.json").read_text())
    assert kept == json.loads(json.dumps(drawings(name))), "run python -m cli.rule_drawings"
    assert set(kept) & {"run-step", "match"} and set(kept) <= set(game(name).RULE_BOOK)


def test_the_rules_of_no_game_are_no_page() -> None:
    assert client_of(table("block")).get("/rules?game=chess").status_code == 404


@needs_chromium
def test_an_alarm_leads_to_its_rule_and_a_game_is_stepped_through(tmp_path: Path) -> None:
    running: FakeTable = dealt("block", 2, 5, seed=2)[0]
    running.show(word="illegal", fault=Fault("Ann plays the 1|2.", Verdict(False, "match", "A tile must match.")))
    browser = open_chromium(tmp_path)
    try:
        with serving(create_app(READER, own_names=lambda: ["localhost"], lan_hosts=tuple, table=running)) as url:
            screen = Screen(browser, url)
            screen.resize(PHONE)
            screen.open("/table")
            screen.touch("rule")
            screen.until(lambda: screen.find_all(".rule-entry:target"))
            assert screen.find(".rule-entry:target").get_attribute("id") == "match"
            screen.until(lambda: screen.find_all("#match .rule-drawing .bad-tile"))
            screen.find("#search").send_keys("boneyard")
            screen.until(lambda: "found" in screen.text("#found"))
            assert 0 < sum(rule.is_displayed() for rule in screen.find_all("#rules .rule-entry")) < 8
            screen.open("/review")
            laid = sum(action.kind == "play" for action, _, _ in running.actions)
            screen.until(lambda: len(screen.find_all(".laid")) == laid)
            for step in range(len(running.actions) - 1, 0, -1):
                screen.touch("back")
                screen.until(partial(screen.find_all, f'[data-shown="{step}"]'))
            assert not screen.find_all(".laid") and "step=1" in browser.current_url
            screen.touch(f"step-{Random(1).randint(2, len(running.actions))}")
            screen.until(lambda: screen.find_all(".laid"))
            assert screen.complaints() == []
    finally:
        browser.quit()
