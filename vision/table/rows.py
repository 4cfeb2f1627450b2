"""Places in line with tiles that are known: where backs touch, nothing but their size and colour tells where one begins.

Boneyards, columns and rows are laid side by side or end to end. So beside every tile that is found there may lie a back,
if all of that place is of the backs' colour.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.halves import overlap
from vision.rectify import ImagePyramid
from vision.table.bodies import OTHER_BODY, logarithms_of

Array = NDArray[np.float32]

GAPS = (0.02, 0.12, 0.22)
"""Between tiles laid side by side or end to end, in widths of a tile."""

TRIED = 0.04
"""Places nearer to one another than this, in widths of a tile, are one."""

ABREAST, ASIDE, PARALLEL = 0.5, (0.6, 1.8), 0.95
"""How far ahead of one another, and how far apart, tiles side by side lie, in widths; cosine of how far they may be turned."""

TINTED = 0.1
"""What is of another tint than the table differs in one colour by so much more than in another, as logarithms."""

INSIDE = np.stack(np.meshgrid(np.linspace(0.12, 0.88, 6), np.linspace(0.2, 0.8, 3), indexing="ij"), axis=-1).reshape(-1, 2)
AROUND = np.concatenate([[(u, v) for u in np.linspace(0.1, 0.9, 6) for v in (-0.2, 1.2)],
                         [(u, v) for u in (-0.1, 1.1) for v in np.linspace(0.2, 0.8, 3)]])
"""Where the colour of a place and of its rim is looked at, in its lengths and widths."""


def in_line(tiles: Array, size: tuple[float, float]) -> tuple[Array, NDArray[np.int64]]:
    """Places, (n, 4, 2), beside and before the ends of these tiles, (m, 4, 2), on the table; and (n,) beside which each is."""
    along = (tiles[:, 2] + tiles[:, 3] - tiles[:, 0] - tiles[:, 1]) / 2
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), np.float32(1e-6))
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    steps = [side * (reach + gap * size[1]) * way for gap in GAPS for way, reach in ((along, size[0]), (across, size[1]))
             for side in (-1, 1)]
    places = np.concatenate([tiles + step[:, None] for step in steps])
    return places.astype(np.float32), np.tile(np.arange(len(tiles)), len(steps))


def amid(tiles: Array, backs: NDArray[np.bool_], size: tuple[float, float]) -> NDArray[np.bool_]:
    """(n,) which of these tiles, (n, 4, 2), lie side by side with a back at either side, as in the rows of a boneyard."""
    middles = tiles.mean(axis=1)
    along = (tiles[:, 2] + tiles[:, 3] - tiles[:, 0] - tiles[:, 1]) / 2
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), np.float32(1e-6))
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    off = middles[None] - middles[:, None]
    ahead, aside = (np.einsum("nmk,nk->nm", off, way) / np.float32(size[1]) for way in (along, across))
    near = (np.abs(ahead) < ABREAST) & (np.abs(aside) > ASIDE[0]) & (np.abs(aside) < ASIDE[1])
    beside = backs[None] & near & (np.abs(along @ along.T) > PARALLEL)
    out: NDArray[np.bool_] = (beside & (aside > 0)).any(axis=1) & (beside & (aside < 0)).any(axis=1)
    return out


def not_near(places: Array, others: Array, reach: float) -> NDArray[np.bool_]:
    """(n,) the middles of which places, (n, 4, 2), lie farther than this from those of all others, (m, 4, 2)."""
    apart = np.abs(places.mean(axis=1)[:, None] - others.mean(axis=1)[None]).max(axis=2)
    out: NDArray[np.bool_] = apart.min(axis=1, initial=np.inf) > reach
    return out


def clear_of(places: Array, tiles: Array, size: tuple[float, float], most: float) -> NDArray[np.bool_]:
    """(n,) which places, (n, 4, 2), share no more than `most` with any of these tiles, (m, 4, 2)."""
    apart = np.abs(places.mean(axis=1)[:, None] - tiles.mean(axis=1)[None]).max(axis=2)
    return np.array([not any(overlap(place, tiles[at]) > most for at in np.flatnonzero(near < size[0]))
                     for place, near in zip(places, apart, strict=True)], np.bool_)


def filled(pyramid: ImagePyramid, places: Array, bodies: Array, where: NDArray[np.float64] = INSIDE) -> Array:
    """(n,) which share of each place, (n, 4, 2) pixels of the album's picture, is of a body's colour, (n, 3) or (3,)."""
    off = np.abs(_colours(pyramid, places, where) - bodies[..., None, :]).max(axis=2)
    out: Array = (off < OTHER_BODY).mean(axis=1).astype(np.float32)
    return out


def in_shade(pyramid: ImagePyramid, places: Array, body: Array) -> Array:
    """(n,) which share of each place, (n, 4, 2) pixels, is rather the table in the shade than of a body's colour, (3,).

    Shade takes as much of the light of every colour. Of what is itself but darker than the table that says nothing.
    """
    if np.ptp(body) < TINTED:
        return np.zeros(len(places), np.float32)
    colours = _colours(pyramid, places, INSIDE)
    as_shade = np.ptp(colours, axis=2) / 2  # how far the three levels are from being one
    out: Array = (as_shade < np.abs(colours - body).max(axis=2)).mean(axis=1).astype(np.float32)
    return out


def _colours(pyramid: ImagePyramid, places: Array, where: NDArray[np.float64]) -> Array:
    """(n, m, 3) what is seen at m points of each place, (n, 4, 2) pixels, as logarithms of ratios to the whole picture's."""
    image = pyramid.size(1)
    scale = np.array(image.shape[1::-1], np.float32) / pyramid.size(0).shape[1::-1]
    first, second, third, fourth = (places[:, k, None] for k in range(4))
    u, v = where[:, :1], where[:, 1:]
    points = ((1 - u) * ((1 - v) * second + v * first) + u * ((1 - v) * third + v * fourth)) * scale
    column, row = (np.clip(points[..., k], 0, image.shape[1 - k] - 1).astype(np.int64) for k in (0, 1))
    return logarithms_of(pyramid, image[row, column].astype(np.float32))
