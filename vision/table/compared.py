"""Evidence from two pictures of a table: what is new, what is gone, what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.straighten import Album
from vision.table.evidence import NOTHING, Share, compare, newness, straight
from vision.table.registration import REST, Matrix, moved
from vision.table.sighting import Mapping, Sighting
from vision.table.tracks import Track
from vision.table.veils import Veils, draw

Array = NDArray[np.float32]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """`slip` leads from pixels of the picture before to those of the one after; `to_picture` from the table to the latter.

    boxes: what was read of the picture after, its pixels; None for all of it.
    """

    before: Album
    after: Album
    slip: Matrix
    veils: Veils
    to_picture: Mapping
    boxes: Sequence[Box] | None = None

    def new(self, sighting: Sighting) -> Share:
        earlier = self._earlier(sighting.pixels)
        height, width = self.before.size(0).shape[:2]
        x, y = earlier.mean(axis=0)
        if not (0 <= x < width and 0 <= y < height):
            return NOTHING  # it was out of the picture: nobody knows what lay there
        return newness(self.before, self.after, earlier, sighting.pixels)

    def gone(self, track: Track) -> Share:
        pixels = self.to_picture(track.corners)
        before = track.patch if track.patch is not None else straight(self.before, self._earlier(pixels))
        return compare(straight(self.after, pixels), before)

    def patch(self, track: Track) -> Array:
        return straight(self.after, self.to_picture(track.corners))

    def hidden(self, track: Track) -> bool:
        height, width = self.after.size(0).shape[:2]
        pixels = self.to_picture(track.corners)
        x0, y0 = pixels.min(axis=0)
        x1, y1 = pixels.max(axis=0)
        if x0 < 0 or y0 < 0 or x1 >= width or y1 >= height:
            return True
        shape = (self.veils.mask.shape[0], self.veils.mask.shape[1])
        return bool((self.veils.mask & draw(shape, [pixels * (shape[1] / width)], 0)).any())

    def looked(self, track: Track) -> bool:
        if self.boxes is None:
            return True
        x, y = self.to_picture(track.corners).mean(axis=0)
        return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in self.boxes)

    def _earlier(self, corners: Array) -> Array:
        return corners if self.slip is REST else moved(corners, np.asarray(np.linalg.inv(self.slip), np.float64))
