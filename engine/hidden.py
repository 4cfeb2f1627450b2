"""Hidden tiles: what each slot of a hidden hand cannot be, and dealing unseen tiles to such slots.

A slot's knowledge is the set of tiles it cannot be. What happens in public ("could not play on a 4 or a 6") holds for
every slot held at that moment, so an older slot excludes at least what a newer one does. When a tile is played from a
hidden hand, it came from some slot that allows it; taking away the oldest such slot leaves exactly the hands that are
possible, because any other choice leaves a hand that is bound more tightly (RULINGS H1, H2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random

from engine.core import UNKNOWN, Broken
from engine.pieces import Tile
from engine.words import say

Slots = tuple[frozenset[Tile], ...]
"""For each hidden slot of a hand, oldest first, the tiles it cannot be."""

FREE: frozenset[Tile] = frozenset()


def exclude(slots: Slots, tiles: frozenset[Tile]) -> Slots:
    """The slots after it became public that none of them is one of these tiles."""
    made = {slot: slot | tiles for slot in set(slots)}
    return tuple([made[slot] for slot in slots])


def take(slots: Slots, tile: Tile) -> Slots:
    """The slots after this tile came out of one of them."""
    for at, slot in enumerate(slots):
        if tile not in slot:
            return slots[:at] + slots[at + 1 :]
    return slots[1:]  # it cannot have been there: somebody erred, the table decides


def shuffled(tiles: Iterable[Tile], rng: Random) -> list[Tile]:
    """The tiles in random order; quicker than `shuffle`, and every round is dealt with it."""
    draw = rng.random
    return sorted(tiles, key=lambda _: draw())


def unseen(tile_set: Iterable[Tile], seen: Iterable[Tile]) -> list[Tile]:
    """The tiles of a set that are not among those seen, each as often as it is left."""
    left = Counter(tile_set)
    left.subtract(tile for tile in seen if tile != UNKNOWN)
    return sorted(left.elements())


def deal_to_slots(slots: Sequence[frozenset[Tile]], tiles: Sequence[Tile], rng: Random) -> list[Tile]:
    """One tile for each slot, none that the slot excludes, as even as swapping makes it; all tiles are used.

    Matches by augmenting paths, so it never starts over; ValueError where no such deal exists or the counts differ.
    """
    if len(slots) != len(tiles):
        raise ValueError(f"{len(tiles)} tiles cannot fill {len(slots)} places")
    pool = shuffled(tiles, rng)
    bound = sorted((slot for slot, known in enumerate(slots) if known), key=lambda each: -len(slots[each]))
    if not bound:
        return pool
    holder: list[int | None] = [None] * len(pool)  # which slot has this tile

    def place(slot: int, tried: set[int]) -> bool:
        for at, tile in enumerate(pool):
            if at in tried or tile in slots[slot]:
                continue
            tried.add(at)
            other = holder[at]
            if other is None or place(other, tried):
                holder[at] = slot
                return True
        return False

    for slot in bound:
        if not place(slot, set()):
            raise ValueError("no deal of these tiles fits what is known")
    free = iter(shuffled([tile for at, tile in enumerate(pool) if holder[at] is None], rng))  # those passed over came first
    held = {taker: pool[at] for at, taker in enumerate(holder) if taker is not None}
    dealt = [held[slot] if slot in held else next(free) for slot in range(len(slots))]
    count, draw = len(slots), rng.random
    for first in bound * 8:  # those that know nothing lie in random order already
        second = int(draw() * count)
        if dealt[second] not in slots[first] and dealt[first] not in slots[second]:
            dealt[first], dealt[second] = dealt[second], dealt[first]
    return dealt


def deals(slots: Sequence[frozenset[Tile]], tiles: Sequence[Tile]) -> Iterator[tuple[Tile, ...]]:
    """Every way to deal these tiles, one to each slot, none that a slot excludes.

    >>> len(list(deals([FREE, frozenset({Tile(0, 1)})], [Tile(0, 0), Tile(0, 1)])))
    1
    """
    if not slots:
        yield ()
        return
    for at, tile in enumerate(tiles):
        if tile not in slots[0]:
            for rest in deals(slots[1:], [*tiles[:at], *tiles[at + 1 :]]):
                yield tile, *rest


def slots_to_json(hands: Sequence[Slots]) -> list[list[list[str]]]:
    """Per seat and slot, the excluded tiles as texts; empty where nothing is known at all."""
    if not any(slot for slots in hands for slot in slots):
        return []
    return [[[str(tile) for tile in sorted(slot)] for slot in slots] for slots in hands]


def slots_from_json(data: Sequence[Sequence[Sequence[str]]], counts: Sequence[int]) -> tuple[Slots, ...]:
    """The inverse, for hands of these sizes."""
    if not data:
        return tuple((FREE,) * count for count in counts)
    hands = tuple(tuple(frozenset(Tile.parse(text) for text in slot) for slot in slots) for slots in data)
    if [len(slots) for slots in hands] != list(counts):
        raise ValueError("what is known about the hands does not fit their sizes")
    return hands


def impossible(tiles: Iterable[Tile], of: Collection[Tile]) -> str:
    """What is wrong with these known tiles of a set: one that it has not, or one twice; empty if nothing is."""
    for tile, count in Counter(tiles).items():
        if tile not in of:
            return f"there is no {tile} in this set"
        if count > 1:
            return f"the {tile} is there {count} times; the set has one"
    return ""


def broken_show(hands: Sequence[Sequence[Tile]], unseen: Iterable[Tile], seat: int, tiles: Sequence[Tile]) -> Broken | None:
    """What is wrong with these tiles of a seat's hidden hand becoming known, if anything. unseen: by everybody."""
    if not 0 <= seat < len(hands):
        return Broken("show", say("There is no seat {seat}.", seat=seat), {"seat": seat})
    if len(tiles) > hands[seat].count(UNKNOWN):
        return Broken("show", say("That hand has not so many unknown tiles."), {"seat": seat})
    left = Counter(unseen)
    left.subtract(tiles)
    wrong = [tile for tile in tiles if left[tile] < 0]
    if wrong:
        return Broken("show", say("The {wrong} cannot be in that hand: it is seen elsewhere.",
                                  wrong=wrong[0]), {"tile": wrong[0]})
    return None
