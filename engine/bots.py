"""Players that are no people: each sees what its seat may see, and says what it does.

>>> bot("random") is at_random
True
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from engine.actions import Action
from engine.core import MalformedError
from engine.hints.hint import think
from engine.playout import choose
from engine.state import State

Bot = Callable[[State, Random], Action]
"""From the view of the seat to move to its action."""

LOOKS = 200
"""How often the bot that looks ahead does so, where nobody says."""

AT_ONCE = 60
"""The bot that does not look ahead considers so many actions."""


def at_random(view: State, rng: Random) -> Action:
    """Any legal action."""
    return choose(view.legal(), rng)


def simple(view: State, rng: Random) -> Action:
    """The action after which the own score stands best against the best other one; among equals any."""
    legal = view.legal()
    if len(legal) == 1:
        return legal[0]
    if view.players == 1 and legal[-1].kind == "stop" and rng.random() < 0.05:
        return legal[-1]  # lest tiles go to and fro for ever
    moves = [action for action in legal if action.kind not in ("stop", "skip", "remove")] or legal
    return max(rng.sample(moves, min(len(moves), AT_ONCE)), key=view.gain)


def looking_ahead(looks: int) -> Bot:
    """The first hint after so many looks ahead."""

    def bot(view: State, rng: Random) -> Action:
        return next(each for each in think(view, rng) if each.settled or each.looks >= looks).actions[0]

    return bot


def thinking(seconds: float, clock: Callable[[], float]) -> Bot:
    """The first hint after so long. clock: what the time is, in seconds."""

    def bot(view: State, rng: Random) -> Action:
        until = clock() + seconds
        return next(each for each in think(view, rng) if each.settled or clock() >= until).actions[0]

    return bot


def bot(name: str, clock: Callable[[], float] | None = None) -> Bot:
    """`random`, `simple`, or `hints`; `hints:500` looks ahead 500 times, `hints:0.5s` for half a second by this clock.

    MalformedError for another name.
    """
    first, _, number = name.partition(":")
    if first == "hints" and (not number or (number.isdecimal() and int(number) > 0)):
        return looking_ahead(int(number) if number else LOOKS)
    if first == "hints" and clock is not None and re.fullmatch(r"\d{1,3}(\.\d+)?s", number) and float(number[:-1]) > 0:
        return thinking(float(number[:-1]), clock)
    bots: dict[str, Bot] = {"random": at_random, "simple": simple}
    if name not in bots:
        raise MalformedError(f"no bot {name!r} (there are: random, simple, hints, hints:NUMBER, hints:SECONDSs)")
    return bots[name]
