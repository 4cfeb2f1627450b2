"""What is agreed before the first tile: the game and its rules, who sits where, and what is printed on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import cos, pi, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.mats import MATS
from calibration.measure import place_of
from calibration.profile import Profile
from calibration.tags import find_tags
from engine.core import Flags, MalformedError
from engine.games import game
from engine.state import State
from engine.words import say

Point = tuple[float, float]
SIDES = (-pi / 2, 0.0, pi / 2, pi)
"""Where seats look by default: from the lower, left, upper and right side of the view, clockwise as the turn goes."""

COLOURS = ("red", "blue", "green", "yellow")

HINTS = {"best": say("best play"), "nudge": say("a nudge"), "legal": say("only what is legal")}
"""How far hints go, as was agreed: the best actions with their reasons, one reason without its action, or no advice."""


NOT_PLAYERS = frozenset({"camera", "host", "rules"})
"""Who else does something, as the journal has it: no player may be called so."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player. facing: the direction in which she looks at the table's centre, radians clockwise in the view.

    colour: of her mark on the pages; of her chips, too, where a game is met when it is under way.
    """

    name: str
    facing: float
    colour: str = ""

    @property
    def forward(self) -> Point:
        """The unit vector of her look; her columns run this way (Euronimoes, Playing a Domino, 5)."""
        return cos(self.facing), sin(self.facing)

    @property
    def rightward(self) -> Point:
        """The unit vector to her right."""
        return -sin(self.facing), cos(self.facing)


@dataclass(frozen=True)
class Setting:
    """One table. area: (x0, y0, x1, y1) of the play area in the units of the observations.

    slots: the middle of each printed slot by its name (`-1` ... `3`, `bones`, `bank 1` ..., `old`, `new`), empty where nothing
    is printed. hints: how far hints go (`HINTS`).
    """

    game: str
    rules: Flags
    seats: tuple[Seat, ...]
    area: tuple[float, float, float, float] = (-450.0, -450.0, 450.0, 450.0)
    slots: Mapping[str, Point] = field(default_factory=dict)
    hints: str = "best"

    def new_state(self) -> State:
        """The table before its first deal."""
        return game(self.game)(self.rules, len(self.seats))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)

    @property
    def middle(self) -> Point:
        """The middle of the play area."""
        x0, y0, x1, y1 = self.area
        return (x0 + x1) / 2, (y0 + y1) / 2

    def edge(self, seat: int) -> Point:
        """The middle of the edge at which a seat sits."""
        (x, y), (x0, y0, x1, y1) = self.middle, self.area
        dx, dy = self.seats[seat].forward
        return x - dx * (x1 - x0) / 2, y - dy * (y1 - y0) / 2

    @cached_property
    def _edges(self) -> tuple[tuple[float, float, float], ...]:
        """By seat, the way it looks and how far along that its edge lies: one look at a table asks for thousands of depths."""
        edges = ((seat.forward, self.edge(at)) for at, seat in enumerate(self.seats))
        return tuple((dx, dy, x * dx + y * dy) for (dx, dy), (x, y) in edges)

    def depth(self, seat: int, point: Point) -> float:
        """How far from a seat's edge a point lies."""
        dx, dy, edge = self._edges[seat]
        return point[0] * dx + point[1] * dy - edge

    def depths(self, points: NDArray[np.float32]) -> NDArray[np.float64]:
        """(n, seats) the same of points, (n, 2), from every seat's edge."""
        edges = np.array(self._edges)
        return np.asarray(points @ edges[:, :2].T - edges[:, 2])

    def nearest_seat(self, point: Point) -> int:
        """The seat whose edge a point is nearest to."""
        return min(range(len(self.seats)), key=lambda seat: self.depth(seat, point))

    def to_json(self) -> dict[str, Any]:
        """The setting as plain JSON values."""
        return {"game": self.game, "rules": str(self.rules),
                "seats": [{"name": seat.name, "facing": seat.facing, "colour": seat.colour} for seat in self.seats],
                "area": list(self.area), "slots": {name: list(point) for name, point in self.slots.items()},
                **({"hints": self.hints} if self.hints != "best" else {})}  # as journals had it that know of no levels

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Setting:
        """The inverse of `to_json`; MalformedError for rules that are none."""
        names = [each["name"] for each in data["seats"]]
        seats = tuple(Seat(unnamed(at) if name == unnamed(at) else name, float(each["facing"]), each["colour"])
                      for at, (name, each) in enumerate(zip(names, data["seats"], strict=True)))
        x0, y0, x1, y1 = map(float, data["area"])
        slots = {name: (float(x), float(y)) for name, (x, y) in data["slots"].items()}
        hints = data.get("hints", "best")
        if hints not in HINTS:
            raise MalformedError(f"hints cannot go as far as {hints!r} (there are: {', '.join(HINTS)})")
        return cls(data["game"], game(data["game"]).Rules.parse(data["rules"]), seats, (x0, y0, x1, y1), slots, hints)


def unnamed(seat: int) -> str:
    """What a player is called who has told no name: everybody reads it in their own language."""
    return say("Player {number}", number=seat + 1)


def seated(names: tuple[str, ...]) -> tuple[Seat, ...]:
    """The players at the sides of the table, clockwise; two sit opposite each other, three leave the upper side free.

    >>> [seat.colour for seat in seated(("Ann", "Ben"))]
    ['red', 'blue']
    """
    sides = usual_sides(len(names))
    return tuple(Seat(name, SIDES[sides[at]], COLOURS[at % len(COLOURS)]) for at, name in enumerate(names))


def usual_sides(count: int) -> tuple[int, ...]:
    """At which of the four sides so many players sit, clockwise; where there are more than sides, some sit beside each other.

    >>> usual_sides(2), usual_sides(3), usual_sides(6)
    ((0, 2), (0, 1, 3), (0, 0, 1, 2, 2, 3))
    """
    return (0, 1, 3) if count == 3 else tuple(seat * len(SIDES) // count for seat in range(count))


def printed_slots(profile: Profile, image: NDArray[np.uint8]) -> dict[str, Point]:
    """The middles of the slots of the mats that lie there, in the table frame; empty where none is seen. image: (H, W, 3) BGR."""
    tags = find_tags(image, only=frozenset[int]().union(*(mat.tag_ids for mat in MATS)))
    found: dict[str, Point] = {}
    for mat in MATS:
        place = place_of(mat, [tag for tag in tags if tag.id in mat.tag_ids], profile)
        if place is None:
            continue
        x, y, turn = place
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        middles = {name: rotation @ np.array(slot.center) + (x, y) for name, slot in mat.slots.items()}
        found |= {name: (float(middle[0]), float(middle[1])) for name, middle in middles.items()}
    return found
