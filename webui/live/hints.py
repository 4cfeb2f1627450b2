"""Hints for a seat's own page: worked out from what that seat knows when it asks; a first answer at once, then better ones."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from random import Random
from typing import Any

from engine.actions import Action
from engine.core import UNKNOWN
from engine.estimates import Estimate
from engine.hints.hint import SAID, Hint, think
from engine.pieces import Tile
from engine.state import State
from engine.words import say
from referee.hints import Thinker, seat_view
from webui.live.games import FACES
from webui.live.running import Moment, Refused, RunningTable
from webui.live.words import as_written

SECONDS = 4.0
"""How long is thought about a hint."""

SHOWN = 3


class Adviser:
    """Answers the seat to move; whoever asks again hears whether there is something better by now."""

    def __init__(self, table: RunningTable, seconds: float = SECONDS) -> None:
        self._table, self._seconds = table, seconds
        self._lock = threading.Lock()
        self._thinker = Thinker()
        self._asked = ""  # the view that is being thought about
        self._first: tuple[tuple[Hint, ...], bool] = (), True  # what was known at once, and whether it was all

    def hints(self, seat: int) -> dict[str, Any]:
        """The best actions for this seat with their reasons, as far as hints go at this table, as JSON values; `settled` once no
        better ones will come. Refused with what is lacking.
        """
        with self._lock:
            moment = self._table.moment()
            hand = self._table.hand(seat)
            view = self._view(moment, seat, hand)
            told = {"version": moment.version}
            if moment.setting.hints == "legal":
                return told | {"settled": True, "hints": [_named(action, view) for action in view.legal()]}
            hints, settled = self._known(view, moment.version)
            found = [_told(hint, view, moment.setting.names) for hint in hints]
            if moment.setting.hints == "nudge":
                found = [{"action": "", "words": say("Look for this"), "reasons": found[0]["reasons"][:1]}]
            return told | {"settled": settled, "hints": found}

    def _known(self, view: State, seed: int) -> tuple[tuple[Hint, ...], bool]:
        """The hints so far. A table that only looks otherwise, as while a hand goes over it, is not thought about anew."""
        if (asked := view.text()) != self._asked:
            self._asked = asked
            advice = next(think(view, Random(seed)))
            self._first = advice.hints(SHOWN), advice.settled
            if not advice.settled:
                self._thinker.ask(view, seed, self._seconds, SHOWN)
        hints, settled = self._first
        return (hints, True) if settled else self._thinker.newest() or (hints, not self._thinker.working)

    def _view(self, moment: Moment, seat: int, hand: Sequence[Tile]) -> State:
        state = moment.state
        if state.turn is None or state.chance:
            raise Refused(say("Nobody is to move now."))
        if state.turn != seat:
            raise Refused(say("It is {name}'s turn.", name=moment.setting.names[state.turn]))
        view = seat_view(state, seat, hand)
        if view is None:
            raise Refused(say("Tell first which {number} tiles you hold.", number=len(state.hands[seat])))
        return view


def _named(action: Action, view: State) -> dict[str, Any]:
    """An action in words, and where its tile would lie."""
    face, tile = FACES[view.game], getattr(action, "tile", UNKNOWN)
    return {"action": str(action), "words": face.words(action, view), "tile": None if tile == UNKNOWN else list(tile),
            "mark": face.mark(view, action, face.scene(view)), "reasons": []}  # fmt: skip


def _told(hint: Hint, view: State, names: Sequence[str]) -> dict[str, Any]:
    """gain: the points until the round ends, and chance: the per cent to win, each with what is around; mind: what to fear."""
    mind = hint.fear.words(names, lambda action: FACES[view.game].words(action, view)) if hint.fear else ""
    return _named(hint.action, view) | {
        "reasons": [as_written(reason.words(names)) for reason in hint.reasons[:SAID]],
        "gain": _around(hint.lead, 1),
        "chance": _around(hint.chance, 100),
        "mind": as_written(mind),
    }


def _around(known: Estimate | None, unit: int) -> list[int] | None:
    return None if known is None else [round(unit * known.mean), round(unit * (known.high - known.mean))]
