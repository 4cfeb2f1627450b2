"""Hints as a player reads them: actions in order, what each is worth, and why, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from engine.actions import Action
from engine.hints.search import Node, Search
from engine.state import State

ENOUGH = 30
"""An action has to be looked at so often before anything is said about how it ends."""


@dataclass(frozen=True, slots=True)
class Hint:
    """An action worth doing.

    worth: 0 to 1, how good the table then is for the seat. lead: points that the seat gains on the best other seat until
    the round ends, on average; None where it was not looked at often enough. reasons: short sentences, the best first.
    """

    action: Action
    worth: float
    lead: float | None
    reasons: tuple[str, ...]


def think(view: State, rng: Random, batch: int = 50) -> Iterator[list[Hint]]:
    """Better and better hints for the seat to move, after every `batch` looks ahead; stop when it has been long enough.

    view: the table as that seat knows it (`State.view`): nothing else is looked at. ValueError where no seat is to move.
    """
    search = Search(view, rng)
    certain = _certain(view)
    if certain is not None:
        yield certain
        return
    while True:
        for _ in range(batch):
            search.look()
        yield [_hint(view, action, node) for action, node in search.ranked()]


def _certain(view: State) -> list[Hint] | None:
    """Where the best action is known without looking ahead."""
    known = view.certain()
    if known is not None:
        return [Hint(known[0], 1.0, None, (known[1],))]
    legal = view.legal()
    return [Hint(legal[0], 0.5, None, ("It is the only thing you can do.",))] if len(legal) == 1 else None


def _hint(view: State, action: Action, node: Node) -> Hint:
    lead = node.lead / node.visits if node.visits >= ENOUGH else None
    reasons = tuple(_reasons(view, action, lead)) or ("There was no time to look further.",)
    return Hint(action, node.worth / node.visits, lead, reasons)


def _reasons(view: State, action: Action, lead: float | None) -> Iterator[str]:
    yield from view.reasons(action)
    yield from _at_once(view, action)
    if lead is not None:
        word, points = "gain" if lead >= 0 else "lose", round(abs(lead))
        whom = "" if view.players == 1 else " on the best other player"
        yield f"On average you {word} {points} point{'s' * (points != 1)}{whom} from here."


def _at_once(view: State, action: Action) -> Iterator[str]:
    """What it does to the own score, part by part."""
    seat = view.turn or 0
    before = dict(view.score_parts(seat))
    view.push(action)
    after = dict(view.score_parts(seat))
    view.pop()
    few = ", and few points win" if view.FEW_WIN else ""
    for name in sorted({**before, **after}, key=lambda name: before.get(name, 0) - after.get(name, 0)):
        change = after.get(name, 0) - before.get(name, 0)
        if change:
            points = f"{abs(change)} point{'s' * (abs(change) != 1)}"
            yield f"{name[0].upper()}{name[1:]}: {points} {'more' if change > 0 else 'fewer'}{few}."
