"""The profile drawn over the camera's picture: a grid in millimetres, and where pixels are many or few."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.health import GOOD_PIP, PIP_SHARE, USUAL_TILE, scales
from calibration.profile import Profile

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

GRID = 50.0
"""Between two lines of the grid, millimetres."""

CELLS = 24
"""Patches along a side of the play area that are coloured by their scale."""


def draw_profile(image: Image, profile: Profile, tile_mm: float = USUAL_TILE) -> Image:
    """(H, W, 3) a copy of the picture with the grid, the play area, and its scale: green good, red too few pixels."""
    x0, y0, x1, y1 = profile.area
    drawn = _heat(image, profile, GOOD_PIP / (PIP_SHARE * tile_mm))
    thick = max(1, round(max(image.shape[:2]) / 1200))
    for x in np.arange(np.ceil(x0 / GRID), np.floor(x1 / GRID) + 1) * GRID:
        _line(drawn, profile, (x, y0), (x, y1), (255, 255, 255), thick * (2 if x == 0 else 1))
    for y in np.arange(np.ceil(y0 / GRID), np.floor(y1 / GRID) + 1) * GRID:
        _line(drawn, profile, (x0, y), (x1, y), (255, 255, 255), thick * (2 if y == 0 else 1))
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        _line(drawn, profile, a, b, (30, 200, 255), 3 * thick)
    grid = np.array([(x, y) for x in np.linspace(x0, x1, 9) for y in np.linspace(y0, y1, 9)])
    found = scales(profile, grid)
    size = 0.00042 * max(image.shape[:2])
    for place, scale in ((grid[found.argmin()], found.min()), (grid[found.argmax()], found.max())):
        _label(drawn, profile.to_picture(place[None])[0], f"{scale:.2f} px/mm", size)
    told = f"{x1 - x0:.0f} x {y1 - y0:.0f} mm by {profile.method}, grid {GRID:.0f} mm, off by {profile.error_mm:.2f} mm"
    _label(drawn, np.array([drawn.shape[1] / 2, drawn.shape[0] - 40 * size]), told, size)
    return drawn


def _heat(image: Image, profile: Profile, good: float) -> Image:
    """Colour patches of the play area: green from `good` pixels per millimetre on, red at half of that."""
    x0, y0, x1, y1 = profile.area
    x, y = np.linspace(x0, x1, CELLS + 1), np.linspace(y0, y1, CELLS + 1)
    nodes = profile.to_picture(np.column_stack([np.tile(x, CELLS + 1), np.repeat(y, CELLS + 1)]))
    nodes = nodes.reshape(CELLS + 1, CELLS + 1, 2)
    middles = np.column_stack([np.tile((x[1:] + x[:-1]) / 2, CELLS), np.repeat((y[1:] + y[:-1]) / 2, CELLS)])
    shares = np.clip(scales(profile, middles) / good * 2 - 1, 0, 1).reshape(CELLS, CELLS)
    painted = image.copy()
    for row in range(CELLS):
        for column in range(CELLS):
            patch = nodes[[row, row, row + 1, row + 1], [column, column + 1, column + 1, column]]
            share = float(shares[row, column])
            cv2.fillConvexPoly(painted, np.round(patch * 16).astype(np.int32), (40, 60 + 150 * share, 220 - 180 * share), shift=4)
    return np.asarray(cv2.addWeighted(image, 0.72, painted, 0.28, 0), np.uint8)


def _line(drawn: Image, profile: Profile, a: tuple[float, float], b: tuple[float, float],
          colour: tuple[int, int, int], thick: int) -> None:
    """A line of the table, bent as the lens bends it, in place."""
    table = np.linspace(a, b, 33)
    cv2.polylines(drawn, [np.round(profile.to_picture(table) * 16).astype(np.int32)], False, colour, thick, cv2.LINE_AA, 4)


def _label(drawn: Image, at: Array, text: str, size: float) -> None:
    """Dark words on a light ground, wholly within the picture, in place."""
    thick = max(1, round(1.6 * size))
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    pad = round(10 * size)
    x = int(np.clip(at[0] - width / 2, pad, drawn.shape[1] - width - pad))
    y = int(np.clip(at[1] + height / 2, height + pad, drawn.shape[0] - below - pad))
    cv2.rectangle(drawn, (x - pad, y - height - pad), (x + width + pad, y + below + pad // 2), (245, 245, 240), -1)
    cv2.putText(drawn, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, (50, 40, 30), thick, cv2.LINE_AA)
