"""Tiles on tiles: a joint on which a tile lies, by the outlines around it, and none did, was played on."""

from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.test_table import a_table, tile
from vision.straighten import Album
from vision.table.compared import Compared
from vision.table.stacks import joints
from vision.table.veils import no_veils


class Judge:
    """Sees a tile on others as surely as it is told, now and before, and reads as many pips on its halves everywhere; plainest
    on the first place that it is shown. off: at the middle one it reads something else. at: it is seen at so many places at most.
    """

    def __init__(self, now: float, was: float, pips: tuple[int, int] = (3, 3), off: bool = False, at: int = 25) -> None:
        self._now, self._was, self._pips, self._off, self._at = now, was, pips, off, at

    def levels(self, album: Any, places: Any) -> Any:
        upon = self._was if album is BEFORE else self._now
        return np.array([(1 - upon, 0, upon) if at < self._at else (1, 0, 0) for at in range(len(places))], np.float32)

    def judge(self, crops: Any) -> tuple[Any, Any]:
        faces = np.full(len(crops), 0.5, np.float32)
        faces[0] = 0.99
        counts = np.zeros((len(crops), 2, 16), np.float32)
        counts[:, 0, self._pips[0]] = counts[:, 1, self._pips[1]] = 1.0
        if self._off:
            counts[len(crops) // 2] = np.eye(16)[[6, 6]]
        return np.stack([faces, np.zeros_like(faces), 1 - faces], axis=1), counts


def _same(points: Any) -> Any:
    """Table and picture are one."""
    return points


PLAIN = np.full((200, 300, 3), 220, np.uint8)

BEFORE = Album(PLAIN)


def _compared(after: Any, judge: Judge) -> Compared:
    reader: Any = judge
    return Compared(BEFORE, Album(after), _same, no_veils((100, 150)), _same, None, reader, _same, _same)


def _changed(*ways: tuple[int, int, int]) -> Any:
    """The picture with something drawn on it: x, y, and how far it reaches."""
    after = PLAIN.copy()
    for x, y, reach in ways:
        cv2.rectangle(after, (x - reach, y - reach), (x + reach, y + reach), (20, 20, 20), -1)
    return after


@pytest.mark.parametrize(("now", "was", "pips", "reach", "found"), [
    (0.99, 0.1, (3, 3), 6, 1),
    (0.6, 0.01, (3, 3), 6, 1),  # the less it looked so before, the less sure it need be
    (0.6, 0.1, (3, 3), 6, 0),
    (0.4, 0.001, (3, 3), 6, 0),  # not likely
    (0.99, 0.95, (3, 3), 6, 0),  # it looked so before, too
    (0.99, 0.1, (3, 3), 0, 0),  # nothing changed
    (0.99, 0.1, (3, 4), 6, 0),  # it shows something else than what lies below
])
def test_a_tile_lies_on_a_joint_that_changed_where_one_is_seen_and_was_not(
        now: float, was: float, pips: tuple[int, int], reach: int, found: int) -> None:
    tracks = a_table(tile((2, 3), 100, 100), tile((3, 4), 140, 100)).tiles
    after = _changed((120, 100, reach)) if reach else PLAIN
    tops = [top for _, top in _compared(after, Judge(now, was, pips)).bridged(joints(tracks))]
    assert len(tops) == found
    assert all(tuple(top.corners.mean(axis=0)) == (120, 100) and top.ends == (3, 3) for top in tops)


@pytest.mark.parametrize(("at", "found"), [(10, 1), (5, 0)])
def test_of_the_places_around_a_joint_a_tile_is_seen_at_a_third_at_least(at: int, found: int) -> None:
    tracks = a_table(tile((2, 3), 100, 100), tile((3, 4), 140, 100)).tiles
    assert len(_compared(_changed((120, 100, 6)), Judge(0.99, 0.1, at=at)).bridged(joints(tracks))) == found


def test_where_a_tile_on_a_joint_shows_something_else_in_its_middle_it_lies_where_it_is_read_best() -> None:
    tracks = a_table(tile((2, 3), 100, 100), tile((3, 4), 140, 100)).tiles
    (_, top), = _compared(_changed((120, 100, 6)), Judge(0.99, 0.1, off=True)).bridged(joints(tracks))
    assert tuple(top.corners.mean(axis=0)) == pytest.approx((120 - 0.16 * 20, 100 - 0.16 * 20)) and top.ends == (3, 3)


def test_of_joints_on_which_tiles_lie_those_come_first_that_changed_most() -> None:
    tracks = a_table(*(tile((3, 3), x, y) for y in (40, 100, 160) for x in (100, 140))).tiles
    after = _changed((120, 40, 4), (120, 100, 8), (120, 160, 6))
    found = _compared(after, Judge(0.99, 0.1)).bridged(joints(tracks))
    assert [joint.place[:, 1].mean() for joint, _ in found] == [100, 160, 40]


@pytest.mark.parametrize(("now", "was", "upon"), [(0.46, 0.001, True), (0.46, 0.1, False), (0.1, 0.001, False)])
def test_a_tile_read_in_the_place_of_anothers_half_need_not_look_so_surely_as_if_it_lay_on_it(
        now: float, was: float, upon: bool) -> None:
    assert _compared(_changed((100, 100, 6)), Judge(now, was)).upon(tile((5, 1), 100, 100)) == upon
