"""How Euronimoes is told: what was done, what is to be put right, and where."""

from __future__ import annotations

from engine.actions import Action
from engine.euronimoes.actions import COSTS, Buy, Deal, Draw, Give, Play, Refill, Show, Stop
from engine.euronimoes.game import SLOTS, State
from engine.state import State as AnyState
from referee.readers.words import named, put_right
from referee.reading import Difference, Place
from referee.setting import Setting

SLOT_NAMES = ("-1", "0", "1", "2", "3")


class Words:
    """Sentences with the players' names; what is read and proposed stands in the classes built upon this one."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def _name(self, seat: int | None) -> str:
        return self.setting.names[seat] if seat is not None else "Somebody"

    def revokes(self, state: AnyState, show: Action) -> list[str]:
        """Nothing here: no turn says anything about the tiles that a seat keeps."""
        return []

    def words(self, state: AnyState, action: Action) -> str:
        """As a player would say it."""
        assert isinstance(state, State)
        name = self._name(state.turn)
        if isinstance(action, Buy):
            tile = state.market[action.slot] if 0 <= action.slot < SLOTS else None
            cost = COSTS[action.slot] if 0 <= action.slot < SLOTS else 0
            paid = "takes a chip" if cost < 0 else "free" if cost == 0 else f"for {chips_said(cost)}"
            return f"{name} buys the {tile} ({paid})."
        if isinstance(action, Draw):
            return f"{name} draws from the bone pile."
        if isinstance(action, Refill):
            return f"The {action.tile} is turned up."
        if isinstance(action, Play):
            raised = f" on level {action.level}" if action.level > 1 else ""
            return f"{name} plays the {action.tile}{raised}."
        if isinstance(action, Stop):
            return f"{name} keeps the last tile."
        if isinstance(action, Give):
            return f"{self._name(action.seat)} goes first."
        if isinstance(action, Show):
            return f"{self._name(action.seat)} shows {', '.join(map(str, action.tiles))}."
        if isinstance(action, Deal):
            return f"The tiles are dealt; {self._name(action.first)} begins."
        return f"{name}: {action}."

    def step(self, difference: Difference, state: AnyState) -> str:
        """One thing to do with the hands."""
        assert isinstance(state, State)
        place, seen = difference.place, difference.seen
        if difference.kind == "count":
            wanted = difference.ends[0] if difference.ends else 0
            if place == ("pile",):
                return f"The bone pile should have {wanted} tiles; {seen} are seen."
            what, seat = str(place[0]).split()
            where = "in hand" if what == "chips" else "in the bank"
            return f"{self._name(int(seat))} should have {chips_said(wanted)} {where}; {seen} are seen."
        where = self._position(place)
        if place[0] == "market" and seen == (0, 0):  # or what lies there shows its back
            return f"{where[0].upper()}{where[1:]} should lie the {named(difference.ends)}, face up."
        if difference.kind in ("missing", "wrong"):
            return put_right(difference, where)
        if place[0] == "loose":
            return f"The {named(seen)} lies beside the grids: take it back."
        return f"Take the {named(seen)} away {where}."

    def _position(self, place: Place) -> str:
        if place[0] == "market":
            return f"on slot {SLOT_NAMES[place[1]]} of the market"
        if place[0] == "grid":
            (x, y), _ = place[2]
            return f"in {self._name(place[1])}'s grid, column {x}, row {y}"
        return "on the table"


def chips_said(count: int) -> str:
    return f"{count} chip" if count == 1 else f"{count} chips"
