"""Path-traced games of our own: tiles lie as tiles can, what is said of them is so, and they come in the rhythm of the others."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.measure import calibrate
from simulator.staging.setting import pressed
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.lying import Tabletop, Tile
from simulator.tabletop.render import Renderer
from simulator.tabletop.traced import TracedRenderer
from trials.shots import PLAYS
from trials.traced import Game, Moment, kept_in, photographed, staged

GAMES = [("packed", 1), ("packed", 2), ("packed", 6), ("line", 8), ("market", 11)]
RHYTHM = ["start", "still", *["reach", "play", "still"] * PLAYS]


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: f"{game[0]}-{game[1]}")
def game(request: pytest.FixtureRequest) -> Game:
    return staged(*request.param)


def tiles_at_rest(table: Tabletop) -> list[Tile]:
    return [thing for thing in table if isinstance(thing, Tile) and not thing.lift]


def at_rest(game: Game) -> list[Moment]:
    return [moment for moment in game.moments if moment.event == "still"]


def pressed_mm(game: Game, one: Tile, other: Tile) -> float:
    return pressed(one, other, game.setting.length, game.setting.width)


def test_a_game_has_the_rhythm_of_rendered_ones_with_one_bump_and_one_other_light(game: Game) -> None:
    events = [moment.event for moment in game.moments]
    for event in ("bump", "light"):
        at = events.index(event)
        assert events[at + 1] == "still"
        del events[at : at + 2]
    assert events == RHYTHM
    first, last = game.moments[0], game.moments[-1]
    assert first.camera != last.camera and first.light != last.light
    assert all(bool(moment.hands) == (moment.event == "reach") for moment in game.moments)


def test_no_tile_lies_in_another(game: Game) -> None:
    for moment in at_rest(game):
        for one, other in itertools.combinations(tiles_at_rest(moment.table), 2):
            assert pressed_mm(game, one, other) < 0.3, (one, other)


def test_an_upper_tile_lies_on_two_others_or_overhangs_one(game: Game) -> None:
    uppers = 0
    for moment in at_rest(game):
        lying = tiles_at_rest(moment.table)
        for upper in (tile for tile in lying if tile.level):
            uppers += 1
            assert upper.z == pytest.approx(game.setting.look.thick_mm)
            low = [tile for tile in lying if not tile.level and pressed_mm(game, replace(upper, z=tile.z), tile) > 3]
            assert 1 <= len(low) <= 2
    assert uppers or game.setting.area[2] == 400  # in lines none lies on others


def test_what_nobody_takes_stays_but_for_less_than_a_millimetre_and_a_degree(game: Game) -> None:
    for before, after in itertools.pairwise(at_rest(game)):
        now = after.table.by_name
        moved = [(tile, now[tile.name]) for tile in tiles_at_rest(before.table) if tile.name in now and tile != now[tile.name]]
        far = [pair for pair in moved if math.hypot(pair[0].x - pair[1].x, pair[0].y - pair[1].y) > 1]
        assert len(far) <= 1  # a tile from the market or the pile, which is played
        assert all(abs(one.angle - other.angle) <= math.radians(1) for one, other in moved
                   if isinstance(other, Tile) and (one, other) not in far)


def test_faces_come_from_one_or_two_sets(game: Game) -> None:
    for moment in game.moments:
        faces = [tile.ends for tile in moment.table if isinstance(tile, Tile)]
        assert all(0 <= low <= high <= 6 for low, high in map(sorted, faces))
        assert max(map([tuple(sorted(ends)) for ends in faces].count, {tuple(sorted(ends)) for ends in faces}), default=0) <= 2


def test_of_covered_tiles_a_part_is_visible_and_of_all_others_the_whole(game: Game) -> None:
    moment = at_rest(game)[-1]
    shot = photographed(moment, Renderer(game.camera, game.setting.look), "last")
    lying = tiles_at_rest(moment.table)
    assert sorted(tile.center for tile in shot.tiles) == sorted((tile.x, tile.y) for tile in lying)
    for tile, known in ((tile, next(known for known in shot.tiles if known.center == (tile.x, tile.y))) for tile in lying):
        assert known.ends == (tile.ends if tile.up else None) and known.level == tile.level and not known.held
        over = [other for other in lying if other.z > tile.z and pressed_mm(game, replace(other, z=tile.z), tile) > 3]
        beside = [other for other in lying if other.z > tile.z and math.dist((other.x, other.y), known.center) < 90]
        assert known.visible < 0.8 if over else known.visible > 0.99 or beside  # what lies high beside it may hide an edge


def test_the_hand_holds_one_tile(game: Game) -> None:
    reach = next(moment for moment in game.moments if moment.event == "reach")
    shot = photographed(reach, Renderer(game.camera, game.setting.look), "reach")
    assert shot.hand and sum(tile.held for tile in shot.tiles) == 1


@pytest.mark.parametrize(("kind", "seed"), [("line", 9), ("packed", 5)])
def test_a_game_is_the_same_whenever_it_is_asked_for_and_its_look_is_its_own(kind: str, seed: int) -> None:
    game = staged(kind, seed)
    assert game.setting.look.seed not in TESTING_SEEDS and game.setting.look.seed > TESTING_SEEDS.start
    assert staged(kind, seed).moments == game.moments


def test_its_tags_calibrate_before_and_after_the_bump(game: Game) -> None:
    for moment in (game.moments[0], game.moments[-1]):
        shot = photographed(moment, Renderer(game.camera, game.setting.look), "")
        places = np.array([(-60.0, -40.0), (60.0, -40.0), (0.0, 50.0)])
        told = calibrate(shot.image).to_table(moment.camera.project(np.column_stack([places, np.zeros(3)])))
        for one, other in itertools.combinations(range(3), 2):
            assert math.dist(told[one], told[other]) == pytest.approx(math.dist(places[one], places[other]), abs=1.5)


def test_a_traced_picture_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mitsuba", reason="mitsuba is not installed: it comes with the train extra")
    monkeypatch.setattr("simulator.tabletop.traced.PATHS", 1)
    game = staged("packed", 2)
    small = replace(game.camera, width=256, height=144)
    shots = [photographed(replace(game.moments[0], camera=small), TracedRenderer(small, game.setting.look, tmp_path), "000")
             for _ in range(2)]
    assert len(list(tmp_path.iterdir())) == 1 and np.array_equal(shots[0].image, shots[1].image)
    assert shots[0].image.shape == (144, 256, 3) and shots[0].image.std() > 10 and kept_in().name == "traced"
