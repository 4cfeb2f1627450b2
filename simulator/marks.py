"""What is printed on piecepack pieces: suit symbols, numerals, aces and nulls, each in many makers' hands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from simulator.noise import between, chance
from simulator.symbols import FINE_SIDE, SYMBOLS, Pen, smooth

Mask = NDArray[np.float32]

SIDE = 128
"""Pixels that a mark's mask is wide and high."""

_FONTS = Path("/usr/share/fonts")


@dataclass(frozen=True, slots=True)
class Mark:
    """One printed mark. `name`: a symbol of `SYMBOLS`, or the text itself, as `3` or `A`.

    hand: a number that stands for the maker's way of drawing it. font: of texts, one of `fonts()`.
    weight: -1 thin .. 1 bold. stretch: width over height. slant: of italics. hollow: outlined only.
    """

    name: str
    hand: int = 0
    font: str = "strokes"
    weight: float = 0.0
    stretch: float = 1.0
    slant: float = 0.0
    hollow: bool = False


_SKELETONS: dict[str, tuple[tuple[bool, tuple[tuple[float, float], ...]], ...]] = {  # smooth or not, points in 0..1
    "0": ((True, ((0.5, 0), (0.9, 0.2), (0.95, 0.5), (0.9, 0.8), (0.5, 1), (0.1, 0.8), (0.05, 0.5), (0.1, 0.2), (0.5, 0))),),
    "1": ((False, ((0.2, 0.22), (0.55, 0), (0.55, 1))),),
    "2": ((True, ((0.06, 0.26), (0.2, 0.05), (0.52, 0), (0.85, 0.12), (0.88, 0.36), (0.55, 0.66), (0.04, 1))),
          (False, ((0.04, 1), (0.96, 1)))),
    "3": ((True, ((0.06, 0.14), (0.42, 0), (0.84, 0.16), (0.76, 0.42), (0.36, 0.48))),
          (True, ((0.36, 0.48), (0.86, 0.6), (0.9, 0.84), (0.46, 1), (0.03, 0.86)))),
    "4": ((False, ((0.72, 1), (0.72, 0), (0.02, 0.7), (1, 0.7))),),
    "5": ((False, ((0.88, 0), (0.16, 0), (0.1, 0.46))),
          (True, ((0.1, 0.46), (0.5, 0.36), (0.88, 0.55), (0.86, 0.85), (0.45, 1), (0.03, 0.88)))),
    "A": ((False, ((0, 1), (0.5, 0), (1, 1))), (False, ((0.2, 0.66), (0.8, 0.66)))),
}  # fmt: skip
_OTHER_SKELETONS = {
    "1": ((False, ((0.2, 0.2), (0.55, 0), (0.55, 1))), (False, ((0.15, 1), (0.95, 1)))),
    "3": (
        (False, ((0.08, 0), (0.86, 0), (0.42, 0.4))),
        (True, ((0.42, 0.4), (0.82, 0.5), (0.88, 0.8), (0.48, 1), (0.03, 0.88))),
    ),
    "4": ((False, ((0.2, 0), (0.06, 0.6), (0.95, 0.6))), (False, ((0.68, 0.25), (0.68, 1)))),
}


@cache
def fonts() -> tuple[str, ...]:
    """Names of the fonts at hand: own strokes, OpenCV's, Pillow's, and free ones where the machine has them."""
    own = ["strokes"] * 6 + [f"hershey{k}" for k in range(8)] + ["pillow"] * 3
    if hasattr(cv2, "FontFace"):
        own += [f"{face}{weight}" for face in ("sans", "serif") for weight in (300, 400, 600, 800)]
    return tuple(own + sorted(str(path) for path in _FONTS.glob("truetype/dejavu/*.ttf")))


def _written(text: str, font: str, weight: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The text in white on black, cut to its outline."""
    room = FINE_SIDE * 2
    page = np.zeros((room, room), np.uint8)
    if font.startswith("hershey"):
        thick = max(1, int((0.06 + 0.05 * (weight + 1)) * room / 4))
        cv2.putText(page, text, (room // 4, room * 3 // 4), int(font[7:]), room / 2 / 22 * 0.8, 255, thick, cv2.LINE_AA)
    elif font == "strokes":
        shapes = _OTHER_SKELETONS.get(text) if chance(rng, 0.35) else None
        width = between(rng, 0.5, 0.8) * room / 2
        thick = max(2, int(np.exp(0.45 * weight) * 0.16 * room / 2))
        for curved, points in shapes or _SKELETONS[text]:
            path = np.array(points) + rng.normal(0, 0.012, (len(points), 2))
            path = smooth(path) if curved else path
            pixels = np.round((path * (width, room / 2) + room / 4) * 16).astype(np.int32)
            cv2.polylines(page, [pixels], False, 255, thick, cv2.LINE_AA, shift=4)
    elif font.startswith(("sans", "serif")):
        face = cv2.FontFace(font.rstrip("0123456789"))
        cv2.putText(page, text, (room // 4, room * 3 // 4), 255, face, room // 2, int(font[-3:]))
    else:
        letters = ImageFont.load_default(room // 2) if font == "pillow" else ImageFont.truetype(font, room // 2)
        sheet = Image.new("L", (room, room))
        ImageDraw.Draw(sheet).text((room // 4, room // 8), text, fill=255, font=letters)
        page = np.asarray(sheet, np.uint8)
    rows, columns = np.flatnonzero(page.any(axis=1)), np.flatnonzero(page.any(axis=0))
    return np.asarray(page[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _lettered(mark: Mark, rng: np.random.Generator) -> NDArray[np.uint8]:
    """A text that fills the mask's height."""
    side = FINE_SIDE
    text = _written(mark.name, mark.font, mark.weight, rng)
    height, width = text.shape
    scale = min(0.94 * side / height, 0.94 * side / (width * mark.stretch))
    wide, tall = width * mark.stretch * scale, height * scale
    shift = mark.slant * tall
    warp = np.array(
        [[mark.stretch * scale, -mark.slant * scale, (side - wide) / 2 + shift / 2], [0, scale, (side - tall) / 2]]
    )
    return np.asarray(cv2.warpAffine(text, warp, (side, side), flags=cv2.INTER_AREA), np.uint8)


@cache
def mask_of(mark: Mark) -> Mask:
    """(SIDE, SIDE) how much of each pixel the mark covers, 0..1; the mark fills nearly the whole side."""
    rng = np.random.default_rng(mark.hand)
    if mark.name in SYMBOLS:
        pen = Pen(rng)
        SYMBOLS[mark.name](pen)
        middle, side = FINE_SIDE / 2, FINE_SIDE
        warp = np.array([[mark.stretch, 0, middle * (1 - mark.stretch)], [0, 1.0, 0]])
        drawn = np.asarray(cv2.warpAffine(pen.mask, warp, (side, side)), np.uint8)
    else:
        drawn = _lettered(mark, rng)
    if mark.weight and mark.font not in ("strokes", "hershey"):
        reach = 1 + 2 * round(abs(mark.weight) * 3)
        brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
        drawn = (cv2.dilate if mark.weight > 0 else cv2.erode)(drawn, brush)
    if mark.hollow:
        brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (21, 21))
        drawn = cv2.subtract(drawn, cv2.erode(drawn, brush))
    small = cv2.resize(drawn, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)
