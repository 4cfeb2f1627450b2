"""Reads photographs, of which nobody knows how the camera stood.

The tiles that a first look is sure of tell how the table lies (`plane.py`) and what the set is like. So it is looked at once
more, as a watched table is: from straight above, every place an exact rectangle of the set's size. Of all that both looks
found those are told that can lie there together and are likeliest, by what is read, by their size, and by the sets there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import comb, exp, log

import cv2
import numpy as np

from calibration.measure import raised
from calibration.profile import Profile
from engine.pieces import TILE_SETS, TileSet
from vision.degrees import HALF, LITTLE, PLAIN, SELDOM, SURE
from vision.detection import Detection, pixels_of
from vision.frame import Image
from vision.halves import lie_on
from vision.in_play import InPlay
from vision.observation import Array, Kind
from vision.pieces import FLAT, PieceReader
from vision.plane import HALF_MM, plane_of
from vision.reader import BARE, SHARED, SHOWN, Clock, Reader, log_odds, upright
from vision.reading import FaceDownTile, Reading, ReadPiece, ReadTile
from vision.rectify import ImagePyramid
from vision.table.packing import heaviest, rivals_of
from vision.table.sight import THICK_MM, RectifiedView
from vision.table.the_set import AROUND as RIM
from vision.table.the_set import TheSet, bodies_of, filled

MISREAD = 0.003
"""How often what is read surely is another tile."""

AROUND = 2.5
"""So far around what was found more may lie, in halves of a tile."""

MOST_ALIKE: Mapping[Kind, int] = {"coin": 12, "die": 4, "pawn": 2}
"""So many that show the same are there in two sets: of more none is one, but a pattern on the cloth."""

BESIDE = 200.0
"""So far beside all that may be a tile pieces are looked for, mm."""

LARGEST = 1600.0
"""The longest side of the table that is looked at from above, mm: what seems to lie farther off lies on no table."""


class PhotoReader:
    """Reads photographs by a reader of tiles, and by one of pieces if coins, dice, pawns and chips are to be told."""

    def __init__(self, reader: Reader, pieces: PieceReader | None = None) -> None:
        self._reader, self._pieces = reader, pieces

    def read(self, image: Image, tile_set: TileSet | None = None) -> Reading:
        """Every tile in an upright photo, (h, w, 3) uint8 BGR; `tile_set` says which tiles there may be."""
        clock, (pyramid, as_taken) = Clock(), upright(image)
        reader = self._reader if tile_set is None else self._reader.of_a_game(InPlay((0, tile_set.highest)))
        found, proposed = reader.look(pyramid, clock)
        table = _table(pyramid, found)
        tiles: list[tuple[Detection, float]] = []
        while table is not None:
            tiles = _told(reader, pyramid, table, proposed)
            better = table.known_better(tiles)
            if better is None:
                break
            table = better
        clock.stage("from above")
        pieces: list[ReadPiece] = []
        if self._pieces is not None and table is not None and any(not tile.back for tile, _ in tiles):
            pieces = _pieces(self._pieces, pyramid.size(0), table, tiles)
        clock.stage("pieces")
        faces = tuple(ReadTile(tile.ends, score, as_taken(tile.pixels), tile.probabilities)
                      for tile, score in tiles if tile.ends is not None)
        backs = tuple(FaceDownTile(score, as_taken(tile.pixels)) for tile, score in tiles if tile.back)
        return Reading(faces, backs, (image.shape[1], image.shape[0]), clock.stages,
                       tuple(replace(each, center=as_taken(each.center)) for each in pieces))


def _table(pyramid: ImagePyramid, found: list[Detection]) -> _Table | None:
    """The table as what the first look has found tells it."""
    found = _unlike_the_table(pyramid, found)
    fair = [each for each in found if not each.back and each.score > SURE]
    return _Table(pyramid, found, fair or found) if found else None


def _told(reader: Reader, pyramid: ImagePyramid, table: _Table, proposed: Array) -> list[tuple[Detection, float]]:
    """The tiles that are told, each with its score. proposed: (n, 4, 2) pixels, where a first look thought of tiles."""
    tiles = _unlike_the_table(pyramid, [*table.found, *table.look(reader, proposed)])
    weighed = [(each, by) for each, by in table.weighed(tiles) if by > 0]
    weighed = _by_outlines(weighed, reader, pyramid)
    rivals = rivals_of(pixels_of(each for each, _ in weighed), SHARED)
    together = [weighed[at] for at in heaviest(np.array([by for _, by in weighed], np.float32), rivals)]
    scored = [(each, 1 / (1 + exp(-by))) for each, by in _by_the_sets(together)]
    return [each for each in scored if each[1] > SHOWN]


def _pieces(reader: PieceReader, image: Image, table: _Table, tiles: Sequence[tuple[Detection, float]]) -> list[ReadPiece]:
    """Coins, dice, pawns and chips on the table: what lies flat on a tile is its pips."""
    profile = table.profile(image)
    seen = reader.read(image, profile)
    alike = Counter((piece.kind, piece.label) for piece in seen)
    out = []
    for piece in seen:
        if piece.score < SHOWN or alike[piece.kind, piece.label] > MOST_ALIKE.get(piece.kind, len(seen)):
            continue
        x, y = profile.to_picture(np.array([piece.top]))[0].tolist()
        if piece.kind in FLAT and any(cv2.pointPolygonTest(tile.pixels, (x, y), False) > 0 for tile, _ in tiles):
            continue
        rim = np.array([piece.center, (piece.center[0] + piece.radius, piece.center[1])])
        center, beside = profile.to_picture(rim).astype(np.float32)
        out.append(ReadPiece(piece.kind, piece.label, piece.score, center, float(np.linalg.norm(beside - center))))
    return out


class _Table:
    """The table as tiles on it tell it. found: all that may be one, and fair: those that are read surely."""

    def __init__(self, pyramid: ImagePyramid, found: Sequence[Detection], fair: Sequence[Detection]) -> None:
        self.found, self._fair = found, fair
        height, width = pyramid.size(0).shape[:2]
        self._plane = plane = plane_of([each.pixels for each in fair], (width, height))
        places, sure = (plane.places(pixels_of(some)).reshape(-1, 2) for some in (found, fair))
        middle = np.median(sure, axis=0)
        near = np.clip(places, middle - LARGEST / 2, middle + LARGEST / 2)
        low, high = near.min(axis=0) - AROUND * HALF_MM, near.max(axis=0) + AROUND * HALF_MM
        area = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        self._pyramid, self._faces = pyramid, Profile((width, height), plane.homography, area, "tiles", 0.0)
        self._settled = [at for at, by in zip(fair, plane.nats(pixels_of(fair)), strict=True)
                         if at.score > PLAIN and by > -1]

    @cached_property
    def _view(self) -> RectifiedView:
        """It from straight above, by one who knows what its tiles look like."""
        the_set, corners = TheSet(), self._plane.places(pixels_of(self._fair))
        the_set.learn(self._pyramid, [replace(each, corners=at) for each, at in zip(self._fair, corners, strict=True)])
        return RectifiedView(self._faces, the_set, thick=0.0)

    def known_better(self, tiles: Sequence[tuple[Detection, float]]) -> _Table | None:
        """The same by all that was read of it, where that is more by over a little: from aside few tiles are found at first."""
        fair = [tile for tile, score in tiles if not tile.back and score > SURE]
        if len(fair) <= (1 + LITTLE) * len(self._fair):
            return None
        new = [each for each in fair if all(each is not other for other in self.found)]
        return _Table(self._pyramid, [*self.found, *new], fair)

    def look(self, reader: Reader, proposed: Array) -> list[Detection]:
        """What is seen from straight above, beside what is settled already: around what was found and is not, and what was only
        proposed, (n, 4, 2) pixels; nothing where all is settled."""
        settled = pixels_of(self._settled)
        doubted = pixels_of(each for each in self.found if all(each is not other for other in self._settled))
        doubted = self._plane.places(np.concatenate([doubted, proposed[~lie_on(proposed, settled, SHARED)]]))
        if not len(doubted):
            return []
        return self._view.look_beside(reader.at_a_table(), self._pyramid, self._plane.places(settled), doubted)

    def profile(self, image: Image) -> Profile:
        """Of the table itself, as far around the tiles as pieces are looked for."""
        faces = self._faces
        height, width = image.shape[:2]
        rim = faces.to_table(np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64))
        x0, y0, x1, y1 = faces.area
        low = rim.min(axis=0).clip((x0 - BESIDE, y0 - BESIDE), (x0, y0))
        high = rim.max(axis=0).clip((x1, y1), (x1 + BESIDE, y1 + BESIDE))
        area = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        return raised(replace(faces, area=area), -THICK_MM)

    def weighed(self, tiles: Sequence[Detection]) -> list[tuple[Detection, float]]:
        """Tiles with nats for each. What lies face down shows nothing but its outline, which must be as large as a tile's."""
        nats = self._plane.nats(pixels_of(tiles)).tolist()
        return [(each, log_odds(each.score) + (by if each.back else -log(1 - by))) for each, by in zip(tiles, nats, strict=True)]


