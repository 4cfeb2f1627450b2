"""The tiles that lie face down in the middle, told from those that stand or lie face down before the seats."""

from __future__ import annotations

from collections.abc import Sequence

from referee.geometry import distance
from referee.setting import Point, Setting

HAND_DEPTH = 0.17
"""How deep, as a share of the table, the strip along a seat's edge is in which its hand lies."""

NEAR = 4.0
"""A tile of the heap that was overlooked when it was dealt lies no farther than this from one that is seen, in halves."""


class Heap:
    """Boneyard or bone pile. It remembers whether tiles of it lay in a seat's strip when it was dealt."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._edge: tuple[Point, ...] | None = None  # places of the heap within the strips
        self._hands_lie = False  # some hand lay face down in its strip when the heap was dealt

    def strip(self, point: Point) -> int | None:
        """The seat in whose strip along the edge a point lies, if in any."""
        x0, y0, x1, y1 = self.setting.area
        seat = self.setting.nearest_seat(point)
        across = abs(self.setting.seats[seat].forward[0]) > 0.7
        return seat if self.setting.depth(seat, point) < HAND_DEPTH * ((x1 - x0) if across else (y1 - y0)) else None

    def lying(self, down: Sequence[Point], due: int, dealing: bool, half: float) -> list[Point]:
        """Those of the face-down tiles that are the heap's.

        due: how many it should have; while it is dealt this tells whether tiles in the strips belong to it.
        """
        inside = [point for point in down if self.strip(point) is None]
        beside = [point for point in down if point not in inside]
        if dealing or self._edge is None:
            self._edge = tuple(beside) if abs(len(down) - due) < abs(len(inside) - due) else ()
            self._hands_lie = len(self._edge) < len(beside)
        heap = inside + [point for point in beside if any(distance(point, place) < half for place in self._edge)]
        if self._hands_lie:
            return heap
        near = [point for point in beside if any(distance(point, place) < NEAR * half for place in heap)]
        return heap + [point for point in near if point not in heap]
