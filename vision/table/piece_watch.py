"""The pieces on a watched table: looked at several times while it is still, followed from one settled picture to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import dist

import cv2
import numpy as np

from calibration.mats import DICE_BOX
from calibration.measure import place_of
from calibration.profile import Profile
from calibration.tags import find_tags
from vision.degrees import RARELY, SELDOM
from vision.frame import Image
from vision.observation import Array, Kind, SeenPiece
from vision.piece_sets import COMMON, PieceSet
from vision.piece_tracks import NEAR, PieceTracks, Told, merged
from vision.pieces import FLAT, KINDS, Box, FoundPiece, PieceReader, read_well
from vision.table.sight import join_boxes

LOOKS = 3
"""So many still frames are read at most after something changed: as long as anything is doubtful, and only there."""

RIM_MM = 12.0
"""So much around a place where something moved is read with it: what stands at its rim is found on either side of it."""


class PieceWatch:
    """Follows the pieces of one table; `vision.table.watcher` says when to look and where.

    kinds: what the game has, of one piecepack. pieces: the owner's set.
    Boxes are x0, y0, x1, y1 in pixels of the camera's picture; None stands for the whole table.
    """

    def __init__(self, reader: PieceReader, kinds: Sequence[Kind] = KINDS, pieces: PieceSet = COMMON) -> None:
        self._reader, self._kinds, self.pieces = reader, kinds, pieces
        self._tracks = PieceTracks()
        self._looks: list[list[FoundPiece]] = []
        self._regions: list[Box] | None = None
        self._doubts: list[Box] = []
        self._dice_box: Array | None = None
        self.seen: tuple[SeenPiece, ...] = ()

    @property
    def sure(self) -> bool:
        """Whether enough looks were taken."""
        return bool(self._looks) and (len(self._looks) >= LOOKS or not self._doubts)

    def look(self, image: Image, profile: Profile, boxes: Sequence[Box] | None) -> None:
        """Read a still frame: the boxes at first, and then once more what is doubtful."""
        regions: Sequence[Box | None] = self._doubts
        kept: list[FoundPiece] = []
        if self._looks:
            kept = [piece for piece in self._looks[-1] if not _within(piece.center, self._doubts)]
        else:
            if boxes is None and "die" in self._kinds:
                self._dice_box = _dice_box(image, profile)
            self._regions = None if boxes is None else [_on_table(profile, box) for box in boxes]
            regions = [None] if self._regions is None else join_boxes([_around(region, RIM_MM) for region in self._regions])
        found = [piece for region in regions
                 for piece in self._reader.read(image, profile, self.pieces, region, self._kinds, RARELY)]
        self._looks.append(kept + found)
        self._doubts = self._doubtful(self._looks[-1])

    def _doubtful(self, look: Sequence[FoundPiece]) -> list[Box]:
        """Where another look may tell something else: new pieces that are unsure, and known ones that one look did not find."""
        known = [piece for piece in self.seen if not piece.veiled and self._looked(piece.center)]
        doubts = []
        for piece in look:
            same = [each for each in known if each.kind == piece.kind and dist(each.center, piece.center) < NEAR * piece.radius]
            known = [each for each in known if each not in same]
            sure = piece.there < SELDOM or read_well(piece)
            if not sure and all(each.label != piece.label for each in same):
                doubts.append((piece.center, piece.radius))
        if len(self._looks) == 1:
            doubts += [(piece.center, piece.radius) for piece in known]
        return join_boxes([_around((x, y, x, y), radius + RIM_MM) for (x, y), radius in doubts])

    def _looked(self, place: tuple[float, float]) -> bool:
        return self._regions is None or _within(place, self._regions)

    def are_round(self, places: Sequence[tuple[float, float]], score: float) -> bool:
        """Whether a coin or a chip of its own is seen at each of these places, surer than this, or known where nothing was
        looked at: two of them side by side look like a tile from afar."""
        flat = [(piece.top, piece.radius) for look in self._looks[-1:] for piece in look
                if piece.kind in FLAT and piece.there > score]
        flat += [(piece.center, piece.radius) for piece in self.seen
                 if piece.kind in FLAT and not (self._looks and self._looked(piece.center))]
        at = [{piece for piece in flat if dist(piece[0], place) < NEAR * piece[1]} for place in places]
        return all(at) and not set.intersection(*at)

    @property
    def plain(self) -> list[tuple[float, float]]:
        """Where the last look read a piece well, on the table, mm."""
        return [piece.center for look in self._looks[-1:] for piece in look if read_well(piece)]

    def settle(self, veiled: Told, on_tile: Told, touched: bool) -> None:
        """Take in what the looks showed.

        veiled, on_tile: whether something covers a place of the table, and whether a domino shows its pips there, so that
        nothing but a pawn, which hides few, is on it. touched: what the looks showed was handled, and not read again just to
        be sure.
        """
        if not self._looks:
            return
        found = [self._where_dice_lie(piece) for piece in merged(self._looks)
                 if not veiled(piece.center) and (piece.kind == "pawn" or not on_tile(piece.top))]
        self._tracks.settle(found, self._looked, veiled, lambda _: touched)
        self.forget()
        self.seen = self._tracks.seen()

    def _where_dice_lie(self, piece: FoundPiece) -> FoundPiece:
        """A piece that is the less likely a die where there is a box for dice and it lies elsewhere, and the likelier another:
        one that fell out is clearly seen."""
        if self._dice_box is None or cv2.pointPolygonTest(self._dice_box, piece.center, True) > -piece.radius:
            return piece
        if piece.kind != "die":
            return replace(piece, instead=piece.instead and self._where_dice_lie(piece.instead))
        rest, instead = 1 - (1 - SELDOM) * piece.there, piece.instead
        return replace(piece, there=SELDOM * piece.there,
                       instead=instead and replace(instead, there=min(1 - SELDOM * piece.there, instead.there / rest)))

    def forget(self) -> None:
        """Drop looks that were not settled: something moved."""
        self._looks, self._doubts = [], []

    def outlines(self) -> Array:
        """(n, 4, 2) squares around the pieces that are known and those that the looks showed, on the table, mm."""
        every = [(piece.center, piece.radius) for piece in self.seen]
        every += [(piece.top, piece.radius) for look in self._looks for piece in look]
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
        return np.array([middle + radius * square for middle, radius in every], np.float32).reshape(-1, 4, 2)


def _dice_box(image: Image, profile: Profile) -> Array | None:
    """(4, 2) the corners of the printed box for dice on the table, mm; None where none is seen."""
    place = place_of(DICE_BOX, find_tags(image, thorough=False, only=DICE_BOX.tag_ids), profile)
    if place is None:
        return None
    x, y, turn = place
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    printed = np.array([(0, 0), (DICE_BOX.width, 0), (DICE_BOX.width, DICE_BOX.height), (0, DICE_BOX.height)])
    return np.asarray(printed @ rotation.T + (x, y), np.float32)


def _around(box: Box, rim: float) -> Box:
    return box[0] - rim, box[1] - rim, box[2] + rim, box[3] + rim


def _within(place: tuple[float, float], boxes: Sequence[Box]) -> bool:
    return any(x0 <= place[0] <= x1 and y0 <= place[1] <= y1 for x0, y0, x1, y1 in boxes)


def _on_table(profile: Profile, box: Box) -> Box:
    """The part of the table that a box of the picture shows, mm."""
    x0, y0, x1, y1 = box
    corners = profile.to_table(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64))
    (left, upper), (right, lower) = corners.min(axis=0), corners.max(axis=0)
    return float(left), float(upper), float(right), float(lower)
