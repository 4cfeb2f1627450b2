"""What is believed to lie on the table, and what one settled picture makes of it.

`infer` weighs, in nats, which tiles stay, go and come: every place that may hold a tile is told in the picture now and in
the last settled one, so that what misleads the networks in both cancels; what nobody touched stays; and of all sets of
tiles that can lie there together the likeliest is believed (set packing, exact). It is pure: to ask changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import exp, inf, lgamma, log

import numpy as np

from vision.degrees import HALF, HARDLY, NEVER, SELDOM, SOME, nats_against
from vision.detection import Detection, Mapping, aligned, half_of, middles_of, same_face, turned
from vision.halves import iou, overlap
from vision.observation import Array, SeenTile
from vision.reader import SHARED, SHOWN, log_odds
from vision.table.layout_changes import STIRRED, LayoutChanges
from vision.table.packing import heaviest
from vision.table.sensor import SENSOR
from vision.table.stacks import MEETING, covering, half_outline, rests_on
from vision.table.track import Track

SAME_PLACE = HALF
"""Intersection over union from which a detection is at a tile's place."""

IMPOSSIBLE = 30.0
"""Nats against what cannot be."""


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What the networks say of a place in one picture: (3,) probabilities of face, back, nothing, and (2, 16) of its pips."""

    kinds: Array
    counts: Array

    def there(self, back: bool) -> float:
        """Log-odds that a tile lies there, face down or not, rather than anything else."""
        return _logit(float(self.kinds[1 if back else 0]))

    def sure(self, back: bool) -> float:
        """Log-odds that a tile lies there and is read right."""
        return _logit(float(self.kinds[1] if back else self.kinds[0] * self.counts.max(axis=1).prod()))

    def shows(self, back: bool, counts: Array) -> float:
        """Log-odds that it shows the same tile as another look, of which (2, 16) tell the pips if it is no back; looks that
        both leave the pips open do not differ."""
        return _logit(float(self.kinds[1 if back else 0]) * self._alike(back, counts))

    def is_the_same(self, back: bool, counts: Array) -> float:
        """The same, if any tile lies there at all."""
        tile = float(self.kinds[:2].sum())
        share = float(self.kinds[1 if back else 0]) / tile if tile > SENSOR.outlier else 1.0
        return _logit(share * self._alike(back, counts))

    def half_shows(self, half: int, counts: Array) -> float:
        """Log-odds that one half of a face shows the same pips as another look, (16,); what is no face tells nothing of them."""
        face = float(self.kinds[0])
        return _logit(face * float(_shared(self.counts[half], counts)) + (1 - face) / 2)

    def _alike(self, back: bool, counts: Array) -> float:
        """How much both looks agree on the pips, 0 to 1."""
        return 1.0 if back else float(_shared(self.counts, counts).prod())


def _shared(one: Array, other: Array) -> Array:
    """(...) how much looks at halves, (..., 16), agree on their pips, 0 to 1."""
    return np.asarray((one * other).sum(axis=-1) / np.maximum((one**2).sum(axis=-1), (other**2).sum(axis=-1)))


def _logit(probability: float) -> float:
    """Log-odds, by a network whose word is worth nothing now and then."""
    told = (1 - SENSOR.outlier) * probability + SENSOR.outlier / 3
    return float(np.log(told / (1 - told + SENSOR.outlier / 3)))


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """What two pictures show where a tile may lie.

    sighting: the tile that it may be, as it shows now. now, before: what the networks say; before is None where the last
    settled picture does not show the place. change: (2, 6) how each half's picture changed, None where that is not known:
    edges that came and were lost, spots, colour, and of its rim's edges those that were lost and came, NaN where it shows none.
    upon: log-odds that a tile lies there on others, now and before, by the outlines; below: the halves under it, by track.
    touched: something moved over it since.
    """

    detection: Detection
    now: Told
    before: Told | None = None
    change: Array | None = None
    upon: tuple[float, float] | None = None
    below: tuple[tuple[int, int], ...] = ()
    touched: bool = True

    @property
    def corners(self) -> Array:
        return self.detection.corners

    def denied_again(self, back: bool) -> bool:
        """Whether the last settled picture denied as well that a tile lies there: of a still table that is no news."""
        return self.before is not None and max(self.now.there(back), self.before.there(back)) < 0


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What one settled picture shows beside the last one.

    seen: the places of known tiles that were looked at and are in plain view, by track. proposed: where else tiles may lie.
    patches: how the places of seen tiles look now. bared: tracks whose places hands were seen to leave bare. hidden: those
    under a hand or out of the picture. copies: how often each face is in the set, 0 where that is not known. first: whether only
    now it is known where tiles may lie, so that nobody missed what lay there before.
    """

    seen: dict[int, Place] = field(default_factory=dict)
    proposed: Sequence[Place] = ()
    patches: dict[int, Array] = field(default_factory=dict)
    bared: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()
    copies: int = 0
    first: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """What may be at a place: a known tile stays, or a new one lies there, perhaps on known ones that stay under it.

    weight: nats for it, beside that no tile is there. keeps: the known tiles that stay.
    """

    weight: float
    keeps: tuple[Track, ...] = ()
    place: Place | None = None

    @property
    def outlines(self) -> tuple[Array, ...]:
        """(4, 2) each, of all its tiles."""
        return (*(track.corners for track in self.keeps), *((self.place.corners,) if self.place is not None else ()))


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """The tiles believed to lie on the table; `names`: how many there ever were."""

    tiles: tuple[Track, ...] = ()
    names: int = 0

    def seen(self) -> tuple[SeenTile, ...]:
        """As others are told of them."""
        return tuple(track.seen for track in self.tiles)

    def moved(self, forth: Mapping) -> Belief:
        """The same, after the camera was bumped; forth: from where things lay to where they are seen now."""
        return replace(self, tiles=tuple(replace(track, corners=forth(track.corners)) for track in self.tiles))


