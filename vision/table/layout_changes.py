"""What changed on a table between two settled moments, told so that the changes add up to what is believed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.degrees import SOME
from vision.detection import same_face
from vision.observation import SeenTile

STIRRED = SOME
"""A tile of which neither half moved by more than this, in halves, only lies better known: 7 mm."""


@dataclass(frozen=True, slots=True, eq=False)
class LayoutChanges:
    """What changed between two settled moments; `moved`: tiles before and after."""

    appeared: tuple[SeenTile, ...] = ()
    vanished: tuple[SeenTile, ...] = ()
    moved: tuple[tuple[SeenTile, SeenTile], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.appeared or self.vanished or self.moved)

    def each(self, told: Callable[[SeenTile], SeenTile]) -> LayoutChanges:
        """The same news of tiles that are told otherwise."""
        moved = tuple((told(before), told(after)) for before, after in self.moved)
        return LayoutChanges(tuple(map(told, self.appeared)), tuple(map(told, self.vanished)), moved)

    def after(self, tiles: Sequence[SeenTile]) -> tuple[SeenTile, ...]:
        """What lies on the table after these changes of what lay there: the sum of all news is the belief."""
        gone = {tile.track for tile in self.vanished}
        now = {before.track: after for before, after in self.moved}
        return (*(now.get(tile.track, tile) for tile in tiles if tile.track not in gone), *self.appeared)


def difference(told: Sequence[SeenTile], believed: Sequence[SeenTile]) -> LayoutChanges:
    """What has to be told of the tiles that are believed now to those who know only what was `told`.

    A tile that is read otherwise than before vanishes and appears; one that only lies better known is not told.
    """
    before, now = {tile.track: tile for tile in told}, {tile.track: tile for tile in believed}
    staying = [(tile, now[name]) for name, tile in before.items() if name in now and same_face(tile.ends, now[name].ends)]
    names = {tile.track for tile, _ in staying}
    return LayoutChanges(tuple(tile for name, tile in now.items() if name not in names),
                         tuple(tile for name, tile in before.items() if name not in names),
                         tuple((tile, after) for tile, after in staying
                               if _stirred(tile, after) or set(tile.under) != set(after.under)))


def levels(tiles: Sequence[SeenTile]) -> dict[int, int]:
    """By track: 0 on the table, 1 on tiles that lie there, and so on."""
    by_track = {tile.track: tile for tile in tiles}

    def level(tile: SeenTile) -> int:
        return 1 + max(level(by_track[below]) if below in by_track else 0 for below in tile.under) if tile.under else 0

    return {tile.track: level(tile) for tile in tiles}


def _stirred(before: SeenTile, after: SeenTile) -> bool:
    """Whether a half lies elsewhere than before; halves that show the same are not told apart."""
    there, here = before.middles, after.middles
    alike = before.ends is None or before.ends[0] == before.ends[1]
    ways = (here, here[::-1]) if alike else (here,) if before.ends == after.ends else (here[::-1],)
    return min(max(map(math.dist, there, way)) for way in ways) > STIRRED * before.width
