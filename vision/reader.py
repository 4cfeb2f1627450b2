"""The reader: a photograph in, its tiles out. Finds the scale by itself, then reads every tile from the full picture."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from engine.pieces import TileSet
from vision.halves import Proposals, find_halves, join, likeness, pair_halves, strongest
from vision.reading import HIGHEST_END, FaceDownTile, Reading, ReadTile
from vision.straighten import Album

Image = NDArray[np.uint8]
Array = NDArray[np.float32]

MODELS = Path(__file__).resolve().parent.parent / "models"

FIRST_LOOK = 640
"""Longer side of the first, small picture that is searched, pixels."""

GOOD_HALF = 30.0
"""Width of a half, in pixels, at which the detector is at its best."""

COMFORT = 19.0
"""Halves wider than this in the first look need no closer look, pixels."""

VERY_SMALL = 0.4
"""The picture is searched at this part of the first look's size, too, for tiles that fill the photo."""

CLEAR = 0.4
"""Heat of proposals that tell how wide the halves are."""

MOST_PIXELS = 2_400_000
"""The largest picture that is ever searched, pixels."""

LOWEST_HEAT = 0.15
"""Halves fainter than this are not followed."""

ALONE = 0.35
"""A half hotter than this may stand for a tile whose other half was missed."""

SAME = 0.5
"""Proposals of two looks more alike than this are one tile."""

MOST_PROPOSALS = 150
"""Of one look; the largest sets have 136 tiles."""

SHARED = 0.25
"""Of two tiles that share more than this of the smaller one, only one is real."""

LOOK_AGAIN_BELOW = 0.9
"""Tiles less certain than this are cut out and read several times."""

MOST_UNSURE = 40

REAL = 0.5
"""What is less likely than this to be a tile that shows its face is not reported."""

SHOWN = 0.25
"""A tile whose two ends are less certain than this is not reported either."""


@dataclass(frozen=True, slots=True)
class Card:
    """What `models/reader.json` says: the version, and what makes the probabilities and scores honest."""

    version: str
    kind_temperature: float
    count_temperature: float
    score_slope: float
    score_offset: float

    def honest(self, certainty: float) -> float:
        """The share of readings this certain that are right (log odds, straightened)."""
        p = min(max(certainty, 1e-4), 1 - 1e-4)
        return 1 / (1 + math.exp(-self.score_slope * math.log(p / (1 - p)) - self.score_offset))


@dataclass(slots=True)
class _Clock:
    """Times of the stages, in milliseconds."""

    stages: dict[str, float] = field(default_factory=dict)
    last: float = field(default_factory=time.perf_counter)

    def stage(self, name: str) -> None:
        now = time.perf_counter()
        self.stages[name] = self.stages.get(name, 0.0) + 1000 * (now - self.last)
        self.last = now


def _session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    if not path.is_file():
        raise FileNotFoundError(f"The model file {path.name} is missing from {path.parent}: install Kibitz again.")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _softmax(scores: Array, temperature: float) -> Array:
    scaled = scores / temperature
    scaled -= scaled.max(axis=-1, keepdims=True)
    odds = np.exp(scaled)
    out: Array = odds / odds.sum(axis=-1, keepdims=True)
    return out


def upright_turns(image: Image) -> int:
    """Quarter turns, clockwise, that bring the brightest quarter of a photo to its upper left.

    The reader works on the photo turned that way, so that it reads the same tiles however the camera was held.
    """
    height, width = image.shape[0] // 2, image.shape[1] // 2
    quarters = (image[:height, :width], image[-height:, :width], image[-height:, -width:], image[:height, -width:])
    return int(np.argmax([sum(cv2.sumElems(q)[:3]) if q.size else 0.0 for q in quarters]))


_TURNS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}


def _turned(image: Image, turns: int) -> Image:
    return np.asarray(cv2.rotate(image, _TURNS[turns]), np.uint8) if turns else image


