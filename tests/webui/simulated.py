"""A game on the simulated table, seen by its simulated camera, for the tests of the page: hands move when a test says so."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import pi
from pathlib import Path
from typing import Any

import numpy as np

from engine.actions import action_from_text
from engine.games import game
from referee.setting import COLOURS, Seat, Setting
from simulator.staging.games import set_table, stage_of
from simulator.staging.overhead import whole_view
from simulator.staging.players import CALM, Players
from simulator.staging.setting import SEATS
from simulator.tabletop.happenings import Happening, Move, Still
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.simulated import SimulatedTable
from tests.webui.browsing import serving
from trials.story import Story
from vision.frame import Frame
from vision.photo_reader import PhotoReader
from vision.reader import Reader
from vision.sources.source import Health
from webui.app import create_app
from webui.live.refereed import Refereed
from webui.live.room import Room
from webui.live.running import Do, Moment

NAMES = ("Ann", "Ben", "Cem", "Dee")

FRAMES_A_SECOND = 4.0
"""Enough to see hands come and go, and half the work of painting."""

IDLE_S = 0.01
"""A table at which nothing happens leaves the processor to the browser."""


class Hands:
    """Virtual players before a simulated camera, which is a source of frames; they do nothing before `let` allows it.

    ahead: so many of their moves are made before anybody looks. seconds: the table's clock. plugged: the camera is.
    wrong: the rule that the tile laid last breaks.
    """

    live = False
    settled = False

    def __init__(self, name: str, seats: int, seed: int, ahead: int = 0) -> None:
        self._setting = set_table(name, seats, TESTING_SEEDS[seed % len(TESTING_SEEDS)])
        self.players = Players(game(name)(None, seats), stage_of(name, self._setting), seed)
        self.story = Story(game(name)(None, seats))
        self._moves = self.players.happenings()
        for _ in range(ahead):
            self._register(next(self._moves))
        camera = replace(whole_view(self._setting, np.random.default_rng(seed)), rate=FRAMES_A_SECOND)
        self._table = SimulatedTable(self._setting, camera, self.players.table, self._happenings(), seed)
        self._frames = self._table.frames()
        self._allowed = threading.Semaphore(0)
        self._came = time.monotonic()
        self.seconds = 0.0
        self.plugged = True
        self.wrong = ""

    # What a test asks for.

    def let(self, moves: int = 1) -> None:
        """The players may make so many moves more."""
        for _ in range(moves):
            self._allowed.release()

    def err(self, **odds: float) -> None:
        """How often things go wrong from now on, as in Mischief; without any, nothing does."""
        self.players.mischief = replace(CALM, **odds)

    @property
    def played(self) -> int:
        """How many actions have really been done, chance too."""
        return len(self.story.state.pushed)

    # What the camera stand asks.

    def next(self, wait_s: float) -> Frame | None:
        frame = next(self._frames)
        self.seconds = frame.time
        time.sleep(IDLE_S)
        if not self.plugged:
            return None
        self._came = time.monotonic()
        return frame

    def health(self) -> Health:
        lost = None if self.plugged else "The camera is unplugged."
        return Health(lost, time.monotonic() - self._came, FRAMES_A_SECOND)

    def close(self) -> None:
        """Let the players go."""

    def _happenings(self) -> Iterator[Happening]:
        for happening in self._moves:
            while not self._allowed.acquire(blocking=False):
                yield Still(0.5)
            yield happening
            self._register(happening)
        while True:
            yield Still(0.5)

    def _register(self, happening: Happening) -> None:
        """Note what has really been played."""
        if not isinstance(happening, Move) or happening.note == "wrong":
            self.wrong = getattr(happening, "rule", "")
            return
        if happening.actions and happening.state is not None:
            deals = [each for each in self.players.state.pushed if each.kind == "deal"]
            self.story.add(happening.actions, happening.state, deals)


def moves_of(name: str, seats: int, seed: int) -> list[str]:
    """What hands do in the game with this seed, move by move: the kind of its last action, or nothing for a wash."""
    stage = stage_of(name, set_table(name, seats, TESTING_SEEDS[seed % len(TESTING_SEEDS)]))
    moves = Players(game(name)(None, seats), stage, seed).happenings()
    return [move.actions[-1].kind if isinstance(move, Move) and move.actions else "" for move in moves]


def before_play(name: str, seats: int, seed: int, at_least: int = 3) -> int:
    """So many moves to be made before a tile is laid, after the first few."""
    return moves_of(name, seats, seed).index("play", at_least)


class Simulation:
    """A running table before the hands, and the screens that show it."""

    def __init__(self, room: Room, hands: Hands, url: str) -> None:
        self.room, self.hands, self.url = room, hands, url

    @property
    def moment(self) -> Moment:
        return self.room.table.moment()

    @property
    def told(self) -> list[str]:
        """What the referee believes, chance too, as texts."""
        return [str(entry.action) for entry in self.moment.entries if entry.action and not entry.undone]

    @property
    def laid_ready(self) -> bool:
        """Whether the referee has seen that all lies as a game begins, and says nothing of it."""
        table = self.room.table
        assert isinstance(table, Refereed)
        return table._table.ready and not self.moment.sentence

    def understood(self) -> bool:
        """Whether the referee believes what was really played."""
        return self.told == self.hands.story.texts(self.told)

    def by_hand(self) -> None:
        """Enter what was played before anybody looked."""
        while len(self.told) < self.hands.played:
            text = self.hands.story.texts()[len(self.told)]
            moment = self.moment
            kinds = (*moment.state.ACTIONS, *moment.state.CHANCE)
            self.room.table.do(moment.version, "host", Do(action_from_text(kinds, text)))


def seated_as(name: str, seats: int) -> Setting:
    """The players at the sides where their hands come from."""
    sides = tuple(Seat(NAMES[at], float(angle) + pi, COLOURS[at]) for at, angle in enumerate(SEATS[seats]))
    return Setting(name, game(name).Rules(), sides)


@contextmanager
def simulated(
    folder: Path, reader: Reader, hands: Hands, name: str, seats: int = 2, camera: bool = True
) -> Iterator[Simulation]:
    """The app around a game that these hands play; their camera is plugged in at once unless told otherwise."""
    room = Room(folder / "table", reader, seated_as(name, seats), lambda source: hands)
    app = create_app(
        PhotoReader(reader), own_names=lambda: ["localhost"], lan_hosts=tuple, table=room.table, keys=room.keys, stand=room.stand
    )
    try:
        with serving(app) as url:
            simulation = Simulation(room, hands, url)
            simulation.by_hand()
            room.open("0" if camera else None)
            yield simulation
    finally:
        room.close()


def wait(fact: Callable[[], Any], seconds: float = 90.0) -> None:
    """Wait until something is so; AssertionError where it does not become so."""
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)



