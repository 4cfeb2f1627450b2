"""Whether a place looks as it did: edges that are there now and were not before, light and small shifts set aside.

A tile that was laid brings all its edges with it; one that came to light as a token was taken off it brings only some.
So the measure is a share of edges, not of pixels, and it is the same for ivory on oak and white on white.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.straighten import Album
from vision.table.changes import highest

Array = NDArray[np.float32]

HALF = 20
"""Side of a tile's half in a straightened patch, pixels."""

MARGIN = 4
"""What is seen around the tile, pixels of the patch."""

REACH = 5
"""How far the old picture may have slipped against the new one, pixels of the patch: a quarter of a half."""

FAINT = 9.0
"""Slopes below this, in levels per pixel of the patch, are noise and grain."""

LEAST_EDGE = 6.0
"""Slope, summed down a column of a patch, below which there is no edge to speak of."""

DARK = 16.0
"""Levels added before brightnesses are compared as ratios, so that noise in the dark counts little."""

MOST_LIGHT, MOST_TINT = 0.45, 0.15
"""How far lamps and exposure change a whole patch: its brightness and its colours, as logarithms of ratios."""

SPOT = 0.2
"""How much darker or brighter a spot has to get, as a logarithm."""

OTHER_LIGHT, OTHER_TINT = 0.7, 0.3
"""What no shadow makes of a pixel beyond that."""


@dataclass(frozen=True, slots=True)
class Share:
    """Shares, 0 to 1, of what is seen in two halves of a tile and was not there before; the whole is not their mean.

    spots: share of the face that got darker or brighter than around it, as where a pip came or went. most_coloured:
    share of a half's face that one patch covers which changed in brightness or tint as no light does, in the half where it
    is larger: pips are many small ones, a token is a large one. faded: how much
    brighter or darker the face became than what lies around it, as a logarithm: all that changes where a plain back lay.
    """

    whole: float
    halves: tuple[float, float]
    spots: float = 0.0
    most_coloured: float = 0.0
    faded: float = 0.0

    @property
    def both(self) -> float:
        """The smaller share of the two halves: what a token on one half cannot raise."""
        return min(self.halves)


NOTHING = Share(0.0, (0.0, 0.0))


def compare(before: Array, now: Array) -> Share:
    """How much of what is seen now at a tile's place was not there before; two patches as `straight` gives them."""
    now, before = _fitted(now, before)
    logs, old = np.log(now + DARK), np.log(before + DARK)
    colour = _recoloured(logs - old)
    half = now.shape[1] // 2
    return replace(_fresh(now, before, colour), spots=_spots(logs, old), faded=_faded(now, before),
                   most_coloured=max(_largest(colour[:, :half]), _largest(colour[:, half:])))


def compare_edges(before: Array, now: Array) -> Share:
    """The same without spots, coloured patches and how much it faded: all that is asked of a tile that was laid."""
    now, before = _fitted(now, before)
    return _fresh(now, before, _recoloured(np.log((now + DARK) / (before + DARK))))


def is_as_before(before: Array, now: Array, most: float, most_spots: float) -> bool:
    """Whether `compare` finds no more than this that is new, in the whole, and no more spots; told sooner."""
    now, before = _fitted(now, before)
    logs, old = np.log(now + DARK), np.log(before + DARK)
    colour = _recoloured(logs - old)
    if float(colour.mean()) > most or _spots(logs, old) > most_spots:
        return False
    return _share(*_unexplained(_slopes(now), _slopes(before)), colour) <= most


def _fitted(now: Array, before: Array) -> tuple[Array, Array]:
    """The inner part of a patch, and the part of another that fits it best."""
    now = now[REACH:-REACH, REACH:-REACH]
    fit = cv2.matchTemplate(before, now, cv2.TM_CCOEFF_NORMED)
    # Where little is to be seen the best fit is chance: a small slip is likelier than a large one.
    row, column = np.unravel_index(int(np.argmax(fit - _UNLIKELY)), fit.shape)
    return now, before[row : row + now.shape[0], column : column + now.shape[1]]


def _fresh(now: Array, before: Array, colour: Array) -> Share:
    """How much of the edges and colours seen now was not there before, in the whole and in each half."""
    weight, fresh = _unexplained(_slopes(now), _slopes(before))
    half = now.shape[1] // 2
    return Share(_share(weight, fresh, colour), (_share(weight[:, :half], fresh[:, :half], colour[:, :half]),
                                                 _share(weight[:, half:], fresh[:, half:], colour[:, half:])))


_UNLIKELY = (0.01 * np.hypot(*np.indices((2 * REACH + 1, 2 * REACH + 1)) - REACH)).astype(np.float32)


def _share(weight: Array, fresh: Array, colour: Array) -> float:
    total = float(weight.sum())
    edges = float((weight * fresh).sum()) / total if total > LEAST_EDGE * weight.shape[1] else 0.0
    return max(edges, float(colour.mean()))


def straight(album: Album, corners: Array) -> Array:
    """(h, w, 3) float32, in levels: a tile straightened, with what lies around it. corners: (4, 2) pixels of the picture."""
    margin = MARGIN + REACH
    width, height = 2 * HALF + 2 * margin, HALF + 2 * margin
    target = np.array([[margin, height - margin], [margin, margin], [width - margin, margin],
                       [width - margin, height - margin]], np.float32)
    across = float(np.linalg.norm(corners[1] - corners[0]))
    level = int(np.clip(np.floor(np.log2(max(across / HALF, 1e-3)) + 0.3), 0, 5))
    image = album.size(level)
    full = album.size(0)
    scale = np.array([image.shape[1] / full.shape[1], image.shape[0] / full.shape[0]], np.float32)
    warp = cv2.getPerspectiveTransform((corners * scale).astype(np.float32), target)
    patch = cv2.warpPerspective(image, warp, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.8), np.float32)


