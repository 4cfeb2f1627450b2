"""Pictures of every page in three sizes and two languages: `python -m tests.webui.screenshots FOLDER [WORD]`, to be looked at.

With a word only pictures with that word in their name are made.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.core import Verdict
from engine.euronimoes.actions import Play
from engine.state import State
from engine.words import count, say
from tests.webui.browsing import PHONE, TELEVISION, Screen, open_chromium, serving
from tests.webui.faketable import FakeCamera, FakeTable, dealt, picture, seeing, table, tagged_table
from vision.reading import Reading
from webui.addresses import Ways
from webui.app import create_app
from webui.cameras.stand import CameraStand
from webui.languages import COOKIE as LANGUAGE_COOKIE
from webui.live.keys import COOKIE, Keys
from webui.live.running import Choice, Fault, Offered, Question, Step

SIZES = {"phone": PHONE, "desk": (1440, 900), "tv": TELEVISION}
SPOKEN = ("en", "de")


class NoReader:
    """Reads nothing."""

    def read(self, image: Any, tile_set: Any = None) -> Reading:
        return Reading((), (), (image.shape[1], image.shape[0]), {})


def euronimoes(players: int = 2, plays: int = 22) -> FakeTable:
    """A game of Euronimoes half way, before a camera."""
    running, _ = dealt("euronimoes", players, plays)
    running.camera = seeing()
    running.pictures["after"] = picture("the last play")
    return running


def block(plays: int = 17) -> FakeTable:
    """A round of Block & Draw half way."""
    running, _ = dealt("block", 3, plays)
    running.camera = seeing()
    running.pictures["after"] = picture("the last play")
    return running


def rescued() -> FakeTable:
    """The journal was spoilt, and an earlier game can go on."""
    running = block()
    running.actions.clear()
    why = say("The journal of this table cannot be used and is kept as {name}: {why}.",
              name="journal-2026-11-24-210000-000000-damaged.db", why="file is not a database")  # fmt: skip
    running.offered = Offered(running.setting, 1_900_000_000.0, (25, 40, 15)[: len(running.setting.seats)], why)
    return running


def illegal() -> FakeTable:
    """An illegal play lies on the table."""
    running, full = dealt("euronimoes", 2, 21)
    running.camera = seeing(word="illegal")
    running.pictures["bad"] = picture("the play that is not allowed")
    state = running.moment().state
    play, verdict = _against_the_rules(full)
    running.show(
        word="illegal",
        fault=Fault(say("{name} lays the {tile}.", name=running.setting.names[state.turn or 0], tile=play.tile), verdict, play,
                    state.turn, ("bad",)),
    )  # fmt: skip
    return running


def _against_the_rules(state: State) -> tuple[Play, Verdict]:
    """A play that ends a column wrongly: a legal one, shifted by a cell."""
    for play in [action for action in state.legal() if isinstance(action, Play)]:
        for right, up in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            (x0, y0), (x1, y1) = play.cells
            shifted = replace(play, cells=((x0 + right, y0 + up), (x1 + right, y1 + up)))
            verdict = state.verify(shifted)
            if verdict.rule == "run-step":
                return shifted, verdict
    raise LookupError("no play here breaks that rule")


def asking() -> FakeTable:
    """A question is open."""
    running = euronimoes(3)
    running.pictures["what"] = picture("which was it?")
    choices = (
        Choice("a", say("{name} buys the {tile} ({paid}).", name="Bob", tile="2-4", paid=say("takes a chip"))),
        Choice("b", say("{name} draws from the bone pile.", name="Bob")),
        Choice("c", say("Nothing was played.")),
    )
    running.show(
        word="asking",
        question=Question("q1", say("What happened? {sentence}", sentence=choices[0].words), choices, ("what",)),
    )
    return running


def repairing() -> FakeTable:
    """The table is out of step."""
    running = block()
    steps = (
        Step(say("Put the {tile} back {where}.", tile="3-5", where=say("at the right end")), True),
        Step(say("The {tile} lies open beside the line: turn it face down or take it back into the hand.", tile="2-6")),
        Step(say("Turn the {tile} round, {where}.", tile="1-6", where=say("in the middle"))),
    )
    running.show(word="out-of-sync", sentence=say("The table is being compared."), repair=steps)
    return running


def seeming_open() -> FakeTable:
    """Before the deal a tile seems to lie open."""
    running = table("block", 2)
    steps = (count(1, "{number} tile lies open: turn it face down.", "{number} tiles lie open: turn them face down."),
             say("The boneyard should have {rest} tiles face down; {boneyard} are seen.", rest=14, boneyard=13))
    running.show(sentence=steps[0], repair=tuple(map(Step, steps)))
    return running


def lost() -> FakeTable:
    """The camera is lost."""
    running = euronimoes()
    running.camera = seeing(12.0, "camera-lost")
    running.show(word="camera-lost", sentence=say("The camera is lost; plays can be entered by hand."))
    return running


def thoughtful(hints: str = "best", name: str = "all-fives", first: int = 5) -> FakeTable:
    """It is the first seat's turn, and it has told its tiles."""
    for plays in range(first, 60):
        running, full = dealt(name, 2, plays)
        if full.turn == 0 and len([action for action in full.legal() if action.kind == "play"]) > 2:
            break
    running.hands[0] = full.hands[0]
    running.setting = replace(running.setting, hints=hints)
    running.camera = seeing()
    return running


