"""Made-up tables: the truth beside a picture is true, and the same seed makes the same picture."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.pieces import DOUBLE_SIX, Tile
from simulator.faces import face_texture, set_style
from simulator.pips import pip_layout
from simulator.sample import sample_photo
from simulator.scene import make_scene
from simulator.view import look_at


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("count", range(16))
def test_every_layout_has_its_pips_apart_and_inside_the_half(count: int) -> None:
    for seed in range(40):
        points = pip_layout(count, rng(seed))
        assert points.shape == (count, 2)
        assert np.abs(points).max(initial=0) <= 1.0
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)[np.triu_indices(count, 1)]
        assert apart.min(initial=9) > 0.3  # farther than the two radii of the largest crowded pip


def test_a_face_shows_as_many_spots_as_it_has_pips() -> None:
    style = replace(
        set_style(rng(3)), body=np.full(3, 0.9, np.float32), colours=np.zeros((16, 3), np.float32), pip_kind="printed",
        grain="plain", wear=0.0, bar="none", pin=0.0, pip_radius=0.07, crowded_radius=0.055, spread=0.3,
    )  # fmt: skip
    for ends in ((0, 0), (3, 5), (6, 9), (12, 15)):
        face = face_texture(style, ends, 160, 0.0, rng(1))
        dark = (face[..., :3].max(axis=2) < 0.5).astype(np.uint8)
        found = cv2.connectedComponents(dark)[0] - 1
        assert found == sum(ends)


def test_the_same_seed_makes_the_same_picture() -> None:
    first, second = (make_scene(200, 160, 24.0, rng(5)) for _ in range(2))
    assert (first.image == second.image).all()
    assert [t.ends for t in first.tiles] == [t.ends for t in second.tiles]


def test_true_corners_run_clockwise_as_seen() -> None:
    for seed in range(12):
        for tile in make_scene(200, 200, 20.0, rng(seed)).tiles:
            if tile.sure:
                assert cv2.contourArea(tile.corners.astype(np.float32), oriented=True) > 0


def test_the_camera_sees_a_half_as_wide_as_asked() -> None:
    for tilt in (0.0, 0.4, 0.9):
        view = look_at(tilt, 0.7, 0.0, 900.0, 40.0, 640, 480, (320, 240))
        assert view.project(np.zeros(3)) == pytest.approx([320, 240])
        across = np.array([[-np.sin(0.7), np.cos(0.7), 0.0]]) / 2
        width = np.linalg.norm(view.project(across) - view.project(-across))
        assert width == pytest.approx(40.0, rel=1e-3)


def test_the_sample_shows_just_the_tiles_it_names() -> None:
    image, tiles = sample_photo(4, 800, 600, 7)
    assert image.shape == (600, 800, 3)
    assert len(set(tiles)) == 7
    assert all(isinstance(t, Tile) and t in DOUBLE_SIX for t in tiles)


def test_more_tiles_than_a_set_has_are_refused() -> None:
    with pytest.raises(ValueError, match="28 tiles"):
        sample_photo(1, 800, 600, 29)
