"""Sampling hidden tiles: every world that what was public leaves open is reached, and none comes up far too often.

The worlds are found by trying: each way the unseen tiles can lie is replayed against what everybody saw.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest

from engine.core import UNKNOWN
from engine.dominoids.game import State as Dominoids
from engine.euronimoes.game import State as Euronimoes
from engine.games import GAMES
from engine.hidden import deal_to_slots
from engine.lines.actions import Draw, Pass, Play
from engine.lines.kit import rank
from engine.pieces import Tile
from engine.playout import choose
from engine.solo.solitaire import State as Solitaire

Event = tuple[str, int, Any]


def public_events(first: Any, actions: tuple[Any, ...]) -> list[Event]:
    """What everybody saw of a round: (what, seat, the tile played or the open numbers)."""
    state = first.copy()
    events: list[Event] = []
    for action in actions:
        seat = state.turn
        if isinstance(action, Draw | Pass):
            events.append((action.kind, seat, state._open_numbers()))
        elif isinstance(action, Play):
            events.append(("lead" if action.arm == "root" else "play", seat, action.tile))
        state.push(action)
    return events


def agrees(state: Any, seat: int, hand: tuple[Tile, ...], events: list[Event]) -> bool:
    """Whether a seat may have come to this hand: some of these and the tiles it played were dealt, the others drawn."""
    played = [tile for what, who, tile in events if who == seat and what in ("lead", "play")]
    drawn = sum(who == seat and what == "draw" for what, who, _ in events)
    every = {*hand, *played}

    def told(tiles: tuple[Tile, ...]) -> bool:
        held, to_come = every - set(tiles), list(tiles)
        for what, who, fact in events:
            if what == "lead" and any(rank(tile) > rank(fact) for tile in held):
                return False
            if who != seat:
                continue
            if what in ("lead", "play"):
                if fact not in held:
                    return False
                held = held - {fact}
            elif any(state.kit.fit(tile, number) for tile in held for number in fact):
                return False
            if what == "draw":
                held = held | {to_come.pop(0)}
        return True

    return any(told(tiles) for tiles in permutations(sorted(every), drawn))


def small_case(name: str, flags: str, rng: Random) -> tuple[Any, list[Event]]:
    """A view late in a round with few unseen tiles, of which something is known."""
    kind: Any = GAMES[name]
    while True:
        first = kind.start(kind.Rules.parse(flags), 3, rng)
        state = first.copy()
        while not state.chance and state.turn is not None and len(state.view(0).unseen()) > 5:
            state.push(choose(state.legal(), rng))
        if state.chance or state.outcome():
            continue
        events = public_events(first, state.pushed)
        draws = Counter(who for what, who, _ in events if what == "draw" and who)
        if max(draws.values(), default=0) <= 3 and any(slot for seat in (1, 2) for slot in state.view(0).knowledge()[seat]):
            return state.view(0), events


@pytest.mark.parametrize(("name", "flags"), [
    ("block", ""), ("block", "reserve=2"), ("all-fives", ""), ("all-fives", "spinner=first_double"), ("all-fives", "spinner=all"),
    ("matador", "voluntary_draw=none"), ("matador", "voluntary_draw=none,matadors=off"), ("one-arm-joe", ""),
])
def test_a_sample_reaches_every_deal_that_agrees_with_what_was_public(name: str, flags: str) -> None:
    rng = Random(8)
    several = 0
    for _ in range(5):
        view, events = small_case(name, flags, rng)
        left = view.unseen()
        sizes = [len(hand) for hand in view.hands[1:]]
        wanted = set()
        for one in combinations(left, sizes[0]):
            for two in combinations([tile for tile in left if tile not in one], sizes[1]):
                if agrees(view, 1, one, events) and agrees(view, 2, two, events):
                    wanted.add((frozenset(one), frozenset(two)))
        samples = (view.sample(rng) for _ in range(60 * len(wanted)))
        assert {(frozenset(each.hands[1]), frozenset(each.hands[2])) for each in samples} == wanted
        several += len(wanted) > 1
    assert several > 1


def test_a_sample_of_dominoids_reaches_every_order_of_the_coins() -> None:
    state: Any = Dominoids.start(None, 2, Random(2)).project()
    state.collected = (((0, 0), (0, 5), (0, 2)), ())
    state.stacks = ((-1, -1), *state.stacks[1:])
    samples = [state.sample(Random(seed)) for seed in range(120)]
    assert {(each.coins[0][1], *each.stacks[0]) for each in samples} == set(permutations((1, 3, 4)))


def test_a_sample_of_solitaire_reaches_every_tile_either_way_round() -> None:
    state: Any = Solitaire.start(None, 1, Random(2))
    shown = 0
    for at, column in enumerate(state.columns):  # all lie open but three
        opened = tuple(tile if shown + place < 3 and not tile.up else tile._replace(up=True) for place, tile in enumerate(column))
        shown += len(column)
        state.columns = (*state.columns[:at], opened, *state.columns[at + 1 :])
    hidden = state.project().columns[0][:3]
    assert [tile.up for tile in hidden] == [False] * 3 and all(tile.top < 0 for tile in hidden)
    left = [(tile.top, tile.bottom) for tile in state.columns[0][:3]]
    worlds = {tuple(ends if keep >> at & 1 else ends[::-1] for at, ends in enumerate(order))
              for order in permutations(left) for keep in range(8)}
    samples = [state.project().sample(Random(seed)) for seed in range(12 * len(worlds))]
    assert {tuple(tile[1:] for tile in each.columns[0][:3]) for each in samples} == worlds


def test_every_deal_to_slots_is_as_likely_as_any_other() -> None:
    tiles = [Tile(0, 0), Tile(0, 1), Tile(1, 1), Tile(1, 2), Tile(2, 2)]
    slots = [frozenset(tiles[:2]), frozenset(tiles[1:3]), frozenset[Tile](), frozenset(tiles[3:]), frozenset[Tile]()]
    worlds = [order for order in permutations(tiles) if all(tile not in slot for tile, slot in zip(order, slots, strict=True))]
    rng = Random(4)
    found = Counter(tuple(deal_to_slots(slots, tiles, rng)) for _ in range(300 * len(worlds)))
    assert set(found) == set(worlds) and len(worlds) > 20
    assert max(abs(count - 300) for count in found.values()) < 90, "five times the usual deviation"


def test_the_tile_that_somebody_leads_is_as_likely_as_in_fresh_deals() -> None:
    rng = Random(5)
    kind: Any = GAMES["block"]
    state = kind.start(None, 2, rng)
    while state.turn != 0:
        state = kind.start(None, 2, rng)
    own, view = state.hands[1], state.view(1)
    dealt: Counter[Tile] = Counter()
    while dealt.total() < 2000:
        tiles = rng.sample(view.unseen(), 5)
        if max(map(rank, tiles)) > max(map(rank, own)) and max(map(rank, tiles))[0]:
            dealt[max(tiles, key=rank)] += 1
    sampled = Counter(max(view.sample(rng).hands[0], key=rank) for _ in range(2000))
    assert set(sampled) <= set(view.unseen())
    assert all(abs(sampled[tile] - dealt[tile]) < 160 for tile in sampled | dealt)


def test_the_largest_tile_of_who_began_is_as_likely_as_in_fresh_deals() -> None:
    rng = Random(6)
    state = Euronimoes.start(None, 2, rng)
    while state.first != 0 or max(tile.pips for tile in state.hands[1]) > 8:
        state = Euronimoes.start(None, 2, rng)
    view = state.view(1)
    assert view.hands[0] == (UNKNOWN,) * 3
    own = max(tile.pips for tile in view.hands[1])
    dealt: Counter[int] = Counter()
    while dealt.total() < 2000:
        best = max(tile.pips for tile in rng.sample(view.unseen(), 3))
        if best >= own:
            dealt[best] += 1
    sampled = Counter(max(tile.pips for tile in view.sample(rng).hands[0]) for _ in range(2000))
    assert all(abs(sampled[pips] - dealt[pips]) < 160 for pips in sampled | dealt)
