"""What changed on a table between two settled moments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vision.observation import SeenTile
from vision.table.sighting import Mapping


@dataclass(frozen=True, slots=True, eq=False)
class News:
    """What changed between two settled moments; `moved`: tiles before and after."""

    appeared: tuple[SeenTile, ...] = ()
    vanished: tuple[SeenTile, ...] = ()
    moved: tuple[tuple[SeenTile, SeenTile], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.appeared or self.vanished or self.moved)

    def each(self, told: Callable[[SeenTile], SeenTile]) -> News:
        """The same news of tiles that are told otherwise."""
        moved = tuple((told(before), told(after)) for before, after in self.moved)
        return News(tuple(map(told, self.appeared)), tuple(map(told, self.vanished)), moved)


def mapped(tile: SeenTile, to_table: Mapping) -> SeenTile:
    """A tile in another frame: `to_table` maps (n, 2) points."""
    along = np.array([np.cos(tile.angle), np.sin(tile.angle)]) * tile.length / 2
    across = np.array([-np.sin(tile.angle), np.cos(tile.angle)]) * tile.width / 2
    middle = np.array(tile.center)
    points = np.stack([middle, middle - along, middle + along, middle - across, middle + across]).astype(np.float32)
    center, start, end, left, right = np.asarray(to_table(points), np.float64)
    return replace(tile, center=(float(center[0]), float(center[1])), angle=float(np.arctan2(*(end - start)[::-1])),
                   length=float(np.linalg.norm(end - start)), width=float(np.linalg.norm(right - left)))