def _turned_back(corners: Array, shape: tuple[int, ...], turns: int) -> Array:
    """Corners in a photo of `shape` that was turned clockwise `turns` times, as they lay before."""
    height, width = shape[:2]
    for _ in range(turns):  # one turn counter-clockwise: the upper edge becomes the left one
        corners = np.stack([corners[..., 1], width - corners[..., 0]], axis=-1)
        height, width = width, height
    return corners


def _typical(sides: Array) -> float:
    """The median side where wide tiles weigh more: small things that look like tiles are many, and seldom tiles."""
    order = np.sort(sides)
    return float(order[np.searchsorted(np.cumsum(order), order.sum() / 2)])


class Finder:
    """Proposes where tiles lie; `model` is the detector's file."""

    def __init__(self, model: Path, threads: int) -> None:
        self._session = _session(model, threads)

    def look(self, image: Image, scale: float) -> Proposals:
        """Search the photo resized by `scale`; the proposals are in pixels of the photo."""
        height, width = image.shape[:2]
        scale = min(scale, 2.0, float(np.sqrt(MOST_PIXELS / (height * width))))
        small = (max(16, round(width * scale)), max(16, round(height * scale)))
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        picture = image if small == (width, height) else cv2.resize(image, small, interpolation=method)
        picture = cv2.copyMakeBorder(picture, 0, -small[1] % 32, 0, -small[0] % 32, cv2.BORDER_CONSTANT)
        maps = self._session.run(None, {"picture": picture[None]})[0][0]
        found = pair_halves(find_halves(maps, LOWEST_HEAT), ALONE)
        found = found.take(np.argsort(-found.heat, kind="stable")[:MOST_PROPOSALS])
        back = np.array([width / small[0], height / small[1]], np.float32)
        return Proposals(found.corners * back, found.heat, found.kind)

    def search(self, image: Image) -> Proposals:
        """A very small look, a small one, and a closer one where the tiles seen are too small for it."""
        longest = max(image.shape[:2])
        first = min(FIRST_LOOK / longest, 2.0)
        looks = [self.look(image, first * VERY_SMALL), self.look(image, first)]
        seen = join(looks)
        seen = seen.take(seen.heat > CLEAR)
        if len(seen.heat):
            typical = _typical(seen.side) * first  # half's width in the first look
            if typical < COMFORT:
                looks.append(self.look(image, first * GOOD_HALF / typical))
        else:
            looks.append(self.look(image, first * 2.2))
        found = join(looks)
        preferred = found.heat + 0.3 * np.repeat(np.arange(len(looks)), [len(p.heat) for p in looks])
        return found.take(strongest(found.corners, preferred.astype(np.float32), SAME, likeness))


def _certainty(kinds: Array, counts: Array) -> Array:
    """(n,) probability that a tile lies there face up and both its ends are read right."""
    out: Array = kinds[:, 0] * counts.max(axis=-1).prod(axis=-1)
    return out


