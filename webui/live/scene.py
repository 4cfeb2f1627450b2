"""Drawings as data: where each tile lies, in units of half a tile, for the page to draw as SVG.

x runs right, y down. `turn`: degrees clockwise from left-to-right, first end first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

JsonObject = dict[str, Any]

LONG, WIDE = 2.0, 1.0


def spot(x: float, y: float, turn: float) -> JsonObject:
    """A place for a tile by its middle."""
    return {"x": round(x, 3), "y": round(y, 3), "turn": turn % 360}


def laid(key: str, ends: tuple[int, int], place: JsonObject, level: int = 1) -> JsonObject:
    """A tile at a place. `key` stays its name for as long as it lies there."""
    return {"key": key, "ends": list(ends), **place, "level": level}


def box(places: Iterable[JsonObject], margin: float) -> list[float]:
    """x, y, width and height of what holds all these places, with a margin around."""
    corners = [extent(place) for place in places] or [(-1.0, -0.5, 1.0, 0.5)]
    x0 = min(corner[0] for corner in corners) - margin
    y0 = min(corner[1] for corner in corners) - margin
    x1 = max(corner[2] for corner in corners) + margin
    y1 = max(corner[3] for corner in corners) + margin
    return [round(x0, 2), round(y0, 2), round(x1 - x0, 2), round(y1 - y0, 2)]


def extent(place: JsonObject) -> tuple[float, float, float, float]:
    """x0, y0, x1, y1 of what a tile there covers."""
    across = LONG if place["turn"] % 180 == 0 else WIDE
    down = LONG + WIDE - across
    return place["x"] - across / 2, place["y"] - down / 2, place["x"] + across / 2, place["y"] + down / 2
