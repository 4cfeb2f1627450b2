"""A make-believe table for the referee's tests: tiles and chips with poses, moved as hands would, seen as a camera would."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, pi, sin
from random import Random
from typing import Any

import numpy as np

from engine.actions import Action, Show
from engine.euronimoes.actions import Buy
from engine.euronimoes.actions import Deal as MarketDeal
from engine.euronimoes.actions import Draw as PileDraw
from engine.euronimoes.actions import Play as GridPlay
from engine.lines.actions import Deal, Draw, Play
from engine.state import State
from referee.setting import Point, Setting
from vision.observation import Observation, SeenPiece, SeenTile, TableState

SIDE = 24.0  # half a tile, mm


@dataclass(frozen=True)
class Lying:
    """A tile on the table; ends None where it lies face down."""

    track: int
    center: Point
    angle: float
    ends: tuple[int, int] | None
    under: tuple[int, ...] = ()


@dataclass(frozen=True)
class Disc:
    track: int
    center: Point
    colour: str


@dataclass
class Eyes:
    """How a camera reads: `blur` spreads some of a half's chance over other numbers, `misread` swaps the likeliest."""

    rng: Random
    jitter: float = 0.3
    blur: float = 0.004
    misread: float = 0.0

    def half(self, number: int) -> np.ndarray:
        shown = number
        row = np.full(16, self.blur * self.rng.random() / 16)
        if self.rng.random() < self.misread:
            other = min(max(number + self.rng.choice((-1, 1)), 0), 6)
            doubt = self.rng.uniform(0.2, 0.7)
            row[other] += doubt
            row[number] += 1 - doubt
        else:
            row[shown] += 1
        return np.asarray(row / row.sum(), np.float32)

    def see(self, tile: Lying) -> SeenTile:
        rng = self.rng
        center = tile.center[0] + rng.gauss(0, self.jitter), tile.center[1] + rng.gauss(0, self.jitter)
        angle, ends = tile.angle + rng.gauss(0, 0.008), tile.ends
        if ends is not None and rng.random() < 0.5:
            angle, ends = angle + pi, (ends[1], ends[0])
        if ends is None:
            flat = np.full((2, 16), 1 / 16, np.float32)
            return SeenTile(tile.track, center, angle, 2 * SIDE, SIDE, None, flat, 0.98, tile.under)
        rows = np.stack([self.half(ends[0]), self.half(ends[1])])
        top = rows.argmax(axis=1)
        score = float(rows[0].max() * rows[1].max()) * 0.995
        return SeenTile(tile.track, center, angle, 2 * SIDE, SIDE, (int(top[0]), int(top[1])), rows, score, tile.under)


