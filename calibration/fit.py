"""Where the camera stands: the pinhole, its lens and its pose that explain best where flat shapes of known size are seen.

Nothing is known of where the shapes lie: each has a place and a turn of its own, and all are adjusted together with the
camera (bundle adjustment, Levenberg and Marquardt). The plane's frame here: origin where the optical axis meets it, x
and y as the camera sees them, z away from the camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Lens

Array = NDArray[np.float64]

FOCAL_STARTS = (0.55, 0.8, 1.2, 2.0)
"""Focal lengths the search starts from, widths of the picture."""

USUAL_FOCAL, FOCAL_SPREAD = 0.85, 0.45
"""What cameras over tables have: in widths of the picture, and the spread of its logarithm."""

K1_SPREAD, K2_SPREAD = 0.12, 0.05
"""How strongly their lenses bend."""

MIDDLE_SPREAD = 0.008
"""How far the optical axis may be from the picture's middle, widths of the picture."""

DRAWN = 24
"""So many other cameras tell how far the found one can be believed."""

CAMERA = 8  # logarithm of the focal length, k1, k2, centre x, centre y, tilt about x, tilt about y, logarithm of the distance


class CalibrationError(ValueError):
    """The table cannot be measured from what was seen; the text says why, in plain words."""


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Rectangles on one plane as a camera sees them.

    corners: (n, 4, 2) pixels, clockwise as seen, the first edge along the length.
    length, width: millimetres, of all of them. slack: how uncertain the ratio of the two is (1 sigma of its logarithm).
    noise: how well a corner is found, pixels (1 sigma).
    middles: (n, 2, 2) pixels where the middles of the first and second half of the length are seen, `middle_noise` (n, 2)
    how well, infinite where they are not; None where nothing is known of them.
    """

    corners: Array
    length: float
    width: float
    slack: float = 0.0
    noise: float = 0.1
    middles: Array | None = None
    middle_noise: Array | None = None

    @property
    def points(self) -> Array:
        """(n, 4 or 6, 2) the corners and the middles."""
        return self.corners if self.middles is None else np.concatenate([self.corners, self.middles], axis=1)

    @property
    def sigma(self) -> Array:
        """(n, 4 or 6) pixels for each of the points."""
        of_corners = np.full(self.corners.shape[:2], self.noise)
        return of_corners if self.middle_noise is None else np.concatenate([of_corners, self.middle_noise], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """lens; rotation (3, 3) and translation (3,) of the plane before the camera; each shape's (n, 4, 2) corners on the plane.

    residuals: (n, 4, 2) pixels, seen minus explained. weights: (n,) 1 for shapes that fit, near 0 for those that do not.
    cost: sum of squares, in units of the noise, what speaks against unusual cameras included. doubt: (k, 8) other cameras
    that explain what is seen nearly as well, drawn by how well they do (see `uncertainty`).
    """

    lens: Lens
    rotation: Array
    translation: Array
    plane: Array
    residuals: Array
    weights: Array
    cost: float
    doubt: Array

    @property
    def homography(self) -> Array:
        """(3, 3) from the plane, millimetres, to straightened pixels."""
        columns = np.column_stack([self.rotation[:, 0], self.rotation[:, 1], self.translation])
        return np.asarray(self.lens.matrix @ columns, np.float64)

    @property
    def tilt(self) -> float:
        """Angle between the camera's axis and the upright over the table, radians."""
        return float(np.arccos(np.clip(self.rotation[2, 2], -1, 1)))


def quad_area(corners: Array) -> Array:
    """(n,) areas of (n, 4, 2) quadrilaterals; positive where the corners run clockwise as seen."""
    ahead = np.roll(corners, -1, axis=1)
    area: Array = (corners[..., 0] * ahead[..., 1] - corners[..., 1] * ahead[..., 0]).sum(axis=1) / 2
    return area