def infer(belief: Belief, evidence: Evidence) -> tuple[Belief, LayoutChanges]:
    """The belief after one more settled picture, and what changed by it."""
    again = _matched(belief, evidence)
    taken = _likeliest(hypotheses(belief, evidence, again))
    staying = {track.name: track for each in taken for track in each.keeps}
    gone = [track for track in belief.tiles if track.name not in staying]
    new = [each for each in taken if each.place is not None]
    hidden = {track.name for each in new for track in each.keeps}
    tiles, moved = [], []
    for track in (staying[each.name] for each in belief.tiles if each.name in staying):
        place = None if track.name in hidden else again.get(track.name) or evidence.seen.get(track.name)
        after = _updated(track, place, evidence)
        tiles.append(after)
        if after is not track and np.linalg.norm(after.middle - track.middle) > STIRRED * half_of(track.corners):
            moved.append((track.seen, after.seen))
    came: list[Track] = []
    for each in sorted(new, key=lambda each: len(each.keeps)):
        assert each.place is not None
        under = tuple(track.name for track in each.keeps)
        origin = _origin(each.place.detection, gone) or _from_hiding(each.place.detection, tiles, evidence)
        if origin is not None:
            (gone if origin in gone else tiles).remove(origin)
            after = replace(_moved(origin, each.place.detection), under=under)
            tiles.append(after)
            moved.append((origin.seen, after.seen))
        else:
            came.append(replace(Track.of(belief.names + len(came) + 1, each.place.detection), under=under))
    tiles = covering([*tiles, *came])
    believed = Belief(tuple(tiles), belief.names + len(came))
    return believed, LayoutChanges(tuple(track.seen for track in tiles[len(tiles) - len(came) :]),
                                   tuple(track.seen for track in gone), tuple(moved))


def hypotheses(belief: Belief, evidence: Evidence, again: dict[int, Place] | None = None) -> list[Hypothesis]:
    """All that may be: each known tile stays, and one lies at each place that was found. again: those that show a known tile."""
    again = _matched(belief, evidence) if again is None else again
    glare = SENSOR.glare
    standing = [_standing(track, evidence, SENSOR.go, glare, again.get(track.name)) for track in belief.tiles]
    if any(min(each.stays, *each.kept) < 0 for each in standing):
        glare, go = _mirrored(standing), _left(standing, evidence)
        standing = [_standing(track, evidence, go, glare, again.get(track.name)) for track in belief.tiles]
    used = {id(place) for place in again.values()}
    coming = [_coming(place, standing, evidence, glare) for place in evidence.proposed if id(place) not in used]
    return [*(Hypothesis(each.stays, (each.after or each.track,)) for each in standing), *coming]


