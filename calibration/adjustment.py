"""Bundle adjustment: the pinhole, its lens and its pose that explain best where flat shapes of known size are seen.

Nothing is known of where the shapes lie: each has a place and a turn of its own, and all are adjusted together with the
camera (Levenberg and Marquardt). The plane's frame here: origin where the optical axis meets it, x and y as the camera
sees them, z away from the camera.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.shapes import Shapes, Spots

Array = NDArray[np.float64]

USUAL_FOCAL, FOCAL_SPREAD = 0.85, 0.45
"""What cameras over tables have: in widths of the picture, and the spread of its logarithm."""

K1_SPREAD, K2_SPREAD = 0.12, 0.05
"""How strongly their lenses bend."""

MIDDLE_SPREAD = 0.008
"""How far the optical axis may be from the picture's middle, widths of the picture."""

EASY, WARY = 4, 25
"""Turns of a robust search in which all shapes are believed, at first, and in which their weights are taken anew."""

OUTLYING = 3.0
"""Shapes off by so many times what is usual have half a say."""

CAMERA = 8  # logarithm of the focal length, k1, k2, centre x, centre y, tilt about x, tilt about y, logarithm of the distance


def middle_of(size: tuple[int, int]) -> Array:
    return np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])


def rodrigues(vector: Array) -> Array:
    """(3, 3) rotation about a vector by its length, radians."""
    return np.asarray(cv2.Rodrigues(np.asarray(vector, np.float64).reshape(3, 1))[0], np.float64)


def _laid(local: Array, poses: Array) -> Array:
    """(..., 2) points of shapes on the plane; local: (..., 2) in their own frames, poses: (..., 3) places and turns."""
    c, s = np.cos(poses[..., 2]), np.sin(poses[..., 2])
    x = poses[..., 0] + c * local[..., 0] - s * local[..., 1]
    y = poses[..., 1] + s * local[..., 0] + c * local[..., 1]
    return np.stack([x, y], axis=-1)


