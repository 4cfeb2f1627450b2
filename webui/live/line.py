"""A line of tiles as a drawing: from the first tile both arms run outward and bend where the page ends; where there are
spinners, their arms run from them at right angles, and every arm bends where there is room.

The same line is drawn in three shapes, and a page shows the one whose tiles come out largest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, NamedTuple

from engine.actions import Action, Show
from engine.core import UNKNOWN
from engine.lines.actions import Claim, Deal, Draw, Muggins, Pass, Play, Skip
from engine.lines.line import Line
from engine.pieces import Tile
from engine.words import count, listed, say
from webui.live.face import Face, Names, Told, asked, asked_hand, by_phase, heard, in_a_row, named
from webui.live.scene import JsonObject, box, drawn, extent, laid, spot
from webui.live.words import tile_name

REACH = {"wide": 11.0, "square": 6.5, "tall": 4.5}
"""How far from the first tile an arm runs before it bends, in half tiles."""

HIGH = 66.0
"""With spinners a drawing that reaches further to the sides reaches less up and down: by this, over that reach."""

ROWS_APART = 2.4
"""After so much of a bend an arm may run back: doubles lying across must not touch the row before."""

Ends = tuple[int, int]


class Pen:
    """Draws one arm to the right and downward, tile after tile."""

    def __init__(self, x: float, reach: float) -> None:
        self.x, self.y = x, 0.0
        self.dx, self.dy = 1, 0
        self.side, self.row, self.reach = 1, 0.0, reach

    def place(self, double: bool) -> JsonObject:
        """Where the next tile goes; the pen moves on behind it."""
        if not double and self.dx and self.x * self.side + 2 > self.reach:
            return self._bend(0, 1)
        if not double and self.dy and self.y - self.row >= ROWS_APART:
            place = self._bend(-self.side, 0)
            self.side, self.row = -self.side, self.y
            return place
        length = 1.0 if double else 2.0
        x, y = self.x + self.dx * length / 2, self.y + self.dy * length / 2
        self.x, self.y = self.x + self.dx * length, self.y + self.dy * length
        return spot(x, y, _degrees(self.dx, self.dy) + (90 if double else 0))

    def next_places(self) -> tuple[JsonObject, JsonObject]:
        """Where a tile, and where a double would go, without drawing either."""
        kept = vars(self).copy()
        found = []
        for double in (False, True):
            found.append(self.place(double))
            vars(self).update(kept)
        return found[0], found[1]

    def _bend(self, dx: int, dy: int) -> JsonObject:
        x, y = self.x + self.dx / 2, self.y + self.dy / 2
        self.x, self.y, self.dx, self.dy = x + 1.5 * dx, y + 1.5 * dy, dx, dy
        return spot(x + dx / 2, y + dy / 2, _degrees(dx, dy))


def _degrees(dx: int, dy: int) -> int:
    return {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}[dx, dy]


def line_scene(state: Any) -> JsonObject:
    """The drawings of a line game by shape: tiles, and the open end of each arm with its places."""
    return {"kind": "line", "shapes": {name: _drawn(state, reach) for name, reach in REACH.items()}}


def _drawn(state: Any, reach: float) -> JsonObject:
    if state.root is None:
        place = spot(0, 0, 0)
        first = [{"arm": "root", "number": None, "single": place, "double": spot(0, 0, 90)}]
        return drawn([], box([spot(-3, 0, 0), spot(3, 0, 0)], 1.5), first)
    if getattr(state.rules, "spinner", "none") != "none":
        return _with_spinners(state, reach)
    root = tuple(state.root)
    across = state.root.is_double
    tiles = [laid("root", root, spot(0, 0, 90 if across else 0))]
    ends: list[JsonObject] = []
    numbers = dict(state.open_ends())
    for arm, placed, half_turn in (("right", state.right_arm, False), ("left", state.left_arm, True)):
        if arm not in numbers:
            continue
        pen = Pen(0.5 if across else 1.0, reach)
        for at, (inner, outer) in enumerate(placed):
            tiles.append(laid(f"{arm}-{at}", (inner, outer), _turned(pen.place(inner == outer), half_turn)))
        single, double = (_turned(place, half_turn) for place in pen.next_places())
        ends.append({"arm": arm, "number": numbers[arm], "single": single, "double": double})
    room: list[JsonObject] = [*tiles, *(end["single"] for end in ends)]
    return drawn(tiles, box(room, 0.6), ends)


class Tip(NamedTuple):
    """Where an arm goes on: the middle of its open edge and the way on. fixed: straight, as a spinner's arms do."""

    x: float
    y: float
    dx: int
    dy: int
    fixed: bool = False

    def ways_on(self, double: bool) -> Iterator[tuple[JsonObject, Tip]]:
        """How a tile may lie there, each with where the arm then goes on: straight, or round a corner to either hand."""
        x, y, dx, dy, fixed = self
        length = 1 if double else 2
        straight = spot(x + dx * length / 2, y + dy * length / 2, _degrees(dx, dy) + (90 if double else 0))
        yield straight, Tip(x + dx * length, y + dy * length, dx, dy)
        for nx, ny in () if double or fixed else ((-dy, dx), (dy, -dx)):
            middle = x + (dx + nx) / 2, y + (dy + ny) / 2
            yield spot(*middle, _degrees(nx, ny)), Tip(middle[0] + nx, middle[1] + ny, nx, ny)


