"""Engine 191 once more, slowly: legal actions from the exchange form."""

from __future__ import annotations

from typing import Any

Move = dict[str, Any]


def end_of(state: Move, line: int) -> int:
    laid = state["lines"][line]
    return int(laid[-1][1]) if laid else int(state["hub"].split("-")[0])


def is_incomplete(rules: Move, state: Move, line: int) -> bool:
    laid = state["lines"][line]
    if not laid or laid[-1][0] != laid[-1][1]:
        return False
    return bool(rules["bared_counts_incomplete"]) or not state["bared"][line]


def may_use(rules: Move, state: Move, line: int) -> bool:
    """Whether the seat to move may lay a fitting tile there, when nothing obliges it to play elsewhere."""
    if line == state["turn"] or is_incomplete(rules, state, line):
        return True
    if not state["boneyard"] and not state["scrap"]:
        return False
    return bool(state["lines"][line]) or bool(rules["start_foreign_line"])


def plays(state: Move, lines: list[int], hand: list[str], yard: list[str]) -> list[Move]:
    found = []
    own = state["hands"][state["turn"]]
    for line in lines:
        for tile in hand:
            if str(end_of(state, line)) in tile.split("-"):
                found.append({"kind": "play", "tile": tile, "line": line, "from": "hand", "replace": None})
        for tile in yard:
            if str(end_of(state, line)) in tile.split("-"):
                found += [{"kind": "play", "tile": tile, "line": line, "from": "yard", "replace": other}
                          for other in own or [None]]
    return found


def legal(rules: Move, state: Move, history: Move) -> list[Move]:
    seat, phase = state["turn"], state["phase"]
    if seat is None:
        return []
    hand, yard = state["hands"][seat], state["yards"][seat]
    if phase == "bid":
        return [{"kind": "bid", "tile": tile} for tile in hand]
    every = range(len(state["lines"]))
    incomplete = [line for line in every if is_incomplete(rules, state, line)]
    free = [line for line in every if may_use(rules, state, line)]
    if phase == "chain":
        return [*plays(state, free, hand, yard), {"kind": "end"}]
    if phase == "drawn":
        return [*plays(state, incomplete or free, [], [state["drawn"]]), {"kind": "end"}]
    moves = plays(state, incomplete or free, hand, yard)
    must = bool(incomplete) and bool(moves) and rules["obligation"] == "strict"
    if state["lines"][seat]:
        moves.append({"kind": "remove"})
    if not must:
        moves.append({"kind": "draw" if state["boneyard"] or state["scrap"] else "pass"})
    return moves
