"""The line of Block & Draw, All Fives, Matador and One-Arm Joe: doubles crosswise, corners where the table ends.

People look for room as they go, so where a tile lies depends on what lies there already: a `LineStage` remembers the
line it has laid and only goes on with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from random import Random

import numpy as np
from numpy.typing import NDArray

from engine.lines.actions import Play
from engine.lines.line import Line
from engine.pieces import Tile as Domino
from simulator.layouts import box_corners
from simulator.staging.line_faults import fault
from simulator.staging.setting import Fault, Pile, Plan, Racks, Setting, named
from simulator.tabletop.lying import Tabletop, Tile

Array = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""x0, y0, x1, y1."""

BENDS = {"left": 1, "right": 1, "up": 1}
"""Which way an arm turns first where room is short: clockwise, all others the other way."""
GAP = 1.6
"""Between the ends that touch, mm."""

APART, CLOSE = 9.0, 0.5
"""Between parts of the line that do not touch, mm; and where there is hardly any room."""

MOST_ROWS = 12
"""The boneyard has no more rows, so that it has room along the table's edge."""


@dataclass(frozen=True, slots=True)
class Laid:
    """One tile of the line and where it goes on: the middle of its open edge and the way on, both (2,)."""

    tile: Tile
    tip: tuple[float, float]
    way: tuple[float, float]


def quarter(way: tuple[float, float]) -> tuple[float, float]:
    """A way turned a quarter clockwise."""
    return (-way[1], way[0])


def back(way: tuple[float, float]) -> tuple[float, float]:
    """The other way."""
    return (-way[0], -way[1])


class Room:
    """Where tiles can still lie: within a rectangle, apart from what lies there."""

    def __init__(self, area: tuple[float, float, float, float], length: float, width: float) -> None:
        self.area, self.length, self.width = area, length, width
        self.boxes: dict[str, Box] = {}

    def block(self, name: str, x: float, y: float, wide: float, high: float) -> None:
        """Keep a rectangle, by its middle, free of tiles."""
        self.boxes[name] = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)

    def box(self, tile: Tile) -> Box:
        """The bounds of a tile that lies along or across the table."""
        points = box_corners(tile.x, tile.y, tile.angle, self.length, self.width)
        x0, y0 = points.min(axis=0)
        x1, y1 = points.max(axis=0)
        return float(x0), float(y0), float(x1), float(y1)

    def free(self, tile: Tile, near: frozenset[str], clear: float = APART) -> bool:
        """Whether a tile may lie here, beside neighbours that it may touch, `clear` mm from all others."""
        x0, y0, x1, y1 = box = self.box(tile)
        left, top, right, low = self.area
        if x0 < left or y0 < top or x1 > right or y1 > low:
            return False
        return not any(_meet(box, other, CLOSE if name in near else clear) for name, other in self.boxes.items())

    def outlook(self, laid: Laid, bend: int, depth: int) -> int:
        """How many more tiles could follow one that is not laid yet, at most `depth`."""
        if depth == 0:
            return 0
        here, best = f"ahead {depth}", 0
        self.boxes[here] = self.box(laid.tile)
        for after in ways_on(laid, "ahead", (0, 1), self.length, self.width, bend):
            if self.free(after.tile, frozenset({here})):
                best = max(best, 1 + self.outlook(after, bend, depth - 1))
                if best == depth:
                    break
        del self.boxes[here]
        return best

    def next(self, after: Laid, ends: tuple[int, int], bend: int, straight: bool = False, spared: Sequence[Tile] = ()) -> Laid:
        """Where a tile goes on from another: the first place from which the line can go on further still.

        Where room is short people lay closer together; where there is none at all, they lay it straight on. straight: they do
        so wherever the line can go on from there. spared: where other lines go on, which is kept free as long as room is left.
        """
        ways, far = list(ways_on(after, str(Domino.of(*ends)), ends, self.length, self.width, bend)), 2 if straight else 5
        if straight and ends[0] == ends[1]:
            del ways[1:]
        kept = {f"spared {at}": self.box(tile) for at, tile in enumerate(spared)}
        for others, clear in product((kept, {}), (APART, 3.0, CLOSE)):
            self.boxes.update(others)
            free = [laid for laid in ways if self.free(laid.tile, frozenset({after.tile.name}), clear)]
            best = max(free, key=lambda laid: (self.outlook(laid, bend, far), -ways.index(laid)), default=None)
            for name in others:
                del self.boxes[name]
            if best is not None:
                return best
        return ways[0]


