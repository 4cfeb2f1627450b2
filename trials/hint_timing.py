"""How soon the first hint is there, and what it costs the referee that somebody's hint is thought about."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from engine.games import GAMES
from engine.hints.hint import think
from engine.playout import random_game
from engine.state import State
from referee.hints import Thinker
from trials.trial import Difficulty, Trial
from vision.reader import Reader

POSITIONS = 200
SHOWN = 3
WATCHED, THOUGHT_ABOUT = "block", "euronimoes"
"""What is played before the referee, and what the hint is about meanwhile: a table with many choices."""

SECONDS = 4.0
"""How long is thought before the question is asked anew, as the page does."""

TURNS = 10


@dataclass(frozen=True, slots=True)
class HintTiming:
    """first_ms: of each game's positions, the processor time to the first answer, milliseconds. alone_ms, beside_ms: the
    referee's computing time from stillness to each decision, alone and while a hint is thought about; of the same decisions, in
    the same order.
    """

    first_ms: dict[str, list[float]]
    alone_ms: list[float]
    beside_ms: list[float]

    @property
    def slower(self) -> float:
        """By what share a decision takes longer, the median over all pairs: other work on the machine makes some longer, and some
        shorter."""
        return float(np.median(np.array(self.beside_ms) / np.array(self.alone_ms))) - 1

    def as_object(self) -> dict[str, Any]:
        """What `kibitz bench --hints --json` says."""
        return {
            "first_hint_ms_p95": {name: round(float(np.percentile(each, 95)), 2) for name, each in self.first_ms.items()},
            "decisions": len(self.alone_ms),
            "decision_ms": [round(float(np.median(each)), 1) for each in (self.alone_ms, self.beside_ms)],
            "decision_ms_p95": [round(float(np.percentile(each, 95)), 1) for each in (self.alone_ms, self.beside_ms)],
            "slower_beside_a_hint": round(self.slower, 3),
        }

    def as_text(self) -> Iterator[str]:
        """The same for people."""
        for name, each in self.first_ms.items():
            yield f"{name:14} first answer: median {np.median(each):5.1f} ms, 95 % within {np.percentile(each, 95):5.1f} ms"
        for what, found in (("alone", self.alone_ms), ("beside a hint", self.beside_ms)):
            yield (f"the referee {what}: {len(found)} decisions, median {np.median(found):.0f} ms, "
                   f"95 % within {np.percentile(found, 95):.0f} ms")  # fmt: skip
        yield f"beside a hint a decision takes {100 * self.slower:+.1f} % longer (median of all pairs)"


def time_hints(reader: Reader, rounds: int, progress: Callable[[], object] = lambda: None) -> HintTiming:
    """Times first answers, then the same games before the referee alone and beside a hint, in turn, so many rounds."""
    first = {name: list(islice(first_answers(kind), POSITIONS)) for name, kind in GAMES.items()}
    progress()
    alone: list[float] = []
    beside: list[float] = []
    for seed in range(rounds):
        found = [_decisions(reader, seed, hint) for hint in ((False, True), (True, False))[seed % 2]]
        one, other = found[:: 1 - 2 * (seed % 2)]
        decided = min(len(one), len(other))  # the same game, decision by decision
        alone += one[:decided]
        beside += other[:decided]
        progress()
    return HintTiming(first, alone, beside)


def first_answers(kind: type[State]) -> Iterator[float]:
    """Processor times to the first answer in random games of a kind, milliseconds, without end."""
    rng = Random(1)
    for game in count():
        for state, _ in islice(random_game(kind(None, kind.SEATS[game % len(kind.SEATS)]), rng), rng.randrange(10), None, 17):
            view = state.view(state.turn or 0)
            start = time.process_time()
            next(think(view, rng)).hints(SHOWN)
            yield 1000 * (time.process_time() - start)


def _decisions(reader: Reader, seed: int, hint: bool) -> list[float]:
    """Computing times of one game's decisions, milliseconds; hint: with a process beside it that thinks all the while."""
    state = GAMES[THOUGHT_ABOUT].start(None, 2, Random(seed))
    view, thinker = state.view(state.turn or 0), Thinker()

    def think_on() -> None:
        if not thinker.working or ((answer := thinker.newest()) is not None and answer[1]):
            thinker.ask(view, seed, SECONDS, SHOWN)

    try:
        while hint and thinker.newest() is None:  # so that its start is not timed, too
            think_on()
            time.sleep(0.1)
        with TemporaryDirectory() as folder:
            trial = Trial(WATCHED, 2, seed, reader, Path(folder) / "journal.db", replace(Difficulty(), bumps=0, lamps=0))
            trial.players.most = TURNS
            found = trial.run((lambda _, __: think_on()) if hint else None).decision_ms
            trial.referee.journal.close()
        return found
    finally:
        thinker.close()
