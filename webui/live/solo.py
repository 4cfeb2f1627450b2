"""The games for one player as drawings: a wound line, rows of standing tiles, columns that overhang; three shapes of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.solo.elimination import State as Elimination
from engine.solo.knock_out import State as KnockOut
from engine.solo.solitaire import State as Solitaire
from webui.live.line import REACH, Pen
from webui.live.scene import JsonObject, box, laid, spot

STANDING, LYING = 90, 0
APART = 1.15
"""From one standing tile of a row to the next, in half tiles."""

ROWS_APART = 2.4
COLUMNS_APART = 1.35


def solo_scene(state: Any) -> JsonObject:
    """The drawings of a solo game by shape, as those of a line, without open ends."""
    if isinstance(state, KnockOut):
        return _by_shape(lambda reach: _wound(state, reach))
    if isinstance(state, Elimination):
        return _by_shape(lambda reach: _rows(state, reach))
    assert isinstance(state, Solitaire)
    columns = _columns(state)
    return _by_shape(lambda reach: columns)


def _by_shape(draw: Callable[[float], list[JsonObject]]) -> JsonObject:
    shapes = {}
    for name, reach in REACH.items():
        tiles = draw(reach)
        shapes[name] = {"tiles": tiles, "ends": [], "box": box(tiles, 0.6)}
    return {"kind": "line", "shapes": shapes}


def _key(ends: tuple[int, int]) -> str:
    """A tile keeps its name wherever it moves: there is one of each."""
    return f"tile-{min(ends)}-{max(ends)}"


def _wound(state: KnockOut, reach: float) -> list[JsonObject]:
    """The line end to end, to and fro."""
    pen = Pen(-reach, reach)
    return [laid(_key(ends), ends, pen.place(False)) for ends in state.row]


def _rows(state: Elimination, reach: float) -> list[JsonObject]:
    """Side by side, as text runs; the tile that is touched next says its number."""
    wide = round(2 * reach / APART)
    tiles = []
    for at, tile in enumerate(state.row):
        place = spot(APART * (at % wide), ROWS_APART * (at // wide), STANDING)
        told = {"touch": state.count} if state.turn is not None and at == state.at else {}
        tiles.append(laid(_key((tile.low, tile.high)), (tile.low, tile.high), place) | told)
    return tiles


def _columns(state: Solitaire) -> list[JsonObject]:
    """Columns of standing tiles, face down above; a tile face down is named by its place, whatever is known of it."""
    tiles = []
    for x, column in enumerate(state.columns):
        for y, tile in enumerate(column):
            place = spot(COLUMNS_APART * x, 2 * y, STANDING)
            if tile.up and tile.top >= 0:
                tiles.append(laid(_key((tile.top, tile.bottom)), (tile.top, tile.bottom), place))
            else:
                tiles.append({"key": f"down-{x}-{y}", "ends": None, **place, "level": 1})
    return tiles
