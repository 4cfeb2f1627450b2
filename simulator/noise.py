"""Small noise fields that everything made-up is painted with."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]


def blobs(height: int, width: int, cell: float, rng: np.random.Generator) -> Field:
    """(height, width) smooth noise, mean 0, about unit spread, features of about `cell` pixels."""
    rows, columns = max(2, int(height / cell) + 2), max(2, int(width / cell) + 2)
    small = rng.standard_normal((rows, columns)).astype(np.float32)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


def clouds(height: int, width: int, cell: float, rng: np.random.Generator, octaves: int = 4) -> Field:
    """Sum of ever finer blobs, each half as strong as the one before."""
    field = np.zeros((height, width), np.float32)
    for octave in range(octaves):
        size = cell / 2**octave
        if size < 1:
            break
        field += blobs(height, width, size, rng) * np.float32(0.5**octave)
    return field


def between(rng: np.random.Generator, low: float, high: float) -> float:
    """A number spread evenly between two."""
    return float(rng.uniform(low, high))


def log_between(rng: np.random.Generator, low: float, high: float) -> float:
    """A number spread evenly between two in its logarithm."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def chance(rng: np.random.Generator, probability: float) -> bool:
    """Whether this time it happens."""
    return bool(rng.random() < probability)
