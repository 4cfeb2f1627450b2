"""What a seat may do in Engine 191: bid, remove track, play where it may or must, draw, end, pass.

Bids and plays are values made once, so that listing them is a matter of looking them up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from engine.actions import Action
from engine.engine191.actions import DRAW, END, PASS, REMOVE, Bid, Play
from engine.engine191.belief import possible
from engine.pieces import Tile

if TYPE_CHECKING:
    from engine.engine191.game import State

Ends = list[tuple[int, int]]
"""Lines, each with the number at its end."""


def legal(state: State) -> list[Action]:
    """Every legal action of the seat to move."""
    seat = state.turn
    if seat is None or state.chance:
        return []
    phase = state.phase
    if phase == "turn":
        return _turn(state, seat)
    if phase == "bid":
        return list(map(_bid, dict.fromkeys(state.hands[seat])))
    waiting = incomplete(state)
    if phase == "chain":
        moves = _plays(state, seat, state.hands[seat], state.yards[seat], _open(state, seat, waiting))
    else:
        assert state.drawn is not None
        ends = _ends(state, waiting) if waiting else _open(state, seat, waiting)  # N23
        moves = _plays(state, seat, (), (state.drawn,), ends)
    moves.append(END)
    return moves


def _turn(state: State, seat: int) -> list[Action]:
    waiting = incomplete(state)
    ends = _ends(state, waiting) if waiting else _open(state, seat, waiting)
    hand = state.hands[seat]
    moves = _plays(state, seat, hand, state.yards[seat], ends)
    must = bool(waiting and moves) and state.rules.obligation == "strict"
    if must and _has_unknown(hand):  # only a tile known to fit proves that the seat can complete
        numbers = {end for _, end in ends}
        must = any(not numbers.isdisjoint(tile) for tile in (*hand, *state.yards[seat]))
    if state.lines[seat]:
        moves.append(REMOVE)
    if not must:
        moves.append(DRAW if state.boneyard or state.scrap else PASS)
    return moves


def incomplete(state: State) -> list[int]:
    """The lines that end in a station which must be completed (Incomplete Station; N7, N8)."""
    found = []
    for seat, line in enumerate(state.lines):
        if line:
            inner, outer = line[-1]
            if inner == outer and (not state.bared[seat] or state.rules.bared_counts_incomplete):
                found.append(seat)
    return found


def _ends(state: State, lines: list[int]) -> Ends:
    """These lines, which are not empty."""
    return [(line, state.lines[line][-1][1]) for line in lines]


def _open(state: State, seat: int, waiting: list[int]) -> Ends:
    """The lines this seat may play on where nothing obliges it (Play a Domino)."""
    hub = state.hub[0]  # type: ignore[index]
    stock = state.boneyard or state.scrap
    if stock and state.rules.start_foreign_line:
        return [(line, laid[-1][1] if laid else hub) for line, laid in enumerate(state.lines)]
    return [(line, laid[-1][1] if laid else hub) for line, laid in enumerate(state.lines)
            if line == seat or line in waiting or (stock and laid)]


def _plays(state: State, seat: int, hand: Sequence[Tile], yard: Sequence[Tile], ends: Ends) -> list[Action]:
    """Every play of these tiles; of a hand not known, every tile that it may hold."""
    own: Sequence[Tile | None] = state.hands[seat]
    if _has_unknown(state.hands[seat]):
        own = possible(state, seat)
        hand = possible(state, seat) if hand else ()
    return _laid(hand, yard, own or (None,), ends)


def _has_unknown(hand: Sequence[Tile]) -> bool:
    """Whether a hand, which is kept in order, has unknown tiles; they stand first."""
    return bool(hand) and hand[0][0] < 0


class _FromHand(dict[Tile, Play]):
    """The plays from a hand on one line, by tile."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line

    def __missing__(self, tile: Tile) -> Play:
        play = self[tile] = Play(tile, self.line, "hand", None)
        return play


class _FromYard(dict[Tile | None, Play]):
    """The plays of one yard tile on one line, by the tile that replaces it."""

    def __init__(self, tile: Tile, line: int) -> None:
        super().__init__()
        self.tile, self.line = tile, line

    def __missing__(self, replace: Tile | None) -> Play:
        play = self[replace] = Play(self.tile, self.line, "yard", replace)
        return play


_FROM_HAND = [_FromHand(line) for line in range(4)]


@cache
def _bid(tile: Tile) -> Bid:
    return Bid(tile)


@cache
def _from_yard(tile: Tile, line: int) -> _FromYard:
    return _FromYard(tile, line)


def _laid(hand: Iterable[Tile], yard: Sequence[Tile], replacements: Iterable[Tile | None],
          ends: Ends) -> list[Action]:
    """Every play of these tiles at these ends; one from the yard with every replacement."""
    moves: list[Action] = []
    for line, end in ends:
        row = _FROM_HAND[line]
        for tile in hand:
            if end in tile:
                moves.append(row[tile])
        for tile in yard:
            if end in tile:
                moves += map(_from_yard(tile, line).__getitem__, replacements)
    return moves
