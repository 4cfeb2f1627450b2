"""A recorded session: everything that came to it, in order, and what it led to; run again, the archive is the test."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from calibration.profile import Profile
from calibration.store import as_object, from_object
from referee.journal import Journal
from referee.session import Session
from referee.setting import Setting
from referee.table import Refused, Table
from vision.frame import Frame
from vision.observation import Array, Observation, Quality, SeenPiece, SeenTile, TableState
from vision.piece_sets import PieceSet
from vision.pieces import version
from vision.reader import Reader
from vision.sources.recording import Recording, Writer
from vision.sources.source import SourceError

VARYING = ("pictures", "sure", "weighed", "seen", "frame")
"""What an entry tells of how it came about; a frame earlier or later, a digit more or less, is no other decision."""


def to_json(seen: Observation) -> dict[str, Any]:
    """An observation as plain JSON values; probabilities to four places."""
    return {"time": seen.time, "frame": seen.frame, "state": str(seen.state), "units": seen.units, "settled": seen.settled,
            "tiles": [_tile(tile) for tile in seen.tiles], "pieces": [asdict(piece) for piece in seen.pieces],
            "veils": _outlines(seen.veils), "quality": asdict(seen.quality), "lifted": seen.lifted, "untouched": seen.untouched,
            "swept": _outlines(seen.swept), "altered": _outlines(seen.altered), "unexplained": _outlines(seen.unexplained)}


def _outlines(outlines: tuple[Array, ...] | None) -> list[list[list[float]]] | None:
    return None if outlines is None else [np.round(outline, 1).tolist() for outline in outlines]


def _tile(tile: SeenTile) -> dict[str, Any]:
    halves = [{str(pips): written for pips, chance in enumerate(row) if (written := round(float(chance), 4)) > 0}
              for row in tile.probabilities]
    return {"track": tile.track, "center": tile.center, "angle": tile.angle, "length": tile.length, "width": tile.width,
            "ends": tile.ends, "halves": halves, "score": tile.score, "under": tile.under, "veiled": tile.veiled,
            "doubtful": tile.doubtful}


def from_json(data: Mapping[str, Any]) -> Observation:
    """The inverse of `to_json`."""
    moved = {what: _read_outlines(data.get(what)) for what in ("swept", "altered", "unexplained")}
    return Observation(data["time"], data["frame"], TableState(data["state"]), tuple(map(_read_tile, data["tiles"])),
                       tuple(map(_read_piece, data["pieces"])), _read_outlines(data["veils"]) or (), data["units"],
                       data["settled"], Quality(**data["quality"]), tuple(data.get("lifted", ())),
                       tuple(data.get("untouched", ())), **moved)


def _read_outlines(data: list[list[list[float]]] | None) -> tuple[Array, ...] | None:
    return None if data is None else tuple(np.asarray(outline, np.float32).reshape(-1, 2) for outline in data)


def _read_tile(data: Mapping[str, Any]) -> SeenTile:
    rows: Array = np.zeros((2, 16), np.float32)
    for row, half in zip(rows, data["halves"], strict=True):
        for pips, chance in half.items():
            row[int(pips)] = chance
    ends = None if data["ends"] is None else (data["ends"][0], data["ends"][1])
    x, y = data["center"]
    return SeenTile(data["track"], (x, y), data["angle"], data["length"], data["width"], ends, rows, data["score"],
                    tuple(data["under"]), data["veiled"], data.get("doubtful", False))


def _read_piece(data: Mapping[str, Any]) -> SeenPiece:
    (x, y), top = data["center"], data.get("top")
    return SeenPiece(data["track"], data["kind"], (x, y), data["radius"], data["angle"], data["labels"], data["score"],
                     data["veiled"], data.get("alone", {}), top and (top[0], top[1]))


@dataclass
class Beliefs:
    """What lay on the table whenever it was settled and had changed: faces in order, `back` for what lies face down."""

    told: list[list[str]] = field(default_factory=list)

    def add(self, seen: Observation) -> None:
        """One more observation."""
        if not seen.settled:
            return
        faces = sorted("{}-{}".format(*sorted(tile.ends)) if tile.ends else "back" for tile in seen.tiles)
        if not self.told or self.told[-1] != faces:
            self.told.append(faces)


class Recorder:
    """Keeps what comes to a session, as its sink."""

    def __init__(self, folder: Path) -> None:
        self._writer, self._beliefs = Writer(folder, observed=True), Beliefs()

    def measured(self, profile: Profile | None) -> None:
        """How the camera stands."""
        self._writer.add({"measured": as_object(profile) if profile is not None else None})

    def owns(self, own: PieceSet) -> None:
        """How the owner's pieces look."""
        self._writer.add({"own": own.as_object()})

    def frame(self, frame: Frame) -> Frame:
        """A frame."""
        return self._writer.frame(frame)

    def seen(self, seen: Observation) -> Observation:
        """Kept with few digits; the referee is told the same."""
        kept = to_json(seen)
        self._writer.add({"seen": kept})
        self._beliefs.add(told := from_json(kept))
        return told

    def setting(self, setting: Setting, time: float, who: str) -> None:
        """A setting."""
        self._writer.add({"setting": setting.to_json(), "time": time, "who": who})

    def command(self, command: Mapping[str, Any], time: float, who: str, token: str | None) -> None:
        """A command of somebody."""
        self._writer.add({"command": dict(command), "time": time, "who": who, "token": token})

    def save(self, file: Path | BinaryIO, table: Table) -> None:
        """Write the recording; table: what came of it."""
        self._writer.save(file, _outcome(table, self._beliefs))


