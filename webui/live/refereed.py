"""The referee's table as the page needs it: one lock around it, a version that counts what can be seen, and its camera.

The referee counts a version with every frame and a revision with every entry; a page wants to hear of neither a frame
that changes nothing nor to be refused because of one.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any, BinaryIO

from calibration.fit import CalibrationError
from calibration.measure import calibrate
from calibration.profile import Profile
from engine.actions import Action, action_from_text
from engine.core import IllegalError
from engine.games import game
from engine.pieces import Tile
from engine.state import State
from referee import table as refereeing
from referee.decoder import Explanation, Kind
from referee.fold import Act
from referee.games import chip_watch, chips_of
from referee.journal import Entry as JournalEntry
from referee.proof import ToPicture
from referee.recording import Recorder
from referee.setting import Point, Setting, market_slots
from referee.shelf import Shelf
from referee.snapshot import snapshot
from vision.frame import Image
from vision.observation import Observation, TableState
from vision.reader import Reader
from vision.table.watcher import TableWatcher
from webui.cameras.stand import CameraStand
from webui.live.running import (
    Accept,
    Begin,
    Choice,
    Deed,
    Do,
    Edit,
    Entry,
    Fault,
    Moment,
    Question,
    Refused,
    Reply,
    Resume,
    Stale,
    Step,
    Tell,
    Undo,
    View,
)
from webui.live.words import button_words

AnyTable = refereeing.Table | Recorder

_LOG = logging.getLogger(__name__)
WAIT_SECONDS = 0.5
LOOK_SECONDS = 3.0
"""A table that is not measured is looked at so often for tags and mats."""
APART_SECONDS = 5.0
"""The camera's clock and that on the wall may part by so much."""
REMEMBERED = 2000
"""Of so many versions it is known which revision they showed."""


