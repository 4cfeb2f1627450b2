"""Which of the places where tiles may lie hold tiles, once it is known how large the tiles of the set are.

The detector finds halves and pairs those that point at each other. Where tiles touch, halves of two tiles point at each
other too, and corners are rough. With a known size every place becomes an exact rectangle, and where a reading leaves
doubts the halves around it are paired anew, in every way that makes a tile of that size.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.degrees import EVEN, HALF, LIKELY, NEARLY_ALL, PLAIN, SELDOM, SOME
from vision.detection import Detection, Mapping, middles_of, placed
from vision.halves import NOTHING, Proposals, iou, join, lie_on, non_max_suppression
from vision.observation import Array
from vision.reader import SHARED, Reader
from vision.rectify import ImagePyramid
from vision.table.place_hypotheses import NONE_KNOWN, PlaceHypotheses
from vision.table.the_set import TheSet, sizes

Box = tuple[float, float, float, float]

SAME_SHAPE = 1.5
"""Tiles of one set differ by no more than this in what is seen of their length over their width."""

WITH_SIDES = 1.35
"""Tiles whose sides are seen look larger by no more than this."""

WITH_FRAME = 1.5
"""Tiles on whose backs something is drawn, which is taken for their outline, look smaller by no more than this."""

STRETCH = 0.15
"""By how much the middles of a tile's halves may seem closer together or farther apart than they are."""

MOST_PAIRS = 60
"""Of halves paired anew, in one look."""


def rectangles(first: Array, second: Array, size: tuple[float, float]) -> Array:
    """(n, 4, 2) corners of tiles of this length and width whose halves' middles lie on these lines, (n, 2) each."""
    middle, along = (first + second) / 2, second - first
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), np.float32(1e-6))
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    length, width = np.float32(size[0] / 2), np.float32(size[1] / 2)
    along, across = length * along, width * across
    ends = middle - along + across, middle - along - across, middle + along - across, middle + along + across
    return np.stack(ends, axis=1).astype(np.float32)


def without_sides(corners: Array, lean: Array, size: tuple[float, float]) -> Array:
    """(n, 4, 2) what was taken for tiles, (n, 4, 2) on the table, without what of it are the sides below their faces.

    lean: (n, 2) where a tile's face seems to lie there, beside its foot. What is longer or wider than a tile's face is cut by
    no more than that, where the foot is seen: black sides below black faces look like one.
    """
    faces = corners.copy()
    for length, start, end in ((size[0], (0, 1), (2, 3)), (size[1], (1, 2), (0, 3))):
        reach = faces[:, end].mean(axis=1) - faces[:, start].mean(axis=1)
        seen = np.maximum(np.linalg.norm(reach, axis=1, keepdims=True), np.float32(1e-6))
        leaning = (lean * reach / seen).sum(axis=1, keepdims=True)
        cut = (reach / seen * np.clip(seen - length, 0, np.abs(leaning)))[:, None]
        faces[:, start] += np.where(leaning[:, None] > 0, cut, 0)
        faces[:, end] -= np.where(leaning[:, None] > 0, 0, cut)
    return faces


def of_a_size(corners: Array, size: tuple[float, float]) -> NDArray[np.bool_]:
    """(n,) whether tiles of this length and width may look like these corners on the table."""
    seen = np.maximum(sizes(corners), 1e-3)
    half = np.sqrt(seen.prod(axis=1) / (size[0] * size[1]))
    slim = seen[:, 0] / seen[:, 1] / (size[0] / size[1])
    return np.asarray((half > 1 / WITH_FRAME) & (half < WITH_SIDES) & (np.abs(np.log(slim)) < np.log(SAME_SHAPE)))


