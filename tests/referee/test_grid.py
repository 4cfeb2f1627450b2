"""A seat's grid: where tiles lie that people laid by eye, and pushed, and what is none of them."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from math import pi, radians
from pathlib import Path

import numpy as np
import pytest

from engine.euronimoes.actions import Play
from engine.euronimoes.layout import EMPTY, Layout
from engine.pieces import Tile
from referee.games import reader_for
from referee.readers.grid import GAP, fit, placed_at, places_beside
from referee.setting import Seat
from tests.referee.playing import Match
from vision.observation import SeenTile

SIZE = 22.0
"""Half a tile, mm."""

ROW = [(2, 3), (3, 4), (4, 5), (5, 6)]

PLAYS = (Play(Tile.of(*ends), ((2 * at, 0), (2 * at + 1, 0)), ends, 1) for at, ends in enumerate(ROW))
LAYOUT = reduce(Layout.after, PLAYS, EMPTY)


def seen(track: int, ends: tuple[int, int], column: float, row: float, turn: float = 0.0) -> SeenTile:
    """A tile whose first half lies on that cell, the other right of it; the nearest row is 0, and y grows away."""
    chances = np.full((2, 16), 0.001, np.float32)
    for half, end in enumerate(ends):
        chances[half, end] = 0.985
    pitch = GAP * SIZE
    return SeenTile(track, ((column + 0.5) * pitch, -row * pitch), turn, 2 * SIZE, SIZE, ends, chances, 1.0)


@pytest.mark.parametrize(("column", "aside", "askew"), [(8, 0.0, False), (-2, 0.0, False), (-2, 0.5, True)])
def test_a_tile_laid_in_line_with_the_others_does_so_though_one_was_pushed(column: int, aside: float, askew: bool) -> None:
    seat = Seat("Ann", -pi / 2)
    known = [seen(at, ends, 2 * at, 0.35 if at == 3 else 0.0, radians(-8) if at == 3 else 0.0) for at, ends in enumerate(ROW)]
    lattice = fit(seat, SIZE, LAYOUT, known, None)
    assert lattice is not None
    found = placed_at(lattice, seen(9, (6, 6), column, aside))
    assert (found.askew > 0) == askew, found.off
    assert askew or found.cells == ((column, 0), (column + 1, 0))


def test_a_grid_goes_on_beside_its_tiles_shifted_as_they_lie() -> None:
    seat, pitch = Seat("Ann", -pi / 2), GAP * SIZE
    lattice = fit(seat, SIZE, LAYOUT, [seen(at, ends, 2 * at, 0.2 if at == 3 else 0.0) for at, ends in enumerate(ROW)], None)
    assert lattice is not None
    places = places_beside(LAYOUT, lattice)
    assert len(places) == 2 * 9 + 2 * 8 + 2 * 3  # along it, away from it, at its ends
    middles = places.mean(axis=1)
    ends = [middles[np.linalg.norm(middles - np.array((column + 0.5, -row)) * pitch, axis=1).argmin()] / pitch
            for column, row in ((-2, 0), (8, 0))]
    assert abs(ends[0][1]) < 0.1 and abs(ends[1][1] + 0.2) < 0.05, ends


@pytest.mark.parametrize(("at", "seen_there"), [("bank 1", 0), ("nowhere", 1)])
def test_chips_fanned_out_in_a_bank_are_no_tile_of_a_grid(at: str, seen_there: int, tmp_path: Path) -> None:
    match = Match("euronimoes", 2, 3, tmp_path / "journal.db")
    match.deal()
    place = {"bank 1": (40.0, 90.0), "nowhere": (40.0, 190.0)}
    reader = reader_for(replace(match.stage.setting, slots={"bank 1": place["bank 1"]}))
    match.stage.put(place[at], 0.0, (4, 4))
    reading = reader.read(match.stage.seen(), match.state, reader.unread)
    assert sum(each.ends == (4, 4) for each in (*reading.tiles.values(), *reading.loose)) == seen_there
