"""How answers travel: compressed, kept by browsers where an address says what is in a file, pictures as small as shown."""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from tests.webui.browsing import DESK, Screen, needs_chromium, open_chromium, serving
from tests.webui.faketable import FakeTable, dealt, picture
from webui.app import create_app
from webui.delivery import LEAST_BYTES, contents

ZIPPED = {"Accept-Encoding": "gzip, deflate"}


@pytest.fixture
def running() -> FakeTable:
    """Block & Draw, some plays old, seen by a camera."""
    found = dealt("block", 2, 9)[0]
    found.pictures["after"] = picture("the last play")
    return found


@pytest.fixture
def client(reader: Any, running: FakeTable) -> FlaskClient:
    """A browser on the same machine."""
    return create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple, table=running).test_client()


@pytest.mark.parametrize("path", ["/table", "/live/table.json", "css/table.css", "js/table/main.js"])
def test_text_is_compressed_for_whoever_understands_it(client: FlaskClient, path: str) -> None:
    address = path if path.startswith("/") else f"{client.application.static_url_path}/{path}"
    plain, packed = client.get(address), client.get(address, headers=ZIPPED)
    assert "Content-Encoding" not in plain.headers and packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data and len(packed.data) < len(plain.data) / 2
    assert packed.content_type == plain.content_type and "Accept-Encoding" in packed.headers["Vary"]


def test_what_is_short_or_a_picture_is_left_alone(client: FlaskClient) -> None:
    short = client.get("/live/places?tile=0-0", headers=ZIPPED)
    assert len(short.data) < LEAST_BYTES and "Content-Encoding" not in short.headers
    assert "Content-Encoding" not in client.get("/live/evidence/after.jpg", headers=ZIPPED).headers


def test_events_are_one_compressed_stream_and_come_at_once(client: FlaskClient) -> None:
    answer = client.get("/live/events", headers=ZIPPED)
    first = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(next(iter(answer.iter_encoded()))).decode()
    assert answer.headers["Content-Encoding"] == "gzip" and first.startswith("event: table") and first.endswith("\n\n")


def test_a_file_may_be_kept_for_ever_because_its_address_changes_with_it(client: FlaskClient, tmp_path: Path) -> None:
    address = re.findall(r'src="(/static/[^"]+/js/table/main\.js)"', client.get("/table").get_data(as_text=True))[0]
    assert "immutable" in client.get(address).headers["Cache-Control"]
    assert "immutable" not in client.get(address + "x").headers.get("Cache-Control", "")
    (tmp_path / "one.js").write_text("1")
    before = contents(tmp_path)
    (tmp_path / "one.js").write_text("2")
    assert contents(tmp_path) != before


@pytest.mark.parametrize(("asked", "width"), [("?width=160", 160), ("?width=640", 640), ("?width=5000", 960), ("", 960)])
def test_a_picture_comes_as_wide_as_it_is_shown(client: FlaskClient, asked: str, width: int) -> None:
    found = client.get(f"/live/evidence/after.jpg{asked}").data
    image = cv2.imdecode(np.frombuffer(found, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None and image.shape[1] == width


@needs_chromium
def test_the_table_opens_without_a_network_as_it_was_and_says_so(reader: Any, running: FakeTable, tmp_path: Path) -> None:
    browser = open_chromium(tmp_path)
    try:
        app = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple, table=running)
        with serving(app) as url:
            screen = Screen(browser, url)
            screen.resize(DESK)
            screen.open("/table")
            screen.until(lambda: screen.find_all('[data-ready="true"]'))
            laid = len(screen.find_all(".laid"))
            kept = "caches.match('/table').then((found) => arguments[0](Boolean(found)))"
            screen.until(lambda: browser.execute_async_script(kept))
        screen.open("/table")
        screen.until(lambda: screen.text("#word") == "Not connected" and "This is how it was" in screen.text("#says"))
        assert len(screen.find_all(".laid")) == laid > 0
        assert not screen.find("#enter").is_enabled()
        screen.open("/setup")
        screen.until(lambda: screen.text("h1") == "Not connected")
    finally:
        browser.quit()
