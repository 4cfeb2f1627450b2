"""Euronimoes once more, slowly: every cell around the grid is tried, and the whole grid checked after each try."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

Cell = tuple[int, int]


def tops(layout: list[dict[str, Any]]) -> dict[Cell, tuple[int, int, int]]:
    """For each covered cell the number on top, its level, and which tile that is."""
    found: dict[Cell, tuple[int, int, int]] = {}
    for index, tile in enumerate(layout):
        for cell, number in zip(tile["cells"], tile["ends"], strict=True):
            found[cell[0], cell[1]] = number, tile["level"], index
    return found


def columns_are_runs(numbers: dict[Cell, int]) -> bool:
    for x, y in numbers:
        if (x, y - 1) in numbers:
            continue
        run = []
        while (x, y) in numbers:
            run.append(numbers[x, y])
            y += 1
        steps = {after - before for before, after in pairwise(run)}
        if len(run) > 1 and steps not in ({1}, {-1}):
            return False
    return True


def fits(layout: list[dict[str, Any]], cells: tuple[Cell, Cell], ends: tuple[int, int], rules: dict[str, Any]) -> int | None:
    """The level on which the tile can lie there, or None."""
    top = tops(layout)
    if not layout:
        return 1 if cells[0] == (0, 0) and columns_are_runs(dict(zip(cells, ends, strict=True))) else None
    covered = [cell in top for cell in cells]
    around = {(x + dx, y + dy) for x, y in top for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))}
    level = None
    if not any(covered):
        numbers = {cell: value[0] for cell, value in top.items()} | dict(zip(cells, ends, strict=True))
        if any(cell in around for cell in cells) and columns_are_runs(numbers):
            level = 1
    elif all(covered):
        (p, low, tile), (q, high, other) = top[cells[0]], top[cells[1]]
        if (p, q) == ends and low == high and tile != other:
            level = low + 1
        if not rules["stack_direct_only"] and any([list(cell) for cell in cells] == each["cells"] for each in layout):
            level = None
    if level is not None and rules["max_extent"] is not None:
        for axis in (0, 1):
            values = [cell[axis] for cell in (*top, *cells)]
            if max(values) - min(values) + 1 > rules["max_extent"]:
                return None
    return level


def plays(rules: dict[str, Any], state: dict[str, Any], hand: list[str]) -> list[dict[str, Any]]:
    layout = state["layouts"][state["turn"]]
    xs = [cell[0] for tile in layout for cell in tile["cells"]] or [0]
    ys = [cell[1] for tile in layout for cell in tile["cells"]] or [0]
    found = []
    for tile in sorted(set(hand)):
        low, high = map(int, tile.split("-"))
        for ends in {(low, high), (high, low)}:
            for x in range(min(xs) - 2, max(xs) + 3):
                for y in range(min(ys) - 2, max(ys) + 3):
                    for other in ((x + 1, y), (x, y + 1)):
                        level = fits(layout, ((x, y), other), ends, rules)
                        if level is not None:
                            found.append({"kind": "play", "tile": tile, "cells": [[x, y], list(other)], "ends": list(ends),
                                          "level": level})
    return found


def legal(rules: dict[str, Any], state: dict[str, Any], history: dict[str, Any]) -> list[dict[str, Any]]:
    seat, phase = state["turn"], state["phase"]
    if phase == "draw":
        moves: list[dict[str, Any]] = [{"kind": "buy", "slot": slot} for slot, tile in enumerate(state["market"])
                                       if tile is not None and slot - 1 <= state["chips"][seat]]
        return [*moves, {"kind": "draw"}] if state["pile"] else moves
    hand = state["hands"][seat]
    moves = plays(rules, state, hand)
    if not moves or (phase == "last" and len(hand) == 1):
        moves.append({"kind": "stop"})
    if phase == "last" and rules["endphase"] == "simultaneous" and not history["given"]:
        moves += [{"kind": "give", "seat": other} for other, tiles in enumerate(state["hands"])
                  if other != seat and tiles and not state["stopped"][other]]
    return moves