def begin(found: Sequence[Detection]) -> Belief:
    """The first look at a table: whatever is read lies there, be it one of two numbers."""
    tracks: list[Track] = []
    hiding: set[Track] = set()
    for detection in found:
        if detection.score * (1.0 if detection.back else _one_of_two(detection.probabilities)) <= SHOWN:
            continue
        below = rests_on(detection, tracks)
        track = Track.of(len(tracks) + 1, detection)
        if not below:
            hiding.update((track,) if detection.half_hidden else ())
        elif hiding.issuperset(below):  # otherwise it is their joint: in one picture that may look like a tile
            track = replace(track, under=tuple(each.name for each in below))
        else:
            continue
        tracks.append(track)
    return Belief(tuple(covering(tracks)), len(tracks))


def _one_of_two(counts: Array) -> float:
    """How many times as likely it is that halves, (2, 16), show one of the two numbers that each most likely shows, as that they
    show the likeliest."""
    ordered = np.sort(counts, axis=1)
    return float((ordered[:, -2:].sum(axis=1) / ordered[:, -1]).prod())


def recall(belief: Belief, found: Sequence[Detection]) -> tuple[Belief, LayoutChanges]:
    """The belief after a picture of which nobody knows how it was taken: only faces can be counted, not places."""
    left, stay = list(belief.tiles), []
    came: list[Track] = []
    for detection in sorted(found, key=lambda each: -each.score):
        if detection.score <= SHOWN:
            continue
        track = next((each for each in left if same_face(each.ends, detection.ends)), None)
        if track is None:
            came.append(Track.of(belief.names + len(came) + 1, detection))
        else:
            left.remove(track)
            corners = detection.corners if track.ends == detection.ends else turned(detection.corners)
            stay.append(replace(track, corners=corners, patch=None))
    gone = tuple(track.seen for track in left)
    return Belief((*stay, *came), belief.names + len(came)), LayoutChanges(tuple(track.seen for track in came), gone)


# What is told of places, as the sensor's rates weigh it.


def half_features(place: Place, half: int) -> tuple[float, ...]:
    """How much the picture of a half changed: fresh edges, lost ones, spots, colour."""
    assert place.change is not None
    return tuple(np.sqrt(np.fmax(place.change[half, :4], 0)).tolist())  # 0 where it shows no edges


def plain_features(place: Place, half: int, came: bool = False) -> tuple[float, ...]:
    """The same of a half without edges: colour, and how much of its outline was lost, or came: some of one that never showed,
    for all we know."""
    assert place.change is not None
    return tuple(np.sqrt(np.nan_to_num(place.change[half, [3, 5 if came else 4]], nan=SOME)).tolist())


def upper_features(place: Place, tiles: Sequence[Track]) -> tuple[float, ...]:
    """Of a tile that may lie on others: that it is news, that by the outlines its lying there is, and that its halves changed."""
    assert place.upon is not None
    alike = shows_what_lay_there(place, tiles)
    changed = sum((became_another(place, half, alike[half]) for half in (0, 1)), 0.0)
    return _news(place, all(alike)), min(place.upon[0], place.upon[0] - place.upon[1]), changed


def _news(place: Place, alike: bool = False) -> float:
    """Log-odds that a tile lies there now, and that it did not before. alike: the halves below read like it, so that only
    its being read more surely than they were is news."""
    back = place.detection.back
    there = place.now.there(back)
    if place.before is None:
        return there
    return min(there, there - place.before.there(back) if alike else -place.before.shows(back, place.now.counts))


# What speaks for each tile.


