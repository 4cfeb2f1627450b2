"""Tiles of 40 by 20 as tests lay them: corners, sightings, and a belief that they lie there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.detection import Detection
from vision.table.belief import Belief, begin

Array = NDArray[np.float32]


def corners(x: float, y: float, angle: float = 0.0, half: float = 20.0) -> Array:
    """A tile's corners around its middle."""
    shape = np.array([[-half, half / 2], [-half, -half / 2], [half, -half / 2], [half, half / 2]])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(shape @ turn.T + (x, y), np.float32)


def tile(ends: tuple[int, int] | None, x: float, y: float, score: float = 0.98, angle: float = 0.0) -> Detection:
    """A tile as it is read as surely as this."""
    probabilities = np.full((2, 16), 0.01 / 15, np.float32)
    for half, end in enumerate(ends or (0, 0)):
        probabilities[half, end] = 0.99
    place = corners(x, y, angle)
    return Detection(place, place, probabilities, ends is None, score)


def a_table(*found: Detection) -> Belief:
    """What is believed after a first look."""
    return begin(found)
