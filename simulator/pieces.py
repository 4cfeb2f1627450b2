"""Paints coins, dice, pawns, chips and piecepack tiles onto a made-up table, and tells what is true about each.

Everything stands in the table frame of `View`: one unit is `unit_mm` millimetres, z points up, angles turn from x to y.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.editions import SUITS, VALUES, Colour, Edition
from simulator.marks import SIDE
from simulator.piece_faces import chip_colour, face_of, grain, spot_colour
from simulator.scene import Canvas
from simulator.symbols import circle, smooth

Array = NDArray[np.float64]
Texture = NDArray[np.float32]

PIECE_LABELS: dict[str, tuple[str, ...]] = {
    "coin": tuple(f"suit:{suit}" for suit in SUITS) + tuple(f"value:{value}" for value in VALUES),
    "die": tuple(f"{suit}:{value}" for suit in SUITS for value in VALUES),
    "pawn": SUITS,
}
"""What pieces may show, by kind, as `SeenPiece.labels` names it; chips show the names of their edition's colours."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the table.

    kind: coin, die, pawn, chip or tile. label: as in `SeenPiece.labels`; of tiles `back`, or as of dice.
    x, y: middle of its foot, table units. z: height of what it stands on. turn: how a die's other faces are arranged.
    """

    kind: str
    label: str
    x: float
    y: float
    angle: float = 0.0
    z: float = 0.0
    turn: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class TruePiece:
    """The truth about one painted piece.

    radius: of a disc or a pawn's foot, or half a die's side, table units. foot, top: middle of foot and of upper face,
    pixels; outline: (n, 2) pixels of all that shows of it where nothing hides it. visible: share of that which can be
    seen, 0..1.
    """

    piece: Piece
    radius: float
    foot: Array
    top: Array
    outline: Array
    visible: float


def labels_of(edition: Edition) -> dict[str, tuple[str, ...]]:
    """What the edition's pieces may show, by kind."""
    return PIECE_LABELS | {"chip": edition.chips}


def size_of(piece: Piece, edition: Edition, unit_mm: float) -> tuple[float, float]:
    """Radius, or half the side, and height of a piece, table units."""
    across, high = {
        "coin": edition.coin_mm, "die": (edition.die_mm, edition.die_mm), "pawn": edition.pawn_mm, "chip": edition.chip_mm,
        "tile": edition.tile_mm,
    }[piece.kind]  # fmt: skip
    return across / 2 / unit_mm, high / unit_mm


def lay_pieces(
    canvas: Canvas, pieces: Sequence[Piece], edition: Edition, unit_mm: float, first: int
) -> list[tuple[Piece, Array]]:
    """Paint pieces, the lower and the farther ones first, with their shadows; piece k gets number `first + k` in `canvas.ids`.

    Returns each with its outline in pixels; `truths` needs them once all else has been painted.
    """
    outlines: list[Array] = [np.zeros((0, 2))] * len(pieces)
    eye = canvas.view.position
    order = sorted(
        range(len(pieces)), key=lambda k: (round(pieces[k].z, 3), -np.hypot(pieces[k].x - eye[0], pieces[k].y - eye[1]))
    )
    levels = sorted({round(piece.z, 3) for piece in pieces})
    for level in levels:
        here = [k for k in order if round(pieces[k].z, 3) == level]
        cast_shadows(canvas, [pieces[k] for k in here], edition, unit_mm)
        for k in here:
            outlines[k] = paint_piece(canvas, pieces[k], edition, unit_mm, first + k)
    return list(zip(pieces, outlines, strict=True))