def became_another(place: Place, half: int, alike: bool) -> float:
    """Log-likelihood ratio that a half shows another thing than before rather than the same, by its picture alone. Where neither
    has an edge, as a blank on a plain cloth, the two look alike whatever they are, unless an outline came, as one is lost where a
    plain tile goes. One that stood there before may be its neighbour's."""
    if place.change is None:
        return 0.0
    plain = bool(np.isnan(place.change[half, 0]))
    told = SENSOR.weighed(SENSOR.alike if alike or plain else SENSOR.other, half_features(place, half))
    if not plain or np.isnan(place.change[half, 5]):
        return told
    return max(told, SENSOR.weighed(SENSOR.plain, plain_features(place, half, came=True)) / 2)


@dataclass(frozen=True, slots=True)
class _Standing:
    """What speaks for a known tile, in nats. stays: that it stays, rather than goes and leaves its place bare; missed: the part
    against that of not reading it there; kept: of each half, that its picture is the same as before. after: the tile, if it
    stays, with what this look tells of hands that may have taken it."""

    track: Track
    stays: float
    missed: float = 0.0
    kept: tuple[float, float] = (0.0, 0.0)
    after: Track | None = None


def _standing(track: Track, evidence: Evidence, go: float, glare: float, found: Place | None = None) -> _Standing:
    """What speaks for a known tile; one that nobody looked at, or that is covered, stays. go, glare: see `Sensor`, by how many
    tiles left, and look otherwise, in this picture. found: where it lies now, if it was only nudged."""
    place = evidence.seen.get(track.name)
    if place is None or any(track.covered):
        return _Standing(track, IMPOSSIBLE)
    back = track.ends is None
    now = then = place.now.there(back)
    missed = -now
    if place.before is not None:
        then = place.before.there(back)
        missed = min(-now, then - now)
    went = 0.0 if track.name in evidence.bared else go if place.touched else SENSOR.by_itself
    if track.under and place.upon is not None:
        return _Standing(track, -went - _taken_off(place, min(missed, then)), missed)
    missed += max(0.0, -place.now.is_the_same(back, track.probabilities))
    kept = looks_as_before(place, 0), looks_as_before(place, 1)
    never = -track.odds_after(max(0.0, now, then))  # nothing was there, or it left unseen; what was denied `_updated` has counted
    took = went - sum(max(nats, -glare) for nats in kept)  # that it looks otherwise may be a reflection
    earlier = -(track.held + now)  # a hand may have taken it before, and no look was sure of that
    stays = -float(np.logaddexp(np.logaddexp(took + missed, never), earlier))
    if found is not None:
        shown = found.now.there(back)
        after = replace(track, held=track.held + max(0.0, shown), denied=min(0.0, shown))
        return _Standing(track, float(np.logaddexp(stays, _pushed(track, found))), missed, kept, after)
    held = -float(np.logaddexp(-track.held, took + min(0.0, then))) if place.touched else track.held
    return _Standing(track, stays, missed, kept, replace(track, held=held + max(0.0, now), denied=min(0.0, now)))


def _pushed(track: Track, place: Place) -> float:
    """Nats for a known tile lying aside, at a place that shows its face, rather than having been taken: that is as rare. What is
    no tile, or another, hardly shows the very numbers of one that lay beside."""
    back = track.ends is None
    named = track.probabilities if track.ends == place.detection.ends else track.probabilities[::-1]
    return min(place.now.there(back) + (0.0 if back else nats_against(HARDLY)), place.now.is_the_same(back, named))


def _left(standing: Sequence[_Standing], evidence: Evidence) -> float:
    """Log-odds that a tile left that hands came over, by how many of them did: few in a play, any part of them in a sweep, which
    hands do hardly ever."""
    touched = [each.stays < 0 for each in standing
               if each.track.name in evidence.seen and evidence.seen[each.track.name].touched]
    left, stayed = sum(touched), len(touched) - sum(touched)
    usual = 1 / (1 + exp(-SENSOR.go))
    play = left * log(usual) + stayed * log(1 - usual)
    sweep = log(NEVER) + lgamma(left + 1) + lgamma(stayed + 1) - lgamma(len(touched) + 2)
    swept = 1 / (1 + exp(play - sweep))
    return log_odds((1 - swept) * usual + swept * (left + 1) / (len(touched) + 2))


