"""The simulated table: happenings one after another before the simulated camera, frame by frame, on its own clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from simulator.staging.setting import Setting
from simulator.tabletop.camera import Camera
from simulator.tabletop.films import Film, Now, World, in_few_pictures, perform
from simulator.tabletop.happenings import Happening, Still
from simulator.tabletop.lying import Tabletop
from simulator.tabletop.render import Image, Renderer
from simulator.tabletop.truth import Truth
from vision.frame import Frame


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One frame with what is true about it.

    happening: what is going on, or is about to; None at the end. doing: still, hand, moving, light, bump, covered or
    frozen. settled: the table as it lies when nothing is being moved.
    """

    frame: Frame
    truth: Truth
    happening: Happening | None
    doing: str
    settled: Tabletop


class SimulatedTable:
    """A table that lives: iterate `moments()` once. Time is the simulated camera's, whatever the clock on the wall says.

    renderer: takes the pictures; one that is given is slow, and every happening is shown to it in few pictures.
    """

    def __init__(self, setting: Setting, camera: Camera, table: Tabletop, happenings: Iterable[Happening], seed: int = 0,
                 last: float = 2.0, renderer: Renderer | None = None) -> None:
        self.setting, self.happenings, self.last = setting, happenings, last
        self.world = World(table, camera)
        self.few_pictures = renderer is not None
        self.renderer = renderer or Renderer(camera, setting.look)
        self.rng = np.random.default_rng([seed, 8])
        self._image: Image | None = None
        self._truth: Truth | None = None
        self._number = 0  # frames that the camera was due to give, unplugged or not
        self._given = 0

    def moments(self) -> Iterator[Moment]:
        """Every frame until the happenings are over, and `last` seconds more."""
        for happening in self.happenings:
            yield from self._run(Film(happening.wait, lambda time: Now(self.world), self.world), happening)
            film = perform(happening, self.world, self.setting, self.rng)
            yield from self._run(in_few_pictures(film) if self.few_pictures else film, happening)
            self.world = film.after
        yield from self._run(perform(Still(self.last), self.world, self.setting, self.rng), None)

    def expose(self, stops: float) -> None:
        """The camera shall take so many stops less light than it would by itself."""
        self.renderer.stops = stops

    def frames(self) -> Iterator[Frame]:
        """The frames alone."""
        return (moment.frame for moment in self.moments())

    def _run(self, film: Film, happening: Happening | None) -> Iterator[Moment]:
        rate = self.world.camera.rate
        first = self._number
        while (time := (self._number - first) / rate) < film.seconds:
            now = film.at(time)
            if now.doing != "unplugged":
                yield self._moment(now, happening, film.after.table)
            self._number += 1

    def _moment(self, now: Now, happening: Happening | None, settled: Tabletop) -> Moment:
        frozen = now.doing == "frozen" and self._image is not None
        if not frozen or self._truth is None or self._image is None:
            image, truth = self.renderer.shoot(now.world.table, now.hands, now.world.light, now.world.camera, self._number)
            if now.doing == "covered":
                image = self.renderer.covered(self._number)
                truth = replace(truth, shown=tuple(replace(s, visible=(0.0,) * len(s.visible), veiled=True) for s in truth.shown))
            self._image, self._truth = image, truth
        frame = Frame(self._image, self._number / now.world.camera.rate, self._given)
        self._given += 1
        still = now.world.table if now.doing in ("still", "hand", "light", "bump", "covered", "frozen") else settled
        return Moment(frame, self._truth, happening, now.doing, still)
