"""Why the table is believed to lie as it does: what spoke for and against each tile in the last settled picture that was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.words import say
from vision.detection import Mapping, same_face
from vision.halves import iou
from vision.observation import Array
from vision.reader import log_odds
from vision.table.belief import (
    SAME_PLACE,
    Belief,
    Evidence,
    Hypothesis,
    Place,
    became_another,
    exclude,
    hypotheses,
    infer,
    looks_as_before,
    shows_what_lay_there,
)
from vision.table.sensor import SENSOR
from vision.table.track import Track


@dataclass(frozen=True, slots=True, eq=False)
class Weighing:
    """What was weighed when a settled picture, (H, W, 3) BGR, was read. time: the frame's, seconds. belief: before it.
    to_picture: from the table to its pixels."""

    time: float
    image: NDArray[np.uint8]
    belief: Belief
    evidence: Evidence
    to_picture: Mapping


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """One tile that may lie on the table. ends: None for a back. pixels: (4, 2) its corners in the picture. known: it lay
    there before. upon: it lies on others. nats: for it, beside no tile there. share: of it among all that it excludes, and
    none. believed: whether it is. sights: nats that each sight of the place speaks for it, by itself.
    """

    ends: tuple[int, int] | None
    pixels: Array
    known: bool
    upon: bool
    nats: float
    share: float
    believed: bool
    sights: tuple[tuple[str, float], ...]


def weighed(weighing: Weighing) -> tuple[Weighed, ...]:
    """All that may be and is not as certain as the surest sight makes it, what changed first, then what is least certain."""
    belief, evidence = weighing.belief, weighing.evidence
    every = hypotheses(belief, evidence)
    after = infer(belief, evidence)[0].tiles
    told = [_weighed(each, every, _is_believed(each, after), weighing) for each in every]
    return tuple(sorted((each for each in told if abs(log_odds(each.share)) < SENSOR.most or each.known != each.believed),
                        key=lambda each: (each.known == each.believed, abs(log_odds(each.share)))))


def _is_believed(each: Hypothesis, after: Sequence[Track]) -> bool:
    """Whether such a tile lies at its place afterwards; one that slid away lies elsewhere."""
    corners = each.outlines[-1]
    shown = each.keeps[0].ends if each.place is None else each.place.detection.ends
    return any(same_face(track.ends, shown) and iou(track.corners, corners) > SAME_PLACE for track in after)


def _weighed(each: Hypothesis, every: Sequence[Hypothesis], believed: bool, weighing: Weighing) -> Weighed:
    rivals = [other.weight for other in every if other is not each and exclude(each, other)]
    share = float(np.exp(each.weight - np.logaddexp.reduce([0.0, each.weight, *rivals])))
    if each.place is None:
        track = each.keeps[0]
        place = weighing.evidence.seen.get(track.name)
        sights = () if place is None else _of_known(track, place)
        pixels = weighing.to_picture(track.corners)
        return Weighed(track.ends, pixels, True, bool(track.under), each.weight, share, believed, sights)
    detection = each.place.detection
    return Weighed(detection.ends, detection.pixels, False, bool(each.place.below), each.weight, share, believed,
                   _of_new(each.place, weighing.belief))


def _of_known(track: Track, place: Place) -> tuple[tuple[str, float], ...]:
    back = track.ends is None
    sights = [_sight(place.now.there(back), say("a tile is seen there"), say("hardly a tile is seen there"))]
    if not back:
        same = place.now.is_the_same(back, track.probabilities)
        sights.append(_sight(same, say("it reads as before"), say("it reads otherwise than before")))
    if place.change is not None:
        kept = looks_as_before(place, 0) + looks_as_before(place, 1)
        sights.append(_sight(kept, say("the picture is as it was"), say("the picture changed")))
    if place.upon is not None:
        sights.append(_sight(place.upon[0], say("its outlines lie on others"), say("its outlines do not lie on others")))
        sights.append(_sight(place.upon[1], say("they did so before"), say("they did not do so before")))
    return tuple(sights)


def _of_new(place: Place, belief: Belief) -> tuple[tuple[str, float], ...]:
    detection = place.detection
    sights = [_sight(place.now.sure(detection.back), say("it is read there"), say("it is hardly read there"))]
    if place.before is not None:
        news = -place.before.shows(detection.back, place.now.counts)
        sights.append(_sight(news, say("it was not read there before"), say("it was read there before")))
    if place.change is not None:
        alike = shows_what_lay_there(place, belief.tiles)
        anew = sum(became_another(place, half, alike[half]) for half in (0, 1))
        sights.append(_sight(anew, say("the picture changed"), say("the picture is as it was")))
    if place.upon is not None:
        sights.append(_sight(place.upon[0], say("its outlines lie on others"), say("its outlines do not lie on others")))
        sights.append(_sight(-place.upon[1], say("they did not do so before"), say("they did so before")))
    return tuple(sights)


def _sight(nats: float, speaks_for: str, speaks_against: str) -> tuple[str, float]:
    return speaks_for if nats > 0 else speaks_against, nats
