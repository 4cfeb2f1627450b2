"""A session: the one way from the frames of a camera and the deeds of people to what is known of a table and its game.

    frame ─▶ calibrated? ─▶ watcher ─▶ observation ─▶ referee's table ─▶ journal

Serving, trials, soaks, benches, recordings and `watch` all run this. It is stepped with `see`, `lost`, `set_up` and `act` by
one thread; live, that thread is its own (`follow`), frames are offered to it, and everybody else's deeds wait in its line.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from calibration.fit import CalibrationError
from calibration.measure import calibrate
from calibration.profile import Profile
from referee.games import ANYTHING, OnTable, on_table
from referee.proof import ToPicture
from referee.setting import Point, Setting, printed_slots
from referee.table import Table
from vision.exposure import Metering
from vision.frame import Frame, Image
from vision.observation import Observation, TableState
from vision.piece_sets import COMMON, PieceSet
from vision.pieces import PieceReader
from vision.reader import Reader
from vision.sources.source import Health, Source
from vision.table.pictures import PictureWatcher
from vision.table.piece_watch import PieceWatch
from vision.table.watcher import TableWatcher

if TYPE_CHECKING:
    from referee.recording import Recorder

Result = TypeVar("Result")

_LOG = logging.getLogger(__name__)

WAIT_S = 0.5
"""How long a frame is waited for before the camera's health is looked at again."""

LOOK_S = 3.0
"""A table that is not measured is looked at so often for tags and mats."""

APART_S = 5.0
"""The camera's clock and that on the wall may part by so much."""


def calibration_in(image: Image) -> Profile | None:
    """The calibration by the tags or the mat in a picture, (H, W, 3) BGR; None where there are none."""
    try:
        return calibrate(image)
    except CalibrationError:
        return None


