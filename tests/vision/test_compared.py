"""What two pictures say of a tile's place: whether it is bare where a back lay on wood of its colour."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.vision.test_table import a_table, tile
from vision.straighten import Album
from vision.table.compared import Compared
from vision.table.evidence import straight
from vision.table.veils import no_veils

GRAINED = (0.48, 0.037, 0.483)
"""Face, back and nothing, as a gap in a bone pile on grained wood is judged: somewhat like a face, and not like a back."""

WOOD = np.full((200, 300, 3), (110, 120, 130), np.uint8)


class Judge:
    """Sees the same everywhere."""

    def __init__(self, kinds: Sequence[float]) -> None:
        self.kinds = kinds

    def judge(self, crops: Any) -> tuple[Any, Any]:
        return np.full((len(crops), 3), self.kinds, np.float32), np.full((len(crops), 2, 16), 1 / 16, np.float32)


def _same(points: Any) -> Any:
    """Table and picture are one."""
    return points


@pytest.mark.parametrize(("ends", "kinds", "gone"), [
    (None, GRAINED, 1),
    (None, (0.02, 0.5, 0.48), 0),  # half of a shadow on it
    ((2, 3), GRAINED, 0),  # a face in the dark is hard to read, too
])
def test_where_a_back_lay_on_wood_of_its_colour_what_is_like_no_back_is_a_gap(
        ends: tuple[int, int] | None, kinds: tuple[float, float, float], gone: int) -> None:
    album = Album(WOOD)
    tracks, judge = a_table(tile(ends, 100, 100)), Judge(kinds)
    reader: Any = judge
    tracks.tiles[0].patch = straight(album, tracks.tiles[0].corners)
    compared = Compared(album, album, _same, no_veils((100, 150)), _same, None, reader)
    vanished = [tile for _ in range(3) for tile in tracks.settle([], compared).vanished]
    assert len(vanished) == gone
