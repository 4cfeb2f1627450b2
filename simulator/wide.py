"""Made-up photographs of what is hard to find: packed and seamless tiles, low views and glare, tiles on edge, what is no tile.

As `simulator.scene.make_scene` with other tables. Tiles on edge are left out of the truth: nothing is to be found there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from simulator.clutter import Painter
from simulator.faces import SetStyle, set_style
from simulator.layouts import LYING, Placed, Table, lay_game, lay_tiles, line, scatter, standing
from simulator.noise import between, chance, log_between
from simulator.oddments import scatter_oddments
from simulator.packed import any_pips, lay_packed, seamless_style
from simulator.printed import tile_like
from simulator.scene import Canvas, Scene, make_scene
from simulator.view import View, look_at, random_view

LOWEST = 1.14
"""The most a low view is tilted from straight down: 65 degrees."""


def wide_scene(width: int, height: int, half_px: float, rng: np.random.Generator) -> Scene:
    """One of five kinds: packed tiles, low views with lamps in them, tiles on edge, things that are no tiles, odd sets."""
    kind = float(rng.random())
    if kind < 0.4:
        return make_scene(width, height, half_px, rng, most=44, style=_marked(seamless_style(rng), rng), lay=lay_packed,
                          view=_view(width, height, half_px, rng, 0.25), shine=0.45)
    if kind < 0.6:
        style = seamless_style(rng) if chance(rng, 0.3) else set_style(rng)
        return make_scene(width, height, half_px, rng, style=_marked(style, rng), lay=lay_game if chance(rng, 0.2) else lay_tiles,
                          view=_view(width, height, half_px, rng, 0.9), shine=0.65)
    if kind < 0.72:
        return without_standing(make_scene(width, height, half_px, rng, style=_marked(set_style(rng), rng), lay=lay_standing,
                                           view=_view(width, height, half_px, rng, 0.6), shine=0.45))
    if kind < 0.9:
        bare = chance(rng, 0.7)
        return make_scene(width, height, half_px, rng, most=10, style=seamless_style(rng), bare=bare, dress=_oddments,
                          view=_view(width, height, half_px, rng, 0.3), top=tile_like if chance(rng, 0.6) else None)
    return make_scene(width, height, half_px, rng, style=any_pips(_marked(set_style(rng), rng), rng),
                      view=_view(width, height, half_px, rng, 0.3), dress=_oddments if chance(rng, 0.4) else None)


def without_standing(scene: Scene) -> Scene:
    """The picture with the truth about lying tiles alone."""
    return replace(scene, tiles=tuple(tile for tile in scene.tiles if tile.pose == LYING))


def lay_standing(table: Table, highest: int, away: float, most: int, rng: np.random.Generator) -> list[Placed]:
    """A line of play or loose tiles, and hands on edge around them."""
    if chance(rng, 0.7):
        line(table, int(rng.integers(2, max(3, most // 2 + 1))), highest, rng)
    scatter(table, int(rng.integers(0, 6)), highest, rng, facedown=0.3)
    for _ in range(int(rng.integers(1, 4))):
        standing(table, int(rng.integers(2, 8)), highest, away, rng)
    return table.tiles


def _view(width: int, height: int, half_px: float, rng: np.random.Generator, low: float) -> View:
    """A view as ever, or, so often as `low` says, one from low down."""
    if not chance(rng, low):
        return random_view(width, height, half_px, rng)
    focal = max(log_between(rng, 0.75, 3.5) * max(width, height), 7.0 * half_px)
    roll = rng.normal(0, 0.05) if chance(rng, 0.7) else between(rng, -np.pi, np.pi)
    centre = (width * between(rng, 0.3, 0.7), height * between(rng, 0.3, 0.7))
    return look_at(between(rng, 0.5, LOWEST), between(rng, -np.pi, np.pi), roll, focal, half_px, width, height, centre)


def _marked(style: SetStyle, rng: np.random.Generator) -> SetStyle:
    """The set, now and then with a drawing on its backs."""
    return replace(style, back_mark=int(rng.integers(4, 10_000))) if chance(rng, 0.3) else style


def _oddments(canvas: Canvas, tiles: list[Placed], reach: tuple[float, float, float, float], rng: np.random.Generator) -> None:
    """Things that look like tiles, none under one."""
    taken = np.array([(tile.x, tile.y) for tile in tiles]).reshape(-1, 2)

    def free(x: float, y: float) -> bool:
        return not len(taken) or float(np.hypot(*(taken - (x, y)).T).min()) > 3.5

    scatter_oddments(Painter(canvas.image, canvas.ids, canvas.view), int(rng.integers(1, 7)), free, reach, rng)