class Session:
    """One table as it is followed. table: the referee's; without one the table is only watched.

    on: what lies there where no game tells. own: the owner's pieces. profile: the calibration; without one it is looked
    for in the pictures, unless that is not `looking`. settled: each picture is a moment of rest by itself (see `Source`).
    clock: the time on the wall, seconds, for the journal; without one the frames' own time is the journal's.
    sink: is told of all that comes, in order. pieces: reads coins, dice, pawns and chips; without it one is made where it is
    needed. told: is called after every step, in the thread that made it. measure: how the camera is calibrated by a picture,
    (H, W, 3) BGR, while it is not; None where the picture does not tell.
    """

    def __init__(
        self, reader: Reader, table: Table | None = None, *, on: OnTable = ANYTHING, own: PieceSet = COMMON,
        profile: Profile | None = None, settled: bool = False, clock: Callable[[], float] | None = None,
        sink: Recorder | None = None, pieces: PieceReader | None = None, looking: bool = True,
        told: Callable[[], None] = lambda: None, measure: Callable[[Image], Profile | None] = calibration_in,
    ) -> None:  # fmt: skip
        self.table, self.sink, self.told, self._measure = table, sink, told, measure
        self.seen: Observation | None = None
        self._reader, self._pieces, self._on, self._own = reader, pieces, on, own
        self._settled, self._clock, self._looking = settled, clock, looking and not settled
        self._profile = profile
        self._slots: dict[str, Point] = {}
        self.watcher: TableWatcher | PictureWatcher | None = None  # to look at, not to step
        self._watched: Setting | None = None  # the setting for which the watcher was made
        self._looked = -math.inf
        self._ahead: float | None = None  # by so much the clock on the wall is ahead of the camera's, seconds
        self._line = threading.Condition()
        self._deeds: deque[Callable[[], None]] = deque()
        self._waiting: Frame | None = None
        self._thread: threading.Thread | None = None
        self.closed = threading.Event()
        self._tell_sink()

    @property
    def profile(self) -> Profile | None:
        """The calibration; it follows the camera where that was bumped."""
        return self.watcher.profile if isinstance(self.watcher, TableWatcher) else self._profile

    @property
    def refereed(self) -> Table:
        """The referee's table, where there is one."""
        assert self.table is not None, "a table that is only watched has no game"
        return self.table

    # One step.

    def see(self, frame: Frame) -> Observation:
        """Take a frame; what is known of the table after it."""
        if self.sink is not None:
            frame = self.sink.frame(frame)
        if self._looking and self.profile is None and not 0 <= frame.time - self._looked < LOOK_S:
            self._looked = frame.time
            if (profile := self._measure(frame.image)) is not None:
                self.measured(profile, frame.image)
        watcher = self._ready()
        seen = watcher.see(frame)
        self.take(seen, frame.image, watcher.to_picture if isinstance(watcher, TableWatcher) else None)
        if isinstance(watcher, TableWatcher) and self.table is not None:
            watcher.pairs = self.table.reading.pairs  # a game tells where tiles may lie, the camera whether they do
        return seen

    def lost(self, time: float, health: Health) -> Observation:
        """No picture comes; what is known of the table meanwhile. time: by the camera's clock."""
        watcher = self._ready()
        seen = watcher.lost(time, health) if isinstance(watcher, TableWatcher) else Observation(time, -1, TableState.CAMERA_LOST)
        self.take(seen)
        return seen

    def take(self, seen: Observation, image: Image | None = None, to_picture: ToPicture | None = None) -> None:
        """Take what is known after a frame: the referee is told, who decides nothing in pixels. See `Table.observe`."""
        self.seen = seen
        if self.table is not None:
            if seen.units != "mm" and seen.state is not TableState.CAMERA_LOST:
                seen = replace(seen, settled=False, state=TableState.UNCALIBRATED)
            seen = self._on_the_wall(seen)
            if self.sink is not None:
                seen = self.sink.seen(seen)
            self.table.observe(seen, image, to_picture)
        self.told()

    def measured(self, profile: Profile | None, image: Image | None = None) -> None:
        """The camera was measured, or is another one (None); the game keeps its state and learns where things lie.

        image: (H, W, 3) BGR, in which the printed places of mats are looked for.
        """
        if self.sink is not None:
            self.sink.measured(profile)
        self.stand_at(profile)
        if profile is None:
            self._waiting = None  # a picture of the camera before
        elif image is not None:
            self._slots = printed_slots(profile, image)
        setting = self.table.game.setting if self.table is not None else None
        if setting is not None and self._placed(setting) != setting:
            self.set_up(setting, self._now(), "camera")
        self.told()

    def stand_at(self, profile: Profile | None) -> None:
        """Watch from now on as the camera stands, whatever the game's setting says of places."""
        self._profile, self.watcher, self._looked = profile, None, -math.inf

    def owns(self, own: PieceSet) -> None:
        """The owner's pieces look so: from now on they are read by that."""
        if self.sink is not None:
            self.sink.owns(own)
        self._own, self._profile, self.watcher = own, self.profile, None

    def set_up(self, setting: Setting, time: float, who: str = "host") -> None:
        """Begin a game or change its setting; raises as `Table.set_up`."""
        setting = self._placed(setting)
        self.refereed.set_up(setting, time, who)
        if self.sink is not None:
            self.sink.setting(setting, time, who)
        self.told()

    def act(self, command: Mapping[str, Any], time: float, who: str = "host", token: str | None = None) -> int:
        """Do a command of somebody; the revision after it. Raises as `Table.act`."""
        if self.sink is not None:
            self.sink.command(command, time, who, token)
        try:
            return self.refereed.act(command, time, who, token)
        finally:
            self.told()

    def turn_to(self, table: Table, sink: Recorder | None = None) -> None:
        """Go on with another game at the same place."""
        self.table, self.sink = table, sink
        self._tell_sink()
        self.told()

    def _tell_sink(self) -> None:
        """A sink that is new learns what came before it."""
        if self.sink is not None and self.profile is not None:
            self.sink.measured(self.profile)
        if self.sink is not None and self._own is not COMMON:
            self.sink.owns(self._own)

    def _ready(self) -> TableWatcher | PictureWatcher:
        """What watches the table: another one where the camera, or what lies there, is another."""
        setting = self.table.game.setting if self.table is not None else None
        if self.watcher is not None and setting is not self._watched:
            before, now = self._on, self._lying(setting)
            if (before.tiles, before.kinds, before.pieces.chips) != (now.tiles, now.kinds, now.pieces.chips):
                self._profile, self.watcher = self.profile, None
        if self.watcher is None:
            self._on = on = self._lying(setting)
            reader = self._reader.of_a_game(on.tiles)
            in_turn = PictureWatcher(reader, calibration_in) if self._settled else None
            self.watcher = in_turn or TableWatcher(reader, self._profile, self._piece_watch(on))
        self._watched = setting
        return self.watcher

    def _lying(self, setting: Setting | None) -> OnTable:
        return self._on if setting is None else on_table(setting, self._own)

    def _piece_watch(self, on: OnTable) -> PieceWatch | None:
        if not on.kinds:
            return None
        self._pieces = self._pieces or PieceReader()
        return PieceWatch(self._pieces, on.kinds, on.pieces)

    def _placed(self, setting: Setting) -> Setting:
        """The setting with the places where the camera has measured them."""
        if self.profile is None:
            return setting
        return replace(setting, area=self.profile.area, slots=self._slots or setting.slots)

    def _now(self) -> float:
        return self._clock() if self._clock is not None else self.seen.time if self.seen is not None else 0.0

    def _on_the_wall(self, seen: Observation) -> Observation:
        """The observation with its time as the journal has it. A camera's clock runs from anywhere, and for how long
        things lie still is told by it: so both are brought together at the beginning, and again while something moves."""
        if self._clock is None:
            return seen
        ahead = self._clock() - seen.time
        if self._ahead is None or (not seen.settled and abs(ahead - self._ahead) > APART_S):
            self._ahead = ahead
        return replace(seen, time=seen.time + self._ahead)

    # All of a source, one step after the other.

    def run(self, source: Source, show: Callable[[Observation], None]) -> None:
        """Follow a source to its end; show: is told what is known after each frame, and while no picture comes."""
        metering = Metering()
        while True:
            metering.ask(source)
            frame = source.next(WAIT_S)
            health = source.health()
            if frame is not None:
                seen = self.see(frame)
                metering.measured(seen.quality.white, seen.time)
                show(seen)
            elif health.ended:
                return
            elif health.lost is not None:
                show(self.lost(time.monotonic(), health))

    # Its own life.

    def follow(self, health: Callable[[], Health | None]) -> None:
        """Live from now on, in a thread of its own. health: how the camera is, None where there is none."""
        self._thread = threading.Thread(target=self._live, args=(health,), name="session", daemon=True)
        self._thread.start()

    def offer(self, frame: Frame, patient: bool) -> None:
        """A new frame; one that still waits is dropped for it, or waited for by the patient: of a film none is left out."""
        with self._line:
            if patient:
                self._line.wait_for(lambda: self._waiting is None or self.closed.is_set())
            self._waiting = frame
            self._line.notify_all()

    def call(self, do: Callable[[], Result]) -> Result:
        """Do something with the session between two steps; what it returns or raises."""
        future: Future[Result] = Future()

        def deed() -> None:
            try:
                future.set_result(do())
            except BaseException as error:  # whatever it is, it belongs to whoever called
                future.set_exception(error)

        with self._line:
            waits = self._thread is not None and threading.current_thread() is not self._thread
            if waits:
                self._deeds.append(deed)
                self._line.notify_all()
        return future.result() if waits else do()

    def close(self) -> None:
        """Stop living; deeds that wait are done."""
        self.closed.set()
        with self._line:
            thread = self._thread
            self._line.notify_all()
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _live(self, health: Callable[[], Health | None]) -> None:
        while True:
            with self._line:
                self._line.wait_for(lambda: self._deeds or self._waiting is not None or self.closed.is_set(), WAIT_S)
                deed = self._deeds.popleft() if self._deeds else None
                frame = None
                if deed is None:
                    if self.closed.is_set():
                        self._thread = None
                        return
                    frame, self._waiting = self._waiting, None
                    self._line.notify_all()
            if deed is not None:
                deed()
            elif frame is not None:
                self._see_somehow(frame)
            elif (how := health()) is not None and how.lost is not None:
                self.lost(time.monotonic(), how)

    def _see_somehow(self, frame: Frame) -> None:
        """One frame that cannot be read must not end the game: what lies there is read afresh."""
        try:
            self.see(frame)
        except Exception:
            _LOG.exception("frame %d could not be read", frame.sequence)
            self._profile, self.watcher = self.profile, None
