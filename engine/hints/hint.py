"""Hints as a player reads them: actions in order, what each is worth, why, and what to fear then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from random import Random

from engine.actions import Action
from engine.estimates import Estimate
from engine.hints.exact import Ends, solve
from engine.hints.search import Node, Search, alike
from engine.reasons import AllAlike, OnlyChoice, Reason, told_apart
from engine.state import State
from engine.words import joined, say, some

ENOUGH = 30
"""An action has to be looked at so often before anything is said about how it ends."""

SAID = 2
"""So many reasons are told of each hint."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the hint's action has to fear most. often: how often it is possible, 0 to 1; lead: the points then gained."""

    seat: int
    action: Action
    often: float
    lead: float

    def words(self, names: Sequence[str], told: Callable[[Action], str] = str) -> str:
        """The same as a sentence; told: an action in words."""
        return say("Mind {name}: {deed}, possible in {often} % of the cases.", name=names[self.seat], deed=told(self.action),
                   often=round(100 * self.often))


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


Figures = tuple[float, Estimate | None, Estimate | None, Reply | None]
"""The worth, the lead, the chance and the reply to fear of a hint."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What is known after so many looks ahead: actions, the best first. settled: nothing better will come."""

    actions: tuple[Action, ...]
    looks: int
    settled: bool
    _tell: Callable[[Action], Hint]
    _also: Action | None = None

    def hints(self, most: int | None = None) -> tuple[Hint, ...]:
        """The best of them as hints, and last what was done, where that was asked about; to be asked before more is thought."""
        also = () if self._also is None or self._also not in self.actions else (self._also,)
        return tuple(map(self._tell, (*self.actions[:most], *also)))


def think(view: State, rng: Random, batch: int = 20, also: Action | None = None) -> Iterator[Advice]:
    """Better and better advice for the seat to move: first at once without a look ahead, then after every `batch` of them; stop
    when it has been long enough.

    view: the table as that seat knows it (`State.view`): nothing else is looked at. also: what that seat did, to be compared
    with the best. ValueError where no seat is to move.
    """
    search = Search(view, rng, also)
    why = _Reasons(view)

    def advice(order: Sequence[Action], figures: Callable[[Action], Figures], settled: bool = False) -> Advice:
        def tell(action: Action) -> Hint:
            worth, lead, chance, fear = figures(action)
            return Hint(action, worth, lead, chance, why(action, order), fear)

        return Advice(tuple(order), search.looks, settled, tell, also and (alike(view, order, also) or also))

    if (solved := view.solved()) is not None:
        ahead = dict(solved)
        yield advice(list(ahead), lambda action: (0.5, Estimate(*[ahead[action]] * 3), None, None), True)
        return
    yield advice(search.at_once, lambda action: (0.5, None, None, None), len(search.at_once) == 1)
    if len(search.at_once) == 1:
        return
    for solved_now in chain(solve(view, search.at_once, rng), repeat(None)):
        if solved_now is None:
            for _ in range(batch):
                search.look()
            yield advice(search.ranked(), partial(_seen, search))
        else:
            ends, last = solved_now
            ranked = sorted(ends, key=partial(_lead, ends), reverse=True)
            yield advice(ranked, partial(_solved, ends, last), last)
            if last:
                return


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
            alone = [each for each in (OnlyChoice(), AllAlike()) if each.holds(self._view, action)]
            return *alone[:1], *self._of(action)
        return told_apart(self._of(action), self._of(order[1] if action == order[0] else order[0]))


def _seen(search: Search, action: Action) -> Figures:
    node = search.root.children[action]
    known = node.visits >= ENOUGH
    lead, chance = (node.lead.estimate(), node.chance.estimate()) if known else (None, None)
    return node.worth / node.visits, lead, chance, _fear(search, node)


def _lead(ends: Mapping[Action, Ends], action: Action) -> float:
    return ends[action].lead.mean


def _solved(ends: Mapping[Action, Ends], last: bool, action: Action) -> Figures:
    lead, chance = (each.exact() if last else each.estimate() for each in (ends[action].lead, ends[action].chance))
    return chance.mean, lead, chance, None


def _fear(search: Search, node: Node) -> Reply | None:
    """The reply of another seat after which least was gained, of those seen often enough."""
    replies = [(reply.lead.mean, str(action), action, reply) for action, reply in node.children.items()
               if reply.mover != search.seat and reply.visits >= ENOUGH]  # fmt: skip
    if len(replies) < 2:
        return None
    lead, _, action, reply = min(replies, key=lambda each: each[:2])
    return Reply(reply.mover, action, min(reply.available / node.visits, 1.0), lead)


def sentences(hint: Hint, names: Sequence[str], told: Callable[[Action], str] = str) -> list[str]:
    """A hint in words: its first reasons, what is gained on average, and what to fear. told: an action in words."""
    found = [reason.words(names) for reason in hint.reasons[:SAID]]
    if hint.lead is not None and hint.chance is not None:
        lead, chance = hint.lead, hint.chance
        points, around = some(round(abs(lead.mean)), "point"), round(lead.high - lead.mean)
        found.append(joined((_on_average(lead.mean >= 0, len(names) == 1, points, around), say(
            "{chance} % to win (± {more}).", chance=round(100 * chance.mean), more=round(100 * (chance.high - chance.mean))))))
    if hint.fear is not None:
        found.append(hint.fear.words(names, told))
    return found or [say("There was no time to look further.")]


def _on_average(gained: bool, alone: bool, points: str, around: int) -> str:
    values = {"points": points, "around": around}
    if alone:
        return (say("On average you gain {points}, give or take {around};", **values) if gained
                else say("On average you lose {points}, give or take {around};", **values))  # fmt: skip
    return (say("On average you gain {points} on the best other player, give or take {around};", **values) if gained
            else say("On average you lose {points} on the best other player, give or take {around};", **values))  # fmt: skip
