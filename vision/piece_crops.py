"""Single pieces cut out of the camera's picture as if seen from straight above, and unwrapped around their middles."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from vision.frame import Image
from vision.observation import Array
from vision.piece_finds import FORMS, Finds

CROP = 40
"""Pixels that a piece's crop is wide and high."""

MARGIN, DIE_REACH, ALONG = 1.2, 1.75, 0.25
"""Half widths of windows in radii of what is in them, of dice with their sides; and how far towards a die's foot its lies."""

RADII, ANGLES = 18, 64
"""Rings and directions of a crop unwrapped around its middle."""


def crop_window(form: str, top: Array, foot: Array, radius: float) -> tuple[Array, float]:
    """Middle and half width of the square that a piece is read from, in the units of `top`, `foot` and `radius`.

    form: disc, die or pawn. A die is seen with its sides: they tell the suit where the upper face is blank.
    """
    if form == "disc":
        return top, MARGIN * radius
    if form == "die":
        return (top + ALONG * (foot - top)).astype(np.float32), DIE_REACH * radius
    return ((top + foot) / 2).astype(np.float32), MARGIN * (radius + float(np.linalg.norm(top - foot)) / 2)


def unwrapped(crops: Image) -> Image:
    """(n, RADII, ANGLES, 3) crops (n, CROP, CROP, 3) as rings around their middles: turned pieces become shifted ones."""
    far = (np.arange(RADII) + 0.5) * (CROP / 2 / RADII) * 1.03
    turn = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    x = (CROP / 2 + far[:, None] * np.cos(turn)).astype(np.float32)
    y = (CROP / 2 + far[:, None] * np.sin(turn)).astype(np.float32)
    near, fraction = cv2.convertMaps(x, y, cv2.CV_16SC2)
    out = np.empty((len(crops), RADII, ANGLES, 3), np.uint8)
    for k, crop in enumerate(crops):
        cv2.remap(crop, near, fraction, cv2.INTER_LINEAR, dst=out[k], borderMode=cv2.BORDER_REPLICATE)
    return out


def cut(image: Image, profile: Profile, finds: Finds) -> Image:
    """(n, CROP, CROP, 3) what stands at the finds as if seen from straight above."""
    windows = [crop_window(FORMS[form], top, foot, float(radius)) for form, top, foot, radius
               in zip(finds.form, finds.top, finds.foot, finds.radius, strict=True)]
    middle, half = np.array([w[0] for w in windows], np.float64), np.array([w[1] for w in windows])
    square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    pixels = profile.to_picture((middle[:, None] + half[:, None, None] * square).reshape(-1, 2)).reshape(-1, 4, 2)
    target = np.array([[0, 0], [CROP, 0], [CROP, CROP], [0, CROP]], np.float32)
    out = np.empty((len(pixels), CROP, CROP, 3), np.uint8)
    for k, corners in enumerate(pixels.astype(np.float32)):
        warp = cv2.getPerspectiveTransform(corners, target)
        cv2.warpPerspective(image, warp, (CROP, CROP), dst=out[k], borderMode=cv2.BORDER_REPLICATE)
    return out


def face_levels(image: Image, middle: Sequence[float] | Array, across: float) -> NDArray[np.float64]:
    """(2, 3) the levels, 0..255, between which an upper face lies in each colour, its darkest and brightest pixels left out.

    middle: x and y in the picture, (h, w, 3); across: how wide the face is there, pixels. Noise makes them differ by some 10.
    """
    (x, y), reach = (float(at) for at in middle), 0.42 * across
    face = image[max(0, round(y - reach)) : round(y + reach) + 1, max(0, round(x - reach)) : round(x + reach) + 1]
    levels = np.percentile(face.reshape(-1, 3), (4, 96), axis=0) if face.size else np.zeros((2, 3))
    return np.asarray(levels, np.float64)


def contrast_of(image: Image, middle: Sequence[float] | Array, across: float) -> float:
    """By how many levels an upper face differs in itself, in the colour in which it does most; see `face_levels`."""
    return float(np.ptp(face_levels(image, middle, across), axis=0).max())
