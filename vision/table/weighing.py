"""The evidence of a settled picture: what known places and those that may hold a tile show in it, and showed in the last one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.degrees import EVEN, HALF, LITTLE, MOST, PLAIN, SURE
from vision.detection import UNKNOWN, Detection, Mapping, half_of, points_within, same_face
from vision.halves import iou, lie_on, overlap
from vision.medians import medians
from vision.observation import Array
from vision.reader import SHARED, UPON, Reader, certainty_of, log_odds
from vision.rectify import ImagePyramid
from vision.table.belief import SAME_PLACE, Belief, Evidence, Place, Told
from vision.table.changes import Mask
from vision.table.evidence import half_changes, rectify, slid
from vision.table.packing import worthiest
from vision.table.sight import Sight
from vision.table.stacks import halves_below, joints, within_reach
from vision.table.track import Track
from vision.table.veils import Veils, draw

LAID_OFF = (-0.16, 0.0, 0.16)
"""How far, in halves, what lies on a joint may lie off the place that the tiles below tell, along and across."""

CHANGED = 0.02
"""A joint of which less changed, of either half, has no new tile on it and is not looked at: what lies still changes by a tenth
of this."""


@dataclass(frozen=True, slots=True, eq=False)
class Pictures:
    """The picture now, and the last settled one; `back` leads from pixels of the one to those of the other.

    touched: (h, w) of the small picture where anything moved since then; None where that is not known. veils: what covers
    the table now. read: the tracks whose places were looked at; None for all. bared: those that hands were seen to leave bare.
    difference: (h, w, 3) how much the small picture changed, as logarithms, light set aside; None where that is not known.
    still: the camera stood still, so that single pixels can be compared. first: as in `Evidence`.
    """

    reader: Reader
    sight: Sight
    before: ImagePyramid
    now: ImagePyramid
    back: Mapping
    veils: Veils
    touched: Mask | None = None
    read: frozenset[int] | None = None
    bared: frozenset[int] = frozenset()
    difference: Array | None = None
    still: bool = True
    first: bool = False

    def evidence(self, belief: Belief, found: Sequence[Detection]) -> Evidence:
        """What both say of the known tiles and of what was found now."""
        looked = [track for track in belief.tiles if self.read is None or track.name in self.read]
        hidden = frozenset(track.name for track in looked if self._is_hidden(track))
        known = [track for track in looked if track.name not in hidden]
        places = self._places([self._unread(track.corners) for track in known])
        seen = {track.name: replace(place, detection=_read(place.detection, place.now, self.reader),
                                    upon=self._upon(_around(place.detection.pixels)) if track.under and self._stacked else None)
                for track, place in zip(known, places, strict=True)}
        patches = {track.name: rectify(self.now, self._pixels(track)) for track in known}
        copies = self.reader.in_play.copies
        of_known = Evidence(seen, self._on_joints(belief, known), patches, self.bared, hidden, copies, self.first)
        return self.and_also(of_known, belief, [*found, *self._pushed_aside(known, seen)])

    def and_also(self, evidence: Evidence, belief: Belief, found: Sequence[Detection]) -> Evidence:
        """The same with what more was found."""
        lying, upper = ([place for place in evidence.proposed if bool(place.below) is on_others] for on_others in (False, True))
        fresh = _distinct([*(place.detection for place in lying), *found])[len(lying) :]
        more = self._places([each for each in fresh if not self.is_held(each)])
        return replace(evidence, proposed=[*lying, *more, *_surest([*upper, *self._on_tiles(belief, more)])])

    def against(self, known: Sequence[Array], found: Sequence[Detection], before: Sequence[Array] = ()) -> list[Detection]:
        """What lies against tiles, (4, 2) each on the table, end to end or side by side, where neither anything plain nor the
        same was found: between equal numbers that touch the joint is hardly seen, where tiles lie side by side others may be read
        across them, and of many backs one is overlooked. before: against these it was looked already, and what was seen there is
        among what was found."""
        looked = {place.tobytes() for place in _against(before)}
        fresh = [place for place in _against(known) if place.tobytes() not in looked]
        if not fresh:
            return []
        beyond = np.stack(fresh)
        taken = np.stack([*known, *(each.corners for each in found if each.score > PLAIN)])
        free = beyond[~lie_on(beyond, taken, SAME_PLACE, iou)]
        asked = [each for each in map(self._unread, free) if self._is_touched(each.pixels)]
        doubted = [EVEN <= told.kinds[2] < SURE for told in self._told(asked)]
        asked = [self._aside(each) if doubt else each for each, doubt in zip(asked, doubted, strict=True)]
        return [here for here in self._as_read(asked, EVEN)
                if not any(same_face(each.ends, here.ends) and iou(each.corners, here.corners) > SAME_PLACE for each in found)]

    def overlooked(self, found: Sequence[Detection]) -> list[Detection]:
        """The backs against those that were found, and against these, where none of the tiles found lies."""
        there, before = list(found), list[Array]()
        while backs := [each.corners for each in there if each.back]:
            lying = np.stack([each.corners for each in there])
            more = [each for each in self.against(backs, there, before) if each.back]
            apart = [each for each in more if not lie_on(each.corners[None], lying, SHARED).any()]
            if not apart:
                break
            corners, scores = np.stack([each.corners for each in apart]), np.array([each.score for each in apart], np.float32)
            there, before = [*there, *(apart[at] for at in worthiest(corners, scores, SHARED))], backs
        return there[len(found) :]

    # Places.

    def _pushed_aside(self, known: Sequence[Track], seen: dict[int, Place]) -> list[Detection]:
        """Open tiles that do not lie any more where they did, where something near looks like them, and is none that lies there
        as it did: of two with a number in common one half looks like the other."""
        looked = list(zip(known, seen.values(), strict=True))
        near = [slid(track.patch, self.now, self._pixels(track)) for track, place in looked
                if place.touched and track.ends is not None and track.patch is not None and place.now.there(False) < 0]
        aside = [Detection(self.sight.to_table(pixels), pixels, UNKNOWN, False, 0.5) for pixels in near if pixels is not None]
        stay = [track.corners for track, place in looked if place.now.shows(track.ends is None, track.probabilities) > 0]
        return self._as_read([each for each in aside if not any(overlap(each.corners, corners) > LITTLE for corners in stay)])

    def _unread(self, corners: Array) -> Detection:
        """A place, (4, 2) on the table, as a sighting that is still to be read."""
        return Detection(corners, self.sight.to_picture(corners), UNKNOWN, False, 0.5)

    def _pixels(self, track: Track) -> Array:
        return self.sight.to_picture(track.corners)

    def _aside(self, each: Detection) -> Detection:
        """A place that goes on from others and may be bare, moved to where it shows a tile best: what goes on from a place that
        was seen a little askew lies still further off."""
        around = [self._unread(corners) for corners in _around(each.corners)]
        return around[int(np.argmin([told.kinds[2] for told in self._told(around)]))]

    def _as_read(self, sightings: Sequence[Detection], bare: float = 1.0) -> list[Detection]:
        """Sightings as they are read now, but for those that show less likely a tile than `bare`."""
        return [_read(each, now, self.reader) for each, now in zip(sightings, self._told(sightings), strict=True)
                if now.kinds[2] < bare]

    def _told(self, sightings: Sequence[Detection]) -> list[Told]:
        """What the sightings' places show now."""
        unread = [each.pixels for each in sightings if each.kinds is None]
        read = map(Told, *self.sight.told(self.reader, self.now, np.stack(unread))) if unread else iter(())
        return [next(read) if each.kinds is None else Told(each.kinds, each.probabilities) for each in sightings]

    def _places(self, sightings: Sequence[Detection]) -> list[Place]:
        """What the sightings' places show now and showed before."""
        if not sightings:
            return []
        pixels = np.stack([each.pixels for each in sightings])
        earlier = np.stack([self.back(each) for each in pixels])
        was_kinds, was_counts = self.sight.told(self.reader, self.before, earlier)
        height, width = self.before.size(0).shape[:2]
        out = []
        for at, (detection, now) in enumerate(zip(sightings, self._told(sightings), strict=True)):
            x, y = earlier[at].mean(axis=0)
            inside = bool(0 <= x < width and 0 <= y < height)
            change = self._change(earlier[at], pixels[at]) if inside and self.still else None
            out.append(Place(detection, now, Told(was_kinds[at], was_counts[at]) if inside else None, change,
                             touched=self._is_touched(pixels[at])))
        return out

    def _change(self, earlier: Array, pixels: Array) -> Array:
        """(2, 6) how each half of a place, (4, 2) pixels before and now, changed: edges, spots, colour, rim; see `Place`."""
        changes = half_changes(rectify(self.before, earlier), rectify(self.now, pixels))
        return np.column_stack([changes[:, :3], self._recoloured(pixels), changes[:, 3:]]).astype(np.float32)

    def _recoloured(self, pixels: Array) -> Array:
        """(2,) how much brighter, darker or otherwise tinted each half became, as a logarithm, light set aside."""
        if self.difference is None:
            return np.zeros(2, np.float32)
        height, width = self.difference.shape[:2]
        points = np.einsum("hpc,cd->hpd", _WITHIN, pixels) * np.float32(width / self.now.size(0).shape[1])
        columns, rows = np.clip(points.astype(int), 0, (width - 1, height - 1)).transpose(2, 0, 1)
        return np.asarray(np.abs(medians(self.difference[rows, columns].swapaxes(1, 2))).max(axis=1))

    @property
    def _stacked(self) -> bool:
        """Whether tiles may lie on others; without a calibration nobody knows where those would show."""
        return self.sight.units == "mm" and self.reader.in_play.stacked

    def _on_joints(self, belief: Belief, known: Sequence[Track]) -> list[Place]:
        """Tiles that may lie across two known ones now, where anything changed."""
        if not self._stacked:
            return []
        names = {track.name for track in known}
        there = [track for track in within_reach(belief.tiles, [track.corners for track in known])
                 if track.name in names or not self._is_hidden(track)]
        found = []
        for joint in joints(there):
            if not any(track.name in names for track, _ in joint.halves):
                continue
            pixels = self.sight.raised(joint.place)
            if not self._is_touched(pixels):
                continue
            change = self._change(self.back(pixels), pixels)
            if float(np.nan_to_num(change[:, :2]).max()) < CHANGED and float(change[:, 2].max()) < CHANGED / 10:
                continue
            below = tuple((track.name, half) for track, half in joint.halves)
            if (place := self._upper(pixels, below)) is not None:
                found.append(place)
        return found

    def _on_tiles(self, belief: Belief, proposed: Sequence[Place]) -> list[Place]:
        """What was found, as tiles that may lie on the known ones at their places."""
        by_name = {track.name: track for track in belief.tiles}
        found = []
        for place in proposed if self._stacked else ():
            if place.detection.ends is None:
                continue
            under = [(track.name, side) for half in halves_below(place.detection, belief.tiles) for track, side in half[:1]]
            if not under or (len(under) == 2 and under[0][0] == under[1][0]):
                continue
            if any(iou(by_name[name].corners, place.corners) > SAME_PLACE for name, _ in under):
                continue
            if (upper := self._upper(place.detection.pixels, tuple(under))) is not None:
                found.append(upper)
        return found

    def _upper(self, pixels: Array, below: tuple[tuple[int, int], ...]) -> Place | None:
        """A tile that may lie on others at a place of the picture, (4, 2), or a little aside, where it is read best."""
        around = _around(pixels)
        kinds, counts = self.reader.judge(self.now.warp_crops(around))
        sure = certainty_of(kinds, counts)
        best, shown = len(around) // 2, counts.argmax(axis=2)  # where the tiles below tell: people lay them in rows
        if kinds[best, 0] < EVEN or (shown[best] != shown[int(sure.argmax())]).any():
            best = int(sure.argmax())
        if sure[best] < 0.05:
            return None
        at, score = around[best], float(sure[best])
        detection = Detection(self.sight.to_table(at), at, counts[best], False, score, kinds=kinds[best])
        return replace(self._places([detection])[0], upon=self._upon(around), below=below)

    def _upon(self, around: Array) -> tuple[float, float]:
        """Log-odds that a tile lies on others at these places, (n, 4, 2) pixels, now and before."""
        earlier = np.stack([self.back(each) for each in around])
        return self._outlines(self.now, around), self._outlines(self.before, earlier)

    def _outlines(self, pyramid: ImagePyramid, places: Array) -> float:
        """Log-odds that a tile lies on others at nearly all of these places, (n, 4, 2) pixels, by the outlines there: most of
        them may be less sure, as it lies where it does and not at all places around."""
        upon = self.reader.levels(pyramid, places)[:, UPON].tolist()
        return float(np.quantile([log_odds(each) for each in upon], MOST))

    # What is hidden, touched, held.

    def _is_hidden(self, track: Track) -> bool:
        """Whether a hand or another thing lies over it, or it is out of the picture."""
        height, width = self.now.size(0).shape[:2]
        pixels = self._pixels(track)
        (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
        if x0 < 0 or y0 < 0 or x1 >= width or y1 >= height:
            return True
        return bool(self.veils.outlines) and self._meets(self.veils.mask, pixels, 0.0)

    def is_held(self, detection: Detection) -> bool:
        """Whether a hand touches what is seen there, or is no farther than a half from it, and may hold it: it is not told yet.
        Fingers cover less of it than their shadow."""
        return self.veils.hand and self._meets(self.veils.mask, detection.pixels, half_of(detection.pixels))

    def _is_touched(self, pixels: Array) -> bool:
        return self.touched is None or self._meets(self.touched, pixels, 0.0)

    def _meets(self, mask: Mask, pixels: Array, grow: float) -> bool:
        """Whether a place, (4, 2) pixels, grown by so many, meets a mask of the small picture."""
        scale = np.float32(mask.shape[1] / self.now.size(0).shape[1])
        return bool((mask & draw(mask.shape, [pixels * scale], grow * float(scale))).any())


def with_patches(belief: Belief, pyramid: ImagePyramid, to_picture: Mapping) -> Belief:
    """The same belief, where tiles of which nobody remembers how they look are remembered as they look in a picture."""
    return replace(belief, tiles=tuple(
        track if track.patch is not None else replace(track, patch=rectify(pyramid, to_picture(track.corners)))
        for track in belief.tiles))


def _read(detection: Detection, told: Told, reader: Reader) -> Detection:
    """A sighting as it is read."""
    back = bool(told.kinds[1] > told.kinds[0])
    sure = float(told.kinds[1]) if back else float(told.kinds[0] * told.counts.max(axis=1).prod())
    return Detection(detection.corners, detection.pixels, told.counts, back, reader.calibrated(sure, 0.5), kinds=told.kinds)


def _against(tiles: Sequence[Array]) -> list[Array]:
    """The places against tiles, (4, 2) each."""
    return [place for corners in tiles for place in _in_row(corners, tiles)]


def _in_row(corners: Array, others: Sequence[Array]) -> list[Array]:
    """The four places, (4, 2) each, that go on from a tile as rows of these tiles do: as far beyond it as it lies from the one
    before, and against it where none lies before."""
    off = corners.mean(axis=0) - np.stack(others).mean(axis=1)
    out = []
    for starts, ends in (([0, 1, 1, 0], [3, 2, 2, 3]), ([0, 0, 3, 3], [1, 1, 2, 2])):
        for way in (np.float32(1), np.float32(-1)):
            step = way * (corners[ends] - corners[starts])
            reach = step.mean(axis=0)
            far = off @ reach / (reach @ reach)
            aside = np.linalg.norm(off - far[:, None] * reach, axis=1) / np.linalg.norm(reach)
            before = far[(np.abs(far - 1) < HALF) & (aside < HALF)]  # in lengths or widths: those of a row lie no farther apart
            out.append(corners + step * np.float32(min(before, default=1)))
    return out


def _surest(places: Sequence[Place]) -> list[Place]:
    """Of looks at a tile on the same halves the first, by which it lies as those below tell, or one that reads it better."""
    best: dict[frozenset[tuple[int, int]], Place] = {}
    for place in places:
        known = best.get(frozenset(place.below))
        if known is None or known.detection.score < min(EVEN, place.detection.score):
            best[frozenset(place.below)] = place
    return list(best.values())


def _distinct(found: Sequence[Detection]) -> list[Detection]:
    """Each place once."""
    out: list[Detection] = []
    for each in found:
        middle = each.pixels.mean(axis=0)
        if not any(np.abs(other.pixels - each.pixels).max() < 1.5 for other in out
                   if np.abs(other.pixels.mean(axis=0) - middle).max() < 2):
            out.append(each)
    return out


def _around(place: Array) -> Array:
    """(n, 4, 2) a tile's corners, (4, 2), moved along and across by all of `LAID_OFF`."""
    along = (place[2:].mean(axis=0) - place[:2].mean(axis=0)) / np.float32(2)
    across = np.array([-along[1], along[0]], np.float32)
    moved = [place + np.float32(u) * along + np.float32(v) * across for u in LAID_OFF for v in LAID_OFF]
    return np.stack(moved).astype(np.float32)


_WITHIN = np.stack([points_within(along, np.linspace(0.2, 0.8, 6))
                    for along in (np.linspace(0.1, 0.4, 6), 1 - np.linspace(0.1, 0.4, 6))])
"""(2, p, 4) weights of a tile's corners that give points all over the inside of each half."""
