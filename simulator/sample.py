"""A friendly made-up photograph to try the page with, and to time the reader on: a tidy table in good light."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.pieces import DOUBLE_SIX, Tile
from simulator.faces import SetStyle, set_style
from simulator.layouts import Placed, Table
from simulator.noise import between, clouds
from simulator.scene import Canvas, body_of, reach_of
from simulator.view import View, look_at


def sample_photo(seed: int, width: int, height: int, tiles: int) -> tuple[NDArray[np.uint8], list[Tile]]:
    """(height, width, 3) uint8 BGR and the `tiles` different double-six tiles in it, all face up and wholly visible.

    Raises ValueError where more tiles are wanted than a double-six set has, or than fit.
    """
    if not 1 <= tiles <= len(DOUBLE_SIX):
        raise ValueError(f"a double-six set has {len(DOUBLE_SIX)} tiles, so 1 to {len(DOUBLE_SIX)} can be laid, not {tiles}")
    rng = np.random.default_rng([seed, 28])
    half_px = float(np.sqrt(width * height / max(tiles, 10) / 16.0))
    view = look_at(0.12, 0.6, 0.0, 1.4 * max(width, height), half_px, width, height, (width / 2, height / 2))
    chosen = [DOUBLE_SIX.tiles[i] for i in rng.permutation(len(DOUBLE_SIX.tiles))[:tiles]]
    style = _ivory(rng)
    canvas = Canvas(view, _oak(view, rng), style, rng)
    canvas.lamp, canvas.shade_strength = np.array([-0.5, -0.6, 1.0]), 0.45
    canvas.shade_blur = 0.1 * half_px
    bodies = [body_of(p, style) for p in _spread(view, style, chosen, rng)]
    canvas.shadows(bodies, 0.0)
    for number, body in enumerate(bodies, 1):
        canvas.block(body, number)
    return _daylight(canvas.image, rng), sorted(chosen)


def _ivory(rng: np.random.Generator) -> SetStyle:
    style = set_style(np.random.default_rng(3), 6)
    body, ink = np.array([0.80, 0.90, 0.95], np.float32), np.array([0.06, 0.05, 0.05], np.float32)
    return replace(style, body=body, side=body * np.float32(0.85), back=body, grain="plain", grain_strength=0.03,
                   colours=np.repeat(ink[None], 16, axis=0), pip_kind="drilled", pip_radius=0.095, spread=0.27, bar="groove",
                   bar_colour=ink, bar_length=0.8, bar_width=0.04, pin=0.06, corner=0.13, bevel=0.06, thickness=0.36,
                   length=2.0, gloss=0.6, wear=0.05)


def _oak(view: View, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Planks of a light wooden table."""
    height, width = view.height, view.width
    rings = cv2.resize(clouds(height, max(8, width // 14), 26 * view.half_px / 40, rng, 5), (width, height))
    grain = np.sin(rings * 4.0) * 0.06 + rings * 0.03
    fine = cv2.resize(rng.standard_normal((height, max(8, width // 30))).astype(np.float32), (width, height)) * 0.025
    wood = np.array([0.36, 0.52, 0.68], np.float32) * (1 + grain + fine)[..., None]
    step = 5.5 * view.half_px
    for number, top in enumerate(np.arange(0.4 * step, height, step)):
        wood[int(top) : int(top + step)] *= np.float32(0.93 + 0.05 * (number % 3))
        cv2.line(wood, (0, int(top)), (width, int(top)), (0.16, 0.24, 0.34), max(1, int(view.half_px / 22)))
    return (np.clip(wood, 0, 1) * 255).astype(np.uint8)


def _spread(view: View, style: SetStyle, tiles: list[Tile], rng: np.random.Generator) -> list[Placed]:
    """Tiles laid loosely, none over another, none near the picture's edge."""
    x0, y0, x1, y1 = reach_of(view)
    table = Table(style.length + 0.35, (x0, y0, x1, y1))
    margin = 1.6 * view.half_px
    low, high = np.array([margin, margin]), np.array([view.width - margin, view.height - margin])
    for tile in tiles:
        ends = (tile.high, tile.low) if rng.random() < 0.5 else (tile.low, tile.high)
        for _ in range(4000):
            placed = Placed(between(rng, x0, x1), between(rng, y0, y1), between(rng, 0, 2 * np.pi), ends)
            corners = view.project(body_of(placed, style).corners(style))
            if (corners > low).all() and (corners < high).all() and table.add(placed, slack=-0.25):
                break
        else:
            raise ValueError(f"{len(tiles)} tiles do not fit into a picture of {view.width} x {view.height} pixels")
    return table.tiles


def _daylight(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Even window light, a little softness, a little noise."""
    height, width = image.shape[:2]
    x = np.linspace(1.06, 0.9, width, dtype=np.float32)[None, :, None]
    y = np.linspace(1.04, 0.94, height, dtype=np.float32)[:, None, None]
    picture = cv2.GaussianBlur(image.astype(np.float32) * x * y, (0, 0), 0.7)
    picture += rng.standard_normal((height, width, 1), np.float32) * 2.0
    return np.clip(picture, 0, 255).astype(np.uint8)
