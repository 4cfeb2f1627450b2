"""The journal of a table: what happened, who said so, what was seen. Entries are only ever added; the state is their fold.

SQLite by default, written so that a play that was acknowledged survives the loss of power (write-ahead log,
`synchronous=FULL`); any database that SQLAlchemy reaches will do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

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
    inspect,
    select,
    text,
)
from sqlalchemy.exc import DatabaseError, IntegrityError, OperationalError, SQLAlchemyError

from engine.words import spoken, written

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


class DamagedError(ValueError):
    """What lies there is no journal, or one that was spoilt; the text says why."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry to be written. kind: `setting`, `act`, `undo`, `edit`, `hand` or `note`. who: `camera`, `host` or `seat 0`; token:
    names a command, so that it is done only once.

    data of an `act`: `action` its text, `words`, kept as they were made, and where a camera saw it `seen`, `sure`, `pictures`.
    """

    kind: str
    who: str
    data: Mapping[str, Any] = field(default_factory=dict)
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as written; `number` counts from 1, `time` is seconds of the clock of whoever wrote it."""

    number: int
    time: float
    kind: str
    who: str
    data: Mapping[str, Any]
    token: str | None = None


def numbered(drafts: Sequence[Draft], last: int, time: float) -> list[Entry]:
    """The entries that these become after the one of number `last` (0: at the beginning)."""
    return [Entry(number, time, each.kind, each.who, dict(each.data), each.token) for number, each in enumerate(drafts, last + 1)]


class Journal:
    """Adds entries and gives them all back. One writer at a time."""

    def __init__(self, where: Path | str) -> None:
        """`where`: a file, or a database's URL. Raises DamagedError for what is no journal, OSError where it is out of reach."""
        url = where if isinstance(where, str) and "://" in where else f"sqlite:///{where}"
        self._engine = create_engine(url)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _durable)
        try:
            with _reached():
                _check(self._engine)
                _META.create_all(self._engine)
                if self._engine.dialect.name == "sqlite":
                    _seal(self._engine)
        except (OSError, DamagedError):
            self.close()
            raise

    def add(self, entries: Sequence[Entry]) -> None:
        """Write entries, all or none; they are on disk when this returns. OSError where they cannot be written."""
        with _reached(), self._engine.begin() as connection:
            connection.execute(insert(_ENTRIES), [_row(entry) for entry in entries])

    def entries(self) -> list[Entry]:
        """Everything, oldest first; DamagedError where it cannot be read."""
        with _reached(), self._engine.connect() as connection:
            return list(map(_entry, connection.execute(select(_ENTRIES).order_by(_ENTRIES.c.number))))

    def close(self) -> None:
        """Let the database go."""
        self._engine.dispose()


def legible(file: Path) -> Iterator[Entry]:
    """The entries of a journal's file, oldest first, as far as they can be read; nothing is written to it."""
    engine = create_engine(f"sqlite:///file:{quote(str(file))}?mode=ro&uri=true")
    try:
        with engine.connect() as connection:
            for row in connection.execute(select(_ENTRIES).order_by(_ENTRIES.c.number)):
                yield _entry(row)
    except (SQLAlchemyError, ValueError, TypeError, LookupError, AttributeError):  # here it ends to make sense
        return
    finally:
        engine.dispose()


@contextmanager
def _reached() -> Iterator[None]:
    """What the database says in our words: a journal that is spoilt, or one that is out of reach."""
    try:
        yield
    except IntegrityError as error:
        raise OSError("Another program writes to this journal, too.") from error
    except OperationalError as error:
        raise OSError(f"The journal cannot be reached: {error.orig}.") from error
    except DatabaseError as error:
        raise DamagedError(f"{error.orig}") from error
    except (ValueError, TypeError, LookupError, AttributeError) as error:  # what stands in a row is no JSON, or no sentence
        raise DamagedError(f"an entry cannot be read: {error}") from error


def _check(engine: Engine) -> None:
    """DamagedError where the database is another one's, or its pages contradict each other."""
    seen = inspect(engine)
    if seen.has_table(_ENTRIES.name) and {each["name"] for each in seen.get_columns(_ENTRIES.name)} != set(_ENTRIES.c.keys()):
        raise DamagedError("it is another program's")
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            found = connection.execute(text("PRAGMA integrity_check")).scalar()
        if found != "ok":
            raise DamagedError(str(found).splitlines()[0])


def _row(entry: Entry) -> dict[str, Any]:
    return {"number": entry.number, "time": entry.time, "kind": entry.kind, "who": entry.who, "token": entry.token,
            "data": written(entry.data)}


def _entry(row: Any) -> Entry:
    return Entry(row.number, row.time, row.kind, row.who, spoken(row.data), row.token)


def _durable(connection: Any, _: Any) -> None:
    connection.execute("PRAGMA synchronous=FULL")


def _seal(engine: Engine) -> None:
    """A file that a crash does not spoil, whose entries cannot be changed or deleted, by whatever program."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("PRAGMA journal_mode=WAL"))
    with engine.begin() as connection:
        for what in ("UPDATE", "DELETE"):
            connection.execute(text(f"CREATE TRIGGER IF NOT EXISTS no_{what.lower()} BEFORE {what} ON entries "
                                    "BEGIN SELECT RAISE(ABORT, 'the journal is only added to'); END"))