def truths(
    canvas: Canvas, painted: Sequence[tuple[Piece, Array]], edition: Edition, unit_mm: float, first: int
) -> list[TruePiece]:
    """What is true about painted pieces once everything lies on the table; see `lay_pieces`."""
    counts = np.bincount(
        canvas.ids[(canvas.ids >= first) & (canvas.ids < first + len(painted))] - first, minlength=len(painted)
    )
    told = []
    for k, (piece, outline) in enumerate(painted):
        radius, high = size_of(piece, edition, unit_mm)
        foot, top = canvas.view.project(np.array([[piece.x, piece.y, piece.z], [piece.x, piece.y, piece.z + high]]))
        area = max(float(cv2.contourArea(outline.astype(np.float32))), 1.0)
        told.append(TruePiece(piece, radius, foot, top, outline, min(1.0, float(counts[k]) / area)))
    return told


def _skeleton(piece: Piece, edition: Edition, unit_mm: float) -> Array:
    """(n, 3) points whose hull is the piece's body."""
    radius, high = size_of(piece, edition, unit_mm)
    foot = np.array([piece.x, piece.y, piece.z])
    if piece.kind in ("coin", "chip"):
        ring = circle(piece.x, piece.y, radius, points=40)
        return np.vstack([np.column_stack([ring, np.full(len(ring), z)]) for z in (piece.z, piece.z + high)])
    if piece.kind == "pawn" and edition.pawn != "meeple":
        return np.vstack([_ring(foot, r * radius, z * high) for r, z in profile(edition.pawn)])
    c, s = np.cos(piece.angle), np.sin(piece.angle)
    along, across = np.array([c, s, 0.0]), np.array([-s, c, 0.0])
    if piece.kind == "pawn":
        sheet = _MEEPLE[:, :1] * radius * along + _MEEPLE[:, 1:] * high * np.array([0, 0, 1.0])
        return np.vstack([foot + sheet + across * radius * 0.4 * side for side in (-1, 1)])
    corner = edition.die_corner if piece.kind == "die" else 0.06
    sheet = _rounded(radius, corner * 2 * radius)
    outline = sheet[:, :1] * along + sheet[:, 1:] * across
    inset = corner * radius * 0.5 if piece.kind == "die" else 0.0
    return np.vstack(
        [foot + outline + np.array([0, 0, z]) for z in (inset, high - inset)] + [foot + outline * 0.93 + (0, 0, high)]
    )


def _ring(foot: Array, radius: float, z: float) -> Array:
    ring = circle(float(foot[0]), float(foot[1]), max(radius, 1e-3), points=24)
    return np.column_stack([ring, np.full(len(ring), foot[2] + z)])


def _rounded(half: float, corner: float) -> Array:
    """(12, 2) outline of a square with round corners."""
    reach, points = half - corner, []
    for su, sv, start in ((1, 1, 0.0), (-1, 1, np.pi / 2), (-1, -1, np.pi), (1, -1, 1.5 * np.pi)):
        points += [
            (su * reach + corner * np.cos(start + t), sv * reach + corner * np.sin(start + t))
            for t in (0, np.pi / 4, np.pi / 2)
        ]
    return np.array(points)


def _fixed(pixels: Array) -> NDArray[np.int32]:
    fixed: NDArray[np.int32] = np.clip(pixels * 16, -1e6, 1e6).astype(np.int32)
    return fixed


