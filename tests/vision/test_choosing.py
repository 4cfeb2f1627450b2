"""Which places hold tiles, once the size and the colour of the set's tiles are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection import UNKNOWN, Detection, half_of
from vision.halves import Proposals
from vision.in_play import InPlay
from vision.reader import Reader
from vision.rectify import ImagePyramid
from vision.table.choosing import (
    _paired_anew,
    _seen,
    chosen,
    of_a_size,
    rectangles,
    without_sides,
)
from vision.table.place_hypotheses import PlaceHypotheses
from vision.table.the_set import TheSet, bodies_of, sizes

SIZE = (48.0, 24.0)


def _tile(x: float, y: float, angle: float = 0.0) -> NDArray[np.float32]:
    along = np.array([[12 * np.cos(angle), 12 * np.sin(angle)]], np.float32)
    middle = np.array([[x, y]], np.float32)
    tile: NDArray[np.float32] = rectangles(middle - along, middle + along, SIZE)[0]
    return tile


def test_a_rectangle_is_as_large_as_a_tile_and_named_clockwise_from_its_first_half() -> None:
    tile = _tile(100, 50, 0.4)
    assert np.allclose(sizes(tile[None]), [SIZE], atol=1e-3)
    assert abs(half_of(tile) - 24) < 1e-3
    assert np.allclose(tile.mean(axis=0), (100, 50), atol=1e-3)
    assert cv2.contourArea(tile, oriented=True) > 0


def test_only_what_is_about_as_large_as_the_tiles_fits() -> None:
    small, fitting, slim = _tile(0, 0) * 0.6, _tile(0, 0) * 1.1, _tile(0, 0) * np.array([1.4, 0.7])
    assert of_a_size(np.stack([small, fitting, slim]).astype(np.float32), SIZE).tolist() == [False, True, False]


def test_sides_make_a_tile_look_larger_and_a_figure_on_its_back_smaller() -> None:
    with_sides, framed = _tile(0, 0) * 1.3, _tile(0, 0) * 0.7
    assert of_a_size(np.stack([with_sides, framed]).astype(np.float32), SIZE).all()


@pytest.mark.parametrize("angle", [0.0, np.pi / 2, np.pi, -np.pi / 2, 0.6])
@pytest.mark.parametrize("lean", [(0.0, 7.0), (5.0, -4.0), (0.0, 0.0)])
def test_sides_seen_below_a_face_are_cut_off_where_the_foot_is(angle: float, lean: tuple[float, float]) -> None:
    face, away = _tile(100, 50, angle), np.array(lean, np.float32)
    middle = face.mean(axis=0)
    ways = [(face[2] - face[1]) / SIZE[0], (face[0] - face[1]) / SIZE[1]]
    seen = face.copy()  # with the foot, which lies so much nearer to the camera: corners that look that way go with it
    for way in ways:
        foot = -float(away @ way)
        seen += np.where(((face - middle) @ way * foot > 0)[:, None], way * np.float32(foot), 0)
    assert np.allclose(without_sides(seen[None], away[None], SIZE)[0], face, atol=1e-3)


def test_nothing_is_cut_off_of_what_is_no_larger_than_a_face() -> None:
    small = _tile(0, 0, 0.3) * np.float32(0.9)
    assert np.allclose(without_sides(small[None], np.array([[3.0, 8.0]], np.float32), SIZE)[0], small)


def test_halves_of_touching_tiles_are_paired_anew_unless_their_tiles_are_read_surely() -> None:
    upper, lower = _tile(0, 0), _tile(0, 24)
    middles = np.array([[-12, 0], [12, 0], [-12, 24], [12, 24]], np.float32)
    objectness = np.full(4, 0.5, np.float32)
    wrong = _tile(-12, 12, np.pi / 2)
    found = _paired_anew(middles, objectness, np.zeros((0, 4, 2), np.float32), wrong[None], SIZE)
    for tile in (upper, lower):
        assert any(np.allclose(np.sort(tile, axis=0), np.sort(corners, axis=0), atol=1e-3) for corners in found.corners)
    assert not any(np.allclose(wrong.mean(axis=0), corners.mean(axis=0)) for corners in found.corners)
    assert len(_paired_anew(middles, objectness, np.stack([upper, lower]), np.stack([upper, lower]), SIZE).objectness) == 0


def test_a_tile_that_nobody_can_read_is_told_if_one_surely_lies_there() -> None:
    corners, there = np.stack([_tile(100 * at, 0) for at in range(3)]), np.array([0.99, 0.9, 0.99], np.float32)
    places = Proposals(corners, np.array([0.7, 0.7, 0.2], np.float32))
    judged = PlaceHypotheses(places, np.stack([there, 0 * there, 1 - there], axis=1), np.full((3, 2, 16), 1 / 16, np.float32),
                             np.zeros((3, 2, 3), np.float32), np.ones(3, np.float32))
    scores = [each.score for each in _seen(cast(Reader, _Chooser((4, 5), 0.99, score=0.3)), judged, lambda p: p)]
    assert scores[0] > 0.5 and scores[1:] == [0.3, 0.3]


def test_of_several_tiles_one_may_be_seen_too_small_and_of_two_neither() -> None:
    pyramid = ImagePyramid(np.full((300, 400, 3), 60, np.uint8))
    right, small = _tile(40, 40), 0.92 * _tile(100, 100)
    for tiles, told in (([right] * 4 + [small], True), ([right, 0.87 * right], False), ([right] * 2, True)):
        size = TheSet().learn(pyramid, [Detection(tile, tile, UNKNOWN, True, 0.99) for tile in tiles])
        assert (size is not None) == told


FEW_PIPS = np.zeros((5, 2, 16), np.float32)
FEW_PIPS[:, :, 2] = 1
"""Five tiles that are read as 2-2."""


def test_what_is_of_another_colour_than_the_set_is_strange() -> None:
    picture = np.full((300, 400, 3), (60, 120, 60), np.uint8)
    tiles = [_tile(40 + 60 * (k % 6), 40 + 40 * (k // 6)) for k in range(8)]
    for tile in tiles:
        cv2.fillConvexPoly(picture, np.rint(tile).astype(np.int32), (190, 210, 220))
    assert TheSet().size is None
    the_set = TheSet()
    the_set.learn(ImagePyramid(picture), [Detection(tile, tile, UNKNOWN, False, 0.99) for tile in tiles])
    assert the_set.size is not None and np.allclose(the_set.size, SIZE, atol=1e-3)
    around = np.array((60, 120, 60), np.float32) + 16
    like = np.log((np.array((185, 215, 220), np.float32) + 16) / around)
    bodies = np.stack([np.stack([like, like]), np.stack([like, np.zeros(3, np.float32)])])
    assert the_set.strange(bodies, np.array([False, False]), FEW_PIPS[:2], np.full(2, 0.8, np.float32)).tolist() == [False, True]
    assert the_set.strange(bodies, np.array([True, True]), FEW_PIPS[:2], np.full(2, 0.8, np.float32)).tolist() == [False, True]
    assert not the_set.strange(bodies, np.array([False, False]), FEW_PIPS[:2], np.full(2, 0.97, np.float32)).any()  # read surely
    for half, crowded in ((0, [False, True]), (1, [False, False])):  # of a six its pips may be the most that is seen
        counts = FEW_PIPS[:2].copy()
        counts[1, half] = np.eye(16)[6]
        assert the_set.strange(bodies, np.array([False, False]), counts, np.full(2, 0.8, np.float32)).tolist() == crowded


def test_what_is_tinted_otherwise_is_strange_though_pips_lighten_or_darken_the_set_as_much() -> None:
    the_set, levels = TheSet(), np.array([-0.8, -0.5, -0.2, 0.2, 0.5, 0.8], np.float32)
    the_set.remember(np.broadcast_to(levels[:, None, None], (6, 2, 3)), np.zeros(6, np.bool_))
    bright, red = np.full((2, 3), 0.9, np.float32), np.tile(np.array([-0.1, -0.1, 0.9], np.float32), (2, 1))
    told = the_set.strange(np.stack([bright, red]), np.zeros(2, np.bool_), FEW_PIPS[:2], np.full(2, 0.4, np.float32))
    assert told.tolist() == [False, True]


def test_backs_of_a_colour_of_their_own_are_told_by_being_alike() -> None:
    the_set = TheSet()
    face, back, odd = (np.full((2, 3), level, np.float32) for level in (0.1, -0.8, 1.2))
    the_set.remember(np.stack([face] * 8), np.zeros(8, np.bool_))
    few, many = np.stack([back] * 2), np.stack([back] * 4 + [odd])
    assert the_set.strange(few, np.ones(2, np.bool_), FEW_PIPS[:2], np.full(2, 0.8, np.float32)).all()
    seen = np.array([0.98, 0.98, 0.98, 0.98, 0.8], np.float32)
    assert the_set.strange(many, np.ones(5, np.bool_), FEW_PIPS, seen).tolist() == [False] * 4 + [True]
    more = np.concatenate([many[:4], many[:1]])
    assert not the_set.strange(more, np.ones(5, np.bool_), FEW_PIPS, seen).any()  # made like the four that are sure
    assert the_set.strange(more, np.ones(5, np.bool_), FEW_PIPS, np.full(5, 0.8, np.float32)).all()  # bare cells of a board


class _Sure:
    """A reader for which every place shows a back, this surely."""

    def __init__(self, certainty: float) -> None:
        self.certainty = certainty

    def judge(self, crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        kinds = np.tile(np.array([[0.0, self.certainty, 1 - self.certainty]], np.float32), (len(crops), 1))
        return kinds, np.full((len(crops), 2, 16), 1 / 16, np.float32)


def _unseen(count: int) -> NDArray[np.uint8]:
    """Crops of which nothing is asked."""
    return np.zeros((count, 64, 112, 3), np.uint8)


def test_what_plainly_is_a_tile_may_be_of_another_colour_than_those_known() -> None:
    picture = np.full((300, 400, 3), (60, 120, 60), np.uint8)
    tiles = [_tile(40 + 60 * (k % 6), 40 + 40 * (k // 6)) for k in range(8)]
    back = _tile(200, 200)
    for tile in tiles:
        cv2.fillConvexPoly(picture, np.rint(tile).astype(np.int32), (190, 210, 220))
    cv2.fillConvexPoly(picture, np.rint(back).astype(np.int32), (20, 20, 200))
    pyramid, the_set = ImagePyramid(picture), TheSet()
    the_set.learn(pyramid, [Detection(tile, tile, UNKNOWN, False, 0.99) for tile in tiles])
    place = Proposals(back[None], np.array([0.6], np.float32))
    for certainty, kept in ((0.9, 0), (0.995, 1)):
        assert len(PlaceHypotheses.of(cast(Reader, _Sure(certainty)), pyramid, place, the_set).kinds) == kept


def _counts(first: int, second: int) -> NDArray[np.float32]:
    out: NDArray[np.float32] = np.eye(16, dtype=np.float32)[[first, second]][None]
    return out


class _Chooser:
    """A reader for which every place shows a tile with these ends, this surely."""

    in_play = InPlay()

    def __init__(self, ends: tuple[int, int], certainty: float, score: float = 0.99) -> None:
        self.ends, self.certainty, self.score = ends, certainty, score

    def levels(self, pyramid: ImagePyramid, corners: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.tile(np.array([[0.1, 0.0, 0.9]], np.float32), (len(corners), 1))

    def judge(self, crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        kinds = np.tile(np.array([[self.certainty, 0.0, 1 - self.certainty]], np.float32), (len(crops), 1))
        return kinds, np.tile(_counts(*self.ends), (len(crops), 1, 1))

    def look_again(self, pyramid: ImagePyramid, corners: NDArray[np.float32], kinds: NDArray[np.float32],
                   counts: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return kinds, counts

    def calibrated(self, certainty: float, _: float) -> float:
        return certainty

    def decide(self, places: Proposals, kinds: NDArray[np.float32], counts: NDArray[np.float32],
               strength: NDArray[np.float32]) -> dict[int, Detection]:
        return {at: Detection(corners, corners, counts[0], False, self.score) for at, corners in enumerate(places.corners)}


def test_all_ways_to_pair_halves_are_told_beside_the_likeliest_and_a_tile_that_lies_as_it_did_is_among_them() -> None:
    """Of four halves in a square either both upright or both level pairs may be tiles: a belief that remembers will know."""
    pyramid = ImagePyramid(np.full((300, 400, 3), (190, 210, 220), np.uint8))
    lower, left, right = _tile(100, 124), _tile(88, 112, np.pi / 2), _tile(112, 112, np.pi / 2)
    the_set = TheSet()
    the_set.size = SIZE
    found = Proposals(np.stack([left, right]), np.full(2, 0.9, np.float32))
    seen, maybe = ([tuple(each.corners.mean(axis=0).round().astype(int).tolist()) for each in some] for some in chosen(
        cast(Reader, _Chooser((4, 5), 0.99)), pyramid, found, the_set, lambda p: p, lambda p: p, known=lower[None]))
    assert len(seen) == 2 and {(88, 112), (112, 112), (100, 124)} <= set(maybe)


def _with_cells(found: NDArray[np.float32], objectness: float, cells: Sequence[NDArray[np.float32]], certainty: float = 0.99,
                ) -> tuple[list[Detection], list[Detection]]:
    """What is chosen, and what may be, where one tile is found and a game has these cells."""
    pyramid, the_set = ImagePyramid(np.full((300, 400, 3), (190, 210, 220), np.uint8)), TheSet()
    the_set.size = SIZE
    proposals = Proposals(found[None], np.full(1, objectness, np.float32))
    reader = cast(Reader, _Chooser((4, 5), certainty))
    return chosen(reader, pyramid, proposals, the_set, lambda p: p, lambda p: p, cells=np.stack(cells))


def test_a_place_where_a_game_knows_that_tiles_may_lie_is_tried_though_nothing_is_found_there() -> None:
    """What is found comes before it."""
    seen, _ = _with_cells(_tile(100, 200), 0.3, [_tile(103, 200), _tile(300, 100)])
    assert sorted(np.rint(each.corners.mean(axis=0)).tolist() for each in seen) == [[100, 200], [300, 100]]


def test_a_cell_is_tried_beside_what_is_found_askew_across_it() -> None:
    """On a chequered board halves are found roughly: a tile turned by 20 degrees where one lies straight in its cell."""
    _, maybe = _with_cells(_tile(100, 200, 0.35), 0.9, [_tile(100, 200)])
    assert any(np.allclose(each.corners, _tile(100, 200), atol=0.1) for each in maybe)


def test_cells_of_a_game_are_tiles_as_they_are_and_halves_of_two_are_none() -> None:
    _, maybe = _with_cells(_tile(300, 100), 0.9, [_tile(100, 200), _tile(100, 224)], 0.4)
    places = {tuple(each.corners.mean(axis=0).round().astype(int).tolist()) for each in maybe}
    assert places == {(300, 100), (100, 200), (100, 224)}


class _Outlines:
    """Sees no tile in what lies level, and asks of so many places."""

    asked = 0

    def levels(self, _: ImagePyramid, corners: NDArray[np.float32]) -> NDArray[np.float32]:
        self.asked += len(corners)
        level = np.ptp(corners[..., 0], axis=1) > np.ptp(corners[..., 1], axis=1)
        return np.where(level[:, None], (0.99, 0.01, 0.0), (0.01, 0.99, 0.0)).astype(np.float32)


def test_of_two_ways_to_pair_four_halves_the_outlines_tell() -> None:
    pyramid = ImagePyramid(np.full((300, 400, 3), (190, 210, 220), np.uint8))
    upright, level = [_tile(88, 100, np.pi / 2), _tile(112, 100, np.pi / 2)], [_tile(100, 88), _tile(100, 112)]
    corners = np.stack([*upright, *level, _tile(300, 200)]).astype(np.float32)
    certainty = np.array([0.9, 0.9, 0.99, 0.99, 0.99], np.float32)
    kinds = np.stack([certainty, 0 * certainty, 1 - certainty], axis=1)
    crops, outlines = pyramid.warp_crops(corners), _Outlines()
    judged = PlaceHypotheses(Proposals(corners, np.full(5, 0.9, np.float32)), kinds,
                             np.concatenate([_counts(4, 5)] * 5), bodies_of(pyramid, crops), np.ones(5, np.float32))
    assert sorted(judged.standing(0).tolist()) == [2, 3, 4]
    assert sorted(judged.by_outlines(judged.bare(cast(Reader, outlines), pyramid)).standing(0).tolist()) == [0, 1, 4]
    assert outlines.asked == 4  # what is in nobody's way is not asked of
    assert judged.bare(cast(Reader, outlines), pyramid, corners[:2]).tolist() == pytest.approx([0.01, 0.01, 0.99, 0.99, 0.99])


@pytest.mark.parametrize(("copies", "lying"), [(0, [2, 3, 4, 5]), (2, [2, 3, 4, 5]), (1, [0, 1, 4, 5])])
def test_of_two_ways_to_pair_four_halves_what_lies_elsewhere_gives_way(copies: int, lying: list[int]) -> None:
    """A 1-6 and a 2-3 side by side, in a set whose 1-2 and 6-3 lie beside them."""
    pyramid = ImagePyramid(np.full((300, 400, 3), (190, 210, 220), np.uint8))
    corners = np.stack([_tile(88, 100, np.pi / 2), _tile(112, 100, np.pi / 2), _tile(100, 88), _tile(100, 112),
                        _tile(300, 200), _tile(300, 100)]).astype(np.float32)
    certainty = np.array([0.9, 0.9, 0.95, 0.95, 0.99, 0.99], np.float32)
    counts = np.concatenate([_counts(*ends) for ends in ((1, 6), (2, 3), (1, 2), (6, 3), (2, 1), (3, 6))])
    judged = PlaceHypotheses(Proposals(corners, np.full(6, 0.9, np.float32)),
                             np.stack([certainty, 0 * certainty, 1 - certainty], axis=1), counts,
                             bodies_of(pyramid, pyramid.warp_crops(corners)), np.ones(6, np.float32))
    assert sorted(judged.standing(copies).tolist()) == lying
