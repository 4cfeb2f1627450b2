"""The bump check: is the table still where the camera's profile says, and if not, where is it now?

Small patches of the table's surface (anchors) are followed from a picture taken when the profile was right. Hands hide
some of them, plays change some, light changes all: so patches are compared by their pattern, not their brightness, and
only what most of those that can be seen agree about is believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.adjustment import rodrigues
from calibration.mats import TABLE_TAGS
from calibration.measure import rigid
from calibration.patches import PATCH, clear_places, evened, iou, reduced_grey
from calibration.profile import Profile
from calibration.tags import find_tags
from engine.words import say

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

ANCHORS = 40
"""As many patches as are followed."""

FEWEST = 6
"""With fewer of them nothing is said."""

MOVED_FEWEST = 10
"""So many must agree on where the table is now: six patches of a sleeve may agree by chance."""

CONFIRMED = 0.5
"""Share of the anchors that must look as they did where they are said to be now."""

LOOKED_AT = 960
"""Longer side of the reduced picture in which they are followed, pixels."""

ALIKE = 0.55
"""Correlation from which on a patch is the same."""

STILL_MM, STILL_PX = 1.5, 0.6
"""Moved by less than both is no bump: millimetres on the table, pixels of the reduced picture."""

AS_WELL, HARDLY_MM = 1.25, 0.05
"""A simpler movement is believed where what it leaves unexplained is no more than so many times as much, and a little."""

FINELY = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 20, 0.01)
"""So many steps, and so near, a patch is followed."""

PATIENCE = 3
"""So many checks in a row without any hold before the table counts as lost: a hand may cover it for a while."""


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """What one look says.

    state: `steady`; `hidden`: too little of the table can be seen to tell; `bumped`: the table or the camera moved, and
    `profile` is the new one; `lost`: moved, or gone, and no new profile was found: calibrate again.
    shift_mm: how far the middle of the play area or its farthest corner moved, whichever is more. residual_mm: how far the
    anchors are from where `profile` has them (root mean square). anchors: how many of them were seen. still: how many of
    them where they were. by: what the new profile was found by: `anchors`, `tags` or `features`; empty otherwise.
    """

    state: Literal["steady", "hidden", "bumped", "lost"]
    profile: Profile
    shift_mm: float = 0.0
    residual_mm: float = 0.0
    anchors: int = 0
    still: int = 0
    by: str = ""

    def __str__(self) -> str:
        if self.state == "steady":
            return say("The table is where it was.")
        if self.state == "hidden":
            return say("Too little of the table can be seen to tell whether it moved.")
        if self.state == "bumped":
            moved = {"mm": round(float(self.shift_mm))}
            return {"tags": say("The table or the camera moved by {mm} mm; measured again by its tags.", **moved),
                    "anchors": say("The table or the camera moved by {mm} mm; measured again by its anchors.", **moved),
                    }.get(self.by, say("The table or the camera moved by {mm} mm; measured again by its features.", **moved))
        return say("The table is not where it was, and could not be found again: calibrate again.")


class Watch:
    """Follows one table. Give it a picture that the profile is right for, then one more each second or so.

    pieces: outlines, (m, 2) millimetres each, of what lies on the table: they may be played, so anchors are taken elsewhere
    where the surface shows enough; known tiles at rest serve where it does not.
    """

    def __init__(self, profile: Profile, image: Image, pieces: Sequence[Array] = ()) -> None:
        self.profile = profile
        self._without = 0
        self._take(image, pieces)
        self._first = profile, image

    @cached_property
    def _tags(self) -> dict[int, Array]:
        """(4, 2) millimetres each: where the tags lay that stood in the first picture. They are looked for after a bump."""
        profile, image = self._first
        return {tag.id: profile.to_table(tag.corners) for tag in find_tags(image, False, TABLE_TAGS) if tag.fit > 0.4}

    @property
    def anchors(self) -> Array:
        """(n, 2) millimetres of the patches that are followed."""
        return self._places

    def renew(self, image: Image, pieces: Sequence[Array] = ()) -> None:
        """Choose the anchors again from a settled picture of the table where it is now: after plays, a new light, a new cloth."""
        self._take(image, pieces)

    def steady(self, image: Image) -> Check | None:
        """What a short look says where it finds most of the anchors where they were, as in a table's usual light."""
        return self._steady(reduced_grey(image, self._scale))

    def check(self, image: Image, pieces: Sequence[Array] = ()) -> Check:
        """Compare one picture with the anchors. A bump is told once: afterwards the new profile is the one to compare with."""
        grey = reduced_grey(image, self._scale)
        if (steady := self._steady(grey)) is not None:
            return steady
        now = evened(grey)
        found, seen, still = self._compared(self._reference, now, 4)
        if still.sum() >= max(FEWEST, 0.5 * float(seen.sum())):
            return self._at_rest(found, seen, still)
        inside = self._agreeing(found, seen)
        enough = max(MOVED_FEWEST, 0.6 * float(seen.sum()), 0.25 * len(seen), 2.0 * float(still.sum()))
        by_tags = self._by_tags(image)
        if inside.sum() >= enough:
            table, seen_at = self._places[inside], found[inside]
            if by_tags is not None:  # their places were measured once and for all: bump after bump nothing adds up
                table, seen_at = np.concatenate([table, by_tags[0]]), np.concatenate([seen_at, by_tags[1]])
            if self._confirmed(now, table, seen_at):
                return self._bumped(image, table, seen_at, "anchors", pieces)
        if by_tags is not None:
            return self._bumped(image, *by_tags, "tags", pieces)
        by_features = self._by_features(now)
        if by_features is not None:
            return self._bumped(image, *by_features, "features", pieces)
        if still.sum() >= FEWEST:
            self._without = 0
            return Check("hidden", self.profile, anchors=int(seen.sum()), still=int(still.sum()))
        self._without += 1
        state: Literal["lost", "hidden"] = "lost" if self._without >= PATIENCE else "hidden"
        return Check(state, self.profile, anchors=int(seen.sum()))

    def _steady(self, grey: Image) -> Check | None:
        found, seen, still = self._compared(self._grey, grey, 0)
        return self._at_rest(found, seen, still) if still.sum() >= max(FEWEST, 0.5 * len(seen)) else None

    def _compared(self, before: Image, now: Image, levels: int) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
        """(n, 2) where the anchors are in the reduced picture, which of them are seen, and which of these are where they were.

        levels: each doubles how far off they are looked for.
        """
        expected = (self.profile.to_picture(self._places) + 0.5) * self._scale - 0.5 if len(self._places) else self._places
        found, seen = self._followed(before, now, expected, levels)
        limit = max(STILL_PX, STILL_MM * self._px_per_mm)
        return found, seen, seen & (np.linalg.norm(found - expected, axis=1) < limit)

    def _at_rest(self, found: Array, seen: NDArray[np.bool_], still: NDArray[np.bool_]) -> Check:
        self._without = 0
        return Check("steady", self.profile, residual_mm=self._residual(found[still], still), anchors=int(seen.sum()),
                     still=int(still.sum()))

    def _take(self, image: Image, pieces: Sequence[Array]) -> None:
        self._scale = min(1.0, LOOKED_AT / max(image.shape[:2]))
        self._grey = reduced_grey(image, self._scale)
        self._reference = evened(self._grey)
        places = clear_places(self._reference, self._mask(pieces), ANCHORS)
        if len(places) < ANCHORS // 2:  # a plain table: what lies on it is all there is to hold on to
            places = clear_places(self._reference, self._mask(()), ANCHORS)
        self._at = places
        self._places = self.profile.to_table((places + 0.5) / self._scale - 0.5) if len(places) else places
        self._px_per_mm = self._scale_of_area()

    def _mask(self, pieces: Sequence[Array]) -> Image:
        """Where anchors may be, in the reduced picture: within the play area, off the pieces."""
        mask = np.zeros(self._reference.shape, np.uint8)
        x0, y0, x1, y1 = self.profile.area
        t = np.linspace(0, 1, 9)[:, None]
        corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
        edge = np.concatenate([a + t * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])
        cv2.fillPoly(mask, [self._reduced_pixels(edge)], 1)
        for outline in pieces:
            hull = self._reduced_pixels(outline)
            cv2.fillPoly(mask, [hull], 0)
            cv2.polylines(mask, [hull], True, 0, PATCH // 2 + 8)
        rim = PATCH // 2 + 2
        mask[:rim], mask[-rim:], mask[:, :rim], mask[:, -rim:] = 0, 0, 0, 0
        return mask

    def _reduced_pixels(self, table: Array) -> NDArray[np.int32]:
        return np.asarray(np.round((self.profile.to_picture(table) + 0.5) * self._scale - 0.5), np.int32)

    def _scale_of_area(self) -> float:
        """Pixels of the reduced picture to the millimetre in the middle of the play area."""
        x0, y0, x1, y1 = self.profile.area
        middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
        ends = self.profile.to_picture(np.array([middle - (10, 0), middle + (10, 0), middle - (0, 10), middle + (0, 10)]))
        return float(np.sqrt(np.linalg.norm(ends[1] - ends[0]) * np.linalg.norm(ends[3] - ends[2])) / 20 * self._scale)

    def _followed(self, before: Image, now: Image, expected: Array, levels: int) -> tuple[Array, NDArray[np.bool_]]:
        """(n, 2) where the anchors are now, and which of them are seen."""
        if not len(self._at):  # a table without a pattern
            return expected, np.zeros(0, np.bool_)
        start = self._at.astype(np.float32)[:, None]
        guess = expected.astype(np.float32)[:, None].copy()
        found, status, _ = cv2.calcOpticalFlowPyrLK(
            before, now, start, guess, winSize=(PATCH, PATCH), maxLevel=levels, flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
            criteria=FINELY)
        found = np.asarray(found[:, 0], np.float64)
        seen = (status[:, 0] > 0) & (iou(before, self._at, now, found) > ALIKE)
        if not levels:
            return found, seen
        here = iou(before, self._at, now, expected) > ALIKE
        lost = here & ~seen
        found[lost] = expected[lost]
        return found, seen | lost

    def _confirmed(self, now: Image, table: Array, reduced: Array) -> bool:
        """Whether most anchors look as they did where these places say they are now: a few may agree by chance."""
        new = refitted(self.profile, table, (reduced + 0.5) / self._scale - 0.5)
        expected = (new.to_picture(self._places) + 0.5) * self._scale - 0.5
        alike = iou(self._reference, self._at, now, expected)
        within = alike > -1
        return bool(within.any()) and float((alike[within] > ALIKE).mean()) >= CONFIRMED

    def _agreeing(self, found: Array, seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of the seen anchors moved as one plane does."""
        inside = np.zeros(len(seen), np.bool_)
        if seen.sum() < FEWEST:
            return inside
        straight = self._straight(found[seen])
        old = _straight_of(self.profile, self._places[seen])
        homography, mask = cv2.findHomography(old, straight, cv2.RANSAC, 2.0 / self._scale, maxIters=500)
        if homography is not None:
            inside[np.flatnonzero(seen)[mask[:, 0] > 0]] = True
        return inside

    def _straight(self, reduced: Array) -> Array:
        pixels = (reduced + 0.5) / self._scale - 0.5
        return self.profile.lens.straight(pixels) if self.profile.lens else pixels

    def _by_tags(self, image: Image) -> tuple[Array, Array] | None:
        """Known millimetres of table tags, and where they are in the reduced picture now."""
        if len(self._tags) < 2:
            return None
        tags = [tag for tag in find_tags(image, False, self._tags) if tag.fit > 0.4]
        if len({tag.id for tag in tags}) < 2 or len({tag.id for tag in tags}) < len(tags):
            return None
        table = np.concatenate([self._tags[tag.id] for tag in tags])
        return table, (np.concatenate([tag.corners for tag in tags]) + 0.5) * self._scale - 0.5

    def _by_features(self, now: Image) -> tuple[Array, Array] | None:
        """Places all over the table and where they are now, by features that both pictures show; None where too few agree."""
        finder = cv2.ORB.create(800)
        old_points, old = finder.detectAndCompute(self._reference, self._mask(()))
        new_points, new = finder.detectAndCompute(now, None)
        if old is None or new is None or len(old) < 15 or len(new) < 15:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(old, new)
        a = np.array([old_points[pair.queryIdx].pt for pair in pairs], np.float64).reshape(-1, 2)
        b = np.array([new_points[pair.trainIdx].pt for pair in pairs], np.float64).reshape(-1, 2)
        if len(a) < 15:
            return None
        homography, mask = cv2.findHomography(self._straight(a), self._straight(b), cv2.RANSAC, 2.0 / self._scale)
        if homography is None or mask.sum() < max(15, 0.25 * len(a)):
            return None
        inside = mask[:, 0] > 0
        return self.profile.to_table((a[inside] + 0.5) / self._scale - 0.5), b[inside]

    def _bumped(self, image: Image, table: Array, reduced: Array, by: str, pieces: Sequence[Array]) -> Check:
        pixels = (reduced + 0.5) / self._scale - 0.5
        if float(np.median(_off(self.profile, table, pixels))) < STILL_MM:  # what is far from them may only seem to have moved
            self._without = 0
            return Check("steady", self.profile, residual_mm=_residual(self.profile, table, pixels), anchors=len(table))
        new = refitted(self.profile, table, pixels)
        if len(table) < ANCHORS // 2 or by == "features":  # roughly known: so many more places can be found
            places, there = self._sought(evened(reduced_grey(image, self._scale)), new)
            if len(places) >= MOVED_FEWEST:
                finer = refitted(new, places, there)
                if np.median(_off(finer, places, there)) < np.median(_off(new, table, pixels)):
                    new, table, pixels = finer, places, there
        residual = _residual(new, table, pixels)
        shift = _shift(self.profile, new)
        if not np.isfinite(residual) or residual > 6.0 or not _plausible(self.profile, new):
            self._without += 1
            return Check("lost" if self._without >= PATIENCE else "hidden", self.profile, anchors=len(table))
        self._without = 0
        if shift < STILL_MM:
            return Check("steady", self.profile, shift, residual, len(table))
        known, kept = self._places, self._at
        self.profile = new
        seen_now = (new.to_picture(known) + 0.5) * self._scale - 0.5
        size = np.array(self._reference.shape[::-1])
        stays = ((seen_now > PATCH) & (seen_now < size - PATCH)).all(axis=1)
        if stays.sum() >= ANCHORS // 2:  # the same places of the table, looked for in the new picture from now on
            grey = reduced_grey(image, self._scale)
            now = evened(grey)
            alike = iou(self._reference, kept, now, seen_now) > ALIKE
            if (stays & alike).sum() >= ANCHORS // 2:
                self._grey, self._reference, self._at, self._places = grey, now, seen_now[stays & alike], known[stays & alike]
                return Check("bumped", new, shift, residual, len(table), by=by)
        self._take(image, pieces)
        return Check("bumped", new, shift, residual, len(table), by=by)

    def _sought(self, now: Image, new: Profile) -> tuple[Array, Array]:
        """Millimetres and pixels of many places of the table, sought near where a profile has them."""
        at = clear_places(self._reference, self._mask(()), 3 * ANCHORS)
        if not len(at):
            return at, at
        places = self.profile.to_table((at + 0.5) / self._scale - 0.5)
        expected = (new.to_picture(places) + 0.5) * self._scale - 0.5
        found, status, _ = cv2.calcOpticalFlowPyrLK(
            self._reference, now, at.astype(np.float32)[:, None], expected.astype(np.float32)[:, None].copy(),
            winSize=(PATCH, PATCH), maxLevel=1, flags=cv2.OPTFLOW_USE_INITIAL_FLOW, criteria=FINELY)
        there = np.asarray(found[:, 0], np.float64)
        good = (status[:, 0] > 0) & (np.linalg.norm(there - expected, axis=1) < PATCH / 2)
        good &= iou(self._reference, at, now, there) > ALIKE
        return places[good], (there[good] + 0.5) / self._scale - 0.5

    def _residual(self, found: Array, which: NDArray[np.bool_]) -> float:
        return _residual(self.profile, self._places[which], (found + 0.5) / self._scale - 0.5)


def _off(profile: Profile, table: Array, pixels: Array) -> Array:
    """(n,) how far places are from where a profile has them, millimetres."""
    return np.asarray(np.linalg.norm(profile.to_table(pixels) - table, axis=1), np.float64)


def _residual(profile: Profile, table: Array, pixels: Array) -> float:
    """The same, root mean square."""
    return float(np.sqrt((_off(profile, table, pixels) ** 2).mean()))


def refitted(profile: Profile, table: Array, pixels: Array) -> Profile:
    """The same camera and table after one of them moved: (n, 2) millimetres seen at (n, 2) pixels now.

    Just a shift and a turn of the table where that explains it as well: places close together tell no more, and all else
    would be guessed where none is. Otherwise the camera's pose is new, or, without a lens and from eight places on, the
    plane's perspective.
    """
    shoved = _shoved(profile, table, pixels)
    if profile.lens is None and len(table) < 8:
        return shoved
    free = _free(profile, table, pixels)
    as_well = AS_WELL * float(np.median(_off(free, table, pixels))) + HARDLY_MM
    return shoved if float(np.median(_off(shoved, table, pixels))) < as_well else free


def _shoved(profile: Profile, table: Array, pixels: Array) -> Profile:
    """The table shifted and turned under the camera; once more without the places that fit worst."""
    there = profile.to_table(pixels)
    kept = np.ones(len(table), np.bool_)
    for _ in range(2):
        turn, shift = rigid(there[kept], table[kept])
        off = np.linalg.norm(there @ turn.T + shift - table, axis=1)
        kept = off <= max(1.0, 2.5 * float(np.median(off)))
    motion = np.eye(3)
    motion[:2, :2], motion[:2, 2] = turn, shift
    return replace(profile, homography=motion @ profile.homography)


def _free(profile: Profile, table: Array, pixels: Array) -> Profile:
    """The camera anywhere over the table."""
    if profile.lens is None:
        homography = cv2.findHomography(pixels, table, cv2.LMEDS)[0]
        return profile if homography is None else replace(profile, homography=np.asarray(homography, np.float64))
    inner, bend = profile.lens.matrix, profile.lens.distortion
    columns = np.linalg.inv(inner) @ profile.inverse
    columns /= (np.linalg.norm(columns[:, 0]) + np.linalg.norm(columns[:, 1])) / 2 * np.sign(columns[2, 2])
    axes = np.column_stack([columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])])
    u, _, v = np.linalg.svd(axes)
    turn, shift = cv2.Rodrigues(u @ v)[0], columns[:, 2:].copy()
    points = np.column_stack([table, np.zeros(len(table))])
    weights = np.ones(len(table), np.bool_)
    for _ in range(2):  # once more without the points that fit worst
        _, turn, shift = cv2.solvePnP(points[weights], pixels[weights], inner, bend, turn, shift, useExtrinsicGuess=True,
                                      flags=cv2.SOLVEPNP_ITERATIVE)
        seen = cv2.projectPoints(points, turn, shift, inner, bend)[0][:, 0]
        off = np.linalg.norm(seen - pixels, axis=1)
        weights = off <= max(1.0, 2.5 * float(np.median(off)))
    rotation = rodrigues(turn.ravel())
    homography = np.linalg.inv(inner @ np.column_stack([rotation[:, 0], rotation[:, 1], shift.ravel()]))
    return replace(profile, homography=np.asarray(homography / homography[2, 2], np.float64))


def _straight_of(profile: Profile, table: Array) -> Array:
    pixels = profile.to_picture(table)
    return profile.lens.straight(pixels) if profile.lens else pixels


def _shift(old: Profile, new: Profile) -> float:
    """How far the play area's middle or its farthest corner moved, millimetres."""
    x0, y0, x1, y1 = old.area
    points = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1), ((x0 + x1) / 2, (y0 + y1) / 2)])
    return float(np.linalg.norm(new.to_table(old.to_picture(points)) - points, axis=1).max())


def _plausible(old: Profile, new: Profile) -> bool:
    """Whether the table still looks about as large, and from the same side: all else is no bump."""
    x0, y0, x1, y1 = old.area
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    before, after = (np.asarray(profile.to_picture(corners), np.float32) for profile in (old, new))
    ratio = cv2.contourArea(after, oriented=True) / cv2.contourArea(before, oriented=True)
    return bool(0.5 < ratio < 2.0)
