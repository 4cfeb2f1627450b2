"""Which places of the picture are worth reading again: where it changed, and tiles that look otherwise than they did."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.degrees import PLAIN, RARELY, nats_against
from vision.detection import middles_of
from vision.observation import Array
from vision.rectify import ImagePyramid
from vision.table.changes import Mask, blobs
from vision.table.choosing import Box
from vision.table.evidence import half_changes, rectify
from vision.table.place_hypotheses import NONE_KNOWN
from vision.table.sensor import SENSOR
from vision.table.sight import join_boxes
from vision.table.stacks import joints
from vision.table.track import Track
from vision.table.veils import draw, grown, regions

SmallBox = tuple[int, int, int, int]

LEAST_TILE, MOST_TILE = 0.7, 4.0
"""In areas of a half, what changed may be a tile that was not found: a hand is larger, a shadow's rim smaller."""

BESIDE = 2.0
"""So far around a box, in halves, lie tiles that tell what can lie in it."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The known tiles as they lie in a picture. pixels: (n, 4, 2) their corners. half: the side of a half in the small
    picture, pixels; scale: the camera's pixels in one of its. compared: of which of them it is known whether they look as before.
    """

    tracks: Sequence[Track]
    pixels: Array
    pyramid: ImagePyramid
    half: float
    scale: float
    compared: dict[int, bool | None] = field(default_factory=dict)

    @property
    def names(self) -> NDArray[np.int64]:
        """(n,) by which the tracks go."""
        return np.array([track.name for track in self.tracks], np.int64)

    @property
    def in_small(self) -> Array:
        """(n, 4, 2) their corners in the small picture."""
        return self.pixels / np.float32(self.scale)

    @property
    def _boxes(self) -> list[SmallBox]:
        """Around each of them, in the small picture."""
        return boxes_around(self.in_small)

    def as_before(self, at: int) -> bool | None:
        """Whether a tile's place shows what it showed; None where that cannot be told."""
        if at not in self.compared:
            self.compared[at] = self._looks_as_before(at)
        return self.compared[at]

    def _looks_as_before(self, at: int) -> bool | None:
        track = self.tracks[at]
        if track.patch is None or any(track.covered):
            return None
        sights = np.sqrt(np.nan_to_num(half_changes(track.patch, rectify(self.pyramid, self.pixels[at]))[:, :3]))
        return all(SENSOR.weighed(SENSOR.other, (*half, 0.0)) < -nats_against(RARELY) for half in sights.tolist())

    def known(self, box: Box | None) -> Array:
        """(m, 4, 2) on the table: open tiles in and around a box of the picture that were surely read and look as they did."""
        around = BESIDE * self.half * self.scale
        x0, y0, x1, y1 = (-np.inf, -np.inf, np.inf, np.inf) if box is None else box
        middles = self.pixels.mean(axis=1)
        near = (middles > (x0 - around, y0 - around)).all(axis=1) & (middles < (x1 + around, y1 + around)).all(axis=1)
        lying = [track.corners for at, track in enumerate(self.tracks) if near[at] and track.ends is not None
                 and track.score > PLAIN and not track.under and self.as_before(at)]
        return np.stack(lying) if lying else NONE_KNOWN

    def met(self, mask: Mask) -> Mask:
        """(h, w) of the small picture: where the tiles lie of which a mask covers a part."""
        hidden = [place for place, box in zip(self.in_small, self._boxes, strict=True)
                  if holds_any(mask, box) and (mask & draw(mask.shape, [place], 0)).any()]
        return draw(mask.shape, hidden, 0)

    def of(self, names: Collection[int], shape: tuple[int, ...]) -> Mask | None:
        """(h, w) of the small picture: where these tiles lie; None without any."""
        return draw(shape, self.in_small[np.isin(self.names, list(names))], 0) if names else None

    def within(self, boxes: Sequence[Box]) -> frozenset[int]:
        """Names of the tracks whose middles lie in boxes of the picture."""
        middles = self.pixels.mean(axis=1)
        inside = np.zeros(len(middles), np.bool_)
        for x0, y0, x1, y1 in boxes:
            inside |= (middles > (x0, y0)).all(axis=1) & (middles < (x1, y1)).all(axis=1)
        return frozenset(track.name for track, read in zip(self.tracks, inside, strict=True) if read)

    def to_read(self, change: Mask, touched: Mask) -> list[Box]:
        """Boxes of the camera's picture that are worth reading again. touched: (h, w) where anything moved: known tiles there are
        read if they look otherwise."""
        _, found = blobs(grown(change, 1), max(12, round(self.half**2 / 2)))
        doubtful = [box for at, box in enumerate(self._boxes) if holds_any(touched, box) and self.as_before(at) is False]
        return self._grown([*doubtful, *self._changed_joints(change), *(blob.box for blob in found)])

    def _changed_joints(self, change: Mask) -> list[SmallBox]:
        """Boxes of the small picture with joints of known tiles where anything changed at all: of a tile laid on two others,
        only its bar is new."""
        small = self.in_small
        near = [at for at, box in enumerate(boxes_around(small, self.half / 2)) if holds_any(change, box)]
        by_name = {self.tracks[at].name: small[at] for at in near}
        middles = [[middles_of(by_name[track.name])[half] for track, half in joint.halves]
                   for joint in joints([self.tracks[at] for at in near])]
        return [box for box in boxes_around(np.array(middles, np.float32), self.half / 4) if holds_any(change, box)]

    def for_pieces(self, change: Mask, touched: Mask, pieces: Array) -> list[Box]:
        """Boxes of the camera's picture in which pieces are looked for: where it changed, and around known ones that were
        handled, (n, 4, 2) in the picture: they may have changed their faces and little else."""
        _, found = blobs(grown(change, 2), 1)
        handled = [box for box in boxes_around(pieces / np.float32(self.scale)) if holds_any(touched, box)]
        return self._grown([*(blob.box for blob in found), *handled], 0.0)

    def left_over(self, change: Mask, explained: Mask) -> list[Box]:
        """Boxes with what changed, is about as large as a tile, and was not found to be one: nothing explains it."""
        _, left = blobs(regions(change, explained, LEAST_TILE * self.half**2), 1)
        return self._grown([blob.box for blob in left if blob.area < MOST_TILE * self.half**2 and not blob.edge])

    def _grown(self, boxes: Sequence[SmallBox], grow: float = 1.0) -> list[Box]:
        """Boxes of the small picture as such of the camera's, with so much of what lies around them, in halves."""
        margin, scale = grow * self.half, self.scale
        return join_boxes([((x0 - margin) * scale, (y0 - margin) * scale, (x1 + margin) * scale, (y1 + margin) * scale)
                           for x0, y0, x1, y1 in boxes])


def boxes_around(places: Array, grow: float = 0.0) -> list[SmallBox]:
    """Boxes of the small picture around places in it, (n, m, 2), and so much beside them."""
    if not len(places):
        return []
    edges = np.concatenate([places.min(axis=1) - grow, places.max(axis=1) + grow + 1], axis=1)
    return [(x0, y0, x1, y1) for x0, y0, x1, y1 in edges.astype(int).tolist()]


def holds_any(mask: Mask, box: SmallBox) -> bool:
    """Whether a mask of the small picture holds anything in a box, which may reach out of it."""
    x0, y0, x1, y1 = (max(0, at) for at in box)
    return bool(mask[y0:y1, x0:x1].any())
