"""The games for one player on the table. Every tile is there once, so its place is its name, wherever it lies.

Places: `("tile", low, high)`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import cos, dist, pi, sin
from typing import Any

from engine.actions import Action
from engine.core import Verdict
from engine.pieces import DOUBLE_SIX, Tile
from engine.solo import elimination, knock_out
from engine.solo.common import Half
from engine.words import listed, say
from referee.chain import joined
from referee.geometry import FIRM, Rect, half_side, rect_of
from referee.readers.follow import BLANK, all_open, blank, chance_of, recognised, sight_of
from referee.reading import Breach, Difference, Expected, Laid, Place, Proposal, Reader, Reading, Sight
from referee.setting import Point
from vision.degrees import EVEN, HALF, LITTLE, PLAIN, nats_against
from vision.observation import Observation, SeenTile
from vision.plane import HALF_MM


def named(seen: Iterable[SeenTile], known: Sequence[Tile]) -> dict[int, Tile]:
    """Which tile each seen one is, by its track: each known tile once, the surest first; then as they are read."""
    lying = [tile for tile in seen if tile.ends is not None]
    names = {track: name for name, track in recognised(lying, known, {}).items()}
    return {tile.track: names.get(tile.track) or Tile.of(*tile.ends) for tile in lying if tile.ends is not None}


def in_order(tile: Tile, sight: Sight) -> Half:
    """The ends of a tile as they are seen, the first first."""
    return min((tile.low, tile.high), (tile.high, tile.low), key=sight.cost)


def rows_of(tiles: Iterable[SeenTile], size: float, way: Callable[[SeenTile], float], along: Callable[[SeenTile], float],
            ) -> list[list[SeenTile]]:
    """Tiles by the rows, or columns, in which they lie. way: how far on the way from row to row a tile lies: the next one begins
    where that is more than `size` farther. along: how far along its row."""
    rows: list[list[SeenTile]] = []
    for tile in sorted(tiles, key=way):
        if not rows or way(tile) - way(rows[-1][-1]) > size:
            rows.append([])
        rows[-1].append(tile)
    return [sorted(row, key=along) for row in rows]


def tile_place(tile: Tile) -> Place:
    """The place of a tile that lies just anywhere."""
    return "tile", *tile


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is known from the looks before. size: the side of half a tile. deal: the tiles as they last lay all there. met: those
    seen since they were laid; None where that was before anybody looked.
    """

    size: float = HALF_MM
    deal: Action | None = None
    met: frozenset[Tile] | None = None