def hinted(screen: Screen) -> None:
    """Ask for hints, on the seat's own phone, and wait until they are thought out."""
    if screen.find_all('[data-key="hint"]'):
        screen.press("hint")
        screen.until(lambda: screen.find_all(".hints li, .hints .tile-choice") and not screen.find_all(".hints [role=status]"))


def entering(screen: Screen) -> None:
    """Open the entry and choose a tile."""
    if not screen.find(".dock").is_displayed():
        screen.find("#enter").click()
    tiles = screen.find_all(".dock .tile-choice")
    if tiles:
        screen.press(tiles[0].get_attribute("data-key"))
        screen.until(lambda: screen.find_all(".place") or screen.find_all('[data-key="tell"]'))


def telling_anew(screen: Screen) -> None:
    """Change the deal, of which one tile is wrong."""
    screen.press("change-0")
    for key in ("mending", "chosen-2"):
        screen.press(key)


def reasons(screen: Screen) -> None:
    """Open the reasons of a score and point at a column."""
    screen.press("reasons-0")
    links = screen.find_all(".reasons .link")
    if links:
        screen.press(links[0].get_attribute("data-key"))


def live_picture(screen: Screen) -> None:
    """Show the live picture."""
    screen.find("#show-picture").click()
    screen.until(lambda: screen.find(".live-picture img").get_attribute("src"))


def nothing(screen: Screen) -> None:
    """Only look."""


def live(screen: Screen) -> None:
    """Wait for the camera's picture on the set-up page."""
    screen.until(lambda: screen.find("#live").is_displayed())


def dragging(screen: Screen) -> None:
    """Drag the corners to the tags."""
    live(screen)
    screen.find("#by-hand").click()


def measuring(screen: Screen) -> None:
    """Measure the table by its tags."""
    live(screen)
    screen.find("#by-itself").click()
    screen.until(lambda: screen.find_all(".advice") or screen.text("#measure-problem"))


def reading(screen: Screen) -> None:
    """Read the tiles that lie there."""
    live(screen)
    screen.press("read")
    screen.until(lambda: screen.find_all("#was-read .advice"))


def judging(screen: Screen) -> None:
    """Have a game that is over compared with the hints."""
    screen.press("judge")
    screen.until(lambda: screen.find_all(".judged .quiet"))
    plays = screen.find_all(".judged .review-step")
    if plays:
        screen.press(str(plays[0].get_attribute("data-key")))


def comfortable(screen: Screen) -> None:
    """Turn the table half round, and open what else makes it comfortable."""
    screen.press("comfort")
    screen.find('#comfort [value="180"]').click()


def filming(screen: Screen) -> None:
    """Be the camera, and wait until pictures arrive."""
    choose = (
        "fetch('/setup/camera', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: arguments[0]})"
    )
    screen.browser.execute_script(f"return {choose}", '{"name": "phone"}')
    screen.until(lambda: screen.find_all("#camera-facts dd"))


