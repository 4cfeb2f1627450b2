"""Draws a reading onto its photo: every tile outlined with its reading beside it, unsure ones dashed and marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.degrees import SURE as SURE_FROM
from vision.reading import Reading, ReadTile

# Okabe and Ito's colours, which people with any colour vision tell apart; BGR.
SURE = (178, 114, 0)  # blue
UNSURE = (0, 94, 213)  # vermilion
FACE_DOWN = (115, 158, 0)  # bluish green
WHITE = (255, 255, 255)

FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw_reading(image: NDArray[np.uint8], reading: Reading) -> NDArray[np.uint8]:
    """A copy of the (H, W, 3) uint8 BGR picture with the reading drawn on; corners are in pixels of this picture."""
    drawn = image.copy()
    pen = max(1, round(min(image.shape[:2]) / 320))
    for back in reading.facedown:
        _outline(drawn, back.corners, FACE_DOWN, pen)
    for tile in reading.tiles:
        unsure = tile.score < SURE_FROM
        _outline(drawn, tile.corners, UNSURE if unsure else SURE, pen, dashed=unsure)
        _bar(drawn, tile.corners, UNSURE if unsure else SURE, pen)
    for tile in reading.tiles:  # after all outlines, so that no outline crosses a reading
        _write_reading(drawn, tile)
    return drawn


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A place of a picture: its (4, 2) corners in pixels, what is written at the highest of them, and whether that is sure."""

    corners: NDArray[np.float32]
    text: str
    sure: bool


def draw_marks(image: NDArray[np.uint8], marks: Sequence[Mark]) -> NDArray[np.uint8]:
    """A copy of the (H, W, 3) uint8 BGR picture with places outlined and named, dashed where they are not sure."""
    drawn = image.copy()
    pen = max(1, round(min(image.shape[:2]) / 480))
    for mark in marks:
        _outline(drawn, mark.corners, SURE if mark.sure else UNSURE, pen, dashed=not mark.sure)
    letters = 0.018 * min(image.shape[:2])
    for mark in marks:
        highest = mark.corners[mark.corners[:, 1].argmin()]
        _write(drawn, mark.text, highest, letters, SURE if mark.sure else UNSURE)
    return drawn


def _outline(image: NDArray[np.uint8], corners: NDArray[np.float32], colour: Sequence[int], pen: int, *,
             dashed: bool = False) -> None:
    """A coloured line on a white one, so that it shows on any ground."""
    points = np.round(corners).astype(np.int32)
    cv2.polylines(image, [points], isClosed=True, color=WHITE, thickness=pen + 2, lineType=cv2.LINE_AA)
    if not dashed:
        cv2.polylines(image, [points], isClosed=True, color=colour, thickness=pen, lineType=cv2.LINE_AA)
        return
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        pieces = max(3, 2 * round(float(np.linalg.norm(end - start)) / (12 * pen)) + 1)
        stops = np.linspace(start, end, pieces + 1)
        for at in range(0, pieces, 2):
            cv2.line(image, _point(stops[at]), _point(stops[at + 1]), colour, pen, cv2.LINE_AA)


def _bar(image: NDArray[np.uint8], corners: NDArray[np.float32], colour: Sequence[int], pen: int) -> None:
    """The line between the halves: corners 1-2 and 3-0 are the long sides."""
    one, other = (corners[1] + corners[2]) / 2, (corners[3] + corners[0]) / 2
    cv2.line(image, _point(one), _point(other), colour, max(1, pen // 2), cv2.LINE_AA)


def _write_reading(image: NDArray[np.uint8], tile: ReadTile) -> None:
    """The number of each end beside the bar, on its own half, where few makers put pips; a mark where it is unsure."""
    unsure = tile.score < SURE_FROM
    middles = (tile.corners[0:2].mean(axis=0), tile.corners[2:4].mean(axis=0))
    centre = tile.corners.mean(axis=0)
    side = float(np.linalg.norm(tile.corners[0] - tile.corners[1]))
    letters = float(np.clip(0.2 * side, 9, max(9, 0.025 * min(image.shape[:2]))))
    for end, middle in zip(tile.ends, middles, strict=True):
        outward = (middle - centre) / max(float(np.linalg.norm(middle - centre)), 1.0)
        text = f"{end}?" if unsure else str(end)
        away = float(np.abs(outward) @ _plate(text, letters)) / 2  # so that the two plates do not cover each other
        _write(image, text, centre + outward * away, letters, UNSURE if unsure else SURE)


def _plate(text: str, height: float) -> NDArray[np.float32]:
    """Width and height in pixels of the plate behind letters of this height."""
    scale, pen, margin = _hand(height)
    (width, letters), _ = cv2.getTextSize(text, FONT, scale, pen)
    return np.array([width + 2 * margin, letters + 2 * margin], np.float32)


def _hand(height: float) -> tuple[float, int, int]:
    """Font scale, thickness of the pen and margin for letters of this height in pixels; at scale 1 capital letters have 22."""
    return height / 22, max(1, round(height / 8)), max(2, round(height / 5))


def _write(image: NDArray[np.uint8], text: str, centre: NDArray[np.float32], height: float, colour: Sequence[int]) -> None:
    """White letters of this height in pixels on a coloured plate."""
    scale, pen, margin = _hand(height)
    plate = _plate(text, height)
    left_top, right_bottom = _point(centre - plate / 2), _point(centre + plate / 2)
    cv2.rectangle(image, left_top, right_bottom, colour, cv2.FILLED)
    cv2.rectangle(image, left_top, right_bottom, WHITE, 1)
    cv2.putText(image, text, (left_top[0] + margin, right_bottom[1] - margin), FONT, scale, WHITE, pen, cv2.LINE_AA)


def _point(xy: NDArray[np.floating]) -> tuple[int, int]:
    return round(float(xy[0])), round(float(xy[1]))


def write_picture(image: NDArray[np.uint8], path: Path) -> None:
    """Writes a BGR picture as JPEG; OSError where it cannot be written."""
    encoded, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    if not encoded:
        raise OSError(f"the picture for {path} cannot be encoded")
    path.write_bytes(data.tobytes())
