"""The camera stand: cameras exchanged under a watcher, a phone's frames, a lost camera never shown as live, measuring."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import datetime
from queue import Queue
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from calibration.measure import calibrate
from calibration.profile import Profile
from engine.games import game
from referee.setting import SIDES, Seat, Setting
from tests.webui.faketable import FakeCamera, FakeTable, dealt, table, tagged_table
from vision.exposure import STEP
from vision.frame import Frame
from vision.observation import Quality
from vision.sources.played import Played
from vision.sources.source import Health, SourceError
from webui.addresses import Ways
from webui.app import create_app
from webui.cameras.routes import SHEETS, game_forms, names_told, setting_of, sides_of
from webui.cameras.stand import CameraStand, camera_choices
from webui.languages import page_words, said
from webui.live.keys import Keys
from webui.live.running import Offered as EarlierGame
from webui.live.running import Stale
from webui.sent import GameSent, SeatSent

LAN = {"REMOTE_ADDR": "192.168.1.30"}


def opening(name: str) -> FakeCamera:
    """Camera 0 is there, others are not."""
    if name != "0":
        raise SourceError(f"There is no source {name}.")
    return FakeCamera(tagged_table())


class Offered:
    """What the stand offers to whoever watches the table."""

    def __init__(self) -> None:
        self._frames: Queue[Frame] = Queue()

    def __call__(self, frame: Frame, patient: bool) -> None:
        self._frames.put(frame)

    def next(self) -> Frame:
        """The next frame; Empty where none comes."""
        return self._frames.get(timeout=5.0)


@pytest.fixture
def offered() -> Offered:
    return Offered()


class Clock:
    """Goes as clocks do, and may be put on."""

    ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def stand(offered: Offered, clock: Clock) -> Iterator[CameraStand]:
    """A stand without a camera."""
    made = CameraStand(opening, clock)
    pump = threading.Thread(target=made.pump, args=(offered,), daemon=True)
    pump.start()
    yield made
    made.close()
    pump.join(5)
    assert not pump.is_alive()


@pytest.fixture
def keys() -> Keys:
    return Keys()


@pytest.fixture
def running() -> FakeTable:
    return table("block")


@pytest.fixture
def client(reader: Any, stand: CameraStand, keys: Keys, running: FakeTable) -> FlaskClient:
    """The computer itself."""
    app = create_app(
        reader,
        own_names=lambda: ["localhost"],
        lan_hosts=lambda: ("192.168.1.20",),
        stand=stand,
        keys=keys,
        table=running,
    )
    return app.test_client()


def frame(width: int = 640, height: int = 480) -> bytes:
    """A phone's picture."""
    noise = np.random.default_rng(width).integers(0, 255, (height, width, 3), np.uint8)
    return bytes(cv2.imencode(".jpg", noise)[1])


def test_a_stand_without_a_camera_shows_nothing(stand: CameraStand, client: FlaskClient) -> None:
    assert stand.view() is None and stand.health().lost
    assert client.get("/setup/picture.jpg").status_code == 204


def test_a_chosen_camera_is_seen_and_watched(stand: CameraStand, offered: Offered, client: FlaskClient) -> None:
    assert client.post("/setup/camera", json={"name": "0"}).get_json() == {"chosen": "0"}
    seen = offered.next()
    assert seen.image.shape == (1080, 1920, 3)
    answer = client.get("/setup/picture.jpg")
    shown = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None and shown.shape[1] == 1280
    assert float(answer.headers["X-Frame-Age"]) < 2


def test_a_camera_that_is_not_there_is_told_and_the_old_one_stays(
    stand: CameraStand, offered: Offered, client: FlaskClient
) -> None:
    client.post("/setup/camera", json={"name": "0"})
    answer = client.post("/setup/camera", json={"name": "7"})
    assert answer.status_code == 422 and "no source 7" in answer.get_json()["error"]
    assert stand.name == "0" and offered.next() is not None
    client.post("/setup/camera", json={"name": ""})
    assert stand.view() is None


