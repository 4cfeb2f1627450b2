"""Drawings as data, for the page to draw as SVG: where each tile lies, in units of half a tile, and parts made of simple shapes.

x runs right, y down. `turn`: degrees clockwise from left-to-right, first end first. A scene of kind `line` is one drawing in
one or more shapes, of which a page shows the one whose tiles come out largest: `tiles`, `ends` that are open, a `box`, and the
parts that lie `under` the tiles and `over` them. One of kind `grids` has a drawing for every seat.
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


def part(key: str, look: str, x: float, y: float, *shapes: JsonObject) -> JsonObject:
    """Simple shapes around a middle, drawn as one. look: how the style sheet knows it."""
    return {"key": key, "look": look, "x": round(x, 3), "y": round(y, 3), "shapes": list(shapes)}


def shape(tag: str, words: str | None = None, **values: float | str) -> JsonObject:
    """A shape as SVG has it: `circle`, `rect`, `path`, or `text` with its words; values by name, `_` for `-`; look: its class."""
    named = {"class" if name == "look" else name.replace("_", "-"): value for name, value in values.items()}
    return {"tag": tag, "words": words, "values": named}


def text(words: str, size: float, x: float = 0.0, y: float = 0.0, anchor: str = "middle", look: str = "") -> JsonObject:
    """A line of words; y is that of its foot."""
    return shape("text", words, x=x, y=y, text_anchor=anchor, font_size=size, look=look)


def name_of(seat: int, size: float, x: float, y: float) -> JsonObject:
    """The name of the player at a seat, which the page knows."""
    return text("", size, x, y) | {"seat": seat}


def drawn(tiles: list[JsonObject], around: list[float], ends: Iterable[JsonObject] = (), under: Iterable[JsonObject] = (),
          over: Iterable[JsonObject] = ()) -> JsonObject:
    """One shape of a drawing."""
    return {"tiles": tiles, "ends": list(ends), "box": around, "under": list(under), "over": list(over)}


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