def _slopes(patch: Array) -> Array:
    """(2, h, w) gradient of the channel that slopes most, levels per pixel."""
    across, down = cv2.Scharr(patch, -1, 1, 0, scale=1 / 32), cv2.Scharr(patch, -1, 0, 1, scale=1 / 32)
    steepest = np.argmax(across**2 + down**2, axis=2)
    at = 3 * np.arange(steepest.size).reshape(steepest.shape) + steepest
    return np.stack([across.ravel()[at], down.ravel()[at]]).astype(np.float32, copy=False)


def _spots(logs: Array, old: Array) -> float:
    """Pixels of the face that differ from all their neighbours of the other picture, light set aside; given as logarithms.

    Each colour is looked at by itself: red pips on green are as bright as what lies around them.
    """
    inner = np.s_[MARGIN:-MARGIN, MARGIN:-MARGIN]
    old = old + cv2.blur(logs - old, (HALF, HALF))
    kernel = np.ones((3, 3), np.uint8)
    over = np.maximum(logs - cv2.dilate(old, kernel), cv2.erode(old, kernel) - logs)
    back = np.maximum(old - cv2.dilate(logs, kernel), cv2.erode(logs, kernel) - old)
    spots = (highest(np.maximum(over, back)) > SPOT)[inner]
    return float(spots.mean())


def _largest(colour: Array) -> float:
    """The share of a half, (h, w) of 0 and 1, that its largest patch of ones covers."""
    if not colour.any():
        return 0.0
    _, _, stats, _ = cv2.connectedComponentsWithStats(colour.astype(np.uint8), connectivity=4)
    return float(stats[1:, cv2.CC_STAT_AREA].max()) / colour.size


def _faded(now: Array, before: Array) -> float:
    """The face's change of brightness beside that of the rim around it, beyond how unlike the rim changed from place to
    place: light changes both alike, and where the rim is not as it was it says little, as beside tiles that were moved."""
    ratio = _brighter(now, before)
    face = np.zeros(ratio.shape, np.bool_)
    face[2 * MARGIN : -2 * MARGIN, 2 * MARGIN : -2 * MARGIN] = True
    rim = _rim(ratio)
    around = _middle(rim)
    return max(0.0, abs(float(_middle(ratio[face]) - around)) - float(_middle(np.abs(rim - around))))


def light_change(before: Array, now: Array) -> float:
    """How much brighter or darker it became around a tile, as a logarithm; patches as `straight` gives them."""
    return abs(float(_middle(_rim(_brighter(now, before)))))


def _brighter(now: Array, before: Array) -> Array:
    """(h, w) logarithms of the ratios of brightness."""
    return np.asarray(np.subtract(*(np.log(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY) + DARK) for patch in (now, before))))


def _rim(patch: Array) -> Array:
    """(n,) what lies around the tile."""
    around = np.ones(patch.shape, np.bool_)
    around[MARGIN:-MARGIN, MARGIN:-MARGIN] = False
    return np.asarray(patch[around])


def _recoloured(ratio: Array) -> Array:
    """(h, w) 1 where brightness or tint changed further than lamps, shadows and exposure make it. ratio: as logarithms."""
    light = ratio @ np.full(3, 1 / 3, np.float32)
    tint = ratio - light[..., None]
    light -= np.clip(_middle(light.ravel()), -MOST_LIGHT, MOST_LIGHT)
    tint -= np.clip(_middle(tint.reshape(-1, 3)), -MOST_TINT, MOST_TINT)
    out: Array = ((np.abs(light) > OTHER_LIGHT) | (highest(np.abs(tint)) > OTHER_TINT)).astype(np.float32)
    return out


def _middle(values: Array) -> Array:
    """The middle one of n values, or of each column of (n, m)."""
    half = len(values) // 2
    out: Array = np.partition(values, half, axis=0)[half]
    return out


def _unexplained(now: Array, before: Array) -> tuple[Array, Array]:
    """(h, w) how much each pixel is an edge now, and (h, w) 0..1 how little of it was there before."""
    height, width = now.shape[1:]
    steep, size = cv2.magnitude(now[0], now[1]), cv2.magnitude(before[0], before[1])
    weight = np.minimum(np.maximum(steep - np.float32(FAINT), 0), 40)
    rimmed = np.zeros((3, height + 2, width + 2), np.float32)
    rimmed[0, 1:-1, 1:-1], rimmed[1:, 1:-1, 1:-1] = size, before / np.maximum(size, _LEAST)
    near = np.stack([rimmed[:, row : row + height, column : column + width] for row, column in np.ndindex(3, 3)], axis=1)
    part = 1 / np.maximum(steep, _LEAST)
    likeness = near[1] * (now[0] * part) + near[2] * (now[1] * part)
    enough = np.minimum(near[0] * (2 * part), 1)
    was_there = (np.clip(2.5 * likeness - 1.5, 0, 1) * enough).max(axis=0)
    return np.asarray(weight, np.float32), np.asarray(1 - was_there, np.float32)


_LEAST = np.float32(1e-6)
