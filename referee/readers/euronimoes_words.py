"""How Euronimoes is told: what was done, what is to be put right, and where."""

from __future__ import annotations

from engine.actions import Action
from engine.euronimoes.actions import COSTS, Buy, Deal, Draw, Give, Play, Refill, Show, Stop
from engine.euronimoes.game import SLOTS, State
from engine.state import State as AnyState
from engine.words import joined, say, some
from referee.readers.words import named, put_right
from referee.reading import Difference, Place
from referee.setting import Setting

SLOT_NAMES = ("-1", "0", "1", "2", "3")


class Words:
    """Sentences with the players' names; what is read and proposed stands in the classes built upon this one."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def _name(self, seat: int | None) -> str:
        return self.setting.names[seat] if seat is not None else say("Somebody")

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
            paid = say("takes a chip") if cost < 0 else say("free") if cost == 0 else say("for {chips}", chips=some(cost, "chip"))
            return say("{name} buys the {tile} ({paid}).", name=name, tile=tile, paid=paid)
        if isinstance(action, Draw):
            return say("{name} draws from the bone pile.", name=name)
        if isinstance(action, Refill):
            return say("The {tile} is turned up.", tile=action.tile)
        if isinstance(action, Play):
            if action.level > 1:
                return say("{name} plays the {tile} on level {level}.", name=name, tile=action.tile, level=action.level)
            return say("{name} plays the {tile}.", name=name, tile=action.tile)
        if isinstance(action, Stop):
            return say("{name} keeps the last tile.", name=name)
        if isinstance(action, Give):
            return say("{name} goes first.", name=self._name(action.seat))
        if isinstance(action, Show):
            return say("{name} shows {tiles}.", name=self._name(action.seat), tiles=joined(action.tiles, ", "))
        if isinstance(action, Deal):
            return say("The tiles are dealt; {name} begins.", name=self._name(action.first))
        return f"{name}: {action}."

    def step(self, difference: Difference, state: AnyState) -> str:
        """One thing to do with the hands."""
        assert isinstance(state, State)
        place, seen = difference.place, difference.seen
        if difference.kind == "count":
            wanted = difference.ends[0] if difference.ends else 0
            if place == ("pile",):
                return say("The bone pile should have {wanted} tiles; {seen} are seen.", wanted=wanted, seen=seen)
            what, seat = str(place[0]).split()
            values = {"name": self._name(int(seat)), "chips": some(wanted, "chip"), "seen": seen}
            if what == "chips":
                return say("{name} should have {chips} in hand; {seen} are seen.", **values)
            return say("{name} should have {chips} in the bank; {seen} are seen.", **values)
        where = self._position(place)
        if place[0] == "market" and seen == (0, 0):  # or what lies there shows its back
            return say("{Where} should lie the {tile}, face up.", Where=where, tile=named(difference.ends))
        if difference.kind in ("missing", "wrong"):
            return put_right(difference, where)
        if place[0] == "loose":
            return say("The {tile} lies beside the grids: take it back.", tile=named(seen))
        return say("Take the {tile} away {where}.", tile=named(seen), where=where)

    def _position(self, place: Place) -> str:
        if place[0] == "market":
            return say("on slot {place} of the market", place=SLOT_NAMES[place[1]])
        if place[0] == "grid":
            (x, y), _ = place[2]
            return say("in {name}'s grid, column {x}, row {y}", name=self._name(place[1]), x=x, y=y)
        return say("on the table")
