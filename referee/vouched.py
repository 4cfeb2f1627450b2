"""What people have said of tiles: it outweighs how the camera reads them, as long as the same tiles lie there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from math import dist

import numpy as np

from referee.reading import Difference, Ends, Laid, Place, Reading
from referee.setting import Point
from vision.degrees import CERTAIN, HARDLY, LIKELY, nats_against
from vision.observation import Array, Observation, SeenTile

OVERRULED_S = 15.0
"""People tell several plays one after another within so many seconds; what is still unexplained later is none of them, unless
they are catching up with a table on which nobody has laid anything meanwhile.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """What somebody named a tile. rows: (2, 16) probabilities of its halves, in the order in which they are seen. place: where
    it lay. moved: whether it has left that place since. looks: what it is read as."""

    rows: Array
    place: Point
    moved: bool = False
    looks: Ends | None = None

    def now(self, tile: SeenTile) -> Named:
        """The same, with what is seen of the tile now."""
        return self if self.moved else replace(self, moved=dist(self.place, tile.center) > tile.width)

    @property
    def is_misread(self) -> bool:
        """Whether it is read as another than it was named."""
        return self.looks is not None and sorted(self.looks) != sorted(self.rows.argmax(axis=1).tolist())

    def again(self, tile: SeenTile) -> Named | None:
        """The same, if it may be this one that was away and lies there now: it is read as that was; None for any other."""
        if tile.ends is None or self.looks not in (tile.ends, tile.ends[::-1]):
            return None
        return replace(self, rows=self.rows if self.looks == tile.ends else self.rows[::-1], moved=True, looks=tile.ends)


