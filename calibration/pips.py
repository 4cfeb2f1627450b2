"""Where the halves of tiles are, told by their pips: sharper than an outline, which bevels, sides and shadows blur.

Makers lay pips out symmetrically about the middle of a half, and the middles of a tile's halves are half its length apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

SIDE = 72
"""Side of a half in the straightened picture of a tile, pixels."""

MARGINS = (12, 0)
"""What is seen around the tile there: outlines are rough, and pips lie near them; but what lies beside it may look like one."""

SHARES = (0.5, 0.65, 0.8)
"""How far from the body's brightness to that of the pips the line between them is drawn: some pips all but touch the bar."""

SMALLEST, LARGEST = 0.04, 0.16
"""Radius of pips, of a half's side."""

UNEVEN = 0.06
"""How far a pip may lie from where the middle of its half mirrors another one, of a half's side."""

Pips = list[tuple[float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class HalfPips:
    """All pips of one half, laid out symmetrically. pixels: (k, 2). rough: (k, 2) where they lie from their middle, along and
    across the tile, in sides of a half, as the tile's outline tells. Pips that lie opposite are as far from the list's ends.
    """

    pixels: Array
    rough: Array


def pips_of(grey: Image, quad: Array, ends: tuple[int, int]) -> dict[int, HalfPips]:
    """The pips of the halves, 0 and 1, of a tile in a picture; of a half where not just as many are found as it has, laid
    out symmetrically, there are none.

    quad: (4, 2) pixels, the first edge along the tile from its first half to its second, clockwise. ends: pips of the
    first and second half.
    """
    found: dict[int, HalfPips] = {}
    for margin in MARGINS:
        target = np.array([(0, 0), (2 * SIDE, 0), (2 * SIDE, SIDE), (0, SIDE)], np.float32) + np.float32(margin - 0.5)
        onto = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
        size = (2 * SIDE + 2 * margin, SIDE + 2 * margin)
        crop = cv2.warpPerspective(grey, onto, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        for share in SHARES:
            for half, pips in enumerate(_halved(_pips(crop, share, margin), ends, SIDE + margin - 0.5)):
                if half not in found and 0 < ends[half] == len(pips):
                    rough = np.array(pips) - np.mean(pips, axis=0)
                    order = _opposite(rough)
                    if order is not None:
                        there = cv2.perspectiveTransform(np.array(pips)[order].reshape(-1, 1, 2), np.linalg.inv(onto))
                        found[half] = HalfPips(np.asarray(there[:, 0], np.float64), rough[order] / SIDE)
            if len(found) == sum(end > 0 for end in ends):
                return found
    return found


def _halved(pips: Pips, ends: tuple[int, int], bar: float) -> tuple[Pips, Pips]:
    """The pips of the first and of the second half; `bar`: where the outline has the line between them."""
    if len(pips) == sum(ends):  # just those that there should be: then it need not be there exactly
        return pips[: ends[0]], pips[ends[0] :]
    return [pip for pip in pips if pip[0] < bar], [pip for pip in pips if pip[0] >= bar]


def _opposite(rough: Array) -> NDArray[np.int64] | None:
    """The order in which each pip, (k, 2) from their middle, and the one opposite are as far from the ends; None where some
    have none opposite."""
    apart = np.linalg.norm(rough[:, None] + rough[None], axis=2)
    partner = apart.argmin(axis=1)
    if apart.min(axis=1).max() > UNEVEN * SIDE or (partner[partner] != np.arange(len(rough))).any():
        return None
    first = [at for at in range(len(rough)) if at < partner[at]]
    alone = [at for at in range(len(rough)) if at == partner[at]]
    return np.array([*first, *alone, *(partner[at] for at in reversed(first))], np.int64)


def _pips(crop: Image, share: float, margin: int) -> Pips:
    """Pixels of what looks like pips in a straightened tile, from its first end to its second."""
    inner = crop[margin + 6 : crop.shape[0] - margin - 6, margin + 6 : crop.shape[1] - margin - 6].astype(np.float32)
    body = float(np.median(inner))
    dark, bright = body - float(np.percentile(inner, 1)), float(np.percentile(inner, 99)) - body
    depth = (body - crop.astype(np.float32)) * (1 if dark > bright else -1)
    height = max(dark, bright)
    if height < 12:
        return []
    _, labels, stats, _ = cv2.connectedComponentsWithStats((depth > share * height).astype(np.uint8))
    tall, wide = crop.shape
    found: Pips = []
    for number, (x, y, w, h, area) in enumerate(stats[1:], 1):
        radius = np.sqrt(area / np.pi) / SIDE
        at_rim = x <= 1 or y <= 1 or x + w >= wide - 1 or y + h >= tall - 1
        if at_rim or not SMALLEST * 0.7 < radius < LARGEST or max(w, h) > 1.7 * min(w, h):
            continue
        box = (slice(max(0, y - 2), y + h + 2), slice(max(0, x - 2), x + w + 2))
        around = cv2.dilate((labels[box] == number).astype(np.uint8), np.ones((5, 5), np.uint8))
        weight = np.maximum(depth[box], 0) * around
        rows, columns = np.mgrid[box]
        total = float(weight.sum())
        found.append((float((weight * columns).sum()) / total, float((weight * rows).sum()) / total))
    return sorted(found)
