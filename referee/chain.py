"""Lines of tiles of which nothing is known but how they lie, as on a photograph: which tiles make a line, and its open ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import atan2

import numpy as np
from numpy.typing import NDArray

from engine.pieces import Tile
from engine.state import State
from referee.geometry import FIRM, Rect, half_side
from vision.reading import ReadTile

Joins = Callable[[Tile, int, Tile, int], bool]
"""Whether a tile may be laid with this end against that end of another."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A line of tiles. tiles: their places in the reading, from one end to the other where it has no branches.

    ends: pips of each open end; a double that lies at an end is one end.
    """

    tiles: tuple[int, ...]
    ends: tuple[int, ...]


Port = tuple[int, int]
"""A tile and its half that touches another, or -1 of a double."""

Joint = tuple[Port, Port]


def joined(joints: Iterable[Joint], count: int) -> tuple[list[Joint], list[int]]:
    """Of these joints of so many tiles, the best first, those that make lines: each half takes one, a double one on each of its
    sides, and no line closes. And of each tile the first tile of the line it is in."""
    taken, used, line = list[Joint](), set[Port](), list(range(count))
    for joint in joints:
        a, b = (line[at] for at, _ in joint)
        if a != b and used.isdisjoint(joint):
            taken.append(joint)
            used |= {(at, half) for at, half in joint if half >= 0}
            line = [a if each == b else each for each in line]
    return taken, line


def rect_of_corners(corners: NDArray[np.float32]) -> Rect:
    """The rectangle nearest to a tile's (4, 2) corners, its first half first."""
    first, second = corners[:2].mean(axis=0), corners[2:].mean(axis=0)
    across = (corners[0] + corners[3] - corners[1] - corners[2]) / 2
    x, y = corners.mean(axis=0)
    along = second - first
    return Rect((float(x), float(y)), atan2(along[1], along[0]), float(np.linalg.norm(along)), float(np.linalg.norm(across)))


def chains(tiles: Sequence[ReadTile], joins: Joins = State.joins) -> list[Chain]:
    """All lines of two or more tiles, the longest first.

    The firmest contacts between ends that fit are joints. Tiles that touch more often where they do not fit lie in a heap.
    """
    rects = [rect_of_corners(tile.corners) for tile in tiles]
    ends = [tile.ends for tile in tiles]
    side = half_side(rects)
    pairs = [(a, b) for a, b in combinations(range(len(tiles)), 2) if rects[a].contact(rects[b], side) >= FIRM]
    found = [joint for a, b in pairs if (joint := _touching(a, b, rects, ends, side, joins))]
    taken, group = joined((joint for _, joint in sorted(found, key=lambda each: -each[0])), len(tiles))
    lines = [[at for at, each in enumerate(group) if each == first] for first in sorted(set(group))]
    made = [Chain(_in_order(line, taken), _open_ends(line, taken, ends)) for line in lines
            if len(line) > 1 and sum(not set(line).isdisjoint(pair) for pair in pairs) <= 2 * (len(line) - 1)]
    return sorted(made, key=lambda chain: -len(chain.tiles))


def _ports(rect: Rect, ends: tuple[int, int]) -> list[tuple[int, int, Rect]]:
    """Where other tiles may be laid against a tile: (half, pips, rectangle); a double is one such place."""
    if ends[0] == ends[1]:
        return [(-1, ends[0], rect)]
    return [(half, ends[half], rect.half(half)) for half in (0, 1)]


def _touching(a: int, b: int, rects: Sequence[Rect], ends: Sequence[tuple[int, int]], side: float, joins: Joins,
              ) -> tuple[float, Joint] | None:
    """How firmly two tiles touch at most with ends that fit, and where, if they do."""
    first, second = Tile.of(*ends[a]), Tile.of(*ends[b])
    found = [(one.contact(other, side), ((a, half), (b, other_half)))
             for half, pips, one in _ports(rects[a], ends[a]) for other_half, other_pips, other in _ports(rects[b], ends[b])
             if joins(first, pips, second, other_pips)]
    best = max(found, key=lambda each: each[0], default=None)
    return best if best is not None and best[0] >= FIRM else None


def _in_order(line: Sequence[int], joints: Sequence[Joint]) -> tuple[int, ...]:
    """The tiles of a line from one end to the other."""
    beside: dict[int, list[int]] = {at: [] for at in line}
    for (a, _), (b, _) in joints:
        if a in beside:
            beside[a].append(b)
            beside[b].append(a)
    order: list[int] = []
    waiting = [min(line, key=lambda at: len(beside[at]))]
    while waiting:
        at = waiting.pop()
        order.append(at)
        waiting += [other for other in beside[at] if other not in order]
    return tuple(order)


def _open_ends(line: Sequence[int], joints: Sequence[Joint], ends: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    found = []
    for at in line:
        used = [half for joint in joints for tile, half in joint if tile == at]
        if ends[at][0] == ends[at][1]:
            found += [ends[at][0]] * (len(used) < 2)
        else:
            found += [ends[at][half] for half in (0, 1) if half not in used]
    return tuple(sorted(found))
