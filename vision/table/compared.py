"""Evidence from two pictures of a table: what is new, what is gone, what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.reader import UPON, Reader, log_odds
from vision.straighten import Album
from vision.table.bodies import OTHER_BODY, bodies_of
from vision.table.evidence import NOTHING, Share, compare, compare_edges, light_change, straight
from vision.table.sighting import Mapping, Sighting, half_of
from vision.table.stacks import Joint, changed_at_all
from vision.table.track import Track
from vision.table.veils import Veils, draw

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

OTHER_LIGHT = 0.25
"""Where it became so much brighter or darker, as a logarithm, a place in which nothing is read need not be empty."""


HARDLY_A_BACK, BARED = 0.1, 0.95
"""What is less likely a back than this is none, where its place has the table's colour since, too; how sure it is otherwise."""

AS_READ = 0.99
"""How sure it gets at most by what is read there alone."""

AT_FIRST, LIKELY, BECAME = 0.05, 0.5, 3.0
"""How surely a tile must lie on two others, by the outlines around a joint: at the place that the tiles below tell, for it to be
looked at closely; then, and by how many log-odds surer than before, by many looks around it.
"""

MAYBE = 0.2
"""How surely by the outlines a tile must lie on others that is read in the place of another's half: were that one gone, it would
look as if it lay alone.
"""

WELL_PLACED = 0.7
"""The share of those looks that may be less sure: it lies where it does, not at all places around."""

ANEW = 0.005
"""Where less of either half of a joint is new, and no spots are, nothing was laid on it."""

REACH = 1.0
"""So near to a hand, in halves, a tile may be held by it: fingers cover less of it than their shadow."""

