"""Looking at the table: whole or in part, rectified by a calibration or as the camera has it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.measure import raised
from calibration.profile import Profile, TableView
from vision.degrees import EVEN, HALF, MOST, PERHAPS
from vision.detection import Detection, Mapping, as_it_is, half_of, placed
from vision.frame import Image
from vision.halves import NOTHING, Proposals, iou, join, lie_on, non_max_suppression
from vision.observation import Array
from vision.reader import SHARED, Reader
from vision.rectify import ImagePyramid
from vision.table.choosing import SAME_SHAPE, Box, chosen, without_sides
from vision.table.place_hypotheses import NONE_KNOWN, PlaceHypotheses
from vision.table.the_set import TheSet

FIRST_PX_PER_MM = 1.25
"""Of the rectified view that is searched before the size of the tiles is known: halves of most sets are 20 to 28 mm wide. By what
is found there it is learned, and all is searched again where it has to be finer."""

ENOUGH = 24.0
"""Width in pixels at which halves are found as well as larger ones, once their size is known, and sooner; without a calibration
the picture is searched so that they are as wide."""

CLOSER = 1.4
"""A closer look without a calibration sees things so much larger."""

FINEST = 1.6
"""Pixels per mm of the finest view: cameras hardly see more of a table."""

BESIDE_MM = 30.0
"""So much beside a changed place is searched with it: of a tile that is cut off, a half is taken for one of another tile."""

THICK_MM = 9.0
"""How thick most tiles are."""

Seen = tuple[list[Detection], list[Detection]]
"""The tiles that can lie there together, chosen by one picture; and all places where one may lie."""


class FaceProjection:
    """The plane of the tiles' faces as a calibrated camera sees it; units are millimetres. level: on so many other tiles."""

    def __init__(self, profile: Profile, level: int = 0, thick: float = THICK_MM) -> None:
        self.profile = raised(profile, thick * (1 + level))

    def to_table(self, pixels: Array) -> Array:
        """(..., 2) pixels of the camera's picture to the table's units."""
        flat = np.asarray(pixels, np.float64).reshape(-1, 2)
        return np.asarray(self.profile.to_table(flat), np.float32).reshape(np.shape(pixels))

    def to_picture(self, points: Array) -> Array:
        """The inverse."""
        flat = np.asarray(points, np.float64).reshape(-1, 2)
        return np.asarray(self.profile.to_picture(flat), np.float32).reshape(np.shape(points))


