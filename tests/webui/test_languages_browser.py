"""Every page in Chromium in German and in Spanish, with games in progress: not one English word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.webui.browsing import DESK, Screen, needs_chromium, serving
from tests.webui.faketable import FakeCamera, dealt, seeing, tagged_table
from tests.webui.foreign import english_in
from webui.app import create_app
from webui.cameras.stand import CameraStand
from webui.live.keys import Keys

pytestmark = needs_chromium

PAGES = ("/", "/#scores", "/table", "/table?view=tv", "/setup", "/setup#players", "/setup#camera", "/setup#measure",
         "/setup#read", "/camera", "/seats", "/join", "/guide", "/secure", "/api", "/rules", "/review", "/why", "/offline",
         "/nowhere")  # fmt: skip

SHOWN = """
const texts = [document.title];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const around = walk.currentNode.parentElement;
  if (!around.closest("script, style, code, pre, noscript, [lang]:not(html)")) texts.push(walk.currentNode.data);
}
for (const node of document.querySelectorAll("[aria-label], [alt], [title], [placeholder]"))
  texts.push(...["aria-label", "alt", "title", "placeholder"].map((name) => node.getAttribute(name) ?? ""));
return texts;
"""
"""Everything that is read or heard, hidden parts too."""


@pytest.fixture(params=["euronimoes", "all-fives", "engine191"])
def screen(request: pytest.FixtureRequest, chromium: Any, reader: Any) -> Iterator[Screen]:
    """A desk before the pages of a game that goes on."""
    running = dealt(request.param, 2, 12)[0]
    running.camera = seeing()
    app = create_app(reader, own_names=lambda: ["localhost", "127.0.0.1"], lan_hosts=lambda: ("127.0.0.1",), table=running,
                     keys=Keys(), stand=CameraStand(lambda name: FakeCamera(tagged_table())))  # fmt: skip
    with serving(app) as url:
        found = Screen(chromium, url)
        found.resize(DESK)
        yield found


@pytest.mark.parametrize("language", ["de", "es"])
def test_no_page_shows_an_english_word(screen: Screen, language: str) -> None:
    screen.open(f"/join?language={language}")
    found: dict[str, list[str]] = {}
    for path in PAGES:
        screen.open_whole(path)
        assert screen.find("html").get_attribute("lang") == language
        shown = screen.browser.execute_script(SHOWN)
        found |= {f"{path}: {text.strip()}": words for text in shown if (words := english_in(text, language))}
    assert found == {}


def test_the_voice_speaks_the_language_of_the_page(screen: Screen) -> None:
    screen.open("/table?language=es")
    screen.until(lambda: screen.find_all('[data-ready="true"]'))
    said = screen.browser.execute_async_script("""
        const done = arguments[0];
        speechSynthesis.speak = (spoken) => done([spoken.text, spoken.lang]);
        localStorage.setItem("kibitz.sound", JSON.stringify("voice"));
        const files = [...document.scripts].map((script) => script.src).find((src) => src.includes("/js/table/main.js"));
        import(files.replace("main.js", "sound.js")).then(({ createSound }) => {
          const button = document.createElement("button");
          button.append(document.createElement("span"));
          createSound(button).tell("play", "Ann juega la 3|5.");
        });
    """)
    assert said == ["Ann juega la 3 5.", "es"]


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_no_page_is_wider_than_a_phone_in_any_language(screen: Screen, language: str) -> None:
    screen.resize((360, 780))
    screen.open(f"/join?language={language}")
    wide = {}
    for path in PAGES:
        if path.endswith("tv"):
            continue
        screen.open(path)
        if path == "/table":
            screen.until(lambda: screen.find_all('[data-ready="true"]'))
        if (width := screen.browser.execute_script("return document.documentElement.scrollWidth")) > 360:
            wide[path] = width
    assert wide == {}
