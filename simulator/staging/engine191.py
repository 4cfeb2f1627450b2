"""Engine 191: the main station in the middle, a line towards every seat, score yards, scrap and boneyard in the corners."""

from __future__ import annotations

from random import Random

import numpy as np

from engine.core import UNKNOWN
from engine.engine191.actions import Play
from engine.engine191.game import State
from engine.engine191.turns import incomplete
from engine.pieces import Tile as Domino
from simulator.staging.lines import Laid, Room
from simulator.staging.setting import SEATS, STREWN, Fault, Pile, Plan, Racks, Setting, named, shown
from simulator.tabletop.lying import Tabletop, Tile


class Engine191Stage:
    """Lays the states of one game of Engine 191; call `lay` with one state after another."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.racks = Racks(setting)
        self._reset(None)

    def _reset(self, hub: Domino | None) -> None:
        setting = self.setting
        x0, y0, x1, y1 = setting.area
        across, down = setting.width + 5.0, setting.length + 6.0
        self.hub = hub
        self.lines: list[list[Laid]] = [[] for _ in range(setting.players)]
        self.room = Room((x0 + 15, y0 + 15, x1 - 15, y1 - 15), setting.length, setting.width)
        for k, tag in enumerate(setting.corners()):
            self.room.block(f"tag {k}", tag.x, tag.y, 90, 90)
        if setting.players == 3:
            self.bones = self._pile("boneyard", -4 * across, y0 + 12, 8, 3)
            self.scrap = self._pile("scrap", x0 + 60, y0 + 12, 5, 3, up=True)
        else:
            self.bones = self._pile("boneyard", x0 + 130, y1 - 4 * down - 12, 5, 4)
            self.scrap = self._pile("scrap", x1 - 130 - 5 * across, y0 + 12, 5, 4, up=True)
        self.yards = [self._yard(seat) for seat in range(setting.players)]

    def _pile(self, name: str, x: float, y: float, columns: int, rows: int, up: bool = False, turned: float = np.pi / 2) -> Pile:
        """A pile whose place the lines keep out of."""
        setting = self.setting
        wide, high = columns * (setting.width + 5.0), rows * (setting.length + 6.0)
        if abs(np.cos(turned)) > 0.5:
            wide, high = columns * (setting.length + 6.0), rows * (setting.width + 5.0)
        self.room.block(name, x + wide / 2, y + high / 2, wide, high)
        return Pile(setting, x, y, columns, up, turned)

    def _yard(self, seat: int) -> Pile:
        """A seat's score yard: rows at its right."""
        setting = self.setting
        facing = setting.facing(seat)
        along, deep = (setting.width + 5.0) * 8, (setting.length + 6.0) * 2
        beside = abs(np.sin(facing)) > 0.5
        x, y = setting.at(seat, (130 if beside else 175) + along / 2, 16 + deep / 2)
        if beside:
            return self._pile(f"yard {seat}", x - deep / 2, y - along / 2, 2, 8, up=True, turned=facing - np.pi / 2)
        return self._pile(f"yard {seat}", x - along / 2, y - deep / 2, 8, 2, up=True, turned=facing - np.pi / 2)

    def lay(self, state: State) -> Tabletop:
        """The table as people have laid this state."""
        return self.plan(state).laid()

    def plan(self, state: State) -> Plan:
        """The meant places of everything in this state."""
        plan = Plan(self.setting)
        if state.hub != self.hub:
            self._reset(state.hub)
        if state.hub is not None:
            self._follow(state)
            plan.add(Tile(str(state.hub), 0.0, 0.0, 0.0, (state.hub.low, state.hub.high)))
            for line in self.lines:
                for laid in line:
                    plan.add(laid.tile)
        for seat, bid in enumerate(state.bids):
            if bid is not None:
                x, y = self.setting.at(seat, 0.0, 70.0)
                name = f"bid {seat}" if bid.low < 0 else str(bid)
                plan.add(Tile(name, x, y, self.setting.facing(seat) - np.pi / 2, shown(bid), up=False), STREWN)
        for seat, yard in enumerate(state.yards):
            self.yards[seat].add(plan, named(yard, f"yard {seat}"))
        self.bones.add(plan, named(state.boneyard, "bone"))
        self.scrap.add(plan, named(state.scrap, "scrap"))
        for seat, hand in enumerate(state.hands):
            self.racks.add(plan, seat, named(hand, f"hand {seat}"))
        return plan

    def fault(self, state: State, table: Tabletop, lay: object, rng: Random) -> Fault | None:
        """A tile at the end of a line where it may not lie, or one laid by another seat than the one whose turn it is."""
        if state.phase != "turn" or state.turn is None:
            return None
        moves = [(seat, tile, line, end) for seat in range(state.players) for tile in state.hands[seat]
                 for line in range(state.players) for end in set(tile)]
        passes = any(action.kind == "pass" for action in state.legal())  # that leaves no trace: nobody can tell who is to move
        plain = state.pushed[-1].kind not in ("end", "pass") and not passes
        found: dict[str, Fault] = {}
        for seat, tile, line, inner in rng.sample(moves, len(moves)):
            laid = state.lines[line]
            fits = inner == (laid[-1][1] if laid else (state.hub or UNKNOWN)[0])
            if seat == state.turn:
                verdict = state.verify(Play(tile, line, "hand", None))
                rule = "match" if not fits and verdict.rule == "match" else verdict.rule if fits else None
            else:
                rule = "out-of-turn" if plain and fits and line == seat and not incomplete(state) else None
            if rule and rule not in found:
                after = self.lines[line][-1] if self.lines[line] else self._start(line)
                lies = self.room.next(after, (inner, tile.low + tile.high - inner), -1).tile
                found[rule] = Fault(rule, seat, table.put(lies))
        return found[rng.choice(sorted(found))] if found else None

    def _follow(self, state: State) -> None:
        """Keep of each line what still lies, and go on with it."""
        for seat, line in enumerate(state.lines):
            laid = self.lines[seat]
            same = 0
            while same < min(len(laid), len(line)) and laid[same].tile.ends == line[same]:
                same += 1
            for gone in laid[same:]:
                self.room.boxes.pop(gone.tile.name, None)
            del laid[same:]
        hub = Tile("hub", 0.0, 0.0, 0.0, (0, 0))
        self.room.boxes["hub"] = self.room.box(hub)
        for seat, line in enumerate(state.lines):
            for ends in line[len(self.lines[seat]) :]:
                self._next(seat, ends)

    def _start(self, seat: int) -> Laid:
        """The side of the main station that looks to a seat."""
        setting = self.setting
        angle = SEATS[setting.players][seat]
        way = (float(np.round(np.cos(angle))), float(np.round(np.sin(angle))))
        reach = setting.length / 2 if way[0] else setting.width / 2
        return Laid(Tile("hub", 0.0, 0.0, 0.0, (0, 0)), (way[0] * reach, way[1] * reach), way)

    def _next(self, seat: int, ends: tuple[int, int]) -> None:
        line = self.lines[seat]
        after = line[-1] if line else self._start(seat)
        laid = self.room.next(after, ends, -1)
        line.append(laid)
        self.room.boxes[laid.tile.name] = self.room.box(laid.tile)