class RectifiedView(FaceProjection):
    """The same, searched in the table as seen from straight above."""

    units: Literal["mm", "px"] = "mm"

    def __init__(self, profile: Profile, the_set: TheSet | None = None, thick: float = THICK_MM) -> None:
        super().__init__(profile, thick=thick)
        self._upon = FaceProjection(profile, 1, thick)
        self._set = the_set or TheSet()
        self._view = TableView(self.profile, _fine_enough(self._set.size))

    def followed(self, profile: Profile) -> RectifiedView:
        """The same table and set, after the camera was bumped."""
        return RectifiedView(profile, self._set)

    @property
    def knows_colours(self) -> bool:
        """Whether faces and backs of this set can be told apart by their colours."""
        return self._set.coloured

    def raised(self, points: Array) -> Array:
        """As `to_picture`, for points on tiles that lie on others."""
        return self._upon.to_picture(points)

    def look(self, reader: Reader, pyramid: ImagePyramid, box: Box | None, closer: bool = False,
             known: Array = NONE_KNOWN, cells: Array = NONE_KNOWN) -> Seen:
        """The tiles in the whole view, or in a box of the picture; closer: as large as helps, where something was not found.

        known: (m, 4, 2) on the table, open tiles that lay there before and look as they did; cells: (k, 4, 2) where a game knows
        that tiles may lie.
        """
        view = self._closest if closer else self._view
        found = self._found(reader, pyramid, view, self._part(view, box))
        if not len(found.objectness):
            return [], []
        at_first = self._set.size is None
        unsized = self._by_shape(reader, pyramid, found)
        if at_first and self._view.px_per_mm > view.px_per_mm:
            found = self._found(reader, pyramid, self._view, self._part(self._view, box))
        lying, maybe = self._of_the_set(reader, pyramid, found, known, cells) if self._set.size else (unsized, unsized)
        return _within(lying, box), _within(maybe, box)

    def look_beside(self, reader: Reader, pyramid: ImagePyramid, settled: Array, doubted: Array) -> list[Detection]:
        """The tiles around doubted places, (n, 4, 2), beside those of which nobody doubts where they lie, (m, 4, 2)."""
        parts = self._parts(doubted)
        found = join([self._found(reader, pyramid, self._view, part) for part in parts])
        found = found.take(~lie_on(found.corners, settled, SHARED))
        unsized = self._by_shape(reader, pyramid, found)
        return self._of_the_set(reader, pyramid, found, NONE_KNOWN, NONE_KNOWN)[0] if self._set.size else unsized

    def _parts(self, places: Array) -> list[tuple[int, int, int, int]]:
        """The parts of the view around some places; all of it where these are most of it."""
        view = self._view
        low, high = (view.to_view(edge.astype(np.float64)) for edge in (places.min(axis=1), places.max(axis=1)))
        around = BESIDE_MM * view.px_per_mm
        boxes = np.concatenate([low - around, high + around], axis=1).clip(0, [view.width, view.height] * 2).round().astype(int)
        parts = join_boxes([(x0, y0, x1, y1) for x0, y0, x1, y1 in boxes.tolist()])
        if sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in parts) > MOST * view.width * view.height:
            return [(0, 0, view.width, view.height)]
        return [(int(x0), int(y0), int(x1), int(y1)) for x0, y0, x1, y1 in parts]

    @staticmethod
    def _found(reader: Reader, pyramid: ImagePyramid, view: TableView, part: tuple[int, int, int, int]) -> Proposals:
        """Where tiles may lie in a part of a view, pixels; on the table."""
        if part[2] - part[0] < 16 or part[3] - part[1] < 16:
            return NOTHING
        found = reader.find_on_table(view.of(pyramid.size(0), part))
        seen = found.corners.reshape(-1, 2).astype(np.float64) + np.array(part[:2], np.float64)
        return replace(found, corners=view.to_table(seen).astype(np.float32).reshape(-1, 4, 2))

    def upon(self, pixels: Array) -> Array:
        """The inverse of `raised`."""
        return self._upon.to_table(pixels)

    def told(self, reader: Reader, pyramid: ImagePyramid, corners: Array) -> tuple[Array, Array]:
        """What shows at places, (n, 4, 2) pixels: kinds, (n, 3), and counts, (n, 2, 16), by one who knows the set."""
        return PlaceHypotheses.again(reader, pyramid, corners, self._set)

    @cached_property
    def _closest(self) -> TableView:
        return TableView(self.profile, FINEST)

    def _by_shape(self, reader: Reader, pyramid: ImagePyramid, found: Proposals) -> list[Detection]:
        """What is a tile by its shape, which tells how large tiles are; nothing once that is surely known."""
        if self._set.measured:
            return []
        pixels = replace(found, corners=self.to_picture(found.corners))
        seen = [each for each in _weighed(reader, pyramid, pixels, self.to_table)
                if 1 / SAME_SHAPE < _slimness(each.corners) / 2 < SAME_SHAPE]
        self._view = TableView(self.profile, _fine_enough(self._set.learn(pyramid, seen)))
        return seen

    def _of_the_set(self, reader: Reader, pyramid: ImagePyramid, found: Proposals, known: Array, cells: Array) -> Seen:
        """What is a tile by its size, which is known."""
        assert self._set.size is not None
        middles = found.corners.mean(axis=1)
        lean = self.to_table(self.raised(middles)) - middles
        found = replace(found, corners=without_sides(found.corners, lean, self._set.size))
        return chosen(reader, pyramid, found, self._set, self.to_table, self.to_picture, known, cells)

    def _part(self, view: TableView, box: Box | None) -> tuple[int, int, int, int]:
        """A box of the camera's picture, with what lies beside it, as pixels of a view; all of it without a box."""
        if box is None:
            return 0, 0, view.width, view.height
        x0, y0, x1, y1 = box
        rim = np.array([(x, y) for x in (x0, (x0 + x1) / 2, x1) for y in (y0, (y0 + y1) / 2, y1)])
        seen = view.to_view(self.profile.to_table(rim))
        around = BESIDE_MM * view.px_per_mm
        low, high = np.floor(seen.min(axis=0) - around), np.ceil(seen.max(axis=0) + around)
        x0, y0, x1, y1 = int(low[0]), int(low[1]), int(high[0]), int(high[1])
        return max(0, x0), max(0, y0), min(view.width, x1), min(view.height, y1)


