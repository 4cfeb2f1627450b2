"""A reading as scripts and the page get it: the JSON of `kibitz read --json` and, beyond it, what correcting needs."""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from vision.drawing import SURE_FROM
from vision.reading import Reading, ReadTile

CANDIDATES = 4
"""How many numbers are proposed for an end at most, the likeliest first."""

PROPOSED_ABOVE = 0.01
"""A number less likely than this is not proposed, except the best one beside the number read."""

JsonObject = dict[str, Any]
Point = tuple[float, float]


class TileForm(TypedDict):
    """One face-up tile, its smaller end first; the first two corners bound that end."""

    ends: tuple[int, int]
    score: float
    unsure: bool
    corners: list[Point]
    candidates: tuple[list[int], list[int]]
    end_probabilities: tuple[list[float], list[float]]


class ReadingForm(TypedDict):
    """One photo that was read."""

    photo: str
    tiles: list[TileForm]
    facedown: int
    total: int
    ms: float
    coins: list[JsonObject]
    dice: list[JsonObject]
    size: tuple[int, int]
    facedown_corners: list[list[Point]]


class ErrorForm(TypedDict):
    """One photo that was not read, or a request that was refused; `photo` is empty where there was none."""

    photo: str
    error: str


def reading_form(photo: str, reading: Reading, milliseconds: float) -> ReadingForm:
    """The reading of the photo of that name as JSON values; `milliseconds` is the time it took."""
    return ReadingForm(
        photo=photo,
        tiles=[tile_form(tile) for tile in reading.tiles],
        facedown=len(reading.facedown),
        total=reading.total,
        ms=round(milliseconds, 1),
        coins=[],
        dice=[],
        size=reading.size,
        facedown_corners=[_points(tile.corners) for tile in reading.facedown],
    )


def tile_form(tile: ReadTile) -> TileForm:
    """One tile as JSON values, turned so that its smaller end comes first in all of them."""
    turned = tile.ends[0] > tile.ends[1]
    corners = np.roll(tile.corners, 2, axis=0) if turned else tile.corners
    first, second = tile.end_probabilities[::-1] if turned else tile.end_probabilities
    low, high = tile.low_high
    return TileForm(
        ends=(low, high),
        score=round(float(tile.score), 4),
        unsure=tile.score < SURE_FROM,
        corners=_points(corners),
        candidates=(_ranked(first, low), _ranked(second, high)),
        end_probabilities=(_rounded(first), _rounded(second)),
    )


def _ranked(probabilities: NDArray[np.float32], read: int) -> list[int]:
    """The number that was read, then the likeliest others."""
    others = [int(pips) for pips in np.argsort(-probabilities, kind="stable") if pips != read]
    likely = [pips for pips in others[1:] if probabilities[pips] > PROPOSED_ABOVE]
    return [read, others[0], *likely][:CANDIDATES]


def _points(corners: NDArray[np.float32]) -> list[Point]:
    return [(round(float(x), 1), round(float(y), 1)) for x, y in corners]


def _rounded(probabilities: NDArray[np.float32]) -> list[float]:
    return [round(float(probability), 4) for probability in probabilities]
