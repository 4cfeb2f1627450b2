"""Finds printed tags in a picture, their corners to a few hundredths of a pixel."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mats import TAG_CELLS, dictionary, tag_cells

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

MARGIN = 0.7
"""How much of the paper around the black square is compared, cells."""

MOST_SAMPLES = 5000
"""Points of the picture that one tag is compared at."""

FEW_SAMPLES = 1000
"""As many bring a tag near enough for the finer comparison."""

ENLARGED_UP_TO = 2600
"""Longer side of pictures that are enlarged to look for small tags, pixels."""

FINE = 12
"""Points along a cell of the pattern that the picture is compared with."""

STEP = 0.05
"""How far a corner is moved to see what that changes, pixels."""

MOVES = STEP * np.concatenate([np.zeros((1, 8)), np.eye(8), -np.eye(8)]).reshape(-1, 4, 2)
"""(17, 4, 2): no corner moved, and each coordinate ahead and back."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenTag:
    """A tag in a picture: `corners` (4, 2) pixels, corner 0 the code's upper left one, clockwise.

    fit: how well the picture shows the pattern there, 0..1 (share of the contrast that it explains).
    """

    id: int
    corners: Array
    fit: float

    @property
    def center(self) -> Array:
        """(2,) pixels: where the diagonals meet."""
        a, b, c, d = self.corners
        share = np.linalg.solve(np.column_stack([c - a, b - d]), b - a)[0]
        center: Array = a + share * (c - a)
        return center


def find_tags(image: Image, thorough: bool = True, only: Container[int] | None = None) -> list[SeenTag]:
    """Every tag in a picture, (H, W, 3) BGR or (H, W) grey; one that is printed twice is found twice.

    thorough: look again at the enlarged picture for tags whose cells are only two pixels wide, or, where the picture is
    large, at the reduced one, which has less noise; and at both with the white drawn back, that has bled over the ink.
    only: the ids of those that are asked for; to measure one takes its time.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8) if image.ndim == 3 else image
    brightest = float(np.percentile(grey[::8, ::8], 99))
    looks = [(1.0, grey)]
    if brightest < 120:  # a dark picture, its own light brought up: the finder wants some contrast
        looks.append((1.0, np.asarray(cv2.convertScaleAbs(grey, alpha=160 / max(brightest, 4.0)), np.uint8)))
    if thorough:
        scale = 2.0 if max(grey.shape) <= ENLARGED_UP_TO else 0.5
        method = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
        scaled = [np.asarray(cv2.resize(look, None, fx=scale, fy=scale, interpolation=method), np.uint8) for _, look in looks]
        drawn_back = [np.asarray(cv2.erode(look, np.ones((3, 3), np.uint8)), np.uint8) for look in scaled]
        looks += [(scale, look) for look in (*scaled, *drawn_back)]
    found: list[SeenTag] = []
    for scale, looked in looks:
        corners, ids, _ = _detector().detectMarkers(looked)
        for id, quad in zip(np.ravel(ids) if ids is not None else (), corners, strict=True):
            if only is not None and int(id) not in only:
                continue
            rough = (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / scale - 0.5
            near = float(np.linalg.norm(rough[0] - rough[2]))
            if all(tag.id != id or np.linalg.norm(tag.center - rough.mean(axis=0)) > near for tag in found):
                found.append(sharpened(grey, int(id), rough))
    return found


def is_mirrored(image: Image) -> bool:
    """Whether tags can be read in the picture's mirror image only."""
    return not find_tags(image) and bool(find_tags(np.ascontiguousarray(image[:, ::-1])))


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE  # it jumps to corners inside the code; see `sharpened`
    settings.minMarkerPerimeterRate = 0.02
    settings.minMarkerDistanceRate = 0.05  # a tag's card is no second outline of the tag: both are tried
    return cv2.aruco.ArucoDetector(dictionary(), settings)


@cache
def _pattern(id: int) -> NDArray[np.float32]:
    """A tag with two cells of paper around it, `FINE` points to the cell, 1 white."""
    cells = np.pad(~tag_cells(id), 2, constant_values=True)
    return np.kron(cells, np.ones((FINE, FINE))).astype(np.float32)


def sharpened(grey: Image, id: int, corners: Array) -> SeenTag:
    """Moves a tag's corners until its pattern, blurred and lit as the picture shows it, lies on the picture best.

    corners: (4, 2) pixels, right to half a cell. Gauss and Newton over the corners and a light that changes linearly.
    """
    cell = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32))))) / TAG_CELLS
    points, values = _samples(grey, corners)
    if len(points) < 60:
        return SeenTag(id, corners, 0.0)
    coarse = _aligned(cv2.GaussianBlur(_pattern(id), (0, 0), 0.5 * FINE), corners, points[:FEW_SAMPLES], values[:FEW_SAMPLES])
    best = SeenTag(id, corners if coarse is None else coarse[0], 0.0)
    for blur in (0.55, 0.85, 1.3, 2.0):
        pattern = cv2.GaussianBlur(_pattern(id), (0, 0), min(blur / cell, 1.2) * FINE)
        found = _aligned(pattern, best.corners, points, values)
        if found is None:
            continue
        if found[1] > best.fit:
            best = SeenTag(id, found[0], found[1])
        elif best.fit:
            break
    if np.abs(best.corners - corners).max() > 0.6 * cell + 2:
        return SeenTag(id, corners, 0.0)  # it went astray
    return best


