"""Dominoids once more, slowly: legal actions from the exchange form, with the board as a dictionary of cells."""

from __future__ import annotations

from itertools import combinations
from typing import Any

Move = dict[str, Any]
Cell = tuple[int, int]
SUITS = ("suns", "moons", "crowns", "arms")
WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def on_board(cell: Cell) -> bool:
    return 0 <= cell[0] <= 7 and 0 <= cell[1] <= 7


def near(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in WAYS if on_board((cell[0] + dx, cell[1] + dy))]


def halves(each: Move) -> list[tuple[Cell, int]]:
    return [((cell[0], cell[1]), end) for cell, end in zip(each["cells"], each["ends"], strict=True)]


def name(each: Move) -> str:
    return f"{min(each['ends'])}-{max(each['ends'])}"


def full(state: Move) -> set[Cell]:
    cells = {cell for each in state["dominoids"] for cell, _ in halves(each)}
    cells |= {(cell[0], cell[1]) for cell in state["pawns"].values()}
    return cells | {(coin["cell"][0], coin["cell"][1]) for coin in state["coins"]}


def moves(rules: Move, state: Move, die: str) -> list[Move]:
    taken, face = full(state), state["dice"][die]["face"]
    found = []
    for each in state["dominoids"]:
        one, two = halves(each)
        for (trail, a), (lead, b) in ((one, two), (two, one)):
            if b >= face:
                continue
            dx, dy = lead[0] - trail[0], lead[1] - trail[1]
            path = [(lead[0] + dx * step, lead[1] + dy * step) for step in range(1, b + 1)]
            stop = next((at for at, cell in enumerate(path) if cell in taken or not on_board(cell)), b)
            leaves = stop < b and not on_board(path[stop])
            if rules["edge_if_blocked"] == "illegal" and not all(map(on_board, path)):
                leaves = True
            if stop and not leaves:
                cells = [[cell[0] + dx * stop, cell[1] + dy * stop] for cell in (trail, lead)]
                found.append({"kind": "slide", "die": die, "tile": name(each), "cells": cells, "ends": [a, b]})
            for sx, sy in ((-dy, dx), (dy, -dx)):
                target, corner = (trail[0] + sx, trail[1] + sy), (lead[0] + sx, lead[1] + sy)
                if on_board(target) and on_board(corner) and target not in taken and corner not in taken:
                    found.append({"kind": "rotate", "die": die, "tile": name(each), "cells": [list(trail), list(target)],
                                  "ends": [a, b]})
    return found


def children(rules: Move, state: Move, parents: list[Move]) -> list[Move]:
    taken = full(state)
    found = []
    for tile in state["pool"]:
        low, high = map(int, tile.split("-"))
        for x in range(8):
            for y in range(8):
                for other in ((x + 1, y), (x, y + 1)):
                    if not on_board(other) or other in taken or (x, y) in taken:
                        continue
                    for ends in {(low, high), (high, low)}:
                        child = list(zip(((x, y), other), ends, strict=True))
                        touching = any(
                            cell in near(place) and end in ends and (rules["child_contact"] == "any_half" or number == end)
                            for parent in parents for place, end in halves(parent) for cell, number in child)
                        if touching:
                            found.append({"kind": "place", "tile": tile, "cells": [[x, y], list(other)], "ends": list(ends)})
    return found


def shifts(rules: Move, state: Move, die: str) -> list[Move]:
    found = []
    pawn = state["pawns"][die]
    for line, across, along in (("row", 1, 0), ("column", 0, 1)):
        index = pawn[across] // 2
        inside = [[cell[across] // 2 == index for cell in each["cells"]] for each in state["dominoids"]]
        if any(sorted(both) == [False, True] for both in inside):
            continue
        tears = {}
        for step, seam in ((1, [5, 6]), (-1, [1, 2])):
            tears[step] = any(all(both) and sorted(cell[along] for cell in each["cells"]) == seam
                              for both, each in zip(inside, state["dominoids"], strict=True))
        for step, tear in tears.items():
            if not tear and not (rules["torn_wrap"] == "strip" and any(tears.values())):
                found.append({"kind": "shift", "die": die, "line": line, "index": index, "step": step})
    return found


def act(rules: Move, state: Move, die: str) -> list[Move]:
    face = state["dice"][die]["face"]
    found: list[Move] = []
    if face == "ace":
        found = shifts(rules, state, die)
    elif face != "null":
        found = moves(rules, state, die) or [{"kind": "bud", "die": die, "parent": name(each)} for each in state["dominoids"]
                                             if children(rules, state, [each])]
    return found or [{"kind": "pass", "die": die}]


def consequences(rules: Move, state: Move) -> list[Move]:
    mover = state["dominoids"][state["mover"]]
    found: list[Move] = []
    for cell, end in halves(mover):
        for coin in state["coins"]:
            if (coin["cell"][0], coin["cell"][1]) in near(cell):
                if not coin["up"]:
                    found.append({"kind": "look", "suit": coin["suit"]})
                elif coin["value"] <= end:
                    found.append({"kind": "eat", "suit": coin["suit"]})
        for other in state["dominoids"]:
            for place, number in halves(other) if other is not mover else ():
                if place not in near(cell):
                    continue
                if number < end:
                    found.append({"kind": "attack", "tile": name(other)})
                if number == end and children(rules, state, [mover, other]):
                    found.append({"kind": "breed", "tile": name(other)})
    return [move for at, move in enumerate(found) if move not in found[:at]]


def legal(rules: Move, state: Move, history: Move) -> list[Move]:
    phase = state["phase"]
    if state["turn"] is None or phase == "roll":
        return []
    if phase == "choose":
        return [{"kind": "choose", "dice": list(both)} for both in combinations(SUITS, 2)
                if any(state["dice"][die]["box"] == "old" for die in both)]
    if phase == "act":
        return [move for die in state["chosen"] for move in act(rules, state, die)]
    if phase == "consequence":
        return consequences(rules, state)
    if phase == "child":
        return children(rules, state, [state["dominoids"][at] for at in state["parents"]])
    taken = full(state)
    missing = [suit for suit in SUITS if state["stacks"][suit] and all(coin["suit"] != suit for coin in state["coins"])]
    return [{"kind": "replace", "suit": suit, "cell": list(cell)} for suit in missing
            for cell in near(tuple(state["pawns"][suit])) if cell not in taken]
