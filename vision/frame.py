"""One picture from a camera, and when it was taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """image: (H, W, 3) uint8 BGR. time: seconds on the source's own clock, which never runs back. sequence: 0, 1, 2, ..."""

    image: Image
    time: float
    sequence: int
