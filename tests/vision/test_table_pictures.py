"""What two pictures of a table say: what is new on it, what covers it, whether the camera moved, when it is still."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.lying import a_table, corners, tile
from vision.detection import Detection, half_of, turned
from vision.frame import Image
from vision.rectify import ImagePyramid
from vision.table.changes import changed, logarithms
from vision.table.evidence import half_changes, rectify
from vision.table.layout import Layout
from vision.table.movement import MotionDetector
from vision.table.registration import REST, moved, slip_of_tiles
from vision.table.settled import Resting
from vision.table.sight import join_boxes
from vision.table.track import Track
from vision.table.veils import Veils, find_veils

Array = NDArray[np.float32]


def drawn(places: list[Array], light: float = 1.0, face: tuple[int, int, int] = (225, 235, 240),
          pip: tuple[int, int, int] = (20, 20, 20)) -> Image:
    """Tiles with eight pips each on a grained table."""
    rng = np.random.default_rng(3)
    image = np.full((300, 500, 3), (60, 90, 110), np.uint8)
    image = np.asarray(np.clip(image + rng.normal(0, 4, image.shape), 0, 255), np.uint8)
    for place in places:
        cv2.fillConvexPoly(image, place.astype(np.int32), face)
        first, second = place[:2].mean(axis=0), place[2:].mean(axis=0)
        for share in (0.15, 0.3, 0.7, 0.85):
            for side in (-0.25, 0.25):
                middle = first + share * (second - first) + side * (place[1] - place[0])
                cv2.circle(image, (round(float(middle[0])), round(float(middle[1]))), 3, pip, -1)
    return np.asarray(np.clip(image * light, 0, 255), np.uint8)


FRESH, LOST, SPOTS, RIM = range(4)


def changes(before: Image, now: Image, place: Array) -> Array:
    """How both halves of a place changed."""
    return half_changes(rectify(ImagePyramid(before), place), rectify(ImagePyramid(now), place))


def test_of_a_laid_tile_both_halves_are_fresh_and_of_one_in_other_light_nothing_is() -> None:
    place, other = corners(150, 150, 0.3, 40), corners(350, 150, 0.0, 40)
    before, after = drawn([other]), drawn([place, other], light=0.7)
    assert changes(before, after, place)[:, FRESH].min() > 0.5
    assert changes(before, after, other).max() < 0.05
    assert changes(after, before, place)[:, LOST].min() > 0.5 > changes(after, before, place)[:, FRESH].max()


def test_of_a_place_that_is_plain_before_and_after_no_edges_are_told() -> None:
    place = corners(150, 150, 0.3, 40)
    plain = cv2.fillConvexPoly(drawn([]), place.astype(np.int32), (120, 110, 115))
    assert np.isnan(changes(plain, drawn([]), place)[:, [FRESH, LOST]]).all()
    assert not np.isnan(changes(plain, drawn([place]), place)[:, : SPOTS]).any()


def test_of_a_plain_tile_its_outline_tells_whether_it_was_taken_though_others_lie_against_it() -> None:
    """Of nearly the table's colour, so that little but its shade shows; tiles are laid at its sides, or lie there still."""
    def table(*tiles: Array) -> Image:
        image = drawn([])
        for outline in (each.astype(np.int32) for each in tiles):
            cv2.polylines(cv2.fillConvexPoly(image, outline, (122, 112, 116)), [outline], True, (60, 60, 60), 2)
        return image

    place, above, beside = corners(150, 150, 0.0, 40), corners(150, 108, 0.0, 40), corners(233, 150, 0.0, 40)
    assert changes(table(place), table(place), place)[:, RIM].max() < 0.05
    assert changes(table(place), table(), place)[:, RIM].min() > 0.9
    assert changes(table(above, place, beside), table(above, beside), place)[:, RIM].min() > 0.2
    assert changes(table(place), table(above, place, beside), place)[:, RIM].max() < 0.05


def test_one_half_repainted_leaves_the_other_as_it_was() -> None:
    place = corners(150, 150, 0.0, 40)
    before = drawn([place])
    after = cv2.circle(before.copy(), (130, 150), 9, (20, 20, 20), -1)
    first, second = changes(before, after, place)
    assert first[FRESH] > 0.2 and first[SPOTS] > 0.05 and second.max() < 0.01


