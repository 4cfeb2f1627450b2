"""What people have said of tiles: it outweighs how the camera reads them, as long as the same tiles lie there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from referee.reading import Laid, Place, Reading
from vision.observation import Array, Observation, SeenTile

TOLD = 0.999
"""How sure what a person says is."""

ANOTHER = 5.0
"""Nats against what a person says, by the camera, from which on she speaks of another tile than the one that lies there."""


@dataclass
class Vouched:
    """tracks: by track, the (2, 16) probabilities of a tile's halves, in the order in which they are seen.

    unseen: where tiles lie by what was said, and the camera has shown none since.
    """

    tracks: dict[int, Array] = field(default_factory=dict)
    unseen: frozenset[Place] = frozenset()

    def add(self, told: Mapping[Place, Laid], reading: Reading, seen: Observation) -> None:
        """Tiles at these places were named by a person; what is seen there are those, and what is not lies there unseen."""
        self.unseen |= {place for place, laid in told.items() if place not in reading.tiles and not laid.either_way}
        by_track = {tile.track: tile for tile in seen.tiles}
        for place, laid in told.items():
            sight = reading.tiles.get(place)
            if sight is None or laid.ends is None or laid.covered or not sight.up or sight.track not in by_track:
                continue
            if laid.either_way and sight.cost(laid.ends, True) > ANOTHER:
                continue  # on a market the tile that lies there may still be the one before
            swapped = not np.array_equal(sight.probabilities, by_track[sight.track].probabilities)
            if laid.either_way:
                swapped = sight.cost(laid.ends[::-1]) < sight.cost(laid.ends)
            ends = laid.ends[::-1] if swapped else laid.ends
            rows = np.full((2, 16), (1 - TOLD) / 15, np.float32)
            rows[0, ends[0]] = rows[1, ends[1]] = TOLD
            self.tracks[sight.track] = rows

    def clear(self) -> None:
        """Somebody took something back: the camera is asked again."""
        self.tracks.clear()
        self.unseen = frozenset()

    def excused(self, reading: Reading) -> Reading:
        """The reading, with those places as hidden at which nothing is seen of the tiles that lie there."""
        self.unseen -= reading.tiles.keys()
        return replace(reading, hidden=reading.hidden | self.unseen) if self.unseen else reading

    def seen(self, seen: Observation) -> Observation:
        """The observation as people would have it."""
        lying = {tile.track for tile in seen.tiles}
        self.tracks = {track: rows for track, rows in self.tracks.items() if track in lying}
        if not self.tracks:
            return seen
        return replace(seen, tiles=tuple(self._told(tile) for tile in seen.tiles))

    def _told(self, tile: SeenTile) -> SeenTile:
        rows = self.tracks.get(tile.track)
        if rows is None or tile.ends is None:
            return tile
        first, second = rows.argmax(axis=1)
        return replace(tile, ends=(int(first), int(second)), probabilities=rows, score=TOLD)