class Staged:
    """The table. `seen()` is an observation of it; the time goes on with each one."""

    def __init__(self, setting: Setting, seed: int = 0, slop: float = 1.0, step: float = 0.25) -> None:
        self.setting, self.rng, self.slop, self.step = setting, Random(seed), slop, step
        self.eyes = Eyes(Random(seed + 1))
        self.tiles: dict[int, Lying] = {}
        self.discs: dict[int, Disc] = {}
        self.time, self.frame, self._next = 0.0, 0, 1
        self.veiled: set[int] = set()

    def put(self, center: Point, angle: float, ends: tuple[int, int] | None, under: tuple[int, ...] = (),
            slop: float | None = None) -> int:
        slop = self.slop if slop is None else slop
        track = self._next
        self._next += 1
        middle = center[0] + self.rng.gauss(0, 0.6 * slop), center[1] + self.rng.gauss(0, 0.6 * slop)
        self.tiles[track] = Lying(track, middle, angle + self.rng.gauss(0, 0.02 * slop), ends, under)
        return track

    def chip(self, center: Point, colour: str) -> int:
        track = self._next
        self._next += 1
        self.discs[track] = Disc(track, center, colour)
        return track

    def move(self, track: int, dx: float, dy: float, turn: float = 0.0) -> None:
        tile = self.tiles[track]
        self.tiles[track] = replace(tile, center=(tile.center[0] + dx, tile.center[1] + dy), angle=tile.angle + turn)

    def flip(self, track: int, ends: tuple[int, int] | None) -> None:
        self.tiles[track] = replace(self.tiles[track], ends=ends)

    def seen(self, *, settled: bool = True, state: TableState = TableState.READY, without: tuple[int, ...] = (),
             reaching: int | None = None) -> Observation:
        self.time += self.step
        self.frame += 1
        tiles = tuple(replace(self.eyes.see(tile), veiled=track in self.veiled)
                      for track, tile in self.tiles.items() if track not in without)
        pieces = tuple(SeenPiece(disc.track, "chip", disc.center, 8.0, 0.0, {disc.colour: 0.99, "other": 0.01}, 0.98)
                       for disc in self.discs.values())
        veils: tuple[Any, ...] = ()
        if reaching is not None:
            (x, y), seat = self.setting.edge(reaching), self.setting.seats[reaching]
            (fx, fy), (rx, ry) = seat.forward, seat.rightward
            corners = [(-40, -60), (-40, 300), (40, 300), (40, -60)]
            veils = (np.array([(x + a * rx + b * fx, y + a * ry + b * fy) for a, b in corners], np.float32),)
        return Observation(self.time, self.frame, state, tiles, pieces, veils, "mm", settled)

    def reach(self, seat: int) -> Observation:
        """A hand over the table."""
        return self.seen(settled=False, state=TableState.HAND, reaching=seat)


def turned(direction: Point, way: int) -> Point:
    """A quarter turn, clockwise in the view for 1."""
    return (-direction[1] * way, direction[0] * way)


@dataclass
class Tip:
    point: Point
    direction: Point
    half: Point  # the middle of the outer half, or of a crosswise double
    reach: float  # from there to the side of the tile


