"""The boneyard remembered tile by tile: what lay there and was not touched lies there still, whether it is seen or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import dist, inf, log

import cv2
import numpy as np

from referee.geometry import BESIDE
from referee.readers.heap import Heap, strip
from referee.reading import RARE, Count
from referee.setting import Point, Setting
from vision.degrees import EVEN, nats_against
from vision.observation import Array, Observation
from vision.reader import log_odds
from vision.table.sensor import SENSOR

NOTICED = 2.0
"""Whatever was taken is missed within so many seconds after the table came to rest."""

PASSING = nats_against(EVEN)
"""Nats against a pass where the boneyard is empty: about every second turn then is one."""


@dataclass(frozen=True, slots=True)
class Bone:
    """A tile of the boneyard. seen: by the last look. taken: where a hand may have taken it, or it was touched while nobody knew
    whether it lay there, the nats that it was; None otherwise.

    touched: when the table came to rest after a hand had last been there, and left something otherwise.
    """

    place: Point
    seen: bool = True
    taken: float | None = None
    touched: float = -inf


@dataclass(frozen=True, slots=True)
class Boneyard:
    """What is known of it after every settled look at the table.

    overlooked: how many tiles lie there that no look has shown; below 0 where looks show more than there are.
    swept: where anything moved before the table came to its present rest; since: when it came to that. touched: hands were in
    the boneyard before this rest, and changed: what they did was seen, there or elsewhere; groped: before earlier rests it was
    not. altered: something there looks otherwise than at the rest before, and nobody knows why. opened: tracks of the tiles
    that lay face up in the last look. left: places of tiles that were taken. unknown: it was never looked at yet. story: what
    the game had told when it was last looked at.
    """

    bones: tuple[Bone, ...] = ()
    overlooked: int = 0
    swept: tuple[Array, ...] | None = None
    since: float = 0.0
    touched: bool = False
    changed: bool = False
    groped: bool = False
    owed: int = 0
    altered: bool = True
    opened: frozenset[int] = frozenset()
    left: tuple[Point, ...] = ()
    unknown: bool = True
    story: object = None

    @property
    def places(self) -> list[Point]:
        """Where its tiles lie."""
        return [bone.place for bone in self.bones]

    def dealt(self, due: int) -> Boneyard:
        """Nothing has been drawn yet: so many tiles lie there."""
        bones = tuple(bone for bone in self.bones if bone.seen)
        return replace(self, bones=bones, overlooked=due - len(bones), groped=False, owed=0, touched=False, left=())

    def see(self, down: Sequence[Point], seen: Observation, half: float) -> Boneyard:
        """After one more look: the middles of the tiles that it shows. half: the side of half a tile, in the same units."""
        rested = self if seen.rests_as(self.swept) else replace(
            self, groped=self._maybe_groped, swept=seen.swept, since=seen.time, touched=False, changed=False)
        faces = frozenset(tile.track for tile in seen.tiles if tile.ends is not None)
        altered = any(_near(self.places, seen.unexplained, BESIDE * half))
        touched, changed = rested.touched, rested.changed or faces != self.opened
        bones, missed, left = [], [], list(self.left)
        places = _paired(self.bones, down, half)
        all_touched = _near(self.places, rested.swept, half / 2)  # so near to its middle must have moved what touched a tile
        # nats that a hand that touched so many tiles and took one has taken this one, by how it looks since
        among = log(max(1, sum(all_touched)))
        doubtful = {tile.center: -SENSOR.go - log_odds(tile.score) - among for tile in seen.tiles if tile.doubtful}
        all_altered = _near(self.places, seen.altered, half)  # of one that has gone more looks otherwise than its edges
        for number, (bone, near, otherwise) in enumerate(zip(self.bones, all_touched, all_altered, strict=True)):
            last = rested.since if near and otherwise else bone.touched
            touched |= near
            if number in places:
                at = down[places[number]]
                looks = doubtful.get(at)
                bones.append(Bone(at, taken=looks if near or looks is None else bone.taken, touched=last))
            elif bone.seen and seen.time - last < NOTICED:
                changed = True
                left.append(bone.place)
            else:
                missed.append((bone, near))
        # those that go now may be those that were told to be drawn; of several all but one may have been seen where none lay
        gone = len(left) - len(self.left)
        owed = min(gone, self.owed)
        overlooked = self.overlooked + max(0, min(-self.overlooked, max(owed, gone - 1)))
        bones += [Bone(bone.place, False, -RARE if bone.taken is None and near and altered and not changed else bone.taken)
                  for bone, near in missed]
        # what hands may have taken, and have by what was told since, may seem to lie there still
        fresh = [point for at, point in enumerate(down) if at not in places.values() and point not in doubtful]
        for point, near in zip(fresh, _near(fresh, rested.swept, half / 2), strict=True):
            back = any(dist(point, place) < half for place in left)
            if (overlooked > 0 and not back) or not near:
                overlooked -= 1  # nobody has put it there: it lay there all the time
            bones.append(Bone(point))
        # in the midst of a game, after a restart: what happened meanwhile nobody saw
        return replace(rested, bones=tuple(bones), overlooked=overlooked, touched=touched, changed=changed, altered=altered,
                       groped=rested.groped or self.unknown, opened=faces, left=tuple(left), unknown=False, owed=self.owed - owed)

    def go_on(self, story: object, count: int) -> Boneyard:
        """What the game has told by now, and how many tiles lie there by it: what is known of the tiles is brought in line.

        Call it before the next look, which may show what was done after that.
        """
        if story is self.story:
            return self
        less = len(self.bones) + self.overlooked - count
        doubtful = sorted((bone for bone in self.bones if bone.taken is not None), key=lambda bone: -(bone.taken or 0.0))
        taken = doubtful[: max(0, less)]
        bones = tuple(replace(bone, taken=None) for bone in self.bones if bone not in taken)
        overlooked = self.overlooked - (less - len(taken))
        owed = self.owed + min(less - len(taken), -overlooked) if overlooked < 0 < less else 0
        return replace(self, story=story, bones=bones, overlooked=overlooked, owed=owed, groped=False, touched=False)

    @property
    def _maybe_groped(self) -> bool:
        """Whether something may have been taken that no look has shown: something looks otherwise, and nothing explains it."""
        return self.groped or (self.touched and self.altered and not self.changed)

    def count(self) -> Count:
        """How many tiles lie there, and how many of them may have been taken without that it could be seen."""
        maybe = tuple(bone.taken for bone in self.bones if bone.taken is not None)
        groped = (-RARE,) * self.overlooked if self._maybe_groped else ()
        return Count(len(self.bones) + self.overlooked, maybe=maybe + groped, gone=self.left[-1] if self.left else None)


@dataclass(frozen=True, slots=True)
class Bones:
    """What is remembered of the tiles that lie face down: which of them are the boneyard's, and each of these."""

    heap: Heap = field(default_factory=Heap)
    boneyard: Boneyard = field(default_factory=Boneyard)

    @property
    def places(self) -> list[Point]:
        """Where the boneyard's tiles lie."""
        return self.boneyard.places

    def see(self, down: Sequence[Point], seen: Observation, setting: Setting, half: float, due: int, story: object,
            dealing: bool = False, begun: bool = False) -> tuple[dict[str, Count], Bones]:
        """After one more look: how many the boneyard has, and hands that people let lie face down at the edge.

        due: how many the boneyard should have, by what the game has told, its `story`. dealing: the tiles are just dealt;
        begun: some lie open already, and others may have been drawn.
        """
        heap = self.heap.seen(setting, down, due, dealing)
        lying = heap.lying(setting, down, half)
        strips = [strip(setting, point) for point in down if point not in lying]
        counts = {f"hand {seat}": Count(strips.count(seat), PASSING) for seat in range(len(setting.seats)) if seat in strips}
        boneyard = (self.boneyard if dealing else self.boneyard.go_on(story, due)).see(lying, seen, half)
        count = boneyard.count()
        if dealing and not begun:
            boneyard, count = boneyard.dealt(due), Count(len(lying))
        return {"boneyard": count} | counts, Bones(heap, boneyard)


