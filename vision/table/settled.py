"""The settled picture of the table that new ones are compared with."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Image
from vision.observation import Array
from vision.rectify import ImagePyramid
from vision.table.changes import Mask, changed
from vision.table.veils import grown


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
        unknown = grown(covered, 2)  # in the rim of what covers the table nothing is learned
        earlier = np.where((change & ~unknown)[..., None], self.logs, self.earlier)
        if not covered.any():
            return Settled(pyramid, logs, earlier)
        image = pyramid.size(0)
        whole = cv2.resize(unknown.astype(np.uint8), (image.shape[1], image.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
        picture: Image = np.where(whole[..., None], self.pyramid.size(0), image)
        return Settled(ImagePyramid(picture), np.where(unknown[..., None], self.logs, logs), earlier)
