"""Trials without a camera: the referee is told what lies on the simulated table, at once and nearly without error.

What goes wrong here is the referee's fault, and whole games take seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import pi
from random import Random

import cv2
import numpy as np

from referee.setting import COLOURS, Seat, Setting
from simulator.layouts import LYING
from simulator.staging.setting import SEATS
from simulator.tabletop.films import Film, Now, World, perform
from simulator.tabletop.hands import Hand
from simulator.tabletop.happenings import Happening, Still, Wash
from simulator.tabletop.lying import Tile
from simulator.tabletop.simulated import Moment
from simulator.tabletop.truth import Truth
from tests.referee.staged import Eyes
from trials.trial import LAST, NAMES, Trial
from vision.frame import Frame
from vision.observation import Observation, SeenTile, TableState

RATE = 4.0
"""Moments told per second."""

SETTLES = 0.5
"""So long after the last movement the camera has read the table, seconds."""

GLANCES = 6
"""So often hands are looked for between two moments."""

DARK = np.zeros((4, 4, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class Faults:
    """What goes wrong in the camera's eyes, as shares. overlooked: of the backs that are not seen while they lie there;
    ghosts: of those drawn that go on being seen for some seconds; misread: of the halves read as another number, more or
    less surely."""

    overlooked: float = 0.0
    ghosts: float = 0.0
    misread: float = 0.0


class ToldTrial(Trial):
    """A trial whose referee is told what lies there, with the faults that are asked for."""

    showing = False
    faults = Faults()
    world: World
    moved = -1.0
    rest = 0  # how often the table has come to rest
    still = False

    def agreed(self) -> Setting:
        """What was agreed before the first tile."""
        seats = tuple(Seat(NAMES[at], angle + pi, COLOURS[at]) for at, angle in enumerate(SEATS[self.setting.players]))
        return Setting(self.game, self.state.rules, seats, self.setting.area)

    def moments(self) -> Iterator[Moment]:
        """What happens, without pictures; `self.now` is how it looks."""
        self.eyes = Eyes(Random(self.seed), misread=self.faults.misread)
        self.tracks: dict[str, int] = {}
        self.backs: dict[str, SeenTile] = {}  # seen when the table was last at rest
        self.ghosts: dict[str, tuple[SeenTile, float]] = {}  # and until when
        self.swept: tuple[np.ndarray, ...] | None = ()  # since the table was last at rest; None for everywhere
        rng = np.random.default_rng([self.seed, 8])
        self.referee.set_up(self.agreed(), 0.0)
        if self.referee.reader.open_deal:
            self.story.open(self.players.state.public(self.players.state.pushed[0]))
        self.world, self.number = World(self.players.table, self.camera), 0
        for happening in self.happenings():
            world = self.world
            yield from self._run(Film(happening.wait, lambda time, world=world: Now(world), world), happening)  # type: ignore[misc]
            film = perform(happening, world, self.setting, rng)
            yield from self._run(film, happening)
            self.world = film.after
        yield from self._run(perform(Still(LAST), self.world, self.setting, rng), None)

    def _run(self, film: Film, happening: Happening | None) -> Iterator[Moment]:
        first = self.number
        while (seconds := (self.number - first) / RATE) < film.seconds:
            self._sweep(film, seconds, isinstance(happening, Wash))
            self.now = film.at(seconds)
            frame = Frame(DARK, self.number / RATE, self.number)
            truth = Truth(self.now.world.table, (), self.camera, len(self.now.hands), False)
            yield Moment(frame, truth, happening, self.now.doing, self.now.world.table)
            self.number += 1

    def _sweep(self, film: Film, seconds: float, everywhere: bool) -> None:
        """Note over which places hands go until now, since the moment before."""
        swept, before = [], dict[int, np.ndarray]()
        for time in np.linspace(max(0.0, seconds - 1 / RATE), seconds, GLANCES):
            arms = {hand.owner: _arm(hand) for hand in film.at(float(time)).hands}
            swept += [cv2.convexHull(np.vstack([arm, before.get(owner, arm)]))[:, 0] for owner, arm in arms.items()]
            before = arms
        if swept:
            earlier = () if self.still else self.swept
            self.swept = None if everywhere or earlier is None else (*earlier, *swept)

    def begin(self, frame: Frame) -> None:
        """Nothing is to be measured."""

    def see(self, moment: Moment) -> None:
        """Tell the session what lies there."""
        self.session.take(self.lying(moment))

    def lying(self, moment: Moment) -> Observation:
        """Tiles that lie on the table, and hands."""
        time = moment.frame.time
        if self.now.doing in ("hand", "moving", "bump"):
            self.rest += self.still
            self.moved, self.still = time, False
        settled = time - self.moved >= SETTLES
        state = TableState.READY if settled else TableState.HAND if self.now.hands else TableState.MOVING
        self.still = settled
        lying = [thing for thing in moment.truth.tabletop if isinstance(thing, Tile) and thing.pose == LYING]
        backs = [thing for thing in lying if not thing.up]
        tiles = [self._seen(thing) for thing in lying if thing.up] + self._seen_backs(backs, time, settled)
        return Observation(time, moment.frame.sequence, state, tuple(tiles), (), tuple(map(_arm, self.now.hands)), "mm", settled,
                           swept=self.swept if settled else None)

    def _seen_backs(self, lying: list[Tile], time: float, settled: bool) -> list[SeenTile]:
        """The boneyard as the camera sees it."""
        chance = Random()
        shown = {}
        for tile in lying:
            chance.seed(f"{self.seed} {tile.name} {tile.x:.0f} {tile.y:.0f}")
            if chance.random() >= self.faults.overlooked:
                shown[tile.name] = self._seen(tile)
        if settled:
            there = {tile.name for tile in lying}
            for name in self.backs.keys() - there:
                chance.seed(f"{self.seed} {name} {self.rest}")
                if chance.random() < self.faults.ghosts:
                    self.ghosts[name] = self.backs[name], time + chance.uniform(2, 12)
            self.backs = shown
        self.ghosts = {name: (back, until) for name, (back, until) in self.ghosts.items() if time < until}
        return [*shown.values(), *(back for back, _ in self.ghosts.values())]

    def _seen(self, tile: Tile) -> SeenTile:
        """A tile as the camera knows it: the same reading for as long as it lies there."""
        track = self.tracks.setdefault(tile.name, len(self.tracks) + 1)
        self.eyes.rng = Random(f"{self.seed} {tile.name} {tile.x:.1f} {tile.y:.1f} {tile.up}")
        flat = np.full((2, 16), 1 / 16, np.float32)
        length, width = self.setting.length, self.setting.width
        told = SeenTile(track, (tile.x, tile.y), tile.angle, length, width, tile.ends if tile.up else None, flat, 0.98)
        if not tile.up:
            return told
        rows, ends = np.stack([self.eyes.half(number) for number in tile.ends]), tile.ends
        angle = tile.angle
        if Random(f"{self.seed} {tile.name} {tile.up}").random() < 0.5:
            rows, ends, angle = rows[::-1], ends[::-1], angle + pi
        score = float(rows[0].max() * rows[1].max()) * 0.995
        return replace(told, ends=ends, probabilities=rows, angle=angle, score=score)


def _arm(hand: Hand) -> np.ndarray:
    """(4, 2) the strip of a hand and its arm."""
    tip, source = np.array(hand.tip), np.array(hand.source)
    along = (source - tip) / np.linalg.norm(source - tip)
    aside = 40 * np.array([-along[1], along[0]])
    return np.array([tip - aside, tip + aside, source + aside, source - aside], np.float32)
