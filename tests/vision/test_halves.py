"""From maps to tiles: halves pair up with the half they point at, and overlapping tiles give way."""

import numpy as np
from numpy.typing import NDArray

from vision.halves import CELL, REACH, Halves, iou, non_max_suppression, overlap, pair_halves
from vision.halves import find_halves as find_in_blocks

Array = NDArray[np.float32]


def find_halves(maps: Array, lowest: float) -> Halves:
    """The halves in maps (10, h, w) whose first two are probabilities: folded as the detector gives them."""
    objectness = np.clip(maps[:2], 1e-6, 1 - 1e-6)
    answer = np.concatenate([np.log(objectness / (1 - objectness)), maps[2:]])
    count, height, width = answer.shape
    folded = answer.reshape(count, height // 2, 2, width // 2, 2).transpose(0, 2, 4, 1, 3)
    return find_in_blocks(np.ascontiguousarray(folded, np.float32).reshape(4 * count, height // 2, width // 2), lowest)


def put_half(maps: Array, centre: tuple[float, float], partner: tuple[float, float], outer: list[tuple[float, float]],
             objectness: float = 0.9) -> None:
    """Write one half into the maps as a perfect detector would."""
    column, row = int(centre[0] // CELL), int(centre[1] // CELL)
    maps[0, row, column] = objectness
    middle = np.array([column + 0.5, row + 0.5]) * CELL
    values = [np.subtract(centre, middle), np.subtract(partner, centre), *(np.subtract(o, centre) for o in outer)]
    maps[2:, row, column] = np.concatenate(values) / REACH


def put_tile(maps: Array, x: float, y: float, side: float) -> Array:
    """A tile lying level with its first half at the left; returns its corners."""
    corners = np.array([[x, y + side], [x, y], [x + 2 * side, y], [x + 2 * side, y + side]], np.float32)
    first, second = (x + side / 2, y + side / 2), (x + 1.5 * side, y + side / 2)
    put_half(maps, first, second, [tuple(corners[0]), tuple(corners[1])])
    put_half(maps, second, first, [tuple(corners[2]), tuple(corners[3])])
    return corners


def test_two_tiles_end_to_end_stay_two() -> None:
    maps = np.zeros((10, 40, 60), np.float32)
    truths = [put_tile(maps, 10, 20, 30), put_tile(maps, 71, 20, 30)]
    found = pair_halves(find_halves(maps, 0.2), alone=0.5)
    assert len(found.objectness) == 2
    for truth in truths:
        assert min(np.abs(c - truth).max() for c in (*found.corners, *np.roll(found.corners, 2, axis=1))) < 1e-3


def test_a_half_whose_partner_was_missed_is_completed() -> None:
    maps = np.zeros((10, 40, 60), np.float32)
    truth = put_tile(maps, 10, 20, 30)
    maps[0, int(35 // CELL), int(55 // CELL)] = 0.0
    found = pair_halves(find_halves(maps, 0.2), alone=0.5)
    assert len(found.objectness) == 1
    assert np.abs(found.corners[0] - truth).max() < 1e-3


def test_a_faint_lone_half_is_no_tile() -> None:
    maps = np.zeros((10, 40, 60), np.float32)
    put_half(maps, (25, 35), (55, 35), [(10, 50), (10, 20)], objectness=0.3)
    assert len(pair_halves(find_halves(maps, 0.2), alone=0.5).objectness) == 0


def test_an_empty_table_has_no_tile() -> None:
    found = pair_halves(find_halves(np.zeros((10, 8, 8), np.float32), 0.2), alone=0.5)
    assert found.corners.shape == (0, 4, 2)
    assert found.side.shape == (0,)


def square(x: float, y: float) -> Array:
    return np.array([[x, y + 10], [x, y], [x + 20, y], [x + 20, y + 10]], np.float32)


def test_overlap_is_shared_area_over_the_smaller() -> None:
    assert abs(overlap(square(0, 0), square(10, 0)) - 0.5) < 0.001
    assert overlap(square(0, 0), square(40, 0)) == 0.0


def test_a_small_tile_inside_a_large_one_is_not_like_it() -> None:
    inner = square(4, 2) * np.float32(0.25) + np.float32(4)
    assert overlap(square(0, 0), inner) > 0.99
    assert iou(square(0, 0), inner) < 0.1


def test_of_overlapping_tiles_the_stronger_stays() -> None:
    corners = np.stack([square(0, 0), square(8, 0), square(50, 0)])
    kept = non_max_suppression(corners, np.array([0.5, 0.9, 0.1], np.float32), most=0.25)
    assert sorted(kept.tolist()) == [1, 2]


def test_an_outline_on_the_same_lines_shares_what_it_does() -> None:
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        along = np.array([np.cos(turn := rng.uniform(0, 6.28)), np.sin(turn)])
        aside, middle, slid = np.array([-along[1], along[0]]), rng.uniform(-300, 300, 2), seed % 4 / 4
        tile = np.array([middle + 24 * x * along + 12 * y * aside for x, y in ((-1, 1), (-1, -1), (1, -1), (1, 1))], np.float32)
        other = (tile + 48 * slid * along + rng.normal(0, 1, (4, 2)) * rng.choice([0.0, 1e-6, 1e-5, 1e-4])).astype(np.float32)
        for shared in (overlap(tile, other), overlap(other, tile)):
            assert abs(shared - (1 - slid)) < 0.01, seed


def test_outlines_that_once_were_told_to_share_nothing() -> None:
    one = np.array([(269.02686, -319.834), (245.68103, -319.96158), (245.91107, -362.0543), (269.2568, -361.92673)], np.float32)
    other = one + np.array([(0, -5e-5), (6e-5, -2e-5), (2e-5, 4e-5), (4e-5, 3e-5)], np.float32)
    assert overlap(one, other) > 0.99 and iou(one, other) > 0.99
