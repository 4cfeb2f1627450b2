"""Tiles, sets and the piecepack: what is in the box, and what a look at the table leaves open."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import pieces
from engine.pieces import COINS, DOUBLE_SIX, PAWNS, TILE_SETS, Coin, Die, Pawn, Rank, Suit, Tile, TileSet

ends = st.integers(0, pieces.HIGHEST_END)
tiles = st.builds(Tile.of, ends, ends)
sets = st.builds(TileSet, st.just("any"), ends, st.integers(1, 2))


def test_the_examples_in_the_docstrings_hold() -> None:
    outcome = doctest.testmod(pieces)
    assert outcome.attempted > 5 and outcome.failed == 0


@pytest.mark.parametrize(
    ("name", "count"), [("double-six", 28), ("double-nine", 55), ("double-twelve", 91), ("double-fifteen", 136)]
)
def test_a_set_has_its_well_known_number_of_tiles(name: str, count: int) -> None:
    tile_set = TILE_SETS[name]
    assert len(tile_set) == len(list(tile_set)) == len(set(tile_set)) == count
    assert len(tile_set.doubled) == 2 * count


def test_a_double_six_set_has_168_pips() -> None:
    assert sum(tile.pips for tile in DOUBLE_SIX) == 168


@given(ends, ends)
def test_a_tile_has_no_direction(end: int, other: int) -> None:
    tile = Tile.of(end, other)
    assert tile == Tile.of(other, end) == (min(end, other), max(end, other))
    assert tile.pips == end + other and tile.is_double == (end == other)
    assert tile.across(end) == other and tile.across(other) == end


@given(tiles)
def test_the_text_of_a_tile_reads_back(tile: Tile) -> None:
    assert Tile.parse(str(tile)) == tile
    assert Tile.parse(f" {tile.high}-{tile.low} ") == tile


@pytest.mark.parametrize("text", ["", "3", "3-", "-3", "3-4-5", "3-16", "a-b", "3--4", "²-1", "3 - 4"])
def test_other_texts_are_no_tiles(text: str) -> None:
    with pytest.raises(ValueError, match="tile"):
        Tile.parse(text)


def test_a_tile_has_no_seventeen_and_no_minus_one() -> None:
    for end in (-1, 16):
        with pytest.raises(ValueError, match="0 to 15"):
            Tile.of(3, end)


def test_the_far_end_of_a_number_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no end 5"):
        Tile.of(3, 4).across(5)


@given(sets, tiles)
def test_membership_and_count_agree(tile_set: TileSet, tile: Tile) -> None:
    assert (tile in tile_set) == (tile in set(tile_set)) == (tile_set.count(tile) == tile_set.copies)


def test_impossible_sets_are_refused() -> None:
    for highest, copies in ((16, 1), (-1, 1), (6, 0)):
        with pytest.raises(ValueError, match="no set"):
            TileSet("odd", highest, copies)


def test_a_piecepack_has_24_coins_and_4_pawns() -> None:
    assert len(set(COINS)) == 24 and len(set(PAWNS)) == 4
    assert [str(suit) for suit in Suit] == ["suns", "moons", "crowns", "arms"]
    assert [str(rank) for rank in Rank] == ["null", "ace", "2", "3", "4", "5"]


def test_the_piecepack_is_named_as_players_say_it() -> None:
    assert str(Coin(Suit.ARMS, Rank.ACE)) == "arms ace"
    assert str(Die(Suit.SUNS, Rank.NULL)) == "suns die null"
    assert str(Pawn(Suit.MOONS)) == "moons pawn"


@given(st.sampled_from(Rank))
def test_the_text_of_a_rank_reads_back(rank: Rank) -> None:
    assert Rank.parse(str(rank)) is rank


def test_one_is_written_ace() -> None:
    with pytest.raises(ValueError, match="ace"):
        Rank.parse("1")