def chosen(reader: Reader, pyramid: ImagePyramid, found: Proposals, the_set: TheSet, to_table: Mapping,
           to_picture: Mapping, known: Array = NONE_KNOWN, cells: Array = NONE_KNOWN,
           ) -> tuple[list[Detection], list[Detection]]:
    """The tiles at the places found on the table, once the size of the set's is known.

    known: (m, 4, 2) open tiles that lay there before and look as they did; cells: (k, 4, 2) where a game knows that tiles may
    lie: they are tried, whatever is found there comes before them, and they count for no more than they are read.
    """
    size = the_set.size
    assert size is not None
    found = join([found, _as_strong(known, EVEN), _as_strong(cells, SELDOM)])  # a tile known there is one by itself
    middles, by_sight = middles_of(found.corners), len(found.objectness) - len(cells)
    fits = of_a_size(found.corners, size)
    if not fits.any():
        return [], []
    exact = rectangles(middles[fits, 0], middles[fits, 1], size)
    # A cell lies as it must: what is found askew across it is no better place for the same tile.
    tried = np.arange(len(middles))[fits] >= by_sight
    kept = np.flatnonzero(~tried)[non_max_suppression(exact[~tried], found.objectness[fits][~tried], HALF, iou)]
    fresh = [at for at in np.flatnonzero(tried) if not any(iou(exact[at], exact[other]) > NEARLY_ALL for other in kept)]
    kept = np.array([*kept, *fresh], np.int64)
    exact, objectness = exact[kept], found.objectness[fits][kept]
    read = PlaceHypotheses.of(reader, pyramid, Proposals(to_picture(exact), objectness), the_set)
    bare = read.bare(reader, pyramid, to_picture(known))
    judged = read.by_outlines(bare)
    copies = reader.in_play.copies
    standing = judged.standing(copies)
    lying = judged.take(standing)
    doubted = ~read.backs & (read.certainty > PLAIN) & (bare > PLAIN)
    if len(found.objectness) > 1 or doubted.any():  # the halves of one are paired already
        sure = to_table(lying.places.corners[(lying.certainty > PLAIN) & ~doubted[standing]])
        sure = np.concatenate([known, sure[~lie_on(sure, known, SHARED)]])  # what would lie on a known one is of other halves
        more = _paired_anew(middles[:by_sight].reshape(-1, 2), np.repeat(found.objectness[:by_sight], 2), sure, exact, size)
        if len(more.objectness):
            anew = replace(more, corners=to_picture(more.corners))
            judged = read.and_also(PlaceHypotheses.of(reader, pyramid, anew, the_set))
            judged = judged.by_outlines(judged.bare(reader, pyramid))
            lying = judged.take(judged.standing(copies))
    lying = lying.looked_again(reader, pyramid, the_set)
    plain = lying.certainty > PLAIN
    the_set.remember(lying.bodies[plain], lying.backs[plain])
    likely = judged.take(judged.kinds[:, 2] < PLAIN)
    return _seen(reader, lying, to_table), [*lying.sightings(reader, to_table), *likely.sightings(reader, to_table)]


def _as_strong(places: Array, strength: float) -> Proposals:
    """Proposals of this strength at these places, (n, 4, 2)."""
    return Proposals(places, np.full(len(places), strength, np.float32))


def _seen(reader: Reader, level: PlaceHypotheses, to_table: Mapping) -> list[Detection]:
    """What lies at judged places; what surely is a tile is told however it is read: its probabilities say what is known of it."""
    seen = reader.decide(level.places, level.kinds, level.counts, level.strength)
    surely = (1 - level.kinds[:, 2] >= PLAIN) & (level.places.objectness >= EVEN)
    return placed([replace(each, score=max(each.score, LIKELY)) if surely[at] else each for at, each in seen.items()], to_table)


def _paired_anew(middles: Array, objectness: Array, lying: Array, known: Array, size: tuple[float, float]) -> Proposals:
    """Tiles of halves that lie as far apart as those of one tile, where one of them is in no tile read surely.

    middles: (n, 2) of halves. lying, known: (m, 4, 2) corners of tiles read surely, and of those judged already.
    """
    apart, half = size[0] / 2, float(np.sqrt(size[0] * size[1] / 2))
    single = _one_each(middles, objectness, SOME * half)  # halves that near to one another are one
    middles, objectness = middles[single], objectness[single]
    loose = _distances(middles, middles_of(lying).reshape(-1, 2)).min(axis=1, initial=np.inf) > SOME * half
    if not loose.any():
        return NOTHING
    off = np.abs(_distances(middles, middles) / apart - 1)
    first, second = np.nonzero(np.triu((off < STRETCH) & (loose[:, None] | loose[None]), 1))
    together = np.sqrt(objectness[first] * objectness[second])
    best = np.argsort(-together, kind="stable")[:MOST_PAIRS]
    first, second, together = first[best], second[best], together[best]
    corners = rectangles(middles[first], middles[second], size)
    near = _distances(corners.mean(axis=1), known.mean(axis=1)) < half
    fresh = np.array([not any(iou(known[other], tile) > NEARLY_ALL for other in np.flatnonzero(beside))
                      for tile, beside in zip(corners, near, strict=True)], np.bool_)
    return Proposals(corners[fresh], together[fresh].astype(np.float32))


def _one_each(middles: Array, objectness: Array, near: float) -> NDArray[np.int64]:
    """Which halves to keep, hottest first, so that no two lie nearer to one another than this."""
    close = np.abs(middles[:, None] - middles[None]).max(axis=2, initial=0.0) <= near
    free = np.ones(len(middles), np.bool_)
    kept: list[int] = []
    for at in np.argsort(-objectness, kind="stable"):
        if free[at]:
            kept.append(int(at))
            free &= ~close[at]
    return np.array(kept, np.int64)


def _distances(first: Array, second: Array) -> Array:
    """(n, m) how far these points, (n, 2) and (m, 2), lie apart."""
    return np.asarray(np.linalg.norm(first[:, None] - second[None], axis=2))
