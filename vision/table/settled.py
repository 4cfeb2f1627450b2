"""The settled picture of the table that new ones are compared with."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.observation import Array
from vision.rectify import ImagePyramid
from vision.table.changes import Mask, changed, mixed


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A settled picture: as it was, and small: (h, w, 3) logarithms of brightness. earlier: what each pixel of the small one
    showed before it changed last."""

    pyramid: ImagePyramid
    logs: Array
    earlier: Array

    def uncovered(self, change: Mask, logs: Array) -> Mask:
        """(h, w) where a small picture that changed shows again what it showed before: what came over the table there, and was
        taken for a part of it, has left."""
        return change & ~changed(self.earlier, logs)[0]

    def but_under(self, covered: Mask, change: Mask, pyramid: ImagePyramid, logs: Array) -> Settled:
        """The new picture, which changed there and is not uncovered, with this one where the table is covered now; (h, w) of the
        small picture."""
        grown = grown_by_rim(covered)
        earlier = mixed(self.earlier, self.logs, change & ~grown)
        if not covered.any():
            return Settled(pyramid, logs, earlier)
        image = pyramid.size(0)
        whole = cv2.resize(grown.astype(np.uint8), (image.shape[1], image.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
        return Settled(ImagePyramid(mixed(image, self.pyramid.size(0), whole)), mixed(logs, self.logs, grown), earlier)


def grown_by_rim(mask: Mask) -> Mask:
    """A mask of what covers the table in the small picture, and its rim of two pixels: nothing is learned there."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0, np.bool_)
