"""Tiles as hands lay them: a little beside their place, in none of the others, with what was touched beside them moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from simulator.noise import between, chance
from simulator.staging.setting import pressed
from simulator.tabletop.look import Look
from simulator.tabletop.lying import Tabletop, Tile

Ends = tuple[int, int]
Face = tuple[str, Ends]
"""A tile's name and what is printed on its halves."""

Wanted = Callable[[Ends], bool]
"""Whether a tile will do."""

SHAKEN_MM, SHAKEN = 1.0, float(np.radians(1.0))
"""Nobody lays a tile more exactly than this."""

TOUCHING_MM = 0.15
"""Edges are rounded: tiles that are so far in one another still only touch."""

TRIES = 150
"""So often a tile is laid a little otherwise until it lies free."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What a play does: tiles that come or move, as they lie afterwards, and names of those taken off the table."""

    laid: tuple[Tile, ...] = ()
    gone: tuple[str, ...] = ()

    def done(self, table: Tabletop) -> Tabletop:
        """The table afterwards."""
        return table.without(self.gone).put(*self.laid)


class Stock:
    """The tiles of one or two sets that do not lie on the table yet."""

    def __init__(self, copies: int, rng: np.random.Generator) -> None:
        self.rng = rng
        faces = [(a, b) for a in range(7) for b in range(a, 7)]
        self.left: list[Face] = [(f"{a}-{b}{mark}", (a, b)) for mark in ("", " b")[:copies] for a, b in faces]

    def holds(self, wanted: Wanted) -> bool:
        """Whether such a tile is left."""
        return any(wanted(ends) for _, ends in self.left)

    def draw(self, wanted: Wanted = lambda ends: True) -> Face:
        """Any such tile, or any at all where none is left."""
        faces = [face for face in self.left if wanted(face[1])] or self.left
        face = faces[int(self.rng.integers(len(faces)))]
        self.left.remove(face)
        return face


def awkward(ends: Ends) -> bool:
    """Whether a tile is easily taken for something else: doubles, and blank halves."""
    return ends[0] == ends[1] or 0 in ends


def these(a: int, b: int) -> Wanted:
    return lambda ends: sorted(ends) == sorted((a, b))


def neither(a: int, b: int) -> Wanted:
    return lambda ends: not {a, b} & set(ends)


def with_number(number: int) -> Wanted:
    return lambda ends: number in ends


def tiles_of(table: Tabletop) -> list[Tile]:
    return [thing for thing in table if isinstance(thing, Tile)]


def shaken(tile: Tile, share: float, rng: np.random.Generator) -> Tile:
    """The tile up to so much of what hands are inexact by from its place."""
    x, y, turn = (rng.uniform(-1, 1, 3) * share).tolist()
    return replace(tile, x=tile.x + x * SHAKEN_MM, y=tile.y + y * SHAKEN_MM, angle=tile.angle + turn * SHAKEN)


def fitted(tile: Tile, table: Tabletop, look: Look, rng: np.random.Generator, share: float = 1.0) -> Tile | None:
    """The tile near its place, as a hand lays it or (`share` below 1) touches it, in none of the others; None: no room."""
    others = [other for other in tiles_of(table) if other.name != tile.name and abs(other.z - tile.z) < 1
              and float(np.hypot(other.x - tile.x, other.y - tile.y)) < 1.2 * look.length_mm]
    for each in range(TRIES):
        trial = shaken(tile, share * (1 - 0.9 * each / TRIES), rng)
        if all(pressed(trial, other, look.length_mm, look.tile_mm) <= TOUCHING_MM for other in others):
            return trial
    return None


def nudged(deed: Deed, table: Tabletop, look: Look, rng: np.random.Generator) -> Deed:
    """The deed, and what the hand has touched beside it moved by less than a millimetre and a degree."""
    new = deed.laid[-1] if deed.laid else None
    if new is None or chance(rng, 0.3):
        return deed
    after = deed.done(table)
    bearing = [tile for tile in tiles_of(after) if tile.level]
    near = [tile for tile in tiles_of(after) if tile.name != new.name and not tile.level
            and np.hypot(tile.x - new.x, tile.y - new.y) < 1.6 * look.length_mm
            and not any(np.hypot(tile.x - upper.x, tile.y - upper.y) < look.length_mm for upper in bearing)]
    for at in rng.permutation(len(near))[: int(rng.integers(1, 4))].tolist():
        moved = fitted(near[at], after, look, rng, 0.6)
        if moved is not None:
            deed = Deed((moved, *deed.laid), deed.gone)
            after = deed.done(table)
    return deed


def rows_of(faces: Sequence[Face], middle: tuple[float, float], columns: int, turned: bool, look: Look,
            rng: np.random.Generator) -> list[Tile]:
    """Tiles face down in rows, 2 to 5 mm apart: a boneyard."""
    gap = between(rng, 2.5, 5.0)
    step = np.array([look.length_mm, look.tile_mm] if turned else [look.tile_mm, look.length_mm]) + gap
    angle, table = 0.0 if turned else float(np.pi / 2), Tabletop()
    rows = -(-len(faces) // columns)
    for at, (name, ends) in enumerate(faces):
        row, column = divmod(at, columns)
        x, y = (np.array(middle) + (np.array([column, row]) - ((columns - 1) / 2, (rows - 1) / 2)) * step).tolist()
        tile = Tile(name, x, y, angle, ends, up=False)
        table = table.put(fitted(tile, table, look, rng) or tile)
    return tiles_of(table)
