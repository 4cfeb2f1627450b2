"""Medians, several times quicker than numpy's own for the few values and the many short rows that are met here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def medians(values: NDArray[Any]) -> NDArray[Any]:
    """(...) of the last axis: the middle value, or the mean of both; 8-bit values are widened, others keep their type."""
    wide = values.astype(np.int16) if values.dtype == np.uint8 else values  # of 16 bits numpy sorts many at a time
    ordered = np.sort(wide, axis=-1)
    count = ordered.shape[-1]
    low, high = ordered[..., (count - 1) // 2], ordered[..., count // 2]
    return (low + high) / 2
