"""What stands on the upper faces of pieces: pictures of coins, chips, dice and piecepack tiles, evenly lit."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.editions import SUITS, VALUES, Colour, Edition
from simulator.marks import SIDE, Mark, mask_of
from simulator.noise import between, blobs

Texture = NDArray[np.float32]


@lru_cache(maxsize=400)
def face_of(edition: Edition, kind: str, label: str) -> Texture:
    """(SIDE, SIDE, 4) BGR times cover, and cover, 0..1: the face of a piece, evenly lit."""
    draw = {"coin": _coin_face, "chip": _chip_face, "die": _die_face, "tile": _tile_face}[kind]
    face, cover = draw(edition, label)
    return np.dstack([np.clip(face, 0, 1) * cover[..., None], cover]).astype(np.float32)


def _grid() -> tuple[Texture, Texture]:
    """x and y of the face's pixels, -1..1."""
    t = ((np.arange(SIDE) + 0.5) / SIDE * 2 - 1).astype(np.float32)
    return np.broadcast_to(t[None], (SIDE, SIDE)), np.broadcast_to(t[:, None], (SIDE, SIDE))


def _within(distance: Texture, limit: float) -> Texture:
    """Soft mask of what is nearer than a limit."""
    return np.clip((limit - distance) * SIDE / 2 + 0.5, 0, 1).astype(np.float32)


def _print(face: Texture, mark: Mark, x: float, y: float, size: float, ink: Colour) -> None:
    """Print a mark in place; its middle and size in -1..1 and parts of the face's width."""
    side = max(4, round(size * SIDE))
    mask = cv2.resize(mask_of(mark), (side, side), interpolation=cv2.INTER_AREA)
    left, upper = round((x + 1) * SIDE / 2 - side / 2), round((y + 1) * SIDE / 2 - side / 2)
    patch = face[upper : upper + side, left : left + side]
    patch += mask[..., None] * (ink - patch)


def _coin_face(edition: Edition, label: str) -> tuple[Texture, Texture]:
    side, shown = label.split(":")
    x, y = _grid()
    far = np.hypot(x, y)
    if side == "suit":
        number = SUITS.index(shown)
        colour = edition.suit_colours[number]
        body, ink = (colour, edition.suit_body) if edition.filled else (edition.suit_body, colour)
        mark: Mark | None = edition.suits[number]
    else:
        body, ink, mark = edition.coin_body, edition.value_ink, edition.values[VALUES.index(shown)]
    face = np.full((SIDE, SIDE, 3), body, np.float32)
    face *= (1 - 0.22 * np.clip((far - 0.9) * 10, 0, 1))[..., None]  # a worn, rounded edge
    if edition.rim:
        ring = _within(np.abs(far - 0.84), edition.rim)[..., None]
        face += ring * (ink - face)
    if mark is not None:
        _print(face, mark, 0, 0, edition.mark_size, ink)
    _direct(face, edition, ink)
    return face, _within(far, 0.99)


