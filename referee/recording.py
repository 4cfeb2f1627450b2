"""A recorded game: everything that came to a table, in order, and what the journal made of it; the archive is the test.

A `.kibitz` file is a zip of `events.jsonl` (settings, observations and commands as they came) and `journal.jsonl`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from referee.journal import Journal
from referee.setting import Setting
from referee.table import Refused, Table
from vision.frame import Frame
from vision.observation import Observation, Quality, SeenPiece, SeenTile, TableState

AT_ONCE = 200
"""So many events are packed together."""

LEAST = 5e-5
"""Smaller probabilities are not written down."""


def to_json(seen: Observation) -> dict[str, Any]:
    """An observation as plain JSON values; probabilities to four places."""
    return {"time": seen.time, "frame": seen.frame, "state": str(seen.state), "units": seen.units, "settled": seen.settled,
            "tiles": [_tile(tile) for tile in seen.tiles], "pieces": [_piece(piece) for piece in seen.pieces],
            "veils": _outlines(seen.veils), "quality": asdict(seen.quality), "lifted": seen.lifted, "untouched": seen.untouched,
            "swept": None if seen.swept is None else _outlines(seen.swept),
            "altered": None if seen.altered is None else _outlines(seen.altered),
            "unexplained": None if seen.unexplained is None else _outlines(seen.unexplained)}


def _outlines(outlines: tuple[NDArray[np.float32], ...]) -> list[list[list[float]]]:
    return [np.round(outline, 1).tolist() for outline in outlines]


def _tile(tile: SeenTile) -> dict[str, Any]:
    halves = [{str(pips): round(float(chance), 4) for pips, chance in enumerate(row) if chance > LEAST}
              for row in tile.probabilities]
    return {"track": tile.track, "center": tile.center, "angle": tile.angle, "length": tile.length, "width": tile.width,
            "ends": tile.ends, "halves": halves, "score": tile.score, "under": tile.under, "veiled": tile.veiled}


def _piece(piece: SeenPiece) -> dict[str, Any]:
    return {"track": piece.track, "kind": piece.kind, "center": piece.center, "radius": piece.radius, "angle": piece.angle,
            "labels": dict(piece.labels), "score": piece.score, "veiled": piece.veiled}


def from_json(data: Mapping[str, Any]) -> Observation:
    """The inverse of `to_json`."""
    return Observation(data["time"], data["frame"], TableState(data["state"]), tuple(map(_read_tile, data["tiles"])),
                       tuple(_read_piece(piece) for piece in data["pieces"]),
                       _read_outlines(data["veils"]), data["units"], data["settled"], Quality(**data["quality"]),
                       tuple(data.get("lifted", ())), tuple(data.get("untouched", ())), _known_outlines(data.get("swept")),
                       _known_outlines(data.get("altered")), _known_outlines(data.get("unexplained")))


def _read_outlines(data: list[list[list[float]]]) -> tuple[NDArray[np.float32], ...]:
    return tuple(np.asarray(outline, np.float32).reshape(-1, 2) for outline in data)


def _known_outlines(data: list[list[list[float]]] | None) -> tuple[NDArray[np.float32], ...] | None:
    return None if data is None else _read_outlines(data)


def _read_tile(data: Mapping[str, Any]) -> SeenTile:
    rows: NDArray[np.float32] = np.zeros((2, 16), np.float32)
    for row, half in zip(rows, data["halves"], strict=True):
        for pips, chance in half.items():
            row[int(pips)] = chance
    ends = None if data["ends"] is None else (data["ends"][0], data["ends"][1])
    x, y = data["center"]
    return SeenTile(data["track"], (x, y), data["angle"], data["length"], data["width"], ends, rows, data["score"],
                    tuple(data["under"]), data["veiled"])


def _read_piece(data: Mapping[str, Any]) -> SeenPiece:
    x, y = data["center"]
    return SeenPiece(data["track"], data["kind"], (x, y), data["radius"], data["angle"], data["labels"], data["score"],
                     data["veiled"])


class Events(Protocol):
    """Where events are kept: a list, or a file for a whole evening."""

    def append(self, event: dict[str, Any], /) -> None: ...

    def __iter__(self) -> Iterator[dict[str, Any]]: ...


class Spool:
    """Events in a packed file, so that a long game takes no memory. What is in the file before is dropped."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._waiting: list[str] = []
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")

    def append(self, event: dict[str, Any]) -> None:
        self._waiting.append(json.dumps(event))
        if len(self._waiting) == AT_ONCE:
            self._write()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self._write()
        with gzip.open(self._file, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)

    def _write(self) -> None:
        with self._file.open("ab") as packed:
            packed.write(gzip.compress("".join(line + "\n" for line in self._waiting).encode(), 4))
        self._waiting.clear()


