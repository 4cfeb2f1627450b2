"""Knock-Out: 28 tiles in a line; where touching halves match, both tiles leave and the gap closes. Fewest left is best.

>>> best_left([(1, 2), (2, 3), (3, 4), (4, 1)], "pair")
0
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from engine.actions import NUMBER, PAIR, Action, listed, pair
from engine.core import Broken, Flags, Outcome, flag, rule_book
from engine.pieces import DOUBLE_SIX, Tile
from engine.reasons import Reason
from engine.solo.common import STOP, Half, Solo, Stop, laid
from engine.solo.reasons import AtTheEnd, CanLeave, GivesUp, Touch
from engine.state import Doings, checked
from engine.words import say


@dataclass(frozen=True)
class Rules(Flags):
    """The flags of Knock-Out."""

    knock: str = flag("pair", "chain", about="Of three or more tiles that match in a chain: two leave at a time, or all at once.")


@dataclass(frozen=True, slots=True)
class Knock(Action):
    """Knock out the tiles at this place and the next (by `knock=chain`: the whole chain that begins here)."""

    kind: ClassVar[str] = "knock"
    FORM = (("at", "at", NUMBER),)

    at: int


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """Chance: the line from left to right, each tile's left half first."""

    kind: ClassVar[str] = "deal"
    FORM = (("row", "row", listed(PAIR)),)

    row: tuple[Half, ...]