def test_after_a_film_that_is_damaged_farther_on_another_camera_can_be_chosen(
    stand: CameraStand, offered: Offered, monkeypatch: pytest.MonkeyPatch
) -> None:
    def film() -> Iterator[Frame]:
        yield Frame(tagged_table(), 0.0, 0)
        raise SourceError("The recording x.kibitz is damaged.")

    monkeypatch.setattr(stand, "_opening", lambda name: Played(film()) if name == "x.kibitz" else opening(name))
    stand.choose("x.kibitz")
    offered.next()
    until = time.monotonic() + 5
    while (view := stand.view()) is None or view.word != "camera-lost":
        assert time.monotonic() < until
        time.sleep(0.02)
    assert stand.health().lost == "The recording x.kibitz is damaged."
    stand.choose("0")
    assert offered.next() is not None and stand.health().lost is None


def test_an_unplugged_camera_is_lost_and_its_picture_grows_old(stand: CameraStand, offered: Offered, clock: Clock) -> None:
    stand.choose("0")
    offered.next()
    source = stand._source
    assert isinstance(source, FakeCamera)
    source.plugged = False
    view = stand.view()
    assert view is not None and view.word == "camera-lost" and view.jpeg is not None
    clock.ahead = 12
    old = stand.view()
    assert old is not None and old.age > 12


def test_the_picture_of_before_is_not_as_new_as_those_of_a_covered_lens(
    stand: CameraStand, offered: Offered, clock: Clock, client: FlaskClient
) -> None:
    client.post("/camera/frame", data=frame())
    offered.next()
    clock.ahead = 60
    black = bytes(cv2.imencode(".jpg", np.zeros((480, 640, 3), np.uint8))[1])
    assert client.post("/camera/frame", data=black).get_json()["health"]["age"] >= 60
    assert float(client.get("/setup/picture.jpg").headers["X-Frame-Age"]) >= 60


def test_a_phone_lends_its_camera_with_the_key_of_the_square(
    stand: CameraStand, offered: Offered, keys: Keys, client: FlaskClient
) -> None:
    phone = client.application.test_client()
    phone.environ_base |= LAN
    assert phone.get("/camera").status_code == 403
    refused = phone.post("/camera/frame", data=frame(), content_type="image/jpeg")
    assert refused.status_code == 403 and "key" in refused.get_json()["error"], "the page shows it"
    assert phone.get(f"/join/{keys.camera}").headers["Location"] == "/camera"
    assert phone.get("/camera").status_code == 200
    answer = phone.post("/camera/frame", data=frame(), content_type="image/jpeg")
    assert answer.status_code == 200 and answer.get_json()["word"]
    assert stand.name == "phone"
    seen = offered.next()
    assert seen.image.shape == (480, 640, 3)


@pytest.mark.parametrize(("asked", "host"), [("table.local", "table.local"), ("table.local:8000", "table.local"),
                                             ("[::1]", "[::1]"), ("[::1]:8000", "[::1]")])
def test_the_way_to_the_encrypted_camera_page_leads_to_the_machine_that_was_asked(
    asked: str, host: str, reader: Any, stand: CameraStand, keys: Keys
) -> None:
    app = create_app(reader, own_names=lambda: ["table.local"], stand=stand, keys=keys, ways=Ways(80, 8443))
    page = app.test_client().get("/camera", headers={"Host": asked}).text
    assert f'data-secure="https://{host}:8443/join/{keys.camera}"' in page


def test_a_phone_is_told_to_take_less_light_for_white_tiles_and_for_pieces_that_are_shown(
    stand: CameraStand, offered: Offered, keys: Keys, client: FlaskClient
) -> None:
    def told() -> float:
        answer = client.post("/camera/frame", data=frame(), content_type="image/jpeg").get_json()
        offered.next()
        return float(answer["stops"])

    assert told() == 0
    stand.quality = Quality(white=1.0)
    told()
    assert told() == STEP
    stand.quality = Quality(white=0.1)
    stand.choose("phone")  # another camera is asked for nothing before it was looked at
    assert told() == 0
    stand.shown(1.0)
    stand.quality = Quality(white=0.1)
    assert told() == told() == STEP, "while pieces are shown, the light is theirs"


def test_a_seat_is_no_camera(keys: Keys, client: FlaskClient) -> None:
    phone = client.application.test_client()
    phone.environ_base |= LAN
    phone.get(f"/join/{keys.seats[0]}")
    assert phone.post("/camera/frame", data=frame()).status_code == 403


def test_what_is_no_picture_or_too_large_is_refused(client: FlaskClient) -> None:
    assert client.post("/camera/frame", data=b"no picture").status_code == 422
    assert client.post("/camera/frame", data=bytes(7_000_000)).status_code == 413


