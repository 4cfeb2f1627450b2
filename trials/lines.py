"""A line of play that bends, its doubles crosswise, beside a boneyard from which is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from simulator.noise import between, chance
from simulator.staging.setting import pressed
from simulator.tabletop.look import Look
from simulator.tabletop.lying import Tabletop, Tile
from trials.laying import Deed, Face, Stock, fitted, rows_of, shaken, tiles_of, with_number
from trials.shots import PLAYS

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class End:
    """An open end of a line: the middle of the outer edge there, the way on (radians), its number, whether it is a double."""

    at: Point
    way: float
    number: int
    double: bool


class Line:
    """A line of play with bends, doubles crosswise, and two ends; a boneyard beside it from which a tile is taken at times."""

    def __init__(self, look: Look, area: tuple[float, float], seed: int, rng: np.random.Generator) -> None:
        self.look, self.area, self.rng, self.stock = look, area, rng, Stock(1, rng)
        self.side = 1.0 if chance(rng, 0.5) else -1.0
        self.upright = chance(rng, 0.5)  # the boneyard lies at the left or the right, not at the far edge
        self.ends: list[End] = []
        self.pile: list[Tile] = []
        self.first = int(rng.integers(0, 6))
        self.draws = set(rng.permutation(np.arange(2, PLAYS))[: int(rng.integers(1, 4))].tolist())

    def start(self) -> list[Tile]:
        """The boneyard, and the beginning of a line."""
        faces = [self.stock.draw() for _ in range(int(self.rng.integers(8, 15)))]
        if self.upright:
            self.pile = rows_of(faces, (self.side * 0.38 * self.area[0], 0.0), 2, True, self.look, self.rng)
        else:
            self.pile = rows_of(faces, (0.0, -0.4 * self.area[1]), min(8, len(faces)), False, self.look, self.rng)
        table = Tabletop(tuple(self.pile))
        for _ in range(self.first):
            deed = self._join(table)
            table = deed.done(table) if deed else table
        return tiles_of(table)

    def play(self, number: int, table: Tabletop) -> Deed:
        """A tile joined to an end, or one taken from the boneyard."""
        joined = None if number in self.draws and self.pile else self._join(table)
        return joined or self._drawn()

    def _drawn(self) -> Deed:
        """A tile taken from the boneyard into a hand."""
        tile = self.pile.pop(int(self.rng.integers(len(self.pile))))
        self.stock.left.append((tile.name, tile.ends))
        return Deed(gone=(tile.name,))

    def _join(self, table: Tabletop) -> Deed | None:
        """A tile at one of the ends: one that matches where there is one. None where there is no room."""
        if not self.ends:
            return self._begin(table)
        for strict in (True, True, True, False, False) if self.stock.left else ():
            for at in self.rng.permutation(2).tolist():
                end = self.ends[at]
                if strict and not self.stock.holds(with_number(end.number)):
                    continue
                name, ends = self.stock.draw(with_number(end.number))
                ways = self._ways(end, (name, ends if ends[0] == end.number else ends[::-1]))
                for tile, grown in ways:
                    laid = fitted(tile, table, self.look, self.rng)
                    if laid is not None and self._clear(tile, table) and self._goes_on(grown, table.put(tile)):
                        self.ends[at] = grown
                        return Deed((laid,))
                self.stock.left.append((name, ends))
        return None

    def _goes_on(self, end: End, table: Tabletop) -> bool:
        """Whether one more tile could be joined to an end."""
        return any(self._clear(tile, table) for tile, _ in self._ways(end, ("next", (0, 1))))

    def _begin(self, table: Tabletop) -> Deed:
        name, ends = self.stock.draw(lambda ends: chance(self.rng, 0.5) or ends[0] == ends[1])
        double, way = ends[0] == ends[1], float(self.rng.normal(0, 0.03)) + (np.pi / 2 if chance(self.rng, 0.3) else 0.0)
        x, y = -self.side * 0.08 * self.area[0] * self.upright, 0.08 * self.area[1] * (not self.upright)
        half = (self.look.tile_mm if double else self.look.length_mm) / 2
        tile = Tile(name, x, y, float(way + np.pi / 2 * double), ends)
        for side, number in ((1, ends[1]), (-1, ends[0])):
            out = (x + side * half * float(np.cos(way)), y + side * half * float(np.sin(way)))
            self.ends.append(End(out, float(way if side > 0 else way + np.pi), number, double))
        return Deed((shaken(tile, 0.5, self.rng),))

    def _ways(self, end: End, face: Face) -> Iterator[tuple[Tile, End]]:
        """How a tile may be joined to an end, the likeliest first, and the end that it has then."""
        turns = [0, 1, -1] if chance(self.rng, 0.75) else [1, -1, 0]
        if chance(self.rng, 0.5):
            turns = [-turn for turn in turns]
        length, width = self.look.length_mm, self.look.tile_mm
        gap = between(self.rng, 0.2, 1.2)
        for turn in turns:
            ahead = np.array([np.cos(end.way), np.sin(end.way)])
            way = end.way + turn * np.pi / 2
            aside = np.array([np.cos(way), np.sin(way)])
            if face[1][0] == face[1][1]:
                if turn:
                    continue
                middle = np.array(end.at) + ahead * (width / 2 + gap)
                out, angle = middle + ahead * width / 2, way + np.pi / 2
            elif turn:
                if end.double:
                    continue  # players bend a line beside a double
                middle = np.array(end.at) + ahead * (width / 2 + gap) + aside * (length - width) / 2
                out, angle = middle + aside * length / 2, way
            else:
                middle = np.array(end.at) + ahead * (length / 2 + gap)
                out, angle = middle + ahead * length / 2, way
            tile = Tile(face[0], float(middle[0]), float(middle[1]), float(angle), face[1])
            yield tile, End((float(out[0]), float(out[1])), float(way), face[1][1], face[1][0] == face[1][1])

    def _clear(self, tile: Tile, table: Tabletop) -> bool:
        """Whether a tile lies well inside, and touches nothing but the one it is joined to."""
        room = 0.7 * self.look.length_mm
        inside = abs(tile.x) < self.area[0] / 2 - room and abs(tile.y) < self.area[1] / 2 - room
        near = sum(pressed(tile, other, self.look.length_mm + 6, self.look.tile_mm + 6) > 0 for other in tiles_of(table))
        return inside and near <= 1
