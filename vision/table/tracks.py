"""Tracks: every tile on the table keeps its name while it lies there, whatever a single picture says.

`settle` compares what is known with what one still picture shows. A tile appears where it is seen and its edges are new;
it vanishes where its edges are gone and nothing hides them; it moved where the same face does both. What a picture
merely misreads changes nothing but the probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.halves import likeness, overlap
from vision.observation import SeenTile
from vision.reader import SHOWN
from vision.table.news import News
from vision.table.sighting import Sighting, aligned, half_of, near_to, same_face, turned
from vision.table.stacks import changed_at_all, cover, joints, rests_on, within_reach, wrongly_on
from vision.table.track import Track
from vision.table.verdicts import (
    MISSING,
    NEW,
    ON_ANOTHER,
    SURE,
    Evidence,
    contradicted,
    is_another,
    is_gone,
    is_worth_nothing,
    makes_way,
    newcomers,
    was_taken,
)

Array = NDArray[np.float32]

SAME_PLACE = 0.4
"""Shared area over the area of both, from which a sighting is of the tile that lies there."""

AS_BELOW = 2.0
"""Log-odds that a tile is read right where both its halves show what the two tiles do on which it was laid."""

SLID = 0.12
"""Share of new edges without which no tile moved, however it is read."""

SHIFTED = 0.3
"""A tile that slid by less than this, in halves, only lies better known; by more, it moved."""

AS_IT_WAS = 0.05
"""A half of which less than this has changed shows what it did."""


@dataclass(slots=True)
class Tracks:
    """All tiles known, by name in the order they came."""

    tiles: list[Track] = field(default_factory=list)
    names: int = 0

    def add(self, sighting: Sighting) -> Track:
        self.names += 1
        self.tiles.append(Track.of(self.names, sighting))
        return self.tiles[-1]

    def seen(self) -> tuple[SeenTile, ...]:
        return tuple(track.seen() for track in self.tiles)

    def begin(self, found: Sequence[Sighting]) -> News:
        """The first look at a table: whatever is read lies there."""
        hiding: set[Track] = set()
        for sighting in found:
            if sighting.score <= SHOWN:
                continue
            below = rests_on(sighting, self.tiles)
            if not below:
                track = self.add(sighting)
                hiding.update((track,) if sighting.half_hidden else ())
            elif hiding.issuperset(below):  # otherwise it is their joint: in one picture that may look like a tile
                self.add(sighting).under = tuple(track.name for track in below)
        cover(self.tiles)
        return News(appeared=self.seen())

    def recall(self, found: Sequence[Sighting]) -> News:
        """Compare with a picture of which nobody knows how it was taken: only faces can be counted, not places."""
        gone = list(self.tiles)
        appeared = []
        for sighting in sorted(found, key=lambda each: -each.score):
            if sighting.score <= SHOWN:
                continue
            track = next((each for each in gone if same_face(each.ends, sighting.ends)), None)
            if track is None:
                appeared.append(self.add(sighting).seen())
            else:
                gone.remove(track)
                track.corners = sighting.corners if track.ends == sighting.ends else turned(sighting.corners)
                track.missing = 0
        for track in gone:
            track.missing += 1
        lost = [track for track in gone if track.missing >= MISSING]
        self.tiles = [track for track in self.tiles if track not in lost]
        return News(tuple(appeared), tuple(track.seen() for track in lost))

    def settle(self, found: Sequence[Sighting], evidence: Evidence) -> News:
        """Compare with what one still picture shows."""
        moved: list[tuple[SeenTile, SeenTile]] = []
        gone: list[Track] = []
        instead: list[Sighting] = []  # seen where another tile lay
        bridges = self._bridge(found, evidence)
        handled = [track for track in self.tiles if evidence.taken_up(track)]
        pairs = _pairs(self.tiles, found)
        fresh = [each for index, each in enumerate(found) if index not in pairs.values() and not evidence.held(each)]
        missed = [track for track in self.tiles if track.name not in pairs and evidence.looked(track)]
        strays = self._lay_upon(fresh, found, pairs, missed, evidence)
        bridges += strays.values()
        fresh = [each for each in fresh if each not in strays]
        for track in self.tiles:
            if track in bridges or not evidence.looked(track):
                continue
            track.veiled = evidence.hidden(track)
            sighting = found[pairs[track.name]] if track.name in pairs else None
            if sighting is not None and is_worth_nothing(sighting, track, evidence):
                sighting = None
            if track.veiled:
                continue
            if was_taken(track, sighting, evidence):
                gone.append(track)
            elif sighting is None:
                if not any(track.covered):
                    track.doubt(contradicted(track, fresh, self.tiles))
                if not any(track.covered) and (is_gone(track, evidence) or makes_way(track, fresh, self.tiles, evidence)):
                    gone.append(track)
            elif not any(track.covered) and is_another(track, sighting, handled, missed, evidence):
                gone.append(track)
                instead.append(sighting)
            else:
                moved += _again(track, sighting, evidence)
                if sighting.score > SHOWN and same_face(track.ends, sighting.ends):
                    track.patch = evidence.patch(track)
        self.tiles = [track for track in self.tiles if track in gone or not _is_worthless(track)]
        gone += self._taken_off({name: found[index] for name, index in pairs.items()}, [*gone, *bridges], evidence)
        staying = [track for track in self.tiles if track not in gone]
        latent, new = newcomers(fresh, staying, instead, evidence)
        laid: list[Sighting] = []
        for sighting in (*instead, *new):
            origin = _came_from(sighting, gone)
            if origin is None:
                laid.append(sighting)
                continue
            gone.remove(origin)
            before = origin.seen()
            same_way = origin.ends == sighting.ends
            origin.corners = sighting.corners if same_way else turned(sighting.corners)
            origin.fuse(sighting)
            origin.missing = 0
            origin.patch = evidence.patch(origin)
            staying.append(origin)
            moved.append((before, origin.seen()))
        self.tiles = staying
        appeared = [track.seen() for track in (*bridges, *(self._laid(sighting, evidence) for sighting in laid))]
        cover(self.tiles)
        for sighting in latent:
            track = self.add(sighting)
            track.patch = evidence.patch(track)  # as above
        return News(tuple(appeared), tuple(track.seen() for track in gone), tuple(moved))

    def _laid(self, sighting: Sighting, evidence: Evidence) -> Track:
        """A new tile."""
        track = self.add(sighting)
        track.patch = evidence.patch(track)  # turned over before it is seen again it must be missed
        return track

    def _bridge(self, found: Sequence[Sighting], evidence: Evidence) -> list[Track]:
        """The tiles laid on two others, now: what they cover is not looked for any more. One that is hardly read where the tiles
        below tell is taken as it is read a little aside."""
        looked = [track for track in self.tiles if evidence.looked(track)]
        there = [track for track in within_reach(self.tiles, looked) if not evidence.hidden(track)]
        meeting = [joint for joint in joints(there) if any(evidence.looked(track) for track, _ in joint.halves)]
        bridges: list[Track] = []
        for joint, sighting in evidence.bridged(meeting):
            below = tuple(track.name for track, _ in joint.halves)
            if any(track.covered[half] for track, half in joint.halves) or any(set(below) == set(each.under) for each in bridges):
                continue  # two joints share a half, or lie side by side on the same tiles, and one tile lies on one of them
            aside = [each for each in found if sighting.score < SHOWN and same_face(each.ends, sighting.ends)
                     and overlap(each.corners, sighting.corners) > SAME_PLACE]
            track = self._laid(max([sighting, *aside], key=lambda each: each.score), evidence)
            track.under = below
            track.worth += AS_BELOW
            bridges.append(track)
            cover(self.tiles)
        return bridges

    def _lay_upon(self, fresh: Sequence[Sighting], found: Sequence[Sighting], seen: Mapping[int, int],
                  missed: Sequence[Track], evidence: Evidence) -> dict[Sighting, Track]:
        """The tiles laid on others where they may not lie, now; one that only moved there is none, nor is a joint of new ones.

        seen: names of tracks with the indices of what was found at their places; missed: those that were looked for in vain.
        """
        laid: dict[Sighting, Track] = {}
        for sighting in fresh:
            if sighting.back or sighting.score < SURE or any(same_face(each.ends, sighting.ends) for each in missed):
                continue
            below = wrongly_on(sighting, self.tiles)
            theirs = [found[seen[track.name]] for track in below if track.name in seen]
            others = [each for each in found if each is not sighting and each not in theirs
                      and overlap(each.corners, sighting.corners) > ON_ANOTHER]
            if not below or others or any(evidence.hidden(track) for track in below):
                continue
            if not _is_laid_on(below, sighting, evidence):
                continue
            laid[sighting] = self._laid(sighting, evidence)
            laid[sighting].under = tuple(track.name for track in below)
            cover(self.tiles)
        return laid

    def _taken_off(self, seen: Mapping[int, Sighting], but: Sequence[Track], evidence: Evidence) -> list[Track]:
        """Tiles that lay on others which are all seen whole again, where something changed."""
        by_name = {track.name: track for track in self.tiles}
        return [track for track in self.tiles if track not in but and track.name not in seen and track.under and all(
            name in seen and seen[name].score > SHOWN and same_face(seen[name].ends, by_name[name].ends)
            for name in track.under if name in by_name) and changed_at_all(evidence.gone(track))]


def _pairs(tracks: Sequence[Track], found: Sequence[Sighting]) -> dict[int, int]:
    """Track names to indices of the sightings at their places: the closest first, the same face before another."""
    options: list[tuple[float, int, int]] = []
    lying = [track.corners for track in tracks]
    for index, sighting in enumerate(found):
        for track in (tracks[at] for at in near_to(sighting, lying, 2.0)):
            shared = likeness(track.corners, sighting.corners)
            if shared > SAME_PLACE:
                fit = shared + 0.3 * same_face(track.ends, sighting.ends) + 0.2 * sighting.score
                options.append((fit, track.name, index))
    pairs: dict[int, int] = {}
    for _, name, index in sorted(options, reverse=True):
        if name not in pairs and index not in pairs.values():
            pairs[name] = index
    return pairs


def _is_laid_on(below: Sequence[Track], sighting: Sighting, evidence: Evidence) -> bool:
    """Whether it looks as if it lay on these. Where it hangs over a single one, its other half is new, and the outlines tell it
    or the other half of the tile below still shows what it did."""
    if len(below) == 2:
        return evidence.upon(sighting)
    open_half, covered = sorted(evidence.gone(below[0]).halves)
    half_covered = covered > NEW and open_half < AS_IT_WAS
    return max(evidence.new(sighting).halves) > NEW and (half_covered or evidence.upon(sighting))


def _is_worthless(track: Track) -> bool:
    """Whether so many looks failed to show a tile that it was never there."""
    return track.worth < 0


def _again(track: Track, sighting: Sighting, evidence: Evidence) -> list[tuple[SeenTile, SeenTile]]:
    """The same tile seen once more: where it slid it moved."""
    sighting = track.with_what_lies_on_it(sighting)
    corners, _ = aligned(sighting, track.corners)
    slid = np.linalg.norm(corners.mean(axis=0) - track.corners.mean(axis=0)) / half_of(track.corners)
    before = track.seen()
    track.fuse(sighting)
    track.missing = 0
    if slid > SHIFTED:
        if sighting.score < SHOWN or not same_face(track.ends, sighting.ends) or evidence.new(sighting).whole < SLID:
            return []
        track.corners = corners
        return [(before, track.seen())]
    share = np.float32(max(0.25, 1 / track.looks))
    track.corners = track.corners + share * (corners - track.corners)
    return []


def _came_from(sighting: Sighting, gone: Sequence[Track]) -> Track | None:
    """The nearest of the vanished tiles with the same face."""
    same = [track for track in gone if same_face(track.ends, sighting.ends)]
    middle = sighting.corners.mean(axis=0)
    return min(same, key=lambda track: float(np.linalg.norm(track.corners.mean(axis=0) - middle)), default=None)
