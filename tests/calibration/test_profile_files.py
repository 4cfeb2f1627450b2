"""A profile survives its file; health says what to change; the drawing shows the grid."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.drawing import draw_profile
from calibration.fit import CalibrationError
from calibration.health import health, scales, sharpness
from calibration.measure import camera_distance, from_corners, from_tags
from calibration.profile import Lens, Profile, TableView
from calibration.store import as_object, from_object, load, save
from tests.calibration.views import camera_and_area, tags_of

SIZE = (1920, 1080)


def profile_of(seed: int = 1) -> Profile:
    return from_tags(tags_of(*camera_and_area(seed)), SIZE)


def test_a_stored_profile_is_the_same_again(tmp_path: Path) -> None:
    profile = profile_of()
    save(profile, tmp_path / "calibration.json")
    again = load(tmp_path / "calibration.json")
    assert as_object(again) == as_object(profile)
    pixels = np.array([(100.0, 200.0), (1500.0, 900.0)])
    assert again.to_table(pixels) == pytest.approx(profile.to_table(pixels))
    assert [path.name for path in tmp_path.iterdir()] == ["calibration.json"]


@pytest.mark.parametrize("spoil", [
    lambda told: told.pop("homography"), lambda told: told.update(version=9), lambda told: told.update(homography=[[0] * 3] * 3),
    lambda told: told.update(area=[0, 0, 0, 0]), lambda told: told.update(lens={"matrix": 1}), lambda told: told.update(size=[1]),
])  # fmt: skip
def test_a_spoilt_profile_is_refused(spoil: Callable[[dict[str, Any]], object]) -> None:
    told = as_object(profile_of())
    spoil(told)
    with pytest.raises(CalibrationError, match="calibrate again"):
        from_object(told)


@pytest.mark.parametrize("text", ["", "[]", "{", '"x"'])
def test_a_file_that_is_no_profile_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "calibration.json").write_text(text)
    with pytest.raises(CalibrationError, match="calibrate again"):
        load(tmp_path / "calibration.json")


def test_a_profile_without_a_lens_is_stored_too() -> None:
    profile = replace(profile_of(), lens=None)
    assert from_object(json.loads(json.dumps(as_object(profile)))).lens is None


def test_scale_is_of_the_worst_direction() -> None:
    profile = replace(profile_of(), lens=None, homography=np.diag([1 / 2.0, 1 / 1.5, 1.0]))  # 2 px/mm across, 1.5 down
    assert scales(profile, np.array([(10.0, 20.0)])) == pytest.approx([1.5], rel=1e-6)


def picture(light: float, soft: float = 0.6) -> NDArray[np.uint8]:
    rng = np.random.default_rng(0)
    blocks = np.kron(rng.integers(0, 2, (54, 96)), np.ones((20, 20))) * 160 + 40
    image = cv2.GaussianBlur(np.repeat(blocks[..., None], 3, axis=2).astype(np.float32), (0, 0), soft) * light
    return np.asarray(np.clip(image + rng.normal(0, 2, image.shape), 0, 255), np.uint8)


def test_good_light_and_focus_need_no_change() -> None:
    found = health(picture(1.0), profile_of(2), tile_mm=57)
    assert found.sharpness > 0.9 and 0.3 < found.light < 0.7 and found.glare < 0.01
    assert not [line for line in found.advice if "camera" not in line]


def test_dark_bright_and_soft_pictures_are_told() -> None:
    profile = profile_of(2)
    assert any("light on" in line for line in health(picture(0.2), profile).advice)
    assert any("shines" in line or "too bright" in line for line in health(picture(2.5), profile).advice)
    assert any("Focus" in line for line in health(picture(1.0, soft=5), profile).advice)


def test_sharpness_falls_with_blur_and_not_with_light() -> None:
    everywhere = np.ones((1080, 1920), np.uint8)

    def of(light: float, soft: float) -> float:
        return sharpness(cv2.cvtColor(picture(light, soft), cv2.COLOR_BGR2GRAY), everywhere)

    assert of(1, 0.5) > of(1, 2) > of(1, 4)
    assert of(0.6, 2) == pytest.approx(of(1, 2), abs=0.1)
    assert sharpness(np.full((1080, 1920), 90, np.uint8), everywhere) == 0


def test_small_pips_say_how_much_closer_or_which_resolution() -> None:
    size = (1280, 720)
    corners = np.array([(240.0, 60), (1040, 60), (1040, 660), (240, 660)])
    profile = from_corners(corners, size, 1600, 1200)  # half a pixel to the millimetre
    found = health(np.full((720, 1280, 3), 120, np.uint8), profile)
    assert found.scale == pytest.approx(0.5, rel=0.03) and found.pip_px == pytest.approx(2.4, rel=0.03)
    closer = int(found.advice[0].split()[3])
    assert found.advice[0].endswith("cm closer or use 1440p.")
    assert closer == pytest.approx(camera_distance(profile) / 10 * (1 - found.pip_px / 4), abs=5)


def test_the_drawing_shows_the_grid_and_leaves_the_picture_alone() -> None:
    profile, image = profile_of(2), np.full((1080, 1920, 3), 60, np.uint8)
    drawn = draw_profile(image, profile)
    assert (image == 60).all() and drawn.shape == image.shape
    on_line = np.round(profile.to_picture(np.array([(0.0, -60.0), (0, -20), (50, 30)]))).astype(int)
    assert all(drawn[y, x].min() > 180 for x, y in on_line)
    x, y = np.round(profile.to_picture(np.array([(25.0, 25.0)]))[0]).astype(int)
    assert drawn[y, x, 1] > drawn[y, x, 2]  # enough pixels there: green


def test_no_points_are_no_points_through_a_lens_too() -> None:
    lens = Lens(np.array([[900.0, 0, 640], [0, 900, 360], [0, 0, 1]]), np.array([-0.05, 0.0, 0.0, 0.0, 0.0]))
    nothing = np.zeros((0, 2))
    profile = Profile((1280, 720), np.eye(3), (0.0, 0.0, 900.0, 900.0), "tags", 0.0, lens)
    assert profile.to_table(nothing).shape == profile.to_picture(nothing).shape == (0, 2)


def test_the_view_from_above_is_looked_up_where_the_lens_says() -> None:
    lens = Lens(np.array([[900.0, 0, 640], [0, 900, 360], [0, 0, 1]]), np.array([-0.1, 0.02, 0.0, 0.0, 0.0]))
    profile = Profile((1280, 720), np.eye(3), (20.0, 10.0, 1220.0, 700.0), "tags", 0.0, lens)
    across, down = np.meshgrid(np.arange(1280.0), np.arange(720.0))
    ramp = np.dstack([across / 5.1, down / 3.1, across * 0]).astype(np.uint8)
    seen = TableView(profile, 1.0).of(ramp)
    assert np.array_equal(TableView(profile, 1.0).of(ramp, (37, 50, 90, 81)), seen[50:81, 37:90])
    at = np.array([(3, 4), (600, 333), (1196, 686), (1190, 5)])
    truly = profile.to_picture(TableView(profile, 1.0).to_table(at))
    told = seen[at[:, 1], at[:, 0], :2] * (5.1, 3.1)
    assert np.abs(told - truly).max() < 6  # levels are whole numbers


@pytest.mark.parametrize("distortion", [None, (-0.1, 0.02, 0.001, -0.002, 0.01)])
def test_a_grid_shows_where_its_points_do(distortion: tuple[float, ...] | None) -> None:
    matrix = np.array([[900.0, 0, 640], [0, 900, 360], [0, 0, 1]])
    lens = None if distortion is None else Lens(matrix, np.array(distortion))
    oblique = np.array([[1.1, 0.05, -20.0], [-0.03, 1.2, 15.0], [1e-5, 2e-4, 1.0]])
    profile = Profile((1280, 720), oblique, (0.0, 0.0, 900.0, 900.0), "tags", 0.0, lens)
    table = np.array([[40.0, 3.0, 7.0], [-2.0, 30.0, 5.0], [0, 0, 1]])
    points = np.array([(column, row, 1) for row in range(12) for column in range(20)]) @ table.T
    there = profile.to_picture(points[:, :2]).reshape(12, 20, 2)
    assert np.abs(profile.grid_in_picture(table, (12, 20)) - there).max() < 1e-3
