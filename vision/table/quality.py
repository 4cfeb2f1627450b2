"""How good the view of the table is, kept up to date cheaply: light at every frame, how crisp and how bright now and then."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.health import area_grid, scales, sharpness
from calibration.profile import Profile
from vision.exposure import whiteness
from vision.frame import Image
from vision.observation import Array, Quality


class View:
    """What `Observation.quality` says. Frames are told in turn; `look` and `measured` when there is time for it."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=30)
        self._sharpness = self._scale = self._white = self._outside = 0.0
        self._at_first: NDArray[np.bool_] | None = None  # which points of the play area were in the picture

    def frame(self, time: float) -> None:
        """A frame came."""
        self._times.append(time)

    def look(self, image: Image, faces: Array) -> None:
        """How crisp the edges in the middle of a picture are; where there are none, what was seen last holds. And how bright
        tiles and pieces are in it; faces: (n, 4, 2) their corners."""
        height, width = image.shape[:2]
        middle = image[height // 4 : height - height // 4, width // 4 : width - width // 4]
        grey = np.asarray(cv2.cvtColor(middle, cv2.COLOR_BGR2GRAY), np.uint8)
        self._sharpness = sharpness(grey, np.ones_like(grey)) or self._sharpness
        self._white = whiteness(image, faces)

    def measured(self, profile: Profile | None) -> None:
        """The camera was calibrated, or bumped."""
        if profile is None:
            return
        grid = area_grid(profile)
        pixels = profile.to_picture(grid)
        inside = np.asarray(((pixels >= 0) & (pixels < profile.size)).all(axis=1), np.bool_)
        self._at_first = inside if self._at_first is None else self._at_first
        self._outside = float((self._at_first & ~inside).sum() / max(1, self._at_first.sum()))
        self._scale = float(scales(profile, grid).min())

    def now(self, tiny: Image) -> Quality:
        """tiny: the newest frame, small."""
        span = self._times[-1] - self._times[0]
        few = np.ascontiguousarray(tiny[::4, ::4])
        burnt = float((few > 250).all(axis=2).mean())  # in such a place nothing more is seen: it glares
        measured, self._white = self._white, 0.0
        return Quality(0.0, (len(self._times) - 1) / span if span > 0 else 0.0, sum(cv2.mean(few)[:3]) / 3 / 255,
                       burnt, self._sharpness, self._scale, measured, self._outside)
