"""How well a game was played: for every play what the hint would have done instead, and what that would have gained.

It is worked out in a process of its own, play by play, for as long as somebody asks. A play is judged by what its seat knew:
the table, and its hand, as that seat told it or as its later plays show it.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from engine.core import UNKNOWN
from engine.hints.hint import SAID, Hint
from engine.pieces import Tile
from engine.state import State
from referee.hints import Thinker, seat_view
from webui.live.games import FACES
from webui.live.running import Entry, Played
from webui.live.words import as_written

SECONDS = 1.0
"""How long is thought about a play."""

ASKERS = 16
"""So many are answered at a time; who asked before them has to begin again."""

Told = Callable[[int, int], tuple[Tile, ...]]
"""What a seat had told of its hand before the entry of a number, where whoever asks may know."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A play that could have been another. step: how many entries there are with it."""

    step: int
    seat: int
    view: State
    entry: Entry


@dataclass(eq=False)
class Work:
    """What one asker wants to know: the plays still to be judged, and what is told of the others as JSON values.

    asked: the game, the seats, and whether what they have told of their hands may be used; nobody else gets the same.
    """

    asked: tuple[Played, Sequence[int], bool]
    left: list[Choice]
    told: dict[str, Any]


class Judge:
    """Judges the games that are asked about, a play of each in turn."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._thinker = Thinker()
        self._works: deque[Work] = deque(maxlen=ASKERS)
        self._thinking: Work | None = None  # about the first of its plays that are left

    def judged(self, played: Played, seats: Sequence[int], told: Told | None = None) -> dict[str, Any]:
        """What is known by now of the plays of these seats, as JSON values; `done` of them `of` all. Ask again for more.

        told: what those seats have told of their hands, where whoever asks may know. unknown: so many had a hand that nobody
        has told and no later play shows.
        """
        with self._lock:
            work = self._work(played, seats, told)
            self._go_on(work)
            if not any(each.left for each in self._works):
                self._thinker.close()
            return work.told | {"plays": list(work.told["plays"])}

    def _work(self, played: Played, seats: Sequence[int], told: Told | None) -> Work:
        asked = played, seats, told is not None
        for work in self._works:
            if work.asked == asked:
                return work
        found = list(choices(played, seats, told or (lambda seat, number: ())))
        left = [each for each in found if each is not None]
        self._works.append(Work(asked, left, {"done": 0, "of": len(left), "unknown": found.count(None), "plays": []}))
        return self._works[-1]

    def _go_on(self, work: Work) -> None:
        """Take what has been thought, whoever asked for it, and think about the next play of this one."""
        while True:
            if self._thinking is not None:
                answer = self._thinker.newest()
                if self._thinker.working and (answer is None or not answer[1]):
                    return
                _take(self._thinking, answer[0] if answer is not None else ())
                self._thinking = None
            if not work.left:
                return
            choice = work.left[0]
            self._thinker.ask(choice.view, choice.step, self._seconds, 2, choice.entry.action)
            self._thinking = work


def _take(work: Work, hints: Sequence[Hint]) -> None:
    """Note what came of the first play that was left."""
    choice = work.left.pop(0)
    work.told["done"] += 1
    if (told := _told(choice, hints, work.asked[0].setting.names)) is not None:
        work.told["plays"].append(told)


def choices(played: Played, seats: Sequence[int], told: Told) -> Iterator[Choice | None]:
    """The plays of these seats that could have been others; None for one of which the hand is not known."""
    states = [played.setting.new_state()]
    for entry in played.entries:
        assert entry.action is not None
        states.append(states[-1].copy())
        states[-1].push(entry.action)
    for at, (entry, state) in enumerate(zip(played.entries, states, strict=False)):
        seat = state.turn
        if seat not in seats or seat is None or state.chance or not isinstance(entry.action, state.ACTIONS):
            continue
        hand = told(seat, entry.number)
        view = seat_view(state, seat, hand) or seat_view(state, seat, shown_later(played.entries[at:], states[at:], seat))
        if view is None:
            yield None
        elif view.verify(entry.action) and len(view.legal()) > 1:
            yield Choice(at + 1, seat, view, entry)


def shown_later(entries: Sequence[Entry], states: Sequence[State], seat: int) -> tuple[Tile, ...]:
    """The hand of a seat as far as it shows it before it draws another tile that nobody sees.

    entries: from then on. states: before each of them, and after the last.
    """
    hands = [(state.hands or ((),) * state.players)[seat] for state in states]
    known = Counter(tile for tile in hands[0] if tile != UNKNOWN)
    shown = list(known.elements())
    for entry, before, after in zip(entries, hands, hands[1:], strict=False):
        seen = Counter(getattr(entry.action, "tiles", ())) if getattr(entry.action, "seat", None) == seat else Counter[Tile]()
        if len(after) == len(before) - 1 and (tile := getattr(entry.action, "tile", UNKNOWN)) != UNKNOWN:
            seen[tile] += 1
        now = Counter(tile for tile in before if tile != UNKNOWN)
        if len(shown) == len(hands[0]) or after.count(UNKNOWN) > before.count(UNKNOWN):
            break
        shown += (seen - now).elements()
    return tuple(shown)


def _told(choice: Choice, hints: Sequence[Hint], names: Sequence[str]) -> dict[str, Any] | None:
    """cost: the points that the best would have gained beside what was done; lead: where that was the best, what it gained beside
    the next. None where one of them was not looked at often enough."""
    if len(hints) < 3:
        return None
    best, done = hints[0], hints[-1]
    if best.lead is None or done.lead is None:
        return None
    face, view = FACES[choice.view.game], choice.view
    told = {"step": choice.step, "seat": choice.seat, "words": as_written(choice.entry.words)}
    if done.action == best.action:
        return told | {"cost": 0, "lead": _ahead(best, hints[1])}
    return told | {
        "cost": _ahead(best, done),
        "lead": 0,
        "best": face.words(best.action, view),
        "mark": face.mark(view, best.action, face.scene(view)),
        "chances": [round(100 * one.chance.mean) for one in (done, best) if one.chance is not None],
        "reasons": [as_written(reason.words(names)) for reason in best.reasons[:SAID]],
    }


def _ahead(one: Hint, other: Hint) -> int:
    """By how many points the one gains more, where that is more than chance may make."""
    if one.lead is None or other.lead is None:
        return 0
    by, around = one.lead.mean - other.lead.mean, hypot(one.lead.high - one.lead.mean, other.lead.high - other.lead.mean)
    return round(by) if by > around else 0