def _mirrored(standing: Sequence[_Standing]) -> float:
    """How much a half that looks otherwise speaks against its tile at most, by how many do of tiles that are read as before: a
    lamp that is switched mirrors in tiles all over the table."""
    otherwise = sum(nats < 0 for each in standing if each.missed < 0 for nats in each.kept)
    return min(SENSOR.glare, log((2 * len(standing) + exp(SENSOR.glare)) / (otherwise + 1)))


def looks_as_before(place: Place, half: int) -> float:
    """How surely a known tile's half looks as before. Where it shows no edges, as a plain back does and the table under it, its
    colour and its outline tell that, and where it shows no outline either, only another colour tells that it does not: that it
    is of one colour with the table says nothing."""
    if place.change is None or not np.isnan(place.change[half, 0]):
        return -became_another(place, half, False)
    kept = -SENSOR.weighed(SENSOR.plain, plain_features(place, half)) / 2
    return min(0.0, kept) if np.isnan(place.change[half, 4]) else kept


def _taken_off(place: Place, missed: float) -> float:
    """Nats for a tile that lay on others having been taken off them: what was weighed as it came, the other way round."""
    assert place.upon is not None
    now, then = place.upon
    changed = sum((became_another(place, half, True) for half in (0, 1)), 0.0)
    return SENSOR.weighed(SENSOR.upper, (missed, min(then, then - now), changed), 3)


def _once_more(place: Place, known: Sequence[_Standing], under: Sequence[_Standing], evidence: Evidence) -> float:
    """Nats for what is read at a place, on these, though it lies elsewhere, or below it: either the set has one more, or one of
    them, or this, is another, or what seems the double blank is a back."""
    ends = place.detection.ends
    if not evidence.copies or ends is None:
        return 0.0
    same = [each for each in known if same_face(each.track.ends, ends) and each.track.name not in evidence.hidden]
    others = [each for each in same if each in under or (each.stays > 0 and overlap(each.track.corners, place.corners) <= SHARED)]
    if len(others) < evidence.copies:
        return 0.0
    here = float(place.now.counts.max(axis=1).prod())
    misread = -float(np.logaddexp(0.0, min(log_odds(sure) for sure in (here, *(each.track.score for each in others)))))
    scratched = place.now.there(True) if ends == (0, 0) else -IMPOSSIBLE
    return float(np.logaddexp.reduce([SENSOR.foreign, misread, scratched]))


def _exchanged(place: Place, alike: Sequence[bool]) -> float:
    """Nats for another tile in a known one's place, rather than none: a tile that was taken is as often exchanged. What is read
    in glare or shade is hardly sure."""
    same = 0.0
    for half in (0, 1):
        if alike[half]:  # that it changed tells nothing then: it may lie a little aside
            changed = became_another(place, half, False)
            same += min(became_another(place, half, True), max(0.0, changed)) - changed
    return min(place.now.sure(place.detection.back), _news(place)) + same


def _misread(track: Track, place: Place, evidence: Evidence, glare: float) -> float:
    """Nats for a known tile having been what is read at its place now all along, rather than none lying there."""
    if track.name not in evidence.seen or any(track.covered):
        return -IMPOSSIBLE
    retold = track.retold(place.detection)
    told = _standing(retold, evidence, SENSOR.go, glare).stays - log_odds(track.score)
    before = evidence.seen[track.name].before
    if before is None:
        return told
    as_it_is, as_it_was = (before.shows(each.ends is None, each.probabilities) for each in (retold, track))
    return told + min(0.0, as_it_is - as_it_was)


