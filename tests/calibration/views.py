"""Cameras and tags with a known truth, without rendering: what the geometry is tested with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.tags import SeenTag
from simulator.setups import TrueCamera, random_camera, visible_area
from trials.calibration import true_error

__all__ = ["Area", "Array", "camera_and_area", "placed", "tag_at", "tags_of", "true_error"]

Array = NDArray[np.float64]
Area = tuple[float, float, float, float]


def camera_and_area(seed: int, size: tuple[int, int] = (1920, 1080)) -> tuple[TrueCamera, Area]:
    rng = np.random.default_rng([seed, 7])
    camera = random_camera(rng, size)
    return camera, visible_area(camera, rng, 60)


def placed(x: float, y: float, turn: float, length: float, width: float) -> Array:
    """(4, 2) corners of a rectangle on the table, the first edge along its length."""
    c, s = np.cos(turn), np.sin(turn)
    local = np.array([(-length, -width), (length, -width), (length, width), (-length, width)]) / 2
    return np.asarray(local @ np.array([[c, s], [-s, c]]) + (x, y), np.float64)


def tag_at(camera: TrueCamera, id: int, x: float, y: float, turn: float, side: float = 40.0, z: float = 0.0) -> SeenTag:
    corners = placed(x, y, turn, side, side)
    return SeenTag(id, camera.pixels(np.column_stack([corners, np.full(4, z)])), 1.0)


def tags_of(camera: TrueCamera, area: Area, ids: Sequence[int] = (0, 1, 2, 3)) -> list[SeenTag]:
    x0, y0, x1, y1 = area
    places = ((x0, y0, 0.3), (x1, y0, 2.0), (x1, y1, -1.2), (x0, y1, 3.0))
    return [tag_at(camera, id, *place) for id, place in zip(ids, places, strict=True)]
