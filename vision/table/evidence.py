"""How a place changed: edges that are there now and were not before, light and small shifts set aside.

The measure is a share of edges, not of pixels, and it is the same for ivory on oak and white on white.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.degrees import EVEN, SURE
from vision.observation import Array
from vision.rectify import ImagePyramid, halvings
from vision.table.changes import DARK, off_neighbours

HALF = 20
"""Side of a tile's half in a straightened patch, pixels."""

MARGIN = 4
"""What is seen around the tile, pixels of the patch."""

NUDGE = 2
"""How far a tile may have been nudged by neighbours that were laid beside it, pixels of the patch: 2 to 3 mm."""

PUSHED, TURNED = HALF, (-8, -4, 0, 4, 8)
"""How far a tile may have been pushed aside, pixels of the patch, and how it may have turned, degrees."""

FAINT = 9.0
"""Slopes below this, in levels per pixel of the patch, are noise and grain."""

LEAST_EDGE = 6.0
"""Slope, summed down a column of a patch, below which there is no edge to speak of."""

SPOT = 0.2
"""How much darker or brighter a spot has to get, as a logarithm."""


def half_changes(before: Array, now: Array) -> Array:
    """(2, 5) of the inside of each half of a place: the share of its edges now that is fresh, of those before that is lost, NaN
    where it has none to speak of, and the share of it where spots came or went; and of its rim, which shows what lies beside it
    as well, the shares of edges that are lost and fresh, NaN likewise. Two patches as `rectify` gives them."""
    now, before, were = _nudged(now, before)
    spots = _spot_mask(np.log(now + DARK), np.log(before + DARK))
    slopes = _slopes(now)
    edges = _unexplained(slopes, were), _unexplained(were, slopes)
    out = []
    for inside, rim in zip(_INSIDES, _RIMS, strict=True):
        shares = [_edge_share(weight[inside], new[inside]) for weight, new in edges]
        told = [_has_edges(weight[inside]) for weight, _ in edges]
        by_chance = not all(told) and max(shares) < EVEN and _likeness(slopes[:, *inside], were[:, *inside]) < SURE
        plain = not any(told) or by_chance  # grain runs much as grain does
        outlines = (_edge_share(weight[rim], new[rim]) if _has_edges(weight[rim]) else np.nan for weight, new in edges[::-1])
        out.append([*((np.nan, np.nan) if plain else shares), spots[inside].mean(), *outlines])
    return np.array(out, np.float32)


_INSIDES = tuple(np.s_[MARGIN + 2 : -MARGIN - 2, left : left + HALF - 4] for left in (MARGIN + 2, MARGIN + HALF + 2))


def _rims() -> NDArray[np.bool_]:
    """(2, h, w) what lies around each half's outline, but not between both."""
    rims = np.ones((2, HALF + 2 * MARGIN, 2 * (HALF + MARGIN)), np.bool_)
    rims[:, MARGIN + 2 : -MARGIN - 2, MARGIN + 2 : -MARGIN - 2] = False
    rims[0, :, MARGIN + HALF :] = rims[1, :, : MARGIN + HALF] = False
    return rims


_RIMS = _rims()


def _edge_share(weight: Array, fresh: Array) -> float:
    """The share of edges that are fresh; 0 where there are none to speak of."""
    return float((weight * fresh).sum()) / float(weight.sum()) if _has_edges(weight) else 0.0


def _likeness(slopes: Array, were: Array) -> float:
    """How much slopes, (2, h, w), are like others, be they steeper or not: 1 for the same, 0 with nothing in common."""
    return float((slopes * were).sum() / np.sqrt((slopes**2).sum() * (were**2).sum() + _LEAST))


def _has_edges(weight: Array) -> bool:
    """Whether there are edges to speak of in a half, or along its rim."""
    return bool(float(weight.sum()) > LEAST_EDGE * (HALF - 4))


def _nudged(now: Array, before: Array) -> tuple[Array, Array, Array]:
    """The inner part of a patch, and the part of another in which the tile's inside fits it best, with that part's slopes. What
    showed nothing there cannot be followed: beside a plain back its neighbour's side would be."""
    inner = MARGIN + NUDGE
    where_it_lay = before[NUDGE:-NUDGE, NUDGE:-NUDGE]
    slopes = _slopes(where_it_lay)
    edges = _edges(slopes)
    if not any(_has_edges(edges[inside]) for inside in _INSIDES):
        return now[NUDGE:-NUDGE, NUDGE:-NUDGE], where_it_lay, slopes
    fit = cv2.matchTemplate(before[MARGIN:-MARGIN, MARGIN:-MARGIN], now[inner:-inner, inner:-inner], cv2.TM_CCOEFF_NORMED)
    # Where little is to be seen the best fit is chance: a small slip is likelier than a large one.
    row, column = (int(at) for at in np.unravel_index(int(np.argmax(fit - _UNLIKELY)), fit.shape))
    now = now[NUDGE:-NUDGE, NUDGE:-NUDGE]
    before = before[row : row + now.shape[0], column : column + now.shape[1]]
    return now, before, slopes if row == column == NUDGE else _slopes(before)


