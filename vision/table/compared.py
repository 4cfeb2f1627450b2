"""Evidence from two pictures of a table: what is new, what is gone, what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.reader import Reader, log_odds
from vision.straighten import Album
from vision.table.bodies import OTHER_BODY, bodies_of
from vision.table.evidence import NOTHING, Share, compare, compare_edges, light_change, straight
from vision.table.middles import Middles
from vision.table.sighting import Mapping, Sighting
from vision.table.stacks import CHANGED, Joint, changed_at_all
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

A_TILE, BECAME = 0.8, 2.0
"""How surely a joint must show a tile for one to lie on it, and by how many log-odds surer than before."""

BOTH = 4.5
"""How many log-odds these must be together: where a joint that hardly looked like a tile does now, it need not be so sure."""

PLAINLY, RELAID = 0.98, 0.03
"""Where a joint shows a tile so surely, and so much of either half is new, one was laid there however it looked before: there
are joints whose gap looks like a bar.
"""

PLAINLY_NONE, HARDLY = 0.2, 0.005
"""What was less like a tile than this before, and is plainly one now, was laid though so little of either half is new: of some
sets a bar is as thin and dark as a gap.
"""

OTHER_PIPS, OTHER_MIDDLE = 0.1, 0.2
"""Where a joint shows more spots than this that it did not, other pips lie there; with fewer, a bar has to have come or gone: by
so much the middles must differ, as `Middles` has it.
"""

OFF = (-0.16, -0.08, 0.0, 0.08, 0.16)
"""How far, in halves, what lies on a joint may lie off the place that the tiles below tell, along and across."""

SEVERAL, SEEN_NEAR, HALF_SEEN = 5, 0.95, 0.5
"""At so many of these places a tile must be seen so surely, and at no more have been seen half as surely before."""


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

    def bridged(self, meeting: Sequence[Joint], tracks: Sequence[Track]) -> list[tuple[Joint, Sighting]]:
        """Joints that show a tile now, with the ends of what lies below, and hardly did before; those that changed most first."""
        if self.reader is None or self.raised is None or self.to_table is None or not meeting:
            return []
        places = self.raised(np.stack([joint.place for joint in meeting]))
        shares = [compare(straight(self.before, self.back(now)), straight(self.after, now)) for now in places]
        changed = [(joint, now, share) for joint, now, share in zip(meeting, places, shares, strict=True)
                   if share.both > HARDLY or changed_at_all(share)]
        if not changed:
            return []
        kinds, counts = self.reader.judge(self.after.straight(np.stack([now for _, now, _ in changed])))
        before, _ = self.reader.judge(self.before.straight(np.stack([self.back(now) for _, now, _ in changed])))
        found = []
        for (joint, pixels, share), kind, count, was in zip(changed, kinds, counts, before, strict=True):
            if _was_laid(float(kind[0]), float(was[0]), share) and joint.ends == tuple(count.argmax(axis=1)):
                score = float(kind[0] * count.max(axis=1).prod())
                top: Sighting | None = Sighting(self.to_table(pixels), pixels, count, False, score)
            else:
                top = self._near(joint) if share.both > RELAID else None
            if top is not None and (share.spots > OTHER_PIPS or self._other_middles(joint, top.pixels, tracks)):
                found.append((share.both + share.spots, joint, top))
        return [(joint, top) for _, joint, top in sorted(found, key=lambda each: -each[0])]

    def _near(self, joint: Joint) -> Sighting | None:
        """The tile that lies on a joint, where it hardly lies as their middles say: at several places around it is plainly seen,
        and at hardly any it was.
        """
        assert self.reader is not None and self.raised is not None and self.to_table is not None
        pixels = self.raised(_around(joint.place))
        kinds, counts = self.reader.judge(self.after.straight(pixels))
        before, _ = self.reader.judge(self.before.straight(np.stack([self.back(place) for place in pixels])))
        face = kinds[:, 0] * (counts.argmax(axis=2) == joint.ends).all(axis=1)
        best = int(face.argmax())
        if np.sort(face)[-SEVERAL] < SEEN_NEAR or np.sort(before[:, 0])[-SEVERAL] > HALF_SEEN:
            return None
        score = float(face[best] * counts[best].max(axis=1).prod())
        return Sighting(self.to_table(pixels[best]), pixels[best], counts[best], False, score)

    def _other_middles(self, joint: Joint, pixels: Array, tracks: Sequence[Track]) -> bool:
        """Whether the middle of a joint's place, (4, 2) pixels, became more like those of this set's tiles, or that of a tile
        below less; or nobody knows them. Two tiles pushed together look like a third, but no bar comes or goes.
        """
        faces = [track for track in tracks if track.ends is not None and track.plain and not any(track.covered)]
        middles = Middles([self.to_picture(track.corners) for track in faces], self.after)
        below = [self.to_picture(track.corners) for track, _ in joint.halves]
        now = np.array(middles.unlike(self.after.straight(np.stack([pixels, *below]))))
        was = np.array(middles.unlike(self.before.straight(np.stack([self.back(place) for place in (pixels, *below)]))))
        came, went = was[0] - now[0], (now - was)[1:].max()
        return not middles.known or bool(max(came, 0) + max(went, 0) > OTHER_MIDDLE)

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

    def taken_up(self, track: Track) -> bool:
        return track.name in self.lifted

    def looked(self, track: Track) -> bool:
        return self.read is None or track.name in self.read


def _is_bodied(bodies: Array) -> bool:
    """Whether both halves, (2, 3), are of another colour than the table."""
    return bool((np.abs(bodies).max(axis=1) > OTHER_BODY).all())


def _was_laid(face: float, was: float, share: Share) -> bool:
    """Whether a tile was laid on a joint that shows one as surely as this now, and did before; share: how much of it is new."""
    if not changed_at_all(share):
        return face > PLAINLY and was < PLAINLY_NONE
    became = log_odds(face) - log_odds(was)
    anew = share.both > RELAID and share.spots > CHANGED and face > PLAINLY
    return anew or (face > A_TILE and became > BECAME and log_odds(face) + became > BOTH)


def _around(place: Array) -> Array:
    """(n, 4, 2) a tile's corners, (4, 2), moved along and across by all of `OFF`."""
    along = (place[2:].mean(axis=0) - place[:2].mean(axis=0)) / np.float32(2)
    across = np.array([-along[1], along[0]], np.float32)
    out: Array = np.stack([place + np.float32(u) * along + np.float32(v) * across for u in OFF for v in OFF]).astype(np.float32)
    return out
