"""A folder of pictures as a table over time: every picture is a settled moment, and the camera may have moved between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from calibration.profile import Profile
from vision.degrees import MOST, PERHAPS, SOME
from vision.detection import Detection, as_it_is, half_of
from vision.frame import Frame, Image
from vision.observation import Array, Observation, SeenTile, TableState
from vision.reader import Reader
from vision.rectify import ImagePyramid
from vision.table.belief import Belief, begin, infer, recall
from vision.table.changes import Mask, beyond_neighbours, changed, logarithms, small
from vision.table.layout_changes import LayoutChanges
from vision.table.registration import REST, Matrix, backwards, moved, slip_of_marks, slip_of_tiles
from vision.table.sight import FaceProjection, Plain, followed
from vision.table.veils import Veils, area_mask, draw, find_veils, no_veils
from vision.table.weighing import Pictures, with_patches


class PictureWatcher:
    """Follows a table from picture to picture, one a settled moment.

    calibrate: the calibration that a picture shows, None where it shows none; then lengths are millimetres, else pixels
    of the latest picture. news: what the last picture changed. The first is the start: everything in it appears.
    """

    def __init__(self, reader: Reader, calibrate: Callable[[Image], Profile | None] = lambda _: None) -> None:
        self._reader, self._calibrate = reader, calibrate
        self._profile: Profile | None = None
        self._belief = Belief()
        self._before: ImagePyramid | None = None
        self._latest: Array | None = None
        self.news = LayoutChanges()

    def see(self, frame: Frame) -> Observation:
        """What is known after this picture; state `hand` where something reaches into it: then nothing is decided."""
        after = ImagePyramid(frame.image)
        found = self._reader.consider(frame.image)
        veils = no_veils(after.size(0).shape[:2])
        if self._before is None:
            self._belief = with_patches(begin(found), after, as_it_is)
            self.news = LayoutChanges(appeared=self._belief.seen())
        else:
            veils = self._compare(self._before, after, found)
            if veils.hand:
                return self._told(frame, TableState.HAND, veils)
        self._before = after
        self._profile = self._calibrate(frame.image) or self._profile
        observation = self._told(frame, TableState.READY, veils)
        if self._profile is not None:
            self.news = self.news.each(_on_table(self._profile))
        return observation

    def _compare(self, before: ImagePyramid, after: ImagePyramid, found: list[Detection]) -> Veils:
        """Follows the tiles into the next picture; the veils in it, none where the two do not show the same view."""
        self.news = LayoutChanges()
        slip = self._slip(before, after, found)
        if self._profile is not None and slip is not None and slip is not REST:
            self._profile = followed(self._profile, slip)
        if slip is None:
            self._profile = None
            self._belief, self.news = recall(self._belief, found)
            return no_veils(after.size(0).shape[:2])
        veils = self._veils(before, after, slip, found)
        if veils.hand:
            return veils
        belief = self._belief.moved(lambda corners: moved(corners, slip))
        sides = [half_of(track.corners) for track in belief.tiles] or [max(after.size(0).shape[:2]) / 40]
        pictures = Pictures(self._reader, Plain(float(np.median(sides))), before, after,
                            partial(moved, matrix=backwards(slip)), veils, still=slip is REST)
        belief, self.news = infer(belief, pictures.evidence(belief, found))
        self._belief = with_patches(belief, after, as_it_is)
        return veils

    def _slip(self, before: ImagePyramid, after: ImagePyramid, found: list[Detection]) -> Matrix | None:
        """How the camera moved: of what tiles and marks tell, and of rest, that which explains most of the picture. None where
        some of it changed and nothing tells how: it shows another view."""
        old, new = before.size(0), after.size(0)
        by_tiles = slip_of_tiles(self._belief.tiles, found)
        if old.shape != new.shape:
            return by_tiles
        told = by_tiles if by_tiles is not None else slip_of_marks(old, new)
        at_rest = _changed_share(before, after, REST)
        if told is REST or told is None:
            return REST if told is REST or at_rest < SOME else None
        # Players move several tiles at once, too: only a picture that fits much better shows that the camera moved.
        return told if _changed_share(before, after, told) < MOST * at_rest else REST if at_rest < SOME else None

    def _veils(self, before: ImagePyramid, after: ImagePyramid, slip: Matrix, found: list[Detection]) -> Veils:
        logs, width = logarithms(small(after)), after.size(0).shape[1]
        scale, shape = logs.shape[1] / width, logs.shape[:2]
        old, seen = _as_seen_now(before, after, slip)
        if self._profile is not None:
            area = area_mask(self._profile, shape, scale)
            seen = area if seen is None else seen & area
        change, difference = changed(old, logs, seen)
        change = beyond_neighbours(change, difference, logs)
        known = [moved(track.corners, slip) for track in self._belief.tiles]
        tiles = known + [each.pixels for each in found if each.score > PERHAPS]
        half = float(np.median([half_of(corners) for corners in tiles])) if tiles else width / 24
        covers = draw(shape, [corners * scale for corners in tiles], half * scale * SOME)
        latest, self._latest = self._latest, logs
        if latest is not None and latest.shape == logs.shape:
            # What lay there in the picture before, though nothing was decided then, is no hand: hands do not keep still.
            change &= changed(latest, logs)[0]
        return find_veils(change, difference, logs, covers, half * scale, seen)

    def _told(self, frame: Frame, state: TableState, veils: Veils) -> Observation:
        scale = np.float32(frame.image.shape[1] / veils.mask.shape[1])
        outlines = tuple(outline * scale for outline in veils.outlines)
        tiles = self._belief.seen()
        if self._profile is not None:
            to_table, told = FaceProjection(self._profile).to_table, _on_table(self._profile)
            tiles, outlines = tuple(map(told, tiles)), tuple(map(to_table, outlines))
        return Observation(frame.time, frame.sequence, state, tiles, veils=outlines, settled=state is TableState.READY,
                           units="px" if self._profile is None else "mm")


def _as_seen_now(before: ImagePyramid, after: ImagePyramid, slip: Matrix) -> tuple[Array, Mask | None]:
    """The logarithms of the small picture before as the camera would show it where it stands now, if it moved like this, and
    (h, w) where that shows the table; None for everywhere."""
    if slip is REST:
        return logarithms(small(before)), None
    image, size = before.size(0), after.size(0).shape[1::-1]
    old = np.asarray(cv2.warpPerspective(image, slip, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    everywhere = np.asarray(cv2.warpPerspective(np.full(image.shape[:2], 255, np.uint8), slip, size), np.uint8)
    return logarithms(small(ImagePyramid(old))), small(ImagePyramid(everywhere)) > 250


def _changed_share(before: ImagePyramid, after: ImagePyramid, slip: Matrix) -> float:
    """The share of the picture that changed, if the camera moved like this."""
    old, seen = _as_seen_now(before, after, slip)
    change = changed(old, logarithms(small(after)), seen)[0]
    return float(change.sum()) / (change.size if seen is None else max(1.0, float(seen.sum())))


def _on_table(profile: Profile) -> Callable[[SeenTile], SeenTile]:
    """From a tile in the picture to the same on the table, mm; what lies on others is seen from nearer."""
    levels = FaceProjection(profile), FaceProjection(profile, 1)

    def told(tile: SeenTile) -> SeenTile:
        along = np.array([np.cos(tile.angle), np.sin(tile.angle)]) * tile.length / 2
        across = np.array([-np.sin(tile.angle), np.cos(tile.angle)]) * tile.width / 2
        middle = np.array(tile.center)
        points = np.stack([middle, middle - along, middle + along, middle - across, middle + across]).astype(np.float32)
        center, start, end, left, right = np.asarray(levels[bool(tile.under)].to_table(points), np.float64)
        return replace(tile, center=(float(center[0]), float(center[1])), angle=float(np.arctan2(*(end - start)[::-1])),
                       length=float(np.linalg.norm(end - start)), width=float(np.linalg.norm(right - left)))

    return told
