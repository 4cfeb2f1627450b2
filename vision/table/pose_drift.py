"""Where the camera stands: it is checked against places of the table, and a bump is followed."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.drift import ANCHORS, FEWEST, MOVED_FEWEST, Watch
from calibration.profile import Profile
from vision.frame import Image
from vision.observation import Array


class PoseDrift:
    """Follows the camera of one table. profile: its calibration; without one the first picture is the table's map.

    pieces: (n, m, 2) outlines in pixels of the picture beside them: they are played, so they say
    nothing of the camera.
    """

    def __init__(self, profile: Profile | None, image: Image, pieces: Array) -> None:
        height, width = image.shape[:2]
        map_of_it = Profile((width, height), np.eye(3), (0.0, 0.0, float(width), float(height)), "corners", 0.0)
        self.profile = self._before = profile or map_of_it
        self._calibrated = profile is not None
        self._first = self.profile, image, self._placed(pieces)

    @cached_property
    def _watch(self) -> Watch:
        """Begun by the first check: what lies on the table is told before."""
        return Watch(*self._first)

    def holds(self, image: Image) -> bool:
        """Whether a short look finds the table where it was; where it does not, `check` tells."""
        return len(self._watch.anchors) >= MOVED_FEWEST and self._watch.steady(image) is not None

    def check(self, image: Image, pieces: Array, bare: bool) -> Literal["steady", "hidden", "bumped", "lost"]:
        """What a picture at rest says. After a bump `profile` is the new one. bare: nothing covers the table.

        hidden: nothing of the table is seen where it was. lost: for some time. A table on which there is too little to
        hold on to counts as steady, as does one without a calibration that has become another.
        """
        outlines = self._placed(pieces)
        if len(self._watch.anchors) < MOVED_FEWEST:
            self._watch.renew(image, outlines)
            return "steady"
        told = self._watch.check(image, outlines)
        if told.state == "bumped":
            self._before, self.profile = self.profile, told.profile
        elif told.still >= FEWEST or (told.state == "lost" and not self._calibrated):
            if bare and told.still < ANCHORS // 2:  # plays have covered the others, or the light has changed
                self._watch.renew(image, outlines)
            return "steady"
        return told.state

    def back(self, pixels: Array) -> Array:
        """(n, 2) pixels after the latest bump to those before it."""
        return np.asarray(self._before.to_picture(self.profile.to_table(np.asarray(pixels, np.float64))), np.float32)

    def forth(self, pixels: Array) -> Array:
        """The inverse."""
        return np.asarray(self.profile.to_picture(self._before.to_table(np.asarray(pixels, np.float64))), np.float32)

    def _placed(self, pieces: Array) -> list[NDArray[np.float64]]:
        return list(self.profile.to_table(pieces.reshape(-1, 2).astype(np.float64)).reshape(pieces.shape))
