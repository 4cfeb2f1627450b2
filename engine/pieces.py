"""The pieces on the table: domino tiles and the sets they come in, piecepack coins, dice and pawns.

>>> str(Tile.of(5, 3)), Tile.parse("3-5").pips
('3-5', 8)
>>> len(DOUBLE_SIX), len(DOUBLE_NINE.doubled)
(28, 110)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from functools import cached_property
from typing import NamedTuple

HIGHEST_END = 15
"""The largest number of pips on one end of any set (double-fifteen)."""


class Tile(NamedTuple):
    """A domino tile that lies in no direction: its smaller end first.

    It is a tuple, so it equals and hashes as `(low, high)` and costs as little. The constructor does not check;
    `Tile.of` and `Tile.parse` do.
    """

    low: int
    high: int

    @classmethod
    def of(cls, end: int, other: int) -> Tile:
        """The tile with these two ends, in either order; ValueError where an end is not 0 to 15.

        >>> Tile.of(6, 0)
        Tile(low=0, high=6)
        """
        if not (0 <= end <= HIGHEST_END and 0 <= other <= HIGHEST_END):
            raise ValueError(f"no tile {end}-{other}: an end has 0 to {HIGHEST_END} pips")
        return cls(end, other) if end <= other else cls(other, end)

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile written as `3-5` (or `5-3`); ValueError for any other text.

        >>> Tile.parse("12-7")
        Tile(low=7, high=12)
        """
        end, dash, other = text.strip().partition("-")
        if not (dash and _is_number(end) and _is_number(other)):
            raise ValueError(f"not a tile: {text!r} (write it as 3-5)")
        return cls.of(int(end), int(other))

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"

    @property
    def pips(self) -> int:
        """Both ends together."""
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        """Whether both ends show the same number."""
        return self.low == self.high

    def has(self, end: int) -> bool:
        """Whether one of its ends shows this number."""
        return end in (self.low, self.high)

    def across(self, end: int) -> int:
        """The number at the other side of the bar; ValueError where the tile has no such end.

        >>> Tile.of(2, 5).across(5), Tile.of(4, 4).across(4)
        (2, 4)
        """
        if not self.has(end):
            raise ValueError(f"the tile {self} has no end {end}")
        return self.low + self.high - end


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


@dataclass(frozen=True)
class TileSet:
    """A domino set: every pair of ends from 0 to `highest`, `copies` times.

    >>> [str(tile) for tile in TileSet("tiny", highest=1)]
    ['0-0', '0-1', '1-1']
    """

    name: str
    highest: int
    copies: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.highest <= HIGHEST_END or self.copies < 1:
            raise ValueError(f"no set with ends up to {self.highest}, {self.copies} copies of each tile")

    @cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """The different tiles, once each, in order."""
        ends = range(self.highest + 1)
        return tuple(Tile(low, high) for low in ends for high in ends[low:])

    @property
    def doubled(self) -> TileSet:
        """Two of these sets put together.

        >>> DOUBLE_SIX.doubled.count(Tile.of(3, 4))
        2
        """
        return replace(self, copies=2 * self.copies)

    def __len__(self) -> int:
        return self.copies * len(self.tiles)

    def __iter__(self) -> Iterator[Tile]:
        """Every tile as often as the set has it."""
        return (tile for tile in self.tiles for _ in range(self.copies))

    def __contains__(self, tile: object) -> bool:
        return isinstance(tile, tuple) and len(tile) == 2 and 0 <= tile[0] <= tile[1] <= self.highest

    def count(self, tile: Tile) -> int:
        """How many of this tile the set has."""
        return self.copies if tile in self else 0


DOUBLE_SIX = TileSet("double-six", 6)
DOUBLE_NINE = TileSet("double-nine", 9)
DOUBLE_TWELVE = TileSet("double-twelve", 12)
DOUBLE_FIFTEEN = TileSet("double-fifteen", 15)

TILE_SETS: Mapping[str, TileSet] = {
    tile_set.name: tile_set for tile_set in (DOUBLE_SIX, DOUBLE_NINE, DOUBLE_TWELVE, DOUBLE_FIFTEEN)
}
"""The sets that are sold, by name."""


class Suit(Enum):
    """The four suits of a piecepack, in their order (Piecepack Anatomy)."""

    SUNS = "suns"
    MOONS = "moons"
    CROWNS = "crowns"
    ARMS = "arms"

    def __str__(self) -> str:
        return self.value


class Rank(IntEnum):
    """The six values of coins and die faces; null counts 0 and ace 1 unless a rule says otherwise.

    >>> str(Rank.ACE), str(Rank.THREE), Rank.parse("null") + 0
    ('ace', '3', 0)
    """

    NULL = 0
    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5

    @classmethod
    def parse(cls, text: str) -> Rank:
        """The rank written `null`, `ace` or `2` to `5`; ValueError for any other text."""
        for rank in cls:
            if str(rank) == text.strip():
                return rank
        raise ValueError(f"not a rank: {text!r} (write null, ace, 2, 3, 4 or 5)")

    def __str__(self) -> str:
        return self.name.lower() if self <= Rank.ACE else str(int(self))


@dataclass(frozen=True, slots=True)
class Coin:
    """A coin: its value on one side, its suit on the other, so one look shows one of the two, never both."""

    suit: Suit
    rank: Rank

    def __str__(self) -> str:
        return f"{self.suit} {self.rank}"


@dataclass(frozen=True, slots=True)
class Die:
    """A suit's die and the face it shows."""

    suit: Suit
    face: Rank

    def __str__(self) -> str:
        return f"{self.suit} die {self.face}"


@dataclass(frozen=True, slots=True)
class Pawn:
    """The pawn of a suit."""

    suit: Suit

    def __str__(self) -> str:
        return f"{self.suit} pawn"


COINS: tuple[Coin, ...] = tuple(Coin(suit, rank) for suit in Suit for rank in Rank)
"""The 24 coins of a piecepack."""

PAWNS: tuple[Pawn, ...] = tuple(Pawn(suit) for suit in Suit)
"""The four pawns of a piecepack."""
