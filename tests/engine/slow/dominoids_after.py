"""Dominoids once more, slowly: one action done on a state in the exchange form; dice are read from the next state."""

from __future__ import annotations

import json
from typing import Any

from tests.engine.slow import dominoids as slow

Move = dict[str, Any]


def score(collected: list[list[Move]]) -> list[int]:
    totals = [sum(coin["value"] for coin in own) for own in collected]
    for suit in slow.SUITS:
        counts = [sum(coin["suit"] == suit for coin in own) for own in collected]
        if counts[0] != counts[1]:
            totals[counts.index(max(counts))] += 3
    return totals


def after(rules: Move, state: Move, action: Move, told: Move) -> tuple[Move, list[int]]:
    """The state after an action, and the scores."""
    table: Move = json.loads(json.dumps(state))
    kind = action["kind"]
    if "die" in action:
        table["chosen"].remove(action["die"])
    if kind == "choose":
        table |= {"picked": action["dice"], "chosen": list(action["dice"]), "phase": "act"}
    elif kind in ("slide", "rotate"):
        at = index(table, action["tile"])
        table["dominoids"][at] = {"cells": action["cells"], "ends": action["ends"]}
        if kind == "slide":
            slid(rules, table, at)
        else:
            go_on(rules, table, told)
    elif kind == "bud":
        table |= {"phase": "child", "parents": [index(table, action["parent"])]}
    elif kind == "breed":
        table |= {"phase": "child", "parents": [table["mover"], index(table, action["tile"])], "mover": None}
    elif kind == "eat":
        eat(table, action["suit"])
    elif kind == "attack":
        table["dominoids"].pop(index(table, action["tile"]))
        table["pool"].append(action["tile"])
    elif kind == "place":
        table["dominoids"].append({"cells": action["cells"], "ends": action["ends"]})
        table["pool"].remove(action["tile"])
        table["parents"] = []
    elif kind == "replace":
        value = table["stacks"][action["suit"]].pop(0)
        table["coins"].append({"suit": action["suit"], "cell": action["cell"], "value": value, "up": False})
    elif kind == "shift":
        shift(table, action)
    if kind == "slide" and table["phase"] != "consequence":
        go_on(rules, table, told)
    if kind in ("attack", "place", "replace", "shift", "pass") or (kind == "eat" and table["phase"] != "over"):
        go_on(rules, table, told)
    return table, score(table["collected"])


def index(table: Move, tile: str) -> int:
    return [slow.name(each) for each in table["dominoids"]].index(tile)


def slid(rules: Move, table: Move, at: int) -> None:
    beside = [cell for place, _ in slow.halves(table["dominoids"][at]) for cell in slow.near(place)]
    for coin in table["coins"]:
        if (coin["cell"][0], coin["cell"][1]) in beside:
            coin["up"] = True
    table["mover"] = at
    table["phase"] = "consequence" if slow.consequences(rules, table) else "act"


def eat(table: Move, suit: str) -> None:
    (coin,) = [each for each in table["coins"] if each["suit"] == suit]
    table["coins"].remove(coin)
    table["collected"][table["turn"]].append({"suit": suit, "value": coin["value"]})
    done = [sum(each["suit"] == name for own in table["collected"] for each in own) == 6 for name in slow.SUITS]
    if sum(done) == 3:
        table |= {"phase": "over", "turn": None, "mover": None}


def shift(table: Move, action: Move) -> None:
    across, along = (1, 0) if action["line"] == "row" else (0, 1)

    def move(cell: list[int]) -> None:
        if cell[across] // 2 == action["index"]:
            cell[along] = (cell[along] + 2 * action["step"]) % 8

    for cell in [*table["pawns"].values(), *(coin["cell"] for coin in table["coins"]),
                 *(cell for each in table["dominoids"] for cell in each["cells"])]:
        move(cell)


def go_on(rules: Move, table: Move, told: Move) -> None:
    """The other die, missing coins, or the end of the turn."""
    table["mover"] = None
    if table["chosen"]:
        table["phase"] = "act"
    elif slow.legal(rules, table | {"phase": "replace"}, {}):
        table["phase"] = "replace"
    else:
        for die in table["picked"]:
            table["dice"][die] = {"face": told["dice"][die]["face"], "box": "new"}
        if all(die["box"] == "new" for die in table["dice"].values()):
            for die in table["dice"].values():
                die["box"] = "old"
        table |= {"picked": [], "phase": "choose", "turn": 1 - table["turn"], "turns": table["turns"] + 1}
        if table["turns"] == rules["max_turns"]:
            table |= {"phase": "over", "turn": None}


def plain(state: Move) -> Move:
    """The same with what has no order in order: coins, pool, and which half of a Dominoid is named first."""
    laid = [sorted((cell, end) for cell, end in zip(each["cells"], each["ends"], strict=True)) for each in state["dominoids"]]
    coins = sorted(state["coins"], key=lambda coin: str(coin["suit"]))
    collected = [sorted(own, key=str) for own in state["collected"]]
    return state | {"dominoids": laid, "coins": coins, "pool": sorted(state["pool"]), "collected": collected}
