"""Tracks: every tile on the table keeps its name while it lies there, whatever a single picture says.

`settle` compares what is known with what one still picture shows. A tile appears where it is seen and its edges are new;
it vanishes where its edges are gone and nothing hides them; it moved where the same face does both. What a picture
merely misreads changes nothing but the probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.halves import likeness, overlap
from vision.observation import SeenTile
from vision.reader import SHOWN, log_odds
from vision.table.evidence import Share
from vision.table.sighting import Mapping as PointMapping
from vision.table.sighting import Sighting, aligned, half_of, near_to, same_face, turned
from vision.table.stacks import Joint, changed_at_all, cover, joints, rests_on, within_reach
from vision.table.track import Track

Array = NDArray[np.float32]

SAME_PLACE = 0.4
"""Shared area over the area of both, from which a sighting is of the tile that lies there."""

ON_ANOTHER = 0.3
"""A sighting that shares more than this of the smaller one with a tile that still lies there is no new tile."""

NEW, NEW_IF_UNSURE = 0.3, 0.8
"""Share of new edges that lets a tile appear: where its reading is sure, and where it is worth nothing."""

OF_ONE_HALF = 0.7
"""Each half must have at least this part of the share that is asked of the whole: a token covers only one."""

LEAST_SCORE = 0.5
"""Readings worth less are never a new tile, however much changed there."""

GONE, SURELY_GONE = 0.33, 0.5
"""Share of an unread tile's edges that is no longer seen: perhaps it is gone, and surely."""

FADED = 0.1
"""Change of a face's brightness, as a logarithm, beside what lies around it, from which an unread tile is perhaps gone."""

AS_BELOW = 2.0
"""Log-odds that a tile is read right where both its halves show what the two tiles do on which it was laid."""

FAINTEST = 0.2
"""Another face that is less sure than this where a tile lay is no look at that tile."""

PLAIN = 0.97
"""How sure it must be that nothing lies where a tile was surely read, for it to be perhaps gone: soft edges tell little."""

NO_BACK = 0.9
"""The same of a back, which shows nothing that could be misread: one that lies there still is hardly ever so little like one."""

STILL_NO_BACK = 0.6
"""The same in a look that follows such a one: how surely nothing lies there sways from look to look."""

BARE = 0.9
"""How sure it must be that nothing lies where edges are gone, too, for a tile to be surely gone."""

NO_DOUBT = 1.0
"""The same where all that is seen of a place says so."""

MISSING = 3
"""A tile that is perhaps gone in so many looks running is gone."""

CHANGED = 0.3
"""Share of its edges below which a tile's place is as it was."""

A_THING = 0.18
"""Share of a half that one patch covers where a token lies, and pips do not, though three in a row touch."""

UNREAD = 0.7
"""What a look that does not show a tile takes from its log-odds, though nothing changed there."""

FEWEST_PIPS = 0.004
"""Share of a tile's face on which spots came or went: half of a small pip. Two tiles of one set differ in nothing else."""

OTHER_PIPS = ((0.1, LEAST_SCORE), (0.03, SHOWN), (0.008, 0.9), (FEWEST_PIPS, 0.99))
"""Such shares, and how sure another face must be read there: the fewer spots, the surer."""

SURE = 0.9

SLID = 0.12
"""Share of new edges without which no tile moved, however it is read."""

SHIFTED = 0.3
"""A tile that slid by less than this, in halves, only lies better known; by more, it moved."""


class Evidence(Protocol):
    """What the pictures before and now say about a place on the table."""

    def new(self, sighting: Sighting) -> Share:
        """How much of the tile was not there before."""

    def gone(self, track: Track) -> Share:
        """How much of what was there is no longer."""

    def empty(self, track: Track) -> float:
        """How sure it is, by how its place looks alone, that no tile lies there, or no back where one did; 0 where that is
        not known."""

    def bridged(self, meeting: Sequence[Joint]) -> list[tuple[Joint, Sighting]]:
        """Those joints over which a tile was laid, with what is seen of it."""

    def hidden(self, track: Track) -> bool:
        """Whether a hand or another thing lies over it, or it is out of the picture."""

    def looked(self, track: Track) -> bool:
        """Whether its place was read this time."""

    def taken_up(self, track: Track) -> bool:
        """Whether a hand was seen to leave its place bare since it was last read."""

    def patch(self, track: Track) -> Array:
        """How its place looks now, straightened."""


@dataclass(frozen=True, slots=True, eq=False)
class News:
    """What changed between two settled moments; `moved`: tiles before and after."""

    appeared: tuple[SeenTile, ...] = ()
    vanished: tuple[SeenTile, ...] = ()
    moved: tuple[tuple[SeenTile, SeenTile], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.appeared or self.vanished or self.moved)

    def mapped(self, to_table: PointMapping) -> News:
        """The same news in another frame."""
        appeared, vanished = (tuple(mapped(tile, to_table) for tile in tiles) for tiles in (self.appeared, self.vanished))
        moved = tuple((mapped(before, to_table), mapped(after, to_table)) for before, after in self.moved)
        return News(appeared, vanished, moved)


