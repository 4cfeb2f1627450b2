"""The session: whose turn it is in its line, what reaches the watcher, and that nothing that comes to it ends it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.games import game
from referee.games import tiles_of
from referee.journal import Journal
from referee.session import Session
from referee.setting import Seat, Setting
from referee.table import Table
from tests.webui.faketable import tagged_table
from vision.frame import Frame
from vision.in_play import InPlay
from vision.observation import Observation, TableState
from vision.reader import Reader
from vision.sources.source import Health

SEATS = (Seat("Ann", 0.0, "red"), Seat("Ben", 3.1, "blue"))
BLANK = np.full((480, 640, 3), 90, np.uint8)


def setting(name: str) -> Setting:
    return Setting(name, game(name).Rules(), SEATS)


def frame(number: int, image: Any = BLANK) -> Frame:
    return Frame(image, float(number), number)


class Eyes(Reader):
    """A reader that remembers for which tiles it was asked."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.games: list[InPlay] = []

    def of_a_game(self, in_play: InPlay) -> Reader:
        self.games.append(in_play)
        return super().of_a_game(in_play)


@pytest.fixture
def table() -> Table:
    return Table(Journal("sqlite://"))


def session_of(table: Table | None = None, **more: Any) -> Session:
    return Session(Eyes(), table, **more)


class Steps:
    """A session that lives, whose frames are only counted; each takes until `go` is released."""

    def __init__(self, lost: Health | None = None) -> None:
        self.session = session_of()
        self.seen: list[int] = []
        self.lost: list[Health] = []
        self.went = threading.Semaphore(0)
        self.go = threading.Semaphore(0)
        self.session.see = self._see  # type: ignore[method-assign]
        self.session.lost = self._lost  # type: ignore[method-assign]
        self.session.follow(lambda: lost)

    def _see(self, frame: Frame) -> Observation:
        self.went.release()
        self.go.acquire()
        self.seen.append(frame.sequence)
        return Observation(frame.time, frame.sequence, TableState.READY)

    def _lost(self, time: float, health: Health) -> Observation:
        self.lost.append(health)
        self.went.release()
        return Observation(time, -1, TableState.CAMERA_LOST)

    def close(self) -> None:
        for _ in range(100):
            self.go.release()
        self.session.close()


def test_of_a_live_camera_only_the_newest_frame_counts() -> None:
    steps = Steps()
    steps.session.offer(frame(1), patient=False)
    steps.went.acquire()
    for number in range(2, 9):  # while it is busy
        steps.session.offer(frame(number), patient=False)
    steps.go.release()
    steps.went.acquire()
    steps.close()
    assert steps.seen == [1, 8]


def test_of_a_film_no_frame_is_left_out() -> None:
    steps = Steps()

    def run() -> None:
        for number in range(1, 6):
            steps.session.offer(frame(number), patient=True)

    film = threading.Thread(target=run)
    film.start()
    for _ in range(5):
        steps.went.acquire()
        steps.go.release()
    film.join(5)
    steps.close()
    assert steps.seen == [1, 2, 3, 4, 5] and not film.is_alive()


def test_deeds_are_done_one_after_the_other_in_the_sessions_thread() -> None:
    steps = Steps()
    done: list[tuple[int, threading.Thread]] = []

    def deed(number: int) -> Callable[[], int]:
        def do() -> int:
            done.append((number, threading.current_thread()))
            return 2 * number

        return do

    with ThreadPoolExecutor(8) as people:
        answers = list(people.map(lambda number: steps.session.call(deed(number)), range(200)))
    assert answers == [2 * number for number in range(200)]
    assert sorted(number for number, _ in done) == list(range(200)) and len({thread for _, thread in done}) == 1
    assert done[0][1] is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        steps.session.call(lambda: 1 // 0)
    assert steps.session.call(lambda: "goes on") == "goes on"
    steps.close()


def test_a_deed_that_waits_when_the_session_is_closed_is_done() -> None:
    steps = Steps()
    steps.session.offer(frame(1), patient=False)
    steps.went.acquire()
    with ThreadPoolExecutor(4) as people:
        answers = [people.submit(steps.session.call, lambda: "done") for _ in range(4)]
        steps.session.closed.set()
        steps.close()
        assert [answer.result(5) for answer in answers] == ["done"] * 4
    assert steps.session.call(lambda: "after the end, too") == "after the end, too"


def test_a_lost_camera_is_told_while_nothing_comes() -> None:
    steps = Steps(Health("the camera is unplugged", 4.0))
    steps.went.acquire()
    steps.close()
    assert steps.lost[0].lost == "the camera is unplugged"


def test_a_frame_that_cannot_be_read_ends_nothing(table: Table) -> None:
    session = session_of(table)
    table.set_up(setting("block"), 0.0)
    session.follow(lambda: None)
    broken: Any = None
    session.offer(Frame(broken, 1.0, 1), patient=True)
    session.offer(frame(2), patient=True)
    session.offer(frame(3), patient=True)
    assert session.call(lambda: session.seen) is not None
    session.close()


def test_the_tiles_in_play_reach_the_reader_and_another_game_is_watched_afresh(table: Table) -> None:
    session = session_of(table)
    table.set_up(setting("block"), 0.0)
    session.see(frame(1))
    session.see(frame(2))
    table.set_up(setting("euronimoes"), 0.0)
    session.see(frame(3))
    table.set_up(replace(setting("euronimoes"), seats=(replace(SEATS[0], name="Zoe"), SEATS[1])), 0.0)
    session.see(frame(4))
    eyes: Any = session._reader
    assert eyes.games == [replace(tiles_of(name), copies=1) for name in ("block", "euronimoes")]
    assert [each.stacked for each in eyes.games] == [False, True]


def test_a_table_is_measured_by_itself_and_the_game_learns_where_things_lie(table: Table) -> None:
    session = session_of(table)
    session.set_up(setting("block"), 0.0)
    assert session.see(frame(1)).units == "px" and table.word == "uncalibrated"
    picture = tagged_table()
    session.see(frame(2, picture))
    assert table.word == "uncalibrated"  # not every frame is searched for tags
    session.see(frame(5, picture))
    assert session.profile is not None and table.setting.area == session.profile.area
    session.measured(None)
    assert session.see(frame(6)).units == "px"


def test_a_table_that_is_not_measured_decides_nothing(table: Table) -> None:
    session = session_of(table)
    session.set_up(setting("block"), 0.0)
    session.take(Observation(1.0, 1, TableState.READY, settled=True))
    assert table.seen is not None and not table.seen.settled and table.seen.state is TableState.UNCALIBRATED
    session.take(Observation(2.0, 2, TableState.CAMERA_LOST))
    assert table.word == "camera-lost"
