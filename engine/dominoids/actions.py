"""What seats and chance do in Dominoids. Cells count from the bottom left corner of the board, from 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.actions import CELLS, NUMBER, PAIR, TILE, WORD, Action, Cell, Form, listed
from engine.pieces import Tile
from engine.words import say

SUITS = (say("suns"), say("moons"), say("crowns"), say("arms"))

# Figure 1 (F2): pawns, the coin beside each, and the first four Dominoids.
FIGURE_PAWNS = ((1, 2), (2, 6), (6, 5), (5, 1))
FIGURE_COINS = ((0, 2), (2, 7), (7, 5), (5, 0))
FIGURE_DOMINOIDS = (((2, 2), (3, 2)), ((2, 4), (2, 5)), ((4, 5), (5, 5)), ((5, 2), (5, 3)))


def _write_suit(suit: int) -> str:
    return SUITS[suit]


def _read_suit(text: Any) -> int:
    if text not in SUITS:
        raise ValueError(f"no suit {text!r} (there are: {', '.join(SUITS)})")
    return SUITS.index(text)


SUIT = Form(_write_suit, _read_suit)


def write_face(face: int) -> Any:
    """A die face as text or number."""
    return ("null", "ace")[face] if face < 2 else face


def read_face(value: Any) -> int:
    """The inverse of `write_face`."""
    faces = ("null", "ace", 2, 3, 4, 5)
    if isinstance(value, bool) or value not in faces:
        raise ValueError(f"no die shows {value!r}")
    return faces.index(value)


FACE = Form(write_face, read_face)


@dataclass(frozen=True, slots=True)
class Choose(Action):
    """Take the two dice of these suits, at least one of them old."""

    kind: ClassVar[str] = "choose"
    FORM = (("dice", "dice", listed(SUIT)),)

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Slide(Action):
    """Slide a Dominoid towards its leading end; cells and ends as it comes to lie, the leading end second."""

    kind: ClassVar[str] = "slide"
    FORM = (("die", "die", SUIT), ("tile", "tile", TILE), ("cells", "cells", CELLS), ("ends", "ends", PAIR))

    die: int
    tile: Tile
    cells: tuple[Cell, Cell]
    ends: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rotate(Action):
    """Turn the leading end a quarter about the other; cells and ends as it comes to lie, the leading end second."""

    kind: ClassVar[str] = "rotate"
    FORM = (("die", "die", SUIT), ("tile", "tile", TILE), ("cells", "cells", CELLS), ("ends", "ends", PAIR))

    die: int
    tile: Tile
    cells: tuple[Cell, Cell]
    ends: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bud(Action):
    """Where no Dominoid can move by a die, let one bud."""

    kind: ClassVar[str] = "bud"
    FORM = (("die", "die", SUIT), ("parent", "parent", TILE))

    die: int
    parent: Tile


@dataclass(frozen=True, slots=True)
class Shift(Action):
    """Shift a row or column of board tiles by one; `step` 1 is right or up."""

    kind: ClassVar[str] = "shift"
    FORM = (("die", "die", SUIT), ("line", "line", WORD), ("index", "index", NUMBER), ("step", "step", NUMBER))

    die: int
    line: str
    index: int
    step: int


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Use a die for nothing: a blank, or an action that is not possible."""

    kind: ClassVar[str] = "pass"
    FORM = (("die", "die", SUIT),)

    die: int


@dataclass(frozen=True, slots=True)
class Eat(Action):
    """Eat the coin of this suit."""

    kind: ClassVar[str] = "eat"
    FORM = (("suit", "suit", SUIT),)

    suit: int


@dataclass(frozen=True, slots=True)
class Attack(Action):
    """Send this Dominoid back to the gene pool."""

    kind: ClassVar[str] = "attack"
    FORM = (("tile", "tile", TILE),)

    tile: Tile


@dataclass(frozen=True, slots=True)
class Breed(Action):
    """Have a child with this Dominoid."""

    kind: ClassVar[str] = "breed"
    FORM = (("tile", "tile", TILE),)

    tile: Tile


@dataclass(frozen=True, slots=True)
class Look(Action):
    """Turn up the coin of this suit beside the Dominoid (reveal=chosen)."""

    kind: ClassVar[str] = "look"
    FORM = (("suit", "suit", SUIT),)

    suit: int


@dataclass(frozen=True, slots=True)
class Place(Action):
    """Lay the child; the left or lower cell first."""

    kind: ClassVar[str] = "place"
    FORM = (("tile", "tile", TILE), ("cells", "cells", CELLS), ("ends", "ends", PAIR))

    tile: Tile
    cells: tuple[Cell, Cell]
    ends: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Replace(Action):
    """Lay the next coin of a suit beside its pawn."""

    kind: ClassVar[str] = "replace"
    FORM = (("suit", "suit", SUIT), ("cell", "cell", PAIR))

    suit: int
    cell: Cell


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """Chance: the board at the start. By suit: pawns, coins (face down; -1 unknown), stacks (next first), dice; who begins."""

    kind: ClassVar[str] = "deal"
    FORM = (("cells", "cells", listed(CELLS)), ("ends", "ends", listed(PAIR)), ("pawns", "pawns", listed(PAIR)),
            ("coins", "coins", listed(PAIR)), ("stacks", "stacks", listed(listed(NUMBER))), ("dice", "dice", listed(FACE)),
            ("first", "first", NUMBER))

    cells: tuple[tuple[Cell, Cell], ...]
    ends: tuple[tuple[int, int], ...]
    pawns: tuple[Cell, ...]
    coins: tuple[Cell, ...]
    stacks: tuple[tuple[int, ...], ...]  # the coin on the board first
    dice: tuple[int, ...]
    first: int


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """Chance: the faces of the two dice that were used, in the order of their suits."""

    kind: ClassVar[str] = "roll"
    FORM = (("faces", "faces", listed(FACE)),)

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnCoin(Action):
    """Chance: the value of a coin turned up."""

    kind: ClassVar[str] = "coin"
    FORM = (("suit", "suit", SUIT), ("value", "value", NUMBER))

    suit: int
    value: int
