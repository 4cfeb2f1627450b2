"""The pages stand on their own: nothing from outside, the way to join, errors that lead back."""

from __future__ import annotations

import mimetypes
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import webui
import webui.pages
from webui.app import create_app
from webui.wire import ReadingForm, TileForm

STATIC = Path(webui.__file__).parent / "static"
PAGES = ("/", "/join", "/api", "/nothing")


def text(client: FlaskClient, path: str) -> str:
    """The page as it is sent."""
    return client.get(path).get_data(as_text=True)


@pytest.mark.parametrize("path", PAGES)
def test_pages_need_nothing_from_outside(client: FlaskClient, path: str) -> None:
    page = text(client, path)
    linked = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert linked
    outside = [link for link in linked if not link.startswith(("/", "#", "http://192.168.1.20"))]
    assert outside == []
    assert "<script>" not in page and " style=" not in page and " onclick=" not in page


@pytest.mark.parametrize("path", PAGES)
def test_everything_a_page_links_to_is_there(client: FlaskClient, path: str) -> None:
    for link in re.findall(r'(?:src|href)="(/[^"#]*)', text(client, path)):
        assert client.get(link, follow_redirects=True).status_code == 200, link


def test_scripts_and_styles_name_no_address_outside() -> None:
    files = [path for kind in ("js", "css") for path in STATIC.rglob(f"*.{kind}")]
    assert len(files) > 10
    for path in files:
        addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+", path.read_text())) - {"http://www.w3.org"}
        assert not {address for address in addresses if address.startswith("http")}, path


def test_every_module_that_is_imported_exists() -> None:
    for path in STATIC.rglob("*.js"):
        for imported in re.findall(r'^import .* from "([^"]+)";$', path.read_text(), re.MULTILINE):
            assert (path.parent / imported).resolve().is_file(), f"{path.name} imports {imported}"


def test_the_start_page_says_that_nothing_is_kept(client: FlaskClient) -> None:
    page = text(client, "/")
    assert "forgotten" in page and "Nothing is sent to the internet" in page


def test_the_sample_is_offered_only_where_it_is(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(webui.pages, "SAMPLE", tmp_path / "sample.jpg")
    assert "sample photo" not in text(client, "/")
    (tmp_path / "sample.jpg").write_bytes(b"")
    assert "sample photo" in text(client, "/") and "made-up picture" in text(client, "/")


def test_every_set_can_be_chosen(client: FlaskClient) -> None:
    page = text(client, "/")
    for value, highest in (("double-six", 6), ("double-nine", 9), ("double-twelve", 12), ("double-fifteen", 15)):
        assert re.search(rf'<option value="{value}" data-highest="{highest}">', page)
    assert '<option value="any" >' in page or '<option value="any">' in page


def test_the_way_to_join_is_an_address_and_a_square(client: FlaskClient) -> None:
    page = client.get("/join", headers={"Host": "localhost:8123"}).get_data(as_text=True)
    assert "http://192.168.1.20:8123/" in page
    assert page.count('class="qr"') == 1


def test_without_a_network_the_join_page_says_so(reader: Any) -> None:
    client = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple).test_client()
    page = text(client, "/join")
    assert "No phone can reach this computer" in page and 'class="qr"' not in page


def test_the_interface_page_explains_every_field(client: FlaskClient) -> None:
    page = text(client, "/api")
    for name in (*ReadingForm.__struct_fields__, *TileForm.__struct_fields__):
        assert f"<code>{name}</code>" in page


def test_an_unknown_page_leads_back(client: FlaskClient) -> None:
    response = client.get("/nothing")
    assert response.status_code == 404
    assert "There is no such page" in response.get_data(as_text=True) and 'href="/"' in response.get_data(as_text=True)


@pytest.mark.parametrize(
    ("path", "file_type"),
    [
        ("js/main.js", "text/javascript"),
        ("css/base.css", "text/css"),
        ("kibitz.webmanifest", "application/manifest+json"),
    ],
)
def test_files_have_the_type_that_browsers_insist_on(
    reader: Any, monkeypatch: pytest.MonkeyPatch, path: str, file_type: str
) -> None:
    for ending in (".js", ".css", ".webmanifest"):
        monkeypatch.setitem(mimetypes.types_map, ending, "text/plain")  # as a spoilt system has it
    app = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple)
    assert app.test_client().get(f"{app.static_url_path}/{path}").content_type.startswith(file_type)