def _meet(one: Box, other: Box, apart: float) -> bool:
    """Whether less than so much lies between two boxes."""
    return (one[0] < other[2] + apart and other[0] < one[2] + apart
            and one[1] < other[3] + apart and other[1] < one[3] + apart)


def ways_on(after: Laid, name: str, ends: tuple[int, int], length: float, width: float, bend: int) -> Iterator[Laid]:
    """How a tile can go on from another: straight, or round a corner (`bend` 1 clockwise first, -1 the other way first)."""
    tip, way = np.array(after.tip), np.array(after.way)
    double = ends[0] == ends[1]

    def laid(centre: Array, along: Array, end: Array, on: Array) -> Laid:
        tile = Tile(name, float(centre[0]), float(centre[1]), float(np.arctan2(along[1], along[0])), ends)
        return Laid(tile, (float(end[0]), float(end[1])), (float(on[0]), float(on[1])))

    if double:
        centre = tip + way * (GAP + width / 2)
        side = np.array(quarter(after.way))
        yield laid(centre, side, centre + way * width / 2, way)
    else:
        centre = tip + way * (GAP + length / 2)
        yield laid(centre, way, centre + way * length / 2, way)
    for sign in (bend, -bend):
        on = np.array(quarter(after.way)) * sign
        if double:
            centre = tip + way * (GAP + length / 2)
            yield laid(centre, way, centre + on * width / 2, on)
        centre = tip + way * (GAP + width / 2) + on * length / 4
        yield laid(centre, on, centre + on * length / 2, on)


