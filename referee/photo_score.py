"""What a photographed layout scores when the game is over, part by part, with nothing known but the picture.

A seat's grid, with its levels and the chips in hand; the pips left in a hand; or the tiles that are left, as the game has it
(`referee.games.Refereed.photo`).
"""

from __future__ import annotations

from cmath import phase
from cmath import rect as on_circle
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from math import cos, dist, pi, sin
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import CalibrationError
from calibration.measure import calibrate, from_corners
from calibration.profile import Profile
from engine.actions import Cell
from engine.euronimoes.actions import Play
from engine.euronimoes.game import CHIPS, Rules, State
from engine.euronimoes.layout import EMPTY, Layout
from engine.games import game as game_named
from engine.pieces import DOUBLE_SIX, Tile
from engine.state import State as GameState
from referee.chain import chains, rect_of_corners
from referee.games import REFEREED
from referee.geometry import half_side, turned
from referee.readers.cells import Cells, NoScore, in_picture, seen_cells
from referee.readers.grid_photo import TWICE, SeenGrid, Top, seen_grids
from vision.degrees import EVEN, HARDLY, nats_against
from vision.detection import Detection
from vision.frame import Image
from vision.in_play import InPlay
from vision.photo_reader import PhotoReader
from vision.pieces import FoundPiece, PieceReader
from vision.plane import HALF_MM
from vision.reader import SHOWN, Reader
from vision.reading import ReadTile

AROUND_MM = 400.0
"""How far from the middle of the tiles chips are looked for."""

CLOSE = 1.5
"""So far around the tiles the picture is looked at closely, in lengths of a tile."""

FINE = 120.0
"""A tile is at least so long in the picture that is looked at closely, pixels."""

MOST_RAISED = 5
"""So many tiles on the second level are looked for at most."""


@dataclass(frozen=True, slots=True)
class Scored:
    """parts: name and points, which add up to the total. notes: what to know about them."""

    total: int
    parts: tuple[tuple[str, int], ...]
    notes: tuple[str, ...] = ()


def score_photo(game: str, image: Image, reader: Reader, pieces: PieceReader, chips: int | None = None) -> Scored:
    """The score of one photograph, (H, W, 3) BGR upright. chips: in hand, where they are not in the picture.

    Raises NoScore with the reason.
    """
    how = REFEREED[game].photo
    if how not in ("grid", "left", "columns", "hand"):
        raise NoScore(how)
    tiles = PhotoReader(reader).read(image).tiles
    if how == "grid":
        if 2 * sum(Tile.of(*tile.ends) in DOUBLE_SIX for tile in tiles) < len(tiles):
            raise NoScore("Most tiles there are of no double-six set, and a grid is laid from one.")
        near = _closer(image, reader.of_a_game(InPlay((0, DOUBLE_SIX.highest))))
        cells = seen_cells(near.image, [np.asarray(tile.corners, np.float64) for tile in near.tiles], reader)
        grids = seen_grids(near.image, cells, reader)
        legal = sorted(((against + TWICE * _hidden_twice(grid), grid) for against, grid in grids if _is_legal(grid)),
                       key=lambda each: each[0])
        if not legal:
            return grid_score(grids[0][1], 0)  # says why it is none
        _check_whole(legal[0][1], near, cells)
        return _likeliest(legal, chips if chips is not None else _chips(image, near, cells, pieces))
    if how == "columns":
        columns = _columns(tiles)
        return Scored(columns, (("columns", columns),))
    if how == "left":
        return Scored(len(tiles), (("tiles left", len(tiles)),))
    return _hand_score(tiles, game_named(game))


class _Near(NamedTuple):
    """Part of a picture, `scale` times as large, from `corner` on, (2,) pixels; and the tiles read in it."""

    image: Image
    tiles: Sequence[Detection]
    corner: NDArray[np.float64]
    scale: float


def _closer(image: Image, reader: Reader) -> _Near:
    """The part of the picture where tiles lie, enlarged where they are small there, and what a first look reads in it: outlines
    need it, and from above tiles that lie on others would be seen aside of where they are in the picture."""
    tiles = _first_look(image, reader)
    if not tiles:
        return _Near(image, tiles, np.zeros(2), 1.0)
    corners = np.stack([tile.corners for tile in tiles])
    length = float(np.median(np.linalg.norm(corners[:, 1] - corners[:, 2], axis=1)))
    x0, y0 = (corners.min(axis=(0, 1)) - CLOSE * length).clip(0).astype(int)
    x1, y1 = (corners.max(axis=(0, 1)) + CLOSE * length).astype(int)
    part, scale = image[y0:y1, x0:x1], max(1.0, FINE / length)
    if scale > 1:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
    return _Near(part, _first_look(part, reader), np.array([x0, y0], np.float64), scale)


def _first_look(image: Image, reader: Reader) -> list[Detection]:
    return [each for each in reader.consider(image) if not each.back and each.score > SHOWN]


