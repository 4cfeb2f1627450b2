"""Domino Solitaire on the table: columns of upright tiles, most of them face down at first.

Places: `("under", above, low, high)`, where `above` is the name of the open tile right above in its column, empty where
none lies there. What lies face down is not counted upon: touching backs are hard to tell apart, and follow from the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import cos, dist, log, sin

from engine.actions import Action
from engine.pieces import Tile
from engine.solo import solitaire
from engine.words import say
from referee.geometry import half_side
from referee.readers.follow import BLANK, blank, is_blank, sight_of
from referee.readers.solo import Memory as SoloMemory
from referee.readers.solo import SoloReader, in_order, named, rows_of
from referee.reading import Breach, Difference, Laid, Place, Proposal, Reading
from referee.setting import Point
from vision.observation import Observation, SeenTile


@dataclass(frozen=True, slots=True, eq=False)
class Memory(SoloMemory):
    """lies: where tiles lay in the last look; lay: in that in which the last action was understood, and the number of actions
    told then: hands may be at the next by now. moved: of each tile that lay open then whether it lay in another column in the
    last look. columns: how many there were, open or not. down: the tracks of what was dealt face down."""

    told: int = -1
    lay: Mapping[Tile, Point] = field(default_factory=dict)
    lies: Mapping[Tile, Point] = field(default_factory=dict)
    down: frozenset[int] = frozenset()
    columns: int = 0
    moved: Mapping[Tile, bool] = field(default_factory=dict)


class SolitaireReader(SoloReader):
    """Reads Domino Solitaire: what lies right above each open tile tells every move, wherever the columns stand."""

    unread = Memory()

    def read(self, seen: Observation, state: solitaire.State, memory: Memory) -> Reading:
        """Every open tile under the open one right above it."""
        memory = replace(memory, size=half_side(seen.tiles, memory.size), told=len(state.pushed),
                         lay=memory.lay if memory.told == len(state.pushed) else memory.lies)
        columns = self._upright(seen.tiles, memory.size)
        if state.chance == "deal":  # a lowest tile that shows no pips may be still to be turned up
            up, down = frozenset[int](), frozenset(tile.track for column in columns for tile in column[:-1])
        else:
            up, down = self._up(columns, state, memory), memory.down
        columns = [self._told_apart(column, up, down) for column in columns]
        columns = self._with_unseen(columns, state, memory)
        tiles = [tile for column in columns for tile in column]
        names = named(tiles, self._known(state))
        sights, lie = {}, {}
        for column in columns:
            above = ""
            for tile in column:
                if tile.track not in names:
                    above = ""
                    continue
                name = names[tile.track]
                sights["under", above, *name] = sight_of(tile, turned=self._upside_down(tile))
                above, lie[name] = str(name), tile.center
        lying = [tile for tile in tiles if tile.track in names]
        memory = replace(memory, deal=self._whole(state, lying, names, memory), moved=self._moved(tiles, names, memory),
                         lies=lie, down=down, columns=len(columns))
        return Reading(sights, hidden=frozenset() if BLANK in lie else frozenset({("under", "", *BLANK)}), noted=memory)

    def _moved(self, tiles: Iterable[SeenTile], names: Mapping[int, Tile], memory: Memory) -> dict[Tile, bool]:
        """Whether tiles lie in another column than they did."""
        return {name: abs(self._rightward(tile.center) - self._rightward(memory.lay[name])) > memory.size
                for tile in tiles if (name := names.get(tile.track)) in memory.lay and name is not None}

    def _up(self, columns: Sequence[Sequence[SeenTile]], state: solitaire.State, memory: Memory) -> frozenset[int]:
        """The tracks of what lies face up, though it may show no pips: what lies where the double blank lay, or right above a
        tile that was laid below it, or that has come there from another column; or the only one at the end of a column, where
        the double blank lies."""
        tiles = [tile for column in columns for tile in column]
        if BLANK in memory.lies:
            return frozenset(tile.track for tile in tiles if dist(tile.center, memory.lies[BLANK]) < tile.width / 2)
        names, above = named(tiles, self._known(state)), self._above(self._laid(state))
        below = {tile for tile, moved in self._moved(tiles, names, memory).items() if moved}
        below |= {tile for tile, name in above.items() if name == str(BLANK)}
        found = {tile.track for column in columns for tile, lower in pairwise(column)
                 if names.get(lower.track) in below and not _leave_room(tile, lower)}
        plain = [column[-1].track for column in columns if column[-1].ends is None or is_blank(column[-1])]
        if BLANK in above and len(plain) == 1:
            found |= {*plain}
        return frozenset(found)

    def _upright(self, tiles: Iterable[SeenTile], size: float) -> list[list[SeenTile]]:
        """The tiles by columns, from the left, each from its top."""
        return rows_of(tiles, size, lambda tile: self._rightward(tile.center), lambda tile: -self._upward(tile.center))

    @staticmethod
    def _told_apart(column: Sequence[SeenTile], up: Set[int], down: Set[int]) -> list[SeenTile]:
        """A column; which of its tiles without pips is the double blank, for a scratch may look like a bar: what lies below an
        open tile, or is known to lie face up, and nothing that was dealt face down and not turned up. up, down: their tracks."""
        told, below = [], False
        for tile in column:
            plain = tile.ends is None or is_blank(tile)
            if plain and (below or tile.track in up):
                told.append(blank(tile))
            else:
                told.append(replace(tile, ends=None) if plain and tile.track in down else tile)
            below |= not plain
        return told

    def _with_unseen(self, columns: list[list[SeenTile]], state: solitaire.State, memory: Memory) -> list[list[SeenTile]]:
        """The columns with the double blank where nothing is seen of it: above the tile that was laid below it, if there is room,
        and unless that has begun a column elsewhere; else where it lay."""
        tiles, known = [tile for column in columns for tile in column], self._known(state)
        names = named(tiles, known)
        if state.chance == "deal" or BLANK not in known or BLANK in names.values():
            return columns
        above, lay = self._above(self._laid(state)), memory.lies.get(BLANK)
        by_name = {name: tile for tile in tiles if (name := names.get(tile.track))}
        over = next((by_name[name] for name in by_name if str(name) == above[BLANK]), None)
        under = next((by_name[name] for name in by_name if above.get(name) == str(BLANK)), None)
        if under is not None:
            upper = next((upper for column in columns for upper, tile in pairwise(column) if tile is under), None)
            begins = upper is None and self._moved([under], names, memory).get(names[under.track], False)
            lay = None if begins or (upper is not None and not _leave_room(upper, under)) else self._right_above(under)
        elif over is not None and lay is not None and dist(over.center, lay) > over.length + over.width:
            lay = None
        if lay is None or any(dist(tile.center, lay) < tile.width / 2 for tile in tiles):
            return columns
        return self._upright([*tiles, blank(replace(tiles[0], track=-1, center=lay))], memory.size)  # nothing seen has that track

    def _right_above(self, tile: SeenTile) -> Point:
        """Where the tile right above one lies."""
        (x, y), dx, dy = tile.center, tile.length * cos(tile.angle), tile.length * sin(tile.angle)
        return max(((x + dx, y + dy), (x - dx, y - dy)), key=self._upward)

    def _upside_down(self, tile: SeenTile) -> bool:
        """Whether its first half lies lower."""
        first, second = map(self._upward, tile.middles)
        return first < second

    def _deal(self, lying: list[SeenTile], names: Mapping[int, Tile], size: float) -> Action:
        """The columns, told by their lowest tiles: the longer a column, the nearer to the player it ends."""
        lowest = sorted(lying, key=lambda tile: self._upward(tile.center))
        ends = [in_order(names[tile.track], sight_of(tile, turned=self._upside_down(tile))) for tile in lowest]
        columns = tuple((*((-1, -1),) * (solitaire.COLUMNS - 1 - at), each) for at, each in enumerate(ends))
        return solitaire.Deal(columns, solitaire.FLIPS[0])

    def _laid(self, state: solitaire.State) -> dict[Place, Laid]:
        """Every open tile under the open one above it; a tile still to be turned up lies face down yet."""
        tiles: dict[Place, Laid] = {}
        for column in state.columns:
            above = ""
            for tile in column:
                if tile.up and tile.top >= 0:
                    name = _tile(tile)
                    tiles["under", above, *name] = Laid((tile.top, tile.bottom))
                    above = str(name)
        return tiles

    def unready(self, state: solitaire.State, reading: Reading) -> list[str]:
        """Whether seven tiles lie open, side by side, one below the other, or did before somebody began."""
        columns = reading.noted.columns
        if reading.noted.deal is not None:
            return []
        if len(reading.tiles) == columns == solitaire.COLUMNS:
            return self._doubts((Tile.of(*place[2:]), sight) for place, sight in reading.tiles.items())
        return [say("Seven columns of seven to one tiles lie side by side, with only the lowest tile of each face up; "
                    "{columns} columns and {number} open tiles are seen.", columns=columns, number=len(reading.tiles))]

    def _above(self, place: Iterable[Place]) -> dict[Tile, str]:
        return {Tile.of(*each[2:]): each[1] for each in place}

    def proposals(self, state: solitaire.State, reading: Reading) -> list[Proposal]:
        """The deal, a freed tile turned up, and moves whose first tile lies under what it would be moved to."""
        if state.chance == "deal":
            return self._dealt(reading)
        if state.chance == "turn-up":
            return self._turned_up(state, reading)
        lay, lies, moved = self._above(self._laid(state)), self._above(reading.tiles), reading.noted.moved
        found = []
        for move in state.legal():
            if isinstance(move, solitaire.Move):
                first = _tile(state.columns[move.source][-move.size])
                under = None if move.to is None else _tile(state.columns[move.to][-1])
                target = "" if under is None else str(under)
                came = lay[first] != target and not moved.get(under, False)  # or what it lies under now was laid above it
                if lies.get(first) == target and (came or moved.get(first, lay[first] != target)):
                    found.append(Proposal(move))
            elif isinstance(move, solitaire.Cap):
                last, topmost = _tile(state.columns[move.source][-1]), _tile(state.columns[move.to][0])
                if lies.get(topmost) == str(last) and moved.get(last, True):
                    found.append(Proposal(move))
        return found

    def _turned_up(self, state: solitaire.State, reading: Reading) -> list[Proposal]:
        """The new open tile of the column that was freed. Where the double blank lies open by now, or others show that play has
        gone on, it may be that: it looked face down still."""
        before, freed = state.branch(), set[Tile]()
        if before.pushed and isinstance(move := before.pop(), solitaire.Move | solitaire.Cap):
            freed = {_tile(tile) for tile in before.columns[move.source] if tile.up}
        known, memory = self._above(self._laid(state)), reading.noted
        other = [self._rightward(memory.lay[tile]) for tile in known.keys() - freed if tile in memory.lay]
        new = [(sight, any(abs(self._rightward(sight.center) - at) < memory.size for at in other))
               for place, sight in reading.tiles.items() if place[1] == "" and Tile.of(*place[2:]) not in known]
        found = [Proposal(action) for sight, elsewhere in new if not elsewhere
                 for ends in sight.likely()[:12] if state.verify(action := solitaire.TurnUp(*ends))]
        seen, gone_on = BLANK in self._above(reading.tiles), bool(new) or any(memory.moved.values())
        if (seen or (gone_on and not found)) and state.verify(action := solitaire.TurnUp(*BLANK)):
            found.append(Proposal(action, 0.0 if seen else log(len(state.unseen()))))
        return found

    def breaches(self, state: solitaire.State, reading: Reading) -> list[Breach]:
        """A line laid where it does not match, or one that may not move."""
        before = self._laid(state)
        lay, lies = self._above(before), self._above(reading.tiles)
        moved = [tile for tile, above in lies.items() if tile in lay and lay[tile] != above]
        if len(moved) != 1:
            return []
        tile, above = moved[0], lies[moved[0]]
        source = next(at for at, column in enumerate(state.columns) if tile in [_tile(each) for each in column if each.up])
        column = [_tile(each) for each in state.columns[source] if each.up]
        to = None if not above else next(
            (at for at, other in enumerate(state.columns) if str(_tile(other[-1])) == above), source)
        verdict = state.verify(solitaire.Move(source, len(column) - column.index(tile), to))
        if verdict:
            return []
        old, new = ("under", lay[tile], *tile), ("under", above, *tile)
        after = self.expected(state, reading).without(old, tiles={new: before[old]})
        where = say("under the {tile}", tile=above) if above else say("at the top of a new column")
        words = say("{name} lays the {tile} {where}.", name=self._name(0), tile=tile, where=where)
        return [Breach(verdict, after, words, 0.0, None, 0, reading.tiles[new].center)]

    @staticmethod
    def _line(state: solitaire.State, action: solitaire.Move | solitaire.Cap) -> str:
        """The tiles that are moved."""
        first, last = (_tile(state.columns[action.source][at]) for at in (-action.size, -1))
        if action.size == 1:
            return say("the {tile}", tile=first)
        return say("the line from {first} to {last}", first=first, last=last)

    def words(self, state: solitaire.State, action: Action) -> str:
        """As a player would say it."""
        if isinstance(action, solitaire.Move):
            where = say("to a new column") if action.to is None else say("under the {tile}",
                                                                    tile=_tile(state.columns[action.to][-1]))
            return say("{name} moves {what} {where}.", name=self._name(0), what=self._line(state, action), where=where)
        if isinstance(action, solitaire.Cap):
            return say("{name} lays {what} above the {tile}.", name=self._name(0), what=self._line(state, action),
                       tile=_tile(state.columns[action.to][0]))
        if isinstance(action, solitaire.TurnUp):
            return say("The {tile} is turned up.", tile=f"{action.top}-{action.bottom}")
        return say("The columns are laid.") if isinstance(action, solitaire.Deal) else say("{name} stops.", name=self._name(0))

    def step(self, difference: Difference, state: solitaire.State) -> str:
        """One thing to do with the hands."""
        place = difference.place
        if difference.kind == "missing":
            return say("Put the {tile} back {where}.", tile=Tile.of(*place[2:]),
                       where=say("under the {tile}", tile=place[1]) if place[1] else say("where its column was"))
        if difference.kind == "wrong" and difference.seen is not None:
            return say("Turn the {tile} round.", tile=Tile.of(*place[2:]))
        if difference.kind == "extra" and Tile.of(*place[2:]) in self._above(self._laid(state)):
            return say("Take the {tile} away from there.", tile=Tile.of(*place[2:]))
        return super().step(difference, state)


def _leave_room(upper: SeenTile, lower: SeenTile) -> bool:
    """Whether another tile has room between two of a column."""
    return dist(upper.center, lower.center) > lower.length + lower.width  # half a tile more than between neighbours


def _tile(upright: solitaire.Upright) -> Tile:
    return Tile.of(upright.top, upright.bottom)
