"""A reading as scripts and the page get it: the JSON of `kibitz read --json` and, beyond it, what correcting needs."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from engine.pieces import HIGHEST_END
from vision.degrees import SURE
from vision.reading import Reading, ReadTile

CANDIDATES = 4
"""How many numbers are proposed for an end at most, the likeliest first."""

PROPOSED_ABOVE = 0.01
"""A number less likely than this is not proposed, except the best one beside the number read."""

JsonObject = dict[str, Any]
Point = tuple[float, float]
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0)]
End = Annotated[int, Meta(ge=0, le=HIGHEST_END)]
Candidates = Annotated[list[End], Meta(min_length=1, max_length=CANDIDATES)]
Shares = Annotated[list[Share], Meta(min_length=HIGHEST_END + 1, max_length=HIGHEST_END + 1)]
Corners = Annotated[list[Point], Meta(min_length=4, max_length=4)]


class TileForm(Struct, frozen=True, forbid_unknown_fields=True):
    """One tile lying face up."""

    ends: Annotated[tuple[End, End], Meta(description="Pips of the two ends, the smaller first.")]
    score: Annotated[Share, Meta(description="How likely the tile is there and both ends are right.")]
    unsure: Annotated[bool, Meta(description="Whether the score is low: have a look.")]
    corners: Annotated[Corners, Meta(description=
        "Pixels of the upright photo, clockwise as seen in it. The first two bound the first end.")]
    candidates: Annotated[
        tuple[Candidates, Candidates], Meta(description="For each end the number read, then the next likeliest.")
    ]
    end_probabilities: Annotated[
        tuple[Shares, Shares], Meta(description="For each end the probability of every number of pips, from 0 up.")
    ]


class ReadingForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Status 200: what was read in the photo."""

    photo: Annotated[str, Meta(description="The name of the photo as it was sent.")]
    tiles: Annotated[list[TileForm], Meta(description="Every tile lying face up.")]
    facedown: Annotated[Count, Meta(description="How many tiles lie face down.")]
    total: Annotated[Count, Meta(description="All pips of the tiles lying face up.")]
    ms: Annotated[float, Meta(ge=0, description="Milliseconds spent on this photo, without waiting.")]
    coins: Annotated[list[JsonObject], Meta(description="Empty: coins are not read yet.")]
    dice: Annotated[list[JsonObject], Meta(description="Empty: dice are not read yet.")]
    size: Annotated[tuple[Count, Count], Meta(description="Width and height of the upright photo in pixels.")]
    facedown_corners: Annotated[list[Corners], Meta(description="Where the tiles lie face down.")]


class ErrorForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Any other status: a photo that was not read, or a request that was refused."""

    photo: Annotated[str, Meta(description="The name of the photo, or an empty text where none came.")]
    error: Annotated[str, Meta(min_length=1, description="What happened and what to do, in one sentence.")]


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
        unsure=tile.score < SURE,
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
