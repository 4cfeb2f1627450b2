"""Photographs are looked at from above: the tiles tell how the table lies, of what set they are, and what is none."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from simulator.piece_tables import game_table
from simulator.piece_truth import profile_of, sold, wanted
from simulator.sample import sample_photo
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.look import Look as TableLook
from simulator.tabletop.render import Renderer
from trials.piece_pictures import test_camera as camera
from vision.detection import Detection
from vision.photo_reader import PhotoReader, _by_the_sets, _Table
from vision.pieces import PieceReader
from vision.plane import HALF_MM, plane_of
from vision.reader import Reader
from vision.reading import HIGHEST_END
from vision.rectify import ImagePyramid

Array = NDArray[np.float32]
SIZE = (1600, 1200)


def tilted(angle: float) -> NDArray[np.float64]:
    """(3, 3) from a table, mm, to the picture of a camera that looks at it from this angle, radians."""
    turn = np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])
    pose = np.column_stack([turn[:, 0], turn[:, 1], [0, 0, 800.0]])
    return np.asarray(np.array([[1400, 0, 800], [0, 1400, 600], [0, 0, 1]]) @ pose)


def tile_at(x: float, y: float, angle: float, larger: float = 1.0) -> Array:
    """(4, 2) mm of a tile on the table."""
    way = np.array([np.cos(angle), np.sin(angle)])
    along, across = HALF_MM * larger * way, HALF_MM * larger * way[::-1] * (-1, 1)
    middle = np.array([x, y])
    return np.array([middle - along + across / 2, middle - along - across / 2, middle + along - across / 2,
                     middle + along + across / 2], np.float32)


def seen(table: Array, camera: NDArray[np.float64]) -> Array:
    return np.asarray(cv2.perspectiveTransform(table.reshape(-1, 1, 2), camera).reshape(-1, 4, 2), np.float32)


@pytest.mark.parametrize("angle", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("count", [4, 12])
def test_tiles_tell_how_the_table_lies(angle: float, count: int) -> None:
    rng = np.random.default_rng(count)
    places = np.stack([tile_at(x, y, turn) for x, y, turn in rng.uniform((-180, -180, 0), (180, 180, np.pi), (count, 3))])
    camera = tilted(angle)
    plane = plane_of(list(seen(places, camera)), SIZE)
    other = np.stack([tile_at(0, 0, 0.3), tile_at(120, -90, 1.3)])
    there = plane.places(seen(other, camera))
    for tile in there:
        length, width = np.linalg.norm(tile[2] - tile[1]), np.linalg.norm(tile[1] - tile[0])
        assert abs(length / width - 2) < 0.2 and abs(width / HALF_MM - 1) < 0.15
    assert plane.nats(seen(other, camera)).min() > -1
    cells = np.stack([tile_at(0, 0, 0.3, 0.5), tile_at(40, -40, 1.3, 0.5)])
    assert plane.nats(seen(cells, camera)).max() < -4, "cells of a board, half as large, are none of them"


def test_what_is_no_outline_of_a_tile_spoils_no_plane() -> None:
    flat = np.full((4, 2), 300, np.float32)
    plane = plane_of([flat, *seen(np.stack([tile_at(0, 0, 0.3), tile_at(60, 60, 1.1)]), tilted(0.4))], SIZE)
    assert np.isfinite(plane.homography).all() and np.isfinite(plane.nats(flat[None])).all()


def found(first: int, second: int, score: float = 0.999) -> Detection:
    counts = np.full((2, HIGHEST_END + 1), 1e-4, np.float32)
    counts[0, first] = counts[1, second] = 1
    corners = np.zeros((4, 2), np.float32)
    return Detection(corners, corners, counts, False, score)


def nats(tiles: list[Detection]) -> dict[tuple[int, int], list[float]]:
    out: dict[tuple[int, int], list[float]] = {}
    for tile, by in _by_the_sets([(tile, 7.0 if tile.score > 0.9 else 1.0) for tile in tiles]):
        assert tile.ends is not None
        out.setdefault(tile.ends, []).append(by)
    return out


def test_what_the_set_has_not_is_hardly_told() -> None:
    six = [found(low, high) for low in range(5) for high in range(low, 6)]
    told = nats([*six, found(9, 9, 0.8), found(1, 2, 0.8)])
    assert told[9, 9][0] < 0, "an end of nine among twenty tiles of a double-six set"
    assert sorted(by > 0 for by in told[1, 2]) == [False, True], "the second of a kind among twenty of one set"
    assert min(min(by) for ends, by in told.items() if ends != (9, 9) and len(by) == 1) > 5


def test_two_sets_have_tiles_twice_and_large_sets_large_ends() -> None:
    twice = [found(low, high) for low in range(3) for high in range(low, 6) for _ in (0, 1)]
    assert min(min(by) for by in nats(twice).values()) > 5
    nine = [found(9, end) for end in range(6)]
    assert min(min(by) for by in nats(nine).values()) > 5


def test_what_is_half_as_large_as_the_tiles_is_none(reader: Reader) -> None:
    image, _ = sample_photo(4, 1280, 960, 8)
    before = reader.consider(image)
    tiles = [each.corners for each in before if not each.back]
    half = float(np.median([np.linalg.norm(each[1] - each[0]) for each in tiles]))
    taken = [each.mean(axis=0) for each in tiles]
    for x, y in np.random.default_rng(1).uniform((60, 60), (1200, 900), (60, 2)):
        if all(np.hypot(*(other - (x, y))) > 2.4 * half for other in taken):
            taken.append(np.array([x, y], np.float32))
            low, high = (int(x - half / 2), int(y - half / 4)), (int(x + half / 2), int(y + half / 4))
            cv2.rectangle(image, (low[0] + 3, low[1] + 3), (high[0] + 3, high[1] + 3), (30, 30, 30), -1)
            cv2.rectangle(image, low, high, (60, 90, 30), -1)
    backs = [each for each in reader.consider(image) if each.back]
    assert len(backs) > len(before) - len(tiles), "alone they look like tiles that lie face down"
    told = PhotoReader(reader).read(image)
    assert not told.facedown and len(told.tiles) == 8


def test_tiles_far_apart_and_pictures_without_any_are_read(reader: Reader) -> None:
    ends = [tile_at(x, 240, 0.3) for x in (60, 3940)]  # metres apart, by their own size
    far = [replace(found(1, 2), pixels=each, corners=each) for each in ends]
    pyramid = ImagePyramid(np.full((480, 4000, 3), 120, np.uint8))
    assert _Table(pyramid, far, far).look(reader, np.stack(ends) + np.float32(90)) == []
    for level in (0, 128, 255):
        none = PhotoReader(reader, PieceReader()).read(np.full((240, 320, 3), level, np.uint8))
        assert not none.tiles and not none.facedown and not none.pieces


def test_all_is_read_from_whichever_side(reader: Reader) -> None:
    image, _ = sample_photo(3, 1280, 960, 12)
    told = [sorted(tile.low_high for tile in PhotoReader(reader).read(np.ascontiguousarray(np.rot90(image, turn))).tiles)
            for turn in range(4)]
    assert told[0] and all(each == told[0] for each in told)


def test_coins_dice_and_pawns_beside_tiles_are_read_by_what_these_tell_of_the_table(reader: Reader) -> None:
    number = TESTING_SEEDS[720]
    look, rng = TableLook.of(number), np.random.default_rng([number, 7])
    sold(look, 0)
    image, truth = Renderer(camera(rng), look).shoot(game_table(look, rng), number=11)
    laid = {piece.label for piece in wanted(truth, look, profile_of(camera(np.random.default_rng([number, 7]))), 0.9)}
    told = PhotoReader(reader, PieceReader()).read(image)
    assert told.tiles and not PhotoReader(reader).read(image).pieces
    shown = [(piece.kind, piece.label) for piece in told.pieces]
    assert len(shown) >= 8 and {kind for kind, _ in shown} >= {"coin", "die"}
    assert sum(each in laid for each in shown) >= 0.8 * len(shown)
