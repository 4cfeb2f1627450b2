"""How each game is refereed, by its name: what reads its table, and what lies on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from engine.games import game
from referee.readers.dominoids import DominoidsReader
from referee.readers.engine191 import Engine191Reader
from referee.readers.euronimoes import EuronimoesReader
from referee.readers.line import LineReader
from referee.readers.mexican_train import MexicanTrainReader
from referee.readers.solitaire import SolitaireReader
from referee.readers.solo import EliminationReader, KnockOutReader
from referee.reading import Reader
from referee.setting import Setting
from vision.in_play import InPlay
from vision.observation import Kind
from vision.piece_sets import CHIP_COLOURS, COMMON, PieceSet


@dataclass(frozen=True, slots=True)
class Refereed:
    """How a game is refereed. reader: what reads its table.

    chips: its players have some of their own. pieces: those of a piecepack that it is played with.
    photo: how a photo at its end is scored: the pips of a `hand`, the tiles `left`, the `columns`, a player's `grid`; or why it
    cannot be, in a sentence.
    """

    reader: Callable[[Setting], Reader]
    chips: bool = False
    pieces: tuple[Kind, ...] = ()
    photo: str = "hand"


COINS = ("The coins of Dominoids show their suit or their value, so a photograph does not tell the bonus: the referee keeps that "
         "score.")  # fmt: skip

REFEREED: Mapping[str, Refereed] = {
    "euronimoes": Refereed(EuronimoesReader, chips=True, photo="grid"),
    "engine191": Refereed(Engine191Reader),
    "dominoids": Refereed(DominoidsReader, pieces=("coin", "die", "pawn"), photo=COINS),
    "block": Refereed(LineReader),
    "all-fives": Refereed(LineReader),
    "matador": Refereed(LineReader),
    "one-arm-joe": Refereed(LineReader),
    "knock-out": Refereed(KnockOutReader, photo="left"),
    "elimination": Refereed(EliminationReader, photo="left"),
    "solitaire": Refereed(SolitaireReader, photo="columns"),
    "mexican-train": Refereed(MexicanTrainReader),
}


@dataclass(frozen=True, slots=True)
class OnTable:
    """What may lie on a table. tiles: those of the game. kinds: of other pieces, as are looked for. pieces: the owner's set."""

    tiles: InPlay = field(default_factory=InPlay)
    kinds: tuple[Kind, ...] = ()
    pieces: PieceSet = COMMON


ANYTHING = OnTable()
"""Where nobody says what is played: any tiles, and no other pieces."""


def reader_for(setting: Setting) -> Reader:
    """The reader of a setting's game."""
    return REFEREED[setting.game].reader(setting)


def tiles_of(name: str) -> InPlay:
    """The tiles of a game; MalformedError where there is no such game."""
    kind = game(name)
    return InPlay(kind.ENDS, kind.FACE_DOWN, kind.STACKED)


def on_table(setting: Setting, own: PieceSet = COMMON) -> OnTable:
    """What lies on the table of this game. Whose chips are whose is told by where they lie as the game begins."""
    refereed = REFEREED[setting.game]
    tiles = replace(tiles_of(setting.game), copies=getattr(setting.new_state().kit, "copies", 1))
    if refereed.chips:
        return OnTable(tiles, ("chip",), replace(own, chips=own.chips or CHIP_COLOURS))
    return OnTable(tiles, refereed.pieces, own)
