"""What is known of the hidden tiles of Engine 191: hiding them, dealing them anew, and telling what turns up."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from engine.actions import Action, Show
from engine.core import UNKNOWN
from engine.engine191.actions import Reveal, Shuffle, TurnUp
from engine.hidden import FREE, deal_unseen, unseen
from engine.pieces import DOUBLE_NINE, DOUBLE_SIX, Tile

if TYPE_CHECKING:
    from engine.engine191.game import State


@cache
def carrying(highest: int, numbers: frozenset[int]) -> frozenset[Tile]:
    """The tiles of a set with one of these numbers."""
    tiles = DOUBLE_SIX if highest == DOUBLE_SIX.highest else DOUBLE_NINE
    return frozenset(tile for tile in tiles if not numbers.isdisjoint(tile))


def possible(state: State, seat: int) -> list[Tile]:
    """The tiles that a hand holds, or may hold where some of it are unknown."""
    hand, slots = state.hands[seat], state.slots[seat]
    if UNKNOWN not in hand:
        return list(hand)
    known = {tile for tile in hand if tile != UNKNOWN}
    return sorted(known | {tile for tile in state.unseen() if any(tile not in slot for slot in slots)})


def hide(state: State, seats: Iterable[int]) -> Any:
    """The same table with the boneyard and these hands face down, but for bids taken back, which all have seen."""
    other = state.copy()
    hands, bids = list(state.hands), list(state.bids)
    for seat in seats:
        known = tuple(tile for tile in state.shown[seat] if tile in hands[seat])
        hands[seat] = (UNKNOWN,) * (len(hands[seat]) - len(known)) + known
        bids[seat] = bids[seat] and UNKNOWN
    other.hands, other.bids = tuple(hands), tuple(bids)
    other.boneyard = (UNKNOWN,) * len(state.boneyard)
    return other


def _filled(state: State, rng: Random) -> Any:
    """The same table with every unknown tile dealt; chance still waits where it waited."""
    other = state.copy()
    slots: list[frozenset[Tile]] = []
    spread: list[int] = []
    for seat, hand in enumerate(state.hands):
        gaps = hand.count(UNKNOWN) + (state.bids[seat] == UNKNOWN)
        known = state.slots[seat]
        slots += known if len(known) == gaps else (FREE,) * gaps
        spread.append(gaps)
    stock = state.boneyard.count(UNKNOWN) + sum(yard.count(UNKNOWN) for yard in state.yards)
    slots += [state.not_in_boneyard] * stock
    dealt = deal_unseen(slots, state.unseen(), rng)
    hands, bids = list(state.hands), list(state.bids)
    for seat, gaps in enumerate(spread):
        got = [dealt.pop(0) for _ in range(gaps)]
        if bids[seat] == UNKNOWN:
            bids[seat] = got.pop(rng.randrange(len(got)))
        hands[seat] = tuple(sorted([tile for tile in hands[seat] if tile != UNKNOWN] + got))
    other.hands, other.bids = tuple(hands), tuple(bids)
    other.boneyard = tuple(dealt.pop() if tile == UNKNOWN else tile for tile in state.boneyard)
    other.yards = tuple(tuple(dealt.pop() if tile == UNKNOWN else tile for tile in yard) for yard in state.yards)
    return other


def sample(state: State, rng: Random) -> Any:
    """A full state that agrees with this one; what only waited for a hidden tile goes on."""
    other = _filled(state, rng)
    if other.chance == "reveal":
        other.chance = None
        other.open_bids()
    elif other.chance == "turn-up":
        other.chance = None
        other.run(other.agenda)
    elif other.chance == "show":
        other.chance = None
        other.end_round()
    return other


def imagine(state: State, rng: Random) -> Action:
    """What chance may tell a state that knows less than the table."""
    return answer(_filled(state, rng), state)


def answer(full: State, other: State) -> Action:
    """What the other state waits for, as the full one has it."""
    if other.chance == "shuffle":
        return Shuffle((UNKNOWN,) * len(other.scrap))
    if other.chance == "turn-up":
        return TurnUp(full.yards[other.turn or 0][-1])
    if other.chance == "show":
        seat = next(seat for seat, hand in enumerate(other.hands) if UNKNOWN in hand)
        return Show(seat, tuple(unseen(full.hands[seat], other.hands[seat])))
    return Reveal(tuple(tile for tile in full.bids if tile is not None) if None not in full.bids else full.opened)
