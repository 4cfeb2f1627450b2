"""Whether two cells of a photographed grid are one tile, told by the seam between them.

A set's tiles are alike in their middles: the same dividing line, the same pin, the same bare stone. Where two tiles meet there
is a gap instead, and where one lies half across another half a line at most. What this set's middles look like is learned from
the picture itself, from the tiles that the reader is sure of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.readers.cells import Pair
from vision.degrees import LIKELY, MOST

Strips = NDArray[np.float32]

STEP = 0.02
"""Distance of two samples across a seam, in cells; along it they are twice as far apart."""

ACROSS, LENGTH = 7, 10
"""So many samples of a seam to each side of its line and of its middle."""

OFF_ACROSS, OFF_ALONG = 12, 5
"""So many samples a seam may lie beside where the cells meet: tiles lie askew, and what lies higher is seen a little aside."""

LARGEST = 40.0
"""A difference in colour, 0-255, counts for this at most: a reflection says no more than a pip does."""

FREE = 0.6
"""Share of a seam beside which no pips lie: it is judged where it is most like a tile's."""

FEWEST = 3
"""Of fewer tiles nothing is learned."""


def seam_misfit(image: NDArray[np.uint8], to_picture: NDArray[np.float64], pairs: Iterable[Pair], sure: Iterable[Pair]
                ) -> Mapping[Pair, float]:
    """How unlike a tile's middle the seam of each pair of cells is: 0 as those of tiles usually are, 1 as where no tile is.

    image: (H, W, 3) BGR. to_picture: (3, 3), from cells to the picture. sure: pairs that most likely are tiles. All 0 where these
    are too few to learn from.
    """
    pairs = list(pairs)
    known = [pairs.index(pair) for pair in sure if pair in pairs]
    if len(known) < FEWEST:
        return dict.fromkeys(pairs, 0.0)
    right = max(FEWEST, round(LIKELY * len(known)))  # so many of them are taken to be tiles
    colours = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), np.float32)
    windows = np.stack([_windows(colours, to_picture, pair) for pair in pairs])
    middle = windows.shape[1] // 2
    few = windows[known]
    apart = np.array([np.sort(_differences(few, few[at, middle])[0])[1 : 1 + max(1, len(known) // 2)].sum()
                      for at in range(len(known))])
    pattern = few[int(apart.argmin()), middle]
    for _ in range(3):  # as the seams come to lie on each other the pattern sharpens
        unlike, best = _differences(few, pattern)
        alike = unlike.argsort()[:right]
        pattern = np.median(best[alike], axis=0).astype(np.float32)
    unlike, _ = _differences(windows, pattern)
    usual = float(np.median(np.sort(unlike[known])[:right]))
    other = float(np.quantile(unlike, MOST))  # most pairs of cells are no tile
    return {pair: (float(each) - usual) / max(other - usual, 1e-3) for pair, each in zip(pairs, unlike, strict=True)}


def _differences(windows: Strips, pattern: Strips) -> tuple[Strips, Strips]:
    """(n,) how far the best window of each pair is from a pattern, either way round, and (n, ...) that window turned to it."""
    rows = np.stack([np.minimum(np.abs(windows - turned).mean(axis=-1), LARGEST).mean(axis=2)
                     for turned in (pattern, pattern[::-1, ::-1])], axis=1)
    free = round(FREE * rows.shape[-1])
    unlike = np.partition(rows, free - 1, axis=-1)[..., :free].mean(axis=-1)
    flat = unlike.reshape(len(windows), -1)
    at = flat.argmin(axis=1)
    way, window = np.divmod(at, windows.shape[1])
    best = np.stack([each[k] if not turned else each[k, ::-1, ::-1]
                     for each, k, turned in zip(windows, window, way, strict=True)])
    return flat.min(axis=1), best


def _windows(colours: Strips, to_picture: NDArray[np.float64], pair: Pair) -> Strips:
    """(k, across, along, 3) the seam of a pair where it may lie, the middle one where the cells meet."""
    (x, y), (x2, y2) = pair
    way, side = np.array([x2 - x, y2 - y], np.float64), np.array([y - y2, x2 - x], np.float64)
    across = STEP * np.arange(-ACROSS - OFF_ACROSS, ACROSS + OFF_ACROSS + 1)
    along = 2 * STEP * np.arange(-LENGTH - OFF_ALONG, LENGTH + OFF_ALONG + 1)
    cells = np.array([x + x2, y + y2]) / 2 + across[:, None, None] * way + along[None, :, None] * side
    seen = cv2.perspectiveTransform(cells.reshape(1, -1, 2), to_picture).reshape(len(across), len(along), 2).astype(np.float32)
    strip = cv2.remap(colours, seen[..., 0], seen[..., 1], cv2.INTER_LINEAR)
    views = np.lib.stride_tricks.sliding_window_view(strip, (2 * ACROSS + 1, 2 * LENGTH + 1), axis=(0, 1))
    windows = views.transpose(0, 1, 3, 4, 2).reshape(-1, 2 * ACROSS + 1, 2 * LENGTH + 1, 3)
    return np.asarray(windows - np.median(windows, axis=(1, 2), keepdims=True), np.float32)
