"""A table with all that belongs to it: its folder, its journal, its keys, its camera, and the threads that follow it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from calibration.fit import CalibrationError
from calibration.profile import Profile
from calibration.store import load, save
from referee.evidence import Evidence
from referee.recording import Recorder, Spool
from referee.setting import Setting, seated
from referee.shelf import Shelf
from referee.table import Table
from vision.reader import Reader
from vision.sources.opening import open_source
from vision.sources.source import Source
from webui.cameras.stand import CameraStand
from webui.live.keys import Keys
from webui.live.refereed import AnyTable, Refereed


class Room:
    """Opens the folder of a table; a game that was going on there goes on. Raises OSError where it cannot be written.

    setting: of the game that begins where none was going on; without it Euronimoes for two. opening: opens cameras.
    record: whether each game that begins is recorded; one that was going on has lost its beginning.
    """

    def __init__(
        self, folder: Path, reader: Reader, setting: Setting | None = None, opening: Callable[[str], Source] = open_source,
        record: bool = False,
    ) -> None:  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._reader, self._record = folder, reader, record
        self.shelf = Shelf(folder, Evidence(folder / "evidence"))
        kept = self.shelf.open()
        first = kept if kept.game.setting is not None else self._recorded(kept)
        if kept.game.setting is None:
            first.set_up(setting or _usual(), datetime.now(UTC).timestamp())
        self.keys = Keys(folder / "keys.json")
        self.stand = CameraStand(opening)
        self.stand.on_calibrated = self._keep
        self.table = Refereed(first, self.stand, lambda: self._recorded(self.shelf.renew()), self.shelf)

    def open(self, camera: str | None) -> None:
        """Start following the table; SourceError where there is no such camera."""
        if camera is not None:
            self.stand.choose(camera)
            self.stand.profile = self._kept()
        threading.Thread(target=self.stand.pump, name="camera", daemon=True).start()
        threading.Thread(target=self.table.follow, args=(self.stand, self._reader), name="table", daemon=True).start()

    def close(self) -> None:
        """Let everything go."""
        self.table.closed.set()
        self.stand.close()
        self.shelf.close()

    def _recorded(self, table: Table) -> AnyTable:
        return Recorder(table, Spool(self._folder / "recordings" / "events.jsonl.gz")) if self._record else table

    def _keep(self, profile: Profile) -> None:
        save(profile, self._folder / "calibration.json")

    def _kept(self) -> Profile | None:
        try:
            return load(self._folder / "calibration.json")
        except (OSError, CalibrationError):
            return None


def _usual() -> Setting:
    from engine.euronimoes.game import Rules

    return Setting("euronimoes", Rules(), seated(("Player 1", "Player 2")))