_UNLIKELY = (0.01 * np.hypot(*np.indices((2 * NUDGE + 1, 2 * NUDGE + 1)) - NUDGE)).astype(np.float32)


def rectify(pyramid: ImagePyramid, corners: Array, margin: int = MARGIN + NUDGE) -> Array:
    """(h, w, 3) float32, in levels: a tile straightened, with what lies around it. corners: (4, 2) pixels of the picture."""
    width, height = 2 * HALF + 2 * margin, HALF + 2 * margin
    target = np.array([[margin, height - margin], [margin, margin], [width - margin, margin],
                       [width - margin, height - margin]], np.float32)
    image = pyramid.size(halvings(math.dist(*corners[:2].tolist()) / HALF))
    scale = np.divide(image.shape[1::-1], pyramid.size(0).shape[1::-1]).astype(np.float32)
    warp = cv2.getPerspectiveTransform((corners * scale).astype(np.float32), target)
    patch = cv2.warpPerspective(image, warp, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.8), np.float32)


def slid(patch: Array, pyramid: ImagePyramid, corners: Array) -> Array | None:
    """(4, 2) pixels where a tile lies now that was pushed aside from its corners, (4, 2), by its patch, see `rectify`; None
    where nothing near looks like it."""
    face = patch[MARGIN + NUDGE : -MARGIN - NUDGE, MARGIN + NUDGE : -MARGIN - NUDGE]
    height, width = face.shape[:2]
    view = rectify(pyramid, corners, PUSHED)
    middle = (view.shape[1] - 1) / 2, (view.shape[0] - 1) / 2
    best, at, turned = EVEN, (0, 0), None
    for degrees in TURNED:
        turn = cv2.getRotationMatrix2D(middle, degrees, 1.0)
        upright = cv2.warpAffine(view, turn, view.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        _, alike, _, place = cv2.minMaxLoc(cv2.matchTemplate(upright, face, cv2.TM_CCOEFF_NORMED))
        if alike > best:
            best, at, turned = alike, (int(place[0]), int(place[1])), turn
    if turned is None:
        return None
    (x, y), back = at, cv2.invertAffineTransform(turned)
    found = cv2.transform(np.array([[[x, y + height], [x, y], [x + width, y], [x + width, y + height]]], np.float32), back)
    known = np.array([[0, height], [0, 0], [width, 0], [width, height]], np.float32) + np.float32(PUSHED)
    out: Array = cv2.perspectiveTransform(found, cv2.getPerspectiveTransform(known, corners.astype(np.float32)))[0]
    return out


def _slopes(patch: Array) -> Array:
    """(2, h, w) gradient of the channel that slopes most, levels per pixel."""
    across, down = cv2.Scharr(patch, -1, 1, 0, scale=1 / 32), cv2.Scharr(patch, -1, 0, 1, scale=1 / 32)
    steepest = np.argmax(across**2 + down**2, axis=2)
    at = 3 * np.arange(steepest.size).reshape(steepest.shape) + steepest
    return np.stack([across.ravel()[at], down.ravel()[at]]).astype(np.float32, copy=False)


def _spot_mask(logs: Array, old: Array) -> NDArray[np.bool_]:
    """(h, w) pixels that differ from all their neighbours of the other picture, light set aside; given as logarithms.

    Each colour is looked at by itself: red pips on green are as bright as what lies around them.
    """
    return np.asarray(off_neighbours(old + cv2.blur(logs - old, (HALF, HALF)), logs) > SPOT)


def _unexplained(now: Array, before: Array) -> tuple[Array, Array]:
    """(h, w) how much each pixel is an edge now, and (h, w) 0..1 how little of it was there before."""
    height, width = now.shape[1:]
    steep, size = cv2.magnitude(now[0], now[1]), cv2.magnitude(before[0], before[1])
    rimmed = np.zeros((3, height + 2, width + 2), np.float32)
    rimmed[0, 1:-1, 1:-1], rimmed[1:, 1:-1, 1:-1] = size, before / np.maximum(size, _LEAST)
    near = np.stack([rimmed[:, row : row + height, column : column + width] for row, column in np.ndindex(3, 3)], axis=1)
    part = 1 / np.maximum(steep, _LEAST)
    similar = near[1] * (now[0] * part) + near[2] * (now[1] * part)
    enough = np.minimum(near[0] * (2 * part), 1)
    was_there = (np.clip(2.5 * similar - 1.5, 0, 1) * enough).max(axis=0)
    return _edges(now), np.asarray(1 - was_there, np.float32)


def _edges(slopes: Array) -> Array:
    """(h, w) how much each pixel is an edge, by its slopes, (2, h, w)."""
    return np.asarray(np.minimum(np.maximum(cv2.magnitude(slopes[0], slopes[1]) - np.float32(FAINT), 0), 40), np.float32)


_LEAST = np.float32(1e-6)