def test_a_tile_laid_close_beside_another_and_a_nudge_change_nothing_inside() -> None:
    place, beside, slid = corners(150, 150, 0.0, 40), corners(150, 191, 0.0, 40), corners(151, 150, 0.0, 40)
    assert changes(drawn([place]), drawn([slid, beside]), place)[:, [FRESH, LOST]].max() < 0.2


def test_a_tile_looks_as_before_in_other_light_and_not_with_one_pip_more() -> None:
    place, other = corners(150, 150, 0.3, 40), corners(350, 150, 0.0, 40)
    laid = drawn([place, other])
    tracks = [Track(at, each, np.zeros((2, 16), np.float32), -5.0, 5.0, patch=rectify(ImagePyramid(laid), each))
              for at, each in enumerate((place, other))]

    def as_before(now: Image) -> list[bool | None]:
        lay = Layout(tracks, np.stack([place, other]), ImagePyramid(now), 10.0, 4.0)
        return [lay.as_before(at) for at in (0, 1)]

    assert as_before(drawn([place, other], light=0.7)) == [True, True]
    assert as_before(drawn([other])) == [False, True]
    assert as_before(cv2.circle(laid.copy(), (330, 150), 3, (40, 40, 40), -1)) == [True, False]


def test_pips_as_bright_as_the_tile_are_seen_by_their_colour() -> None:
    place, green, red = corners(250, 150, 0.3, 40), (100, 160, 60), (60, 106, 178)
    assert abs(int(cv2.cvtColor(np.array([[green]], np.uint8), cv2.COLOR_BGR2GRAY)[0, 0])
               - int(cv2.cvtColor(np.array([[red]], np.uint8), cv2.COLOR_BGR2GRAY)[0, 0])) <= 3
    plain, spotted = drawn([place], face=green, pip=green), drawn([place], face=green, pip=red)
    assert changes(plain, spotted, place)[:, SPOTS].min() > 0.05
    assert changes(spotted, spotted, place).max() < 1e-6


def test_a_lamp_is_no_change_and_a_tile_is() -> None:
    before = drawn([corners(350, 150)])
    slope = np.linspace(0.7, 1.1, before.shape[1])[None, :, None]
    lamp = np.asarray(np.clip(before * slope, 0, 255), np.uint8)
    mask, _ = changed(logarithms(before), logarithms(lamp))
    assert mask.mean() < 0.002
    mask, _ = changed(logarithms(before), logarithms(drawn([corners(350, 150), corners(150, 150, 0.0, 40)])))
    assert mask[130:170, 110:190].mean() > 0.5 and mask[:, 250:].mean() < 0.002


def an_arm(picture: Image) -> Image:
    """The picture with an arm that reaches in from above."""
    arm = picture.copy()
    cv2.line(arm, (250, 0), (240, 160), (120, 150, 200), 60)
    return arm


def veils_between(before: Image, after: Image, scale: float = 12.0, seen: NDArray[np.bool_] | None = None) -> Veils:
    """What covers the table where no tile explains anything."""
    mask, difference = changed(logarithms(before), logarithms(after))
    return find_veils(mask, difference, logarithms(after), np.zeros(before.shape[:2], np.bool_), scale, seen)


@pytest.mark.parametrize("light", [0.8, 1.25])
def test_paper_that_is_burnt_out_does_not_change_with_the_light_and_what_is_laid_on_it_is_seen(light: float) -> None:
    def lit(tile: bool, by: float) -> Array:
        image = np.full((180, 320, 3), 120.0)
        image[20:70, 30:90] = 330.0
        if tile:
            image[40:50, 50:70] = 60.0
        return logarithms(np.asarray(np.clip(image * by, 0, 252), np.uint8))

    assert not changed(lit(False, 1.0), lit(False, light))[0].any()
    for before, after in ((False, True), (True, False)):
        mask = changed(lit(before, 1.0), lit(after, light))[0]
        assert mask[41:49, 51:69].all() and mask.sum() < 300


def test_an_arm_from_the_border_is_a_hand_and_a_soft_shadow_is_not() -> None:
    before = drawn([])
    shade = np.ones(before.shape[:2], np.float32)
    cv2.ellipse(shade, (250, 0), (120, 140), 0, 0, 360, 0.75, -1)
    shadow = np.asarray(before * cv2.GaussianBlur(shade, (0, 0), 25)[..., None], np.uint8)
    assert veils_between(before, an_arm(before)).hand
    assert not veils_between(before, shadow).hand


