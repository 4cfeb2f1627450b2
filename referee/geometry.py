"""Tiles as rectangles on the table: their halves, how firmly two of them touch, and the size that all share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, degrees, dist, hypot, sin
from statistics import median

import cv2
import numpy as np

from referee.setting import Point
from vision.degrees import HALF, SOME
from vision.observation import SeenTile
from vision.plane import HALF_MM

FIRM, FAINT = HALF, SOME
"""Contact from which two tiles are laid against each other, as corners that meet are not; and what is enough for a tile known
to lie there, or for one that fits and may lie a little apart."""

BESIDE = 3.0
"""What lies beside something, in a heap or at the end of a line, has its middle no farther from it than a tile and a half, in
halves."""

ASKEW = SOME
"""What lies farther off its cells than this, in cells, does not line up with them."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle: its middle, the direction of its length in radians, its length and width."""

    center: Point
    angle: float
    length: float
    width: float

    def half(self, which: int) -> Rect:
        """The first (0) or second (1) half along the direction."""
        step = (which - 0.5) * self.length / 2
        middle = self.center[0] + cos(self.angle) * step, self.center[1] + sin(self.angle) * step
        return Rect(middle, self.angle, self.length / 2, self.width)

    def side_towards(self, point: Point) -> int:
        """On which of its sides a point lies: 0 beyond the end to which it points, and so on clockwise.

        >>> upright = Rect((0, 0), 1.571, 48, 24)
        >>> [upright.side_towards(point) for point in ((0, 40), (-30, 5), (0, -40), (30, 0))]
        [0, 1, 2, 3]
        """
        x, y = point[0] - self.center[0], point[1] - self.center[1]
        along, aside = x * cos(self.angle) + y * sin(self.angle), y * cos(self.angle) - x * sin(self.angle)
        if abs(along) - self.length / 2 > abs(aside) - self.width / 2:
            return 0 if along > 0 else 2
        return 1 if aside > 0 else 3

    def contact(self, other: Rect, half: float) -> float:
        """How firmly two rectangles touch; `half` is the side of half a tile.

        1 where two halves lie face to face, two thirds where they are half a side apart, one third where only corners meet,
        0 from a gap of half a half on.

        >>> side = Rect((24, 0), 0, 24, 24)
        >>> round(Rect((0, 0), 0, 24, 24).contact(side, 24), 2), Rect((-30, 0), 0, 24, 24).contact(side, 24)
        (1.0, 0.0)
        """
        if dist(self.center, other.center) > (hypot(self.length, self.width) + hypot(other.length, other.width)) / 2 + half:
            return 0.0
        more = HALF * half  # so far apart they touch no more
        kind, corners = cv2.rotatedRectangleIntersection(self._grown(more), other._grown(more))
        if kind == cv2.INTERSECT_NONE or corners is None or len(corners) < 3:
            return 0.0
        area = float(cv2.contourArea(cv2.convexHull(corners)))
        return min(area / (more * (half + more)), 1.0)

    def _grown(self, more: float) -> tuple[Point, Point, float]:
        return self.center, (self.length + more, self.width + more), degrees(self.angle)


def rect_of(tile: SeenTile) -> Rect:
    """The outline of a seen tile."""
    return Rect(tile.center, tile.angle, tile.length, tile.width)


def turned(first: float, second: float, period: float) -> float:
    """The angle from one direction to another, between plus and minus half a period."""
    return (second - first + period / 2) % period - period / 2


def is_whole(tile: SeenTile | Rect) -> bool:
    """Whether it is more of a tile than what looks out from under another."""
    return tile.length > 1.5 * tile.width


def half_side(tiles: Iterable[SeenTile | Rect], otherwise: float = HALF_MM) -> float:
    """The side of half a tile, by all tiles, or outlines of tiles, that are seen whole."""
    lengths = [tile.length for tile in tiles if is_whole(tile)]
    return median(lengths) / 2 if lengths else otherwise


def similarity(points: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """(2, 3) the turning, scaling and shifting that brings (n, 2) points nearest to (n, 2) targets (Umeyama 1991, no mirror)."""
    share = np.full(len(points), 1 / len(points))
    mean, goal = share @ points, share @ targets
    first, second = points - mean, targets - goal
    spread = float((share * (first**2).sum(axis=1)).sum())
    along = float((share * (first * second).sum(axis=1)).sum()) / spread
    across = float((share * (first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])).sum()) / spread
    turn = np.array([[along, -across], [across, along]])
    return np.column_stack([turn, goal - turn @ mean])
