"""Photographs of final layouts are scored with their reasons; the Euronimoes layout is that of the rules' own example."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from engine.euronimoes.actions import Play
from engine.euronimoes.game import Rules, State
from engine.euronimoes.layout import EMPTY, Layout
from engine.pieces import Tile
from kibitz import main
from referee.photo_score import NoScore, grid_score, levels, score_photo
from referee.readers import grid_photo
from referee.readers.grid_photo import SeenGrid, Top
from vision.pieces import PieceReader
from vision.reader import Reader
from vision.synthetic.staging.euronimoes import EuronimoesStage
from vision.synthetic.staging.games import set_table
from vision.synthetic.tabletop import lying
from vision.synthetic.tabletop.camera import Camera
from vision.synthetic.tabletop.look import TESTING_SEEDS
from vision.synthetic.tabletop.render import Light, Renderer

EXAMPLE = """
4-3 1,-1 1,0 1; 2-5 1,1 2,1 1; 1-4 1,2 2,2 1; 0-1 1,4 1,5 1; 3-3 2,3 3,3 1; 2-4 2,4 3,4 1; 0-3 3,0 4,0 1; 1-2 3,1 3,2 1
5-5 3,5 4,5 1; 6-4 3,6 4,6 1; 2-0 4,-1 5,-1 1; 6-5 4,2 4,3 1; 3-2 1,0 1,1 2; 5-1 2,1 3,1 2
"""
"""Tile, its two cells, its level: a layout with all that the example under Final Scoring states."""

PARTS = [1, 2, -3, 11, 0]


def plays() -> list[Play]:
    found = []
    for line in EXAMPLE.replace("\n", ";").split(";"):
        if line.strip():
            tile, first, second, level = line.split()
            low, high = (int(end) for end in tile.split("-"))
            (x, y), (x2, y2) = (map(int, cell.split(",")) for cell in (first, second))
            found.append(Play(Tile.of(low, high), ((x - 3, y - 2), (x2 - 3, y2 - 2)), (low, high), int(level)))
    return found


def example() -> Layout:
    layout = EMPTY
    for play in plays():
        layout = layout.after(play)
    return layout


VIEWS = (  # height mm, tilt, azimuth, roll
    (480.0, 0.08, 1.5, 0.0), (560.0, 0.3, 1.7, 0.1), (520.0, 0.4, 0.4, -0.2), (540.0, 0.4, 2.8, 0.15), (600.0, 0.55, 1.4, 0.05),
)


def photograph(view: int) -> NDArray[np.uint8]:
    """The example before a seat, with one chip in hand beside it."""
    setting = set_table("euronimoes", 2, TESTING_SEEDS[30 + view])
    state = State(Rules(), 2)
    state.layouts, state.chips = (example(), EMPTY), (1, 0)
    table = EuronimoesStage(setting).lay(state)
    tiles = [thing for thing in table if isinstance(thing, lying.Tile)]
    chip = next(thing for thing in table if isinstance(thing, lying.Chip) and thing.colour == setting.look.edition.chips[0])
    height, tilt, azimuth, roll = VIEWS[view]
    camera = Camera(height_mm=height, tilt=tilt, azimuth=azimuth, roll=roll, aim=(0.0, 240.0))
    shown = lying.Tabletop((*tiles, replace(chip, x=150.0, y=290.0)))
    return Renderer(camera, setting.look).shoot(shown, (), Light(), camera, 1)[0]


@cache
def readers() -> tuple[Reader, PieceReader]:
    return Reader(), PieceReader()


@pytest.mark.parametrize("view", range(len(VIEWS)))
def test_the_example_scores_six_from_every_side(view: int) -> None:
    scored = score_photo("euronimoes", photograph(view), *readers())
    columns = [points for name, points in scored.parts if name.startswith("column")]
    assert columns in (PARTS, PARTS[::-1])
    assert dict(scored.parts)["levels"] == -4 and dict(scored.parts)["chips"] == -1 and scored.total == 6


def test_the_command_says_the_parts_and_takes_the_chips_as_told(tmp_path: Path) -> None:
    photo = tmp_path / "layout.png"
    cv2.imwrite(str(photo), photograph(0))
    told = CliRunner().invoke(main, ["score", "--game", "euronimoes", "--chips", "3", "--json", str(photo)])
    assert told.exit_code == 0, told.output
    assert json.loads(told.output)["total"] == 4 and ["chips", -3] in json.loads(told.output)["parts"]


def seen_of(tops: list[Play], peeping: dict[tuple[int, int], int]) -> SeenGrid:
    return SeenGrid(tuple(Top(play.cells, play.ends) for play in tops), peeping)


def test_what_lies_under_stacked_tiles_is_found_by_the_halves_that_look_out() -> None:
    hidden = {"3-4", "2-5", "1-2"}
    tops = [play for play in plays() if str(play.tile) not in hidden]
    raised, under = levels(seen_of(tops, {(-2, -3): 4, (0, 0): 2}))
    assert {str(Tile.of(*top.ends)) for top in raised} == {"2-3", "1-5"}
    assert {str(Tile.of(*top.ends)) for top in under} == hidden


def test_columns_that_are_no_runs_are_not_scored() -> None:
    grid = SeenGrid((Top(((0, 0), (0, 1)), (2, 5)), Top(((1, 0), (1, 1)), (0, 3))), {})
    with pytest.raises(NoScore, match="No way round"):
        grid_score(grid, 0)


def test_where_rows_and_columns_both_hold_runs_nothing_is_guessed() -> None:
    grid = SeenGrid((Top(((0, 0), (1, 0)), (4, 5)),), {})
    with pytest.raises(NoScore, match="both hold runs"):
        grid_score(grid, 0)


def test_a_photograph_does_not_tell_the_bonus_of_dominoids() -> None:
    with pytest.raises(NoScore, match="bonus"):
        score_photo("dominoids", np.zeros((90, 160, 3), np.uint8), *readers())


def test_the_sides_of_one_tile_are_in_line_and_those_of_one_upon_another_are_not() -> None:
    image = np.full((400, 400, 3), 60, np.uint8)
    cv2.rectangle(image, (120, 100), (179, 219), (230, 230, 230), -1)  # one tile, 60 pixels to a cell
    cv2.rectangle(image, (240, 100), (299, 159), (230, 230, 230), -1)
    cv2.rectangle(image, (246, 160), (305, 219), (230, 230, 230), -1)  # the half of a higher one, seen a little aside
    cells = np.array([[60.0, 0, 149.5], [0, 60, 129.5], [0, 0, 1]])  # cell (0, 0) is the first tile's upper one
    flat = grid_photo._flat(image, cells, {(0, 0), (0, 1), (2, 0), (2, 1)}, (-1, -1, 3, 2))
    lies = flat.lying()
    assert min(lies[cell] for cell in ((0, 0), (0, 1), (2, 0), (2, 1))) > 0 > max(lies[1, 0], lies[1, 1])
    assert flat.jog(((0, 0), (0, 1)), lies) < 0.02
    assert flat.jog(((2, 0), (2, 1)), lies) == pytest.approx(0.1, abs=0.03)
    assert flat.jog(((0, 0), (1, 0)), lies) == 0
