"""How people break the rules of a line game so that it shows on the table: each kind by the rule it breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from engine.lines.actions import Play
from engine.lines.line import Line
from engine.pieces import HIGHEST_END
from engine.pieces import Tile as Domino
from simulator.layouts import LYING
from simulator.staging.setting import Fault
from simulator.tabletop.lying import Tabletop, Tile

if TYPE_CHECKING:
    from simulator.staging.lines import LineStage

AWAY = 45.0
"""A tile laid apart from the line lies so far from everything, mm."""


@dataclass(frozen=True)
class Moment:
    """The seat to move and its table, at which rules can be broken."""

    stage: LineStage
    state: Line
    table: Tabletop
    rng: Random

    @property
    def seat(self) -> int:
        return self.state.turn or 0

    def hand(self, seat: int | None = None) -> Iterator[Domino]:
        """The tiles of a seat's hand, in any order."""
        hand = self.state.hands[self.seat if seat is None else seat]
        yield from self.rng.sample(hand, len(hand))

    def misfits(self, rule: str) -> Iterator[Fault]:
        """Own tiles on open ends that they do not fit, or turned so that the wrong half touches."""
        for tile in self.hand():
            for arm, _ in self.state.open_ends():
                for end in self.rng.sample(tuple(tile), 2):
                    play = Play(tile, arm, end)
                    if self.state.verify(play).rule == rule:
                        yield from self._at(play, self.seat, rule)

    def strangers(self) -> Iterator[Fault]:
        """A tile of a larger set, brought along, on an open end."""
        larger = range(self.state.kit.highest + 1, HIGHEST_END + 1)[:3]
        for arm, number in self.state.open_ends() if larger else ():
            stranger = Domino.of(number, self.rng.choice(larger))
            yield from self._at(Play(stranger, arm, stranger.high), self.seat, "not-in-set")

    def copies(self) -> Iterator[Fault]:
        """A tile that lies in the line already, from a second set."""
        laid = [tile for tile in self.state.seen() if not any(tile in hand for hand in self.state.hands)
                and tile not in self.state.boneyard]
        for tile in self.rng.sample(laid, len(laid)):
            for arm, number in self.state.open_ends():
                for end in self.state.kit.fit(tile, number):
                    yield from self._at(Play(tile, arm, end), self.seat, "not-your-tile")

    def revokes(self) -> Iterator[Fault]:
        """A tile that fits, and fitted already when this seat drew or passed: so it cannot hold it."""
        known = self.state.project()
        own = self.state.hands[self.seat]
        others = [tile for tiles in (*self.state.hands, self.state.boneyard) for tile in tiles if tile not in own]
        for tile in self.rng.sample(others, len(others)):
            for play in known.plays_of([tile]):
                if known.verify(play).rule == "revoke":
                    yield from self._at(play, self.seat, "revoke")

    def too_early(self) -> Iterator[Fault]:
        """Another seat plays what would be legal in its turn; while there are tiles to draw nobody has passed before it."""
        if len(self.state.boneyard) <= self.state.rules.reserve:
            return
        for seat in self.rng.sample(range(self.state.players), self.state.players):
            for tile in self.hand(seat) if seat != self.seat else ():
                for play in self.state.plays_of([tile]):
                    assert isinstance(play, Play)
                    if not self._might_go_on(play, seat):
                        yield from self._at(play, seat, "out-of-turn")

    def _might_go_on(self, play: Play, seat: int) -> bool:
        """Whether the seat had a further tile to lay and let that go: nobody sees it, and it may as well be this one."""
        if self.state.last_pushed is None or self.state.last_pushed.kind != "skip":
            return False
        before = self.state.branch()
        before.pop()
        return before.turn == seat and bool(before.verify(play))

    def beside(self) -> Iterator[Fault]:
        """An own tile against the long side of a tile in the middle of the line, or on a spinner's side that is not open yet."""
        for tile, arm in product(self.hand(), self._closed_sides()):
            for end in self.rng.sample(tuple(tile), 2):
                yield from self._at(Play(tile, arm, end), self.seat, "arm")
        setting, line = self.stage.setting, self._in_a_row()
        for at in self.rng.sample(range(1, len(line) - 1), max(0, len(line) - 2)):
            target = self.table[line[at]]
            if not isinstance(target, Tile) or target.ends[0] == target.ends[1]:
                continue
            for side in self.rng.sample((-1, 1), 2):
                across = target.angle + side * np.pi / 2
                far = (setting.width + setting.length) / 2 + 1.5
                off = self.rng.choice((-1, 1)) * setting.width / 2
                x = target.x + far * np.cos(across) + off * np.cos(target.angle)
                y = target.y + far * np.sin(across) + off * np.sin(target.angle)
                yield from self._free("arm", float(x), float(y), float(across), frozenset(line[at - 1 : at + 2]))

    def _in_a_row(self) -> list[str]:
        """The tiles of the line from its left end to its right."""
        left, right = (self.stage.arms.get(arm, []) for arm in ("left", "right"))
        return [laid.tile.name for laid in left[::-1]] + [self.stage._root_tile.name] + [laid.tile.name for laid in right]

    def _closed_sides(self) -> list[str]:
        """The side arms of spinners of which an end is still free."""
        state, tips = self.state, {"root": self.state.root}
        tips |= {f"{name}.{len(arm) - 1}": Domino.of(*arm[-1]) for name, arm in state.arms() if arm}
        return [arm for place, tile in tips.items() if tile is not None for arm in state.sides_of(place, tile)
                if arm not in dict(state.arms()) | dict(state.open_ends())]

    def apart(self) -> Iterator[Fault]:
        """An own tile far from the line."""
        x0, y0, x1, y1 = self.stage.area
        for _ in range(40):
            x, y = self.rng.uniform(x0 + 80, x1 - 40), self.rng.uniform(y0 + 120, y1 - 120)
            yield from self._free("lead", x, y, self.rng.uniform(0, 2 * np.pi), frozenset(), AWAY)

    def low_leads(self) -> Iterator[Fault]:
        """A single leads though a double has to."""
        for tile in self.hand():
            if not tile.is_double and self.state.rules.no_double == "redeal" and self.state.leader is None:
                yield from self._at(Play(tile, "root", None), self.seat, "lead")

    def _at(self, play: Play, seat: int, rule: str) -> Iterator[Fault]:
        """The tile of a play where the line would go on with it."""
        tried = self.state.copy()
        tried.hands = tuple(tuple(tile for tile in hand if tile != play.tile) for hand in tried.hands)
        if play.arm == "root":
            tried.root = play.tile
        elif play.arm in ("left", "right"):
            name = f"{play.arm}_arm"
            setattr(tried, name, (*getattr(tried, name), play.laid))
        else:
            arms = dict(tried.side_arms)
            tried.side_arms = tuple((arms | {play.arm: (*arms.get(play.arm, ()), play.laid)}).items())
        lies = next((tile for tile in self.stage.lay(tried) if isinstance(tile, Tile) and tile.pose == LYING and tile.up
                     and Domino.of(*tile.ends) == play.tile and not self._lay_already(tile)), None)
        self.stage.plan(self.state)
        if lies is not None:
            in_hand = play.tile in self.state.hands[seat]
            yield Fault(rule, seat, self.table.put(lies if in_hand else replace(lies, name=f"{lies.name} stray")))

    def _lay_already(self, tile: Tile) -> bool:
        here = self.table.by_name.get(tile.name)
        return here is not None and bool(np.hypot(here.x - tile.x, here.y - tile.y) < 20)

    def _free(self, rule: str, x: float, y: float, angle: float, near: frozenset[str], clear: float = 9.0) -> Iterator[Fault]:
        tile = next(self.hand())
        lies = Tile(str(tile), x, y, angle, (tile.low, tile.high))
        if self.stage.room.free(lies, near, clear):
            yield Fault(rule, self.seat, self.table.put(lies))


KINDS: Mapping[str, Callable[[Moment], Iterator[Fault]]] = {
    "match": lambda moment: moment.misfits("match"), "open-end": lambda moment: moment.misfits("open-end"),
    "not-in-set": Moment.strangers, "not-your-tile": Moment.copies, "out-of-turn": Moment.too_early,
    "revoke": Moment.revokes, "arm": Moment.beside, "lead": Moment.apart,
}
"""What may go wrong while a line lies there, by the rule that is broken."""


def fault(stage: LineStage, state: Line, table: Tabletop, rng: Random) -> Fault | None:
    """One thing that may go wrong now, every rule as likely as another; None where nothing can."""
    moment = Moment(stage, state, table, rng)
    if state.phase == "lead":
        return next(moment.low_leads(), None)
    if len(state.boneyard) <= state.rules.reserve and not any(state.plays_of(hand) for hand in state.hands):
        return None  # blocked: the round is over, and all see it
    kinds = list(KINDS.values()) if state.phase == "play" else []
    found = (next(kind(moment), None) for kind in rng.sample(kinds, len(kinds)))
    return next((each for each in found if each is not None), None)
