"""A game on the simulated table in Chromium: hands play before the camera, the referee sees them, people look at the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.actions import action_from_text
from tests.webui.browsing import DESK, PHONE, Screen, needs_chromium
from tests.webui.simulated import Hands, Simulation, before_play, moves_of, simulated, wait
from tests.webui.test_by_hand_browser import Player
from vision.reader import Reader
from webui.languages import said

pytestmark = needs_chromium

SEED = 3
FREE = 5  # the first tile costs nothing there: no chip tells who took it
"""A table that is read without trouble: what the page makes of it is tried here, `kibitz simulate` counts how many are."""

Playing = Callable[..., AbstractContextManager[Simulation]]


@pytest.fixture(scope="module")
def eyes() -> Reader:
    """The real reader."""
    return Reader(threads=2)


@pytest.fixture
def playing(eyes: Reader, tmp_path: Path, chromium: Any) -> Iterator[Playing]:
    """Begins a simulation; at the end the browser has complained of nothing."""
    yield partial(simulated, tmp_path, eyes)
    complaints = [line["message"] for line in chromium.get_log("browser") if line["level"] == "SEVERE"]
    chromium.delete_all_cookies()
    chromium.get("about:blank")
    assert [line for line in complaints if "ERR_INTERNET_DISCONNECTED" not in line] == []


def screen_of(chromium: Any, simulation: Simulation, size: tuple[int, int], path: str = "/table") -> Screen:
    """A device that shows a page of this table."""
    screen = Screen(chromium, simulation.url)
    screen.patience = 60
    screen.resize(size)
    screen.open(path)
    if path == "/table":
        screen.until(lambda: screen.find_all('[data-ready="true"]'))
    return screen


def watched(simulation: Simulation) -> None:
    """Wait until the camera knows the table and sees it as the game has it."""
    wait(lambda: simulation.room.stand.profile is not None and simulation.moment.word == "ready")


def play(simulation: Simulation, screen: Screen) -> str:
    """Let the hands make a move; what the page calls the last play once the referee has understood it."""
    before = simulation.hands.played
    simulation.hands.let()
    wait(lambda: simulation.hands.played > before and simulation.understood())
    version = str(simulation.moment.version)
    screen.until(lambda: screen.find("#table-page").get_attribute("data-version") >= version)
    return screen.text(".last-words")


def _wrong_or_done(simulation: Simulation, before: int) -> bool:
    hands = simulation.hands
    return bool(hands.wrong) or (hands.played > before and simulation.understood())


@pytest.mark.parametrize("size", [PHONE, DESK])
@pytest.mark.parametrize("name", ["block", "euronimoes"])
def test_from_set_up_to_the_first_play(playing: Playing, chromium: Any, name: str, size: tuple[int, int]) -> None:
    with playing(Hands(name, 2, SEED), name, camera=False) as simulation:
        screen = screen_of(chromium, simulation, size, "/setup")
        screen.press(f"game-{name}")
        screen.touch("to-players")
        for at, player in enumerate(("Zoe", "Yan")):
            field = screen.find_all("[name=name]")[at]
            field.clear()
            field.send_keys(player)
        screen.touch("with-camera")
        screen.find("#stream").send_keys("rtsp://table.local/1")
        screen.find("#stream-form button").click()
        screen.until(lambda: screen.find("#live").is_displayed())
        screen.touch("to-measure")
        screen.find("#by-itself").click()
        screen.patience = 90  # measuring computes for seconds, and longer on a busy machine
        screen.until(lambda: "Measured from" in screen.text("#measured"))
        screen.touch("past-measure")
        screen.touch("play")
        screen.until(lambda: screen.find_all('[data-ready="true"]'))
        screen.until(lambda: "Zoe" in screen.text('[data-part="players"]'))
        wait(lambda: not simulation.moment.sentence and simulation.moment.word == "ready")
        play(simulation, screen)
        assert len(screen.find_all(".laid")) == sum(" play " in f" {text}" for text in simulation.told)


@pytest.mark.parametrize(("name", "size", "seed"), [("block", PHONE, SEED), ("euronimoes", DESK, 7)])
def test_a_game_is_played_to_its_final_score(
    playing: Playing, chromium: Any, name: str, size: tuple[int, int], seed: int
) -> None:
    left = 3
    with playing(Hands(name, 2, seed, len(moves_of(name, 2, seed)) - left), name) as simulation:
        screen = screen_of(chromium, simulation, size)
        watched(simulation)
        simulation.hands.let(left)
        screen.until(lambda: screen.find_all(".wins"))
        outcome = simulation.hands.story.state.outcome()
        assert outcome is not None and simulation.understood()
        assert [node.text for node in screen.find_all(".score")] == [str(points) for points in outcome.scores]


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_an_illegal_play_is_named_and_put_right(playing: Playing, chromium: Any, size: tuple[int, int]) -> None:
    with playing(Hands("block", 2, SEED, before_play("block", 2, SEED)), "block") as simulation:
        screen = screen_of(chromium, simulation, size)
        watched(simulation)
        simulation.hands.err(wrong=1.0)
        while not simulation.hands.wrong:  # not every hand has a tile that does not fit
            before = simulation.hands.played
            simulation.hands.let()
            wait(partial(_wrong_or_done, simulation, before))
        screen.until(lambda: screen.find_all(".fault"))
        fault = simulation.moment.fault
        assert fault is not None and fault.verdict.rule == simulation.hands.wrong
        assert screen.text("#word") == "Not allowed" and said(fault.verdict.sentence, "en") in screen.text(".fault")
        assert "Not allowed" in screen.text("#announcer")
        screen.until(lambda: screen.browser.execute_script("return document.querySelector('.fault img').naturalWidth > 0"))
        simulation.hands.let()
        screen.until(lambda: not screen.find_all(".fault"))
        assert screen.text("#word") != "Not allowed"


def test_a_question_is_answered_with_a_tap(playing: Playing, chromium: Any) -> None:
    with playing(Hands("euronimoes", 2, FREE), "euronimoes") as simulation:
        screen = screen_of(chromium, simulation, PHONE)
        watched(simulation)
        hands = simulation.hands
        wait(lambda: simulation.laid_ready)
        hands.plugged = False  # nobody sees whose hand it is that begins
        wait(lambda: simulation.moment.word == "camera-lost")
        hands.let()
        wait(lambda: hands.played)
        hands.plugged = True
        screen.until(lambda: screen.find_all(".question"))
        screen.until(lambda: screen.browser.execute_script("return document.querySelector('.question img').naturalWidth > 0"))
        asked = simulation.moment.question
        assert asked is not None
        right = next(choice for choice in asked.choices if list(choice.done) == simulation.hands.story.texts(choice.done))
        screen.press(f"answer-{right.name}")
        screen.until(lambda: not screen.find_all(".question"))
        assert simulation.understood()


def test_the_last_play_is_undone_and_an_old_one_that_others_follow_is_not_struck_out(playing: Playing, chromium: Any) -> None:
    with playing(Hands("block", 2, SEED, before_play("block", 2, SEED)), "block") as simulation:
        screen = screen_of(chromium, simulation, DESK)
        watched(simulation)
        play(simulation, screen)
        said = simulation.told
        screen.find("#undo").click()
        screen.until(lambda: screen.find_all(".entry.undone"))
        screen.until(lambda: screen.find_all(".question"))  # the tile still lies there: was it played or not?
        asked = simulation.moment.question
        assert asked is not None and simulation.told != said
        screen.press(f"answer-{asked.choices[0].name}")
        wait(lambda: simulation.told == said)
        number = next(entry.number for entry in simulation.moment.entries if " root" in str(entry.action))
        screen.press(f"change-{number}")
        screen.press("strike")
        screen.until(lambda: "would not fit" in screen.text(".dock"))
        assert simulation.told == said
        screen.complaints()  # that it was refused has been logged


def test_the_game_goes_on_by_hand_while_the_camera_is_pulled(playing: Playing, chromium: Any) -> None:
    with playing(Hands("block", 2, SEED, before_play("block", 2, SEED)), "block") as simulation:
        screen = screen_of(chromium, simulation, PHONE)
        watched(simulation)
        hands = simulation.hands
        hands.plugged = False
        screen.until(lambda: screen.text("#word") == "Camera lost")
        screen.until(lambda: "camera lost" in screen.text(".health"))
        before = hands.played
        hands.let()
        wait(lambda: hands.played > before)
        text = hands.story.texts()[before]
        screen.find("#enter").click()
        screen.press(f"tile-{text.split()[1]}" if text.startswith("play") else f"choice-{text}")
        if text.startswith("play"):
            screen.press(f"lay-{text}")
        wait(simulation.understood)
        hands.plugged = True
        screen.until(lambda: screen.text("#word") == "Ready")
        assert simulation.understood()
        play(simulation, screen)


def test_a_game_whose_camera_was_pulled_is_finished_by_hand(playing: Playing, chromium: Any) -> None:
    left = 3
    with playing(Hands("block", 2, SEED, len(moves_of("block", 2, SEED)) - left), "block") as simulation:
        screen = screen_of(chromium, simulation, PHONE)
        watched(simulation)
        simulation.hands.plugged = False
        screen.until(lambda: screen.text("#word") == "Camera lost")
        simulation.hands.let(left)
        player = Player(simulation.room, screen)
        screen.touch("enter")
        while player.state.result is None:
            wait(lambda: len(simulation.hands.story.texts()) > len(simulation.told))
            text = simulation.hands.story.texts()[len(simulation.told)]
            player.enter(action_from_text((*player.state.ACTIONS, *player.state.CHANCE), text))
        screen.until(lambda: screen.find_all(".wins"))


def test_a_phone_that_was_away_for_a_minute_shows_the_table_as_it_is(playing: Playing, chromium: Any) -> None:
    with playing(Hands("block", 2, SEED, before_play("block", 2, SEED)), "block") as simulation:
        screen = screen_of(chromium, simulation, PHONE)
        watched(simulation)
        conditions = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        chromium.execute_cdp_cmd("Network.enable", {})
        chromium.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)
        chromium.execute_script("window.stop()")
        began = simulation.hands.seconds
        simulation.hands.let(2)
        wait(lambda: simulation.hands.seconds > began + 60 and simulation.understood())
        screen.until(lambda: screen.text("#word") == "Not connected")
        chromium.execute_cdp_cmd("Network.emulateNetworkConditions", conditions | {"offline": False})
        screen.until(lambda: screen.find("#table-page").get_attribute("data-version") == str(simulation.moment.version))
        assert screen.text("#word") == "Ready" and simulation.moment.entries[-1].words in screen.text(".last-words")
