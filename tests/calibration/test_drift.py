"""A bump is noticed and measured again; hands, plays and light are no bumps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import store
from calibration.drift import Watch, refitted
from calibration.measure import rigid
from calibration.profile import Lens, Profile
from calibration.store import keep, kept
from simulator.bumps import bump_trial, summary_of_bumps
from simulator.setups import random_camera

Image = NDArray[np.uint8]

SIZE = (1280, 720)
PX_PER_MM = 1.6


def cloth(seed: int = 1, plain: bool = False) -> Image:
    """A table with a pattern, 1200 x 900 mm at one pixel to the millimetre."""
    rng = np.random.default_rng(seed)
    if plain:
        return np.full((900, 1200, 3), 110, np.uint8)
    small = rng.uniform(40, 200, (60, 80, 3)).astype(np.float32)
    return np.asarray(np.clip(cv2.resize(small, (1200, 900), interpolation=cv2.INTER_CUBIC), 0, 255), np.uint8)


def pose(shift: tuple[float, float] = (0, 0), degrees: float = 0.0) -> NDArray[np.float64]:
    """(3, 3) from millimetres about the table's middle to pixels of a camera that leans a little."""
    turn = np.radians(degrees)
    c, s = np.cos(turn), np.sin(turn)
    lean = np.array([[PX_PER_MM, 0, 640], [0, PX_PER_MM * 0.9, 360], [0, 0.0003, 1]])
    return np.asarray(lean @ np.array([[c, -s, shift[0]], [s, c, shift[1]], [0, 0, 1]]), np.float64)


def seen(table: Image, where: NDArray[np.float64], light: float = 1.0, seed: int = 0) -> Image:
    onto = where @ np.array([[1.0, 0, -600], [0, 1, -450], [0, 0, 1]])
    image = cv2.warpPerspective(table, onto, SIZE, borderMode=cv2.BORDER_REFLECT).astype(np.float32) * light
    image += np.random.default_rng(seed).normal(0, 2, image.shape)
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def profile(where: NDArray[np.float64]) -> Profile:
    return Profile(SIZE, np.asarray(np.linalg.inv(where), np.float64), (-300.0, -180.0, 300.0, 180.0), "tags", 0.1)


def off_by(told: Profile, where: NDArray[np.float64]) -> float:
    grid = np.array([(x, y) for x in (-250.0, 0, 250) for y in (-150.0, 0, 150)])
    there = cv2.perspectiveTransform(grid[:, None], where)[:, 0]
    return float(np.linalg.norm(told.to_table(there) - grid, axis=1).max())


def test_a_still_table_is_steady_whatever_the_light() -> None:
    table = cloth()
    watch = Watch(profile(pose()), seen(table, pose()))
    assert len(watch.anchors) >= 20
    for number, light in enumerate((1.0, 0.5, 1.3, 0.8)):
        check = watch.check(seen(table, pose(), light, number))
        assert check.state == "steady" and check.residual_mm < 0.5, check
    assert str(check) == "The table is where it was."


@pytest.mark.parametrize(("shift", "degrees"), [((5, 0), 0), ((0, -40), 0), ((20, 25), 5), ((-8, 3), -1)])
def test_a_bump_is_told_once_and_measured_again(shift: tuple[float, float], degrees: float) -> None:
    table = cloth()
    watch = Watch(profile(pose()), seen(table, pose()))
    moved = pose(shift, degrees)
    check = watch.check(seen(table, moved, 0.9, 3))
    assert check.state == "bumped" and check.shift_mm >= np.hypot(*shift) - 1
    assert off_by(check.profile, moved) < 1.0 and check.residual_mm < 1.5
    assert "moved by" in str(check)
    assert watch.check(seen(table, moved, 0.9, 4)).state == "steady"


