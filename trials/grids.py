"""Tiles packed into grids, some across others: one grid that fills, and two small ones beside a market."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from simulator.noise import between, chance
from simulator.tabletop.look import Look
from simulator.tabletop.lying import Tabletop, Tile
from trials.laying import Deed, Ends, Face, Stock, awkward, fitted, neither, rows_of, shaken, these, tiles_of
from trials.shots import PLAYS

Point = tuple[float, float]
Cell = tuple[int, int]
Pair = tuple[Cell, Cell]
"""Where a tile's first and second half lie in a grid."""


class Grid:
    """Tiles packed into a grid of halves, and some laid across halves of others.

    lower: for each cell the tile that lies there and the number it shows. upon: which tile covers a cell, or hangs over it.
    """

    def __init__(self, look: Look, stock: Stock, rng: np.random.Generator, middle: Point, columns: int, rows: int) -> None:
        self.look, self.stock, self.rng, self.middle = look, stock, rng, middle
        self.columns, self.rows = columns, rows
        self.pitch = max(look.tile_mm, look.length_mm / 2) + between(rng, 0.15, 0.8)
        self.turn = float(rng.normal(0, 0.03))
        self.awkward = 0.5 if chance(rng, 0.4) else 0.12
        self.lower: dict[Cell, tuple[str, int]] = {}
        self.upon: dict[Cell, str] = {}

    def lay(self, table: Tabletop) -> Deed | None:
        """One more tile beside those that lie there; None where there is no room."""
        face = self.stock.draw(awkward if chance(self.rng, self.awkward) else lambda ends: True)
        for pair in self._free():
            tile = fitted(self._tile(face, self._blank_by_blank(pair, face[1])), table, self.look, self.rng)
            if tile is not None:
                self._keep(tile)
                return Deed((tile,))
        self.stock.left.append(face)
        return None

    def place(self, face: Face, table: Tabletop) -> Deed | None:
        """That tile beside those that lie there."""
        for pair in self._free():
            tile = fitted(self._tile(face, pair), table, self.look, self.rng)
            if tile is not None:
                self._keep(tile)
                return Deed((tile,))
        return None

    def cover(self, table: Tabletop, same: bool) -> Deed | None:
        """A tile laid across halves of two others, with the same numbers or with none of them."""
        for pair in self._shuffled(self._across()):
            a, b = (self.lower[cell][1] for cell in pair)
            wanted = these(a, b) if same else neither(a, b)
            if not self.stock.holds(wanted):
                continue
            name, ends = self.stock.draw(wanted)
            tile = self._upper((name, ends), pair if not same or ends == (a, b) else pair[::-1], table)
            if tile is not None:
                self.upon |= dict.fromkeys(pair, name)
                return Deed((tile,))
            self.stock.left.append((name, ends))
        return None

    def overhang(self, table: Tabletop) -> Deed | None:
        """A tile laid on one half of another, a little more than half of it so that it does not tip."""
        for pair in self._shuffled([(cell, beside) for cell in self.lower for beside in _beside(cell)
                                    if cell not in self.upon and beside not in self.lower and beside not in self.upon]):
            face = self.stock.draw()
            tile = self._upper(face, pair, table, inwards=between(self.rng, 0.1, 0.2) * self.look.tile_mm)
            if tile is not None:
                self.upon |= dict.fromkeys(pair, face[0])
                return Deed((tile,))
            self.stock.left.append(face)
        return None

    def take(self, table: Tabletop) -> Deed | None:
        """A tile taken away on which none lies."""
        name = self._loose(table)
        if name is None:
            return None
        self._forget(name)
        return Deed(gone=(name,))

    def exchange(self, table: Tabletop) -> Deed | None:
        """A tile taken away, and another laid in its place."""
        name = self._loose(table, lowest=True)
        if name is None:
            return None
        old = table[name]
        assert isinstance(old, Tile)
        new, ends = self.stock.draw()
        tile = replace(shaken(old, 0.2, self.rng), name=new, ends=ends)
        tile = fitted(tile, table.without([name]), self.look, self.rng) or replace(old, name=new, ends=ends)
        cells = self._cells(name)
        self._forget(name)
        self.lower |= {cell: (new, number) for cell, number in zip(cells, ends, strict=True)}
        return Deed((tile,), (name,))

    def _at(self, cell: Cell) -> Point:
        """The middle of a cell, mm."""
        u, v = (cell[0] - (self.columns - 1) / 2) * self.pitch, (cell[1] - (self.rows - 1) / 2) * self.pitch
        c, s = np.cos(self.turn), np.sin(self.turn)
        return float(self.middle[0] + u * c - v * s), float(self.middle[1] + u * s + v * c)

    def _tile(self, face: Face, pair: Pair) -> Tile:
        """A tile exactly in its place; its first half lies in the pair's first cell."""
        (xa, ya), (xb, yb) = map(self._at, pair)
        return Tile(face[0], (xa + xb) / 2, (ya + yb) / 2, float(np.arctan2(yb - ya, xb - xa)), face[1])

    def _upper(self, face: Face, pair: Pair, table: Tabletop, inwards: float = 0.0) -> Tile | None:
        tile = self._tile(face, pair)
        tile = replace(tile, x=tile.x - inwards * float(np.cos(tile.angle)), y=tile.y - inwards * float(np.sin(tile.angle)),
                       level=1, z=self.look.thick_mm)
        return fitted(tile, table, self.look, self.rng)

    def _keep(self, tile: Tile) -> None:
        """Remember which cells a tile lies in that was laid there."""
        half = self.pitch / 2
        for side, number in zip((-half, half), tile.ends, strict=True):
            x, y = tile.x + side * np.cos(tile.angle), tile.y + side * np.sin(tile.angle)
            cell = min(self._inside(), key=lambda cell: np.hypot(self._at(cell)[0] - x, self._at(cell)[1] - y))
            self.lower[cell] = (tile.name, number)

    def _cells(self, name: str) -> list[Cell]:
        """The cells of a tile, that of its first half first; those of a double are in any order."""
        return [cell for cell, (owner, _) in self.lower.items() if owner == name]

    def _forget(self, name: str) -> None:
        self.lower = {cell: held for cell, held in self.lower.items() if held[0] != name}
        self.upon = {cell: owner for cell, owner in self.upon.items() if owner != name}

    def _inside(self) -> list[Cell]:
        return [(column, row) for column in range(self.columns) for row in range(self.rows)]

    def _free(self) -> list[Pair]:
        """Pairs of free cells, those with most neighbours mostly first, turned anyhow."""
        free = {cell for cell in self._inside() if cell not in self.lower and cell not in self.upon}
        if not self.lower:
            middle = (self.columns // 2, self.rows // 2)
            return [(middle, _beside(middle)[int(self.rng.integers(4))])]
        pairs = [(cell, beside) for cell in free for beside in _beside(cell) if beside in free]
        counted = [(sum(each in self.lower for cell in pair for each in _beside(cell)), pair) for pair in sorted(pairs)]
        held = [(neighbours * between(self.rng, 0.3, 1), pair) for neighbours, pair in counted if neighbours]
        return [pair for _, pair in sorted(held, reverse=True)]

    def _blank_by_blank(self, pair: Pair, ends: Ends) -> Pair:
        """The pair turned so that a blank half comes to lie beside another, where that can be and chance has it."""
        if 0 not in ends or chance(self.rng, 0.4):
            return pair
        at = [any(self.lower.get(beside, ("", 1))[1] == 0 for beside in _beside(cell)) for cell in pair]
        turned = (pair[1], pair[0])
        return turned if at[1 - ends.index(0)] and not at[ends.index(0)] else pair

    def _across(self) -> list[Pair]:
        """Pairs of cells beside one another of two tiles, neither of which has anything upon it."""
        covered = {self.lower[cell][0] for cell in self.upon if cell in self.lower}
        bare = {cell: name for cell, (name, _) in self.lower.items() if name not in covered}
        return [(cell, beside) for cell in bare for beside in _beside(cell) if beside in bare and bare[beside] != bare[cell]]

    def _shuffled(self, pairs: Sequence[Pair]) -> list[Pair]:
        return [pairs[k] for k in self.rng.permutation(len(pairs)).tolist()]

    def _loose(self, table: Tabletop, lowest: bool = False) -> str | None:
        """Any tile on which none lies."""
        covered = {self.lower[cell][0] for cell in self.upon if cell in self.lower}
        names = sorted({name for name, _ in self.lower.values()} - covered | (set() if lowest else set(self.upon.values())))
        names = [name for name in names if name in table]
        return names[int(self.rng.integers(len(names)))] if names else None


def _beside(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]


class Packed:
    """A grid into which tiles are packed, some across others; one is taken away or exchanged now and then."""

    def __init__(self, look: Look, area: tuple[float, float], seed: int, rng: np.random.Generator) -> None:
        self.grid = Grid(look, Stock(1 + seed % 2, rng), rng, (between(rng, -30, 30), between(rng, -15, 15)), 8, 6)
        covering = ["same", "other"] * 2
        rng.shuffle(covering)
        deeds = covering[: int(rng.integers(2, 5))] + ["overhang"] * chance(rng, 0.4)
        deeds += ["take"] * chance(rng, 0.5) + ["exchange"] * chance(rng, 0.5)
        at = rng.permutation(np.arange(3, PLAYS - 2))[: len(deeds)].tolist()
        self.due = sorted(zip(at, deeds, strict=True))
        self.first = int(rng.integers(4, 11)) if chance(rng, 0.5) else 0

    def start(self) -> list[Tile]:
        """What lies there at first."""
        table = Tabletop()
        for _ in range(self.first):
            deed = self.grid.lay(table)
            table = deed.done(table) if deed else table
        return tiles_of(table)

    def play(self, number: int, table: Tabletop) -> Deed:
        """The deed of a play."""
        for at, what in [(at, what) for at, what in self.due if at <= number]:
            deed = self._special(what, table)
            if deed is not None:
                self.due.remove((at, what))
                return deed
        deed = self.grid.lay(table) or self.grid.cover(table, False) or self.grid.take(table)
        assert deed is not None
        return deed

    def _special(self, what: str, table: Tabletop) -> Deed | None:
        """A deed other than laying a tile beside the others; None where it cannot be done yet."""
        match what:
            case "same" | "other":
                return self.grid.cover(table, what == "same")
            case "overhang":
                return self.grid.overhang(table)
            case "take":
                return self.grid.take(table)
            case "exchange":
                return self.grid.exchange(table)
        return None


class Market:
    """Five face-up tiles in a row, a bone pile that fills the row again, and two small grids."""

    def __init__(self, look: Look, area: tuple[float, float], seed: int, rng: np.random.Generator) -> None:
        self.look, self.rng, self.stock = look, rng, Stock(2, rng)
        across = area[0] / 2
        self.grids = [Grid(look, self.stock, rng, (between(rng, -30, 30), side * 0.3 * area[1]), 7, 3) for side in (1, -1)]
        step = look.tile_mm + between(rng, 4, 14)
        self.slots = [(-0.42 * across + (k - 2) * step, between(rng, -2, 2)) for k in range(5)]
        self.pile_at = (0.5 * across, 0.0)
        self.row: list[str | None] = [None] * 5
        self.pile: list[Tile] = []

    def start(self) -> list[Tile]:
        """The row, the pile, and a few tiles in each grid."""
        table = Tabletop()
        for k in range(5):
            table = self._into(k, self.stock.draw(), table).done(table)
        faces = [self.stock.draw() for _ in range(int(self.rng.integers(6, 11)))]
        self.pile = rows_of(faces, self.pile_at, 5, False, self.look, self.rng)
        table = table.put(*self.pile)
        for grid in self.grids:
            for _ in range(int(self.rng.integers(1, 5))):
                deed = grid.lay(table)
                table = deed.done(table) if deed else table
        return tiles_of(table)

    def play(self, number: int, table: Tabletop) -> Deed:
        """A tile from the row, one into the row, or one from a hand."""
        grid = self.grids[number % 2]
        empty = [k for k, name in enumerate(self.row) if name is None]
        if empty and self.pile:
            taken = self.pile.pop(int(self.rng.integers(len(self.pile))))
            return self._into(empty[0], (taken.name, taken.ends), table)
        if chance(self.rng, 0.5):
            k = int(self.rng.integers(5))
            name = self.row[k]
            if name is not None:
                self.row[k] = None
                old = table[name]
                assert isinstance(old, Tile)
                laid = grid.place((name, old.ends), table.without([name])) if chance(self.rng, 0.5) else None
                if laid is None:  # into a hand
                    self.stock.left.append((name, old.ends))
                return laid or Deed(gone=(name,))
        deed = grid.cover(table, chance(self.rng, 0.5)) if chance(self.rng, 0.35) else None
        deed = deed or grid.lay(table) or grid.cover(table, False) or grid.take(table)
        assert deed is not None
        return deed

    def _into(self, slot: int, face: Face, table: Tabletop) -> Deed:
        """A tile laid into a place of the row, its low end at the top."""
        x, y = self.slots[slot]
        tile = Tile(face[0], x, y, float(np.pi / 2), face[1])
        self.row[slot] = face[0]
        return Deed((fitted(tile, table, self.look, self.rng) or tile,))
