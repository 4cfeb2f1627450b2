"""A simulated table as a camera: virtual hands play one game after another before it, in real time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from engine.games import GAMES
from simulator.staging.games import set_table, stage_of, with_sold_pieces
from simulator.staging.overhead import whole_view
from simulator.staging.players import LIVELY, Mischief, Players
from simulator.tabletop.happenings import Happening, Move, Still, Together, Wash
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.simulated import SimulatedTable
from vision.frame import Frame
from vision.sources.source import Health, SourceError

PAUSE_S = 15.0
"""Between the end of a game and the next one."""

LONGEST_S = 30.0
"""Nobody waits longer for the referee."""


class Endless:
    """A source whose table never rests.

    told: what was done in the game that goes on, chance too, each action's text as all see it. game: which one it is, from 0.
    chips: the colours of their chips, by seat. wait_for: what the players wait for before their next move, unless they take
    something back; whoever referees sets it.
    Raises SourceError for a game that is not known, or not for so many.
    """

    live = False
    settled = False

    def __init__(self, game: str, players: int = 2, seed: int = 0, *, mischief: Mischief = LIVELY,
                 clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep) -> None:
        if game not in GAMES or players not in GAMES[game].SEATS:
            raise SourceError(f"There is no simulated table of {game} for {players}: write simulated:block:2.")
        self.name, self.players, self.seed, self.mischief = game, players, seed, mischief
        self.told: list[str] = []
        self.game = -1
        self.wait_for: Callable[[], bool] = lambda: True
        self._clock, self._sleep = clock, sleep
        self._setting = with_sold_pieces(game, set_table(game, players, TESTING_SEEDS[seed % len(TESTING_SEEDS)]), seed)
        self.chips = self._setting.look.edition.chips[:players]
        self._began = self._came = clock()
        self._skip = False
        self._hands = self._new_players()
        camera = whole_view(self._setting, np.random.default_rng(seed))
        self._table = SimulatedTable(self._setting, camera, self._hands.table, self._happenings(), seed)
        self._frames = self._table.frames()

    def next(self, wait_s: float) -> Frame | None:
        """The next frame when it is due: the table's clock runs like that on the wall, or slower where painting takes longer."""
        frame = next(self._frames)
        early = self._began + frame.time - self._clock()
        if early > 0:
            self._sleep(min(early, wait_s))
        else:
            self._began -= early
        self._came = self._clock()
        return frame

    def expose(self, stops: float) -> None:
        self._table.expose(stops)

    def health(self) -> Health:
        return Health(age=self._clock() - self._came, fps=10.0)

    def close(self) -> None:
        """Nothing has to be let go."""

    def skip(self) -> None:
        """Clear the table and begin another game with the next move."""
        self._skip = True

    def _new_players(self) -> Players:
        self.game += 1
        self.told, self._done, self._seen = [], 0, GAMES[self.name](None, self.players)
        state = GAMES[self.name](None, self.players)
        return Players(state, stage_of(self.name, self._setting), self.seed + self.game, self.mischief)

    def _happenings(self) -> Iterator[Happening]:
        while True:
            for happening in self._hands.happenings():
                if isinstance(happening, Move | Together) and getattr(happening, "note", "") != "take-back":
                    yield from self._waiting()
                if self._skip:
                    break
                yield happening
                self._tell()
            yield Still(1.0 if self._skip else PAUSE_S)
            self._skip = False
            self._hands = self._new_players()
            yield Wash(self._hands.table)
            yield Still(4.0)

    def _tell(self) -> None:
        """What was done since is known to all now, with what was turned up by it."""
        state, seen = self._hands.state, self._seen
        for action in state.pushed[self._done :]:
            if isinstance(action, state.CHANCE) and action.kind != "deal":
                continue  # it was told with what came before it
            seen.push(state.public(action))
            while seen.chance not in (None, "deal"):
                seen.push(state.answer(seen))
        self._done = len(state.pushed)
        self.told = [str(action) for action in seen.pushed]

    def _waiting(self) -> Iterator[Happening]:
        for _ in range(round(2 * LONGEST_S)):
            if self.wait_for() or self._skip:
                return
            yield Still(0.5)
        self._skip = True
