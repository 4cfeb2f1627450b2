"""Mexican Train on the page: the engine, and below it a row for every train, with its name, its marker and its open end."""

from __future__ import annotations

from typing import Any

from engine.actions import Action, Show
from engine.core import UNKNOWN
from engine.mexican_train.actions import Deal, Draw, End, Pass, Play
from engine.mexican_train.game import State
from engine.words import joined, say
from webui.live.face import Face, Names, Told, asked, asked_hand, heard, in_a_row
from webui.live.line import said_of_hands
from webui.live.scene import JsonObject, box, drawn, laid, name_of, part, shape, spot, text
from webui.live.words import tile_name

LINES = {"wide": 24.0, "square": 15.0, "tall": 10.5}
"""How long a line of a train is before the train goes on below, in half tiles."""

START = 3.2
"""Where trains start: left of it stand their names."""

BETWEEN, HIGH = 0.15, 2.1
"""Between two tiles, and from one line to the next."""

MARKER = "M-.42.3V-.05H-.2V-.34H.08V-.05H.42V.3ZM-.22.42A.1.1 0 1 1-.22.4ZM.22.42A.1.1 0 1 1 .22.4Z"


def trains_scene(state: State) -> JsonObject:
    """The drawing in each shape."""
    return {"kind": "line", "shapes": {name: _drawn(state, long) for name, long in LINES.items()}}


def _heard(state: State) -> list[JsonObject]:
    """Where the trains end, then every train from the engine on."""
    ends = [say("{end} open to all", end=state.end_of(train)) if marked else str(state.end_of(train))
            for train, marked in enumerate(state.marked)]  # fmt: skip
    found = [heard(say("Engine {engine}; the trains of the seats end in {ends}, the Mexican train in a {mexican}",
                       engine=state.engine, ends=joined(ends, ", "), mexican=state.end_of(state.mexican)))]
    for train, tiles in enumerate(state.trains):
        if tiles:
            lies = in_a_row(tiles)
            found.append(heard(say("Mexican train: {tiles}", tiles=lies)) if train == state.mexican else heard(lies, train))
    return found


class Row:
    """One train from left to right, line below line."""

    def __init__(self, top: float, long: float) -> None:
        self.x, self.y, self.long = START, top, long

    def place(self, double: bool) -> JsonObject:
        """Where the next tile goes; a double stands across."""
        length = 1.0 if double else 2.0
        if self.x + length > self.long:
            self.x, self.y = START, self.y + HIGH
        place = spot(self.x + length / 2, self.y, 90 if double else 0)
        self.x += length + BETWEEN
        return place

    def next_place(self, double: bool) -> JsonObject:
        """The same without going on."""
        kept = vars(self).copy()
        place = self.place(double)
        vars(self).update(kept)
        return place


def _rows(state: State, long: float) -> list[tuple[Row, float, list[JsonObject]]]:
    """For every train where it goes on, where its first line lies, and its tiles."""
    rows, top = [], 0.0
    for train, ends in enumerate(state.trains):
        row = Row(top, long)
        tiles = [laid(f"train-{train}-{at}", each, row.place(each[0] == each[1])) for at, each in enumerate(ends)]
        rows.append((row, top, tiles))
        top = row.next_place(False)["y"] + HIGH + 0.3
    return rows


def _drawn(state: State, long: float) -> JsonObject:
    rows = _rows(state, long)
    tiles: list[JsonObject] = []
    ends: list[JsonObject] = []
    under: list[JsonObject] = []
    for train, (row, top, laid_tiles) in enumerate(rows):
        tiles += laid_tiles
        under += _plate(state, train, top)
        place = row.next_place(False)
        ends.append({"arm": str(train), "number": state.end_of(train), "single": _beside(place), "double": row.next_place(True)})
        if train == state.double and state.must_cover():
            frame = shape("rect", x=-0.62, y=-1.12, width=1.24, height=2.24, rx=0.24)
            under.append(part("due", "due", laid_tiles[-1]["x"], laid_tiles[-1]["y"], frame))
    if state.starter is not None:
        engine = (state.engine, state.engine)
        tiles.append(laid("engine", engine, spot(1.2, -2.6, 0)))
        under.append(part("engine-name", "title", 2.5, -2.6, text(say("engine"), 0.6, y=0.2, anchor="start")))
    room: list[JsonObject] = [*tiles, *(end["single"] for end in ends), spot(1.2, -2.6, 0)]
    around = box(room, 0.5)
    return drawn(tiles, [-0.3, around[1], long + 0.6, around[3]], ends, under)


