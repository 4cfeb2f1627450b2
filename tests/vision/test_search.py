"""The search for the tiles' size in a photo: things that look like large tiles do not hide small ones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from trials.calibration import tile_trial
from vision.photo_reader import PhotoReader
from vision.reader import Reader
from vision.reading import Reading


@pytest.mark.parametrize(("seed", "most"), [(22051, 12), (22091, 20)])
def test_small_tiles_are_found_though_a_first_look_sees_other_things(seed: int, most: int, reader: Reader) -> None:
    found: list[int] = []

    def read(image: NDArray[np.uint8]) -> Reading:
        reading = PhotoReader(reader).read(image)
        found.append(len(reading.tiles))
        return reading

    tile_trial(seed, read)
    assert found[0] >= most
