"""Hints for a seat's own page: worked out from what that seat knows, for a second or so, when it asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from engine.actions import Action
from engine.hints.hint import sentences, think
from engine.pieces import Tile
from referee.hints import seat_view
from webui.live.games import FACES
from webui.live.running import Moment, Refused, RunningTable
from webui.live.words import as_written

SECONDS = 1.5
"""How long is thought about a hint."""

PATIENCE = 10.0
"""How long a seat waits while others have theirs worked out, seconds."""

SHOWN = 3


class Adviser:
    """Works hints out, one at a time: the camera needs the processor too."""

    def __init__(self, table: RunningTable, seconds: float = SECONDS) -> None:
        self._table, self._seconds = table, seconds
        self._working = threading.Lock()
        self._last: dict[int, tuple[object, dict[str, Any]]] = {}  # what a seat was told, and for which table and hand

    def hints(self, seat: int) -> dict[str, Any]:
        """The best actions for this seat with their reasons, as JSON values; Refused with what is lacking."""
        if not self._working.acquire(timeout=PATIENCE):
            raise Refused("Hints for others are being worked out. Please ask again.")
        try:
            moment = self._table.moment()
            hand = self._table.hand(seat)
            known, told = self._last.get(seat, (None, {}))
            if known != (moment.version, hand):
                told = self._worked_out(moment, seat, hand)
                self._last[seat] = (moment.version, hand), told
            return told
        finally:
            self._working.release()

    def _worked_out(self, moment: Moment, seat: int, hand: Sequence[Tile]) -> dict[str, Any]:
        state = moment.state
        if state.turn is None or state.chance:
            raise Refused("Nobody is to move now.")
        if state.turn != seat:
            raise Refused(f"It is {moment.setting.names[state.turn]}'s turn.")
        view = seat_view(state, seat, hand)
        if view is None:
            raise Refused(f"Tell first which {len(state.hands[seat])} tiles you hold.")  # type: ignore[attr-defined]
        until = time.monotonic() + self._seconds
        advice = next(each for each in think(view, Random(moment.version)) if each.settled or time.monotonic() > until)

        def say(action: Action) -> str:
            return FACES[view.game].words(action, view)

        return {"version": moment.version, "hints": [
            {"action": str(each.action), "words": say(each.action), "worth": round(each.worth, 2),
             "reasons": [as_written(words) for words in sentences(each, moment.setting.names, say)]}
            for each in advice.hints(SHOWN)]}  # fmt: skip
