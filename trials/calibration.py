"""How well made-up tables are measured: calibration from tags and from dominoes, with things laid wrong on purpose, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import mats
from calibration.dominoes import from_tiles
from calibration.fit import CalibrationError
from calibration.measure import calibrate, rigid
from calibration.profile import Profile
from simulator.noise import between
from simulator.setups import Studio, TrueCamera, random_camera, random_style, visible_area
from vision.reading import Reading

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Read = Callable[[Image], Reading]

WRONG_TAGS = ("small", "box", "twice", "mirrored")
"""One tag printed at 90 %; one on a box 60 mm high; one id twice; the whole picture mirrored."""

WRONG_TILES = ("two-sizes",)
"""Every other tile a sixth smaller. (A mirrored picture of rectangles is a picture of rectangles: only tags can tell.)"""


@dataclass(frozen=True, slots=True)
class Trial:
    """One made-up table measured. error_mm: root mean square over the play area, None where it was refused, for `reason`.

    Only where the table frame lies is free: scale, shape and straightness are not.
    """

    seed: int
    what: str
    size: tuple[int, int]
    error_mm: float | None
    reason: str = ""
    told_mm: float = 0.0


def true_error(profile: Profile, camera: TrueCamera, area: tuple[float, float, float, float]) -> float:
    """Root mean square distance, millimetres over the true area, between the profile's millimetres and the true ones."""
    x, y = np.meshgrid(np.linspace(area[0], area[2], 13), np.linspace(area[1], area[3], 13))
    true = np.column_stack([x.ravel(), y.ravel()])
    told = profile.to_table(camera.pixels(true))
    rotation, shift = rigid(told, true)
    off = told @ rotation.T + shift - true
    return float(np.sqrt((off**2).sum(axis=1).mean()))


def tag_trial(seed: int, wrong: str = "") -> Trial:
    """Four tags near the corners of a play area, some tiles within; `wrong`: one of WRONG_TAGS."""
    rng = np.random.default_rng([seed, 40])
    camera = random_camera(rng)
    x0, y0, x1, y1 = area = visible_area(camera, rng, 60)
    style, unit = random_style(rng)
    studio = Studio(camera, style, unit, rng)
    odd = int(rng.integers(4))
    for number, (x, y) in enumerate(((x0, y0), (x1, y0), (x1, y1), (x0, y1))):
        mine = number == odd
        card = mats.CARDS[(number + 1) % 4 if mine and wrong == "twice" else number]
        x, y = x - between(rng, -10, 40) * np.sign(x), y - between(rng, -10, 40) * np.sign(y)
        studio.lay_print(card, x, y, between(rng, -np.pi, np.pi), 0.9 if mine and wrong == "small" else 1.0,
                         -60.0 if mine and wrong == "box" else 0.0)
    studio.lay_tiles((x0 + 90, y0 + 90, x1 - 90, y1 - 90), int(rng.integers(0, 12)), rng)
    image = studio.photo()
    if wrong == "mirrored":
        image = np.ascontiguousarray(image[:, ::-1])
    try:
        profile = calibrate(image)
    except CalibrationError as error:
        return Trial(seed, wrong, camera.size, None, str(error))
    return Trial(seed, wrong, camera.size, true_error(profile, camera, area), told_mm=profile.error_mm)


def tile_trial(seed: int, read: Read, wrong: str = "") -> Trial:
    """Dominoes spread over the table, read by the reader; `wrong`: one of WRONG_TILES. The length of a tile is known."""
    rng = np.random.default_rng([seed, 41])
    camera = random_camera(rng)
    area = visible_area(camera, rng, 10)
    style, unit = random_style(rng)
    studio = Studio(camera, style, unit, rng)
    count = int(rng.integers(12, 25))
    if wrong == "two-sizes":
        laid, _ = studio.lay_tiles(area, count // 2, rng)
        studio.lay_tiles(area, count - count // 2, rng, scale=0.84, taken=laid)
    else:
        studio.lay_tiles(area, count, rng)
    image = studio.photo()
    reading = read(image)
    quads = np.array([tile.corners for tile in reading.tiles], np.float64).reshape(-1, 4, 2)
    try:
        profile = from_tiles(quads, camera.size, style.length * unit, image=image, ends=[tile.ends for tile in reading.tiles])
    except CalibrationError as error:
        return Trial(seed, wrong, camera.size, None, str(error))
    seen_area = profile.to_picture(np.array([(x, y) for x in profile.area[::2] for y in profile.area[1::2]]))
    return Trial(seed, wrong, camera.size, true_error(profile, camera, _on_table(camera, seen_area)), told_mm=profile.error_mm)


def _on_table(camera: TrueCamera, pixels: Array) -> tuple[float, float, float, float]:
    """The true bounds of what the camera sees at these pixels, millimetres."""
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 100, 1e-9)
    straight = np.asarray(cv2.undistortPoints(pixels[:, None], camera.matrix, camera.distortion, criteria=stop), np.float64)
    onto = np.column_stack([camera.rotation[:, 0], camera.rotation[:, 1], camera.translation])
    there = cv2.perspectiveTransform(straight, np.linalg.inv(onto))[:, 0]
    return (float(there[:, 0].min()), float(there[:, 1].min()), float(there[:, 0].max()), float(there[:, 1].max()))


def summary(trials: Sequence[Trial]) -> dict[str, Any]:
    """Figures of many: how many were measured, within what (millimetres), how many refused, and how many of those laid wrong
    on purpose were accepted, by what was wrong."""
    errors = [trial.error_mm for trial in trials if trial.error_mm is not None]
    told: dict[str, Any] = {"measured": len(errors), "refused": len(trials) - len(errors)}
    if errors:
        told |= {name: round(float(np.percentile(errors, share)), 3)
                 for name, share in (("median_mm", 50), ("p95_mm", 95), ("worst_mm", 100))}
    wrong = [trial for trial in trials if trial.what]
    if wrong:
        told["accepted"] = {what: sum(trial.error_mm is not None for trial in wrong if trial.what == what)
                            for what in sorted({trial.what for trial in wrong})}
    return told