def _coming(place: Place, known: Sequence[_Standing], evidence: Evidence, glare: float) -> Hypothesis:
    """A place where no tile is known: that one lies there, be it new or unnoticed before, on the table or on others."""
    detection = place.detection
    middles = np.array([each.track.middle for each in known]).reshape(-1, 2)
    is_near = np.abs(middles - place.corners.mean(axis=0)).max(axis=1) < MEETING * half_of(place.corners)
    near = [known[at] for at in np.flatnonzero(is_near).tolist()]
    tiles = [each.track for each in near]
    names = {name for name, _ in place.below}
    under = [each for each in near if each.track.name in names]
    once_more = _once_more(place, known, under, evidence)
    came = (SENSOR.come if place.touched else SENSOR.by_itself) + once_more
    alike = shows_what_lay_there(place, tiles)
    if place.below:
        how = SENSOR.on_one if len(names) == 1 else SENSOR.on_alike if all(alike) else SENSOR.on_others
        veiled = [max(each.kept[half], -glare) for each in under for name, half in place.below if name == each.track.name]
        stay = sum((each.stays + max(0.0, each.missed) for each in under), 0.0)
        stay -= sum((min(0.0, nats) for nats in veiled), 0.0)  # what lies on them hides them
        stay += sum((_looks_out(each, half, evidence) for each in under for half in (0, 1)
                     if (each.track.name, half) not in place.below), 0.0)
        seen = upper_features(place, tiles)  # the reading, the outlines, the change
        return Hypothesis(SENSOR.weighed(SENSOR.upper, seen, len(seen)) + came + how + stay,
                          tuple(each.track for each in under), place)
    changed = sum((became_another(place, half, alike[half]) for half in (0, 1)), 0.0)
    in_place = next((track for track in tiles if iou(track.corners, place.corners) > SAME_PLACE), None)
    if in_place is not None:
        misread = _misread(in_place, place, evidence, glare) + once_more
        return Hypothesis(float(np.logaddexp(_exchanged(place, alike), misread)), (), place)
    there = place.now.sure(detection.back)  # what can hardly be read is no tile that was overlooked
    then = there if place.before is None else place.before.shows(detection.back, place.now.counts)
    covered = [(each, half) for each in near for half in (0, 1)
               if overlap(half_outline(each.track.corners, half), place.corners) > HALF]
    same = sum((each.kept[half] for each, half in covered), 0.0)
    wrong = sum(max(0.0, log_odds(each.track.score) + SENSOR.go) / 2 for each, _ in covered)
    missed = -nats_against(SELDOM) if evidence.first else SENSOR.unnoticed
    unnoticed = (there + then) / 2 + missed - wrong
    changed += same  # what of it the tiles that it covers have told already
    came += changed - float(np.logaddexp(0.0, SENSOR.shadow + changed))  # that may have come as well
    came -= nats_against(SELDOM) * sum(alike)  # another tile would show just the number of the half that lay there
    aside = [_pushed(track, place) for track in tiles if track.name in evidence.seen
             and same_face(track.ends, detection.ends) and overlap(track.corners, place.corners) > SHARED]
    return Hypothesis(float(np.logaddexp.reduce([_news(place) + came, unnoticed + same, *aside])), (), place)


def _looks_out(below: _Standing, half: int, evidence: Evidence) -> float:
    """Nats against a tile under another where its open half neither reads nor looks as before."""
    track = below.track
    if track.name not in evidence.seen or any(track.covered):
        return 0.0
    middle, reach = middles_of(track.corners)[half], half_of(track.corners) / 2
    places = [evidence.seen[track.name], *(place for place in evidence.proposed if not place.below)]
    shown = [place.now.half_shows(side, track.probabilities[half]) for place in places
             for side, seen in enumerate(middles_of(place.corners)) if np.linalg.norm(seen - middle) < reach]
    return min(0.0, min(shown, default=0.0) + max(0.0, below.kept[half]))


def shows_what_lay_there(place: Place, near: Sequence[Track]) -> list[bool]:
    """Of each half, whether it shows what the known tile's half shows that lies there, if one does."""
    alike = [False, False]
    for half, end in enumerate(place.detection.ends or ()):
        for track in near:
            for side, middle in enumerate(middles_of(track.corners)):
                if (np.linalg.norm(middle - middles_of(place.corners)[half]) < half_of(place.corners) / 2
                        and track.ends is not None and not track.covered[side]):
                    alike[half] = track.ends[side] == end
    return alike


