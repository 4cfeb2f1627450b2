"""Hints for one seat: the table as that seat knows it, and a process of its own that thinks about it.

The seat knows what the camera sees and the hand that it has told, nothing else. The process never holds up the referee: it
yields the processor to it, and a new question ends the one before.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from random import Random
from typing import Any

from engine.actions import Action
from engine.core import UNKNOWN
from engine.hints.hint import Hint, think
from engine.pieces import Tile
from engine.state import State

BETTER_EVERY = 0.25
"""Seconds between two answers to one question."""

POLITE = 5
"""By so much the process stands back for others."""


def seat_view(state: State, seat: int, hand: Sequence[Tile]) -> State | None:
    """The view of a seat that holds these tiles; None where they are not all of its hand, or lie elsewhere.

    state: as the camera knows it, with hands unknown.
    """
    hands = state.hands
    if hands:
        shown = next(kind for kind in state.CHANCE if kind.kind == "show")
        told = Counter(hand) - Counter(tile for tile in hands[seat] if tile != UNKNOWN)
        if len(hand) != len(hands[seat]) or told.total() != hands[seat].count(UNKNOWN):
            return None
        if told - Counter(state.unseen()):  # type: ignore[attr-defined]
            return None
        state = state.after(shown(seat, tuple(sorted(told.elements()))))  # type: ignore[call-arg]
    return state.view(seat)


class Thinker:
    """Thinks about one question at a time in a process of its own, which begins with the first; for one thread at a time."""

    def __init__(self) -> None:
        self._ours: Connection | None = None
        self._process: Any = None
        self._question = 0
        self._answer: tuple[tuple[Hint, ...], bool] | None = None

    def ask(self, view: State, seed: int, seconds: float, most: int, also: Action | None = None) -> None:
        """Think about this instead of whatever was asked before; so many hints are wanted, and one about what was done."""
        self._question += 1
        self._answer = None
        for _ in range(2):
            if not self.working:
                self.close()
                self._begin()
            assert self._ours is not None
            try:
                self._ours.send((self._question, view, seed, seconds, most, also))
                return
            except OSError:
                self.close()

    def newest(self) -> tuple[tuple[Hint, ...], bool] | None:
        """The best answer so far to what was asked last, and whether no better one will come; None where there is none yet."""
        try:
            while self._ours is not None and self._ours.poll():
                question, hints, done = self._ours.recv()
                if question == self._question:
                    self._answer = hints, done
        except (EOFError, OSError):
            self.close()
        return self._answer and (self._answer[0], self._answer[1] or not self.working)

    @property
    def working(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.is_alive()

    def close(self) -> None:
        """End the process."""
        if self._ours is not None:
            self._ours.close()
            self._ours = None
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._process = None

    def _begin(self) -> None:
        context = get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_thinking, args=(theirs,), daemon=True, name="hints")
        self._process.start()
        theirs.close()


def _thinking(questions: Connection) -> None:
    """Answer questions until nobody asks any more."""
    os.nice(POLITE)
    try:
        while True:
            _answer(questions, *questions.recv())
    except (EOFError, OSError, KeyboardInterrupt):
        return


def _answer(questions: Connection, question: int, view: State, seed: int, seconds: float, most: int, also: Action | None) -> None:
    until, due = time.monotonic() + seconds, 0.0
    for advice in think(view, Random(seed), also=also):
        now = time.monotonic()
        done = advice.settled or now >= until
        if done or now >= due:
            questions.send((question, advice.hints(most), done))
            due = now + BETTER_EVERY
        if done or questions.poll():
            return
