"""Hints as a player reads them: actions in order, what each is worth, why, and what to fear then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from engine.actions import Action
from engine.estimates import Estimate
from engine.hints.exact import Ends, solve
from engine.hints.search import Node, Search
from engine.reasons import AllAlike, OnlyChoice, Reason, some, told_apart
from engine.state import State

ENOUGH = 30
"""An action has to be looked at so often before anything is said about how it ends."""

SAID = 2
"""So many reasons are told of each hint."""

FIRST = 5
"""So many hints are given before anything is looked at."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the hint's action has to fear most. often: how often it is possible, 0 to 1; lead: the points then gained."""

    seat: int
    action: Action
    often: float
    lead: float


@dataclass(frozen=True, slots=True)
class Hint:
    """An action worth doing.

    worth: 0 to 1, how good the table then is for the seat. lead: points that the seat gains on the best other seat until
    the round ends; chance: of winning the game; both None where it was not looked at often enough. reasons: the best first,
    and first of all those that tell it apart from the next best action.
    """

    action: Action
    worth: float
    lead: Estimate | None
    chance: Estimate | None
    reasons: tuple[Reason, ...]
    fear: Reply | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """What is known after so many looks ahead: hints, the best first. settled: nothing better will come."""

    hints: tuple[Hint, ...]
    looks: int
    settled: bool = False


def think(view: State, rng: Random, batch: int = 20) -> Iterator[Advice]:
    """Better and better hints for the seat to move: first at once without a look ahead, then after every `batch` of them; stop
    when it has been long enough.

    view: the table as that seat knows it (`State.view`): nothing else is looked at. ValueError where no seat is to move.
    """
    search = Search(view, rng)
    why = _Reasons(view)
    solved = view.solved()
    if solved is not None:
        leads = {action: Estimate(lead, lead, lead) for action, lead in solved}
        yield Advice(tuple(Hint(action, 0.5, leads[action], None, why(action, list(leads))) for action in leads), 0, True)
        return
    order = search.at_once[:FIRST]
    yield Advice(tuple(Hint(action, 0.5, None, None, why(action, order)) for action in order), 0, len(order) == 1)
    if len(order) == 1:
        return
    for ends, last in solve(view, search.at_once, rng):
        ranked = sorted(ends, key=lambda action: ends[action].lead.mean, reverse=True)
        yield Advice(tuple(_solved(action, ends[action], why(action, ranked), last) for action in ranked), 0, last)
        if last:
            return
    while True:
        for _ in range(batch):
            search.look()
        nodes = dict(search.ranked())
        order = list(nodes)
        yield Advice(tuple(_hint(search, action, nodes[action], why(action, order)) for action in order), search.looks)


class _Reasons:
    """The reasons of each action, found once."""

    def __init__(self, view: State) -> None:
        self._view = view
        self._known: dict[Action, tuple[Reason, ...]] = {}

    def _of(self, action: Action) -> tuple[Reason, ...]:
        if action not in self._known:
            self._known[action] = tuple(self._view.reasons(action))
        return self._known[action]

    def __call__(self, action: Action, order: Sequence[Action]) -> tuple[Reason, ...]:
        """Beside the next best action; of those that follow, beside the best."""
        if len(order) == 1:
            return OnlyChoice() if len(self._view.legal()) == 1 else AllAlike(), *self._of(action)
        return told_apart(self._of(action), self._of(order[1] if action == order[0] else order[0]))


def _hint(search: Search, action: Action, node: Node, reasons: tuple[Reason, ...]) -> Hint:
    known = node.visits >= ENOUGH
    lead, chance = (node.lead.estimate(), node.chance.estimate()) if known else (None, None)
    return Hint(action, node.worth / node.visits, lead, chance, reasons, _fear(search, node))


def _solved(action: Action, ends: Ends, reasons: tuple[Reason, ...], last: bool) -> Hint:
    lead, chance = (each.exact() if last else each.estimate() for each in (ends.lead, ends.chance))
    return Hint(action, chance.mean, lead, chance, reasons)


def _fear(search: Search, node: Node) -> Reply | None:
    """The reply of another seat after which least was gained, of those seen often enough."""
    replies = [(reply.lead.mean, str(action), action, reply) for action, reply in node.children.items()
               if reply.mover != search.seat and reply.visits >= ENOUGH]  # fmt: skip
    if len(replies) < 2:
        return None
    lead, _, action, reply = min(replies, key=lambda each: each[:2])
    return Reply(reply.mover, action, min(reply.available / node.visits, 1.0), lead)


def sentences(hint: Hint, names: Sequence[str], say: Callable[[Action], str] = str) -> list[str]:
    """A hint in words: its first reasons, what is gained on average, and what to fear. say: an action in words."""
    found = [reason.words(names) for reason in hint.reasons[:SAID]]
    if hint.lead is not None and hint.chance is not None:
        lead, chance = hint.lead, hint.chance
        word, whom = "gain" if lead.mean >= 0 else "lose", "" if len(names) == 1 else " on the best other player"
        around = round(lead.high - lead.mean)
        found.append(f"On average you {word} {some(round(abs(lead.mean)), 'point')}{whom}, give or take {around}; "
                     f"{round(100 * chance.mean)} % to win (± {round(100 * (chance.high - chance.mean))}).")  # fmt: skip
    if hint.fear is not None:
        fear = hint.fear
        found.append(f"Mind {names[fear.seat]}: {say(fear.action)}, possible in {round(100 * fear.often)} % of the cases.")
    return found or ["There was no time to look further."]