def cast_shadows(canvas: Canvas, pieces: Sequence[Piece], edition: Edition, unit_mm: float) -> None:
    """Darken what the pieces stand on where they keep the lamp away, and close around their feet."""
    if not pieces:
        return
    view, height, width = canvas.view, *canvas.ids.shape
    hulls = []
    for piece in pieces:
        points = _skeleton(piece, edition, unit_mm)
        near = points.copy()
        near[:, :2] += (near[:, :2] - (piece.x, piece.y)) * 0.1
        near[:, 2] = piece.z
        hulls.append((view.project(points - (points[:, 2:] - piece.z) / canvas.lamp[2] * canvas.lamp), view.project(near)))
    soft, close = max(0.4, canvas.shade_blur * 0.6), max(0.5, 0.05 * view.half_px)
    every = np.vstack([hull for pair in hulls for hull in pair])
    x0, y0 = (int(v) for v in np.clip(every.min(axis=0) - 3 * soft - 2, 0, (width, height)))
    x1, y1 = (int(v) for v in np.clip(every.max(axis=0) + 3 * soft + 2, 0, (width, height)))
    if x1 <= x0 or y1 <= y0:
        return
    cast, contact = np.zeros((y1 - y0, x1 - x0), np.uint8), np.zeros((y1 - y0, x1 - x0), np.uint8)
    for far, near in hulls:
        cv2.fillConvexPoly(cast, cv2.convexHull(_fixed(far - (x0, y0))), 255, shift=4)
        cv2.fillConvexPoly(contact, cv2.convexHull(_fixed(near - (x0, y0))), 255, shift=4)
    cast, contact = cv2.GaussianBlur(cast, (0, 0), soft), cv2.GaussianBlur(contact, (0, 0), close)
    dark = np.maximum(cast * canvas.shade_strength, contact * (0.5 * canvas.shade_strength)).astype(np.uint8)
    patch = canvas.image[y0:y1, x0:x1]
    patch[:] = cv2.multiply(patch, cv2.merge([255 - dark] * 3), scale=1 / 255)


def paint_piece(canvas: Canvas, piece: Piece, edition: Edition, unit_mm: float, number: int) -> Array:
    """Paint one piece over what is there; returns its outline, (n, 2) pixels."""
    points = canvas.view.project(_skeleton(piece, edition, unit_mm)).astype(np.float32)
    hull: Array = cv2.convexHull(points)[:, 0].astype(np.float64)
    cv2.fillConvexPoly(canvas.ids, _fixed(hull), number, shift=4)
    if piece.kind in ("coin", "chip"):
        _paint_disc(canvas, piece, edition, unit_mm, hull)
    elif piece.kind == "pawn":
        _paint_pawn(canvas, piece, edition, unit_mm)
    else:
        _paint_box(canvas, piece, edition, unit_mm, hull)
    return hull


def _tone(colour: Array | Colour, light: float) -> tuple[float, float, float]:
    b, g, r = (float(v) for v in np.clip(np.asarray(colour, np.float64) * light * 255, 0, 255))
    return b, g, r


def _lit(canvas: Canvas, normal: Array, ambient: float = 0.6) -> float:
    return ambient + (1.02 - ambient) * max(0.0, float(normal @ canvas.lamp) / float(np.linalg.norm(canvas.lamp)))


def _fill(canvas: Canvas, points: Array, colour: Array | Colour, light: float) -> None:
    """Fill a convex outline, (n, 3) table points."""
    cv2.fillConvexPoly(canvas.image, _fixed(canvas.view.project(points)), _tone(colour, light), cv2.LINE_AA, shift=4)


def _paint_disc(canvas: Canvas, piece: Piece, edition: Edition, unit_mm: float, hull: Array) -> None:
    radius, high = size_of(piece, edition, unit_mm)
    top = np.array([piece.x, piece.y, piece.z + high])
    towards = canvas.view.position - top
    out = np.array([*towards[:2], 0.0]) / max(1e-6, float(np.hypot(*towards[:2])))
    side = chip_colour(piece.label, edition) if piece.kind == "chip" else edition.suit_body
    cv2.fillConvexPoly(canvas.image, _fixed(hull), _tone(side, _lit(canvas, out, 0.5)), cv2.LINE_AA, shift=4)
    if piece.kind == "chip" and edition.chip_spots:
        spot = spot_colour(side)
        for k in range(edition.chip_spots):
            t = piece.angle + (2 * np.pi * k + np.array([-0.7, 0.7])) / edition.chip_spots
            edge = np.column_stack([piece.x + radius * np.cos(t), piece.y + radius * np.sin(t)])
            middle = np.array([np.cos(t.mean()), np.sin(t.mean()), 0.0])
            if (canvas.view.position - np.array([*edge.mean(axis=0), top[2]])) @ middle > 0:
                quad = np.array([[*edge[0], piece.z], [*edge[1], piece.z], [*edge[1], top[2]], [*edge[0], top[2]]])
                _fill(canvas, quad, spot, _lit(canvas, middle, 0.5))
    c, s = np.cos(piece.angle) * radius, np.sin(piece.angle) * radius
    _stamp(canvas, piece, edition, top, np.array([c, s, 0.0]), np.array([s, -c, 0.0]))