CLEAR = ((0.9, 1), (0.2, 1), (0.2, 2), (-0.1, inf))
"""So far apart lie arms that do not touch, in half tiles, and so many times the reach they have: by how short room is."""

AHEAD = 2
"""So many more tiles should have room behind one that is drawn."""


@dataclass
class Tree:
    """The drawing of a line with spinners. boxes: what the tiles cover, x0, y0, x1, y1, by their keys; reach: how far they may
    lie from the first one, to the side and up and down."""

    reach: tuple[float, float]
    boxes: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)

    def place(self, tip: Tip, after: str, double: bool) -> tuple[JsonObject, Tip]:
        """Where a tile lies behind the one with the key `after`, and where the arm then goes on."""
        ways = list(tip.ways_on(double))
        for room in CLEAR:
            free = [way for way in ways if self._free(way[0], after, room)]
            if free:
                return max(free, key=lambda way: (self._outlook(way, room, AHEAD), -ways.index(way)))
        further = tip._replace(x=tip.x + tip.dx / 2, y=tip.y + tip.dy / 2)  # there is none: apart from it
        return self.place(further, after, double)

    def _free(self, place: JsonObject, after: str, room: tuple[float, float]) -> bool:
        x0, y0, x1, y1 = extent(place)
        (clear, times), (aside, high) = room, self.reach
        if max(abs(x0), abs(x1)) > times * aside or max(abs(y0), abs(y1)) > times * high:
            return False
        apart = ((a0, b0, a1, b1, -0.1 if key == after else clear) for key, (a0, b0, a1, b1) in self.boxes.items())
        return all(x0 >= a1 + far or a0 >= x1 + far or y0 >= b1 + far or b0 >= y1 + far for a0, b0, a1, b1, far in apart)

    def _outlook(self, way: tuple[JsonObject, Tip], room: tuple[float, float], depth: int) -> int:
        """How many more tiles could follow one that is not drawn yet."""
        if depth == 0:
            return 0
        place, tip = way
        here = f"ahead {depth}"
        self.boxes[here] = extent(place)
        further = [1 + self._outlook(after, room, depth - 1) for after in tip.ways_on(False) if self._free(after[0], here, room)]
        del self.boxes[here]
        return max(further, default=0)


