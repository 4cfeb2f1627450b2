"""A table of Engine 191 as text: the main station, every line with its yard, the hands."""

from __future__ import annotations

from typing import Any

from engine.actions import tile_text
from engine.pictures import hand_lines, tiles_line


def picture(state: Any) -> list[str]:
    """The table in lines."""
    lines = [f"main station: {tile_text(state.hub) if state.hub else '-'}, boneyard: {len(state.boneyard)}, "
             f"scrap: {tiles_line(state.scrap)}, tokens: {', '.join(map(str, state.tokens))}"]
    for seat, line in enumerate(state.lines):
        track = "".join(f"[{inner}|{outer}]" if inner != outer else f"({inner}/{outer})" for inner, outer in line)
        bared = " (bared)" if state.bared[seat] else ""
        lines.append(f"line {seat}: {track or '-'}{bared}   yard: {tiles_line(state.yards[seat])}")
    return lines + hand_lines(state)
