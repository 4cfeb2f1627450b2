"""Path-traced tables: the same moments and truth as painted ones, few pictures of each happening, none made twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import kibitz
from calibration.measure import calibrate
from simulator.staging.games import set_table
from simulator.staging.overhead import whole_view
from simulator.tabletop.films import HELD_S, World, in_few_pictures, perform
from simulator.tabletop.happenings import Bump, Carry, Lighting, Move, Still
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.lying import Chip, Tabletop, Tile
from simulator.tabletop.render import Light, Renderer
from simulator.tabletop.simulated import SimulatedTable
from simulator.tabletop.traced import TracedRenderer, things_of, traceable

SETTING = set_table("block", 2, TESTING_SEEDS[4])
CAMERA = traceable(replace(whole_view(SETTING, np.random.default_rng(4)), width=1280, height=720))
LAID = Tile("2-5", 40.0, -30.0, 0.4, (2, 5))
TABLE = Tabletop((*SETTING.corners(), LAID))
MOVE = Move(0, (Carry((Tile("1-1", -60.0, 20.0, 0.0, (1, 1)),)),))


def test_a_play_is_shown_in_one_picture_of_its_hand_and_ends_as_it_does() -> None:
    world = World(TABLE, CAMERA)
    film = perform(MOVE, world, SETTING, np.random.default_rng(1))
    few = in_few_pictures(film)
    shown = [few.at(time) for time in np.arange(0, few.seconds, 0.1)]
    assert len({id(now) for now in shown}) == 1 and shown[0].hands and few.seconds <= HELD_S
    held = shown[0].world.table["1-1"]
    assert isinstance(held, Tile) and held.lift > 0 and few.after == film.after


@pytest.mark.parametrize("happening", [Bump(20.0, 5.0, 0.03), Lighting(Light((0.4, 1.0)))])
def test_a_bump_and_a_lamp_are_shown_as_they_end(happening: Bump | Lighting) -> None:
    few = in_few_pictures(perform(happening, World(TABLE, CAMERA), SETTING, np.random.default_rng(1)))
    assert few.at(0.0).world == few.at(few.seconds).world == few.after != World(TABLE, CAMERA)


class Untraced(TracedRenderer):
    """Counts what it would have to trace, and paints it grey."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.count = 0

    def _trace(self, *_: Any) -> np.ndarray[Any, np.dtype[np.float32]]:
        self.count += 1
        return np.full((CAMERA.height, CAMERA.width, 3), 0.2, np.float32)


def test_no_picture_is_made_twice_and_the_truth_is_the_painters(tmp_path: Path) -> None:
    def game(renderer: Renderer | None) -> list[Any]:
        return list(SimulatedTable(SETTING, CAMERA, TABLE, [MOVE, Still(1.0)], renderer=renderer).moments())

    slow = Untraced(CAMERA, SETTING.look, tmp_path)
    moments = game(slow)
    assert slow.count == 3 and len(list(tmp_path.iterdir())) == 3  # before the play, the hand, and after it
    again = Untraced(CAMERA, SETTING.look, tmp_path)
    assert all(np.array_equal(one.frame.image, other.frame.image) for one, other in zip(moments, game(again), strict=True))
    assert again.count == 0
    painted = game(None)
    assert [thing.visible for thing in moments[-1].truth.shown] == [thing.visible for thing in painted[-1].truth.shown]
    assert Untraced(replace(CAMERA, height_mm=CAMERA.height_mm + 1), SETTING.look, tmp_path).shoot(TABLE)[0].any()
    assert len(list(tmp_path.iterdir())) == 4


def test_without_the_tracer_a_sentence_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = CliRunner().invoke(kibitz.main, ["simulate", "block", "--traced"])
    assert done.exit_code == 1 and "kibitz[train]" in done.output and "Traceback" not in done.output


def test_tiles_chips_and_hands_are_solids_where_the_painter_has_them() -> None:
    look = SETTING.look
    for thing, high in ((LAID, look.thick_mm), (Chip("chip red 1", 80.0, 30.0, 0.0, look.edition.chips[0]), None)):
        (solid,) = (each.solid for each in things_of(thing, look, 20.0))
        middle = (solid.points.min(axis=0) + solid.points.max(axis=0)) / 2 * look.tile_mm
        assert np.abs(middle[:2] * (1, -1) - (thing.x, thing.y)).max() < 0.5
        low, top = solid.points[:, 2].min() * look.tile_mm, solid.points[:, 2].max() * look.tile_mm
        assert abs(low) < 0.5 and (high is None or abs(top - high) < 0.5)


def test_a_traced_table_is_calibrated_by_its_tags_and_looks_like_the_painted_one(tmp_path: Path) -> None:
    pytest.importorskip("mitsuba", reason="mitsuba is not installed: it comes with the train extra")
    image, truth = TracedRenderer(CAMERA, SETTING.look, tmp_path).shoot(TABLE)
    painted, _ = Renderer(CAMERA, SETTING.look).shoot(TABLE)
    places = np.array([(x, y) for x in (-300.0, 0.0, 300.0) for y in (-200.0, 200.0)])
    pixels = CAMERA.project(np.column_stack([places, np.zeros(len(places))]))
    one, other = (calibrate(picture).to_table(pixels) for picture in (image, painted))
    assert np.abs(one - other).max() < 2.0
    x0, y0, x1, y1 = truth.of("2-5").box
    blurred = [np.asarray(picture[y0:y1, x0:x1], np.float64).mean(axis=2).ravel() for picture in (image, painted)]
    assert np.corrcoef(*blurred)[0, 1] > 0.7