class SoloReader(Reader):
    """What the three games share; the deal lies open, so it is read as soon as all tiles are there, and noted in the reading.
    Whoever begins before that was believed has not spoiled it.
    """

    open_deal = True
    side_by_side = False  # whether the tiles of a row touch with their long sides
    unread: Any = Memory()

    def _upward(self, point: Point) -> float:
        """How far from the player's edge a point lies; what lies higher in her view is farther."""
        return self.setting.depth(0, point)

    def _rightward(self, point: Point) -> float:
        rx, ry = self.setting.seats[0].rightward
        return point[0] * rx + point[1] * ry

    def _known(self, state: Any) -> list[Tile]:
        """The tiles that should lie open."""
        return [Tile.of(*place[-2:]) for place in self._laid(state)] if state.chance != "deal" else list(DOUBLE_SIX)

    def read(self, seen: Observation, state: Any, memory: Any) -> Reading:
        """Every open tile at the place of its name."""
        known, memory = self._known(state), replace(memory, size=half_side(seen.tiles, memory.size))
        tiles = all_open(seen.tiles) if BLANK in known else seen.tiles
        names = named(tiles, known)
        lying = [tile for tile in tiles if tile.track in names]
        sights = {tile_place(names[tile.track]): sight_of(tile) for tile in lying}
        met = frozenset() if state.chance == "deal" else memory.met
        met = None if met is None else met | frozenset(names.values())
        memory = replace(memory, deal=self._whole(state, lying, names, memory), met=met)
        never = [] if met is None else [tile for tile in known if tile not in met]  # somebody told them: they lie there unseen
        return Reading(sights, hidden=frozenset(map(tile_place, never)), noted=memory)

    def _whole(self, state: Any, lying: list[SeenTile], names: Mapping[int, Tile], memory: Any) -> Action | None:
        """What is dealt, as the tiles lie, or as they last lay all there, plain to read; None where the line is laid already."""
        if state.chance != "deal":
            return None
        lying, names = self._with_double_blank(lying, names)
        deal = self._deal(lying, names, memory.size)
        plain = not self._doubts((names[tile.track], tile) for tile in lying)
        return deal if plain and state.verify(deal) else memory.deal

    def _with_double_blank(self, lying: list[SeenTile], names: Mapping[int, Tile]) -> tuple[list[SeenTile], Mapping[int, Tile]]:
        """With the double blank, where it alone is not seen, as happens with wood on wood, and there is room for one tile."""
        if set(DOUBLE_SIX).difference(names.values()) != {BLANK}:
            return lying, names
        rooms = [room for one, other in combinations(lying, 2) if (room := self._room(one, other)) is not None
                 and not any(dist(tile.center, room) < tile.width / 2 for tile in lying)]
        if len(rooms) != 1:
            return lying, names
        unseen = blank(replace(lying[0], track=-1, center=rooms[0]))  # nothing seen has that track
        return [*lying, unseen], {**names, unseen.track: BLANK}

    def _room(self, one: SeenTile, other: SeenTile) -> Point | None:
        """The middle of the room between two tiles that lie in a row, where it is that of one tile."""
        step, way = (one.width, one.angle + pi / 2) if self.side_by_side else (one.length, one.angle)
        dx, dy = other.center[0] - one.center[0], other.center[1] - one.center[1]
        along, aside = abs(dx * cos(way) + dy * sin(way)), abs(dy * cos(way) - dx * sin(way))
        if abs(along - 2 * step) > HALF * step or aside > HALF * one.width:
            return None
        return (one.center[0] + other.center[0]) / 2, (one.center[1] + other.center[1]) / 2

    @staticmethod
    def _doubts(read: Iterable[tuple[Tile, SeenTile | Sight]]) -> list[str]:
        """Which of the tiles, each with what is read there, may as well be another that lies nowhere else, in plain words."""
        known = dict(read)
        absent = [tile for tile in DOUBLE_SIX if tile not in known]
        found = []
        for tile, seen in known.items():
            chances = {each: chance_of(seen, each) for each in absent}
            if chance_of(seen, tile) < PLAIN * (chance_of(seen, tile) + sum(chances.values())):
                found.append(say("It is hard to see whether a tile is the {tile} or the {other}: let more light fall on it, or "
                                 "bring the camera nearer.", tile=tile, other=max(chances, key=chances.__getitem__)))
        return found

    @abstractmethod
    def _deal(self, lying: list[SeenTile], names: Mapping[int, Tile], size: float) -> Action:
        """What is dealt, as the tiles lie. names: which each is, by its track. size: the side of half a tile."""

    def _laid(self, state: Any) -> dict[Place, Laid]:
        """Every tile that is left, wherever it lies."""
        return {tile_place(Tile.of(*ends)): Laid((min(ends), max(ends)), True) for ends in state.row}

    def expected(self, state: Any, reading: Reading) -> Expected:
        """The open tiles."""
        return Expected(self._laid(state))

    def unready(self, state: Any, reading: Reading) -> list[str]:
        """Whether all tiles lie open, or did before somebody began."""
        lying, all_there = len(reading.tiles), len(DOUBLE_SIX)
        if lying == all_there or reading.noted.deal is not None:
            return []
        lacking = [tile for tile in DOUBLE_SIX if tile_place(tile) not in reading.tiles]
        if len(lacking) < LITTLE * all_there:  # few enough to be looked for
            return [say("All {all} tiles lie face up to begin; {lying} are seen, not {tiles}.", all=all_there, lying=lying,
                        tiles=listed(say("the {tile}", tile=tile) for tile in lacking))]  # fmt: skip
        return [say("All {all} tiles lie face up to begin; {lying} are seen.", all=all_there, lying=lying)]

    @staticmethod
    def _dealt(reading: Reading) -> list[Proposal]:
        """The deal, where all of it is seen."""
        return [Proposal(reading.noted.deal)] if reading.noted.deal is not None else []

    def _gone(self, state: Any, reading: Reading) -> list[Tile]:
        """The tiles that should lie there and do not any more."""
        return [Tile.of(*place[1:]) for place in self._laid(state) if place not in reading.tiles and place not in reading.hidden]

    def step(self, difference: Difference, state: Any) -> str:
        """One thing to do with the hands."""
        if difference.kind == "missing":
            return say("Put the {tile} back to where it lay.", tile=Tile.of(*difference.place[-2:]))
        if difference.kind == "wrong" and difference.seen is None:
            return say("Turn the {tile} face up again.", tile=Tile.of(*difference.place[-2:]))
        tile = Tile.of(*(difference.seen or difference.place[-2:]))
        return say("Take the {tile} off the table: it has left, or belongs to another set.", tile=tile)


