"""Who may see and do what at a table, deeds done once, old versions refused, events that bring every change."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.games import MOST_SEATS
from engine.pieces import Tile
from engine.record import Record
from tests.webui.faketable import FakeTable, dealt, picture, seeing, table
from tests.webui.test_result import played
from webui.app import create_app
from webui.cameras.stand import CameraStand
from webui.live.keys import COOKIE, Keys
from webui.live.running import Begin, Choice, Question

LAN = {"REMOTE_ADDR": "192.168.1.30"}
HOST = {"Host": "192.168.1.20"}


@pytest.fixture
def running() -> FakeTable:
    """Block & Draw for two, dealt and three plays old."""
    return dealt("block", 2, 3)[0]


@pytest.fixture
def keys() -> Keys:
    """Keys of one evening."""
    return Keys()


@pytest.fixture
def app(reader: Any, running: FakeTable, keys: Keys) -> Flask:
    """The app of a machine with one address on the network."""
    return create_app(
        reader, own_names=lambda: ["localhost", "192.168.1.20"], lan_hosts=lambda: ("192.168.1.20",), table=running,
        keys=keys, stand=CameraStand(),
    )  # fmt: skip


Guest = Callable[[str], FlaskClient]


@pytest.fixture
def guest(app: Flask) -> Guest:
    """A phone on the network that has opened the square with this key, or none."""

    def come(key: str) -> FlaskClient:
        phone = app.test_client()
        phone.environ_base |= LAN
        if key:
            assert phone.get(f"/join/{key}", headers=HOST).status_code == 302
        return phone

    return come


NUMBERS = count()


def do(client: FlaskClient, version: int, id: str = "", **deed: Any) -> TestResponse:
    """Send a deed."""
    return client.post(
        "/live/do", json={"id": id or f"deed-{next(NUMBERS):08}", "version": version, **deed}, headers=HOST
    )


def snapshot(client: FlaskClient) -> dict[str, Any]:
    """The table as this visitor sees it."""
    told = client.get("/live/table.json", headers=HOST).get_json()
    assert isinstance(told, dict)
    return told


def any_action(running: FakeTable) -> str:
    """A legal action now."""
    return str(running.moment().state.legal()[0])


def test_who_only_looks_on_sees_everything_public_and_can_do_nothing(guest: Guest, running: FakeTable) -> None:
    phone = guest("")
    told = snapshot(phone)
    assert told["plays"] is False and told["you"] is None and len(told["players"]) == 2
    before = running.version
    assert do(phone, before, do="undo").status_code == 403
    assert phone.post("/live/hand", json={"tiles": ["1-2"]}, headers=HOST).status_code == 403
    assert running.version == before


def test_a_square_that_is_not_valid_any_more_leads_to_looking_on_and_to_joining(guest: Guest) -> None:
    phone = guest("")
    refused = phone.get("/join/of-last-week", headers=HOST)
    assert refused.status_code == 403 and "not valid any more" in refused.get_data(as_text=True)
    for path in ("/table", "/join"):
        assert f'class="button{" primary" if path == "/table" else ""}" href="{path}"' in refused.get_data(as_text=True)
        assert phone.get(path, headers=HOST).status_code == 200


def test_who_reads_that_a_form_did_not_work_can_choose_another_language_there(client: FlaskClient) -> None:
    for came, back in (("http://localhost/setup?a=b", "/setup"), ("http://evil.example/x", "/"), ("", "/")):
        page = client.post("/setup/camera", data="no JSON", headers={"Referer": came})
        links = re.findall(r'href="([^"]*language=de)"', page.get_data(as_text=True))
        assert links == [f"{back}?language=de"]
        assert client.get(links[0]).status_code == 302 and client.get(back).status_code == 200


WHY = ("/why", "/live/why.json", "/live/why.jpg")


def test_why_it_believes_so_is_told_to_the_host_alone(guest: Guest, keys: Keys, client: FlaskClient) -> None:
    for asking in (guest(""), guest(keys.seats[0])):
        assert [asking.get(path, headers=HOST).status_code for path in WHY] == [403, 403, 403]
    assert [client.get(path, headers=HOST).status_code for path in WHY] == [200, 200, 200]
    told = client.get("/live/why.json", headers=HOST)
    assert told.get_json()["game"]["decision"] == "illegal" and told.headers["Cache-Control"] == "no-store"


def test_a_seat_plays_under_its_name(guest: Guest, keys: Keys, running: FakeTable) -> None:
    phone = guest(keys.seats[1])
    assert snapshot(phone)["you"] == 1
    assert do(phone, running.version, do="action", action=any_action(running)).status_code == 200
    assert running.actions[-1][1] == "Bob"


def test_the_computer_itself_is_the_host(client: FlaskClient, running: FakeTable) -> None:
    assert snapshot(client)["host"] is True
    assert do(client, running.version, do="undo").status_code == 200
    assert client.get("/seats", headers=HOST).status_code == 200


def test_seats_and_set_up_are_for_the_host_alone(guest: Guest, keys: Keys) -> None:
    for key in ("", keys.seats[0], keys.camera):
        phone = guest(key)
        for path in ("/seats", "/setup", "/setup/picture.jpg"):
            assert phone.get(path, headers=HOST).status_code == 403, path
        assert phone.post("/setup/camera", json={"name": ""}, headers=HOST).status_code == 403
    assert guest(keys.host).get("/seats", headers=HOST).status_code == 200


def test_the_host_begins_the_same_game_again_once_it_is_over(
    client: FlaskClient, guest: Guest, keys: Keys, running: FakeTable
) -> None:
    def again(who: FlaskClient) -> int:
        return who.post("/setup/again", json={}, headers=HOST).status_code

    setting = running.setting
    assert again(client) == 409 and running.actions  # it goes on
    running.actions = played("block", 2, 99)[0].actions
    assert again(guest(keys.seats[0])) == 403 and running.actions
    assert again(client) == 200 and running.setting == setting and not running.actions
    assert again(client) == 409  # a second tap ends no new game


def test_a_wrong_key_opens_nothing(app: Flask) -> None:
    phone = app.test_client()
    phone.environ_base |= LAN
    answer = phone.get("/join/guessed", headers=HOST)
    assert answer.status_code == 403 and "Set-Cookie" not in answer.headers
    phone.set_cookie(COOKIE, "\u00fcber", domain="192.168.1.20")
    assert snapshot(phone)["plays"] is False


def test_a_key_is_kept_where_scripts_cannot_read_it(app: Flask, keys: Keys) -> None:
    answer = app.test_client().get(f"/join/{keys.seats[0]}", headers=HOST)
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie


def test_a_phone_that_lent_its_camera_encrypted_may_take_a_seat_plainly(app: Flask, keys: Keys) -> None:
    # browsers let no plain answer replace a cookie marked as secure, so the key and the language chosen there would stay for ever
    camera = app.test_client().get(f"/join/{keys.camera}", base_url="https://192.168.1.20:8443")
    language = app.test_client().get("/table?language=de", base_url="https://192.168.1.20:8443")
    assert camera.status_code == language.status_code == 302
    assert "Secure" not in camera.headers["Set-Cookie"] and "Secure" not in language.headers["Set-Cookie"]


def test_a_hand_is_shown_to_its_own_seat_alone(guest: Guest, keys: Keys, client: FlaskClient) -> None:
    ann, bob = guest(keys.seats[0]), guest(keys.seats[1])
    assert ann.post("/live/hand", json={"tiles": ["0-5", "2-3"]}, headers=HOST).status_code == 200
    assert snapshot(ann)["players"][0]["hand"] == [[0, 5], [2, 3]]
    for other in (bob, client, guest("")):
        assert "[0, 5]" not in json.dumps([player["hand"] for player in snapshot(other)["players"]])


def test_a_deed_sent_twice_is_done_once(client: FlaskClient, running: FakeTable) -> None:
    version, entries = running.version, len(running.actions)
    deed = {"do": "action", "action": any_action(running)}
    first = do(client, version, "the-same-deed", **deed)
    again = do(client, version, "the-same-deed", **deed)
    assert first.status_code == again.status_code == 200
    assert first.get_json() == again.get_json()
    assert len(running.actions) == entries + 1


def test_a_deed_answers_as_it_did_whatever_has_happened_since(client: FlaskClient, running: FakeTable) -> None:
    version, entries = running.version, len(running.actions)
    deed = {"do": "action", "action": any_action(running)}
    first = do(client, version, "the-same-deed", **deed)
    running.show(sentence="Something has happened.")
    assert do(client, version, "the-same-deed", **deed).get_json() == first.get_json()
    assert do(client, -1, "the-same-deed", do="dance").get_json() == first.get_json()  # it is not even looked at
    refused = do(client, version, "another-deed", do="undo")
    running.version = version  # now it would be done
    assert refused.status_code == do(client, version, "another-deed", do="undo").status_code == 409
    assert len(running.actions) == entries + 1


def test_a_deed_for_an_older_table_is_refused(client: FlaskClient, running: FakeTable) -> None:
    version = running.version
    running.show(sentence="Something has happened.")
    answer = do(client, version, do="undo")
    assert answer.status_code == 409 and "changed meanwhile" in answer.get_json()["error"]


def test_a_deed_for_an_older_table_is_not_judged_by_the_new_one(client: FlaskClient, running: FakeTable) -> None:
    version = running.version
    assert do(client, version, do="undo").status_code == 200
    assert do(client, version, do="action", action="play 6-6 nowhere").status_code == 409


def test_an_illegal_action_names_its_rule(client: FlaskClient, running: FakeTable) -> None:
    state = running.moment().state
    pass_or_draw = next(text for text in ("pass", "draw") if text not in map(str, state.legal()))
    answer = do(client, running.version, do="action", action=pass_or_draw)
    assert answer.status_code == 422
    assert answer.get_json()["rule"] in state.RULE_BOOK and answer.get_json()["error"].endswith(".")


@pytest.mark.parametrize(
    "sent",
    [
        [], {}, {"id": "short", "version": 1, "do": "undo"}, {"id": "long enough", "do": "undo"},
        {"id": "long enough", "version": "1", "do": "undo"},
    ],
)  # fmt: skip
def test_what_is_no_deed_is_refused(client: FlaskClient, sent: Any) -> None:
    assert client.post("/live/do", json=sent).status_code == 400


@pytest.mark.parametrize(
    "deed",
    [
        {"do": "dance"}, {"do": "action"}, {"do": "action", "action": "play"}, {"do": "action", "action": 7},
        {"do": "edit", "number": "x", "action": None}, {"do": "edit"}, {"do": "chance", "tiles": 3, "starter": 0},
        {"do": "chance", "tiles": ["9"], "starter": 0}, {"do": "reply"},
    ],
)  # fmt: skip
def test_nonsense_changes_nothing(client: FlaskClient, running: FakeTable, deed: dict[str, Any]) -> None:
    before = list(running.actions)
    assert do(client, running.version, **deed).status_code in (400, 422)
    assert running.actions == before


def test_an_old_entry_can_be_struck_out_and_changed(client: FlaskClient, running: FakeTable) -> None:
    plays = [number for number, (action, _, _) in enumerate(running.actions) if action.kind == "play"]
    last = plays[-1]
    told = client.get(f"/live/entry/{last}").get_json()
    assert str(running.actions[last][0]) in [choice["action"] for choice in told["choices"]]
    assert do(client, running.version, do="edit", number=last, action=None).status_code == 200
    assert running.actions[last][2] is True
    assert snapshot(client)["history"][0]["undone"] is True
    assert client.get("/live/entry/999").status_code == 404


def test_a_tile_that_was_put_face_down_is_none_to_choose_when_that_is_changed(client: FlaskClient, running: FakeTable) -> None:
    bid = dealt("engine191", 2, 1)[0]
    running.setting, running.actions = bid.setting, bid.actions
    told = client.get(f"/live/entry/{len(running.actions) - 1}").get_json()
    assert told["choices"] == [{"action": "bid ?", "tile": [], "words": "Put a tile face down"}]


def test_a_change_that_spoils_what_followed_is_refused_with_the_reason(client: FlaskClient, running: FakeTable) -> None:
    answer = do(client, running.version, do="edit", number=0, action=None)
    assert answer.status_code == 422 and "would not fit" in answer.get_json()["error"]


def test_a_question_is_answered_with_one_tap(guest: Guest, keys: Keys, running: FakeTable) -> None:
    action = running.moment().state.legal()[0]
    running.show(
        word="asking", question=Question("q7", "Which one?", (Choice("a", "This", action), Choice("b", "That")))
    )
    phone = guest(keys.seats[0])
    assert [choice["words"] for choice in snapshot(phone)["question"]["choices"]] == ["This", "That"]
    assert do(phone, running.version, do="reply", question="q7", choice="a").status_code == 200
    assert running.actions[-1][0] == action and snapshot(phone)["question"] is None
    assert do(phone, running.version, do="reply", question="q7", choice="b").status_code == 422


def test_the_deal_and_what_turns_up_can_be_told_by_hand(reader: Any) -> None:
    running = table("euronimoes")
    client = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple, table=running).test_client()
    market = ["0-1", "0-2", "0-3", "4-4", "5-6"]
    assert snapshot_here(client)["wanted"]["kind"] == "deal"
    sent = {"id": "the deal", "version": running.version, "do": "chance", "tiles": market, "starter": 1}
    assert client.post("/live/do", json=sent).status_code == 200
    told = snapshot_here(client)
    assert told["turn"] == 1 and [slot["tile"] for slot in told["market"]] == [[0, 1], [0, 2], [0, 3], [4, 4], [5, 6]]
    client.post("/live/do", json={"id": "buy one!", "version": running.version, "do": "action", "action": "buy 1"})
    wanted = snapshot_here(client)["wanted"]
    assert wanted["kind"] == "refill" and [0, 2] not in wanted["tiles"]
    sent = {"id": "turned up", "version": running.version, "do": "chance", "tiles": ["6-6"], "starter": 0}
    assert client.post("/live/do", json=sent).status_code == 200
    assert snapshot_here(client)["market"][4]["tile"] == [6, 6]


def snapshot_here(client: FlaskClient) -> dict[str, Any]:
    """The table as the computer itself sees it."""
    told = client.get("/live/table.json").get_json()
    assert isinstance(told, dict)
    return told


def test_places_are_those_of_the_chosen_tile(client: FlaskClient, running: FakeTable) -> None:
    tile = snapshot(client)["tiles"][0]
    told = client.get(f"/live/places?tile={tile[0]}-{tile[1]}").get_json()
    legal = {str(action) for action in running.moment().state.legal()}
    assert told["places"] and {place["action"] for place in told["places"]} <= legal
    assert client.get("/live/places?tile=x").status_code == 400


def events(client: FlaskClient) -> Iterator[tuple[str, Any]]:
    """The events as a browser gets them."""
    answer = client.get("/live/events", headers=HOST)
    assert answer.mimetype == "text/event-stream" and answer.headers["Cache-Control"] == "no-store"
    for chunk in answer.iter_encoded():
        lines = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
        yield lines["event"], json.loads(lines["data"])


def test_events_begin_with_the_whole_table_and_bring_every_change(client: FlaskClient, running: FakeTable) -> None:
    running.camera = seeing()
    heard = events(client)
    kind, first = next(heard)
    assert kind == "table" and first["version"] == running.version
    kind, health = next(heard)
    assert kind == "health" and health["name"] == "Camera 0" and health["age"] == 0.1
    threading.Timer(0.05, lambda: running.show(sentence="Now.")).start()
    after = next(event for kind, event in heard if kind == "table")
    assert after["sentence"] == "Now." and after["version"] > first["version"]


def test_what_an_event_told_of_the_history_is_not_told_again(client: FlaskClient, running: FakeTable) -> None:
    heard = (event for kind, event in events(client) if kind == "table")
    whole = next(heard)
    assert not whole["more"] and len(whole["history"]) == len(running.actions) > 2
    running.actions[-1] = (*running.actions[-1][:2], True)
    running.show()
    taken_back = next(heard)
    assert taken_back["more"] and [entry["undone"] for entry in taken_back["history"]] == [True]
    del running.actions[2:]  # another game
    running.show()
    again = next(heard)
    assert not again["more"] and len(again["history"]) == 2
    assert again["history"] == snapshot(client)["history"]


def test_who_listens_is_shown_the_hand_of_a_seat_only_while_its_square_is_good_and_the_game_has_it(
    guest: Guest, keys: Keys, running: FakeTable
) -> None:
    running.hands[1] = (Tile(1, 2),)
    heard = (event for kind, event in events(guest(keys.seats[1])) if kind == "table")
    first = next(heard)
    assert first["you"] == 1 and first["players"][1]["hand"] == [[1, 2]]
    running.do(running.version, "host", Begin(table("solitaire", 1).setting))
    fewer = next(heard)
    assert len(fewer["players"]) == 1 and fewer["you"] is None and not fewer["plays"]
    running.do(running.version, "host", Begin(table("block", 2).setting))
    assert next(heard)["you"] == 1
    keys.change()
    gone = next(heard)
    assert gone["version"] == running.version and gone["you"] is None and gone["players"][1]["hand"] is None


def test_the_record_is_the_game_that_stands(client: FlaskClient, running: FakeTable) -> None:
    running.actions[-1] = (*running.actions[-1][:2], True)
    answer = client.get("/live/record.txt")
    assert "kibitz-" in answer.headers["Content-Disposition"]
    record = Record.parse(answer.get_data(as_text=True))
    *_, state = record.replay()
    assert state.text() == running.moment().state.text() and record.headers["Seat0"] == "Ann"
    assert record.headers["Hints"] == "best play"


def test_a_recording_is_for_the_host_alone(guest: Guest, keys: Keys, running: FakeTable, monkeypatch: Any) -> None:
    assert guest(keys.host).get("/live/recording.kibitz", headers=HOST).status_code == 404
    monkeypatch.setattr(running, "recording", lambda file: file.write(b"a zip"), raising=False)
    assert guest(keys.host).get("/live/recording.kibitz", headers=HOST).data == b"a zip"
    assert guest(keys.seats[0]).get("/live/recording.kibitz", headers=HOST).status_code == 403


def test_new_squares_send_everybody_but_the_host_away(guest: Guest, keys: Keys) -> None:
    old = keys.seats[0]
    phone, host = guest(old), guest(keys.host)
    assert phone.post("/seats/keys", headers=HOST).status_code == 403 and snapshot(phone)["you"] == 0
    assert host.post("/seats/keys", headers=HOST).status_code == 302 and keys.seats[0] != old
    assert host.get("/seats", headers=HOST).status_code == 200
    assert snapshot(phone)["you"] is None and phone.get(f"/join/{old}", headers=HOST).status_code == 403


def test_the_picture_comes_with_its_age(client: FlaskClient, running: FakeTable) -> None:
    assert client.get("/live/picture.jpg").status_code == 204
    running.camera = seeing(age=12.5)
    answer = client.get("/live/picture.jpg")
    assert answer.headers["X-Frame-Age"] == "12.50" and answer.headers["Cache-Control"] == "no-store"


def test_evidence_is_found_by_its_name_alone(client: FlaskClient, running: FakeTable) -> None:
    running.pictures["abc123"] = picture()
    assert client.get("/live/evidence/abc123.jpg").data == picture()
    assert client.get("/live/evidence/other.jpg").status_code == 404
    assert client.get("/live/evidence/..%2fkeys.jpg").status_code == 404


def test_another_site_cannot_play(client: FlaskClient, running: FakeTable) -> None:
    headers = {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}
    sent = {"id": "from outside", "version": running.version, "do": "undo"}
    assert client.post("/live/do", json=sent, headers=headers).status_code == 403


def test_keys_are_kept_over_a_restart_until_they_are_changed(tmp_path: Path) -> None:
    first = Keys(tmp_path / "keys.json")
    again = Keys(tmp_path / "keys.json")
    assert again.seats == first.seats and again.host == first.host
    again.change()
    assert Keys(tmp_path / "keys.json").seats == again.seats != first.seats
    assert (tmp_path / "keys.json").stat().st_mode & 0o077 == 0
    (tmp_path / "keys.json").write_text("spoilt")
    assert len(set(Keys(tmp_path / "keys.json").seats)) == MOST_SEATS


def test_keys_are_kept_over_a_start_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Keys(tmp_path / "keys.json")

    def full(path: Path, text: str) -> None:
        path.write_bytes(b"")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        Keys(tmp_path / "keys.json")
    monkeypatch.undo()
    assert Keys(tmp_path / "keys.json").seats == first.seats


def test_without_a_table_there_is_no_table_page(reader: Any) -> None:
    client = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple).test_client()
    assert client.get("/table").status_code == 404
    assert b">Table<" not in client.get("/").data


@pytest.mark.parametrize("path", ["/table", "/table?view=tv", "/seats", "/setup", "/camera"])
def test_pages_need_nothing_from_outside_and_no_script_of_their_own(client: FlaskClient, path: str) -> None:
    page = client.get(path).get_data(as_text=True)
    assert "<script>" not in page and " style=" not in page and " onclick=" not in page


def test_the_host_has_the_way_to_the_squares_for_the_seats_where_phones_join_and_nobody_else(app: Flask, guest: Guest) -> None:
    squares = 'data-key="squares" href="/seats"'
    assert squares in app.test_client().get("/join").text
    assert squares not in guest("").get("/join", headers=HOST).text
