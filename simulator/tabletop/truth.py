"""What is true about a picture of a simulated table: where each thing shows, and how much of it can be seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.tabletop.camera import Camera, LensView
from simulator.tabletop.lying import Sheet, Tabletop, Thing, Tile
from simulator.tabletop.painting import HAND_ID, Easel, hull_of, tile_body
from simulator.tabletop.parts import Rect

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The truth about one thing in a picture.

    outline: (n, 2) pixels; of a tile the (4, 2) corners of its upper face, 0 and 1 bounding its first half, clockwise.
    visible: what share of it can be seen, 0..1; of a tile for each half. veiled: a hand or an arm hides part of it.
    box: the rectangle around it, pixels; it may reach out of the picture.
    """

    thing: Thing
    outline: Array
    visible: tuple[float, ...]
    veiled: bool

    box: Rect


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What is true about one picture. bumped: the camera does not stand where it stood at first."""

    tabletop: Tabletop
    shown: tuple[Shown, ...]
    camera: Camera
    hands: int
    bumped: bool

    def of(self, name: str) -> Shown:
        """The truth about the thing of this name; KeyError where there is none."""
        for shown in self.shown:
            if shown.thing.name == name:
                return shown
        raise KeyError(name)


def told(tabletop: Tabletop, ids: NDArray[np.int32], easel: Easel, view: LensView, known: Mapping[str, Shown],
         parts: Sequence[Rect] = ()) -> dict[str, Shown]:
    """The truth about every thing but the printed ones, by name, from the numbers that a picture's pixels show.

    known: the truth about another picture of the same view, which differs from this one in `parts` alone.
    """
    shown = {}
    close = {name for name, reached in zip(known, _reached([each.box for each in known.values()], parts), strict=True) if reached}
    for thing in tabletop:
        if isinstance(thing, Sheet):
            continue
        before = known.get(thing.name)
        if before is None or before.thing != thing or thing.name in close:
            before = _shown(thing, ids, easel, view)
        shown[thing.name] = before
    return shown


def _reached(boxes: Sequence[Rect], parts: Sequence[Rect]) -> list[bool]:
    """Which boxes have a pixel in common with one of the parts."""
    if not boxes or not parts:
        return [False] * len(boxes)
    x0, y0, x1, y1 = np.array(boxes).T[:, :, None]
    a, b, c, d = np.array(parts).T[:, None]
    return [bool(any_of) for any_of in ((x0 < c) & (a < x1) & (y0 < d) & (b < y1)).any(axis=1)]


def _shown(thing: Thing, ids: NDArray[np.int32], easel: Easel, view: LensView) -> Shown:
    """The truth about one thing."""
    look, number = easel.look, easel.number(thing.name)
    if isinstance(thing, Tile):
        corners = view.project(tile_body(thing, look).corners(look.style))
        a, b = (corners[1] + corners[2]) / 2, (corners[0] + corners[3]) / 2
        parts = [np.stack([corners[0], corners[1], a, b]), np.stack([b, a, corners[2], corners[3]])]
        outline = corners
    else:
        hull = view.project(hull_of(thing, look)).astype(np.float32)
        outline = cv2.convexHull(hull)[:, 0].astype(np.float64)
        parts = [outline]
    seen = [_seen(ids, part, number) for part in parts]
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    box = (int(x0) - 1, int(y0) - 1, int(x1) + 2, int(y1) + 2)
    return Shown(thing, outline, tuple(share for share, _ in seen), any(veiled > 0.02 for _, veiled in seen), box)


def _seen(ids: NDArray[np.int32], polygon: Array, number: int) -> tuple[float, float]:
    """Of a polygon's area: the share that shows thing `number`, and the share that a hand hides."""
    area = float(cv2.contourArea(polygon.astype(np.float32)))
    height, width = ids.shape
    x0, y0 = np.maximum(np.floor(polygon.min(axis=0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(polygon.max(axis=0)).astype(int) + 1, (width, height))
    if x1 <= x0 or y1 <= y0 or area < 1:
        return 0.0, 0.0
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.round((polygon - (x0, y0)) * 16).astype(np.int32), 1, shift=4)
    there = ids[y0:y1, x0:x1][mask > 0]
    whole = len(there) if min(x0, y0) > 0 and x1 < width and y1 < height else max(area, float(len(there)))
    return min(1.0, float((there == number).sum()) / max(whole, 1)), float((there == HAND_ID).sum()) / max(whole, 1)
