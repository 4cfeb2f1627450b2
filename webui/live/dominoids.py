"""The board of Dominoids as a drawing: cells, coins, pawns, Dominoids; below it the dice and the gene pool."""

from __future__ import annotations

from engine.dominoids.actions import SUITS, Place, Rotate, Slide
from engine.dominoids.board import SIDE, cell_of
from engine.dominoids.game import State
from webui.live.scene import JsonObject, laid, spot

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
