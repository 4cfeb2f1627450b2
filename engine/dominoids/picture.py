"""A table of Dominoids as text: the board of cells, the dice, the gene pool."""

from __future__ import annotations

from typing import Any

from engine.dominoids.actions import SUITS
from engine.dominoids.board import SIDE
from engine.pictures import tiles_line

FACES = ("blank", "ace", "2", "3", "4", "5")


def picture(state: Any) -> list[str]:
    """The table in lines."""
    signs = {cell: f" {name[0].upper()} " for cell, name in zip(state.pawns, SUITS, strict=False)}
    signs |= {coin[0]: f"{SUITS[suit][0]}{coin[1] if coin[2] else '?'} " for suit, coin in enumerate(state.coins) if coin}
    for each in state.dominoids:
        for cell, end, other in ((each.first, each.p, each.second), (each.second, each.q, each.first)):
            link = {1: "-", -1: " ", SIDE: "'", -SIDE: ","}[other - cell]
            signs[cell] = f"[{end}{link}"
    rows = ["".join(signs.get(x + SIDE * y, " . ") for x in range(SIDE)) for y in range(SIDE - 1, -1, -1)]
    dice = ", ".join(f"{name} {FACES[face]}{' (new)' if new else ''}"
                     for name, face, new in zip(SUITS, state.dice, state.new, strict=True))
    lines = [f"{SIDE - 1 - at} {row}" for at, row in enumerate(rows)] + ["  " + "".join(f" {x} " for x in range(SIDE))]
    lines.append("(a Dominoid's other half lies right of [5-, above [5', below [5, ; capitals are pawns, small letters coins)")
    picked = ", ".join(SUITS[suit] for suit in state.chosen) or "-"
    return [*lines, f"dice: {dice}; to use: {picked}", f"pool: {tiles_line(state.pool)}", f"seat to move: {state.turn}"]
