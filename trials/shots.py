"""Games as key pictures with the truth beside them, from an independent renderer and from our own simulator, held as video.

A shot is what a camera sees for a while: a table at rest, or a hand over it. Both kinds of games are told in the same shots
(the start; then for every play a hand with the tile, the tile laid, and the same once more; a bump, another light), so that
what is measured on one means the same as what is measured on the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from engine.games import game as game_named
from engine.playout import deal_on
from engine.state import State
from simulator.layouts import LYING
from simulator.staging.games import set_table, stage_of
from simulator.staging.overhead import whole_view
from simulator.staging.players import Players
from simulator.staging.playing import play_on
from simulator.tabletop.camera import Camera
from simulator.tabletop.films import Now, World, perform, reaching
from simulator.tabletop.happenings import Bump, Happening, Lighting, Move, Still
from simulator.tabletop.look import TESTING_SEEDS, Look
from simulator.tabletop.lying import Tile
from simulator.tabletop.render import Light, Renderer
from simulator.tabletop.truth import Truth
from vision.observation import SeenTile
from vision.table.sight import FaceProjection

Image = NDArray[np.uint8]
Point = tuple[float, float]
ToTruth = Callable[[Profile, SeenTile, int], Point]
"""From a tile as a calibrated watcher tells it, and its level, to where that is in the millimetres of the truth."""

RATE = 10.0
"""Frames a second."""

AT_REST, HAND = 25, 8
"""For so many frames a table at rest is shown, and a hand: a player who rests for a moment."""

NOISE = 1.5
"""Spread of the sensor's noise, of 255."""

QUALITY = 92
"""Of the JPEG that cameras send."""

SHIFTS = 96
"""One field of noise is shown shifted, by up to so many pixels: new noise for every frame takes longer than to watch it."""

PLAYS = 15
"""Of our own games, as of the rendered ones."""

BEGUN = {"euronimoes": 25}
"""So many actions of our own games are over at the start: about half of one, from where on tiles are laid upon others."""

BUMP, LAMP = PLAYS // 2, 3 * PLAYS // 4
"""Before these plays of our own games the camera is bumped and a lamp is turned down, as in the rendered ones."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile as it truly is. ends: None face down. center: mm. level: 1 on tiles on the table. visible: the share that is."""

    ends: tuple[int, int] | None
    center: Point
    level: int
    visible: float
    held: bool


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture that is held. event: start, reach, play, still, bump or light. hand: one is over the table."""

    name: str
    event: str
    hand: bool
    image: Image
    tiles: tuple[Lying, ...]
    to_truth: ToTruth


def held(shot: Shot, rng: np.random.Generator) -> Iterator[Image]:
    """The frames of a shot: the same picture with new noise in each, as a camera sends it."""
    height, width = shot.image.shape[:2]
    field = _noise(height + SHIFTS, width + SHIFTS)
    for _ in range(HAND if shot.hand else AT_REST):
        x, y = rng.integers(0, SHIFTS, 2).tolist()
        noisy = cv2.add(shot.image, field[y : y + height, x : x + width], dtype=cv2.CV_8U)
        packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
        yield np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


@lru_cache(maxsize=2)
def _noise(height: int, width: int) -> NDArray[np.int8]:
    """(height, width, 3) what a sensor adds."""
    return np.random.default_rng(5).normal(0, NOISE, (height, width, 3)).round().astype(np.int8)


def rendered(folder: Path) -> Iterator[Shot]:
    """The shots of one rendered game: `truth.json` and the pictures that it names. ValueError where it cannot be understood."""
    path = folder / "truth.json"
    try:
        for frame in json.loads(path.read_text(encoding="utf-8"))["frames"]:
            image = cv2.imread(str(folder / frame["file"]))
            if image is None:
                raise ValueError(f"{folder / frame['file']} is no picture")
            tiles = tuple(map(_lying, frame["tiles"]))
            yield Shot(frame["file"], frame["event"], frame["hand"], np.asarray(image, np.uint8), tiles, _as_told)
    except (OSError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is no truth of a rendered game: {error!r}") from error


def _lying(tile: dict[str, object]) -> Lying:
    ends, center, level, visible = tile["ends"], tile["center_mm"], tile["level"], tile["visible"]
    assert isinstance(center, list) and isinstance(level, int) and isinstance(visible, float | int)
    face = (int(ends[0]), int(ends[1])) if isinstance(ends, list) and not tile["facedown"] else None
    return Lying(face, (float(center[0]), float(center[1])), level, float(visible), bool(tile.get("held")))


def _as_told(profile: Profile, tile: SeenTile, level: int) -> Point:
    """Rendered tables are measured from the middle of their tags, too."""
    return tile.center


def simulated(game: str, seed: int) -> Iterator[Shot]:
    """The shots of a game on our own simulated table; `seed` counts within the looks kept for testing."""
    kind = game_named(game)
    players = kind.SEATS[0]
    setting = set_table(game, players, TESTING_SEEDS[seed])
    camera = replace(whole_view(setting, np.random.default_rng([seed, 5])), noise=0.0, jpeg=None)  # `held` adds them
    renderer = Renderer(camera, setting.look)
    stage = stage_of(game, setting)
    state: State = kind(None, players)
    deal_on(state, Random(seed))
    play_on(state, stage, Random(seed), BEGUN.get(game, 0))
    playing = Players(state, stage, seed, most=PLAYS)
    rng = np.random.default_rng([seed, 8])
    number = 0

    def shot(now: Now, event: str) -> Shot:
        nonlocal number
        image, truth = renderer.shoot(now.world.table, now.hands, now.world.light, now.world.camera, number)
        name, number = f"{number:03}", number + 1
        return Shot(name, event, bool(now.hands), image, _true(truth), in_own_mm(setting.look, now.world.camera))

    world = World(playing.table, camera)
    yield shot(Now(world), "start")
    yield shot(Now(world), "still")
    for happening in _with_a_bump_and_a_lamp(playing.happenings()):
        film = perform(happening, world, setting, rng)
        hand, world = reaching(film), film.after
        if hand is not None:
            yield shot(hand, "reach")
        yield shot(Now(world), "bump" if isinstance(happening, Bump) else "light" if isinstance(happening, Lighting) else "play")
        yield shot(Now(world), "still")


def _with_a_bump_and_a_lamp(happenings: Iterator[Happening]) -> Iterator[Happening]:
    plays = 0
    for happening in happenings:
        if isinstance(happening, Still) or (isinstance(happening, Move) and not happening.carries):
            continue
        if plays == BUMP:
            yield Bump(13.0, 7.5, float(np.radians(1.5)))
        if plays == LAMP:
            yield Lighting(Light((0.3, 1.0)))
        yield happening
        plays += 1


def _true(truth: Truth) -> tuple[Lying, ...]:
    tiles = [(thing, shown) for shown in truth.shown if isinstance(thing := shown.thing, Tile) and thing.pose == LYING]
    return tuple(Lying(tile.ends if tile.up else None, (tile.x, tile.y), tile.level, float(np.mean(shown.visible)), tile.lift > 0)
                 for tile, shown in tiles)


def in_own_mm(look: Look, camera: Camera) -> ToTruth:
    """Through the picture: our tables know only where their things are, not how somebody else measures them."""

    def to_truth(profile: Profile, tile: SeenTile, level: int) -> Point:
        pixels = FaceProjection(profile, level).to_picture(np.array([tile.center], np.float32))
        x, y = camera.to_table(np.asarray(pixels, np.float64), look.thick_mm * (1 + level))[0].tolist()
        return x, y

    return to_truth
