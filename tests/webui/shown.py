"""A set of pieces shown to a simulated camera row after row, as a player lays them, for the tests of the page."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from calibration.profile import Profile
from simulator.piece_tables import thing_of
from simulator.piece_truth import profile_of
from simulator.staging.games import set_table, with_sold_pieces
from simulator.staging.overhead import whole_view
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.lying import Tabletop
from simulator.tabletop.render import Renderer
from vision.frame import Frame, Image
from vision.piece_sets import Step
from vision.sources.source import Health

APART_MM = 45.0


class ShowingHands:
    """A camera over a table on which the pieces of a step lie; a source of frames. laid: the step; nothing without one."""

    live, settled = True, False

    def __init__(self, seed: int) -> None:
        setting = with_sold_pieces("dominoids", set_table("dominoids", 2, TESTING_SEEDS[seed]), seed)
        self._rng = np.random.default_rng(seed)
        camera = replace(whole_view(setting, self._rng), width=1280, height=720)
        self.profile: Profile = profile_of(camera, setting.area)
        self._renderer = Renderer(camera, setting.look)
        self._number = 0
        self._image = self._shot(Tabletop(()))

    def lay(self, step: Step, without: int = 0) -> None:
        """Lay the pieces of a step in a row, all but so many."""
        row = step.shown[: len(step.shown) - without]
        things = [thing_of(label, at, APART_MM * (at - len(row) / 2), float(self._rng.uniform(-40, 40)), self._rng)
                  for at, label in enumerate(row)]  # fmt: skip
        self._image = self._shot(Tabletop(tuple(things)))

    def _shot(self, table: Tabletop) -> Image:
        return self._renderer.shoot(table, number=self._number)[0]

    def next(self, wait_s: float) -> Frame | None:
        time.sleep(0.1)
        self._number += 1
        return Frame(self._image, 0.1 * self._number, self._number)

    def health(self) -> Health:
        return Health(None, 0.0, 10.0)

    def close(self) -> None:
        """Nothing is held."""
