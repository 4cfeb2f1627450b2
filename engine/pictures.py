"""Boards as text, for a terminal."""

from __future__ import annotations

from typing import Any

from engine.actions import tile_text
from engine.dominoids.actions import SUITS
from engine.dominoids.board import SIDE
from engine.euronimoes.actions import COSTS
from engine.euronimoes.layout import Layout, uncode
from engine.state import State

FACES = ("blank", "ace", "2", "3", "4", "5")


def picture(state: State) -> str:
    """What lies on the table, in a few lines; hands as far as the state knows them."""
    draw = {"euronimoes": _euronimoes, "engine191": _engine191, "dominoids": _dominoids, "knock-out": _row, "elimination": _row,
            "solitaire": _solitaire}.get(state.game, _line)
    scores = ", ".join(f"seat {seat}: {score}" for seat, score in enumerate(state.scores()))
    return "\n".join([*draw(state), f"scores: {scores}"])


def _tiles(tiles: Any) -> str:
    return " ".join(f"[{tile_text(tile)}]" for tile in tiles) or "-"


def _hands(state: Any) -> list[str]:
    return [f"seat {seat}{' *' if seat == state.turn else '  '} {_tiles(hand)}" for seat, hand in enumerate(state.hands)]


def _line(state: Any) -> list[str]:
    lines = []
    if state.root is not None:
        left = "".join(f"[{outer}|{inner}]" for inner, outer in reversed(state.left_arm))
        right = "".join(f"[{inner}|{outer}]" for inner, outer in state.right_arm)
        lines.append(f"{left}<{state.root.low}|{state.root.high}>{right}")
        lines += [f"  {name}: " + "".join(f"[{inner}|{outer}]" for inner, outer in arm) for name, arm in state.side_arms]
    return [*(lines or ["(no tile yet)"]), f"boneyard: {len(state.boneyard)}", *_hands(state)]


def _engine191(state: Any) -> list[str]:
    lines = [f"main station: {tile_text(state.hub) if state.hub else '-'}, boneyard: {len(state.boneyard)}, "
             f"scrap: {_tiles(state.scrap)}, tokens: {', '.join(map(str, state.tokens))}"]
    for seat, line in enumerate(state.lines):
        track = "".join(f"[{inner}|{outer}]" if inner != outer else f"({inner}/{outer})" for inner, outer in line)
        lines.append(f"line {seat}: {track or '-'}{' (bared)' if state.bared[seat] else ''}   yard: {_tiles(state.yards[seat])}")
    return lines + _hands(state)


def grid(layout: Layout) -> list[str]:
    """A player's grid: numbers, with dashes between the halves of a lying tile and a bar in an upright one.

    A stroke beside a number stands for the second level, two for the third.
    """
    if not layout.placed:
        return ["(empty)"]
    cells = {uncode(cell): number for cell, number in layout.numbers.items()}
    heights = {uncode(cell): height for cell, height in layout.heights.items()}
    owners = {uncode(cell): owner for cell, owner in layout.owners.items()}
    lines = []
    for y in range(max(y for _, y in cells), min(y for _, y in cells) - 1, -1):
        row = below = ""
        for x in range(min(x for x, _ in cells), max(x for x, _ in cells) + 1):
            owner = owners.get((x, y))
            mark = {2: "'", 3: '"'}.get(heights.get((x, y), 1), " ")
            joined = owner is not None and owner == owners.get((x + 1, y))
            row += f"{cells.get((x, y), '.')}{mark.replace(' ', '-') + '-' if joined else mark + ' '}"
            below += "|  " if owner is not None and owner == owners.get((x, y - 1)) else "   "
        lines += [row.rstrip(), below.rstrip()]
    return lines[:-1]


def _euronimoes(state: Any) -> list[str]:
    market = "  ".join(f"{cost:+d}: {tile_text(tile) if tile else '-'}" for cost, tile in zip(COSTS, state.market, strict=True))
    lines = [f"market  {market}   pile: {len(state.pile)}"]
    for seat, layout in enumerate(state.layouts):
        parts = ", ".join(f"{name} {points}" for name, points in state.score_parts(seat))
        lines += [f"seat {seat}: {state.chips[seat]} chips; {parts}", *(f"    {line}" for line in grid(layout))]
    return lines + _hands(state)


def _dominoids(state: Any) -> list[str]:
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
    return [*lines, f"dice: {dice}; to use: {picked}", f"pool: {_tiles(state.pool)}", f"seat to move: {state.turn}"]


def _row(state: Any) -> list[str]:
    return ["".join(f"[{tile[0]}|{tile[1]}]" for tile in state.row) or "(nothing left)",
            *([f"next: tile {state.at + 1}, say {state.count}"] if state.game == "elimination" and state.row else [])]


def _solitaire(state: Any) -> list[str]:
    height = max(map(len, state.columns), default=0)
    lines = []
    for level in range(height):
        row = ""
        for column in state.columns:
            tile = column[level] if level < len(column) else None
            row += "      " if tile is None else f" {tile.top}/{tile.bottom}  " if tile.up else " ###  "
        lines.append(row.rstrip())
    return [*lines, "".join(f"  {place}   " for place in range(len(state.columns))).rstrip()]
