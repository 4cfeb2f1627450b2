"""A camera plugged in, by Video4Linux: it exposes by itself until it is asked to take less light, and then as it is led."""

from __future__ import annotations

import math

import cv2

from vision.frame import Image

BY_HAND = 1
"""V4L2_EXPOSURE_MANUAL; what else there is differs from camera to camera."""

PACE = 6
"""Frames from one setting to the next: a camera shows a new one some frames later."""

NEAR = 0.15
"""Stops by which the light may differ from what was asked for."""

MOST_TRIES = 12
"""Settings after which a camera that does not do as it is told is left to itself."""

GAMMA = 2.2
"""Of the picture's levels: twice the light raises them by 2 ** (1 / GAMMA)."""


class Device:
    """An open camera, as OpenCV's VideoCapture. What the exposure's numbers mean differs from one to the next: it is led by what
    becomes of the picture, then left as it is, so that neither a hand nor a tile laid changes it. One whose exposure somebody
    has set by hand is left alone."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture
        self._stops = self._wanted = self._level = 0.0
        self._frames = self._tries = 0
        self._leading = False
        self._itself = capture.get(cv2.CAP_PROP_AUTO_EXPOSURE)
        self._obeys = self._itself != BY_HAND

    def read(self) -> tuple[bool, Image | None]:
        good, image = self._capture.read()
        if good and image is not None:
            self._frames += 1
            if self._frames % PACE == 0:
                self._level = max(1.0, float(image[::16, ::16].mean()))
                if self._leading:
                    self._lead()
        return good, image

    def release(self) -> None:
        self._leave()
        self._capture.release()

    def expose(self, stops: float) -> None:
        """So many stops less light than it takes by itself."""
        if stops == self._stops or not self._obeys or not self._level:
            return
        if not stops:
            self._leave()
            return
        if not self._stops:
            self._obeys = self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, BY_HAND)
            self._wanted = self._level
        if self._obeys:
            self._wanted *= 2 ** ((self._stops - stops) / GAMMA)
            self._stops, self._tries, self._leading = stops, 0, True

    def _lead(self) -> None:
        """One step towards the light that is wanted."""
        off = GAMMA * math.log2(self._wanted / self._level)
        self._tries += 1
        if abs(off) < NEAR:
            self._leading = False
        elif self._tries > MOST_TRIES:
            self._obeys = False
            self._leave()
        else:
            before = max(1.0, self._capture.get(cv2.CAP_PROP_EXPOSURE))
            self._capture.set(cv2.CAP_PROP_EXPOSURE, max(1.0, round(before * 2**off)))

    def _leave(self) -> None:
        """To itself."""
        if self._stops:
            self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._itself)
        self._stops, self._leading = 0.0, False
