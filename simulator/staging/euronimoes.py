"""Euronimoes: a grid before every seat, the market on its mat in the middle, the bone pile beside it, chips and banks."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from random import Random

import numpy as np

from calibration import mats
from engine.core import UNKNOWN
from engine.euronimoes.actions import Buy, Draw, Play
from engine.euronimoes.game import CHIPS, State
from engine.euronimoes.layout import Placed
from engine.pieces import Tile as Domino
from simulator.staging.euronimoes_faults import Lay, fault
from simulator.staging.setting import EXACT, STREWN, TUCKED, Copies, Fault, Pile, Plan, Racks, Setting, shown
from simulator.tabletop.lying import Chip, Sheet, Tabletop, Tile

SLOTS = ("-1", "0", "1", "2", "3")

CHIPS_AT: Mapping[int, tuple[float, ...]] = {2: (350.0,) * 2, 3: (235.0,) * 3, 4: (235.0, 235.0, 235.0, -235.0)}
"""How far to its right each seat keeps its chips, mm; with four players the bone pile lies at the last one's right."""


class EuronimoesStage:
    """Lays the states of one game of Euronimoes; call `lay` with one state after another."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.mat = setting, mats.MARKET
        self.racks = Racks(setting)
        x0, y0, x1, _ = setting.area
        across, down = setting.width + 5.0, setting.length + 6.0
        if setting.players == 2:
            self.pile = Pile(setting, x0 + 12, -down * 1.5, max(6, int((-140 - x0) / across)))
        elif setting.players == 3:
            self.pile = Pile(setting, -7 * across, y0 + 25, 14)
        else:
            self.pile = Pile(setting, 192, y0 + 14, int((x1 - 45 - 192) / (setting.width + 2.0)), tight=True)
        self.copies = Copies()

    @property
    def pitch(self) -> float:
        """From one cell of a grid to the next, mm."""
        return max(self.setting.width, self.setting.length / 2) + 0.9

    def cell(self, seat: int, x: float, y: float) -> tuple[float, float]:
        """The middle of a cell of a seat's grid, table mm; x to the seat's right, y towards the middle."""
        return self.setting.at(seat, (x + 0.5) * self.pitch, self._start(seat) + (y + 0.5) * self.pitch)

    def _start(self, seat: int) -> float:
        """How far from its edge a seat's first row lies."""
        depth = self._depth(seat)
        return depth / 2 - self.pitch

    def _depth(self, seat: int) -> float:
        """Room between a seat's edge and the mat, mm."""
        x0, y0, x1, y1 = self.setting.area
        upright = abs(np.sin(self.setting.facing(seat))) < 0.5
        return (y1 - y0) / 2 - self.mat.height / 2 - 12 if upright else (x1 - x0) / 2 - self.mat.width / 2 - 20

    def room(self, seat: int) -> tuple[int, int, int, int]:
        """Cells of a seat's grid that lie before it without touching anything else: x0, y0, x1, y1, all included."""
        beside = abs(np.sin(self.setting.facing(seat))) > 0.5
        half = 300.0 if self.setting.players == 2 else 190.0 if self.setting.players == 3 or not beside else 80.0
        start, depth = self._start(seat), self._depth(seat)
        columns = int(half / self.pitch)
        return -columns, -int((start - 10) / self.pitch), columns - 1, int((depth - start - 6) / self.pitch) - 1

    def fits(self, seat: int, action: Play) -> bool:
        """Whether a play stays before its seat, as players see to."""
        x0, y0, x1, y1 = self.room(seat)
        return all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in action.cells)

    def fault(self, state: State, table: Tabletop, lay: Lay, rng: Random) -> Fault | None:
        """A play that breaks a rule, if one comes to mind."""
        return fault(self, state, table, lay, rng)

    def plan(self, state: State) -> Plan:
        """The meant places of everything in this state."""
        setting = self.setting
        plan = Plan(setting)
        plan.add(Sheet("market", 0.0, 0.0, 0.0, "market"), EXACT)
        places = _places(state)
        self.copies.went(places, _ways(state))
        names = iter(self.copies.names(places))
        for seat, layout in enumerate(state.layouts):
            for tile in layout.placed:
                plan.add(self.laid(next(names), seat, tile))
        for slot, held in zip(SLOTS, state.market, strict=True):
            if held is not None:
                x, y = self._spot(self.mat.slots[slot].center)
                plan.add(Tile(next(names), x, y, -np.pi / 2, (held.low, held.high)))
        for seat, hand in enumerate(state.hands):
            self.racks.add(plan, seat, [(next(names), shown(tile)) for tile in hand])
        self.pile.add(plan, [(next(names), shown(tile)) for tile in state.pile])
        self._chips(state, plan)
        return plan

    def lay(self, state: State) -> Tabletop:
        """The table as people have laid this state."""
        return self.plan(state).laid()

    def laid(self, name: str, seat: int, play: Placed | Play) -> Tile:
        """A tile of a seat's grid where it is meant to lie."""
        (xa, ya), (xb, yb) = (self.cell(seat, *cell) for cell in play.cells)
        up, angle = play.level - 1, float(np.arctan2(yb - ya, xb - xa))
        return Tile(name, (xa + xb) / 2, (ya + yb) / 2, angle, play.ends, level=up, z=up * self.setting.look.thick_mm)

    def _spot(self, place: tuple[float, float]) -> tuple[float, float]:
        """A point of the mat on the table; the mat lies in the middle, upright for seat 0."""
        return place[0] - self.mat.width / 2, place[1] - self.mat.height / 2

    def _chips(self, state: State, plan: Plan) -> None:
        """Each seat's chips in hand before it, beside its grid, and its bank on the mat."""
        setting = self.setting
        edition = setting.look.edition
        wide, high = edition.chip_mm
        for seat, held in enumerate(state.chips):
            colour = edition.chips[seat]
            for k in range(CHIPS):
                name = f"chip {colour} {k}"
                if k < held:
                    beside = CHIPS_AT[setting.players][seat]
                    x, y = setting.at(seat, beside + (k % 2) * (wide + 4), 22 + wide / 2 + (k // 2) * (wide + 4))
                    plan.add(Chip(name, x, y, k * 1.3 + seat, colour), STREWN)
                    continue
                box = mats.MARKET.slots[f"bank {seat + 1}"]
                if wide <= 20.5:
                    off = ((k % 2 - 0.5) * (wide + 1), (k // 2 - 0.5) * (wide * 0.94))
                    x, y = self._spot((box.center[0] + off[0], box.center[1] + off[1]))
                    plan.add(Chip(name, x, y, k * 1.3 + seat, colour), TUCKED)
                else:  # a row in which each lies half upon the one before
                    lies = CHIPS - 1 - k
                    step = min(11.0, (box.width + 8 - wide) / 3)
                    x, y = self._spot((box.center[0] + (lies - 1.5) * step, box.center[1]))
                    plan.add(Chip(name, x, y, k * 1.3 + seat, colour, z=lies * high), TUCKED)


def _ways(state: State) -> dict[Hashable, Hashable]:
    """Where the last tile taken came from and went to, and what was moved on the market for it."""
    last = state.pushed[-1] if state.pushed else None
    if not isinstance(last, Buy | Draw):
        return {}
    hand, dearest = ("hand", state.turn), ("market", len(SLOTS) - 1)
    taken, taken_to, turned_to = (last.slot, hand, dearest) if isinstance(last, Buy) else (0, dearest, hand)
    ways: dict[Hashable, Hashable] = {("market", slot): ("market", slot - 1) for slot in range(taken + 1, len(SLOTS))}
    return ways | {("market", taken): taken_to, "pile": turned_to}


def _places(state: State) -> list[tuple[Domino, Hashable]]:
    """Every tile with where it lies, in the order in which a plan is made."""
    places: list[tuple[Domino, Hashable]] = []
    for seat, layout in enumerate(state.layouts):
        places += [(Domino.of(*tile.ends), ("laid", seat, at)) for at, tile in enumerate(layout.placed)]
    places += [(tile, ("market", slot)) for slot, tile in enumerate(state.market) if tile is not None]
    places += [(tile, ("hand", seat, k) if tile == UNKNOWN else ("hand", seat)) for seat, hand in enumerate(state.hands)
               for k, tile in enumerate(hand)]
    left = len(state.pile)
    return places + [(tile, ("bone", left - k) if tile == UNKNOWN else "pile") for k, tile in enumerate(state.pile)]
