"""Everything that lies on a table, in millimetres; a move makes a new value that shares all that stays.

Table frame: origin in the middle of the play area, x right, y down as seen from above; angles in radians, clockwise as
seen from above. Heights are millimetres above the table. Every thing has a name of its own, by which it stays the same
thing wherever it goes: `3-5` for a tile, `3-5 b` for its second copy, `coin suns 2`, `die moons`, `chip red 1`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from simulator.layouts import LYING, STANDING

__all__ = ["LYING", "STANDING", "Board", "Chip", "Coin", "Cup", "Die", "Pawn", "Rail", "Sheet", "Tabletop", "Thing", "Tile"]


@dataclass(frozen=True, slots=True)
class Tile:
    """A domino; (x, y) is its middle, `angle` points from its first half to its second.

    ends: what is printed on the first and the second half, whether it shows or not. up: lies face up. level: 0 on the
    table, 1 on other tiles, and so on. pose: lying, or standing on a long edge with its face looking a quarter clockwise
    of `angle`, as in a rack. z: height of what it lies on. lift: how high a hand holds it above that.
    """

    name: str
    x: float
    y: float
    angle: float
    ends: tuple[int, int]
    up: bool = True
    level: int = 0
    pose: str = LYING
    z: float = 0.0
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Coin:
    """A piecepack coin. `value_up`: shows its value, otherwise its suit. z: height of what it lies on, as below."""

    name: str
    x: float
    y: float
    angle: float
    suit: str
    value: str  # null, ace, 2 to 5
    value_up: bool
    z: float = 0.0
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Die:
    """A piecepack die of a suit, showing a face; `turn` settles what its sides show."""

    name: str
    x: float
    y: float
    angle: float
    suit: str
    face: str
    turn: int = 0
    z: float = 0.0
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Pawn:
    """The pawn of a suit."""

    name: str
    x: float
    y: float
    angle: float
    suit: str
    z: float = 0.0
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Chip:
    """A game chip, by the name of its colour in the set."""

    name: str
    x: float
    y: float
    angle: float
    colour: str
    z: float = 0.0
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Board:
    """A piecepack tile lying face down, as the board of Dominoids is made of."""

    name: str
    x: float
    y: float
    angle: float
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A printed card or mat of `calibration.mats`, by its name there; (x, y) is its middle."""

    name: str
    x: float
    y: float
    angle: float
    mat: str


@dataclass(frozen=True, slots=True)
class Cup:
    """A cup or a glass: what stands on tables and hides them."""

    name: str
    x: float
    y: float
    angle: float = 0.0
    radius: float = 38.0
    height: float = 95.0
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Rail:
    """The wooden rack that a hand of tiles stands in; (x, y) is its middle, `angle` runs along it."""

    name: str
    x: float
    y: float
    angle: float
    length: float
    width: float = 30.0
    height: float = 9.0
    lift: float = 0.0


Thing = Tile | Coin | Die | Pawn | Chip | Board | Sheet | Cup | Rail


@dataclass(frozen=True)
class Tabletop:
    """All that lies on the table, each thing under its own name; ValueError where two have one name."""

    things: tuple[Thing, ...] = ()

    def __post_init__(self) -> None:
        if len(self.by_name) != len(self.things):
            names = [thing.name for thing in self.things]
            raise ValueError(f"two things are named {next(name for name in names if names.count(name) > 1)!r}")

    @cached_property
    def by_name(self) -> dict[str, Thing]:
        """Each thing under its name."""
        return {thing.name: thing for thing in self.things}

    def __getitem__(self, name: str) -> Thing:
        return self.by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self.by_name

    def __iter__(self) -> Iterator[Thing]:
        return iter(self.things)

    def put(self, *things: Thing) -> Tabletop:
        """The table with these things on it; one of a name that lies there already comes in its place."""
        new = {thing.name: thing for thing in things}
        kept = tuple(new.pop(thing.name, thing) for thing in self.things)
        return Tabletop(kept + tuple(new.values()))

    def without(self, names: Iterable[str]) -> Tabletop:
        """The table with these things taken away."""
        gone = set(names)
        return Tabletop(tuple(thing for thing in self.things if thing.name not in gone))

    def moved(self, name: str, **changes: Any) -> Tabletop:
        """The table with one thing changed, as `moved("3-5", x=40.0)`."""
        return self.put(replace(self[name], **changes))

    def changed(self, other: Tabletop) -> list[tuple[Thing | None, Thing | None]]:
        """What is different on another table: each such thing before and after, None where it is not there."""
        mine, theirs = self.by_name, other.by_name
        gone = [(thing, theirs.get(name)) for name, thing in mine.items() if theirs.get(name) != thing]
        return [*gone, *((None, thing) for name, thing in theirs.items() if name not in mine)]
