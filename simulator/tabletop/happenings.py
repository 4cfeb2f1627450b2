"""What happens at a table, as values: moves by hands, hands that rest, bumps, lamps, a covered lens.

`films.perform` shows how each looks; `order` finds the carries that make one table into another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.actions import Action
from engine.state import State
from simulator.layouts import LYING
from simulator.tabletop.lying import Sheet, Tabletop, Thing, Tile
from simulator.tabletop.render import Light

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Carry:
    """Things that a hand takes from where they are to where they shall lie; from or to nowhere means off the table.

    to: the things as they will lie. gone: names of things taken off the table. slide: pushed, not lifted.
    """

    to: tuple[Thing, ...] = ()
    gone: tuple[str, ...] = ()
    slide: bool = False

    def done(self, table: Tabletop) -> Tabletop:
        """The table when they lie there."""
        return table.put(*self.to).without(self.gone)


@dataclass(frozen=True, slots=True)
class Move:
    """A hand of a seat comes, carries things one after another, and leaves.

    actions: what was played by it, in the engine's words. note: "" for a right play; wrong, take-back, nudge, marker, tidy.
    rule: of a wrong play, the rule it breaks. state: the engine's state when the table lies still again.
    """

    seat: int
    carries: tuple[Carry, ...]
    actions: tuple[Action, ...] = ()
    note: str = ""
    rule: str = ""
    state: State | None = None
    wait: float = 1.5


@dataclass(frozen=True, slots=True)
class Together:
    """Several moves at once: each begins `apart` seconds after the one before, whether that is over or not."""

    moves: tuple[Move, ...]
    apart: float = 0.5
    wait: float = 1.5


@dataclass(frozen=True, slots=True)
class Rest:
    """A hand lies over the table for a while, and moves nothing."""

    seat: int
    at: Point
    seconds: float = 3.0
    wait: float = 1.0


@dataclass(frozen=True, slots=True)
class Wash:
    """All hands clear the table and lay it anew, as between rounds."""

    after: Tabletop
    state: State | None = None
    seconds: float = 5.0
    wait: float = 2.0


@dataclass(frozen=True, slots=True)
class Bump:
    """Somebody knocks against the camera: it moves by (x, y) mm and turns, and stays so."""

    x: float
    y: float
    turn: float
    tilt: float = 0.0
    wait: float = 1.5


@dataclass(frozen=True, slots=True)
class Lighting:
    """The light changes to another within some seconds."""

    light: Light
    seconds: float = 0.3
    wait: float = 1.0


@dataclass(frozen=True, slots=True)
class Flash:
    """A photograph is taken with a flash."""

    seconds: float = 0.15
    wait: float = 1.0


@dataclass(frozen=True, slots=True)
class Covered:
    """Something covers the lens."""

    seconds: float = 3.0
    wait: float = 1.0


@dataclass(frozen=True, slots=True)
class Frozen:
    """The camera gives the same picture again and again."""

    seconds: float = 4.0
    wait: float = 1.0


@dataclass(frozen=True, slots=True)
class Unplugged:
    """The camera gives no pictures."""

    seconds: float = 4.0
    wait: float = 1.0


@dataclass(frozen=True, slots=True)
class Still:
    """Nothing happens for a while."""

    seconds: float = 2.0
    wait: float = 0.0


Happening = Move | Together | Rest | Wash | Bump | Lighting | Flash | Covered | Frozen | Unplugged | Still


def order(before: Tabletop, after: Tabletop, first: Callable[[Thing | None, Thing | None], float]) -> tuple[Carry, ...]:
    """The carries that make one table into another: `first` says what goes before what, and nothing is put where
    something lies that has yet to go; where all wait for one another one thing is put aside."""
    changes = sorted((pair for pair in before.changed(after) if not any(isinstance(thing, Sheet) for thing in pair)),
                     key=lambda pair: first(*pair))
    carries, table = [], before
    while changes:
        free = next((pair for pair in changes if pair[1] is None or not _taken(pair[1], table, changes)), None)
        if free is None:
            stuck = changes[0][0] or changes[0][1]
            assert stuck is not None
            carry = Carry((replace(stuck, x=stuck.x, y=stuck.y - 75.0),))
        else:
            old, new = free
            changes.remove(free)
            if new is None:
                carry = Carry(gone=(old.name,) if old else ())
            else:
                carry = Carry((new,), slide=_slides(table.by_name.get(new.name), new))
        carries.append(carry)
        table = carry.done(table)
    return tuple(carries)


def _taken(thing: Thing, table: Tabletop, waiting: Sequence[tuple[Thing | None, Thing | None]]) -> bool:
    """Whether something else that has yet to go lies where a thing shall lie."""
    for old, _ in waiting:
        if old is not None and old.name in table and old.name != thing.name:
            other = table[old.name]
            near = np.hypot(other.x - thing.x, other.y - thing.y) < 18
            if near and abs(getattr(other, "z", 0.0) - getattr(thing, "z", 0.0)) < 2:
                return True
    return False


def _slides(old: Thing | None, new: Thing) -> bool:
    """Whether a thing is pushed to its new place: a short way over the bare table, showing the same side."""
    if old is None or not isinstance(old, Tile) or not isinstance(new, Tile):
        return False
    same = old.up == new.up and old.pose == new.pose == LYING and old.level == new.level == 0
    return same and float(np.hypot(old.x - new.x, old.y - new.y)) < 60
