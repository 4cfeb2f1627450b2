"""Virtual players: they play a game with their hands on the simulated table, and make the mistakes that people make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any, Protocol

import numpy as np

from engine.actions import Action
from engine.engine191.actions import Bid
from engine.engine191.game import State as Engine191
from engine.playout import choose, deal_on
from engine.state import State
from simulator.layouts import LYING
from simulator.staging.setting import Plan, Setting, pressed
from simulator.tabletop.happenings import (
    Bump,
    Carry,
    Happening,
    Lighting,
    Move,
    Rest,
    Still,
    Together,
    Wash,
    order,
)
from simulator.tabletop.lying import Chip, Die, Tabletop, Thing, Tile
from simulator.tabletop.render import Light


class Stage(Protocol):
    """What lays the states of one game."""

    setting: Setting

    def plan(self, state: Any) -> Plan:
        """The meant places of everything in this state."""

    def lay(self, state: Any) -> Tabletop:
        """The table as people have laid this state."""


@dataclass(frozen=True, slots=True)
class Mischief:
    """How often things go wrong, as shares of the turns. wrong: an illegal play, taken back later; take_back: a legal
    one; nudge: a tile is pushed a little; together: the next seat plays at once; rest: a hand stays over the table;
    bump: of the camera; lamp: switched."""

    wrong: float = 0.0
    take_back: float = 0.0
    nudge: float = 0.0
    together: float = 0.0
    rest: float = 0.0
    bump: float = 0.0
    lamp: float = 0.0


TOLD_LATER = ("skip", "pass")
"""What is told by the next tile alone."""

SHOWN_S = 6.0
"""For so long shown hands lie before they are washed."""

CALM = Mischief()
LIVELY = Mischief(0.06, 0.04, 0.08, 0.05, 0.06, 0.02, 0.02)


def turn(before: Thing | None, after: Thing | None) -> float:
    """What a hand does first: takes its own tile, then puts tiles in order, then turns new ones up, then pays."""
    if isinstance(after, Chip) or isinstance(before, Chip):
        return 9
    if after is None:
        return 0
    if isinstance(after, Tile):
        if after.pose != LYING:
            return 1
        if isinstance(before, Tile) and before.pose != LYING:
            return 2
        if isinstance(before, Tile) and before.up:
            return 3 + after.x / 10_000  # the row from its left end
        return 5
    return 6


class Players:
    """Play a game from a state on; iterate `happenings()` once. `state` and `table` are as they are after the last one."""

    def __init__(self, state: State, stage: Stage, seed: int = 0, mischief: Mischief = CALM, most: int = 10_000) -> None:
        self.state, self.stage, self.mischief, self.most = state, stage, mischief, most
        self.rng, self.dice = Random(seed), np.random.default_rng([seed, 10])
        self.unseen: list[Action] = []  # what was done since the last move and left no trace on the table
        self.nudged: dict[str, tuple[Tile, Tile]] = {}  # as it was laid, as it lies
        deal_on(state, self.rng)
        self.table = self._lay(state)

    def _lay(self, state: State) -> Tabletop:
        """The table of a state; what was pushed stays where it is until the game moves it or needs its place."""
        table = self.stage.lay(state)
        self.nudged = {name: (laid, pushed) for name, (laid, pushed) in self.nudged.items()
                       if name in table and table[name] == laid and self._free(pushed, table)}
        return table.put(*(pushed for _, pushed in self.nudged.values()))

    def _free(self, tile: Tile, table: Tabletop) -> bool:
        """Whether a tile that was pushed here lies in no other."""
        setting = self.stage.setting
        near = (other for other in table if isinstance(other, Tile) and other.name != tile.name
                and np.hypot(other.x - tile.x, other.y - tile.y) < 2 * setting.length)
        return all(pressed(tile, other, setting.length, setting.width) < 0.8 for other in near)

    def happenings(self) -> Iterator[Happening]:
        """What happens until the game is over, or `most` turns are played and all bids are shown."""
        turns = 0
        while self.state.outcome() is None and (turns < self.most or any(isinstance(each, Bid) for each in self.unseen)):
            turns += 1
            yield from self._mishaps()
            yield from self._turn()
        while self.state.outcome() is None and self.unseen and self.unseen[-1].kind in TOLD_LATER:
            self.unseen.pop()
        if self.unseen:
            yield Move(0, (), tuple(self.unseen), state=self.state.copy())

    def _chance(self, share: float) -> bool:
        return self.rng.random() < share

    def _choose(self) -> Action:
        """Any legal action that has room on the table; who can bid a double mostly does."""
        legal = self.state.legal()
        doubles = [action for action in legal if isinstance(action, Bid) and action.tile.is_double]
        if doubles and self._chance(0.7):
            return doubles[0]
        fits = getattr(self.stage, "fits", None)
        if fits is not None:
            seat, laid = self.state.turn, getattr(self.stage, "laid", None)
            before = [action for action in legal if action.kind != "play" or fits(seat, action)]
            legal = before or [play for play in legal if laid and self._free(laid("", seat, play), self.table)] or legal
        return choose(legal, self.rng)

    def _turn(self) -> Iterator[Happening]:
        action = self._choose()
        if self._chance(self.mischief.wrong):
            yield from self._wrong()
        if self._chance(self.mischief.take_back):
            yield from self._taken_back(action)
        if isinstance(action, Bid) and self.state.turn == self.state.players - 1:
            yield from self._bids_shown(action)
            return
        made = [self._made(action)]
        hurried = isinstance(made[0], Move) and not isinstance(action, Bid) and self._chance(self.mischief.together)
        if hurried and not self._round_over:
            made.append(self._made(self._choose()))
        first, other = made[0], made[-1]
        if isinstance(first, Move) and isinstance(other, Move) and other.seat != first.seat and _apart(first, other):
            yield Together((first, other), apart=self.rng.uniform(0.3, 1.0), wait=first.wait)
        else:
            yield from (each for each in made if each is not None)
        if self._round_over:
            yield from self._next_round()

    def _bids_shown(self, last: Bid) -> Iterator[Happening]:
        """All bids are laid open before their seats; then the main station goes to the middle, the others back to hands."""
        state = self.state
        assert isinstance(state, Engine191)
        bids = [str(bid) for bid in (*state.bids[:-1], last.tile)]
        tiles = tuple(self._opened(seat, bid, 0.0, 70.0) for seat, bid in enumerate(bids))
        self.unseen.append(last)
        state.push(last)
        self.table = self.table.put(*tiles)
        yield Move(state.players - 1, (Carry(tiles),), tuple(self.unseen), state=state.copy(), wait=self.rng.uniform(0.8, 2.5))
        self.unseen.clear()
        if not self._round_over:
            before, self.table = self.table, self._lay(state)
            yield Move(state.turn or 0, order(before, self.table, turn), (), state=state.copy(), wait=self.rng.uniform(2.5, 4.0))
        else:
            yield from self._dealt_anew(2.0)

    @property
    def _round_over(self) -> bool:
        """Whether all that is left of a round is to show the hands and to deal again."""
        return self.state.chance == "deal" or self.state.outcome() is not None

    def _next_round(self) -> Iterator[Happening]:
        """Whoever holds tiles lays them open before her seat, to be counted; then all are washed and dealt anew."""
        shows = any(chance.kind == "show" for chance in self.state.CHANCE)
        holding = list(enumerate(self.state.hands)) if shows else []
        for seat, hand in holding:
            if hand or self.unseen:
                tiles = self._open(seat, [str(tile) for tile in hand])
                self.table = self.table.put(*tiles)
                yield Move(seat, (Carry(tiles),), tuple(self.unseen), state=self.state.copy(), wait=self.rng.uniform(1.0, 2.0))
                self.unseen.clear()
        if self.state.chance == "deal":
            yield from self._dealt_anew(SHOWN_S if holding else 2.0)

    def _dealt_anew(self, wait: float) -> Iterator[Happening]:
        """All tiles are washed and dealt."""
        self.unseen.clear()
        deal_on(self.state, self.rng)
        self.table = self._lay(self.state)
        yield Wash(self.table, self.state.copy(), wait=wait)
        yield Still(self.rng.uniform(3.0, 6.0))  # all look at what they were dealt

    def _open(self, seat: int, names: list[str]) -> tuple[Tile, ...]:
        """The tiles of a rack, laid open in a row before its seat, where there is room for them; in two where one is too long."""
        setting, laid = self.stage.setting, []
        for rows, deep, aside in product((1, 2), (40.0, 100.0, 160.0, 220.0), (0.0, -120.0, 120.0, -200.0, 200.0)):
            long = -(-len(names) // rows)
            laid = [self._opened(seat, name, aside + (at % long - (long - 1) / 2) * (setting.width + 8),
                                 deep + at // long * (setting.length + 8)) for at, name in enumerate(names)]
            if all(self._free(tile, self.table) for tile in laid):
                break
        return tuple(laid)

    def _opened(self, seat: int, name: str, u: float, v: float) -> Tile:
        standing, setting = self.table[name], self.stage.setting
        assert isinstance(standing, Tile)
        x, y = setting.at(seat, u, v)
        return replace(standing, x=x, y=y, angle=setting.facing(seat) + np.pi / 2, pose=LYING, up=True)

    def _made(self, action: Action) -> Move | None:
        """Do an action; the move that shows it, or None where nothing is to be seen."""
        seat = self.state.turn or 0
        before = self.table
        self.state.push(action)
        done = getattr(self.stage, "done", None)
        if done is not None:
            done(action)
        self.unseen.append(action)
        if not self._round_over:
            deal_on(self.state, self.rng)
        self.table = self._lay(self.state)
        carries = _pushed(before, self.table) if action.kind == "shift" else order(before, self.table, turn)
        if not carries and action.kind not in ("claim", "muggins"):  # these are said on the page
            return None
        laid = [thing for carry in carries for thing in carry.to]
        if action.kind == "pass" and all(isinstance(thing, Chip) for thing in laid):
            # a marker is laid and no die rolled, which only players need: what was done is told by what comes after it
            return Move(seat, carries, note="marker", wait=self.rng.uniform(0.8, 2.5))
        if isinstance(action, Bid):  # what was bid counts when all is shown
            return Move(seat, carries, wait=self.rng.uniform(0.8, 2.5))
        actions = tuple(self.unseen)
        self.unseen.clear()
        return Move(seat, carries, actions, state=self.state.copy(), wait=self.rng.uniform(0.8, 2.5))

    def _mishaps(self) -> Iterator[Happening]:
        odds, seat = self.mischief, self.state.turn or 0
        if self._chance(odds.rest):
            x, y = self.dice.uniform(-200, 200, 2)
            yield Rest(seat, (float(x), float(y)), self.rng.uniform(2, 6))
        if self._chance(odds.bump):
            angle, far = self.rng.uniform(0, 6.3), self.rng.uniform(5, 40)
            yield Bump(far * float(np.cos(angle)), far * float(np.sin(angle)), float(np.radians(self.rng.uniform(1, 5))) *
                       self.rng.choice((-1, 1)))
        if self._chance(odds.lamp):
            lamps = tuple(self.rng.choice((0.25, 1.0, 1.4)) for _ in range(2))
            yield Lighting(Light(lamps, self.rng.uniform(0.6, 1.3)), self.rng.uniform(0.1, 2.0))
        if self._chance(odds.nudge):
            yield from self._nudge(seat)

    def _nudge(self, seat: int) -> Iterator[Happening]:
        """A tile is pushed a little, where there is room."""
        lying = [thing for thing in self.table if isinstance(thing, Tile) and thing.pose == LYING and not thing.level]
        for tile in self.rng.sample(lying, min(8, len(lying))):
            x, y = self.dice.normal(0, 3, 2)
            turned = tile.angle + float(self.dice.normal(0, 0.06))
            pushed = replace(tile, x=tile.x + float(x), y=tile.y + float(y), angle=turned)
            if self._free(pushed, self.table):
                self.nudged[tile.name] = (self.nudged.get(tile.name, (tile, tile))[0], pushed)
                self.table = self.table.put(pushed)
                yield Move(seat, (Carry((pushed,), slide=True),), note="nudge")
                return

    def _wrong(self) -> Iterator[Happening]:
        """A play that breaks a rule, and after a while its taking back."""
        fault = getattr(self.stage, "fault", None)
        found = fault(self.state, self.table, self._lay, self.rng) if fault is not None else None
        if found is not None:
            move = Move(found.seat, (), (), "wrong", found.rule)
            yield from self._back_again(move, found.table, self.rng.uniform(3.5, 6.0))

    def _taken_back(self, instead: Action) -> Iterator[Happening]:
        """A legal play that is taken back at once."""
        others = [a for a in self.state.legal() if a.kind == "play" and a != instead]
        fits = getattr(self.stage, "fits", None)
        others = [a for a in others if fits is None or fits(self.state.turn, a)]
        if others:
            yield from self._there_and_back(self.rng.choice(others), self.rng.uniform(1.0, 4.0))

    def _there_and_back(self, action: Action, wait: float) -> Iterator[Happening]:
        seat = self.state.turn or 0
        tried = self.state.copy()
        try:
            tried.push(action)
        except (ValueError, IndexError, KeyError):
            return  # the engine knows no table after this
        if tried.chance:
            return
        move = Move(seat, (), (*self.unseen, action), state=tried)
        self.unseen.clear()
        yield from self._back_again(move, self._lay(tried), wait)

    def _back_again(self, move: Move, after: Tabletop, wait: float) -> Iterator[Happening]:
        """A move to another table, and after so many seconds back to this one."""
        carries = order(self.table, after, turn)
        if not carries:
            self._lay(self.state)
            return
        yield replace(move, carries=carries, wait=self.rng.uniform(0.8, 2.0))
        self.table = self._lay(self.state)
        yield Move(move.seat, order(after, self.table, turn), (), "take-back", state=self.state.copy(), wait=wait)


def _pushed(before: Tabletop, after: Tabletop) -> tuple[Carry, ...]:
    """A strip of a board is pushed on: what leaves at its end is put aside first, and comes in at its beginning."""
    pairs = [(a, b) for a, b in before.changed(after) if a is not None and b is not None]
    board = [(a, b) for a, b in pairs if np.hypot(a.x - b.x, a.y - b.y) > 15 and not isinstance(b, Die)]
    near = [(a, b) for a, b in board if np.hypot(a.x - b.x, a.y - b.y) < 100]
    far = [(a, b) for a, b in board if np.hypot(a.x - b.x, a.y - b.y) >= 100]
    if not near or not far:
        return order(before, after, turn)
    dx, dy = near[0][1].x - near[0][0].x, near[0][1].y - near[0][0].y
    aside = tuple(replace(a, x=a.x + 1.3 * dx, y=a.y + 1.3 * dy) for a, _ in far)
    group = (Carry(aside), Carry(tuple(b for _, b in near), slide=True), Carry(tuple(b for _, b in far)))
    reached = before.put(*(b for _, b in board))
    return group + order(reached, after, turn)


def _apart(one: Move, other: Move) -> bool:
    """Whether two moves carry something each, and nothing that both carry."""
    names = [{thing.name for carry in move.carries for thing in carry.to} for move in (one, other)]
    return all(names) and not names[0] & names[1]
