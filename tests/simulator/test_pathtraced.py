"""Path-traced tables: the camera is the table's camera, and the truth is where the picture shows it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

pytest.importorskip("mitsuba", reason="mitsuba is not installed: it comes with the train extra")

from simulator.faces import set_style
from simulator.layouts import Placed
from simulator.pathtraced import seen_things, traced_scene, whole_pixel_view
from simulator.scene import body_of
from simulator.solids import slab
from simulator.view import View, random_view


def _view(seed: int) -> View:
    return whole_pixel_view(random_view(240, 180, 30.0, np.random.default_rng(seed)))


@pytest.mark.parametrize("seed", range(4))
def test_a_traced_block_stands_where_the_view_projects_it(seed: int) -> None:
    view, style = _view(seed), set_style(np.random.default_rng(seed))
    body = body_of(Placed(0.2, -0.1, 0.7 + seed, (1, 2)), style)
    block = slab(style.length, 0.0, 0.0, style.thickness, 6)
    block = block.moved(body.centre, np.stack([body.long, body.short, body.normal]))
    shown = seen_things(view, [block], [7]) == 7

    top = body.corners(style)
    corners = view.project(np.vstack([top, top - body.normal * style.thickness]))
    expected = np.zeros(shown.shape, np.uint8)
    cv2.fillConvexPoly(expected, cv2.convexHull(np.round(corners * 16 - 8).astype(np.int32)), 1, shift=4)
    ring = np.ones((3, 3), np.uint8)
    assert not (shown & (cv2.dilate(expected, ring) == 0)).any()  # nothing more than a pixel outside
    assert shown[cv2.erode(expected, ring, borderValue=1) > 0].all()  # nor a hole more than a pixel inside


def test_moving_the_axis_to_a_pixel_corner_keeps_the_picture_within_a_pixel() -> None:
    view = random_view(240, 180, 30.0, np.random.default_rng(3))
    points = np.random.default_rng(3).normal(0, 2, (20, 3))
    assert np.abs(whole_pixel_view(view).project(points) - view.project(points)).max() <= 0.5 + 1e-6


def test_a_traced_scene_is_the_same_for_the_same_seed_and_shows_its_tiles() -> None:
    first, second = (traced_scene(128, 112, 20.0, np.random.default_rng(11), samples=4) for _ in range(2))
    assert first.image.shape == (112, 128, 3) and first.image.dtype == np.uint8
    assert np.array_equal(first.image, second.image)
    assert len(first.tiles) == len(second.tiles) > 0
    assert max(min(tile.visible) for tile in first.tiles) > 0.9
