"""The table, set-up and camera pages in Chromium: a game entered and put right, one seen go wrong, a camera lost and lent."""

from __future__ import annotations

import re
import threading
import time
import urllib.request
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import cv2
import pytest
from selenium.webdriver.common.keys import Keys as Typed

from engine.core import Verdict
from engine.euronimoes.actions import Play
from engine.pieces import DOUBLE_SIX, Tile
from tests.webui.browsing import DESK, PHONE, TELEVISION, Screen, needs_chromium, serving
from tests.webui.faketable import GOOD, FakeCamera, FakeTable, dealt, seeing, table, tagged_table, tidy
from tests.webui.screenshots import SCENES, shown
from tests.webui.test_result import played
from vision.sources.source import SourceError
from webui.app import create_app
from webui.cameras.stand import CameraChoice, CameraStand
from webui.delivery import STATIC
from webui.live.keys import Keys
from webui.live.review import running
from webui.live.running import Begin, Choice, Do, Fault, Question, Refused, Step, Undo

pytestmark = needs_chromium

LARGEST_PAGE, LARGEST_RETURN, LARGEST_LONG_GAME = 200_000, 20_000, 300_000
"""Bytes over the wire that a page may take when it is opened for the first time, and when it is opened again; and the table page
at the size of a television in a game of 200 plays, with their pictures."""


class Served:
    """A table, its camera stand and keys, and a screen that shows them."""

    def __init__(self, running: FakeTable, stand: CameraStand, keys: Keys, screen: Screen) -> None:
        self.running, self.stand, self.keys, self.screen = running, stand, keys, screen

    def open_table(self, path: str = "/table") -> Screen:
        """The table page, with its first snapshot."""
        self.screen.open(path)
        self.screen.until(lambda: self.screen.find_all('[data-ready="true"]'))
        return self.screen

    def seen(self) -> None:
        """Waits until the page shows what the table is now."""
        self.screen.until(
            lambda: self.screen.find("#table-page").get_attribute("data-version") == str(self.running.version)
        )


@pytest.fixture
def served(chromium: Any, reader: Any) -> Iterator[Served]:
    """Block & Draw, dealt, shown on a phone; at the end nothing may have gone wrong unseen."""
    running, keys = dealt("block", 2, 0)[0], Keys()
    stand = CameraStand(lambda name: FakeCamera(tagged_table()))
    threading.Thread(target=stand.pump, daemon=True).start()
    app = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=tuple, table=running, keys=keys, stand=stand)
    with serving(app) as url:
        screen = Screen(chromium, url)
        screen.resize(PHONE)
        yield Served(running, stand, keys, screen)
        complaints = screen.complaints()
        chromium.delete_all_cookies()
        chromium.get("about:blank")
    stand.close()
    assert [line for line in complaints if "409" not in line and "422" not in line] == []


def entering(served: Served, name: str, players: int = 2, **rules: Any) -> Screen:
    """The table page of that game before its deal, where somebody begins to enter."""
    served.running.setting = table(name, players, **rules).setting
    served.running.actions = []
    screen = served.open_table()
    screen.until(lambda: screen.find(".dock").is_displayed())  # there is nothing else to do
    return screen


def lead(running: FakeTable) -> str:
    """A tile that may lead."""
    return next(str(action.tile) for action in running.moment().state.legal())  # type: ignore[attr-defined]


def test_a_play_is_entered_with_two_taps_undone_and_changed(served: Served) -> None:
    screen = served.open_table()
    screen.find("#enter").click()
    tile = lead(served.running)
    screen.press(f"tile-{tile}")
    screen.press(f"lay-play {tile} root -")
    screen.until(lambda: len(screen.find_all(".laid")) == 1)
    assert f"leads the {tile.replace('-', '|')}" in screen.text('[data-part="last"]')
    assert "leads" in screen.text("#announcer")
    screen.find("#undo").click()
    screen.until(lambda: not screen.find_all(".laid"))
    assert "taken back" in screen.text(".entry.undone")
    served.seen()
    screen.press(f"tile-{tile}")
    screen.press(f"lay-play {tile} root -")
    served.seen()
    screen.press(f"change-{len(served.running.actions) - 1}")
    screen.press("strike")
    served.seen()
    assert len(screen.find_all(".entry.undone")) == 2


def test_a_place_on_the_drawing_is_a_button_for_the_keyboard_too(served: Served) -> None:
    served.running.show()
    screen = served.open_table()
    screen.find("#enter").click()
    screen.press(f"tile-{lead(served.running)}")
    screen.until(lambda: screen.find_all(".place"))
    place = screen.find(".place")
    assert place.get_attribute("tabindex") == "0" and place.get_attribute("aria-label")
    screen.browser.execute_script(
        "arguments[0].focus(); arguments[0].dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))",
        place,
    )
    screen.until(lambda: screen.find_all(".laid:not(.chosen)"))


