"""The board of Dominoids as a drawing: cells, coins, pawns, Dominoids; below it the dice and the gene pool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.actions import Action
from engine.dominoids.actions import SUITS, Place, Roll, Rotate, Slide, TurnCoin
from engine.dominoids.board import SIDE, cell_of
from engine.dominoids.game import State
from engine.words import listed, say
from referee.dominoids_words import cell_name, cell_names, face_name, order
from webui.live.face import Face, Names, Told, asked, by_phase, heard, in_a_row
from webui.live.scene import JsonObject, drawn, laid, part, shape, spot, text

FACES = 6
"""Of a die: blank, ace and 2 to 5."""

POOL_ACROSS = 4
"""Tiles of the gene pool in a row below the board."""


SIGNS = {
    "suns": "M0-.3A.3.3 0 1 1 0 .3 .3.3 0 1 1 0-.3ZM0-.46V-.36M0 .36V.46M-.46 0H-.36M.36 0H.46M-.33-.33-.25-.25M.25.25.33.33"
            "M.33-.33.25-.25M-.25.25-.33.33",
    "moons": "M.14-.4A.42.42 0 1 0 .14 .4 .33.33 0 0 1 .14-.4Z",
    "crowns": "M-.4.3V-.22L-.2 0 0-.34 .2 0 .4-.22V.3Z",
    "arms": "M-.34-.36H.34V0C.34.24.12.36 0 .44-.12.36-.34.24-.34 0Z",
}  # fmt: skip
"""Every suit has its own shape, so that no colour is needed."""

PAWN = "M-.34.42C-.3.1-.12.06-.12-.06A.2.2 0 1 1 .12-.06C.12.06.3.1.34.42Z"
VALUES = ("", "A", "2", "3", "4", "5")


def board_scene(state: State) -> JsonObject:
    """Everything on the table, in cells; the left bottom one is a1. Before the deal the board is empty."""
    tiles = [laid(f"dominoid-{each.tile}", (each.p, each.q), _between(cell_of(each.first), cell_of(each.second)))
             for each in state.dominoids]  # fmt: skip
    pool = [laid(f"dominoid-{tile}", (tile.low, tile.high), _in_pool(at)) | {"look": "in-pool"}
            for at, tile in enumerate(state.pool)]  # fmt: skip
    coins = [_coin(suit, coin) for suit, coin in enumerate(state.coins) if coin is not None]
    over = [_pawn(suit, cell_of(cell)) for suit, cell in enumerate(state.pawns)]
    if state.pawns:
        over += [_die(state, suit) for suit in range(len(SUITS))]
    around = [-1.1, -0.7, SIDE + 1.3, SIDE + 2.4 + 1.3 * -(-len(pool) // POOL_ACROSS)]
    board = drawn([*tiles, *pool], around, under=[_cells(), *coins], over=over)
    return {"kind": "line", "shapes": {"board": board}}


def _heard(state: State) -> list[JsonObject]:
    """How much there is, then all of it cell by cell, the dice, and the gene pool."""
    coins = [(suit, coin) for suit, coin in enumerate(state.coins) if coin is not None]
    found = [say("Board: {tiles} Dominoids, {coins} coins; {pool} tiles in the gene pool", tiles=len(state.dominoids),
                 coins=len(coins), pool=len(state.pool))]
    for each in state.dominoids:
        cells = cell_names((cell_of(each.first), cell_of(each.second)))
        found.append(say("{tile} on {cells}", tile=in_a_row([(each.p, each.q)]), cells=cells))
    for suit, cell in enumerate(state.pawns):
        found.append(say("Pawn of {suit} on {cell}", suit=SUITS[suit], cell=cell_name(cell_of(cell))))
    for suit, (cell, value, up) in coins:
        told = {"suit": SUITS[suit], "cell": cell_name(cell_of(cell))}
        found.append(say("Coin of {suit} on {cell}, with {face} up", **told, face=face_name(value)) if up and value >= 0
                     else say("Coin of {suit} on {cell}", **told))  # fmt: skip
    for suit, face in enumerate(state.dice):
        box = say("new") if state.new[suit] else say("old")
        found.append(say("Die of {suit}: {face}, {box}", suit=SUITS[suit], face=face_name(face), box=box))
    if state.pool:
        found.append(say("Gene pool: {tiles}", tiles=in_a_row(state.pool)))
    return [heard(words) for words in found]


def _sign(suit: str, size: float, x: float = 0.0, y: float = 0.0) -> JsonObject:
    return shape("path", look=f"suit {suit}", d=SIGNS[suit], transform=f"translate({x} {y}) scale({size})")


def _cells() -> JsonObject:
    """Squares of two by two cells, and the names of columns and rows."""
    squares = [shape("rect", look="square" if (x + y) % 4 else "square dark", x=x - 0.5, y=y - 0.5, width=2, height=2)
               for x in range(0, SIDE, 2) for y in range(0, SIDE, 2)]  # fmt: skip
    lines = "".join(f"M-.5 {at - 0.5}H{SIDE - 0.5}M{at - 0.5}-.5V{SIDE - 0.5}" for at in range(1, SIDE))
    columns = [text("abcdefgh"[at], 0.32, at, SIDE - 0.14, look="cell-name") for at in range(SIDE)]
    rows = [text(str(at + 1), 0.32, -0.78, round(SIDE - 0.88 - at, 2), look="cell-name") for at in range(SIDE)]
    return part("cells", "cells", 0, 0, *squares, shape("path", look="cell-lines", d=lines), *columns, *rows)


def _coin(suit: int, coin: tuple[int, int, bool]) -> JsonObject:
    """A coin: its suit, and its value once it is turned up."""
    cell, value, up = coin
    x, y = _at(cell_of(cell))
    shows = text(VALUES[value] or "0", 0.46, y=0.16) if up and value >= 0 else _sign(SUITS[suit], 0.6)
    return part(f"coin-{SUITS[suit]}", "coin", x, y, shape("circle", r=0.42), shows)


def _pawn(suit: int, cell: tuple[int, int]) -> JsonObject:
    x, y = _at(cell)
    return part(f"pawn-{SUITS[suit]}", "pawn", x, y, shape("path", look="pawn-body", d=PAWN), _sign(SUITS[suit], 0.32, y=0.22))


def _die(state: State, suit: int) -> JsonObject:
    """A die below the board; whether it is still to be used in this turn, and in which box it lies."""
    return part(
        f"die-{SUITS[suit]}", "die left" if suit in state.chosen else "die", 0.3 + 2.2 * suit, SIDE + 0.65,
        shape("rect", x=-0.42, y=-0.42, width=0.84, height=0.84, rx=0.14), _sign(SUITS[suit], 0.34, -0.2, -0.2),
        text(VALUES[state.dice[suit]], 0.5, 0.1, 0.3),
        text(say("new") if state.new[suit] else say("old"), 0.34, 0.54, 0.12, "start", "die-box"),
    )  # fmt: skip


def _in_pool(at: int) -> JsonObject:
    """The place of one of the tiles below the board and the dice."""
    return spot(0.5 + 2.2 * (at % POOL_ACROSS), SIDE + 2.2 + 1.3 * (at // POOL_ACROSS), 0)


def _at(cell: tuple[int, int]) -> tuple[int, int]:
    """The middle of a cell in the drawing, where y runs down."""
    return cell[0], SIDE - 1 - cell[1]


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
    return order(action)


def _wanted(state: Any, names: Names) -> JsonObject | None:
    if state.chance == "deal":
        words = say("Who begins? Kibitz deals: then lay the table as it is drawn, the coins with their values down.")
        return asked("deal", words, starters=list(names), shuffled=say("Deal"))
    if state.chance == "coin":
        suit = state.waiting()
        return asked("tell", say("Which value has the coin of {suit}?",
                                 suit=SUITS[suit]), options=[_option(SUITS[suit], state.left_on(suit))])
    dice = [SUITS[die] for die in state.picked]
    return asked("tell", say("Roll the dice of {suits}. What do they show?", suits=listed(dice)),
                 options=[_option(die, range(FACES)) for die in dice], shuffled=say("Throw them for me"))  # fmt: skip


def _option(name: str, values: Iterable[int]) -> JsonObject:
    return {"name": name, "choices": [{"value": value, "words": (say("blank"), say("ace"))[value] if value < 2 else str(value)}
                                      for value in values]}  # fmt: skip


def _tell(state: Any, told: Told) -> Action:
    if state.chance == "deal":
        dealt: Any = state.public(state.random_chance(told.rng))
        return replace(dealt, first=told.starter)  # type: ignore[no-any-return]
    if state.chance == "coin":
        if len(told.numbers) != 1:
            raise ValueError(say("Say the value of the coin."))
        return TurnCoin(state.waiting(), told.numbers[0])
    if told.numbers and len(told.numbers) != len(state.picked):
        raise ValueError(say("Say what each of the dice shows."))
    thrown: Action = Roll(tuple(told.numbers)) if told.numbers else state.random_chance(told.rng)
    return thrown


def _said(action: Any) -> Told:
    match action:
        case TurnCoin():
            return Told(numbers=[action.value])
        case Roll():
            return Told(numbers=action.faces)
    return Told(starter=action.first)


FACE = Face(
    about=say("Creatures of two halves slide over a board, attack, breed, and eat coins; played with a piecepack."),
    lies=say("The board of sixteen backs in the middle, the gene pool open in rows beside it, the coins next to it, and the dice "
             "on the printed mat."),
    aim=say("The most points of eaten coins win."),
    scene=board_scene, heard=_heard, words=_words, wanted=_wanted, tell=_tell, said=_said, mark=_mark,
    chances={"deal": say("Deal the tiles."), "roll": say("Roll the dice that were used."), "coin": say("Turn the coin up.")},
    todo=by_phase({"choose": say("take two dice"), "act": say("use a die"), "consequence": say("eat, attack or breed"),
                   "child": say("lay the child"), "replace": say("lay the next coin")}),
)  # fmt: skip