def _outcome(table: Table, beliefs: Beliefs) -> dict[str, Any]:
    """What a session led to, without what differs from run to run: the journal's lines and what was believed."""
    journal = [{"kind": entry.kind, "who": entry.who, **{key: each for key, each in entry.data.items() if key not in VARYING}}
               for entry in table.journal.entries()]  # fmt: skip
    told: dict[str, Any] = json.loads(json.dumps({"journal": journal, "beliefs": beliefs.told}))
    return told


@dataclass(frozen=True, slots=True, eq=False)
class Replayed:
    """What a replay made of a recording. differs: where it first parts from what it led to then, as (then, now).

    outcome: what it leads to now. frames: how many were seen again. known: whether the recording tells what it led to.
    """

    session: Session
    outcome: dict[str, Any]
    frames: int
    known: bool
    differs: tuple[Any, Any] | None

    @property
    def table(self) -> Table:
        """The referee's."""
        return self.session.refereed


def replay(file: Path, reader: Reader | None = None, until: float = math.inf) -> Replayed:
    """Run a recording through today's code. reader: sees its frames again; without one the referee is told what was seen.
    until: seconds since the first frame, where it ends.

    Raises SourceError where the recording is damaged.
    """
    recording = Recording(file)
    player = _Player(reader, recording)
    for event in recording.events(pictures=reader is not None):
        if player.seconds > until:
            break
        player.play(event, file)
    player.end()
    now, then = _outcome(player.table, player.beliefs), recording.outcome
    return Replayed(player.session, now, player.frames, then is not None, _parted(then, now) if then is not None else None)


def _parted(then: dict[str, Any], now: dict[str, Any]) -> tuple[Any, Any] | None:
    for what in ("journal", "beliefs"):
        pairs = zip_longest(then.get(what, ()), now[what])
        if (parted := next(((one, other) for one, other in pairs if one != other), None)) is not None:
            return parted
    return None


class _Player:
    """A session to which the events of a recording come again."""

    def __init__(self, reader: Reader | None, recording: Recording) -> None:
        self.table, self.beliefs, self.frames = Table(Journal("sqlite://")), Beliefs(), 0
        self._time, self.seconds = 0.0, 0.0  # seconds: since the first frame, by the camera's clock
        self._first: float | None = None
        self._frame: Frame | None = None  # until it is known by the clock on the wall when it was seen
        self._observed, self._sees = recording.observed, reader is not None
        blind: Any = None
        self.session = Session(reader or blind, self.table, settled=recording.settled, clock=lambda: self._time,
                                looking=not recording.observed)

    def play(self, event: dict[str, Any] | Frame, file: Path) -> None:
        """The next event. What it means is understood before anything is done."""
        if isinstance(event, Frame):
            self.end()
            self._frame, self._first = event, event.time if self._first is None else self._first
            self.seconds = event.time - self._first
            if not self._observed:
                self.end()
            return
        try:
            what, act = next(iter(event)), _act(event)
        except (KeyError, TypeError, ValueError, IndexError, StopIteration) as error:
            raise SourceError(f"The recording {file} is damaged ({error!r}).") from error
        if isinstance(act, Observation):
            self._time = act.time
            if self._frame is None:
                self.session.take(act)
                self.beliefs.add(act)
            self.end()
        elif what == "measured":
            self.session.stand_at(act)
        elif what == "own":
            if self._sees and act.reader != version():
                raise SourceError(f"The pieces in {file} were learnt by another version of the reader: replay it --blind.")
            self.session.owns(act)
        else:
            with suppress(Refused):  # it was refused then as well, or the journals part
                if what == "setting":
                    self.table.set_up(act, event["time"], event["who"])
                else:
                    self.table.act(act, event["time"], event["who"], event["token"])

    def end(self) -> None:
        """See the frame that waits."""
        frame, self._frame = self._frame, None
        if frame is None:
            return
        self._time = self._time if self._observed else frame.time
        self.session.see(frame)
        self.frames += 1
        if self.table.seen is not None:
            self.beliefs.add(self.table.seen if self._observed or self.session.seen is None else self.session.seen)


def _act(event: Mapping[str, Any]) -> Any:
    """What an event brings, as a value."""
    if "seen" in event:
        return from_json(event["seen"])
    if "measured" in event:
        return None if event["measured"] is None else from_object(event["measured"])
    if "own" in event:
        return PieceSet.from_object(event["own"])
    float(event["time"]), str(event["who"])
    return Setting.from_json(event["setting"]) if "setting" in event else dict(event["command"])