class LineStage:
    """Lays the states of one line game; call `lay` with one state after another."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        x0, y0, x1, y1 = setting.area
        tiles = (setting.look.style.highest + 1) * (setting.look.style.highest + 2) // 2
        self.pile_columns = max(4, -(-tiles // MOST_ROWS))
        self.pile_rows = max(7.0, tiles / self.pile_columns)
        wide = self.pile_columns * (setting.width + 5.0) + 14
        self.area = (x0 + 20.0, y0 + 20.0, x1 - wide - 12, y1 - 20.0)
        self.racks = Racks(setting)
        self.state: Line | None = None  # as it was last laid
        self._reset()

    def _reset(self) -> None:
        setting = self.setting
        x1 = setting.area[2]
        wide = self.pile_columns * (setting.width + 5.0)
        self.pile = Pile(setting, x1 - wide - 4, -self.pile_rows / 2 * (setting.length + 6.0), self.pile_columns)
        self.root: Domino | None = None
        self.arms: dict[str, list[Laid]] = {}
        self.room = Room(self.area, setting.length, setting.width)
        for k, tag in enumerate(setting.corners()):
            self.room.block(f"tag {k}", tag.x, tag.y, 90, 90)

    def plan(self, state: Line) -> Plan:
        """The meant places of everything in this state."""
        plan = Plan(self.setting)
        arms = dict(state.arms())
        kept = all(self._told(name) == list(arm)[: len(self._told(name))] for name, arm in arms.items())
        if state.root != self.root or not kept or any(self.arms[name] and name not in arms for name in self.arms):
            self._again(state.root, arms)
        self.state = state
        if state.root is not None:
            self._lay_root(state)
            self._go_on(state, arms)
            plan.add(self._root_tile)
            for arm in self.arms.values():
                for laid in arm:
                    plan.add(laid.tile)
        self.pile.add(plan, named(state.boneyard, "bone"))
        for seat, hand in enumerate(state.hands):
            self.racks.add(plan, seat, named(hand, f"hand {seat}"))
        return plan

    def lay(self, state: Line) -> Tabletop:
        """The table as people have laid this state."""
        return self.plan(state).laid()

    def fits(self, seat: int | None, action: Play) -> bool:
        """Whether there is room for a play, where the line was last laid; the arms of many spinners may leave none."""
        state = self.state
        if state is None or state.root is None or action.arm not in dict(state.open_ends()):
            return True
        after, bend = self._tip(action.arm), BENDS.get(action.arm, -1)
        ways = ways_on(after, str(action.tile), action.laid, self.setting.length, self.setting.width, bend)
        if action.tile.is_double and self._straight(state, action.arm, len(self.arms.get(action.arm, ())), action.laid):
            ways = islice(ways, 1)
        return any(self.room.free(laid.tile, frozenset({after.tile.name}), CLOSE) and self.room.outlook(laid, bend, 1)
                   for laid in ways)

    def fault(self, state: Line, table: Tabletop, lay: object, rng: Random) -> Fault | None:
        """A play that breaks a rule, if one comes to mind."""
        return fault(self, state, table, rng)

    def _told(self, name: str) -> list[tuple[int, int]]:
        return [laid.tile.ends for laid in self.arms.get(name, [])]

    def _again(self, root: Domino | None, arms: dict[str, tuple[tuple[int, int], ...]]) -> None:
        """Another line, or one that has been taken back: keep what still lies as it lay."""
        if root != self.root:
            self._reset()
            return
        for name, line in list(self.arms.items()):
            arm = arms.get(name, ())
            same = 0
            while same < min(len(line), len(arm)) and line[same].tile.ends == arm[same]:
                same += 1
            for laid in line[same:]:
                self.room.boxes.pop(laid.tile.name, None)
            self.arms[name] = line[:same]

    def _lay_root(self, state: Line) -> None:
        if self.root is not None:
            return
        assert state.root is not None
        self.root = state.root
        low, high = state.root
        x0, y0, x1, y1 = self.area
        x = x0 + 70 if state.kit.one_arm else (x0 + x1) / 2
        angle = np.pi / 2 if low == high else 0.0
        self._root_tile = Tile(str(state.root), x, (y0 + y1) / 2, angle, (low, high))
        self.room.boxes[self._root_tile.name] = self.room.box(self._root_tile)

    def _start(self, name: str) -> Laid:
        """What an arm begins from: the root's sides, or the ends of a spinner."""
        setting, root = self.setting, self._root_tile
        if name in ("left", "right"):
            reach = (setting.width if root.ends[0] == root.ends[1] else setting.length) / 2
            sign = 1.0 if name == "right" else -1.0
            return Laid(root, (root.x + sign * reach, root.y), (sign, 0.0))
        spinner, way = self._spinner(name)
        side = quarter(way) if name.endswith("down") else back(quarter(way))
        reach = setting.length / 2
        return Laid(spinner, (spinner.x + side[0] * reach, spinner.y + side[1] * reach), side)

    def _spinner(self, name: str) -> tuple[Tile, tuple[float, float]]:
        """The double that a side arm starts from, and the way its own arm goes."""
        place = name.rpartition(".")[0]
        if place:
            arm, _, at = place.rpartition(".")
            if not arm:
                return self._root_tile, (1.0, 0.0)
            laid = self.arms[arm][int(at)]
            return laid.tile, laid.way
        found: list[tuple[Tile, tuple[float, float]]] = [(self._root_tile, (1.0, 0.0))]
        found += [(laid.tile, laid.way) for arm in ("left", "right") for laid in self.arms.get(arm, [])]
        spinner = self.state.spinner if self.state is not None else None
        return next(pair for pair in found if pair[0].ends == spinner)

    def _tip(self, arm: str) -> Laid:
        line = self.arms.get(arm)
        return line[-1] if line else self._start(arm)

    def _straight(self, state: Line, arm: str, at: int, ends: tuple[int, int]) -> bool:
        """Whether a tile is laid straight on: a spinner, which has arms at right angles, or a tile against one."""
        before = self._tip(arm).tile.ends
        place = f"{arm}.{at - 1}" if at else "root"
        return bool(state.sides_of(f"{arm}.{at}", Domino.of(*ends)) or state.sides_of(place, Domino.of(*before)))

    def _go_on(self, state: Line, arms: dict[str, tuple[tuple[int, int], ...]]) -> None:
        """Lay what is new, the arms in turn."""
        most = max((len(arm) for arm in arms.values()), default=0)
        for at in range(most):
            for name, arm in arms.items():
                line = self.arms.setdefault(name, [])
                if len(line) == at < len(arm):
                    straight = self._straight(state, name, at, arm[at])
                    laid = self.room.next(self._tip(name), arm[at], BENDS.get(name, -1), straight)
                    line.append(laid)
                    self.room.boxes[laid.tile.name] = self.room.box(laid.tile)
