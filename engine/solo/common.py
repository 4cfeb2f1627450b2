"""What the games for one player share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from engine.actions import Action
from engine.core import Flags
from engine.pieces import DOUBLE_SIX, Tile
from engine.state import State

Half = tuple[int, int]
"""A laid tile: its two ends in the order they lie."""


@dataclass(frozen=True)
class NoRules(Flags):
    """A game without flags."""


@dataclass(frozen=True, slots=True)
class Stop(Action):
    """End the game here."""

    kind: ClassVar[str] = "stop"


STOP = Stop()


class Solo(State):
    """A game for one player, where everything that matters lies on the table."""

    SEATS = (1,)
    FEW_WIN = True

    @classmethod
    def _count_seats(cls, data: Mapping[str, Any]) -> int:
        return 1

    def project(self) -> Any:
        """Everything lies open."""
        return self.copy()

    def view(self, seat: int) -> Any:
        """What the player sees is what the camera sees."""
        return self.project()

    def sample(self, rng: Random) -> Any:
        """Nothing is hidden."""
        return self.copy()

    def _begin(self) -> None:
        self.turn, self.phase, self.chance = 0, "play", None


def shuffled(rng: Random) -> list[Tile]:
    """The tiles of a double-six set in random order."""
    tiles = list(DOUBLE_SIX)
    rng.shuffle(tiles)
    return tiles


def laid(rng: Random) -> list[Half]:
    """The same, each turned one way or the other."""
    return [(tile.low, tile.high) if rng.random() < 0.5 else (tile.high, tile.low) for tile in shuffled(rng)]