def scale_line(corners: Array, area_mm: float) -> Array:
    """(a, b, c): a plane is seen at a x + b y + c, cubed, square pixels to the square millimetre.

    That the cube root of the magnification of areas changes linearly over the picture is how a plane looks in
    perspective (Criminisi, Reid and Zisserman, Single view metrology, 2000). corners: (n, 4, 2) about the picture's middle.
    """
    seen = np.cbrt(quad_area(corners) / area_mm)
    middle = corners.mean(axis=1)
    rows = np.column_stack([middle, np.ones(len(middle))])
    weights = np.ones(len(middle))
    line: Array = np.zeros(3)
    for _ in range(12):  # least absolute deviations, so that a few wrong shapes do not lead astray
        line = np.asarray(np.linalg.lstsq(rows * weights[:, None], seen * weights, rcond=None)[0], np.float64)
        distance = np.maximum(np.abs(rows @ line - seen), 0.003 * float(np.median(seen)))
        weights = np.sqrt(distance.min() / distance)
    return line


def fit(shapes: Shapes, size: tuple[int, int], robust: bool = False) -> Fit:
    """The camera that sees shapes lying anywhere on one plane. size: (width, height) of the picture.

    robust: shapes that do not fit lose their say. Raises CalibrationError where no camera sees them so.
    """
    middle = _middle(size)
    line = scale_line(shapes.corners - middle, shapes.length * shapes.width)
    best: Fit | None = None
    for focal in FOCAL_STARTS:
        camera = _start(line, focal * max(size), size)
        if camera is None:
            continue
        found = _Adjustment(shapes, size, robust).run(camera)
        if found is not None and (best is None or found.cost < best.cost):
            best = found
    if best is None:
        raise CalibrationError("No camera could see these shapes lying flat on one table.")
    return best


def fit_known(plane: Array, pixels: Array, size: tuple[int, int], noise: float) -> Fit:
    """The camera that sees known points: (n, 2) millimetres of the plane at (n, 2) pixels; the plane's frame is theirs.

    Raises CalibrationError where there are fewer than four points, or no camera sees them so.
    """
    if len(plane) < 4:
        raise CalibrationError(f"Four points are needed, and {len(plane)} are known.")
    middle = _middle(size)
    homography = cv2.findHomography(np.asarray(pixels - middle, np.float64), np.asarray(plane, np.float64))[0]
    if homography is None or abs(np.linalg.det(homography)) < 1e-12:
        raise CalibrationError("The points lie in one line.")
    determinant = float(np.linalg.det(homography))
    if determinant < 0:
        raise CalibrationError("The picture is mirrored: switch the camera's mirroring off.")
    line = homography[2] / np.cbrt(determinant)
    if (np.column_stack([pixels - middle, np.ones(len(pixels))]) @ line).min() <= 0:
        raise CalibrationError("The points lie on both sides of the horizon.")
    best: Fit | None = None
    for focal in FOCAL_STARTS:
        camera = _start(line, focal * max(size), size)
        if camera is None:
            continue
        found = _Adjustment(Shapes(pixels[None], 1, 1, 0, noise), size, False, known=plane).run(camera)
        if found is not None and (best is None or found.cost < best.cost):
            best = found
    if best is None:
        raise CalibrationError("No camera could see these points so.")
    return best


def _middle(size: tuple[int, int]) -> Array:
    return np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])


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
    return np.array([np.log(focal), 0, 0, *_middle(size), *tilt, np.log(away / normal[2])])


def uncertainty(found: Fit, pixels: Array) -> float:
    """How far places on the plane, seen at (n, 2) pixels, may be off from each other: root mean square, millimetres."""
    here = _on_plane(found.lens, found.homography, pixels)
    off = []
    for values in found.doubt:
        focal = float(np.exp(values[0]))
        lens = Lens(np.array([[focal, 0, values[3]], [0, focal, values[4]], [0, 0, 1]]), np.array([*values[1:3], 0, 0, 0]))
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


def rodrigues(vector: Array) -> Array:
    """(3, 3) rotation about a vector by its length, radians."""
    return np.asarray(cv2.Rodrigues(np.asarray(vector, np.float64).reshape(3, 1))[0], np.float64)


