"""Which reader reads which game's table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.core import MalformedError
from referee.readers.engine191 import Engine191Reader
from referee.readers.euronimoes import EuronimoesReader
from referee.readers.line import LineReader
from referee.readers.solitaire import SolitaireReader
from referee.readers.solo import EliminationReader, KnockOutReader
from referee.reading import Factory, Reader
from referee.setting import Setting
from vision.piece_sets import CHIP_COLOURS, COMMON
from vision.pieces import PieceReader
from vision.table.piece_watch import PieceWatch

READERS: Mapping[str, Factory] = {
    "block": LineReader, "all-fives": LineReader, "matador": LineReader, "one-arm-joe": LineReader,
    "euronimoes": EuronimoesReader, "engine191": Engine191Reader, "knock-out": KnockOutReader, "elimination": EliminationReader,
    "solitaire": SolitaireReader,
}  # fmt: skip


WITH_CHIPS = {"euronimoes"}
"""The games whose players have chips of their own."""


def reader_for(setting: Setting) -> Reader:
    """The reader of a setting's game; MalformedError for one that cannot be read from the table."""
    if setting.game not in READERS:
        raise MalformedError(f"{setting.game} cannot be read from the table yet; enter its plays by hand")
    if getattr(setting.rules, "spinner", "none") != "none":
        raise MalformedError("A line with spinners cannot be read from the table yet; enter its plays by hand")
    return READERS[setting.game](setting)


def chips_of(setting: Setting | None) -> tuple[str, ...]:
    """The colours of the chips that lie on the table, by seat; none where the game has none or they cannot be told apart."""
    colours = tuple(seat.colour for seat in setting.seats) if setting is not None and setting.game in WITH_CHIPS else ()
    return colours if len(set(colours)) == len(colours) and set(colours) <= set(CHIP_COLOURS) else ()


def chip_watch(colours: tuple[str, ...]) -> PieceWatch | None:
    """What follows chips of these colours."""
    return PieceWatch(PieceReader(), ("chip",), replace(COMMON, chips=colours)) if colours else None
