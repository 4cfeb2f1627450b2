"""What players of Dominoids do, in plain words; cells are named as on the drawing, a1 at the left bottom corner."""

from __future__ import annotations

from engine.actions import Action
from engine.dominoids import actions as dominoids
from engine.words import listed, say


def deed(action: Action) -> str:
    """What an action of Dominoids does, after the player's name."""
    return _words(action)[0]


def order(action: Action) -> str:
    """The same as the words on a button."""
    return _words(action)[1]


def _words(action: Action) -> tuple[str, str]:
    """The action as it is told, and as it is bidden."""
    suits = dominoids.SUITS
    match action:
        case dominoids.Choose(dice):
            named = listed(suits[die] for die in dice)
            return say("takes the dice of {suits}", suits=named), say("Take the dice of {suits}", suits=named)
        case dominoids.Slide(die, tile, cells):
            where = {"tile": tile, "cells": cell_names(cells), "suit": suits[die]}
            return (say("slides the {tile} to {cells} by the die of {suit}", **where),
                    say("Slide the {tile} to {cells} by the die of {suit}", **where))  # fmt: skip
        case dominoids.Rotate(die, tile, cells):
            where = {"tile": tile, "cells": cell_names(cells), "suit": suits[die]}
            return (say("turns the {tile} to {cells} by the die of {suit}", **where),
                    say("Turn the {tile} to {cells} by the die of {suit}", **where))  # fmt: skip
        case dominoids.Bud(die, parent):
            return (say("lets the {tile} bud by the die of {suit}", tile=parent, suit=suits[die]),
                    say("Let the {tile} bud by the die of {suit}", tile=parent, suit=suits[die]))  # fmt: skip
        case dominoids.Shift(die, line, index, step):
            return _shift(line, index, step, suits[die])
        case dominoids.Pass(die):
            return (say("does nothing with the die of {suit}", suit=suits[die]),
                    say("Do nothing with the die of {suit}", suit=suits[die]))  # fmt: skip
        case dominoids.Eat(suit):
            return say("eats the coin of {suit}", suit=suits[suit]), say("Eat the coin of {suit}", suit=suits[suit])
        case dominoids.Attack(tile):
            return say("attacks the {tile}", tile=tile), say("Attack the {tile}", tile=tile)
        case dominoids.Breed(tile):
            return say("breeds with the {tile}", tile=tile), say("Breed with the {tile}", tile=tile)
        case dominoids.Look(suit):
            return say("turns up the coin of {suit}", suit=suits[suit]), say("Turn up the coin of {suit}", suit=suits[suit])
        case dominoids.Place(tile, cells):
            return (say("lays the {tile} on {cells}", tile=tile, cells=cell_names(cells)),
                    say("Lay the {tile} on {cells}", tile=tile, cells=cell_names(cells)))  # fmt: skip
        case dominoids.Replace(suit, cell):
            return (say("lays the next coin of {suit} on {cell}", suit=suits[suit], cell=cell_name(cell)),
                    say("Lay the next coin of {suit} on {cell}", suit=suits[suit], cell=cell_name(cell)))  # fmt: skip
        case dominoids.Roll(faces):
            named = listed(face_name(face) for face in faces)
            return say("rolls {faces}", faces=named), say("Roll {faces}", faces=named)
    return str(action), str(action)


def _shift(line: str, index: int, step: int, suit: str) -> tuple[str, str]:
    if line == "row":
        rows = {"first": 2 * index + 1, "second": 2 * index + 2, "suit": suit}
        if step > 0:
            return (say("shifts rows {first} and {second} right by the die of {suit}", **rows),
                    say("Shift rows {first} and {second} right by the die of {suit}", **rows))  # fmt: skip
        return (say("shifts rows {first} and {second} left by the die of {suit}", **rows),
                say("Shift rows {first} and {second} left by the die of {suit}", **rows))  # fmt: skip
    columns = {"first": "abcdefgh"[2 * index], "second": "abcdefgh"[2 * index + 1], "suit": suit}
    if step > 0:
        return (say("shifts columns {first} and {second} up by the die of {suit}", **columns),
                say("Shift columns {first} and {second} up by the die of {suit}", **columns))  # fmt: skip
    return (say("shifts columns {first} and {second} down by the die of {suit}", **columns),
            say("Shift columns {first} and {second} down by the die of {suit}", **columns))  # fmt: skip


def cell_name(cell: tuple[int, int]) -> str:
    """A cell by its column and row, as on the drawing: the left bottom corner is a1."""
    return f"{'abcdefgh'[cell[0]]}{cell[1] + 1}"


def cell_names(cells: tuple[tuple[int, int], tuple[int, int]]) -> str:
    """Both cells of a Dominoid."""
    return "–\N{WORD JOINER}".join(cell_name(cell) for cell in cells)  # never at the end of a line


def face_name(face: int) -> str:
    """What a die or a coin shows."""
    return (say("a blank"), say("an ace"))[face] if face < 2 else say("a {end}", end=face)
