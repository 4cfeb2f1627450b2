"""The board of Dominoids as a drawing: cells, coins, pawns, Dominoids; below it the dice and the gene pool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.actions import Action
from engine.dominoids.actions import SUITS, Place, Roll, Rotate, Slide, TurnCoin
from engine.dominoids.board import SIDE, cell_of
from engine.dominoids.game import State
from referee.dominoids_words import deed
from webui.live.face import Face, Names, Told, asked
from webui.live.scene import JsonObject, laid, spot
from webui.live.words import as_written

FACES = 6
"""Of a die: blank, ace and 2 to 5."""

POOL_ACROSS = 4
"""Tiles of the gene pool in a row below the board."""


def board_scene(state: State) -> JsonObject:
    """Everything on the table, in cells; the left bottom one is a1. Before the deal the board is empty."""
    tiles = [laid(f"dominoid-{each.tile}", (each.p, each.q), _between(cell_of(each.first), cell_of(each.second)))
             for each in state.dominoids]  # fmt: skip
    pool = [laid(f"dominoid-{tile}", (tile.low, tile.high), _in_pool(at)) for at, tile in enumerate(state.pool)]
    height = SIDE + 2.4 + 1.3 * -(-len(pool) // POOL_ACROSS)
    return {
        "kind": "board",
        "shapes": {"board": {"tiles": tiles, "ends": [], "box": [-1.1, -0.7, SIDE + 1.3, height]}},
        "side": SIDE,
        "pool": pool,
        "coins": [_coin(suit, coin) for suit, coin in enumerate(state.coins) if coin is not None],
        "pawns": [{"suit": SUITS[suit], **_at(cell_of(cell))} for suit, cell in enumerate(state.pawns)],
        "dice": [{"suit": SUITS[suit], "face": face, "new": state.new[suit], "left": suit in state.chosen}
                 for suit, face in enumerate(state.dice)] if state.pawns else [],
    }  # fmt: skip


def _in_pool(at: int) -> JsonObject:
    """The place of one of the tiles below the board and the dice."""
    return spot(0.5 + 2.2 * (at % POOL_ACROSS), SIDE + 2.2 + 1.3 * (at // POOL_ACROSS), 0)


def _coin(suit: int, coin: tuple[int, int, bool]) -> JsonObject:
    cell, value, up = coin
    return {"suit": SUITS[suit], "value": value if up and value >= 0 else None, **_at(cell_of(cell))}


def _at(cell: tuple[int, int]) -> JsonObject:
    """The middle of a cell in the drawing, where y runs down."""
    return {"x": cell[0], "y": SIDE - 1 - cell[1]}


def _between(first: tuple[int, int], second: tuple[int, int]) -> JsonObject:
    (x0, y0), (x1, y1) = first, second
    turn = {(1, 0): 0, (-1, 0): 180, (0, 1): 270, (0, -1): 90}[x1 - x0, y1 - y0]
    return spot((x0 + x1) / 2, SIDE - 1 - (y0 + y1) / 2, turn)


def place_on_board(action: Slide | Rotate | Place) -> JsonObject:
    """Where an action's Dominoid comes to lie."""
    return {"shapes": {"board": laid("place", action.ends, _between(*action.cells))}}


def _mark(state: Any, action: Action, drawing: JsonObject | None) -> JsonObject | None:
    return place_on_board(action) if isinstance(action, Slide | Rotate | Place) else None


def _words(action: Action, state: Any) -> str:
    return first_person(deed(action))


IMPERATIVES = {"attacks": "attack", "does": "do"}


def first_person(words: str) -> str:
    """What somebody does as the words on a button.

    >>> first_person("slides the 3-4 to a1–a2")
    'Slide the 3|4 to a1–a2'
    """
    verb, rest = words.split(" ", 1)
    return as_written(f"{IMPERATIVES.get(verb, verb.removesuffix('s')).capitalize()} {rest}")


def _wanted(state: Any, names: Names) -> JsonObject | None:
    if state.chance == "deal":
        words = "Who begins? Kibitz deals: then lay the table as it is drawn, the coins with their values down."
        return asked("deal", words, starters=list(names), shuffled="Deal")
    if state.chance == "coin":
        suit = state.waiting()
        return asked("tell", f"Which value has the coin of {SUITS[suit]}?", options=[_option(SUITS[suit], state.left_on(suit))])
    dice = [SUITS[die] for die in state.picked]
    return asked("tell", f"Roll the dice of {' and '.join(dice)}. What do they show?",
                 options=[_option(die, range(FACES)) for die in dice], shuffled="Throw them for me")  # fmt: skip


def _option(name: str, values: Iterable[int]) -> JsonObject:
    return {"name": name, "choices": [{"value": value, "words": ("blank", "ace")[value] if value < 2 else str(value)}
                                      for value in values]}  # fmt: skip


def _tell(state: Any, told: Told) -> Action:
    if state.chance == "deal":
        dealt: Any = state.public(state.random_chance(told.rng))
        return replace(dealt, first=told.starter)  # type: ignore[no-any-return]
    if state.chance == "coin":
        if len(told.numbers) != 1:
            raise ValueError("Say the value of the coin.")
        return TurnCoin(state.waiting(), told.numbers[0])
    if told.numbers and len(told.numbers) != len(state.picked):
        raise ValueError("Say what each of the dice shows.")
    thrown: Action = Roll(tuple(told.numbers)) if told.numbers else state.random_chance(told.rng)
    return thrown


FACE = Face(
    scene=board_scene, words=_words, wanted=_wanted, tell=_tell, mark=_mark,
    chances={"deal": "Deal the tiles.", "roll": "Roll the dice that were used.", "coin": "Turn the coin up."},
    todo={"choose": "take two dice", "act": "use a die", "consequence": "eat, attack or breed", "child": "lay the child",
          "replace": "lay the next coin"},
)  # fmt: skip