def test_a_phone_does_not_push_another_camera_aside(stand: CameraStand, client: FlaskClient) -> None:
    stand.choose("0")
    answer = client.post("/camera/frame", data=frame())
    assert answer.status_code == 422 and "Another camera" in answer.get_json()["error"]


def test_a_phone_that_goes_on_sending_does_not_come_back_while_another_camera_is_being_taken(stand: CameraStand) -> None:
    stand.push(frame())
    busy, done = threading.Event(), threading.Event()

    def told(profile: Any, image: Any) -> None:
        """The table is busy for a while."""
        if stand.name == "0":
            busy.set()
            done.wait(5)

    def send() -> None:
        with pytest.raises(ValueError, match="Another camera"):
            stand.push(frame())

    stand.on_calibrated = told
    choosing = threading.Thread(target=stand.choose, args=("0",))
    choosing.start()
    assert busy.wait(20)
    phone = threading.Thread(target=send)
    phone.start()
    phone.join(1)
    done.set()
    choosing.join(5)
    phone.join(5)
    assert stand.name == "0"


def test_of_two_phones_the_one_opened_last_is_the_camera(stand: CameraStand, offered: Offered, client: FlaskClient) -> None:
    assert client.post("/camera/frame?from=first", data=frame(640)).status_code == 200
    assert client.post("/camera/frame?from=second", data=frame(320)).status_code == 200
    answer = client.post("/camera/frame?from=first", data=frame(640))
    assert answer.status_code == 422 and "Another phone" in answer.get_json()["error"]
    assert client.post("/camera/frame?from=second", data=frame(320)).status_code == 200
    assert client.post("/camera/frame?from=first-anew", data=frame(640)).status_code == 200
    assert client.post("/camera/frame?from=second", data=frame(320)).status_code == 422


def test_a_table_is_not_measured_by_what_a_lost_camera_sent(stand: CameraStand, offered: Offered, client: FlaskClient) -> None:
    stand.choose("0")
    offered.next()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stand, "health", lambda: Health("the camera was unplugged"))
        answer = client.post("/setup/calibrate", json={})
    assert answer.status_code == 422 and "no picture at the moment" in answer.get_json()["error"]
    assert stand.profile is None


def test_a_phone_that_goes_on_sending_is_no_camera_of_a_game_by_hand(stand: CameraStand, client: FlaskClient) -> None:
    assert client.post("/camera/frame", data=frame()).status_code == 200, "nobody has chosen yet"
    client.post("/setup/camera", json={"name": None})
    answer = client.post("/camera/frame", data=frame())
    assert answer.status_code == 422 and "by hand" in answer.get_json()["error"] and stand.view() is None
    client.post("/setup/camera", json={"name": "phone"})
    assert client.post("/camera/frame", data=frame()).status_code == 200 and stand.name == "phone"


def test_what_a_camera_lacks_is_said_in_the_language_of_who_asks(stand: CameraStand, client: FlaskClient) -> None:
    german = {"Accept-Language": "de"}

    def told(path: str, **sent: Any) -> str:
        return str(client.post(path, headers=german, **sent).get_json()["error"])

    assert "Bild" in told("/setup/calibrate", json={})
    assert "Millimeter" in told("/setup/calibrate", json={"width": "a foot"})
    stand.choose("0")
    assert "Kamera" in told("/camera/frame", data=frame())
    assert {"dark", "glare"} <= page_words("de").keys()


def test_the_table_is_measured_by_its_tags(stand: CameraStand, offered: Offered, client: FlaskClient) -> None:
    stand.choose("0")
    offered.next()
    kept: list[Any] = []
    stand.on_calibrated = lambda profile, image: kept.append(profile)
    told = client.post("/setup/calibrate", json={}).get_json()["profile"]
    assert told["method"] == "tags" and len(told["outline"]) == 4 and told["lines"]
    assert abs(told["table"][0] - 740) < 15 and abs(told["table"][1] - 540) < 15  # from tag to tag
    assert told["advice"] and len(kept) == 1
    assert client.get("/setup/calibration.json").get_json()["profile"]["method"] == "tags"