def _unlike_the_table(pyramid: ImagePyramid, found: list[Detection]) -> list[Detection]:
    """Where no face tells how large tiles are, backs are told by another colour than what lies around: boards have cells."""
    if not found or any(not each.back and each.score > SURE for each in found):
        return found
    places = pixels_of(found)
    bodies = bodies_of(pyramid, pyramid.warp_crops(places)).mean(axis=1)
    alike = filled(pyramid, places, bodies, RIM) > HALF
    return [each for each, board in zip(found, alike.tolist(), strict=True) if not (each.back and board)]


def _by_outlines(tiles: list[tuple[Detection, float]], reader: Reader, pyramid: ImagePyramid) -> list[tuple[Detection, float]]:
    """The same, where what is read leaves doubts with what the outlines show: halves side by side may be read as one tile. They
    say that a tile lies there, and not what it shows, and count for half of what they would alone: it is the same picture."""
    doubted = [at for at, (_, by) in enumerate(tiles) if by < log_odds(PLAIN)]
    bare = reader.levels(pyramid, pixels_of(tiles[at][0] for at in doubted))[:, BARE]
    out = list(tiles)
    for at, none in zip(doubted, bare.tolist(), strict=True):
        tile, by = tiles[at]
        pips = np.inf if tile.back else log_odds(float(tile.probabilities.max(axis=1).prod()))
        out[at] = tile, min(by + HALF * log_odds(1 - none), max(by, pips))
    return [each for each in out if each[1] > 0]


