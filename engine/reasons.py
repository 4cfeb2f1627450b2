"""Why an action, said as claims: small values whose facts anybody can check against the table as the seat knows it.

The claims of a game stand in its package (`reasons.py`); here is what all of them are, and those that several games make.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.pieces import Tile
from engine.words import say, some

if TYPE_CHECKING:
    from engine.actions import Action


class Reason(ABC):
    """A claim about an action; a frozen dataclass of the facts it names."""

    __slots__ = ()

    @property
    def strength(self) -> float:
        """How much it speaks for the action beside another claim of its kind; below 0 rather against it."""
        return 0.0

    @abstractmethod
    def holds(self, view: Any, action: Action) -> bool:
        """Whether the claim is true of this action, the seat to move knowing what `view` shows."""

    @abstractmethod
    def words(self, names: Sequence[str]) -> str:
        """The claim as a sentence to the seat to move; names: of all seats."""


def own(view: Any) -> list[Tile]:
    """The tiles of the seat to move that it knows."""
    return [tile for tile in view.hands[view.turn] if tile.low >= 0]


def told_apart(reasons: Sequence[Reason], rival: Sequence[Reason]) -> tuple[Reason, ...]:
    """The same reasons, first those for the action that the rival has not, or not so strongly; last those that it has alike."""

    def common(reason: Reason) -> int:
        kind = [each for each in rival if type(each) is type(reason)]
        if all(each.strength < reason.strength for each in kind) and (kind or reason.strength >= 0):
            return 0
        return 2 if reason in kind else 1

    return tuple(sorted(reasons, key=common))


@dataclass(frozen=True, slots=True)
class OnlyChoice(Reason):
    """Nothing else is legal."""

    def holds(self, view: Any, action: Action) -> bool:
        """Whether it stands alone."""
        return bool(view.legal() == [action])

    def words(self, names: Sequence[str]) -> str:
        """One sentence for every game."""
        return say("It is the only thing you can do.")


@dataclass(frozen=True, slots=True)
class AllAlike(Reason):
    """All that is legal leads to the same."""

    def holds(self, view: Any, action: Action) -> bool:
        """Whether every action leads to one position."""
        return len({view.after(each).position() for each in view.legal()}) == 1

    def words(self, names: Sequence[str]) -> str:
        """One sentence for every game."""
        return say("All that you can do comes to the same.")


@dataclass(frozen=True, slots=True)
class GoesOut(Reason):
    """The last tile of the hand is laid."""

    def holds(self, view: Any, action: Action) -> bool:
        """Whether the hand is empty then."""
        return not view.after(action).hands[view.turn]

    def words(self, names: Sequence[str]) -> str:
        """One sentence for every game."""
        return say("It is your last tile: you go out.")


@dataclass(frozen=True, slots=True)
class NothingFits(Reason):
    """No tile of the hand can be laid."""

    def holds(self, view: Any, action: Action) -> bool:
        """Whether no action lays a tile."""
        return not any(hasattr(each, "tile") for each in view.legal())

    def words(self, names: Sequence[str]) -> str:
        """One sentence for every game."""
        return say("Nothing that you have fits.")


@dataclass(frozen=True, slots=True)
class ByTiles(Reason):
    """A claim about a number and those of the own tiles that have it: the more they are, the stronger."""

    number: int
    tiles: tuple[Tile, ...]

    @property
    def strength(self) -> float:
        """The more, the better."""
        return len(self.tiles)


@dataclass(frozen=True, slots=True)
class GetsRid(Reason):
    """A tile that counts so much leaves the hand."""

    pips: int

    @property
    def strength(self) -> float:
        """The more, the better."""
        return self.pips

    def holds(self, view: Any, action: Any) -> bool:
        """Whether that tile lay in the hand, and counts so much."""
        return action.tile in view.hands[view.turn] and view.left_counts(action.tile) == self.pips

    def words(self, names: Sequence[str]) -> str:
        """What the tile would cost if it stayed."""
        return say("It gets rid of {pips}.", pips=some(self.pips, 'pip'))


@dataclass(frozen=True, slots=True)
class Scores(Reason):
    """A part of the own score changes at once; few: whether few points win."""

    part: str
    change: int
    few: bool

    @property
    def strength(self) -> float:
        """What it gains."""
        return -self.change if self.few else self.change

    def holds(self, view: Any, action: Action) -> bool:
        """Whether that part of the score differs by so much."""
        before, then = (dict(state.score_parts(view.turn)) for state in (view, view.after(action)))
        return bool(then.get(self.part, 0) - before.get(self.part, 0) == self.change and self.few == view.FEW_WIN)

    def words(self, names: Sequence[str]) -> str:
        """The part, and by how much."""
        values = {"Part": self.part, "points": some(abs(self.change), "point")}
        if self.few:
            return (say("{Part}: {points} more, and few win.", **values) if self.change > 0
                    else say("{Part}: {points} fewer, and few win.", **values))  # fmt: skip
        return say("{Part}: {points} more.", **values) if self.change > 0 else say("{Part}: {points} fewer.", **values)


def scored(view: Any, action: Action) -> Iterator[Reason]:
    """What an action changes at once in the own score, the greatest gain first."""
    before, then = (dict(state.score_parts(view.turn)) for state in (view, view.after(action)))
    changes = {part: then.get(part, 0) - before.get(part, 0) for part in {**before, **then}}
    found = [Scores(part, change, view.FEW_WIN) for part, change in changes.items() if change]
    yield from sorted(found, key=lambda each: -each.strength)
