"""A table of Euronimoes as text: the market, every grid, the hands."""

from __future__ import annotations

from typing import Any

from engine.actions import tile_text
from engine.euronimoes.actions import COSTS
from engine.euronimoes.layout import Layout, uncode
from engine.pictures import hand_lines


def picture(state: Any) -> list[str]:
    """The table in lines."""
    market = "  ".join(f"{cost:+d}: {tile_text(tile) if tile else '-'}" for cost, tile in zip(COSTS, state.market, strict=True))
    lines = [f"market  {market}   pile: {len(state.pile)}"]
    for seat, layout in enumerate(state.layouts):
        parts = ", ".join(f"{name} {points}" for name, points in state.score_parts(seat))
        lines += [f"seat {seat}: {state.chips[seat]} chips; {parts}", *(f"    {line}" for line in grid(layout))]
    return lines + hand_lines(state)


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
