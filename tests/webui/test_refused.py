"""What the page's addresses refuse leaves no trace: the game goes on, and the table opens again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.games import game
from referee.setting import Setting, seated
from referee.shelf import JOURNAL
from webui.app import create_app
from webui.live.room import Room
from webui.live.running import Begin, Do
from webui.live.told import chance_action

PLAYERS = [{"name": "Ann"}, {"name": "Bob"}]


def of(name: str) -> Setting:
    """A game with its usual rules."""
    return Setting(name, game(name).Rules(), seated(("Ann", "Bob")))


def opened(folder: Path, name: str) -> Room:
    """The table in that folder."""
    reader: Any = None  # is never asked: there is no camera
    return Room(folder, reader, of(name))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """All Fives, dealt."""
    made = opened(tmp_path / "table", "all-fives")
    moment = made.table.moment()
    made.table.do(moment.version, "host", Do(chance_action(moment.state, (), 0)))
    yield made
    made.close()


@pytest.fixture
def client(room: Room) -> FlaskClient:
    """The host."""
    app = create_app(None, own_names=lambda: ["localhost"], lan_hosts=tuple, table=room.table, keys=room.keys,  # type: ignore[arg-type]
                     stand=room.stand)
    return app.test_client()


@pytest.mark.parametrize("anew", [True, False])
@pytest.mark.parametrize(
    "sent",
    [
        {"game": "all-fives", "rules": {"spinner": "some"}, "seats": PLAYERS}, {"game": "chess", "seats": PLAYERS},
        {"game": "block", "seats": []},
        {"game": "block", "seats": PLAYERS * 2}, {"game": "block", "rules": {"set_max": "7"}, "seats": PLAYERS},
    ],
)  # fmt: skip
def test_a_setting_refused_in_mid_game_leaves_no_trace(
    sent: dict[str, Any], anew: bool, client: FlaskClient, room: Room, tmp_path: Path
) -> None:
    before = client.get("/live/table.json").get_json()
    answer = client.post("/setup/game", json=sent | {"anew": anew})
    assert answer.status_code == 422 and len(answer.get_json()["error"]) > 10
    assert client.get("/live/table.json").get_json() == before
    assert client.get("/table").status_code == client.get("/setup").status_code == 200
    again = opened(tmp_path / "table", "block")
    assert again.table.moment().state.text() == room.table.moment().state.text()
    again.close()


def test_a_game_that_no_camera_reads_begins_and_goes_on(tmp_path: Path) -> None:
    for _ in range(2):
        made = opened(tmp_path / "table", "dominoids")
        assert made.table.moment().state.game == "dominoids"
        made.close()


def test_the_last_good_game_is_offered_where_a_journal_was_spoilt(room: Room, tmp_path: Path) -> None:
    text = room.table.moment().state.text()
    room.table.do(room.table.moment().version, "host", Begin(of("block")))
    room.close()
    (tmp_path / "table" / JOURNAL).write_bytes(bytes(range(256)) * 20)
    again = opened(tmp_path / "table", "euronimoes")
    phone = create_app(None, own_names=lambda: ["localhost"], lan_hosts=tuple, table=again.table, keys=again.keys,  # type: ignore[arg-type]
                       stand=again.stand).test_client()
    assert again.table.moment().state.game == "euronimoes"
    page = phone.get("/setup").get_data(as_text=True)
    assert "-damaged.db" in page and "<b>All Fives</b>: Ann " in page and "entries" not in page
    assert phone.post("/setup/resume").headers["Location"] == "/table"
    assert again.table.moment().state.text() == text and phone.get("/table").status_code == 200
    assert "-damaged.db" not in phone.get("/setup").get_data(as_text=True)
    assert phone.post("/setup/resume").status_code == 409
    again.close()
