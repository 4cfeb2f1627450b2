"""What speaks for an action in the games for one player: how far it still goes, what it brings together or turns up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.actions import Action
from engine.reasons import Reason
from engine.words import count, say, some


@dataclass(frozen=True, slots=True)
class Foretold(Reason):
    """How a row of Elimination ends, whatever is done."""

    end: str

    def holds(self, view: Any, action: Action) -> bool:
        """Whether it is so still when the row is played to its end."""
        while view.result is None:
            view = view.after(view.legal()[0])
        return bool(view.result.reason == self.end)

    def words(self, names: Sequence[str]) -> str:
        """The end."""
        return say("There is no choice: it will end with {end}.", end=self.end)


@dataclass(frozen=True, slots=True)
class CanLeave(Reason):
    """All but so many tiles of Knock-Out can still leave after it."""

    left: int

    @property
    def strength(self) -> float:
        """The fewer stay, the better."""
        return -self.left

    def holds(self, view: Any, action: Action) -> bool:
        """Whether that is the fewest."""
        then = view.after(action)
        return bool((then.best()[0] if then.result is None else len(then.row)) == self.left)

    def words(self, names: Sequence[str]) -> str:
        """How many stay."""
        return say("All but {left} can leave then.", left=self.left) if self.left else say("All tiles can leave then.")


@dataclass(frozen=True, slots=True)
class Touch(Reason):
    """These halves touch after a knock, where the gap closes."""

    at: int
    halves: tuple[int, int]

    @property
    def strength(self) -> float:
        """Halves that match make one more knock."""
        return float(self.halves[0] == self.halves[1])

    def holds(self, view: Any, action: Any) -> bool:
        """Whether they stand next to each other there."""
        row = view.after(action).row
        return bool(action.at == self.at and (row[self.at - 1][1], row[self.at][0]) == self.halves)

    def words(self, names: Sequence[str]) -> str:
        """The halves, and whether they match."""
        first, second = self.halves
        if first == second:
            return say("It brings two {end}s together: the next knock, after tile {at}.", end=first, at=self.at)
        return say("A {first} and a {second} touch where the gap closes, after tile {at}.", first=first, second=second,
                   at=self.at)


@dataclass(frozen=True, slots=True)
class AtTheEnd(Reason):
    """Tiles leave at an end of the row, so nothing new comes together."""

    at: int

    def holds(self, view: Any, action: Any) -> bool:
        """Whether nothing is left on one side of the gap."""
        return action.at == self.at and self.at in (0, len(view.after(action).row))

    def words(self, names: Sequence[str]) -> str:
        """Which end."""
        return say("They leave at the beginning of the row.") if self.at == 0 else say("They leave at the end of the row.")


@dataclass(frozen=True, slots=True)
class TurnsUp(Reason):
    """A tile of a column comes to be turned up, and so many stay face down under it."""

    column: int
    down: int

    @property
    def strength(self) -> float:
        """The fewer lie there still, the nearer the column is to the end."""
        return 1 / (1 + self.down)

    def holds(self, view: Any, action: Any) -> bool:
        """Whether that column loses its line, and what is left of it lies face down."""
        rest = view.columns[self.column][: -action.size]
        return bool(action.source == self.column and rest and not rest[-1].up and len(rest) - 1 == self.down)

    def words(self, names: Sequence[str]) -> str:
        """Which column, and how many are left there."""
        return count(self.down, "It turns up a tile of column {column}; {number} tile stays face down there.",
                     "It turns up a tile of column {column}; {number} tiles stay face down there.", column=self.column + 1)


@dataclass(frozen=True, slots=True)
class Frees(Reason):
    """A whole column is laid elsewhere: there is room for a new one."""

    column: int

    def holds(self, view: Any, action: Any) -> bool:
        """Whether it is that column, and there are fewer then."""
        return action.source == self.column and len(view.after(action).columns) < len(view.columns)

    def words(self, names: Sequence[str]) -> str:
        """Which."""
        return say("Column {column} becomes free, with room for any line.", column=self.column + 1)


@dataclass(frozen=True, slots=True)
class NewColumn(Reason):
    """A line of so many tiles begins a new column."""

    tiles: int

    def holds(self, view: Any, action: Any) -> bool:
        """Whether there is one column more, with so many tiles."""
        then = view.after(action)
        return len(then.columns) == len(view.columns) + 1 and action.size == self.tiles

    def words(self, names: Sequence[str]) -> str:
        """How long."""
        return say("A line of {tiles} begins a column of its own.", tiles=some(self.tiles, 'tile'))


@dataclass(frozen=True, slots=True)
class Line(Reason):
    """A matched line then has so many tiles and ends in this half. column: where it lies before others are taken away."""

    column: int
    tiles: int
    half: int

    @property
    def strength(self) -> float:
        """The longer, the fewer columns."""
        return self.tiles

    def holds(self, view: Any, action: Any) -> bool:
        """Whether the line laid there and what it is laid at make so many that match."""
        moved, target = view.columns[action.source][-action.size :], view.columns[self.column]
        column = (*target, *moved)
        fitting = 1
        while fitting < len(column) and column[-fitting - 1].up and column[-fitting - 1].bottom == column[-fitting].top:
            fitting += 1
        return action.to == self.column and fitting == self.tiles and column[-1].bottom == self.half

    def words(self, names: Sequence[str]) -> str:
        """How long, and its open half."""
        return say("It makes a line of {tiles} under column {column}, open at a {half}.", tiles=some(self.tiles, 'tile'),
                   column=self.column + 1, half=self.half)


@dataclass(frozen=True, slots=True)
class Goes(Reason):
    """So many moves are possible then."""

    moves: int

    @property
    def strength(self) -> float:
        """The more, the better."""
        return self.moves

    def holds(self, view: Any, action: Action) -> bool:
        """Whether there are so many."""
        return bool(view.after(action).ways() == self.moves)

    def words(self, names: Sequence[str]) -> str:
        """How many."""
        return count(self.moves, "Then {number} move is possible.", "Then {number} moves are possible.")


@dataclass(frozen=True, slots=True)
class GivesUp(Reason):
    """The game is ended with so many points."""

    points: int

    def holds(self, view: Any, action: Action) -> bool:
        """Whether it is over then with so many."""
        then = view.after(action)
        return then.result is not None and then.scores()[0] == self.points

    def words(self, names: Sequence[str]) -> str:
        """What it ends with."""
        return say("It ends the game as it lies: {points} left.", points=self.points)
