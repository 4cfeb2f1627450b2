"""The grid of a photographed layout: which cell each tile and each half of a tile covers, and what it shows.

Nothing is known but the picture. The tiles that the reader finds say where the cells are; then every pair of neighbouring
cells is read as if a tile lay there, and the tiles are those that explain the cells best together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.actions import Cell
from engine.pieces import DOUBLE_SIX
from referee.readers.cells import Array, Box, Cells, NoScore, Pair, every, in_picture, outline, pairs_of
from referee.readers.seams import seam_misfit
from referee.readers.shown import LIKELIEST
from vision.degrees import HARDLY, LITTLE, MOST, RARELY, SELDOM, SURE, nats_against
from vision.frame import Image
from vision.reader import Reader, log_odds
from vision.rectify import ImagePyramid

TWICE = nats_against(RARELY)
"""Nats against each tile that is seen twice: most grids are laid from one set."""

ASIDE = tuple(np.array([dx, dy]) for dx, dy in ((0, 0), (LITTLE, 0), (-LITTLE, 0), (0, LITTLE), (0, -LITTLE)))
"""Where tiles are looked for beside their cells, in cells."""

SEAM, SEAMS = (LITTLE, MOST), 12.0
"""From where to where the misfit of a seam speaks against one tile, and the nats it does so with."""

Way = tuple[float, tuple[Pair | Cell, ...]]
"""How much speaks for it, in nats, and what lies there."""


class Top(NamedTuple):
    """A tile that is seen whole, on two cells, left or lower first; ends in their order."""

    cells: tuple[Cell, Cell]
    ends: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SeenGrid:
    """tops: tiles seen whole. peeping: cells where half a tile looks out from under another, with its number."""

    tops: tuple[Top, ...]
    peeping: dict[Cell, int]

    @property
    def twice(self) -> int:
        """How many tiles are there more than once."""
        return len(self.tops) - len({tuple(sorted(top.ends)) for top in self.tops})

    @property
    def numbers(self) -> dict[Cell, int]:
        """What each covered cell shows."""
        return dict(self.peeping) | {cell: end for top in self.tops for cell, end in zip(top.cells, top.ends, strict=True)}


def seen_grids(image: Image, cells: Cells, reader: Reader) -> list[tuple[float, SeenGrid]]:
    """What may lie on the cells, each with the nats against it, likeliest first. image: (H, W, 3) BGR.

    Raises NoScore where no two neighbouring cells are covered, or more than by all tiles there are.
    """
    if sum(lies > 0 for lies in cells.lies.values()) > 2 * len(DOUBLE_SIX):
        raise NoScore(f"More lies there than the {len(DOUBLE_SIX)} tiles of a set: photograph one player's grid alone.")
    pairs = [pair for pair in pairs_of(cells.box) if min(cells.lies[cell] for cell in pair) > 0]
    if not pairs:
        raise NoScore("The tiles do not all lie in one grid, each against another: photograph one player's grid from above.")
    misfit = seam_misfit(image, cells.to_picture, pairs, [pair for pair in pairs if cells.pointed[pair] > SURE])
    # What reads as a tile speaks for one, and more where its halves point at each other.
    read = {pair: each._replace(tile=each.tile + nats_against(HARDLY) + nats_against(RARELY) * cells.pointed[pair]
                                - SEAMS * float(np.interp(misfit[pair], SEAM, (0, 1))))
            for pair, each in _read_all(reader, ImagePyramid(image), cells.to_picture, pairs).items()}
    grids = [(worth, _told(read, laid)) for worth, laid in _best(read, cells.lies, cells.box)]
    return sorted(((TWICE * grid.twice - worth, grid) for worth, grid in grids), key=lambda each: each[0])


def _read_all(reader: Reader, pyramid: ImagePyramid, matrix: Array, pairs: Sequence[Pair]) -> dict[Pair, _Read]:
    """All pairs of cells read as tiles; what lies higher lies a little aside in the picture, so each is tried there, too."""
    places = [np.stack([in_picture(matrix, np.asarray(outline(pair) + aside, np.float64)) for pair in pairs]) for aside in ASIDE]
    kinds, counts = reader.judge(pyramid.warp_crops(np.concatenate(places).astype(np.float32)))
    odds = np.array([log_odds(float(face)) for face in kinds[:, 0]]).reshape(len(ASIDE), -1)
    chances = (counts[..., : DOUBLE_SIX.highest + 1] + np.float32(1e-6)).reshape(len(ASIDE), len(pairs), 2, -1)
    best = odds.argmax(axis=0)
    return {pair: _Read(float(odds[at, k]), chances[at, k] / chances[at, k].sum(axis=-1, keepdims=True))
            for k, (pair, at) in enumerate(zip(pairs, best, strict=True))}


class _Read(NamedTuple):
    """Two cells read as one tile: log-odds that they are one, and (2, 7) the chance of each number of pips."""

    tile: float
    counts: NDArray[np.float32]


def _best(read: Mapping[Pair, _Read], lies: Mapping[Cell, float], box: Box) -> list[Way]:
    """The likeliest ways in which tiles and single halves explain all cells, best first: found cell by cell, row by row.

    What matters of the cells before is only which of the next cells are covered already: of all ways to the same one the
    best few are kept.
    """
    alone = nats_against(SELDOM)  # of a half that looks out from under another tile
    ways: dict[frozenset[Cell], list[Way]] = {frozenset(): [(0.0, ())]}
    for cell in every(box):
        after: dict[frozenset[Cell], list[Way]] = {}
        lying = [pair for pair in _around(cell)[:2] if pair in read and read[pair].tile > 0]
        for taken, before in ways.items():
            after.setdefault(taken - {cell}, []).extend(before)
            if cell in taken or lies[cell] < 0:
                continue
            after.setdefault(taken, []).extend((worth + lies[cell] - alone, (*laid, cell)) for worth, laid in before)
            for pair in lying:
                if pair[1] not in taken:
                    more = lies[cell] + lies[pair[1]] + read[pair].tile
                    after.setdefault(taken | {pair[1]}, []).extend((worth + more, (*laid, pair)) for worth, laid in before)
        ways = {taken: sorted(few, key=lambda way: -way[0])[:LIKELIEST] for taken, few in after.items()}
    return sorted((way for few in ways.values() for way in few), key=lambda way: -way[0])[:LIKELIEST]


def _around(cell: Cell) -> tuple[Pair, ...]:
    """The pairs of a cell with those right of it, below, left and above."""
    x, y = cell
    return (cell, (x + 1, y)), (cell, (x, y + 1)), ((x - 1, y), cell), ((x, y - 1), cell)


def _told(read: Mapping[Pair, _Read], laid: Sequence[Pair | Cell]) -> SeenGrid:
    tops, peeping = [], {}
    for each in laid:
        if isinstance(each[0], tuple):
            pair: Pair = each
            first, second = read[pair].counts.argmax(axis=1)
            tops.append(Top(pair, (int(first), int(second))))
        else:
            cell: Cell = each
            votes = [np.log(read[pair].counts[pair.index(cell)]) for pair in _around(cell) if pair in read]
            peeping[cell] = int(np.sum(votes, axis=0).argmax())
    return SeenGrid(tuple(tops), peeping)