def _with_spinners(state: Line, reach: float) -> JsonObject:
    assert state.root is not None
    tree, root = Tree((reach + 2.0, HIGH / reach)), state.root
    tiles = [laid("root", (root.low, root.high), spot(0, 0, 90 if root.is_double else 0))]
    tree.boxes["root"] = extent(tiles[0])
    far, fixed = 0.5 if root.is_double else 1.0, bool(state.sides_of("root", root))
    tips = {"right": (Tip(far, 0, 1, 0, fixed), "root"), "left": (Tip(-far, 0, -1, 0, fixed), "root")}
    beside: dict[str, tuple[Tile, int, int]] = {}

    def spin(place: str, tile: Tile, on: Tip, lies: JsonObject, key: str) -> None:
        for name, way in zip(state.sides_of(place, tile), (1, -1), strict=False):
            dx, dy = way * on.dy, -way * on.dx
            tips[name] = Tip(lies["x"] + dx, lies["y"] + dy, dx, dy, fixed=True), key
            beside[name] = tile, dx, dy

    spin("root", root, tips["right"][0], tiles[0], "root")
    for name, arm in state.arms():
        for at, (inner, outer) in enumerate(arm):
            place, on = tree.place(*tips[name], inner == outer)
            key = f"{name}-{at}"
            tiles.append(laid(key, (inner, outer), place))
            tree.boxes[key] = extent(place)
            sides = state.sides_of(f"{name}.{at}", Tile.of(inner, outer))
            tips[name] = on._replace(fixed=bool(sides)), key
            spin(f"{name}.{at}", Tile.of(inner, outer), on, place, key)
    ends: list[JsonObject] = [
        {"arm": arm, "number": number, "single": tree.place(*tips[arm], False)[0], "double": tree.place(*tips[arm], True)[0]}
        | ({"where": _beside(*beside[arm])} if arm in beside else {})
        for arm, number in state.open_ends()]  # fmt: skip
    room: list[JsonObject] = [*tiles, *(end["single"] for end in ends)]
    return drawn(tiles, box(room, 0.6), ends)


def _beside(double: Tile, dx: int, dy: int) -> str:
    """Where an arm begins that leaves a double that way.

    >>> _beside(Tile(5, 5), -1, 0)
    'on the left of the 5-5'
    """
    if dy:
        return say("above the {double}", double=double) if dy < 0 else say("below the {double}", double=double)
    return say("on the left of the {double}", double=double) if dx < 0 else say("on the right of the {double}", double=double)


def _turned(place: JsonObject, half_turn: bool) -> JsonObject:
    return spot(-place["x"], -place["y"], place["turn"] + 180) if half_turn else place


def place_in_line(scene: JsonObject, tile: Sequence[int], arm: str, open_end: int | None) -> dict[str, JsonObject]:
    """Where a play of this tile would lie, in each shape, drawn with its ends in order outward; with words of its own where the
    shape decides."""
    first = tile[0] if open_end is None or tile[1] == open_end else tile[1]
    ends = (first, tile[0] + tile[1] - first)
    found = {}
    for name, shape in scene["shapes"].items():
        for end in shape["ends"]:
            if end["arm"] == arm:
                place = end["double" if tile[0] == tile[1] else "single"]
                found[name] = laid(f"place-{arm}", ends, place)
                if "where" in end:
                    found[name]["words"] = say("{tile} {where}", tile=tile_name(Tile(*tile)), where=end["where"])
    return found


def _heard(state: Any) -> list[JsonObject]:
    """The line from left to right, then the arms that leave a spinner."""
    if state.root is None:
        return [heard(say("No tile is laid yet"))]
    arms = dict(state.arms())
    left = [(outer, inner) for inner, outer in reversed(arms.pop("left", ()))]
    row = [*left, tuple(state.root), *arms.pop("right")]
    ends = listed(number for _, number in state.open_ends())
    found = [count(len(row) + sum(map(len, arms.values())), "{number} tile lies on the table, open {ends}",
                   "{number} tiles lie on the table, open {ends}", ends=ends),
             say("From left to right: {tiles}", tiles=in_a_row(row))]  # fmt: skip
    found += [say("{Where}: {tiles}", Where=state.where(arm), tiles=in_a_row(tiles)) for arm, tiles in arms.items() if tiles]
    return [heard(words) for words in found]


