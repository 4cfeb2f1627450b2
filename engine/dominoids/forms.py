"""A board of Dominoids in the exchange form, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.actions import TILES, cell_pair, number, pair, truth
from engine.dominoids.actions import SUITS, read_face, write_face
from engine.dominoids.board import Dominoid, cell_of, lying, number_of
from engine.state import checked

if TYPE_CHECKING:
    from engine.dominoids.game import Coin, State


def table(state: State) -> dict[str, Any]:
    """Everything on the board and beside it."""
    return {
        "dominoids": [{"cells": [list(cell_of(each.first)), list(cell_of(each.second))], "ends": [each.p, each.q]}
                      for each in state.dominoids],
        "pool": TILES.write(state.pool),
        "pawns": {name: list(cell_of(cell)) for name, cell in zip(SUITS, state.pawns, strict=False)},
        "coins": [{"suit": SUITS[suit], "cell": list(cell_of(coin[0])), "value": _value(coin[1]), "up": coin[2]}
                  for suit, coin in enumerate(state.coins) if coin],
        "stacks": {name: [_value(value) for value in values] for name, values in zip(SUITS, state.stacks, strict=True)},
        "collected": [[{"suit": SUITS[suit], "value": value} for suit, value in own] for own in state.collected],
        "dice": {name: {"face": write_face(face), "box": "new" if new else "old"}
                 for name, face, new in zip(SUITS, state.dice, state.new, strict=True)},
        "picked": [SUITS[suit] for suit in state.picked],
        "chosen": [SUITS[suit] for suit in state.chosen],
        "mover": state.mover,
        "parents": list(state.parents),
        "turns": state.turns,
    }


def fill(state: State, data: Mapping[str, Any]) -> None:
    """Set the fields of a state; ValueError, TypeError or KeyError where that cannot be."""
    state.dominoids = tuple(_read_dominoid(each) for each in data["dominoids"])
    state.pool = tuple(sorted(TILES.read(data["pool"])))
    state.pawns = tuple(number_of(pair(data["pawns"][name])) for name in SUITS) if data["pawns"] else ()
    coins: list[Coin | None] = [None] * 4
    for coin in data["coins"]:
        suit = SUITS.index(coin["suit"])
        checked(coins[suit] is None, f"two coins of {coin['suit']} lie on the board")
        coins[suit] = number_of(pair(coin["cell"])), _read_value(coin["value"]), truth(coin["up"])
    state.coins = tuple(coins)
    state.stacks = tuple(tuple(_read_value(value) for value in data["stacks"][name]) for name in SUITS)
    state.collected = tuple(tuple((SUITS.index(coin["suit"]), number(coin["value"])) for coin in own)
                            for own in data["collected"])
    state.dice = tuple(read_face(data["dice"][name]["face"]) for name in SUITS)
    boxes = [data["dice"][name]["box"] for name in SUITS]
    checked(set(boxes) <= {"old", "new"}, f"dice lie in the box old or new, not {boxes}")
    state.new = tuple(box == "new" for box in boxes)
    state.picked = tuple(SUITS.index(name) for name in data["picked"])
    state.chosen = tuple(SUITS.index(name) for name in data["chosen"])
    state.mover = None if data["mover"] is None else number(data["mover"])
    state.parents = tuple(number(at) for at in data["parents"])
    state.turns = number(data["turns"])


def _value(value: int) -> Any:
    return "?" if value < 0 else value


def _read_value(value: Any) -> int:
    return -1 if value == "?" else number(value)


def _read_dominoid(data: Mapping[str, Any]) -> Dominoid:
    (first, second), ends = cell_pair(data["cells"]), pair(data["ends"])
    return lying(number_of(first), number_of(second), *ends)
