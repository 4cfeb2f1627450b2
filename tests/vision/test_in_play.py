"""Tiles of a game: what none of them shows is no tile."""

import numpy as np
import pytest

from engine.games import game
from vision.in_play import InPlay

DOMINOIDS = InPlay(game("dominoids").ENDS, game("dominoids").FACE_DOWN)


def told(known: InPlay, kinds: tuple[float, float, float], first: dict[int, float],
         second: dict[int, float]) -> tuple[int, tuple[int, int]]:
    """The likeliest kind, and what the ends most likely show, of one place read so."""
    counts = np.full((1, 2, 16), 1e-7, np.float32)
    for half, shown in enumerate((first, second)):
        for pips, odds in shown.items():
            counts[0, half, pips] = odds
    after, of = known.told(np.array([kinds], np.float32), counts)
    assert after.sum() == pytest.approx(1) and of.sum(axis=-1) == pytest.approx(1)
    one, other = of[0].argmax(axis=-1).tolist()
    return int(after[0].argmax()), (one, other)


def test_a_bare_cell_is_no_blank_where_the_game_has_none() -> None:
    assert told(InPlay(), (0.96, 0.01, 0.03), {0: 0.99}, {0: 0.99})[0] == 0
    assert told(DOMINOIDS, (0.96, 0.01, 0.03), {0: 0.99}, {0: 0.99})[0] == 2


def test_a_bare_cell_is_no_back_where_none_lie_face_down() -> None:
    assert told(InPlay(), (0.01, 0.97, 0.02), {0: 0.99}, {0: 0.99})[0] == 1
    assert told(DOMINOIDS, (0.01, 0.97, 0.02), {0: 0.99}, {0: 0.99})[0] == 2


def test_a_tile_read_as_none_of_the_game_is_another_of_its_tiles() -> None:
    assert told(DOMINOIDS, (0.99, 0.005, 0.005), {0: 0.6, 1: 0.4}, {6: 0.5, 5: 0.45}) == (0, (1, 5))


def test_games_that_say_nothing_of_their_tiles_rule_nothing_out() -> None:
    assert not InPlay(game("euronimoes").ENDS, game("euronimoes").FACE_DOWN)
    assert DOMINOIDS
