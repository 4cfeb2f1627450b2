"""Trials of Euronimoes without a camera: the referee is also told of slots, chips, levels, and what hands lift."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from calibration.mats import MARKET
from referee.setting import Setting
from simulator.layouts import LYING
from simulator.tabletop.lying import Chip, Tile
from simulator.tabletop.simulated import Moment
from tests.referee.told import ToldTrial
from vision.observation import Observation, SeenPiece, TableState

STACKED = 0.7
"""A tile lies on another when one of its halves' middles is so near to one of the other's, in halves."""


class ToldMarket(ToldTrial):
    """A told trial of Euronimoes. chips: whether chips are seen."""

    chips = True
    rested: Mapping[int, Tile] = MappingProxyType({})
    first: tuple[int, ...] = ()
    last = Observation(0.0, 0, TableState.READING)

    def agreed(self) -> Setting:
        setting = super().agreed()
        colours = self.setting.look.edition.chips
        seats = tuple(replace(seat, colour=colours[at]) for at, seat in enumerate(setting.seats))
        slots = {name: (slot.center[0] - MARKET.width / 2, slot.center[1] - MARKET.height / 2)
                 for name, slot in MARKET.slots.items()}
        return replace(setting, seats=seats, slots=slots)

    def lying(self, moment: Moment) -> Observation:
        """The same, and what lies on what, and what hands have taken up since the table last lay still."""
        seen, table = super().lying(moment), moment.truth.tabletop
        lying = {self.tracks[thing.name]: thing for thing in table
                 if isinstance(thing, Tile) and thing.pose == LYING and thing.name in self.tracks}
        if seen.settled:
            self.rested, self.left, self.first = lying, list[int](), ()
            tiles = tuple(replace(tile, under=self._beneath(lying[tile.track], lying)) for tile in seen.tiles)
            pieces = tuple(SeenPiece(at, "chip", (thing.x, thing.y), 8.0, 0.0, {thing.colour: 0.99, "other": 0.01}, 0.98)
                           for at, thing in enumerate(table) if isinstance(thing, Chip))
            self.last = replace(seen, tiles=tiles, pieces=pieces if self.chips else ())
            return self.last
        gone = [track for track, tile in self.rested.items() if track not in lying or _far(tile, lying[track])]
        if gone and not self.left:
            self.first = tuple(track for track in self.rested if track not in gone)
        self.left += [track for track in gone if track not in self.left]
        return replace(seen, tiles=self.last.tiles, pieces=self.last.pieces, lifted=tuple(self.left), untouched=self.first)

    def _beneath(self, tile: Tile, lying: dict[int, Tile]) -> tuple[int, ...]:
        """The tracks of the tiles that lie directly under this one."""
        return tuple(track for track, other in lying.items() if other.level == tile.level - 1 and any(
            np.hypot(*(a - b)) < STACKED * self.setting.width for a in self._middles(tile) for b in self._middles(other)))

    def _middles(self, tile: Tile) -> np.ndarray:
        """(2, 2) of its halves."""
        along = np.array([np.cos(tile.angle), np.sin(tile.angle)]) * self.setting.length / 4
        return np.array([(tile.x, tile.y) - along, (tile.x, tile.y) + along])


def _far(tile: Tile, other: Tile) -> bool:
    return bool(np.hypot(tile.x - other.x, tile.y - other.y) > 8)