class KnockOutReader(SoloReader):
    """Reads Knock-Out: the line is followed once, when it is laid; from then on it shows what has left."""

    def _deal(self, lying: list[SeenTile], names: Mapping[int, Tile], size: float) -> Action:
        """The line in its order, beginning at that of its ends that lies higher in the player's view."""
        path = self._path(lying, size)

        def high(tile: SeenTile) -> float:
            return self._upward(tile.center) - self._rightward(tile.center) / 4

        if path and high(path[-1][0]) > high(path[0][0]):
            path = [(tile, 1 - inner) for tile, inner in reversed(path)]
        return knock_out.Deal(tuple(in_order(names[tile.track], sight_of(tile, turned=inner == 1)) for tile, inner in path))

    def _path(self, lying: list[SeenTile], size: float) -> list[tuple[SeenTile, int]]:
        """All tiles one after the other, each with the half that comes first: what touches most firmly follows, then what
        lies nearest, for people break a long line into rows."""
        ports = [(at, half) for at in range(len(lying)) for half in (0, 1)]
        rects = {(at, half): rect_of(lying[at]).half(half) for at, half in ports}
        joints = sorted((self._apart(rects[one], rects[other], size), one, other) for one in ports for other in ports
                        if one[0] < other[0])
        taken, _ = joined(((one, other) for _, one, other in joints), len(lying))
        beside = {one: other for joint in taken for one, other in (joint, joint[::-1])}
        ends = [port for port in ports if port not in beside]
        if not ends:
            return []
        path, (at, half) = [], ends[0]
        while True:
            path.append((lying[at], half))
            if (at, 1 - half) not in beside:
                return path
            at, half = beside[at, 1 - half]

    def _apart(self, one: Rect, other: Rect, size: float) -> float:
        """How far apart two halves lie, in halves, below 0 where they touch; rows rather go on at the right than at the left."""
        firm = one.contact(other, size)
        if firm > FIRM:
            return -firm
        x0, _, x1, _ = self.setting.area  # a turn at the right edge may be one half longer than one at the left
        return dist(one.center, other.center) / size - self._rightward(one.center) / (x1 - x0)

    def proposals(self, state: knock_out.State, reading: Reading) -> list[Proposal]:
        """The line as it lies, then whatever knock fits a tile that has gone."""
        if state.chance == "deal":
            return self._dealt(reading)
        gone = set(self._gone(state, reading))
        return [Proposal(knock) for knock in state.legal() if isinstance(knock, knock_out.Knock)
                and (both := {Tile.of(*ends) for ends in state.row[knock.at : knock.at + 2]}) & gone
                and not any(tile_place(tile) in reading.tiles for tile in both)]

    def breaches(self, state: knock_out.State, reading: Reading) -> list[Breach]:
        """Two tiles taken that do not match where they touch."""
        gone = self._gone(state, reading)
        if len(gone) != 2:
            return []
        at, other = (at for at, ends in enumerate(state.row) if Tile.of(*ends) in gone)
        verdict = state.verify(knock_out.Knock(at))
        if other != at + 1:
            verdict = Verdict(False, "knock", say("The {tile} and the {other} do not touch.", tile=gone[0],
                                                    other=gone[1]), {"tiles": list(map(str, gone))})
        if verdict:
            return []
        words = say("{name} takes the {tile} and the {other} away.", name=self._name(0), tile=gone[0], other=gone[1])
        return [Breach(verdict, self.expected(state, reading).without(*map(tile_place, gone)), words, 0.0, None, 0)]

    def words(self, state: knock_out.State, action: Action) -> str:
        """As a player would say it."""
        if not isinstance(action, knock_out.Knock):
            return say("The line is laid.") if isinstance(action, knock_out.Deal) else say("{name} stops.", name=self._name(0))
        after = state.after(action)
        gone = [str(Tile.of(*ends)) for ends in state.row if ends not in after.row]
        return say("{name} knocks out {tiles}.", name=self._name(0), tiles=listed(say("the {tile}", tile=tile) for tile in gone))


