"""Hands that are laid open at the end of a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from heapq import nsmallest
from random import Random

from engine.core import UNKNOWN
from engine.hidden import Slots, deal_to_slots, take
from engine.pieces import Tile
from referee.reading import Sight
from referee.setting import Setting
from vision.observation import SeenTile

Hands = Sequence[tuple[Tile, ...]]

LIKELIEST = 24
"""So many ways to read a hand, or a photographed grid, are weighed."""


def lacks(hands: Hands, setting: Setting, up: Iterable[SeenTile], tile: SeenTile) -> bool:
    """Whether the hand before which a tile lies shows some, but too few without it: of one that shows none nobody knows whether
    it lies open. up: the open tiles."""
    seat = setting.nearest_seat(tile.center)
    return 0 < sum(setting.nearest_seat(each.center) == seat for each in up) < len(hands[seat])


def before_seats(setting: Setting, sights: Iterable[Sight]) -> dict[int, tuple[Sight, ...]]:
    """The tiles that lie before each seat, where any do."""
    found: dict[int, tuple[Sight, ...]] = {}
    for sight in sights:
        seat = setting.nearest_seat(sight.center)
        found[seat] = (*found.get(seat, ()), sight)
    return found


def first_shown(hands: Hands, unseen: Iterable[Tile], before: Callable[[int], Sequence[Sight]],
                ) -> list[tuple[int, tuple[Tile, ...], float]]:
    """The first seat whose hand is not known, and what it may show beside what is known of it, each with the nats against that;
    none while that hand does not lie open in full.

    before: the open tiles that lie before a seat. unseen: the tiles of which nobody knows where they are: it shows each once.
    """
    seat = next((at for at, hand in enumerate(hands) if UNKNOWN in hand), None)
    if seat is None or len(before(seat)) != len(hands[seat]):
        return []
    known = Counter(tile for tile in hands[seat] if tile != UNKNOWN)
    left = known + Counter(unseen)
    ways: list[tuple[float, tuple[Tile, ...]]] = [(0.0, ())]
    for sight in before(seat):
        shows = [(sight.cost(ends), Tile.of(*ends)) for ends in sight.likely()]
        ways = nsmallest(LIKELIEST, ((cost + more, (*tiles, tile)) for cost, tiles in ways
                                     for more, tile in shows if tiles.count(tile) < left[tile]))
    return [(seat, tuple(sorted((Counter(tiles) - known).elements())), cost) for cost, tiles in ways if known <= Counter(tiles)]


def never_held(slots: Slots, hand: tuple[Tile, ...], shown: Sequence[Tile]) -> list[Tile]:
    """Of the tiles that a hand shows those that it cannot have held by what was public; empty where it can have held all.

    slots: what each tile of the hand cannot be.
    """
    for tile in hand:
        if tile != UNKNOWN:
            slots = take(slots, tile)
    try:
        deal_to_slots(slots, shown, Random(0))
    except ValueError:
        return [tile for tile in shown if any(tile in slot for slot in slots)]
    return []
