"""The finder: where tiles lie in a photograph, whatever their size; it looks at it small, and closer where need be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.blocks import in_blocks
from vision.degrees import EVEN, HALF, PERHAPS, SOME
from vision.frame import Image
from vision.halves import Halves, Proposals, find_halves, iou, join, non_max_suppression, pair_halves
from vision.network import Network
from vision.observation import Array
from vision.rectify import ImagePyramid

FIRST_LOOK = 640
"""Longer side of the first, small picture that is searched, pixels."""

GOOD_HALF = 30.0
"""Width of a half, in pixels, at which the detector is at its best."""

COMFORT = 19.0
"""Halves wider than this in the first look need no closer look, pixels."""

CLOSER = 2.2
"""By so much the scale of a closer look is finer, where nothing tells how wide the halves are."""

VERY_SMALL = 0.4
"""The picture is searched at this part of the first look's size, too, for tiles that fill the photo."""

MOST_PIXELS = 2_400_000
"""The largest picture that is ever searched, pixels."""

LOWEST_OBJECTNESS = 0.15
"""Halves fainter than this are not followed."""

MOST_PROPOSALS = 150
"""Of one look; the largest sets have 136 tiles."""


class Finder:
    """Proposes where tiles lie; `model` is the detector's file."""

    def __init__(self, model: Path, threads: int) -> None:
        self._network = Network(model, threads)

    def look(self, pyramid: ImagePyramid, scale: float) -> Proposals:
        """Search the photo resized by `scale`; the proposals are in pixels of the photo."""
        halves, back = self._halves(pyramid, scale)
        found = pair_halves(halves, PERHAPS)
        found = found.take(np.argsort(-found.objectness, kind="stable")[:MOST_PROPOSALS])
        return replace(found, corners=found.corners * back)

    def halves(self, view: Image) -> Halves:
        """What a picture whose halves are 20 to 40 pixels wide shows of halves, before they are paired to tiles."""
        return self._halves(ImagePyramid(view), 1.0)[0]

    def _halves(self, pyramid: ImagePyramid, scale: float) -> tuple[Halves, Array]:
        """Halves in pixels of the resized photo, and (2,) what takes these back to the photo's own."""
        height, width = pyramid.size(0).shape[:2]
        scale = min(scale, 2.0, float(np.sqrt(MOST_PIXELS / (height * width))))
        small = (max(16, round(width * scale)), max(16, round(height * scale)))
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        picture = pyramid.size(max(0, int(-np.log2(scale))))  # shrinking from a halved photo is quicker
        if small != (width, height):
            picture = np.asarray(cv2.resize(picture, small, interpolation=method), np.uint8)
        if small[0] % 32 or small[1] % 32:
            picture = cv2.copyMakeBorder(picture, 0, -small[1] % 32, 0, -small[0] % 32, cv2.BORDER_CONSTANT)
        maps = self._network.run(in_blocks(picture[None]))[0]
        return find_halves(maps, LOWEST_OBJECTNESS), np.array([width / small[0], height / small[1]], np.float32)

    def search(self, pyramid: ImagePyramid) -> Proposals:
        """A very small look, a small one, and a closer one where the tiles seen are too small for it."""
        first = _first_scale(pyramid)
        looks = [self.look(pyramid, first * VERY_SMALL), self.look(pyramid, first)]
        return self._best([*looks, *self._closer(pyramid, join(looks), first)])

    def search_closer(self, pyramid: ImagePyramid, found: Proposals) -> Proposals:
        """What was found, and what a closer look sees: much else on a table looks like tiles, but hardly like small ones."""
        scale = _first_scale(pyramid) * CLOSER
        closer = self.look(pyramid, scale)
        seen = closer.take(closer.objectness > EVEN)
        return self._best([found, closer, *(self._closer(pyramid, seen, scale) if len(seen.objectness) else [])])

    def _closer(self, pyramid: ImagePyramid, seen: Proposals, scale: float) -> list[Proposals]:
        """A look in which the halves that were seen at this scale are as wide as is best, where they were too small; where
        nothing clear was seen, just a closer one."""
        seen = seen.take(seen.objectness > EVEN)
        if not len(seen.objectness):
            return [self.look(pyramid, scale * CLOSER)]
        sides = seen.side * np.float32(scale)
        small = sides[sides < COMFORT]
        return [self.look(pyramid, scale * GOOD_HALF / _typical(small))] if len(small) > SOME * len(sides) else []

    def _best(self, looks: list[Proposals]) -> Proposals:
        """Of proposals that are alike the hottest, those of later looks preferred."""
        found = join(looks)
        preferred = found.objectness + 0.3 * np.repeat(np.arange(len(looks)), [len(p.objectness) for p in looks])
        return found.take(non_max_suppression(found.corners, preferred.astype(np.float32), HALF, iou))


def _typical(sides: Array) -> float:
    """The median side where wide tiles weigh more: small things that look like tiles are many, and seldom tiles."""
    order = np.sort(sides)
    return float(order[np.searchsorted(np.cumsum(order), order.sum() / 2)])


def _first_scale(pyramid: ImagePyramid) -> float:
    """What shrinks the photo to the size of the first look."""
    return min(FIRST_LOOK / int(max(pyramid.size(0).shape[:2])), 2.0)
