"""A table watched for long: game after game on the simulated table, with all that happens to cameras, and whether the
watcher says what it should while it does. What it should say stands in `Expected`, nowhere else.
"""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.games import game as game_named
from referee.session import Session
from simulator.staging.games import set_table, stage_of
from simulator.staging.overhead import whole_view
from simulator.staging.players import LIVELY, Players
from simulator.tabletop.camera import Camera
from simulator.tabletop.happenings import (
    Bump,
    Covered,
    Flash,
    Frozen,
    Happening,
    Lighting,
    Rest,
    Still,
    Unplugged,
    Wash,
)
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.render import Light
from simulator.tabletop.simulated import Moment, SimulatedTable
from trials.table import Score, compare
from vision.frame import Frame
from vision.observation import Observation, SeenTile, TableState
from vision.reader import Reader
from vision.sources.pulse import Pulse, fingerprint, is_black
from vision.table.layout_changes import difference

Array = NDArray[np.float64]

EVERY = 4
"""After so many deeds of the players something happens to the camera."""

NOTICED_S = 2.0
"""By then it is said that the camera is lost, or a bump has been followed."""

READY_S = 2.0
"""By then a table at rest is ready, however many looks it took."""

MOVING_S = 0.6
"""By then a table on which something moves is not settled any more."""

FOLLOWED_MM = 2.0
"""A bump was followed where the play area is measured again to within so much, root mean square."""

GROWN_MB = 60.0
"""By more than this the memory has grown from the first third of the time to the end."""


