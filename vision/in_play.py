"""What tiles the game on the table has: what is none of them is something else, however much it looks like one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.observation import Array
from vision.reading import HIGHEST_END


@dataclass(frozen=True, slots=True)
class InPlay:
    """The tiles of a game. ends: the fewest and the most pips of an end. face_down: whether any may lie face down. stacked:
    whether some lie on others. copies: how often each tile is in the set, 0 where that is not known."""

    ends: tuple[int, int] = (0, HIGHEST_END)
    face_down: bool = True
    stacked: bool = True
    copies: int = 0

    def __bool__(self) -> bool:
        """Whether there is anything that no tile of the game shows."""
        return (self.ends, self.face_down) != ((0, HIGHEST_END), True)

    def told(self, kinds: Array, counts: Array) -> tuple[Array, Array]:
        """Readings of n places, kinds (n, 3) and counts (n, 2, 16) (see `Reader.judge`), by one who knows that.

        What tiles of the game do not show was not seen: what seemed to show it is the less a tile, and another the more.
        """
        fewest, most = self.ends
        counts = counts.copy()
        counts[..., :fewest] = counts[..., most + 1 :] = 0
        possible = np.maximum(counts.sum(axis=-1, keepdims=True), np.float32(1e-9))
        odds = kinds.copy()
        odds[:, 0] *= possible.prod(axis=(1, 2))
        odds[:, 1] *= self.face_down
        told = odds / np.maximum(odds.sum(axis=1, keepdims=True), 1e-9)
        return np.asarray(told, np.float32), counts / possible
