"""The pictures of what is hard to find say the truth about it."""

from collections.abc import Callable

import numpy as np
import pytest

from simulator.faces import face_texture
from simulator.layouts import LYING, Placed, Table, overlaps
from simulator.packed import any_pips, lay_packed, packed_block, packed_grid, seamless_style
from simulator.printed import tile_like
from simulator.scene import make_scene
from simulator.wide import lay_standing, wide_scene, without_standing


def test_the_same_number_makes_the_same_picture() -> None:
    first, second = (wide_scene(160, 160, 20, np.random.default_rng(3)) for _ in range(2))
    assert (first.image == second.image).all()
    assert len(first.tiles) == len(second.tiles)


def test_every_kind_of_wide_picture_can_be_made() -> None:
    scenes = [wide_scene(160, 160, 24, np.random.default_rng([5, number])) for number in range(24)]
    assert all(scene.image.shape == (160, 160, 3) for scene in scenes)
    assert any(len(scene.tiles) == 0 for scene in scenes)
    assert any(len(scene.tiles) > 8 for scene in scenes)


@pytest.mark.parametrize("lay", [packed_grid, packed_block])
def test_packed_tiles_touch_and_do_not_overlap(lay: Callable[[Table, int, int, np.random.Generator], None]) -> None:
    for seed in range(6):
        table = Table(2.0, (-20, -20, 20, 20))
        lay(table, 12, 6, np.random.default_rng(seed))
        assert not any(overlaps(a, b, 2.0, 0.17) for k, a in enumerate(table.tiles) for b in table.tiles[:k])
        middles = np.array([(tile.x, tile.y) for tile in table.tiles])
        assert len(middles) >= 2
        apart = np.hypot(*(middles[:, None] - middles[None]).T) + 9 * np.eye(len(middles))
        assert apart.min() < 2.2


def test_nothing_is_to_be_found_where_tiles_stand_on_edge() -> None:
    def one_on_edge(table: Table, highest: int, away: float, most: int, rng: np.random.Generator) -> list[Placed]:
        return [Placed(0.0, 0.0, away - np.pi / 2, (3, 4), pose="standing"), Placed(3.0, 0.0, 0.0, (1, 2))]

    scene = make_scene(320, 320, 20, np.random.default_rng(1), lay=one_on_edge)
    assert all(tile.pose == LYING for tile in without_standing(scene).tiles)
    table = Table(2.0, (-9, -9, 9, 9))
    assert any(tile.pose != LYING for tile in lay_standing(table, 6, 0.0, 12, np.random.default_rng(2)))


def test_packed_tables_hold_faces_of_the_set() -> None:
    table = Table(2.0, (-9, -9, 9, 9))
    tiles = lay_packed(table, 6, 0.0, 20, np.random.default_rng(4))
    assert all(tile.ends is None or max(tile.ends) <= 6 for tile in tiles)


def test_a_set_without_bevel_or_round_corners_leaves_no_rim() -> None:
    styles = (seamless_style(np.random.default_rng(seed)) for seed in range(20))
    sharp = next(style for style in styles if style.corner == 0 and style.bevel == 0)
    face = face_texture(sharp, (0, 0), 40, 0.0, np.random.default_rng(1))
    assert face[..., 3].min() > 0.999


def test_pips_stay_on_their_halves() -> None:
    for seed in range(30):
        style = any_pips(seamless_style(np.random.default_rng(seed)), np.random.default_rng(seed))
        assert style.spread + style.pip_radius <= 0.5


def test_table_tops_that_look_like_tiles_are_pictures() -> None:
    for seed in range(12):
        top = tile_like(128, np.random.default_rng(seed))
        assert top.shape == (128, 128, 3)
        assert top.min() >= 0
        assert top.std() > 0.005
