"""The one-player games once more, slowly: legal actions from the exchange form."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

Move = dict[str, Any]


def knock_out(rules: Move, state: Move, history: Move) -> list[Move]:
    row = state["row"]
    if state["turn"] is None:
        return []
    joined = [left[1] == right[0] for left, right in pairwise(row)]
    places = [at for at, joins in enumerate(joined) if joins and (rules["knock"] == "pair" or at == 0 or not joined[at - 1])]
    return [*({"kind": "knock", "at": at} for at in places), {"kind": "stop"}]


def elimination(rules: Move, state: Move, history: Move) -> list[Move]:
    return [] if state["turn"] is None else [{"kind": "touch"}]


def solitaire(rules: Move, state: Move, history: Move) -> list[Move]:
    columns = state["columns"]
    if state["turn"] is None:
        return []
    moves: list[Move] = [{"kind": "stop"}]
    for source, column in enumerate(columns):
        for size in range(1, len(column) + 1):
            line = column[len(column) - size :]
            if not all(tile["up"] for tile in line) or any(a["bottom"] != b["top"] for a, b in pairwise(line)):
                break
            above = column[len(column) - size - 1] if size < len(column) else None
            longer = above is not None and above["up"] and above["bottom"] == line[0]["top"]
            if rules["move_unit"] == "whole_run" and longer:
                continue
            for to, other in enumerate(columns):
                if to != source and other[-1]["bottom"] == line[0]["top"]:
                    moves.append({"kind": "move", "from": source, "size": size, "to": to})
                if to != source and rules["attach"] == "both_ends" and other[0]["up"] and other[0]["top"] == line[-1]["bottom"]:
                    moves.append({"kind": "cap", "from": source, "size": size, "to": to})
            if above is not None and len(columns) < 7:
                moves.append({"kind": "move", "from": source, "size": size, "to": None})
    return moves
