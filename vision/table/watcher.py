"""Follows a table from frame to frame: cheap while nothing happens, careful when something did.

A frame is compared, in small, with the last settled one. While things move or a hand is over the table nothing is
decided. When it is still again, the changed places are read, twice where the first reading leaves doubts, and the
tracks are settled by it. Now and then the whole table is read, and after a bump the calibration follows the camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from vision.frame import Frame
from vision.observation import Observation, Quality, SeenPiece, SeenTile, TableState
from vision.reader import Reader
from vision.sources.source import Health
from vision.straighten import Album
from vision.table.changes import Mask, blobs, bounds, changed, logarithms, small
from vision.table.choosing import Box
from vision.table.compared import Compared
from vision.table.evidence import compare, straight
from vision.table.lifted import Lifted
from vision.table.piece_watch import PieceWatch
from vision.table.quality import View
from vision.table.resting import Resting
from vision.table.settled import Settled
from vision.table.sight import Plain, Rectified, Sight, join_boxes, usual_half
from vision.table.sighting import Sighting, half_of, lies_in, merged
from vision.table.stand import Stand
from vision.table.stillness import Stillness, differing, is_something
from vision.table.tracks import FEWEST_PIPS, News, Tracks
from vision.table.veils import Veils, area_mask, draw, find_veils, no_veils, outlines, regions, too_small

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

STILL_S = 0.25
"""Nothing is read before the table was still for so long."""

LOOKS = 3
"""A changed place is looked at so often at most, until its reading is sure."""

SURE = 0.9
"""Readings above this need no second look."""

WHOLE_S = 20.0
"""The whole table is read so often while it rests."""

HARDLY = 1 / 3
"""Of a half's area: no smaller change can be a tile that came or went unseen."""

LEAST_TILE, MOST_TILE = 0.7, 4.0
"""In areas of a half, what changed may be a tile that was not found: a hand is larger, a shadow's rim smaller."""

BUMP_S = 1.0
"""So often it is checked whether the camera was bumped."""

SUSPECT = 0.12
"""A tile that a hand passed over is read again where more than this share of its edges is new, as where a tile lies on it,
or where pips came or went.
"""

GROW = 1.0
"""A changed place is read with so much around it, in halves of a tile."""

TILE_MM = 24.0
"""The usual side of a half."""


