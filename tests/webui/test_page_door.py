"""Only this machine's own names are answered, and only its own pages may send: DNS rebinding finds no way in."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from webui.app import create_app, own_certificates
from webui.certificates import names_of
from webui.door import Door, host_name, plain_name


@pytest.mark.parametrize(
    "host",
    [
        "localhost", "LOCALHOST:8000", "127.0.0.1:8000", "127.3.2.1", "[::1]:8000", "[0:0:0:0:0:0:0:1]",
        "table.local", "table.local.:8000", "192.168.1.20:8000",
    ],
)  # fmt: skip
def test_the_machines_own_names_are_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8000", "localhost.evil.example", "192.168.1.21", "0.0.0.0", "table",
        "user@localhost", "localhost:port", "[::2]:8000", "2130706433", "127.0.0.1.evil.example",
    ],
)  # fmt: skip
def test_other_names_are_not(client: FlaskClient, reader: Any, host: str, first_photo: bytes) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 403
    response = client.post("/api/read", headers={"Host": host}, data={"photo": (io.BytesIO(first_photo), "a.jpg")})
    assert response.status_code == 403
    assert reader.asked == []


def test_a_refused_name_is_told_what_to_do(client: FlaskClient) -> None:
    page = client.get("/", headers={"Host": "kitchen.lan"}).get_data(as_text=True)
    assert "kitchen.lan" in page and "allowed" in page


def test_a_refused_name_is_led_to_an_address_that_opens_and_its_page_looks_like_the_others(client: FlaskClient) -> None:
    page = client.get("/join/old", headers={"Host": "kitchen.lan:8000"}).get_data(as_text=True)
    links = re.findall(r'<a [^>]*href="([^"#]*)"', page)
    assert [link for link in links if not link.startswith("/")] == ["http://192.168.1.20:8000/"]
    assert [link for link in links if link.startswith("/")] == ["/"]  # the sign of the house
    sheet = next(re.finditer(r'href="([^"]*base\.css)"', page))[1]
    assert client.get(sheet, headers={"Host": "kitchen.lan:8000"}).status_code == 200
    assert client.post(sheet, headers={"Host": "kitchen.lan:8000"}).status_code == 403


def test_a_refused_name_cannot_write_into_the_page(client: FlaskClient) -> None:
    page = client.get("/", headers={"Host": "<script>alert(1)</script>"})
    assert page.status_code in (400, 403)
    assert "<script>alert" not in page.get_data(as_text=True)


def test_configured_names_are_answered(reader: Any) -> None:
    app = create_app(reader, allowed_hosts=["Kitchen.Lan."], own_names=lambda: ["localhost"], lan_hosts=tuple)
    client = app.test_client()
    assert client.get("/", headers={"Host": "kitchen.lan:8000"}).status_code == 200
    assert client.get("/", headers={"Host": "table.local"}).status_code == 403


def test_an_address_that_came_with_another_network_is_found() -> None:
    names = ["localhost"]
    door = Door(lambda: names)
    assert not door.answers_to("10.0.0.7:8000")
    names.append("10.0.0.7")
    assert door.answers_to("10.0.0.7:8000")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://localhost"}, 200),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost:9999"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_only_own_pages_and_scripts_may_send(
    client: FlaskClient, reader: Any, first_photo: bytes, headers: dict[str, str], status: int
) -> None:
    response = client.post("/api/read", headers=headers, data={"photo": (io.BytesIO(first_photo), "a.jpg")})
    assert response.status_code == status
    assert len(reader.asked) == (status == 200)


@pytest.mark.parametrize("path", ["/", "/join", "/api", "/api/schema.json", "/static/js/main.js", "/nothing"])
def test_every_answer_forbids_what_comes_from_outside(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in policy
    assert "Access-Control-Allow-Origin" not in headers


def test_host_names_are_compared_in_one_form() -> None:
    assert host_name("TABLE.local.:80") == "table.local"
    assert host_name("[0:0::1]:80") == "::1"
    assert host_name("user@table.local") is None
    assert host_name("table.local:eighty") is None
    assert plain_name(" [::1] ") == "::1"


def test_a_name_with_an_umlaut_is_known_as_browsers_ask_for_it(tmp_path: Path) -> None:
    door = Door(lambda: ["localhost"], ["Küche.local"])
    assert door.answers_to("xn--kche-0ra.local:8000") and door.answers_to("küche.local")
    assert not door.answers_to("ü" * 70) and not door.answers_to("ü..ü")
    assert "xn--kche-0ra.local" in names_of(own_certificates(tmp_path, ["Küche.local"]).server)
