"""The served page: its greeting, a taken port, and large uploads that stay in memory."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import webui.app
from webui import addresses
from webui.app import serve
from webui.server import Limits, TableServer, greeting


@contextmanager
def served(
    reader: Any, monkeypatch: pytest.MonkeyPatch, home: Path, **options: Any
) -> Iterator[tuple[TableServer, str]]:
    """A server on a free port of this machine, and what it printed."""
    servers: list[TableServer] = []

    def remember(*args: Any) -> TableServer:
        servers.append(TableServer(*args))
        return servers[-1]

    monkeypatch.setattr(webui.app, "TableServer", remember)
    monkeypatch.setattr(webui.app, "PhotoReader", lambda reader: reader)
    printed: list[str] = []
    ready = threading.Event()

    def say(words: str) -> None:
        printed.append(words)
        ready.set()

    thread = threading.Thread(
        target=lambda: serve(reader, host="127.0.0.1", port=0, home=home, tell=say, **options), daemon=True
    )
    thread.start()
    assert ready.wait(20)
    try:
        yield servers[0], "\n".join(printed)
    finally:
        servers[0].stop()
        thread.join(20)
        assert not thread.is_alive()


def test_it_prints_where_it_is_and_answers_there(reader: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with served(reader, monkeypatch, tmp_path) as (server, printed):
        port = server.port
        assert f"http://localhost:{port}/" in printed
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
            assert b"Count your dominoes" in page.read()
            assert page.headers["Server"] == "kibitz"


def test_a_taken_port_is_told_in_one_sentence(reader: Any, tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(OSError, match=f"port {port}.*another"):
            serve(reader, host="127.0.0.1", port=port, home=tmp_path, tell=lambda _: None)


def test_a_body_that_is_too_large_is_refused_before_it_comes(
    reader: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with served(reader, monkeypatch, tmp_path, limits=Limits(upload_bytes=100_000)) as (server, _):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        connection.putrequest("POST", "/api/read")
        connection.putheader("Content-Length", str(10**9))
        connection.endheaders()
        assert connection.getresponse().status == 413
    assert reader.asked == []


def test_the_server_keeps_uploads_in_memory(
    reader: Any, monkeypatch: pytest.MonkeyPatch, first_photo: bytes, tmp_path: Path
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was opened for a photo")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    photo = first_photo + bytes(3_000_000)
    edge = "edge-of-a-part"
    body = io.BytesIO()
    body.write(f'--{edge}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'.encode())
    body.write(photo)
    body.write(f"\r\n--{edge}--\r\n".encode())
    with served(reader, monkeypatch, tmp_path) as (server, _):
        headers = {"Content-Type": f"multipart/form-data; boundary={edge}"}
        ask = urllib.request.Request(f"http://127.0.0.1:{server.port}/api/read", body.getvalue(), headers)
        with urllib.request.urlopen(ask) as response:
            assert response.status == 200


def test_the_greeting_names_every_address_and_draws_the_first() -> None:
    words = greeting(["192.168.1.20", "10.0.0.3"], 8000)
    assert "http://localhost:8000/" in words
    assert "http://192.168.1.20:8000/" in words and "http://10.0.0.3:8000/" in words
    both = greeting(["192.168.1.20"], 8000, page="table", here="setup")
    assert "http://localhost:8000/setup" in both and "http://192.168.1.20:8000/table" in both
    alone = greeting([], 8000)
    assert "phone" not in alone and len(alone.splitlines()) < 8


def test_port_80_needs_no_number() -> None:
    assert addresses.page_urls(["table.local"], 80) == ["http://table.local/"]


def test_this_machine_knows_itself() -> None:
    names = addresses.machine_names()
    assert {"localhost", "127.0.0.1", socket.gethostname().lower()} <= names
    assert all(not address.startswith("127.") for address in addresses.lan_addresses())


def test_the_main_address_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        addresses, "machine_addresses", lambda: ("127.0.0.1", "10.1.1.1", "169.254.3.3", "192.168.1.20", "fe80::1")
    )
    monkeypatch.setattr(addresses, "_main_address", lambda: "192.168.1.20")
    assert addresses.lan_addresses() == ("192.168.1.20", "10.1.1.1")


def test_the_encrypted_page_is_vouched_for_by_this_machines_authority(
    reader: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with served(reader, monkeypatch, tmp_path, secure_port=0) as (server, printed):
        assert f"https://localhost:{server.secure_port}/" in printed
        plain = f"http://127.0.0.1:{server.port}"
        with urllib.request.urlopen(f"{plain}/secure") as page:
            assert b"Why your browser warns you" in page.read()
        with urllib.request.urlopen(f"{plain}/kibitz-authority.crt") as file:
            trust = ssl.create_default_context(cadata=file.read().decode())
        for name in ("localhost", "127.0.0.1"):
            with urllib.request.urlopen(f"https://{name}:{server.secure_port}/", context=trust) as page:
                assert b"Count your dominoes" in page.read()
        with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
            urllib.request.urlopen(f"https://localhost:{server.secure_port}/")


def test_a_phone_that_never_shakes_hands_keeps_nobody_waiting(
    reader: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with served(reader, monkeypatch, tmp_path, secure_port=0) as (server, _):
        trust = ssl.create_default_context(cafile=str(tmp_path / "certificates" / "authority.pem"))
        silent = [socket.create_connection(("127.0.0.1", server.secure_port or 0)) for _ in range(5)]
        with urllib.request.urlopen(f"https://localhost:{server.secure_port}/", context=trust, timeout=10) as page:
            assert page.status == 200
        for connection in silent:
            connection.close()


def test_without_encryption_the_page_says_how_to_begin(client: FlaskClient) -> None:
    assert b"./run serve --https" in client.get("/secure").data
    assert client.get("/kibitz-authority.crt").status_code == 404
