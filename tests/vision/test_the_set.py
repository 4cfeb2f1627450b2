"""What the tiles of a table are made of tells faces from backs, and a double blank from both."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.test_choosing import _tile
from vision.detection import UNKNOWN, Detection
from vision.halves import Proposals
from vision.reader import Reader
from vision.rectify import ImagePyramid
from vision.table.place_hypotheses import PlaceHypotheses, _told_by_make
from vision.table.the_set import TheSet, bodies_of


def _painted() -> tuple[NDArray[np.uint8], list[NDArray[np.float32]]]:
    """A green table with 18 tiles: eight light ones that lie face up, then red backs."""
    picture = np.full((300, 400, 3), (60, 120, 60), np.uint8)
    tiles = [_tile(40 + 60 * (k % 6), 40 + 60 * (k // 6)) for k in range(18)]
    for k, tile in enumerate(tiles):
        cv2.fillConvexPoly(picture, np.rint(tile).astype(np.int32), (190, 210, 220) if k < 8 else (20, 20, 200))
    return picture, tiles


FEW = np.eye(16, dtype=np.float32)[None, [0, 0]]
"""Halves that show few pips."""


class _Reads:
    """A reader for which every place shows a face with these ends, this surely."""

    def __init__(self, ends: tuple[int, int], certainty: float) -> None:
        self.counts = np.eye(16, dtype=np.float32)[list(ends)]
        self.kind = np.array([certainty, (1 - certainty) / 2, (1 - certainty) / 2], np.float32)

    def judge(self, crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return np.tile(self.kind, (len(crops), 1)), np.tile(self.counts, (len(crops), 1, 1))


def test_a_double_blank_is_told_by_the_colour_of_the_faces() -> None:
    picture, tiles = _painted()
    pyramid, the_set = ImagePyramid(picture), TheSet()
    the_set.learn(pyramid, [Detection(tile, tile, UNKNOWN, k >= 8, 0.99) for k, tile in enumerate(tiles)])
    places = np.stack([tiles[0], tiles[10], _tile(300, 260)])
    crops = pyramid.warp_crops(places)
    face, back, nothing = the_set.prior(pyramid, places, bodies_of(pyramid, crops), FEW)
    assert face[0] == 1 and face[1] < 0.1 and face[2] < 0.1
    assert back[1] == back[2] == 1 and back[0] < 0.1
    assert (nothing == 1).all()


@pytest.mark.parametrize(("certainty", "kept"), [(0.995, [True]), (0.9, [False])])
def test_a_face_that_is_read_surely_is_one_though_a_lamp_gives_it_the_colour_of_the_backs(certainty: float,
                                                                                         kept: list[bool]) -> None:
    """Its colour makes it less likely a face, and counts no second time."""
    picture, tiles = _painted()
    pyramid, the_set = ImagePyramid(picture), TheSet()
    the_set.learn(pyramid, [Detection(tile, tile, UNKNOWN, k >= 8, 0.99) for k, tile in enumerate(tiles[:17])])
    place = Proposals(tiles[17][None], np.array([0.6], np.float32))
    seen = PlaceHypotheses.of(cast(Reader, _Reads((3, 5), certainty)), pyramid, place, the_set)
    assert (seen.kinds[:, 0] > seen.kinds[:, 1]).tolist() == kept


class _HalfRead(_Reads):
    """The same, where the second half may as well be another number."""

    def __init__(self, ends: tuple[int, int], certainty: float) -> None:
        super().__init__(ends, certainty)
        self.counts[1, [0, 1]] = 0.5


@pytest.mark.parametrize(("certainty", "kept"), [(0.995, 1), (0.96, 0)])
def test_what_hardly_is_no_tile_is_told_though_it_is_made_unlike_others_and_can_be_read_only_in_part(certainty: float,
                                                                                                     kept: int) -> None:
    picture, tiles = _painted()
    pyramid, the_set = ImagePyramid(picture), TheSet()
    the_set.learn(pyramid, [Detection(tile, tile, UNKNOWN, False, 0.99) for tile in tiles[:8]])
    place = Proposals(tiles[17][None], np.array([0.6], np.float32))
    assert len(PlaceHypotheses.of(cast(Reader, _HalfRead((1, 0), certainty)), pyramid, place, the_set).kinds) == kept


@pytest.mark.parametrize("blotched", [0, 2])
def test_what_is_as_dark_as_the_backs_may_be_a_face_where_faces_are_blotched(blotched: int) -> None:
    picture, tiles = _painted()
    faces, backs, places = (np.full((count, 2, 3), level, np.float32) for count, level in ((12, -1.0), (8, -1.6), (1, -1.5)))
    faces[:blotched, 0] = -1.6
    the_set = TheSet()
    the_set.remember(np.concatenate([faces, backs]), np.arange(20) >= 12)
    pyramid = ImagePyramid(picture)
    prior = the_set.prior(pyramid, np.stack(tiles[:1]), places, FEW)
    assert (prior[0, 0] == 1) == (blotched > 0)


def test_a_scratched_back_is_none_of_the_faces_where_these_are_all_alike_though_they_are_much_like_backs() -> None:
    picture, tiles = _painted()
    faces, backs, place = (np.full((count, 2, 3), level, np.float32) for count, level in ((12, -1.0), (8, -1.25), (1, -1.25)))
    faces[:, :, 0] += np.linspace(-0.05, 0.05, 12)[:, None]
    the_set = TheSet()
    the_set.remember(np.concatenate([faces, backs]), np.arange(20) >= 12)
    assert the_set.coloured and not TheSet().coloured
    assert the_set.prior(ImagePyramid(picture), np.stack(tiles[:1]), place, FEW)[0, 0] < 0.1


def test_double_blanks_taken_for_backs_do_not_tell_what_backs_look_like() -> None:
    """Of a set without bars a few faces and many backs are known in the first picture, and a double blank reads as a back."""
    picture = np.full((300, 400, 3), (120, 130, 140), np.uint8)
    tiles = [_tile(40 + 60 * (k % 6), 40 + 60 * (k // 6)) for k in range(18)]
    for k, tile in enumerate(tiles):
        cv2.fillConvexPoly(picture, np.rint(tile).astype(np.int32), (40, 60, 40) if k < 8 else (220, 190, 170))
    pyramid, the_set = ImagePyramid(picture), TheSet()
    the_set.learn(pyramid, [Detection(tile, tile, UNKNOWN, k >= 4, 0.99) for k, tile in enumerate(tiles)])
    places = np.stack([tiles[5], tiles[10]])
    blank, real = the_set.prior(pyramid, places, bodies_of(pyramid, pyramid.warp_crops(places)), FEW)[:, 1]
    assert blank < 0.01 and real == 1


def test_what_looks_like_a_back_and_is_not_made_like_one_is_a_double_blank() -> None:
    kinds = np.array([[0.006, 0.993, 0.001], [0.006, 0.993, 0.001], [0.95, 0.04, 0.01]], np.float32)
    counts = np.full((3, 2, 16), 1 / 16, np.float32)
    counts[2] = np.eye(16, dtype=np.float32)[[3, 5]]
    prior = np.array([[1, 1e-3, 1], [1, 1, 1], [1, 1e-3, 1]], np.float32)
    told, pips = _told_by_make(kinds, counts, prior)
    assert told[0, 0] > 0.9 and pips[0, :, 0].min() > 0.8
    assert told[1, 1] > 0.9 and np.allclose(pips[1], 1 / 16)
    assert told[2, 0] > 0.9 and (pips[2].argmax(axis=-1) == (3, 5)).all()


def test_a_black_face_with_few_pips_is_no_back_though_most_faces_are_lighter() -> None:
    """On black tiles many white pips lighten a half: those of one set then differ more than the usual face from a back."""
    picture = np.full((300, 400, 3), (120, 130, 140), np.uint8)
    tiles = [_tile(40 + 60 * (k % 6), 40 + 60 * (k // 6)) for k in range(18)]
    for k, tile in enumerate(tiles):
        level = 8 if k >= 8 else (62, 8, 30)[k % 3]
        cv2.fillConvexPoly(picture, np.rint(tile).astype(np.int32), (level, level, level))
    pyramid, the_set = ImagePyramid(picture), TheSet()
    the_set.learn(pyramid, [Detection(tile, tile, UNKNOWN, k >= 8, 0.99) for k, tile in enumerate(tiles)])
    few_pips = np.stack([tiles[1], tiles[4]])
    crops = pyramid.warp_crops(few_pips)
    assert (the_set.prior(pyramid, few_pips, bodies_of(pyramid, crops), FEW)[:, 0] == 1).all()


def test_a_face_with_few_pips_is_no_back_where_backs_are_of_the_same_body() -> None:
    """Many white pips lighten a half, and most tiles have some: it is their other halves that show what faces are made of."""
    dark, light = np.array((0.5, 0.7, -1.4)), np.array((0.6, 0.9, -0.4))
    the_set = TheSet()
    the_set.remember(np.array([(dark, light)] * 8 + [(light, light)] * 8 + [(dark, dark)] * 8, np.float32), np.arange(24) >= 16)
    pyramid, places = ImagePyramid(np.full((300, 400, 3), (120, 130, 140), np.uint8)), np.stack([_tile(100, 100)])
    assert (the_set.prior(pyramid, places, np.array([(dark, dark)], np.float32), FEW)[0, :2] == 1).all()


def test_a_half_that_many_pips_lighten_is_no_backs_though_those_are_as_light() -> None:
    """A 9 that somebody lays beside a set to double-six: no half that is known is as light, but backs in the light."""
    dark, light = np.array((-0.4, -1.0, -1.4)), np.array((-0.2, -0.8, -1.2))
    the_set = TheSet()
    the_set.remember(np.array([(dark, dark)] * 12 + [(light, light), (dark, dark)] * 6, np.float32), np.arange(24) >= 12)
    pyramid, places = ImagePyramid(np.full((300, 400, 3), (120, 130, 140), np.uint8)), np.stack([_tile(100, 100)])
    body = np.array([(dark, light)], np.float32)
    assert the_set.prior(pyramid, places, body, FEW)[0, 0] < 0.1
    assert the_set.prior(pyramid, places, body, np.eye(16, dtype=np.float32)[None, [1, 9]])[0, 0] == 1


def test_a_face_in_the_shade_is_no_back_though_backs_lie_in_the_shade_and_most_faces_in_the_light() -> None:
    picture = np.full((300, 400, 3), (120, 130, 140), np.uint8)
    tiles = [_tile(40 + 60 * (k % 6), 40 + 60 * (k // 6)) for k in range(18)]
    for k, tile in enumerate(tiles):
        level = 50 if k >= 12 else 150 if k < 6 else 80 - 4 * (k - 6)
        cv2.fillConvexPoly(picture, np.rint(tile).astype(np.int32), (level, level, level))
    pyramid, the_set = ImagePyramid(picture), TheSet()
    known = [k for k in range(18) if k < 9 or k >= 12]
    the_set.learn(pyramid, [Detection(tiles[k], tiles[k], UNKNOWN, k >= 12, 0.99) for k in known])
    shaded = np.stack([tiles[9], tiles[10], tiles[11]])
    crops = pyramid.warp_crops(shaded)
    assert (the_set.prior(pyramid, shaded, bodies_of(pyramid, crops), FEW)[:, 0] == 1).all()
