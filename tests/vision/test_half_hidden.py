"""Stacks in the first picture: halves that look out beside a tile, alone, are of the tiles on which it lies; and where two tiles
seem to meet in a third, that may lie on both.
"""

from collections.abc import Sequence
from typing import Any, Literal

import cv2
import numpy as np
import pytest

from tests.vision.lying import tile
from vision.detection import Detection, middles_of
from vision.in_play import InPlay
from vision.reader import log_odds
from vision.rectify import ImagePyramid
from vision.table.half_hidden import ENDS_OF_SIGNS, WEIGHTS, Below, Stack, _agreeing, _at_best, with_those_below

IVORY, IN_SHADE, BARE, WOOD, BAR = (205, 225, 225), (95, 105, 105), (90, 120, 200), (60, 120, 60), (30, 30, 30)
BEHIND, AHEAD, ABOVE, NEXT_ABOVE = (80, 100), (140, 100), (120, 80), (100, 80)
"""Middles of halves beside a tile that lies at (90..130, 90..110)."""

TELLING = 0.7
"""Tiles of which less is sure may be taken back where a stack tells better."""


class Sees:
    """Reads the same number of pips at every place that is not all of the table's colour, and a tile for sure only where there is
    a bar in its middle; halves have none.

    high: how much farther right is seen what lies on tiles. dim_at_first: how surely a dark half is read at first,
    in few cuts. bare: how surely the outlines of a place without a bar are those of no tile; surely:
    those of one with a bar are of a tile on two others.
    """

    def __init__(self, units: Literal["mm", "px"] = "mm", high: float = 0.0, pips: int = 0,
                 dim_at_first: float = 0.98, bare: float = 0.01, surely: float = 0.95, stacked: bool = True) -> None:
        self.units, self._high, self._pips, self._dim_at_first = units, np.float32(high), pips, dim_at_first
        self._bare, self._surely = bare, surely
        self.in_play = InPlay(stacked=stacked)

    def judge(self, crops: Any) -> tuple[Any, Any]:
        twice = len(crops) in (5, 25)  # cuts of one place, in which a half stands for the other, which is hidden
        assert not twice or (crops == crops[:, ::-1, ::-1]).mean() > 0.9
        kinds = np.zeros((len(crops), 3), np.float32)
        empty = np.abs(crops.astype(int) - WOOD).mean(axis=(1, 2, 3)) < 20
        sure = 0.98 if twice else np.where(crops[:, 24:40, 54:58].mean(axis=(1, 2, 3)) < 150, 0.999, 0.3)
        if len(crops) == 5:
            sure = np.where(crops[:, 20:44, 20:92].mean(axis=(1, 2, 3)) < 150, self._dim_at_first, sure)
        kinds[:, 0] = np.where(empty, 0.01, sure)
        kinds[:, 2] = 1 - kinds[:, 0]
        counts = np.zeros((len(crops), 2, 16), np.float32)
        counts[..., self._pips] = 1.0
        return kinds, counts

    def levels(self, pyramid: Any, corners: Any) -> Any:
        crops = pyramid.warp_crops(corners)
        off_tile = (np.abs(crops[:, 16:48, 16:96].astype(int) - WOOD).mean(axis=3) < 20).mean(axis=(1, 2)) > 0.01
        barred = (crops[:, 24:40, 54:58].mean(axis=(1, 2, 3)) < 150) & ~off_tile
        upper, other = (0.01, 0.99 - self._surely, self._surely), (self._bare, 0.99 - self._bare, 0.01)
        return np.where(barred[:, None], upper, other).astype(np.float32)

    def upon(self, points: Any) -> Any:
        return points - (self._high, 0)

    def raised(self, points: Any) -> Any:
        return points + np.array([self._high, 0], np.float32)

    def to_picture(self, points: Any) -> Any:
        return points

    def to_table(self, points: Any) -> Any:
        return points


def lay(picture: Any, x: int, y: int, bar: bool = True) -> None:
    """A tile with its middle there."""
    cv2.rectangle(picture, (x - 19, y - 9), (x + 19, y + 9), IVORY, -1)
    if bar:
        cv2.rectangle(picture, (x - 1, y - 9), (x + 1, y + 9), BAR, -1)


