"""The overlay: readable on small and large photos, and telling sure from unsure without colours."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.readings import box, read_tile, reading
from vision.drawing import SURE, UNSURE, draw_reading, write_picture
from vision.reading import ReadTile


def table(width: int = 640, height: int = 480) -> NDArray[np.uint8]:
    return np.full((height, width, 3), 90, np.uint8)


def enlarged(tile: ReadTile, factor: int) -> ReadTile:
    return ReadTile(tile.ends, tile.score, tile.corners * np.float32(factor), tile.end_probabilities)


def share_of(colour: tuple[int, int, int], image: NDArray[np.uint8]) -> float:
    return float((image == np.array(colour, np.uint8)).all(axis=2).mean())


@pytest.mark.parametrize("factor", [1, 3, 6])
def test_a_tile_is_outlined_and_its_numbers_written_at_any_size(factor: int) -> None:
    tile = enlarged(read_tile(3, 12, at=(100, 100)), factor)
    image = table(640 * factor, 480 * factor)
    drawn = draw_reading(image, reading([tile]))
    top = drawn[100 * factor, 110 * factor : 130 * factor]
    assert share_of(SURE, top[np.newaxis]) > 0.9
    inside = drawn[105 * factor : 115 * factor, 103 * factor : 137 * factor]
    assert share_of(SURE, inside) > 0.1  # the plates
    assert (inside.min(axis=2) > 200).mean() > 0.02  # the letters
    assert not (image != 90).any()  # drawn on a copy


def test_unsure_tiles_have_a_dashed_outline() -> None:
    def edge(score: float) -> NDArray[np.uint8]:
        tile = enlarged(read_tile(3, 4, score=score, at=(20, 20)), 5)
        return draw_reading(table(), reading([tile]))[100, 110:290][np.newaxis]

    assert share_of(SURE, edge(0.95)) > 0.95
    assert 0.3 < share_of(UNSURE, edge(0.5)) < 0.8


def test_face_down_tiles_are_outlined_without_a_number() -> None:
    drawn = draw_reading(table(), reading([], facedown=1))
    assert (drawn[300, 55:85] != 90).any() and (drawn[306:314, 58:82] == 90).all()


@pytest.mark.parametrize("at", [(-30.0, -10.0), (625.0, 470.0), (5000.0, 5000.0)])
def test_tiles_over_the_edge_are_no_trouble(at: tuple[float, float]) -> None:
    drawn = draw_reading(table(), reading([ReadTile((1, 2), 0.5, box(at), np.zeros((2, 16), np.float32))]))
    assert drawn.shape == (480, 640, 3)


def test_a_picture_is_written_as_jpeg(tmp_path: Path) -> None:
    write_picture(table(), tmp_path / "a.jpg")
    back = cv2.imread(str(tmp_path / "a.jpg"))
    assert back is not None and back.shape == (480, 640, 3)
    with pytest.raises(OSError, match="gone"):
        write_picture(table(), tmp_path / "gone" / "a.jpg")
