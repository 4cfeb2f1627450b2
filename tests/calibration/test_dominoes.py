"""The table is measured by dominoes: by their outlines, and better by their pips; two sizes mixed are refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.dominoes import CHANCE, ONE_SIZE, from_tiles, two_sizes
from calibration.fit import CalibrationError, fit
from calibration.shapes import Shapes, Spots
from simulator.setups import TrueCamera
from tests.calibration.views import Area, Array, camera_and_area, placed, true_error

SIZE = (1920, 1080)
LENGTH = 48.0
FOUR = 7.0
"""How far the pips of a four lie from the middle of their half, along and across, millimetres."""


def tile_quads(camera: TrueCamera, area: Area, rng: np.random.Generator, count: int, noise: float, short: float = 1.0) -> Array:
    quads = []
    for number in range(count):
        x, y = rng.uniform((area[0], area[1]), (area[2], area[3]))
        scale = short if number % 2 else 1.0
        corners = placed(x, y, rng.uniform(-3, 3), 48 * scale, 24.3 * scale)
        pixels = camera.pixels(np.column_stack([corners, np.full(4, -10.0)]))
        quads.append(pixels[[3, 0, 1, 2]] + rng.normal(0, noise, (4, 2)))  # as the reader orders them
    return np.array(quads)


@pytest.mark.parametrize("seed", range(4))
def test_dominoes_whose_outlines_are_sharp_give_the_table_under_them(seed: int) -> None:
    camera, area = camera_and_area(seed)
    profile = from_tiles(tile_quads(camera, area, np.random.default_rng(seed), 16, 0.1), SIZE, 48.0)
    assert true_error(profile, camera, area) < 3.0
    assert profile.method == "tiles"


def test_a_few_wrong_outlines_among_the_dominoes_do_no_harm() -> None:
    camera, area = camera_and_area(1)
    quads = tile_quads(camera, area, np.random.default_rng(1), 18, 0.1)
    quads[3] = quads[3] * 1.2 - 0.2 * quads[3].mean(axis=0)
    quads[7, :2] += 25
    assert true_error(from_tiles(quads, SIZE, 48.0), camera, area) < 3.0


def test_dominoes_of_two_sizes_are_refused() -> None:
    camera, area = camera_and_area(1)
    quads = tile_quads(camera, area, np.random.default_rng(1), 18, 0.2, short=0.84)
    with pytest.raises(CalibrationError, match="different sizes"):
        from_tiles(quads, SIZE, 48.0)


def test_few_dominoes_are_refused() -> None:
    with pytest.raises(CalibrationError, match="0 dominoes are seen"):
        from_tiles(np.zeros((0, 4, 2)), SIZE, 48.0)


def test_mirrored_dominoes_are_refused() -> None:
    camera, area = camera_and_area(1)
    quads = tile_quads(camera, area, np.random.default_rng(1), 12, 0.1)
    with pytest.raises(CalibrationError, match="mirrored"):
        from_tiles(quads[:, ::-1], SIZE, 48.0)


def all_fours(camera: TrueCamera, area: Area, rng: np.random.Generator, count: int, small_on_the_left: float = 1.0) -> Shapes:
    """Tiles 4-4 with outlines as rough as a reader's and pips found to a tenth of a pixel; the layout is but guessed."""
    corners, pips = [], []
    for _ in range(count):
        x, y = rng.uniform((area[0], area[1]), (area[2], area[3]))
        turn, scale = rng.uniform(-3, 3), small_on_the_left if x < 0 else 1.0
        outline = placed(x, y, turn, LENGTH * scale, LENGTH / 2 * scale)
        corners.append(camera.pixels(outline) + rng.normal(0, 2.0, (4, 2)))
        for middle in (-LENGTH / 4, LENGTH / 4):
            local = scale * np.array([(middle + FOUR * a, FOUR * b) for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))])
            c, s = np.cos(turn), np.sin(turn)
            pips.append(camera.pixels(local @ np.array([[c, s], [-s, c]]) + (x, y)) + rng.normal(0, 0.1, (4, 2)))
    half = np.repeat(np.arange(2 * count), 4)
    spots = Spots(np.concatenate(pips), half // 2, half, half % 2 > 0, np.tile([0, 1, 1, 0], 2 * count),
                  np.tile([1.0, 1.0, -1.0, -1.0], 2 * count), np.array([(6.0, 6.0), (6.0, -6.0)]),
                  np.full(8 * count, 0.1), np.full(8 * count, 0.1))
    return Shapes(np.array(corners), LENGTH, LENGTH / 2, slack=0.03, noise=3.0, spots=spots)


@pytest.mark.parametrize("seed", range(4))
def test_pips_measure_where_outlines_are_rough(seed: int) -> None:
    camera, area = camera_and_area(seed)
    shapes = all_fours(camera, area, np.random.default_rng(seed), 14)
    by_pips = fit(shapes, SIZE, robust=True)
    by_outlines = fit(replace(shapes, spots=None), SIZE, robust=True)
    x, y = np.meshgrid(np.linspace(area[0], area[2], 5), np.linspace(area[1], area[3], 5))
    grid = np.column_stack([x.ravel(), y.ravel()])
    off = [distances_off(found.to_plane(camera.pixels(grid)), grid) for found in (by_pips, by_outlines)]
    assert off[0] < 1.0
    assert off[0] < off[1]


def distances_off(told: Array, true: Array) -> float:
    """How far the distances between places are off, root mean square."""
    between = [np.linalg.norm(places[:, None] - places[None], axis=2) for places in (told, true)]
    return float(np.sqrt(((between[0] - between[1]) ** 2).mean()))


@pytest.mark.parametrize("seed", range(4))
def test_small_tiles_on_one_side_are_not_taken_for_tiles_farther_away(seed: int) -> None:
    camera, area = camera_and_area(seed)
    mixed = fit(all_fours(camera, area, np.random.default_rng(seed), 16, small_on_the_left=0.84), SIZE, robust=True)
    gain, larger = two_sizes(mixed)
    assert gain > CHANCE
    assert larger == pytest.approx(-np.log(0.84), abs=0.05)


def test_a_few_tiles_of_two_sizes_whose_pips_are_seen_badly_are_told_apart() -> None:
    camera, area = camera_and_area(3)
    mixed = all_fours(camera, area, np.random.default_rng(3), 9, small_on_the_left=0.84)
    assert mixed.spots is not None
    badly = replace(mixed, spots=mixed.spots.noisier(11))
    gain, larger = two_sizes(fit(badly, SIZE, robust=True))
    assert gain > CHANCE
    assert larger > ONE_SIZE


@pytest.mark.parametrize("seed", range(4))
def test_tiles_of_one_size_are_not_told_apart(seed: int) -> None:
    camera, area = camera_and_area(seed)
    assert two_sizes(fit(all_fours(camera, area, np.random.default_rng(seed), 16), SIZE, robust=True))[1] < ONE_SIZE
