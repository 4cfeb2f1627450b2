"""Places where tiles may lie, judged: what each shows and is made of, and how much it counts beside others."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.degrees import EVEN, HALF, HARDLY, RARELY, SELDOM
from vision.detection import Detection, Mapping
from vision.halves import NOTHING, Proposals, iou, join, lie_on
from vision.observation import Array
from vision.reader import BARE, SHARED, Reader, sure_of_a_tile
from vision.reading import HIGHEST_END
from vision.rectify import ImagePyramid
from vision.table.packing import rivals_of, worthiest
from vision.table.the_set import NEARLY_MUST, OTHER_BODY, TheSet, bodies_of

NONE_KNOWN = NOTHING.corners


@dataclass(frozen=True, slots=True, eq=False)
class PlaceHypotheses:
    """Places in the picture, n of them, with what they show (see `Reader.judge`) and their halves' bodies, (n, 2, 3).

    weight: (n,) how much each counts beside others where they overlap.
    """

    places: Proposals
    kinds: Array
    counts: Array
    bodies: Array
    weight: Array

    @classmethod
    def of(cls, reader: Reader, pyramid: ImagePyramid, places: Proposals, the_set: TheSet) -> PlaceHypotheses:
        """What the places show, without those that are not made like the set, unless they surely are tiles."""
        crops = pyramid.warp_crops(places.corners)
        kinds, counts = reader.judge(crops)
        bodies = bodies_of(pyramid, crops)
        as_read = cls(places, kinds, counts, bodies, np.ones(len(kinds), np.float32))
        kinds, counts = _told_by_make(kinds, counts, the_set.prior(pyramid, places.corners, bodies, counts))
        all_of_them = replace(as_read, kinds=kinds, counts=counts)  # how it is made counts once, so not in how surely it is read
        strange = the_set.strange(bodies, all_of_them.backs, counts, as_read.certainty)
        return all_of_them.take(~strange | (as_read.kinds[:, 2] < HARDLY))

    @classmethod
    def again(cls, reader: Reader, pyramid: ImagePyramid, corners: Array, the_set: TheSet) -> tuple[Array, Array]:
        """Kinds, (n, 3), and counts, (n, 2, 16), of places, (n, 4, 2) pixels, with a closer look at what is unsure."""
        crops = pyramid.warp_crops(corners)
        kinds, counts = reader.look_again(pyramid, corners, *reader.judge(crops))
        bodies = bodies_of(pyramid, crops)
        backs = kinds[:, 1] > kinds[:, 0]
        strange = the_set.strange(bodies, backs, counts, sure_of_a_tile(kinds, counts)) & (kinds[:, 2] > HARDLY)
        kinds, counts = _told_by_make(kinds, counts, the_set.prior(pyramid, corners, bodies, counts))
        kinds[strange, :2] /= NEARLY_MUST
        return kinds / kinds.sum(axis=1, keepdims=True), counts

    @property
    def backs(self) -> NDArray[np.bool_]:
        """(n,) which seem to lie face down."""
        return self.kinds[:, 1] > self.kinds[:, 0]

    @property
    def certainty(self) -> Array:
        """(n,) probability of being a tile and read right."""
        return sure_of_a_tile(self.kinds, self.counts)

    @property
    def strength(self) -> Array:
        """(n,) which of two that overlap is the likelier tile."""
        one_body = np.where(np.abs(self.bodies[:, 0] - self.bodies[:, 1]).max(axis=1) < OTHER_BODY, 1.0, 0.5)
        return np.asarray(self.certainty**2 * (0.75 + 0.25 * self.places.objectness) * one_body * self.weight, np.float32)

    def sightings(self, reader: Reader, to_table: Mapping) -> list[Detection]:
        """What each place shows, whether or not it can lie beside the others."""
        scores = map(reader.calibrated, self.certainty.tolist(), self.places.objectness.tolist())
        return [Detection(at, pixels, counts, bool(back), score, kinds=kinds) for at, pixels, counts, back, score, kinds in
                zip(to_table(self.places.corners), self.places.corners, self.counts, self.backs, scores, self.kinds, strict=True)]

    def bare(self, reader: Reader, pyramid: ImagePyramid, known: Array | None = None) -> Array:
        """(n,) how surely the outlines around faces show that no tile lies there: halves of two tiles that lie side by side may
        read as well as one. Asked where faces overlap, and of all that are none of those known, (m, 4, 2) in the picture, if
        these are given.
        """
        likely = np.flatnonzero(~self.backs & (self.certainty > EVEN))
        asked = likely[[bool(others) for others in rivals_of(self.places.corners[likely], SHARED)]]
        if known is not None:
            asked = np.union1d(asked, likely[~lie_on(self.places.corners[likely], known, HALF, iou)])
        out = np.zeros(len(self.backs), np.float32)
        out[asked] = reader.levels(pyramid, self.places.corners[asked])[:, BARE]
        return out

    def by_outlines(self, bare: Array) -> PlaceHypotheses:
        """The same, knowing how surely each is none, see `bare`; it is worth a little still, as its outlines may be hidden."""
        return replace(self, weight=self.weight * np.where(bare > 0, np.maximum(1 - bare, np.float32(SELDOM)), np.float32(1)))

    def standing(self, copies: int) -> NDArray[np.int64]:
        """Those that can lie there together, and are the likeliest so. copies: how often the set has each face, 0 where that is
        not known; what lies there more often gives way to what else may lie in its place."""
        lying = worthiest(self.places.corners, self.strength, SHARED)
        too_many = self._too_many(lying, copies)
        if not too_many:
            return lying
        strength = self.strength
        strength[too_many] *= HARDLY
        return worthiest(self.places.corners, strength, SHARED)

    def _too_many(self, lying: NDArray[np.int64], copies: int) -> list[int]:
        """Of those that lie there the ones that the set has not, the least certain of each face. What seems the double blank may
        be a back."""
        faces = defaultdict(list)
        for at in sorted(lying[~self.backs[lying]].tolist(), key=lambda at: -float(self.certainty[at])):
            faces[tuple(sorted(self.counts[at].argmax(axis=1).tolist()))].append(at)
        return [at for face, same in faces.items() if copies and face != (0, 0) for at in same[copies:]]

    def take(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> PlaceHypotheses:
        return PlaceHypotheses(self.places.take(which), self.kinds[which], self.counts[which], self.bodies[which],
                               self.weight[which])

    def and_also(self, other: PlaceHypotheses) -> PlaceHypotheses:
        """Both together."""
        return PlaceHypotheses(join([self.places, other.places]), np.concatenate([self.kinds, other.kinds]),
                               np.concatenate([self.counts, other.counts]), np.concatenate([self.bodies, other.bodies]),
                               np.concatenate([self.weight, other.weight]))

    def looked_again(self, reader: Reader, pyramid: ImagePyramid, the_set: TheSet) -> PlaceHypotheses:
        """The same, with a closer look at what is unsure."""
        kinds, counts = reader.look_again(pyramid, self.places.corners, self.kinds, self.counts)
        new = (kinds != self.kinds).any(axis=1)
        if new.any():
            prior = the_set.prior(pyramid, self.places.corners[new], self.bodies[new], counts[new])
            kinds[new], counts[new] = _told_by_make(kinds[new], counts[new], prior)
        return replace(self, kinds=kinds, counts=counts)


def _told_by_make(kinds: Array, counts: Array, prior: Array) -> tuple[Array, Array]:
    """Kinds and counts with what the bodies tell, (n, 3): what looks like a back, and is not made like one, is a double blank."""
    blank = np.zeros(HIGHEST_END + 1, np.float32)
    blank[0] = 1
    no_back = np.where(prior[:, 1] < 1, RARELY * kinds[:, 1], np.float32(0))  # it looks like one if it has no bar
    share = (no_back / np.maximum(kinds[:, 0] + no_back, np.float32(1e-9)))[:, None, None]
    faces = kinds.copy()
    faces[:, 0] += no_back
    told = np.asarray((1 - share) * counts + share * blank, np.float32)
    odds = faces * prior
    return odds / np.maximum(odds.sum(axis=1, keepdims=True), np.float32(1e-9)), told
