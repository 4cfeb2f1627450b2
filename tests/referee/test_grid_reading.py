"""Which of what is seen in a seat's grid are tiles, beside those that are known to lie there."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from engine.actions import Cell
from engine.euronimoes.actions import Play
from engine.euronimoes.layout import Layout
from engine.games import game
from engine.pieces import Tile
from referee.readers.euronimoes import EuronimoesReader
from referee.readers.grid import GAP, upright
from referee.reading import Place, Sight
from referee.setting import Setting, seated
from vision.observation import SeenTile

HALF = 24.0
SETTING = Setting("euronimoes", game("euronimoes").Rules(), seated(("Ann", "Ben")))
FIVES, ONES, BLANKS = (((x, y), (x + 1, y)) for x, y in ((0, 0), (-2, 0), (-2, 1)))


def known() -> Layout:
    """A 5-5, left of it a 1-1, and a 0-0 beside that."""
    layout = Layout()
    for number, cells in ((5, FIVES), (1, ONES), (0, BLANKS)):
        layout = layout.after(Play(Tile(number, number), cells, (number, number), 1))
    return layout


def seen(track: int, cells: tuple[Cell, Cell], ends: tuple[int, int], under: tuple[int, ...] = ()) -> SeenTile:
    matrix = upright(SETTING.seats[0], GAP * HALF, (0.0, 250.0))
    one, other = (matrix @ (x, -y, 1.0) for x, y in cells)
    rows = np.full((2, 16), 1e-4, np.float32)
    rows[[0, 1], ends] = 1 - 15e-4
    middle = (one + other) / 2
    return SeenTile(track, (float(middle[0]), float(middle[1])), float(np.arctan2(*(other - one)[::-1])), 2 * HALF, HALF, ends,
                    rows, 0.99, under)


def read(*tiles: SeenTile) -> set[Place]:
    reader, found, state = EuronimoesReader(SETTING), dict[Place, Sight](), SimpleNamespace(layouts=(known(),))
    anything: Any = state
    reader._read_grid(anything, 0, list(tiles), found, {})
    return {place[2:] for place in found}


ACROSS = ((-2, 0), (-2, 1))


def test_halves_of_two_tiles_that_are_not_seen_themselves_are_no_tile_across_them() -> None:
    assert read(seen(1, FIVES, (5, 5)), seen(2, ACROSS, (1, 0))) == {(FIVES, 1)}


def test_a_tile_across_two_is_one_where_it_shows_something_else_or_is_seen_to_lie_on_them_or_one_of_them_is_seen() -> None:
    stack = (ACROSS, 2)
    assert stack in read(seen(1, FIVES, (5, 5)), seen(2, ACROSS, (1, 3)))
    assert stack in read(seen(1, FIVES, (5, 5)), seen(2, ACROSS, (1, 0), (8, 9)))
    assert stack in read(seen(1, FIVES, (5, 5)), seen(2, ACROSS, (1, 0)), seen(3, ONES, (1, 1)))
