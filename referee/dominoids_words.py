"""What players of Dominoids do, in plain words; cells are named as on the drawing, a1 at the left bottom corner."""

from __future__ import annotations

from engine.actions import Action
from engine.dominoids import actions as dominoids


def deed(action: Action) -> str:
    """What an action of Dominoids does, after the player's name."""
    suits = dominoids.SUITS
    match action:
        case dominoids.Choose(dice):
            return f"takes the dice of {' and '.join(suits[die] for die in dice)}"
        case dominoids.Slide(die, tile, cells) | dominoids.Rotate(die, tile, cells):
            how = "slides" if isinstance(action, dominoids.Slide) else "turns"
            return f"{how} the {tile} to {cell_names(cells)} by the die of {suits[die]}"
        case dominoids.Bud(die, parent):
            return f"lets the {parent} bud by the die of {suits[die]}"
        case dominoids.Shift(die, line, index, step):
            way = ("right" if step > 0 else "left") if line == "row" else "up" if step > 0 else "down"
            names = f"rows {2 * index + 1} and {2 * index + 2}" if line == "row" else "columns {} and {}".format(
                *"abcdefgh"[2 * index : 2 * index + 2])
            return f"shifts {names} {way} by the die of {suits[die]}"
        case dominoids.Pass(die):
            return f"does nothing with the die of {suits[die]}"
        case dominoids.Eat(suit):
            return f"eats the coin of {suits[suit]}"
        case dominoids.Attack(tile):
            return f"attacks the {tile}"
        case dominoids.Breed(tile):
            return f"breeds with the {tile}"
        case dominoids.Look(suit):
            return f"turns up the coin of {suits[suit]}"
        case dominoids.Place(tile, cells):
            return f"lays the {tile} on {cell_names(cells)}"
        case dominoids.Replace(suit, cell):
            return f"lays the next coin of {suits[suit]} on {cell_name(cell)}"
        case dominoids.Roll(faces):
            return f"rolls {' and '.join(face_name(face) for face in faces)}"
    return str(action)


def cell_name(cell: tuple[int, int]) -> str:
    """A cell by its column and row, as on the drawing: the left bottom corner is a1."""
    return f"{'abcdefgh'[cell[0]]}{cell[1] + 1}"


def cell_names(cells: tuple[tuple[int, int], tuple[int, int]]) -> str:
    """Both cells of a Dominoid."""
    return "–".join(cell_name(cell) for cell in cells)


def face_name(face: int) -> str:
    """What a die or a coin shows."""
    return ("a blank", "an ace")[face] if face < 2 else f"a {face}"
