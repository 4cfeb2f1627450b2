"""No page has anything that axe (the checker of accessibility) finds fault with, at whatever level, in light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.webui.browsing import DESK, PHONE, Screen, needs_chromium, open_chromium, serving
from tests.webui.faketable import FakeCamera, dealt, seeing, tagged_table
from tests.webui.test_languages_browser import PAGES
from webui.app import create_app
from webui.cameras.stand import CameraStand
from webui.live.keys import Keys

AXE = ROOT / "build" / "axe.min.js"
"""Where .ci/run puts it."""

pytestmark = [needs_chromium, pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not there: .ci/run fetches it")]

RUN = """
const done = arguments[0];
const told = (id, node) => `${id}: ${node.html.slice(0, 120)} ${node.failureSummary.slice(0, 160)}`;
// A page that was light a moment ago fades: nobody reads the colours on the way.
const faded = document.getAnimations().filter((moving) => moving instanceof CSSTransition).map(({ finished }) => finished);
Promise.allSettled(faded).then(() => axe.run(document, { resultTypes: ["violations"] })).then(({ violations }) => done(
  violations.flatMap(({ id, nodes }) => nodes.map((node) => told(id, node)))));
"""


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """A browser before the pages of a game of Euronimoes that goes on."""
    running = dealt("euronimoes", 2, 12)[0]
    running.camera = seeing()
    nobody: Any = None
    app = create_app(nobody, own_names=lambda: ["localhost", "127.0.0.1"], lan_hosts=lambda: ("127.0.0.1",), table=running,
                     keys=Keys(), stand=CameraStand(lambda name: FakeCamera(tagged_table())))  # fmt: skip
    browser = open_chromium(tmp_path_factory.mktemp("chromium"))
    browser.set_script_timeout(60)
    with serving(app) as url:
        yield Screen(browser, url)
    browser.quit()


def faults(screen: Screen) -> list[str]:
    """What axe finds on the page as it is shown; nothing where axe is not there."""
    if not AXE.is_file():
        return []
    screen.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    found: list[str] = screen.browser.execute_async_script(RUN)
    return found


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_no_fault(screen: Screen, path: str, dark: bool) -> None:
    for size in (PHONE, DESK):
        screen.resize(size, dark)
        screen.open_whole(path)
        assert faults(screen) == []