def test_the_table_is_measured_by_four_corners_and_a_length(stand: CameraStand, offered: Offered, client: FlaskClient) -> None:
    stand.choose("0")
    offered.next()
    corners = [
        [430 / 1920, 130 / 1080],
        [1490 / 1920, 130 / 1080],
        [1760 / 1920, 1040 / 1080],
        [160 / 1920, 1040 / 1080],
    ]
    told = client.post("/setup/calibrate", json={"corners": corners, "width": "900", "height": ""}).get_json()[
        "profile"
    ]
    assert told["method"] == "corners" and told["table"][0] == 900


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"corners": [[0.2, 0.2], [0.8, 0.8], [0.8, 0.2], [0.2, 0.8]], "width": 500}, "cross"),
        ({"corners": [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]}, "length"),
        ({"corners": [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]], "width": "wide"}, "number of millimetres"),
    ],
)
def test_what_cannot_be_measured_is_told(
    stand: CameraStand, offered: Offered, client: FlaskClient, sent: Any, reason: str
) -> None:
    assert client.post("/setup/calibrate", json=sent).status_code == 422  # no camera
    stand.choose("0")
    offered.next()
    answer = client.post("/setup/calibrate", json=sent)
    assert answer.status_code == 422 and reason in answer.get_json()["error"]


def test_one_camera_is_not_measured_by_a_picture_of_another(
    stand: CameraStand, offered: Offered, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(image: Any) -> Any:
        """Meanwhile somebody chooses another camera."""
        stand.choose("phone")
        return calibrate(image)

    stand.choose("0")
    offered.next()
    monkeypatch.setattr("webui.cameras.stand.calibrate", slowly)
    answer = client.post("/setup/calibrate", json={})
    assert answer.status_code == 422 and "Another camera" in answer.get_json()["error"] and stand.profile is None


def test_that_a_table_is_measured_but_not_kept_so_is_told(stand: CameraStand, offered: Offered, client: FlaskClient) -> None:
    def full(profile: Any, image: Any) -> None:
        if profile is not None:
            raise OSError(28, "No space left on device")

    stand.choose("0")
    offered.next()
    stand.on_calibrated = full
    answer = client.post("/setup/calibrate", json={})
    assert answer.status_code == 500 and "No space left" in answer.get_json()["error"]


def test_a_folder_that_may_not_be_read_is_told(client: FlaskClient, stand: CameraStand, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(name: str) -> Any:
        raise PermissionError(13, "Permission denied", name)

    monkeypatch.setattr(stand, "_opening", forbidden)
    answer = client.post("/setup/camera", json={"name": "/of/somebody/else"})
    assert answer.status_code == 422 and "Permission denied" in answer.get_json()["error"]


def test_smaller_pictures_of_a_slow_wifi_are_as_large_as_the_one_that_was_measured(stand: CameraStand, offered: Offered) -> None:
    stand.push(frame(640, 480))
    offered.next()
    stand.profile = Profile((640, 480), np.eye(3), (0.0, 0.0, 640.0, 480.0), "corners", 0.0)
    for size in ((544, 408), (462, 347), (640, 480)):
        stand.push(frame(*size))
        assert offered.next().image.shape == (480, 640, 3)
    stand.push(frame(480, 640))
    assert offered.next().image.shape == (640, 480, 3), "a phone that was turned sees something else"


def test_cameras_are_listed_and_a_password_is_not(tmp_path: Any) -> None:
    (tmp_path / "video0").touch()
    (tmp_path / "video10").touch()
    (tmp_path / "video2").touch()
    assert [choice.name for choice in camera_choices("", tmp_path)] == ["phone", "0", "2", "10"]
    listed = camera_choices("rtsp://me:secret@cam/1", tmp_path)
    assert listed[-1].words == "Network camera"


def test_a_game_begins_with_what_was_chosen(client: FlaskClient, running: FakeTable) -> None:
    seats = [{"name": "Eve", "side": 1}, {"name": "", "side": 3}]
    sent = {"game": "euronimoes", "rules": {"max_extent": "9", "endphase": "turns"}, "seats": seats}
    assert client.post("/setup/game", json=sent).status_code == 200
    setting = running.moment().setting
    assert setting.game == "euronimoes" and setting.rules.max_extent == 9  # type: ignore[attr-defined]
    assert setting.names == ("Eve", "Player 2") and sides_of(setting) == [1, 3]


def test_who_told_no_name_has_none_to_rub_out_and_is_called_in_the_language_of_who_looks(
    client: FlaskClient, running: FakeTable
) -> None:
    client.post("/setup/game", json={"game": "block", "seats": [{"name": "Eve"}, {"name": ""}]})
    running.setting = Setting.from_json(running.moment().setting.to_json())  # as it is when Kibitz is started again
    assert names_told(running.setting) == ["Eve", ""]
    page = client.get("/setup", headers={"Accept-Language": "de"}).text
    assert 'value="Eve"' in page and 'value="Spieler 2"' not in page and 'placeholder="Spieler 2"' in page
    assert said(running.setting.names[1], "de") == "Spieler 2"


def test_the_game_of_before_is_offered_until_another_is_played(client: FlaskClient, running: FakeTable) -> None:
    running.offered = EarlierGame(running.setting, datetime(2026, 11, 24, 21, 5).timestamp(), (25, 40))
    players = ", ".join(f"{name} {score}" for name, score in zip(running.setting.names, (25, 40), strict=True))
    for actions, offered in (([], True), (dealt("euronimoes")[0].actions, False)):
        running.actions = actions
        page = client.get("/setup").text
        assert ("Go on with that game" in page) is offered
        assert (f"</b>: {players}" in page and "24 November 2026, 21:05" in page) is offered  # as people know it


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game": "chess"}, "no game"),
        ({"rules": {"endphase": "never"}}, "endphase"),
        ({"seats": [{"name": "A"}]}, "not for 1"),
        ({"seats": [{"name": "A"}, {"name": "A"}]}, "same name"),
        ({"seats": [{"name": "A"}, {"name": "camera"}]}, "uses the name “camera”"),
    ],
)
def test_a_set_up_that_does_not_fit_is_told(client: FlaskClient, change: dict[str, Any], reason: str) -> None:
    sent = {"game": "euronimoes", "rules": {}, "seats": [{"name": "A"}, {"name": "B"}]} | change
    answer = client.post("/setup/game", json=sent)
    assert answer.status_code == 422 and reason in answer.get_json()["error"]


