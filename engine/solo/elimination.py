"""Domino Elimination: touch the tiles in turn counting 0 to 12; a tile with as many pips leaves. A machine, not a choice.

>>> from random import Random
>>> State.start(None, 1, Random(1)).foretell().reason
'all eliminated'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from engine.actions import TILES, Action, number
from engine.core import Broken, Outcome, rule_book
from engine.pieces import DOUBLE_SIX, Tile
from engine.reasons import Reason
from engine.solo.common import NoRules, Solo, shuffled
from engine.solo.reasons import Foretold
from engine.state import Doings, checked
from engine.words import say

COUNTS = 13


@dataclass(frozen=True, slots=True)
class Touch(Action):
    """Touch the next tile and say the next number."""

    kind: ClassVar[str] = "touch"


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """Chance: the row from left to right."""

    kind: ClassVar[str] = "deal"
    FORM = (("row", "row", TILES),)

    row: tuple[Tile, ...]


TOUCH = Touch()


class State(Solo):
    """A row of Domino Elimination."""

    game = "elimination"
    TITLE = "Elimination"
    NEARLY_WON = 6
    Rules = NoRules
    ACTIONS = (Touch,)
    CHANCE = (Deal,)
    FIELDS = ("row", "at", "count", "removed")
    RULE_BOOK = rule_book(
        ("deal", "All 28 tiles lie side by side in one row.", "Domino Elimination: arrange them in one long row, side by side."),
        ("touch", "The tiles are touched in order, counting from 0 to 12 and again from 0; the count goes on over the row's end.",
         "Domino Elimination: begin counting the dominoes from 0 to 12, touching each tile. Rulings B1, B2, F4."),
        ("leave", "A tile whose pips are the number said leaves.",
         "Domino Elimination: if the number of pips is the same as the number you are counting remove the domino. Ruling B3."),
        ("stuck", "When a pass over 13 or 26 tiles removes nothing, nothing ever leaves again.", "Ruling B4, F4."),
        ("game-over", "The game is over.", "Domino Elimination: until you have eliminated all the dominoes."),
        ("chance-first", "First the row has to be laid.", "Domino Elimination: shuffle the dominoes."),
        ("other-game", "That is an action of another game.", "Domino Elimination."),
    )

    row: tuple[Tile, ...]
    at: int  # which tile of the row is touched next
    count: int  # the number to say with it
    removed: bool  # whether this pass has removed a tile

    def _set_up(self) -> None:
        self.row, self.at, self.count, self.removed = (), 0, 0, False

    def legal(self) -> list[Action]:
        """There is only one thing to do."""
        return [] if self.turn is None else [TOUCH]

    @property
    def leaves(self) -> bool:
        """Whether the tile that is touched next leaves."""
        return self.row[self.at].pips == self.count

    def _touch(self, action: Touch) -> None:
        at = self.at
        if self.leaves:
            self.row = self.row[:at] + self.row[at + 1 :]
            self.removed = True
        else:
            at += 1
        self.count = (self.count + 1) % COUNTS
        self.at = at
        if at == len(self.row):
            self.at = 0
            if not self.row:
                self._over(say("all eliminated"), (0,))
            elif not self.removed and len(self.row) % COUNTS == 0:
                self._over(say("stuck at {tiles}", tiles=len(self.row)), ())
            self.removed = False

    def _over(self, reason: str, winners: tuple[int, ...]) -> None:
        self.turn, self.phase = None, "over"
        self.result = Outcome(reason, winners, self.scores())

    def _deal(self, action: Deal) -> None:
        self.row = action.row
        self._begin()

    def picture(self) -> list[str]:
        """The row, and what is said next."""
        row = "".join(f"[{tile.low}|{tile.high}]" for tile in self.row) or "(nothing left)"
        return [row, f"next: tile {self.at + 1}, say {self.count}"] if self.row else [row]

    def solved(self) -> list[tuple[Action, float]] | None:
        """There is nothing to choose."""
        return [(TOUCH, -float(self.foretell().scores[0]))]

    def reasons(self, action: Action) -> Iterator[Reason]:
        """How it ends."""
        yield Foretold(self.foretell().reason)

    def foretell(self) -> Outcome:
        """How this row will end: it is settled as soon as it is laid (F4)."""
        other = self.copy()
        while other.result is None:
            other._touch(TOUCH)
        return other.result

    def random_chance(self, rng: Random) -> Action:
        """A random row."""
        return Deal(tuple(shuffled(rng)))

    def scores(self) -> tuple[int, ...]:
        """The tiles left."""
        return (len(self.row),)

    def score_parts(self, seat: int) -> list[tuple[str, int]]:
        """The tiles left."""
        return [(say("tiles left"), len(self.row))]

    def _broken(self, action: Any) -> Broken:
        return Broken("touch", say("The next tile is touched with the next number; there is nothing else to do."))

    def _verify_chance(self, action: Any) -> Broken | None:
        if self.chance != "deal":
            return Broken("deal", say("The row is laid only once."))
        return None if Counter(action.row) == Counter(DOUBLE_SIX) else Broken("deal", say("The row has all 28 tiles, each once."))

    def _exchange(self) -> dict[str, Any]:
        return {"row": TILES.write(self.row), "at": self.at, "count": self.count}

    def _extra(self) -> dict[str, Any]:
        return {"removed": self.removed}

    def _fill(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        self.row, self.at, self.count = TILES.read(data["row"]), number(data["at"]), number(data["count"])
        self.removed = bool(extra.get("removed", False))
        checked(not Counter(self.row) - Counter(DOUBLE_SIX), "a tile is there too often, or not of this set")
        checked(0 <= self.at < max(len(self.row), 1) and 0 <= self.count < COUNTS, "no such place or count")
        checked(self.phase in ("deal", "play", "over"), f"no phase {self.phase!r} in elimination")
        checked((self.turn is None) == (self.phase != "play"), "the turn does not fit the phase")

    _do: ClassVar[Doings] = {Touch: _touch, Deal: _deal}
