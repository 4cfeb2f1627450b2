"""How often the hint is the best there is, where all tables that may be can be listed: `python -m tests.engine.slow.late`.

The best, and how far other actions are from it, is found with the slow second rules of this folder, which share nothing with the
engine: on every deal of the unseen tiles that what is public allows, each action is followed by all that may come, both seats
seeing all tiles and doing what leaves them furthest ahead at the end of the round; an action is worth its mean over the deals,
each as often as it may have come. Actions of equal worth are equally right. Positions are of random play, two at a table,
where nobody draws who can lay a tile.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import permutations
from math import inf
from random import Random
from statistics import fmean
from typing import Any

from engine.actions import Action
from engine.games import game
from engine.hints.hint import think
from engine.hints.search import Search
from engine.playout import choose, deal_on
from tests.engine.slow import SLOW, lines_after, mexican_train

Json = dict[str, Any]
After = Callable[[Json, Json, Json], tuple[Json | None, list[int]]]

AFTER: dict[str, After] = {
    "block": lambda *values: lines_after.after("block", *values),
    "all-fives": lambda *values: lines_after.after("all-fives", *values),
    "matador": lambda *values: lines_after.after("matador", *values),
    "one-arm-joe": lambda *values: lines_after.after("one-arm-joe", *values),
    "mexican-train": mexican_train.after,
}

UNSEEN = 7
"""No more tiles than these are unseen."""

TABLES = 200
"""No more tables than these may be."""


def late(name: str, count: int, seed: int = 3) -> Iterator[Any]:
    """So many views in which all tables that may be are listed, and there is a choice; of each round one, any of them."""
    rng, kind = Random(seed), game(name)
    while count:
        state: Any = kind(None, 2)
        deal_on(state, rng)
        found = []
        while state.turn is not None:
            if len(state.view(state.turn).unseen()) <= UNSEEN and state.phase != "lead" and len(state.legal()) > 1:
                found.append(state.view(state.turn))
            legal = state.legal()
            state.push(choose([action for action in legal if action.kind != "draw"] or legal, rng))
        if found and (view := rng.choice(found)).worlds(TABLES):
            count -= 1
            yield view


def listed(view: Any) -> Counter[Any]:
    """Every deal of the unseen tiles to the hidden places that the public facts allow, by trying them all."""
    seat = 1 - view.turn
    known = view.knowledge()[seat]
    found: Counter[Any] = Counter()
    for order in permutations(view.unseen()):
        hand, boneyard = order[: len(known)], order[len(known) :]
        if all(tile not in slot for tile, slot in zip(hand, known, strict=True)):
            found[tuple(sorted(hand)), boneyard] += 1
    return found


class Exact:
    """What the best play gains from a table in the exchange form; remembers what it has worked out."""

    def __init__(self, name: str, rules: Json, history: Json) -> None:
        self.name, self.rules, self.history = name, rules, history
        self.sign = -1 if game(name).FEW_WIN else 1
        self._known: dict[str, tuple[float, float]] = {}  # what the first seat gains at least and at most

    def gain(self, table: Json | None, scores: list[int], low: float = -inf, high: float = inf) -> float:
        """How far the first seat is ahead at the end of the round, less what it is ahead by these scores, which are those now.

        Outside of low and high a bound (Knuth and Moore 1975).
        """
        if table is None:
            return 0.0
        key = self._key(table)
        least, most = self._known.get(key, (-inf, inf))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        first = table["turn"] == 0
        best, limit = -inf if first else inf, (low, high)
        for action in SLOW[self.name](self.rules, table, self.history):
            value = self.after(table, action, scores, *limit)
            best = max(best, value) if first else min(best, value)
            limit = (max(limit[0], best), high) if first else (low, min(limit[1], best))
            if limit[0] >= limit[1]:
                break
        self._known[key] = (best if best > low else least, best if best < high else most)
        return best

    def after(self, table: Json, action: Json, scores: list[int], low: float = -inf, high: float = inf) -> float:
        """The same of the table after an action."""
        following, then = AFTER[self.name](self.rules, table, action)
        at_once = self.sign * ((then[0] - then[1]) - (scores[0] - scores[1]))
        return at_once + self.gain(following, then, low - at_once, high - at_once)

    def _key(self, table: Json) -> str:
        """All that matters for what follows: lines by their last tiles alone."""
        shown = {key: value for key, value in table.items() if key not in ("match", "points", "arms", "trains")}
        arms = {arm: laid[-1:] for arm, laid in table["arms"].items()} if "arms" in table else [
            laid[-1:] for laid in table["trains"]]  # fmt: skip
        return repr((sorted(shown.items()), arms))


def worths(view: Any) -> dict[str, float]:
    """For each action in the exchange form, as text, what it is worth."""
    exact = Exact(view.game, view.rules.values(), {"leader": getattr(view, "leader", None)})
    tables = listed(view)
    found: defaultdict[str, float] = defaultdict(float)
    shown = view.to_exchange()
    for (hand, boneyard), ways in tables.items():
        hands = [list(each) for each in shown["hands"]]
        hands[1 - view.turn] = [str(tile) for tile in hand]
        table = shown | {"hands": hands, "boneyard": [str(tile) for tile in boneyard]}
        if table.get("drawn") == "?":
            table["drawn"] = False
        scores = [won + points for won, points in zip(table["match"], table.get("points", (0, 0)), strict=True)]
        for action in SLOW[view.game](exact.rules, table, exact.history):
            found[repr(action)] += (1 - 2 * view.turn) * exact.after(table, action, scores) * ways / tables.total()
    return found


def looked_ahead(view: Any, looks: int) -> Action:
    """What looking ahead alone finds, as where tables are too many to be listed."""
    search = Search(view, Random(1))
    for _ in range(looks):
        search.look()
    return search.ranked()[0]


def main() -> None:
    """Print a line a game."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("games", nargs="*", default=list(AFTER))
    arguments.add_argument("--positions", type=int, default=200)
    arguments.add_argument("--seconds", type=float, default=1.0, help="of processor time")
    arguments.add_argument("--looks", type=int, help="look ahead so often instead, and solve nothing")
    arguments.add_argument("--seed", type=int, default=3)
    asked = arguments.parse_args()
    for name in asked.games:
        lost, settled, took = [], 0, []
        for view in late(name, asked.positions, asked.seed):
            start = time.process_time()
            if asked.looks:
                best = looked_ahead(view, asked.looks)
            else:
                advice = next(each for each in think(view, Random(asked.seed))
                              if each.settled or time.process_time() - start > asked.seconds)  # fmt: skip
                best, settled = advice.actions[0], settled + advice.settled
            took.append(time.process_time() - start)
            values = worths(view)
            lost.append(max(values.values()) - values[repr(best.to_exchange())])
            if lost[-1] > 1e-9 and not asked.looks:
                print(f"{view.text()}\n  {best} loses {lost[-1]:.2f}", flush=True)
        right = sum(each < 1e-9 for each in lost)
        print(f"{name}: {right} of {len(lost)} hints are the best, {settled} solved; a hint loses {fmean(lost):.3f} points "
              f"on average; longest {max(took):.2f} s", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
