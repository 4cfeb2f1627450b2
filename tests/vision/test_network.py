"""Networks, and how they are opened."""

import numpy as np
import pytest

from vision import network
from vision.reader import Reader
from vision.rectify import CLOSE, ImagePyramid


@pytest.mark.parametrize("threads", [1, 2])
def test_a_reader_that_is_ready_opens_nothing_at_the_first_picture(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(threads)
    reader.ready()

    def opened(*_: object) -> None:
        raise AssertionError("a network is opened only now")

    monkeypatch.setattr(network, "_session", opened)
    view = ImagePyramid(np.zeros((800, 800, 3), np.uint8))
    assert not len(reader.find_on_table(view.size(0)).objectness)
    kinds, _ = reader.at_a_table().judge(view.warp_crops(np.tile(CLOSE.corners, (30, 1, 1))))
    assert (kinds.argmax(axis=1) == 2).all() and len(reader.levels(view, CLOSE.corners[None])) == 1
