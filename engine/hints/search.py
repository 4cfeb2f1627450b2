"""Looking ahead where tiles are hidden: search over many tables that all agree with what one seat knows.

Single-observer information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012, SO-ISMCTS): each look ahead
draws one such table, goes down the tree by the actions that are legal on it, tries one new action, and plays on at
random. Chance is drawn anew each time and not part of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from random import Random

from engine.actions import Action
from engine.estimates import Tally
from engine.hints.worth import chance_to_win, over, worths
from engine.playout import choose
from engine.state import State

EXPLORE = 0.5
"""How much rarely tried actions are favoured (UCB1, worths between 0 and 1)."""

WIDEST = 40
"""So many actions are looked at of a seat that has more: those that stand best at once."""

STANDING = 20
"""Tables drawn to see how the seats stand before anything is done."""


@dataclass(slots=True)
class Node:
    """What is known of an action: how often it was tried, could have been, and what came of it for whoever did it.

    lead, chance: for the seat that looks ahead, the points it gained at last and its chance to win; only of its own action and
    of the reply.
    """

    mover: int
    visits: int = 0
    available: int = 0
    worth: float = 0.0
    lead: Tally = field(default_factory=Tally)
    chance: Tally = field(default_factory=Tally)
    children: dict[Action, Node] = field(default_factory=dict)

    def promise(self) -> float:
        """Upper confidence bound of its mean worth."""
        return self.worth / self.visits + EXPLORE * sqrt(log(self.available) / self.visits)


class Search:
    """The lookahead of the seat to move. view: the table as that seat knows it; ValueError where no seat is to move.

    also: an action that is looked at as often as all others together, to be compared with the best of them.
    """

    def __init__(self, view: State, rng: Random, also: Action | None = None) -> None:
        if view.turn is None:
            raise ValueError("No seat is to move here.")
        self.view, self.rng, self.seat = view, rng, view.turn
        self.root = Node(view.turn)
        self.looks = 0
        self.at_once = best_at_once(view)
        self.also = also and (alike(view, self.at_once, also) or also)
        self._candidates = list(dict.fromkeys([*self.at_once[:WIDEST], *filter(None, [self.also])]))
        self._before: list[float] = []

    def _stand(self) -> list[float]:
        """The leads now, on average over tables that may be: what others hold may count."""
        tables = [self.view.sample(self.rng).leads() for _ in range(STANDING)]
        return [sum(each) / STANDING for each in zip(*tables, strict=True)]

    def look(self) -> None:
        """One look ahead."""
        self._before = self._before or self._stand()
        self.looks += 1
        state = self.view.sample(self.rng)
        path, node = [self.root], self.root
        while (mover := self._to_move(state)) is not None:
            legal = state.likely()
            if node is self.root:  # a hand of which some is not known may not hold them all
                able = set(state.legal())
                legal = [action for action in self._candidates if action in able] or legal
                if self.also in legal and self.looks % 2:
                    legal = [self.also]
            tried = [action for action in legal if action in node.children]
            new = len(tried) < len(legal) and len(tried) < (2 if node is self.root else 1) * (1 + sqrt(node.visits))
            if new:
                action = self._untried(state, node, legal)
                node.children[action] = Node(mover)
                tried.append(action)
            else:
                action = max(tried, key=lambda each: node.children[each].promise())
            for each in tried:
                node.children[each].available += 1
            state.do(action)
            node = node.children[action]
            path.append(node)
            if new:
                break
        self._play_on(state)
        self._learn(path, state)

    def _untried(self, state: State, node: Node, legal: list[Action]) -> Action:
        """An action not tried yet: the best at once of all for the seat that asks, of some at random for later ones."""
        left = [action for action in legal if action not in node.children]
        if node is self.root:
            return left[0]
        return self._some(state, left)

    def _some(self, state: State, legal: list[Action]) -> Action:
        """Of some actions at random the best at once: nobody plays quite at random."""
        tries = self.view.TRIES if len(legal) > 1 else 1
        return max([choose(legal, self.rng) for _ in range(tries)], key=state.gain) if tries > 1 else choose(legal, self.rng)

    def _learn(self, path: list[Node], end: State) -> None:
        """What came of a look, for every action on its way."""
        now = worths(end, self._before)
        for node in path:
            node.visits += 1
            node.worth += now[node.mover]
        lead, chance = end.leads()[self.seat] - self._before[self.seat], chance_to_win(end, self.seat)
        for node in path[1:3]:
            node.lead.add(lead)
            node.chance.add(chance)

    def _to_move(self, state: State) -> int | None:
        """The seat to move once chance has acted; None where the round is over."""
        while state.chance and not over(state):
            state.do(state.random_chance(self.rng))
        return None if over(state) else state.turn

    def _play_on(self, state: State) -> None:
        for _ in range(self.view.FAR):
            if self._to_move(state) is None:
                break
            state.do(self._some(state, state.likely()))

    def ranked(self) -> list[Action]:
        """The actions tried, the most promising first."""
        nodes = self.root.children
        order = sorted(nodes, key=lambda action: (nodes[action].visits, nodes[action].worth), reverse=True)
        if self.also in nodes and len(order) > 1:  # how often it was looked at says nothing of it
            order.remove(self.also)
            also, best = nodes[self.also], nodes[order[0]]
            order.insert(also.worth / also.visits < best.worth / best.visits, self.also)
        return order


def alike(view: State, actions: Sequence[Action], action: Action) -> Action | None:
    """The same action among these, or one that comes to the same."""
    if action in actions:
        return action
    then = view.after(action).position()
    return next((each for each in actions if view.after(each).position() == then), None)


def best_at_once(view: State) -> list[Action]:
    """The promising actions, those first after which the seat stands best at once; of actions that come to the same the first."""
    found = dict[object, Action]()
    for action in view.promising():
        found.setdefault(view.after(action).position(), action)
    return sorted(found.values(), key=view.gain, reverse=True)
