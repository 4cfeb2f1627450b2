"""A profile as JSON, in the file `calibration.json` of a table, and the picture it was measured in beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.drift import Image, Watch
from calibration.fit import CalibrationError
from calibration.profile import Lens, Profile
from engine.words import say, spoken, written

VERSION = 1


def as_object(profile: Profile) -> dict[str, Any]:
    """What `json.dumps` takes."""
    lens = profile.lens
    return {
        "version": VERSION,
        "method": profile.method,
        "size": list(profile.size),
        "area": list(profile.area),
        "homography": profile.homography.tolist(),
        "lens": {"matrix": lens.matrix.tolist(), "distortion": lens.distortion.tolist()} if lens else None,
        "error_mm": profile.error_mm,
        "notes": written(profile.notes),
        "camera": profile.camera,
    }


def from_object(told: dict[str, Any]) -> Profile:
    """The inverse of `as_object`. Raises CalibrationError where it is none, or nonsense."""
    try:
        if told["version"] != VERSION or told["method"] not in ("tags", "mat", "tiles", "corners"):
            raise ValueError("of another version")
        width, height = (int(v) for v in told["size"])
        x0, y0, x1, y1 = (float(v) for v in told["area"])
        lens = told["lens"]
        homography = np.array(told["homography"], np.float64).reshape(3, 3)
        profile = Profile(
            (width, height), homography, (x0, y0, x1, y1), told["method"], float(told["error_mm"]),
            Lens(np.array(lens["matrix"], np.float64).reshape(3, 3), np.array(lens["distortion"], np.float64).reshape(5))
            if lens else None,
            tuple(str(note) for note in spoken(told["notes"])),
            str(told.get("camera", "")),
        )  # fmt: skip
        if not (np.isfinite(homography).all() and abs(np.linalg.det(homography)) > 1e-15 and x0 < x1 and y0 < y1):
            raise ValueError("not of any camera")
    except (KeyError, TypeError, ValueError) as error:
        raise CalibrationError(say("The stored calibration cannot be used ({error}): calibrate again.", error=error)) from error
    return profile


def save(profile: Profile, path: Path) -> None:
    """Write `path`, whole or not at all. Raises OSError."""
    _write(path, (json.dumps(as_object(profile), indent=1) + "\n").encode())


def load(path: Path) -> Profile:
    """Raises OSError where there is no such file, CalibrationError where it is none of ours."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise CalibrationError(say("The stored calibration cannot be used ({error}): calibrate again.", error=error)) from error
    if not isinstance(told, dict):
        raise CalibrationError(say("The stored calibration cannot be used (not an object): calibrate again."))
    return from_object(told)


def keep(profile: Profile, image: Image, path: Path) -> None:
    """Write `path` and beside it the picture, (h, w, 3) uint8 BGR, in which the table was measured. Raises OSError."""
    path.unlink(missing_ok=True)  # no calibration ever lies beside the picture of another
    _write(_picture(path), bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1]))
    save(profile, path)


def kept(path: Path, camera: str, now: Image) -> Profile | None:
    """How this camera sees the table in the picture `now`, by what it shows of the picture in which it was measured; None where
    that shows another table, or is of another camera, or nothing was kept."""
    try:
        profile, then = load(path), cv2.imdecode(np.frombuffer(_picture(path).read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    except (OSError, CalibrationError, cv2.error):
        return None
    if profile.camera != camera or then is None or {then.shape[1::-1], now.shape[1::-1]} != {profile.size}:
        return None
    try:
        told = Watch(profile, np.asarray(then, np.uint8)).check(now)
    except (cv2.error, np.linalg.LinAlgError):  # places on one line, or hardly any, tell of no plane: measured anew, as when lost
        return None
    return told.profile if told.state in ("steady", "bumped") else None


def _picture(path: Path) -> Path:
    return path.with_suffix(".jpg")


def _write(path: Path, content: bytes) -> None:
    """The file, whole or not at all."""
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(content)
    beside.replace(path)
