"""What looks at pictures: the finder (`finder.py`) says where tiles may lie, and each place is read from the full picture."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

import cv2
import numpy as np

from vision.blocks import in_blocks
from vision.degrees import EVEN, HALF, LIKELY, PERHAPS, PLAIN, SOME, SURE
from vision.detection import UNKNOWN, Detection
from vision.finder import FIRST_LOOK, Finder
from vision.frame import Image
from vision.halves import Halves, Proposals, non_max_suppression
from vision.in_play import InPlay
from vision.network import Network
from vision.observation import Array
from vision.reading import HIGHEST_END
from vision.rectify import CLOSE, Cut, ImagePyramid

MODELS = Path(__file__).resolve().parent.parent / "models"

SHARED = SOME
"""Of two tiles that share more than this of the smaller one, only one is real."""

MOST_UNSURE = 40
"""So many tiles of one picture at most are cut out and read several times."""

AROUND = Cut(96, 64, 16)
"""How places are cut out of which it is asked whether a tile lies there on two others: with what lies around them."""

SHOWN = LIKELY
"""What is less likely than this is not reported: an invented tile is harder to notice than a missing one."""

BARE, ALONE, UPON = 0, 1, 2
"""What may be there: no tile, as at a joint; one on the table; one on two others."""


@dataclass(frozen=True, slots=True)
class Card:
    """What `models/reader.json` says: the version, and what makes the probabilities and scores honest."""

    version: str
    kind_temperature: float
    count_temperature: float
    certainty_weight: float
    heat_weight: float
    offset: float


def log_odds(probability: float) -> float:
    """Logarithm of p / (1 - p), kept finite."""
    p = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(p / (1 - p))


@dataclass(slots=True)
class Clock:
    """Times of the stages, in milliseconds."""

    stages: dict[str, float] = field(default_factory=dict)
    last: float = field(default_factory=time.perf_counter)

    def stage(self, name: str) -> None:
        now = time.perf_counter()
        self.stages[name] = self.stages.get(name, 0.0) + 1000 * (now - self.last)
        self.last = now


def _softmax(scores: Array, temperature: float) -> Array:
    scaled = scores / temperature
    scaled -= scaled.max(axis=-1, keepdims=True)
    odds = np.exp(scaled)
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True), np.float32)


def turned_back(corners: Array, shape: tuple[int, ...], turns: int) -> Array:
    """Corners in a photo of `shape` that was turned clockwise `turns` times, as they lay before."""
    height, width = shape[:2]
    for _ in range(turns):  # one turn counter-clockwise: the upper edge becomes the left one
        corners = np.stack([corners[..., 1], width - corners[..., 0]], axis=-1)
        height, width = width, height
    return corners


def upright(image: Image) -> tuple[ImagePyramid, Callable[[Array], Array]]:
    """A photo, turned by quarters until its brightest one is at the upper left, so that the same tiles are read however the
    camera was held; and what takes corners in that back to the photo's own."""
    height, width = image.shape[0] // 2, image.shape[1] // 2
    quarters = (image[:height, :width], image[-height:, :width], image[-height:, -width:], image[:height, -width:])
    turns = int(np.argmax([sum(cv2.sumElems(q)[:3]) if q.size else 0.0 for q in quarters]))
    pyramid = ImagePyramid(np.ascontiguousarray(np.rot90(image, -turns)))
    return pyramid, partial(turned_back, shape=pyramid.size(0).shape, turns=turns)


def _mostly_other_things(proposals: Proposals, kinds: Array, counts: Array) -> bool:
    """Whether most of what clearly looked like tiles is, from near, hardly one."""
    clear = proposals.objectness > EVEN
    sure = sure_of_a_tile(kinds, counts)[clear]
    return bool(len(sure) and (sure < SURE).mean() > HALF)


def certainty_of(kinds: Array, counts: Array) -> Array:
    """(n,) probability that a tile lies there face up and both its ends are read right."""
    return np.asarray(kinds[:, 0] * counts.max(axis=-1).prod(axis=-1))


def sure_of_a_tile(kinds: Array, counts: Array) -> Array:
    """(n,) the same, or that one lies there face down, whichever is likelier."""
    return np.maximum(certainty_of(kinds, counts), kinds[:, 1])


class _Networks:
    """The networks of a folder, each opened when it is first needed and then shared by all that read with it."""

    def __init__(self, folder: Path, threads: int) -> None:
        self._folder, self._threads = folder, threads
        self.finder = Finder(folder / "halves.onnx", threads)
        self.tiles = Network(folder / "tiles.onnx", threads)

    @cached_property
    def table_finder(self) -> Finder:
        """The detector that has learned on tables."""
        return Finder(self._folder / "halves_table.onnx", self._threads)

    @cached_property
    def table_tiles(self) -> Network:
        """The reader of tiles that has learned on tables, and sets that are hard to read."""
        return Network(self._folder / "tiles_table.onnx", self._threads)

    @cached_property
    def uppers(self) -> Network:
        """What tells tiles on others, and single ones, from joints."""
        return Network(self._folder / "uppers.onnx", self._threads)


