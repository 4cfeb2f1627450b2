"""What two pictures say of a tile's place: whether it is bare where a back lay on wood of its colour."""

from collections.abc import Sequence
from typing import Any

import cv2
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


@pytest.mark.parametrize(("body", "taken", "gone"), [(20, False, 0), (20, True, 1), (125, False, 1)])
def test_a_back_of_another_colour_than_the_table_lies_there_as_long_as_its_place_looks_as_it_did(body: int, taken: bool,
                                                                                               gone: int) -> None:
    before, places = WOOD.copy(), [tile(None, 100 + 24 * k, 100, np.pi / 2) for k in (-1, 0, 1)]
    for each in places:
        cv2.fillConvexPoly(before, np.rint(each.corners).astype(np.int32), (body, body, body))
    after = before.copy()
    if taken:
        cv2.fillConvexPoly(after, np.rint(places[1].corners).astype(np.int32), (110, 120, 130))
    tracks, reader = a_table(places[1]), Judge((0.01, 0.05, 0.94))
    tracks.tiles[0].patch = straight(Album(before), tracks.tiles[0].corners)
    compared = Compared(Album(before), Album(after), _same, no_veils((100, 150)), _same, None, reader)  # type: ignore[arg-type]
    assert len([each for _ in range(3) for each in tracks.settle([], compared).vanished]) == gone


@pytest.mark.parametrize(("body", "cloth", "back", "bare"), [
    (20, 125, 0.05, 1.0),  # a black back lay there, and the table's colour is seen now
    (20, 125, 0.6, 0.95),  # what is somewhat like a back may be one in another light: it is looked at again
    (20, 60, 0.6, 0.4),  # a shadow, or another back: as it is read
    (125, 125, 0.6, 0.4),  # it was of the table's colour before
])
def test_where_the_colour_of_a_back_went_and_that_of_the_table_came_there_is_hardly_a_doubt(
        body: int, cloth: int, back: float, bare: float) -> None:  # fmt: skip
    tracks, reader = a_table(tile(None, 100, 100)), Judge((0.0, back, 1 - back))
    place = np.rint(tracks.tiles[0].corners).astype(np.int32)
    before, after = (Album(np.asarray(cv2.fillConvexPoly(WOOD.copy(), place, (each, each, each)), np.uint8))
                     for each in (body, cloth))
    tracks.tiles[0].patch = straight(before, tracks.tiles[0].corners)
    compared = Compared(before, after, _same, no_veils((100, 150)), _same, None, reader)  # type: ignore[arg-type]
    assert compared.empty(tracks.tiles[0]) == pytest.approx(bare)


@pytest.mark.parametrize("ends", [None, (2, 3)])
def test_what_is_read_alone_never_leaves_no_doubt(ends: tuple[int, int] | None) -> None:
    album, tracks, reader = Album(WOOD), a_table(tile(ends, 100, 100)), Judge((0.0, 0.0, 1.0))
    tracks.tiles[0].patch = straight(album, tracks.tiles[0].corners)
    compared = Compared(album, album, _same, no_veils((100, 150)), _same, None, reader)  # type: ignore[arg-type]
    assert [len(tracks.settle([], compared).vanished) for _ in range(3)] == [0, 0, 1]


@pytest.mark.parametrize(("lifted", "bare"), [(frozenset({1}), 0.9), (frozenset(), 0.0)])
def test_of_a_back_that_a_hand_took_up_the_reader_is_believed_though_the_light_is_another(lifted: frozenset[int],
                                                                                         bare: float) -> None:
    """Of red backs on red cloth nothing else tells; without the hand they may only be dazzled."""
    before, after = Album(WOOD), Album(np.clip(WOOD * 0.5, 0, 255).astype(np.uint8))
    tracks, reader = a_table(tile(None, 100, 100)), Judge((0.0, 0.1, 0.9))
    tracks.tiles[0].patch = straight(before, tracks.tiles[0].corners)
    compared = Compared(before, after, _same, no_veils((100, 150)), _same, None, reader,  # type: ignore[arg-type]
                        lifted=lifted)
    assert compared.empty(tracks.tiles[0]) == pytest.approx(bare)