def _paint_box(canvas: Canvas, piece: Piece, edition: Edition, unit_mm: float, hull: Array) -> None:
    """A die or a tile: its body, then every face that looks at the camera."""
    half, high = size_of(piece, edition, unit_mm)
    die = piece.kind == "die"
    body = edition.die_bodies[SUITS.index(piece.label.split(":")[0])] if die else edition.tile_body
    cv2.fillConvexPoly(canvas.image, _fixed(hull), _tone(body, 0.62), cv2.LINE_AA, shift=4)
    c, s = np.cos(piece.angle), np.sin(piece.angle)
    along, across, up = np.array([c, s, 0.0]), np.array([-s, c, 0.0]), np.array([0, 0, 1.0])
    middle = np.array([piece.x, piece.y, piece.z + high / 2])
    others = list(_other_faces(piece))
    for k, normal in enumerate((along, across, -along, -across)):
        centre, right = middle + normal * half, np.cross(up, normal)
        if (canvas.view.position - centre) @ normal <= 0:
            continue
        if die:
            face, turn = others[k]
            _stamp(canvas, Piece("die", face, 0, 0), edition, centre, *_turned(right * half, -up * half, turn))
        else:
            wide, tall = right * half, up * high / 2
            _fill(
                canvas,
                centre + np.array([wide - tall, wide + tall, tall - wide, -wide - tall]),
                body,
                _lit(canvas, normal),
            )
    _stamp(canvas, piece, edition, middle + up * high / 2, along * half, -across * half)


def _turned(right: Array, down: Array, quarters: int) -> tuple[Array, Array]:
    for _ in range(quarters):
        right, down = down, -right
    return right, down


def _other_faces(die: Piece) -> Iterator[tuple[str, int]]:
    """The four faces around a die and their quarter turns; no arrangement is standard."""
    suit, top = die.label.split(":") if ":" in die.label else ("", "")
    rng = np.random.default_rng(die.turn)
    for k in rng.permutation([VALUES.index(value) for value in VALUES if value != top])[:4]:
        yield f"{suit}:{VALUES[int(k)]}", int(rng.integers(4))


def profile(form: str) -> list[tuple[float, float]]:
    """Radius and height, as parts of a pawn's own, from foot to head."""
    head = {
        "peg": (0.5, 0.78, 0.22),
        "cone": (0.42, 0.82, 0.18),
        "ball": (0.72, 0.72, 0.28),
        "cylinder": (0.0, 0.0, 0.0),
    }[form]
    stem = {
        "peg": [(1, 0), (1, 0.1), (0.75, 0.2), (0.42, 0.45), (0.36, 0.62)],
        "cone": [(1, 0), (1, 0.06), (0.85, 0.2), (0.55, 0.5), (0.32, 0.72)],
        "ball": [(0.95, 0), (1, 0.12), (0.95, 0.35), (0.6, 0.52)],
        "cylinder": [(1, 0), (1, 0.25), (1, 0.5), (1, 0.75), (1, 0.95), (0.93, 1)],
    }[form]
    wide, middle, reach = head
    ball = [(wide * np.cos(t), middle + reach * np.sin(t)) for t in np.linspace(-0.9, np.pi / 2, 8)] if wide else []
    heights = np.linspace(0, 1, 22)
    line = np.array([*stem, *ball])
    return [(float(np.interp(z, line[:, 1], line[:, 0])), float(z)) for z in heights]


