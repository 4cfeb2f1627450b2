"""Where the camera stands: the pinhole, its lens and its pose that explain best where flat shapes of known size are seen."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.adjustment import CAMERA, Adjustment, middle_of, rodrigues
from calibration.profile import Lens
from calibration.shapes import Shapes, scale_line
from engine.words import say

Array = NDArray[np.float64]

FOCAL_STARTS = (0.55, 0.8, 1.2, 2.0)
"""Focal lengths the search starts from, widths of the picture."""

DRAWN = 24
"""So many other cameras tell how far the found one can be believed."""


class CalibrationError(ValueError):
    """The table cannot be measured from what was seen; the text says why, in plain words."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """lens; rotation (3, 3) and translation (3,) of the plane before the camera; each shape's (n, 4, 2) corners on the plane.

    residuals: (n, 4, 2) pixels, seen minus explained. weights: (n,) 1 for shapes that fit, near 0 for those that do not.
    cost: sum of squares, in units of the noise, what speaks against unusual cameras included. camera: (8,) the values that
    were adjusted. doubt: (k, 8) other cameras that explain what is seen nearly as well, drawn by how well they do (see
    `uncertainty`). spots_off: how well pips fit, in units of their noise. pull: (n,) and hold: (n, n) slope and curvature
    of half the cost where a shape is larger, by its logarithm, and the camera may answer to it.
    """

    lens: Lens
    rotation: Array
    translation: Array
    plane: Array
    residuals: Array
    weights: Array
    cost: float
    camera: Array
    doubt: Array
    spots_off: float
    pull: Array
    hold: Array

    @property
    def homography(self) -> Array:
        """(3, 3) from the plane, millimetres, to straightened pixels."""
        columns = np.column_stack([self.rotation[:, 0], self.rotation[:, 1], self.translation])
        return np.asarray(self.lens.matrix @ columns, np.float64)

    def to_plane(self, pixels: Array) -> Array:
        """(n, 2) pixels of the picture to millimetres of the plane."""
        return _on_plane(self.lens, self.homography, pixels)

    @property
    def tilt(self) -> float:
        """Angle between the camera's axis and the upright over the table, radians."""
        return float(np.arccos(np.clip(self.rotation[2, 2], -1, 1)))


def fit(shapes: Shapes, size: tuple[int, int], robust: bool = False, near: Fit | None = None) -> Fit:
    """The camera that sees shapes lying anywhere on one plane. size: (width, height) of the picture.

    robust: shapes that do not fit lose their say. near: what was found before from much the same shapes: the search starts
    there. Raises CalibrationError where no camera sees them so.
    """
    if near is not None:
        starts = [near.camera]
    else:
        line = scale_line(shapes.corners - middle_of(size), shapes.length * shapes.width)
        starts = _starts(line, size)
    return _best(Adjustment(shapes, size, robust), starts, say("No camera could see these shapes lying flat on one table."))


def fit_known(plane: Array, pixels: Array, size: tuple[int, int], noise: float) -> Fit:
    """The camera that sees known points: (n, 2) millimetres of the plane at (n, 2) pixels; the plane's frame is theirs.

    Raises CalibrationError where there are fewer than four points, or no camera sees them so.
    """
    if len(plane) < 4:
        raise CalibrationError(say("Four points are needed, and {number} are known.", number=len(plane)))
    middle = middle_of(size)
    homography = cv2.findHomography(np.asarray(pixels - middle, np.float64), np.asarray(plane, np.float64))[0]
    if homography is None or abs(np.linalg.det(homography)) < 1e-12:
        raise CalibrationError(say("The points lie in one line."))
    determinant = float(np.linalg.det(homography))
    if determinant < 0:
        raise CalibrationError(say("The picture is mirrored: switch the camera's mirroring off."))
    line = homography[2] / np.cbrt(determinant)
    if (np.column_stack([pixels - middle, np.ones(len(pixels))]) @ line).min() <= 0:
        raise CalibrationError(say("The points lie on both sides of the horizon."))
    adjustment = Adjustment(Shapes(pixels[None], 1, 1, 0, noise), size, False, known=plane)
    return _best(adjustment, _starts(line, size), say("No camera could see these points so."))


