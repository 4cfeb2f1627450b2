"""The one-player games once more, slowly: one action done on a state in the exchange form, and when a game is over."""

from __future__ import annotations

import json
from typing import Any

from tests.engine.slow import solo

Move = dict[str, Any]


class Pass:
    """What Domino Elimination leaves to history: whether a tile has left in this pass over the row, or in the last one."""

    def __init__(self) -> None:
        self.touched = 0
        self.left = False
        self.idle = False  # the pass just finished removed nothing


def after(game: str, rules: Move, state: Move, action: Move, row_pass: Pass) -> Move:
    """The table after an action; turn and phase stay as they are."""
    table: Move = json.loads(json.dumps(state))
    if action["kind"] == "knock":
        row, at = table["row"], action["at"]
        leaving = [at, at + 1]
        while rules["knock"] == "chain" and leaving[-1] + 1 < len(row) and row[leaving[-1]][1] == row[leaving[-1] + 1][0]:
            leaving.append(leaving[-1] + 1)
        table["row"] = [tile for place, tile in enumerate(row) if place not in leaving]
    elif action["kind"] == "touch":
        touch(table, row_pass)
    elif action["kind"] in ("move", "cap"):
        move(table, action)
    return table


def touch(table: Move, row_pass: Pass) -> None:
    tile = table["row"][table["at"]]
    row_pass.idle = False
    if sum(map(int, tile.split("-"))) == table["count"]:
        table["row"].remove(tile)
        row_pass.left = True
    else:
        table["at"] += 1
    table["count"] = 0 if table["count"] == 12 else table["count"] + 1
    if table["at"] == len(table["row"]):
        table["at"] = 0
        row_pass.idle, row_pass.left = not row_pass.left, False


def move(table: Move, action: Move) -> None:
    columns = table["columns"]
    source = columns[action["from"]]
    line = [source.pop() for _ in range(action["size"])][::-1]
    if action["kind"] == "cap":
        columns[action["to"]][:0] = line
    elif action["to"] is None:
        columns.append(line)
    else:
        columns[action["to"]].extend(line)
    if source:
        source[-1]["up"] = True
    else:
        columns.pop(action["from"])


def ending(game: str, rules: Move, table: Move, action: Move, row_pass: Pass) -> list[int] | None:
    """The winners where the game is over, None where it goes on."""
    if game == "elimination":
        if not table["row"]:
            return [0]
        return [] if row_pass.idle and len(table["row"]) in (13, 26) else None
    moves = solo.knock_out(rules, table, {}) if game == "knock-out" else solo.solitaire(rules, table, {})
    if action["kind"] != "stop" and moves != [{"kind": "stop"}]:
        return None
    if game == "knock-out":
        return [] if table["row"] else [0]
    return [0] if all(tile["up"] for column in table["columns"] for tile in column) else []
