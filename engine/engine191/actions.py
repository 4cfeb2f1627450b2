"""What seats and chance do in Engine 191."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.actions import NUMBER, TILE, TILES, WORD, Action, listed, optional
from engine.pieces import Tile

HAND = {2: 9, 3: 11, 4: 9}
"""How many tiles everybody takes, by the number of players."""


@dataclass(frozen=True, slots=True)
class Bid(Action):
    """Put a tile face down for the first place; `?` for a bid that is not ours to see."""

    kind: ClassVar[str] = "bid"
    FORM = (("tile", "tile", TILE),)

    tile: Tile


@dataclass(frozen=True, slots=True)
class Remove(Action):
    """Take the last section off one's own line and a tile into the yard."""

    kind: ClassVar[str] = "remove"


@dataclass(frozen=True, slots=True)
class Play(Action):
    """Lay a tile at the end of a line; one from the yard is replaced there by a hand tile."""

    kind: ClassVar[str] = "play"
    FORM = (("tile", "tile", TILE), ("line", "line", NUMBER), ("source", "from", WORD), ("replace", "replace", optional(TILE)))

    tile: Tile
    line: int
    source: str  # "hand" or "yard"
    replace: Tile | None


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """Play nothing: take a tile of the boneyard face up into the yard."""

    kind: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True)
class End(Action):
    """Close the turn after a drawn tile or a station."""

    kind: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Play nothing when there is nothing to draw."""

    kind: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """Chance: the hands and the boneyard, next tile first."""

    kind: ClassVar[str] = "deal"
    FORM = (("hands", "hands", listed(TILES)), ("boneyard", "boneyard", TILES))

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Reveal(Action):
    """Chance: all bids are turned up, in the order of the seats."""

    kind: ClassVar[str] = "reveal"
    FORM = (("bids", "bids", TILES),)

    bids: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class TurnUp(Action):
    """Chance: the tile that was drawn into a yard."""

    kind: ClassVar[str] = "turn-up"
    FORM = (("tile", "tile", TILE),)

    tile: Tile


@dataclass(frozen=True, slots=True)
class Shuffle(Action):
    """Chance: the scrap, turned over and shuffled, in its new order."""

    kind: ClassVar[str] = "shuffle"
    FORM = (("boneyard", "boneyard", TILES),)

    boneyard: tuple[Tile, ...]


REMOVE, DRAW, END, PASS = Remove(), Draw(), End(), Pass()
