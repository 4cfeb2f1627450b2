"""Made-up photographs of piecepack pieces and chips among other things, with the truth: what the piece reader learns from."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.clutter import CLUTTER_ID, Painter, reach_in, strew
from simulator.editions import Edition
from simulator.faces import set_style
from simulator.layouts import Placed, random_ends
from simulator.light import glare, illumination, photograph
from simulator.noise import between, chance, log_between
from simulator.pieces import Piece, TruePiece, labels_of, lay_pieces, size_of, truths
from simulator.scene import Canvas, body_of
from simulator.surfaces import surface
from simulator.symbols import circle
from simulator.view import View, look_at

Array = NDArray[np.float64]
Spot = tuple[float, float, float]  # x, y and radius of a place on the table, table units

FIRST_PIECE = 10_000
"""Number of the first piece in `Canvas.ids`; smaller ones are dominoes."""

ODDS = (0.0, 0.22, 0.2, 0.34, 0.14, 0.1)


@dataclass(frozen=True, slots=True, eq=False)
class PieceScene:
    """image: (h, w, 3) uint8 BGR; others: (n, 3) x, y, radius of things that are no pieces, table units."""

    image: NDArray[np.uint8]
    view: View
    unit_mm: float
    pieces: tuple[TruePiece, ...]
    others: Array


def _ground(view: View, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Some table top as the camera sees it."""
    size = 384
    corners = np.array([[0, 0], [view.width, 0], [view.width, view.height], [0, view.height]], np.float64)
    reach = cv2.perspectiveTransform(corners[None], np.linalg.inv(view.plane(0.0)))[0]
    span = float(np.ptp(reach, axis=0).max()) * between(rng, 1.1, 1.8)
    c, s = (span / size * f(between(rng, 0, 6.3)) for f in (np.cos, np.sin))
    middle = reach.mean(axis=0)
    place = np.array([[c, -s, middle[0] - (c - s) * size / 2], [s, c, middle[1] - (s + c) * size / 2], [0, 0, 1]])
    texture = (np.clip(surface(size, rng), 0, 1) * 255).astype(np.uint8)
    return np.asarray(
        cv2.warpPerspective(texture, view.plane(0.0) @ place, (view.width, view.height), borderMode=cv2.BORDER_REFLECT),
        np.uint8,
    )


class _Room:
    """Where there is room left on the table."""

    def __init__(self, reach: tuple[float, float, float, float], rng: np.random.Generator) -> None:
        self.reach, self.rng, self.spots = reach, rng, np.zeros((0, 3))

    def free(self, x: float, y: float, radius: float, gap: float = 0.02) -> bool:
        far = np.hypot(*(self.spots[:, :2] - (x, y)).T)
        return bool((far > self.spots[:, 2] + radius + gap).all())

    def take(self, x: float, y: float, radius: float) -> None:
        self.spots = np.vstack([self.spots, (x, y, radius)])

    def find(self, radius: float) -> tuple[float, float] | None:
        """A free place, often one that touches what lies already."""
        rng = self.rng
        for _ in range(14):
            x, y = between(rng, self.reach[0], self.reach[2]), between(rng, self.reach[1], self.reach[3])
            if len(self.spots) and chance(rng, 0.35):
                near, turn = self.spots[int(rng.integers(len(self.spots)))], between(rng, 0, 6.3)
                apart = near[2] + radius + (0.025 if chance(rng, 0.5) else between(rng, 0, 0.6))
                x, y = near[0] + apart * np.cos(turn), near[1] + apart * np.sin(turn)
            if self.free(x, y, radius):
                self.take(x, y, radius)
                return float(x), float(y)
        return None


def piece_view(width: int, height: int, half_px: float, rng: np.random.Generator) -> View:
    """A camera 50 to 130 cm away, at most 43 degrees oblique."""
    tilt = between(rng, 0, 0.3) if chance(rng, 0.4) else between(rng, 0.2, 0.75)
    distance = log_between(rng, 20, 55)
    roll = between(rng, -np.pi, np.pi)
    centre = (width * between(rng, 0.3, 0.7), height * between(rng, 0.3, 0.7))
    return look_at(tilt, between(rng, -np.pi, np.pi), roll, half_px * distance, half_px, width, height, centre)


