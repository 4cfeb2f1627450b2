"""Stacks in the first picture: what looks out from under a tile is made like it."""

from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.test_table import tile
from vision.straighten import Album
from vision.table.half_hidden import with_those_below


class Sees:
    """Reads every place as a blank; halves look out at both ends of the tile, and table and picture are one."""

    def judge(self, crops: Any) -> tuple[Any, Any]:
        counts = np.zeros((len(crops), 2, 16), np.float32)
        counts[..., 0] = 1.0
        return np.full((len(crops), 3), (0.98, 0.0, 0.02), np.float32), counts

    def halves(self, reader: Any, album: Album) -> Any:
        return np.array([(80, 100), (100, 100), (120, 100), (140, 100)], np.float32)

    def to_picture(self, points: Any) -> Any:
        return points


@pytest.mark.parametrize(("cell", "found"), [((205, 225, 225), 2), ((90, 120, 150), 0)])
def test_bare_cells_of_a_board_are_no_blanks_under_a_tile(cell: tuple[int, int, int], found: int) -> None:
    picture = np.full((200, 300, 3), (60, 120, 60), np.uint8)
    cv2.rectangle(picture, (70, 90), (150, 110), cell, -1)
    cv2.rectangle(picture, (91, 90), (130, 110), (210, 220, 220), -1)
    sees: Any = Sees()
    seen = [tile((2, 3), 110, 100), tile((1, 1), 220, 40)]
    assert len(with_those_below(seen, sees, Album(picture), sees)) == 2 + found