def _direct(face: Texture, edition: Edition, ink: Colour) -> None:
    """The small mark near a coin's edge, in place."""
    tone = tuple(float(v) for v in (ink if edition.direction_ink is None else edition.direction_ink))
    middle, thick = SIDE // 2, max(2, SIDE // 28)
    if edition.direction == "line":
        cv2.line(face, (middle, int(SIDE * 0.02)), (middle, int(SIDE * 0.13)), tone, thick, cv2.LINE_AA)
    elif edition.direction == "dot":
        cv2.circle(face, (middle, int(SIDE * 0.09)), SIDE // 22, tone, -1, cv2.LINE_AA)
    elif edition.direction == "triangle":
        points = np.array(
            [
                [middle, int(SIDE * 0.02)],
                [middle + SIDE // 14, int(SIDE * 0.12)],
                [middle - SIDE // 14, int(SIDE * 0.12)],
            ],
            np.int32,
        )
        cv2.fillPoly(face, [points], tone, cv2.LINE_AA)
    elif edition.direction == "arc":
        cv2.ellipse(
            face, (middle, middle), (int(SIDE * 0.44), int(SIDE * 0.44)), 0, -115, -65, tone, thick, cv2.LINE_AA
        )


def _chip_face(edition: Edition, label: str) -> tuple[Texture, Texture]:
    x, y = _grid()
    far = np.hypot(x, y)
    colour = chip_colour(label, edition)
    face = np.full((SIDE, SIDE, 3), colour, np.float32)
    if edition.chip_spots:
        spot = spot_colour(colour)
        turn = (np.arctan2(y, x) / (2 * np.pi) * edition.chip_spots) % 1
        on_spot = (np.minimum(turn, 1 - turn) < 0.11) & (far > 0.76)
        face = np.where(on_spot[..., None], spot, face)
    face *= (1 - 0.18 * _within(np.abs(far - 0.74), 0.02))[..., None]
    if edition.chip_inlay:
        inlay = _within(far, edition.chip_inlay)[..., None]
        face += inlay * (np.float32(0.9) - face) * np.float32(0.85 if colour.mean() < 0.7 else 0.2)
    face *= (1 - 0.2 * np.clip((far - 0.92) * 12, 0, 1))[..., None]
    return face.astype(np.float32), _within(far, 0.99)


def _square_cover(corner: float) -> Texture:
    x, y = _grid()
    reach = 1 - corner
    outside = np.hypot(np.maximum(np.abs(x) - reach, 0), np.maximum(np.abs(y) - reach, 0))
    return _within(outside, max(corner, 0.02))


def _die_face(edition: Edition, label: str) -> tuple[Texture, Texture]:
    suit, value = label.split(":")
    number, mark = SUITS.index(suit), edition.faces[VALUES.index(value)]
    face = np.full((SIDE, SIDE, 3), edition.die_bodies[number], np.float32)
    x, y = _grid()
    edge = np.clip((np.maximum(np.abs(x), np.abs(y)) - 0.9) * 10, 0, 1)
    face *= (1 - 0.14 * edge)[..., None]
    if mark is not None:
        _print(
            face,
            edition.suits[number] if mark.name == "suit" else mark,
            0,
            0,
            edition.die_mark,
            edition.die_inks[number],
        )
    return face.astype(np.float32), _square_cover(edition.die_corner * 2)


def _tile_face(edition: Edition, label: str) -> tuple[Texture, Texture]:
    face = np.full((SIDE, SIDE, 3), edition.tile_body, np.float32)
    x, y = _grid()
    if label == "back":
        if edition.tile_back == "cross":
            lines = _within(np.minimum(np.abs(x), np.abs(y)), 0.025)[..., None]
            face += lines * (edition.value_ink - face)
        elif edition.tile_back == "checkered":
            face = np.where(
                ((x > 0) != (y > 0))[..., None], face * np.float32(0.35) + edition.value_ink * np.float32(0.35), face
            )
    else:
        suit, value = label.split(":")
        number, mark = SUITS.index(suit), edition.values[VALUES.index(value)]
        ink = edition.suit_colours[number]
        if value == "ace":
            mark = edition.suits[number]
        if mark is not None and value != "null":
            _print(face, mark, 0, 0, 0.4, ink)
        _print(face, edition.suits[number], -0.68, -0.68, 0.2, ink)
    return face.astype(np.float32), _square_cover(0.1)


def chip_colour(label: str, edition: Edition) -> Colour:
    colour: Colour = edition.chip_colours[edition.chips.index(label)]
    return colour


def spot_colour(colour: Colour) -> Colour:
    """Of the stripes on a chip's edge: white, or dark on light chips."""
    return np.full(3, 0.92 if float(colour.mean()) < 0.62 else 0.18, np.float32)


def grain(edition: Edition, kind: str, size: int, rng: np.random.Generator) -> Texture:
    """(size, size) multiplier, about 1: wood, speckle or a little unevenness."""
    if edition.grain == "wood" and kind in ("coin", "tile"):
        lines = cv2.resize(
            rng.standard_normal((max(2, size // 2), 2)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC
        )
        return (1 + 0.05 * lines).astype(np.float32)
    if edition.grain == "speckle":
        return (1 - 0.25 * (rng.random((size, size)) < 0.04)).astype(np.float32)
    return (1 + np.float32(between(rng, 0, 0.03)) * blobs(size, size, size, rng)).astype(np.float32)
