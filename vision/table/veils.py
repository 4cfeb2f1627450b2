"""Hands, sleeves and cups over the table: large changed regions with sharp edges which no tile explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from vision.degrees import HALF, SURE
from vision.observation import Array
from vision.table.changes import Blob, Mask, blobs, bounds, highest

HAND = 6.0
"""A changed region that reaches in from the border and is larger than so many halves of a tile is a hand or a sleeve."""

THING = 5.0
"""One that lies on the table, touching no border, is a thing (a cup) from so many halves on."""

SHARP = 0.05
"""Mean slope along a region's outline, in logarithms per pixel, above which it is a thing and not a soft shadow."""

DEEP = 1.5
"""A hand reaches farther in from the border than so many halves; what is changed only nearer to it stands at the rim, as the
tiles of a hand do, and covers nothing."""

FAR = 8
"""Pixels around a region that the slope in it depends on."""


@dataclass(frozen=True, eq=False)
class Veils:
    """What covers the table. mask: (h, w) of the small picture. hand: one reaches in."""

    mask: Mask
    hand: bool

    @cached_property
    def outlines(self) -> tuple[Array, ...]:
        """(n, 2) each, pixels of the small picture."""
        return outlines(self.mask)

    def and_also(self, mask: Mask) -> Veils:
        """These, and what covers the table there but is no hand."""
        return replace(self, mask=self.mask | mask)

    def but_where(self, plain: Sequence[tuple[int, int]]) -> Veils:
        """These, without the regions that hold one of these pixels (x, y): what is plainly seen there nothing covers."""
        labels = cv2.connectedComponents(self.mask.astype(np.uint8))[1]
        bare = {int(labels[y, x]) for x, y in plain if 0 <= y < labels.shape[0] and 0 <= x < labels.shape[1]} - {0}
        return replace(self, mask=self.mask & ~np.isin(labels, list(bare)))


def no_veils(shape: tuple[int, ...]) -> Veils:
    """Nothing covers the table, in a small picture of this shape, (h, w)."""
    return Veils(np.zeros(shape, np.bool_), False)


def too_small(change: Mask, half: float) -> bool:
    """Whether a change, (h, w) of the small picture, can hold no veil: closed up it covers less than one, even unexplained."""
    if not change.any():
        return True
    size = max(1, round(half / 4))
    region = np.pad(change[bounds(change, 0)].astype(np.uint8), 2 * size)
    return int(np.count_nonzero(cv2.morphologyEx(region, cv2.MORPH_CLOSE, _round(size)))) < THING * half**2


def _round(size: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * size + 1, 2 * size + 1)), np.uint8)


def find_veils(change: Mask, difference: Array, now: Array, explained: Mask, half: float, seen: Mask | None = None) -> Veils:
    """change: (h, w) where the small picture changed. difference: (h, w, 3) by how much, logarithms. now: (h, w, 3) the
    picture's own logarithms. explained: (h, w) by tiles that came, went or moved. half: the side of a half, pixels of the
    small picture. seen: (h, w) the part that counts, None for all of it: from its border hands reach in.
    """
    everywhere = np.zeros(change.shape, np.bool_)
    if not change.any():
        return Veils(everywhere, False)
    size = max(1, round(half / 4))
    box = bounds(change, 2 * size + FAR)  # beyond it there is nothing to look at
    change, difference, now, explained = change[box], difference[box], now[box], explained[box]
    # Lines and specks go, regions stay: a veil is wider than half a half everywhere.
    labels, found = blobs(_solid(change, explained, size), max(4, round(THING * half**2 / 2)))
    rim = np.zeros(change.shape, np.bool_)
    if seen is not None:
        rim = grown(~seen[box], 2)
        reach = 2 * round(DEEP * half) + 1
        inner = np.unique(labels[cv2.erode(seen[box].astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0])
        found = [replace(blob, edge=blob.edge or bool((labels[rim] == blob.label).any())) for blob in found
                 if blob.label in inner]
    veils = [blob for blob in found if _is_veil(blob, labels, difference, now, half)]
    if not veils:
        return Veils(everywhere, False)
    mask = np.isin(labels, [blob.label for blob in veils])
    # A tile under a hand is explained by nothing: the hand goes on over it, and may reach in over those at the rim.
    whole, parts = blobs(cv2.morphologyEx(change.astype(np.uint8), cv2.MORPH_CLOSE, _round(size)) > 0, 1)
    covering = np.setdiff1d(np.unique(whole[mask]), [0])
    reaching = {part.label for part in parts if part.edge} | set(np.unique(whole[rim]).tolist())
    everywhere[box] = mask | np.isin(whole, covering)
    return Veils(everywhere, any(blob.edge for blob in veils) or not reaching.isdisjoint(covering.tolist()))


def regions(change: Mask, explained: Mask, least: float) -> Mask:
    """(h, w) where the picture changed and nothing explains it, in regions of at least so many pixels."""
    out = np.zeros(change.shape, np.bool_)
    if not change.any():
        return out
    box = bounds(change, FAR)
    labels, found = blobs(_solid(change[box], explained[box], 1), max(4, round(least)))
    out[box] = np.isin(labels, [blob.label for blob in found])
    return out


def _solid(change: Mask, explained: Mask, size: int) -> Mask:
    """Where the picture changed and nothing explains it, without lines and specks."""
    kernel, rest = _round(size), (change & ~explained).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(cv2.morphologyEx(rest, cv2.MORPH_CLOSE, kernel), cv2.MORPH_OPEN, kernel) > 0)


