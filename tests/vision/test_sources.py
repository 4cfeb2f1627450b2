"""Sources: what is lost is noticed, what is old is dropped, what is recorded comes back."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frame import Frame, Image
from vision.sources.browser import LARGEST_BYTES, BrowserCamera
from vision.sources.live import LiveCamera
from vision.sources.opening import _without_password, open_source
from vision.sources.played import Played, folder
from vision.sources.pulse import Pulse, is_black
from vision.sources.source import SourceError


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class FakeCapture:
    """A camera that gives frames only when asked for one, so that tests need not wait."""

    def __init__(self) -> None:
        self._wanted = threading.Semaphore(0)
        self._given = threading.Semaphore(0)
        self._next: tuple[bool, Image | None] = (False, None)
        self.released = threading.Event()

    def give(self, image: Image | None) -> None:
        """One frame, or the end where there is none; returns when the reader asks for the next one or is gone."""
        self._next = (image is not None, image)
        self._wanted.release()
        assert self._given.acquire(timeout=5)

    def read(self) -> tuple[bool, Image | None]:
        self._given.release()
        self._wanted.acquire()
        return self._next

    def release(self) -> None:
        self._given.release()
        self.released.set()


def noise(seed: int) -> Image:
    return np.asarray(np.random.default_rng(seed).integers(60, 200, (48, 64, 3)), np.uint8)


def opened_camera(clock: Clock, captures: list[FakeCapture]) -> LiveCamera:
    """A camera on the first of these captures; each later one is used for a new connection."""
    waiting = iter(captures)
    camera = LiveCamera(lambda: next(waiting), clock, watch_s=3600)
    assert captures[0]._given.acquire(timeout=5)
    return camera


def test_only_the_newest_frame_is_kept() -> None:
    clock, capture = Clock(), FakeCapture()
    camera = opened_camera(clock, [capture])
    for seed in range(5):
        capture.give(noise(seed))
    frame = camera.next(0)
    assert frame is not None and frame.sequence == 4 and np.array_equal(frame.image, noise(4))
    assert camera.next(0) is None
    camera.close()


def test_a_blocked_read_is_noticed_within_two_seconds_and_another_connection_made() -> None:
    clock, stuck, fresh = Clock(), FakeCapture(), FakeCapture()
    camera = opened_camera(clock, [stuck, fresh])
    stuck.give(noise(0))
    clock.now += 1.9
    assert camera.health().lost == "no picture comes"
    assert camera.health().age == pytest.approx(1.9)
    camera.look()
    assert fresh._given.acquire(timeout=5)
    fresh.give(noise(1))
    assert camera.health().lost is None
    camera.close()


def test_an_unplugged_camera_is_lost_at_once_and_tried_again_ever_more_seldom() -> None:
    clock, captures = Clock(), [FakeCapture() for _ in range(4)]
    camera = opened_camera(clock, captures)
    captures[0].give(None)
    assert captures[0].released.wait(5)
    assert camera.health().lost is not None
    tried = []
    for capture in captures[1:]:
        waited = 0.0
        while not capture._given.acquire(timeout=0.2):
            clock.now += 0.25
            waited += 0.25
            camera.look()
        tried.append(waited)
        capture.give(None)
        assert capture.released.wait(5)
    assert tried[0] < tried[1] < tried[2]
    camera.close()


def test_a_frozen_picture_is_not_live_even_after_connecting_again() -> None:
    clock, capture, again = Clock(), FakeCapture(), FakeCapture()
    camera = opened_camera(clock, [capture, again])
    for _ in range(12):
        capture.give(noise(7))
        clock.now += 0.15
    assert camera.health().lost == "the picture stands still" and camera.next(0) is None
    camera.look()
    assert again._given.acquire(timeout=5)
    again.give(noise(7))
    assert camera.health().lost == "the picture stands still"
    again.give(noise(8))
    assert camera.health().lost is None
    camera.close()


def test_a_covered_lens_is_noticed_and_forgotten_when_it_sees_again() -> None:
    pulse = Pulse(0.0)
    for step in range(14):
        pulse.beat(step / 10, step, black=True)
    assert pulse.lost(1.3) == "the picture is black" and not pulse.needs_reopening(1.3)
    pulse.beat(1.4, 99, black=False)
    assert pulse.lost(1.4) is None


def test_noise_of_a_covered_sensor_is_black_and_a_dim_table_is_not() -> None:
    rng = np.random.default_rng(1)
    assert is_black(np.asarray(rng.integers(0, 12, (48, 64, 3)), np.uint8))
    assert not is_black(np.asarray(rng.integers(10, 60, (48, 64, 3)), np.uint8))


def jpeg(image: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", image)[1])


def test_a_browser_frame_is_bounded_before_it_is_decoded() -> None:
    camera = BrowserCamera(Clock())
    with pytest.raises(ValueError, match="no JPEG"):
        camera.push(b"GIF89a")
    with pytest.raises(ValueError, match="bytes"):
        camera.push(b"\xff\xd8" + bytes(LARGEST_BYTES))
    with pytest.raises(ValueError, match="pixels"):
        camera.push(jpeg(np.zeros((3100, 3100, 3), np.uint8)))


def test_a_browser_that_falls_asleep_is_lost() -> None:
    clock = Clock()
    camera = BrowserCamera(clock)
    camera.push(jpeg(cv2.resize(noise(1), (128, 96))))
    camera.push(jpeg(cv2.resize(noise(2), (128, 96))))
    frame = camera.next(0)
    assert frame is not None and frame.sequence == 1
    assert camera.next(0) is None
    clock.now += 1.8
    assert camera.health().lost is not None


def test_pictures_of_a_folder_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("move10.png", "move9.png", "Move1.png"):
        cv2.imwrite(str(tmp_path / name), noise(len(name)))
    (tmp_path / "notes.txt").write_text("no picture")
    cv2.imwrite(str(tmp_path / "broken.png"), noise(0))
    (tmp_path / "broken.png").write_bytes(b"\x89PNG not really")
    cv2.imwrite(str(tmp_path / "move11\u00b24.png"), noise(6))  # a raised number is no number of a picture
    source = folder(tmp_path)
    frames = list(iter(lambda: source.next(0), None))
    assert [frame.sequence for frame in frames] == [1, 2, 3, 4] and source.settled and source.health().ended
    assert np.array_equal(frames[0].image, noise(len("Move1.png"))) and np.array_equal(frames[2].image, noise(len("move10.png")))


def test_what_is_no_source_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no source"):
        open_source(str(tmp_path / "nowhere.mp4"))
    with pytest.raises(SourceError, match="no picture"):
        open_source(str(tmp_path))
    assert _without_password("rtsp://me:secret@10.0.0.7/live") == "rtsp://10.0.0.7/live"


def test_a_closed_source_gives_nothing_more() -> None:
    source = Played(Frame(noise(n), float(n), n) for n in range(3))
    assert source.next(0) is not None
    source.close()
    assert source.next(0) is None and source.health().ended
