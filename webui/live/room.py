"""A table with all that belongs to it: its folder, its journal, its keys, its camera, and the threads that follow it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from calibration.profile import Profile
from calibration.store import keep, kept
from engine.games import GAMES
from referee.evidence import Evidence
from referee.recording import Recorder
from referee.session import Session, calibration_in
from referee.setting import Setting, seated, unnamed
from referee.shelf import Shelf
from vision.frame import Image
from vision.piece_sets import PieceSet
from vision.reader import Reader
from vision.sources.opening import open_source
from vision.sources.source import Source
from webui.cameras.pieces import PieceDesk
from webui.cameras.stand import CameraStand
from webui.live.keys import Keys
from webui.live.refereed import Refereed

_LOG = logging.getLogger(__name__)


class Room:
    """Opens the folder of a table; a game that was going on there goes on. Raises OSError where it cannot be written.

    setting: of the game that begins where none was going on; without it the first game there is, for two. opening: opens cameras.
    record: whether each game that begins is recorded; one that was going on has lost its beginning.
    own: the players' pieces, kept from now on; without them those that were kept.
    """

    def __init__(
        self, folder: Path, reader: Reader, setting: Setting | None = None, opening: Callable[[str], Source] = open_source,
        record: bool = False, own: PieceSet | None = None,
    ) -> None:  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._record, self._calibration = folder, record, folder / "calibration.json"
        self.shelf = Shelf(folder, Evidence(folder / "evidence"))
        self.stand = CameraStand(opening)
        self.pieces = PieceDesk(folder / "pieces.json", self.stand.live, lambda: self.session.profile, self._owns,
                                bright=self.stand.shown)  # fmt: skip
        self.session = Session(reader, self.shelf.open(), own=self.pieces.own, clock=time.time, measure=self._measure)
        if own is not None:
            self.pieces.have(own)
        if self.session.refereed.game.setting is None:
            self.session.turn_to(self.session.refereed, self._recorder())
            self.session.set_up(setting or _usual(), time.time())
        self.keys = Keys(folder / "keys.json")
        self.stand.on_calibrated = self._calibrated
        self.table = Refereed(self.session, self.stand, self._renew, self.shelf)

    def open(self, camera: str | None) -> None:
        """Start following the table; SourceError where there is no such camera."""
        if camera is not None:
            self.stand.choose(camera)
        self.session.follow(lambda: self.stand.health() if self.stand.name else None)
        threading.Thread(target=self.stand.pump, args=(self.session.offer,), name="camera", daemon=True).start()

    def close(self) -> None:
        """Let everything go."""
        self.session.closed.set()
        self.stand.close()
        self.session.close()
        self.shelf.close()

    def _recorder(self) -> Recorder | None:
        return Recorder(self._folder / "recordings") if self._record else None

    def _renew(self) -> None:
        self.session.turn_to(self.shelf.renew(), self._recorder())

    def _owns(self, own: PieceSet) -> None:
        self.session.call(lambda: self.session.owns(own))

    def _calibrated(self, profile: Profile | None, image: Image | None) -> None:
        self.session.call(lambda: self.session.measured(profile, image))
        if profile is not None and image is not None:  # last: on a full disk the table is measured all the same
            keep(replace(profile, camera=self.stand.name), image, self._calibration)

    def _measure(self, image: Image) -> Profile | None:
        """By what is printed in a picture of the table, and kept for another day; else as it was on an earlier one."""
        profile = calibration_in(image)
        if profile is None:
            return kept(self._calibration, self.stand.name, image)
        try:
            keep(replace(profile, camera=self.stand.name), image, self._calibration)
        except OSError:
            _LOG.warning("the calibration cannot be kept", exc_info=True)
        return profile


def _usual() -> Setting:
    name, kind = next(iter(GAMES.items()))
    return Setting(name, kind.Rules(), seated((unnamed(0), unnamed(1))))
