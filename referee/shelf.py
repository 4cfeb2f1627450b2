"""A table's journals on disk: that of the game which runs, and beside it those of games before, named by their time.

A journal that cannot be opened or played through is set aside as it is; what of it still makes a game is offered.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from engine.core import MalformedError
from engine.words import joined, listed, say
from referee.evidence import Evidence
from referee.fold import Game
from referee.journal import DamagedError, Entry, Journal, legible
from referee.table import Refused, Table, refereed_by

JOURNAL = "journal.db"


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A game of before, as far as its journal makes sense."""

    entries: tuple[Entry, ...]
    game: Game

    @property
    def words(self) -> str:
        """What game it is, for people."""
        setting = self.game.setting
        assert setting is not None
        return say("{game} of {names}", game=setting.new_state().TITLE, names=listed(setting.names))


class Shelf:
    """The journals in a table's folder. offered: the newest game of before in which something was done, to go on with where
    none runs and it was not over; said: what had to be set aside."""

    def __init__(self, folder: Path, evidence: Evidence | None = None) -> None:
        self._folder, self._evidence = folder, evidence
        self._misread = folder / "misread.txt"
        self._journal: Journal | None = None
        self.said = ""
        self.offered: Kept | None = None

    def open(self) -> Table:
        """The table of the game that runs, an empty one where none does or its journal makes no sense; OSError where the
        journal cannot be reached."""
        try:
            table = self._table()
        except (DamagedError, MalformedError, Refused) as error:
            aside = self._set_aside("-damaged")
            self.said = say("The journal of this table cannot be used and is kept as {name}: {why}.", name=aside.name,
                            why=str(error).rstrip("."))
            table = self._table()
        if not table.game.acts:
            last = next((kept for kept in map(sense, self.past()) if kept.game.standing), None)
            self.offered = last if last and last.game.state and last.game.state.result is None else None
        return table

    @property
    def says(self) -> str:
        """What was set aside and what is offered, a sentence each, for people."""
        offers = say("The last good game can go on: {words}.", words=self.offered.words) if self.offered else ""
        return joined(filter(None, (self.said, offers)))

    def renew(self) -> Table:
        """An empty table; the journal of the game before stays beside it."""
        self._set_aside()
        return self._table()

    def resume(self) -> Table:
        """The table of the game that is offered, once; the game that runs stays beside it. Refused where none is offered."""
        offered = self.offered
        if offered is None:
            raise Refused(say("There is no earlier game to go on with."))
        self._set_aside()
        journal = Journal(self._folder / JOURNAL)
        journal.add(offered.entries)
        journal.close()
        self.offered = None
        return self._table()

    def past(self) -> list[Path]:
        """The journals beside the one that runs, the newest first."""
        return sorted(self._folder.glob("journal-*.db"), reverse=True)

    def misreadings(self) -> frozenset[str]:
        """The pictures of which somebody said that they were read wrongly."""
        return frozenset(self._misread.read_text(errors="replace").split()) if self._misread.exists() else frozenset()

    def misread(self, picture: str, wrong: bool) -> None:
        """Say it of one, or take it back."""
        marked = self.misreadings() - {picture} | ({picture} if wrong else set())
        whole = self._misread.with_suffix(".new")
        whole.write_text("".join(f"{name}\n" for name in sorted(marked)))
        whole.replace(self._misread)

    def close(self) -> None:
        """Let the journal go."""
        if self._journal is not None:
            self._journal.close()

    def _table(self) -> Table:
        self._journal = Journal(self._folder / JOURNAL)
        return Table(self._journal, self._evidence)

    def _set_aside(self, mark: str = "") -> Path:
        """Give the journal that runs the name of this moment, and what the database keeps beside it, too."""
        self.close()
        stem = f"journal-{datetime.now(UTC).strftime('%Y-%m-%d-%H%M%S-%f')}{mark}"
        for file in sorted(self._folder.glob(f"{JOURNAL}*")):
            file.rename(self._folder / file.name.replace("journal", stem, 1))
        return self._folder / f"{stem}.db"


@lru_cache(4)
def sense(file: Path) -> Kept:
    """What of a journal that nobody writes to any more can be read and makes a game, from its beginning; it is not touched."""
    entries: list[Entry] = []
    game = Game()
    for entry in legible(file):
        try:
            after = game.after([entry])
            if entry.kind == "setting" and after.setting is not None:
                refereed_by(after.setting)
        except (MalformedError, Refused):
            break
        entries.append(entry)
        game = after
    return Kept(tuple(entries), game)
