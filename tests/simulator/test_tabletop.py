"""Simulated tables: the truth beside a picture is true, pictures repeat, and a change paints only itself."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import mats
from simulator.tabletop.camera import Camera
from simulator.tabletop.hands import Hand
from simulator.tabletop.look import TESTING_SEEDS, Look
from simulator.tabletop.lying import STANDING, Chip, Cup, Pawn, Sheet, Tabletop, Tile
from simulator.tabletop.parts import BLOCK, bands, blockwise
from simulator.tabletop.render import DAY, Light, Renderer
from simulator.tabletop.sensor import GRAINS

SMALL = Camera(640, 360, tilt=0.25, k1=-0.05, jpeg=None)
LOOK = Look.of(TESTING_SEEDS[0])


def table() -> Tabletop:
    tiles = [Tile(f"{k}-6", -250.0 + 80 * k, -60.0 + 15 * k, 0.4 * k, (k, 6), up=k != 2) for k in range(6)]
    return Tabletop((*tiles, Sheet("tag 0", -400.0, 200.0, 0.3, "tag 0"), Tile("0-1", 0, -300, np.pi, (0, 1), pose=STANDING),
                     Chip("chip", 100.0, 150.0, 0.0, LOOK.edition.chips[0]), Pawn("pawn", 200.0, 150.0, 0.0, "suns")))


def test_a_camera_maps_the_table_there_and_back() -> None:
    for camera in (Camera(tilt=0.6, azimuth=2.0, roll=0.1, k1=-0.08, k2=0.01, aim=(30.0, -20.0)), Camera()):
        points = np.array([[-300.0, -200], [0, 0], [250, 120], [30, -20]])
        for height in (0.0, 40.0):
            pixels = camera.project(np.column_stack([points, np.full(4, height)]))
            assert camera.to_table(pixels, height) == pytest.approx(points, abs=0.01)
    assert Camera().project(np.array([[0.0, 0, 0]]))[0] == pytest.approx([959.5, 539.5])


def test_a_camera_bends_as_opencv_says() -> None:
    camera = Camera(tilt=0.4, azimuth=0.9, k1=-0.1, k2=0.02)
    points = np.random.default_rng(1).uniform(-300, 300, (20, 3)) * (1, 1, 0.1)
    view = camera.view()
    turn = cv2.Rodrigues(view.rotation)[0]
    told = cv2.projectPoints(points * (1, -1, 1), turn, view.shift, camera.matrix, camera.distortion)[0]
    assert camera.project(points) == pytest.approx(told.reshape(-1, 2), abs=1e-6)


def test_from_above_x_is_right_and_y_is_down() -> None:
    middle, right, down = Camera().project(np.array([[0.0, 0, 0], [100, 0, 0], [0, 100, 0]]))
    assert right[0] > middle[0] and right[1] == pytest.approx(middle[1])
    assert down[1] > middle[1] and down[0] == pytest.approx(middle[0])


def test_what_stands_higher_seems_farther_from_the_foot_of_the_camera() -> None:
    low, high = Camera().project(np.array([[200.0, 0, 0], [200, 0, 50]]))
    assert high[0] > low[0] + 5


def test_the_same_table_gives_the_same_picture() -> None:
    first, second = (Renderer(SMALL, LOOK).shoot(table(), number=4)[0] for _ in range(2))
    assert (first == second).all()


def test_every_picture_has_its_own_noise() -> None:
    renderer = Renderer(SMALL, LOOK)
    first, second = (renderer.shoot(table(), number=n)[0].astype(int) for n in (0, 1))
    assert 0.3 < np.abs(first - second).mean() < 6


def test_a_camera_asked_for_less_light_takes_less_and_stands_where_it_stood() -> None:
    renderer = Renderer(SMALL, LOOK)
    bright, before = renderer.shoot(table(), number=4)
    renderer.stops = 1.0
    dim, after = renderer.shoot(table(), number=4)
    assert dim.mean() == pytest.approx(bright.mean() * 2 ** (-1 / 2.2), rel=0.05) and after.camera == before.camera
    renderer.stops = 0.0
    assert (renderer.shoot(table(), number=4)[0] == bright).all()


def test_pictures_kept_of_a_table_at_rest_are_not_shown_once_it_changed() -> None:
    renderer = Renderer(replace(SMALL, auto_exposure=False), LOOK)
    for number in range(2 * GRAINS):
        renderer.shoot(table(), number=number)
    after, dim = table().moved("3-6", x=-100.0, y=90.0), Light((0.3, 0.3))
    hand = Hand((0.0, 0.0), (0.0, 300.0))
    for veils, light in (((), DAY), ((hand,), DAY), ((), DAY), ((), dim)):
        image, truth = renderer.shoot(after, veils, light, number=GRAINS)
        fresh, told = Renderer(replace(SMALL, auto_exposure=False), LOOK).shoot(after, veils, light, number=GRAINS)
        assert np.abs(image.astype(int) - fresh).mean() < 2
        assert [each.veiled for each in truth.shown] == [each.veiled for each in told.shown]


def test_a_hand_is_stored_in_its_parts_of_the_picture_as_in_a_whole_one() -> None:
    camera = replace(SMALL, auto_exposure=False, jpeg=90)
    hands = [Hand((60.0, 40.0), (300.0, 1300.0), 8.0, "flat", 1)]
    kept, fresh = Renderer(camera, LOOK), Renderer(camera, LOOK)
    before, _ = kept.shoot(table(), number=1)
    parts, _ = kept.shoot(table(), hands, number=1)
    whole, _ = fresh.shoot(table(), hands, number=1)
    different = np.abs(parts.astype(int) - whole)
    assert different.max() <= 3 and (different > 0).mean() < 0.001
    assert (parts != before).any(axis=2).mean() < 0.7


def test_bands_hold_all_that_is_marked_and_little_else() -> None:
    arm = np.array([[100.0, 300.0], [400.0, -100.0], [440.0, -70.0], [140.0, 330.0]])
    marked = cv2.fillConvexPoly(np.zeros((23, 40), np.uint8), (arm / BLOCK).round().astype(np.int32), 1)
    mask = np.zeros((360, 640), np.uint8)
    for x0, y0, x1, y1 in bands(marked, 640, 360):
        assert not mask[y0:y1, x0:x1].any()
        mask[y0:y1, x0:x1] = 1
    assert mask[(marked.repeat(BLOCK, axis=0).repeat(BLOCK, axis=1) > 0)[:360]].all()
    assert mask.mean() < 0.35


def test_a_pixel_that_differs_marks_its_block() -> None:
    picture = np.zeros((40, 100 * 3), np.uint8)  # the last blocks are no whole ones
    picture[39, 99 * 3 + 1] = picture[16, 0] = 1
    assert np.argwhere(blockwise(picture, 3 * BLOCK)).tolist() == [[1, 0], [2, 6]]


def test_painting_a_change_alone_is_as_good_as_painting_all() -> None:
    camera = replace(SMALL, noise=0.0, auto_exposure=False)
    renderer = Renderer(camera, LOOK)
    after = table().moved("3-6", x=-100.0, y=90.0).without(["5-6"]).put(Tile("1-1", 60.0, 20.0, 1.0, (1, 1)))
    for each in (table(), after):
        image, _ = renderer.shoot(each)
    whole, _ = Renderer(camera, LOOK).shoot(after)
    assert np.abs(image.astype(int) - whole).max() <= 8


def test_a_change_leaves_the_rest_of_the_picture_alone() -> None:
    camera = replace(SMALL, noise=0.0, auto_exposure=False)
    renderer = Renderer(camera, LOOK)
    before, truth = renderer.shoot(table())
    after, moved = renderer.shoot(table().moved("3-6", x=-5.0, y=0.0, angle=1.0))
    changed = np.abs(before.astype(int) - after).max(axis=2) > 2
    near = np.zeros(changed.shape, np.uint8)
    for outline in (truth.of("3-6").outline, moved.of("3-6").outline):
        cv2.fillConvexPoly(near, outline.round().astype(np.int32), 1)
    near = cv2.dilate(near, np.ones((61, 61), np.uint8))
    assert changed.sum() > 300
    assert not (changed & (near == 0)).any()


def test_true_corners_bound_what_is_painted() -> None:
    camera = replace(SMALL, noise=0.0, blur_px=0.3)
    bare, one = (Renderer(camera, LOOK).shoot(each) for each in (Tabletop(), Tabletop((Tile("2-3", 60.0, -40.0, 0.7, (2, 3)),))))
    shown = one[1].of("2-3")
    assert min(shown.visible) > 0.93  # its corners are round
    changed = np.abs(bare[0].astype(int) - one[0]).max(axis=2) > 40
    face = np.zeros(changed.shape, np.uint8)
    cv2.fillConvexPoly(face, shown.outline.round().astype(np.int32), 1)
    assert changed[face > 0].mean() > 0.6


def test_a_tile_upon_two_others_hides_their_halves() -> None:
    high = LOOK.thick_mm
    cell = LOOK.length_mm / 2
    below = (Tile("2-3", -2 * cell, 0.0, 0.0, (2, 3)), Tile("4-5", 0.01, 0.0, 0.0, (4, 5)))
    _, truth = Renderer(SMALL, LOOK).shoot(Tabletop((*below, Tile("3-4", -cell, 0.0, 0.0, (3, 4), level=1, z=high))))
    assert min(truth.of("3-4").visible) > 0.93
    assert truth.of("2-3").visible[0] > 0.85 and truth.of("2-3").visible[1] < 0.25
    assert truth.of("4-5").visible[0] < 0.25 and truth.of("4-5").visible[1] > 0.85


def test_nothing_lies_in_its_own_shade_because_something_elsewhere_is_a_hair_higher() -> None:
    upper = Tile("0-0", 0.0, 0.0, 0.0, (0, 0), level=1, z=6.35)
    chip = Chip("chip", 250.0, 150.0, 0.0, LOOK.edition.chips[0], z=6.4)
    camera = replace(SMALL, auto_exposure=False, noise=0.0)
    alone, beside = (Renderer(camera, LOOK).shoot(Tabletop(things))[0] for things in ((upper,), (upper, chip)))
    x, y = camera.project(np.array([[0.0, 0.0, 6.35]]))[0].astype(int)
    here = np.s_[y - 6 : y + 7, x - 6 : x + 7]
    assert alone[here].mean() == pytest.approx(beside[here].mean(), abs=2)


def test_a_hand_veils_what_it_hides_and_nothing_else() -> None:
    renderer = Renderer(SMALL, LOOK)
    _, free = renderer.shoot(table())
    assert free.hands == 0 and not any(shown.veiled for shown in free.shown)
    tile = table()["3-6"]
    _, truth = renderer.shoot(table(), [Hand((tile.x, tile.y - 90.0), (tile.x, 1300.0), 8.0, "flat")])
    assert truth.hands == 1
    assert truth.of("3-6").veiled and sum(truth.of("3-6").visible) < 0.4
    assert not truth.of("0-6").veiled and min(truth.of("0-6").visible) > 0.93


@pytest.mark.parametrize(("tip", "shown"), [(1300.0, 0.0), (800.0, 0.0), (685.0, 0.0), (250.0, 0.02)])
def test_an_arm_that_comes_from_beside_or_behind_the_camera_shows_on_its_own_side_alone(tip: float, shown: float) -> None:
    # stands off towards seat 0, who sits below; far out such a lens would bend everything to the other side
    camera = replace(SMALL, height_mm=930.0, tilt=0.45, k1=-0.05, jpeg=None, noise=0.0)
    renderer = Renderer(camera, LOOK)
    before, _ = renderer.shoot(Tabletop())
    after, _ = renderer.shoot(Tabletop(), [Hand((0.0, tip), (0.0, 2600.0), 8.0, "flat")])
    changed = (np.abs(before.astype(int) - after).max(axis=2) > 40).mean(axis=1)
    assert changed[len(changed) * 2 // 3 :].mean() >= shown and changed[: len(changed) // 2].mean() < 0.001


def test_a_cup_hides_what_stands_behind_it() -> None:
    _, truth = Renderer(SMALL, LOOK).shoot(table().put(Cup("cup", -10.0, -15.0)))
    assert max(truth.of("3-6").visible) < 0.2


def test_a_held_tile_shows_above_the_table() -> None:
    renderer = Renderer(SMALL, LOOK)
    _, low = renderer.shoot(table())
    _, high = renderer.shoot(table().moved("0-6", lift=60.0))
    assert np.linalg.norm(low.of("0-6").outline.mean(axis=0) - high.of("0-6").outline.mean(axis=0)) > 4
    assert min(high.of("0-6").visible) > 0.93


@pytest.mark.parametrize(("camera", "seed"), [(Camera(tilt=0.3, k1=-0.08), 0), (Camera(1280, 720, azimuth=0.4, tilt=0.1), 2)])
def test_printed_tags_are_found_where_they_lie(camera: Camera, seed: int) -> None:
    places = ((-260, -170), (260, -170), (260, 170), (-260, 170))
    sheets = [Sheet(f"tag {k}", x, y, 0.5 + k, f"tag {k}") for k, (x, y) in enumerate(places)]
    image, _ = Renderer(camera, Look.of(TESTING_SEEDS[seed])).shoot(Tabletop(tuple(sheets)))
    careful = cv2.aruco.DetectorParameters()
    careful.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_APRILTAG
    corners, ids, _ = cv2.aruco.ArucoDetector(mats.dictionary(), careful).detectMarkers(image)
    found = {int(i): c[0] - 0.5 for c, i in zip(corners, ids.ravel(), strict=True)}  # it counts from pixels' corners
    assert set(found) >= {0, 1, 2, 3}
    for k, sheet in enumerate(sheets):
        half = mats.TAG_SIDE / 2
        c, s = np.cos(sheet.angle), np.sin(sheet.angle)
        square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) @ np.array([[c, s], [-s, c]])
        true = camera.project(np.column_stack([square + (sheet.x, sheet.y), np.zeros(4)]))
        assert np.abs(found[k] - true).max() < 0.5


def test_a_lamp_that_goes_out_makes_the_table_darker_until_the_camera_follows() -> None:
    renderer = Renderer(SMALL, LOOK)
    renderer.shoot(table())
    dark = Light((0.2, 0.2), 0.3)
    lights = [Light()] + [dark] * 14
    bright, *_, later = (renderer.shoot(table(), light=light, number=n)[0].mean() for n, light in enumerate(lights))
    first = Renderer(replace(SMALL, auto_exposure=False), LOOK).shoot(table(), light=dark)[0].mean()
    assert first < 0.75 * bright
    assert later == pytest.approx(bright, rel=0.25)


def test_two_things_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="'a'"):
        Tabletop((Cup("a", 0, 0), Cup("a", 90, 0)))


def test_a_table_tells_what_is_different_on_another() -> None:
    other = table().moved("1-6", x=3.0).without(["chip"]).put(Cup("cup", 0, 200))
    told = {(a.name if a else None, b.name if b else None) for a, b in table().changed(other)}
    assert told == {("1-6", "1-6"), ("chip", None), (None, "cup")}


def test_a_tile_whose_other_half_comes_first_is_painted_the_other_way_round() -> None:
    renderer = Renderer(SMALL, LOOK)

    def picture(angle: float, ends: tuple[int, int]) -> NDArray[np.int_]:
        return renderer.shoot(Tabletop((Tile("1-6", 0.0, 0.0, angle, ends),)), number=4)[0].astype(np.int_)

    first, turned, same = picture(0.0, (1, 6)), picture(0.0, (6, 1)), picture(np.pi, (6, 1))
    assert np.abs(first - same).mean() < 0.8 * np.abs(first - turned).mean()
