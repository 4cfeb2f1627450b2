"""How the camera moved between two pictures of one table: from tiles that both show, else from the table's own marks."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.degrees import HALF, SOME
from vision.detection import Detection, half_of, same_face, turned
from vision.frame import Image
from vision.observation import Array
from vision.reader import SHOWN
from vision.table.track import Track

Matrix = NDArray[np.float64]

RESTING = 0.06
"""Tiles that all slipped by less than this, in halves, were read a little differently: the camera did not move."""

ENOUGH_TILES = 4
"""Tiles that must agree on a movement of the camera."""

ENOUGH_MARKS = 30
"""Marks of the table that must agree, where there are too few tiles."""

LONG_SIDE = 800
"""Pictures are made so small before marks are looked for, pixels."""

REST: Matrix = np.eye(3)


def slip_of_tiles(tracks: Sequence[Track], found: Sequence[Detection]) -> Matrix | None:
    """(3, 3) from the old picture's pixels to the new one's, by tiles that both show; None where too few agree."""
    options = [(track, detection) for track in tracks for detection in found
               if min(detection.score, track.score) > SHOWN and not detection.back and same_face(track.ends, detection.ends)]
    names = len({track.name for track, _ in options})
    if names < ENOUGH_TILES:
        return None
    at_rest = _agreeing(REST, options)
    # Players move several tiles at once, but a camera that moved leaves none at its place: some that stay tell that it did not.
    if sum(_slip(*pair) < RESTING for pair in at_rest) >= max(3, SOME * names):
        return REST
    best: Matrix = REST
    most = len(at_rest)
    if most < 0.6 * names:
        for track, detection in options:
            for corners in (detection.corners, turned(detection.corners)):
                similar, _ = cv2.estimateAffinePartial2D(track.corners, corners, method=cv2.LMEDS)
                if similar is None or not 0.4 < np.hypot(similar[0, 0], similar[1, 0]) < 2.5:
                    continue
                matrix = np.vstack([similar, [0, 0, 1]])
                count = len(_agreeing(matrix, options))
                if count > most:
                    best, most = matrix, count
    for _ in range(3):
        pairs = _agreeing(best, options)
        if len(pairs) < ENOUGH_TILES:
            return None
        old, new = np.concatenate([pair[0] for pair in pairs]), np.concatenate([pair[1] for pair in pairs])
        if best is REST and np.median([_slip(*pair) for pair in pairs]) < RESTING:
            return REST
        fitted, _ = cv2.findHomography(old, new, cv2.RANSAC, 0.15 * half_of(pairs[0][1])) if len(pairs) >= 6 else (None, None)
        if fitted is None:
            similar, _ = cv2.estimateAffinePartial2D(old, new)
            if similar is None:
                return None
            fitted = np.vstack([similar, [0, 0, 1]])
        best = np.asarray(fitted, np.float64)
    return best


def _slip(before: Array, after: Array) -> float:
    """How far a tile's middle slipped, in halves."""
    return float(np.linalg.norm((after - before).mean(axis=0))) / half_of(before)


def _agreeing(matrix: Matrix, options: Sequence[tuple[Track, Detection]]) -> list[tuple[Array, Array]]:
    """Corners before and after of tiles that lie within half a half of where the movement puts them, each tile once."""
    best: dict[int, tuple[float, Array, Array]] = {}
    for track, detection in options:
        expected = moved(track.corners, matrix)
        miss = float(np.linalg.norm(expected.mean(axis=0) - detection.corners.mean(axis=0)))
        half = half_of(detection.corners)
        if miss < HALF * half and (track.name not in best or miss < best[track.name][0]):
            corners = min((detection.corners, turned(detection.corners)), key=lambda c: float(np.abs(c - expected).sum()))
            if np.abs(corners - expected).max() < half:
                best[track.name] = (miss, track.corners, corners)
    return [(before, after) for _, before, after in best.values()]


def slip_of_marks(old: Image, new: Image) -> Matrix | None:
    """The same by corners and grain in the two pictures, (h, w, 3) uint8 BGR of one size; None where too few agree."""
    scale = min(1.0, LONG_SIDE / max(old.shape[:2]))
    small = [cv2.cvtColor(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
             for image in (old, new)]
    finder = cv2.ORB.create(1500, fastThreshold=8)
    (points, marks), (other_points, other_marks) = (finder.detectAndCompute(image, None) for image in small)
    if marks is None or other_marks is None or min(len(marks), len(other_marks)) < ENOUGH_MARKS:
        return None
    matches = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(marks, other_marks, k=2)
    good = [pair[0] for pair in matches if len(pair) == 2 and pair[0].distance < 0.8 * pair[1].distance]
    if len(good) < ENOUGH_MARKS:
        return None
    before = np.array([points[match.queryIdx].pt for match in good], np.float32) / np.float32(scale)
    after = np.array([other_points[match.trainIdx].pt for match in good], np.float32) / np.float32(scale)
    matrix, agree = cv2.findHomography(before, after, cv2.RANSAC, 3 / scale)
    if matrix is None or int(agree.sum()) < max(ENOUGH_MARKS, 0.35 * len(good)):
        return None
    if np.median(np.linalg.norm(moved(before, matrix) - before, axis=1)) * scale < 0.7:
        return REST
    return np.asarray(matrix, np.float64)


def moved(points: Array, matrix: Matrix) -> Array:
    """(n, 2) points of the old picture where the new one shows them."""
    if matrix is REST:
        return points
    columns = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(columns, matrix), np.float32).reshape(-1, 2)


def backwards(matrix: Matrix) -> Matrix:
    """From the new picture to the old one."""
    return REST if matrix is REST else np.asarray(np.linalg.inv(matrix), np.float64)