class _Adjustment:
    """One bundle adjustment: the camera, the ratio of the sides, and each shape's place and turn (or, with known points,
    the place and turn of them all)."""

    def __init__(self, shapes: Shapes, size: tuple[int, int], robust: bool, known: Array | None = None) -> None:
        self.shapes, self.size, self.robust, self.known = shapes, size, robust, known
        self.count = len(shapes.corners)
        self.weights = np.ones(self.count)
        self.points, self.sigma = shapes.points, shapes.sigma

    def local(self, stretch: float) -> Array:
        """(m, 2) points of a shape in its own frame; `stretch` widens it."""
        if self.known is not None:
            return np.asarray(self.known - self.known.mean(axis=0), np.float64)
        a, b = self.shapes.length / 2, self.shapes.width / 2 * np.exp(stretch)
        corners = np.array([(-a, -b), (a, -b), (a, b), (-a, b)])
        return corners if self.shapes.middles is None else np.vstack([corners, [(-a / 2, 0), (a / 2, 0)]])

    def plane(self, values: Array) -> Array:
        """(n, m, 2) the shapes' points on the plane."""
        poses = values[CAMERA + 1 :].reshape(-1, 3)
        c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
        local = self.local(values[CAMERA])
        x = poses[:, :1] + c[:, None] * local[:, 0] - s[:, None] * local[:, 1]
        y = poses[:, 1:2] + s[:, None] * local[:, 0] + c[:, None] * local[:, 1]
        return np.stack([x, y], axis=-1)

    def seen(self, values: Array) -> Array:
        """(n, m, 2) the pixels of the shapes' points."""
        plane = self.plane(values)
        rotation = rodrigues(np.array([values[5], values[6], 0.0]))
        rays = plane @ rotation[:, :2].T
        rays[..., 2] += np.exp(values[7])
        straight = rays[..., :2] / np.maximum(rays[..., 2:], 1e-6)
        square = (straight**2).sum(axis=-1, keepdims=True)
        bent = straight * (1 + values[1] * square + values[2] * square**2)
        return np.asarray(bent * np.exp(values[0]) + values[3:5], np.float64)

    def priors(self, values: Array) -> Array:
        """(6,) how unusual the camera and the ratio of the sides are, in sigmas."""
        width = max(self.size)
        middle = _middle(self.size)
        return np.array([
            (values[0] - np.log(USUAL_FOCAL * width)) / FOCAL_SPREAD, values[1] / K1_SPREAD, values[2] / K2_SPREAD,
            (values[3] - middle[0]) / (MIDDLE_SPREAD * width), (values[4] - middle[1]) / (MIDDLE_SPREAD * width),
            values[CAMERA] / max(self.shapes.slack, 1e-6),
        ])  # fmt: skip

    def errors(self, values: Array) -> Array:
        """All residuals in sigmas, the shapes' ones weighted."""
        off = (self.seen(values) - self.points) / self.sigma[..., None] * np.sqrt(self.weights)[:, None, None]
        return np.asarray(np.concatenate([off.ravel(), self.priors(values)]), np.float64)

    def slope(self, values: Array, errors: Array) -> Array:
        """The Jacobian by differences: of the shapes' own values all at once, since no shape depends on another."""
        steps = np.array([1e-6, 1e-6, 1e-6, 1e-3, 1e-3, 1e-7, 1e-7, 1e-7, 1e-6])
        jacobian = np.zeros((len(errors), len(values)))
        for i, step in enumerate(steps):
            moved = values.copy()
            moved[i] += step
            jacobian[:, i] = (self.errors(moved) - errors) / step
        each = self.points[0].size
        rows = np.arange(self.count * each).reshape(self.count, each)
        for i, step in enumerate((1e-4, 1e-4, 1e-7)):
            moved = values.copy()
            columns = np.arange(CAMERA + 1 + i, len(values), 3)
            moved[columns] += step
            change = (self.errors(moved) - errors) / step
            jacobian[rows, columns[:, None]] = change[rows]
        return jacobian

    def run(self, camera: Array) -> Fit | None:
        """Adjust from this camera; None where the shapes end up behind it or the search runs away."""
        values = np.concatenate([camera, [0.0], np.zeros(3 * self.count)])
        self._place(values)
        damping = 1e-3
        errors = self.errors(values)
        cost = float(errors @ errors)
        for turn in range(60):
            jacobian = self.slope(values, errors)
            normal, gradient = jacobian.T @ jacobian, jacobian.T @ errors
            gain = 0.0
            for _ in range(8):
                step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), gradient)
                trial = values - step
                tried = self.errors(trial)
                after = float(tried @ tried)
                if np.isfinite(after) and after < cost:
                    gain, damping = cost - after, damping / 5
                    values, errors, cost = trial, tried, after
                    break
                damping *= 6
            if self.robust and turn < 25:
                self._weigh(values)
                errors = self.errors(values)
                cost = float(errors @ errors)
            elif gain < 1e-6 * max(cost, 1):
                break
        return self._result(values, cost, self._doubt(values, errors, cost))

    def _doubt(self, values: Array, errors: Array, cost: float) -> Array:
        """(k, 8) cameras drawn from the normal distribution about the found one, its spread that of the residuals."""
        jacobian = self.slope(values, errors)
        # the plane may be turned and shifted under the shapes: without a little stiffness that would be no distribution
        stiff = np.diag(np.concatenate([np.zeros(CAMERA + 1), np.full(len(values) - CAMERA - 1, 1e-6)]))
        spread = np.linalg.inv(jacobian.T @ jacobian + stiff)[:CAMERA, :CAMERA]
        freedom = max(1, len(errors) - len(values))
        rng = np.random.default_rng(0)
        tried = rng.multivariate_normal(values[:CAMERA], (spread + spread.T) / 2 * max(1.0, cost / freedom), DRAWN, method="eigh")
        return np.asarray(tried, np.float64)

    def _place(self, values: Array) -> None:
        """First guesses of where the shapes lie, in place: their middles and first edges seen back onto the plane."""
        rotation = rodrigues(np.array([values[5], values[6], 0.0]))
        columns = np.column_stack([rotation[:, 0], rotation[:, 1], (0, 0, np.exp(values[7]))])
        inner = np.array([[np.exp(values[0]), 0, values[3]], [0, np.exp(values[0]), values[4]], [0, 0, 1]])
        back = np.linalg.inv(inner @ columns)
        corners = self.shapes.corners
        points = cv2.perspectiveTransform(corners.reshape(-1, 1, 2), back).reshape(corners.shape)
        middle = points.mean(axis=1)
        local = self.local(0.0)[: corners.shape[1]]
        across = points - middle[:, None]
        turn = np.arctan2((local[:, 0] * across[..., 1] - local[:, 1] * across[..., 0]).sum(axis=1),
                          (local * across).sum(axis=(1, 2)))
        values[CAMERA + 1 :] = np.column_stack([middle, turn]).ravel()

    def _weigh(self, values: Array) -> None:
        """Weights of the shapes by how far they are off (Geman and McClure), the scale taken from the better half."""
        off = np.sqrt((((self.seen(values) - self.points) / self.sigma[..., None]) ** 2).mean(axis=(1, 2)))
        scale = max(1.0, 2.0 * float(np.median(off)))
        self.weights = 1 / (1 + (off / scale) ** 2) ** 2

    def _result(self, values: Array, cost: float, doubt: Array) -> Fit | None:
        focal = float(np.exp(values[0]))
        matrix = np.array([[focal, 0, values[3]], [0, focal, values[4]], [0, 0, 1]])
        rotation = rodrigues(np.array([values[5], values[6], 0.0]))
        translation = np.array([0.0, 0.0, np.exp(values[7])])
        plane = self.plane(values)
        depth = plane @ rotation[2, :2] + translation[2]
        if not np.isfinite(values).all() or depth.min() <= 0 or rotation[2, 2] < 0.05:
            return None
        if self.known is not None:  # from the frame of the optical axis to that of the known points
            x, y, turn = values[CAMERA + 1 :]
            c, s = np.cos(turn), np.sin(turn)
            about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
            translation = translation + rotation @ np.array([x, y, 0.0])
            rotation = rotation @ about
            translation = translation - rotation @ np.append(self.known.mean(axis=0), 0.0)
            plane = self.known[None]
        lens = Lens(matrix, np.array([values[1], values[2], 0, 0, 0]))
        plane = plane[:, : self.shapes.corners.shape[1]]
        residuals = self.shapes.corners - self.seen(values)[:, : self.shapes.corners.shape[1]]
        return Fit(lens, rotation, translation, plane, residuals, self.weights.copy(), cost, doubt)
