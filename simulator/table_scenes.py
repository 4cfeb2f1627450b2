"""Made-up photographs of whole games as the camera over the table takes them, cut into windows for the networks to learn from.

Where the reader works on a live table it sees lines, boneyards in rows, hands at the edge, mats and pieces, laid by the
rules of a game; `scene` and `games` strew tiles more freely. The truth is the same, tile by tile.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

import cv2
import numpy as np

from engine.games import game as game_named
from engine.playout import deal_on
from simulator.noise import between, chance, log_between
from simulator.scene import Image, Scene, TrueTile
from simulator.staging.games import STAGES, seat_counts, set_table, stage_of
from simulator.staging.overhead import whole_view
from simulator.staging.playing import play_on
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.lying import LYING, Tile
from simulator.tabletop.render import Renderer

WINDOWS = 8
"""Windows cut from one table's picture: to paint the table takes far longer."""

SMALLEST_HALF, LARGEST_HALF = 21.0, 38.0
"""Width of halves in the windows, pixels: as in the views that are searched, and as a 1080p camera shows them."""

LONGEST_GAME = 40
"""So many actions at most were played before the picture."""


def table_scene(size: int, seed: int, index: int) -> Scene:
    """Window number `index`, (size, size), of the pictures that follow from `seed`: eight in a row show the same table."""
    image, tiles = _table(seed, index // WINDOWS)
    rng = np.random.default_rng([seed, index, 7])
    usual = float(np.median([_half(tile) for tile in tiles])) if tiles else 30.0
    half = log_between(rng, SMALLEST_HALF, LARGEST_HALF)
    scale = half / usual
    lying = [tile for tile in tiles if tile.sure]
    if lying and chance(rng, 0.9):
        middle = lying[int(rng.integers(len(lying)))].corners.mean(axis=0) + rng.uniform(-0.3, 0.3, 2) * size / scale
    else:
        middle = rng.uniform(0, 1, 2) * image.shape[1::-1]
    room = np.array(image.shape[1::-1]) - size / scale
    corner = np.clip(middle - size / scale / 2, np.minimum(room, 0), np.maximum(room, 0))
    warp = np.array([[scale, 0, -scale * corner[0]], [0, scale, -scale * corner[1]]])
    source = image if scale > 0.75 else cv2.GaussianBlur(image, (0, 0), 0.45 / scale)
    window = cv2.warpAffine(source, warp, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shown = []
    for tile in tiles:
        corners = (tile.corners - corner) * scale
        if (corners.max(axis=0) > 0).all() and (corners.min(axis=0) < size).all():
            whole = (corners > -1).all() and (corners < size + 1).all()
            shown.append(TrueTile(tile.ends, corners, tile.visible if whole else (0.5, 0.5), tile.sure))
    return Scene(np.asarray(window, np.uint8), tuple(shown), half)


@lru_cache(maxsize=1)
def _table(seed: int, number: int) -> tuple[Image, tuple[TrueTile, ...]]:
    """A camera's picture of some game under way, and all tiles in it. The looks are none of those kept for testing."""
    rng = np.random.default_rng([seed, number])
    game = list(STAGES)[int(rng.integers(len(STAGES)))]
    kind, moves = game_named(game), Random(int(rng.integers(1 << 31)))
    players = int(rng.choice(seat_counts(game)))
    setting = set_table(game, players, int(rng.integers(TESTING_SEEDS.start)), tidy=between(rng, 0.3, 2.0),
                        rails=chance(rng, 0.4))
    stage = stage_of(game, setting)
    state = kind(None, players)
    deal_on(state, moves)
    play_on(state, stage, moves, moves.randrange(LONGEST_GAME))
    image, truth = Renderer(whole_view(setting, rng), setting.look).shoot(stage.lay(state))
    tiles = []
    for shown in truth.shown:
        if isinstance(tile := shown.thing, Tile):
            first, second = shown.visible
            tiles.append(TrueTile(tile.ends if tile.up else None, shown.outline, (first, second), tile.pose == LYING))
    return image, tuple(tiles)


def _half(tile: TrueTile) -> float:
    """The width of a tile's half, pixels."""
    return float(np.sqrt(max(cv2.contourArea(tile.corners.astype(np.float32)), 1.0) / 2))