Scene = tuple[str, Callable[[], FakeTable], str, Callable[[Screen], None]]
SCENES: tuple[Scene, ...] = (
    ("euronimoes", euronimoes, "/table", nothing),
    ("euronimoes-entering", lambda: euronimoes(2, 21), "/table", entering),
    ("euronimoes-reasons", euronimoes, "/table", reasons),
    ("euronimoes-four", lambda: euronimoes(4, 60), "/table", nothing),
    ("euronimoes-deal", lambda: table("euronimoes", 2), "/table", entering),
    ("block", block, "/table", nothing),
    ("block-entering", block, "/table", entering),
    ("spinner", lambda: dealt("all-fives", 2, 14, 3, spinner="all")[0], "/table", nothing),
    ("spinner-entering", lambda: dealt("all-fives", 2, 9, 3, spinner="first_double")[0], "/table", entering),
    ("engine191", lambda: dealt("engine191", 3, 40)[0], "/table", nothing),
    ("engine191-entering", lambda: dealt("engine191", 2, 20)[0], "/table", entering),
    ("hints", thoughtful, "/table", hinted),
    ("hints-grid", lambda: thoughtful(name="euronimoes", first=20), "/table", hinted),
    ("hints-nudge", lambda: thoughtful("nudge"), "/table", hinted),
    ("hints-legal", lambda: thoughtful("legal"), "/table", hinted),
    ("knock-out", lambda: dealt("knock-out", 1, 3)[0], "/table", nothing),
    ("elimination", lambda: dealt("elimination", 1, 40)[0], "/table", nothing),
    ("solitaire", lambda: dealt("solitaire", 1, 8)[0], "/table", entering),
    ("solitaire-deal", lambda: table("solitaire", 1), "/table", entering),
    ("solitaire-anew", lambda: dealt("solitaire", 1, 1)[0], "/table", telling_anew),
    ("euronimoes-anew", lambda: dealt("euronimoes", 2, 1)[0], "/table", telling_anew),
    ("dominoids", lambda: dealt("dominoids", 2, 12)[0], "/table", entering),
    ("dominoids-deal", lambda: table("dominoids", 2), "/table", entering),
    ("mexican-train", lambda: dealt("mexican-train", 4, 60)[0], "/table", nothing),
    ("mexican-train-entering", lambda: dealt("mexican-train", 3, 24)[0], "/table", entering),
    ("mexican-train-deal", lambda: table("mexican-train", 8), "/table", entering),
    ("mexican-train-eight", lambda: dealt("mexican-train", 8, 70)[0], "/table", nothing),
    ("mexican-train-setup", lambda: table("mexican-train", 8), "/setup#players", nothing),
    ("comfort", block, "/table", comfortable),
    ("illegal", illegal, "/table", nothing),
    ("question", asking, "/table", nothing),
    ("repair", repairing, "/table", nothing),
    ("seeming-open", seeming_open, "/table", nothing),
    ("lost", lost, "/table", live_picture),
    ("picture", euronimoes, "/table", live_picture),
    ("seats", euronimoes, "/seats", nothing),
    ("why", euronimoes, "/why", nothing),
    ("setup", lambda: table("euronimoes", 2), "/setup", nothing),
    ("setup-players", euronimoes, "/setup#players", nothing),
    ("setup-camera", euronimoes, "/setup#camera", live),
    ("setup-read", euronimoes, "/setup#read", reading),
    ("review", euronimoes, "/review", nothing),
    ("judged", lambda: euronimoes(2, 400), "/review", judging),
    ("rules", euronimoes, "/rules", nothing),
    ("offline", euronimoes, "/offline", nothing),
    ("setup-rescue", rescued, "/setup", nothing),
    ("setup-corners", euronimoes, "/setup#measure", dragging),
    ("setup-measured", block, "/setup#measure", measuring),
    ("camera", euronimoes, "/camera", filming),
    ("secure", euronimoes, "/secure", nothing),
    ("join", euronimoes, "/join", nothing),
    ("guide", euronimoes, "/guide", nothing),
    ("count", euronimoes, "/", nothing),
    ("api", euronimoes, "/api", nothing),
    ("error", euronimoes, "/nowhere", nothing),
)


@contextmanager
def shown(running: FakeTable, keys: Keys) -> Iterator[str]:
    """An app around that table, with a camera over it."""
    stand = CameraStand(lambda name: FakeCamera(tagged_table()))
    app = create_app(
        NoReader(), own_names=lambda: ["localhost"], lan_hosts=lambda: ("192.168.1.20",), ways=Ways(8000, 8443),
        table=running, keys=keys, stand=stand,
    )  # fmt: skip
    threading.Thread(target=stand.pump, daemon=True).start()
    stand.choose("0")
    with serving(app) as url:
        yield url
    stand.close()


def main(folder: Path, word: str = "") -> None:
    """Make the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = Keys()
    with tempfile.TemporaryDirectory() as profile:
        browser = open_chromium(Path(profile))
        try:
            for name, make, path, act in SCENES:
                named = {f"{name}-{size}-{language}": (size, language) for size in SIZES for language in SPOKEN}
                wanted = {file: how for file, how in named.items() if word in file}
                if not wanted:
                    continue
                with shown(make(), keys) as url:
                    for file, (size, language) in wanted.items():
                        spoken = {"name": LANGUAGE_COOKIE, "value": language}
                        take(Screen(browser, url), folder / f"{file}.png", path, size, act, keys, spoken)
                        print(file)
        finally:
            browser.quit()


def take(screen: Screen, file: Path, path: str, size: str, act: Callable[[Screen], None], keys: Keys,
         spoken: dict[str, str]) -> None:  # fmt: skip
    """One picture."""
    screen.patience = 40
    screen.resize(SIZES[size], dark=size == "tv")
    tv = size == "tv" and path == "/table"
    screen.open("/secure")
    screen.browser.add_cookie({"name": COOKIE, "value": keys.seats[0] if size == "phone" or act is hinted else keys.host})
    screen.browser.add_cookie(spoken)
    screen.open(path + ("?view=tv" if tv else ""))
    if path == "/table":
        screen.until(lambda: screen.find_all('[data-ready="true"]'))
        screen.until(lambda: screen.find_all(".health span"))
    if not (tv and act in (entering, live_picture)):
        try:
            act(screen)
        except Exception as error:  # a picture of what went wrong says more
            print(f"{file.name}: {error}", file=sys.stderr)
    screen.browser.execute_script("window.scrollTo(0, 0)")
    screen.until(
        lambda: screen.browser.execute_script(
            'return [...document.images].every((one) => one.complete || one.loading === "lazy" || one.hidden)'
        )
    )
    height = screen.browser.execute_script("return Math.max(document.documentElement.scrollHeight, innerHeight)")
    if size != "tv":
        screen.resize((SIZES[size][0], min(int(height), 2600)))
    screen.shot(file)
    screen.browser.get("about:blank")
    for complaint in screen.complaints():
        print(f"{file.name}: {complaint}", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