def test_whoever_hears_the_page_is_told_what_lies_on_the_table(served: Served) -> None:
    """By what a browser tells a screen reader."""
    going = dealt("euronimoes", 2, 30)[0]
    served.running.setting, served.running.actions = going.setting, going.actions
    screen = served.open_table()
    state: Any = served.running.moment().state
    names = going.setting.names
    nodes = screen.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    heard = [str(node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    for seat, layout in enumerate(state.layouts):
        for tile in layout.placed:
            low, high = sorted(tile.ends)
            assert any(text.startswith(f"{names[seat]}: {low}|{high} ") for text in heard)
    for seat, hand in enumerate(state.hands):
        known = [f"{tile.low}|{tile.high}" for tile in hand if tile.low >= 0]
        assert not known or any(text.endswith(f"still in the hand: {', '.join(known)}") for text in heard), (seat, heard)


def test_single_keys_do_nothing_where_nobody_wants_them(served: Served) -> None:
    served.running.show()
    screen = served.open_table()
    screen.browser.execute_script("document.querySelector('.comfort').open = true")
    screen.press("keys")
    screen.find("body").send_keys("e")
    assert not screen.find(".dock").is_displayed()
    screen.press("keys")
    screen.find("body").send_keys("e")
    screen.until(lambda: screen.find(".dock").is_displayed())


def test_what_is_asked_of_a_game_for_one_is_counted_and_left_to_a_camera_only_where_there_is_one(served: Served) -> None:
    screen = entering(served, "solitaire", 1)
    assert "one after another." in screen.text(".dock") and "0 of 7" in screen.text(".dock")
    going = dealt("solitaire", 1, 30)[0]
    turned = max(at for at, (action, _, _) in enumerate(going.actions) if action.kind == "turn-up")
    served.running.actions = going.actions[:turned]
    served.running.show()
    screen.until(lambda: "turned up" in screen.text(".dock"))
    assert "Or tap which tile it is." in screen.text(".dock") and " of 1" not in screen.text(".dock")


def test_a_game_for_one_is_dealt_by_the_page(served: Served) -> None:
    screen = entering(served, "solitaire", 1)
    screen.press("shuffle")
    served.seen()
    screen.until(lambda: len(screen.find_all(".laid")) == 28)
    assert served.running.moment().state.turn == 0


def test_what_is_done_with_a_tile_that_lies_there_has_a_button(served: Served) -> None:
    """A Dominoid that has slid beside another may attack it or breed with it: neither is laid anywhere."""
    served.running.setting = table("dominoids").setting
    served.running.actions = dealt("dominoids", 2, 16, 113)[0].actions
    screen = served.open_table()
    screen.find("#enter").click()
    attack = next(action for action in served.running.moment().state.legal() if action.kind == "attack")
    screen.press(f"tile-{attack.tile}")  # type: ignore[attr-defined]
    screen.press(f"lay-{attack}")
    served.seen()
    assert "attacks the" in screen.text('[data-part="last"]')


def _keys(screen: Screen, buttons: str) -> list[str]:
    """The names of these buttons, once there are any."""
    screen.until(lambda: screen.find_all(buttons))
    return [str(button.get_attribute("data-key")) for button in screen.find_all(buttons)]


def test_a_turn_of_dominoids_by_hand(served: Served) -> None:
    screen = entering(served, "dominoids")
    screen.press("starter-1")
    screen.press("shuffle")
    served.seen()
    screen.until(lambda: screen.text("#says") == "Bob’s turn: take two dice.")
    assert len(screen.find_all(".coin")) == len(screen.find_all(".pawn")) == len(screen.find_all(".die")) == 4
    for _ in range(20):  # take dice, use both; then they are thrown
        state = served.running.moment().state
        if state.chance == "roll":
            break
        if state.chance == "coin":
            screen.press(f"option-0-{state.left_on(state.waiting())[0]}")  # type: ignore[attr-defined]
        else:
            plain = [action for action in state.legal() if not hasattr(action, "tile")]
            if not plain:
                screen.press(f"tile-{state.legal()[0].tile}")  # type: ignore[attr-defined]
            button = f'[data-key^="{"choice" if plain else "lay"}-"]'
            screen.press(next(iter(_keys(screen, button))))
        served.seen()
    for at in range(2):
        screen.press(f"option-{at}-{at + 2}")
    served.seen()
    after = served.running.moment().state
    assert after.turn == 0 and sorted(after.dice)[-1] >= 3  # type: ignore[attr-defined]


def test_points_are_called_and_the_arms_of_a_spinner_are_drawn(served: Served) -> None:
    screen = entering(served, "all-fives", muggins="call", spinner="first_double")
    screen.press("starter-0")
    screen.press("tell")
    served.seen()
    for tile, laid in (("5-5", "root -"), ("0-5", "right 0"), ("1-5", "left 1"), ("2-5", "up 2")):
        screen.press(f"tile-{tile}")
        screen.press(f"lay-play {tile} {laid}")
        served.seen()
        if tile == "5-5":
            assert screen.text("#calls-title").endswith("makes 10 points: call them before the next tile.")
            assert len(screen.find_all(".answers .button")) == 2  # to call them, and to let it go, which the card has already
            screen.press("call-0-claim")
            served.seen()
        while screen.find_all('[data-key="let-go"]'):
            screen.press("let-go")
            served.seen()
    assert served.running.moment().state.scores() == (10, 0)
    assert len(screen.find_all(".laid")) == 4 and "above the 5|5" in screen.text('[data-part="last"]')


def test_a_game_that_is_over_is_played_again_with_one_tap(served: Served) -> None:
    served.running.actions = played("block", 2, 99)[0].actions
    screen, names = served.open_table(), served.running.setting.names
    screen.touch("again")
    screen.until(lambda: not screen.find(".result").is_displayed() and screen.find(".dock").is_displayed())
    assert served.running.setting.names == names and not served.running.actions and screen.keyed("starter-0")


def test_who_has_won_is_said_once_and_the_next_game_is_offered_before_the_rounds(served: Served) -> None:
    served.running.actions = played("block", 2, 99)[0].actions
    screen = served.open_table()
    assert screen.text("#table-page").count("Bob wins.") == 1 and screen.text("#says").endswith("wins.")
    assert screen.find_all("#says .sign") and screen.text("#result-title") == "Final score"
    order = [one.get_attribute("data-key") for one in screen.find_all(".result .row > *")]
    assert order == ["again", "another-game", "look-back", "share-result"]
    assert screen.find(".result .row").rect["y"] < screen.find(".result-scores").rect["y"]


def test_of_engine_191_the_tokens_that_decided_it_are_shared(served: Served) -> None:
    over = played("engine191", 2, 99)[0]
    served.running.setting, served.running.actions = over.setting, over.actions
    screen = served.open_table()
    screen.browser.execute_script("navigator.share = async ({ text }) => { window.handedOn = text; };")
    screen.touch("share-result")
    screen.until(lambda: screen.browser.execute_script("return window.handedOn"))
    state: Any = served.running.moment().state
    shared = screen.browser.execute_script("return window.handedOn")
    assert all(f"{name} {tokens} token" in shared for name, tokens in zip(over.setting.names, state.tokens, strict=True))


def test_nothing_is_for_sale_when_the_game_is_over(served: Served) -> None:
    over = dealt("euronimoes", 2, 400)[0]
    served.running.setting, served.running.actions = over.setting, over.actions
    screen = served.open_table()
    assert screen.find(".result").is_displayed() and not screen.find(".market").is_displayed()


def test_looking_back_ends_where_the_game_did_and_says_who_has_won(served: Served) -> None:
    served.running.actions = played("block", 2, 99)[0].actions
    served.running.games = (replace(running(served.running.moment()), name="journal-1"),)
    screen = served.screen
    screen.open_whole("/review")
    assert screen.text("#result-title") == "Bob wins." and screen.text("#review").count("Bob wins.") == 1
    assert not screen.find('[data-key="next"]').is_enabled()
    screen.press("first")
    screen.until(lambda: screen.find('#review[data-shown="0"]'))
    assert [screen.find(f'[data-key="{key}"]').is_enabled() for key in ("first", "back", "next")] == [False, False, True]
    screen.press("next")
    screen.until(lambda: screen.find('#review[data-shown="1"]'))
    screen.open("/review?language=de")  # its words are longer
    screen.until(lambda: screen.find_all("#review[data-shown]"))
    screen.browser.execute_script("document.documentElement.style.fontSize = '200%'; dispatchEvent(new Event('resize'))")
    assert screen.find_all(".statistics td") and screen.browser.execute_script(WIDE) <= PHONE[0] + 1
    assert screen.browser.execute_script(OUT, ".review-bar .button") == []
    assert screen.find("#step").rect["width"] > PHONE[0] / 2


def test_who_opens_the_join_page_on_a_phone_is_led_to_the_table(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.live.keys._from_this_machine", lambda request: False)
    screen = served.screen
    screen.open("/join")
    assert screen.text(".page .primary") == "Look on at the table"
    screen.open(f"/join/{served.keys.seats[0]}")
    screen.open("/join")
    assert screen.text(".page .primary") == "To the table"
    screen.touch("to-table")
    screen.until(lambda: screen.find_all('[data-ready="true"]'))


def test_who_only_looks_on_has_no_dead_buttons(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.live.keys._from_this_machine", lambda request: False)
    screen = served.open_table()
    assert [button.get_attribute("id") for button in screen.find_all(".table-bar button") if button.is_displayed()] == ["sound"]
    assert screen.find("#looking a").get_attribute("href").endswith("/join")
    assert screen.browser.execute_script(WITHIN.replace("box.bottom <= low", "true"), "#looking")  # without scrolling


def test_who_has_typed_a_name_goes_on_to_the_next_and_begins_no_game(served: Served) -> None:
    served.running.actions = []
    screen = served.screen
    screen.open("/setup#players")
    screen.until(lambda: screen.find_all("[data-picture-of] svg"))
    served.stand.choose("0")
    first = screen.find('[data-seat="0"] input')
    first.clear()
    first.send_keys("Zoe", Typed.ENTER)
    assert screen.browser.switch_to.active_element == screen.find('[data-seat="1"] input')
    screen.browser.switch_to.active_element.send_keys(Typed.ENTER)
    time.sleep(0.5)
    assert served.stand.name == "0" and served.running.setting.names == ("Ann", "Bob") and "/setup" in screen.browser.current_url


def test_who_looks_back_while_the_game_goes_on_sees_the_plays_of_this_game(served: Served) -> None:
    screen = served.screen
    served.running.actions = dealt("block", 2, 3)[0].actions
    screen.open_whole("/review")
    many = len(served.running.actions)
    assert len(screen.find_all('.review-steps [data-key^="step-"]')) == many
    served.running.do(served.running.version, "host", Undo())
    screen.press("back")
    screen.until(lambda: len(screen.find_all('.review-steps [data-key^="step-"]')) == many - 1)
    screen.until(lambda: screen.find_all("#review[data-shown]"))


def test_where_players_sit_is_asked_on_the_way_to_a_camera_alone(served: Served) -> None:
    screen = served.screen
    screen.open("/setup")
    screen.touch("pick-block")
    screen.until(lambda: screen.find("#how-many").is_displayed())
    screen.find(".seat-row [name=name]").send_keys("Zoe")
    assert not any(side.is_displayed() for side in screen.find_all("[name=side]"))
    served.stand.choose("0")
    screen.press("with-camera")
    screen.until(lambda: screen.find("[name=side]").is_displayed())
    assert "Zoe" in screen.text("#side-rows") and sum(side.is_displayed() for side in screen.find_all("[name=side]")) == 2


def test_places_that_words_name_have_a_number_on_the_drawing(served: Served) -> None:
    screen = entering(served, "all-fives", spinner="all")
    screen.press("starter-0")
    screen.press("tell")
    served.seen()

    def lay(tile: str, laid: str) -> None:
        screen.press(f"tile-{tile}")
        screen.until(lambda: screen.find_all('[data-key^="lay-"]'))
        assert bool(screen.find_all(".place-number")) is (tile == "0-3")  # where there is only one place it needs none
        screen.press(f"lay-play {tile} {laid}")
        served.seen()

    for tile, laid in (("3-3", "root -"), ("0-3", "left 0"), ("3-5", "right 5")):
        lay(tile, laid)
    _named_as_they_lie(screen, "3-6", "3|3")
    for tile, laid in (("0-0", "left 0"), ("0-1", "left 1")):
        lay(tile, laid)
    _named_as_they_lie(screen, "0-6", "0|0")  # a spinner like the first


def _named_as_they_lie(screen: Screen, tile: str, double: str) -> None:
    """A tile that goes above and below a double has both places named so, on the drawing and beside it."""
    screen.press(f"tile-{tile}")
    screen.until(lambda: len(screen.find_all(".place text")) == 2)
    above, below = sorted(screen.find_all(".place"), key=lambda place: place.rect["y"])
    buttons = screen.find_all('[data-key^="lay-"]')
    words = {button.find_element("css selector", ".place-number").text: button.text for button in buttons}
    for place, where in ((above, f"above the {double}"), (below, f"below the {double}")):
        number, named = place.find_element("css selector", "text").text, f"{tile.replace('-', '|')} {where}"
        assert words[number].replace("\n", " ").endswith(named) and named in place.get_attribute("aria-label")
    screen.browser.execute_script("document.documentElement.style.fontSize = '200%'")
    ring = buttons[0].find_element("css selector", ".place-number").rect
    assert ring["width"] == pytest.approx(ring["height"])  # however long the words are
    screen.browser.execute_script("document.documentElement.style.fontSize = ''")
    screen.press("tile-other")


def test_a_page_that_is_opened_again_goes_on_with_entering(served: Served) -> None:
    screen = entering(served, "block")
    screen.press("starter-0")
    screen.press("tell")
    served.seen()
    screen.browser.refresh()
    screen.until(lambda: screen.find_all('[data-ready="true"]'))
    assert screen.find(".dock").is_displayed() and screen.keyed("tile-6-6")
    screen.press("enter")
    screen.browser.refresh()
    screen.until(lambda: screen.find_all('[data-ready="true"]'))
    assert not screen.find(".dock").is_displayed()


@pytest.mark.parametrize(("size", "lines"), [((320, 640), 4), (PHONE, 3)], ids=["small", "phone"])
def test_a_long_name_is_read_whole(served: Served, size: tuple[int, int], lines: int) -> None:
    seats = tuple(replace(seat, name=name) for seat, name in zip(
        served.running.setting.seats, ("Bartholomew Featherstonehaugh", "Ann"), strict=True))  # fmt: skip
    served.running.setting = replace(served.running.setting, seats=seats)
    served.screen.resize(size)
    screen = served.open_table()
    name = screen.find(".player-name span")
    cut = "const s = arguments[0]; return s.scrollWidth > s.clientWidth + 1 || getComputedStyle(s).textOverflow === 'ellipsis'"
    assert not screen.browser.execute_script(cut, name)
    longest = "const r = document.createRange(); r.selectNodeContents(arguments[0]); return r.getClientRects().length"
    assert screen.browser.execute_script(longest, name) <= lines  # words are not broken to pieces


def test_a_line_is_told_tile_by_tile_and_turned_round(served: Served) -> None:
    screen = entering(served, "knock-out", 1)
    for tile in DOUBLE_SIX:
        screen.press(f"tile-{tile}")
    screen.press("chosen-1")
    screen.press("tell")
    served.seen()
    assert served.running.moment().state.row[:3] == ((0, 0), (1, 0), (0, 2))  # type: ignore[attr-defined]


def test_a_line_is_put_right_while_it_is_told_and_when_it_was_told_long_ago(served: Served) -> None:
    screen = entering(served, "knock-out", 1)

    def row() -> list[str]:
        chosen = screen.find_all(".chosen-tiles .tile-choice")
        return [re.findall(r"[0-6]\|[0-6]", tile.get_attribute("aria-label"))[0] for tile in chosen]

    def taps(*keys: str) -> None:
        for key in keys:
            screen.press(key)

    for tile in [each for each in DOUBLE_SIX if str(each) != "0-2"]:  # one was left out
        screen.press(f"tile-{tile}")
    assert row()[:3] == ["0|0", "0|1", "0|3"]
    taps("mending", "chosen-2", "left-out", "tile-0-2")
    assert row()[:4] == ["0|0", "0|1", "0|2", "0|3"] and len(row()) == 28
    taps("mending", "chosen-26", "chosen-27")
    assert row()[-2:] == ["6|6", "5|6"]
    taps("mending", "chosen-27", "take-out")
    assert len(row()) == 27 and not screen.find('[data-key="tell"]').is_enabled()
    taps("tile-5-6", "tell")
    served.seen()
    told = row_of(served)
    assert told[:3] == ((0, 0), (0, 1), (0, 2)) and told[-2:] == ((6, 6), (5, 6))
    screen.press("change-0")
    screen.until(lambda: len(row()) == 28)
    taps("chosen-1", "mending", "chosen-3", "chosen-4", "tell")
    served.seen()
    assert row_of(served)[:5] == ((0, 0), (1, 0), (0, 2), (0, 4), (0, 3))
    screen.until(lambda: not screen.find_all('[data-key="tell"]'))


def test_two_of_one_face_are_told_where_the_set_has_both(served: Served) -> None:
    screen = entering(served, "euronimoes", 3)
    for tile in ("0-4", "0-4", "0-3", "4-4", "5-6"):
        screen.press(f"tile-{tile}")
    assert not screen.keyed("tile-0-4")
    screen.press("tell")
    served.seen()
    assert [str(tile) for tile in served.running.moment().state.market] == ["0-4", "0-4", "0-3", "4-4", "5-6"]  # type: ignore[attr-defined]


def row_of(served: Served) -> tuple[tuple[int, int], ...]:
    """The line of Knock-Out, as it was told."""
    row: tuple[tuple[int, int], ...] = served.running.moment().state.row  # type: ignore[attr-defined]
    return row


def test_a_whole_turn_of_euronimoes_by_hand(served: Served) -> None:
    screen = entering(served, "euronimoes")
    screen.press("starter-1")
    for tile in ("0-1", "0-2", "0-3", "4-4", "5-6"):
        screen.press(f"tile-{tile}")
    screen.press("enter")  # a look at the table in between
    screen.until(lambda: not screen.find(".dock").is_displayed())
    screen.press("enter")
    assert screen.find('[data-key="starter-1"]').get_attribute("aria-pressed") == "true"
    screen.press("tell")
    served.seen()
    assert screen.text("#says") == "Bob’s turn: buy or draw a tile."
    screen.press("buy-1")
    screen.until(lambda: "came to the market" in screen.text("#says"))
    screen.press("tile-6-6")  # the only one: that is it
    screen.until(lambda: screen.text("#says") == "Bob’s turn: play a tile.")
    screen.press("tile-0-2")
    screen.until(lambda: screen.find_all(".place"))
    screen.press(str(screen.find(".place").get_attribute("data-key")))
    screen.press("turn")
    screen.press(str(screen.find('[data-key^="lay-"]').get_attribute("data-key")))
    screen.until(lambda: screen.text("#says") == "Ann’s turn: buy or draw a tile.")
    screen.press("reasons-1")
    assert "Column 1" in screen.text(".reasons") and "Together" in screen.text(".reasons")


HIDDEN = """
const nodes = [...document.querySelectorAll(".dock button:enabled, .table-page a")].filter((node) => node.checkVisibility());
return nodes.filter((node) => {
  node.focus();
  const box = node.getBoundingClientRect();
  return !node.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
}).map((node) => node.outerHTML.slice(0, 80))
"""
WITHIN = """
const bar = document.querySelector(".table-bar").getBoundingClientRect().top;
const dock = document.querySelector(".dock");
const low = dock.checkVisibility() && getComputedStyle(dock).position === "sticky" ? dock.getBoundingClientRect().top : bar;
const boxes = [...document.querySelectorAll(arguments[0])].map((node) => node.getBoundingClientRect());
return boxes.length > 0 && boxes.every((box) => box.top >= 0 && box.bottom <= low)
"""
"""Whether that is wholly in view, neither above the screen nor behind what stands at its foot."""


@pytest.mark.parametrize("size", [PHONE, (320, 568), (844, 390), (683, 384), (1366, 768)], ids=str)
def test_what_is_asked_before_the_first_tile_has_the_room_of_the_table(served: Served, size: tuple[int, int]) -> None:
    served.screen.resize(size)
    screen = entering(served, "euronimoes")
    cut = "const dock = document.querySelector('.dock'); return dock.scrollHeight - dock.clientHeight"
    assert screen.browser.execute_script(cut) <= 1  # it does not scroll within the page that scrolls
    assert screen.browser.execute_script(WITHIN, "[data-key=entry-title], [data-key^=starter], [data-key=tile-0-0]")
    assert screen.browser.execute_script(HIDDEN) == []
    assert screen.browser.execute_script("return document.documentElement.scrollWidth") <= size[0]


def test_the_market_is_in_view_when_something_is_to_be_bought(served: Served) -> None:
    half_way = next(each for plays in range(9, 30) if _buys(each := dealt("euronimoes", 2, plays)[0]))
    served.running.setting, served.running.actions = half_way.setting, half_way.actions
    screen = served.open_table()
    screen.browser.execute_script("window.scrollTo(0, document.body.scrollHeight)")
    screen.press("enter")
    screen.until(lambda: screen.browser.execute_script(WITHIN, ".slot.live"))


def _buys(running: FakeTable) -> bool:
    """Whether a tile may be bought now."""
    return any(action.kind == "buy" for action in running.moment().state.legal())


def test_when_a_game_is_over_its_result_is_in_view_and_nothing_is_asked_any_more(served: Served) -> None:
    half_way = next(each for plays in range(1, 9) if "stop" in _kinds(each := dealt("solitaire", 1, plays)[0]))
    served.running.setting, served.running.actions = half_way.setting, half_way.actions
    screen = served.open_table()
    screen.press("enter")
    screen.press("choice-stop")
    screen.until(lambda: screen.find("#result-title").is_displayed())
    assert not screen.find(".dock").is_displayed()
    screen.until(lambda: screen.browser.execute_script(WITHIN, "#result-title"))


def _kinds(running: FakeTable) -> list[str]:
    return [action.kind for action in running.moment().state.legal()]


def test_an_illegal_play_is_shown_with_its_rule_until_it_is_put_right(served: Served) -> None:
    screen = served.open_table()
    verdict = Verdict(False, "match", "A tile must match the open end it is laid against.")
    served.running.show(word="illegal", fault=Fault("Ann plays the 1|2 on the right.", verdict))
    screen.until(lambda: screen.find_all(".fault"))
    assert screen.text("#word") == "Not allowed"
    assert "must match the open end" in screen.text(".fault") and "must match" in screen.text("#announcer")
    screen.press("fault-gone")
    screen.until(lambda: not screen.find_all(".fault"))
    assert screen.text("#word") == "Ready"


def test_dotted_places_are_spoken_of_only_where_some_are_drawn(served: Served) -> None:
    half_way, state = dealt("euronimoes", 2, 21)
    served.running.setting, served.running.actions = half_way.setting, half_way.actions
    here, *others = [action for action in state.legal() if isinstance(action, Play)]
    elsewhere = next(play for play in others if not set(play.cells) & set(here.cells))
    screen = served.open_table()
    for nearest, drawn, told in (((here,), 0, "Covered."), ((here, elsewhere), 1, "Free.")):
        verdict = Verdict(False, "run-step", "In a column, neighbours differ by exactly one.", {}, nearest)
        served.running.show(word="illegal", fault=Fault(told, verdict, here, state.turn))
        served.seen()
        assert len(screen.find_all(".allowed")) == drawn
        assert ("dotted places" in screen.text(".fault")) == bool(drawn)


def test_a_question_is_answered_and_repair_steps_are_ticked_off(served: Served) -> None:
    screen = served.open_table()
    asked = Question("q1", "Was it the 5|3 or the 5|2?", (Choice("a", "The 5|3"), Choice("b", "The 5|2")))
    served.running.show(word="asking", question=asked)
    screen.press("answer-b")
    screen.until(lambda: served.running.replies == [("q1", "b")])
    steps = ("Put the 5|3 back.", "Turn the 6|6.")
    served.running.show(word="out-of-sync", repair=tuple(Step(words) for words in steps))
    screen.until(lambda: len(screen.find_all(".step")) == 2)
    served.running.show(word="out-of-sync", repair=(Step(steps[0], True), Step(steps[1])))
    screen.until(lambda: len(screen.find_all(".step.done")) == 1)
    screen.press("accept")
    screen.until(lambda: not screen.find_all(".repair"))


def test_that_tiles_which_seem_open_before_a_deal_lie_face_down_is_one_tap(served: Served) -> None:
    served.running.actions.clear()
    served.running.show(repair=(Step("1 tile lies open: turn it face down."),))
    screen = served.open_table()
    screen.until(lambda: "Not all lies ready" in screen.text(".repair"))
    assert screen.text("[data-key=accept]") == "They do lie face down"
    screen.press("accept")
    screen.until(lambda: not screen.find_all(".repair"))


def test_a_hand_is_on_its_own_phone_only_and_who_looks_on_cannot_play(served: Served) -> None:
    screen = served.screen
    screen.open(f"/join/{served.keys.seats[0]}")
    screen.until(lambda: screen.find_all('[data-ready="true"]'))
    screen.press("hand-change")
    screen.press("pick-1-2")
    screen.until(lambda: served.running.hands.get(0))
    served.running.show()
    screen.until(lambda: screen.find_all('[data-key="hand-1-2"]'))
    screen.browser.delete_all_cookies()
    served.open_table()
    assert not screen.find('[data-part="hand"]').is_displayed()


def test_a_tile_that_is_tapped_in_the_hand_is_the_one_that_is_played(served: Served) -> None:
    screen, tile = served.screen, lead(served.running)
    screen.open(f"/join/{served.keys.seats[served.running.moment().state.turn or 0]}")
    screen.until(lambda: screen.find_all('[data-ready="true"]'))
    screen.press("hand-change")
    screen.press(f"pick-{tile}")
    screen.until(lambda: served.running.hands)
    served.running.show()
    screen.until(lambda: screen.keyed(f"hand-{tile}"))
    screen.press("hand-change")
    screen.press(f"hand-{tile}")
    screen.press(f"lay-play {tile} root -")
    served.seen()
    assert "leads the" in screen.text('[data-part="last"]')


def unheard(screen: Screen, *paths: str) -> None:
    """Nothing of these paths is heard from now on."""
    screen.browser.execute_cdp_cmd("Network.enable", {})
    screen.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": list(paths)})


def test_what_could_not_be_asked_of_the_table_is_said_where_it_was_asked(served: Served) -> None:
    screen, change = served.open_table(), f"change-{len(served.running.actions) - 1}"
    unheard(screen, "*/live/entry/*", "*/live/places*")
    screen.press(change)
    screen.until(lambda: "cannot be reached" in screen.text(".dock"))
    assert not screen.keyed("strike"), "there may be more that it can be changed to"
    screen.find("#enter").click()
    screen.find("#enter").click()
    screen.press(f"tile-{lead(served.running)}")
    screen.until(lambda: "cannot be reached" in screen.text(".dock"))
    unheard(screen)
    screen.press(change)
    screen.until(lambda: screen.keyed("strike"))


def test_looking_back_says_when_nothing_is_heard_and_goes_on_afterwards(served: Served) -> None:
    served.running.actions = played("block", 2, 99)[0].actions
    screen = served.screen
    screen.open_whole("/review")
    unheard(screen, "*/live/*")
    screen.press("judge")
    screen.until(lambda: "cannot tell that now" in screen.text(".judged"))
    screen.press("first")
    screen.until(lambda: "cannot be reached" in screen.text(".problem"))
    unheard(screen)
    shown = int(screen.find("#review").get_attribute("data-shown"))
    assert screen.find("#step").get_attribute("value") == str(shown)
    screen.press("back")
    screen.until(lambda: screen.find_all(f'#review[data-shown="{shown - 1}"]'))
    assert not screen.find(".problem").is_displayed()
    screen.press("judge")
    screen.until(lambda: "cannot tell that now" not in screen.text(".judged"))


def test_a_play_from_a_yard_is_told_and_drawn_nowhere(served: Served) -> None:
    going = dealt("engine191", 2, 13, 0)[0]
    served.running.setting, served.running.actions = going.setting, going.actions
    play: Any = next(each for each in going.moment().state.legal() if getattr(each, "source", "") == "yard")
    served.running.show(provisional=play)
    screen = served.open_table()
    assert not screen.find_all(".ghost")
    screen.find("#enter").click()
    screen.press(f"tile-{play.tile}")
    screen.press(f"lay-{play}")
    served.seen()
    assert "from the yard" in screen.text('[data-part="last"]')


def test_a_tile_that_is_tapped_while_another_is_to_move_is_not_played_for_her(served: Served) -> None:
    screen, running = served.screen, served.running
    moment, tile = running.moment(), lead(running)
    turn = moment.state.turn or 0
    running.hands[1 - turn] = (Tile.parse(tile),)
    screen.open(f"/join/{served.keys.seats[1 - turn]}")
    screen.until(lambda: screen.find_all('[data-ready="true"]'))
    screen.press(f"hand-{tile}")
    screen.until(lambda: screen.find(".dock").is_displayed())
    assert screen.text("#entry-title") == moment.setting.names[turn]


def test_a_hint_that_could_not_be_had_is_asked_for_again(served: Served) -> None:
    screen, running = served.screen, served.running
    running.setting = replace(running.setting, hints="legal")
    state: Any = running.moment().state
    running.hands[state.turn] = tuple(state.sample(Random(1)).hands[state.turn])
    screen.open(f"/join/{served.keys.seats[state.turn]}")
    screen.until(lambda: screen.find_all('[data-ready="true"]'))
    unheard(screen, "*/live/hints*")
    screen.press("hint")
    screen.until(lambda: "cannot be reached" in screen.text(".hints"))
    unheard(screen)
    screen.find('[data-key="hint"]').click()
    screen.until(lambda: screen.find_all(".hints .tile-choice"))


def test_a_hand_that_is_tapped_faster_than_the_table_answers_is_told_whole(served: Served) -> None:
    screen, running = served.screen, served.running
    screen.open(f"/join/{served.keys.seats[0]}")
    screen.until(lambda: screen.find_all('[data-ready="true"]'))
    screen.press("hand-change")
    screen.until(lambda: screen.keyed("pick-1-2"))
    told = running.do

    def slowly(*deed: Any, **more: Any) -> int:
        time.sleep(0.5)
        return told(*deed, **more)

    running.do = slowly  # type: ignore[method-assign]
    for tile in ("1-2", "0-4", "3-5"):
        screen.press(f"pick-{tile}")
    screen.press("pick-0-4")
    screen.until(lambda: running.hands.get(0) == (Tile(1, 2), Tile(3, 5)))
    screen.until(lambda: screen.keyed("hand-3-5") and not screen.keyed("hand-0-4"))

    def refused(*deed: Any, **more: Any) -> int:
        raise Refused("These cannot be all in one hand.")

    running.do = refused  # type: ignore[method-assign]
    screen.press("pick-6-6")
    screen.until(lambda: "all in one hand" in screen.text(".problem"))
    assert screen.keyed("hand-3-5") and not screen.keyed("hand-6-6"), "what was told stands"
    screen.complaints()


def test_what_is_being_entered_and_a_hint_stay_while_a_hand_goes_over_the_table(served: Served) -> None:
    running, screen = served.running, served.screen
    going = dealt("euronimoes", 2, 1)[0]
    running.setting, running.actions = replace(going.setting, hints="legal"), going.actions
    state: Any = running.moment().state
    running.hands[state.turn] = tuple(state.sample(Random(1)).hands[state.turn])
    screen.open(f"/join/{served.keys.seats[state.turn]}")
    screen.until(lambda: screen.find_all('[data-ready="true"]'))
    screen.press("hint")
    screen.until(lambda: screen.find_all(".hints .tile-choice"))
    screen.find("#enter").click()
    screen.press(str(screen.find(".dock .tile-choice").get_attribute("data-key")))
    screen.until(lambda: screen.find_all(".place"))
    screen.browser.execute_script("arguments[0].focus(); arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))",
                                  screen.find(".place"))
    screen.until(lambda: screen.text("#entry-title") == "Like this?")
    focused = "return document.activeElement.dataset.key"
    place = screen.browser.execute_script(focused)
    assert place.startswith("spot-")
    for word in ("hand", "moving", "reading", "ready"):
        running.show(word=word)
        served.seen()
    screen.until(lambda: screen.text("#word") == "Ready")
    assert screen.text("#entry-title") == "Like this?" and screen.browser.execute_script(focused) == place
    assert screen.find_all(".hints .tile-choice") and not screen.keyed("hint")
    running.do(running.version, "Ann", Do(state.legal()[0]))
    screen.until(lambda: not screen.find(".hints").is_displayed() and screen.text("#entry-title") != "Like this?")


def test_an_entry_of_the_game_before_is_not_changed_in_the_next(served: Served) -> None:
    screen = served.open_table()
    screen.press(f"change-{len(served.running.actions) - 1}")
    screen.until(lambda: screen.keyed("strike"))
    served.running.do(served.running.version, "host", Begin(table("dominoids", 2).setting))
    served.seen()
    screen.until(lambda: not screen.keyed("strike"))


def test_a_number_that_was_chosen_for_other_dice_is_chosen_no_more(served: Served) -> None:
    served.running.setting, served.running.actions = (going := dealt("dominoids", 2, 12)[0]).setting, going.actions
    screen = served.open_table()

    def rolling() -> bool:
        return served.running.moment().state.chance == "roll"

    state = served.running.moment().state
    rng = Random(1)
    while not rolling():
        state = served.running.moment().state
        action = state.random_chance(rng) if state.chance else tidy(state, rng)
        served.running.do(served.running.version, "camera", Do(action))
    served.seen()
    screen.find("#enter").click()
    screen.press("option-0-2")
    screen.until(lambda: screen.find_all('[data-key="option-0-2"][aria-pressed="true"]'))
    while True:  # the camera sees that throw, and all until the next
        state = served.running.moment().state
        action = state.random_chance(rng) if state.chance else tidy(state, rng)
        served.running.do(served.running.version, "camera", Do(action))
        if rolling():
            break
    served.seen()
    screen.until(lambda: screen.keyed("option-0-2"))
    assert not screen.find_all('[data-key="option-0-2"][aria-pressed="true"]')


def test_a_page_that_is_come_back_to_hears_the_table_again(served: Served) -> None:
    screen = served.open_table()
    leaving = "window.dispatchEvent(new PageTransitionEvent(arguments[0], {persisted: true}))"
    screen.browser.execute_script(leaving, "pagehide")
    screen.browser.execute_script(leaving, "pageshow")
    served.running.show(sentence="Back again.")
    screen.until(lambda: screen.text("#says") == "Back again.")


def watching(served: Served) -> Screen:
    """The table's page with the camera's picture, which is live."""
    served.running.camera = seeing()
    screen = served.open_table()
    screen.until(lambda: "Camera 0" in screen.text(".health"))
    screen.find("#show-picture").click()
    screen.until(lambda: "live" in screen.text(".live-picture figcaption"))
    return screen


def test_a_picture_that_is_opened_again_is_not_live_before_it_has_come(served: Served) -> None:
    screen = watching(served)
    screen.find("#show-picture").click()
    screen.browser.execute_script("document.getElementById('show-picture').click(); "
                                  "window.shown = document.querySelector('.live-picture figcaption').textContent")
    assert "live" not in screen.browser.execute_script("return window.shown")
    screen.until(lambda: "live" in screen.text(".live-picture figcaption"))


def test_three_players_stand_in_a_row_on_a_tablet(served: Served) -> None:
    served.running.setting, served.running.actions = (going := dealt("block", 3, 4)[0]).setting, going.actions
    served.screen.resize((820, 1180))
    assert len({player.rect["y"] for player in served.open_table().find_all(".player")}) == 1


@pytest.mark.parametrize("size", [(820, 1180), TELEVISION], ids=str)
def test_what_can_be_done_stands_at_the_foot_of_the_screen(served: Served, size: tuple[int, int]) -> None:
    served.screen.resize(size)
    screen = served.open_table()
    assert "No tile is laid yet" in screen.text(".board")
    assert screen.find(".table-bar").rect["y"] + screen.find(".table-bar").rect["height"] == pytest.approx(size[1], abs=1)


def test_a_lost_camera_is_never_shown_as_live(served: Served) -> None:
    screen = watching(served)
    served.running.camera = seeing(age=12.0)
    screen.until(lambda: "camera lost 12 s" in screen.text(".health"))
    screen.until(lambda: "camera lost" in screen.text(".live-picture figcaption"))
    assert "old" in screen.find(".live-picture img").get_attribute("class")


def test_a_table_that_a_bump_took_out_of_the_picture_is_told_of(served: Served) -> None:
    served.running.camera = replace(seeing(), quality=replace(GOOD, outside=0.14))
    screen = served.open_table()
    screen.until(lambda: "out of the picture" in screen.text(".health"))
    served.running.camera = seeing()
    screen.until(lambda: "Camera 0" in screen.text(".health") and "out of the picture" not in screen.text(".health"))


def test_a_phone_that_was_away_shows_the_table_as_it_is_now(served: Served) -> None:
    screen = served.open_table()
    conditions = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    screen.browser.execute_cdp_cmd("Network.enable", {})
    screen.browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)
    screen.browser.execute_script("window.stop()")
    screen.until(lambda: screen.text("#word") == "Not connected")
    assert "stale" in screen.find("#table-page").get_attribute("class")
    served.running.show(sentence="Back again.")
    screen.browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions | {"offline": False})
    screen.until(lambda: screen.text("#says") == "Back again.")
    screen.complaints()  # that there was no network has been logged


def test_buttons_are_dead_sooner_than_it_is_told_that_the_link_is_lost(served: Served) -> None:
    screen = served.open_table()
    screen.until(lambda: not screen.find_all(".table-bar[inert]") and screen.find_all(".health span"))
    screen.browser.execute_script("document.querySelector('[data-key=reasons-0]').focus()")
    served.running.wait = lambda version, seconds: time.sleep(4)  # type: ignore[method-assign]  # the table has gone silent
    screen.browser.execute_script("const at = performance.now(); window.gone = 0; performance.now = () => at + window.gone")

    def until_later(fact: Callable[[], Any]) -> None:
        def a_tenth_of_a_second_later() -> Any:
            screen.browser.execute_script("window.gone += 100")
            return fact()

        screen.until(a_tenth_of_a_second_later)

    until_later(lambda: screen.find_all(".table-bar[inert]"))
    assert screen.text("#word") == "Ready", "that nothing is heard is told later"
    assert screen.find(".table-bar").value_of_css_property("opacity") == "1"  # what it stands over does not shine through
    until_later(lambda: screen.text("#word") == "Not connected")
    elsewhere = "return document.activeElement.dataset.key"
    screen.browser.execute_script("document.querySelector('[data-key=reasons-1]').focus()")
    del served.running.wait
    screen.until(lambda: not screen.find_all(".table-bar[inert]") and screen.text("#word") == "Ready")
    assert screen.browser.execute_script(elsewhere) == "reasons-1", "who went on meanwhile is not fetched back"


def test_a_page_that_finds_no_table_shows_at_once_how_it_was(served: Served) -> None:
    screen = served.open_table()
    screen.until(lambda: screen.find_all(".player"))
    over = threading.Event()
    served.running.wait = lambda version, seconds: over.wait(60)  # type: ignore[method-assign,assignment]
    screen.browser.execute_cdp_cmd("Network.enable", {})
    screen.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/live/events*"]})
    screen.open("/table")
    screen.until(lambda: screen.find_all(".table-page.stale"))
    assert screen.text('[data-part="players"]').startswith("Ann")  # hidden text has no words
    assert not screen.find("#show-picture").is_displayed()
    screen.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    over.set()
    del served.running.wait
    screen.complaints()


def test_a_camera_that_cannot_be_had_is_not_shown_as_chosen(served: Served) -> None:
    def opening(name: str) -> Any:
        raise SourceError("there is no such camera")

    screen = served.screen
    screen.resize(DESK)
    screen.open("/setup#camera")
    screen.touch("camera-phone")
    screen.until(lambda: served.stand.name == "phone")
    served.stand._opening = opening
    screen.find("#stream").send_keys("rtsp://nowhere")
    screen.find("#stream-form button").click()
    screen.until(lambda: "no such camera" in screen.text("#camera-problem"))
    screen.until(lambda: screen.find('[name=camera][value=phone]').is_selected())


def test_a_table_that_was_measured_on_another_day_is_shown_so_without_a_finger(served: Served) -> None:
    screen = served.screen
    screen.resize(DESK)
    served.stand.choose("0")
    screen.open("/setup#measure")
    screen.until(lambda: "live" in screen.text("#stage-word"))
    assert screen.text("#past-measure") == "Skip this"
    served.stand.calibrate(None, None, None)
    screen.until(lambda: "Measured from the tags" in screen.text("#measured"))
    assert screen.text("#past-measure") == "Go on"


def test_the_table_is_set_up_measured_and_begun(served: Served, reader: Any) -> None:
    reader.drawings[1920] = reader.drawings[800]
    screen = served.screen
    screen.resize(DESK)
    served.stand.choose("0")
    screen.open("/setup#measure")
    screen.until(lambda: "live" in screen.text("#stage-word"))
    screen.find("#by-itself").click()
    screen.until(lambda: screen.find_all(".advice"))
    assert "Measured from the tags" in screen.text("#measured") and screen.find_all(".px-mark")
    over, under = (screen.find(each).rect for each in ("#overlay", "#live"))
    assert over == pytest.approx(under, abs=1)  # what is drawn over the picture lies on it
    screen.find("#by-hand").click()
    before = screen.find('[data-key="corner-0"]').get_attribute("aria-label")
    screen.find('[data-key="corner-0"]').send_keys("\ue014\ue014\ue015")  # right, right, down
    assert (
        screen.find('[data-key="corner-0"]').get_attribute("style") != "left: 20%; top: 20%;" and "Corner 1" in before
    )
    screen.find("[name=width]").send_keys("900")
    screen.find("#corner-form button").click()
    screen.until(lambda: "corners" in screen.text("#measured"))
    screen.touch("step-players")
    name = screen.find("[name=name]")
    name.clear()
    name.send_keys("Zoe")
    screen.touch("with-camera")
    screen.touch("step-read")
    screen.touch("read")
    screen.until(lambda: "I read 4|6, 5|5, 2|3 (not sure), 0|1. Right?" in screen.text("#was-read"))
    assert len(screen.find_all(".read-tile")) == 4
    screen.touch("play")
    screen.until(lambda: screen.find_all('[data-ready="true"]'))
    assert "Zoe" in screen.text('[data-part="players"]')


def test_a_camera_that_is_plugged_in_can_be_chosen_on_the_open_page(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    choices = [CameraChoice("phone", "A phone or tablet")]
    monkeypatch.setattr("webui.cameras.routes.camera_choices", lambda chosen: choices)
    screen = served.screen
    screen.open("/setup#camera")
    screen.until(lambda: screen.find("#no-cameras").is_displayed())
    assert not screen.find("#stage").is_displayed()  # without a camera there is no picture to wait for
    choices.append(CameraChoice("0", "Camera 0"))
    screen.touch("camera-0")
    screen.until(lambda: "live" in screen.text("#stage-word"))
    assert not screen.find("#no-cameras").is_displayed()


def test_what_the_camera_weighed_is_led_to_only_where_there_is_a_camera(served: Served) -> None:
    screen = served.open_table()
    assert not screen.find("#weighed").is_displayed()
    served.running.camera = seeing()
    screen.until(lambda: screen.find("#weighed").is_displayed())


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_a_tile_is_laid_where_the_finger_taps_however_the_table_is_turned(served: Served, turned: int) -> None:
    half_way = next(each for plays in range(8, 30) if _lays(each := dealt("block", 2, plays)[0]))
    served.running.actions = half_way.actions
    screen = served.open_table()
    for _ in range(turned // 90):
        _type(screen, "r")
    screen.until(lambda: len(screen.find_all(f'[transform="rotate({turned})"]')) == (turned > 0))
    before = len(screen.find_all(".laid"))
    screen.touch("enter")
    screen.touch(f"tile-{_lays(half_way)[0].tile}")
    screen.until(lambda: screen.find_all(".place"))
    screen.find(".place").click()
    screen.until(lambda: len(screen.find_all(".laid:not(.chosen)")) == before + 1)
    assert screen.find_all("text") and screen.browser.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
    screen.browser.execute_script("localStorage.clear()")


def _lays(running: FakeTable) -> list[Any]:
    """The plays that are legal."""
    return [action for action in running.moment().state.legal() if action.kind == "play"]


def _type(screen: Screen, key: str) -> None:
    screen.browser.execute_script(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))", key
    )


def test_comfort_is_kept_by_the_browser_and_the_timer_is_off_until_it_is_wanted(served: Served) -> None:
    served.running.clock = lambda: time.time() - 45
    screen = served.open_table()
    plain = float(screen.browser.execute_script("return parseFloat(getComputedStyle(document.documentElement).fontSize)"))
    assert not screen.find_all(".timer")
    screen.touch("comfort")
    screen.touch("quiet")
    for name, value in (("text", "1.2"), ("timer", "30")):
        screen.find(f'#comfort [name="{name}"] option[value="{value}"]').click()
    screen.until(lambda: screen.find_all(".quiet-mode"))
    served.open_table()
    large = float(screen.browser.execute_script("return parseFloat(getComputedStyle(document.documentElement).fontSize)"))
    assert large == pytest.approx(1.2 * plain)
    screen.until(lambda: "over 0:30" in screen.text(".timer") and "Time is over" in screen.text("#announcer"))
    assert not screen.find(".history").is_displayed() and screen.find(".players").is_displayed()
    screen.browser.execute_script("localStorage.clear()")


def test_the_timer_goes_by_the_tables_clock(served: Served) -> None:
    served.running.clock = lambda: time.time() - 45
    screen = served.open_table()
    fast = "const right = Date.now; Date.now = () => right() + 600_000; localStorage['kibitz.comfort'] = '{\"timer\": \"90\"}'"
    with screen.after(fast):
        screen = served.open_table()
        screen.until(lambda: screen.text(".timer").startswith("0:") and screen.text(".timer").endswith("of 1:30"))
    screen.browser.execute_script("localStorage.clear()")


def test_the_table_is_played_by_keys_and_equal_entries_are_counted(served: Served) -> None:
    tables = (dealt("block", 2, plays)[0] for plays in range(9, 60))
    drawn = next(each for each in tables if [action.kind for action, _, _ in each.actions[-2:]] == ["draw", "draw"])
    served.running.actions = drawn.actions
    screen = served.open_table()
    assert "times)" in screen.text(".history")
    _type(screen, "u")
    screen.until(lambda: screen.find_all(".entry.undone"))
    _type(screen, "e")
    screen.until(lambda: screen.find(".dock").is_displayed())
    _type(screen, "Escape")
    screen.until(lambda: not screen.find(".dock").is_displayed())


def test_without_encryption_the_page_says_what_it_lacks(served: Served) -> None:
    screen = served.open_table()
    assert not screen.find("#lacks").is_displayed()
    hide = "Object.defineProperty(window, 'isSecureContext', {value: false})"
    with screen.after(hide):
        served.open_table()
        assert "needs the network every time" in screen.text("#lacks")


def test_a_phone_lends_its_camera(served: Served) -> None:
    screen = served.screen
    screen.open("/camera")
    screen.until(lambda: served.stand.newest() is not None)
    screen.until(lambda: "ago" in screen.text("#camera-facts"))
    newest = served.stand.newest()
    assert newest is not None and newest.image.shape[1] >= 640


def test_a_phone_whose_camera_has_not_started_tells_of_no_picture(served: Served) -> None:
    screen = served.screen
    asked = "navigator.mediaDevices.getUserMedia = () => new Promise(() => {})"
    with screen.after(asked):
        screen.open("/camera")
        screen.until(lambda: "nothing yet" in screen.text("#camera-facts"))
        assert screen.text("#camera-facts dd:nth-of-type(2)") == "none"


def test_without_encryption_the_camera_page_says_what_to_do(served: Served) -> None:
    screen = served.screen
    hide = "Object.defineProperty(window, 'isSecureContext', {value: false})"
    with screen.after(hide):
        screen.open("/camera")
        screen.until(lambda: "./run serve --https" in screen.text("#camera-words"))
        assert screen.find("#camera-page").get_attribute("data-state") == "insecure"


WEIGHT = """
const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
return entries.filter((one) => !one.name.includes("/live/events") && !one.name.includes("picture.jpg"))
  .reduce((sum, one) => sum + one.encodedBodySize, 0)
"""
TAPPED = "button, select, input:not([type=radio], [type=file]), .button, .pick > span, nav a, summary, .table-links a"
MISSED = f"""
return [...document.querySelectorAll("{TAPPED}")]
  .filter((node) => node.checkVisibility() && !node.closest(".reasons"))
  .map((node) => [node.textContent.trim().slice(0, 24) || node.id || node.name, node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 43.5 || box.height < 43.5).map(([name, box]) => [name, box.width, box.height])
"""


COVERED = f"""
const covered = [];
for (const node of document.querySelectorAll("{TAPPED}, .place")) {{
  if (!node.checkVisibility() || node.matches(":disabled")) continue;
  node.scrollIntoView({{block: "center", behavior: "instant"}});
  const box = node.getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  if (!node.contains(hit)) covered.push(`${{node.outerHTML.slice(0, 80)}} by ${{hit?.outerHTML.slice(0, 80)}}`);
}}
return covered
"""
DOCK = """
const dock = document.querySelector(".dock").getBoundingClientRect();
return [dock.height / innerHeight, document.querySelector(".dock").checkVisibility()]
"""


ASKED = """
const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
return entries.map((one) => one.name).filter((name) => new URL(name).origin !== location.origin && !name.startsWith("blob:"))
"""
PAGES = ("/", "/table", "/table?view=tv", "/setup", "/camera", "/seats", "/join", "/guide", "/secure", "/api", "/rules",
         "/review", "/offline", "/setup#players", "/setup#camera", "/setup#measure", "/setup#read")


@pytest.mark.parametrize("path", [path for path in PAGES if "#" not in path])
def test_a_page_that_is_opened_again_hardly_asks_for_anything(served: Served, path: str) -> None:
    screen = served.screen
    screen.browser.execute_cdp_cmd("Network.enable", {})
    screen.browser.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": True})  # what it hands on counts as come
    for _ in range(2):
        screen.open_whole(path)
        screen.until(lambda: screen.browser.execute_script("return document.readyState === 'complete'"))
    assert screen.browser.execute_script(WEIGHT.replace("encodedBodySize", "transferSize")) <= LARGEST_RETURN
    screen.browser.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": False})


def test_a_long_game_is_light_on_a_television(served: Served) -> None:
    screen, long = served.screen, dealt("mexican-train", 4, 200)[0]
    served.running.setting, served.running.actions = long.setting, long.actions
    served.running.pictures = {f"play{number}": photograph(number) for number in range(len(long.actions))}
    screen.browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    screen.resize(TELEVISION)
    served.open_table("/table?view=tv")
    screen.until(lambda: screen.browser.execute_script(PICTURES_LOADED))
    pictures = screen.browser.execute_script("return [...document.images].filter((one) => one.naturalWidth).length")
    assert pictures and screen.browser.execute_script(WEIGHT) + told_first(screen.url) <= LARGEST_LONG_GAME
    screen.browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": False})


ON_TELEVISION = ("euronimoes", "euronimoes-four", "engine191", "mexican-train-eight", "question", "illegal", "repair", "lost")


@pytest.mark.parametrize("name", ON_TELEVISION)
def test_a_television_shows_every_board_every_score_and_every_alert_whole(chromium: Any, name: str) -> None:
    make = next(make for scene, make, _, _ in SCENES if scene == name)
    with shown(make(), Keys()) as url:
        screen = Screen(chromium, url)
        screen.resize(TELEVISION)
        screen.open("/table?view=tv")
        screen.until(lambda: screen.find_all('[data-ready="true"]'))
        assert len(screen.find_all(".player")) >= 2
        assert screen.browser.execute_script(CUT) == []
        chromium.get("about:blank")


CUT = """
return [...document.querySelectorAll(".board, .scene, .player, .player-name span, .alert, .table-foot")].filter((one) => {
  const { width, top, left, bottom, right } = one.getBoundingClientRect();
  const inside = top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
  return width && !(inside && one.scrollWidth <= one.clientWidth + 1);
}).map((one) => one.outerHTML.slice(0, 80));
"""


PICTURES_LOADED = "return [...document.images].every((one) => one.complete || one.loading === 'lazy')"


def photograph(number: int) -> bytes:
    """A picture of evidence that is as large as a camera's: a made-up table, another part of it each time."""
    sample = cv2.imread(str(STATIC / "sample.jpg"))
    assert sample is not None
    return bytes(cv2.imencode(".jpg", cv2.resize(sample[: 400 + number], (960, 540)), [cv2.IMWRITE_JPEG_QUALITY, 85])[1])


def told_first(url: str) -> int:
    """Bytes of the first event, packed, which the browser does not count."""
    with urllib.request.urlopen(urllib.request.Request(f"{url}/live/events", headers={"Accept-Encoding": "gzip"})) as answer:
        packed, unpack, text = 0, zlib.decompressobj(16 + zlib.MAX_WBITS), b""
        while b"\n\n" not in text:
            some = answer.read1()
            packed, text = packed + len(some), text + unpack.decompress(some)
        return packed


@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize("path", [*(path for path in PAGES if not path.endswith("tv")), "entering", "placing"])
def test_nothing_covers_what_a_finger_shall_tap(served: Served, path: str, width: int) -> None:
    screen = served.screen
    if path == "placing":  # the hardest: a grid of many tiles, on which places lie beside and upon each other
        half_way = dealt("euronimoes", 2, 31)[0]
        served.running.setting, served.running.actions = half_way.setting, half_way.actions
    screen.resize((width, 760))
    screen.open(path if path.startswith("/") else "/table")
    if path in ("/table", "entering", "placing"):  # before, the page still moves
        screen.until(lambda: screen.find_all('[data-ready="true"]'))
    if path == "/review":
        screen.until(lambda: screen.find_all("#review .board svg"))
    if not path.startswith("/"):
        screen.touch("enter")
    if path == "placing":
        screen.touch(_keys(screen, ".dock .tile-choice")[0])
        screen.until(lambda: screen.find_all(".place"))
        box = screen.find(".place rect").rect
        assert min(box["width"], box["height"]) >= 44 * 0.84 - 0.5  # a place is drawn a little smaller than it is hit
    if not path.startswith("/"):
        share, shown = screen.browser.execute_script(DOCK)
        assert shown and share <= 0.34
    assert screen.browser.execute_script(COVERED) == []
    assert screen.browser.execute_script(MISSED) == []


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_light_asks_nobody_else_and_fits_its_screen_and_a_finger(served: Served, path: str) -> None:
    screen = served.screen
    screen.browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    width, height = TELEVISION if path.endswith("tv") else (320, 640)
    screen.resize((width, height))
    screen.open_whole(path)
    assert screen.browser.execute_script(WEIGHT) <= LARGEST_PAGE
    assert screen.browser.execute_script(ASKED) == []
    assert screen.browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert screen.browser.execute_script(MISSED) == []
    ids = screen.browser.execute_script("return [...document.querySelectorAll('[id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids))
    screen.browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": False})


@pytest.mark.parametrize("path", ["/setup#players", "/seats", "/rules", "/review"])
def test_with_text_twice_as_large_no_page_is_wider_than_a_phone(served: Served, path: str) -> None:
    screen = served.screen
    screen.open_whole(path)
    screen.browser.execute_script("document.documentElement.style.fontSize = '200%'")
    assert screen.browser.execute_script(WIDE) <= PHONE[0] + 1


WIDE = "return Math.max(...[...document.querySelectorAll('body *')].map((one) => one.getBoundingClientRect().right))"
"""How far to the right anything of the page goes."""

LINES = """
const words = document.createRange();
words.selectNodeContents(arguments[0]);
return new Set([...words.getClientRects()].map((box) => Math.round(box.top))).size;
"""
"""On how many lines an element's words stand."""

OUT = """
return [...document.querySelectorAll(arguments[0])]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 80))
"""
"""What holds more than it is wide."""


def half_way(served: Served, name: str, plays: int) -> None:
    """That game for two goes on at the table."""
    going = dealt(name, 2, plays)[0]
    served.running.setting, served.running.actions = going.setting, going.actions


def test_with_text_twice_as_large_what_is_done_and_what_it_costs_stays_whole(served: Served) -> None:
    half_way(served, "euronimoes", 14)
    screen = served.open_table()
    screen.browser.execute_script("document.documentElement.style.fontSize = '200%'")
    script = screen.browser.execute_script
    assert {script(LINES, one) for one in screen.find_all("#enter, #undo, .player-name span, .slot .cost")} == {1}
    assert script(OUT, ".slot, .player-head, .table-bar, .table-bar .button") == []
    assert len({link.rect["y"] for link in screen.find_all(".masthead nav a")}) <= 2
    assert screen.find(".table-bar").rect["height"] < PHONE[1] / 5  # the table keeps its room
    slots = [slot.rect for slot in screen.find_all(".slot")]
    assert all(one["y"] != other["y"] or one["x"] + one["width"] <= other["x"] for one, other in pairwise(slots))


def test_with_text_twice_as_large_the_result_has_a_row_a_player_where_columns_have_no_room(served: Served) -> None:
    served.running.actions = played("block", 2, 99)[0].actions
    screen = served.open_table()
    assert not screen.find_all(".by-player")
    screen.browser.execute_script("document.documentElement.style.fontSize = '200%'; dispatchEvent(new Event('resize'))")
    screen.until(lambda: screen.find_all(".by-player"))
    assert screen.browser.execute_script(OUT, ".result-scores, .result") == []


def test_a_round_that_was_the_only_one_is_not_told_beside_the_score(served: Served) -> None:
    over = played("mexican-train", 5, 1)[0]
    served.running.setting, served.running.actions = over.setting, over.actions
    screen = served.open_table()
    assert [len(row.find_elements("css selector", "td")) for row in screen.find_all(".by-player tbody tr")] == [1] * 5


def test_a_price_is_not_broken_on_a_small_phone(served: Served) -> None:
    half_way(served, "euronimoes", 14)
    served.screen.resize((320, 640))
    screen = served.open_table()
    lines = "return arguments[0].offsetHeight / parseFloat(getComputedStyle(arguments[0]).fontSize)"  # its chip, too
    assert max(screen.browser.execute_script(lines, cost) for cost in screen.find_all(".slot .cost")) < 2


def test_the_numbers_of_a_die_stand_in_one_row(served: Served) -> None:
    going = dealt("dominoids", 2, 16, 113)[0]
    thrown = max(at for at, (action, _, _) in enumerate(going.actions) if action.kind == "roll")
    served.running.setting, served.running.actions = going.setting, going.actions[:thrown]
    served.screen.resize((320, 640))
    screen = served.open_table()
    screen.touch("enter")
    screen.until(lambda: screen.keyed("option-0-0"))
    for die in range(2):
        assert len({button.rect["y"] for button in screen.find_all(f'[data-key^="option-{die}-"]')}) == 1


def test_all_pairs_of_dice_that_can_be_taken_are_in_view_on_a_phone(served: Served) -> None:
    half_way(served, "dominoids", 0)
    screen = served.open_table()
    screen.touch("enter")
    screen.until(lambda: len(screen.find_all('[data-key^="choice-choose"]')) == 6)
    over = "const dock = document.querySelector('.dock'); return dock.scrollHeight - dock.clientHeight"
    assert screen.browser.execute_script(over) <= 1


def test_a_broken_rule_that_has_no_picture_was_seen_by_no_camera(served: Served) -> None:
    entries = served.running.moment().entries
    note = replace(entries[-1], number=99, action=None, who="camera", words="Bob drew although the 2|5 would have fitted.")
    served.running.show(entries=(*entries, note))
    screen = served.open_table()
    assert screen.text(".entry.broken").endswith("noticed by Kibitz")


def test_which_tiles_of_a_hand_fit_is_heard_in_the_language_of_the_page(served: Served) -> None:
    seat = served.running.moment().state.turn or 0
    served.running.hands[seat] = (Tile.parse(lead(served.running)),)
    served.screen.open(f"/join/{served.keys.seats[seat]}")
    screen = served.open_table("/table?language=de")
    screen.until(lambda: screen.keyed(f"hand-{lead(served.running)}"))
    assert screen.keyed(f"hand-{lead(served.running)}")[0].get_attribute("aria-label").endswith(", passt")


def test_no_line_ends_at_the_dash_between_two_cells() -> None:
    words = [entry.words for entry in dealt("dominoids", 2, 16, 113)[0].moment().entries if "–" in entry.words]
    assert words and all(said.count("–") == said.count("–\N{WORD JOINER}") for said in words)
