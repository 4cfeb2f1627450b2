"""How long a play takes from its entry to every device that listens: `python -m tests.webui.latency [PLAYS] [GAME BEFORE]`.

Eight phones (two a seat's, the others looking on, in four languages) listen to the events of a table as its page does, in a
process of their own; a browser of this machine shows the page. The clock runs from before the deed, so its way to the journal
on disk is counted: to a phone until it has the new table whole, to the browser until the page has changed, and until the second
picture that it paints with the change. Before the clock runs, BEFORE plays have been made: a long history is more to tell.
Nothing here crosses a real Wi-Fi.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from engine.games import game
from referee.setting import Setting, seated
from tests.webui.browsing import DESK, Screen, open_chromium, serving
from webui.app import create_app
from webui.languages import COOKIE as LANGUAGE_COOKIE
from webui.languages import LANGUAGES
from webui.live.keys import COOKIE, Keys
from webui.live.room import Room
from webui.live.running import Do

PHONES = 8
LONGEST_SECONDS = 60

WATCH = """
window.changed = {};
const page = document.getElementById("table-page");
new MutationObserver(() => {
  const { version } = page.dataset;
  Promise.resolve().then(() => { window.changed[version] = [Date.now()]; }); // once all that a table draws is there
  requestAnimationFrame(() => requestAnimationFrame(() => { window.changed[version].push(Date.now()); }));
}).observe(page, { attributes: true, attributeFilter: ["data-version"] });
"""


class Arrival(NamedTuple):
    """When a device had a version of the table: seconds of the clock on the wall."""

    device: int
    version: int
    time: float


class Times(NamedTuple):
    """Milliseconds from one play: to each phone, to the page's change, to its being painted."""

    phones: tuple[float, ...]
    changed: float
    painted: float


class NoReader:
    """Is never asked: there is no camera."""


def plays_to_screens(browser: Any, folder: Path, plays: int, phones: int = PHONES, name: str = "block",
                     before: int = 0) -> list[Times]:  # fmt: skip
    """How long each play of a game took to the phones and to a page in the browser."""
    reader: Any = NoReader()
    setting = Setting(name, game(name).Rules(), seated(("Ann", "Bob")))
    room = Room(folder / "table", reader, setting)
    app = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple, table=room.table, keys=room.keys)
    try:
        for number in range(before):
            _play(room, Random(number))
        with serving(app) as url, listening(url, cookies(room.keys, phones)) as arrivals:
            screen = Screen(browser, url)
            screen.resize(DESK)
            screen.open("/table")
            screen.until(lambda: screen.find_all('[data-ready="true"]'))
            browser.execute_script(WATCH)
            found = [_timed(room, screen, arrivals, phones, Random(before + number)) for number in range(plays)]
            browser.get("about:blank")
            return found
    finally:
        room.close()


def cookies(keys: Keys, phones: int) -> list[str]:
    """What each phone shows at the door: two are seats, and every one asks for a language."""
    spoken = list(LANGUAGES)
    return [f"{LANGUAGE_COOKIE}={spoken[phone % len(spoken)]}" + (f"; {COOKIE}={keys.seats[phone]}" if phone < 2 else "")
            for phone in range(phones)]  # fmt: skip


@contextmanager
def listening(url: str, each: list[str]) -> Iterator[Any]:
    """Phones that listen, in a process of their own, once all have heard how the table is; gives a queue of arrivals."""
    spawned = multiprocessing.get_context("spawn")
    arrivals = spawned.Queue()
    process = spawned.Process(target=listen, args=(url, each, arrivals), daemon=True)
    process.start()
    try:
        for _ in each:
            arrivals.get(timeout=LONGEST_SECONDS)
        yield arrivals
    finally:
        process.kill()
        process.join()


def listen(url: str, each: list[str], arrivals: Any) -> None:
    """Be phones with these cookies until the end."""
    threads = [threading.Thread(target=_listen, args=(url, phone, cookie, arrivals)) for phone, cookie in enumerate(each)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _listen(url: str, phone: int, cookie: str, arrivals: Any) -> None:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=LONGEST_SECONDS)
    connection.request("GET", "/live/events", headers={"Accept-Encoding": "gzip", "Cookie": cookie})
    answer, unpack, text = connection.getresponse(), zlib.decompressobj(16 + zlib.MAX_WBITS), b""
    while packed := answer.read1():
        *events, text = (text + unpack.decompress(packed)).split(b"\n\n")
        for event in events:
            if event.startswith(b"event: table"):
                table = json.loads(event.partition(b"data: ")[2])
                arrivals.put(Arrival(phone, table["version"], time.time()))


def _play(room: Room, random: Random) -> None:
    """Play something by chance."""
    moment = room.table.moment()
    state = moment.state
    action = state.public(state.random_chance(random)) if state.chance else random.choice(state.legal())
    room.table.do(moment.version, "host", Do(action))


def _timed(room: Room, screen: Screen, arrivals: Any, phones: int, random: Random) -> Times:
    """A play, some time after the last one."""
    time.sleep(random.uniform(0.2, 0.6))
    began = time.time()
    _play(room, random)
    version = room.table.moment().version
    came: dict[int, float] = {}
    while len(came) < phones:
        arrival = arrivals.get(timeout=LONGEST_SECONDS)
        if arrival.version == version:
            came[arrival.device] = arrival.time
    seen = screen.until(lambda: len(at := _changed(screen, version)) == 2 and at)
    return Times(tuple(1000 * (came[phone] - began) for phone in range(phones)), *(at - 1000 * began for at in seen))


def _changed(screen: Screen, version: int) -> list[float]:
    """When the page had changed to that version and had painted it, milliseconds of the clock on the wall."""
    return list(screen.browser.execute_script("return window.changed[arguments[0]] ?? []", str(version)))


def main(plays: int, games: Iterable[tuple[str, int]]) -> None:
    """Measure, and print the figures."""
    for name, before in games:
        with tempfile.TemporaryDirectory() as folder:
            browser = open_chromium(Path(folder))
            try:
                times = plays_to_screens(browser, Path(folder), plays, name=name, before=before)
            finally:
                browser.quit()
        print(f"{name}, {plays} plays after {before}; {PHONES} phones and a browser listen; milliseconds from the entry")
        for what, told in (("a phone has it", [each for one in times for each in one.phones]),
                           ("all phones have it", [max(one.phones) for one in times]),
                           ("the page has changed", [one.changed for one in times]),
                           ("the page is painted", [one.painted for one in times])):  # fmt: skip
            p50, p95 = np.percentile(told, (50, 95))
            print(f"  {what:22} median {p50:4.0f}  p95 {p95:4.0f}  longest {max(told):4.0f}", flush=True)


if __name__ == "__main__":
    plays, *asked = sys.argv[1:] or ["60"]
    main(int(plays), [(asked[0], int(asked[1]))] if asked else [("block", 0), ("euronimoes", 20), ("mexican-train", 180)])