OFF = (-0.16, -0.08, 0.0, 0.08, 0.16)
"""How far, in halves, what lies on a joint may lie off the place that the tiles below tell, along and across."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """`back` leads from pixels of the picture after to those of the one before; `to_picture` from the table to the former.

    read: names of the tracks whose places were read in the picture after; None for all of them. reader: what is asked
    whether a tile lies at a place; without it nobody is. raised: as `to_picture`, of what lies on tiles; to_table: the
    inverse of `to_picture`. Without these no tile is seen to lie on others. lifted: names of tracks whose places hands left bare.
    """

    before: Album
    after: Album
    back: Mapping
    veils: Veils
    to_picture: Mapping
    read: frozenset[int] | None = None
    reader: Reader | None = None
    raised: Mapping | None = None
    to_table: Mapping | None = None
    lifted: frozenset[int] = frozenset()
    _patches: dict[int, Array] = field(default_factory=dict)
    """How the places of sightings look in the picture after, by the identity of their corners."""

    def new(self, sighting: Sighting) -> Share:
        earlier = self.back(sighting.pixels)
        height, width = self.before.size(0).shape[:2]
        x, y = earlier.mean(axis=0)
        if not (0 <= x < width and 0 <= y < height):
            return NOTHING  # it was out of the picture: nobody knows what lay there
        patch = self._patches[id(sighting.corners)] = straight(self.after, sighting.pixels)
        return compare_edges(straight(self.before, earlier), patch)

    def gone(self, track: Track) -> Share:
        pixels = self.to_picture(track.corners)
        before = track.patch if track.patch is not None else straight(self.before, self.back(pixels))
        return compare(straight(self.after, pixels), before)

    def empty(self, track: Track) -> float:
        pixels = self.to_picture(track.corners)
        if self.reader is None or track.patch is None:
            return 0.0
        crops = self.after.straight(pixels[None])
        kinds, _ = self.reader.judge(crops)
        now, then = self._bodies(crops, pixels)
        if track.ends is None and _is_bodied(then) and (np.abs(now) < OTHER_BODY).all():
            return 1.0 if kinds[0, 1] < HARDLY_A_BACK else BARED  # the colour of the back went and that of the table came
        if track.ends is None and track.name in self.lifted:
            return min(float(1 - kinds[0, 1]), AS_READ)
        if light_change(track.patch, straight(self.after, pixels)) > OTHER_LIGHT:
            return 0.0  # dazzled or in the dark the reader sees nothing either
        if track.ends is not None:
            return min(float(kinds[0, 2]), AS_READ)  # grained wood looks somewhat like a face
        if _is_bodied(now) and np.abs(now - then).max() < OTHER_BODY / 2:
            return 0.0  # of many black backs side by side one alone is hardly to be seen
        return min(float(1 - kinds[0, 1]), AS_READ)

    def _bodies(self, crops: Image, pixels: Array) -> tuple[Array, Array]:
        """(2, 3) as `bodies_of` has them, those of a place's halves now and before. pixels: (4, 2), in crops straightened."""
        before = self.before.straight(self.back(pixels)[None])
        return bodies_of(self.after, crops)[0], bodies_of(self.before, before)[0]

    def bridged(self, meeting: Sequence[Joint]) -> list[tuple[Joint, Sighting]]:
        """Joints on which a tile lies now and none did, with what is seen of it; those that changed most come first."""
        if self.reader is None or self.raised is None or self.to_table is None or not meeting:
            return []
        places = self.raised(np.stack([joint.place for joint in meeting]))
        shares = [compare(straight(self.before, self.back(now)), straight(self.after, now)) for now in places]
        changed = [at for at, share in enumerate(shares) if share.both > ANEW or changed_at_all(share)]
        if not changed:
            return []
        glance = self.reader.levels(self.after, places[changed])[:, UPON]
        found = []
        for at in (at for at, upon in zip(changed, glance.tolist(), strict=True) if upon > AT_FIRST):
            around = self.raised(_around(meeting[at].place))
            if self._became(around) and (top := self._top(meeting[at], around)) is not None:
                found.append((shares[at].both + shares[at].spots, meeting[at], top))
        return [(joint, top) for _, joint, top in sorted(found, key=lambda each: -each[0])]

    def upon(self, sighting: Sighting) -> bool:
        return self._became(sighting.pixels[None], MAYBE)

    def _became(self, places: Array, least: float = LIKELY) -> bool:
        """Whether a tile lies on others now at nearly all of these places, (n, 4, 2) pixels, as surely as this, and none did."""
        if self.reader is None:
            return False
        now = _odds(self.reader.levels(self.after, places))
        was = _odds(self.reader.levels(self.before, np.stack([self.back(place) for place in places])))
        return now > log_odds(least) and now - was > BECAME

    def _top(self, joint: Joint, around: Array) -> Sighting | None:
        """The tile that lies on a joint, at the middle one of these places, (n, 4, 2) pixels, or else where it is read best; None
        where it does not show what the halves below do.
        """
        assert self.reader is not None and self.to_table is not None
        kinds, counts = self.reader.judge(self.after.straight(around))
        first, second = joint.ends
        best = len(around) // 2  # where the tiles below tell: people lay them in rows
        if tuple(counts[best].argmax(axis=1)) != joint.ends:
            best = int((kinds[:, 0] * counts[:, 0, first] * counts[:, 1, second]).argmax())
        if tuple(counts[best].argmax(axis=1)) != joint.ends:
            return None
        score = float(kinds[best, 0] * counts[best].max(axis=1).prod())
        return Sighting(self.to_table(around[best]), around[best], counts[best], False, score)

    def patch(self, track: Track) -> Array:
        known = self._patches.get(id(track.corners))
        return straight(self.after, self.to_picture(track.corners)) if known is None else known

    def hidden(self, track: Track) -> bool:
        height, width = self.after.size(0).shape[:2]
        pixels = self.to_picture(track.corners)
        x0, y0 = pixels.min(axis=0)
        x1, y1 = pixels.max(axis=0)
        if x0 < 0 or y0 < 0 or x1 >= width or y1 >= height:
            return True
        if not self.veils.outlines:
            return False
        shape = (self.veils.mask.shape[0], self.veils.mask.shape[1])
        return bool((self.veils.mask & draw(shape, [pixels * (shape[1] / width)], 0)).any())

    def held(self, sighting: Sighting) -> bool:
        """Whether a hand touches what is seen there, and may hold it."""
        if not self.veils.hand:
            return False
        shape = (self.veils.mask.shape[0], self.veils.mask.shape[1])
        pixels = sighting.pixels * np.float32(shape[1] / self.after.size(0).shape[1])
        return bool((self.veils.mask & draw(shape, [pixels], REACH * half_of(pixels))).any())

    def taken_up(self, track: Track) -> bool:
        return track.name in self.lifted

    def looked(self, track: Track) -> bool:
        return self.read is None or track.name in self.read


def _is_bodied(bodies: Array) -> bool:
    """Whether both halves, (2, 3), are of another colour than the table."""
    return bool((np.abs(bodies).max(axis=1) > OTHER_BODY).all())


def _odds(levels: Array) -> float:
    """The log-odds that a tile lies on two others, by looks at nearly the same place, (n, 3), of which some may lie off it."""
    return float(np.quantile([log_odds(upon) for upon in levels[:, UPON].tolist()], WELL_PLACED))


def _around(place: Array) -> Array:
    """(n, 4, 2) a tile's corners, (4, 2), moved along and across by all of `OFF`."""
    along = (place[2:].mean(axis=0) - place[:2].mean(axis=0)) / np.float32(2)
    across = np.array([-along[1], along[0]], np.float32)
    out: Array = np.stack([place + np.float32(u) * along + np.float32(v) * across for u in OFF for v in OFF]).astype(np.float32)
    return out
