"""Dominoids: sixteen piecepack tiles face down as a board, the gene pool beside it, coins, pawns, and dice in their box."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import numpy as np

from calibration import mats
from engine.actions import Action
from engine.dominoids.actions import SUITS, Shift
from engine.dominoids.board import cell_of
from engine.dominoids.game import State
from simulator.staging.dominoids_faults import Lay, fault
from simulator.staging.setting import EXACT, LAID, STREWN, TUCKED, Fault, Pile, Plan, Setting
from simulator.tabletop.lying import Board, Coin, Die, Pawn, Sheet, Tabletop, Tile

FACES = ("null", "ace", "2", "3", "4", "5")
MIDDLE = (-60.0, 0.0)
"""Middle of the board, mm."""

BOX = (225.0, 130.0)
"""Middle of the dice box."""

TAKEN = (16.5, 199.5)
"""How far from the left edge of the mat each seat lays the dice that it has chosen: between its tags, beside the boxes."""


class DominoidsStage:
    """Lays the states of one game of Dominoids; call `lay` with one state after another, and `done` with every action.

    The setting's look should be `fitted` to the cells of its board (see `cell_mm`). Cells count from the lower left
    corner as seat 0 sees it.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting, self.edition = setting, setting.look.edition
        side = self.edition.tile_mm[0]
        self.pitch = side / 2 + 0.25
        left = MIDDLE[0] - 4 * self.pitch
        across = setting.length + 8.0
        self.pool = Pile(setting, left - 2 * across - 45, -140.0, 2, up=True, turned=0.0)
        self.boards = {(column, row): f"board {column} {row}" for column in range(4) for row in range(4)}
        self.shoves: dict[str, int] = {}

    def done(self, action: Action) -> None:
        """Take note of an action; a shift moves tiles of the board, which a state does not know one by one."""
        if not isinstance(action, Shift):
            return
        along = [(k, action.index) if action.line == "row" else (action.index, k) for k in range(4)]
        names = [self.boards[place] for place in along]
        for k, name in enumerate(names):
            self.boards[along[(k + action.step) % 4]] = name
            self.shoves[name] = self.shoves.get(name, 0) + 1

    def cell(self, x: float, y: float) -> tuple[float, float]:
        """The middle of a cell, table mm."""
        return MIDDLE[0] + (x - 3.5) * self.pitch, MIDDLE[1] - (y - 3.5) * self.pitch

    def lay(self, state: State) -> Tabletop:
        """The table as people have laid this state."""
        return self.plan(state).laid()

    def fault(self, state: State, table: Tabletop, lay: Lay, rng: Random) -> Fault | None:
        """Something that breaks a rule, if one comes to mind."""
        return fault(state, lay, rng)

    def plan(self, state: State) -> Plan:
        """The meant places of everything in this state."""
        plan = Plan(self.setting)
        plan.add(Sheet("dicebox", *BOX, 0.0, "dicebox"), EXACT)
        for (column, row), name in self.boards.items():
            plan.add(Board(name, *self.cell(2 * column + 0.5, 2 * row + 0.5), 0.0), TUCKED)
        high = self.edition.tile_mm[1]
        for each in state.dominoids:
            low, top = (each.first, each.second) if each.p <= each.q else (each.second, each.first)
            (xa, ya), (xb, yb) = (self.cell(*cell_of(cell)) for cell in (low, top))
            angle = float(np.arctan2(yb - ya, xb - xa))
            plan.add(Tile(str(each.tile), (xa + xb) / 2, (ya + yb) / 2, angle, (each.tile.low, each.tile.high), z=high), LAID)
        for suit, pawn in enumerate(state.pawns):
            plan.add(Pawn(f"pawn {SUITS[suit]}", *self.cell(*cell_of(pawn)), 0.4 * suit, SUITS[suit], z=high), STREWN)
        self.pool.add(plan, [(str(tile), (tile.low, tile.high)) for tile in state.pool])
        self._coins(state, plan, high)
        self._dice(state, plan)
        return plan

    def _coins(self, state: State, plan: Plan, board: float) -> None:
        """On the board, in the four stacks, and collected before each seat."""
        wide, high = self.edition.coin_mm
        for suit, held in enumerate(state.coins):
            if held:
                cell, value, up = held
                plan.add(self._coin(suit, value, 0, *self.cell(*cell_of(cell)), up, board), STREWN)
        for suit, stack in enumerate(state.stacks):
            x, y = BOX[0] - 75 + 50 * suit, BOX[1] - 130
            for k, value in enumerate(reversed(stack)):
                plan.add(self._coin(suit, value, k + 1, x, y, False, k * high), TUCKED)
        for seat, coins in enumerate(state.collected):
            for suit in range(4):
                for k, (_, value) in enumerate(coin for coin in coins if coin[0] == suit):
                    x, y = self.setting.at(seat, -200 + suit * (wide * 2 + 55) + k * (wide + 2), 16 + wide / 2)
                    plan.add(self._coin(suit, value, 10 + k, x, y, True, 0.0), STREWN)

    @staticmethod
    def _coin(suit: int, value: int, number: int, x: float, y: float, up: bool, z: float) -> Coin:
        """A coin; one of unknown value is named by where it lies."""
        name = f"coin {SUITS[suit]} {FACES[value] if value >= 0 else f'unknown {number}'}"
        return Coin(name, x, y, 0.7 * suit + value, SUITS[suit], FACES[max(value, 0)], up, z)

    def _dice(self, state: State, plan: Plan) -> None:
        """Four dice in the two boxes, each suit at its own place, a little turned by every roll; those chosen beside them."""
        box = mats.DICE_BOX
        spots: Mapping[str, tuple[float, float]] = {name: slot.center for name, slot in box.slots.items()}
        for suit, face in enumerate(state.dice):
            x, y = spots["new" if state.new[suit] else "old"]
            x += BOX[0] - box.width / 2 + (suit % 2 - 0.5) * 30
            y += BOX[1] - box.height / 2 + (suit // 2 - 0.5) * 28 + 12
            if suit in state.picked:
                x = BOX[0] - box.width / 2 + TAKEN[state.turn or 0]
                y = BOX[1] + (state.picked.index(suit) - 0.5) * 24
            turn = 6 * suit + face
            plan.add(Die(f"die {SUITS[suit]}", x, y, 1.1 * turn, SUITS[suit], FACES[face], turn), STREWN)


def cell_mm(setting: Setting) -> float:
    """Side of a cell of the board, mm: half a piecepack tile."""
    return setting.look.edition.tile_mm[0] / 2
