"""What a perfect calibration of a made-up table would be, and the pieces that can be seen on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Lens, Profile
from simulator.editions import common_editions
from simulator.piece_tables import AREA
from simulator.pieces import size_of
from simulator.tabletop.camera import Camera
from simulator.tabletop.look import Look as TableLook
from simulator.tabletop.lying import Chip, Coin, Die, Pawn
from simulator.tabletop.painting import as_piece
from simulator.tabletop.truth import Shown, Truth
from vision.observation import Kind
from vision.piece_sets import Label

Array = NDArray[np.float64]

PIECE_KINDS: dict[str, tuple[Kind, ...]] = {"euronimoes": ("chip",), "dominoids": ("coin", "die", "pawn")}
"""The games that are played with such pieces, and their kinds."""

SOLD = tuple(edition for name, edition in common_editions().items() if name != "TheBillby")
"""Editions to be read without having been shown: all common ones but a hand-painted set with colours of its own."""


def profile_of(camera: Camera, area: tuple[float, float, float, float] = AREA) -> Profile:
    """What a perfect calibration of a made-up camera would be."""
    corners = np.array([[-200, -150], [200, -150], [200, 150], [-200, 150]], np.float64)
    lens = Lens(camera.matrix, camera.distortion)
    pixels = lens.straight(camera.project(np.column_stack([corners, np.zeros(4)])))
    homography = cv2.getPerspectiveTransform(pixels.astype(np.float32), corners.astype(np.float32)).astype(np.float64)
    return Profile(
        (camera.width, camera.height), homography, area, "tags", 0.0, lens if camera.k1 or camera.k2 else None
    )


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """A piece that can be seen: what it shows, where its foot appears on the table plane, its size in mm and pixels, and where
    in the picture the middle of its upper face is."""

    label: Label
    foot: Array
    radius: float
    pixels: float
    face: Array


def wanted(truth: Truth, look: TableLook, profile: Profile, least: float) -> Iterator[Wanted]:
    """Every piece of which at least such a share can be seen."""
    for shown in truth.shown:
        if not isinstance(shown.thing, Coin | Die | Pawn | Chip):
            continue
        if min(shown.visible) < (
            0.6 * least if isinstance(shown.thing, Pawn) else least
        ):  # pawns do not fill their outlines
            continue
        piece, thing = as_piece(shown.thing, look), shown.thing
        half, high = size_of(piece, look.edition, 1.0)
        foot, face = truth.camera.project(np.array([[thing.x, thing.y, thing.z], [thing.x, thing.y, thing.z + high]]))
        label, seen = (_kind(thing), piece.label), profile.to_table(foot[None])[0]
        yield Wanted(label, seen, half, 2 * half * _scale(truth, shown), face)


def _kind(thing: Coin | Die | Pawn | Chip) -> Kind:
    kinds: dict[type, Kind] = {Coin: "coin", Die: "die", Pawn: "pawn", Chip: "chip"}
    return kinds[type(thing)]


def _scale(truth: Truth, shown: Shown) -> float:
    """Pixels per mm where a thing stands, across the line of sight at its narrowest."""
    x, y = shown.thing.x, shown.thing.y
    points = truth.camera.project(np.array([[x, y, 0], [x + 1, y, 0], [x, y + 1, 0]]))
    return float(np.linalg.svd(points[1:] - points[0], compute_uv=False)[-1])


def sold(look: TableLook, number: int) -> None:
    """Give a look one of the editions that are sold, in the place where it keeps its own."""
    look.__dict__["edition"] = SOLD[number % len(SOLD)]
