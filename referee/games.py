"""Which reader reads which game's table, and what lies on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.games import game
from referee.readers.dominoids import DominoidsReader
from referee.readers.engine191 import Engine191Reader
from referee.readers.euronimoes import EuronimoesReader
from referee.readers.line import LineReader
from referee.readers.solitaire import SolitaireReader
from referee.readers.solo import EliminationReader, KnockOutReader
from referee.reading import Factory, Reader
from referee.setting import Setting
from vision.in_play import InPlay
from vision.observation import Kind
from vision.piece_sets import CHIP_COLOURS, COMMON, PieceSet

READERS: Mapping[str, Factory] = {
    "block": LineReader, "all-fives": LineReader, "matador": LineReader, "one-arm-joe": LineReader,
    "euronimoes": EuronimoesReader, "engine191": Engine191Reader, "knock-out": KnockOutReader, "elimination": EliminationReader,
    "solitaire": SolitaireReader, "dominoids": DominoidsReader,
}  # fmt: skip


WITH_CHIPS = {"euronimoes"}
"""The games whose players have chips of their own."""

PIECEPACK: Mapping[str, tuple[Kind, ...]] = {"dominoids": ("coin", "die", "pawn")}
"""The games that are played with the pieces of a piecepack, and which."""


@dataclass(frozen=True, slots=True)
class OnTable:
    """What may lie on a table. tiles: those of the game. kinds: of other pieces, as are looked for. pieces: the owner's set."""

    tiles: InPlay = field(default_factory=InPlay)
    kinds: tuple[Kind, ...] = ()
    pieces: PieceSet = COMMON


ANYTHING = OnTable()
"""Where nobody says what is played: any tiles, and no other pieces."""


def reader_for(setting: Setting) -> Reader:
    """The reader of a setting's game: where no camera reads it, one that sees nothing. MalformedError for no game."""
    game(setting.game)
    return READERS[setting.game](setting)


def tiles_of(name: str) -> InPlay:
    """The tiles of a game; MalformedError where there is no such game."""
    kind = game(name)
    return InPlay(kind.ENDS, kind.FACE_DOWN, kind.STACKED)


def on_table(setting: Setting, own: PieceSet = COMMON) -> OnTable:
    """What lies on the table of this game: of chips, those of its players where their colours can be told apart."""
    colours = tuple(seat.colour for seat in setting.seats) if setting.game in WITH_CHIPS else ()
    kit = game(setting.game)(setting.rules, len(setting.seats)).kit
    tiles = replace(tiles_of(setting.game), copies=getattr(kit, "copies", 1))  # only those two games know of double sets
    if not colours or len(set(colours)) < len(colours) or not set(colours) <= set(CHIP_COLOURS):
        return OnTable(tiles, PIECEPACK.get(setting.game, ()), own)
    return OnTable(tiles, ("chip",), replace(own, chips=colours))
