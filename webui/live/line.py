"""A line of tiles as a drawing: from the first tile both arms run outward and bend where the page ends.

The same line is drawn in three shapes, and a page shows the one whose tiles come out largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.actions import Action
from engine.core import UNKNOWN
from engine.lines.actions import Deal, Draw, Pass, Play, Show
from webui.live.face import Face, Names, Told, asked, asked_hand, by_phase
from webui.live.scene import JsonObject, box, drawn, laid, spot
from webui.live.words import tile_name

REACH = {"wide": 11.0, "square": 6.5, "tall": 4.5}
"""How far from the first tile an arm runs before it bends, in half tiles."""

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


def _turned(place: JsonObject, half_turn: bool) -> JsonObject:
    return spot(-place["x"], -place["y"], place["turn"] + 180) if half_turn else place


def place_in_line(scene: JsonObject, tile: Sequence[int], arm: str, open_end: int | None) -> dict[str, JsonObject]:
    """Where a play of this tile would lie, in each shape, drawn with its ends in order outward."""
    first = tile[0] if open_end is None or tile[1] == open_end else tile[1]
    ends = (first, tile[0] + tile[1] - first)
    found = {}
    for name, shape in scene["shapes"].items():
        for end in shape["ends"]:
            if end["arm"] == arm:
                place = end["double" if tile[0] == tile[1] else "single"]
                found[name] = laid(f"place-{arm}", ends, place)
    return found


def _mark(state: Any, action: Action, drawing: JsonObject | None) -> JsonObject | None:
    if not isinstance(action, Play):
        return None
    shapes = place_in_line(drawing or line_scene(state), action.tile, action.arm, action.open)
    return {"shapes": shapes} if shapes else None


def _words(action: Action, state: Any) -> str:
    if isinstance(action, Play):
        name = tile_name(action.tile)
        return f"{name} first" if action.arm == "root" else f"{name} on the {action.arm}"
    return {Draw: "Draw a tile", Pass: "Pass"}.get(type(action), str(action))


def _wanted(state: Any, names: Names) -> JsonObject | None:
    if state.chance == "show":
        seat = next(seat for seat, hand in enumerate(state.hands) if UNKNOWN in hand)
        return asked_hand(state, seat, state.hands[seat].count(UNKNOWN), names)
    return asked("deal", "Who leads?", starters=list(names))


def _tell(state: Any, told: Told) -> Action:
    if state.chance == "show":
        return Show(told.starter, told.tiles)
    size = state.kit.hand
    boneyard = len(state.kit.tiles) - size * state.players
    return Deal(((UNKNOWN,) * size,) * state.players, (UNKNOWN,) * boneyard, told.starter)


FACE = Face(
    scene=line_scene, words=_words, wanted=_wanted, tell=_tell, mark=_mark,
    chances={"deal": "Deal the tiles.", "show": "Show the hands."},
    todo=by_phase({"lead": "lead a tile", "claim": "claim the points, or go on"}),
)  # fmt: skip
"""Block & Draw, All Fives, Matador and One-Arm Joe."""
