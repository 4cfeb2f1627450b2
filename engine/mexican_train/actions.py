"""What seats and chance do in Mexican Train. Trains are named by their seat; the Mexican train has the number after the last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.actions import NUMBER, TILE, TILES, Action, listed
from engine.pieces import Tile


@dataclass(frozen=True, slots=True)
class Play(Action):
    """Lay a tile at the end of a train, its equal end inward."""

    kind: ClassVar[str] = "play"
    FORM = (("tile", "tile", TILE), ("train", "train", NUMBER))

    tile: Tile
    train: int


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """Take the next tile of the boneyard."""

    kind: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Let the turn go by, and open one's own train with its marker."""

    kind: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class End(Action):
    """Lay no more on one's own train in the first turn (first_turn=train)."""

    kind: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """Chance: the hands, the boneyard (next tile first), and the seat that begins. Tiles may be unknown."""

    kind: ClassVar[str] = "deal"
    FORM = (("hands", "hands", listed(TILES)), ("boneyard", "boneyard", TILES), ("starter", "starter", NUMBER))

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    starter: int


DRAW, PASS, END = Draw(), Pass(), End()
