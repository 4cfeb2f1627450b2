"""Tiles on tiles: a joint that became a tile has one on it."""

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
    """Takes a place for a tile as surely as it is told, now and before; then so many of the places near it, surely."""

    def __init__(self, now: float, was: float, near: tuple[int, int] = (0, 0)) -> None:
        self.told: list[tuple[float, int]] = [(now, 0), (was, 0), (0.0, near[0]), (0.0, near[1])]

    def judge(self, crops: Any) -> tuple[Any, Any]:
        face, plain = self.told.pop(0)
        faces = np.full(len(crops), face, np.float32)
        faces[:plain] = 0.99
        counts = np.zeros((len(crops), 2, 16), np.float32)
        counts[:, 0, 3] = counts[:, 1, 3] = 1.0
        return np.stack([faces, np.zeros_like(faces), 1 - faces], axis=1), counts


def _same(points: Any) -> Any:
    """Table and picture are one."""
    return points


BARS = (60, 100, 140, 180)
"""Where the bars of tiles are, end to end; the others lie beside those that meet at 120."""


def _barred(picture: Any, *bars: int, width: int = 3, level: int = 20) -> Any:
    for x in bars:
        cv2.line(picture, (x, 92), (x, 108), (level, level, level), width)
    return picture


def _compared(before: Any, after: Any, now: float, was: float, near: tuple[int, int] = (0, 0)) -> Compared:
    reader: Any = Judge(now, was, near)
    return Compared(Album(before), Album(after), _same, no_veils((100, 150)), _same, None, reader, _same, _same)


def bridged(now: float, was: float, barred: bool = True, pips: tuple[int, ...] = (), edges: int = 0) -> int:
    """How many tiles are seen to lie on the 2-3 and the 3-4, end to end, when a bar and pips are drawn over their joint.

    edges: how many of its ends, faint beside the pips and bars that stay, are seen since.
    """
    before = np.full((200, 300, 3), 220, np.uint8)
    if edges:
        for x, y in [(112, 94), (112, 106), (128, 94), (128, 106)]:
            cv2.circle(before, (x, y), 2, (20, 20, 20), -1)
    after = cv2.line(before.copy(), (120, 92), (120, 108), (20, 20, 20), 3) if barred else before.copy()
    for x in (101, 139)[:edges]:
        cv2.line(after, (x, 98), (x, 99), (120, 120, 120), 1)
    for x in pips:
        for y in (95, 105):
            cv2.circle(after, (x, y), 2, (20, 20, 20), -1)
    tracks = a_table(tile((2, 3), 100, 100), tile((3, 4), 140, 100)).tiles
    return len(_compared(before, np.asarray(after, np.uint8), now, was).bridged(joints(tracks), tracks))


@pytest.mark.parametrize(("now", "was", "found"), [
    (0.99, 0.9, 1), (0.85, 0.1, 1),  # the surer it is now, the more it may have looked like a tile before
    (0.85, 0.4, 0), (0.95, 0.93, 0), (0.7, 0.001, 0),
])
def test_a_joint_that_became_a_tile_has_one_on_it(now: float, was: float, found: int) -> None:
    assert bridged(now, was) == found


@pytest.mark.parametrize(("now_near", "were_near", "reach", "found"), [
    (5, 4, 8, 1), (4, 0, 8, 0),  # plainly seen at one place or two it may be a chance look
    (5, 5, 8, 0),  # it looked like a tile before
    (5, 4, 0, 0),  # nothing changed
])
def test_what_lies_a_little_off_a_joint_is_seen_near_it(now_near: int, were_near: int, reach: int, found: int) -> None:
    before = np.full((200, 300, 3), 220, np.uint8)
    after = before.copy()
    if reach:
        cv2.rectangle(after, (110, 100 - reach), (130, 100 + reach), (20, 20, 20), -1)
    tracks = a_table(tile((2, 3), 100, 100), tile((3, 4), 140, 100)).tiles
    compared = _compared(before, after, 0.3, 0.0, (now_near, were_near))
    tops = [top for _, top in compared.bridged(joints(tracks), tracks)]
    assert len(tops) == found
    for top in tops:  # the first of the places around
        assert tuple(top.corners.mean(axis=0)) == pytest.approx((120 - 0.16 * 20, 100 - 0.16 * 20))


def test_of_joints_that_became_tiles_those_come_first_that_changed_most() -> None:
    before = np.full((200, 300, 3), 220, np.uint8)
    after = before.copy()
    for y, reach in ((40, 4), (100, 8), (160, 6)):
        cv2.rectangle(after, (120 - reach, y - reach), (120 + reach, y + reach), (20, 20, 20), -1)
    tracks = a_table(*(tile((3, 3), x, y) for y in (40, 100, 160) for x in (100, 140))).tiles
    found = _compared(before, after, 0.99, 0.1).bridged(joints(tracks), tracks)
    assert [joint.place[:, 1].mean() for joint, _ in found] == [100, 160, 40]


def test_a_joint_that_did_not_change_has_no_tile_on_it_however_it_reads() -> None:
    assert bridged(0.99, 0.1, barred=False) == 0


def test_a_joint_that_looked_like_a_tile_has_one_on_it_where_both_its_halves_show_other_pips() -> None:
    assert bridged(0.99, 0.99, pips=(110, 130)) == 1
    assert bridged(0.99, 0.99, barred=False, pips=(130,)) == 0  # a token lies on one half, or a shadow
    assert bridged(0.95, 0.95, pips=(110, 130)) == 0


@pytest.mark.parametrize(("now", "was", "edges", "found"), [
    (0.99, 0.1, 2, 1), (0.95, 0.1, 2, 0), (0.99, 0.4, 2, 0), (0.99, 0.1, 1, 0),
])
def test_a_joint_that_is_plainly_a_tile_and_was_none_has_one_on_it_though_its_ends_alone_are_new(
        now: float, was: float, edges: int, found: int) -> None:
    assert bridged(now, was, barred=False, edges=edges) == found


@pytest.mark.parametrize(("came", "wide", "faded", "found"), [
    ((120,), 3, 20, 1),  # a bar as the others have
    ((117, 123), 1, 20, 0),  # two tiles pushed together: there is a gap where a bar would be, and their own bars stay
    ((117, 123), 1, 27, 1),  # the bar of one of them is no longer what it was
])
def test_where_no_other_pips_are_seen_a_tile_on_two_others_brings_its_bar_or_covers_one_of_theirs(
        came: tuple[int, ...], wide: int, faded: int, found: int) -> None:  # fmt: skip
    plain = np.full((200, 300, 3), 220, np.uint8)
    tracks = a_table(*(tile((3, 3), x, 100) for x in BARS)).tiles
    before = _barred(plain.copy(), *BARS)
    after = _barred(_barred(before.copy(), 100, level=faded), *came, width=wide)
    meeting = [joint for joint in joints(tracks) if 110 < joint.place[:, 0].mean() < 130]
    assert len(meeting) == 1
    assert len(_compared(before, after, 0.99, 0.3).bridged(meeting, tracks)) == found
