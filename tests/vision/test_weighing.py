"""What the pictures of a table say of its places: where a tile may lie that was not found."""

from __future__ import annotations

from math import pi
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.lying import a_table, tile
from vision.detection import Detection
from vision.rectify import ImagePyramid
from vision.table.belief import infer
from vision.table.veils import no_veils
from vision.table.weighing import Pictures, with_patches

Array = NDArray[np.float32]
Lies = tuple[tuple[int, int], float, float]
"""What a tile shows, and where its middle lies."""

END_TO_END: Lies = (6, 6), 140, 100
SIDE_BY_SIDE: Lies = (2, 3), 100, 120


ASIDE: Lies = (6, 6), 143, 98


class Seeing:
    """A tile lies against the 4-6, and is read only where it lies; a little aside it may be none."""

    units = "px"

    def __init__(self, now: ImagePyramid, against: Lies) -> None:
        self.now, self.against = now, against

    @staticmethod
    def to_table(pixels: Array) -> Array:
        return pixels

    to_picture = to_table

    def told(self, reader: Any, pyramid: ImagePyramid, pixels: Array) -> tuple[Array, Array]:
        kinds = np.tile(np.array([0.001, 0, 0.999], np.float32), (len(pixels), 1))
        counts = np.full((len(pixels), 2, 16), 1e-4, np.float32)
        for at, place in enumerate(pixels):
            for ends, x, y in (((4, 6), 100, 100), self.against):
                off = np.abs(place.mean(axis=0) - (x, y)).max()
                if off < 4 and (ends == (4, 6) or pyramid is self.now):
                    kinds[at] = (0.998, 0.001, 0.001) if off < 2 else (0.4, 0.0, 0.6)
                    counts[at, 0, ends[0]] = counts[at, 1, ends[1]] = 0.999
        return kinds, counts


def pictures(touched: bool, against: Lies = END_TO_END) -> Pictures:
    now = ImagePyramid(np.zeros((200, 300, 3), np.uint8))
    reader: Any = SimpleNamespace(in_play=SimpleNamespace(copies=1, stacked=False), calibrated=lambda sure, outlines: sure)
    sight: Any = Seeing(now, against)
    return Pictures(reader, sight, ImagePyramid(np.zeros((200, 300, 3), np.uint8)), now, Seeing.to_table, no_veils((200, 300)),
                    touched=None if touched else np.zeros((200, 300), np.bool_), still=False)


@pytest.mark.parametrize("touched", [True, False])
@pytest.mark.parametrize(("against", "across"), [
    (END_TO_END, [tile((6, 3), 131, 100, 0.45)]),  # the joint of two equal numbers is hardly seen
    (ASIDE, []),  # what goes on from a tile that is seen askew lies further off
    (SIDE_BY_SIDE, [tile((4, 2), 90, 110, angle=pi / 2), tile((6, 3), 110, 110, angle=pi / 2)]),
])
def test_a_tile_that_others_are_read_across_is_sought_against_what_it_touches(
        touched: bool, against: Lies, across: list[Detection]) -> None:
    belief, looking = a_table(tile((4, 6), 100, 100)), pictures(touched, against)
    evidence = looking.evidence(belief, across)
    more = looking.against([track.corners for track in belief.tiles], across)
    after, _ = infer(belief, looking.and_also(evidence, belief, more))
    assert [track.ends for track in after.tiles] == ([(4, 6), against[0]] if touched else [(4, 6)])


@pytest.mark.parametrize("found", [tile((6, 6), 141, 100, 0.99), tile((6, 6), 143, 100, 0.6)])
def test_where_a_tile_is_plainly_found_or_the_same_none_is_sought_beside_it(found: Detection) -> None:
    belief, looking = a_table(tile((4, 6), 100, 100)), pictures(True)
    assert looking.against([track.corners for track in belief.tiles], [found]) == []


@pytest.mark.parametrize(("x", "y", "there"), [(131, 100, False), (145, 108, True)])
def test_what_looks_like_a_tile_that_is_gone_is_not_it_where_another_lies_as_it_did(
        x: int, y: int, there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    looking = pictures(True, ((6, 3), x, y))
    belief = with_patches(a_table(tile((4, 6), 100, 100), tile((6, 3), 140, 100)), looking.before, Seeing.to_table)
    monkeypatch.setattr("vision.table.weighing.slid", lambda patch, now, pixels: tile((6, 3), x, y).corners)
    after, _ = infer(belief, looking.evidence(belief, []))
    assert [track.ends for track in after.tiles] == [(4, 6), (6, 3)][: 1 + there]