def _beside(place: JsonObject) -> JsonObject:
    """Where the number stands: close behind the last tile."""
    return spot(place["x"] - 0.45, place["y"], 0)


def _plate(state: State, train: int, top: float) -> list[JsonObject]:
    """The name of a train before it, and the marker where it is open to all."""
    if train == state.mexican:
        words = text(say("Mexican"), 0.62, 1.5, -0.08), text(say("train"), 0.62, 1.5, 0.6)
        return [part(f"plate-{train}", "plate", 0, top, *words)]
    marked = state.marked[train]
    frame = shape("rect", x=0.05, y=-0.85, width=2.9, height=1.7, rx=0.3)
    name = name_of(train, 0.62, 1.5, -0.1 if marked else 0.2)
    plate = part(f"plate-{train}", f"plate seat-{train}{' turn' if train == state.turn else ''}", 0, top, frame, name)
    marker = [shape("path", d=MARKER), text(say("open"), 0.5, 0.62, 0.3, "start")]
    return [plate, part(f"marker-{train}", "marker", 0.8, top + 0.32, *marker)] if marked else [plate]


def _mark(state: Any, action: Action, drawing: JsonObject | None) -> JsonObject | None:
    """Where a tile would lie, in each shape, with its equal end inward."""
    if not isinstance(action, Play) or not 0 <= action.train <= state.mexican:
        return None
    end = state.end_of(action.train)
    low, high = action.tile
    ends = (high, low) if end == high else (low, high)
    return {"shapes": {name: laid(f"place-{action.train}", ends, _rows(state, long)[action.train][0].next_place(low == high))
                       for name, long in LINES.items()}}  # fmt: skip


def _words(action: Action, state: Any) -> str:
    if isinstance(action, Play):
        own = state is not None and action.train == state.turn
        mexican = state is not None and action.train == state.mexican
        tile = tile_name(action.tile)
        if own:
            return say("{tile} on their own train", tile=tile)
        if mexican:
            return say("{tile} on the Mexican train", tile=tile)
        return say("{tile} on the train of seat {train}", tile=tile, train=action.train + 1)
    return {Draw: say("Draw a tile"), Pass: say("Pass, and open your train"),
            End: say("End the turn")}.get(type(action), str(action))  # fmt: skip


def _wanted(state: Any, names: Names) -> JsonObject | None:
    if state.chance == "show":
        seat = next(seat for seat, hand in enumerate(state.hands) if UNKNOWN in hand)
        return asked_hand(state, seat, state.hands[seat].count(UNKNOWN), names)
    engine = state.engine - (state.starter is not None)
    words = say("Lay the {tile} in the middle as the engine, and deal {dealt} tiles each.", tile=f"{engine}|{engine}",
                dealt=state.dealt)
    due = state.due_starter()
    if due is None:
        return asked("deal", say("{words} Who begins?", words=words), starters=list(names))
    return asked("deal", say("{words} {name} begins.", words=words, name=names[due]))


def _tell(state: Any, told: Told) -> Action:
    if state.chance == "show":
        return Show(told.starter, told.tiles)
    due = state.due_starter()
    boneyard = len(state.kit) - 1 - state.dealt * state.players
    hands = ((UNKNOWN,) * state.dealt,) * state.players
    return Deal(hands, (UNKNOWN,) * boneyard, told.starter if due is None else due)


def _todo(state: Any) -> str:
    if state.must_cover():
        return say("cover the double, or pass") if state.phase == "drawn" else say("cover the double")
    return {"play": say("lay a tile"), "drawn": say("lay a tile, or pass"),
            "chain": say("go on with the train, or end the turn")}[state.phase]  # fmt: skip


FACE = Face(
    about=say("Everybody has a train of their own, and one is for all; lay off your tiles before the others do."),
    lies=say("The engine in the middle, a train from it towards every player, and the Mexican train well apart from these. The "
             "boneyard face down to one side."),
    aim=say("The fewest points over all rounds win."),
    scene=trains_scene, heard=_heard, words=_words, wanted=_wanted, tell=_tell, said=said_of_hands, mark=_mark,
    chances={"deal": say("Deal the tiles."), "show": say("Show the hands.")},
    todo=_todo,
)  # fmt: skip
