"""Moves the outlines of tiles onto the edges that the picture shows."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

REACH = 0.11
"""How far from the outline an edge is looked for, of the tile's shorter side."""

ALONG = 0.15
"""How much of a side is left out at either end, where tiles are rounded."""

STEPS = 41
"""Places across an edge at which the brightness is taken."""


def edge_offsets(grey: Image, quads: Array) -> tuple[Array, Array]:
    """How far out of each side of (n, 4, 2) outlines the nearest clear edge lies, pixels, and how clear it is.

    Both (n, 4): side i runs from corner i to i + 1, corners clockwise; positive is outwards. An edge is the place where the
    brightness changes most, the mean over the side taken; clearness: its slope over the noise of slopes, 0 where none is.
    """
    offsets, clearness = np.zeros((len(quads), 4)), np.zeros((len(quads), 4))
    picture = cv2.GaussianBlur(grey, (0, 0), 0.6)
    for i, quad in enumerate(quads):
        ahead = np.roll(quad, -1, axis=0)
        lengths = np.linalg.norm(ahead - quad, axis=1)
        reach = max(2.0, REACH * float(lengths.min()))
        across = np.linspace(-reach, reach, STEPS)
        for side in range(4):
            direction = (ahead[side] - quad[side]) / lengths[side]
            outwards = np.array([direction[1], -direction[0]])
            count = max(8, int(lengths[side]))
            along = np.linspace(ALONG, 1 - ALONG, count)[:, None, None] * (ahead[side] - quad[side])
            places = (quad[side] + along + across[None, :, None] * outwards).astype(np.float32)
            shown = cv2.remap(picture, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            offsets[i, side], clearness[i, side] = _edge(np.asarray(shown, np.float64), across)
    return offsets, clearness


def _edge(shown: Array, across: Array) -> tuple[float, float]:
    """Where along `across` the columns of a (m, STEPS) picture change most, near the middle preferred, and how clearly."""
    profile = np.median(shown, axis=0)
    slope = np.abs(np.gradient(profile))
    near = np.exp(-0.5 * (across / (0.6 * across[-1])) ** 2)
    slope = slope * near
    best = int(slope[2:-2].argmax()) + 2
    a, b, c = slope[best - 1], slope[best], slope[best + 1]
    bend = a - 2 * b + c
    shift = 0.0 if bend >= 0 else float(np.clip(0.5 * (a - c) / bend, -1, 1))
    noise = float(np.abs(np.diff(shown, axis=0)).mean()) / np.sqrt(len(shown)) + 0.15
    return float(across[best] + shift * (across[1] - across[0])), float(b / noise)


def moved(quads: Array, offsets: Array) -> Array:
    """(n, 4, 2) outlines with their sides moved outwards by (n, 4) pixels, the corners where the sides meet."""
    ahead = np.roll(quads, -1, axis=1)
    direction = (ahead - quads) / np.linalg.norm(ahead - quads, axis=2, keepdims=True)
    outwards = np.stack([direction[..., 1], -direction[..., 0]], axis=-1)
    level = (outwards * quads).sum(axis=2) + offsets
    before, level_before = np.roll(outwards, 1, axis=1), np.roll(level, 1, axis=1)
    system = np.stack([outwards, before], axis=2)
    return np.asarray(np.linalg.solve(system, np.stack([level, level_before], axis=2)[..., None])[..., 0], np.float64)
