"""Stacks that lie there in the first picture: of the tiles below one half each looks out, and the upper one hides the other.

Tiles never come in halves. So where a half lies alone beside a tile the rest is under it, and a tile lies on two: a half
looks out beside either end of it. What lies on others is higher, and is seen farther from the camera than it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.halves import overlap
from vision.reader import SHARED, SHOWN, Reader
from vision.straighten import WIDTH, Album
from vision.table.bodies import OTHER_BODY, bodies_of
from vision.table.choosing import rectangles
from vision.table.sight import Sight
from vision.table.sighting import Sighting
from vision.table.stacks import APART, half_at
from vision.table.the_set import sizes

Array = NDArray[np.float32]

ALONE = 0.5
"""How surely a half must be read by itself, from the cut that shows it best: beside tiles that lie on none hardly any is."""

TAKEN = 0.35
"""Share of a half's place that a tile found there covers, from which the half is that tile's."""

FAINTEST = 0.2
"""What may be a tile as surely as this has a place of its own."""

IN_ITS_SHADE = 0.8
"""How much darker than the upper tile, as a logarithm, those may be that lie in its shade."""

ASIDE: Array = np.stack(np.meshgrid(*[np.linspace(-0.16, 0.16, 5)] * 2), axis=-1).reshape(-1, 2).astype(np.float32)
"""(n, 2) how far along and across a half may lie from where it is meant to, in widths of a tile: people do not lay by the mm."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """A half that looks out from under a tile: (4, 2) the tile it is of, on the table, that half first; how surely it is read,
    and (16,) what it shows.
    """

    place: Array
    sure: float
    counts: Array


Claim = tuple[Sighting, tuple[Outlook, ...]]
"""A tile, and what looks out from under it."""


def with_those_below(found: Sequence[Sighting], reader: Reader, album: Album, sight: Sight) -> list[Sighting]:
    """What was found, and the tiles half hidden by it; these come first, and show where they are covered what covers them.

    Without a calibration nobody knows where the halves must be.
    """
    if sight.units == "px":
        return list(found)
    claims = [(top, pair) for top in found if top.score > SHOWN and not top.back
              for pair in [_under(top, _beside(top, found), reader, album, sight)] if pair]
    below = [Sighting(seen.place, sight.to_picture(seen.place), np.stack([seen.counts, hidden]), False, top.score,
                      half_hidden=True)
             for top, pair in _agreeing(claims) for seen, hidden in zip(pair, top.probabilities, strict=True)]
    return [*below, *found]


def _agreeing(claims: Sequence[Claim]) -> list[Claim]:
    """Those that can all be true: a half looks out from under one tile, though others lie beside it. As many as can be."""
    left = list(claims)
    while True:
        against = [sum(_share(claim, other) for other in left if other is not claim) for claim in left]
        if not any(against):
            return left
        worst = max(range(len(left)), key=lambda at: (against[at], -min(seen.sure for seen in left[at][1])))
        del left[worst]


def _share(one: Claim, other: Claim) -> bool:
    """Whether both are of the same half."""
    return any(overlap(_first_half(mine.place), _first_half(theirs.place)) > TAKEN for mine in one[1] for theirs in other[1])


def _beside(top: Sighting, found: Sequence[Sighting]) -> list[Array]:
    """(4, 2) each, where other tiles lie; what is made of its half and another, and hardly read, is none."""
    return [other.corners for other in found if other is not top and (
        other.score > SHOWN or (other.score > FAINTEST and overlap(other.corners, top.corners) < SHARED))]


def _under(top: Sighting, others: Sequence[Array], reader: Reader, album: Album, sight: Sight) -> tuple[Outlook, ...]:
    """The two tiles on which one lies, by its halves; none where not both look out, or may be one tile that was missed."""
    lies = sight.upon(top.pixels)
    length, width = sizes(lies[None])[0].tolist()
    middles = half_at(lies, 0), half_at(lies, 1)
    along = (middles[1] - middles[0]) / np.float32(max(float(np.linalg.norm(middles[1] - middles[0])), 1e-6))
    across = np.array([-along[1], along[0]], np.float32)
    sides = []
    for middle, outward in zip(middles, (-along, along), strict=True):
        places = [rectangles((middle + way * np.float32(length / 2))[None], middle[None], (length, width))[0]
                  for way in (outward, across, -across)]
        free = [place for place in places if all(overlap(_first_half(place), other) < TAKEN for other in others)]
        looks = [look for look in (_look(place, top, reader, album, sight) for place in free) if look is not None]
        if not looks:
            return ()
        sides.append(looks)
    apart = (1 + APART) * length / 2
    pairs = [(one, other) for one in sides[0] for other in sides[1]
             if np.linalg.norm(half_at(one.place, 0) - half_at(other.place, 0)) > apart]
    return max(pairs, key=lambda pair: pair[0].sure * pair[1].sure, default=())


def _look(place: Array, top: Sighting, reader: Reader, album: Album, sight: Sight) -> Outlook | None:
    """What looks out where the first half of a place, (4, 2), is; None for nothing, or nothing that is made like the tile on it.

    The other half is hidden and must not be read with it: in its stead stands the same half once more, turned.
    """
    along, across = (place[2] - place[1]) / 2, place[0] - place[1]
    cuts = place + (ASIDE @ np.stack([along, across]))[:, None]
    crops = album.straight(sight.to_picture(np.concatenate([place[None], cuts, top.corners[None]])))
    (half, _), upper = bodies_of(album, crops[[0, -1]])
    if not _of_one_make(half, upper, IN_ITS_SHADE):
        return None
    doubles = crops[1:-1].copy()
    doubles[:, :, WIDTH // 2 :] = doubles[:, ::-1, ::-1][:, :, WIDTH // 2 :]
    kinds, counts = reader.judge(doubles)
    sure = kinds[:, 0] * counts.max(axis=-1).min(axis=-1)
    best = int(sure.argmax())
    seen = Outlook(cuts[best], float(sure[best]), counts[best].mean(axis=0))
    blank = int(seen.counts.argmax()) == 0  # so does a dark table look: in the shade it tells nothing
    return seen if seen.sure > ALONE and (not blank or _of_one_make(half, upper, 0.0)) else None


def _first_half(place: Array) -> Array:
    """(4, 2) the outline of a tile's first half."""
    middle = (place[[1, 0]] + place[[2, 3]]) / np.float32(2)
    return np.concatenate([place[:2], middle])


def _of_one_make(half: Array, top: Array, shade: float) -> bool:
    """Whether a half's body, (3,), is of the colour of the tile's upon it, (2, 3), or darker by no more than shade makes it:
    a bare cell of a board reads as a blank.
    """
    off = half - top
    light = off.mean(axis=1)
    tint = np.abs(off - light[:, None]).max(axis=1)
    return bool(((tint < OTHER_BODY) & (light < OTHER_BODY) & (light > -shade - OTHER_BODY)).any())
