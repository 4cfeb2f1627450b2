"""The games for one player: Knock-Out in two rows that turn at the right, Elimination in three, Solitaire in columns."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from engine.pieces import Tile as Domino
from engine.solo import elimination, knock_out, solitaire
from simulator.staging.setting import Fault, Plan, Setting
from simulator.tabletop.lying import Tabletop, Tile

ROW = 14

Lay = Callable[[Any], Tabletop]
"""Lays a state as people would."""


class KnockOutStage:
    """Knock-Out: 28 tiles end to end in two rows; the line runs right in the upper one and back in the lower.

    Where tiles are knocked out the rest of their row closes up towards the turn, so only tiles of that row move.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.upper: set[str] | None = None  # nothing is laid yet

    def lay(self, state: knock_out.State) -> Tabletop:
        """The table as people have laid this state."""
        return self.plan(state).laid()

    def plan(self, state: knock_out.State) -> Plan:
        """The meant places of everything in this state."""
        plan = Plan(self.setting)
        names = [str(Domino.of(*ends)) for ends in state.row]
        if self.upper is None or len(names) == 2 * ROW:
            self.upper = set(names[:ROW])
        step, right = self.setting.length + 1.6, ROW * (self.setting.length + 1.6) / 2
        upper = [k for k, name in enumerate(names) if name in self.upper]
        for k, (name, ends) in enumerate(zip(names, state.row, strict=True)):
            if name in self.upper:
                plan.add(Tile(name, right - (len(upper) - k - 0.5) * step, -60.0, 0.0, ends))
            else:
                plan.add(Tile(name, right - (k - len(upper) + 0.5) * step, 60.0, np.pi, ends))
        return plan

    def fault(self, state: knock_out.State, table: Tabletop, lay: Lay, rng: Random) -> Fault | None:
        """Two tiles side by side are taken that may not leave."""
        told = [(k, state.verify(knock_out.Knock(k))) for k in range(len(state.row) - 1)]
        wrong = [(k, verdict.rule) for k, verdict in told if not verdict]
        if not wrong:
            return None
        k, rule = rng.choice(wrong)
        return Fault(rule, 0, table.without(str(Domino.of(*ends)) for ends in state.row[k : k + 2]))


class EliminationStage:
    """Domino Elimination: upright tiles side by side, thirteen to a row; those that leave leave a gap."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.places: dict[Domino, int] = {}

    def lay(self, state: elimination.State) -> Tabletop:
        """The table as people have laid this state."""
        return self.plan(state).laid()

    def plan(self, state: elimination.State) -> Plan:
        """The meant places of everything in this state."""
        plan = Plan(self.setting)
        if not set(state.row) <= set(self.places) or len(state.row) > len(self.places):
            self.places = {}
        if not self.places:
            self.places = {tile: k for k, tile in enumerate(state.row)}
        for tile in state.row:
            row, at = divmod(self.places[tile], 13)
            x, y = (at - 6) * (self.setting.width + 4.0), (row - 1) * (self.setting.length + 25.0)
            plan.add(Tile(str(tile), x, y, np.pi / 2, (tile.low, tile.high)))
        return plan

    def fault(self, state: elimination.State, table: Tabletop, lay: Lay, rng: Random) -> Fault | None:
        """A tile is taken that is not the next to leave."""
        after = state.copy()
        while after.outcome() is None and not after.leaves:
            after.push(elimination.TOUCH)
        others = [tile for tile in after.row if tile != after.row[after.at]] if after.outcome() is None else []
        return Fault("leave", 0, table.without([str(rng.choice(others))])) if others else None


class SolitaireStage:
    """Domino Solitaire: upright tiles in up to seven columns, from the upper edge down; a column keeps its place."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.places: dict[str, int] = {}

    def lay(self, state: solitaire.State) -> Tabletop:
        """The table as people have laid this state."""
        return self.plan(state).laid()

    def plan(self, state: solitaire.State) -> Plan:
        """The meant places of everything in this state."""
        plan = Plan(self.setting)
        columns = [[self._name(tile, at, k) for k, tile in enumerate(column)] for at, column in enumerate(state.columns)]
        last = state.pushed[-1] if state.pushed else None
        slots = self._slots(columns, last.size if isinstance(last, solitaire.Cap) else 0)
        top = self.setting.area[1] + 30 + self.setting.length / 2
        step = self.setting.length + 1.6
        for at, column in enumerate(state.columns):
            x = (slots[at] - 3) * (self.setting.width * 2 + 22)
            squeeze = min(1.0, (self.setting.area[3] - self.setting.area[1] - 60) / (len(column) * step))
            for k, tile in enumerate(column):
                ends = (max(tile.top, 0), max(tile.bottom, 0))
                plan.add(Tile(columns[at][k], x, top + k * step * squeeze, np.pi / 2, ends, up=tile.up))
        return plan

    def fault(self, state: solitaire.State, table: Tabletop, lay: Lay, rng: Random) -> Fault | None:
        """The lowest tile of a column is laid under another that does not match."""
        wrong = [(source, to) for source, column in enumerate(state.columns) if len(column) > 1
                 for to in range(len(state.columns)) if state.verify(solitaire.Move(source, 1, to)).rule == "match"]
        if not wrong:
            return None
        (source, to), after = rng.choice(wrong), state.copy()
        columns = list(after.columns)
        columns[source], columns[to] = columns[source][:-1], (*columns[to], columns[source][-1])
        after.columns = tuple(columns)
        return Fault("match", 0, lay(after))

    @staticmethod
    def _name(tile: solitaire.Upright, column: int, at: int) -> str:
        return f"down {column} {at}" if tile.top < 0 else str(Domino.of(tile.top, tile.bottom))

    def _slots(self, columns: list[list[str]], capped: int) -> list[int]:
        """Where each column lies: where its topmost tile lay before, or the next free place. capped: so many tiles were just laid
        above one, which kept its place."""
        slots: list[int | None] = []
        for names in columns:
            before = next((self.places[name] for name in (*names[capped:], *names) if name in self.places), None)
            slots.append(None if before in slots else before)
        free = iter(slot for slot in range(len(columns) + 7) if slot not in slots)
        told = [next(free) if slot is None else slot for slot in slots]
        self.places = {name: slot for names, slot in zip(columns, told, strict=True) for name in names}
        return told