def _samples(grey: Image, corners: Array) -> tuple[Array, Array]:
    """(n, 2) pixels on and around a tag in any order, and their (n,) brightness."""
    size = float(TAG_CELLS)
    frame = np.array([(-MARGIN, -MARGIN), (size + MARGIN, -MARGIN), (size + MARGIN, size + MARGIN), (-MARGIN, size + MARGIN)])
    around = cv2.perspectiveTransform(frame[:, None], _onto(corners))[:, 0]
    x0, y0 = np.maximum(np.floor(around.min(axis=0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(around.max(axis=0)).astype(int) + 1, (grey.shape[1], grey.shape[0]))
    if x1 <= x0 or y1 <= y0:
        return np.zeros((0, 2)), np.zeros(0)
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.round(around - (x0, y0)).astype(np.int32), 1)
    rows, columns = np.nonzero(mask)
    keep = np.random.default_rng(0).permutation(len(rows))[:MOST_SAMPLES]  # every nth would be the same few columns over and over
    rows, columns = rows[keep] + y0, columns[keep] + x0
    return np.column_stack([columns, rows]).astype(np.float64), grey[rows, columns].astype(np.float64)


def _onto(corners: Array) -> Array:
    """(3, 3) from cells of the tag to pixels."""
    size = float(TAG_CELLS)
    square = np.array([(0, 0), (size, 0), (size, size), (0, size)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(square, corners.astype(np.float32)), np.float64)


def _aligned(pattern: NDArray[np.float32], corners: Array, points: Array, values: Array) -> tuple[Array, float] | None:
    """Corners at which the pattern explains the brightness best, and the share of its variance it explains."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * float(TAG_CELLS)
    centre, reach = points.mean(axis=0), float(np.ptp(points))
    flat = np.column_stack([np.ones(len(points)), (points - centre) / reach])
    spread = float(((values - values.mean()) ** 2).sum())
    if spread <= 0:
        return None

    def shown(at: Array) -> NDArray[np.float64]:
        """(k, n) brightness of the samples under each of (k, 4, 2) corners."""
        each = len(points)
        rays = np.column_stack([points, np.ones(each)]) @ _exact(at, square).transpose(0, 2, 1)
        places = ((rays[..., :2] / rays[..., 2:] + 2) * FINE - 0.5).astype(np.float32).reshape(-1, 2)
        # the pictures cv2.remap makes may be 32767 high at most
        wide = -(-len(places) // 64)
        padded = np.zeros((wide * 64, 2), np.float32)
        padded[: len(places)] = places
        grid = padded.reshape(64, wide, 2)
        drawn = cv2.remap(pattern, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(drawn, np.float64).ravel()[: len(places)].reshape(len(at), each)

    at = corners.copy()
    explained = 0.0
    for _ in range(12):
        now, ahead, back = np.split(shown(at + MOVES), [1, 9])
        now, slopes = now[0], ((ahead - back) / (2 * STEP)).T
        # blown-out paper bleeds over the edges of the ink: brighter edges, wherever they are
        light = np.column_stack([flat, flat * now[:, None], now * (1 - now)])
        weights = _solved(light, values)
        left = values - light @ weights
        explained = 1 - float(left @ left) / spread
        contrast = flat @ weights[3:6]
        if explained < 0.3 or contrast.mean() <= 0:
            return None
        trust = 1 / (1 + (left / (0.6 * float(contrast.mean()))) ** 2)  # a shadow's edge or a crumb has less say
        system = np.column_stack([slopes * contrast[:, None], light])
        change = _solved(system * trust[:, None], left * trust)[:8]
        change = np.clip(change, -1.0, 1.0)
        at += change.reshape(4, 2)
        if np.abs(change).max() < 0.003:
            break
    return at, explained


def _solved(system: Array, values: Array) -> Array:
    """The least squares of thousands of rows and few columns by the normal equations: the rows themselves would be shared out
    among threads that wait for each other many times longer than they work.
    """
    return np.asarray(np.linalg.lstsq(system.T @ system, system.T @ values, rcond=None)[0], np.float64)


def _exact(corners: Array, square: Array) -> Array:
    """(k, 3, 3) from pixels to cells for each of (k, 4, 2) corners, in double precision: hundredths of a pixel matter here."""
    (x, y), (u, v) = corners.transpose(2, 0, 1), np.broadcast_to(square.T[:, None], (2, len(corners), 4))
    one, none = np.ones_like(x), np.zeros_like(x)
    across = np.stack([x, y, one, none, none, none, -u * x, -u * y], axis=-1)
    down = np.stack([none, none, none, x, y, one, -v * x, -v * y], axis=-1)
    solved = np.linalg.solve(np.concatenate([across, down], axis=1), np.concatenate([u, v], axis=1)[..., None])[..., 0]
    return np.concatenate([solved, np.ones((len(corners), 1))], axis=1).reshape(-1, 3, 3)