class Adjustment:
    """One bundle adjustment: the camera, the ratio of the sides, the layout of pips, and each shape's place and turn (or,
    with known points, the place and turn of them all)."""

    def __init__(self, shapes: Shapes, size: tuple[int, int], robust: bool, known: Array | None = None) -> None:
        self.shapes, self.size, self.robust, self.known = shapes, size, robust, known
        self.count, each = shapes.corners.shape[:2]
        self.weights = np.ones(self.count)
        self.values = np.zeros(0)
        self.larger = 0.0  # logarithm of how much larger all shapes are than they should be
        spots = shapes.spots
        self.layout = spots.layout if spots is not None else np.zeros((0, 2))
        self.poses = CAMERA + 1 + self.layout.size  # where they begin among the values
        self.of_row = np.repeat(np.arange(self.count), 2 * each)  # whose each residual is
        if spots is not None:
            halves = np.arange(spots.half.max() + 1)[:, None] == spots.half
            self.mean = halves / halves.sum(axis=1, keepdims=True)
            self.apart = np.eye(len(spots.half)) - self.mean[spots.half]
            self.mean_noise = np.sqrt(self.mean**2 @ spots.noise**2 + self.mean @ spots.slip**2)
            tiles = np.concatenate([(self.mean @ spots.tile).round().astype(np.int64), spots.tile])
            self.of_row = np.concatenate([self.of_row, np.repeat(tiles, 2)])

    def local(self, stretch: float) -> Array:
        """(m, 2) corners of a shape in its own frame; `stretch` widens it."""
        if self.known is not None:
            return np.asarray(self.known - self.known.mean(axis=0), np.float64)
        a, b = self.shapes.length / 2, self.shapes.width / 2 * np.exp(stretch)
        return np.array([(-a, -b), (a, -b), (a, b), (-a, b)])

    def plane(self, values: Array) -> Array:
        """(n, m, 2) the shapes' corners on the plane."""
        poses = values[self.poses :].reshape(-1, 1, 3)
        return _laid(self.local(values[CAMERA])[None] * np.exp(self.larger), poses)

    def spots_on_plane(self, values: Array, spots: Spots) -> Array:
        """(m, 2) the pips on the plane."""
        layout = values[CAMERA + 1 : self.poses].reshape(-1, 2)
        middle = np.where(spots.second, 0.25, -0.25) * self.shapes.length
        local = spots.sign[:, None] * layout[spots.vector]
        local[:, 0] += middle
        return _laid(local * np.exp(self.larger), values[self.poses :].reshape(-1, 3)[spots.tile])

    def seen(self, values: Array, plane: Array) -> Array:
        """(..., 2) the pixels of points on the plane."""
        rotation = rodrigues(np.array([values[5], values[6], 0.0]))
        rays = plane @ rotation[:, :2].T
        rays[..., 2] += np.exp(values[7])
        straight = rays[..., :2] / np.maximum(rays[..., 2:], 1e-6)
        square = (straight**2).sum(axis=-1, keepdims=True)
        bent = straight * (1 + values[1] * square + values[2] * square**2)
        return np.asarray(bent * np.exp(values[0]) + values[3:5], np.float64)

    def priors(self, values: Array) -> Array:
        """How unusual the camera and the ratio of the sides are, in sigmas."""
        width = max(self.size)
        middle = middle_of(self.size)
        return np.array([
            (values[0] - np.log(USUAL_FOCAL * width)) / FOCAL_SPREAD, values[1] / K1_SPREAD, values[2] / K2_SPREAD,
            (values[3] - middle[0]) / (MIDDLE_SPREAD * width), (values[4] - middle[1]) / (MIDDLE_SPREAD * width),
            values[CAMERA] / max(self.shapes.slack, 1e-6),
        ])  # fmt: skip

    def residuals(self, values: Array) -> Array:
        """(r,) seen less explained, in sigmas; whose each is tells `of_row`."""
        off = ((self.seen(values, self.plane(values)) - self.shapes.corners) / self.shapes.noise).ravel()
        spots = self.shapes.spots
        if spots is None:
            return off
        astray = self.seen(values, self.spots_on_plane(values, spots)) - spots.pixels
        together = self.mean @ astray / self.mean_noise[:, None]
        apart = self.apart @ astray / spots.noise[:, None]
        return np.concatenate([off, together.ravel(), apart.ravel()])

    def errors(self, values: Array) -> Array:
        """All residuals, weighted, and what speaks against unusual cameras."""
        return np.concatenate([self.residuals(values) * np.sqrt(self.weights)[self.of_row], self.priors(values)])

    def slope(self, values: Array, errors: Array) -> Array:
        """The Jacobian by differences: of the shapes' own values all at once, since no shape depends on another."""
        steps = np.array([1e-6, 1e-6, 1e-6, 1e-3, 1e-3, 1e-7, 1e-7, 1e-7, 1e-6, *[1e-4] * self.layout.size])
        jacobian = np.zeros((len(errors), len(values)))
        for i, step in enumerate(steps):
            moved = values.copy()
            moved[i] += step
            jacobian[:, i] = (self.errors(moved) - errors) / step
        rows = np.arange(len(self.of_row))
        for i, step in enumerate((1e-4, 1e-4, 1e-7)):
            moved = values.copy()
            moved[self.poses + i :: 3] += step
            change = (self.errors(moved) - errors) / step
            jacobian[rows, self.poses + i + 3 * self.of_row] = change[rows]
        return jacobian

    def run(self, camera: Array) -> float:
        """Adjust from this camera, (8,); the sum of squares of all errors in the end. `values` is what was found."""
        self.weights = np.ones(self.count)
        values = np.concatenate([camera, [0.0], self.layout.ravel(), np.zeros(3 * self.count)])
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
            if self.robust and EASY <= turn < EASY + WARY:
                self._weigh(values)
                errors = self.errors(values)
                cost = float(errors @ errors)
            elif gain < 1e-6 * max(cost, 1):
                break
        self.values = values
        return cost

    def pose(self) -> tuple[Array, Array]:
        """(3, 3) rotation and (3,) translation of the plane before the camera."""
        rotation = rodrigues(np.array([self.values[5], self.values[6], 0.0]))
        return rotation, np.array([0.0, 0.0, np.exp(self.values[7])])

    def possible(self) -> bool:
        """Whether the shapes lie before the camera, and it does not look along the plane."""
        if not np.isfinite(self.values).all():
            return False
        rotation, translation = self.pose()
        depth = self.plane(self.values) @ rotation[2, :2] + translation[2]
        return bool(depth.min() > 0 and rotation[2, 2] >= 0.05)

    def evidence(self) -> tuple[Array, Array, Array]:
        """(8, 8) covariance of the camera, where the noise is as it was told to be; (n,) slope and (n, n) curvature of half
        the cost where shapes are larger, by their logarithms, and all else may answer to it."""
        errors = self.errors(self.values)
        jacobian = self.slope(self.values, errors)
        # the plane may be turned and shifted under the shapes: without a little stiffness that would be no distribution
        stiff = np.diag(np.where(np.arange(len(self.values)) > CAMERA, 1e-6, 0.0))
        inverse = np.linalg.inv(jacobian.T @ jacobian + stiff)
        self.larger = 1e-6
        change = (self.errors(self.values) - errors) / self.larger
        self.larger = 0.0
        rows = np.arange(len(self.of_row))
        larger = np.zeros((len(errors), self.count))
        larger[rows, self.of_row] = change[rows]
        answered = larger - jacobian @ (inverse @ (jacobian.T @ larger))
        return inverse[:CAMERA, :CAMERA], answered.T @ errors, larger.T @ answered

    def spots_off(self) -> float:
        """How far pips usually lie from where they should beside the others of their half, in units of their noise."""
        spots = self.shapes.spots
        if spots is None:
            return 1.0
        lying = self.residuals(self.values)[-self.apart.shape[0] * 2 :].reshape(-1, 2)
        several = (self.mean > 0).sum(axis=1)[spots.half] > 1
        if not several.any():
            return 1.0
        halves = len(np.unique(spots.half[several]))
        free = 2 * several.sum() - 2 * halves - self.layout.size - len(np.unique(spots.tile[several]))
        usual = float(np.median(np.abs(lying[several]))) / 0.6745
        return usual * float(np.sqrt(2 * several.sum() / max(free, 1)))

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
        values[self.poses :] = np.column_stack([middle, turn]).ravel()

    def _weigh(self, values: Array) -> None:
        """Weights of the shapes by how far they are off, the scale taken from the better half."""
        rows = np.bincount(self.of_row, minlength=self.count)
        off = np.sqrt(np.bincount(self.of_row, self.residuals(values) ** 2, self.count) / rows)
        scale = max(1.0, OUTLYING * float(np.median(off)))
        self.weights = 1 / (1 + (off / scale) ** 4)