class Recorder:
    """Keeps what comes to a session, as its sink."""

    def __init__(self, events: Events | None = None) -> None:
        self.events: Events = [] if events is None else events

    def measured(self, profile: Profile | None) -> None:
        """Where things lie is in the settings, too."""

    def frame(self, frame: Frame) -> None:
        """What was seen in it is kept."""

    def seen(self, seen: Observation) -> Observation:
        """Kept with few digits; the referee is told the same."""
        kept = to_json(seen)
        self.events.append({"seen": kept})
        return from_json(kept)

    def setting(self, setting: Setting, time: float, who: str) -> None:
        """A setting."""
        self.events.append({"setting": setting.to_json(), "time": time, "who": who})

    def command(self, command: Mapping[str, Any], time: float, who: str, token: str | None) -> None:
        """A command of somebody."""
        self.events.append({"command": dict(command), "time": time, "who": who, "token": token})

    def save(self, file: Path | BinaryIO, table: Table) -> None:
        """Write the recording, a zip; table: what came of it."""
        with ZipFile(file, "w", ZIP_DEFLATED) as archive:
            with archive.open("events.jsonl", "w") as lines:
                lines.writelines((json.dumps(event) + "\n").encode() for event in self.events)
            archive.writestr("journal.jsonl", "".join(json.dumps(line) + "\n" for line in _lines(table)))


def _lines(table: Table) -> list[dict[str, Any]]:
    """What the journal says, without what differs from run to run."""
    return [{"kind": entry.kind, "who": entry.who, "time": entry.time,
             **{key: value for key, value in entry.data.items() if key not in ("pictures", "sure")}}
            for entry in table.journal.entries()]


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay made of a recording. differs: the first journal lines that part, as (then, now), None if none does."""

    table: Table
    entries: int
    differs: tuple[Any, Any] | None


def replay(file: Path) -> Replayed:
    """Run a recording through today's code and compare the journals."""
    with ZipFile(file) as archive:
        events = [json.loads(line) for line in archive.read("events.jsonl").decode().splitlines()]
        before = [json.loads(line) for line in archive.read("journal.jsonl").decode().splitlines()]
    table = Table(Journal("sqlite://"))
    for event in events:
        _feed(table, event)
    now = [json.loads(json.dumps(line)) for line in _lines(table)]
    parted = next(((then, line) for then, line in zip(before, now, strict=False) if then != line), None)
    if parted is None and len(before) != len(now):
        shorter = min(len(before), len(now))
        parted = (before[shorter] if len(before) > shorter else None, now[shorter] if len(now) > shorter else None)
    return Replayed(table, len(now), parted)


def _feed(table: Table, event: Mapping[str, Any]) -> None:
    if "seen" in event:
        table.observe(from_json(event["seen"]))
        return
    with suppress(Refused):  # it was refused then as well, or the journals part
        if "setting" in event:
            table.set_up(Setting.from_json(event["setting"]), event["time"], event.get("who", "host"))
        else:
            table.act(event["command"], event["time"], event["who"], event["token"])