def outlines(mask: Mask) -> tuple[Array, ...]:
    """(n, 2) outlines of a mask's regions, pixels."""
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return tuple(np.asarray(contour, np.float32).reshape(-1, 2) for contour in contours if len(contour) > 2)


def _is_veil(blob: Blob, labels: NDArray[np.int32], difference: Array, now: Array, half: float) -> bool:
    """Whether a changed region is large and has come to have an outline, or what it is at heart has: hands go in their shadows,
    and an edge, however soft, lies where it is half as high as what changed most."""
    least = (HAND if blob.edge else THING) * half**2
    if blob.area < least:
        return False
    x0, y0, x1, y1 = blob.box
    region = labels[y0:y1, x0:x1] == blob.label
    if _has_come(region, difference, now, blob.box):
        return True
    depth = np.abs(difference[y0:y1, x0:x1]).max(axis=2)
    hearts, found = blobs(region & (depth > np.quantile(depth[region], SURE) / 2), max(1, round(least)))
    return any(_has_come(hearts == heart.label, difference, now, blob.box) for heart in found)


def _has_come(region: Mask, difference: Array, now: Array, box: tuple[int, int, int, int]) -> bool:
    """Whether a region in a box of the picture has a sharp outline now that it did not have."""
    x0, y0, x1, y1 = box
    inner = cv2.copyMakeBorder(region.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    rim = (cv2.dilate(inner, np.ones((3, 3), np.uint8)) - cv2.erode(inner, np.ones((3, 3), np.uint8)))[1:-1, 1:-1] > 0
    inside = np.zeros(difference.shape[:2], np.bool_)
    inside[1:-1, 1:-1] = True
    rim &= inside[y0:y1, x0:x1]  # along the picture's border nothing can be steep
    if not rim.any() or _along(rim, difference, box) <= SHARP:
        return False
    return _along(rim, now, box) > HALF * _along(rim, now - difference, box)  # else a thing has left that lay there


def _along(rim: Mask, picture: Array, box: tuple[int, int, int, int]) -> float:
    """The median of the steepest slopes near a region's outline, in a box x0, y0, x1, y1 of a picture."""
    x0, y0, x1, y1 = box
    left, top = min(x0, FAR), min(y0, FAR)
    smooth = cv2.GaussianBlur(picture[y0 - top : y1 + FAR, x0 - left : x1 + FAR], (0, 0), 1.0)
    across, down = cv2.Scharr(smooth, -1, 1, 0, scale=1 / 32), cv2.Scharr(smooth, -1, 0, 1, scale=1 / 32)
    near = cv2.dilate(highest(cv2.magnitude(across, down)), np.ones((5, 5), np.uint8))
    return float(np.median(near[top : top + y1 - y0, left : left + x1 - x0][rim]))


def area_mask(profile: Profile, shape: tuple[int, ...], scale: float) -> Mask:
    """(h, w) the play area in a small picture; scale: its pixels per pixel of the camera's picture."""
    x0, y0, x1, y1 = profile.area
    share = np.linspace(0, 1, 12)
    x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
    rim = np.concatenate([np.column_stack(side) for side in (
        (x, np.full(12, y0)), (np.full(12, x1), y), (x[::-1], np.full(12, y1)), (np.full(12, x0), y[::-1]))])
    canvas = np.zeros(shape, np.uint8)
    cv2.fillPoly(canvas, [np.round(profile.to_picture(rim) * scale).astype(np.int32)], 1)
    return canvas > 0


def draw(shape: tuple[int, ...], polygons: Sequence[Array] | Array, grow: float) -> Mask:
    """(h, w) mask of convex polygons of as many corners, each grown by `grow` pixels."""
    canvas = np.zeros(shape, np.uint8)
    for corners in np.asarray(polygons).round().astype(np.int32):
        cv2.fillConvexPoly(canvas, corners, 1)
    size = round(grow)
    return grown(canvas > 0, size) if size > 0 else canvas > 0


def grown(mask: Mask, by: int) -> Mask:
    """A mask, and a rim of so many pixels around it."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((2 * by + 1, 2 * by + 1), np.uint8)) > 0, np.bool_)