def _by_the_sets(tiles: Sequence[tuple[Detection, float]]) -> list[tuple[Detection, float]]:
    """The tiles, each with nats for it, by what sets there are: to the smaller ones belong few, and each tile once."""
    faces = [name for each, by in tiles if (name := _name(each)) is not None and by > log_odds(PLAIN)]
    highest = _highest(faces)
    twice = _nats_for_two(faces, max(highest, key=highest.__getitem__))
    out: list[tuple[Detection, float]] = []
    seen: set[tuple[int, int]] = set()
    for tile, by in sorted(tiles, key=lambda each: -each[1]):
        name = _name(tile)
        if name is not None:
            by += log(sum(share for most, share in highest.items() if most >= name[1]) + MISREAD)
            by += twice if name in seen else 0.0
            seen.add(name)
        out.append((tile, by))
    return out


def _highest(faces: Sequence[tuple[int, int]]) -> dict[int, float]:
    """By the most pips that the ends of a set have, how likely these sure tiles are of such a set."""
    nats = {each.highest: sum(log((1.0 if name[1] <= each.highest else MISREAD) / comb(each.highest + 2, 2)) for name in faces)
            for each in TILE_SETS.values()}
    most = max(nats.values())
    shares = {highest: exp(by - most) for highest, by in nats.items()}
    return {highest: share / sum(shares.values()) for highest, share in shares.items()}


def _nats_for_two(faces: Sequence[tuple[int, int]], highest: int) -> float:
    """Nats for a tile being there twice: that there are two sets, by how many of these sure tiles are there twice; in two sets
    mixed up some of many tiles would be."""
    pairs = sum(count - 1 for count in Counter(faces).values())
    meant = comb(len(faces), 2) / (2 * comb(highest + 2, 2) - 1)
    two, one = log(SELDOM) - meant + pairs * log(max(meant, MISREAD)), pairs * log(MISREAD)
    return -float(np.logaddexp(0.0, one - two))


def _name(tile: Detection) -> tuple[int, int] | None:
    """The smaller end first; None for what lies face down."""
    return None if tile.ends is None else (min(tile.ends), max(tile.ends))
