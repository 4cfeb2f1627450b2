"""How often the hand of somebody who acts is seen over the table, and how often that of somebody who does not: whole games
on the simulated table, told by who it truly was.

Hands that move are drawn by our own painter alone: path-traced tables show a few moments of a play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from referee.whose import SIGHTS, sight_of
from simulator.staging.games import seat_counts
from simulator.tabletop.simulated import Moment
from trials.trial import HARDER, Difficulty, Trial
from vision.reader import Reader

HANDS = ("play", "draw", "buy", "remove")
"""What is done by hand of those games' actions."""

PRIOR = 0.5
"""Each sight is taken to have come so often more than it was counted (Jeffreys' prior): nothing is impossible because it did not
come yet."""


class Watched:
    """Counts, over a game, what was seen at each seat until something was rightly believed, and whether it had acted."""

    def __init__(self) -> None:
        self.counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        self._done = 0

    def see(self, moment: Moment, trial: Trial) -> None:
        """After each frame."""
        acts = trial.referee.game.standing
        new, right = acts[self._done :], trial.agrees()
        self._done = len(acts)
        acting = {act.seat for act in new if act.text.split()[0] in HANDS}
        reached = trial.referee.reading.reached
        if acting and right and (reached.seats or reached.perhaps) and moment.doing == "still":
            for seat in range(trial.state.players):
                self.counts[seat in acting][sight_of(seat, reached)] += 1


def measure(games: Iterable[tuple[str, int]], reader: Reader, turns: int, tell: Callable[[], None]) -> dict[str, Any]:
    """The rates over games, each with its seed: as usual and harder ones in turn; tell: called after each."""
    counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for number, (game, seed) in enumerate(games):
        difficulty = replace(HARDER if number % 2 else Difficulty(), wrong=0.1)
        with TemporaryDirectory() as folder:
            places = seat_counts(game)
            trial = Trial(game, places[number // 2 % len(places)], seed, reader, Path(folder) / "journal.db", difficulty)
            trial.players.most = turns
            watched = Watched()
            trial.run(watched.see)
            trial.referee.journal.close()
        for acting, more in watched.counts.items():
            counts[acting] += more
        tell()
    return {"acting": _shares(counts[True]), "idle": _shares(counts[False]),
            "rests on": {"acting": counts[True].total(), "idle": counts[False].total()}}


def _shares(counts: Counter[str]) -> dict[str, float]:
    whole = counts.total() + PRIOR * len(SIGHTS)
    return {sight: round((counts[sight] + PRIOR) / whole, 4) for sight in SIGHTS}
