"""What people tell by hand of tiles, dice and coins that came by chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from engine.actions import Action
from engine.pieces import Tile
from engine.state import State
from webui.live.face import Half, Told
from webui.live.games import FACES


def chance_action(state: State, halves: Sequence[Half], starter: int, numbers: Sequence[int] = (), rng: Random | None = None,
                  ) -> Action:
    """The action of chance that was told; see `Told`. ValueError where it tells nothing."""
    return FACES[state.game].tell(state, Told(halves, starter, numbers, rng or Random()))


def halves_of(texts: Iterable[str]) -> tuple[Half, ...]:
    """Both ends of tiles from texts like `5-3`, the first end first; ValueError for anything else."""
    return tuple(_half(text) for text in texts)


def _half(text: str) -> Half:
    tile = Tile.parse(text)
    return (tile.low, tile.high) if int(text.partition("-")[0]) == tile.low else (tile.high, tile.low)


def hand_of(texts: Iterable[str]) -> tuple[Tile, ...]:
    """Tiles from texts like `3-5`; ValueError for anything else."""
    return tuple(Tile.parse(text) for text in texts)
