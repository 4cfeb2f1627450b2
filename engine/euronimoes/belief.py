"""What is known about hidden tiles in Euronimoes, and dealing them so that nothing known is contradicted.

A tile bought from the market is known until it is played. Of the three tiles dealt, one fact is public: nobody was
dealt a tile with more pips than the largest of the seat that began (E15). For each number of pips P that this largest
tile may have had: all dealt tiles have at most P, and the first seat was dealt one of exactly P.
"""

from __future__ import annotations

from collections import Counter
from math import factorial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.core import UNKNOWN
from engine.hidden import deal_to_slots
from engine.pieces import Tile

if TYPE_CHECKING:
    from engine.euronimoes.game import State

Past = tuple[Tile | None, ...]
"""Hidden draws (None) and tiles played that were not bought in public, in order."""

MOST_PIPS = 12


class Hand(NamedTuple):
    """What a hidden part of a hand is made of: how many of its tiles were dealt, and which dealt ones were played."""

    dealt: int
    drawn: int
    played: tuple[Tile, ...]


def trace(past: Past, size: int, most: int) -> Hand | None:
    """A hidden hand after its past, if no dealt tile had more than `most` pips; None where that cannot be.

    A tile played is taken from the dealt ones where it can be one of them: that leaves the others freest.
    """
    dealt, drawn = size, 0
    played: list[Tile] = []
    for tile in past:
        if tile is None:
            drawn += 1
        elif dealt and tile.pips <= most:
            dealt -= 1
            played.append(tile)
        elif drawn:
            drawn -= 1
        else:
            return None
    return Hand(dealt, drawn, tuple(played))


class Case(NamedTuple):
    """One possibility for the largest tile dealt: the hidden hands, and whether a hidden tile must have those pips."""

    most: int
    hands: dict[int, Hand]
    needed: bool
    weight: int


def sample(state: State, rng: Random) -> Any:
    """A full state that agrees with all that this one knows; ValueError where there is none."""
    if not any(UNKNOWN in tiles for tiles in (*state.hands, *state.dealt, state.pile, state.market)):
        return state.copy()
    tiles = state.unseen()
    free = state.rules.first_player == "observed" or not any(state.dealt)
    cases = [case for most in ((MOST_PIPS,) if free else range(MOST_PIPS + 1)) if (case := _case(state, tiles, most, free))]
    while cases:
        case = rng.choices(cases, [case.weight for case in cases])[0]
        try:
            return _fill(state, case, list(tiles), rng)
        except ValueError:
            cases.remove(case)
    raise ValueError("no deal of the unseen tiles fits what is known")


def _case(state: State, tiles: list[Tile], most: int, free: bool) -> Case | None:
    """The hidden hands if the largest tile dealt had so many pips; None where that cannot be."""
    first, hands, needed = state.first, {}, False
    for seat, own in enumerate(state.hands):
        if UNKNOWN not in own and UNKNOWN not in state.dealt[seat]:
            continue
        size = len(state.dealt[seat]) or own.count(UNKNOWN)
        if seat == first and not free:
            hand, needed = _trace_first(state.past[seat], size, most)
        else:
            hand = trace(state.past[seat], size, most)
        if hand is None:
            return None
        hands[seat] = hand
        shown, missing = _shown(state, seat), _unknown(state, seat)
        if not missing and not free and sum(tile.pips <= most for tile in shown) < hand.dealt:
            return None
        if seat == first and needed and any(tile.pips == most for tile in shown):
            needed = False
        elif seat == first and needed and not missing:
            return None
    if free:
        return Case(most, hands, False, 1)
    known = [tile.pips for dealt in state.dealt for tile in dealt if tile != UNKNOWN]
    if max(known, default=0) > most or (first not in hands and all(tile.pips != most for tile in state.dealt[first])):
        return None
    small = sum(tile.pips <= most for tile in tiles)
    exact = sum(tile.pips == most for tile in tiles)
    places = sum(min(hand.dealt, _unknown(state, seat)) for seat, hand in hands.items())
    if places > small or (needed and not exact):
        return None
    ways = factorial(small) // factorial(small - places) * factorial(len(tiles) - places)
    if needed:
        ways = ways * hands[first].dealt * exact // small
    return Case(most, hands, needed, max(ways, 1))


def _trace_first(past: Past, size: int, most: int) -> tuple[Hand | None, bool]:
    """The first seat's hidden hand if its largest tile dealt had so many pips, and whether it must still hold that tile."""
    for at, tile in enumerate(past):
        if tile is not None and tile.pips == most and (hand := trace(past[:at] + past[at + 1 :], size - 1, most)):
            return Hand(hand.dealt, hand.drawn, (tile, *hand.played)), False
    hand = trace(past, size - 1, most)
    return (None, True) if hand is None else (Hand(hand.dealt + 1, hand.drawn, hand.played), True)


def _unknown(state: State, seat: int) -> int:
    return state.hands[seat].count(UNKNOWN)


def _shown(state: State, seat: int) -> list[Tile]:
    """The tiles of a hand that were hidden and have been shown since: those known that nobody saw bought."""
    return list((Counter(tile for tile in state.hands[seat] if tile != UNKNOWN) - Counter(state.bought[seat])).elements())


def _fill(state: State, case: Case, tiles: list[Tile], rng: Random) -> Any:
    """Deal the unseen tiles by one case."""
    other = state.copy()
    over = frozenset(tile for tile in tiles if tile.pips > case.most)
    forced: Tile | None = None
    if case.needed:
        forced = rng.choice([tile for tile in tiles if tile.pips == case.most])
        tiles.remove(forced)
    slots: list[frozenset[Tile]] = []
    for seat, hand in case.hands.items():
        dealt = hand.dealt - (seat == state.first and forced is not None)
        missing = _unknown(state, seat)
        shown = hand.dealt + hand.drawn - missing  # hidden tiles that have been shown since
        if shown:
            slots += [frozenset()] * (missing - (seat == state.first and forced is not None))
        else:
            slots += [over] * dealt + [frozenset()] * hand.drawn
    rest = state.pile.count(UNKNOWN) + (state.market[-1] == UNKNOWN)
    assigned = deal_to_slots(slots + [frozenset()] * rest, tiles, rng)
    hands, dealt_tiles = list(state.hands), list(state.dealt)
    for seat, hand in case.hands.items():
        missing = _unknown(state, seat)
        extra = [forced] if seat == state.first and forced is not None else []
        got = extra + [assigned.pop(0) for _ in range(missing - len(extra))]
        hands[seat] = tuple(sorted([tile for tile in state.hands[seat] if tile != UNKNOWN] + got))
        if UNKNOWN in state.dealt[seat]:
            able = sorted((tile for tile in _shown(state, seat) if tile.pips <= case.most), key=lambda tile: -tile.pips)
            dealt_tiles[seat] = tuple(sorted([*hand.played, *got, *able][: len(state.dealt[seat])]))
    other.hands, other.dealt = tuple(hands), tuple(dealt_tiles)
    other.pile = tuple(assigned.pop() if tile == UNKNOWN else tile for tile in state.pile)
    if state.market[-1] == UNKNOWN:
        other.market, other.chance = (*state.market[:-1], assigned.pop()), None
    return other
