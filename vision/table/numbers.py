"""What each number of pips looks like on the tiles of a table: where the reader doubts a half, those that are known are asked.

Sets arrange and colour many pips in ways of their own, and from afar they run together; but all halves of one number of a set
look alike. They only confirm: what the reader takes for likeliest gets likelier where the half is nearest to those of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.degrees import PLAIN
from vision.medians import medians
from vision.rectify import HEIGHT, MARGIN, WIDTH
from vision.table.changes import DARK

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

SIDE, RIM, SHIFT = 24, 3, 2
"""The side of a half as it is compared, how much of its edge is not looked at, and by how much it may lie aside, pixels."""

SHARPNESS = 4.0
"""Nats for a number whose halves are nearer, for the logarithm of how many times nearer they are
(`python -m tests.vision.like_numbers`)."""


class Numbers:
    """The mean picture of each number's halves."""

    def __init__(self) -> None:
        self._sums: dict[int, Array] = {}
        self._counts: dict[int, int] = {}

    def learn(self, crops: Image, ends: Sequence[tuple[int, int]]) -> None:
        """Take straightened tiles, (n, h, w, 3), into account whose ends are known, each once."""
        for halves, numbers in zip(_pictures(crops), ends, strict=True):
            for picture, number in zip(halves, numbers, strict=True):
                self._sums[number] = self._sums.get(number, np.zeros_like(picture)) + picture
                self._counts[number] = self._counts.get(number, 0) + 1

    def told(self, crops: Image, counts: Array) -> Array:
        """What straightened tiles show, (n, 2, 16), by one who knows the numbers of this set. A number of which no half is known
        yet is thought to be as far as the nearest of the others."""
        known = list(self._sums)
        doubted = np.argwhere((counts.max(axis=-1) < PLAIN) & np.isin(counts.argmax(axis=-1), known))
        if len(known) < 2 or not len(doubted):
            return counts
        rows = np.unique(doubted[:, 0])
        pictures = dict(zip(rows.tolist(), _pictures(crops[rows]), strict=True))
        out, means = counts.copy(), np.stack([self._sums[number] / np.float32(self._counts[number]) for number in known])
        for row, half in doubted.tolist():
            far = _distances(pictures[row][half], means)
            nearest, next_one = np.argsort(far)[:2]
            if known[nearest] == counts[row, half].argmax():
                off = np.full(counts.shape[-1], far[next_one], np.float32)
                off[known] = far
                out[row, half] *= (far[nearest] / off) ** np.float32(SHARPNESS)
                out[row, half] /= out[row, half].sum()
        return out


def _pictures(crops: Image) -> Array:
    """(n, 2, SIDE, SIDE, 3) the halves of straightened tiles, both with the tile's end to the left, as logarithms beside their
    middle levels."""
    inside = np.ascontiguousarray(crops[:, MARGIN : HEIGHT - MARGIN, MARGIN : WIDTH - MARGIN])
    small = cv2.resize(inside.reshape(-1, WIDTH - 2 * MARGIN, 3), (2 * SIDE, len(crops) * SIDE), interpolation=cv2.INTER_AREA)
    halves = np.log(small.reshape(-1, SIDE, 2, SIDE, 3).swapaxes(1, 2).astype(np.float32) + np.float32(DARK))
    halves[:, 1] = halves[:, 1, ::-1, ::-1]
    out: Array = halves - medians(halves.reshape(len(crops), 2, -1, 3).swapaxes(2, 3))[:, :, None, None]
    return out


def _distances(picture: Array, means: Array) -> Array:
    """(n,) how far a half, (SIDE, SIDE, 3), is from others, (n, SIDE, SIDE, 3), laid upon them as they fit best."""
    edge, width = RIM + SHIFT, SIDE - 2 * (RIM + SHIFT)
    windows = sliding_window_view(picture[RIM : SIDE - RIM, RIM : SIDE - RIM], (width, width), axis=(0, 1))
    shifted = windows.reshape(-1, 3 * width * width)
    inner = means[:, edge : edge + width, edge : edge + width].transpose(0, 3, 1, 2).reshape(len(means), -1)
    squares = (shifted**2).sum(axis=1)[:, None] + (inner**2).sum(axis=1)[None] - 2 * shifted @ inner.T
    out: Array = np.sqrt(np.maximum(squares.min(axis=0) / shifted.shape[1], 1e-6)).astype(np.float32)
    return out
