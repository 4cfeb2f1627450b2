"""How well a reader does on made-up pictures it never saw, by size of the halves, slant of the view and kind of set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from simulator.noise import log_between
from simulator.scene import Scene, TrueTile, make_scene
from vision.halves import overlap
from vision.photo_reader import PhotoReader
from vision.reader import Clock, Reader, certainty_of, upright
from vision.reading import ReadTile


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


def judge(scene: Scene, tiles: Sequence[ReadTile], tally: Tally | None = None) -> list[bool | None]:
    """For each reading whether it is right, or None where nobody could demand one; counts into `tally`."""
    verdicts: list[bool | None] = [False] * len(tiles)
    tally = tally or Tally()
    for truth in scene.tiles:
        fitting = [i for i, tile in enumerate(tiles) if _fits(tile, truth)]
        touched = [i for i, tile in enumerate(tiles) if overlap(tile.corners, truth.corners.astype(np.float32)) > 0.3]
        demanded = truth.sure and min(truth.visible) >= 0.85
        if not demanded:
            for i in touched:
                verdicts[i] = None
        elif truth.ends is not None:
            named = (min(truth.ends), max(truth.ends))
            for i in fitting:
                verdicts[i] = tiles[i].low_high == named
            tally.there += 1
            tally.found += bool(fitting)
            tally.right += any(verdicts[i] for i in fitting)
    tally.wrong += sum(v is False for v in verdicts)
    return verdicts


def made_up(scenes: int, seed: int) -> Iterator[Scene]:
    """Pictures of 640 x 640 with halves of 12 to 100 pixels."""
    for index in range(scenes):
        rng = np.random.default_rng([seed, index])
        yield make_scene(640, 640, log_between(rng, 12, 100), rng)


def evaluate(reader: Reader, scenes: int, seed: int) -> dict[str, Tally]:
    """Tallies over made-up pictures, by several groupings."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for scene in made_up(scenes, seed):
        tiles = PhotoReader(reader).read(scene.image).tiles
        size = next(s for s in (16, 22, 32, 48, 70, 1000) if scene.half_px < s)
        most = max((max(t.ends) for t in scene.tiles if t.ends), default=0)
        for group in ("all", f"half below {size:4d} px", f"pips up to {next(h for h in (6, 9, 12, 15) if most <= h):2d}"):
            judge(scene, tiles, tallies[group])
    return dict(sorted(tallies.items()))


def judged_candidates(reader: Reader, scenes: int, seed: int) -> tuple[list[float], list[float], list[bool]]:
    """Certainty and heat of all candidates in made-up pictures, and whether each was right."""
    certainty, objectness, right = [], [], []
    for scene in made_up(scenes, seed):
        pyramid, as_taken = upright(scene.image)
        proposals, kinds, counts = reader.judged(pyramid, Clock())
        tiles = {at: ReadTile(each.ends, each.score, as_taken(each.pixels), each.probabilities)
                 for at, each in reader.decide(proposals, kinds, counts).items() if each.ends is not None}
        for at, verdict in zip(tiles, judge(scene, [*tiles.values()]), strict=True):
            if verdict is not None:
                certainty.append(float(certainty_of(kinds, counts)[at]))
                objectness.append(float(proposals.objectness[at]))
                right.append(verdict)
    return certainty, objectness, right
