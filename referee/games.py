"""Which reader reads which game's table."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core import MalformedError
from referee.readers.engine191 import Engine191Reader
from referee.readers.euronimoes import EuronimoesReader
from referee.readers.line import LineReader
from referee.readers.solitaire import SolitaireReader
from referee.readers.solo import EliminationReader, KnockOutReader
from referee.reading import Factory, Reader
from referee.setting import Setting

READERS: Mapping[str, Factory] = {
    "block": LineReader, "all-fives": LineReader, "matador": LineReader, "one-arm-joe": LineReader,
    "euronimoes": EuronimoesReader, "engine191": Engine191Reader, "knock-out": KnockOutReader, "elimination": EliminationReader,
    "solitaire": SolitaireReader,
}  # fmt: skip


def reader_for(setting: Setting) -> Reader:
    """The reader of a setting's game; MalformedError for one that cannot be read from the table."""
    if setting.game not in READERS:
        raise MalformedError(f"{setting.game} cannot be read from the table yet; enter its plays by hand")
    if getattr(setting.rules, "spinner", "none") != "none":
        raise MalformedError("A line with spinners cannot be read from the table yet; enter its plays by hand")
    return READERS[setting.game](setting)