def mapped(tile: SeenTile, to_table: PointMapping) -> SeenTile:
    """A tile in another frame: `to_table` maps (n, 2) points."""
    along = np.array([np.cos(tile.angle), np.sin(tile.angle)]) * tile.length / 2
    across = np.array([-np.sin(tile.angle), np.cos(tile.angle)]) * tile.width / 2
    middle = np.array(tile.center)
    points = np.stack([middle, middle - along, middle + along, middle - across, middle + across]).astype(np.float32)
    center, start, end, left, right = np.asarray(to_table(points), np.float64)
    return replace(tile, center=(float(center[0]), float(center[1])), angle=float(np.arctan2(*(end - start)[::-1])),
                   length=float(np.linalg.norm(end - start)), width=float(np.linalg.norm(right - left)))


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
        bridges = self._bridge(evidence)
        handled = [track for track in self.tiles if evidence.taken_up(track)]
        pairs = _pairs(self.tiles, found)
        taken = set(pairs.values())
        fresh = [each for index, each in enumerate(found) if index not in taken]
        for track in self.tiles:
            if track in bridges or not evidence.looked(track):
                continue
            track.veiled = evidence.hidden(track)
            sighting = found[pairs[track.name]] if track.name in pairs else None
            if sighting is not None and _is_worth_nothing(sighting, track, evidence):
                sighting = None
            if track.veiled:
                continue
            if sighting is None:
                if not any(track.covered):
                    track.doubt(_contradicted(track, fresh, self.tiles))
                if not any(track.covered) and (_is_gone(track, evidence) or _makes_way(track, fresh, self.tiles, evidence)):
                    gone.append(track)
            elif not any(track.covered) and _is_another(track, sighting, handled, evidence):
                gone.append(track)
                instead.append(sighting)
            else:
                moved += _again(track, sighting, evidence)
                if sighting.score > SHOWN and same_face(track.ends, sighting.ends):
                    track.patch = evidence.patch(track)
        self.tiles = [track for track in self.tiles if track in gone or not _is_worthless(track)]
        gone += self._taken_off({name: found[index] for name, index in pairs.items()}, [*gone, *bridges], evidence)
        staying = [track for track in self.tiles if track not in gone]
        latent, new = _newcomers(fresh, staying, instead, evidence)
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

    def _bridge(self, evidence: Evidence) -> list[Track]:
        """The tiles laid on two others, now: what they cover is not looked for any more."""
        looked = [track for track in self.tiles if evidence.looked(track)]
        there = [track for track in within_reach(self.tiles, looked) if not evidence.hidden(track)]
        meeting = [joint for joint in joints(there) if any(evidence.looked(track) for track, _ in joint.halves)]
        bridges: list[Track] = []
        for joint, sighting in evidence.bridged(meeting):
            below = tuple(track.name for track, _ in joint.halves)
            if any(track.covered[half] for track, half in joint.halves) or any(set(below) == set(each.under) for each in bridges):
                continue  # two joints share a half, or lie side by side on the same tiles, and one tile lies on one of them
            track = self._laid(sighting, evidence)
            track.under = below
            track.worth += AS_BELOW
            bridges.append(track)
            cover(self.tiles)
        return bridges

    def _taken_off(self, seen: Mapping[int, Sighting], but: Sequence[Track], evidence: Evidence) -> list[Track]:
        """Tiles that lay on two others which are both seen whole again, where something changed."""
        by_name = {track.name: track for track in self.tiles}
        return [track for track in self.tiles if track not in but and track.name not in seen and len(track.under) == 2 and all(
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


def _is_worth_nothing(sighting: Sighting, track: Track, evidence: Evidence) -> bool:
    """Whether what seems to be another tile at a track's place is hardly one: faint, or not sure where that tile has gone."""
    if same_face(track.ends, sighting.ends) or sighting.score > SHOWN:
        return False
    return sighting.score < FAINTEST or _share_is(evidence.gone(track), SURELY_GONE)


def _is_gone(track: Track, evidence: Evidence) -> bool:
    """Whether a tile that is not read at its place any more has left it."""
    gone = evidence.gone(track)
    changed, empty = _share_is(gone, GONE), evidence.empty(track) if track.score > SURE else 0.0
    least = PLAIN if track.ends is not None else STILL_NO_BACK if track.missing else NO_BACK
    if not (changed or gone.faded > FADED or empty > least):
        track.missing = 0
        track.worth -= 0 if track.under else UNREAD  # one on two others shows what they do, and is easily read as them
        return False
    track.missing += 1
    return _share_is(gone, SURELY_GONE) or (changed and empty > BARE) or empty >= NO_DOUBT or track.missing >= MISSING


def _makes_way(track: Track, fresh: Sequence[Sighting], tracks: Sequence[Track], evidence: Evidence) -> bool:
    """Whether a new tile lies where it lay."""
    return any(sighting.score > SHOWN and overlap(sighting.corners, track.corners) > ON_ANOTHER
               and not rests_on(sighting, tracks) and _share_is(evidence.new(sighting), NEW) for sighting in fresh)


def _contradicted(track: Track, fresh: Sequence[Sighting], tracks: Sequence[Track]) -> float:
    """Log-odds, 0 or more, of what is seen where it lies as no tile can beside it."""
    return max((log_odds(sighting.score) for sighting in fresh if sighting.score > SHOWN
                and overlap(sighting.corners, track.corners) > ON_ANOTHER and not rests_on(sighting, tracks)), default=0.0)


def _is_another(track: Track, sighting: Sighting, handled: Sequence[Track], evidence: Evidence) -> bool:
    """Whether at a track's place another tile lies now, rather than the same one read otherwise. handled: all tracks whose
    places hands left bare."""
    if same_face(track.ends, sighting.ends) or sighting.score <= LEAST_SCORE:
        return False
    if track in handled:  # where tiles slide along, one may take the place of another that is much like it
        slid = not sighting.back and any(same_face(other.ends, sighting.ends) for other in handled)
        if sighting.score > (SHOWN if slid else SURE):
            return True
    gone = evidence.gone(track)
    if sighting.score > SHOWN and gone.whole >= CHANGED and gone.both >= OF_ONE_HALF * CHANGED:
        return True
    # A pip covers a small part of a half: where one patch of more changed, and the other half shows what it did, a thing lies
    # on it.
    now, before = (probabilities.argmax(axis=1) for probabilities in (aligned(sighting, track.corners)[1], track.counts))
    another = bool((now != before).all()) or gone.most_coloured < A_THING
    return another and any(gone.spots >= spots and sighting.score > asked for spots, asked in OTHER_PIPS)


def _is_worthless(track: Track) -> bool:
    """Whether so many looks failed to show a tile that it was never there."""
    return track.worth < 0


def _share_is(share: Share, asked: float) -> bool:
    return share.whole >= asked and share.both >= OF_ONE_HALF * asked


def _again(track: Track, sighting: Sighting, evidence: Evidence) -> list[tuple[SeenTile, SeenTile]]:
    """The same tile seen once more: where it slid it moved."""
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


def _newcomers(fresh: Sequence[Sighting], staying: Sequence[Track], instead: Sequence[Sighting],
               evidence: Evidence) -> tuple[list[Sighting], list[Sighting]]:
    """Sightings at places where nothing is known: those that lay there unnoticed, and those that are new."""
    latent: list[Sighting] = []
    new: list[Sighting] = []
    for sighting in sorted(fresh, key=lambda each: -each.score):
        if sighting.score < (SHOWN if sighting.back else LEAST_SCORE):
            continue
        if _on_another(sighting, staying, [*new, *latent, *instead]):
            continue
        if sighting.score < SHOWN and not _is_of_their_size(sighting, staying):
            continue
        needed = NEW + (NEW_IF_UNSURE - NEW) * (1 - sighting.score)
        if _share_is(evidence.new(sighting), needed):
            new.append(sighting)
        elif sighting.score > _least_unnoticed(sighting):
            latent.append(sighting)
    return latent, new


def _least_unnoticed(sighting: Sighting) -> float:
    """How surely a tile must be seen that lies where earlier looks did not show it: a scratched back in the dark looks like a
    double blank at one of them.
    """
    if sighting.back:
        return SHOWN
    return SURE if any(sighting.ends) else PLAIN


def _is_of_their_size(sighting: Sighting, staying: Sequence[Track]) -> bool:
    """Whether it is as large as the tiles that lie there, or so few do that nobody knows."""
    if len(staying) < 3:
        return True
    return 0.8 < sighting.half / float(np.median([half_of(track.corners) for track in staying])) < 1.25


def _on_another(sighting: Sighting, staying: Sequence[Track], others: Sequence[Sighting]) -> bool:
    lying = [track.corners for track in staying] + [other.corners for other in others]
    return any(overlap(sighting.corners, lying[at]) > ON_ANOTHER for at in near_to(sighting, lying, 4.0))


def _came_from(sighting: Sighting, gone: Sequence[Track]) -> Track | None:
    """The nearest of the vanished tiles with the same face."""
    same = [track for track in gone if same_face(track.ends, sighting.ends)]
    middle = sighting.corners.mean(axis=0)
    return min(same, key=lambda track: float(np.linalg.norm(track.corners.mean(axis=0) - middle)), default=None)
