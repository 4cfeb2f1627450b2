"""Tiles that hide their own outlines: dark, coloured or moulded sets without bevel, edge to edge in rows, blocks and grids."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from simulator.faces import Colour, SetStyle, set_style
from simulator.layouts import Placed, Table, random_ends, rows, scatter, standing
from simulator.noise import between, chance, log_between

Cell = tuple[int, int]


def seamless_style(rng: np.random.Generator) -> SetStyle:
    """A set whose touching tiles show a hairline between them, or nothing: mostly black or dark, with thin bars or none."""
    style = set_style(rng)
    if chance(rng, 0.7):
        style = _dark(style, rng)
    sharp = chance(rng, 0.5)
    style = replace(
        style,
        corner=0.0 if sharp else between(rng, 0.0, 0.12), bevel=0.0 if sharp else between(rng, 0.0, 0.04),
        bar=str(rng.choice(["none", "line", "groove"], p=[0.15, 0.5, 0.35])), bar_width=log_between(rng, 0.012, 0.06),
        bar_length=between(rng, 0.5, 1.0), pin=style.pin if chance(rng, 0.5) else 0.0,
    )  # fmt: skip
    if chance(rng, 0.3):  # the sides as light as the faces: no line at all where tiles touch
        style = replace(style, side=np.clip(style.body * np.float32(between(rng, 1.0, 1.7)), 0, 1))
    return any_pips(style, rng)


def any_pips(style: SetStyle, rng: np.random.Generator) -> SetStyle:
    """The set with pips of other sizes, at times rings, at times of little contrast."""
    radius = log_between(rng, 0.05, 0.15) if style.highest <= 6 else log_between(rng, 0.05, 0.11)
    spread = min(between(rng, 0.2, 0.34), 0.47 - radius)
    kind = style.pip_kind if chance(rng, 0.75) else str(rng.choice(["ring", "domed", "drilled"]))
    colours = style.colours
    if chance(rng, 0.12):
        colours = (style.body + (colours - style.body) * np.float32(between(rng, 0.45, 0.8))).astype(np.float32)
    crowded = min(style.crowded_radius, radius, 0.085)
    return replace(style, pip_radius=radius, crowded_radius=crowded, spread=spread, pip_kind=kind, colours=colours)


def _dark(style: SetStyle, rng: np.random.Generator) -> SetStyle:
    """The same set in black or in a dark colour, with light pips."""
    body = _dark_colour(rng)
    ink = np.clip(np.full(3, between(rng, 0.6, 1.0)) * rng.uniform(0.85, 1.0, 3), 0, 1).astype(np.float32)
    if chance(rng, 0.15):
        ink = np.clip(ink * np.array([0.4, 0.8, 1.0]), 0, 1).astype(np.float32)  # gold
    dots = np.repeat(ink[None], 16, axis=0)
    bright = style.colours.max(axis=1) > 0.6
    if style.highest > 6 and chance(rng, 0.5):
        dots[bright] = style.colours[bright]
    grain = str(rng.choice(["plain", "pebble", "dimple", "speckle", "marble"], p=[0.35, 0.35, 0.1, 0.1, 0.1]))
    back = body if chance(rng, 0.7) else style.back
    return replace(style, body=body, side=body * np.float32(between(rng, 0.7, 1.1)), back=back, colours=dots, grain=grain,
                   grain_strength=between(rng, 0.02, 0.16), bar_colour=ink if chance(rng, 0.6) else body * np.float32(0.5))


def _dark_colour(rng: np.random.Generator) -> Colour:
    if chance(rng, 0.65):
        return np.clip(between(rng, 0.02, 0.16) + rng.normal(0, 0.012, 3), 0.005, 1).astype(np.float32)
    pixel = np.array([[[between(rng, 0, 180), between(rng, 80, 255), between(rng, 20, 120)]]], np.uint8)
    return (cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] / 255).astype(np.float32)


def packed_grid(table: Table, count: int, highest: int, rng: np.random.Generator) -> None:
    """Lying and upright tiles that fill a grid of cells, with holes now and then, as a floor is tiled."""
    width, height = int(rng.integers(2, 11)), int(rng.integers(2, 11))
    holes = between(rng, 0, 0.3) if chance(rng, 0.6) else 0.0
    lying_first = between(rng, 0.1, 0.9)
    free = {(i, j) for i in range(width) for j in range(height) if not chance(rng, holes / 2)}
    laid: list[tuple[Cell, bool]] = []
    for j in range(height):
        for i in range(width):
            if (i, j) not in free or len(laid) >= count:
                continue
            ways = [way for way in (True, False) if ((i + 1, j) if way else (i, j + 1)) in free]
            if not ways:
                continue
            way = chance(rng, lying_first) if len(ways) == 2 else ways[0]
            free -= {(i, j), (i + 1, j) if way else (i, j + 1)}
            if not chance(rng, holes):
                laid.append(((i, j), way))
    _put(table, [(i + 0.5 * way, j + 0.5 * (not way), 0.0 if way else np.pi / 2) for (i, j), way in laid],
         (width, height), highest, rng)


def packed_block(table: Table, count: int, highest: int, rng: np.random.Generator) -> None:
    """Rows of tiles side by side or end to end, each row shifted by as much as it likes, none apart."""
    sideways, across = chance(rng, 0.5), int(rng.integers(1, 9))
    brick = between(rng, 0, 2) if chance(rng, 0.35) else 0.0
    places = []
    for index in range(count):
        i, row = index % across, index // across
        if sideways:
            places.append((2 * i + brick * row, float(row), 0.0))
        else:
            places.append((i + brick / 2 * row, 2.0 * row, np.pi / 2))
    _put(table, places, (2 * across if sideways else across, 2 * count // across), highest, rng)


def _put(table: Table, places: list[tuple[float, float, float]], size: tuple[int, int], highest: int,
         rng: np.random.Generator) -> None:
    """Lay tiles at places in cells of half a tile's length, turned as a whole; (x, y, angle) each."""
    x0, y0, x1, y1 = table.reach
    x, y = ((v + w) / 2 * 0.6 for v, w in zip(table.somewhere(rng), (x0 + x1, y0 + y1), strict=True))
    turn = between(rng, 0, 2 * np.pi) if chance(rng, 0.6) else rng.normal(0, 0.05)
    gap = 0.0 if chance(rng, 0.5) else log_between(rng, 0.003, 0.05)
    slop = log_between(rng, 0.001, 0.02)
    facedown = between(rng, 0.3, 1.0) if chance(rng, 0.15) else 0.02
    along, wide = table.length / 2 + gap, max(1.0, table.length / 2) + gap
    c, s = np.cos(turn), np.sin(turn)
    for i, j, angle in places:
        u = (i - size[0] / 2) * (along if not angle or wide > 1.06 else wide) + rng.normal(0, slop)
        v = (j - size[1] / 2) * (wide if not angle else along) + rng.normal(0, slop)
        flipped = angle + turn + (np.pi if chance(rng, 0.5) else 0.0) + rng.normal(0, slop * 0.5)
        ends = None if chance(rng, facedown) else random_ends(highest, rng)
        table.add(Placed(x + u * c - v * s, y + u * s + v * c, float(flipped), ends), slack=0.16)


def lay_packed(table: Table, highest: int, away: float, most: int, rng: np.random.Generator) -> list[Placed]:
    """A block, a grid or a row edge to edge, and a few loose tiles beside it."""
    count = int(max(rng.integers(2, most + 1, 2)))
    kind = rng.random()
    if kind < 0.45:
        packed_grid(table, count, highest, rng)
    elif kind < 0.85:
        packed_block(table, count, highest, rng)
    else:
        rows(table, count, highest, rng)
    if chance(rng, 0.4):
        scatter(table, int(rng.integers(1, 6)), highest, rng, facedown=0.2)
    if chance(rng, 0.1):
        standing(table, int(rng.integers(1, 7)), highest, away, rng)
    return table.tiles
