"""Bad requests: each is answered with a status of 4xx and a sentence, and leaves no trace."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.games import game
from referee.setting import Setting, seated
from webui.app import create_app
from webui.live.keys import COOKIE
from webui.live.refereed import Refereed
from webui.live.room import Room
from webui.live.running import Do

GAMES = ("block", "euronimoes", "engine191", "solitaire")
DEEP = "[" * 50_000
NUMBERS = count()


class Served:
    """A table in mid-game with its host and a seat."""

    def __init__(self, folder: Path, name: str, reader: Any) -> None:
        kind = game(name)
        seats = seated(("Ann", "Bob")[: kind.SEATS[0]])
        self.room = Room(folder, reader, Setting(name, kind.Rules(), seats))
        state = self.moment.state
        self.room.table.do(self.moment.version, "host", Do(state.public(state.random_chance(Random(2)))))
        app = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple, table=self.room.table, keys=self.room.keys,
                         stand=self.room.stand)
        self.host = app.test_client()
        self.seat = app.test_client()
        self.seat.set_cookie(COOKIE, self.room.keys.seats[0])

    @property
    def moment(self) -> Any:
        return self.room.table.moment()

    @property
    def trace(self) -> Any:
        """What must be as before."""
        assert isinstance(self.room.table, Refereed)
        return self.room.table._table.journal.entries(), self.host.get("/live/table.json").get_json()


class NoReader:
    """Sees nothing."""

    def read(self, image: Any, tile_set: Any = None) -> Any:
        raise AssertionError("a bad photo is not read")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Served]]:
    """One of each family."""
    made = {name: Served(tmp_path_factory.mktemp(name) / "table", name, NoReader()) for name in GAMES}
    yield made
    for table in made.values():
        table.room.close()


def refused(table: Served, answer: TestResponse, before: Any) -> None:
    """It was answered with a sentence, and nothing has changed."""
    assert 400 <= answer.status_code < 500, answer.get_data(as_text=True)
    told = answer.get_json()["error"] if answer.is_json else answer.get_data(as_text=True)
    assert len(told) > 10 and "Traceback" not in told
    assert table.trace == before


def post(client: FlaskClient, path: str, body: str | bytes, **headers: str) -> TestResponse:
    return client.post(path, data=body, content_type="application/json", headers=headers)


NO_JSON = (
    "", " ", "{", "[", "}", "null", "7", "true", '"text"', "[]", "[{}]", "{}", "NaN", "Infinity", "-Infinity", "1e999", DEEP,
    '{"a":' * 20_000, "{'id': 1}", '{"id": NaN}', b"\xff\xfe\x00", b"\x00" * 100, '{"id": "\\ud800\\ud800"}', "9" * 5000,
    "\ufeff{}", "x" * 200_000,
)  # fmt: skip


@pytest.mark.parametrize("path", ["/live/do", "/live/hand", "/setup/game"])
@pytest.mark.parametrize("body", NO_JSON, ids=lambda body: repr(body[:12]))
def test_what_is_no_json_object(path: str, body: str | bytes, tables: dict[str, Served]) -> None:
    table = tables["block"]
    before = table.trace
    refused(table, post(table.seat, path, body), before)


@pytest.mark.parametrize("body", ['{"id": "', "[]", '{"id": 7}', '{"id": "deed 0000000", "version": "x", "do": "undo"}'])
def test_what_did_not_arrive_whole_is_told_without_a_programmers_words(body: str, tables: dict[str, Served]) -> None:
    told = post(tables["block"].host, "/live/do", body).get_json()["error"]
    assert "lease" in told and not any(word in told for word in ("JSON", "Expected", "truncated", "object", "$", "`"))


@pytest.mark.parametrize("path", ["/setup/camera", "/setup/calibrate"])
@pytest.mark.parametrize("body", [body for body in NO_JSON if body != "{}"], ids=lambda body: repr(body[:12]))
def test_what_is_no_json_object_for_a_camera(path: str, body: str | bytes, tables: dict[str, Served]) -> None:
    table = tables["block"]
    before = table.trace
    refused(table, post(table.host, path, body), before)


NO_DEEDS: tuple[dict[str, Any], ...] = (
    {}, {"do": None}, {"do": 7}, {"do": []}, {"do": "dance"}, {"do": "ACTION"}, {"do": "action"},
    {"do": "action", "action": None},
    {"do": "action", "action": 7}, {"do": "action", "action": []}, {"do": "action", "action": ""},
    {"do": "action", "action": "play"}, {"do": "action", "action": "dance 1 2 3"}, {"do": "action", "action": "play x y z w"},
    {"do": "action", "action": "play 99-99 left 9"}, {"do": "action", "action": "play 6-6 " + "[" * 3000 + " 1"},
    {"do": "action", "action": "play 6-6 NaN Infinity"}, {"do": "action", "action": "x" * 100_000},
    {"do": "action", "action": "\u0000"}, {"do": "action", "action": "deal [[]] [] 0"}, {"do": "action", "action": "show 9 []"},
    {"do": "action", "action": 'play 6-6 [[0,0],[1e400,0]] [6,6] 1'}, {"do": "action", "action": "buy 99"},
    {"do": "action", "action": "buy -1"}, {"do": "action", "action": "buy 1e99"}, {"do": "action", "action": "claim true"},
    {"do": "chance"}, {"do": "chance", "tiles": 3, "starter": 0}, {"do": "chance", "tiles": [], "starter": "0"},
    {"do": "chance", "tiles": [], "starter": 99}, {"do": "chance", "tiles": [], "starter": -1},
    {"do": "chance", "tiles": ["9"], "starter": 0}, {"do": "chance", "tiles": [3], "starter": 0},
    {"do": "chance", "tiles": ["1-2"] * 61, "starter": 0}, {"do": "chance", "tiles": [], "starter": 0},
    {"do": "chance", "tiles": ["1-2"] * 5, "starter": 1}, {"do": "chance", "tiles": ["99-99"], "starter": 0},
    {"do": "edit"}, {"do": "edit", "number": 1}, {"do": "edit", "number": "x", "action": None},
    {"do": "edit", "number": 10**30, "action": None}, {"do": "edit", "number": -1, "action": None},
    {"do": "edit", "number": 2, "action": "dance"}, {"do": "edit", "number": 2, "action": 7},
    {"do": "edit", "number": 1.5, "action": None}, {"do": "edit", "number": True, "action": None},
    {"do": "reply"}, {"do": "reply", "question": "q", "choice": "0"}, {"do": "reply", "question": 1, "choice": 2},
    {"do": "reply", "question": "q", "choice": "\u0664"}, {"do": "reply", "question": "q", "choice": "9" * 190},
)  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_deeds_that_say_nothing(name: str, tables: dict[str, Served]) -> None:
    table = tables[name]
    for deed in NO_DEEDS:
        before = table.trace
        sent = {"id": f"deed {next(NUMBERS):08}", "version": table.moment.version, **deed}
        refused(table, post(table.host, "/live/do", json.dumps(sent)), before)


@pytest.mark.parametrize(
    "named",
    [
        {}, {"id": None}, {"id": 7}, {"id": "short"}, {"id": "x" * 65}, {"id": ["long enough"]},
        {"id": "long enough", "version": None},
        {"id": "long enough", "version": "1"}, {"id": "long enough", "version": 1.5}, {"id": "long enough", "version": True},
        {"id": "long enough", "version": 10**40}, {"id": "long enough", "version": []},
        {"id": "long enough 2", "version": -1}, {"id": "long enough 3", "version": 10**15}, {"id": "long enough 4", "version": 0},
    ],
    ids=str,
)  # fmt: skip
def test_deeds_without_a_name_or_for_no_table(named: dict[str, Any], tables: dict[str, Served]) -> None:
    table = tables["block"]
    before = table.trace
    refused(table, post(table.host, "/live/do", json.dumps({"version": table.moment.version, "do": "undo"} | named)
                        if "id" in named else json.dumps({"do": "undo"})), before)


@pytest.mark.parametrize(
    "hand",
    [
        {"tiles": None}, {"tiles": 3}, {"tiles": "1-2"}, {"tiles": [3]}, {"tiles": ["x"]}, {"tiles": ["99-1"]}, {"tiles": [None]},
        {"tiles": ["1-2"] * 100}, {"tiles": [["1-2"]]}, {"tiles": ["\u0661-\u0662"]}, {"tiles": ["1-2"], "id": 7},
        {"tiles": ["1-2"], "id": "short"}, {"tiles": ["-1-2"]}, {"tiles": [""]}, {"tiles": {"1-2": 1}},
    ],
    ids=str,
)  # fmt: skip
def test_hands_that_are_none(hand: dict[str, Any], tables: dict[str, Served]) -> None:
    table = tables["block"]
    before = table.trace
    refused(table, post(table.seat, "/live/hand", json.dumps(hand)), before)


PLAYERS = [{"name": "Ann"}, {"name": "Bob"}]


@pytest.mark.parametrize(
    "change",
    [
        {"game": None}, {"game": 7}, {"game": ""}, {"game": "chess"}, {"game": ["block"]}, {"game": "mahjong"}, {"rules": 7},
        {"rules": []}, {"rules": {"set_max": 9}}, {"rules": {"set_max": "7"}}, {"rules": {"nothing": "1"}},
        {"rules": {"set_max": "9" * 150}}, {"rules": {"reserve": "-5"}}, {"rules": {"reserve": "1e9"}},
        {"rules": {"set_max": ""}},
        {"seats": None}, {"seats": "Ann"}, {"seats": ["Ann", "Bob"]}, {"seats": [1, 2]}, {"seats": []},
        {"seats": [{"name": "A"}]},
        {"seats": [{"name": "A"}, {"name": "A"}]}, {"seats": [{"name": "A", "side": 9}, {"name": "B"}]},
        {"seats": [{"name": "A", "side": "x"}, {"name": "B"}]}, {"seats": [{"name": "A", "side": 1.5}, {"name": "B"}]},
        {"seats": [{"name": 7}, {"name": "B"}]}, {"seats": [{"name": "A\u0000"}, {"name": "B"}]},
        {"seats": [{"name": "A\nB"}, {"name": "B"}]},
        {"seats": [{"name": "x" * 300}, {"name": "B"}]}, {"seats": PLAYERS * 3}, {"anew": "yes"}, {"anew": None},
        {"seats": [{"name": "A", "side": -1}, {"name": "B"}]}, {"game": "all-fives", "rules": {"spinner": "some"}},
    ],
    ids=str,
)  # fmt: skip
def test_settings_that_are_none(change: dict[str, Any], tables: dict[str, Served]) -> None:
    table = tables["block"]
    before = table.trace
    refused(table, post(table.host, "/setup/game", json.dumps({"game": "block", "seats": PLAYERS} | change)), before)


CORNERS = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]


@pytest.mark.parametrize(
    "sent",
    [
        {"corners": CORNERS[:3], "width": 500}, {"corners": [[0, 0]] * 4, "width": 500}, {"corners": "x"}, {"corners": 7},
        {"corners": [[0.1, 0.1, 0.1]] * 4}, {"corners": [["0", "0"]] * 4, "width": 9}, {"corners": CORNERS},
        {"corners": [[0.1, 0.1], [0.2, 0.2], [0.3, 0.3], [0.4, 0.4]], "width": 500}, {"corners": CORNERS, "width": "wide"},
        {"corners": CORNERS, "width": "NaN"}, {"corners": CORNERS, "width": "Infinity"}, {"corners": CORNERS, "width": -5},
        {"corners": CORNERS, "width": 0}, {"corners": CORNERS, "width": 1e300}, {"corners": CORNERS, "height": "1e400"},
        {"corners": CORNERS, "width": [5]}, {"corners": [[1e300, -1e300], [1e300, 1e300], [-1e300, 1e300], [-1e300, -1e300]]},
        {"corners": [[1e300, -1e300], [1e300, 1e300], [-1e300, 1e300], [-1e300, -1e300]], "width": 500}, {},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("seen", [False, True])
def test_what_cannot_be_measured(sent: dict[str, Any], seen: bool, tables: dict[str, Served]) -> None:
    table = tables["euronimoes"]
    before = table.trace
    if seen:
        table.room.stand._newest = blank()
    refused(table, post(table.host, "/setup/calibrate", json.dumps(sent)), before)
    table.room.stand._newest = None


def blank() -> Any:
    """A picture of nothing."""
    import numpy as np

    from vision.frame import Frame

    return Frame(np.zeros((480, 640, 3), np.uint8), 0.0, 0)


@pytest.mark.parametrize(
    "name",
    ["99 bottles", "nowhere", "\\", "simulated:", "simulated:chess", "simulated:block:x", "simulated:block:9",
     "simulated:block:3:", "/", "99", "/dev/video99", "~nobody", "file.kibitz", "simulated:dominoids", "x" * 199, "http:", 7, [],
     {"a": 1}, True],
    ids=str,
)  # fmt: skip
def test_cameras_that_are_none(name: Any, tables: dict[str, Served]) -> None:
    table = tables["euronimoes"]
    before = table.trace
    refused(table, post(table.host, "/setup/camera", json.dumps({"name": name})), before)


@pytest.mark.parametrize(
    "origin", ["http://[::1", "http://[::1]:x", "null", "://", "http://", "ftp://localhost", "http://evil.example", "[", "\t",
               "http://[z]"]
)
def test_other_origins(origin: str, tables: dict[str, Served]) -> None:
    table = tables["block"]
    before = table.trace
    for path in ("/live/do", "/setup/game", "/api/read", "/seats/keys", "/camera/frame", "/setup/resume",
                 "/setup/again"):
        refused(table, post(table.host, path, "{}", Origin=origin), before)


@pytest.mark.parametrize(
    "host", ["[::1", "evil.example", "localhost:x", "a@localhost", "[", "localhost:99999", "\u00fc", "lo cal"]
)
def test_other_hosts(host: str, tables: dict[str, Served]) -> None:
    table = tables["block"]
    before = table.trace
    for path in ("/", "/table", "/live/table.json"):
        refused(table, table.host.get(path, headers={"Host": host}), before)


@pytest.mark.parametrize(
    "path",
    [
        "/live/places", "/live/places?tile=x", "/live/places?tile=99-99", "/live/places?tile=%00", "/live/places?tile=%ff-1",
        "/live/entry/999", "/live/entry/-1", "/live/entry/x", "/live/entry/" + "9" * 400, "/live/evidence/..%2f..%2fkeys.jpg",
        "/live/evidence/%00.jpg", "/live/evidence/x.jpg", "/live/evidence/" + "a" * 3000 + ".jpg", "/join/", "/join/x",
        "/join/%ff%fe", "/join/" + "x" * 5000, "/live/hints", "/live/recording.kibitz", "/nothing", "/live/do", "/setup/game",
        "/static/../app.py", "/static/%2e%2e/app.py", "/kibitz-authority.crt", "/api/read", "/setup/resume",
        "/setup/again",
    ],
    ids=lambda path: path[:40],
)  # fmt: skip
def test_addresses_where_nothing_is(path: str, tables: dict[str, Served]) -> None:
    table = tables["block"]
    before = table.trace
    refused(table, table.host.get(path), before)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_asked_of_any_game(name: str, tables: dict[str, Served]) -> None:
    """Pages that are asked for with odd queries stay pages."""
    table = tables[name]
    for path in ("/table?view=%00", "/table?view=tv&view=x", "/setup?x=1", "/live/table.json?seat=9", "/live/places?tile=6-6",
                 "/live/record.txt", "/live/entry/2", "/setup/health.json", "/setup/calibration.json", "/seats"):
        assert table.host.get(path).status_code == 200, path


@pytest.mark.parametrize("picture", [b"", b"x", b"\xff\xd8\xff\xe0", b"\xff\xd8" + b"\x00" * 5000, b"GIF89a", b"{}"], ids=repr)
def test_pictures_of_a_phone_that_are_none(picture: bytes, tables: dict[str, Served]) -> None:
    table = tables["solitaire"]
    before = table.host.get("/live/table.json").get_json()
    answer = table.host.post("/camera/frame", data=picture, content_type="image/jpeg")
    assert answer.status_code == 422 and answer.get_json()["error"].endswith(".")
    table.room.stand.choose(None)
    assert table.host.get("/live/table.json").get_json()["scene"] == before["scene"]


def test_photos_that_are_none(tables: dict[str, Served]) -> None:
    table = tables["block"]
    before = table.trace
    noise = Random(5).randbytes(5000)
    for photo in (b"", b"x", b"%PDF-1.7", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", noise, b"BM" * 99):
        for name in ("a.jpg", "../../a", "\u0000", "x" * 4000, ""):
            data = {"photo": (io.BytesIO(photo), name), "set": "any"}
            refused(table, table.host.post("/api/read", data=data), before)
    for sent in ({}, {"photo": "text"}, {"set": "any"}, {"photo": (io.BytesIO(b"x"), "a"), "copies": "-1"}):
        refused(table, table.host.post("/api/read", data=dict(sent)), before)
    refused(table, table.host.post("/api/read", data=b"--x", content_type="multipart/form-data; boundary=x"), before)
    refused(table, table.host.post("/api/read", data=b"--x", content_type="multipart/form-data"), before)
    refused(table, post(table.host, "/api/read", "{}"), before)