class TableWatcher:
    """Follows one table. profile: the camera's calibration; without it lengths are pixels.

    pieces: what looks for coins, dice, pawns and chips, where the game has some; it needs a profile. news: what the latest
    frame settled, empty for most frames. profile follows the camera when it is bumped.
    """

    def __init__(self, reader: Reader, profile: Profile | None = None, pieces: PieceWatch | None = None) -> None:
        self._reader = reader
        self._pieces = pieces
        self.profile = profile
        self._sight: Sight | None = Rectified(profile) if profile else None
        self._tracks = Tracks()
        self._reference: Settled | None = None
        self._stand: Stand | None = None
        self._resting = Resting()
        self._unseen: TableState | None = None  # the state's word while nothing of the table is seen
        self._watched: Mask | None = None
        self._veils: Veils | None = None
        self._state = TableState.READING
        self._view = View()
        self._view.measured(profile)
        self._seen: tuple[SeenTile, ...] = ()
        self._half = 0.0
        self._placed: tuple[Sight, Array, Array] | None = None  # the tracks' corners on the table and in the picture
        self._forget_movement()
        self.news = News()

    def _forget_movement(self) -> None:
        self._stillness, self._lifted = Stillness(), Lifted()
        self._looks: list[list[Sighting]] = []
        self._boxes: list[Box] | None = None
        self._piece_boxes: list[Box] | None = None
        self._handled: Image | None = None
        self._compared: tuple[Array, Mask, Array] | None = None  # with the settled picture, the last time it was still
        self._swept: Mask | None = None
        self._swept_told: tuple[Array, ...] | None = None
        self._altered_told: tuple[tuple[Array, ...], ...] | tuple[None, None] = (None, None)
        self._altered: tuple[Mask, Mask] | None = None  # since the table was ready the time before
        self._read_whole = self._checked_stand = -np.inf

    def see(self, frame: Frame) -> Observation:
        """What is known of the table after this frame."""
        self.news = News()
        self._view.frame(frame.time)
        album = Album(frame.image)
        tiny = small(album)
        if self._watched is None or self._watched.shape != tiny.shape[:2]:
            self._watched = self._area(tiny, frame.image)
        still = self._stillness.feed(tiny, frame.time, self._watched)
        if self._reference is None:
            self._begin(frame, album, tiny, still)
        elif still < STILL_S:
            self._moving(frame, album, tiny, still, self._reference)
        else:
            self._rest(frame, album, tiny, self._reference)
        return self._told(frame, tiny)

    def lost(self, time: float, health: Health) -> Observation:
        """What is known while no picture comes; what moves meanwhile is seen afterwards."""
        self.news = News()
        self._forget_movement()
        self._state = TableState.READING
        return Observation(time, -1, TableState.CAMERA_LOST, self._tracks.seen(), self._seen_pieces, units=self._units,
                           quality=Quality(frame_age=health.age))

    def to_picture(self, points: Array) -> Array:
        """(n, 2) pixels of the camera's picture where these points of the table show, at the height of tiles' faces."""
        return points if self._sight is None else self._sight.to_picture(points)

    @property
    def _units(self) -> Literal["mm", "px"]:
        return self._sight.units if self._sight else "px"

    def _begin(self, frame: Frame, album: Album, tiny: Image, still: float) -> None:
        """The first settled picture: all that is read lies there."""
        self._state = TableState.READING
        if still < STILL_S:
            return
        if self._sight is None:
            half = usual_half(self._reader, frame.image)
            self._sight = Plain(half if half is not None else max(frame.image.shape[:2]) / 40)
        reference = Settled(album, logarithms(tiny))
        if self._unsure():
            self._looks.append(self._sight.look(self._reader, reference.album, None))
        if self._look_at_pieces(frame.image, None) or self._unsure():
            return
        self.news = self._tracks.begin(merged(self._looks))
        for track in self._tracks.tiles:
            track.patch = straight(reference.album, self._sight.to_picture(track.corners))
        self._settled(frame.time, tiny, reference.logs, reference, no_veils(_shape(tiny)))
        self._stand = Stand(self.profile, frame.image, self._pixels_of_tracks())
        self._read_whole = self._checked_stand = frame.time

    def _moving(self, frame: Frame, album: Album, tiny: Image, still: float, reference: Settled) -> None:
        """Something moves, or just did: a hand where it reaches in from the border or is large."""
        self._looks, self._handled = [], None
        if still == 0:
            self._checked_stand = -np.inf
        elif self._checked_stand == -np.inf and self._stand is not None and self._stand.holds(frame.image):
            self._checked_stand, self._unseen = frame.time, None  # so that there is less to do when it is still
        if self._pieces is not None:
            self._pieces.forget()
        logs, change, difference = self._compare(tiny, reference)
        self._compared = (logs, change, difference) if still > 0 else None
        self._altered = None if self._state is TableState.READY else self._altered
        self._swept = change if self._swept is None or self._state is TableState.READY else self._swept | change
        self._swept_told = None
        if self._state is TableState.HAND:
            names = np.array([track.name for track in self._tracks.tiles], np.int64)
            pixels = self._pixels_of_tracks()

            def as_before(at: int) -> bool:
                patch = self._tracks.tiles[at].patch
                if patch is None or any(self._tracks.tiles[at].covered):
                    return False
                share = compare(patch, straight(album, pixels[at]))
                return share.whole < SUSPECT and share.spots < FEWEST_PIPS

            small_pixels = pixels * np.float32(tiny.shape[1] / self._width)
            self._lifted.see(change, names, small_pixels, self._half_in(_shape(tiny)), as_before)
        else:
            self._veils = self._find_veils(change, difference, logs, [], self._resting.lying(logs, frame.time))
            self._state = TableState.HAND if self._veils.hand else TableState.MOVING

    def _compare(self, tiny: Image, reference: Settled) -> tuple[Array, Mask, Array]:
        """The logarithms of a small picture, and where and by how much it differs from the settled one."""
        logs = logarithms(tiny)
        return logs, *changed(reference.logs, logs, self._watched)

    def _rest(self, frame: Frame, album: Album, tiny: Image, reference: Settled) -> None:
        """Nothing moves: read what changed since the last settled picture, if anything did."""
        if frame.time - self._checked_stand > BUMP_S:
            if self._checked_stand > -np.inf:  # a table at rest: there is time for it
                self._view.look(frame.image)
            self._checked_stand = frame.time
            if self._bumped(frame, album, tiny, reference):
                return
        if self._unseen is not None:
            self._state, self._handled = self._unseen, None
            return
        as_before = self._handled is not None and not is_something(differing(self._handled, tiny, self._watched))
        whole = as_before and frame.time - self._read_whole > WHOLE_S  # what has changed comes first
        if as_before and not whole and not any(track.perhaps_gone for track in self._tracks.tiles):
            if self._state is TableState.HAND and self._resting.rests(frame.time):
                self._state = TableState.READY
            return
        logs, change, difference = self._compared or self._compare(tiny, reference)
        self._compared = None
        lying = self._resting.lying(logs, frame.time)
        assert self._sight is not None
        if not self._looks:
            self._boxes = None if whole else self._places(change & ~lying, album, tiny)
            self._piece_boxes = None if whole else self._touched(change & ~lying, frame.image)
        found: list[Sighting] = []
        if self._boxes != [] or self._piece_boxes != []:
            self._state = self._state if whole else TableState.READING
            if not self._read(album, change & ~lying):
                return
            found = merged(self._looks)
        veils = self._find_veils(change, difference, logs, found, lying)
        self._note_altered(change & ~lying & ~veils.mask, found)
        if self._boxes != []:
            compared = Compared(reference.album, album, _as_it_is, veils, self._sight.to_picture, self._read_now(), self._reader,
                                self._sight.raised, self._sight.to_table)
            self.news = self._tracks.settle(found, compared)
            self._read_whole = frame.time if self._boxes is None else self._read_whole
        self._settled(frame.time, tiny, logs, reference.but_under(veils.mask, album, logs), veils)

    def _read(self, album: Album, change: Mask) -> bool:
        """Look at the changed boxes once; whether the looks are sure enough now."""
        assert self._sight is not None
        if self._unsure():
            boxes = [None] if self._boxes is None else self._boxes
            found = [each for box in boxes for each in self._sight.look(self._reader, album, box)]
            closer = self._left_over(change, found) if self._boxes else []
            if closer:
                found = [each for each in found if not any(lies_in(each, box) for box in closer)]
                found += [each for box in closer for each in self._sight.look(self._reader, album, box, closer=True)]
            self._looks.append(found)
        return not self._look_at_pieces(album.size(0), self._piece_boxes) and not self._unsure()

    def _left_over(self, change: Mask, found: Sequence[Sighting]) -> list[Box]:
        """Boxes with what changed, is about as large as a tile, and was not found to be one."""
        shape = _shape(change)
        half = self._half_in(shape)
        rest = regions(change, self._explained(shape, found), LEAST_TILE * half**2)
        _, left = blobs(rest, 1)
        return self._grown([blob.box for blob in left if blob.area < MOST_TILE * half**2 and not blob.edge], shape)

    def _unsure(self) -> bool:
        """Whether tiles must be looked at, or looked at once more, before the table is settled."""
        return not self._looks or (len(self._looks) < LOOKS and _doubtful(self._looks[-1]))

    def _look_at_pieces(self, image: Image, boxes: Sequence[Box] | None) -> bool:
        """Look at the pieces, if there are any in the game; whether they must be looked at once more."""
        if self._pieces is None or self.profile is None:
            return False
        if not self._pieces.sure:
            self._pieces.look(image, self.profile, boxes)
        return not self._pieces.sure

    @property
    def _seen_pieces(self) -> tuple[SeenPiece, ...]:
        return self._pieces.seen if self._pieces is not None else ()

    def _read_now(self) -> frozenset[int] | None:
        """Names of the tracks in the boxes that were read; None for all."""
        if self._boxes is None:
            return None
        middles = self._pixels_of_tracks().mean(axis=1)
        inside = np.zeros(len(middles), np.bool_)
        for x0, y0, x1, y1 in self._boxes:
            inside |= (middles > (x0, y0)).all(axis=1) & (middles < (x1, y1)).all(axis=1)
        return frozenset(track.name for track, read in zip(self._tracks.tiles, inside, strict=True) if read)

    def _settled(self, time: float, tiny: Image, logs: Array, after: Settled, veils: Veils) -> None:
        self._resting.settle(veils.mask, logs, time)
        self._reference, self._veils, self._handled, self._looks, self._compared = after, veils, tiny, [], None
        self._settle_pieces(tiny, veils)
        self._seen, self._half = self._tracks.seen(), 0.0
        self._state = TableState.HAND if veils.hand else TableState.READY
        self._stillness.clear()
        self._lifted.clear()

    def _settle_pieces(self, tiny: Image, veils: Veils) -> None:
        if self._pieces is None or self.profile is None:
            return
        profile, scale = self.profile, tiny.shape[1] / self._width
        height, width = veils.mask.shape

        def veiled(place: tuple[float, float]) -> bool:
            x, y = profile.to_picture(np.array([place], np.float64))[0] * scale
            return bool(0 <= x < width and 0 <= y < height and veils.mask[int(y), int(x)])

        sure = [seen.score > SURE for seen in self._tracks.seen()]
        tiles = [tile for tile, read in zip(self._pixels_of_tracks(), sure, strict=True) if read]

        def on_tile(place: tuple[float, float]) -> bool:
            x, y = profile.to_picture(np.array([place], np.float64))[0].tolist()
            return any(cv2.pointPolygonTest(tile, (x, y), False) >= 0 for tile in tiles)

        moved_since = self._stillness.touched
        self._pieces.settle(veiled, on_tile, moved_since is None or bool(moved_since.any()))

    def _bumped(self, frame: Frame, album: Album, tiny: Image, reference: Settled) -> bool:
        """Whether the camera was bumped: then all is followed to where it is seen now, and nothing on the table moved."""
        assert self._sight is not None and self._stand is not None
        told = self._stand.check(frame.image, self._pixels_of_tracks(), self._state is TableState.READY)
        self._unseen = {"hidden": TableState.HAND, "lost": TableState.UNCALIBRATED}.get(told)
        if told != "bumped":
            return False
        if isinstance(self._sight, Rectified):
            self.profile = self._stand.profile
            self._view.measured(self.profile)
            self._sight = self._sight.followed(self.profile)
        else:
            for track in self._tracks.tiles:
                track.corners = self._stand.forth(track.corners)
        self._watched = self._area(tiny, frame.image)
        logs, veils = logarithms(tiny), no_veils(_shape(tiny))
        found = self._sight.look(self._reader, album, None)
        compared = Compared(reference.album, album, self._stand.back, veils, self._sight.to_picture)
        self.news = self._tracks.settle(found, compared)
        self._read_whole = frame.time
        self._swept = self._swept_told = self._altered = None
        self._altered_told = (None, None)
        self._settled(frame.time, tiny, logs, Settled(album, logs), veils)
        return True

    def _places(self, change: Mask, album: Album, tiny: Image) -> list[Box]:
        """Boxes of the camera's picture that are worth reading again."""
        assert self._sight is not None
        scale = self._width / tiny.shape[1]
        half = self._half_in(_shape(tiny))
        boxes = self._doubtful_tiles(album, scale)
        if change.any():
            rows, columns = bounds(change, 2)  # beyond it there is nothing to look at
            _, found = blobs(cv2.dilate(change[rows, columns].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0,
                             max(12, round(half**2 / 2)))
            top, left = rows.start, columns.start
            boxes += [(x0 + left, y0 + top, x1 + left, y1 + top) for x0, y0, x1, y1 in (blob.box for blob in found)]
        return self._grown(boxes, _shape(tiny))

    def _grown(self, boxes: Sequence[tuple[int, int, int, int]], shape: tuple[int, int]) -> list[Box]:
        """Boxes of the small picture, (h, w), as such of the camera's, with what lies around them."""
        margin, scale = GROW * self._half_in(shape), self._width / shape[1]
        return join_boxes([((x0 - margin) * scale, (y0 - margin) * scale, (x1 + margin) * scale, (y1 + margin) * scale)
                           for x0, y0, x1, y1 in boxes])

    def _doubtful_tiles(self, album: Album, scale: float) -> list[tuple[int, int, int, int]]:
        """Boxes of the small picture with tiles that perhaps are gone, and with those that were handled and look otherwise."""
        boxes: list[tuple[int, int, int, int]] = []
        touched, pixels = self._stillness.touched, self._pixels_of_tracks()
        lows, highs = (pixels.min(axis=1) / scale).astype(int), (pixels.max(axis=1) / scale).astype(int)
        near = np.array([track.perhaps_gone for track in self._tracks.tiles], np.bool_)
        if touched is not None and touched.any():
            rows, columns = bounds(touched, 0)
            near |= ((highs >= (columns.start, rows.start)) & (lows < (columns.stop, rows.stop))).all(axis=1)
        for at in np.flatnonzero(near):
            track, corners, (x0, y0), (x1, y1) = self._tracks.tiles[at], pixels[at], lows[at].tolist(), highs[at].tolist()
            box = x0, y0, x1 + 1, y1 + 1
            if track.perhaps_gone:
                boxes.append(box)
            elif touched is not None and touched[max(0, y0) : y1 + 1, max(0, x0) : x1 + 1].any():
                if track.patch is None or any(track.covered):
                    continue
                share = compare(track.patch, straight(album, corners))
                if share.whole > SUSPECT or share.spots > FEWEST_PIPS:
                    boxes.append(box)
        return boxes

    def _touched(self, change: Mask, image: Image) -> list[Box]:
        """Boxes of the camera's picture in which something moved: what is small may change its face and little else."""
        if self._pieces is None:
            return []
        mask = change if self._stillness.touched is None else change | self._stillness.touched
        _, found = blobs(cv2.dilate(mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0, 1)
        scale = image.shape[1] / mask.shape[1]
        return join_boxes([tuple(edge * scale for edge in blob.box) for blob in found])

    def _find_veils(self, change: Mask, difference: Array, logs: Array, found: Sequence[Sighting], lying: Mask) -> Veils:
        """What covers the table now, and what has covered it for a while: `lying`."""
        assert self._sight is not None
        half, veils = self._half_in(_shape(change)), no_veils(_shape(change))
        if not too_small(change, half):
            veils = find_veils(change & ~lying, difference, logs, self._explained(_shape(change), found), half, self._watched)
        lying = lying & change
        return veils.and_also(lying) if lying.any() else veils

    def _note_altered(self, change: Mask, found: Sequence[Sighting]) -> None:
        """Remember what looks otherwise than when the table was ready before, and what of it no tile explains."""
        nothing = np.zeros_like(change)
        least = HARDLY * self._half_in(_shape(change)) ** 2
        now = regions(change, nothing, 0), regions(change, self._explained(_shape(change), found), least)
        before = self._altered or (nothing, nothing)
        self._altered = before[0] | now[0], before[1] | now[1]

    def _explained(self, shape: tuple[int, int], found: Sequence[Sighting]) -> Mask:
        """(h, w) of the small picture: where known tiles and pieces lie, and those found now."""
        assert self._sight is not None
        scale = np.float32(shape[1] / self._width)
        tiles = [*(self._pixels_of_tracks() * scale), *(each.pixels * scale for each in found if each.score > 0.3)]
        if self._pieces is not None and self.profile is not None:
            tiles += list(self._sight.to_picture(self._pieces.outlines()) * scale)
        return draw(shape, tiles, self._half_in(shape) * 0.35)

    def _pixels_of_tracks(self) -> Array:
        """(n, 4, 2) every track's corners in the camera's picture."""
        assert self._sight is not None
        corners = [track.corners for track in self._tracks.tiles]
        if not corners:
            return np.zeros((0, 4, 2), np.float32)
        flat = np.stack(corners)
        if self._placed is None or self._placed[0] is not self._sight or not np.array_equal(self._placed[1], flat):
            self._placed = self._sight, flat, self._sight.to_picture(flat)
        return self._placed[2]

    def _half_in(self, shape: tuple[int, int]) -> float:
        """The side of a half in the small picture, pixels."""
        assert self._sight is not None
        if not self._half:
            scale = shape[1] / self._width
            tiles = [half_of(corners) for corners in self._pixels_of_tracks()[:12]]
            if tiles:
                self._half = float(np.median(tiles) * scale)
            elif self._sight.units == "px":
                self._half = shape[1] / 40
            else:
                square = np.array([[0, 0], [TILE_MM, 0], [TILE_MM, 2 * TILE_MM], [0, 2 * TILE_MM]], np.float32)
                self._half = half_of(self._sight.to_picture(square)) * scale
        return self._half

    def _area(self, tiny: Image, image: Image) -> Mask | None:
        """(h, w) of the small picture: the play area; None for all of it."""
        self._width = image.shape[1]
        return None if self.profile is None else area_mask(self.profile, _shape(tiny), tiny.shape[1] / image.shape[1])

    def _told(self, frame: Frame, tiny: Image) -> Observation:
        scale = np.float32(frame.image.shape[1] / tiny.shape[1])
        veils = self._on_table(self._veils.outlines if self._veils is not None else (), scale)
        if self._swept_told is None and self._swept is not None and self._state is TableState.READY:
            self._swept_told = self._on_table(outlines(self._swept), scale)
            self._altered_told = (None, None) if self._altered is None else tuple(
                self._on_table(outlines(mask), scale) for mask in self._altered)
        return Observation(frame.time, frame.sequence, self._state, self._seen, self._seen_pieces, veils=veils, units=self._units,
                           settled=self._state is TableState.READY, quality=self._view.now(tiny),
                           lifted=tuple(self._lifted.names), untouched=self._lifted.untouched, swept=self._swept_told or (),
                           altered=self._altered_told[0], unexplained=self._altered_told[1])

    def _on_table(self, outlines: Sequence[Array], scale: np.float32) -> tuple[Array, ...]:
        """Outlines in the small picture, each (n, 2), as they lie on the table; scale: the camera's pixels in one of its."""
        return () if self._sight is None else tuple(self._sight.to_table(outline * scale) for outline in outlines)


def _doubtful(found: Sequence[Sighting]) -> bool:
    """Whether another look may change what is read: something lies between sure and nothing."""
    return any(0.2 < each.score < SURE for each in found)


def _as_it_is(pixels: Array) -> Array:
    """The camera stands where it stood."""
    return pixels


def _shape(picture: NDArray[np.uint8] | Mask) -> tuple[int, int]:
    return int(picture.shape[0]), int(picture.shape[1])
