"""Follows a table from frame to frame: cheap while nothing happens, careful when something did.

A frame is compared, in small, with the last settled one. While things move or a hand is over the table nothing is
decided. When it is still again, the changed places are read, twice where the first reading leaves doubts, and the
tracks are settled by it. Now and then the whole table is read, and after a bump the calibration follows the camera.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.profile import Profile
from vision.degrees import LITTLE, PERHAPS
from vision.detection import Detection, as_it_is, half_of, middles_of
from vision.frame import Frame, Image
from vision.halves import lie_on
from vision.observation import Array, Observation, Quality, SeenPiece, SeenTile, TableState
from vision.plane import HALF_MM
from vision.reader import SHARED, Reader
from vision.rectify import ImagePyramid
from vision.sources.source import Health
from vision.table.belief import Belief, Evidence, begin, infer
from vision.table.changes import Mask, changed, logarithms, small
from vision.table.choosing import Box, rectangles
from vision.table.half_hidden import with_those_below
from vision.table.layout import Layout, boxes_around, holds_any
from vision.table.layout_changes import LayoutChanges
from vision.table.movement import Lifted, MotionDetector, ResidualMotion, differing, is_something
from vision.table.piece_watch import PieceWatch
from vision.table.place_hypotheses import NONE_KNOWN
from vision.table.pose_drift import PoseDrift
from vision.table.quality import View
from vision.table.settled import Resting, Settled
from vision.table.sight import Plain, RectifiedView, Seen, Sight, usual_half
from vision.table.veils import Veils, area_mask, draw, find_veils, no_veils, too_small
from vision.table.weighing import Pictures, with_patches
from vision.table.why import Weighing

STILL_S = 0.25
"""Nothing is read before the table was still for so long."""

WHOLE_S = 20.0
"""The whole table is read so often while it rests."""

LONG_STILL_S = 1.5
"""For so long it must be still first: it takes a while to read, and what was just played shall be told before. Where it never is,
the whole is read half as often.
"""

BUMP_S = 1.0
"""So often it is checked whether the camera was bumped."""

RIM = 0.35
"""So far around a tile, in halves, its sides and its shadow may be seen."""


class TableWatcher:
    """Follows one table. profile: the camera's calibration; without it lengths are pixels.

    pieces: what looks for coins, dice, pawns and chips, where the game has some; it needs a profile. pairs: (n, 2, 2) mm, where
    both halves of a tile may lie, if a game knows: there it is looked whether one does. news: what the latest
    frame settled, empty for most frames. profile follows the camera when it is bumped. weighing: what the latest picture that
    was read was weighed by, once there was one before.
    """

    def __init__(self, reader: Reader, profile: Profile | None = None, pieces: PieceWatch | None = None) -> None:
        self._reader = reader.at_a_table()
        self._pieces = pieces
        self.pairs: Array | None = None
        self._by_colours = False  # whether it was since faces and backs are told apart by their colours
        self._tried = False  # whether all of the table was looked at with these
        self.profile = profile
        self._sight: Sight = RectifiedView(profile) if profile else Plain()
        self._belief = Belief()
        self.weighing: Weighing | None = None
        self._reference: Settled | None = None
        self._pose: PoseDrift | None = None
        self._resting = Resting()
        self._unseen: TableState | None = None  # the state's word while nothing of the table is seen
        self._watched: Mask | None = None
        self._veils: Veils | None = None
        self._state = TableState.READING
        self._view = View()
        self._view.measured(profile)
        self._seen: tuple[SeenTile, ...] = ()
        self._half = 0.0
        self._placed: tuple[Sight, Belief, Array] | None = None  # where the tracks' corners are in the picture
        self._drawn: tuple[float, Array, Mask] | None = None  # what is known to lie there, in the small picture
        self._forget_movement()
        self.news = LayoutChanges()

    def _forget_movement(self) -> None:
        self._motion, self._lifted = MotionDetector(), Lifted()
        self._begun = False
        self._boxes: list[Box] | None = None
        self._piece_boxes: list[Box] | None = None
        self._handled: Image | None = None
        self._compared: tuple[Array, Mask, Array] | None = None  # with the settled picture, the last time it was still
        self._residual = ResidualMotion()
        self._read_whole = self._checked_pose = -np.inf

    def see(self, frame: Frame) -> Observation:
        """What is known of the table after this frame."""
        self.news = LayoutChanges()
        self._view.frame(frame.time)
        pyramid = ImagePyramid(frame.image)
        tiny = small(pyramid)
        if self._watched is None or self._watched.shape != tiny.shape[:2]:
            self._watched = self._area(tiny, frame.image)
        still = self._motion.feed(tiny, frame.time, self._watched)
        if self._reference is None:
            self._begin(frame, pyramid, tiny, still)
        elif still < STILL_S:
            self._moving(frame, pyramid, tiny, still, self._reference)
        else:
            self._rest(frame, pyramid, tiny, self._reference, still)
        return self._told(frame, tiny)

    def lost(self, time: float, health: Health) -> Observation:
        """What is known while no picture comes; what moves meanwhile is seen afterwards."""
        self.news = LayoutChanges()
        self._forget_movement()
        self._state = TableState.READING
        return Observation(time, -1, TableState.CAMERA_LOST, self._seen, self._seen_pieces, units=self._sight.units,
                           quality=Quality(frame_age=health.age))

    def to_picture(self, points: Array) -> Array:
        """(n, 2) pixels of the camera's picture where these points of the table show, at the height of tiles' faces."""
        return self._sight.to_picture(points)

    def _begin(self, frame: Frame, pyramid: ImagePyramid, tiny: Image, still: float) -> None:
        """The first settled picture: all that is read lies there."""
        self._state = TableState.READING
        if still < STILL_S:
            return
        if self.profile is None:
            self._sight = Plain(usual_half(self._reader, frame.image))
        logs = logarithms(tiny)
        reference = Settled(pyramid, logs, logs)
        if self._look_at_pieces(frame.image, None):
            return
        found = self._no_pieces(self._sight.look(self._reader, pyramid, None)[0])
        found = with_those_below(found, self._reader, pyramid, self._sight)
        alone = Pictures(self._reader, self._sight, pyramid, pyramid, as_it_is, no_veils(self._shape))
        self._belief = with_patches(begin([*found, *alone.overlooked(found)]), pyramid, self._sight.to_picture)
        self.news = LayoutChanges(appeared=self._belief.seen())
        self._settled(frame.time, tiny, logs, reference, no_veils(self._shape))
        self._pose = PoseDrift(self.profile, frame.image, self._pixels_of_tracks())
        self._read_whole = self._checked_pose = frame.time

    def _moving(self, frame: Frame, pyramid: ImagePyramid, tiny: Image, still: float, reference: Settled) -> None:
        """Something moves, or just did: a hand where it reaches in from the border or is large."""
        self._handled, self._begun = None, False
        if still == 0:
            self._checked_pose = -np.inf
        elif self._checked_pose == -np.inf and self._pose is not None and self._pose.holds(frame.image):
            self._checked_pose, self._unseen = frame.time, None  # so that there is less to do when it is still
        if self._pieces is not None:
            self._pieces.forget()
        logs, change, difference = self._compare(tiny, reference)
        self._compared = (logs, change, difference) if still > 0 else None
        self._residual.moving(change, self._state is TableState.READY)
        had = self._state is TableState.HAND
        if had:
            lay = self._lay(pyramid)
            self._lifted.see(change, lay.names, lay.in_small, lay.half, lay.as_before)
        covering = self._covering(change, logs, reference)
        veils = self._find_veils(covering, difference, logs, None, self._resting.lying(logs, frame.time))
        if veils.hand or not had:  # a hand goes on being there until all is still; others may come to it
            self._veils, self._state = veils, TableState.HAND if veils.hand else TableState.MOVING

    def _compare(self, tiny: Image, reference: Settled) -> tuple[Array, Mask, Array]:
        """The logarithms of a small picture, and where and by how much it differs from the settled one."""
        logs = logarithms(tiny)
        return logs, *changed(reference.logs, logs, self._watched)

    def _rest(self, frame: Frame, pyramid: ImagePyramid, tiny: Image, reference: Settled, still: float) -> None:
        """Nothing moves, for `still` seconds: read what changed since the last settled picture, if anything did."""
        if frame.time - self._checked_pose > BUMP_S:
            if self._checked_pose > -np.inf:  # a table at rest: there is time for it
                self._view.look(frame.image, np.concatenate([self._pixels_of_tracks(), self._pixels_of_pieces()]))
            self._checked_pose = frame.time
            if self._bumped(frame, pyramid, tiny, reference):
                return
        if self._unseen is not None:
            self._state, self._handled = self._unseen, None
            return
        as_before = self._handled is not None and not is_something(differing(self._handled, tiny, self._watched))
        due = WHOLE_S if still > LONG_STILL_S else 2 * WHOLE_S
        self._tried &= self.pairs is not None
        a_back = not self._by_colours and self._sight.knows_colours and any(track.ends == (0, 0) for track in self._belief.tiles)
        untried = self.pairs is not None and not self._tried
        # What has changed comes first. A double blank may be a back, for all that was known of colours.
        whole = as_before and (untried or a_back or frame.time - self._read_whole > due)
        if as_before and not whole:
            if self._begun:  # what was being read has gone again, as a flicker of the light does
                self._begun = False
                self._state = TableState.HAND if self._veils is not None and self._veils.hand else TableState.READY
                if self._pieces is not None:
                    self._pieces.forget()
            if self._state is TableState.HAND and self._resting.rests(frame.time):
                self._state = TableState.READY
            return
        logs, change, difference = self._compared or self._compare(tiny, reference)
        self._compared = None
        lying, lay = self._resting.lying(logs, frame.time), self._lay(pyramid)
        fresh, moved = change & ~lying, self._motion.touched
        if not self._begun:
            self._boxes = None if whole else lay.to_read(fresh, moved)
            self._piece_boxes = None if whole or self._pieces is None else lay.for_pieces(fresh, moved, self._pixels_of_pieces())
            self._begun = True
        if self._look_at_pieces(pyramid.size(0), self._piece_boxes):
            self._state = self._state if whole else TableState.READING
            return
        self._begun = False
        found, maybe = self._read(pyramid, [None] if self._boxes is None else self._boxes, lay, fresh if self._boxes else None)
        covering = self._covering(change, logs, reference)
        veils = self._find_veils(covering, difference, logs, found, lying)
        explained, gone, unread = self._explained(found), None, veils.mask | lay.met(veils.mask)
        if self._boxes != []:
            read = None if self._boxes is None else lay.within(self._boxes)
            pictures = Pictures(self._reader, self._sight, reference.pyramid, pyramid, as_it_is, veils, moved, read,
                                frozenset(self._lifted.names), difference, first=whole and untried)
            self._take(frame.time, pictures, maybe, lambda belief: self._closer(pyramid, lay, fresh & ~veils.mask, belief))
            self._read_whole = frame.time if self._boxes is None else self._read_whole
            gone = lay.of([tile.track for tile in self.news.vanished], self._shape)
            explained = explained | self._explained(found)
            held = [each.pixels / np.float32(lay.scale) for each in maybe if pictures.is_held(each)]
            unread = unread | draw(unread.shape, held, 0)
        self._residual.still(fresh & ~veils.mask, explained, lay.half, gone)
        # What is covered in part, or may be held, is not told: what lay there before is still what it is compared with.
        self._settled(frame.time, tiny, logs, reference.but_under(unread, covering, pyramid, logs), veils, unread)

    def _take(self, time: float, pictures: Pictures, found: Sequence[Detection],
              closer: Callable[[Belief], list[Detection]] = lambda _: []) -> None:
        """Believe what a settled picture shows, and what a closer look at what such a belief leaves unexplained does."""
        evidence = pictures.evidence(self._belief, found)
        belief, self.news = infer(self._belief, evidence)
        more, before = closer(belief), list[Array]()
        while more := [*more, *pictures.against(beside := self._beside(belief, evidence), [*found, *more], before)]:
            evidence, found, before = pictures.and_also(evidence, self._belief, more), [*found, *more], beside
            belief, self.news = infer(self._belief, evidence)
            more = []
        self.weighing = Weighing(time, pictures.now.size(0), self._belief, evidence, pictures.sight.to_picture)
        self._belief = with_patches(belief, pictures.now, pictures.sight.to_picture)

    def _beside(self, belief: Belief, evidence: Evidence) -> list[Array]:
        """(4, 2) each: the known tiles that are in plain view, and the backs that have come, beside which others may lie."""
        known = [track.corners for track in self._belief.tiles if track.name in evidence.seen]
        return known + [track.corners for track in belief.tiles if track.name > self._belief.names and track.ends is None]

    def _closer(self, pyramid: ImagePyramid, lay: Layout, change: Mask, belief: Belief) -> list[Detection]:
        """What a closer look finds where the change, (h, w) of the small picture, is neither of a tile that lay there nor of one
        that lies there by such a belief; lay: those that lay there."""
        if not self._boxes:
            return []
        lie_as_before = {track.name for track in lay.tracks} - {after.track for _, after in self.news.moved}
        new = [track.corners for track in belief.tiles if track.name not in lie_as_before]
        explained = self._explained([], LITTLE)  # sides and shadows of what lay there before are not new
        if new:
            places = self._sight.to_picture(np.stack(new)) / np.float32(lay.scale)
            explained = explained | draw(change.shape, places, RIM * lay.half)
        boxes = lay.left_over(change, explained)
        return self._read(pyramid, boxes, lay, change, closer=True)[1] if boxes else []

    def _no_pieces(self, found: list[Detection]) -> list[Detection]:
        """Two coins or chips side by side look like a tile from afar, and are none."""
        return [each for each in found
                if self._pieces is None or not self._pieces.are_round(middles_of(each.corners).tolist(), each.score)]

    def _read(self, pyramid: ImagePyramid, boxes: Sequence[Box | None], lay: Layout, change: Mask | None = None,
              closer: bool = False) -> Seen:
        """What lies in boxes of the picture, beside tiles that lie as they did: the tiles chosen, and all places that may hold
        one. change: where nothing else can have come."""
        self._tried |= None in boxes and self.pairs is not None
        self._by_colours |= None in boxes and self._sight.knows_colours
        cells, looks = self._cells(change), []
        x, y = self._sight.to_picture(cells.mean(axis=1)).T
        for box in boxes:
            known = lay.known(box)
            x0, y0, x1, y1 = (-np.inf, -np.inf, np.inf, np.inf) if box is None else box
            free = (x > x0) & (x < x1) & (y > y0) & (y < y1) & ~lie_on(cells, known, SHARED)
            looks.append(self._sight.look(self._reader, pyramid, box, closer, known, cells[free]))
        found, maybe = ([each for look in looks for each in look[at]] for at in (0, 1))
        return self._no_pieces(found), self._no_pieces(maybe)

    def _cells(self, change: Mask | None) -> Array:
        """(n, 4, 2) where a game knows that tiles may lie: all places, or those that changed in the small picture, (h, w)."""
        if self.pairs is None:
            return NONE_KNOWN
        first, second = self.pairs[:, 0], self.pairs[:, 1]
        half = float(np.linalg.norm(second - first, axis=1).mean())
        places: Array = rectangles(first, second, (2 * half, half))
        if change is None:
            return places
        lying = self._sight.to_picture(places) * np.float32(change.shape[1] / self._width)
        return places[[holds_any(change, box) for box in boxes_around(lying)]]

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

    def _settled(self, time: float, tiny: Image, logs: Array, after: Settled, veils: Veils, unread: Mask | None = None) -> None:
        """A settled picture has been taken in. unread: (h, w) of the small one: what is still to be told; without it what is
        covered."""
        self._resting.settle(veils.mask, logs, time)
        self._reference, self._veils, self._handled, self._compared = after, veils, tiny, None
        self._settle_pieces(veils)
        self._seen, self._half = tuple(map(self._where_it_lies, self._belief.seen())), 0.0
        self.news = self.news.each(self._where_it_lies)
        self._state = TableState.HAND if veils.hand else TableState.READY
        self._motion.clear(veils.mask if unread is None else unread)
        self._lifted.clear()

    def _settle_pieces(self, veils: Veils) -> None:
        if self._pieces is None or self.profile is None:
            return
        profile, (height, width) = self.profile, veils.mask.shape
        scale = width / self._width

        def veiled(place: tuple[float, float]) -> bool:
            x, y = profile.to_picture(np.array([place], np.float64))[0] * scale
            return bool(0 <= x < width and 0 <= y < height and veils.mask[int(y), int(x)])

        tiles = [pixels for pixels, track in zip(self._pixels_of_tracks(), self._belief.tiles, strict=True) if track.plain]

        def on_tile(place: tuple[float, float]) -> bool:
            x, y = profile.to_picture(np.array([place], np.float64))[0].tolist()
            return any(cv2.pointPolygonTest(tile, (x, y), False) >= 0 for tile in tiles)

        self._pieces.settle(veiled, on_tile, bool(self._motion.touched.any()))

    def _where_it_lies(self, tile: SeenTile) -> SeenTile:
        """A tile as it is told: a track lies where it is seen, and what lies on others is seen a little aside of its place."""
        if not tile.under:
            return tile
        x, y = self._sight.upon(self._sight.to_picture(np.array([tile.center], np.float32)))[0].tolist()
        return replace(tile, center=(x, y))

    def _bumped(self, frame: Frame, pyramid: ImagePyramid, tiny: Image, reference: Settled) -> bool:
        """Whether the camera was bumped: then all is followed to where it is seen now, and nothing on the table moved."""
        assert self._pose is not None
        told = self._pose.check(frame.image, self._pixels_of_tracks(), self._state is TableState.READY)
        self._unseen = {"hidden": TableState.HAND, "lost": TableState.UNCALIBRATED}.get(told)
        if told != "bumped":
            return False
        if isinstance(self._sight, RectifiedView):
            self.profile = self._pose.profile
            self._view.measured(self.profile)
            self._sight = self._sight.followed(self.profile)
        else:
            self._belief = self._belief.moved(self._pose.forth)
        self._watched = self._area(tiny, frame.image)
        logs, veils = logarithms(tiny), no_veils(self._shape)
        _, found = self._read(pyramid, [None], self._lay(pyramid))
        untouched = np.zeros(self._shape, np.bool_)
        pictures = Pictures(self._reader, self._sight, reference.pyramid, pyramid, self._pose.back, veils, untouched)
        self._take(frame.time, pictures, found)
        self._read_whole = frame.time
        self._residual = ResidualMotion()
        self._settled(frame.time, tiny, logs, Settled(pyramid, logs, logs), veils)
        return True

    def _find_veils(self, change: Mask, difference: Array, logs: Array, found: Sequence[Detection] | None, lying: Mask) -> Veils:
        """What covers the table now, and what has covered it for a while: `lying`. found: the tiles that show now; where nobody
        has looked (None), those that lay there are thought to."""
        half, veils, lying = self._half_in_small(), no_veils(self._shape), lying & change
        tried = (False, True) if found is not None else (True,)  # a hand may lie over tiles; a cup hardly ever does
        for known in () if too_small(change, half) else tried:
            if not veils.hand:
                explained = self._explained(found or (), known=known)
                veils = find_veils(change & ~lying, difference, logs, explained, half, self._watched)
        veils = veils.and_also(lying) if lying.any() else veils
        if veils.hand or not veils.outlines or self._pieces is None or self.profile is None or not (plain := self._pieces.plain):
            return veils
        places = self.profile.to_picture(np.array(plain, np.float64)) * (change.shape[1] / self._width)
        return veils.but_where([(int(x), int(y)) for x, y in places.tolist()])  # a strip of the board went with what is on it

    def _covering(self, change: Mask, logs: Array, reference: Settled) -> Mask:
        """A change, but for where what came over the table has left it; what is too small to cover anything has left nothing."""
        return change if too_small(change, self._half_in_small()) else change & ~reference.uncovered(change, logs)

    def _explained(self, found: Sequence[Detection], rim: float = RIM, known: bool = True) -> Mask:
        """(h, w) of the small picture: where known tiles and pieces lie, and those found now, with a rim of each, in halves."""
        scale = np.float32(self._shape[1] / self._width)
        new = [each.pixels[None] for each in found if each.score > PERHAPS]
        there = self._pixels_of_tracks()[: None if known else 0]
        places = np.concatenate([*new, there, self._pixels_of_pieces()]) * scale
        if self._drawn is None or self._drawn[0] != rim or not np.array_equal(self._drawn[1], places):
            self._drawn = rim, places, draw(self._shape, places, self._half_in_small() * rim)
        return self._drawn[2]

    def _pixels_of_pieces(self) -> Array:
        """(n, 4, 2) squares around every piece in the camera's picture."""
        return NONE_KNOWN if self._pieces is None else self._sight.to_picture(self._pieces.outlines())

    def _pixels_of_tracks(self) -> Array:
        """(n, 4, 2) every track's corners in the camera's picture."""
        if self._placed is None or self._placed[0] is not self._sight or self._placed[1] is not self._belief:
            corners = [track.corners for track in self._belief.tiles]
            self._placed = self._sight, self._belief, self._sight.to_picture(np.stack(corners) if corners else NONE_KNOWN)
        return self._placed[2]

    def _lay(self, pyramid: ImagePyramid) -> Layout:
        """The known tiles as they lie in the picture."""
        scale = self._width / self._shape[1]
        return Layout(self._belief.tiles, self._pixels_of_tracks(), pyramid, self._half_in_small(), scale)

    def _half_in_small(self) -> float:
        """The side of a half in the small picture, pixels."""
        if not self._half:
            scale = self._shape[1] / self._width
            tiles = [half_of(corners) for corners in self._pixels_of_tracks()[:12]]
            if tiles:
                self._half = float(np.median(tiles) * scale)
            elif self._sight.units == "px":
                self._half = self._shape[1] / 40
            else:
                square = np.array([[0, 0], [HALF_MM, 0], [HALF_MM, 2 * HALF_MM], [0, 2 * HALF_MM]], np.float32)
                self._half = half_of(self._sight.to_picture(square)) * scale
        return self._half

    def _area(self, tiny: Image, image: Image) -> Mask | None:
        """(h, w) of the small picture: the play area; None for all of it."""
        self._width, self._shape = image.shape[1], tiny.shape[:2]
        return None if self.profile is None else area_mask(self.profile, self._shape, tiny.shape[1] / image.shape[1])

    def _told(self, frame: Frame, tiny: Image) -> Observation:
        scale = np.float32(frame.image.shape[1] / tiny.shape[1])
        veils = self._on_table(self._veils.outlines if self._veils is not None else (), scale)
        if self._state is TableState.READY:
            self._residual.tell(lambda outlines: self._on_table(outlines, scale))
        traces = self._residual.told
        return Observation(frame.time, frame.sequence, self._state, self._seen, self._seen_pieces, veils, self._sight.units,
                           settled=self._state is TableState.READY, quality=self._view.now(tiny),
                           lifted=tuple(self._lifted.names), untouched=self._lifted.untouched, swept=traces.swept,
                           altered=traces.altered, unexplained=traces.unexplained)

    def _on_table(self, outlines: Sequence[Array], scale: np.float32) -> tuple[Array, ...]:
        """Outlines in the small picture, each (n, 2), as they lie on the table; scale: the camera's pixels in one of its."""
        if not outlines:
            return ()
        placed = self._sight.to_table(np.concatenate(outlines) * scale)  # all at once: a lens is undone step by step
        return tuple(np.split(placed, np.cumsum([len(outline) for outline in outlines[:-1]])))