def shown(told: Mapping[Place, Laid], reading: Reading, seen: Observation, contested: Set[int] = frozenset(),
          ) -> dict[int, Ends]:
    """What the tiles that are seen at these places show, by track, their halves in the order in which they are seen. contested:
    see `Vouched`."""
    by_track, found = {tile.track: tile for tile in seen.tiles}, {}
    for place, laid in told.items():
        sight = reading.tiles.get(place)
        if sight is None or laid.ends is None or laid.covered or not sight.up or sight.track not in by_track:
            continue
        if laid.either_way and sight.track not in contested and sight.cost(laid.ends, True) > nats_against(HARDLY):
            continue  # on a market the tile that lies there may still be the one before
        swapped = not np.array_equal(sight.probabilities, by_track[sight.track].probabilities)
        if laid.either_way:
            swapped = sight.cost(laid.ends[::-1]) < sight.cost(laid.ends)
        found[sight.track] = laid.ends[::-1] if swapped else laid.ends
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Vouched:
    """tracks: tiles that were named, by track. unseen: where tiles lie by what was said, and none has been seen since.
    denied: tracks of what cannot be a tile; misread: of tiles that are what was played, however they are read; down: of tiles
    that lie face down, though they seem open. contested: of tiles that are not what they were taken for. away: what is read
    as another than it was named, and is gone. newest: of all tracks of the last look. doubted: tracks of
    what nothing explains, by when a person first told a play beside it, and which track was the newest then."""

    tracks: Mapping[int, Named] = field(default_factory=dict)
    unseen: frozenset[Place] = frozenset()
    denied: frozenset[int] = frozenset()
    doubted: Mapping[int, tuple[float, int]] = field(default_factory=dict)
    misread: frozenset[int] = frozenset()
    down: frozenset[int] = frozenset()
    contested: frozenset[int] = frozenset()
    away: tuple[Named, ...] = ()
    newest: int = 0

    def add(self, told: Mapping[Place, Laid], reading: Reading, seen: Observation, pieces: Iterable[Place] = ()) -> Vouched:
        """Tiles at these places were named by a person, or pieces; what is seen there are those, and what is not lies there
        unseen."""
        tracks = dict(self.tracks)
        unseen = {place for place, laid in told.items() if place not in reading.tiles and not laid.either_way}
        unseen |= {place for place in pieces if place not in reading.pieces}
        for track, ends in shown(told, reading, seen, self.contested).items():
            rows = np.full((2, 16), (1 - CERTAIN) / 15, np.float32)
            rows[0, ends[0]] = rows[1, ends[1]] = CERTAIN
            tile = next(tile for tile in seen.tiles if tile.track == track)
            tracks[track] = Named(rows, tile.center, looks=tile.ends)
        return replace(self, tracks=tracks, unseen=self.unseen | unseen)

    def deny_second(self, laid: Iterable[Place], misfit: Iterable[Difference], reading: Reading) -> Vouched:
        """Where a tile was laid at these places, another that seems to have come upon its neighbours with it is their joint:
        nobody lays two in one turn."""
        grids = {place[:2] for place in laid}
        second = {reading.tiles[each.place].track for each in misfit if each.place[:2] in grids
                  and (each.kind == "joint" or (each.kind == "extra" and reading.tiles[each.place].raised))}
        return replace(self, denied=self.denied | second)

    def overrule(self, misfit: Sequence[Difference], reading: Reading, time: float) -> Vouched:
        """A person told what was played, and this is what the table shows beside it. What was seen beside an earlier play, too,
        is no tile, or no other than was played: it would be asked about for ever."""
        tracks = {reading.tiles[each.place].track: each.kind for each in misfit
                  if each.kind in ("extra", "joint", "wrong") and each.place in reading.tiles}
        tracks |= {each.place[1]: each.kind for each in misfit if each.kind == "loose"}
        newest = max((sight.track for sight in reading.tiles.values()), default=0)
        doubted = {track: self.doubted.get(track, (time, newest)) for track in tracks}
        old = {track for track, (since, then) in doubted.items() if time - since > OVERRULED_S and newest > then}
        misread = frozenset(track for track in old if tracks[track] == "wrong")
        return replace(self, doubted=doubted, denied=self.denied | (old - misread), misread=misread)

    def all_down(self, seen: Observation) -> Vouched:
        """A person says that nothing lies open yet: what lies against tiles that lie face down is one of them."""
        return replace(self, down=self.down | {tile.track for tile in against_backs(seen)})

    def without(self, tracks: Set[int], places: Set[Place]) -> Vouched:
        """As if nobody had said what these are, nor that anything lies at these places; what seemed to be no tile may be one.
        What is said of them now outweighs how surely they are read."""
        tracks_left = {track: named for track, named in self.tracks.items() if track not in tracks}
        return Vouched(tracks_left, self.unseen - places, down=self.down, contested=self.contested | tracks, away=self.away,
                       newest=self.newest)

    def after(self, seen: Observation) -> Vouched:
        """After one more look: what is gone is no longer vouched for, unless it is read as another, and may come back."""
        tracks = {tile.track: self.tracks[tile.track].now(tile) for tile in seen.tiles if tile.track in self.tracks}
        there = {tile.track for tile in seen.tiles}
        away = [*self.away, *(named for track, named in self.tracks.items() if track not in there and named.is_misread)]
        for tile in seen.tiles:
            if tile.track > self.newest and tile.track not in tracks:
                back = next(((at, again) for at, named in enumerate(away) if (again := named.again(tile)) is not None), None)
                if back is not None:
                    at, tracks[tile.track] = back
                    del away[at]
        return replace(self, tracks=tracks, denied=self.denied & there, down=self.down & there, contested=self.contested & there,
                       away=tuple(away), newest=max(there, default=self.newest))

    def found(self, reading: Reading) -> Vouched:
        """After its reading: what lay somewhere unseen, and is seen there now, is looked for as all others are."""
        return replace(self, unseen=self.unseen - reading.tiles.keys() - reading.pieces.keys())

    def excused(self, reading: Reading) -> Reading:
        """The reading, with those places as hidden at which nothing is seen of the tiles that lie there."""
        return replace(reading, hidden=reading.hidden | self.unseen) if self.unseen else reading

    def told(self, seen: Observation) -> Observation:
        """The observation as people would have it."""
        if not self.tracks and not self.denied and not self.down:
            return seen
        return replace(seen, tiles=tuple(self._told(tile) for tile in seen.tiles if tile.track not in self.denied))

    def _told(self, tile: SeenTile) -> SeenTile:
        if tile.track in self.down:
            return replace(tile, ends=None)
        named = self.tracks.get(tile.track)
        if named is None or tile.ends is None:
            return tile
        sure = np.float32(LIKELY if named.moved else 1)
        rows = sure * named.rows + (1 - sure) * tile.probabilities
        first, second = rows.argmax(axis=1)
        return replace(tile, ends=(int(first), int(second)), probabilities=rows, score=CERTAIN)


def against_backs(seen: Observation) -> list[SeenTile]:
    """The open tiles that lie against such as lie face down."""
    backs = [tile.center for tile in seen.tiles if tile.ends is None]
    return [tile for tile in seen.tiles if tile.ends is not None
            and any(dist(tile.center, back) < tile.length + tile.width / 2 for back in backs)]
