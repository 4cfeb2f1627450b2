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
from engine.games import GAMES
from engine.pieces import Tile
from kibitz import main
from referee.photo_score import Scored, _columns, _likeliest, grid_score, levels, score_photo
from referee.readers.cells import Cells, NoScore, every, pairs_of
from referee.readers.grid_photo import SeenGrid, Top, seen_grids
from referee.readers.seams import seam_misfit
from simulator.staging.euronimoes import EuronimoesStage
from simulator.staging.games import set_table
from simulator.tabletop import lying
from simulator.tabletop.camera import Camera
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.render import Light, Renderer
from tests.referee.test_chain import lying as tile_lying
from vision.labels import Label, read_labels
from vision.photo import load_photo
from vision.pieces import PieceReader
from vision.reader import Reader

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


def test_the_seam_in_a_tile_is_told_from_the_gap_between_two_and_from_a_line_half_covered() -> None:
    image = np.full((400, 640, 3), 60, np.uint8)
    cells = np.array([[60.0, 0, 49.5], [0, 60, 49.5], [0, 0, 1]])  # 60 pixels to a cell
    for x in (0, 2, 4, 6, 8):  # five tiles upright, with their lines
        left = 60 * x + 22
        cv2.rectangle(image, (left, 22), (left + 55, 137), (230, 230, 230), -1)
        cv2.rectangle(image, (left + 4, 78), (left + 51, 81), (20, 20, 20), -1)
    cv2.rectangle(image, (502, 22), (557, 76), (230, 230, 230), -1)  # a higher one upon the fifth: half a line is left
    cv2.rectangle(image, (502, 77), (557, 79), (205, 205, 205), -1)
    cv2.rectangle(image, (22, 142), (77, 250), (230, 230, 230), -1)  # and one more below the first, a gap between them
    tiles = [((x, 0), (x, 1)) for x in (0, 2, 4, 6, 8)]
    gap = ((0, 1), (0, 2))
    misfit = seam_misfit(image, cells, [*tiles, gap], tiles[:4])
    assert max(misfit[tile] for tile in tiles[:4]) < 0.1
    assert misfit[tiles[4]] > 0.3 and misfit[gap] > 0.3


def test_nothing_is_told_of_seams_where_no_tiles_are_sure() -> None:
    image = np.full((200, 200, 3), 60, np.uint8)
    pair = ((0, 0), (0, 1))
    assert seam_misfit(image, np.eye(3), [pair], [pair]) == {pair: 0.0}


def test_what_the_score_may_also_be_is_told_with_it() -> None:
    flat = seen_of([play for play in plays() if play.level == 1], {})
    hidden = {"3-4", "2-5", "1-2"}
    raised = seen_of([play for play in plays() if str(play.tile) not in hidden], {(-2, -3): 4, (0, 0): 2})
    close, clear = (_likeliest([(0.0, raised), (behind, flat)], 1) for behind in (1.0, 50.0))
    assert close.total == clear.total == 6
    assert "it may be 10 in all" in close.notes[-1] and not any("may be" in note for note in clear.notes)


@pytest.mark.parametrize(
    ("size", "covered", "words"), [(3, 1, "do not all lie in one grid"), (9, 81, "More lies there than the 28 tiles")]
)
def test_what_can_be_no_grid_is_told_as_that(size: int, covered: int, words: str) -> None:
    box = (0, 0, size - 1, size - 1)
    lies = {cell: 1.0 if at < covered else -1.0 for at, cell in enumerate(every(box))}
    cells = Cells(np.diag([10.0, 10.0, 1.0]), box, lies, dict.fromkeys(pairs_of(box), 0.5))
    with pytest.raises(NoScore, match=words):
        seen_grids(np.zeros((100, 100, 3), np.uint8), cells, readers()[0])


def test_solitaire_counts_its_columns_and_says_when_there_are_none() -> None:
    columns = [tile_lying((1, k), 1.5 * column, 2 * k, np.pi / 2) for column in range(4) for k in range(column + 1)]
    assert _columns(columns) == 4 and _columns([]) == 0
    with pytest.raises(NoScore, match="lie across"):
        _columns([*columns, tile_lying((5, 5), 12, 0)])


def loose(folder: Path) -> list[Label]:
    """The photographs of loose tiles and lines: no printed board."""
    return [row for row in read_labels(folder) if not row.tags & {"negative", "printed-background"}]


def scored(game: str, path: Path) -> Scored | NoScore:
    try:
        return score_photo(game, load_photo(path).image, *readers())
    except NoScore as refused:
        return refused


def test_loose_tiles_and_lines_are_counted(photos: Path) -> None:
    rows = loose(photos)
    left = [scored("knock-out", photos / row.photo) for row in rows]
    hands = [(scored("block", photos / row.photo), row) for row in rows if "chain" not in row.tags]
    counted = sum(isinstance(found, Scored) and len(row.tiles) <= found.total <= len(row.tiles) + len(row.optional)
                  for found, row in zip(left, rows, strict=True))
    added = sum(isinstance(found, Scored) and found.total >= row.total
                and found.total <= row.total + sum(tile.pips for tile in row.optional) for found, row in hands)
    print(f"Knock-Out's tiles on {counted} of {len(rows)}, the pips of a hand on {added} of {len(hands)}")
    assert counted >= len(rows) - 2 and added == len(hands)


def test_every_game_scores_any_photograph_or_says_in_a_sentence_why_not(photos: Path) -> None:
    for row in loose(photos)[::9]:
        for game in GAMES:
            found = scored(game, photos / row.photo)
            assert sum(points for _, points in found.parts) == found.total if isinstance(found, Scored) else str(found)[-1] == "."


@pytest.mark.parametrize(
    ("name", "words"),
    [("jeremyarde_IMG-20210311-WA0002.jpg", "no double-six set"), ("domibot_PIEZAS_A_ORDENAR.jpg", "do not all lie in one grid"),
     ("domibot_tablero2.jpg", "do not all lie in one grid")])
def test_what_is_none_of_euronimoes_is_not_scored(photos: Path, name: str, words: str) -> None:
    found = scored("euronimoes", photos / name)
    assert isinstance(found, NoScore) and words in str(found)
