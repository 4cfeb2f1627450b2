"""What the camera's word is worth: on path-traced games of our own, how what is seen of a place goes with what is true there.

Every settled picture is looked at as tables are watched; the places that were weighed are told apart by the truth, and
logistic fits say by how many nats each sight speaks for a change, or for a tile that was laid on others. Nothing is trained
on these games, and neither the painter of the simulated tables nor anybody else's pictures tell the rates. Of those that
are kept now `plain` alone breaks that: the simulated tables told it, until it is measured here.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from referee.session import Session
from trials.shots import RATE, Lying, Shot, held
from vision.detection import same_face
from vision.frame import Frame
from vision.observation import SeenTile
from vision.reader import Reader
from vision.table.belief import Belief, Evidence, Place, half_features, plain_features, upper_features
from vision.table.track import Track
from vision.table.watcher import TableWatcher

Array = NDArray[np.float64]

HERE_MM = 7.0
"""A tile believed nearer than this to a true one with the same face is that one."""

HALF_MM = 12.0
"""So far from the middle of a tile are those of its halves."""

WHOLE = 0.95
"""Of a tile on which nothing lies so much is visible at least."""

RIDGE = 0.3
"""What the fits are told beforehand: weights are 0, give or take the root of 1 over this."""


@dataclass
class Samples:
    """Sights by what is asked of them: features, and whether it is so. moments: settled pictures they are from."""

    features: dict[str, list[tuple[float, ...]]] = field(default_factory=lambda: defaultdict(list))
    so: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    moments: int = 0

    def add(self, asked: str, features: Iterable[float], so: bool) -> None:
        """One sight."""
        self.features[asked].append(tuple(map(float, features)))
        self.so[asked].append(so)


@dataclass(frozen=True, slots=True)
class _Truth:
    """What lay there in the picture that was weighed before, and lies there now."""

    before: tuple[Lying, ...]
    shot: Shot
    profile: Profile

    def then(self, track: Track) -> Lying | None:
        """The true tile that a believed one was."""
        return self._find(track, self.before)

    def now(self, track: Track) -> Lying | None:
        """The true tile that a believed one is."""
        return self._find(track, self.shot.tiles)

    def _find(self, track: Track, tiles: Iterable[Lying]) -> Lying | None:
        return next((tile for tile in tiles if not tile.held and same_face(tile.ends, track.ends) and any(
            math.dist(tile.center, self._at(track.seen, level)) < HERE_MM for level in (0, tile.level))), None)

    def upon(self, track: Track, half: int) -> Lying | None:
        """The tile that lies on a half of a known one, as far as that is plain."""
        here, there = (self._at(_half_of(track.seen, each), 0) for each in (half, 1 - half))
        return next((tile for tile in self.shot.tiles if tile.level and not tile.held
                     and abs(math.dist(tile.center, here) - HALF_MM) < HALF_MM / 3
                     and math.dist(tile.center, here) < 0.8 * math.dist(tile.center, there)), None)

    def _at(self, tile: SeenTile, level: int) -> tuple[float, float]:
        return self.shot.to_truth(self.profile, tile, level)


def collect(shots: Iterable[Shot], reader: Reader, samples: Samples) -> None:
    """Watch a game, and add what was weighed in its settled pictures."""
    rng = np.random.default_rng(5)
    session = Session(reader)
    before: tuple[Lying, ...] = ()
    weighed: object = None
    number = 0
    for shot in shots:
        for image in held(shot, rng):
            session.see(Frame(image, number / RATE, number))
            number += 1
            watcher = session.watcher
            if not isinstance(watcher, TableWatcher) or watcher.weighing is None or watcher.weighing is weighed:
                continue
            weighed = watcher.weighing
            if shot.hand:
                continue
            if shot.event not in ("bump", "start") and watcher.profile is not None and before:
                samples.moments += 1
                _add(watcher.weighing.belief, watcher.weighing.evidence, _Truth(before, shot, watcher.profile), samples)
            before = tuple(tile for tile in shot.tiles if not tile.held)


def _add(belief: Belief, evidence: Evidence, truth: _Truth, samples: Samples) -> None:
    """What was seen of every place that was weighed, with what is true there."""
    tracks = {track.name: track for track in belief.tiles}
    for name, place in evidence.seen.items():
        if not any(tracks[name].covered) and place.change is not None and truth.then(tracks[name]) is not None:
            _add_known(tracks[name], place, truth, samples)
    for place in evidence.proposed:
        found = Track.of(0, place.detection)
        now = truth.now(found)
        if place.change is None or (now is not None and (truth.then(found) is not None or (now.level > 0) != bool(place.below))):
            continue
        if place.below:
            samples.add("upper", upper_features(place, belief.tiles), now is not None)
        else:
            samples.add("come", (), now is not None)
            if now is not None:
                for half in (0, 1):
                    samples.add("other", half_features(place, half), True)


def _add_known(track: Track, place: Place, truth: _Truth, samples: Samples) -> None:
    now = truth.now(track)
    samples.add("go", (), now is None)
    for half in (0, 1):
        upper, features = truth.upon(track, half), half_features(place, half)
        if place.change is not None and np.isnan(place.change[half, 0]) and upper is None:
            samples.add("plain", plain_features(place, half), now is None)
        if now is None:
            samples.add("other", features, True)
        elif now.visible > WHOLE:
            for asked in ("other", "alike"):
                samples.add(asked, features, False)
        elif upper is not None and upper.ends is not None and track.ends is not None:
            samples.add("alike" if track.ends[half] in upper.ends else "other", features, True)


def _half_of(tile: SeenTile, half: int) -> SeenTile:
    """A value that lies where the middle of a tile's half does."""
    return replace(tile, center=tile.middles[half])


def fitted(features: Array, so: NDArray[np.bool_]) -> Array:
    """Weights, the constant last, of the logistic fit whose log-odds are a log-likelihood ratio: both answers count alike."""
    design = np.column_stack([features, np.ones(len(features))])
    weight = np.where(so, 0.5 / so.mean(), 0.5 / (1 - so.mean()))
    ridge = np.append(np.full(design.shape[1] - 1, RIDGE), 0)
    found = np.zeros(design.shape[1])
    for _ in range(50):  # Newton's method
        guess = 1 / (1 + np.exp(-np.clip(design @ found, -30, 30)))
        slope = design.T @ (weight * (so - guess)) - ridge * found
        curve = (design * (weight * guess * (1 - guess))[:, None]).T @ design + np.diag(ridge + 1e-4)
        found = found + np.linalg.solve(curve, slope)
    return found


def rates(samples: Samples) -> dict[str, Any]:
    """What the belief reads, and on how many sights of how many settled pictures it rests; without what was never otherwise."""
    out: dict[str, Any] = {}
    rests: dict[str, Any] = {"settled pictures": samples.moments}
    for asked, rows in sorted(samples.features.items()):
        so = np.array(samples.so[asked])
        rests[asked] = f"{int(so.sum())} of {len(so)}"
        if rows[0] and so.all() == so.any():
            continue  # it was never otherwise: nothing can be told apart
        if rows[0]:
            out[asked] = [round(float(each), 2) for each in fitted(np.array(rows), so)]
        else:
            out[asked] = round(math.log((so.sum() + 0.5) / (len(so) - so.sum() + 0.5)), 2)
    return {**out, "rests on": rests}
