"""What the reader says about one photograph: the tiles, what they show, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.observation import Kind

HIGHEST_END = 15
"""The largest number of pips the reader knows on one end (double-fifteen sets)."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadTile:
    """One face-up tile in a photograph.

    ends: pips of the first and the second half.
    score: probability that this tile is really there and both ends are right, 0..1.
    corners: (4, 2) float32, pixels of the upright photo; corners 0 and 1 bound the first half, 2 and 3 the
        second, clockwise as seen in the picture.
    end_probabilities: (2, 16) float32, for each half the probability of 0 to 15 pips; rows sum to 1.
    """

    ends: tuple[int, int]
    score: float
    corners: NDArray[np.float32]
    end_probabilities: NDArray[np.float32]

    @property
    def low_high(self) -> tuple[int, int]:
        """The tile's name as players say it: smaller end first."""
        return (min(self.ends), max(self.ends))


@dataclass(frozen=True, slots=True, eq=False)
class FaceDownTile:
    """One tile lying face down; score and corners as for `ReadTile`."""

    score: float
    corners: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class ReadPiece:
    """A coin, die, pawn or chip. label: as in `SeenPiece`; score: probability that it is there and this right; center: (2,)
    float32, the middle of its foot, and radius in pixels of the upright photo."""

    kind: Kind
    label: str
    score: float
    center: NDArray[np.float32]
    radius: float


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Everything read from one photograph.

    pieces: where tiles tell how the table lies, and they are asked for.
    size: (width, height) of the upright photo in pixels.
    stages_ms: time of each stage in milliseconds, by name, in order.
    """

    tiles: tuple[ReadTile, ...]
    facedown: tuple[FaceDownTile, ...]
    size: tuple[int, int]
    stages_ms: dict[str, float] = field(default_factory=dict)
    pieces: tuple[ReadPiece, ...] = ()

    @property
    def total(self) -> int:
        """All pips of the face-up tiles."""
        return sum(sum(tile.ends) for tile in self.tiles)
