"""Block & Draw: five tiles each, match either end of the line, draw until one fits, pass when there is nothing to draw.

>>> from random import Random
>>> state = State.start(Rules(), 2, Random(1))
>>> [str(action) for action in state.legal()]
['play 6-6 root -']
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import flag, rule_book
from engine.lines.book import BLOCKED, COMMON, DRAWING, LEADING
from engine.lines.kit import Kit, kit, matching
from engine.lines.line import Line, LineRules


@dataclass(frozen=True)
class Rules(LineRules):
    """The flags of Block & Draw."""

    set_max: int = flag(6, 9, 12, 15, about="The highest number of pips on one end of the set.")


class State(Line):
    """A table of Block & Draw."""

    game = "block"
    TITLE = "Block & Draw"
    NEARLY_WON = 40
    Rules = Rules
    FIELDS = Line.LINE_FIELDS
    RULE_BOOK = rule_book(*COMMON, *LEADING, *DRAWING, *BLOCKED)

    def _make_kit(self) -> Kit:
        return kit(self.rules.set_max, 5, matching)
