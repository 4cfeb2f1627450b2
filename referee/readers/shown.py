"""Hands that are laid open at the end of a round."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core import UNKNOWN
from engine.pieces import Tile
from referee.reading import Sight

Hands = Sequence[tuple[Tile, ...]]


def first_shown(hands: Hands, before: Callable[[int], Sequence[Sight]]) -> tuple[int, tuple[Tile, ...]] | None:
    """The first seat whose hand is not known, and what it shows; None while that hand does not lie open in full.

    before: the open tiles that lie before a seat.
    """
    seat = next((at for at, hand in enumerate(hands) if UNKNOWN in hand), None)
    if seat is None or len(before(seat)) != len(hands[seat]):
        return None
    tiles = [Tile.of(*sight.ends) for sight in before(seat)]
    for tile in hands[seat]:
        if tile != UNKNOWN and tile not in tiles:
            return None
        if tile != UNKNOWN:
            tiles.remove(tile)
    return seat, tuple(sorted(tiles))