def test_hands_over_most_of_the_table_are_no_bump() -> None:
    table = cloth()
    watch = Watch(profile(pose()), seen(table, pose()))
    for number, width in enumerate((200, 500, 800)):
        frame = seen(table, pose(), seed=number)
        rng = np.random.default_rng(number)
        frame[:, 240 : 240 + width] = cv2.resize(rng.integers(90, 160, (36, width // 20, 3)).astype(np.uint8), (width, 720))
        assert watch.check(frame).state in ("steady", "hidden")
    assert watch.check(seen(table, pose())).state == "steady"


def test_a_bump_under_a_hand_is_noticed() -> None:
    table = cloth()
    watch = Watch(profile(pose()), seen(table, pose()))
    frame = seen(table, pose((15, 10), 2))
    frame[:, 800:] = 120
    check = watch.check(frame)
    assert check.state == "bumped" and off_by(check.profile, pose((15, 10), 2)) < 1.5


def test_tiles_that_move_are_no_bump() -> None:
    table = cloth()
    rng = np.random.default_rng(5)

    def with_tiles(places: NDArray[np.float64]) -> Image:
        laid = table.copy()
        for x, y in places:
            cv2.rectangle(laid, (int(x), int(y)), (int(x) + 48, int(y) + 24), (235, 240, 240), -1)
            cv2.circle(laid, (int(x) + 12, int(y) + 12), 3, (10, 10, 10), -1)
        return laid

    places = rng.uniform((350, 300), (800, 580), (14, 2))
    outlines = [np.array([(0, 0), (48, 0), (48, 24), (0, 24)]) + place - (600, 450) for place in places]
    watch = Watch(profile(pose()), seen(with_tiles(places), pose()), outlines)
    for number in range(3):
        assert watch.check(seen(with_tiles(places + 12 * (number + 1)), pose(), seed=number)).state == "steady"


def test_a_table_that_is_gone_is_lost_after_a_while() -> None:
    watch = Watch(profile(pose()), seen(cloth(), pose()))
    states = [watch.check(seen(cloth(seed=9), pose(), seed=number)).state for number in range(4)]
    assert "bumped" not in states and states[0] == "hidden" and states[-1] == "lost"


def test_a_black_picture_is_not_steady() -> None:
    watch = Watch(profile(pose()), seen(cloth(), pose()))
    assert watch.check(np.zeros((720, 1280, 3), np.uint8)).state in ("hidden", "lost")


def test_a_table_without_any_pattern_says_that_it_cannot_tell() -> None:
    bare = np.full((720, 1280, 3), 110, np.uint8)
    watch = Watch(profile(pose()), bare)
    assert watch.check(bare).state in ("hidden", "lost")


def test_a_known_lens_is_kept_when_the_table_moved() -> None:
    lens = Lens(np.array([[1000.0, 0, 640], [0, 1000, 360], [0, 0, 1]]), np.array([-0.1, 0.01, 0, 0, 0]))
    rotation, away = cv2.Rodrigues(np.array([0.3, -0.1, 0.05]))[0], np.array([0.0, 0.0, 800.0])
    table = np.random.default_rng(2).uniform((-250, -150), (250, 150), (30, 2))
    points = np.column_stack([table, np.zeros(30)])
    homography = np.asarray(np.linalg.inv(lens.matrix @ np.column_stack([rotation[:, :2], away])), np.float64)
    old = Profile(SIZE, homography, (-1.0, -1.0, 1.0, 1.0), "tags", 0.0, lens)
    now = cv2.projectPoints(points, cv2.Rodrigues(np.array([0.32, -0.08, 0.12]))[0], away + (20, -10, 5), lens.matrix,
                            lens.distortion)[0][:, 0]
    new = refitted(old, table, now)
    assert new.to_table(now) == pytest.approx(table, abs=0.01)
    assert new.lens is lens
    blind = refitted(replace(old, lens=None), table[:5], now[:5])  # few points and no lens: only a shift and a turn
    turn, shift = rigid(replace(old, lens=None).to_table(now[:5]), table[:5])
    assert blind.to_table(now[:5]) == pytest.approx(replace(old, lens=None).to_table(now[:5]) @ turn.T + shift)


def test_rendered_bumps_are_noticed() -> None:
    trials = [bump_trial(seed) for seed in (2, 7)]
    told = summary_of_bumps(trials)
    assert told["noticed"] == told["found_again"] == 2 and told["false_alarms"] == 0 and told["worst_mm"] < 1.5


def test_made_up_lenses_show_the_table_up_to_their_corners() -> None:
    for seed in (5080, *range(30)):  # the first bent back within its picture, which took a table of 90,000 pixels
        camera = random_camera(np.random.default_rng([seed, 42]), (1920, 1080))
        corners = np.array([[0.0, 0], [1919, 0], [1919, 1079], [0, 1079]])
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 100, 1e-9)
        rays = cv2.undistortPoints(corners[:, None], camera.matrix, camera.distortion, criteria=stop)[:, 0]
        points, still = np.column_stack([rays, np.ones(4)]), np.zeros(3)
        back = cv2.projectPoints(points, still, still, camera.matrix, camera.distortion)[0]
        assert np.abs(back[:, 0] - corners).max() < 0.5


def test_a_hand_over_some_of_the_few_things_on_a_plain_table_is_no_bump_and_a_bump_is_told() -> None:
    trial = bump_trial(5062)  # five tiles on a table without a pattern: what is seen of them says little of its far corners
    assert trial.alarms == 0
    assert trial.noticed and trial.error_mm is not None and trial.error_mm < 2


def test_what_was_measured_on_another_day_holds_where_the_picture_shows_it(tmp_path: Path) -> None:
    table, file = cloth(), tmp_path / "calibration.json"
    assert kept(file, "0", seen(table, pose())) is None
    keep(replace(profile(pose()), camera="0"), seen(table, pose()), file)
    shoved = pose((25, -15), 3)
    for where in (pose(), shoved):
        again = kept(file, "0", seen(table, where, light=0.7, seed=5))
        assert again is not None and off_by(again, where) < 2.0
    assert kept(file, "1", seen(table, pose())) is None
    assert kept(file, "0", seen(cloth(seed=9), pose())) is None
    assert kept(file, "0", seen(cloth(plain=True), pose())) is None
    assert kept(file, "0", seen(table, pose())[:600]) is None
    (tmp_path / "calibration.jpg").write_bytes(b"no picture")
    assert kept(file, "0", seen(table, pose())) is None


def test_a_picture_that_cannot_be_compared_is_of_no_table_that_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(watch: Watch, image: Image) -> None:
        raise cv2.error("no plane")

    table, file = cloth(), tmp_path / "calibration.json"
    keep(replace(profile(pose()), camera="0"), seen(table, pose()), file)
    monkeypatch.setattr(Watch, "check", fails)
    assert kept(file, "0", seen(table, pose())) is None


def test_no_calibration_is_left_beside_the_picture_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, file = cloth(), tmp_path / "calibration.json"
    keep(replace(profile(pose()), camera="0"), seen(table, pose()), file)

    def full(profile: Profile, path: Path) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(store, "save", full)
    with pytest.raises(OSError, match="space"):
        keep(replace(profile(pose((25, -15), 3)), camera="0"), seen(table, pose((25, -15), 3)), file)
    assert kept(file, "0", seen(table, pose())) is None
