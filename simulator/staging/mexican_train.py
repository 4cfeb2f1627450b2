"""Mexican Train on the table: the engine in the middle, a train towards every seat, the Mexican one apart, markers at trains."""

from __future__ import annotations

from random import Random

import numpy as np

from engine.mexican_train.actions import PASS, Play
from engine.mexican_train.game import State
from engine.pieces import HIGHEST_END
from engine.pieces import Tile as Domino
from simulator.staging.lines import MOST_ROWS, Laid, Room, ways_on
from simulator.staging.setting import SEATS, STREWN, Fault, Pile, Plan, Racks, Setting, named
from simulator.tabletop.lying import Chip, Tabletop, Tile

ALONE = 60.0
"""The Mexican train begins so far from everything, mm, so that nobody takes it for the train of a seat."""

FAR = 6
"""So many tiles at least should find room where it begins."""

KEPT = 2
"""So many tiles on from every other train the way is kept free."""


class MexicanTrainStage:
    """Lays the states of one game of Mexican Train; call `lay` with one state after another."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.racks = setting, Racks(setting)
        x0, y0, x1, y1 = setting.area
        tiles = (HIGHEST_END - 2) * (HIGHEST_END - 1) // 2
        self.columns = max(4, -(-tiles // MOST_ROWS))
        wide = self.columns * (setting.width + 5.0)
        self.corner = x1 - wide - 4, -tiles / self.columns / 2 * (setting.length + 6.0)
        self.area = (x0 + 20.0, y0 + 20.0, x1 - wide - 26, y1 - 20.0)
        self.middle = (self.area[0] + self.area[2]) / 2, (y0 + y1) / 2
        self.state: State | None = None  # as it was last laid
        self._reset(None)

    def _reset(self, engine: int | None) -> None:
        setting = self.setting
        self.engine = engine
        self.trains: list[list[Laid]] = [[] for _ in range(setting.players + 1)]
        self.pile = Pile(setting, *self.corner, self.columns)
        self.room = Room(self.area, setting.length, setting.width)
        for k, tag in enumerate(setting.corners()):
            self.room.block(f"tag {k}", tag.x, tag.y, 90, 90)
        self.hub = Tile("hub", *self.middle, 0.0, (engine or 0, engine or 0))
        self.room.boxes["hub"] = self.room.box(self.hub)

    def lay(self, state: State) -> Tabletop:
        """The table as people have laid this state."""
        return self.plan(state).laid()

    def plan(self, state: State) -> Plan:
        """The meant places of everything in this state."""
        plan = Plan(self.setting)
        engine = state.engine
        if engine != self.engine:
            self._reset(engine)
        self.state = state
        self._go_on(state)
        plan.add(Tile(str(Domino(engine, engine)), *self.middle, 0.0, (engine, engine)))
        for train in self.trains:
            for laid in train:
                plan.add(laid.tile)
        self._markers(state, plan)
        self.pile.add(plan, named(state.boneyard, "bone"))
        for seat, hand in enumerate(state.hands):
            self.racks.add(plan, seat, named(hand, f"hand {seat}"), per_row=8)
        return plan

    def _go_on(self, state: State) -> None:
        """Keep of each train what still lies, and go on with it."""
        for laid, train in zip(self.trains, state.trains, strict=True):
            same = 0
            while same < min(len(laid), len(train)) and laid[same].tile.ends == train[same]:
                same += 1
            for gone in laid[same:]:
                self.room.boxes.pop(gone.tile.name, None)
            del laid[same:]
        for name, train in enumerate(state.trains):
            for ends in train[len(self.trains[name]) :]:
                self.trains[name].append(self._next(name, ends))
                tile = self.trains[name][-1].tile
                self.room.boxes[tile.name] = self.room.box(tile)

    def _next(self, train: int, ends: tuple[int, int]) -> Laid:
        """Where a tile goes on a train; where the others go on people leave room."""
        spared = []
        for other, laid in enumerate(self.trains):
            if other != train and (laid or other < self.setting.players):
                tip = self._tip(other)
                for _ in range(KEPT):
                    tip = next(ways_on(tip, "spared", (0, 1), self.setting.length, self.setting.width, -1))
                    spared.append(tip.tile)
        return self.room.next(self._tip(train), ends, -1, spared=spared)

    def _tip(self, train: int) -> Laid:
        """What the next tile of a train goes on from."""
        return self.trains[train][-1] if self.trains[train] else self._start(train)

    def _start(self, train: int) -> Laid:
        """What a train begins from: the side of the engine that looks to its seat; for the Mexican one a place for itself."""
        setting = self.setting
        if train == setting.players:
            return self._alone()
        angle = SEATS[setting.players][train]
        way = (float(np.round(np.cos(angle))), float(np.round(np.sin(angle))))
        reach = setting.length / 2 if way[0] else setting.width / 2
        return Laid(self.hub, (self.middle[0] + way[0] * reach, self.middle[1] + way[1] * reach), way)

    def _alone(self) -> Laid:
        """A free place far from all, from which a train can go on furthest."""
        x0, y0, x1, y1 = self.area
        edge = 160.0  # nobody begins a train where hands are laid open
        best, most = Laid(Tile("start", x0 + edge, y0 + edge, 0.0, (0, 0)), (x0 + edge, y0 + edge), (1.0, 0.0)), -1
        for x in np.linspace(x0 + edge, x1 - edge / 2, 9).tolist():
            for y in np.linspace(y0 + edge, y1 - edge, 7).tolist():
                for way in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
                    start = Laid(Tile("start", x, y, 0.0, (0, 0)), (x, y), way)
                    first = next(ways_on(start, "first", (0, 1), self.setting.length, self.setting.width, -1))
                    if self.room.free(first.tile, frozenset(), ALONE):
                        far = self.room.outlook(first, -1, FAR)
                        if far > most:
                            best, most = start, far
        return best

    def _markers(self, state: State, plan: Plan) -> None:
        """A marker beside the first tile of every train that is open to all; beside the engine where none lies there."""
        setting = self.setting
        colours = setting.look.edition.chips
        for seat in (seat for seat, marked in enumerate(state.marked) if marked):
            angle = SEATS[setting.players][seat]
            out, aside = (np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))
            beside = setting.width / 2 + setting.look.edition.chip_mm[0] / 2 + 6
            x, y = (middle + setting.length * along + beside * across
                    for middle, along, across in zip(self.middle, out, aside, strict=True))
            plan.add(Chip(f"marker {seat}", float(x), float(y), 0.7 * seat, colours[seat]), STREWN)

    def fits(self, seat: int | None, action: Play) -> bool:
        """Whether there is room for a play where its train was last laid."""
        state = self.state
        if state is None:
            return True
        after = self._tip(action.train)
        end = state.end_of(action.train)
        ends = (end, action.tile.across(end)) if end in action.tile else (action.tile.low, action.tile.high)
        return any(self.room.free(laid.tile, frozenset({after.tile.name}), 3.0) and self.room.outlook(laid, -1, 1)
                   for laid in ways_on(after, str(action.tile), ends, self.setting.length, self.setting.width, -1))

    def fault(self, state: State, table: Tabletop, lay: object, rng: Random) -> Fault | None:
        """A tile that does not fit, on a train that is closed, on none, beside an open double, or out of turn."""
        if state.turn is None or state.phase not in ("play", "drawn"):
            return None
        begun = any(state.trains)  # until then nobody can tell who is to begin
        passes = PASS in state.project().legal() or state.pushed[-1].kind == "pass"  # then nobody can tell of the next seat
        late = range(state.players) if not state.boneyard else [(state.turn + 1) % state.players]
        moves = [(seat, tile, train, inner) for seat in range(state.players) for tile in state.hands[seat]
                 for train in range(len(state.trains)) for inner in set(tile)]
        found: dict[str, Fault] = {}
        for seat, tile, train, inner in rng.sample(moves, len(moves)):
            fits, play = inner == state.end_of(train), Play(tile, train)
            if seat == state.turn:
                verdict = state.verify(play)
                rule = verdict.rule if not verdict and ((fits and begun) or verdict.rule == "match") else None
            else:
                early = begun and fits and train == state.mexican and not (passes and seat in late)
                rule = "out-of-turn" if early and state.project().verify(play) else None
            if rule and rule not in found and self.fits(seat, play):
                lies = self._next(train, (inner, tile.across(inner))).tile
                found[rule] = Fault(rule, seat, table.put(lies))
        return found[rng.choice(sorted(found))] if found else None
