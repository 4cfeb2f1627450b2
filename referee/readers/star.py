"""Lines that grow from one tile, as they are followed by contact: known tiles first, then new ones; and those that grow from one
in the middle of the table, a star.

Places of a star: `(what, name, 1)`, `(what, name, 2)` ... outward, where `what` is what the game calls such a line.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import dist
from typing import Generic

from engine.pieces import Tile
from referee.geometry import FAINT, FIRM
from referee.readers.follow import Knot, Name, chance_of, continued, crosswise, grown, outer_half
from referee.reading import Ends, Place, Sight
from vision.degrees import RARELY
from vision.observation import SeenTile

Begun = tuple[int, Knot]


def may_be(seen: SeenTile, tile: Tile) -> bool:
    """Whether a seen tile may be this one, by what else it looks like: many pips are hardly ever read surely."""
    return chance_of(seen, tile) > RARELY * float(seen.probabilities.max(axis=1).prod())


def matches(knot: Knot, seen: SeenTile, outer: int) -> bool:
    """Whether a tile shows the number of the tip that it lies against."""
    return seen.ends is not None and seen.ends[1 - outer] == knot.sight().ends[1]


@dataclass(eq=False)
class Growth(ABC, Generic[Name]):
    """Lines as they are followed. What is placed leaves `up` and `blanks`, and stands in `tiles`.

    within: what the places of its tiles begin with. half: the side of half a tile. blanks: face-down tiles as double blanks,
    which look like backs: one at an end that it fits is the double blank. lay: every tile as it was seen before. tips: where
    lines go on that have begun; lengths: how many of their tiles lie there, below 0 where one begins beyond tiles that are not
    seen. across: places of new tiles that lie across their line.
    """

    within: Place
    half: float
    up: dict[int, SeenTile]
    blanks: dict[int, SeenTile]
    tiles: dict[Place, Sight]
    lay: Mapping[Place, Sight]
    tips: dict[Name, Knot] = field(default_factory=dict, init=False)
    lengths: Counter[Name] = field(default_factory=Counter, init=False)
    across: set[Place] = field(default_factory=set, init=False)

    def place(self, name: Name, at: int) -> Place:
        """Where the tile of a line lies that is so far outward, 1 for the first."""
        return *self.within, name, at

    @abstractmethod
    def more(self) -> tuple[Name, Knot] | None:
        """The next new tile, and its line."""

    def grow(self) -> None:
        """Place all tiles that newly continue or begin a line."""
        while more := self.more():
            name, knot = more
            if name in self.tips and crosswise(self.tips[name], knot.tile):
                self.across.add(self.place(name, self.lengths[name] + 1))
            self.put(name, self.lengths[name] + 1, knot)

    def put(self, name: Name, at: int, knot: Knot) -> None:
        """Place a tile as the next of a line. What comes after it may lie as loosely as the tiles of its line do."""
        if name in self.tips and at == self.lengths[name] + 1:
            tip = self.tips[name]
            knot = knot._replace(firm=min(tip.firm, max(FAINT, tip.contact(knot.tile, self.half)[0])))
        self.tiles[self.place(name, at)] = knot.sight()
        self.tips[name], self.lengths[name] = knot, at
        if self.up.pop(knot.tile.track, None) is None:
            self.blanks.clear()  # a set has one

    def there(self, place: Place, among: Mapping[int, SeenTile]) -> dict[int, SeenTile]:
        """Of these the tile that lay at a place before."""
        track = self.lay[place].track if place in self.lay else -1
        return {track: among[track]} if track in among else {}


@dataclass(eq=False)
class Star(Growth[int]):
    """The lines of a star. begun: a tile that begins a line; one that matches its hub may lie a little apart from it."""

    hub: SeenTile
    begun: Callable[[Star], Begun | None]

    def know(self, lines: Sequence[Sequence[Ends]], apart: int | None = None) -> None:
        """Place the tiles that are known to lie there, (inner, outer) each; the line called `apart` does not begin at the hub."""
        places = [[self.place(name, at) for at in range(1, len(line) + 1)] for name, line in enumerate(lines)]
        stay = [{track for place in row for track in self._unmoved(place, self.there(place, self.up))} for row in places]
        for name, line in enumerate(lines):
            others = set[int]().union(*stay[:name], *stay[name + 1 :]) - stay[name]
            for at, (place, ends) in enumerate(zip(places[name], line, strict=True), 1):
                lost = at - 1 - self.lengths[name]
                among = self.up if any(ends) else self.up | self.blanks
                among = {track: tile for track, tile in among.items() if track not in others}
                among = self._unmoved(place, among) if lost else among
                tip = self.tips.get(name, None if name == apart else Knot(self.hub, 0))
                knot = self._known(place, tip, ends, among, lost + (at == 1))
                if knot is None:
                    continue
                if lost and not Tile.of(*ends).is_double:
                    knot = Knot(knot.tile, outer_half(knot.tile, ends[1]))
                self.put(name, at, knot)

    def more(self) -> tuple[int, Knot] | None:
        """What lies against a tip; one that matches may lie a little apart from it."""
        ends = {name: tip for name, tip in self.tips.items() if 0 in tip.sight().ends[1:]}
        return (grown(self.tips, self.up.values(), self.half) or self.begun(self)
                or grown(ends, self.blanks.values(), self.half) or grown(self.tips, self.up.values(), self.half, matches))

    def _known(self, place: Place, tip: Knot | None, ends: Ends, among: Mapping[int, SeenTile], lost: int) -> Knot | None:
        """The tile at a known place: where it lay before, or wherever it continues its line, if that has begun."""
        tile, there = Tile.of(*ends), self.there(place, among)
        if tip is None:
            apart = (each for each in among.values() if Knot(self.hub, 0).contact(each, self.half)[0] < FIRM)
            seen = max(apart, key=lambda each: (each.track in there, chance_of(each, tile)), default=None)
            return Knot(seen, outer_half(seen, ends[1])) if seen is not None and chance_of(seen, tile) > RARELY else None
        knot = continued(tip, ends, there, lost, self.half)
        stays = [each for each in self._unmoved(place, there).values() if may_be(each, tile)]
        if knot is None and stays:
            knot = Knot(stays[0], outer_half(stays[0], ends[1]))  # it lies as it did, a little apart from its line
        return knot or continued(tip, ends, among, lost, self.half)

    def _unmoved(self, place: Place, among: Mapping[int, SeenTile]) -> dict[int, SeenTile]:
        """Those that lie no farther than a tile's length from where that of a place lay before, if that is known: beyond a gap
        others were taken out of the line."""
        lay = self.lay.get(place)
        return {track: tile for track, tile in among.items()
                if lay is None or dist(tile.center, lay.center) < 2 * self.half}
