"""Pieces over time: each keeps its name while it lies or slides, and what several looks say of it is put together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.degrees import EVEN, MOST, SURE
from vision.observation import SeenPiece
from vision.piece_inventory import LEAST, one_each
from vision.pieces import FoundPiece

Place = tuple[float, float]
Told = Callable[[Place], bool]

NEAR = 0.8
"""A piece found within this part of its own width of where one lay is the same one, moved a little."""

FAR_MM = 60.0
"""A piece of a kind that appears this near to where the only missing one of that kind lay has been pushed there."""

PATIENCE = 2
"""Settled pictures in a row that must miss a piece which nobody touched before it is gone."""


@dataclass(slots=True)
class _Track:
    """One piece: its latest find, logarithms of its labels' odds since it was last touched, pictures that missed it."""

    number: int
    found: FoundPiece
    evidence: dict[str, float]
    missed: int = 0
    veiled: bool = False


def _logs(labels: Mapping[str, float]) -> dict[str, float]:
    return {label: math.log(max(odds, LEAST)) for label, odds in labels.items()}


def _shares(evidence: Mapping[str, float]) -> dict[str, float]:
    top = max(evidence.values())
    odds = {label: math.exp(value - top) for label, value in evidence.items()}
    total = sum(odds.values())
    return {label: value / total for label, value in odds.items()}


def merged(looks: Sequence[Sequence[FoundPiece]]) -> list[FoundPiece]:
    """Several looks at one still table as one; what fewer than half of them show is not there."""
    if len(looks) == 1:
        return list(looks[0])
    groups: list[list[FoundPiece]] = []
    for look in looks:
        for piece in look:
            near = [group for group in groups if _distance(group[0], piece) < NEAR * piece.radius]
            if near:
                min(near, key=lambda group: _distance(group[0], piece)).append(piece)
            else:
                groups.append([piece])
    return [_mean(group, len(looks)) for group in groups if 2 * len(group) >= len(looks)]


def _mean(group: Sequence[FoundPiece], looks: int) -> FoundPiece:
    """One piece as the looks that found it show it, and what else they show there, with its readings' mean odds."""
    readings: dict[str, list[FoundPiece]] = {}
    for piece in group:
        for reading in (piece, piece.instead):
            if reading is not None:
                readings.setdefault(reading.kind, []).append(reading)
    likeliest, *others = sorted(readings.values(), key=lambda alike: -sum(reading.there for reading in alike))
    instead = _together(others[0], looks) if others else None
    return replace(_together(likeliest, looks), instead=instead)


def _together(alike: Sequence[FoundPiece], looks: int) -> FoundPiece:
    """Readings of one piece as the same kind in so many looks."""
    logs = [_logs(piece.labels) for piece in alike]
    labels = _shares({label: sum(log[label] for log in logs) / len(logs) for label in logs[0]})
    x, y = np.mean([piece.center for piece in alike], axis=0)
    return replace(alike[0], center=(float(x), float(y)), labels=labels, there=sum(piece.there for piece in alike) / looks,
                   instead=None)


class PieceTracks:
    """All pieces that are known to be on the table."""

    def __init__(self) -> None:
        self._tracks: dict[int, _Track] = {}
        self._next = 1

    def settle(self, found: Iterable[FoundPiece], looked: Told = lambda _: True, veiled: Told = lambda _: False,
               touched: Told = lambda _: True) -> None:
        """Take in what a settled picture shows.

        looked: whether a place (x, y) was searched in it. veiled: whether something hides a place; what lies there stays.
        touched: whether something moved there since the last one: then a piece may show another side now.
        """
        rest = list(found)
        waiting = dict(self._tracks)
        pairs = sorted((_distance(track.found, piece), number, k) for number, track in waiting.items()
                       for k, piece in enumerate(rest))
        taken = set[int]()
        for far, number, k in pairs:
            if number in waiting and k not in taken and far < NEAR * 2 * rest[k].radius:
                self._again(waiting.pop(number), rest[k], touched(rest[k].center))
                taken.add(k)
        rest = [piece for k, piece in enumerate(rest) if k not in taken]
        for track in waiting.values():
            place = track.found.center
            track.veiled = veiled(place)
            if track.veiled or not looked(place):
                continue
            pushed = [piece for piece in rest if piece.kind == track.found.kind and _distance(track.found, piece) < FAR_MM]
            if len(pushed) == 1 and pushed[0].label == max(track.evidence, key=track.evidence.__getitem__):
                self._again(track, pushed[0], True)
                rest.remove(pushed[0])
                continue
            track.missed += 1
            if track.missed >= PATIENCE or touched(place):
                del self._tracks[track.number]
        for piece in rest:
            self._tracks[self._next] = _Track(self._next, piece, _logs(piece.labels))
            self._next += 1

    def _again(self, track: _Track, piece: FoundPiece, touched: bool) -> None:
        """A known piece was found again: one that nobody touched still shows what it showed."""
        track.missed, track.veiled = 0, False
        fresh = _logs(piece.labels)
        if piece.kind == track.found.kind:
            piece = replace(piece, there=max(piece.there, SURE * track.found.there))  # though it is seen faintly now
        if not touched and piece.kind == track.found.kind:
            before = track.evidence  # which weighs most of what the next picture does
            fresh = {label: MOST * before.get(label, math.log(LEAST)) + odds for label, odds in fresh.items()}
        if touched or piece.kind == track.found.kind or piece.there > track.found.there:
            track.found, track.evidence = piece, fresh

    def seen(self) -> tuple[SeenPiece, ...]:
        """Every piece that is known, for an observation."""
        tracks = list(self._tracks.values())
        alone = [replace(track.found, labels=_shares(track.evidence)) for track in tracks]
        return tuple(SeenPiece(track.number, piece.kind, piece.center, piece.radius, 0.0, piece.labels, piece.score, track.veiled,
                               own.labels if own.kind == piece.kind else {}, piece.top)
                     for track, own, piece in zip(tracks, alone, one_each(alone), strict=True) if piece.there > EVEN)


def _distance(first: FoundPiece, second: FoundPiece) -> float:
    return math.dist(first.center, second.center)
