"""How bright the tiles and pieces are in a camera's picture, and how much less light it should take for them.

A camera exposes for all that it sees. On a dark cloth white tiles, coins and dice are so little of it that they burn out, and
what is printed on them drowns; cloth, lamps and windows may be as bright as they like.
"""

from __future__ import annotations

import numpy as np

from vision.degrees import SELDOM
from vision.frame import Image
from vision.observation import Array
from vision.sources.source import Dimmable

BRIGHT, DIM = 0.8, 0.6
"""From the one on a camera hardly tells bright from brighter; below the other there is light to spare for longer exposures."""

STEP, MOST = 1 / 3, 2.0
"""Stops, powers of two of the light: at once, and in all."""

SETTLES_S = 2.0
"""So long a camera takes to do as it was told, and the table to be measured again."""


def whiteness(image: Image, faces: Array) -> float:
    """How bright the whitest of these tiles and pieces are, 0..1; 0 where there are none.

    image: (H, W, 3). faces: (n, 4, 2) their corners in it. Of each the middle level in its brightest colour counts, so that it is
    what it is made of and neither pips nor a reflection; and of all of them a high one.
    """
    if not len(faces):
        return 0.0
    u, v = (each.ravel()[:, None] for each in np.meshgrid(np.linspace(0.2, 0.8, 6), np.linspace(0.2, 0.8, 6)))
    weights = np.concatenate([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)
    x, y = np.einsum("pc,ncd->dnp", weights, faces).round().astype(int)
    levels = image[y.clip(0, image.shape[0] - 1), x.clip(0, image.shape[1] - 1)].max(axis=-1)
    return float(np.quantile(np.median(levels, axis=1), 1 - SELDOM)) / 255


class Metering:
    """By how many stops a camera is asked to take less light than it would by itself, one measurement after another."""

    def __init__(self) -> None:
        self.stops = 0.0
        self._since = -np.inf

    def ask(self, source: object) -> None:
        """Have a camera do so, if it is one that can."""
        if isinstance(source, Dimmable):
            source.expose(self.stops)

    def measured(self, white: float, time: float) -> None:
        """The whitest tiles and pieces are so bright, see `whiteness`; 0 where that was not measured. time: seconds."""
        if not white or 0 <= time - self._since < SETTLES_S:
            return
        step = STEP if white > BRIGHT else -STEP if white < DIM else 0.0
        stops = float(np.clip(self.stops + step, 0.0, MOST))
        if stops != self.stops:
            self.stops, self._since = stops, time
