"""How long a play takes from its entry to the screens that show it: `python -m tests.webui.latency [PLAYS]`.

Four windows of one browser show the table page of this machine. The clock runs from before the deed, so its way to the
journal on disk is counted, until the second picture that the browser paints with it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from engine.games import game
from referee.setting import Setting, seated
from tests.webui.browsing import DESK, Screen, open_chromium, serving
from webui.app import create_app
from webui.live.room import Room
from webui.live.running import Do

CLIENTS = 4

WATCH = """
window.painted = {};
const page = document.getElementById("table-page");
new MutationObserver(() => {
  const version = page.dataset.version;
  requestAnimationFrame(() => requestAnimationFrame(() => { window.painted[version] = Date.now(); }));
}).observe(page, { attributes: true, attributeFilter: ["data-version"] });
"""


class NoReader:
    """Is never asked: there is no camera."""


def plays_to_screens(browser: Any, folder: Path, plays: int, clients: int = CLIENTS) -> list[list[float]]:
    """Milliseconds from each play of a game to each of the windows."""
    reader: Any = NoReader()
    setting = Setting("block", game("block").Rules(), seated(("Ann", "Bob")))
    room = Room(folder / "table", reader, setting)
    app = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple, table=room.table, keys=room.keys)
    try:
        with serving(app) as url:
            windows = [_window(browser, url) for _ in range(clients)]
            found = [_play(room, browser, windows, random) for random in map(Random, range(plays))]
            for window in windows:
                browser.switch_to.window(window)
                browser.get("about:blank")
            return found
    finally:
        room.close()


def _window(browser: Any, url: str) -> str:
    """A new window that shows the table and notes when it has painted each version."""
    browser.switch_to.new_window("window")
    screen = Screen(browser, url)
    screen.resize(DESK)
    screen.open("/table")
    screen.until(lambda: screen.find_all('[data-ready="true"]'))
    browser.execute_script(WATCH)
    return str(browser.current_window_handle)


def _play(room: Room, browser: Any, windows: list[str], random: Random) -> list[float]:
    moment = room.table.moment()
    state = moment.state
    action = state.public(state.random_chance(random)) if state.chance else random.choice(state.legal())
    began = time.time()
    room.table.do(moment.version, "host", Do(action))
    version = str(room.table.moment().version)
    return [1000 * (_painted(browser, window, version) / 1000 - began) for window in windows]


def _painted(browser: Any, window: str, version: str) -> float:
    """When the window had painted that version, milliseconds of the clock on the wall."""
    browser.switch_to.window(window)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if at := browser.execute_script("return window.painted[arguments[0]]", version):
            return float(at)
        time.sleep(0.01)
    raise AssertionError(f"version {version} was never painted")


def main(plays: int) -> None:
    """Measure, and print the figures."""
    with tempfile.TemporaryDirectory() as profile:
        browser = open_chromium(Path(profile))
        try:
            times = np.array(plays_to_screens(browser, Path(profile), plays)).ravel()
        finally:
            browser.quit()
    p50, p95 = np.percentile(times, (50, 95))
    print(f"{plays} plays on {CLIENTS} screens: median {p50:.0f} ms, p95 {p95:.0f} ms, longest {times.max():.0f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
