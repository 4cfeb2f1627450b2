"""Scripts and the page send a photo to the JSON interface and get its tiles, or one sentence that says why not."""

from __future__ import annotations

import io
import json
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jsonschema
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.pieces import DOUBLE_NINE, DOUBLE_SIX
from tests.conftest import ROOT
from webui.app import create_app
from webui.schema import SCHEMA
from webui.server import Limits


def send(client: FlaskClient, photo: bytes, name: str = "hand.jpg", **fields: str) -> TestResponse:
    """Post a photo with these form fields."""
    return client.post("/api/read", data={"photo": (io.BytesIO(photo), name), **fields})


def answer(response: TestResponse) -> dict[str, Any]:
    """The JSON of a response, checked against the published schema."""
    told = response.get_json()
    jsonschema.validate(told, SCHEMA)
    assert isinstance(told, dict)
    return told


def test_a_photo_comes_back_as_its_tiles(client: FlaskClient, first_photo: bytes) -> None:
    response = send(client, first_photo)
    told = answer(response)
    assert response.status_code == 200
    assert [tile["ends"] for tile in told["tiles"]] == [[4, 6], [5, 5], [2, 3], [0, 1]]
    assert told["photo"] == "hand.jpg" and told["total"] == 26 and told["size"] == [800, 600]
    assert told["coins"] == [] and told["dice"] == []


def test_a_photo_of_an_iphone_is_opened_as_any_other(client: FlaskClient) -> None:
    heic = ROOT / "tests" / "vision" / "quartered.heic"
    assert answer(send(client, heic.read_bytes(), "IMG_0001.HEIC"))["size"] == [288, 192]


def test_the_first_two_corners_bound_the_smaller_end(client: FlaskClient, first_photo: bytes) -> None:
    tile = answer(send(client, first_photo))["tiles"][0]
    # the 6|4 lies at (120, 140) with its 6 at the left, so its 4 is bounded by the right short side
    assert tile["ends"] == [4, 6]
    assert tile["corners"] == [[240, 140], [240, 200], [120, 200], [120, 140]]
    assert max(range(16), key=tile["end_probabilities"][0].__getitem__) == 4


def test_an_unsure_tile_is_marked_and_has_its_likeliest_other_numbers(client: FlaskClient, first_photo: bytes) -> None:
    tiles = answer(send(client, first_photo))["tiles"]
    assert [tile["unsure"] for tile in tiles] == [False, False, True, False]
    unsure = tiles[2]
    assert unsure["ends"] == [2, 3]
    assert [ranked[:2] for ranked in unsure["candidates"]] == [[2, 3], [3, 2]]


def test_tiles_lying_face_down_are_counted_but_not_summed(client: FlaskClient, reader: Any, first_photo: bytes) -> None:
    reader.facedown = ((600, 420), (20, 20))
    told = answer(send(client, first_photo))
    assert told["facedown"] == 2 and len(told["facedown_corners"]) == 2 and told["total"] == 26


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ({}, None),
        ({"set": "any", "copies": "2"}, None),
        ({"set": "double-six"}, DOUBLE_SIX),
        ({"set": "double-nine", "copies": "2"}, DOUBLE_NINE.doubled),
    ],
)
def test_the_reader_is_told_the_set(
    client: FlaskClient, reader: Any, first_photo: bytes, fields: dict[str, str], asked: object
) -> None:
    assert send(client, first_photo, **fields).status_code == 200
    assert reader.asked == [asked]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, "photo"),
        ({"photo": "no file"}, "photo"),
        ({"photo": (io.BytesIO(b"x"), "a.jpg"), "set": "double-seven"}, "double-twelve"),
        ({"photo": (io.BytesIO(b"x"), "a.jpg"), "copies": "3"}, "copies"),
        ({"photo": [(io.BytesIO(b"x"), "a.jpg"), (io.BytesIO(b"y"), "b.jpg")]}, "2 came"),
    ],
)
def test_a_wrong_field_is_named(client: FlaskClient, reader: Any, data: dict[str, Any], words: str) -> None:
    response = client.post("/api/read", data=data)
    assert response.status_code == 400
    assert words in answer(response)["error"]
    assert reader.asked == []


@pytest.mark.parametrize("photo", [b"", b"no picture", b"\xff\xd8\xff\xe0 cut off"])
def test_what_is_no_photo_gets_one_sentence(client: FlaskClient, reader: Any, photo: bytes) -> None:
    response = send(client, photo, name="odd.jpg")
    told = answer(response)
    assert response.status_code == 422
    assert told["photo"] == "odd.jpg" and told["error"].endswith(".")
    assert reader.asked == []


def test_a_long_file_name_is_echoed_shortened(client: FlaskClient, first_photo: bytes) -> None:
    assert len(answer(send(client, first_photo, name="x" * 5000 + ".jpg"))["photo"]) == 200


def test_too_many_bytes_are_refused(reader: Any, first_photo: bytes) -> None:
    limits = Limits(upload_bytes=5_000)
    small = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple, limits=limits).test_client()
    response = send(small, first_photo)
    assert response.status_code == 413
    assert "smaller" in answer(response)["error"]
    assert reader.asked == []


def test_a_fault_of_the_reader_is_told_as_one(reader: Any, first_photo: bytes) -> None:
    def stumble() -> None:
        raise RuntimeError("secret path /home/ann")

    reader.before_reading = stumble
    client = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple).test_client()
    response = send(client, first_photo)
    assert response.status_code == 500
    assert "secret" not in answer(response)["error"]


def test_no_photo_is_written_to_disk(client: FlaskClient, first_photo: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was opened for a photo")

    for opener in ("TemporaryFile", "SpooledTemporaryFile", "NamedTemporaryFile", "mkstemp"):
        monkeypatch.setattr(tempfile, opener, refuse)
    monkeypatch.setattr("werkzeug.formparser.SpooledTemporaryFile", refuse)
    large = first_photo + bytes(2_000_000)  # what follows the picture in its file does not matter
    assert send(client, large).status_code == 200


def test_more_photos_than_may_wait_are_told_to_come_back(reader: Any, first_photo: bytes) -> None:
    at_desk, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        at_desk.set()
        assert go_on.wait(20)

    reader.before_reading = hold
    limits = Limits(reads_at_once=1, waiting=1)
    app = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple, limits=limits)
    with ThreadPoolExecutor(4) as people:
        first = people.submit(lambda: send(app.test_client(), first_photo))
        assert at_desk.wait(20)
        others = [people.submit(lambda: send(app.test_client(), first_photo)) for _ in range(3)]
        sent_away = []
        for other in others:
            try:
                sent_away.append(other.result(2))
            except TimeoutError:
                waiting = other
        go_on.set()
        served = [first.result(20), waiting.result(20)]
    assert [response.status_code for response in sent_away] == [503, 503]
    assert all(int(response.headers["Retry-After"]) > 0 and answer(response)["error"] for response in sent_away)
    assert [response.status_code for response in served] == [200, 200]


def test_the_schema_is_published_and_is_a_schema(client: FlaskClient) -> None:
    schema = json.loads(client.get("/api/schema.json").data)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema == SCHEMA


def test_errors_under_api_are_json(client: FlaskClient) -> None:
    for path, status in (("/api/nothing", 404), ("/api/read", 405)):
        response = client.get(path)
        assert response.status_code == status
        assert answer(response)["photo"] == ""