def below(*halves: tuple[int, int], colour: tuple[int, int, int] = IVORY, sees: Any = None,
          found: Sequence[Detection] = (), kept: bool = True) -> list[Detection]:
    """The tiles seen to lie under a 2-3 where halves of a colour look out at these places; kept: what was surely found is."""
    picture = np.full((200, 300, 3), WOOD, np.uint8)
    for x, y in halves:
        cv2.rectangle(picture, (x - 10, y - 10), (x + 10, y + 10), colour, -1)
    high = int(sees.upon(np.zeros(2))[0]) if sees else 0
    lay(picture, 110 - high, 100)
    sees = sees or Sees()
    seen = [tile((2, 3), 110 - high, 100), *found]
    told = with_those_below(seen, sees, ImagePyramid(picture), sees)
    sure = [any(np.array_equal(each.corners, other.corners) for other in told) for each in seen if each.score > TELLING]
    assert all(sure) == kept
    return [each for each in told if each.half_hidden]


def test_where_halves_look_out_beside_both_ends_of_a_tile_it_lies_on_two() -> None:
    first, second = below(BEHIND, AHEAD)
    assert first.ends == (0, 2) and second.ends == (0, 3) and first.half_hidden
    for lower, half in ((first, BEHIND), (second, AHEAD)):
        assert np.allclose(middles_of(lower.corners)[0], half, atol=3.5)
    assert len(below(BEHIND, ABOVE)) == 2
    assert not below(BEHIND, AHEAD, sees=Sees(stacked=False))  # in this game no tile lies on another


def test_where_one_half_looks_out_beside_a_tile_the_other_is_looked_for_closely() -> None:
    dim: Any = Sees(dim_at_first=0.001)
    for at_once, found in ((AHEAD, 2), (ABOVE, 2), (None, 0)):  # nothing tells of either
        picture = np.full((200, 300, 3), WOOD, np.uint8)
        for (x, y), colour in [(BEHIND, IN_SHADE), *([(at_once, IVORY)] if at_once else [])]:
            cv2.rectangle(picture, (x - 10, y - 10), (x + 10, y + 10), colour, -1)
        lay(picture, 110, 100)
        told = with_those_below([tile((2, 3), 110, 100)], dim, ImagePyramid(picture), dim)
        assert sum(each.half_hidden for each in told) == found


def test_tiles_below_lie_where_the_upper_one_hides_them_not_where_it_is_seen() -> None:
    first, _ = below(BEHIND, AHEAD, sees=Sees(high=-6))
    assert np.allclose(middles_of(first.corners)[0], BEHIND, atol=3.5)


@pytest.mark.parametrize("halves", [(), (BEHIND,), (NEXT_ABOVE, ABOVE)])
def test_one_half_alone_or_two_that_may_be_a_tile_that_was_missed_tell_nothing(halves: tuple[tuple[int, int], ...]) -> None:
    assert not below(*halves)


def test_two_halves_side_by_side_look_out_where_their_outlines_are_plainly_none_of_a_tiles() -> None:
    assert len(below(NEXT_ABOVE, ABOVE, sees=Sees(bare=0.97))) == 2
    assert len(below(NEXT_ABOVE, ABOVE, sees=Sees(surely=0.97))) == 2  # or the other tile must lie on something
    across = tile((0, 0), 110, 80, score=0.6)  # and where they were read as one
    assert not below(NEXT_ABOVE, ABOVE, found=[across])
    assert len(below(NEXT_ABOVE, ABOVE, sees=Sees(bare=0.97), found=[across])) == 2
    surely = tile((0, 0), 110, 80, score=0.99)
    assert len(below(NEXT_ABOVE, ABOVE, sees=Sees(bare=0.97), found=[surely], kept=False)) == 2


def test_a_half_of_a_tile_that_was_found_looks_out_from_under_none() -> None:
    assert not below(BEHIND, AHEAD, found=[tile((0, 0), 150, 100), tile((0, 0), 70, 100)])
    assert below(BEHIND, AHEAD, found=[tile((0, 0), 150, 100, score=0.3)])  # that is hardly read
    assert below(BEHIND, AHEAD, found=[tile((3, 0), 132, 100, score=0.3)])  # made of its half and the other


@pytest.mark.parametrize(("colour", "pips", "found"), [(IVORY, 0, 2), (IN_SHADE, 4, 2), (BARE, 0, 0),
                                                        (BARE, 4, 0)])
