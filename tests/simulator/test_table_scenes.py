"""Windows of whole tables that the networks learn from tell where their tiles lie."""

from __future__ import annotations

import numpy as np

from simulator.table_scenes import LARGEST_HALF, SMALLEST_HALF, table_scene


def test_windows_of_one_table_show_tiles_where_they_are_said_to_lie() -> None:
    scenes = [table_scene(320, 5, index) for index in range(3)]
    assert any(tile.sure for scene in scenes for tile in scene.tiles)
    for scene in scenes:
        assert scene.image.shape == (320, 320, 3)
        assert SMALLEST_HALF <= scene.half_px <= LARGEST_HALF
        for tile in scene.tiles:
            assert (tile.corners.max(axis=0) > 0).all() and (tile.corners.min(axis=0) < 320).all()
            whole = (tile.corners > -1).all() and (tile.corners < 321).all()
            assert whole or max(tile.visible) < 0.8  # nobody is asked for what the window cuts off
    assert not np.array_equal(scenes[0].image, scenes[1].image)
    assert np.array_equal(scenes[0].image, table_scene(320, 5, 0).image)
