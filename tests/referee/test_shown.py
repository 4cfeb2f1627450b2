"""Hands that are laid open: each tile once, what is known of them aside."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core import UNKNOWN
from engine.pieces import Tile
from referee.readers.shown import first_shown
from referee.reading import Expected, Reading, Sight, differences
from tests.referee.market_words import tile

HAND = (UNKNOWN, tile("2-3"), UNKNOWN)


def sight(*likely: tuple[str, float]) -> Sight:
    """A tile of which one half is sure, and that shows one of these, each as likely as this."""
    rows = np.full((2, 16), 1e-5)
    for text, chance in likely:
        rows[0, tile(text).low], rows[1, tile(text).high] = 1, chance
    return Sight(np.asarray(rows / rows.sum(axis=1, keepdims=True), np.float32), 0.9, (0.0, 0.0), 0.0, 1)


def shown(*sights: Sight, unseen: tuple[str, ...] = ("0-1", "0-2", "0-4", "1-4")) -> list[tuple[int, tuple[Tile, ...], float]]:
    """What the second seat's hand may show, the likeliest first."""
    ways = first_shown(((), HAND), map(tile, unseen), lambda seat: sights)
    return sorted(ways, key=lambda way: way[2])


def test_of_a_hand_only_what_was_not_known_is_told() -> None:
    (seat, tiles, cost), *_ = shown(sight(("0-4", 1)), sight(("2-3", 1)), sight(("1-4", 1)))
    assert (seat, tiles) == (1, (tile("0-4"), tile("1-4"))) and cost < 0.1


def test_a_tile_that_the_hand_shows_beside_it_or_that_lies_elsewhere_is_none_of_it() -> None:
    unsure = sight(("0-4", 0.6), ("0-2", 0.3), ("0-3", 0.1))
    (_, tiles, _), *_ = shown(sight(("0-4", 1)), sight(("2-3", 1)), unsure)
    assert tiles == (tile("0-2"), tile("0-4"))


def test_a_hand_that_lacks_a_tile_or_does_not_show_one_that_is_known_of_it_is_not_shown() -> None:
    assert shown(sight(("0-4", 1)), sight(("2-3", 1))) == shown(sight(("0-4", 1)), sight(("0-1", 1)), sight(("1-4", 1))) == []


@pytest.mark.parametrize(("left", "loose"), [(2, 3), (3, 3), (4, 0), (None, 0)])
def test_as_many_open_tiles_as_a_seat_has_or_more_want_an_explanation(left: int | None, loose: int) -> None:
    """Of fewer more are to come; a seat that has shown its hand owes none."""
    reading = Reading({}, hands={1: (sight(("0-4", 1)), sight(("0-1", 1)), sight(("1-4", 1)))})
    found = differences(Expected({}, unshown={} if left is None else {1: left}), reading)
    assert [each.kind for each in found] == ["loose"] * loose