def _reach(view: View) -> tuple[float, float, float, float]:
    edge = np.array([[0, 0], [view.width, 0], [view.width, view.height], [0, view.height]], np.float64)
    points = cv2.perspectiveTransform(edge[None], np.linalg.inv(view.plane(0.0)))[0]
    low, high = points.min(axis=0), points.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _lay_dominoes(canvas: Canvas, room: _Room, rng: np.random.Generator) -> list[Spot]:
    """A few dominoes, painted; returns the spots of their halves, on which coins may be laid."""
    style = canvas.style
    spots: list[Spot] = []
    bodies = []
    for _ in range(int(rng.integers(1, 14))):
        place = room.find(1.12)
        if place is None:
            break
        ends = None if chance(rng, 0.15) else random_ends(style.highest, rng)
        bodies.append(body_of(Placed(*place, between(rng, 0, 6.3), ends), style))
    bodies.sort(key=lambda body: -float(np.linalg.norm(canvas.view.position - body.centre)))
    canvas.shadows(bodies, 0.0)
    for number, body in enumerate(bodies, 1):
        canvas.block(body, number)
        for side in (-0.5, 0.5):
            x, y = (body.centre + side * style.length / 2 * body.long)[:2]
            spots.append((float(x), float(y), 0.5))
    return spots


def _lay_board(edition: Edition, unit_mm: float, room: _Room, rng: np.random.Generator) -> list[Piece]:
    """Piecepack tiles, alone or as a board of up to 4 x 4."""
    side, _ = (2 * v for v in size_of(Piece("tile", "back", 0, 0), edition, unit_mm))
    rows, columns = (int(v) for v in rng.integers(1, 5, 2))
    angle, gap = between(rng, 0, 6.3), between(rng, 1.0, 1.04)
    x, y = between(rng, room.reach[0], room.reach[2]), between(rng, room.reach[1], room.reach[3])
    c, s = np.cos(angle) * side * gap, np.sin(angle) * side * gap
    label = "back" if chance(rng, 0.8) else "suns:3"
    tiles = [
        Piece("tile", label, x + i * c - j * s, y + i * s + j * c, angle) for i in range(rows) for j in range(columns)
    ]
    for tile in tiles:
        room.take(tile.x, tile.y, side * 0.6)
    return tiles


def _money(paint: Painter, x: float, y: float, rng: np.random.Generator) -> Spot:
    """Coins of money, washers and buttons: round, but no pieces."""
    radius, height = between(rng, 0.3, 0.62), between(rng, 0.05, 0.12)
    metal = np.array([[120, 175, 205], [80, 120, 180], [190, 195, 200], [150, 155, 160]])[
        int(rng.integers(4))
    ] * between(rng, 0.5, 1.1)
    button = chance(rng, 0.3)
    tone = rng.uniform(20, 240, 3) if button else metal
    paint.shade(circle(x + 0.06, y + 0.05, radius * 1.04), 0.5, 1.5)
    paint.shape(circle(x, y, radius), 0.0, tone * 0.6)
    paint.shape(circle(x, y, radius), height, tone)
    if button:
        paint.shape(circle(x, y, radius * 0.8), height, tone * 0.82)
        turn, holes = between(rng, 0, 6), int(rng.choice([2, 4]))
        for k in range(holes):
            a = turn + 2 * np.pi * k / holes
            paint.shape(
                circle(x + radius * 0.28 * np.cos(a), y + radius * 0.28 * np.sin(a), radius * 0.12, points=12),
                height,
                tone * 0.2,
            )
        return x, y, radius
    paint.shape(circle(x, y, radius * 0.9), height, tone * 1.12)
    paint.shape(circle(x, y, radius * 0.86), height, tone * 0.95)
    for _ in range(int(rng.integers(4, 12))):  # a head, an eagle, small writing
        u, v = rng.normal(0, 0.33, 2) * radius
        size = abs(rng.normal(0, 0.16)) * radius + 0.01
        paint.shape(circle(x + u, y + v, size, size * between(rng, 0.4, 2), 10), height, tone * between(rng, 0.65, 1.3))
    return x, y, radius


def _chips(edition: Edition, unit_mm: float, label: str, x: float, y: float, rng: np.random.Generator) -> list[Piece]:
    """A chip, or a stack or a fan of them."""
    radius, high = size_of(Piece("chip", label, 0, 0), edition, unit_mm)
    count = 1 if chance(rng, 0.75) else int(rng.integers(2, 7))
    way, slip = between(rng, 0, 6.3), radius * (between(rng, 0.3, 1.1) if chance(rng, 0.3) else 0.0)
    pile = []
    for k in range(count):
        dx, dy = rng.normal(0, 0.05, 2) * radius if k else (0.0, 0.0)
        pile.append(
            Piece(
                "chip",
                label if chance(rng, 0.8) else str(rng.choice(edition.chips)),
                float(x + k * slip * np.cos(way) + dx),
                float(y + k * slip * np.sin(way) + dy),
                between(rng, 0, 6.3),
                k * high,
            )
        )
    return pile


