"""Path-traced games of our own, from a seed: tiles packed in a grid, lines of play, a market, with people's hands over them.

No game's rules are kept: what matters is how tiles lie, how they come and how they go. A game has the rhythm of the rendered
ones (`trials.shots`): the start, then for every play the hand, the tile laid, and the same once more; a bump, another light.
Looks come from seeds on which nothing is trained and which no other test draws. Needs mitsuba (extra `train`); every picture is
kept, so that a game is slow only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from platformdirs import user_cache_path

from simulator.noise import between
from simulator.staging.setting import Setting
from simulator.tabletop.camera import Camera
from simulator.tabletop.hands import Hand
from simulator.tabletop.look import Look
from simulator.tabletop.lying import Tabletop, Tile
from simulator.tabletop.painting import hull_of, tile_body
from simulator.tabletop.render import DAY, Light, Renderer
from simulator.tabletop.traced import TracedRenderer
from simulator.tabletop.truth import Shown
from trials.grids import Market, Packed
from trials.laying import Deed, nudged, tiles_of
from trials.lines import Line
from trials.looks import AREAS, BUMPED, camera_over, look_of
from trials.shots import BUMP, LAMP, PLAYS, Lying, Shot, in_own_mm

FINE = 4
"""So many points to the pixel are looked at to tell how much of a tile is covered."""

EXPOSED = 8
"""After so many looks a camera has got used to the light."""

KINDS: Mapping[str, Callable[[Look, tuple[float, float], int, np.random.Generator], Packed | Line | Market]] = {
    "packed": Packed, "line": Line, "market": Market,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Moment:
    """What is to be photographed; event as in `Shot`."""

    event: str
    table: Tabletop
    camera: Camera
    light: Light = DAY
    hands: tuple[Hand, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    """A game before it is photographed."""

    setting: Setting
    camera: Camera
    moments: tuple[Moment, ...]


def staged(kind: str, seed: int) -> Game:
    """All moments of a game of a kind: packed, line or market. The same ones whenever it is asked for."""
    rng = np.random.default_rng([seed, list(AREAS).index(kind), 31])
    look, (wide, deep) = look_of(kind, seed), AREAS[kind]
    setting = Setting(look, 4, look.seed, (-wide / 2, -deep / 2, wide / 2, deep / 2))
    camera = camera_over(setting, rng)
    return Game(setting, camera, tuple(_moments(setting, camera, KINDS[kind](look, AREAS[kind], seed, rng), rng)))


def _moments(setting: Setting, camera: Camera, layout: Packed | Line | Market, rng: np.random.Generator) -> Iterator[Moment]:
    now = Moment("start", Tabletop((*setting.corners(), *layout.start())), camera)
    dimmed = between(rng, 0.0, 0.45)
    yield now
    yield replace(now, event="still")
    for number in range(PLAYS):
        if number == BUMP:
            now = replace(now, event="bump", camera=now.camera.bumped(*BUMPED))
            yield from (now, replace(now, event="still"))
        if number == LAMP:
            now = replace(now, event="light", light=Light((dimmed, 1.0)))
            yield from (now, replace(now, event="still"))
        deed = layout.play(number, now.table)
        yield _reaching(deed, now, setting, rng)
        now = replace(now, event="play", table=nudged(deed, now.table, setting.look, rng).done(now.table))
        yield from (now, replace(now, event="still"))


def _reaching(deed: Deed, now: Moment, setting: Setting, rng: np.random.Generator) -> Moment:
    """The hand over the table with the tile that it brings or takes, near where that lies."""
    tile = deed.laid[-1] if deed.laid else now.table[deed.gone[0]]
    assert isinstance(tile, Tile)
    seat = int(rng.choice(4, p=(0.6, 0.15, 0.1, 0.15)))
    source = setting.at(seat, between(rng, 60, 200), -1300.0)
    far = np.array(source) - (tile.x, tile.y)
    back = far / np.linalg.norm(far) * between(rng, 0, 70) + rng.normal(0, 6, 2)
    held = replace(tile, x=float(tile.x + back[0]), y=float(tile.y + back[1]), angle=tile.angle + float(rng.normal(0, 0.2)),
                   lift=between(rng, 8, 40))
    hand = Hand((held.x, held.y), source, held.z + held.lift + 6.0, "pinch", seat)
    return replace(now, event="reach", table=now.table.put(held), hands=(hand,))


def kept_in() -> Path:
    """Where pictures are kept unless somebody says otherwise."""
    return user_cache_path("kibitz", appauthor=False) / "traced"


def traced(kind: str, seed: int, kept: Path | None = None) -> Iterator[Shot]:
    """The shots of a path-traced game: kind packed, line or market. kept: the folder in which pictures are kept."""
    game = staged(kind, seed)
    look = game.setting.look
    renderer = TracedRenderer(game.camera, look, (kept or kept_in()) / f"{kind}-{seed}")
    for number, moment in enumerate(game.moments):
        yield photographed(moment, renderer, f"{number:03}")


def photographed(moment: Moment, renderer: Renderer, name: str) -> Shot:
    """A moment as a camera sees it that has got used to the light."""
    for _ in range(2 if moment.hands else EXPOSED):
        image, truth = renderer.shoot(moment.table, moment.hands, moment.light, moment.camera)
    lying = tuple(_true(shown, moment, renderer.look) for shown in truth.shown if isinstance(shown.thing, Tile))
    return Shot(name, moment.event, bool(moment.hands), image, lying, in_own_mm(renderer.look, moment.camera))


def _true(shown: Shown, moment: Moment, look: Look) -> Lying:
    """What is true about a tile of a moment."""
    tile = shown.thing
    assert isinstance(tile, Tile)
    visible = _bare(tile, moment, look)
    if moment.hands:  # the painter counts their pixels, those of rounded corners as hidden
        visible = min(visible, float(np.mean(shown.visible)))
    return Lying(tile.ends if tile.up else None, (tile.x, tile.y), tile.level, visible, tile.lift > 0)


def _bare(tile: Tile, moment: Moment, look: Look) -> float:
    """The share of a tile's upper face over which no other tile lies, as the camera sees it."""
    view = moment.camera.view(look.tile_mm)
    face = view.project(tile_body(tile, look).corners(look.style))
    corner = face.min(axis=0) - 1
    width, height = (np.ceil((face.max(axis=0) - corner + 1) * FINE)).astype(int).tolist()
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.round((face - corner) * FINE * 16).astype(np.int32), 1, shift=4)
    whole = int(mask.sum())
    for other in tiles_of(moment.table):
        if other.z + other.lift > tile.z + tile.lift:
            hull = cv2.convexHull(((view.project(hull_of(other, look)) - corner) * FINE * 16).astype(np.int32))
            cv2.fillConvexPoly(mask, hull, 0, shift=4)
    return float(mask.sum() / whole)