class Reader:
    """Reads photographs. One reader serves many threads; the same photo always gives the same answer.

    threads: processor threads of the networks. models: folder with `halves.onnx`, `tiles.onnx`, `reader.json`.
    Raises FileNotFoundError where a model file is missing.
    """

    def __init__(self, threads: int = 2, models: Path | None = None) -> None:
        folder = models or MODELS
        self._finder = Finder(folder / "halves.onnx", threads)
        self._tiles = _session(folder / "tiles.onnx", threads)
        self._card = Card(**json.loads((folder / "reader.json").read_text()))

    @property
    def version(self) -> str:
        """Version of the trained models."""
        return self._card.version

    def read(self, image: Image, tile_set: TileSet | None = None) -> Reading:
        """Every tile in an upright photo, (h, w, 3) uint8 BGR; `tile_set` limits what the ends may be."""
        clock = _Clock()
        turns = upright_turns(image)
        image = _turned(image, turns)
        proposals = self._finder.search(image)
        clock.stage("find")
        album = Album(image)
        kinds, counts = self._read_tiles(album, proposals.corners, clock)
        unsure = np.flatnonzero((1 - kinds[:, 2] > 0.1) & (_certainty(kinds, counts) < LOOK_AGAIN_BELOW))[:MOST_UNSURE]
        if len(unsure):
            again = self._look_again(album, proposals.corners[unsure], kinds[unsure], counts[unsure], clock)
            kinds[unsure], counts[unsure] = again
        corners = _turned_back(proposals.corners, image.shape, turns)
        tiles, facedown = self._decide(Proposals(corners, proposals.heat, proposals.kind), kinds, counts, tile_set)
        clock.stage("decide")
        size = image.shape[1::-1] if turns % 2 == 0 else image.shape[:2]
        return Reading(tiles, facedown, (size[0], size[1]), clock.stages)

    def _read_tiles(self, album: Album, corners: Array, clock: _Clock) -> tuple[Array, Array]:
        """Probabilities of the kinds, (n, 3): face, back, nothing; and of each half's pips, (n, 2, 16).

        Every tile is read from both its ends, and the two readings are averaged.
        """
        if len(corners) == 0:
            return np.zeros((0, 3), np.float32), np.zeros((0, 2, HIGHEST_END + 1), np.float32)
        crops = album.straight(corners)
        clock.stage("straighten")
        both = np.concatenate([crops, crops[:, ::-1, ::-1]])
        scores = np.concatenate([self._tiles.run(None, {"tiles": both[i : i + 64]})[0] for i in range(0, len(both), 64)])
        kinds = _softmax(scores[:, :3], self._card.kind_temperature)
        counts = _softmax(scores[:, 3:].reshape(-1, 2, HIGHEST_END + 1), self._card.count_temperature)
        clock.stage("read")
        size = len(crops)
        return (kinds[:size] + kinds[size:]) / 2, (counts[:size] + counts[size:, ::-1]) / 2

    def _look_again(self, album: Album, corners: Array, kinds: Array, counts: Array, clock: _Clock) -> tuple[Array, Array]:
        """The same for unsure tiles, averaged over cuts a little larger, smaller and to the sides."""
        middle = corners.mean(axis=1, keepdims=True)
        along, across = (corners[:, 2:3] - corners[:, 1:2]) / 2, corners[:, 0:1] - corners[:, 1:2]
        cuts = [middle + (corners - middle) * 1.06, middle + (corners - middle) * 0.95, corners + 0.05 * along,
                corners - 0.05 * along, corners + 0.05 * across, corners - 0.05 * across]
        again_kinds, again_counts = self._read_tiles(album, np.concatenate(cuts).astype(np.float32), clock)
        times = len(cuts)
        mean_kinds: Array = (kinds + again_kinds.reshape(times, *kinds.shape).sum(axis=0)) / np.float32(times + 1)
        mean_counts: Array = (counts + again_counts.reshape(times, *counts.shape).sum(axis=0)) / np.float32(times + 1)
        return mean_kinds, mean_counts

    def _decide(self, proposals: Proposals, kinds: Array, counts: Array,
                tile_set: TileSet | None) -> tuple[tuple[ReadTile, ...], tuple[FaceDownTile, ...]]:
        """Choose among overlapping proposals and name what is left."""
        if tile_set is not None:
            counts = counts.copy()
            counts[..., tile_set.highest + 1 :] = 0
            counts /= np.maximum(counts.sum(axis=-1, keepdims=True), 1e-9)
        sure = _certainty(kinds, counts)
        strength = np.maximum(sure, kinds[:, 1]) * (0.5 + 0.5 * proposals.heat)
        tiles, facedown = [], []
        for index in strongest(proposals.corners, strength.astype(np.float32), SHARED):
            corners = proposals.corners[index]
            if kinds[index, 1] > REAL:
                facedown.append(FaceDownTile(float(kinds[index, 1]), corners))
            elif kinds[index, 0] > REAL and sure[index] > SHOWN:
                first, second = (int(end) for end in counts[index].argmax(axis=-1))
                score = self._card.honest(float(sure[index]))
                tiles.append(ReadTile((first, second), score, corners, counts[index]))
        return tuple(tiles), tuple(facedown)
