"""The line games once more, slowly: legal actions from the exchange form."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

MATADORS = ("3-4", "2-5", "1-6", "0-0")


@cache
def halves(tile: str) -> list[int]:
    return [int(part) for part in tile.split("-")]


def order(tile: str) -> tuple[int, int, int]:
    low, high = halves(tile)
    return (1 if low == high else 0), low + high, high


def open_ends(game: str, rules: dict[str, Any], state: dict[str, Any]) -> list[tuple[str, int]]:
    arms, (low, high) = state["arms"], halves(state["root"])
    ends = []
    if game != "one-arm-joe":
        ends.append(("left", arms["left"][-1][1] if arms["left"] else low))
    ends.append(("right", arms["right"][-1][1] if arms["right"] else high))
    if rules.get("spinner", "none") == "none":
        return ends
    for place, number in covered_doubles(state):
        if rules["spinner"] == "all" or state["spinner"] == f"{number}-{number}":
            for side in ("up", "down"):
                name = side if rules["spinner"] == "first_double" else f"{place}.{side}"
                ends.append((name, arms[name][-1][1] if arms.get(name) else number))
    return ends


def covered_doubles(state: dict[str, Any]) -> list[tuple[str, int]]:
    """The doubles with a tile on both ends: where they lie (`root`, or the arm and the place on it), and their number."""
    arms, (low, high) = state["arms"], halves(state["root"])
    found = [("root", low)] if low == high and arms["left"] and arms["right"] else []
    for name, arm in arms.items():
        inner_tiles = arm[: len(arm) - 1]
        found += [(f"{name}.{at}", tile[0]) for at, tile in enumerate(inner_tiles) if tile == [tile[0], tile[0]]]
    return found


def fits(game: str, rules: dict[str, Any], tile: str, end: int) -> set[int]:
    """Which halves can stay open when the tile meets this end."""
    result = set()
    for touching, other in (halves(tile), halves(tile)[::-1]):
        if game == "matador":
            wild = rules["matadors"] == "on" and tile in MATADORS
            if touching + end == 7 or wild:
                result.add(other)
        elif touching == end:
            result.add(other)
    return result


def plays(game: str, rules: dict[str, Any], state: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for tile in state["hands"][state["turn"]]:
        for arm, end in open_ends(game, rules, state):
            found += [{"kind": "play", "tile": tile, "arm": arm, "open": left} for left in fits(game, rules, tile, end)]
    return found


def legal(game: str) -> Callable[[dict[str, Any], dict[str, Any], dict[str, Any]], list[dict[str, Any]]]:
    def generate(rules: dict[str, Any], state: dict[str, Any], history: dict[str, Any]) -> list[dict[str, Any]]:
        phase = state["phase"]
        if phase == "lead":
            hand = state["hands"][state["turn"]]
            if history.get("leader") is None:
                everything = [tile for tiles in state["hands"] for tile in tiles]
                hand = [tile for tile in hand if order(tile) == max(map(order, everything))]
            return [{"kind": "play", "tile": tile, "arm": "root", "open": None} for tile in hand]
        if phase == "claim":
            owner = state["pending"]["seat"]
            first = {"kind": "claim"} if owner == state["turn"] else {"kind": "muggins", "seat": owner}
            return [first, {"kind": "skip"}]
        if phase not in ("play", "bonus"):
            return []
        moves = plays(game, rules, state)
        if phase == "bonus":
            return [*moves, {"kind": "skip"}]
        stock = len(state["boneyard"]) > rules["reserve"]
        draw, no_play = {"kind": "draw"}, {"kind": "pass"}
        if game == "matador" and moves and stock:
            free = rules["voluntary_draw"]
            return [*moves, draw] if free == "any" or (free == "one" and not state["drawn"]) else moves
        return moves or [draw if stock else no_play]

    return generate
