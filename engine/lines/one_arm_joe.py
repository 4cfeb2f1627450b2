"""One-Arm Joe: Block & Draw with three tiles each and one open end; a tile played on a double earns one more.

>>> from random import Random
>>> State.start(Rules(), 2, Random(3)).to_exchange()["arms"]
{'right': []}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.actions import Action
from engine.core import UNKNOWN, flag, rule_book
from engine.lines.actions import SKIP, Draw, Pass, Play, Skip
from engine.lines.book import BLOCKED, COMMON, DRAWING, LEADING
from engine.lines.kit import Kit, kit, matching
from engine.lines.line import Line, LineRules
from engine.state import Doings


@dataclass(frozen=True)
class Rules(LineRules):
    """The flags of One-Arm Joe."""

    set_max: int = flag(6, 9, 12, 15, about="The highest number of pips on one end of the set.")
    bonus: str = flag("on_double", "plays_double", about="What earns one more tile: playing on a double, or playing a double.")


class State(Line):
    """A table of One-Arm Joe."""

    game = "one-arm-joe"
    TITLE = "One-Arm Joe"
    NEARLY_WON = 30
    DOUBLES_COUNT = True
    Rules = Rules
    ACTIONS = (Play, Draw, Pass, Skip)
    FIELDS = Line.LINE_FIELDS
    RULE_BOOK = rule_book(
        *COMMON, *LEADING, *DRAWING, *BLOCKED,
        ("one-arm", "Tiles are played on one side of the first tile only.",
         "One-Arm Joe: play may only be made on one side of the center domino."),
        ("bonus", "Who plays on a double, the first one too, may play one more tile; no tile is drawn for it.",
         "One-Arm Joe: anytime a player makes a play on a double domino, including the first set domino, he may play another "
         "tile before his turn is up. Rulings J1 to J4."),
        ("first-double", "Who leads the first double earns nothing for it; only by bonus=plays_double it is a double played.",
         "Ruling J5: no bonus by default, as J2 has it."),
        ("nothing-to-skip", "Only a bonus tile can be declined.", "Ruling J3."),
    )

    def _make_kit(self) -> Kit:
        return kit(self.rules.set_max, 3, matching, one_arm=True)

    def legal(self) -> list[Action]:
        """As in Block & Draw; a bonus is one more tile or none (J3)."""
        if self.phase != "bonus":
            return super().legal()
        hand = self.hands[self.turn or 0]
        if UNKNOWN in hand:
            known = (tile for tile in hand if tile != UNKNOWN)
            hand = tuple(sorted({*known, *self.candidates(self.turn or 0)}))
        return [*self.plays_of(hand), SKIP]

    def _played(self, action: Play, seat: int) -> None:
        self.story = (self.story, "play", seat, action.tile)
        if self.ending:
            self._round_over()
        elif self.phase == "bonus" or not self._earns(action):
            self.phase = "play"
            self.turn = (seat + 1) % self.players
        else:
            self.phase = "bonus"

    def _earns(self, action: Play) -> bool:
        """Whether this play earns a bonus: laid on a double, or a double itself (J1, J2)."""
        if self.rules.bonus == "plays_double":
            return action.tile.is_double
        if action.arm == "root":
            return False
        line = self.right_arm
        inner, outer = line[-2] if len(line) > 1 else self.root  # type: ignore[misc]
        return bool(inner == outer)

    def _skip(self, action: Skip) -> None:
        self.phase = "play"
        self.turn = ((self.turn or 0) + 1) % self.players

    def phases(self) -> tuple[str, ...]:
        """The phases of every line, and its own."""
        return *super().phases(), "bonus"

    _do: ClassVar[Doings] = Line._do | {Skip: _skip}
