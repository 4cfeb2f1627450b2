"""Made-up readings, and a reader that gives them: for tests of everything around the reader."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.pieces import TileSet
from vision.reading import HIGHEST_END, FaceDownTile, Reading, ReadTile


def read_tile(first: int, second: int, score: float = 0.99, at: tuple[float, float] = (50, 50)) -> ReadTile:
    """A tile of 40x20 pixels lying from left to right, its upper left corner at `at`."""
    probabilities = np.full((2, HIGHEST_END + 1), 0.0, np.float32)
    probabilities[0, first] = probabilities[1, second] = 1
    return ReadTile((first, second), score, box(at), probabilities)


def box(at: tuple[float, float]) -> NDArray[np.float32]:
    """Corners of a lying tile, those of its left half first."""
    x, y = at
    return np.array([[x, y + 20], [x, y], [x + 40, y], [x + 40, y + 20]], np.float32)


def reading(tiles: Sequence[ReadTile], facedown: int = 0, size: tuple[int, int] = (640, 480)) -> Reading:
    """A reading with these tiles and so many face-down ones."""
    backs = tuple(FaceDownTile(0.9, box((50 + 60 * at, 300))) for at in range(facedown))
    return Reading(tuple(tiles), backs, size, {"detect": 12.5, "read": 3.0})


class FakeReader:
    """Gives the same reading for every picture, and remembers the pictures and sets it was asked for."""

    version = "fake-1"

    def __init__(self, answer: Reading) -> None:
        self.answer = answer
        self.pictures: list[NDArray[np.uint8]] = []
        self.sets: list[TileSet | None] = []

    def read(self, image: NDArray[np.uint8], tile_set: TileSet | None = None) -> Reading:
        self.pictures.append(image)
        self.sets.append(tile_set)
        return self.answer