def _wanted(edition: Edition, rng: np.random.Generator) -> list[tuple[str, str]]:
    """Kinds and labels in a random order; half of the many dice stay away."""
    every = [(kind, label) for kind, labels in labels_of(edition).items() for label in labels]
    return [every[int(k)] for k in rng.permutation(len(every)) if every[int(k)][0] != "die" or chance(rng, 0.5)]


def piece_scene(width: int, height: int, half_px: float, edition: Edition, rng: np.random.Generator) -> PieceScene:
    """A random photograph of an edition's pieces; `half_px`: pixels of a domino's half at the middle of the picture."""
    view = piece_view(width, height, half_px, rng)
    unit_mm = between(rng, 22.0, 26.0)
    canvas = Canvas(view, _ground(view, rng), set_style(rng), rng)
    room = _Room(_reach(view), rng)
    board = _lay_board(edition, unit_mm, room, rng) if chance(rng, 0.3) else []
    halves = _lay_dominoes(canvas, room, rng) if chance(rng, 0.55) else []
    paint, others = Painter(canvas.image, canvas.ids, view), []
    if chance(rng, 0.3):
        strew(paint, int(rng.integers(1, 5)), lambda x, y: room.free(x, y, 1.0), room.reach, rng, ODDS)
    for _ in range(int(rng.integers(1, 7)) if chance(rng, 0.4) else 0):
        place = room.find(0.62)
        if place:
            others.append(_money(paint, *place, rng))
    _, tile_high = size_of(Piece("tile", "back", 0, 0), edition, unit_mm)
    pieces = list(board)
    cells = [(tile.x + u, tile.y + v) for tile in board for u in (-0.5, 0.5) for v in (-0.5, 0.5)]
    rng.shuffle(cells)
    rng.shuffle(halves)
    for kind, label in _wanted(edition, rng):
        one = Piece(kind, label, 0, 0, between(rng, 0, 6.3), 0, int(rng.integers(1 << 30)))
        radius, _ = size_of(one, edition, unit_mm)
        if cells and kind != "chip" and chance(rng, 0.4):
            x, y = cells.pop()
            pieces.append(replace(one, x=x, y=y, z=tile_high))
            continue
        if halves and kind == "coin" and chance(rng, 0.35):
            x, y, _ = halves.pop()
            slip = rng.normal(0, 0.05, 2)
            pieces.append(replace(one, x=x + slip[0], y=y + slip[1], z=canvas.style.thickness))
            continue
        place = room.find(radius * (1.35 if kind == "die" else 1.0))
        if place is None:
            continue
        pieces += (
            _chips(edition, unit_mm, label, *place, rng) if kind == "chip" else [replace(one, x=place[0], y=place[1])]
        )
    painted = lay_pieces(canvas, pieces, edition, unit_mm, FIRST_PIECE)
    if chance(rng, 0.07):
        reach_in(Painter(canvas.image, canvas.ids, view), room.reach, rng)
    told = [t for t in truths(canvas, painted, edition, unit_mm, FIRST_PIECE) if t.piece.kind != "tile"]
    spots = [spot for spot in others if _shown(canvas, spot)] + halves
    return PieceScene(_photographed(canvas, edition, rng), view, unit_mm, tuple(told), np.array(spots).reshape(-1, 3))


def _shown(canvas: Canvas, spot: Spot) -> bool:
    """Whether the thing at a spot is in the picture and not covered by pieces."""
    x, y = canvas.view.project(np.array([spot[0], spot[1], 0.0]))
    height, width = canvas.ids.shape
    return bool(0 <= x < width and 0 <= y < height and canvas.ids[int(y), int(x)] == CLUTTER_ID)


def _photographed(canvas: Canvas, edition: Edition, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Light on the painted table, and the photograph of it."""
    height, width = canvas.ids.shape
    lit = canvas.image.astype(np.float32) * np.float32(1 / 255) * illumination(height, width, rng)
    shine = glare(height, width, canvas.view.half_px, rng) if chance(rng, 0.6) else None
    if shine is not None:
        on_pieces = (canvas.ids >= FIRST_PIECE).astype(np.float32)
        strength = on_pieces * np.float32(0.6 * edition.gloss) + (1 - on_pieces) * np.float32(between(rng, 0, 0.8))
        lit += (shine * strength)[..., None] * (1 - 0.4 * np.minimum(lit, 1))
    return photograph(lit, canvas.view.half_px, rng, coloured=chance(rng, 0.85))