_MEEPLE = np.vstack([smooth(half, True) for half in [[
    (-1, 0), (-0.25, 0), (0, 0.18), (0.25, 0), (1, 0), (0.6, 0.35), (1.05, 0.55), (0.95, 0.7), (0.4, 0.68), (0.38, 0.9), (0, 1.0),
    (-0.38, 0.9), (-0.4, 0.68), (-0.95, 0.7), (-1.05, 0.55), (-0.6, 0.35)]]])  # fmt: skip


def _paint_pawn(canvas: Canvas, piece: Piece, edition: Edition, unit_mm: float) -> None:
    """A pawn as a pile of thin slices, brighter towards the lamp and the top."""
    radius, high = size_of(piece, edition, unit_mm)
    colour = edition.pawn_colours[SUITS.index(piece.label)]
    foot, view = np.array([piece.x, piece.y, piece.z]), canvas.view
    if edition.pawn == "meeple":
        c, s = np.cos(piece.angle), np.sin(piece.angle)
        along, across = np.array([c, s, 0.0]), np.array([-s, c, 0.0])
        near = 1 if (view.position - foot) @ across > 0 else -1
        sheet = foot + _MEEPLE[:, :1] * radius * along + _MEEPLE[:, 1:] * high * np.array([0, 0, 1.0])
        for k, depth in enumerate(np.linspace(-near, near, 8) * radius * 0.4):
            light = 0.62 if k < 7 else _lit(canvas, across * near)
            cv2.fillPoly(
                canvas.image, [_fixed(view.project(sheet + across * depth))], _tone(colour, light), cv2.LINE_AA, shift=4
            )
        return
    flat = canvas.lamp[:2] / np.linalg.norm(canvas.lamp[:2])
    lower = 1.0
    for r, z in profile(edition.pawn):
        up = float(np.clip((lower - r) * 4, 0, 1)) if z > 0 else 0.0  # slopes that look upwards catch more light
        lower = r
        light = 0.58 + 0.2 * z + 0.25 * up
        _fill(canvas, _ring(foot, r * radius, z * high), colour, light)
        bright = foot + np.array([*flat * r * radius * 0.35, 0.0])
        _fill(canvas, _ring(bright, r * radius * 0.58, z * high), colour, light + 0.14)
    if edition.pawn == "cylinder":
        _fill(canvas, _ring(foot, 0.92 * radius, high), colour, _lit(canvas, np.array([0, 0, 1.0])))
    elif edition.gloss > 0.35:
        spark = foot + np.array([*flat * 0.2 * radius, 0.93 * high])
        _fill(canvas, _ring(spark, 0.13 * radius, 0), colour * 0.4 + 0.6 * edition.gloss, 1.0)


def _stamp(canvas: Canvas, piece: Piece, edition: Edition, centre: Array, right: Array, down: Array) -> None:
    """Warp a face's picture into place; `right` and `down` reach from its middle to its edges."""
    corners = canvas.view.project(centre + np.stack([-right - down, right - down, right + down, -right + down]))
    height, width = canvas.ids.shape
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 2, (width, height))
    if x1 <= x0 or y1 <= y0:
        return
    normal = np.cross(down, right)
    normal /= max(1e-9, float(np.linalg.norm(normal)))
    picture = face_of(edition, piece.kind, piece.label)
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    size = int(np.clip(edges.max() * 1.1, 6, SIDE))
    texture = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA)
    texture = np.dstack([texture[..., :3] * grain(edition, piece.kind, size, canvas.rng)[..., None], texture[..., 3]])
    source = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    warp = cv2.getPerspectiveTransform(source, (corners - (x0, y0)).astype(np.float32))
    warped = cv2.warpPerspective(texture.astype(np.float32), warp, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    patch, cover = canvas.image[y0:y1, x0:x1], warped[..., 3:]
    patch[:] = np.clip(patch * (1 - cover) + warped[..., :3] * np.float32(_lit(canvas, normal) * 255), 0, 255).astype(
        np.uint8
    )