def _hand_score(tiles: Sequence[ReadTile], game: type[GameState]) -> Scored:
    """What the tiles count that do not lie in the line."""
    counts = game.left_counts
    longest = max(chains(tiles, game.joins), key=lambda chain: len(chain.tiles), default=None)
    line = set(longest.tiles) if longest is not None and len(longest.tiles) > 3 else set[int]()
    hand = sorted(Tile.of(*tile.low_high) for at, tile in enumerate(tiles) if at not in line)
    notes = (f"{len(line)} tiles lie in the line and do not count.",) if line else ()
    return Scored(sum(map(counts, hand)), tuple((str(tile), counts(tile)) for tile in hand), notes)


def _columns(tiles: Sequence[ReadTile]) -> int:
    """How many columns of upright tiles lie side by side."""
    rects = [rect_of_corners(tile.corners) for tile in tiles]
    upward = phase(sum(on_circle(1.0, 2 * rect.angle) for rect in rects)) / 2  # the way round of a tile does not matter
    if any(abs(turned(rect.angle, upward, pi)) > pi / 4 for rect in rects):
        raise NoScore("Some tiles lie across: in columns all lie the same way, one below the other.")
    aside = sorted(rect.center[0] * sin(upward) - rect.center[1] * cos(upward) for rect in rects)
    return len(aside) and 1 + sum(after - before > half_side(rects) / 2 for before, after in pairwise(aside))


def _chips(image: Image, near: _Near, cells: Cells, pieces: PieceReader) -> int:
    """How many chips are in the picture."""
    x0, y0, x1, y1 = cells.box
    box = np.array([(x0, y0), (x1 + 1, y0), (x1 + 1, y1 + 1), (x0, y1 + 1)]) - 0.5
    corners = in_picture(cells.to_picture, box) / near.scale + near.corner
    try:
        profile = calibrate(image)
    except CalibrationError:
        try:
            profile = from_corners(corners, (image.shape[1], image.shape[0]), (x1 + 1 - x0) * HALF_MM, (y1 + 1 - y0) * HALF_MM)
        except CalibrationError as error:
            raise NoScore(f"Chips cannot be looked for ({error}) Say how many are in hand: --chips.") from error
    height, width = image.shape[:2]
    rim = profile.to_table(np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64))
    (x0, y0), (x1, y1) = rim.min(axis=0).clip(-AROUND_MM, 0), rim.max(axis=0).clip(0, AROUND_MM)
    profile = replace(profile, area=(float(x0), float(y0), float(x1), float(y1)))
    seen = pieces.read(image, profile, kinds=("chip",), least=EVEN)
    lying = [piece for at, piece in enumerate(seen) if _apart(piece, seen[:at]) and not _on_tile(profile, piece, near, cells)]
    surest = max(lying, key=lambda piece: piece.there, default=None)  # all chips of a player are of its colour
    found = sum(surest is not None and piece.label == surest.label for piece in lying)
    if found > CHIPS:
        raise NoScore(f"{found} chips are seen, and nobody has more than {CHIPS}: say how many are in hand, with --chips.")
    return found


def _apart(chip: FoundPiece, others: Sequence[FoundPiece]) -> bool:
    """Whether a chip is none of these: what is printed on one may look like another."""
    return all(dist(chip.center, other.center) > max(chip.radius, other.radius) for other in others)


