"""What the evidence of two pictures says of single tiles: whether one has gone, another lies in its place, or a new one came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.halves import overlap
from vision.reader import SHOWN, log_odds
from vision.table.evidence import Share
from vision.table.sighting import Sighting, aligned, half_of, near_to, same_face
from vision.table.stacks import Joint, rests_on
from vision.table.track import Track

Array = NDArray[np.float32]

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

CAME = 0.008
"""The same share where the tile that is read there lay elsewhere, and is not seen there any more: then it need be read no
surer than any that is told."""

SURE = 0.9

SURE_BLANK = 0.97
"""How surely a double blank must be read where earlier looks showed nothing: a scratched back in the dark may look like one."""


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

    def upon(self, sighting: Sighting) -> bool:
        """Whether by the outlines around it a tile lies on others there, and none did."""

    def held(self, sighting: Sighting) -> bool:
        """Whether a hand touches what is seen there, and may hold it."""

    def hidden(self, track: Track) -> bool:
        """Whether a hand or another thing lies over it, or it is out of the picture."""

    def looked(self, track: Track) -> bool:
        """Whether its place was read this time."""

    def taken_up(self, track: Track) -> bool:
        """Whether a hand was seen to leave its place bare since it was last read."""

    def patch(self, track: Track) -> Array:
        """How its place looks now, straightened."""


def is_worth_nothing(sighting: Sighting, track: Track, evidence: Evidence) -> bool:
    """Whether what seems to be another tile at a track's place is hardly one: faint, or not sure where that tile has gone."""
    if same_face(track.ends, sighting.ends) or sighting.score > SHOWN:
        return False
    return sighting.score < FAINTEST or _share_is(evidence.gone(track), SURELY_GONE)


def is_gone(track: Track, evidence: Evidence) -> bool:
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


def was_taken(track: Track, sighting: Sighting | None, evidence: Evidence) -> bool:
    """Whether a back that a hand was seen to take up has gone, though its neighbours look somewhat like one there."""
    unread = sighting is None or (sighting.back and sighting.score < SURE)
    return unread and track.ends is None and evidence.taken_up(track) and evidence.empty(track) > STILL_NO_BACK


def makes_way(track: Track, fresh: Sequence[Sighting], tracks: Sequence[Track], evidence: Evidence) -> bool:
    """Whether a new tile lies where it lay."""
    return any(sighting.score > SHOWN and overlap(sighting.corners, track.corners) > ON_ANOTHER
               and not rests_on(sighting, tracks) and _share_is(evidence.new(sighting), NEW) for sighting in fresh)


def contradicted(track: Track, fresh: Sequence[Sighting], tracks: Sequence[Track]) -> float:
    """Log-odds, 0 or more, of what is seen where it lies as no tile can beside it."""
    return max((log_odds(sighting.score) for sighting in fresh if sighting.score > SHOWN
                and overlap(sighting.corners, track.corners) > ON_ANOTHER and not rests_on(sighting, tracks)), default=0.0)


def is_another(track: Track, sighting: Sighting, handled: Sequence[Track], missed: Sequence[Track], evidence: Evidence) -> bool:
    """Whether at a track's place another tile lies now, rather than the same one read otherwise. handled: all tracks whose
    places hands left bare; missed: those that were looked for and are not seen."""
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
    came = not sighting.back and any(same_face(other.ends, sighting.ends) for other in missed)
    if another and came and gone.spots >= CAME and sighting.score > SHOWN:
        return True
    return another and any(gone.spots >= spots and sighting.score > asked for spots, asked in OTHER_PIPS)


def _share_is(share: Share, asked: float) -> bool:
    return share.whole >= asked and share.both >= OF_ONE_HALF * asked


def newcomers(fresh: Sequence[Sighting], staying: Sequence[Track], instead: Sequence[Sighting],
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
        elif sighting.score > (SURE_BLANK if sighting.ends == (0, 0) else SURE):
            latent.append(sighting)
    return latent, new


def _is_of_their_size(sighting: Sighting, staying: Sequence[Track]) -> bool:
    """Whether it is as large as the tiles that lie there, or so few do that nobody knows."""
    if len(staying) < 3:
        return True
    return 0.8 < sighting.half / float(np.median([half_of(track.corners) for track in staying])) < 1.25


def _on_another(sighting: Sighting, staying: Sequence[Track], others: Sequence[Sighting]) -> bool:
    lying = [track.corners for track in staying] + [other.corners for other in others]
    return any(overlap(sighting.corners, lying[at]) > ON_ANOTHER for at in near_to(sighting, lying, 4.0))
