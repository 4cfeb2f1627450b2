"""What has really been done at a simulated table, in the words in which the referee tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.actions import Action
from engine.lines.actions import Play
from engine.solo import solitaire
from engine.state import State

SAID = {"stop", "claim", "muggins"}
"""What is said on the page alone."""


def by_hand(action: Action, state: State) -> bool:
    """Whether an action is done with tiles: not by chance, not by saying so as who stops, nor by leaving it at that."""
    return not isinstance(action, state.CHANCE) and action.kind not in SAID | {"end"}


def is_said(texts: Sequence[str]) -> bool:
    """Whether these actions are said on the page, with what was let go before that."""
    kinds = {text.split()[0] for text in texts}
    return bool(kinds & SAID) and kinds <= SAID | {"skip"}


class Story:
    """What has really been done, as everybody at the table saw it, chance too: what the referee should believe.

    due: so many of its actions the referee should have understood; hands that are just being shown may come later.
    """

    def __init__(self, blank: State) -> None:
        self.state = blank
        self.due = 0

    def texts(self, believed: Sequence[str] = ()) -> list[str]:
        """Everything, in the referee's words: at a lone double both sides are alike, so left and right are as it named them."""
        told: list[str] = []
        mirrored, alike = False, False
        for at, action in enumerate(self.state.pushed):
            if isinstance(action, Play) and action.arm == "root":
                mirrored, alike = False, action.tile.is_double
            elif isinstance(action, Play):
                if alike:
                    mirrored, alike = str(_mirrored(action)) in believed[at : at + 1], False
                action = _mirrored(action) if mirrored else action
            told.append(str(action))
        return told

    def plays(self, most: int | None = None) -> list[str]:
        """The texts of all actions that hands do, among the first `most`."""
        return [str(action) for action in self.state.pushed[:most] if by_hand(action, self.state)]

    def open(self, deal: Action) -> None:
        """All saw this deal as it lay; not how tiles will be turned over, which no two readers need agree upon."""
        self.state.push(replace(deal, flip=solitaire.FLIPS[0]) if isinstance(deal, solitaire.Deal) else deal)
        self.due = len(self.state.pushed)

    def add(self, actions: tuple[Action, ...], after: State, deals: list[Action]) -> None:
        """These actions were done, which led to `after`; deals: all of the game, in order."""
        for action in actions:
            if self.state.chance == "deal":
                dealt = sum(each.kind == "deal" for each in self.state.pushed)
                self.state.push(after.public(deals[dealt]))
            self.state.push(after.public(action))
        self.due = len(self.state.pushed)
        while self.state.chance not in (None, "deal"):
            self.state.push(after.answer(self.state))

    def take_back(self) -> None:
        """The last play was taken back, with the chance after it."""
        while isinstance(self.state.pop(), self.state.CHANCE):
            pass
        self.due = len(self.state.pushed)


ACROSS = {"left": "right", "right": "left", "up": "down", "down": "up"}


def _mirrored(action: Play) -> Play:
    """A play with left and right exchanged, and with them the sides of the first tile; those of other doubles lie as they did."""
    first, *rest = action.arm.split(".")
    arm = ["root", ACROSS[rest[0]], *rest[1:]] if first == "root" and rest else [ACROSS.get(first, first), *rest]
    return replace(action, arm=".".join(arm))
