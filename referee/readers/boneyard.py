"""The boneyard remembered tile by tile: what lay there and was not touched lies there still, whether it is seen or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf

import cv2
import numpy as np

from referee.geometry import distance
from referee.reading import Count
from referee.setting import Point
from vision.observation import Array, Observation

SURE = 5.0
"""Nats against the count being off by one."""

TOUCHED = 0.5
"""How near to the middle of a tile, in halves, something must have moved to have touched it."""

CHANGED = 1.0
"""How near to the middle of a tile, in halves, something must look otherwise for it to have gone: often its edges alone do."""

BESIDE = 4.0
"""An overlooked tile lies no farther than this from one that is seen, in halves."""

NOTICED = 2.0
"""Whatever was taken is missed within so many seconds after the table came to rest."""


@dataclass(frozen=True, slots=True)
class Bone:
    """A tile of the boneyard. seen: by the last look. doubtful: it was touched while nobody knew whether it lay there.

    touched: when the table came to rest after a hand had last been there, and left something otherwise.
    """

    place: Point
    seen: bool = True
    doubtful: bool = False
    touched: float = -inf


@dataclass
class Boneyard:
    """Fed with every settled look at the table.

    overlooked: how many tiles lie there that no look has shown; below 0 where looks show more than there are.
    """

    bones: list[Bone] = field(default_factory=list)
    overlooked: int = 0
    _swept: tuple[Array, ...] | None = None  # where anything moved before the table came to its present rest
    _since: float = 0.0  # when it came to that rest
    _touched: bool = False  # hands were in the boneyard before this rest,
    _changed: bool = False  # and what they did was seen, there or elsewhere
    _groped: bool = False  # before earlier rests it was not
    _altered: bool = True  # something there looks otherwise than at the rest before, and nobody knows why
    _open: frozenset[int] = frozenset()  # tracks of the tiles that lie face up, in the last look
    _unknown: bool = True  # never looked at yet
    _left: list[Point] = field(default_factory=list)  # places of tiles that were taken
    _story: object = None  # what the game has told when it was last looked at

    def dealt(self, due: int) -> None:
        """Nothing has been drawn yet: so many tiles lie there."""
        self.bones = [bone for bone in self.bones if bone.seen]
        self.overlooked = due - len(self.bones)
        self._groped = self._touched = False
        self._left = []

    def see(self, down: Sequence[Point], seen: Observation, half: float) -> None:
        """Take one look: the middles of the tiles that it shows. half: the side of half a tile, in the same units."""
        if seen.swept is None or not _same(seen.swept, self._swept):
            self._groped = self._maybe_groped
            self._swept, self._since, self._touched, self._changed = seen.swept, seen.time, False, False
        bones_at = [bone.place for bone in self.bones]
        self._altered = any(_near(bones_at, seen.unexplained, BESIDE * half))
        faces = frozenset(tile.track for tile in seen.tiles if tile.ends is not None)
        self._changed |= faces != self._open
        self._open = faces
        bones, missed = [], []
        places = _paired(self.bones, down, half)
        left = [point for at, point in enumerate(down) if at not in places.values()]
        taken = len(self._left)
        all_touched, all_altered = self._were_touched(bones_at, half), _near(bones_at, seen.altered, CHANGED * half)
        for number, (bone, touched, altered) in enumerate(zip(self.bones, all_touched, all_altered, strict=True)):
            last = self._since if touched and altered else bone.touched
            self._touched |= touched
            if number in places:
                bones.append(Bone(down[places[number]], touched=last))
            elif bone.seen and seen.time - last < NOTICED:
                self._changed = True
                self._left.append(bone.place)
            else:
                missed.append((bone, touched))
        # of several that go at once all but one may be those that had gone by what was told, and were seen all the same
        self.overlooked += max(0, min(-self.overlooked, len(self._left) - taken - 1))
        bones += [Bone(bone.place, False, bone.doubtful or (touched and self._unseen_deed)) for bone, touched in missed]
        for point, touched in zip(left, self._were_touched(left, half), strict=True):
            back = any(distance(point, place) < half for place in self._left)
            if (self.overlooked > 0 and not back) or not touched:
                self.overlooked -= 1  # nobody has put it there: it lay there all the time
            bones.append(Bone(point))
        self.bones = bones
        if self._unknown:  # in the midst of a game, after a restart: what happened meanwhile nobody saw
            self._unknown, self._groped = False, True

    def go_on(self, story: object, count: int) -> None:
        """What the game has told by now, and how many tiles lie there by it: what is known of the tiles is brought in line.

        Call it before the next look, which may show what was done after that.
        """
        if story is self._story:
            return
        self._story = story
        less = len(self.bones) + self.overlooked - count
        bones = []
        for bone in self.bones:
            if bone.doubtful and less > 0:
                less -= 1
            else:
                bones.append(replace(bone, doubtful=False))
        self.bones = bones
        self.overlooked -= less
        self._groped = self._touched = False

    @property
    def _maybe_groped(self) -> bool:
        return self._groped or (self._touched and self._unseen_deed)

    @property
    def _unseen_deed(self) -> bool:
        """Whether something may have been taken that no look has shown: something looks otherwise, and nothing explains it."""
        return self._altered and not self._changed

    def count(self) -> Count:
        """How many tiles lie there, and how many of them may have been taken without that it could be seen."""
        doubtful = sum(bone.doubtful for bone in self.bones)
        maybe = doubtful + (max(0, self.overlooked) if self._maybe_groped else 0)
        return Count(len(self.bones) + self.overlooked, SURE, maybe)

    def _were_touched(self, places: Sequence[Point], half: float) -> list[bool]:
        return _near(places, self._swept, TOUCHED * half)


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


def _same(one: tuple[Array, ...], other: tuple[Array, ...] | None) -> bool:
    """Whether these are outlines of the same."""
    return one is other or (other is not None and len(one) == len(other) and all(map(np.array_equal, one, other)))
