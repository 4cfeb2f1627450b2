"""What people say of a tile outweighs how the camera reads it, as long as that tile lies there."""

from __future__ import annotations

import numpy as np

from referee.readers.euronimoes import sight_of
from referee.reading import Laid, Reading
from referee.vouched import Vouched
from vision.observation import Observation, SeenTile, TableState

PLACE = ("grid", 0, ((0, 0), (1, 0)), 1)


def seen(track: int = 7, ends: tuple[int, int] = (1, 3)) -> Observation:
    rows = np.full((2, 16), 0.001, np.float32)
    rows[0, ends[0]] = rows[1, ends[1]] = 0.985
    tile = SeenTile(track, (0.0, 0.0), 0.0, 48.0, 24.0, ends, rows, 0.99)
    return Observation(0.0, 0, TableState.READY, (tile,))


def told(ends: tuple[int, int], swapped: bool = False, either_way: bool = False) -> Vouched:
    vouched, table = Vouched(), seen()
    reading = Reading({PLACE: sight_of(table.tiles[0], swapped)})
    vouched.add({PLACE: Laid(ends, either_way)}, reading, table)
    return vouched


def test_a_tile_is_what_was_said_however_it_is_read() -> None:
    assert told((3, 1)).seen(seen()).tiles[0].ends == (3, 1)
    assert told((2, 3)).seen(seen()).tiles[0].ends == (2, 3)


def test_its_halves_are_told_in_the_order_in_which_they_are_seen() -> None:
    assert told((2, 1), swapped=True).seen(seen()).tiles[0].ends == (1, 2)


def test_of_a_market_nothing_is_taken_for_what_may_still_come() -> None:
    assert told((2, 2), either_way=True).seen(seen()).tiles[0].ends == (1, 3)


def test_another_tile_is_read_as_it_is_seen() -> None:
    vouched = told((3, 1))
    assert vouched.seen(seen(track=8)).tiles[0].ends == (1, 3)
    assert vouched.seen(seen()).tiles[0].ends == (1, 3), "the tile was gone meanwhile"


def test_after_an_undo_the_camera_is_asked_again() -> None:
    vouched = told((3, 1))
    vouched.clear()
    assert vouched.seen(seen()).tiles[0].ends == (1, 3)
