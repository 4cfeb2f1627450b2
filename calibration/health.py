"""How well the camera sees the table: pixels per millimetre, light, glare, sharpness, and what to change."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.measure import camera_distance
from calibration.profile import Profile
from engine.words import say

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

USUAL_TILE = 48.0
"""Length of a usual tile, millimetres."""

PIP_SHARE = 0.1
"""Diameter of a pip, of the tile's length."""

GOOD_PIP = 4.0
"""Diameter of a pip from which on pips are counted well, pixels."""

RESOLUTIONS = ((1280, "720p"), (1920, "1080p"), (2560, "1440p"), (3840, "4K"))
"""Widths that cameras have, and how they are called."""

DARK, BRIGHT = 0.18, 0.85
"""Mean brightness of the table below and above which the light should change."""

MUCH_GLARE = 0.04
"""Share of the table that is blown out from which on it is told."""

SOFT = 0.45
"""Sharpness below which the focus should be looked at."""


@dataclass(frozen=True, slots=True)
class Health:
    """light: mean brightness of the play area, 0..1. glare: share of it that is blown out. sharpness: 1 where edges are as
    crisp as a lens can make them. scale: pixels per millimetre at the worst place and in the worst direction. pip_px:
    diameter of a pip there. advice: what to change, a sentence each; empty where all is well."""

    light: float
    glare: float
    sharpness: float
    scale: float
    pip_px: float
    advice: tuple[str, ...]


def scales(profile: Profile, points: Array) -> Array:
    """(n,) pixels per millimetre at (n, 2) millimetres, in the direction in which they are fewest."""
    step = 0.5
    across = (profile.to_picture(points + (step, 0)) - profile.to_picture(points - (step, 0))) / (2 * step)
    down = (profile.to_picture(points + (0, step)) - profile.to_picture(points - (0, step))) / (2 * step)
    return np.asarray(np.linalg.svd(np.stack([across, down], axis=-1), compute_uv=False)[:, -1], np.float64)


def area_grid(profile: Profile, count: int = 15) -> Array:
    """(count², 2) millimetres all over the play area, its edges included."""
    x0, y0, x1, y1 = profile.area
    x, y = np.meshgrid(np.linspace(x0, x1, count), np.linspace(y0, y1, count))
    return np.column_stack([x.ravel(), y.ravel()])


def health(image: Image, profile: Profile, tile_mm: float = USUAL_TILE) -> Health:
    """Look at the play area of one picture, (H, W, 3) BGR. tile_mm: length of the tiles in use."""
    scale = float(scales(profile, area_grid(profile)).min())
    pip = scale * PIP_SHARE * tile_mm
    grey, mask = _area_of(image, profile)
    inside = grey[mask > 0]
    light = float(inside.mean()) / 255 if inside.size else 0.0
    glare = float((inside >= 250).mean()) if inside.size else 0.0
    sharp = sharpness(grey, mask)
    advice = []
    if pip < GOOD_PIP:
        advice.append(_closer(profile, GOOD_PIP / pip))
    if light < DARK:
        advice.append(say("Switch more light on: the table is dark."))
    elif light > BRIGHT:
        advice.append(say("Dim the light, or lower the camera's exposure: the table is too bright."))
    if glare > MUCH_GLARE:
        advice.append(say("Move the lamp or the camera: part of the table shines so brightly that pips drown in it."))
    if sharp < SOFT and light >= DARK:
        advice.append(say("Focus the camera on the table, and clean its lens: edges look soft."))
    return Health(light, glare, sharp, scale, pip, tuple(advice))


def _closer(profile: Profile, ratio: float) -> str:
    """How to make pips `ratio` times as large."""
    distance = camera_distance(profile)
    nearer = 5 * int(np.ceil(distance * (1 - 1 / ratio) / 50))
    wanted = [name for width, name in RESOLUTIONS if width >= ratio * 0.97 * max(profile.size)]
    if wanted:
        return say("Move the camera {nearer} cm closer or use {resolution}.", nearer=nearer, resolution=wanted[0])
    return say("Move the camera {nearer} cm closer.", nearer=nearer)


def _area_of(image: Image, profile: Profile) -> tuple[Image, Image]:
    """The picture in grey, and where in it the play area is."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    x0, y0, x1, y1 = profile.area
    t = np.linspace(0, 1, 9)[:, None]
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    edge = np.concatenate([a + t * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(profile.to_picture(edge)).astype(np.int32)], 1)
    return grey, mask


def sharpness(grey: Image, mask: Image) -> float:
    """How much of an edge's whole step is made within one pixel, at the clearest edges; 1: all that a lens allows.

    A ratio, so that neither light nor contrast changes it. 0 where there are no edges to look at.
    """
    smooth = cv2.GaussianBlur(grey, (0, 0), 0.7)  # noise is no edge
    square = np.ones((7, 7), np.uint8)
    reach = np.asarray(cv2.subtract(cv2.dilate(smooth, square), cv2.erode(smooth, square)), np.float32)
    across = cv2.absdiff(smooth[:, 1:], smooth[:, :-1])[:-1]
    down = cv2.absdiff(smooth[1:], smooth[:-1])[:, :-1]
    step = np.asarray(cv2.max(across, down), np.float32)
    reach, inside = reach[:-1, :-1], mask[:-1, :-1] > 0
    edges = inside & (reach > 40)
    if edges.sum() < 50:
        return 0.0
    share = step[edges] / reach[edges]
    return float(min(1.0, np.percentile(share, 95) / 0.42))