class State(Solo):
    """A line of Knock-Out."""

    game = "knock-out"
    TITLE = "Knock-Out"
    NEARLY_WON = 6
    Rules = Rules
    ACTIONS = (Knock, Stop)
    CHANCE = (Deal,)
    FIELDS = ("row",)
    RULE_BOOK = rule_book(
        ("deal", "All 28 tiles lie end to end in one line.", "Knock-Out: arrange the tiles end to end, forming one long line."),
        ("knock", "Two tiles leave where their touching halves match.",
         "Knock-Out: if there are any tiles whose ends match where they touch, you may knock them out of line. Rulings K1, K4."),
        ("chain", "Of a chain of matches all tiles leave at once.", "Ruling K2, knock=chain."),
        ("score", "Each tile left counts one point.", "Knock-Out: count the number of tiles remaining. Ruling K3."),
        ("game-over", "The game is over.", "Knock-Out: when you can no longer knock out any more dominoes."),
        ("chance-first", "First the line has to be laid.", "Knock-Out: arrange the tiles."),
        ("other-game", "That is an action of another game.", "Knock-Out."),
    )

    row: tuple[Half, ...]

    def _set_up(self) -> None:
        self.row = ()

    def legal(self) -> list[Action]:
        """Every pair (or chain) that matches, and stopping (K5)."""
        if self.turn is None:
            return []
        return [*(Knock(at) for at in _knocks(self.row, self.rules.knock)), STOP]

    def _knock(self, action: Knock) -> None:
        end = _end(self.row, action.at, self.rules.knock)
        self.row = self.row[: action.at] + self.row[end:]
        self._check_over()

    def _stop(self, action: Stop) -> None:
        self.turn, self.phase = None, "over"
        self.result = Outcome(say("no more knocks"), () if self.row else (0,), self.scores())

    def _check_over(self) -> None:
        if not _knocks(self.row, self.rules.knock):
            self._stop(STOP)

    def _deal(self, action: Deal) -> None:
        self.row = action.row
        self._begin()
        self._check_over()

    def random_chance(self, rng: Random) -> Action:
        """A random line."""
        return Deal(tuple(laid(rng)))

    def scores(self) -> tuple[int, ...]:
        """The tiles left."""
        return (len(self.row),)

    def score_parts(self, seat: int) -> list[tuple[str, int]]:
        """The tiles left."""
        return [(say("tiles left"), len(self.row))]

    def picture(self) -> list[str]:
        """The line."""
        return ["".join(f"[{first}|{second}]" for first, second in self.row) or "(nothing left)"]

    def solved(self) -> list[tuple[Action, float]] | None:
        """The fewest tiles that can be left after each action (F5)."""
        found = [(action, -float(self.left_after(action))) for action in self.legal()]
        return sorted(found, key=lambda each: -each[1])

    def left_after(self, action: Action) -> int:
        """The fewest tiles that can be left after an action."""
        if not isinstance(action, Knock):
            return len(self.row)
        row = self.row[: action.at] + self.row[_end(self.row, action.at, self.rules.knock) :]
        return best_left(row, self.rules.knock)

    def reasons(self, action: Action) -> Iterator[Reason]:
        """How far it still goes, and what touches then."""
        if not isinstance(action, Knock):
            yield GivesUp(len(self.row))
            return
        at = action.at
        yield CanLeave(self.left_after(action))
        end = _end(self.row, at, self.rules.knock)
        if at and end < len(self.row):
            yield Touch(at, (self.row[at - 1][1], self.row[end][0]))
        else:
            yield AtTheEnd(at)

    def best(self) -> tuple[int, Knock | None]:
        """The fewest tiles that can be left from here, and a knock that leads there (None where none helps)."""
        left = best_left(self.row, self.rules.knock)
        for at in _knocks(self.row, self.rules.knock):
            if self.left_after(Knock(at)) == left:
                return left, Knock(at)
        return left, None

    def _broken(self, action: Any) -> Broken:
        at = action.at
        if not 0 <= at < len(self.row) - 1:
            return Broken("knock", say("There are no two tiles there."), {"at": at})
        if self.row[at][1] != self.row[at + 1][0]:
            ends = self.row[at][1], self.row[at + 1][0]
            return Broken("knock", say("The halves that touch there are a {end} and a {other}.", end=ends[0],
                                       other=ends[1]), {"at": at, "ends": ends})
        return Broken("chain", say("A chain is knocked out from its first tile."), {"at": at})

    def _verify_chance(self, action: Any) -> Broken | None:
        if self.chance != "deal":
            return Broken("deal", say("The line is laid only once."))
        return None if Counter(Tile.of(*ends) for ends in action.row) == Counter(DOUBLE_SIX) else Broken(
            "deal", say("The line has all 28 tiles of the set, each once."))

    def _exchange(self) -> dict[str, Any]:
        return {"row": [list(ends) for ends in self.row]}

    def _fill(self, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
        self.row = tuple(pair(ends) for ends in data["row"])
        seen = Counter(Tile.of(*ends) for ends in self.row)
        checked(not seen - Counter(DOUBLE_SIX), "a tile is there too often, or not of this set")
        checked(self.phase in ("deal", "play", "over"), f"no phase {self.phase!r} in knock-out")
        checked((self.turn is None) == (self.phase != "play"), "the turn does not fit the phase")

    _do: ClassVar[Doings] = {Knock: _knock, Stop: _stop, Deal: _deal}


def _knocks(row: Sequence[Half], rule: str) -> list[int]:
    places = [at for at in range(len(row) - 1) if row[at][1] == row[at + 1][0]]
    if rule == "chain":
        return [at for at in places if at - 1 not in places]
    return places


def _end(row: Sequence[Half], at: int, rule: str) -> int:
    """One past the last tile that leaves."""
    end = at + 2
    while rule == "chain" and end < len(row) and row[end - 1][1] == row[end][0]:
        end += 1
    return end


def best_left(row: Sequence[Half], rule: str) -> int:
    """The fewest tiles that can be left of this line (F5).

    Two at a time: tiles i and k leave together when all between them has left before, so whole stretches vanish by
    non-crossing pairs; found in n^3 steps. Whole chains: every order of the few chains is tried once.
    """
    return _best_pairs(row) if rule == "pair" else _best_chains(tuple(row), {})


def _best_pairs(row: Sequence[Half]) -> int:
    count = len(row)
    gone = [[start >= end for end in range(count + 1)] for start in range(count + 1)]  # gone[i][j]: i to j-1 can vanish
    for size in range(2, count + 1, 2):
        for start in range(count - size + 1):
            end = start + size
            gone[start][end] = any(
                row[start][1] == row[other][0] and gone[start + 1][other] and gone[other + 1][end]
                for other in range(start + 1, end, 2)
            )
    left = [0] * (count + 1)
    for end in range(1, count + 1):
        left[end] = min([left[end - 1] + 1, *(left[start] for start in range(end) if gone[start][end])])
    return left[count]


def _best_chains(row: tuple[Half, ...], known: dict[tuple[Half, ...], int]) -> int:
    if row not in known:
        known[row] = min([len(row), *(_best_chains(row[:at] + row[_end(row, at, "chain") :], known)
                                      for at in _knocks(row, "chain"))])
    return known[row]
