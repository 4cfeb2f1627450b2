"""Made-up tables of whole games as the camera over them takes them, cut into windows for the networks to learn from.

Where the reader works on a live table it sees lines, boneyards in rows, hands at the edge, mats and pieces, laid by the
rules of a game; `scene` and `games` strew tiles more freely. The truth is the same, tile by tile. A window shows a part of
the table from straight above, as the views do that are searched.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.core import Flags
from engine.games import game as game_named
from engine.playout import deal_on
from simulator.faces import SetStyle
from simulator.noise import between, chance, log_between
from simulator.scene import Image, Scene, TrueTile
from simulator.staging.games import STAGES, seat_counts, set_table, stage_of
from simulator.staging.overhead import FROM_ABOVE, FROM_THE_SIDE, whole_view
from simulator.staging.playing import play_on
from simulator.tabletop.camera import Camera
from simulator.tabletop.look import LUMA, TESTING_SEEDS, Look
from simulator.tabletop.lying import LYING, Tile
from simulator.tabletop.render import Renderer
from simulator.tabletop.truth import Truth

WINDOWS = 16
"""Windows cut from one table's picture: to paint the table takes far longer."""

SMALLEST_HALF, LARGEST_HALF = 20.0, 40.0
"""Width of halves in the windows, pixels: as in the views that are searched."""

LONGEST_GAME = 40
"""So many actions at most were played before the picture."""

SHARES = (0.45, 0.3, 0.25)
"""Of tables that show sets as they come, dark sets, and sets whose body may hide their pips."""

DARK = 0.25
"""A body darker than this, of 1, is dark: where such tiles touch, their seams hardly show."""

FAINT = 0.45
"""Pips that differ from the body by less than this, of 1 between black and white, are hard to see."""

LOW = 0.5
"""This part of the tables are seen from the side."""

WANDERS = 0.3
"""A tile that is looked at is so far from the middle of its window at most, in windows."""


def as_it_comes(style: SetStyle) -> bool:
    """Any set."""
    return True


def faint(style: SetStyle) -> bool:
    """Whether pips of some number differ from the body in hue rather than in light."""
    light = np.abs(style.colours[1 : style.highest + 1] @ LUMA - float(style.body @ LUMA)).min()
    return bool(light < FAINT)


def dark(style: SetStyle) -> bool:
    """Whether its tiles are black or nearly so."""
    return float(style.body @ LUMA) < DARK


def grained(style: SetStyle) -> bool:
    """Whether what the body shows may hide its pips: veins, grain or specks, and no black on white."""
    return style.grain in ("marble", "wood", "speckle") and style.grain_strength > 0.07 and float(style.body @ LUMA) < 0.65


def table_scene(size: int, seed: int, index: int) -> Scene:
    """Window number `index`, (size, size), of the pictures that follow from `seed`: sixteen in a row show the same table."""
    image, camera, face_mm, half_mm, tiles = _table(seed, index // WINDOWS)
    rng = np.random.default_rng([seed, index, 7])
    half = log_between(rng, SMALLEST_HALF, LARGEST_HALF)
    across = size * half_mm / half
    lying = [place for tile, place in tiles if tile.sure]
    if lying and chance(rng, 0.9):
        middle = lying[int(rng.integers(len(lying)))] + rng.uniform(-WANDERS, WANDERS, 2) * across
    else:
        middle = camera.aim + rng.uniform(-1, 1, 2) * (400, 250)
    left, top = middle - across / 2
    edges = np.array([(left, top, face_mm), (left + across, top, face_mm), (left + across, top + across, face_mm),
                      (left, top + across, face_mm)])  # fmt: skip
    end = np.float32(size) - 0.5
    flat = np.array([(-0.5, -0.5), (end, -0.5), (end, end), (-0.5, end)], np.float32)
    warp = cv2.getPerspectiveTransform(camera.project(edges).astype(np.float32), flat)
    window = cv2.warpPerspective(image, warp, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    shown = []
    for tile, _ in tiles:
        corners = cv2.perspectiveTransform(tile.corners[None].astype(np.float32), warp)[0]
        if (corners.max(axis=0) > 0).all() and (corners.min(axis=0) < size).all():
            whole = (corners > -1).all() and (corners < size + 1).all()
            shown.append(TrueTile(tile.ends, corners, tile.visible if whole else (0.5, 0.5), tile.sure))
    return Scene(np.asarray(window, np.uint8), tuple(shown), half)


@lru_cache(maxsize=1)
def _table(seed: int, number: int) -> tuple[Image, Camera, float, float, tuple[tuple[TrueTile, NDArray[np.float64]], ...]]:
    """A camera's picture of some game under way, the camera, how high tiles' faces lie and how wide halves are, mm, and all
    tiles in it with their middles on the table, mm. The looks are none of those kept for testing."""
    rng = np.random.default_rng([seed, number])
    game = list(STAGES)[int(rng.integers(len(STAGES)))]
    moves = Random(int(rng.integers(1 << 31)))
    players = int(rng.choice(seat_counts(game)))
    wanted = (as_it_comes, dark, grained)[int(rng.choice(3, p=SHARES))]
    while not wanted(Look.of(drawn := int(rng.integers(TESTING_SEEDS.start))).style):
        pass
    image, truth, camera, look = under_way(game, players, drawn, rng, moves)
    tiles = []
    for shown in truth.shown:
        if isinstance(tile := shown.thing, Tile):
            first, second = shown.visible
            told = TrueTile(tile.ends if tile.up else None, shown.outline, (first, second), tile.pose == LYING)
            tiles.append((told, np.array([tile.x, tile.y])))
    return image, camera, look.thick_mm, look.tile_mm, tuple(tiles)


def under_way(game: str, players: int, seed: int, rng: np.random.Generator, moves: Random, rules: Flags | None = None,
              ) -> tuple[Image, Truth, Camera, Look]:
    """A camera's picture of a game at some point of it, what it shows, the camera, and the look, which is that of `seed`."""
    setting = set_table(game, players, seed, rules, tidy=between(rng, 0.3, 2.0), rails=chance(rng, 0.4))
    state, stage = game_named(game)(rules, players), stage_of(game, setting)
    deal_on(state, moves)
    play_on(state, stage, moves, moves.randrange(LONGEST_GAME))
    camera = whole_view(setting, rng, FROM_THE_SIDE if chance(rng, LOW) else FROM_ABOVE)
    image, truth = Renderer(camera, setting.look).shoot(stage.lay(state))
    return image, truth, camera, setting.look