class StagedLine(Staged):
    """Block & Draw as people lay it: doubles across, bends before the edge, gaps of a millimetre."""

    def __init__(self, setting: Setting, seed: int = 0, slop: float = 1.0, bends: float = 0.08) -> None:
        super().__init__(setting, seed, slop)
        self.bends = bends
        self.boneyard: list[int] = []
        self.places: dict[tuple[Any, ...], int] = {}
        self.tips: dict[str, Tip] = {}

    def deal(self, boneyard: int) -> None:
        self.tiles.clear()
        self.places, self.tips = {}, {}
        self.boneyard = [self.put((-260 + 54 * (at % 6), -260 + 30 * (at // 6)), self.rng.uniform(-0.3, 0.3), None)
                         for at in range(boneyard)]

    def do(self, state: State, action: Action) -> None:
        """What the hands do for an action; `state` is the full state before it."""
        if isinstance(action, Deal):
            self.deal(len(action.boneyard))
        elif isinstance(action, Draw):
            del self.tiles[self.boneyard.pop(self.rng.randrange(len(self.boneyard)))]
        elif isinstance(action, Play):
            self.lay(action)
        elif isinstance(action, Show):
            self.reveal(action.seat, [tuple(tile) for tile in action.tiles])

    def reveal(self, seat: int, tiles: list[Any]) -> None:
        (x, y), (fx, fy) = self.setting.edge(seat), self.setting.seats[seat].forward
        rx, ry = self.setting.seats[seat].rightward
        for at, ends in enumerate(tiles):
            across = (at - len(tiles) / 2) * 32
            self.put((x + 60 * fx + across * rx, y + 60 * fy + across * ry), self.setting.seats[seat].facing, ends)

    def lay(self, play: Play) -> int:
        inner, outer = play.laid
        if play.arm == "root":
            track = self._lay_root(play.tile)
            self.places[("root",)] = track
            return track
        return self.lay_at(play.arm, inner, outer)

    def _lay_root(self, ends: tuple[int, int]) -> int:
        low, high = ends
        if low == high:
            track = self.put((0, 60), pi / 2, (low, high))
            self.tips = {"left": Tip((-SIDE / 2, 60), (-1, 0), (0, 60), SIDE),
                         "right": Tip((SIDE / 2, 60), (1, 0), (0, 60), SIDE)}
        else:
            track = self.put((0, 60), 0, (low, high))
            self.tips = {"left": Tip((-SIDE, 60), (-1, 0), (-SIDE / 2, 60), SIDE / 2),
                         "right": Tip((SIDE, 60), (1, 0), (SIDE / 2, 60), SIDE / 2)}
        return track

    def lay_at(self, arm: str, inner: int, outer: int, gap: float | None = None) -> int:
        """Lay a tile with these ends against the tip of an arm, whether they fit or not."""
        tip = self.tips[arm]
        turn = self._must_turn(tip, arm)
        if turn:
            direction = turned(tip.direction, turn)
            point = tip.half[0] + direction[0] * tip.reach, tip.half[1] + direction[1] * tip.reach
            tip = Tip(point, direction, tip.half, tip.reach)
        gap = abs(self.rng.gauss(0, 0.8 * self.slop)) if gap is None else gap
        (x, y), (dx, dy) = tip.point, tip.direction
        x, y = x + dx * gap, y + dy * gap
        across = inner == outer and not turn
        along = SIDE / 2 if across else SIDE
        center = x + dx * along, y + dy * along
        angle = float(np.arctan2(dy, dx))
        track = self.put(center, angle + (pi / 2 if across else 0), (inner, outer))
        end = x + dx * 2 * along, y + dy * 2 * along
        half = center if across else (center[0] + dx * SIDE / 2, center[1] + dy * SIDE / 2)
        self.tips[arm] = Tip(end, tip.direction, half, SIDE if across else SIDE / 2)
        self.places[(arm, 1 + sum(place[0] == arm for place in self.places))] = track
        return track

    def _must_turn(self, tip: Tip, arm: str) -> int:
        """-1, 0 or 1: a line turns before the edge, and back after a short way; the left arm upward, the right one down."""
        (x, y), (dx, dy) = tip.point, tip.direction
        room = 255.0
        way = -1 if arm == "left" else 1
        if dx:
            if abs(x + dx * 2.2 * SIDE) > room or self.rng.random() < self.bends:
                return way if dx > 0 else -way
            return 0
        # a column of two tiles or so, then back inward
        start = 60.0
        if abs(y - start) % 72 > 50:
            inward = -1 if x > 0 else 1
            return 1 if (inward < 0) == (dy > 0) else -1
        return 0


@dataclass
class Cells:
    """Where a seat's grid lies: the middle of its cell (0, 0)."""

    origin: Point
    right: Point
    up: Point

    def at(self, cell: tuple[int, int]) -> Point:
        return (self.origin[0] + SIDE * 1.02 * (cell[0] * self.right[0] + cell[1] * self.up[0]),
                self.origin[1] + SIDE * 1.02 * (cell[0] * self.right[1] + cell[1] * self.up[1]))


class StagedMarket(Staged):
    """Euronimoes as people lay it: the market in the middle, a grid before each seat, chips in hand and bank."""

    def __init__(self, setting: Setting, seed: int = 0, slop: float = 1.0) -> None:
        super().__init__(setting, seed, slop)
        self.market: list[int | None] = [None] * 5
        self.pile: list[int] = []
        self.grids = [self._grid(seat) for seat in range(len(setting.seats))]
        self.tops: dict[tuple[int, tuple[int, int]], int] = {}
        self.placed: dict[tuple[Any, ...], int] = {}

    def _grid(self, seat: int) -> Cells:
        (x, y), it = self.setting.edge(seat), self.setting.seats[seat]
        angle = it.facing + self.rng.gauss(0, 0.02)
        origin = x + 190 * it.forward[0], y + 190 * it.forward[1]
        return Cells(origin, (-sin(angle), cos(angle)), (cos(angle), sin(angle)))

    def slot(self, at: int) -> Point:
        return -84.0 + 42 * at, -40.0

    def bank(self, seat: int, at: int) -> Point:
        return 40.0 + 40 * (seat % 2) + 18 * (at % 2), 20.0 + 40 * (seat // 2) + 18 * (at // 2)

    def purse(self, seat: int, at: int) -> Point:
        (x, y), it, aside = self.setting.edge(seat), self.setting.seats[seat], 150 + 20 * at
        return x + 70 * it.forward[0] + aside * it.rightward[0], y + 70 * it.forward[1] + aside * it.rightward[1]

    def do(self, state: Any, action: Action) -> None:
        if isinstance(action, MarketDeal):
            self.tiles.clear()
            self.discs.clear()
            for at, tile in enumerate(action.market):
                self.fill(at, tile)
            self.pile = [self.put((-70.0 + 15 * (at % 8), 40.0 + 12 * (at // 8)), self.rng.uniform(0, 3), None)
                         for at in range(len(action.pile))]
            for seat in range(state.players):
                self.chips(seat, 2)
        elif isinstance(action, Buy):
            self.take(action.slot)
            self.shift(action.slot)
            if state.pile:
                self.refill(state.pile[0])
            cost = (-1, 0, 1, 2, 3)[action.slot]
            self.chips(state.turn, min(state.chips[state.turn] - cost, 4))
        elif isinstance(action, PileDraw):
            del self.tiles[self.pile.pop()]
            self.rotate()
            self.chips(state.turn, min(state.chips[state.turn] + 1, 4))
        elif isinstance(action, GridPlay):
            self.lay(state.turn, action)

    def fill(self, at: int, tile: Any) -> None:
        self.market[at] = self.put(self.slot(at), pi / 2, tuple(tile), slop=2.5)

    def take(self, slot: int) -> None:
        track = self.market[slot]
        assert track is not None
        del self.tiles[track]
        self.market[slot] = None

    def shift(self, hole: int) -> None:
        for at in range(hole, 4):
            self._slide(at + 1, at)
        self.market[4] = None

    def _slide(self, source: int, goal: int) -> None:
        track = self.market[source]
        self.market[goal] = track
        if track is not None:
            (x, y), (ax, ay) = self.slot(goal), self.slot(source)
            self.move(track, x - ax, y - ay)

    def refill(self, tile: Any) -> None:
        del self.tiles[self.pile.pop()]
        self.fill(4, tile)

    def rotate(self) -> None:
        first = self.market[0]
        assert first is not None
        for at in range(4):
            self._slide(at + 1, at)
        self.market[4] = first
        (x, y), (ax, ay) = self.slot(4), self.slot(0)
        self.move(first, x - ax, y - ay)

    def chips(self, seat: int, in_hand: int) -> None:
        colour = self.setting.seats[seat].colour
        for track in [track for track, disc in self.discs.items() if disc.colour == colour]:
            del self.discs[track]
        for at in range(4):
            self.chip(self.purse(seat, at) if at < in_hand else self.bank(seat, at), colour)

    def lay(self, seat: int, play: GridPlay, off: Point = (0.0, 0.0)) -> int:
        grid = self.grids[seat]
        (x, y), (x2, y2) = grid.at(play.cells[0]), grid.at(play.cells[1])
        under = tuple(dict.fromkeys(self.tops[seat, cell] for cell in play.cells if (seat, cell) in self.tops))
        angle = float(np.arctan2(y2 - y, x2 - x))
        track = self.put(((x + x2) / 2 + off[0], (y + y2) / 2 + off[1]), angle, play.ends, under)
        for cell in play.cells:
            self.tops[seat, cell] = track
        self.placed["grid", seat, play.cells, play.level] = track
        return track


