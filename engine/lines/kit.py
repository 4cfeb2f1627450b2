"""What never changes in a line game: the set, the hand size, and for each pair of open ends what every tile can do."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from engine.lines.actions import Play
from engine.pieces import Tile

Table = dict[Tile, tuple[Play, ...]]
"""For each tile of the set its plays, perhaps none."""


@cache
def rank(tile: Tile) -> tuple[bool, int, int]:
    """Who leads: the highest double, without doubles the highest single by pips, then by its higher end (C5)."""
    return tile.is_double, tile.pips, tile.high


@cache
def set_tiles(highest: int) -> tuple[Tile, ...]:
    """The tiles of a set."""
    return tuple(Tile(low, high) for high in range(highest + 1) for low in range(high + 1))


@cache
def matching(tile: Tile, number: int) -> tuple[int, ...]:
    """The ends that stay open when the tile is laid with an equal end against this number; at most one."""
    return (tile.across(number),) if tile.has(number) else ()


@cache
def adding_to_seven(tile: Tile, number: int) -> tuple[int, ...]:
    """The same where touching ends add to seven."""
    return (tile.across(7 - number),) if tile.has(7 - number) else ()


@cache
def adding_or_matador(tile: Tile, number: int) -> tuple[int, ...]:
    """The same with matadors (3-4, 2-5, 1-6 and 0-0), which go on any end, either way round (M4)."""
    if tile.pips == 7:
        return tile.low, tile.high
    return (0,) if tile == (0, 0) else adding_to_seven(tile, number)


Fit = Callable[[Tile, int], tuple[int, ...]]
"""For a tile and the number of an open end, the ends that may stay open."""


class Kit:
    """The set and the tables of one kind of line game; shared by all its states."""

    def __init__(self, highest: int, hand: int, fit: Fit, one_arm: bool) -> None:
        self.highest = highest
        self.hand = hand
        self.fit = fit
        self.one_arm = one_arm
        self.tiles = set_tiles(highest)
        self.leads = {tile: Play(tile, "root", None) for tile in self.tiles}
        self.plays_of: dict[tuple[Tile, str, int], tuple[Play, ...]] = {}
        self._barred: dict[tuple[int, ...], frozenset[Tile]] = {}
        self.tables: list[list[Table | None]] = [[None] * (highest + 1) for _ in range(highest + 1)]

    def plays(self, tile: Tile, arm: str, number: int) -> tuple[Play, ...]:
        """The plays of a tile on one arm whose open end shows this number."""
        key = tile, arm, number
        found = self.plays_of.get(key)
        if found is None:
            found = tuple(Play(tile, arm, end) for end in self.fit(tile, number))
            self.plays_of[key] = found
        return found

    def build(self, left: int, right: int) -> Table:
        """The plays of every tile when the open ends of the two arms are these."""
        table = {}
        for tile in self.tiles:
            on_left = () if self.one_arm else self.plays(tile, "left", left)
            table[tile] = on_left + self.plays(tile, "right", right)
        self.tables[left][right] = table
        return table

    def barred(self, numbers: tuple[int, ...]) -> frozenset[Tile]:
        """The tiles that fit one of these open ends: what a hand cannot hold that had to draw or pass."""
        found = self._barred.get(numbers)
        if found is None:
            found = frozenset(tile for tile in self.tiles for number in numbers if self.fit(tile, number))
            self._barred[numbers] = found
        return found


@cache
def kit(highest: int, hand: int, fit: Fit, one_arm: bool = False) -> Kit:
    """The kit for these facts, made once."""
    return Kit(highest, hand, fit, one_arm)