def test_bare_cells_are_no_halves_under_a_tile(colour: tuple[int, int, int], pips: int,
                                                                            found: int) -> None:
    assert len(below(BEHIND, AHEAD, colour=colour, sees=Sees(pips=pips))) == found


def test_a_half_looks_out_from_under_one_tile_though_another_lies_beside_it() -> None:
    ends = tile((4, 4), 50, 100), tile((5, 5), 170, 100)
    picture = np.full((200, 300, 3), WOOD, np.uint8)
    for x, y in (BEHIND, AHEAD, (20, 100), (200, 100)):  # under the first and last of three tiles in line
        cv2.rectangle(picture, (x - 10, y - 10), (x + 10, y + 10), IVORY, -1)
    for x in (50, 110, 170):
        lay(picture, x, 100)
    sees: Any = Sees()
    told = with_those_below([tile((2, 3), 110, 100), *ends], sees, ImagePyramid(picture), sees)
    assert [each.ends for each in told if each.half_hidden] == [(0, 4), (0, 4), (0, 5), (0, 5)]


def test_a_half_does_not_look_out_where_a_surer_tile_lies_on_two() -> None:
    upper, left, right = tile((3, 6), 110, 100), tile((5, 3), 90, 100), tile((6, 2), 130, 100)
    halves = [Below(each.corners, 0.9, each.probabilities[0]) for each in (left, tile((2, 6), 130, 100, angle=np.pi))]
    on_both = Stack(upper, (halves[0], halves[1]), "joint", {"always": 1.0, "upon": 9.0})
    under_right = [Below(each.corners, 0.9, each.probabilities[0]) for each in (tile((3, 6), 110, 100), tile((4, 2), 170, 100))]
    on_what_it_covers = Stack(right, (under_right[0], under_right[1]), "out", {"always": 1.0, "upon": 3.0})
    assert on_both.odds > on_what_it_covers.odds > 0
    assert _agreeing([on_what_it_covers, on_both]) == [on_both]


def test_without_a_calibration_nobody_knows_where_halves_must_be() -> None:
    assert not below(BEHIND, AHEAD, sees=Sees("px"))


@pytest.mark.parametrize("laid", [True, False])
def test_where_two_tiles_seem_to_meet_in_a_third_it_lies_on_both_if_its_middle_is_a_tiles_and_theirs_are_none(laid: bool) -> None:
    picture = np.full((300, 300, 3), WOOD, np.uint8)
    for x in (80, 120):
        lay(picture, x, 100, bar=not laid)
    if laid:
        lay(picture, 100, 100)
    others = [tile((1, 2), 60 + 60 * at, 200) for at in range(4)]
    for at in range(4):
        lay(picture, 60 + 60 * at, 200)
    pair = [tile((4, 0), 80, 100), tile((0, 6), 120, 100)]
    sees: Any = Sees()
    told = with_those_below([*pair, *others], sees, ImagePyramid(picture), sees)
    assert [each.ends for each in told if each.half_hidden] == ([(4, 0), (6, 0)] if laid else [])
    assert [each.ends for each in told].count((0, 0)) == laid
    assert len(told) == 6 + laid


def test_the_lower_tile_reaches_from_the_half_that_looks_out_to_where_the_upper_one_lies() -> None:
    first, second = below(BEHIND, (143, 103))
    assert np.allclose(middles_of(first.corners)[1], (100, 100), atol=2.5)
    assert np.allclose(middles_of(second.corners)[1], (120, 100), atol=2.5)


@pytest.mark.parametrize("seed", range(20))
def test_no_half_that_looks_out_has_better_odds_than_it_can_have_at_best(seed: int) -> None:
    rng = np.random.default_rng(seed)
    top = Detection(np.zeros((4, 2), np.float32), np.zeros((4, 2), np.float32), np.zeros((2, 16), np.float32), False, 0.9)
    below = Below(np.zeros((4, 2), np.float32), 0.9, np.zeros(16, np.float32))
    upon = float(rng.uniform(0, 1) ** 4)
    signs = {name: float(rng.choice(ends)) for name, ends in ENDS_OF_SIGNS.items()} | {"upon": log_odds(upon)}
    assert signs.keys() == WEIGHTS["out"].keys()
    assert Stack(top, (below, below), "out", signs).odds <= _at_best(upon) + 1e-9
