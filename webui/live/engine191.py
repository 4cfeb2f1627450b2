"""Engine 191 as a drawing: for every seat the main station, its line outward from it, and below them its score yard."""

from __future__ import annotations

from typing import Any

from engine.actions import Action, Show
from engine.core import UNKNOWN
from engine.engine191.actions import HAND, Bid, Deal, Draw, End, Pass, Play, Remove, Reveal, Shuffle, TurnUp
from engine.engine191.game import State
from engine.words import say, some
from webui.live.face import Face, Names, Told, asked, asked_hand, by_phase, heard, in_a_row, named
from webui.live.line import Pen
from webui.live.scene import JsonObject, box, laid, spot
from webui.live.words import tile_name

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


def _heard(state: State) -> list[JsonObject]:
    """The main station, then every line outward from it, and what lies open in the yards."""
    if state.hub is None:
        return []
    found = [heard(say("Main station: {tile}", tile=tile_name(state.hub)))]
    for seat, (line, yard) in enumerate(zip(state.lines, state.yards, strict=True)):
        open_tiles = [tile for tile in yard if tile != UNKNOWN]
        found += [heard(say("Line: {tiles}", tiles=in_a_row(line)), seat)] if line else []
        found += [heard(say("Yard: {tiles}", tiles=in_a_row(open_tiles)), seat)] if open_tiles else []
    return found


def _pen() -> Pen:
    return Pen(0.5 - REACH, REACH)


def place_on_line(state: State, action: Play) -> JsonObject:
    """Where a play would lie."""
    pen, line = _pen(), state.lines[action.line]
    for inner, outer in line:
        pen.place(inner == outer)
    inner = line[-1][1] if line else (state.hub or action.tile).low
    ends = (inner, action.tile.low + action.tile.high - inner)
    if inner not in action.tile:
        ends = (action.tile.low, action.tile.high)
    return laid(f"place-{action.line}", ends, pen.place(action.tile.is_double)) | {"seat": action.line}


def _mark(state: Any, action: Action, drawing: JsonObject | None) -> JsonObject | None:
    if not isinstance(action, Play) or action.source == "yard" or state.hub is None:
        return None  # one from the yard is told in words alone, with what takes its place there
    return place_on_line(state, action)


def _words(action: Action, state: Any) -> str:
    if isinstance(action, Play):
        own = state is not None and action.line == state.turn
        tile = tile_name(action.tile)
        where = say("{tile} on their own line", tile=tile) if own else say(
            "{tile} on the line of seat {line}", tile=tile, line=action.line + 1)
        if action.replace is None:
            return where
        return say("{where}; {tile} takes its place in the yard", where=where, tile=tile_name(action.replace))
    return {Bid: say("Put a tile face down"), Draw: say("Draw into the yard"), Remove: say("Remove track"),
            End: say("End the turn"), Pass: say("Pass")}.get(type(action), str(action))  # fmt: skip


def _wanted(state: Any, names: Names) -> JsonObject | None:
    if state.chance == "show":
        seat = next(seat for seat, hand in enumerate(state.hands) if UNKNOWN in hand)
        return asked_hand(state, seat, state.hands[seat].count(UNKNOWN), names)
    if state.chance == "reveal":
        return asked("tell", say("Which tiles were bid? The first seat's first."), state.unseen(), state.players)
    if state.chance == "turn-up":
        may_be = [action.tile for action, _ in state.outcomes()]
        return asked("tell", say("Which tile was drawn into the yard?"), may_be, 1)
    return asked("deal", FACE.chances[state.chance])


def _tell(state: Any, told: Told) -> Action:
    if state.chance == "reveal":
        return Reveal(told.tiles)
    if state.chance == "turn-up":
        return TurnUp(told.one_tile())
    if state.chance == "shuffle":
        return Shuffle((UNKNOWN,) * len(state.scrap))
    if state.chance == "show":
        return Show(told.starter, told.tiles)
    size = HAND[state.players]
    return Deal(((UNKNOWN,) * size,) * state.players, (UNKNOWN,) * (len(state.kit) - size * state.players))


def _said(action: Any) -> Told:
    match action:
        case Reveal():
            return named(action.bids)
        case TurnUp():
            return named([action.tile])
        case Show():
            return named(action.tiles, action.seat)
    return Told()


FACE = Face(
    about=say("Lay tracks outward from the main station, into your own line and those of the others."),
    lies=say("The main station in the middle, and from it a line towards every player; open tiles of the yards in the corners, "
             "the boneyard face down beside the lines."),
    aim=say("The lowest hand and yard of a round takes a token; three tokens win."), tally=False,
    kept=lambda state, seat: some(state.tokens[seat], "token"),
    ahead=lambda state: state.tokens,
    scene=lines_scene, heard=_heard, words=_words, wanted=_wanted, tell=_tell, said=_said, mark=_mark,
    chances={"deal": say("Deal the tiles."), "show": say("Show the hands."), "turn-up": say("Turn the tile over."),
             "reveal": say("Show the bids."), "shuffle": say("Turn the scrap over and shuffle it.")},
    todo=by_phase({"bid": say("put a tile face down"), "drawn": say("play the drawn tile, or end the turn"),
                   "chain": say("play on, or end the turn")}),
)  # fmt: skip