class Refereed:
    """A referee's table, for many threads, with or without a recorder before it.

    renew: gives an empty table, for another game than the one that runs. shelf: where the game before may be found.
    """

    def __init__(
        self, table: AnyTable, stand: CameraStand | None = None, renew: Callable[[], AnyTable] | None = None,
        shelf: Shelf | None = None, clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self._stand, self._renew, self._shelf, self._clock = stand, renew, shelf, clock
        self._take(table)
        self._changed = threading.Condition(threading.RLock())
        self._version = 1
        self._revisions: OrderedDict[int, int] = OrderedDict()
        self._shown: tuple[object, ...] = ()
        self._made: tuple[int, Moment] | None = None
        self._profile: Profile | None = None
        self._slots: dict[str, Point] = {}
        self._ahead: float | None = None  # by so much the clock on the wall is ahead of the camera's, seconds
        self.closed = threading.Event()
        with self._changed:
            self._notice()

    def _take(self, table: AnyTable) -> None:
        """`_into` is what everything new goes into, `_table` what is to be read."""
        self._into = table
        self._table = table.table if isinstance(table, Recorder) else table

    # What the page asks.

    @property
    def records(self) -> bool:
        return isinstance(self._into, Recorder)

    @property
    def offered(self) -> str:
        return self._shelf.says if self._shelf is not None and self._shelf.offered is not None else ""

    def recording(self, file: BinaryIO) -> None:
        with self._changed:
            if not isinstance(self._into, Recorder):
                raise Refused("This game is not recorded.")
            self._into.save(file)

    def moment(self) -> Moment:
        with self._changed:
            if self._made is None or self._made[0] != self._version:
                self._made = (self._version, self._moment())
            return self._made[1]

    def wait(self, version: int, seconds: float) -> None:
        with self._changed:
            if self._version == version:
                self._changed.wait(seconds)

    def do(self, version: int, who: str, deed: Deed, token: str | None = None) -> None:
        with self._changed:
            if self._revisions.get(version) != self._table.game.revision and not isinstance(deed, Tell):
                raise Stale
            try:
                self._do(who, deed, token)
            except refereeing.Refused as error:
                if error.stale:
                    raise Stale from error
                raise Refused(str(error)) from error
            self._notice()

    def _do(self, who: str, deed: Deed, token: str | None) -> None:
        table, now = self._into, self._clock()
        match deed:
            case Begin(setting, anew):
                self._begin(setting, anew, who)
            case Resume() if self._shelf is not None:
                self._take(self._shelf.resume())
            case Do(action):
                verdict = self._table.state.verify(action)
                if not verdict:
                    raise IllegalError(verdict)
                table.act({"do": "play", "action": str(action)}, now, who, token)
            case Undo():
                table.act({"do": "undo"}, now, who, token)
            case Edit(number, None):
                table.act({"do": "undo", "entry": number}, now, who, token)
            case Edit(number, action):
                table.act({"do": "edit", "entry": number, "action": str(action)}, now, who, token)
            case Reply(question, choice):
                answer = int(choice) if choice.isdigit() else -1
                table.act({"do": "answer", "question": question, "choice": answer}, now, who, token)
            case Accept():
                table.act({"do": "dismiss"}, now, who, token)
            case Tell(seat, tiles):
                table.act({"do": "hand", "seat": seat, "tiles": [str(tile) for tile in tiles]}, now, who, token)

    def _begin(self, setting: Setting, anew: bool, who: str) -> None:
        setting = self._placed(setting)
        if anew and self._table.game.acts and self._renew is not None:
            refereeing.refereed_by(setting)  # what is refused ends no game
            self._take(self._renew())
        self._into.set_up(setting, self._clock(), who)

    def before(self, number: int) -> State:
        with self._changed:
            acts = [act for act in self._table.game.acts if not act.undone]
            at = next((at for at, act in enumerate(acts) if act.entry.number == number), None)
            if at is None:
                raise Refused("There is no such entry.")
            state = self._table.setting.new_state()
            for act in acts[:at]:
                state.push(_action(self._table.setting, act))
            return state

    def hand(self, seat: int) -> tuple[Tile, ...]:
        with self._changed:
            return self._table.hand(seat)

    def evidence(self, name: str) -> bytes | None:
        if self._table.evidence is None:
            return None
        try:
            file = self._table.evidence.file(name)
        except ValueError:
            return None
        return file.read_bytes() if file else None

    def view(self) -> View | None:
        return self._stand.view() if self._stand else None

    # What the camera brings.

    def observe(self, seen: Observation, image: Image | None = None, to_picture: ToPicture | None = None) -> None:
        """Take what the camera knows now."""
        with self._changed:
            self._into.observe(seen, image, to_picture)
            self._notice()

    def follow(self, stand: CameraStand, reader: Reader) -> None:
        """Watch the table through the stand's camera until `closed` is set."""
        watcher: TableWatcher | None = None
        used: Profile | None = None
        watched: tuple[str, ...] = ()
        looked = -math.inf
        while not self.closed.is_set():
            frame = stand.next(WAIT_SECONDS)
            if frame is None:
                health = stand.health()
                if health.lost is not None and stand.name:
                    watcher = watcher or TableWatcher(reader)
                    self.observe(self._on_the_wall(watcher.lost(time.monotonic(), health)))
                continue
            if stand.profile is None and time.monotonic() - looked > LOOK_SECONDS:
                stand.profile = _by_itself(frame.image)
                looked = time.monotonic()
            chips = chips_of(self._table.game.setting)
            if watcher is None or stand.profile is not used or chips != watched:
                used, watched = stand.profile, chips
                watcher = TableWatcher(reader, used, chip_watch(chips))
                self._calibrated(used, frame.image)
            try:
                seen = watcher.see(frame)
            except Exception:  # one frame that cannot be read must not end the game: what lies there is read afresh
                _LOG.exception("frame %d could not be read", frame.sequence)
                watcher = None
                continue
            if seen.units != "mm":
                seen = replace(seen, settled=False, state=TableState.UNCALIBRATED)
            stand.word, stand.quality = str(seen.state), seen.quality
            self.observe(self._on_the_wall(seen), frame.image, watcher.to_picture)

    def _on_the_wall(self, seen: Observation) -> Observation:
        """The observation with its time as the journal has it. A camera's clock runs from anywhere, and for how long
        things lie still is told by it: so both are brought together at the beginning, and again while something moves."""
        ahead = self._clock() - seen.time
        if self._ahead is None or (not seen.settled and abs(ahead - self._ahead) > APART_SECONDS):
            self._ahead = ahead
        return replace(seen, time=seen.time + self._ahead)

    def _calibrated(self, profile: Profile | None, image: Image) -> None:
        """The table has been measured anew: the game keeps its state and learns where things lie."""
        if profile is None:
            return
        with self._changed:
            self._profile = profile
            self._slots = market_slots(profile, image)
            setting = self._table.game.setting
            if setting is not None and (placed := self._placed(setting)) != setting:
                self._into.set_up(placed, self._clock(), "camera")
            self._notice()

    def _placed(self, setting: Setting) -> Setting:
        if self._profile is None:
            return setting
        return replace(setting, area=self._profile.area, slots=self._slots or setting.slots)

    # What is shown.

    def _notice(self) -> None:
        """Count a new version where anything that is shown has changed."""
        table = self._table
        question, repair = table.question, table.repair
        shown: tuple[object, ...] = (
            id(table),
            table.game.revision,
            table.word,
            self._stand.name if self._stand else "",
            table.alarm.key if table.alarm else None,
            question.id if question else None,
            repair,
            table.provisional.key if table.provisional else None,
            table.lacking,
        )
        if shown == self._shown:
            return
        self._shown = shown
        self._version += 1
        self._revisions[self._version] = table.game.revision
        if len(self._revisions) > REMEMBERED:
            self._revisions.popitem(last=False)
        self._changed.notify_all()

    def _moment(self) -> Moment:
        table = self._table
        setting, state = table.setting, table.state.copy()
        acts = table.game.acts
        played = [_entry(setting, act) for act in acts]
        standing = [entry for entry in played if not entry.undone]
        broken = [_broken(note) for note in table.game.notes if note.data.get("what") in ("illegal", "revoke")]
        entries = tuple(sorted((*played, *broken), key=lambda entry: entry.number))
        told = snapshot(table)
        best = table.provisional.best.actions if table.provisional else ()
        word = table.word if self._stand is not None and self._stand.name else "ready"
        lacking = table.lacking[0] if table.lacking and state.chance == "deal" else ""
        calm = word in ("ready", "hand", "moving", "reading")
        return Moment(
            self._version,
            setting,
            state,
            word,
            lacking if calm else str(told["message"]),
            entries,
            best[-1] if best else None,
            self._fault(told),
            self._question(),
            tuple(Step(step["text"], step["done"]) for step in told["repair"]),
            standing[-1].words if standing else "",
        )

    def _fault(self, told: dict[str, Any]) -> Fault | None:
        alarm = self._table.alarm
        if alarm is None or alarm.kind is not Kind.ILLEGAL or alarm.verdict is None or alarm.best.breach is None:
            return None
        breach = alarm.best.breach
        notes = [note.data for note in self._table.game.notes if note.data.get("what") == "illegal"]
        pictures = tuple(notes[-1].get("pictures", ())) if notes else ()
        words = " ".join(alarm.best.words) or breach.words
        return Fault(words, alarm.verdict, breach.action, breach.seat, pictures)

    def _question(self) -> Question | None:
        table = self._table
        asked, question = snapshot(table)["question"], table.question
        if asked is None or question is None:
            return None
        before = [act.text for act in table.game.standing]

        def done(answer: Explanation) -> tuple[str, ...]:
            return (*before[: len(before) - answer.undone], *map(str, answer.actions))

        choices = tuple(Choice(str(each["choice"]), " ".join(each["words"]), done=done(answer))
                        for each, answer in zip(asked["answers"], question.answers, strict=True))  # fmt: skip
        return Question(asked["id"], asked["text"], choices)


def _entry(setting: Setting, act: Act) -> Entry:
    data = act.entry.data
    action = _action(setting, act)
    words = str(data.get("words", act.text))
    if act.edited:
        name = setting.names[act.seat] if act.seat is not None else ""
        words = f"{name}: {button_words(action)}" if name else button_words(action)
    gone = act.undone or bool(act.problem)
    return Entry(act.entry.number, words, action, act.seat, act.entry.who, act.entry.time, tuple(data.get("pictures", ())),
                 data.get("sure"), gone, act.problem)  # fmt: skip


def _broken(note: JournalEntry) -> Entry:
    """A rule that was broken, which the history tells too: nothing to be changed, but it has its pictures."""
    data = note.data
    sentence = " ".join((*data.get("words", ())[-1:], str(data["sentence"])))
    return Entry(note.number, sentence, None, None, note.who, note.time, tuple(data.get("pictures", ())),
                 data.get("sure"), rule=str(data["rule"]))  # fmt: skip


def _action(setting: Setting, act: Act) -> Action:
    kind = game(setting.game)
    return action_from_text((*kind.ACTIONS, *kind.CHANCE), act.text)


def _by_itself(image: Image) -> Profile | None:
    """The calibration by what is printed, if anything is."""
    try:
        return calibrate(image)
    except CalibrationError:
        return None
