"""A phone in Chromium: two photos of one hand, a reading put right with a tap, the total; the score sheet; the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Keys
from selenium.webdriver.common.action_chains import ActionChains

from tests.webui.browsing import PHONE, needs_chromium, serving
from tests.webui.phone import Phone
from webui.app import create_app

pytestmark = needs_chromium

SMALL_PHONE = (320, 640)
FINGER = 44
"""The least width and height of what a finger must hit, in CSS pixels."""


@pytest.fixture
def phone(chromium: Any, reader: Any, tmp_path: Path) -> Iterator[Phone]:
    """The start page on a phone that was never here before; at the end nothing may have gone wrong unseen."""
    app = create_app(reader, own_names=lambda: ["localhost"], lan_hosts=lambda: ("192.168.1.20",))
    with serving(app) as url:
        here = Phone(chromium, f"{url}/", tmp_path)
        here.open()
        here.complaints()
        yield here
        complaints = here.complaints()
        chromium.execute_script("localStorage.clear(); sessionStorage.clear()")
        chromium.get("about:blank")
    assert [line for line in complaints if "422" not in line] == []


def test_two_photos_one_reading_fixed_and_summed(phone: Phone, first_photo: bytes, second_photo: bytes) -> None:
    phone.choose(first_photo, second_photo)
    assert phone.tiles == ["6|4", "5|5", "3|2", "1|0", "2|2", "6|0"]
    assert phone.total == "36"
    phone.tap(0, 230, 330)  # the right end of the 3|2
    assert phone.find('[data-key="end-1"]').get_attribute("aria-pressed") == "true"
    candidates = [one.get_attribute("aria-label") for one in phone.find_all(".candidate")]
    assert candidates == ["2", "3"]
    phone.press("candidate-3")
    assert phone.tiles[2] == "3|3" and phone.total == "37"
    phone.press("number-5")
    phone.press("dock-close")
    assert phone.tiles == ["6|4", "5|5", "5|3", "1|0", "2|2", "6|0"]
    assert phone.total == "39"
    assert not phone.find_all(".tile.unsure") and not phone.find_all(".mark.unsure")


def test_unsure_tiles_are_marked_by_more_than_colour(phone: Phone, first_photo: bytes) -> None:
    phone.choose(first_photo)
    assert phone.find(".mark.unsure .label text").text == "3|2 ?"
    assert "check" in phone.find(".tile.unsure").text
    assert phone.find(".mark.unsure .line").value_of_css_property("stroke-dasharray") != "none"
    assert "please check" in str(phone.find(".tile.unsure").get_attribute("aria-label"))
    phone.press("check")
    phone.press("dock-confirm")
    assert not phone.find_all(".tile.unsure")
    assert phone.total == "26"


def test_tiles_can_be_removed_added_and_every_step_undone(phone: Phone, first_photo: bytes) -> None:
    phone.choose(first_photo)
    phone.tap(0, 400, 150)  # the 5|5
    phone.press("dock-remove")
    assert phone.total == "16" and "5|5" not in phone.tiles
    phone.press("dock-close")  # the strip went on to the unsure tile
    phone.press("add")
    phone.press("number-12")
    phone.press("number-9")
    assert phone.tiles[-1] == "12|9" and phone.total == "37"
    phone.press("dock-close")
    phone.tap(0, 150, 430)  # bare cloth
    phone.press("number-0")
    phone.press("number-1")
    assert phone.tiles[-1] == "1|0" and phone.total == "38"
    phone.press("dock-close")
    assert len(phone.find_all(".mark")) == 4  # three read ones and the one that was tapped
    for total in ("37", "16", "26"):
        phone.press("undo")
        assert phone.total == total
    phone.press("redo")
    assert phone.total == "16"


def test_more_copies_than_the_set_has_are_asked_about(phone: Phone, first_photo: bytes) -> None:
    phone.choose(first_photo, first_photo)
    warning = phone.find(".warning").text
    assert "Two 6|4" in warning and "are two sets in play" in warning and "two photos" in warning
    phone.press("two-sets")
    assert not phone.find_all(".warning")
    phone.open()
    assert phone.find("#copies").get_property("value") == "2"


def test_one_tile_too_many_can_be_taken_out(phone: Phone, first_photo: bytes) -> None:
    phone.choose(first_photo)
    phone.press("add")
    phone.press("number-4")
    phone.press("number-6")
    phone.press("dock-close")
    assert phone.find(".warning p").text == "Two 6|4 seen \u2013 are two sets in play?"
    phone.press("one-less")
    assert phone.total == "26" and not phone.find_all(".warning")


def test_tiles_outside_the_chosen_set_are_named(phone: Phone, reader: Any, first_photo: bytes) -> None:
    phone.find("#set").send_keys("Double-six")
    phone.choose(first_photo)
    assert reader.asked[0].name == "double-six"
    phone.press("tile-" + str(phone.find(".tile").get_attribute("data-key")).removeprefix("tile-"))
    assert [button.text for button in phone.find_all(".number")] == [str(number) for number in range(7)]
    phone.press("dock-close")
    phone.press("share")  # whatever the browser allows, the page goes on
    phone.find("#set").send_keys("Double-nine")
    phone.press("add")
    phone.press("number-9")
    phone.press("number-8")
    phone.press("dock-close")
    phone.find("#set").send_keys("Double-six")
    assert "9|8 is not in a Double-six set" in phone.find(".warning").text
    phone.press("use-set")
    assert phone.find("#set").get_property("value") == "double-nine"


def test_a_photo_that_cannot_be_read_lets_the_others_go_on(phone: Phone, second_photo: bytes) -> None:
    phone.choose(b"not a photo", second_photo)
    assert phone.find(".problem").text == "This is not a picture: choose a photo (JPEG, PNG, WebP)."
    assert phone.tiles == ["2|2", "6|0"] and phone.total == "10"
    phone.press("drop-photo-1")
    assert not phone.find_all(".problem")


CROP_COLOURS = """
return [...document.querySelectorAll(".tile .crop")].map((crop) => {
  const at = (x, y) => [...crop.getContext("2d").getImageData(x, y, 1, 1).data.slice(0, 3)];
  return [at(3, 48), at(crop.width / 4, 20), at(crop.width * 0.75, 20)];
});
"""


def test_each_tile_is_cut_out_where_it_lies(phone: Phone, first_photo: bytes, sideways_photo: bytes) -> None:
    for photo in (first_photo, sideways_photo):
        phone.choose(photo)
        assert phone.tiles == ["6|4", "5|5", "3|2", "1|0"]
        for rim, first_half, second_half in phone.browser.execute_script(CROP_COLOURS):
            assert max(rim) < 130, "the cloth beside the tile"
            assert min(first_half) > 180 and min(second_half) > 180, "ivory on both halves"
        phone.press("clear")


def test_a_huge_photo_is_made_smaller_before_it_is_sent(phone: Phone, reader: Any, huge_photo: bytes) -> None:
    phone.choose(huge_photo)
    width, height = reader.sizes[0]
    assert 12_000_000 < width * height < 12_600_000
    assert width / height == pytest.approx(1.5, abs=0.001)


def test_a_file_too_large_to_send_is_told_at_once(phone: Phone, reader: Any) -> None:
    phone.choose(bytes(33_000_000))
    assert "more than 32 MB" in phone.find(".problem").text
    assert reader.asked == []


def test_a_lost_connection_is_told_and_tried_again(phone: Phone, first_photo: bytes) -> None:
    phone.connect(False)
    try:
        phone.choose(first_photo)
        assert "does not answer" in phone.find(".problem").text
    finally:
        phone.connect(True)
    phone.press("again-photo-1")
    phone.until(lambda: phone.find_all("#total"))
    assert phone.total == "26"
    phone.browser.get_log("browser")  # the failed request


def test_a_busy_reader_is_waited_for(phone: Phone, reader: Any, second_photo: bytes) -> None:
    from webui.desk import DeskBusy

    refusals = iter((True, True))

    def busy_twice() -> None:
        if next(refusals, False):
            raise DeskBusy

    reader.before_reading = busy_twice
    phone.choose(second_photo)
    assert phone.total == "10"
    phone.browser.get_log("browser")  # the two refusals


def test_the_keyboard_is_enough(phone: Phone, first_photo: bytes) -> None:
    phone.choose(first_photo)
    phone.tab_to("check")
    phone.type(Keys.ENTER)
    assert phone.focus == "dock-title"
    phone.type(Keys.ARROW_RIGHT, "3")
    assert phone.tiles[2] == "3|3" and phone.heard == "Now 3|3. All together 27."
    phone.type(Keys.ARROW_LEFT, "1", "2")
    assert phone.tiles[2] == "12|3" and phone.total == "36"
    phone.tab_to("dock-remove")
    phone.type(Keys.ESCAPE)
    assert not phone.find("#dock").is_displayed()
    assert phone.focus is not None
    ActionChains(phone.browser).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    assert phone.tiles[2] == "3|1"  # the 1 before it became a 12
    phone.tab_to("give-name")
    phone.type("Ann", Keys.ENTER)
    assert phone.focus == "given" and "written for Ann" in phone.heard


def test_what_happens_is_said(phone: Phone, first_photo: bytes) -> None:
    phone.choose(first_photo)
    assert phone.heard == "Photo 1: 4 tiles, 26 pips, 1 to check. All together 26."
    assert phone.find("#announcer").get_attribute("aria-live") == "polite"
    phone.press("clear")
    assert phone.heard.startswith("Ready for the next hand.")


def test_the_next_hand_starts_empty_and_the_last_one_can_come_back(phone: Phone, first_photo: bytes) -> None:
    phone.choose(first_photo)
    phone.press("clear")
    assert phone.find("#view-count").get_attribute("data-state") == "empty"
    phone.press("undo")
    assert phone.total == "26" and len(phone.find_all(".overlay")) == 1


def test_a_reload_keeps_the_numbers_and_no_picture(phone: Phone, first_photo: bytes) -> None:
    phone.choose(first_photo)
    phone.press("check")
    phone.press("number-6")
    phone.open()
    assert phone.total == "29" and len(phone.tiles) == 4
    assert not phone.find_all(".overlay") and not phone.find_all(".crop")
    kept = phone.browser.execute_script("return JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert "blob:" not in kept and "data:" not in kept and len(kept) < 5000


def test_the_score_sheet_is_a_table_that_is_kept(phone: Phone, second_photo: bytes) -> None:
    phone.choose(second_photo)
    phone.find("#give-name").send_keys("Ann", Keys.ENTER)
    assert phone.find('[data-key="given"]').text == "10 written for Ann, round 1."
    phone.open("scores")
    phone.find("#player-name").send_keys("Bob", Keys.ENTER)
    assert [head.text for head in phone.find_all("thead th[scope=col]")] == ["Round", "Ann", "Bob"]
    cell = phone.find('[data-key="cell-0-2"]')
    assert cell.get_attribute("aria-label") == "Bob, round 1"
    cell.send_keys("25", Keys.TAB)
    assert phone.focus == "cell-1-1"
    assert phone.row_of_totals == ["10", "25"]
    assert phone.find("#leader").text == "Ann leads with 10."
    phone.press("rule-false")
    assert phone.find("#leader").text == "Bob leads with 25."
    phone.open("scores")
    assert phone.row_of_totals == ["10", "25"]
    assert phone.find("#leader").text == "Bob leads with 25."


def test_scores_can_be_edited_undone_and_begun_again(phone: Phone) -> None:
    phone.open("scores")
    for name in ("Ann", "Bob"):
        phone.find("#player-name").send_keys(name, Keys.ENTER)
    phone.find('[data-key="cell-0-1"]').send_keys("7", Keys.ENTER, "3", Keys.ENTER, "20", Keys.TAB)
    assert phone.row_of_totals == ["27", "3"]
    assert phone.find("#leader").text == "Bob leads with 3 after round 1."  # round 2 is not full
    cell = phone.find('[data-key="cell-0-1"]')
    cell.clear()
    cell.send_keys("1", Keys.TAB)
    assert phone.row_of_totals == ["21", "3"]
    phone.press("sheet-undo")
    assert phone.row_of_totals[1] == "3"
    wrong = phone.find('[data-key="cell-2-1"]')
    wrong.send_keys("ten", Keys.TAB)
    assert wrong.get_attribute("aria-invalid") == "true"
    phone.press("sheet-new")
    assert phone.row_of_totals == ["0", "0"]
    phone.press("sheet-undo")
    assert phone.row_of_totals[1] == "3"
    phone.find("summary").click()
    phone.press("out-2")
    assert [head.text for head in phone.find_all("thead th")] == ["Round", "Ann"]


def test_a_spoilt_store_does_not_stop_the_page(phone: Phone) -> None:
    phone.browser.execute_script(
        """localStorage.setItem("kibitz.sheet", '{"players": [{"id": 1, "name": "Ann"}, 7], "rounds": [{"1": "x"}, 3]}');
        localStorage.setItem("kibitz.set", "not json"); sessionStorage.setItem("kibitz.hand", '{"tiles": [{"ends": [77]}]}')"""
    )
    phone.open("scores")
    assert phone.row_of_totals == ["0"]
    phone.open()
    assert phone.find("#view-count").get_attribute("data-state") == "empty"


def test_a_browser_that_keeps_nothing_counts_all_the_same(phone: Phone, first_photo: bytes) -> None:
    forbidden = """for (const store of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, store, { get() { throw new DOMException("not allowed", "SecurityError"); } });"""
    with phone.after(forbidden):
        phone.open()
        phone.choose(first_photo)
        assert phone.tiles == ["6|4", "5|5", "3|2", "1|0"]
        phone.open("scores")
        assert phone.find("#view-scores").is_displayed()
    phone.open()


def walk(phone: Phone, *photos: bytes) -> Iterator[str]:
    """Goes through the states of the page."""
    yield "empty"
    phone.choose(*photos, b"not a photo")
    yield "read"
    phone.press("check")
    yield "changing a tile"
    phone.press("dock-close")
    phone.press("add")
    yield "adding a tile"
    phone.press("dock-close")
    phone.find("#give-name").send_keys("Ann", Keys.ENTER)
    yield "written on the sheet"
    phone.open("scores")
    for name in ("Bob", "Cleopatra the Great", "Wolfeschlegelsteinhausen", "Eve"):
        phone.find("#player-name").send_keys(name, Keys.ENTER)
    phone.find("summary").click()
    yield "scores"
    phone.open("nowhere")
    yield "unknown view"


MISSED = """
const size = (node) => { const r = node.getBoundingClientRect(); return [Math.round(r.width), Math.round(r.height)]; };
return [...document.querySelectorAll("button, select, input, .button, nav a, summary")]
  .filter((node) => node.checkVisibility() && !node.classList.contains("only-heard") && !node.closest(".ends"))
  .map((node) => [node.textContent.trim().slice(0, 20) || node.id, ...size(node)])
  .filter(([, width, height]) => width < arguments[0] || height < arguments[0] - 0.5)
"""


def test_every_button_is_as_large_as_a_finger(phone: Phone, first_photo: bytes) -> None:
    for state in walk(phone, first_photo):
        missed = phone.browser.execute_script(MISSED, FINGER)
        assert missed == [], state


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE])
def test_nothing_is_wider_than_the_phone(phone: Phone, first_photo: bytes, size: tuple[int, int]) -> None:
    phone.resize(size)
    for state in walk(phone, first_photo):
        width = phone.browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= size[0], state


NAMELESS = """
return [...document.querySelectorAll("button, select, input, a, summary, [role=img], progress")]
  .filter((node) => node.checkVisibility())
  .filter((node) => !(node.getAttribute("aria-label") || node.labels?.length || node.textContent.trim()))
  .map((node) => node.outerHTML)
"""


def test_everything_has_a_name_and_an_id_is_used_once(phone: Phone, first_photo: bytes) -> None:
    for state in walk(phone, first_photo):
        assert phone.browser.execute_script(NAMELESS) == [], state
        ids = phone.browser.execute_script("return [...document.querySelectorAll('[id]')].map((n) => n.id)")
        assert len(ids) == len(set(ids)), state