class Reader:
    """Looks at pictures and judges what may be a tile there. One serves many threads; the same picture always gives the same
    answer. Photographs are read with it by `PhotoReader`, tables by `TableWatcher`.

    threads: processor threads of the networks. models: folder with `halves.onnx`, `halves_table.onnx`, `tiles.onnx`,
    `tiles_table.onnx`, `uppers.onnx` and `reader.json`.
    Raises FileNotFoundError where a model file is missing.
    """

    def __init__(self, threads: int = 2, models: Path | None = None) -> None:
        folder = models or MODELS
        self._networks = _Networks(folder, threads)
        self._tiles = self._networks.tiles
        self._card = Card(**json.loads((folder / "reader.json").read_text()))
        self.in_play = InPlay()

    def of_a_game(self, in_play: InPlay) -> Reader:
        """This reader, knowing what tiles the game on the table has."""
        reader = copy(self)
        reader.in_play = in_play
        return reader

    def at_a_table(self) -> Reader:
        """This reader for what a camera over a table sees: it has learned on tables, and sets that are hard to read."""
        reader = copy(self)
        reader._tiles = self._networks.table_tiles
        return reader

    def ready(self) -> None:
        """Run all that reads tables once, on nothing, so that a first picture is read as soon as those after it."""
        nothing = ImagePyramid(np.zeros((FIRST_LOOK, FIRST_LOOK, 3), np.uint8))
        places = np.tile(CLOSE.corners, (MOST_UNSURE, 1, 1))
        self.find_on_table(nothing.size(0))
        self.at_a_table().judge(nothing.warp_crops(places))
        self.levels(nothing, places)

    @property
    def version(self) -> str:
        """Version of the trained models."""
        return self._card.version

    def consider(self, image: Image) -> list[Detection]:
        """Everything that may be a tile in an upright photo, faces first."""
        pyramid, as_taken = upright(image)
        found, _ = self.look(pyramid, Clock())
        return [replace(each, corners=at, pixels=at) for each in found for at in [as_taken(each.pixels)]]

    def find(self, view: Image) -> Proposals:
        """Where tiles may lie in a picture whose halves are 20 to 40 pixels wide: one look, no search for the scale."""
        return self._networks.finder.look(ImagePyramid(view), 1.0)

    def find_on_table(self, view: Image) -> Proposals:
        """The same in a calibrated camera's view of its table."""
        return self._networks.table_finder.look(ImagePyramid(view), 1.0)

    def halves(self, view: Image) -> tuple[Halves, Halves]:
        """The halves in such a picture as either detector sees them, before they are paired to tiles."""
        return self._networks.finder.halves(view), self._networks.table_finder.halves(view)

    def weigh(self, pyramid: ImagePyramid, proposals: Proposals) -> list[Detection]:
        """Reads what lies at proposed places, once; their corners are pixels of the album's picture."""
        return [*self.decide(proposals, *self.judge(pyramid.warp_crops(proposals.corners))).values()]

    def judge(self, crops: Image) -> tuple[Array, Array]:
        """What straightened tiles, (n, h, w, 3), show: probabilities of face, back, nothing, (n, 3); of the pips, (n, 2, 16).

        Every tile that is not plain from its first end is read from the other, too, and the two readings are averaged.
        """
        if not len(crops):
            return np.zeros((0, 3), np.float32), np.zeros((0, 2, HIGHEST_END + 1), np.float32)
        kinds, counts = self._from_one_end(crops)
        unsure = np.flatnonzero(np.maximum(sure_of_a_tile(kinds, counts), kinds[:, 2]) < PLAIN)
        if len(unsure):
            other_kinds, other_counts = self._from_one_end(crops[unsure, ::-1, ::-1])
            kinds[unsure] = (kinds[unsure] + other_kinds) / 2
            counts[unsure] = (counts[unsure] + other_counts[:, ::-1]) / 2
        return self.in_play.told(kinds, counts) if self.in_play else (kinds, counts)

    def levels(self, pyramid: ImagePyramid, corners: Array) -> Array:
        """(n, 3) probabilities that at each of these places, (n, 4, 2) pixels, there is no tile, as at a joint, one on the table,
        or one across two others, by all outlines there. What it shows says nothing: it covers halves that show the same.
        """
        if not len(corners):
            return np.zeros((0, 3), np.float32)
        return _softmax(self._networks.uppers.run(in_blocks(pyramid.warp_crops(corners, AROUND))), 1.0)

    def look_again(self, pyramid: ImagePyramid, corners: Array, kinds: Array, counts: Array) -> tuple[Array, Array]:
        """What `judge` said of these places; where it is unsure, averaged over cuts a little larger, smaller and aside."""
        unsure = np.flatnonzero((1 - kinds[:, 2] > 0.1) & (sure_of_a_tile(kinds, counts) < SURE))[:MOST_UNSURE]
        if not len(unsure):
            return kinds, counts
        places = corners[unsure]
        middle = places.mean(axis=1, keepdims=True)
        along, across = (places[:, 2:3] - places[:, 1:2]) / 2, places[:, 0:1] - places[:, 1:2]
        cuts = [middle + (places - middle) * 1.06, middle + (places - middle) * 0.95, places + 0.05 * along,
                places - 0.05 * along, places + 0.05 * across, places - 0.05 * across]
        again_kinds, again_counts = self.judge(pyramid.warp_crops(np.concatenate(cuts).astype(np.float32)))
        kinds, counts, times = kinds.copy(), counts.copy(), len(cuts)
        for known, again in ((kinds, again_kinds), (counts, again_counts)):
            all_of_it = known[unsure] + again.reshape(times, *known[unsure].shape).sum(axis=0)
            known[unsure] = all_of_it / np.float32(times + 1)
        return kinds, counts

    def calibrated(self, certainty: float, objectness: float) -> float:
        """The share of readings that are right where the tile reader and the finder are this sure (logistic, fitted)."""
        card = self._card
        odds = card.certainty_weight * log_odds(certainty) + card.heat_weight * log_odds(objectness) + card.offset
        return 1 / (1 + math.exp(-odds))

    def look(self, pyramid: ImagePyramid, clock: Clock) -> tuple[list[Detection], Array]:
        """Everything that may be a tile in a photo whose halves may be of any size, and the corners of all that was proposed,
        (n, 4, 2)."""
        proposals, kinds, counts = self.judged(pyramid, clock)
        found = self.decide(proposals, kinds, counts)
        clock.stage("decide")
        return [*found.values()], proposals.corners

    def judged(self, pyramid: ImagePyramid, clock: Clock) -> tuple[Proposals, Array, Array]:
        """Where tiles may lie in such a photo, and the kinds and counts of what lies there."""
        proposals = self._networks.finder.search(pyramid)
        clock.stage("find")
        kinds, counts = self._weigh(pyramid, proposals.corners, clock)
        if _mostly_other_things(proposals, kinds, counts):
            proposals = self._networks.finder.search_closer(pyramid, proposals)
            clock.stage("find")
            kinds, counts = self._weigh(pyramid, proposals.corners, clock)
        return proposals, kinds, counts

    def _weigh(self, pyramid: ImagePyramid, corners: Array, clock: Clock) -> tuple[Array, Array]:
        """Kinds and counts of what lies at these corners in the album's picture; what is unsure is looked at again."""
        crops = pyramid.warp_crops(corners)
        clock.stage("straighten")
        judged = self.look_again(pyramid, corners, *self.judge(crops))
        clock.stage("read")
        return judged

    def _from_one_end(self, crops: Image) -> tuple[Array, Array]:
        """Probabilities of kinds and pips, as the network tells them."""
        blocks = in_blocks(crops)
        scores = np.concatenate([self._tiles.run(blocks[i : i + 64]) for i in range(0, len(blocks), 64)])
        kinds = _softmax(scores[:, :3], self._card.kind_temperature)
        return kinds, _softmax(scores[:, 3:].reshape(-1, 2, HIGHEST_END + 1), self._card.count_temperature)

    def decide(self, proposals: Proposals, kinds: Array, counts: Array,
               strength: Array | None = None) -> dict[int, Detection]:
        """What tiles there are, in the picture, by their numbers among the judged places, faces first; of two that overlap the
        one of more strength, (n,), is."""
        sure = certainty_of(kinds, counts)
        if strength is None:
            strength = sure_of_a_tile(kinds, counts) * (0.5 + 0.5 * proposals.objectness)
        faces, backs = {}, {}
        for at in non_max_suppression(proposals.corners, strength.astype(np.float32), SHARED).tolist():
            corners, objectness, back = proposals.corners[at], float(proposals.objectness[at]), float(kinds[at, 1])
            if back > kinds[at, 0] and (score := self.calibrated(back, objectness)) > SHOWN:
                backs[at] = Detection(corners, corners, UNKNOWN, True, score)
            elif kinds[at, 0] > PERHAPS:  # what is less likely to show its face is no candidate at all
                faces[at] = Detection(corners, corners, counts[at], False, self.calibrated(float(sure[at]), objectness))
        return faces | backs