def _best(adjustment: Adjustment, starts: list[Array], otherwise: str) -> Fit:
    """What explains most, of the searches from these cameras."""
    best, least = None, np.inf
    for camera in starts:
        cost = adjustment.run(camera)
        if cost < least and adjustment.possible():
            best, least = (adjustment.values, adjustment.weights), cost
    if best is None:
        raise CalibrationError(otherwise)
    adjustment.values, adjustment.weights = best
    return _told(adjustment, least)


def _told(adjustment: Adjustment, cost: float) -> Fit:
    values = adjustment.values
    rotation, translation = adjustment.pose()
    plane = adjustment.plane(values)
    residuals = adjustment.shapes.corners - adjustment.seen(values, plane)
    known = adjustment.known
    if known is not None:  # from the frame of the optical axis to that of the known points
        x, y, turn = values[adjustment.poses :]
        c, s = np.cos(turn), np.sin(turn)
        translation = translation + rotation @ np.array([x, y, 0.0])
        rotation = rotation @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        translation = translation - rotation @ np.append(known.mean(axis=0), 0.0)
        plane = known[None]
    spread, pull, hold = adjustment.evidence()
    freedom = max(1, len(adjustment.of_row) + CAMERA - len(values))
    doubt = np.random.default_rng(0).multivariate_normal(
        values[:CAMERA], (spread + spread.T) / 2 * max(1.0, cost / freedom), DRAWN, method="eigh")
    return Fit(_lens(values), rotation, translation, plane, residuals, adjustment.weights, cost, values[:CAMERA],
               np.asarray(doubt, np.float64), adjustment.spots_off(), pull, hold)


def _lens(camera: Array) -> Lens:
    focal = float(np.exp(camera[0]))
    return Lens(np.array([[focal, 0, camera[3]], [0, focal, camera[4]], [0, 0, 1]]), np.array([*camera[1:3], 0, 0, 0]))


def _starts(line: Array, size: tuple[int, int]) -> list[Array]:
    """Cameras of several focal lengths that see the plane's magnification change so."""
    cameras = [_start(line, focal * max(size), size) for focal in FOCAL_STARTS]
    return [camera for camera in cameras if camera is not None]


def _start(line: Array, focal: float, size: tuple[int, int]) -> Array | None:
    """(8,) camera of that focal length (pixels) that sees the plane's magnification change so; None where it cannot."""
    normal = np.array([line[0] * focal, line[1] * focal, line[2]])
    strength = float(np.linalg.norm(normal))
    if line[2] <= 0 or normal[2] / strength < 0.12:
        return None
    normal /= strength
    away = focal / strength**1.5
    # the rotation about an axis in the picture's plane that turns the camera's axis to the normal
    angle = np.arccos(np.clip(normal[2], -1, 1))
    axis = np.array([-normal[1], normal[0]])
    tilt = axis / max(float(np.linalg.norm(axis)), 1e-12) * angle
    return np.array([np.log(focal), 0, 0, *middle_of(size), *tilt, np.log(away / normal[2])])


def uncertainty(found: Fit, pixels: Array) -> float:
    """How far places on the plane, seen at (n, 2) pixels, may be off from each other: root mean square, millimetres."""
    here = found.to_plane(pixels)
    off = []
    for values in found.doubt:
        lens = _lens(values)
        rotation = rodrigues(np.array([values[5], values[6], 0.0]))
        columns = np.column_stack([rotation[:, 0], rotation[:, 1], (0.0, 0.0, np.exp(values[7]))])
        there = _on_plane(lens, lens.matrix @ columns, pixels)
        a, b = there - there.mean(axis=0), here - here.mean(axis=0)
        u, _, v = np.linalg.svd(a.T @ b)
        off.append(float(((a @ (u @ v) - b) ** 2).sum(axis=1).mean()))
    return float(np.sqrt(np.median(off)))


def _on_plane(lens: Lens, homography: Array, pixels: Array) -> Array:
    straight = lens.straight(pixels)[:, None]
    return np.asarray(cv2.perspectiveTransform(straight, np.linalg.inv(homography))[:, 0], np.float64)
