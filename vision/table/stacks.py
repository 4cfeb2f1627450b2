"""Tiles on tiles: one that lies on two others covers a half of each, and shows there what they show.

No number changes when it is laid. But where two halves met at a joint, their tile's dividing line runs now, so the place
reads as a tile and did not before. One picture alone is not enough: there are joints that look like a tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.degrees import MOST
from vision.detection import Detection, half_of, middles_of
from vision.observation import Array
from vision.table.choosing import rectangles
from vision.table.the_set import sizes
from vision.table.track import Track

ON_HALF = 0.45
"""How far the middles of two halves, one upon the other, may lie apart, in halves."""

MEETING = 3.0
"""Tiles of which halves meet have middles no farther apart than this, in halves: two, end to end."""

APART = 0.35
"""By how much the middles of halves that meet may lie nearer or farther than those of one tile, as a share."""


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """Two halves that meet, of two tiles: where a tile may be laid on both. place: (4, 2) on the table, as high as they.

    halves: which halves of which tiles. ends: what they show.
    """

    place: Array
    halves: tuple[tuple[Track, int], tuple[Track, int]]
    ends: tuple[int, int]


def within_reach(tracks: Sequence[Track], some: Sequence[Array]) -> list[Track]:
    """Those of the tracks that may meet one of some tiles, (4, 2) each, or are one of them."""
    if not tracks or not some:
        return []
    reach = MEETING * max(map(half_of, some))
    middles, others = (np.stack(each).mean(axis=1) for each in ([track.corners for track in tracks], some))
    near = (np.abs(middles[:, None] - others[None]).max(axis=2) < reach).any(axis=1)
    return [track for track, is_near in zip(tracks, near, strict=True) if is_near]


def joints(tracks: Sequence[Track]) -> list[Joint]:
    """Where halves of these tiles meet that no tile lies on yet."""
    open_ = [track for track in tracks if track.ends is not None]
    if len(open_) < 2:
        return []
    corners = np.stack([track.corners for track in open_])
    length, width = np.median(sizes(corners), axis=0).tolist()
    middles = middles_of(corners).reshape(-1, 2)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    meet = np.argwhere(np.triu(np.abs(apart / (length / 2) - 1) < APART, 1))
    out = []
    for one, other in meet.tolist():
        first, second = open_[one // 2], open_[other // 2]
        if first is second or first.covered[one % 2] or second.covered[other % 2] or bool(first.under) != bool(second.under):
            continue  # a tile that lies on another, and one on the table, are not as high
        assert first.ends is not None and second.ends is not None
        place = rectangles(middles[one : one + 1], middles[other : other + 1], (length, width))[0]
        out.append(Joint(place, ((first, one % 2), (second, other % 2)), (first.ends[one % 2], second.ends[other % 2])))
    return out


def half_outline(corners: Array, half: int) -> Array:
    """(4, 2) the outline of a tile's first (0) or second (1) half."""
    ends, middle = corners[[3, 2] if half else [0, 1]], (corners[[1, 0]] + corners[[2, 3]]) / np.float32(2)
    return np.concatenate([ends, middle])


def rests_on(detection: Detection, tracks: Sequence[Track]) -> tuple[Track, ...]:
    """The two tiles whose halves lie under this one's, each showing what it shows; nothing where it rests otherwise."""
    if detection.ends is None:
        return ()
    below = [track for half, end in zip(halves_below(detection, tracks), detection.ends, strict=True)
             for track, side in half if track.ends is not None and track.ends[side] == end]
    return tuple(below) if len(below) == 2 and below[0] is not below[1] else ()


def halves_below(detection: Detection, tracks: Sequence[Track]) -> tuple[list[tuple[Track, int]], list[tuple[Track, int]]]:
    """Under each of its halves, the open halves of tiles that lie there."""
    beside, near = within_reach(tracks, [detection.corners]), ON_HALF * half_of(detection.corners)
    open_ = [(track, side, middle) for track in beside if track.ends is not None
             for side, middle in enumerate(middles_of(track.corners)) if not track.covered[side]]
    one, other = ([(track, side) for track, side, middle in open_ if np.linalg.norm(middle - half) < near]
                  for half in middles_of(detection.corners))
    return one, other


def covering(tracks: Sequence[Track]) -> list[Track]:
    """The same tiles, each knowing which of its halves have a tile on them."""
    raised = [track for track in tracks if track.under]
    out = []
    for below in tracks:
        tops = [half for top in raised if below.name in top.under for half in middles_of(top.corners)]
        first, second = (any(np.linalg.norm(top - half) < MOST * half_of(below.corners) for top in tops)
                         for half in middles_of(below.corners))
        out.append(below if (first, second) == below.covered else replace(below, covered=(first, second)))
    return out
