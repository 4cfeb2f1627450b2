"""What a set's pips are painted with tells a vein in its marble from a pip."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.halves import Proposals
from vision.reader import Reader
from vision.rectify import HEIGHT, MARGIN, WIDTH, ImagePyramid
from vision.table.ink import Ink
from vision.table.place_hypotheses import PlaceHypotheses
from vision.table.the_set import TheSet

Colour = tuple[int, int, int]

GREEN, WHITE, VEIN = (60, 110, 80), (230, 235, 230), (85, 140, 110)
RED, BLUE = (40, 30, 160), (190, 70, 30)
CORNERS = np.array([(-12, -12), (12, 12), (12, -12), (-12, 12), (0, -12), (0, 12)])


def _tile(first: int, second: int, ink: tuple[int, int, int] = WHITE, vein: bool = False) -> NDArray[np.uint8]:
    """A straightened tile; on marble its blank halves show a spot in the middle."""
    crop = np.full((HEIGHT, WIDTH, 3), GREEN, np.uint8)
    for half, pips in enumerate((first, second)):
        middle = np.array((WIDTH / 2 + (half - 0.5) * (WIDTH / 2 - MARGIN), HEIGHT / 2))
        if pips == 0 and vein:
            cv2.circle(crop, (round(middle[0]), round(middle[1])), 5, VEIN, -1)
        for off in [*CORNERS[: 2 * (pips // 2)], *([(0, 0)] if pips % 2 else [])]:
            x, y = middle + off
            cv2.circle(crop, (round(x), round(y)), 5, ink, -1)
    return crop


def _counts(*ends: tuple[int, int], sure: float = 0.97) -> NDArray[np.float32]:
    counts = np.full((len(ends), 2, 16), (1 - sure) / 15, np.float32)
    for tile, pips in enumerate(ends):
        counts[tile, (0, 1), pips] = sure
    return counts


def _faces(number: int) -> NDArray[np.float32]:
    return np.tile(np.array([[0.98, 0.01, 0.01]], np.float32), (number, 1))


def _known(*inks: tuple[int, int, int]) -> Ink:
    ink, ends = Ink(), [(2, 3), (4, 5), (3, 4), (5, 2)]
    ink.learn(np.stack([_tile(*each, inks[at % len(inks)]) for at, each in enumerate(ends)]), _counts(*ends))
    return ink


def test_a_spot_that_is_not_as_bold_as_the_pips_is_none() -> None:
    crops = np.stack([_tile(0, 4, vein=True), _tile(1, 4)])
    seen = _counts((1, 4), (1, 4))
    kinds, counts = _known(WHITE).told(crops, _faces(2), seen)
    assert counts.argmax(axis=-1).tolist() == [[0, 4], [1, 4]]
    assert np.allclose(kinds, _faces(2))  # the four shows that it is a tile
    assert np.allclose(counts.sum(axis=-1), 1)


def test_halves_crowded_with_pips_tell_nothing() -> None:
    ink, crowded = _known(WHITE), cv2.dilate(_tile(6, 6), np.ones((5, 5), np.uint8))  # as pips look from afar
    ink.learn(np.stack([np.asarray(crowded, np.uint8)] * 8), _counts(*[(6, 6)] * 8))
    assert ink.told(_tile(0, 4, vein=True)[None], _faces(1), _counts((1, 4)))[1].argmax(axis=-1).tolist() == [[0, 4]]


def test_in_the_glare_of_a_lamp_pips_are_less_bold_than_they_are() -> None:
    """Of a black set with white pips: what a lamp adds is much for the body and little for the pips."""
    ends, ink = [(2, 3), (4, 5), (3, 4), (5, 2)], Ink()
    dark = [(_tile(*each).astype(np.int32) - (40, 90, 60)).clip(0, 255) for each in ends]
    ink.learn(np.stack(dark).astype(np.uint8), _counts(*ends))
    shining = (dark[1] + 90).clip(0, 255).astype(np.uint8)
    kinds, counts = ink.told(shining[None], _faces(1), _counts((4, 5)))
    assert np.allclose(kinds, _faces(1), atol=0.01) and counts.argmax(axis=-1).tolist() == [[4, 5]]
    bare = np.full_like(shining, 110)
    assert ink.told(bare[None], _faces(1), _counts((4, 5)))[0][0, 0] < 0.5


def _large(*ends: tuple[int, int], vein: bool = False) -> NDArray[np.uint8]:
    """Tiles with pips so large that five of them cover more of a half than they leave."""
    grown = [cv2.dilate(_tile(*each), np.ones((7, 7), np.uint8)) if 0 not in each else _tile(*each, vein=vein) for each in ends]
    return np.stack([np.asarray(each, np.uint8) for each in grown])


def test_of_large_pips_those_that_are_few_say_which_is_the_ink() -> None:
    ends, ink = [(5, 5), (2, 5), (5, 3), (5, 4), (5, 5)], Ink()
    ink.learn(_large(*ends), _counts(*ends))
    assert ink.told(_large((0, 4), vein=True), _faces(1), _counts((1, 4)))[1].argmax(axis=-1).tolist() == [[0, 4]]
    kept = [(2, 5), (5, 4), (3, 3)]
    assert ink.told(_large(*kept), _faces(3), _counts(*kept))[1].argmax(axis=-1).tolist() == [list(each) for each in kept]


def test_before_the_ink_is_known_and_where_numbers_have_colours_of_their_own_nothing_is_told() -> None:
    crops, seen = _tile(0, 4, vein=True)[None], _counts((1, 4))
    for ink in (Ink(), _known(WHITE, (20, 20, 200), (200, 30, 20), (20, 20, 20))):
        assert np.array_equal(ink.told(crops, _faces(1), seen)[1], seen)


@pytest.mark.parametrize("others", [[], [((3, 3), RED), ((5, 5), BLUE)]])
def test_the_ink_of_two_numbers_that_are_seen_often_is_not_that_of_all(others: list[tuple[tuple[int, int], Colour]]) -> None:
    ink, seen = Ink(), [((2, 4), WHITE)] * 8 + others
    ink.learn(np.stack([_tile(*ends, colour) for ends, colour in seen]), _counts(*[ends for ends, _ in seen]))
    told = ink.told(_tile(6, 6, BLUE)[None], _faces(1), _counts((6, 6)))[1]
    assert told.argmax(axis=-1).tolist() == [[6, 6]] and told.max(axis=-1).min() > 0.9


def test_a_spot_of_quite_another_colour_is_a_pip_of_a_number_that_has_its_own() -> None:
    ivory, black, pale_blue, vein = (200, 225, 230), (20, 20, 20), (200, 190, 90), (150, 170, 172)
    assert _told_on(ivory, black, pale_blue) == 1
    assert _told_on(ivory, black, vein) == 0


def _told_on(body: Colour, ink: Colour, spot: Colour) -> int:
    """How many pips there are where a 1 is read by a spot, on tiles of this body whose numbers from two on are of one ink."""

    def on_body(crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.where((crop == GREEN).all(axis=-1, keepdims=True), np.array(body, np.uint8), crop)

    known, ends = Ink(), [(2, 3), (4, 5), (3, 4), (5, 2)]
    known.learn(np.stack([on_body(_tile(*each, ink)) for each in ends]), _counts(*ends))
    return int(known.told(on_body(_tile(1, 4, spot))[None], _faces(1), _counts((1, 4)))[1][0, 0].argmax())


@pytest.mark.parametrize(("ends", "believed"), [([], 1), ([(4, 4), (4, 4)], 0), ([(2, 3), (3, 2)], 0)])
def test_the_ink_of_few_numbers_tells_a_vein_from_a_pip_that_is_not_surely_read(ends: list[tuple[int, int]],
                                                                             believed: int) -> None:
    ink, counts = Ink(), _counts((1, 4))
    counts[0, 0, :2] = 0.3, 0.7
    if ends:
        ink.learn(np.stack([_tile(*each) for each in ends]), _counts(*ends))
    assert ink.told(_tile(0, 4, vein=True)[None], _faces(1), counts)[1][0, 0].argmax() == believed


def test_what_seemed_to_have_pips_and_has_none_is_less_of_a_tile() -> None:
    crops = np.stack([_tile(0, 0, vein=True)] * 2)
    kinds, counts = _known(WHITE).told(crops, _faces(2), _counts((1, 3), (0, 0)))
    assert (counts.argmax(axis=-1) == 0).all()
    assert kinds[0, 0] < 0.5 and kinds[1, 0] > 0.95  # the other was read as a double blank all along


class _Ones:
    """A reader that takes the spot in the marble for a pip."""

    def judge(self, crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return _faces(len(crops)), _counts(*[(1, 4)] * len(crops))

    def look_again(self, pyramid: ImagePyramid, corners: NDArray[np.float32], kinds: NDArray[np.float32],
                   counts: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return _faces(len(kinds)) * np.float32(0.9), _counts(*[(1, 4)] * len(kinds))


def test_a_tables_set_tells_its_blanks_in_the_first_look_and_in_a_closer_one() -> None:
    picture, the_set = cv2.copyMakeBorder(_tile(0, 4, vein=True), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=GREEN), TheSet()
    the_set.ink = _known(WHITE)
    left, right, top, bottom = 40 + MARGIN, 40 + WIDTH - MARGIN, 40 + MARGIN, 40 + HEIGHT - MARGIN
    place = np.array([[(left, bottom), (left, top), (right, top), (right, bottom)]], np.float32)
    pyramid, reader = ImagePyramid(np.asarray(picture, np.uint8)), cast(Reader, _Ones())
    judged = PlaceHypotheses.of(reader, pyramid, Proposals(place, np.ones(1, np.float32), np.zeros(1, np.int64)), the_set)
    for seen in (judged, judged.looked_again(reader, pyramid, the_set)):
        assert seen.counts.argmax(axis=-1).tolist() == [[0, 4]]


def test_what_looks_like_the_body_is_no_ink() -> None:
    ink, counts = Ink(), _counts((1, 4))
    ink.learn(np.stack([_tile(2, 3, GREEN), _tile(4, 5, GREEN)]), _counts((2, 3), (4, 5)))
    assert np.array_equal(ink.told(_tile(0, 4, vein=True)[None], _faces(1), counts)[1], counts)


def test_a_half_that_pips_cover_keeps_them_though_the_body_between_them_is_what_differs() -> None:
    crowded = np.asarray(cv2.dilate(_tile(6, 6), np.ones((5, 5), np.uint8)), np.uint8)[None]  # as pips look from afar
    seen = _counts((6, 6))
    kinds, counts = _known(WHITE).told(crowded, _faces(1), seen)
    assert np.allclose(kinds, _faces(1)) and np.allclose(counts, seen)
    assert _known(WHITE).told(_tile(0, 0)[None], _faces(1), _counts((4, 4)))[0][0, 0] < 0.9  # none is there, however it is read


def test_a_number_higher_than_those_that_tell_may_have_a_colour_of_its_own() -> None:
    violet = (78, 105, 88)  # a little off the tiles' own green: as small pips of one number blur
    for ends, told in (((6, 4), (6, 4)), ((1, 4), (0, 4))):
        assert _known(WHITE).told(_tile(*ends, violet)[None], _faces(1), _counts(ends))[1].argmax(axis=-1)[0, 0] == told[0]