class EliminationReader(SoloReader):
    """Reads Domino Elimination: the counting itself is certain, so only a tile that leaves has to be seen."""

    side_by_side = True

    def _deal(self, lying: list[SeenTile], names: Mapping[int, Tile], size: float) -> Action:
        """The tiles side by side, from left to right; where people lay several rows, the upper one first."""
        rows = rows_of(lying, size, lambda tile: -self._upward(tile.center), lambda tile: self._rightward(tile.center))
        return elimination.Deal(tuple(names[tile.track] for row in rows for tile in row))

    def proposals(self, state: elimination.State, reading: Reading) -> list[Proposal]:
        """The row as it lies, then the touch with which a tile leaves; one that nobody has seen leaves before others do."""
        if state.chance == "deal":
            return self._dealt(reading)
        if state.turn is None:
            return []
        gone, due = self._gone(state, reading), state.row[state.at]
        return [Proposal(elimination.TOUCH)] if due in gone or (gone and tile_place(due) in reading.hidden) else []

    def breaches(self, state: elimination.State, reading: Reading) -> list[Breach]:
        """One tile taken that does not leave now."""
        gone = self._gone(state, reading)
        if len(gone) != 1 or gone[0] == state.row[state.at]:
            return []
        due = state.row[state.at]
        verdict = Verdict(False, "leave", say("The {due} leaves next, on the {count}; the {gone} stays.", due=due,
                                              count=state.count, gone=gone[0]),
                          {"tile": str(gone[0]), "due": str(due), "count": state.count}, (elimination.TOUCH,))
        words = say("{name} takes the {tile} away.", name=self._name(0), tile=gone[0])
        slip = -nats_against(EVEN)  # in counting, the commonest breach of all
        return [Breach(verdict, self.expected(state, reading).without(*map(tile_place, gone)), words, slip, None, 0)]

    def words(self, state: elimination.State, action: Action) -> str:
        """As a player would say it."""
        if isinstance(action, elimination.Deal):
            return say("The row is laid.")
        tile = state.row[state.at]
        return (say("{count}: the {tile} leaves.", count=state.count, tile=tile) if tile.pips == state.count
                else say("{count}: the {tile} stays.", count=state.count, tile=tile))  # fmt: skip
