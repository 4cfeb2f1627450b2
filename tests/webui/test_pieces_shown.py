"""Players show their pieces to the camera on the set-up page: row after row, kept with the table, checked by a second round."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from engine.games import game
from referee.setting import Setting, seated
from tests.webui.browsing import DESK, PHONE, Screen, needs_chromium, open_chromium, serving
from tests.webui.shown import ShowingHands
from tests.webui.test_axe import faults
from vision.frame import Frame
from vision.piece_sets import COMMON, PieceSet, Step, showing
from vision.pieces import PieceReader
from webui.app import create_app
from webui.cameras.pieces import PieceDesk
from webui.live.room import Room

LAN = {"REMOTE_ADDR": "192.168.1.30"}
SEED = 5


@pytest.fixture(scope="module")
def hands() -> ShowingHands:
    return ShowingHands(SEED)


@pytest.fixture
def kept() -> list[PieceSet]:
    """What the session was told of."""
    return []


@pytest.fixture
def desk(hands: ShowingHands, kept: list[PieceSet], tmp_path: Path) -> PieceDesk:
    return PieceDesk(tmp_path / "pieces.json", lambda: hands.next(0), lambda: hands.profile, kept.append, lambda: PieceReader(2))


def show(desk: PieceDesk, hands: ShowingHands, steps: tuple[Step, ...] = showing()) -> None:
    for step in steps:
        hands.lay(step)
        desk.look()
        assert desk.form()["showing"]["ready"], f"{step.words} {desk.form()['showing']}"
        desk.take()


def test_every_row_is_taken_and_the_set_kept_with_the_table(
    desk: PieceDesk, hands: ShowingHands, kept: list[PieceSet], tmp_path: Path
) -> None:
    desk.begin()
    with pytest.raises(ValueError, match="Show every step first"):
        desk.keep()
    show(desk, hands)
    desk.keep()
    assert [own.name for own in kept] == ["own"] and len(kept[0].prototypes) == 4 + 6 + 24 + 4
    assert desk.form()["own"] and desk.form()["showing"] is None
    again = PieceDesk(tmp_path / "pieces.json", lambda: None, lambda: None)
    assert again.own.prototypes.keys() == kept[0].prototypes.keys()
    desk.forget()
    assert kept[1] is COMMON and PieceDesk(tmp_path / "pieces.json", lambda: None, lambda: None).own is COMMON


def test_a_second_round_checks_what_the_first_has_taught(desk: PieceDesk, hands: ShowingHands) -> None:
    desk.begin()
    show(desk, hands, showing() * 2)
    told = desk.form()["showing"]
    right, of = map(int, told["checked"].split(" of "))
    assert of == 38 and right >= 30 and (right == of) == (told["doubts"] == [])
    assert told["round"] == 3 and told["step"] == 1


def test_a_row_with_a_piece_too_few_is_not_taken_and_one_that_was_can_be_taken_back(desk: PieceDesk, hands: ShowingHands) -> None:
    desk.begin()
    step = showing()[1]
    show(desk, hands, showing()[:1])
    hands.lay(step, without=1)
    desk.look()
    told = desk.form()["showing"]
    assert (told["step"], told["seen"], told["ready"]) == (2, 5, False)
    with pytest.raises(ValueError, match="I see 5 of them, not 6"):
        desk.take()
    desk.back()
    assert desk.form()["showing"]["step"] == 1 and not desk.form()["showing"]["begun"]
    with pytest.raises(ValueError, match="There is no picture yet"):
        desk.take()


def test_the_pieces_of_a_row_are_named_from_left_to_right_in_the_picture(desk: PieceDesk, hands: ShowingHands) -> None:
    desk.begin()
    hands.lay(showing()[0])
    desk.look()
    closeup = desk.form()["showing"]["closeup"]
    across = [mark["at"][0] for mark in closeup["marks"]]
    assert across == sorted(across) and len(across) == 4 and across[0] > 0 and across[-1] < 1
    image = cv2.imdecode(np.frombuffer(desk.closeup() or b"", np.uint8), cv2.IMREAD_COLOR)
    assert image is not None and list(image.shape[1::-1]) == closeup["size"]


@pytest.fixture
def client(reader: Any, tmp_path: Path) -> Any:
    room = Room(tmp_path / "table", reader, Setting("dominoids", game("dominoids").Rules(), seated(("Ann", "Ben"))))
    app = create_app(
        reader, own_names=lambda: ["localhost"], lan_hosts=lambda: ("192.168.1.20",), table=room.table, keys=room.keys,
        stand=room.stand, pieces=room.pieces,
    )
    yield app.test_client()
    room.close()


def test_only_the_host_shows_pieces(client: FlaskClient) -> None:
    assert client.post("/setup/pieces", json={"do": "begin"}, environ_base=LAN).status_code == 403
    assert client.get("/setup/pieces", environ_base=LAN).status_code == 403


def test_without_a_camera_nothing_is_seen_and_nothing_taken(client: FlaskClient) -> None:
    assert client.get("/setup/pieces").get_json() == {"own": False, "sides": 0, "problem": "", "measured": False, "showing": None}
    assert client.post("/setup/pieces", json={"do": "take"}).status_code == 422
    assert client.post("/setup/pieces", json={"do": "begin"}).get_json()["showing"]["seen"] is None
    assert client.post("/setup/pieces", json={"do": "look"}).get_json()["showing"]["seen"] is None
    assert client.post("/setup/pieces", json={"do": "take"}).status_code == 422
    assert client.post("/setup/pieces", json={"do": "form"}).status_code == 400
    assert client.post("/setup/pieces", json={"do": "stop"}).get_json()["showing"] is None


def test_a_file_that_another_reader_learnt_is_told_and_not_used(tmp_path: Path) -> None:
    PieceSet("old", reader="1.0").save(tmp_path / "pieces.json")
    desk = PieceDesk(tmp_path / "pieces.json", lambda: None, lambda: None)
    assert desk.own is COMMON and "another version of the reader" in desk.form()["problem"]


def _said(screen: Screen, words: str) -> bool:
    return words in screen.text("#showing")


@needs_chromium
@pytest.mark.parametrize("size", [PHONE, DESK])
def test_a_set_is_shown_on_the_page(reader: Any, hands: ShowingHands, tmp_path: Path, size: tuple[int, int]) -> None:
    setting = Setting("dominoids", game("dominoids").Rules(), seated(("Ann", "Ben")))
    room = Room(tmp_path / "table", reader, setting, lambda name: hands)
    app = create_app(
        reader, own_names=lambda: ["localhost"], lan_hosts=tuple, table=room.table, keys=room.keys, stand=room.stand,
        pieces=room.pieces,
    )  # fmt: skip
    room.stand.choose("0")
    room.session.measured(hands.profile)
    threading.Thread(target=room.stand.pump, daemon=True).start()
    browser = open_chromium(tmp_path / "chromium")
    try:
        with serving(app) as url:
            screen = Screen(browser, url)
            screen.resize(size)
            screen.open("/setup#pieces")
            screen.touch("show-pieces")
            for step in showing():
                hands.lay(step)
                screen.until(partial(_said, screen, step.words))
                screen.until(lambda: screen.find("[data-key=row-right]").is_enabled())
                assert step.shown[0][0] != "pawn" or faults(screen) == []
                screen.touch("row-right")
            screen.touch("keep-pieces")
            screen.until(lambda: "38 sides were shown" in screen.text("#showing"))
            assert len(room.session._own.prototypes) == 38
            assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []
    finally:
        browser.quit()
        room.close()


def test_pieces_that_show_no_mark_are_told_with_what_helps(desk: PieceDesk, hands: ShowingHands) -> None:
    desk.begin()
    show(desk, hands, showing()[:1])
    hands.lay(showing()[1])
    desk.look()
    told = desk.form()["showing"]
    assert told["ready"] and told["faint"] == [] and desk._look is not None
    frame = desk._look.frame
    for level, why in ((255, "Too bright to show a mark"), (90, "Hardly a mark is seen")):
        words = f"{why}: ace, 2, 3, 4 and 5."
        desk._look = replace(desk._look, frame=Frame(np.full_like(frame.image, level), frame.time, frame.sequence))
        assert [sentence[: len(words)] for sentence in desk.form()["showing"]["faint"]] == [words]
