"""The table is measured from tags, mats, dominoes and corners; what cannot be is refused with the reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.fit import CalibrationError
from calibration.mats import DICE_BOX, MARKET, Mat, tag_cells
from calibration.measure import calibrate, from_corners, from_mat, from_tags, place_of, raised, rigid
from calibration.profile import Lens, TableView
from calibration.tags import SeenTag, find_tags
from simulator.setups import TrueCamera
from simulator.staging.games import set_table
from simulator.staging.overhead import whole_view
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.lying import Tabletop
from simulator.tabletop.simulated import SimulatedTable
from tests.calibration.views import Array, camera_and_area, tag_at, tags_of, true_error

SIZE = (1920, 1080)


@pytest.mark.parametrize("seed", range(6))
def test_tags_anywhere_near_the_corners_give_the_table_in_millimetres(seed: int) -> None:
    camera, area = camera_and_area(seed)
    profile = from_tags(tags_of(camera, area), SIZE)
    assert true_error(profile, camera, area) < 0.4
    assert profile.method == "tags" and profile.error_mm < 0.05
    assert profile.lens is not None and abs(profile.lens.distortion[0] - camera.distortion[0]) < 0.05


def test_the_order_of_the_ids_does_not_matter() -> None:
    camera, area = camera_and_area(1)
    one, other = (from_tags(tags_of(camera, area, ids), SIZE) for ids in ((0, 1, 2, 3), (3, 1, 0, 2)))
    point = np.array([[900.0, 500.0]])
    assert one.to_table(point) == pytest.approx(other.to_table(point), abs=1e-2)


def test_the_middle_of_the_tags_is_the_origin_and_x_runs_to_the_right_of_the_picture() -> None:
    camera, area = camera_and_area(2)
    tags = tags_of(camera, area)
    profile = from_tags(tags, SIZE)
    centres = np.array([profile.to_table(tag.corners).mean(axis=0) for tag in tags])
    assert np.abs(centres.mean(axis=0)).max() < 0.1
    left, right = profile.to_picture(np.array([(-50.0, 0.0), (50.0, 0.0)]))
    assert right[0] - left[0] > abs(right[1] - left[1])
    x0, y0, x1, y1 = profile.area
    assert (x1 - x0) > area[2] - area[0] and (y1 - y0) > area[3] - area[1]


def test_three_tags_do_with_a_warning() -> None:
    camera, area = camera_and_area(3)
    profile = from_tags(tags_of(camera, area)[:3], SIZE)
    assert "Tag 3 was not seen" in profile.notes[0]
    assert true_error(profile, camera, area) < 1.0
    four = from_tags(tags_of(camera, area), SIZE)
    assert np.linalg.norm(four.to_table(profile.to_picture(np.zeros((1, 2))))) < 2


def test_two_tags_are_refused_by_name() -> None:
    camera, area = camera_and_area(3)
    with pytest.raises(CalibrationError, match=r"2 of the four table tags .* tag 1 and 3"):
        from_tags([tag for tag in tags_of(camera, area) if tag.id in (0, 2)], SIZE)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("side", "z", "looks"), [(36.0, 0.0, "10 % smaller"), (40.0, -60.0, "% larger")])
def test_a_tag_of_another_scale_or_on_a_box_is_named(seed: int, side: float, z: float, looks: str) -> None:
    camera, area = camera_and_area(seed)
    tags = tags_of(camera, area)
    tags[1] = tag_at(camera, 1, area[2], area[1], 2.0, side, z)
    with pytest.raises(CalibrationError, match=f"Tag 1 looks .*{looks}"):
        from_tags(tags, SIZE)


def test_a_tag_seen_twice_is_refused() -> None:
    camera, area = camera_and_area(0)
    with pytest.raises(CalibrationError, match="Tag 2 is seen more than once"):
        from_tags(tags_of(camera, area, (0, 2, 2, 3)), SIZE)


def mat_tags(camera: TrueCamera, mat: Mat, x: float, y: float, turn: float) -> list[SeenTag]:
    c, s = np.cos(turn), np.sin(turn)
    return [SeenTag(tag.id, camera.pixels(tag.box.corners @ np.array([[c, s], [-s, c]]) + (x, y)), 1.0) for tag in mat.tags]


@pytest.mark.parametrize("mat", [MARKET, DICE_BOX], ids=lambda mat: mat.name)
def test_a_mat_alone_gives_the_millimetres_around_it(mat: Mat) -> None:
    camera, _ = camera_and_area(4)
    profile = from_mat(mat_tags(camera, mat, -100, -60, 0.4), SIZE, mat)
    assert true_error(profile, camera, (-150, -100, 150, 100)) < 0.1
    assert profile.area[0] < 0 < profile.area[2] and profile.area[1] < 0 < profile.area[3]
    corners = np.array([(x, y) for x in profile.area[::2] for y in profile.area[1::2]])
    pixels = profile.to_picture(corners)
    assert (pixels >= -1).all() and (pixels <= SIZE).all()


def test_of_what_a_mat_measures_only_the_side_that_leaves_the_picture_is_cut() -> None:
    pixels = np.array([[1.2, 0, 960], [0, 1.2, 440], [0, 0, 1]])  # 367 mm of table are seen above the mat's middle
    places = np.concatenate([tag.box.corners for tag in MARKET.tags]) - (MARKET.width / 2, MARKET.height / 2)
    corners = cv2.perspectiveTransform(places[:, None], pixels).reshape(-1, 4, 2)
    tags = [SeenTag(tag.id, at, 1.0) for tag, at in zip(MARKET.tags, corners, strict=True)]
    assert from_mat(tags, SIZE, MARKET).area == pytest.approx((-450, -360, 450, 450), abs=25)


def test_slots_of_a_mat_are_found_on_the_table() -> None:
    camera, area = camera_and_area(4)
    profile = from_tags(tags_of(camera, area), SIZE)
    assert place_of(MARKET, [], profile) is None
    place = place_of(MARKET, mat_tags(camera, MARKET, -100, -60, 0.4), profile)
    assert place is not None
    x, y, turn = place
    c, s = np.cos(turn), np.sin(turn)
    found = profile.to_picture(np.array([MARKET.slots["3"].center]) @ np.array([[c, s], [-s, c]]) + (x, y))
    c, s = np.cos(0.4), np.sin(0.4)
    there = camera.pixels(np.array([MARKET.slots["3"].center]) @ np.array([[c, s], [-s, c]]) + (-100, -60))
    assert found == pytest.approx(there, abs=0.2)


def rectangle(seed: int) -> tuple[Array, float, float]:
    """Corners of a rectangle as a straight lens sees them, its width and its height."""
    camera, area = camera_and_area(seed)
    camera = replace(camera, distortion=np.zeros(5))
    x0, y0, x1, y1 = area
    return camera.pixels(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])), x1 - x0, y1 - y0


def test_corners_and_both_sides_give_the_table() -> None:
    corners, width, height = rectangle(2)
    profile = from_corners(corners, SIZE, width, height)
    assert profile.to_table(corners)[1] == pytest.approx((width / 2, -height / 2), abs=1)


@pytest.mark.parametrize("seed", range(4))
def test_one_side_is_enough(seed: int) -> None:
    corners, width, height = rectangle(seed)
    table = from_corners(corners, SIZE, width_mm=width).to_table(corners)
    assert np.linalg.norm(table[1] - table[0]) == pytest.approx(width, rel=0.02)
    assert np.linalg.norm(table[2] - table[1]) == pytest.approx(height, rel=0.12)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda c: c[[0, 2, 1, 3]], "cross"),
        (lambda c: c[[1, 0, 3, 2]], "mirror"),
        (lambda c: np.array([c[0], c[1], c.mean(axis=0) - 60, c[3]]), "dent"),
        (lambda c: c.mean(axis=0) + (c - c.mean(axis=0)) * (1, 0.02), "close together|flat"),
        (lambda c: c[:3], "Four corners"),
        (lambda c: c.mean(axis=0) + (c - c.mean(axis=0)) * 0.02, "close together"),
    ],
)
def test_impossible_corners_are_refused(change: Callable[[Array], Array], reason: str) -> None:
    corners, width, height = rectangle(1)
    with pytest.raises(CalibrationError, match=reason):
        from_corners(change(corners), SIZE, width, height)


def test_corners_of_another_shape_than_told_are_refused() -> None:
    corners, width, height = rectangle(1)
    with pytest.raises(CalibrationError, match="No camera sees"):
        from_corners(corners, SIZE, width, 1.7 * height)
    with pytest.raises(CalibrationError, match="One side's length"):
        from_corners(corners, SIZE)
    with pytest.raises(CalibrationError, match="no table"):
        from_corners(corners, SIZE, 3.0)


def test_a_camera_that_looks_along_the_table_is_refused() -> None:
    camera, _ = camera_and_area(0)
    lean = cv2.Rodrigues(np.array([np.radians(72), 0, 0]))[0]
    flat = replace(camera, rotation=lean, translation=np.array([0, 0, 900.0]), distortion=np.zeros(5))
    with pytest.raises(CalibrationError, match="too flat"):
        from_tags(tags_of(flat, (-200, -150, 200, 150)), SIZE)


def test_tile_faces_lie_above_the_table() -> None:
    camera, area = camera_and_area(5)
    profile = from_tags(tags_of(camera, area), SIZE)
    grid = np.array([(x, y) for x in (-100.0, 0, 100) for y in (-80.0, 0, 80)])
    rotation, shift = rigid(grid, profile.to_table(camera.pixels(grid)))
    lifted = camera.pixels(np.column_stack([grid, np.full(9, -10.0)]))
    told = raised(profile, 10.0).to_table(lifted)
    assert told == pytest.approx(grid @ rotation.T + shift, abs=0.5)
    assert np.abs(profile.to_table(lifted) - told).max() > 1


def test_the_table_from_above_shows_a_straight_square() -> None:
    camera, area = camera_and_area(5)
    profile = from_tags(tags_of(camera, area), SIZE)
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    square = np.array([(-60.0, -60.0), (60, -60), (60, 60), (-60, 60)])
    cv2.fillPoly(picture, [np.round(profile.to_picture(square)).astype(np.int32)], (255, 255, 255))
    view = TableView(profile, 1.0)
    above = view.of(picture)
    assert above.shape == (view.height, view.width, 3)
    rows, columns = np.nonzero(above[..., 0] > 127)
    low, high = view.to_view(square[:1])[0], view.to_view(square[2:3])[0]
    assert (columns.min(), rows.min()) == pytest.approx(tuple(low), abs=1.6)
    assert (columns.max(), rows.max()) == pytest.approx(tuple(high), abs=1.6)
    assert len(rows) == pytest.approx(120 * 120, rel=0.03)


@pytest.mark.parametrize("bend", [-0.2, -0.1, 0.15, 0.2])
def test_straightening_is_the_inverse_of_bending(bend: float) -> None:
    lens = Lens(np.array([[1200.0, 0, 960], [0, 1200, 540], [0, 0, 1]]), np.array([bend, 0.02, 0, 0, 0]))
    pixels = np.random.default_rng(0).uniform((0, 0), SIZE, (500, 2))
    assert np.abs(lens.bent(lens.straight(pixels)) - pixels).max() < 0.01


def test_a_card_around_a_tag_is_not_taken_for_the_tag_itself() -> None:
    seed = 7202  # both upper tags were overlooked there
    table = set_table("euronimoes", 3, TESTING_SEEDS[seed % len(TESTING_SEEDS)])
    camera = whole_view(table, np.random.default_rng([seed, 77]))
    moment = next(SimulatedTable(table, camera, Tabletop(tuple(table.corners())), [], seed).moments())
    assert calibrate(moment.frame.image).method == "tags"


@pytest.mark.parametrize("id", range(4))
def test_a_small_tag_is_found_though_its_paper_glares_over_the_ink(id: int) -> None:
    white = np.kron(np.pad(~tag_cells(id), 3, constant_values=True), np.ones((12, 12))).astype(np.uint8)
    bled = cv2.dilate(white, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))  # a quarter of a cell all around
    card = cv2.resize(40 + 215 * bled, None, fx=0.28, fy=0.28, interpolation=cv2.INTER_AREA)
    image = np.full((240, 320), 120, np.uint8)
    image[80 : 80 + card.shape[0], 100 : 100 + card.shape[1]] = card
    assert [tag.id for tag in find_tags(image)] == [id]
