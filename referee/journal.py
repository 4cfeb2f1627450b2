"""The journal of a table: what happened, who said so, what was seen. Entries are only ever added; the state is their fold.

SQLite by default, written so that a play that was acknowledged survives the loss of power (write-ahead log,
`synchronous=FULL`); any database that SQLAlchemy reaches will do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Double,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    insert,
    select,
    text,
)

Kind = str
"""`setting`, `act`, `undo`, `edit`, `hand` or `note`."""

_META = MetaData()
_ENTRIES = Table(
    "entries", _META,
    Column("number", Integer, primary_key=True),
    Column("time", Double, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("who", String(32), nullable=False),
    Column("token", String(64), unique=True),
    Column("data", JSON, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry to be written. who: `camera`, `host` or `seat 0`; token: names a command, so that it is done only once.

    data of an `act`: `action` its text, `words`, and where a camera saw it `seen`, `sure`, `pictures`.
    """

    kind: Kind
    who: str
    data: Mapping[str, Any] = field(default_factory=dict)
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as written; `number` counts from 1, `time` is seconds of the clock of whoever wrote it."""

    number: int
    time: float
    kind: Kind
    who: str
    data: Mapping[str, Any]
    token: str | None = None


def numbered(drafts: Sequence[Draft], last: int, time: float) -> list[Entry]:
    """The entries that these become after the one of number `last` (0: at the beginning)."""
    return [Entry(number, time, each.kind, each.who, dict(each.data), each.token) for number, each in enumerate(drafts, last + 1)]


class Journal:
    """Adds entries and gives them all back. One writer at a time."""

    def __init__(self, where: Path | str) -> None:
        """`where`: a file, or a database's URL."""
        url = where if isinstance(where, str) and "://" in where else f"sqlite:///{where}"
        self._engine = create_engine(url)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _durable)
        _META.create_all(self._engine)
        if self._engine.dialect.name == "sqlite":
            _seal(self._engine)

    def add(self, entries: Sequence[Entry]) -> None:
        """Write entries, all or none; they are on disk when this returns."""
        with self._engine.begin() as connection:
            connection.execute(insert(_ENTRIES), [_row(entry) for entry in entries])

    def entries(self) -> list[Entry]:
        """Everything, oldest first."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(_ENTRIES).order_by(_ENTRIES.c.number)).all()
        return [Entry(row.number, row.time, row.kind, row.who, row.data, row.token) for row in rows]

    def close(self) -> None:
        """Let the database go."""
        self._engine.dispose()


def _row(entry: Entry) -> dict[str, Any]:
    return {"number": entry.number, "time": entry.time, "kind": entry.kind, "who": entry.who, "token": entry.token,
            "data": dict(entry.data)}


def _durable(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _seal(engine: Engine) -> None:
    """Entries cannot be changed or deleted, by whatever program."""
    with engine.begin() as connection:
        for what in ("UPDATE", "DELETE"):
            connection.execute(text(f"CREATE TRIGGER IF NOT EXISTS no_{what.lower()} BEFORE {what} ON entries "
                                    "BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END"))