class Plain:
    """The same as the camera has it; units are pixels. half: the width of a half in them, once it is known."""

    units: Literal["mm", "px"] = "px"
    knows_colours = False
    to_table = to_picture = raised = upon = staticmethod(as_it_is)

    def __init__(self, half: float = ENOUGH) -> None:
        self._scale = min(2.0, ENOUGH / half)

    def look(self, reader: Reader, pyramid: ImagePyramid, box: Box | None, closer: bool = False,
             known: Array = NONE_KNOWN, cells: Array = NONE_KNOWN) -> Seen:
        image = pyramid.size(0)
        height, width = image.shape[:2]
        x0, y0, x1, y1 = (0, 0, width, height) if box is None else (
            max(0, int(box[0])), max(0, int(box[1])), min(width, int(box[2])), min(height, int(box[3])))
        scale = self._scale * CLOSER if closer else self._scale
        if min(x1 - x0, y1 - y0) * scale < 16:
            return [], []
        size = (max(16, round((x1 - x0) * scale)), max(16, round((y1 - y0) * scale)))
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        found = reader.find(np.asarray(cv2.resize(image[y0:y1, x0:x1], size, interpolation=method), np.uint8))
        stretch = np.array([(x1 - x0) / size[0], (y1 - y0) / size[1]], np.float32)
        pixels = found.corners * stretch + np.array([x0, y0], np.float32)
        seen = _weighed(reader, pyramid, replace(found, corners=pixels), self.to_table)
        return seen, seen

    def told(self, reader: Reader, pyramid: ImagePyramid, corners: Array) -> tuple[Array, Array]:
        return reader.look_again(pyramid, corners, *reader.judge(pyramid.warp_crops(corners)))


Sight = RectifiedView | Plain
"""One way to look at the table. Boxes are x0, y0, x1, y1 in pixels of the camera's picture."""


def followed(profile: Profile, slip: NDArray[np.float64]) -> Profile:
    """The profile of a bumped camera; `slip` leads from pixels before to pixels after."""
    back = np.linalg.inv(slip)
    if profile.lens is None:
        return replace(profile, homography=np.asarray(profile.homography @ back, np.float64))
    x0, y0, x1, y1 = profile.area
    grid = np.array([(x, y) for x in np.linspace(x0, x1, 6) for y in np.linspace(y0, y1, 6)])
    pixels = np.asarray(cv2.perspectiveTransform(profile.to_picture(grid).reshape(-1, 1, 2), slip)).reshape(-1, 2)
    homography, _ = cv2.findHomography(profile.lens.straight(pixels), grid)
    return replace(profile, homography=np.asarray(homography, np.float64))


def _within(seen: list[Detection], box: Box | None) -> list[Detection]:
    """Those whose middle lies in the box: what lies beside it may be cut off, and is only there to be told apart."""
    if box is None:
        return seen
    x0, y0, x1, y1 = box
    middles = [each.pixels.mean(axis=0) for each in seen]
    return [each for each, (x, y) in zip(seen, middles, strict=True) if x0 <= x <= x1 and y0 <= y <= y1]


def usual_half(reader: Reader, image: Image) -> float:
    """The side of a half in a picture of which nothing is known, pixels; a fortieth of its longer side where no tile is seen."""
    sides = [half_of(each.corners) for each in reader.consider(image) if each.score > EVEN]
    return float(np.median(sides or [max(image.shape[:2]) / 40]))


def _fine_enough(size: tuple[float, float] | None) -> float:
    """Pixels per mm of the view in which tiles of this length and width, mm, are searched."""
    return FIRST_PX_PER_MM if size is None else min(FINEST, ENOUGH / math.sqrt(size[0] * size[1] / 2))


def _slimness(corners: Array) -> float:
    """Length over width of a tile."""
    along, across = corners[2] + corners[3] - corners[0] - corners[1], corners[0] + corners[3] - corners[1] - corners[2]
    return float(np.linalg.norm(along) / max(float(np.linalg.norm(across)), 1e-6))


def _weighed(reader: Reader, pyramid: ImagePyramid, found: Proposals, to_table: Mapping) -> list[Detection]:
    found = found.take(found.objectness > PERHAPS)
    found = found.take(non_max_suppression(found.corners, found.objectness, HALF, iou))
    return placed(reader.weigh(pyramid, found), to_table)


def join_boxes(boxes: Sequence[Box]) -> list[Box]:
    """The fewest boxes that hold all of these, where those that meet become one."""
    joined: list[Box] = []
    for merged in boxes:
        while met := [other for other in joined if _meet(merged, other)]:
            joined = [other for other in joined if other not in met]
            x0, y0, x1, y1 = zip(merged, *met, strict=True)
            merged = min(x0), min(y0), max(x1), max(y1)
        joined.append(merged)
    return joined


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
