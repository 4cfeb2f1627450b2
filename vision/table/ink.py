"""What the pips of a table's set are painted with: a half on which nothing is as bold as that has none, however it is marbled."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.medians import medians
from vision.rectify import HEIGHT, MARGIN, WIDTH
from vision.table.changes import DARK

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

KNOWN = 4
"""From so many halves with pips on it is known what the set's pips look like."""

FEWEST, FEW, MOST = 2, 3, 5
"""Halves with so many pips tell; of more the middle level is that of the pips, and the body between them the boldest. If they are
large this may be so from three on, and those with the fewest, if they are few, say which is which.
"""

OF_ONE_INK = 0.25
"""Pips are of one colour if three of four are no farther than this part from the usual one, and each number's tint is as near to
its tint; some sets colour them by number, and some numbers may be seen far more often than others.
"""

BOLD = 0.1
"""What differs less from the body, as logarithms, is no ink."""

FAINT = 0.5
"""Share of the ink's boldness that no pip falls short of: those seen had .6 and more, the veins of blank halves .4 and less."""

NATS = 30.0
"""How fast it grows unlikely, in nats for all of the ink's boldness, that what is fainter than that is a pip,"""

MOST_NATS = (3.0, 3.0, 7.0)
"""and how unlikely it gets where halves with one, two, and more numbers of pips are of that ink: others may be of another."""

GLARE = 0.3
"""A body that is lighter than the usual one by more than this, as logarithms, has a lamp's reflection on it: its light comes to
that of body and ink alike, so that they differ by less.
"""

OTHER_INK = 0.3
"""A spot that is off the ink's colour by more than this, as logarithms, is of another ink: some sets colour one number alone. Of
544 blank halves of 68 made-up sets, marbled or not, none was off by more.
"""

RIM = 8
"""So much of a half's edge is not looked at, pixels of a straightened tile: there are bar and pin, and what lies beside it."""

TELLING = 8
"""So many tiles tell in one look what the pips are painted with."""

BLUR = 3
"""Pips are no smaller than this, pixels of half a straightened tile's size; noise and scratches are."""


class Ink:
    """Learned from halves that surely show some pips: how the boldest spots there look beside the body of the tile."""

    def __init__(self) -> None:
        self._boldest: deque[Array] = deque(maxlen=100)
        self._numbers: deque[int] = deque(maxlen=100)  # how many pips each of those halves has
        self._bodies: deque[Array] = deque(maxlen=100)  # how light they are between the pips
        self._usual: Array | None = None
        self._most = 0.0

    def learn(self, crops: Image, counts: Array) -> None:
        """Take some of these straightened tiles, (n, h, w, 3), that are surely read into account; counts: (n, 2, 16)."""
        if len(crops):
            crops, read = crops[:TELLING], counts[:TELLING].argmax(axis=-1)
            telling = (read >= FEWEST) & (read <= MOST)
            spots, bodies = (each[telling] for each in _spots(crops))
            self._bodies += list(bodies)
            self._boldest += list(spots[np.arange(len(spots)), (spots**2).sum(axis=2).argmax(axis=1)])
            self._numbers += read[telling].tolist()
            self._usual = self._learned()
            self._most = MOST_NATS[min(len(set(self._numbers)), len(MOST_NATS)) - 1] if self._numbers else 0.0

    def _learned(self) -> Array | None:
        """(3,) the ink as logarithms of its levels over the body's; None where it is not known, or not one for all numbers."""
        if len(self._boldest) < KNOWN:
            return None
        seen, numbers = np.array(self._boldest), np.array(self._numbers)
        if numbers.min() <= FEW:
            seen = np.where((seen @ medians(seen[numbers == numbers.min()].T) < 0)[:, None], -seen, seen)
        usual: Array = medians(seen.T)
        bold = float(np.linalg.norm(usual))
        if bold < BOLD:
            return None
        off = np.linalg.norm(seen - usual, axis=1) / bold
        tinted = np.linalg.norm(_tints(seen) - _tints(usual), axis=1)
        by_number = [medians(tinted[numbers == number]) for number in np.unique(numbers)]
        quartile = np.interp(0.75 * (len(off) - 1), np.arange(len(off)), np.sort(off))  # numpy's own takes far longer
        return usual if max(quartile, *by_number) < OF_ONE_INK else None

    def told(self, crops: Image, kinds: Array, counts: Array) -> tuple[Array, Array]:
        """Kinds, (n, 3), and counts, (n, 2, 16), of straightened tiles by one who knows the ink: where none is there is no pip.

        What seemed to have pips, and shows none in either half, is so much the less a face.
        """
        usual = self._usual
        if usual is None or not len(crops):
            return kinds, counts
        spots, bodies = _spots(crops)
        expected = self._in_this_light(usual, bodies)
        beside = (spots * (expected / (expected**2).sum(axis=-1, keepdims=True))[:, :, None]).sum(axis=-1)
        another = np.linalg.norm(spots - beside[..., None] * expected[:, :, None], axis=-1).max(axis=-1) > OTHER_INK
        crowded = counts.argmax(axis=-1) >= FEW  # the pips may be the middle level there, and the body between them beside it
        boldest = np.where(crowded, np.abs(beside).max(axis=-1), beside.max(axis=-1))
        untold = counts.argmax(axis=-1) > MOST  # their number may have a colour of its own, and no vein looks like so many
        against = np.where(another | untold, 0, np.clip(NATS * (FAINT - boldest), 0, self._most))
        counts, kinds = counts.copy(), kinds.copy()
        counts[..., 1:] *= np.exp(-against)[..., None]
        left = counts.sum(axis=-1)
        kinds[:, 0] *= np.where((against > 0).all(axis=1), left.prod(axis=1), np.float32(1))
        return kinds / kinds.sum(axis=1, keepdims=True), counts / left[..., None]


    def _in_this_light(self, usual: Array, bodies: Array) -> Array:
        """(n, 2, 3) how the ink looks beside bodies that are as light as these, (n, 2, 3)."""
        glare = np.maximum(bodies - medians(np.array(self._bodies).T) - np.float32(GLARE), 0)
        out: Array = np.log1p((np.exp(usual) - 1) * np.exp(-glare))
        return out


def _tints(spots: Array) -> Array:
    """(..., 3) spots, all as bold."""
    out: Array = spots / np.maximum(np.linalg.norm(spots, axis=-1, keepdims=True), np.float32(1e-6))
    return out


def _spots(crops: Image) -> tuple[Array, Array]:
    """(n, 2, k, 3) spots in the inner part of each half beside the middle one of them, and (n, 2, 3) that one, as logarithms."""
    count = len(crops)
    halved = cv2.resize(crops.reshape(count * HEIGHT, WIDTH, 3), (WIDTH // 2, count * HEIGHT // 2), interpolation=cv2.INTER_AREA)
    smooth = cv2.blur(halved, (BLUR, BLUR)).reshape(count, HEIGHT // 2, WIDTH // 2, 3)
    edge, side = (MARGIN + RIM) // 2, HEIGHT // 2 - MARGIN - RIM
    lefts = (edge, WIDTH // 2 - edge - side)
    levels = np.stack([smooth[:, edge : edge + side, left : left + side] for left in lefts], axis=1).astype(np.float32)
    logs = np.log(levels.reshape(count, 2, -1, 3) + np.float32(DARK))
    middle = medians(logs.swapaxes(2, 3))
    return logs - middle[:, :, None], middle