@pytest.mark.parametrize(("changes", "status"), [(1, 200), (9, 409)])
def test_a_game_begins_though_the_table_changes_while_it_is_measured(
    client: FlaskClient, running: FakeTable, changes: int, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, refused = running.do, list[int]()

    def do(version: int, *deed: Any) -> int:
        if len(refused) < changes:
            refused.append(version)
            raise Stale
        return begin(version, *deed)

    monkeypatch.setattr(running, "do", do)
    sent = {"game": "block", "rules": {}, "seats": [{"name": "A"}, {"name": "B"}]}
    assert client.post("/setup/game", json=sent).status_code == status


def test_what_is_laid_on_the_table_can_be_printed(client: FlaskClient) -> None:
    page = client.get("/setup").get_data(as_text=True)
    for sheet in SHEETS:
        assert f"/setup/print/{sheet}-Letter.pdf" in page
        assert client.get(f"/setup/print/{sheet}-Letter.pdf").data.startswith(b"%PDF")
    assert client.get("/setup/print/tags-A9.pdf").status_code == client.get("/setup/print/map-A4.pdf").status_code == 404


def test_a_picture_to_be_read_is_as_large_as_the_camera_gives_it(
    stand: CameraStand, offered: Offered, client: FlaskClient
) -> None:
    stand.choose("0")
    offered.next()
    shown = cv2.imdecode(np.frombuffer(client.get("/setup/picture.jpg?whole").data, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None and shown.shape == (1080, 1920, 3)


def test_every_flag_has_its_sentence_on_the_page(client: FlaskClient) -> None:
    page = client.get("/setup").get_data(as_text=True)
    assert "Whether the last tiles are played in turn or all at once." in page
    assert "How many tiles stay in the boneyard and are never drawn." in page


def test_the_page_shows_the_rules_and_sides_of_the_game_that_runs() -> None:
    seats = (Seat("Ann", SIDES[3], "red"), Seat("Bob", SIDES[1], "blue"))
    setting = Setting("euronimoes", game("euronimoes").Rules.of({"max_extent": "9", "endphase": "turns"}), seats)
    assert sides_of(setting) == [3, 1] and sides_of(None) == []
    forms = {form["name"]: form["flags"] for form in game_forms(setting)}
    shown = {flag["name"]: flag["now"] for flag in forms["euronimoes"]}
    assert shown["max_extent"] == "9" and shown["endphase"] == "turns" and not any(flag["now"] for flag in forms["block"])
    assert game("euronimoes").Rules.of(shown) == setting.rules  # sent as it is shown it changes nothing


def test_long_names_are_cut() -> None:
    seats = [SeatSent("x" * 99), SeatSent("y")]
    assert len(setting_of(GameSent("block", seats)).names[0]) == 30
