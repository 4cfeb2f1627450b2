"""White tiles and pieces keep their marks: cameras are asked to take less light for them, and do."""

from __future__ import annotations

import threading
from typing import cast

import cv2
import numpy as np
import pytest

from vision.exposure import BRIGHT, MOST, SETTLES_S, STEP, Metering, whiteness
from vision.frame import Image
from vision.sources.device import BY_HAND, GAMMA, Device
from vision.sources.live import LiveCamera

FACES = np.array([[[10, 10], [50, 10], [50, 30], [10, 30]], [[60, 60], [90, 70], [80, 95], [55, 85]]], np.float32)


def _table(tiles: int, cloth: int = 20) -> Image:
    picture = np.full((120, 160, 3), cloth, np.uint8)
    for face in FACES:
        cv2.fillConvexPoly(picture, face.astype(np.int32), (tiles // 2, tiles // 2, tiles))
    return picture


def test_it_is_measured_on_tiles_and_pieces_whatever_lies_beside_them() -> None:
    assert whiteness(_table(204, cloth=255), FACES) == pytest.approx(0.8, abs=0.01), "in the colour in which they are brightest"
    assert whiteness(_table(204), FACES[:0]) == 0.0
    white_pips = _table(30)
    cv2.circle(white_pips, (20, 20), 4, (255, 255, 255), -1)
    assert whiteness(white_pips, FACES) < 0.2, "by what a tile is made of, not by its pips"
    assert whiteness(_table(204), FACES + 10_000) < 1, "what has left the picture is no error"


def test_a_camera_is_asked_for_less_light_until_white_is_no_longer_burnt_out_and_for_more_at_dusk() -> None:
    metering, time, white = Metering(), 0.0, 1.2
    while time < 30:
        metering.measured(min(1.0, white * 2 ** (-metering.stops / GAMMA)), time)
        time += 1
    assert white * 2 ** (-metering.stops / GAMMA) <= BRIGHT and 0 < metering.stops < MOST
    asked = metering.stops
    metering.measured(0.0, 100)  # nothing to measure
    assert metering.stops == asked
    for time in range(200, 260):
        metering.measured(0.3, time)
    assert metering.stops == 0


def test_a_measurement_from_before_the_camera_has_settled_counts_for_nothing() -> None:
    metering = Metering()
    metering.measured(1.0, 10)
    metering.measured(1.0, 10 + SETTLES_S / 2)
    assert metering.stops == STEP


BY_ITSELF = 3


class _Webcam:
    """A camera whose picture grows with its exposure; an obstinate one shows the same whatever it is told."""

    def __init__(self, obstinate: bool = False) -> None:
        self.by, self.exposure, self.obstinate, self.open = float(BY_ITSELF), 40.0, obstinate, True

    def get(self, what: int) -> float:
        return self.by if what == cv2.CAP_PROP_AUTO_EXPOSURE else self.exposure

    def set(self, what: int, value: float) -> bool:
        if what == cv2.CAP_PROP_AUTO_EXPOSURE:
            self.by = value
        else:
            self.exposure = value
        return True

    def read(self) -> tuple[bool, Image]:
        light = 1.0 if self.by == BY_ITSELF or self.obstinate else self.exposure / 250
        return True, np.full((96, 96, 3), min(255.0, 120 * light ** (1 / GAMMA)), np.uint8)

    def release(self) -> None:
        self.open = False


def _level(device: Device, frames: int = 200) -> float:
    for _ in range(frames):
        _, image = device.read()
    return float(cast(Image, image).mean())


def test_a_camera_plugged_in_is_led_to_the_light_it_is_asked_for_and_left_to_itself_at_the_end() -> None:
    webcam = _Webcam()
    device = Device(cast(cv2.VideoCapture, webcam))
    itself = _level(device)
    device.expose(1.0)
    assert _level(device) == pytest.approx(itself * 2 ** (-1 / GAMMA), rel=0.06) and webcam.by == BY_HAND
    held = webcam.exposure
    device.expose(1.0)
    assert _level(device) and webcam.exposure == held, "then it stays, whatever is laid"
    device.expose(1 / 3)
    assert _level(device) == pytest.approx(itself * 2 ** (-1 / 3 / GAMMA), rel=0.06)
    device.expose(0.0)
    assert webcam.by == BY_ITSELF and _level(device) == itself
    device.expose(1.0)
    device.release()
    assert webcam.by == BY_ITSELF and not webcam.open


def test_a_camera_that_does_not_do_as_it_is_told_is_left_to_itself_for_good() -> None:
    webcam = _Webcam(obstinate=True)
    device = Device(cast(cv2.VideoCapture, webcam))
    _level(device)
    device.expose(1.0)
    _level(device)
    assert webcam.by == BY_ITSELF
    device.expose(2.0)
    _level(device)
    assert webcam.by == BY_ITSELF


def test_a_live_camera_hands_on_what_it_is_asked() -> None:
    class Capture(_Webcam):
        asked = 0.0
        done = threading.Event()

        def expose(self, stops: float) -> None:
            self.asked = stops
            if stops:
                self.done.set()

    capture = Capture()
    camera = LiveCamera(lambda: capture)
    metering = Metering()
    metering.measured(1.0, 0)
    for source in (camera, object()):
        metering.ask(source)
    assert capture.done.wait(5) and capture.asked == STEP
    camera.close()


def test_a_camera_that_somebody_has_set_by_hand_is_left_alone() -> None:
    webcam = _Webcam()
    webcam.by, webcam.exposure = BY_HAND, 100.0
    device = Device(cast(cv2.VideoCapture, webcam))
    _level(device)
    device.expose(1.0)
    _level(device)
    device.release()
    assert webcam.by == BY_HAND and webcam.exposure == 100.0


def test_a_camera_is_let_go_when_it_is_closed_so_that_it_is_left_as_it_was_found() -> None:
    webcam = _Webcam()
    camera = LiveCamera(lambda: Device(cast(cv2.VideoCapture, webcam)))
    assert camera.next(5.0) is not None
    camera.close()
    assert not webcam.open


def test_a_closed_camera_is_not_opened_again() -> None:
    now, opened = [0.0], list[_Webcam]()

    def opening() -> Device:
        opened.append(_Webcam())
        return Device(cast(cv2.VideoCapture, opened[-1]))

    camera = LiveCamera(opening, clock=lambda: now[0], watch_s=60)
    camera.close()
    now[0] = 100.0  # by then a picture is long overdue
    camera.look()
    assert len(opened) == 1 and not opened[0].open
