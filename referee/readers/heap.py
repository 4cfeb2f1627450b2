"""The tiles that lie face down in the middle, told from those before the seats; and what a wash leaves of the round before."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import dist

from referee.geometry import BESIDE
from referee.setting import Point, Setting
from vision.observation import Observation

HAND_DEPTH = 0.17
"""How deep, as a share of the table, the strip along a seat's edge is in which its hand lies."""

def strip(setting: Setting, point: Point) -> int | None:
    """The seat in whose strip along the edge a point lies, if in any."""
    x0, y0, x1, y1 = setting.area
    seat = setting.nearest_seat(point)
    dx, dy = setting.seats[seat].forward
    return seat if setting.depth(seat, point) < HAND_DEPTH * ((x1 - x0) if abs(dx) > abs(dy) else (y1 - y0)) else None


@dataclass(frozen=True, slots=True)
class Heap:
    """What is remembered of a boneyard or bone pile. edge: places of it within the strips of seats when it was dealt; None
    before the first look. hands_lie: some hand lay face down in its strip then."""

    edge: tuple[Point, ...] | None = None
    hands_lie: bool = False

    def seen(self, setting: Setting, down: Sequence[Point], due: int, dealing: bool) -> Heap:
        """After a look at the face-down tiles.

        due: how many the heap should have; while it is dealt this tells whether tiles in the strips belong to it.
        """
        if not dealing and self.edge is not None:
            return self
        inside, beside = _parted(setting, down)
        edge = beside if abs(len(down) - due) < abs(len(inside) - due) else []
        return Heap(tuple(edge), len(edge) < len(beside))

    def lying(self, setting: Setting, down: Sequence[Point], half: float) -> list[Point]:
        """Those of the face-down tiles that are the heap's. half: the side of half a tile."""
        inside, beside = _parted(setting, down)
        heap = inside + [point for point in beside if any(dist(point, place) < half for place in self.edge or ())]
        if self.hands_lie:
            return heap
        return heap + [point for point in beside
                       if point not in heap and any(dist(point, place) < BESIDE * half for place in heap)]


@dataclass(frozen=True, slots=True)
class Washed:
    """What is known of the round before once its tiles are washed: those that something covers since lie there no more.

    open: tracks of what lay open before the round was over; gone: of what of it was hidden when the tiles had been washed.
    """

    open: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()

    def see(self, seen: Observation, dealing: bool) -> Washed:
        """After one more look."""
        if dealing:
            hidden = {tile.track for tile in seen.tiles if tile.veiled}
            return Washed(self.open, self.gone | (self.open & hidden))
        return Washed(frozenset(tile.track for tile in seen.tiles if tile.ends is not None), self.gone)

    def led(self, opened: Collection[int]) -> bool:
        """Whether only one tile lies open, by its track, and did not in the round before."""
        return bool(self.open) and len(opened) == 1 and self.open.isdisjoint(opened)


def _parted(setting: Setting, down: Sequence[Point]) -> tuple[list[Point], list[Point]]:
    """The places outside the strips of seats, and those within."""
    inside = [point for point in down if strip(setting, point) is None]
    return inside, [point for point in down if point not in inside]
