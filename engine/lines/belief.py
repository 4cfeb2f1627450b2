"""What was public about the hidden hands of a line game, and dealing the unseen tiles accordingly (H1 to H4)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from engine.core import UNKNOWN
from engine.hidden import FREE, Slots, deal_unseen, exclude, slots_of, tables, take
from engine.lines.kit import rank
from engine.pieces import Tile

if TYPE_CHECKING:
    from engine.lines.line import Line


def knowledge(state: Line) -> tuple[Slots, ...]:
    """For each seat and slot of its hand (oldest first), the tiles it cannot be by what was public."""
    nodes = []
    node = state.story
    while node is not None:
        nodes.append(node)
        node = node[0]
    hands: list[Slots] = [() for _ in range(state.players)]
    for node in reversed(nodes):
        _, what, seat, *rest = node
        if what == "deal":
            hands = list(seat)
        elif what == "lead":
            if rest[0] is not None:  # nobody holds a higher double (C14)
                higher = frozenset(tile for tile in state.kit.tiles if rank(tile) > rank(rest[0]))
                hands = [exclude(slots, higher) for slots in hands]
        elif what == "play":
            hands[seat] = take(hands[seat], rest[0])
        elif what == "pass":
            hands[seat] = exclude(hands[seat], state.kit.barred(rest[0]))
        elif what == "draw":  # every tile held, but not the one drawn (C9)
            hands[seat] = (*exclude(hands[seat], state.kit.barred(rest[0])), FREE)
        elif what == "free draw":  # tells nothing
            hands[seat] = (*hands[seat], FREE)
        else:  # "late draw": nothing could be played before the draw before this one
            hands[seat] = (*exclude(hands[seat][:-1], state.kit.barred(rest[0])), *hands[seat][-1:], FREE)
    return tuple(hands)


def worlds(state: Line, most: int) -> list[tuple[Any, int]] | None:
    """Every full deal of the unseen tiles that nothing public contradicts, with the number of ways to it; None for too many."""
    if state.phase == "lead":
        return None
    found = tables(state.hands, state.boneyard, state.knowledge(), state.unseen(), most)
    if found is None:
        return None
    made = []
    for (hands, boneyard), ways in found.items():
        other = state.copy()
        other.hidden, other.hands, other.boneyard = False, hands, boneyard
        other.settle()
        made.append((other, ways))
    return made


def sample(state: Line, rng: Random) -> Any:
    """A full deal of the unseen tiles that nothing public contradicts."""
    other = state.copy()
    other.hidden = False
    slots = slots_of(state.hands, state.boneyard, state.knowledge())
    tiles = state.unseen()
    other_hands, boneyard = [list(hand) for hand in state.hands], list(state.boneyard)
    places = [(hand, at) for hand in (*other_hands, boneyard) for at, tile in enumerate(hand) if tile == UNKNOWN]
    if state.phase == "lead" and state.leader is None and UNKNOWN in state.hands[state.turn or 0]:
        slots, fixed = _sample_lead(state, slots, places, tiles, rng)
    else:
        fixed = None
        if state.phase == "lead" and state.leader is None:
            lead = max(state.hands[state.turn or 0], key=rank)
            higher = frozenset(tile for tile in tiles if rank(tile) > rank(lead))
            slots = [slot if hand is boneyard else slot | higher
                     for slot, (hand, _) in zip(slots, places, strict=True)]
    if fixed is not None:
        place, tile = fixed
        hand, at = places.pop(place)
        slots.pop(place)
        tiles.remove(tile)
        hand[at] = tile
    for (hand, at), tile in zip(places, deal_unseen(slots, tiles, rng), strict=True):
        hand[at] = tile
    other.hands = tuple(tuple(hand) for hand in other_hands)
    other.boneyard = tuple(boneyard)
    other.settle()
    return other


def _sample_lead(state: Line, slots: list[frozenset[Tile]], places: list[tuple[list[Tile], int]], tiles: list[Tile],
                 rng: Random) -> tuple[list[frozenset[Tile]], tuple[int, Tile] | None]:
    """Choose the tile that the seat to lead holds: no hand has a higher one (C14)."""
    starter = state.turn or 0
    known = [[tile for tile in hand if tile != UNKNOWN] for hand in state.hands]
    least = max((rank(tile) for hand in known for tile in hand), default=(False, -1, -1))
    own = max(map(rank, known[starter]), default=(False, -1, -1))
    gaps = [hand.count(UNKNOWN) for hand in state.hands]
    stock = len(places) - sum(gaps)
    singles = state.rules.no_double == "highest_single"
    choices: list[Tile | None] = [None] if own == least and known[starter] and (own[0] or singles) else []
    choices += [tile for tile in tiles if rank(tile) > least and (tile.is_double or singles)]
    weights = []
    for tile in choices:
        higher = sum(rank(other) > (own if tile is None else rank(tile)) for other in tiles)
        ways = 1 if tile is None else gaps[starter]
        rest = len(tiles) - (tile is not None)
        for step in range(higher):  # all higher tiles lie in the boneyard
            ways *= max(stock - step, 0)
        for step in range(rest - higher):
            ways *= step + 1
        weights.append(ways)
    if not any(weights):
        raise ValueError("no deal of these tiles lets this seat lead")
    lead = rng.choices(choices, weights)[0]
    top = own if lead is None else rank(lead)
    higher_tiles = frozenset(tile for tile in tiles if rank(tile) > top)
    first = sum(gaps[:starter])
    slots = [slot | higher_tiles if place < sum(gaps) else slot for place, slot in enumerate(slots)]
    return slots, None if lead is None else (first + rng.randrange(gaps[starter]), lead)