def test_an_arm_in_its_soft_shadow_is_a_hand_and_has_left_again() -> None:
    before = drawn([])
    shade = np.ones(before.shape[:2], np.float32)
    cv2.line(shade, (290, 0), (280, 180), 0.72, 130)
    shadow = np.asarray(before * cv2.GaussianBlur(shade, (0, 0), 22)[..., None], np.uint8)
    assert not veils_between(before, shadow).hand
    assert veils_between(before, an_arm(shadow)).hand
    assert not veils_between(an_arm(shadow), before).mask.any()


def test_an_arm_that_reaches_in_over_tiles_at_the_rim_is_a_hand() -> None:
    before = drawn([])
    rows = np.zeros(before.shape[:2], np.bool_)
    rows[:40, 150:350] = True  # tiles that lie there explain what changes
    mask, difference = changed(logarithms(before), logarithms(an_arm(before)))
    assert find_veils(mask, difference, logarithms(an_arm(before)), rows, 12.0).hand


def test_tiles_that_stand_at_the_rim_are_no_hand() -> None:
    before, seen = drawn([]), np.ones(drawn([]).shape[:2], np.bool_)
    seen[:30] = False
    standing = before.copy()
    cv2.rectangle(standing, (100, 0), (300, 35), (40, 40, 60), -1)
    assert not veils_between(before, standing, seen=seen).mask.any()
    assert veils_between(before, an_arm(before), seen=seen).hand


def test_what_leaves_the_table_is_no_hand() -> None:
    before = drawn([])
    assert not veils_between(an_arm(before), before).mask.any()


def test_what_covers_the_table_and_lies_still_is_no_hand_for_ever() -> None:
    bare = logarithms(drawn([]))
    arm = logarithms(an_arm(drawn([])))
    covered = changed(bare, arm)[0]
    resting = Resting()
    resting.settle(covered, arm, 10.0)
    assert not resting.lying(arm, 12.0).any() and not resting.rests(12.0)
    resting.settle(covered, arm, 14.0)  # something else was played
    assert resting.rests(16.5) and (resting.lying(arm, 16.5) & covered).sum() > 0.95 * covered.sum()
    assert (resting.lying(bare, 16.5) & covered).sum() < 0.05 * covered.sum()  # it has left


def test_a_moved_camera_is_told_by_the_tiles_and_moved_tiles_are_not() -> None:
    places = [(100 + 60 * k, 100 + 37 * (k % 3), 0.2 * k) for k in range(7)]
    tracks = a_table(*(tile((k, k), x, y, angle=a) for k, (x, y, a) in enumerate(places)))
    turn = np.array([[0.99, -0.1, 12.0], [0.1, 0.99, -7.0], [0, 0, 1]])
    seen = [Detection(moved(each.corners, turn), moved(each.corners, turn), tile((k, k), 0, 0).probabilities, False, 0.98)
            for k, each in enumerate(tracks.tiles)]
    slip = slip_of_tiles(tracks.tiles, seen)
    assert slip is not None and np.abs(moved(corners(300, 200), slip) - moved(corners(300, 200), turn)).max() < 1.0
    nudged = [tile((k, k), x + (40 if k < 3 else 0), y, angle=a) for k, (x, y, a) in enumerate(places)]
    assert slip_of_tiles(tracks.tiles, nudged) is REST


def test_still_is_counted_from_the_last_movement_and_a_flash_is_none() -> None:
    stillness = MotionDetector()
    quiet, lit = drawn([]), drawn([], light=1.1)
    assert stillness.feed(quiet, 0.0, None) == 0.0
    assert stillness.feed(quiet, 0.5, None) == pytest.approx(0.5)
    assert stillness.feed(lit, 0.6, None) == pytest.approx(0.6)
    assert stillness.feed(drawn([corners(200, 100)], light=1.1), 0.7, None) == 0.0
    assert stillness.touched is not None and stillness.touched.any()


def test_boxes_that_meet_become_one() -> None:
    assert join_boxes([(0, 0, 10, 10), (20, 0, 30, 10), (5, 5, 25, 8)]) == [(0, 0, 30, 10)]
    assert half_of(turned(corners(0, 0, 0.7, 24.0))) == pytest.approx(24.0, rel=1e-4)

