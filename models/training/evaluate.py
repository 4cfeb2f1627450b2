"""How well a reader does on made-up pictures it never saw, by size of the halves, slant of the view and kind of set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.halves import overlap
from vision.reader import Reader
from vision.reading import ReadTile
from vision.synthetic.noise import log_between
from vision.synthetic.scene import Scene, TrueTile, make_scene


@dataclass(slots=True)
class Tally:
    """Tiles there, tiles found where they lie, tiles read right, readings where no tile lies or the wrong one."""

    there: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0

    def line(self) -> str:
        there = max(1, self.there)
        return (f"{self.there:6d} tiles  found {self.found / there:.4f}  recall {self.right / there:.4f}  "
                f"precision {self.right / max(1, self.right + self.wrong):.4f}")


def _fits(tile: ReadTile, truth: TrueTile) -> bool:
    corners = truth.corners.astype(np.float32)
    return overlap(tile.corners, corners) > 0.6 and 0.5 < cv2.contourArea(tile.corners) / max(1.0, cv2.contourArea(corners)) < 2


def score(scene: Scene, read: Iterable[ReadTile], tally: Tally) -> None:
    """Compare one reading with the truth; tiles that nobody could demand count neither way."""
    left = list(read)
    for truth in scene.tiles:
        fitting = [t for t in left if _fits(t, truth)]
        for tile in fitting:
            left.remove(tile)
        if not truth.sure or min(truth.visible) < 0.85:
            continue
        if truth.ends is None:
            tally.wrong += len(fitting)
            continue
        tally.there += 1
        tally.found += bool(fitting)
        right = any(t.low_high == (min(truth.ends), max(truth.ends)) for t in fitting)
        tally.right += right
        tally.wrong += len(fitting) - right
    hazy = [t.corners.astype(np.float32) for t in scene.tiles]
    tally.wrong += sum(all(overlap(t.corners, h) < 0.3 for h in hazy) for t in left)


def evaluate(reader: Reader, scenes: int, seed: int) -> dict[str, Tally]:
    """Tallies of `scenes` pictures of 640 x 640, halves of 12 to 100 pixels, by several groupings."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for index in range(scenes):
        rng = np.random.default_rng([seed, index])
        scene = make_scene(640, 640, log_between(rng, 12, 100), rng)
        reading = reader.read(scene.image)
        size = next(s for s in (16, 22, 32, 48, 70, 1000) if scene.half_px < s)
        most = max((max(t.ends) for t in scene.tiles if t.ends), default=0)
        for group in ("all", f"half below {size:4d} px", f"pips up to {next(h for h in (6, 9, 12, 15) if most <= h):2d}"):
            score(scene, reading.tiles, tallies[group])
    return dict(sorted(tallies.items()))
