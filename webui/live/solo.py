"""The games for one player as drawings: a wound line, rows of standing tiles, columns that overhang; three shapes of each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.actions import Action
from engine.core import UNKNOWN
from engine.pieces import DOUBLE_SIX, Tile
from engine.solo import elimination, knock_out, solitaire
from engine.solo.common import Stop
from engine.words import count, joined, listed, say
from webui.live.face import Face, Names, Told, asked, heard, in_a_row, named
from webui.live.line import REACH, Pen
from webui.live.scene import JsonObject, box, drawn, laid, spot
from webui.live.words import tile_name

STANDING, LYING = 90, 0
APART = 1.15
"""From one standing tile of a row to the next, in half tiles."""

ROWS_APART = 2.4
COLUMNS_APART = 1.35


def _by_shape(draw: Callable[[Any, float], list[JsonObject]], state: Any) -> JsonObject:
    """The drawings of a game for one by shape, as those of a line, without open ends."""
    shapes = {}
    for name, reach in REACH.items():
        tiles = draw(state, reach)
        shapes[name] = drawn(tiles, box(tiles, 0.6))
    return {"kind": "line", "shapes": shapes}


def _key(ends: tuple[int, int]) -> str:
    """A tile keeps its name wherever it moves: there is one of each."""
    return f"tile-{min(ends)}-{max(ends)}"


def _wound(state: knock_out.State, reach: float) -> list[JsonObject]:
    """The line end to end, to and fro."""
    pen = Pen(-reach, reach)
    return [laid(_key(ends), ends, pen.place(False)) for ends in state.row]


def _rows(state: elimination.State, reach: float) -> list[JsonObject]:
    """Side by side, as text runs; the tile that is touched next says its number."""
    wide = round(2 * reach / APART)
    tiles = []
    for at, tile in enumerate(state.row):
        place = spot(APART * (at % wide), ROWS_APART * (at // wide), STANDING)
        told = {"touch": state.count} if state.turn is not None and at == state.at else {}
        tiles.append(laid(_key((tile.low, tile.high)), (tile.low, tile.high), place) | told)
    return tiles


def _columns(state: solitaire.State, reach: float) -> list[JsonObject]:
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


# The same in words.


def _heard_row(state: Any) -> list[JsonObject]:
    """All tiles, from left to right."""
    if not state.row:
        return [heard(say("No tile is laid yet"))]
    lies = count(len(state.row), "{number} tile lies on the table", "{number} tiles lie on the table")
    return [heard(lies), heard(say("From left to right: {tiles}", tiles=in_a_row(state.row)))]


def _heard_columns(state: solitaire.State) -> list[JsonObject]:
    """Every column from above."""
    if not any(state.columns):
        return [heard(say("No tile is laid yet"))]
    lies = count(sum(map(len, state.columns)), "{number} tile lies on the table", "{number} tiles lie on the table")
    found = [heard(lies)]
    for place, column in enumerate(state.columns, 1):
        up = [(tile.top, tile.bottom) for tile in column if tile.up and tile.top >= 0]
        down = len(column) - len(up)
        parts = [say("{tiles} face down", tiles=down)] if down else []
        found.append(heard(say("Column {place}, from above: {tiles}", place=place,
                               tiles=joined([*parts, *([in_a_row(up)] if up else [])], ", "))))  # fmt: skip
    return found


# Words on buttons.


def _knock_words(action: Action, state: Any) -> str:
    if isinstance(action, knock_out.Knock) and state is not None:
        after = state.after(action)
        gone = [tile_name(Tile.of(*ends)) for ends in state.row if ends not in after.row]
        return say("Knock out {tiles}", tiles=listed(gone))
    return _other_words(action)


def _touch_words(action: Action, state: Any) -> str:
    if state is None:
        return _other_words(action)
    return (say("Say {count}, touch {tile}: it leaves", count=state.count, tile=tile_name(state.row[state.at])) if state.leaves
            else say("Say {count}, touch {tile}: it stays", count=state.count, tile=tile_name(state.row[state.at])))  # fmt: skip


def _move_words(action: Action, state: Any) -> str:
    if state is None or not isinstance(action, solitaire.Move | solitaire.Cap):
        return _other_words(action)
    line = state.columns[action.source][-action.size :]
    what = tile_name(Tile.of(line[0].top, line[0].bottom))
    if len(line) > 1:
        what = say("{tile} and {below} below", tile=what, below=len(line) - 1)
    if action.to is None:
        return say("{tile} to a new column", tile=what)
    over = isinstance(action, solitaire.Cap)
    other = state.columns[action.to][0 if over else -1]
    under = tile_name(Tile.of(other.top, other.bottom))
    return say("{tile} above {other}", tile=what, other=under) if over else say("{tile} under {other}", tile=what, other=under)


def _other_words(action: Action) -> str:
    return say("Stop here") if isinstance(action, Stop) else str(action)


# What is told by hand, or dealt by the page: what lies face down nobody knows, Kibitz neither; it is drawn when turned up.


def _lay(words: str, count: int, turned: bool) -> Callable[[Any, Names], JsonObject]:
    return lambda state, names: asked("lay", words, DOUBLE_SIX, count, turned=turned, shuffled=say("Shuffle and deal for me"))


def _shuffled(state: Any, told: Told) -> Action:
    action: Action = state.public(state.random_chance(told.rng))
    return action


def _tell_knock_out(state: Any, told: Told) -> Action:
    return knock_out.Deal(tuple(told.halves)) if told.halves else _shuffled(state, told)


def _tell_elimination(state: Any, told: Told) -> Action:
    return elimination.Deal(told.tiles) if told.halves else _shuffled(state, told)


def _wanted_solitaire(state: Any, names: Names) -> JsonObject:
    if state.chance == "turn-up":
        words = say("How does the tile read that was turned up, from above?")
        return asked("tell", words, state.unseen(), 1, turned=True, shuffled=say("Turn one up for me"))
    return _lay(say("Which tiles lie open, from the longest column to the shortest?"), solitaire.COLUMNS, True)(state, names)


def _tell_solitaire(state: Any, told: Told) -> Action:
    if not told.halves:
        return _shuffled(state, told)
    if state.chance == "turn-up":
        told.one_tile()
        return solitaire.TurnUp(*told.halves[0])
    if len(told.halves) != solitaire.COLUMNS:
        raise ValueError(say("Name the seven tiles that lie open."))
    down = ((UNKNOWN.low, UNKNOWN.high),)
    heights = range(solitaire.COLUMNS, 0, -1)
    columns = tuple(down * (height - 1) + (ends,) for height, ends in zip(heights, told.halves, strict=True))
    return solitaire.Deal(columns, solitaire.FLIPS[0])


def _said_of_a_row(action: Any) -> Told:
    return Told(action.row)


def _said_solitaire(action: Any) -> Told:
    return (Told([(action.top, action.bottom)]) if isinstance(action, solitaire.TurnUp)
            else Told([column[-1] for column in action.columns]))


CHANCES = {"deal": say("Deal the tiles."), "turn-up": say("Turn the tile over.")}
FEWEST = say("The fewer tiles are left, the better.")
KNOCK_OUT = Face(about=say("A line of all tiles: where touching halves match, both leave and the gap closes."),
                 lies=say("All tiles face up in one line, each against the next; it may go on in a second row."), aim=FEWEST,
                 scene=partial(_by_shape, _wound), heard=_heard_row, words=_knock_words, tell=_tell_knock_out,
                 said=_said_of_a_row, chances=CHANCES,
                 wanted=_lay(say("How does the line lie, from left to right?"), len(DOUBLE_SIX), True))  # fmt: skip
ELIMINATION = Face(about=say("Count from 0 to 12 along the row; a tile with as many pips leaves."),
                   lies=say("All tiles face up and upright beside each other, in rows that are read from the left."), aim=FEWEST,
                   scene=partial(_by_shape, _rows), heard=_heard_row, words=_touch_words, tell=_tell_elimination,
                   chances=CHANCES, said=lambda action: named(action.row),
                   wanted=_lay(say("How does the row lie, from left to right?"), len(DOUBLE_SIX), False))  # fmt: skip
SOLITAIRE = Face(about=say("Seven columns: match tiles under one another until all lie open."),
                 lies=say("Seven columns that grow towards you; covered tiles face down, the last of each face up."),
                 aim=say("The fewer tiles stay face down, the better."), scene=partial(_by_shape, _columns),
                 heard=_heard_columns, words=_move_words, wanted=_wanted_solitaire, tell=_tell_solitaire,
                 said=_said_solitaire, chances=CHANCES)  # fmt: skip
