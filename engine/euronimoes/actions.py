"""What seats and chance do in Euronimoes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.actions import CELLS, NUMBER, PAIR, TILE, TILES, Action, Cell, listed, optional
from engine.pieces import Tile

COSTS = (-1, 0, 1, 2, 3)
"""What a tile of each market slot costs in chips, cheapest slot first."""


@dataclass(frozen=True, slots=True)
class Buy(Action):
    """Take the face-up tile of one market slot and pay that slot's cost; slot 0 is the cheapest."""

    kind: ClassVar[str] = "buy"
    FORM = (("slot", "slot", NUMBER),)

    slot: int


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """Take the next tile of the bone pile; the market rotates."""

    kind: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True)
class Play(Action):
    """Lay a tile in one's own grid; the first cell is the left or lower one, and `ends` lie in that order."""

    kind: ClassVar[str] = "play"
    FORM = (("tile", "tile", TILE), ("cells", "cells", CELLS), ("ends", "ends", PAIR), ("level", "level", NUMBER))

    tile: Tile
    cells: tuple[Cell, Cell]
    ends: tuple[int, int]
    level: int


@dataclass(frozen=True, slots=True)
class Stop(Action):
    """Keep the last tile (or, where the grid has no room, all that is left)."""

    kind: ClassVar[str] = "stop"


@dataclass(frozen=True, slots=True)
class Give(Action):
    """Let another seat act first, where the end is played simultaneously."""

    kind: ClassVar[str] = "give"
    FORM = (("seat", "seat", NUMBER),)

    seat: int


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """Chance: the hands, the market (cheapest first), the bone pile (next first), and who begins."""

    kind: ClassVar[str] = "deal"
    FORM = (("hands", "hands", listed(TILES)), ("market", "market", listed(optional(TILE))), ("pile", "pile", TILES),
            ("first", "first", NUMBER))

    hands: tuple[tuple[Tile, ...], ...]
    market: tuple[Tile | None, ...]
    pile: tuple[Tile, ...]
    first: int


@dataclass(frozen=True, slots=True)
class Refill(Action):
    """Chance: the tile turned up on the market's dearest slot."""

    kind: ClassVar[str] = "refill"
    FORM = (("tile", "tile", TILE),)

    tile: Tile


DRAW, STOP = Draw(), Stop()
