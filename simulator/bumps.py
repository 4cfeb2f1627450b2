"""A running table that somebody bumps: what the bump check is measured with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drift import Watch
from calibration.profile import Lens, Profile
from simulator.faces import SetStyle
from simulator.noise import between, blobs, chance
from simulator.setups import Studio, TrueCamera, random_camera, random_style, visible_area

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

QUIET, AFTER = 6, 2
"""Seconds looked at before the bump, and after it: one check a second."""


@dataclass(frozen=True, slots=True)
class BumpTrial:
    """alarms: false ones before the bump, of `quiet` checks. noticed: whether a check within two seconds told of the bump.

    error_mm: root mean square over the play area between the new profile's millimetres and the true ones, which the old
    profile had exactly. None where it was not found again.
    """

    seed: int
    moved_mm: float
    quiet: int
    alarms: int
    noticed: bool
    by: str
    error_mm: float | None


def true_profile(camera: TrueCamera, area: tuple[float, float, float, float]) -> Profile:
    """The profile that says exactly where the camera is."""
    columns = np.column_stack([camera.rotation[:, 0], camera.rotation[:, 1], camera.translation])
    homography: Array = np.asarray(np.linalg.inv(camera.matrix @ columns), np.float64)
    return Profile(camera.size, homography, area, "tags", 0.0, Lens(camera.matrix, camera.distortion))


def bump_trial(seed: int) -> BumpTrial:
    """Checks with hands passing, plays and changing light; then a bump of 5 to 40 mm and 1 to 5 degrees."""
    rng = np.random.default_rng([seed, 42])
    camera = random_camera(rng, (1920, 1080))
    area = visible_area(camera, rng, 30)
    style, unit = random_style(rng)
    count = int(rng.integers(4, 16))
    looks = int(rng.integers(2**31))
    before = _painted(camera, style, unit, area, count, looks)
    watch = Watch(true_profile(camera, area), _frame(before, rng, hand=False))
    alarms, light = 0, 1.0
    for second in range(QUIET):
        if second == QUIET // 2:
            light = between(rng, 0.55, 1.35)
            before = _painted(camera, style, unit, area, count + 1, looks)  # one more tile was played
        told = watch.check(_frame(before, rng, chance(rng, 0.6), light))
        alarms += told.state in ("bumped", "lost")
    turn, way = np.radians(between(rng, 1, 5)) * rng.choice([-1, 1]), between(rng, -np.pi, np.pi)
    reach = between(rng, 5, 40)
    moved = camera.moved((reach * np.cos(way), reach * np.sin(way)), turn)
    after = _painted(moved, style, unit, area, count + 1, looks)
    noticed, by = False, ""
    for _ in range(AFTER):
        told = watch.check(_frame(after, rng, chance(rng, 0.3), light))
        noticed |= told.state in ("bumped", "lost")
        by = told.by or by
    error = frame_error(watch.profile, moved, area) if by else None
    return BumpTrial(seed, reach, QUIET, alarms, noticed, by, error)


def frame_error(profile: Profile, camera: TrueCamera, area: tuple[float, float, float, float]) -> float:
    """Root mean square distance, millimetres over the area, between the profile's places and the true ones: after a bump the
    frame is the table's still, so where it lies is not free."""
    x, y = np.meshgrid(np.linspace(area[0], area[2], 13), np.linspace(area[1], area[3], 13))
    true = np.column_stack([x.ravel(), y.ravel()])
    off = profile.to_table(camera.pixels(true)) - true
    return float(np.sqrt((off**2).sum(axis=1).mean()))


def _painted(camera: TrueCamera, style: SetStyle, unit: float, area: tuple[float, float, float, float], count: int,
             looks: int) -> Image:
    """The table without light; the same number always looks the same from anywhere."""
    rng = np.random.default_rng(looks)
    studio = Studio(camera, style, unit, rng, grounded=True)
    studio.lay_tiles(area, count, np.random.default_rng([looks, 1]), plain=True)
    return studio.bent()


def _frame(painted: Image, rng: np.random.Generator, hand: bool, light: float = 1.0) -> Image:
    """A frame of a camera: light, a hand in it, softness and noise."""
    height, width = painted.shape[:2]
    tilt = np.linspace(1, between(rng, 0.9, 1.1), width, dtype=np.float32)[None, :, None]
    frame = painted.astype(np.float32) * (light * tilt)
    if hand:
        frame = _with_hand(frame, rng)
    frame = cv2.GaussianBlur(frame, (0, 0), 0.6) + rng.standard_normal((height, width, 1), np.float32) * 3
    stored = np.clip(frame, 0, 255).astype(np.uint8)
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", stored, [cv2.IMWRITE_JPEG_QUALITY, 85])[1], cv2.IMREAD_COLOR), np.uint8)


def _with_hand(frame: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """A patterned sleeve and a hand reach in from some edge."""
    height, width = frame.shape[:2]
    side = between(rng, 0, 2 * np.pi)
    start = np.array([width / 2, height / 2]) + 0.75 * width * np.array([np.cos(side), np.sin(side)])
    end = np.array([width, height]) * rng.uniform(0.25, 0.75, 2)
    mask = np.zeros((height, width), np.uint8)
    thick = int(between(rng, 0.07, 0.16) * width)
    cv2.line(mask, start.astype(int).tolist(), end.astype(int).tolist(), 255, thick, cv2.LINE_AA)
    cv2.circle(mask, end.astype(int).tolist(), int(thick * 0.6), 255, -1, cv2.LINE_AA)
    cloth = rng.uniform(30, 200, 3) * (1 + 0.25 * blobs(height, width, 25, rng))[..., None]
    cover = mask[..., None] / 255
    return (frame * (1 - cover) + cloth * cover).astype(np.float32)


def summary_of_bumps(trials: Sequence[BumpTrial]) -> dict[str, Any]:
    """Figures of many."""
    found = [trial.error_mm for trial in trials if trial.error_mm is not None]
    told: dict[str, Any] = {
        "bumps": len(trials), "noticed": sum(trial.noticed for trial in trials), "found_again": len(found),
        "quiet_checks": sum(trial.quiet for trial in trials), "false_alarms": sum(trial.alarms for trial in trials),
    }  # fmt: skip
    if found:
        told |= {name: round(float(np.percentile(found, share)), 3)
                 for name, share in (("median_mm", 50), ("p95_mm", 95), ("worst_mm", 100))}
    return told
