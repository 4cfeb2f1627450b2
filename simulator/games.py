"""Made-up photographs of games under way: tiles upon tiles, boneyards, printed mats, coins, dice, pawns and chips."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.mats import CARDS, MATS, Mat, picture
from simulator.editions import edition
from simulator.layouts import Placed, lay_game
from simulator.noise import between, chance
from simulator.pieces import Piece, labels_of, lay_pieces
from simulator.scene import Canvas, Scene, make_scene

PRINT_SCALE = 2.0
"""Pixels per millimetre of the mats' pictures before they are laid on the table."""

NO_TILE = 100_000
"""Numbers from here on in `Canvas.ids` are not tiles."""


def game_scene(width: int, height: int, half_px: float, rng: np.random.Generator) -> Scene:
    """A random photograph of a game's table; as `make_scene`, whose truth tells of the tiles alone."""
    return make_scene(width, height, half_px, rng, lay=lay_game, dress=dress)


def dress(canvas: Canvas, tiles: list[Placed], reach: tuple[float, float, float, float], rng: np.random.Generator) -> None:
    """Mats and tags on the table, mostly where tiles will lie, and pieces where none lie."""
    half_mm = between(rng, 19, 28)
    x0, y0, x1, y1 = reach
    if chance(rng, 0.35):
        near = tiles[int(rng.integers(len(tiles)))] if tiles and chance(rng, 0.7) else None
        x, y = (near.x, near.y) if near else (between(rng, x0, x1), between(rng, y0, y1))
        print_on(canvas, MATS[int(rng.integers(len(MATS)))], x, y, between(rng, 0, 2 * np.pi), half_mm)
    for card in CARDS:
        if chance(rng, 0.15):
            print_on(canvas, card, between(rng, x0, x1), between(rng, y0, y1), between(rng, 0, 2 * np.pi), half_mm)
    if chance(rng, 0.5):
        _strew(canvas, tiles, reach, half_mm, rng)


def print_on(canvas: Canvas, mat: Mat, x: float, y: float, angle: float, half_mm: float) -> None:
    """Lay a printed mat on the table, its middle at (x, y)."""
    paper = picture(mat, PRINT_SCALE)
    step = 1 / (PRINT_SCALE * half_mm)
    c, s = np.cos(angle) * step, np.sin(angle) * step
    u, v = paper.shape[1] / 2, paper.shape[0] / 2
    onto_table = np.array([[c, s, x - c * u - s * v], [s, -c, y - s * u + c * v], [0, 0, 1]])
    warp = canvas.view.plane(0.0) @ onto_table
    size = (canvas.view.width, canvas.view.height)
    cover = cv2.warpPerspective(np.full(paper.shape, 255, np.uint8), warp, size, flags=cv2.INTER_LINEAR)
    laid = cv2.warpPerspective(paper, warp, size, flags=cv2.INTER_LINEAR)
    where = cover > 127
    canvas.image[where] = (laid[where][:, None] * (0.93, 0.95, 0.96)).astype(np.uint8)


def _strew(canvas: Canvas, tiles: list[Placed], reach: tuple[float, float, float, float], half_mm: float,
           rng: np.random.Generator) -> None:
    """Pieces of one random edition, none under a tile."""
    made = edition(rng)
    labels = labels_of(made)
    taken = np.array([(t.x, t.y) for t in tiles]).reshape(-1, 2)
    pieces = []
    for _ in range(int(rng.integers(1, 25))):
        kind = ("coin", "die", "pawn", "chip", "tile")[int(rng.choice(5, p=(0.35, 0.2, 0.15, 0.2, 0.1)))]
        x, y = between(rng, reach[0], reach[2]), between(rng, reach[1], reach[3])
        room = 2.2 if kind == "tile" else 1.5
        if len(taken) and np.hypot(*(taken - (x, y)).T).min() < room:
            continue
        told = ("back",) if kind == "tile" else labels[kind]
        pieces.append(Piece(kind, told[int(rng.integers(len(told)))], x, y, between(rng, 0, 2 * np.pi),
                            turn=int(rng.integers(24))))
        taken = np.vstack([taken, [(x, y)]])
    lay_pieces(canvas, pieces, made, half_mm, NO_TILE)
