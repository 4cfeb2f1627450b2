"""From a fit to a profile: where the table frame lies, how far the play area reaches, and what cannot be a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import CalibrationError, Fit
from calibration.profile import Method, Profile
from engine.words import say

Array = NDArray[np.float64]

STEEPEST = np.radians(65)
"""More oblique than this nothing can be measured well."""


def framed(
    found: Fit, size: tuple[int, int], method: Method, origin: Array, turn: float, reach: Array, height_mm: float,
    off: Array, notes: Sequence[str], within_picture: bool = False,
) -> Profile:  # fmt: skip
    """The profile of the table `height_mm` under the fit's plane; its area bounds `reach`, (n, 2) on that plane."""
    if found.tilt > STEEPEST:
        raise CalibrationError(say(
            "The camera looks too flat over the table ({degrees} degrees from straight down): raise it, or tilt it down.",
            degrees=round(float(np.degrees(found.tilt)))))
    c, s = np.cos(turn), np.sin(turn)
    own_to_plane = np.array([[c, -s, origin[0]], [s, c, origin[1]], [0, 0, 1]])
    local = (reach - origin) @ own_to_plane[:2, :2]
    x0, y0, x1, y1 = (float(v) for v in (*local.min(axis=0), *local.max(axis=0)))
    translation = found.translation + height_mm * found.rotation[:, 2]
    columns = np.column_stack([found.rotation[:, 0], found.rotation[:, 1], translation])
    homography = np.linalg.inv(found.lens.matrix @ columns @ own_to_plane)
    error = float(np.sqrt((off**2).sum(axis=2).mean()))
    profile = Profile(size, homography / homography[2, 2], (x0, y0, x1, y1), method, error, found.lens, tuple(notes))
    if within_picture:
        profile = replace(profile, area=_seen_area(profile))
    _check_area(profile)
    return profile


def _seen_area(profile: Profile) -> tuple[float, float, float, float]:
    """The profile's area, its sides drawn in until the camera sees all of it."""
    area = np.array(profile.area)
    for _ in range(60):
        x0, y0, x1, y1 = area
        edges = ([(x0, y0), (x0, (y0 + y1) / 2), (x0, y1)], [(x0, y0), ((x0 + x1) / 2, y0), (x1, y0)],
                 [(x1, y0), (x1, (y0 + y1) / 2), (x1, y1)], [(x0, y1), ((x0 + x1) / 2, y1), (x1, y1)])
        beyond = np.array([[_beyond(profile, np.array([point])) for point in edge] for edge in edges])
        if beyond.max() <= 0:
            break
        outside = (beyond > 0).sum(axis=1)  # a corner is the end of two sides: the one that is all outside goes first
        worst = beyond.max(axis=1) * (outside == outside.max())
        area[int(worst.argmax())] *= 0.94
    return (float(area[0]), float(area[1]), float(area[2]), float(area[3]))


def _beyond(profile: Profile, points: Array) -> float:
    """How far the farthest of (n, 2) millimetres lies outside the picture, pixels; negative inside."""
    depth = np.column_stack([points, np.ones(len(points))]) @ profile.inverse[2]
    if (depth * np.sign(profile.inverse[2, 2]) < 0.05 * abs(profile.inverse[2, 2])).any():
        return 1e9
    pixels = profile.to_picture(points)
    width, height = profile.size
    return float(np.max([-pixels, pixels - (width - 1, height - 1)]))


def _check_area(profile: Profile) -> None:
    """Refuse areas that reach to the horizon or hardly into the picture."""
    x0, y0, x1, y1 = profile.area
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    depth = np.column_stack([corners, np.ones(4)]) @ profile.inverse[2] * np.sign(profile.inverse[2, 2])
    if depth.min() < 0.15 * depth.max():
        raise CalibrationError(say("The horizon lies within the play area, or nearly: the camera looks too flat over the table."))
    if min(x1 - x0, y1 - y0) < 60:
        raise CalibrationError(say("What was found covers only a small spot: spread it over the table."))


def off_on_plane(found: Fit, corners: Array) -> Array:
    """(n, m, 2) millimetres on the plane from where the fit has the corners to where they are seen."""
    return found.to_plane(corners.reshape(-1, 2)).reshape(corners.shape) - found.plane


def upright(found: Fit, at: Array) -> float:
    """Direction on the plane that the camera sees as to the right, at a place of it."""
    ends = cv2.perspectiveTransform(np.array([[at, at + (1, 0)]], np.float64), found.homography)[0]
    right = ends[1] - ends[0]
    down = cv2.perspectiveTransform(np.array([[at, at + (0, 1)]], np.float64), found.homography)[0][1] - ends[0]
    onto = np.linalg.solve(np.column_stack([right, down]), np.array([1.0, 0.0]))
    return float(np.arctan2(onto[1], onto[0]))


def quartered(upright: float, directions: Array, agreement: float) -> float:
    """Of the four directions that most edges have, the one nearest to `upright`; that itself where they do not agree."""
    mean = np.exp(4j * directions).mean()
    if abs(mean) < agreement:
        return upright
    turn = float(np.angle(mean)) / 4
    return turn + np.pi / 2 * round((upright - turn) / (np.pi / 2))
