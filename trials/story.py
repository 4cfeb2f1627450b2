"""What has really been done at a simulated table, in the words in which the referee tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.actions import Action, action_from_text
from engine.dominoids.game import State as Dominoids
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


def as_it_looks(before: State, actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """What was done in a state, in the shortest way to the same position: a bonus that was let go and laid after all by its
    seat, once all others had passed, looks like one that was laid, as does a turn that was ended and gone on with, and nothing
    hangs on it."""
    at = next((at for at, action in enumerate(actions) if action.kind in ("skip", "end")), None)
    if at is None or before.chance:
        return actions
    shorter = (*actions[:at], actions[-1])
    return shorter if _leads_to(before, shorter) == _leads_to(before, actions) else actions


def _leads_to(before: State, actions: Sequence[Action]) -> Any:
    """The position after these actions; the actions themselves where they cannot all be done."""
    state = before.copy()
    for action in actions:
        public = state.public(action)
        if not state.verify(public):
            return actions
        state.push(public)
    return state.position()


class Story:
    """What has really been done, as everybody at the table saw it, chance too: what the referee should believe.

    due: so many of its actions the referee should have understood; hands that are just being shown may come later.
    """

    def __init__(self, blank: State) -> None:
        self.state = blank
        self.due = 0

    def texts(self, believed: Sequence[str] = ()) -> list[str]:
        """Everything, in the referee's words: at a lone double both sides are alike, so left and right are as it named them."""
        if isinstance(self.state, Dominoids):
            return _as_believed(self.state, believed)
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

    def deal(self, after: State, deals: list[Action]) -> None:
        """All saw that the next of these deals was made."""
        self.state.push(after.public(deals[sum(each.kind == "deal" for each in self.state.pushed)]))

    def add(self, actions: tuple[Action, ...], after: State, deals: list[Action]) -> None:
        """These actions were done, which led to `after`; deals: all of the game, in order."""
        for action in actions:
            if self.state.chance == "deal":
                self.deal(after, deals)
            self.state.push(after.public(action))
        self.due = len(self.state.pushed)
        while self.state.chance not in (None, "deal"):
            self.state.push(after.answer(self.state))

    def take_back(self) -> None:
        """The last play was taken back, with the chance after it."""
        while isinstance(self.state.pop(), self.state.CHANCE):
            pass
        self.due = len(self.state.pushed)


MOST = 8
"""So many actions of Dominoids at most may be done otherwise with the same table after them: a turn has no more."""


def _as_believed(state: Dominoids, believed: Sequence[str]) -> list[str]:
    """What was done in Dominoids, in the referee's words where the table is the same by them: nobody sees which of two dice
    that both could do it moved a Dominoid, when a blank was passed, nor with which of two equal neighbours one bred."""
    told: list[Action] = list(state.pushed)
    done, mine = type(state)(state.rules, state.players), type(state)(state.rules, state.players)
    at = 0
    while at < min(len(told), len(believed)):
        count = 1 if str(told[at]) == believed[at] else next(
            (n for n in range(1, MOST + 1) if _same_table(done, state.pushed[at : at + n], mine, believed[at : at + n])), 0)
        if count == 0:
            break
        for truth, text in zip(state.pushed[at : at + count], believed[at : at + count], strict=True):
            done.push(truth)
            mine.push(_read(mine, text))
        told[at : at + count] = mine.pushed[at : at + count]
        at += count
        if set(mine.chosen) != set(done.chosen):  # the die that is left is the other one
            for after in range(at, len(told)):
                if told[after].kind == "roll":
                    break
                told[after] = _swapped(state.pushed[after], mine.picked)
    return [str(action) for action in told]


def _read(state: Dominoids, text: str) -> Action:
    return action_from_text((*state.ACTIONS, *state.CHANCE), text)


def _same_table(done: Dominoids, truth: Sequence[Action], mine: Dominoids, believed: Sequence[str]) -> bool:
    """Whether the table looks the same, with as much left to do, after these actions as after those believed."""
    if len(truth) != len(believed):
        return False
    one, other = done.copy(), mine.copy()
    for action, text in zip(truth, believed, strict=True):
        one.push(action)
        told = _read(other, text)
        if not other.verify(told):
            return False
        other.push(told)
    return _shown(one) == _shown(other)


def _shown(state: Dominoids) -> tuple[Any, ...]:
    """All that a table of Dominoids shows, whose turn it is, and what may come next."""
    return (sorted(state.dominoids), state.pool, state.pawns, state.coins, state.collected, state.dice, state.new, state.picked,
            state.turn, state.phase, state.chance, len(state.chosen))


def _swapped(action: Any, dice: tuple[int, ...]) -> Action:
    """The same by the other of two dice."""
    if getattr(action, "die", None) not in dice:
        swapped: Action = action
    else:
        swapped = replace(action, die=dice[1 - dice.index(action.die)])
    return swapped


ACROSS = {"left": "right", "right": "left", "up": "down", "down": "up"}


def _mirrored(action: Play) -> Play:
    """A play with left and right exchanged, and with them the sides of the first tile; those of other doubles lie as they did."""
    first, *rest = action.arm.split(".")
    arm = ["root", ACROSS[rest[0]], *rest[1:]] if first == "root" and rest else [ACROSS.get(first, first), *rest]
    return replace(action, arm=".".join(arm))
