"""What seats and chance do in the line games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from engine.actions import NUMBER, TILE, TILES, WORD, Action, listed, optional
from engine.pieces import Tile


@dataclass(frozen=True, slots=True)
class Play(Action):
    """Lay a tile on an arm of the line; `open` is the end that stays open (None for the first tile)."""

    kind: ClassVar[str] = "play"
    FORM = (("tile", "tile", TILE), ("arm", "arm", WORD), ("open", "open", optional(NUMBER)))

    tile: Tile
    arm: str
    open: int | None
    laid: tuple[int, int] = field(init=False, compare=False, repr=False)  # (inner, outer) end

    def __post_init__(self) -> None:
        outer = self.tile[1] if self.open is None else self.open
        object.__setattr__(self, "laid", (self.tile[0] + self.tile[1] - outer, outer))


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """Take the next tile of the boneyard."""

    kind: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Let the turn go by: nothing to play, nothing to draw."""

    kind: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Skip(Action):
    """Decline a bonus tile or a claim."""

    kind: ClassVar[str] = "skip"


@dataclass(frozen=True, slots=True)
class Claim(Action):
    """Claim the points of one's own play."""

    kind: ClassVar[str] = "claim"


@dataclass(frozen=True, slots=True)
class Muggins(Action):
    """Call the points that this other seat did not claim."""

    kind: ClassVar[str] = "muggins"
    FORM = (("seat", "seat", NUMBER),)

    seat: int


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """Chance: the hands, the boneyard (next tile first), and the seat that leads. Tiles may be unknown."""

    kind: ClassVar[str] = "deal"
    FORM = (("hands", "hands", listed(TILES)), ("boneyard", "boneyard", TILES), ("starter", "starter", NUMBER))

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    starter: int


DRAW, PASS, SKIP, CLAIM = Draw(), Pass(), Skip(), Claim()
