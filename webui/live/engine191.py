"""Engine 191 as a drawing: for every seat the main station, its line outward from it, and below them its score yard."""

from __future__ import annotations

from engine.engine191.actions import Play
from engine.engine191.game import State
from webui.live.line import Pen
from webui.live.scene import JsonObject, box, laid, spot

REACH = 7.0
"""How far a line runs before it bends back, in half tiles."""

ACROSS = 6
"""Tiles of a yard beside each other."""

BELOW = 1.0
"""Between a line and the yard, in half tiles."""


def lines_scene(state: State) -> JsonObject:
    """One drawing per seat."""
    drawn = [_drawn(state, seat) for seat in range(state.players)]
    return {"kind": "grids", "what": "line", "grids": [{"tiles": tiles, "box": box(tiles, 0.5), "room": box([*tiles, place], 0.8)}
                                                      for tiles, place in drawn]}


def _drawn(state: State, seat: int) -> tuple[list[JsonObject], JsonObject]:
    """The tiles of a seat, and where its line goes on."""
    if state.hub is None:
        return [], spot(0, 0, 0)
    pen = _pen()
    tiles = [laid(f"hub-{seat}", (state.hub.low, state.hub.high), spot(-REACH, 0, 90))]
    tiles += [laid(f"line-{seat}-{at}", ends, pen.place(ends[0] == ends[1])) for at, ends in enumerate(state.lines[seat])]
    place = pen.next_places()[0]
    down = max(tile["y"] for tile in (*tiles, place)) + 1 + BELOW
    for at, tile in enumerate(state.yards[seat]):
        if tile.low >= 0:
            lies = spot(-REACH + 2.2 * (at % ACROSS) + 0.5, down + 0.5 + 1.2 * (at // ACROSS), 0)
            tiles.append(laid(f"yard-{tile.low}-{tile.high}", (tile.low, tile.high), lies))
    return tiles, place


def _pen() -> Pen:
    return Pen(0.5 - REACH, REACH)


def place_on_line(state: State, action: Play) -> JsonObject:
    """Where a play would lie; one from the yard is told in words, with what takes its place there."""
    if action.source == "yard":
        return {"seat": action.line, "shapes": {}}
    pen, line = _pen(), state.lines[action.line]
    for inner, outer in line:
        pen.place(inner == outer)
    inner = line[-1][1] if line else (state.hub or action.tile).low
    ends = (inner, action.tile.low + action.tile.high - inner)
    if inner not in action.tile:
        ends = (action.tile.low, action.tile.high)
    return laid(f"place-{action.line}", ends, pen.place(action.tile.is_double)) | {"seat": action.line}
