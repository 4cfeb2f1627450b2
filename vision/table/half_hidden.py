"""Stacks that lie there in the first picture: an upper tile hides a half of each of two tiles, whose other halves look out.

Tiles never come in halves. So where a half lies alone beside a tile the rest is under it; and where two tiles seem to meet
in what looks like a third, the third may lie on both. No sign is sure by itself: a joint may look like a tile, and a tile
that is hardly read like a half alone. So all are weighed together, by weights fitted on made-up tables
(`models/training/stacks.py`). What lies on others is higher, and is seen farther from the camera than it lies.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

import numpy as np

from vision.degrees import HALF, PERHAPS, PLAIN, RARELY, SELDOM, SOME
from vision.detection import Detection, middles_of, pixels_of, turned
from vision.halves import iou, overlap
from vision.observation import Array
from vision.reader import BARE, SHARED, SHOWN, UPON, Reader, certainty_of, log_odds
from vision.rectify import WIDTH, ImagePyramid
from vision.table.choosing import rectangles
from vision.table.sight import Sight
from vision.table.stacks import APART, half_outline, joints
from vision.table.the_set import OTHER_BODY, bodies_of, sizes
from vision.table.track import Track

A_TILE = PERHAPS
"""What is less surely a tile lies on none, nor under one."""

TAKEN = SOME
"""Share of a half's place that a tile found there covers, from which the half is that tile's."""

DARKEST = 0.8 + OTHER_BODY
"""How much darker than the upper tile, as a logarithm, those can be seen that lie in its shade: by the shade, and their body."""

WEIGHTS = {
    "out": {"always": -1.47, "upon": 0.96, "looks out": 0.41, "taken": -1.45, "tile": 0.17, "one whole": -0.79,
            "blank": -0.09, "shade": 0.52, "blank in shade": 0.25},
    "joint": {"always": -2.94, "upon": 0.62, "tile": 0.21, "tile flat": 0.2, "tiles below": 0.19},
}
"""How much each sign counts where a half looks out alone, and where two whole tiles meet; see `Stack`."""

_SURE = log_odds(0.0), log_odds(1.0)
ENDS_OF_SIGNS: Mapping[str, tuple[float, float]] = {
    "always": (1.0, 1.0), "looks out": _SURE, "taken": (0.0, 1.0), "tile": _SURE, "one whole": (0.0, 1.0), "blank": (0.0, 1.0),
    "shade": (0.0, DARKEST), "blank in shade": (0.0, DARKEST),
}
"""Between what each sign of a half that looks out lies; to look for one takes long, and for most nothing could speak enough."""

UPON_HALF = 0.35
"""How far off, in widths, the halves of a tile that lies on two others may lie from theirs."""

BELIEVED = 0.7
"""The log-odds from which a stack is told: a false one is worse than one that is only seen when it grows."""

ASIDE: Array = np.stack(np.meshgrid(*[np.linspace(-0.16, 0.16, 5)] * 2), axis=-1).reshape(-1, 2).astype(np.float32)
"""(n, 2) how far along and across a half may lie from where it is meant to, in widths of a tile: people do not lay by the mm."""

GLANCE = [6, 8, 12, 16, 18]
"""Those of ASIDE that are looked at first: beside most tiles there is nothing, and to look there closely takes long."""


@dataclass(frozen=True, slots=True, eq=False)
class Below:
    """A tile of which one half looks out from under another. place: (4, 2) on the table, that half first.

    sure: how surely that half is read, and counts: (16,) what it shows. taken: how surely another tile lies there instead.
    shade: how much darker than the upper tile it is, as a logarithm.
    whole: it was found as if nothing lay on it.
    """

    place: Array
    sure: float
    counts: Array
    taken: float = 0.0
    shade: float = 0.0
    whole: bool = False

    @property
    def blank(self) -> bool:
        """Whether it shows no pips, as a dark table does."""
        return int(self.counts.argmax()) == 0


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """A tile, and two that may be under it. kind: of WEIGHTS; signs: what speaks for or against it, by name.

    upon: log-odds that it lies on two others, by the outlines around it. tile: that there is one, as high as it would lie, and
    tile flat: as high as the others; tiles below: that these are tiles that nothing lies on, the less likely of them.
    """

    top: Detection
    below: tuple[Below, Below]
    kind: Literal["out", "joint"]
    signs: Mapping[str, float]

    @property
    def odds(self) -> float:
        """The log-odds that it is one."""
        return sum(WEIGHTS[self.kind][name] * sign for name, sign in self.signs.items())

    @property
    def told(self) -> Detection:
        """The upper tile, which lies there as surely as the stack does."""
        return replace(self.top, score=max(self.top.score, 1 / (1 + math.exp(-self.odds))))


@dataclass(frozen=True, slots=True, eq=False)
class _Picture:
    """What was found in a picture of the table, and by whom it is read."""

    found: Sequence[Detection]
    reader: Reader
    pyramid: ImagePyramid
    sight: Sight

    def judged(self, pixels: Array) -> tuple[Array, Array]:
        """What shows at places, (n, 4, 2) pixels, see `Reader.judge`."""
        return self.reader.judge(self.pyramid.warp_crops(pixels))

    def levels(self, pixels: Array) -> Array:
        """What their outlines show, see `Reader.levels`."""
        return self.reader.levels(self.pyramid, pixels)


def with_those_below(found: Sequence[Detection], reader: Reader, pyramid: ImagePyramid, sight: Sight) -> list[Detection]:
    """What was found, and the tiles half hidden by it; these come first, and show where they are covered what covers them.

    Without a calibration nobody knows where the halves must be; in most games no tile lies on another.
    """
    if not found or sight.units == "px" or not reader.in_play.stacked:
        return list(found)
    true = _agreeing([stack for stack in stacks(found, reader, pyramid, sight, BELIEVED) if stack.odds > BELIEVED])
    below = [each for stack in true for each in _half_hidden(stack, sight)]
    places = [half_outline(each.corners, 0) for each in below]
    tops = [stack.top.corners for stack in true]
    rest = [each for each in found if all(iou(each.corners, top) < HALF for top in tops)
            and all(overlap(each.corners, half) < TAKEN for half in places)]
    return [*below, *(stack.told for stack in true), *rest]


def stacks(found: Sequence[Detection], reader: Reader, pyramid: ImagePyramid, sight: Sight,
           least: float = -math.inf) -> list[Stack]:
    """Everything that may be a stack; least: those that cannot have such odds by the outlines alone may be left out."""
    picture = _Picture(found, reader, pyramid, sight)
    return [*_looked_out(replace(picture, found=_by_outlines(picture)), least), *_joined(picture)]


def _by_outlines(picture: _Picture) -> list[Detection]:
    """What was found, as sure as the outlines are that a tile lies there: halves side by side may read like one."""
    faces = [each for each in picture.found if not each.back]
    bare = picture.levels(pixels_of(faces))[:, BARE]
    return [*(replace(face, score=face.score * float(1 - none)) for face, none in zip(faces, bare, strict=True)),
            *(each for each in picture.found if each.back)]


def _looked_out(picture: _Picture, least: float) -> list[Stack]:
    """Every tile beside either end of which a half looks out, with the likeliest two."""
    tops = [each for each in picture.found if each.score > A_TILE and not each.back]
    upon = picture.levels(pixels_of(tops))[:, UPON].tolist()
    candidates = [(top, below, sure) for top, sure in zip(tops, upon, strict=True) if _at_best(sure) > least
                  for below in [_under(top, sure, picture)] if below]
    kinds = picture.judged(pixels_of(top for top, *_ in candidates))[0][:, 0].tolist()
    return [Stack(top, below, "out", {
        "always": 1.0, "upon": log_odds(sure), "looks out": log_odds(min(each.sure for each in below)),
        "taken": max(each.taken for each in below), "tile": log_odds(tile),
        "one whole": float(any(each.whole for each in below)),
        "blank": float(any(each.blank for each in below)), "shade": max(each.shade for each in below),
        "blank in shade": max(each.shade * each.blank for each in below),
    }) for (top, below, sure), tile in zip(candidates, kinds, strict=True)]


def _at_best(upon: float) -> float:
    """The log-odds of a half that looks out, where all but the outlines speaks for it as much as it can."""
    out = WEIGHTS["out"]
    return out["upon"] * log_odds(upon) + sum(max(out[name] * end for end in ends) for name, ends in ENDS_OF_SIGNS.items())


def _joined(picture: _Picture) -> list[Stack]:
    """Every two tiles that meet in what is read as a third, which may lie on both."""
    faces = [each for each in picture.found if each.score > A_TILE and not each.back]
    # What is in the way of two, itself not counted, lies on them.
    lying = [each for each in faces if sum(overlap(each.corners, other.corners) > SHARED / 2 for other in faces) < 3]
    meeting = joints([Track.of(at, each) for at, each in enumerate(lying)])
    if not meeting:
        return []
    places = np.stack([joint.place for joint in meeting])
    pixels = picture.sight.raised(places)
    kinds, counts = picture.judged(pixels)
    upon = picture.levels(pixels)[:, UPON]
    as_flat = picture.judged(picture.sight.to_picture(places))[0]
    below_kinds = picture.judged(pixels_of(lying))[0][:, 0]
    sure, out = certainty_of(kinds, counts), []
    for at, joint in enumerate(meeting):
        if joint.ends != tuple(counts[at].argmax(axis=1).tolist()):
            continue
        names = [track.name for track, _ in joint.halves]
        top = Detection(picture.sight.to_table(pixels[at]), pixels[at], counts[at], False, float(sure[at]))
        one, other = (_whole(lying[track.name], half) for track, half in joint.halves)
        out.append(Stack(top, (one, other), "joint", {
            "always": 1.0, "upon": log_odds(float(upon[at])), "tile": log_odds(float(kinds[at, 0])),
            "tile flat": log_odds(float(as_flat[at, 0])),
            "tiles below": log_odds(float(below_kinds[names].min())),
        }))
    return out


def _whole(tile: Detection, hidden: int) -> Below:
    """A tile that was found as if nothing lay on its one half."""
    place = tile.corners if hidden else turned(tile.corners)
    return Below(place, tile.score, tile.probabilities[1 - hidden], whole=True)


def _half_hidden(stack: Stack, sight: Sight) -> Iterator[Detection]:
    """The tiles below, each from the half that looks out to where the upper one lies; there they show what covers them."""
    lies = sight.upon(stack.top.pixels)
    size = sizes(lies[None])[0].tolist()
    for half, tile in enumerate(stack.below):
        place = rectangles(middles_of(tile.place)[:1], middles_of(lies)[half][None], (size[0], size[1]))[0]
        counts = np.stack([tile.counts, stack.top.probabilities[half]])
        yield Detection(place, sight.to_picture(place), counts, False, stack.told.score, half_hidden=True)


def _agreeing(stacks: Sequence[Stack]) -> list[Stack]:
    """Those that can all be true: a half looks out from under one tile, though others lie beside it, and is not where another
    lies on two. As many as can be."""
    left = list(stacks)
    while True:
        against = [sum(_at_odds(stack, other) for other in left if other is not stack) for stack in left]
        if not any(against):
            return left
        del left[max(range(len(left)), key=lambda at: (against[at], -left[at].odds))]


def _at_odds(one: Stack, other: Stack) -> bool:
    """Whether both are of the same half, or one lies on what looks out from under the other."""
    halves, others = ([half_outline(each.place, 0) for each in stack.below] for stack in (one, other))
    met = [*product(halves, [*others, other.top.corners]), *product(others, [one.top.corners])]
    return any(overlap(half, place) > TAKEN for half, place in met)


def _under(top: Detection, upon: float, picture: _Picture) -> tuple[Below, Below] | None:
    """The two tiles on which one may lie, by its halves; none where not both look out, or may be one tile that was missed.

    upon: how surely it lies on two, by its outlines.
    """
    lies = picture.sight.upon(top.pixels)
    length, width = sizes(lies[None])[0].tolist()
    middles = middles_of(lies)
    along = (middles[1] - middles[0]) / np.float32(max(float(np.linalg.norm(middles[1] - middles[0])), 1e-6))
    across = np.array([-along[1], along[0]], np.float32)
    seen, bare, covered = [], [], []
    for half, outward in ((0, -along), (1, along)):
        places = [rectangles((middles[half] + way * np.float32(length / 2))[None], middles[half][None], (length, width))[0]
                  for way in (outward, across, -across)]
        by_taken = [(place, _taken(place, top, picture.found)) for place in places]
        covered.append([each for each in by_taken if each[1] >= PLAIN])
        bare.append([each for each in by_taken if each[1] < PLAIN])
        whole = _found_whole(top, half, middles[half], UPON_HALF * width, picture.found)
        seen.append(whole or [*_looking_out(bare[half], top, picture)])
    for here, beyond in ((0, 1), (1, 0)):
        if not seen[here] and not all(each.whole for each in seen[beyond]):  # a half alone: the other one must be somewhere
            seen[here] = [*_looking_out(bare[here], top, picture, closely=True),
                          *_looking_out(covered[here], top, picture)]  # two stacks side by side may seem to be a tile
    pairs = [(one, other) for one, other in product(*seen) if not (one.whole and other.whole)
             if upon > PLAIN or not _may_be_one(one, other, (length, width), picture)]
    return max(pairs, key=lambda pair: math.prod(each.sure * (1 - each.taken) for each in pair), default=None)


def _may_be_one(one: Below, other: Below, size: tuple[float, float], picture: _Picture) -> bool:
    """Whether the halves of two tiles that look out may be one tile that was missed: they are that near, and not plainly none."""
    first, second = middles_of(one.place)[0], middles_of(other.place)[0]
    if np.linalg.norm(first - second) > (1 + APART) * size[0] / 2:
        return False
    place = picture.sight.to_picture(rectangles(first[None], second[None], size))
    return bool(picture.levels(place)[0, BARE] < PLAIN)


def _found_whole(top: Detection, half: int, middle: Array, reach: float, found: Sequence[Detection]) -> list[Below]:
    """The tiles that were found with a half where a half of the upper one lies, and the same number on it."""
    shown = int(top.probabilities[half].argmax())
    others = [tile for tile in found if tile is not top and not tile.back and tile.score > A_TILE]
    return [_whole(tile, side) for tile in others for side, other in enumerate(middles_of(tile.corners))
            if int(tile.probabilities[side].argmax()) == shown and np.linalg.norm(other - middle) < reach]


def _taken(place: Array, top: Detection, found: Sequence[Detection]) -> float:
    """How surely another tile lies where the first half of a place does; what is made of that and the upper one, and hardly
    read, is none.
    """
    half = half_outline(place, 0)
    return max((other.score for other in found if other is not top and other.score > SELDOM
                and overlap(half, other.corners) > TAKEN
                and (other.score > SHOWN or overlap(other.corners, top.corners) < SHARED)), default=0.0)


def _looking_out(places: Sequence[tuple[Array, float]], top: Detection, picture: _Picture,
                 closely: bool = False) -> Iterator[Below]:
    """What looks out where the first halves of some places, (4, 2) each, are, as far as it is made like the tile on it; with each
    place, how surely another tile lies there. closely: though nothing is seen at first.

    The other half is hidden and must not be read with it: in its stead stands the same half once more, turned.
    """
    pyramid, to_picture = picture.pyramid, picture.sight.to_picture
    for place, taken in places:
        (body, _), upper = bodies_of(pyramid, pyramid.warp_crops(np.stack([to_picture(place), top.pixels])))
        if not _of_one_make(body, upper):
            continue
        along, across = (place[2] - place[1]) / 2, place[0] - place[1]
        around = place + (ASIDE @ np.stack([along, across]))[:, None]
        cuts = to_picture(around)
        if not closely and _shown(cuts[GLANCE], picture).max() < RARELY:
            continue
        shown = _shown(cuts, picture)
        best = int(shown.max(axis=1).argmax())
        sure, shade = float(shown[best].max()), max(0.0, float((upper - body).mean(axis=1).min()))
        if sure > RARELY:
            yield Below(around[best], sure, shown[best] / shown[best].sum(), taken, shade)


def _shown(cuts: Array, picture: _Picture) -> Array:
    """(n, 16) how likely so many pips show in the first half of tiles at these places, (n, 4, 2) pixels; the rest is nothing.

    It is read with itself, turned, in the other's stead. What looks like a back then is a blank: neither has pips or a bar.
    """
    doubles = picture.pyramid.warp_crops(cuts)
    doubles[:, :, WIDTH // 2 :] = doubles[:, ::-1, ::-1][:, :, WIDTH // 2 :]
    kinds, counts = picture.reader.judge(doubles)
    out: Array = kinds[:, :1] * counts.min(axis=1)
    out[:, 0] += kinds[:, 1]
    return out


def _of_one_make(half: Array, top: Array) -> bool:
    """Whether a half's body, (3,), is of the colour of the tile's upon it, (2, 3), or darker by no more than its shade makes it:
    a bare cell of a board reads as a blank.
    """
    off = half - top
    light = off.mean(axis=1)
    tint = np.abs(off - light[:, None]).max(axis=1)
    return bool(((tint < OTHER_BODY) & (light < OTHER_BODY) & (light > -DARKEST)).any())