def _mark(state: Any, action: Action, drawing: JsonObject | None) -> JsonObject | None:
    if not isinstance(action, Play):
        return None
    shapes = place_in_line(drawing or line_scene(state), action.tile, action.arm, action.open)
    return {"shapes": shapes} if shapes else None


def _words(action: Action, state: Any) -> str:
    if isinstance(action, Play):
        if action.arm == "root":
            return say("{tile} first", tile=tile_name(action.tile))
        where = state.where(action.arm) if isinstance(state, Line) else say("on the {arm}", arm=action.arm)
        return say("{tile} {where}", tile=tile_name(action.tile), where=where)
    said: dict[type[Action], str] = {Draw: say("Draw a tile"), Pass: say("Pass"), Claim: say("Call the points"),
                                     Skip: say("Let it go"), Muggins: say("Muggins: call the points")}
    return said.get(type(action), str(action))


def call_words(action: Action, points: int, names: Names, who: int | None) -> str:
    """A call of points as the words on its button. who: the caller's name is needed there.

    >>> call_words(Claim(), 10, ("Ann", "Ben"), None), call_words(Muggins(0), 10, ("Ann", "Ben"), 1)
    ('Call 10 points', 'Ben: Muggins, Ann’s 10 points')
    """
    if isinstance(action, Muggins):
        words = say("Muggins, {name}’s {points} points", name=names[action.seat], points=points)
    else:
        words = say("Call {points} points", points=points)
    return words if who is None else say("{name}: {deed}", name=names[who], deed=words)


def _calls(state: Any, names: Names, seat: int | None) -> list[JsonObject]:
    return [{"seat": who, "action": str(action), "words": call_words(action, points, names, None if seat == who else who)}
            for who, action, points in state.calls()]  # fmt: skip


def _due(state: Any, names: Names, seat: int | None) -> str:
    if state.pending is None or state.phase != "claim":
        return ""
    owner, points = state.pending
    if owner != state.turn:
        return say("{name}’s {points} points were not called: who calls muggins?", name=names[owner], points=points)
    return (say("You make {points} points: call them before the next tile.", points=points) if seat == owner
            else say("{name} makes {points} points: call them before the next tile.", name=names[owner],
                     points=points))  # fmt: skip


def _wanted(state: Any, names: Names) -> JsonObject | None:
    if state.chance == "show":
        seat = next(seat for seat, hand in enumerate(state.hands) if UNKNOWN in hand)
        return asked_hand(state, seat, state.hands[seat].count(UNKNOWN), names)
    return asked("deal", say("Who leads?"), starters=list(names))


def _tell(state: Any, told: Told) -> Action:
    if state.chance == "show":
        return Show(told.starter, told.tiles)
    size = state.kit.hand
    boneyard = len(state.kit.tiles) - size * state.players
    return Deal(((UNKNOWN,) * size,) * state.players, (UNKNOWN,) * boneyard, told.starter)


def said_of_hands(action: Any) -> Told:
    """What was told of a deal, or of the tiles that a seat shows."""
    return named(action.tiles, action.seat) if isinstance(action, Show) else named((), action.starter)


BLOCK = Face(
    about=say("One line, matched at both ends; draw until a tile fits, and be the first without any."),
    lies=say("One line in the middle, doubles across it; it bends where the table ends. The boneyard face down to one side, the "
             "hands on racks."),
    aim=say("The first with 100 points wins."),
    scene=line_scene, heard=_heard, words=_words, wanted=_wanted, tell=_tell, said=said_of_hands, mark=_mark,
    chances={"deal": say("Deal the tiles."), "show": say("Show the hands.")},
    todo=by_phase({"lead": say("lead a tile")}),
)  # fmt: skip
FIVES = replace(BLOCK, calls=_calls, due=_due,  # points may have to be called
                about=say("As Block & Draw, and whenever the open ends add up to a multiple of five they score."))  # fmt: skip
MATADOR = replace(BLOCK, about=say("A line whose touching ends add up to seven; four wild tiles go anywhere."))
ONE_ARM_JOE = replace(BLOCK, about=say("Three tiles each and a line that grows at one end only; doubles earn another tile."))