@dataclass
class Soak:
    """What came of it. met, missed: how often each thing was as it should be, and was not; tales: of those misses.

    invented: news while nobody had touched anything. score: the settled states beside the truth. memory: (minute, MB).
    """

    seconds: float = 0.0
    frames: int = 0
    states: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    tales: list[str] = field(default_factory=list)
    invented: int = 0
    score: Score = field(default_factory=Score)
    memory: list[tuple[float, float]] = field(default_factory=list)

    def note(self, what: str, good: bool, tale: str = "") -> None:
        """One thing that was to be seen, and whether it was."""
        (self.met if good else self.missed)[what] += 1
        if not good:
            self.tales.append(f"{self.seconds:7.1f} s: not {what}{', ' + tale if tale else ''}")

    @property
    def grown_mb(self) -> float:
        """By how much the memory grew since the first third of the time."""
        if len(self.memory) < 3:
            return 0.0
        return self.memory[-1][1] - max(size for _, size in self.memory[: 1 + len(self.memory) // 3])

    @property
    def good(self) -> bool:
        """Whether everything was as described."""
        return not self.missed and not self.invented and self.grown_mb < GROWN_MB

    def as_object(self) -> dict[str, Any]:
        """What `soak-table --json` says."""
        return {
            "seconds": round(self.seconds, 1), "frames": self.frames, "states": dict(self.states), "met": dict(self.met),
            "missed": dict(self.missed), "invented": self.invented, "tiles": self.score.tiles, "tiles_right": self.score.right,
            "facedown_states": self.score.facedown_states, "facedown_right": self.score.facedown_right,
            "memory_mb": self.memory, "grown_mb": round(self.grown_mb, 1), "tales": self.tales,
        }  # fmt: skip


def soak(game: str, seed: int, seconds: float, reader: Reader, rate: float = 10.0,
         tell: Callable[[str], None] = lambda line: None) -> Soak:
    """Watch a table for so many of its own seconds."""
    players = game_named(game).SEATS[0]
    setting = set_table(game, players, TESTING_SEEDS[seed])
    camera = replace(whole_view(setting, np.random.default_rng([seed, 5])), rate=rate)
    games = (Players(game_named(game)(None, players), stage_of(game, setting), each, LIVELY) for each in itertools.count(seed))
    first = next(games)
    table = SimulatedTable(setting, camera, first.table, happenings(first, games, Random(seed)), seed=seed)
    watched = Watched(reader, camera, tell)
    for moment in table.moments():
        watched.see(moment)
        if moment.frame.time >= seconds:
            break
    return watched.soak


def happenings(first: Players, games: Iterator[Players], rng: Random) -> Iterator[Happening]:
    """Game after game, and now and then something that befalls the camera, each kind in turn."""
    troubles = itertools.cycle((_unplugged, _flashed, _covered, _bumped, _frozen, _lit))
    for players in itertools.chain((first,), games):
        if players is not first:
            yield Wash(players.table)
        for number, happening in enumerate(players.happenings(), 1):
            yield happening
            if number % EVERY == 0:
                yield Still(READY_S + 1)
                yield next(troubles)(rng)
                yield Still(READY_S + 1)


def _unplugged(rng: Random) -> Happening:
    return Unplugged(rng.uniform(3, 8))


def _covered(rng: Random) -> Happening:
    return Covered(rng.uniform(3, 8))


def _frozen(rng: Random) -> Happening:
    return Frozen(rng.uniform(4, 8))


def _flashed(rng: Random) -> Happening:
    return Flash()


def _lit(rng: Random) -> Happening:
    lamps = (rng.choice((0.3, 1.0, 1.4)), rng.choice((0.3, 1.0, 1.4)))
    return Lighting(Light(lamps, rng.uniform(0.7, 1.2)), rng.uniform(0.1, 1.5))


def _bumped(rng: Random) -> Happening:
    way, far = rng.uniform(0, 2 * np.pi), rng.uniform(5, 40)
    return Bump(far * float(np.cos(way)), far * float(np.sin(way)), float(np.radians(rng.uniform(1, 5))) * rng.choice((-1, 1)))


class Watched:
    """A watcher before the simulated camera, as a live source stands between them: silent, black and frozen cameras are
    lost. `soak` is what came of it so far."""

    def __init__(self, reader: Reader, camera: Camera, tell: Callable[[str], None]) -> None:
        self.soak = Soak()
        self._session, self._camera, self._tell = Session(reader), camera, tell
        self._believed: tuple[SeenTile, ...] = ()
        self._pulse = Pulse(0.0)
        self._time = 0.0
        self._doing, self._since = "still", 0.0  # what goes on at the table, and since when
        self._happening: Happening | None = None
        self._touched = True  # since it was last settled; at first everything comes
        self._said: Counter[TableState] = Counter()
        self._bump: float | None = None
        self._places: tuple[Array, Array] | None = None

    def see(self, moment: Moment) -> None:
        """One frame, and the time before it in which none came."""
        frame, step = moment.frame, 1 / self._camera.rate
        while self._time + 1.5 * step < frame.time:
            self._tick(self._time + step, "unplugged", None, None)
        self._tick(frame.time, moment.doing, frame, moment)

    def _tick(self, time: float, doing: str, frame: Frame | None, moment: Moment | None) -> None:
        soak = self.soak
        self._time = soak.seconds = time
        if doing != self._doing:
            self._over()
            self._doing, self._since = doing, time
            self._happening = moment.happening if moment is not None else None
            self._said.clear()
        if frame is not None:
            self._pulse.beat(time, fingerprint(frame.image), is_black(frame.image))
            soak.frames += 1
        health = self._pulse.health(time)
        if health.lost is not None:
            seen = self._session.lost(time, health)
        elif frame is not None:
            seen = self._session.see(frame)
            if self._places is None:
                self._begin(moment)
        else:
            return
        soak.states[str(seen.state)] += 1
        self._said[seen.state] += 1
        self._remember()
        self._judge(time - self._since, seen, moment)

    def _begin(self, moment: Moment | None) -> None:
        profile = self._session.profile
        assert moment is not None and profile is not None
        x0, y0, x1, y1 = profile.area
        grid = np.array([(x, y) for x in np.linspace(x0, x1, 5) for y in np.linspace(y0, y1, 5)])
        self._places = grid, moment.truth.camera.to_table(profile.to_picture(grid))

    def _judge(self, lasted: float, seen: Observation, moment: Moment | None) -> None:
        """What must be so at this moment."""
        soak, step, doing = self.soak, 1 / self._camera.rate, self._doing
        due = NOTICED_S <= lasted < NOTICED_S + step
        self._touched |= doing in ("hand", "moving")
        news = difference(self._believed, seen.tiles)
        self._believed = news.after(self._believed)
        if news and not self._touched:
            soak.invented += 1
            told = [(word, [tile.ends for tile in tiles]) for word, tiles in (
                ("appeared", news.appeared), ("vanished", news.vanished), ("moved", [after for _, after in news.moved])) if tiles]
            soak.tales.append(f"{soak.seconds:7.1f} s: {told} though nobody touched anything ({doing})")
        if doing in ("unplugged", "covered", "frozen") and due:
            soak.note(f"camera-lost when {doing}", seen.state is TableState.CAMERA_LOST, str(seen.state))
        if doing == "moving" and MOVING_S <= lasted < MOVING_S + step:
            soak.note("unsettled while something moves", not seen.settled, str(seen.state))
        if doing == "bump":
            self._bump = self._time
        if moment is not None and self._bump is not None and self._time - self._bump >= NOTICED_S:
            soak.note("bump followed", self._off(moment) < FOLLOWED_MM, f"{self._off(moment):.1f} mm off")
            self._bump = None
        if doing == "still" and moment is not None and due:
            soak.note("ready at rest", seen.state is TableState.READY, str(seen.state))
            if seen.settled:
                score = compare(seen, moment.truth, self._session.profile) if self._session.profile else Score()
                soak.score.add(score)
                soak.tales += [f"{soak.seconds:7.1f} s: {what}" for what in score.wrong]
                self._touched = False

    def _over(self) -> None:
        """What must have been so while that lasted which is over now."""
        if self._doing == "hand" and isinstance(self._happening, Rest):
            self.soak.note("hand when one rests on the table", self._said[TableState.HAND] > 0)

    def _off(self, moment: Moment) -> float:
        """How far the watcher's profile is off, mm, root mean square over the play area."""
        assert self._session.profile is not None and self._places is not None
        grid, truly = self._places
        pixels = moment.truth.camera.project(np.column_stack([truly, np.zeros(len(truly))]))
        off = self._session.profile.to_table(pixels) - grid
        return float(np.sqrt((off**2).sum(axis=1).mean()))

    def _remember(self) -> None:
        """The memory at the end of every minute."""
        minutes = self.soak.seconds / 60
        if not self.soak.memory or minutes - self.soak.memory[-1][0] >= 1:
            self.soak.memory.append((round(minutes, 1), round(memory_mb(), 1)))
            self._tell(f"{minutes:5.1f} min, {self.soak.memory[-1][1]:.0f} MB, missed {sum(self.soak.missed.values())}")


def memory_mb() -> float:
    """What this process holds in memory now; 0 where the system does not tell."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return 0.0
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