def _check_whole(grid: SeenGrid, near: _Near, cells: Cells) -> None:
    """NoScore where the grid falls apart, or where more lies beside it than the one tile that may be kept (End of the game)."""
    numbers = grid.numbers
    reached, edge = set[Cell](), list(numbers)[:1]
    while edge:
        x, y = edge.pop()
        reached.add((x, y))
        edge += {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & (numbers.keys() - reached)
    to_cells = np.asarray(np.linalg.inv(cells.to_picture), np.float64)
    middles = [in_picture(to_cells, np.asarray(tile.corners, np.float64)).mean(axis=0) for tile in near.tiles]
    beside = sum(all(max(abs(x - column), abs(y - row)) > 1 for column, row in reached) for x, y in middles)
    if not numbers or len(reached) < len(numbers) or beside > 1:
        raise NoScore("The tiles do not all lie in one grid, each against another: photograph one player's grid alone.")


def _on_tile(profile: Profile, chip: FoundPiece, near: _Near, cells: Cells) -> bool:
    place = (profile.to_picture(np.array([chip.top], np.float64)) - near.corner) * near.scale
    x, y = in_picture(np.asarray(np.linalg.inv(cells.to_picture), np.float64), place)[0]
    return cells.lies.get((round(x), round(y)), 0.0) > 0


# Euronimoes.


def _likeliest(grids: Sequence[tuple[float, SeenGrid]], chips: int) -> Scored:
    """The score of the first of these grids, likeliest first with the nats against each, and what else it may well be."""
    best = grid_score(grids[0][1], chips)
    for against, grid in grids[1:]:
        if against > grids[0][0] + nats_against(HARDLY):
            break  # that is too unlikely to be told, too
        try:
            other = grid_score(grid, chips)
        except NoScore:
            continue
        if other.total != best.total:
            doubt = f"Not sure which tiles lie on others: it may be {other.total} in all. A picture taken closer tells more."
            return replace(best, notes=(*best.notes, doubt))
    return best


def grid_score(grid: SeenGrid, chips: int) -> Scored:
    """Columns, levels and chips. Columns run the way in which all of them are runs; NoScore where none does or both do."""
    ways = [way for way in (grid, _on_its_side(grid)) if not _faults(way)]
    if not ways:
        raise NoScore("No way round do all columns hold runs: " + "; ".join(_faults(grid)[:3]) + ".")
    scored = [_scored(way, chips) for way in ways]
    if len({each.total for each in scored}) > 1:
        raise NoScore(f"Rows and columns both hold runs: {scored[0].total} with columns up in the picture, {scored[1].total} "
                      "with columns across. Photograph it with another tile, or score it at the table.")
    return scored[0]


def _is_legal(grid: SeenGrid) -> bool:
    """Whether a grid can have come about: its columns hold runs one way round, and every half belongs to a tile."""
    try:
        levels(grid)
    except NoScore:
        return False
    return not _faults(grid) or not _faults(_on_its_side(grid))


def _hidden_twice(grid: SeenGrid) -> int:
    """How many of the tiles that must lie under others are there once more."""
    hidden = [Tile.of(*top.ends) for top in levels(grid)[1]]
    visible = {Tile.of(*top.ends) for top in grid.tops}
    return len(hidden) - len(set(hidden) - visible)


def _scored(grid: SeenGrid, chips: int) -> Scored:
    raised, under = levels(grid)
    layout: Layout = EMPTY
    for top, level in [*((top, 1) for top in (*under, *(top for top in grid.tops if top not in raised))),
                       *((top, 2) for top in raised)]:
        layout = layout.after(Play(Tile.of(*top.ends), top.cells, top.ends, level))
    state = State(Rules(), 2)
    state.layouts, state.chips = (layout, EMPTY), (chips, 0)
    notes: tuple[str, ...] = ()
    if raised:
        names = ", ".join(str(Tile.of(*top.ends)) for top in raised)
        hidden = ", ".join(str(Tile.of(*top.ends)) for top in under)
        notes = (f"On the second level: {names}; under them, as far as can be told: {hidden}.",)
    return Scored(state.scores()[0], tuple(state.score_parts(0)), notes)


def _on_its_side(grid: SeenGrid) -> SeenGrid:
    tops = tuple(Top((top.cells[0][::-1], top.cells[1][::-1]), top.ends) for top in grid.tops)
    return SeenGrid(tops, {cell[::-1]: end for cell, end in grid.peeping.items()})


def _faults(grid: SeenGrid) -> list[str]:
    """Where neighbours in a column are no run (Playing a Domino, 3)."""
    return [f"{'-'.join(map(str, run))} is no run" for run in _runs(grid.numbers)
            if {after - before for before, after in pairwise(run)} not in (set(), {1}, {-1})]


def _runs(numbers: dict[Cell, int]) -> Iterator[list[int]]:
    for x, y in numbers:
        if (x, y - 1) not in numbers:
            run = [numbers[x, y]]
            while (x, y + len(run)) in numbers:
                run.append(numbers[x, y + len(run)])
            yield run


def levels(grid: SeenGrid) -> tuple[tuple[Top, ...], tuple[Top, ...]]:
    """The fewest tiles that must lie on the second level so that every half that peeps out is one of a tile, and what lies
    under them (Levels: a tile rests on two different ones and shows what they show). NoScore where nothing explains them.
    """
    numbers = grid.numbers
    visible = Counter(Tile.of(*top.ends) for top in grid.tops)
    best: tuple[int, tuple[Top, ...], tuple[Top, ...]] | None = None
    for count in range(MOST_RAISED + 1):
        for raised in combinations(grid.tops, count):
            owner = {cell: at for at, top in enumerate(raised) for cell in top.cells}
            for pairs in _matched(sorted({*owner, *grid.peeping}), owner):
                under = tuple(Top(pair, (numbers[pair[0]], numbers[pair[1]])) for pair in pairs)
                twice = sum(visible[Tile.of(*top.ends)] > 0 for top in under)  # in one set no tile exists twice
                if best is None or twice < best[0]:
                    best = twice, raised, under
        if best is not None:
            return best[1], best[2]
    raise NoScore(f"Half a tile looks out where nothing can lie on its other half: {sorted(grid.peeping.values())}.")


def _matched(cells: list[Cell], owner: dict[Cell, int]) -> Iterator[tuple[tuple[Cell, Cell], ...]]:
    """Every way to pair these cells to tiles, each at least half under a raised one and none under one alone."""
    if not cells:
        yield ()
        return
    first = cells[0]
    for other in ((first[0], first[1] + 1), (first[0] + 1, first[1])):
        if other in cells and owner.get(first, -1) != owner.get(other, -1):
            for rest in _matched([cell for cell in cells[1:] if cell != other], owner):
                yield ((first, other), *rest)
