"""What changed on a table between two settled moments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vision.observation import SeenTile


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