def _likeliest(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Those that can all be true, and together are the likeliest."""
    worth = [each for each in hypotheses if each.weight > 0]
    if not worth:
        return []
    rivals: list[set[int]] = [set() for _ in worth]
    middles = np.stack([each.outlines[-1] for each in worth]).mean(axis=1)
    reach = 2 * MEETING * max(half_of(each.outlines[-1]) for each in worth[:8])
    near = np.triu(np.abs(middles[:, None] - middles[None]).max(axis=2) < reach, 1)
    new = np.array([each.place is not None for each in worth])
    for one, other in np.argwhere(near & (new[:, None] | new)).tolist():  # known tiles that stay all lay there before
        if exclude(worth[one], worth[other]):
            rivals[one].add(other)
            rivals[other].add(one)
    chosen = heaviest(np.array([each.weight for each in worth]), rivals)
    return [worth[at] for at in chosen]


def exclude(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether both cannot be true: they share tiles, or two tiles overlap that did not both lie there before."""
    if one.place is None and other.place is None:
        return False
    names = {track.name for track in one.keeps}
    if any(track.name in names for track in other.keeps):
        return True
    pairs = [(one.place, other), (other.place, one)]
    return any(place is not None and overlap(place.corners, outline) > SHARED for place, beside in pairs
               for outline in beside.outlines)


# What becomes of the tiles.


def _matched(belief: Belief, evidence: Evidence) -> dict[int, Place]:
    """By track, what was found at its place and shows the same face: the best fitting first."""
    options = [(shared * place.detection.score, track.name, place) for place in evidence.proposed for track in belief.tiles
               if track.name in evidence.seen and not place.below and same_face(track.ends, place.detection.ends)
               and np.abs(track.middle - place.corners.mean(axis=0)).max() <= 2 * half_of(place.corners)
               and (shared := iou(track.corners, place.corners)) > SAME_PLACE]
    pairs: dict[int, Place] = {}
    used: set[int] = set()
    for _, name, place in sorted(options, key=lambda each: -each[0]):
        if name not in pairs and id(place) not in used:
            pairs[name] = place
            used.add(id(place))
    return pairs


def _updated(track: Track, place: Place | None, evidence: Evidence) -> Track:
    """A tile that stays, as one more look tells of it."""
    veiled = track.name in evidence.hidden
    if place is None or any(track.covered) or place.denied_again(track.ends is None):
        return track if veiled == track.veiled else replace(track, veiled=veiled)
    detection = place.detection
    corners, _ = aligned(detection, track.corners)
    after = replace(track.fused(detection), veiled=veiled)
    if same_face(after.ends, detection.ends):
        slid = float(np.linalg.norm(corners.mean(axis=0) - track.middle) / half_of(track.corners))
        share = np.float32(1.0 if slid > STIRRED else max(0.25, 1 / after.looks))
        after = replace(after, corners=track.corners + share * (corners - track.corners))
        patch = evidence.patches.get(track.name)
        after = after if patch is None else replace(after, patch=patch)
    return after


def _moved(track: Track, detection: Detection) -> Track:
    """A tile that lies aside of its place, or elsewhere, where only what is seen of it tells how surely: it may be another."""
    same_way = track.ends == detection.ends
    corners = detection.corners if same_way else turned(detection.corners)
    if overlap(track.corners, corners) > SHARED:
        return replace(track, corners=corners, patch=None, covered=(False, False), held=inf, denied=0.0).fused(detection)
    here = Track.of(track.name, detection)
    return replace(here, corners=corners, counts=here.counts if same_way else here.counts[::-1])


def _from_hiding(detection: Detection, tiles: Sequence[Track], evidence: Evidence) -> Track | None:
    """A hidden tile of which the set has no other, so that it is the one that is seen elsewhere now."""
    ends = detection.ends
    if not evidence.copies or ends is None:
        return None
    same = [track for track in tiles if same_face(track.ends, ends)]
    if len(same) < evidence.copies:
        return None
    return _origin(detection, [track for track in same if track.name in evidence.hidden])


def _origin(detection: Detection, gone: Sequence[Track]) -> Track | None:
    """The nearest of the tiles that left their places with the same face."""
    same = [track for track in gone if same_face(track.ends, detection.ends)]
    middle = detection.corners.mean(axis=0)
    return min(same, key=lambda track: float(np.linalg.norm(track.middle - middle)), default=None)