def _paired(bones: Sequence[Bone], points: Sequence[Point], reach: float) -> dict[int, int]:
    """Which tile is seen at which point: the closest first, so that one that was taken is not seen in its neighbour."""
    lay, lie = (np.array(each, np.float64).reshape(-1, 2) for each in ([bone.place for bone in bones], points))
    away = np.linalg.norm(lay[:, None] - lie[None], axis=2)
    apart = sorted((float(away[bone, at]), bone, at) for bone, at in np.argwhere(away < reach).tolist())
    pairs: dict[int, int] = {}
    for _, bone, at in apart:
        if bone not in pairs and at not in pairs.values():
            pairs[bone] = at
    return pairs


def _near(places: Sequence[Point], outlines: tuple[Array, ...] | None, reach: float) -> list[bool]:
    """Of each place whether it lies in one of these outlines or no farther than this from it; where nobody knows them it may."""
    near = [outlines is None] * len(places)
    points = np.array(places, np.float32).reshape(-1, 2)
    for outline in (np.asarray(each, np.float32) for each in outlines or ()):
        beside = ((points >= outline.min(axis=0) - reach) & (points <= outline.max(axis=0) + reach)).all(axis=1)
        for at in np.flatnonzero(beside).tolist():  # of most outlines few are so near
            near[at] = near[at] or cv2.pointPolygonTest(outline, places[at], True) > -reach
    return near
