"""What a seat may do in Dominoids: choose dice, use them, take the consequence of a slide, place a child, replace coins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from engine.actions import Action
from engine.dominoids.actions import Attack, Breed, Bud, Choose, Eat, Look, Pass, Replace, Shift, Slide
from engine.dominoids.board import NEAR, SIDE, Dominoid, cell_of, children, moves, occupied, straddles, torn

if TYPE_CHECKING:
    from engine.dominoids.game import State

ACE = 1
DICE = tuple(Choose((first, second)) for first in range(4) for second in range(first + 1, 4))


def legal(state: State) -> list[Action]:
    """Every legal action of the seat to move."""
    if state.turn is None or state.chance:
        return []
    phase = state.phase
    if phase == "act":
        objects = objects_on(state)
        return [action for die in state.chosen for action in with_die(state, die, objects)]
    if phase == "choose":
        new = state.new
        return [pair for pair in DICE if not (new[pair.dice[0]] and new[pair.dice[1]])]
    if phase == "consequence":
        return consequences(state)
    if phase == "child":
        parents = [state.dominoids[at] for at in state.parents]
        return list(dict.fromkeys(_children(state, parents)))
    return replacements(state)


def likely(state: State) -> list[Action]:
    """What anybody would do: eat; else slide beside a coin that may be eaten; else anything legal."""
    found = legal(state)
    if state.phase == "consequence":
        return [action for action in found if isinstance(action, Eat)] or found
    if state.phase == "act":
        coins = {coin[0]: coin[1] if coin[2] else 0 for coin in state.coins if coin}
        return [action for action in found if isinstance(action, Slide) and _feeds(action, coins)] or found
    return found


def _feeds(slide: Slide, coins: Mapping[int, int]) -> bool:
    """Whether an end comes beside a coin that is worth as little; coins: their cells, with what they are worth at least."""
    return any(coins.get(near, end + 1) <= end
               for (x, y), end in zip(slide.cells, slide.ends, strict=True) for near in NEAR[x + SIDE * y])


def objects_on(state: State) -> int:
    """The bit set of cells with a Dominoid, a pawn or a coin."""
    return occupied(state.dominoids, (*state.pawns, *(coin[0] for coin in state.coins if coin)))


def _children(state: State, parents: list[Dominoid]) -> Iterator[Action]:
    return children(parents, state.pool, objects_on(state), state.rules.child_contact == "any_half")


def _has_child(state: State, parents: list[Dominoid]) -> bool:
    return any(True for _ in _children(state, parents))


def with_die(state: State, die: int, objects: int) -> list[Action]:
    """What a die can do (Sequence of Play, 3.3); where nothing, it passes."""
    face = state.dice[die]
    if face > ACE:
        found: list[Any] = moves(state.dominoids, objects, die, face, state.rules.edge_if_blocked == "illegal")
        if not found:  # Budding, 4.10
            found = [Bud(die, parent.tile) for parent in state.dominoids if _has_child(state, [parent])]
    else:
        found = _shifts(state, die) if face == ACE else []
    return found or [Pass(die)]


def _shifts(state: State, die: int) -> list[Any]:
    """The row and the column of board tiles with the pawn of this suit, each in both directions (5; D11, D12)."""
    x, y = cell_of(state.pawns[die])
    found = []
    for line, index in (("row", y // 2), ("column", x // 2)):
        if straddles(state.dominoids, line, index):
            continue
        tears = {step: torn(state.dominoids, line, index, step) for step in (1, -1)}
        if state.rules.torn_wrap == "strip" and any(tears.values()):
            continue
        found += [Shift(die, line, index, step) for step in (1, -1) if not tears[step]]
    return found


def consequences(state: State) -> list[Action]:
    """What the Dominoid that has slid can eat, attack or breed with (4.6 to 4.9)."""
    assert state.mover is not None
    mover = state.dominoids[state.mover]
    ends = {cell: (each, end) for at, each in enumerate(state.dominoids) if at != state.mover
            for cell, end in ((each.first, each.p), (each.second, each.q))}
    coins = {coin[0]: (suit, coin) for suit, coin in enumerate(state.coins) if coin}
    found: dict[Action, None] = {}
    for own, value in ((mover.first, mover.p), (mover.second, mover.q)):
        for near in NEAR[own]:
            if near in coins:
                suit, (_, worth, up) = coins[near]
                if not up:
                    found[Look(suit)] = None
                elif worth <= value:
                    found[Eat(suit)] = None
            elif near in ends:
                other, end = ends[near]
                if end < value:
                    found[Attack(other.tile)] = None
                elif end == value and _has_child(state, [mover, other]):
                    found[Breed(other.tile)] = None
    return list(found)


def replacements(state: State) -> list[Action]:
    """Every missing coin on every empty square beside its pawn (7; D13)."""
    missing = [suit for suit in range(4) if state.coins[suit] is None and state.stacks[suit]]
    objects = objects_on(state) if missing else 0
    return [Replace(suit, cell_of(near)) for suit in missing for near in NEAR[state.pawns[suit]] if not objects >> near & 1]
