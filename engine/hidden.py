"""Hidden tiles: what each slot of a hidden hand cannot be, and dealing unseen tiles to such slots.

A slot's knowledge is the set of tiles it cannot be. What happens in public ("could not play on a 4 or a 6") holds for
every slot held at that moment, so an older slot excludes at least what a newer one does. When a tile is played from a
hidden hand, it came from some slot that allows it; taking away the oldest such slot leaves exactly the hands that are
possible, because any other choice leaves a hand that is bound more tightly (RULINGS H1, H2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, permutations
from math import factorial
from random import Random

from engine.core import UNKNOWN, Broken
from engine.pieces import Tile
from engine.words import say

Slots = tuple[frozenset[Tile], ...]
"""For each hidden slot of a hand, oldest first, the tiles it cannot be."""

Hands = tuple[tuple[Tile, ...], ...]

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


def deal_unseen(slots: Sequence[frozenset[Tile]], tiles: Sequence[Tile], rng: Random) -> list[Tile]:
    """The same where somebody may have erred, who passed with a tile that fits, say: if no deal fits what is known, that tells
    nothing any more."""
    try:
        return deal_to_slots(slots, tiles, rng)
    except ValueError:
        return deal_to_slots([FREE] * len(slots), tiles, rng)


def ways_to_deal(slots: Sequence[frozenset[Tile]], tiles: Sequence[Tile]) -> int:
    """In how many ways these tiles, no two alike, can be dealt one to each slot, none that a slot excludes.

    >>> ways_to_deal([FREE, frozenset({Tile(0, 1)})], [Tile(0, 0), Tile(0, 1)])
    1
    """
    ways = Counter({0: 1})  # of each set of tiles dealt so far, as bits
    for slot in slots:
        following: Counter[int] = Counter()
        for dealt, count in ways.items():
            for at, tile in enumerate(tiles):
                if not dealt >> at & 1 and tile not in slot:
                    following[dealt | 1 << at] += count
        ways = following
    return ways[(1 << len(tiles)) - 1]


def slots_of(hands: Hands, boneyard: Sequence[Tile], knowledge: Sequence[Slots]) -> list[frozenset[Tile]]:
    """What each hidden tile cannot be: seat by seat in the order of its hand, then the boneyard."""
    slots: list[frozenset[Tile]] = []
    for hand, known in zip(hands, knowledge, strict=True):
        for tile in hand:
            if tile != UNKNOWN:
                known = take(known, tile)
        gaps = hand.count(UNKNOWN)
        slots += known if gaps == len(known) else (FREE,) * gaps
    return slots + [FREE] * boneyard.count(UNKNOWN)


MOST_UNSEEN = 9
"""With more tiles unseen there are too many tables that may be."""


def tables(hands: Hands, boneyard: tuple[Tile, ...], knowledge: Sequence[Slots], tiles: Sequence[Tile],
           most: int) -> dict[tuple[Hands, tuple[Tile, ...]], int] | None:
    """Every way in which the unseen tiles may lie in the hands, whatever their order there, and in the boneyard, and how many
    deals come to it; None where they are more than `most`.
    """
    stock = boneyard.count(UNKNOWN)
    if len(tiles) > MOST_UNSEEN or factorial(stock) > most:
        return None
    slots = slots_of(hands, boneyard, knowledge)
    dealt: list[tuple[Hands, Sequence[Tile], int]] = [((), tiles, 1)]  # hands, what is left, and the ways to it
    for hand in hands:
        gaps = hand.count(UNKNOWN)
        known, own, slots = tuple(tile for tile in hand if tile != UNKNOWN), slots[:gaps], slots[gaps:]
        dealt = [((*before, (*known, *chosen)), [tile for tile in left if tile not in chosen], ways * more)
                 for before, left, ways in dealt for chosen in combinations(left, gaps)
                 if (more := ways_to_deal(own, chosen))]  # fmt: skip
        if len(dealt) * factorial(stock) > most:
            return None
    found = {}
    for filled, left, ways in dealt:
        for order in permutations(left):
            drawn = iter(order)
            found[filled, tuple(next(drawn) if tile == UNKNOWN else tile for tile in boneyard)] = ways
    return found


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
