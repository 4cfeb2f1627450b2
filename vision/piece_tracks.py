"""Pieces over time: each keeps its name while it lies or slides, and what several looks say of it is put together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from vision.observation import SeenPiece
from vision.pieces import FoundPiece

Place = tuple[float, float]
Told = Callable[[Place], bool]

NEAR = 0.8
"""A piece found within this part of its own width of where one lay is the same one, moved a little."""

FAR_MM = 60.0
"""A piece of a kind that appears this near to where the only missing one of that kind lay has been pushed there."""

PATIENCE = 2
"""Looks in a row that must miss a piece, or read it otherwise, before it is gone or has been turned over."""

FORGET = 0.75
"""What a look weighs against the next one."""

FAINT = 1e-4


@dataclass(slots=True)
class _Track:
    """One piece: its latest find, logarithms of its labels' odds over the looks, looks that missed or contradicted it."""

    number: int
    found: FoundPiece
    evidence: dict[str, float]
    missed: int = 0
    contradicted: int = 0
    veiled: bool = False


def _logs(labels: Mapping[str, float]) -> dict[str, float]:
    return {label: math.log(max(odds, FAINT)) for label, odds in labels.items()}


def _shares(evidence: Mapping[str, float]) -> dict[str, float]:
    top = max(evidence.values())
    odds = {label: math.exp(value - top) for label, value in evidence.items()}
    total = sum(odds.values())
    return {label: value / total for label, value in odds.items()}


class PieceTracks:
    """All pieces that are known to be on the table."""

    def __init__(self) -> None:
        self._tracks: dict[int, _Track] = {}
        self._next = 1

    def look(self, found: Iterable[FoundPiece], looked: Told = lambda _: True, veiled: Told = lambda _: False) -> None:
        """Take in what was found in a picture.

        looked: whether a place (x, y) was searched in it. veiled: whether something hides a place; what lies there stays.
        """
        rest = sorted(found, key=lambda piece: -piece.score)
        waiting = dict(self._tracks)
        for piece in list(rest):
            near = min(waiting.values(), key=lambda track: _distance(track.found, piece), default=None)
            if near is not None and _distance(near.found, piece) < NEAR * 2 * piece.radius:
                self._again(near, piece)
                del waiting[near.number]
                rest.remove(piece)
        for track in list(waiting.values()):
            place = track.found.center
            track.veiled = veiled(place)
            if track.veiled or not looked(place):
                continue
            pushed = [
                piece for piece in rest if piece.kind == track.found.kind and _distance(track.found, piece) < FAR_MM
            ]
            if len(pushed) == 1 and pushed[0].label == max(track.evidence, key=track.evidence.__getitem__):
                self._again(track, pushed[0])
                rest.remove(pushed[0])
                continue
            track.missed += 1
            if track.missed >= PATIENCE:
                del self._tracks[track.number]
        for piece in rest:
            self._tracks[self._next] = _Track(self._next, piece, _logs(piece.labels))
            self._next += 1

    def _again(self, track: _Track, piece: FoundPiece) -> None:
        """A known piece was found again: put the two readings together, or start anew where it was turned over."""
        known = _shares(track.evidence)
        track.missed, track.veiled = 0, False
        other = piece.kind != track.found.kind or known.get(piece.label, 0.0) < 0.02 < 0.7 < piece.labels[piece.label]
        if other:
            track.contradicted += 1
            if track.contradicted >= PATIENCE:
                track.evidence, track.contradicted, track.found = _logs(piece.labels), 0, piece
            else:
                track.found = replace(piece, kind=track.found.kind)
            return
        fresh = _logs(piece.labels)
        track.contradicted, track.found = 0, piece
        track.evidence = {
            label: FORGET * track.evidence.get(label, math.log(FAINT)) + value for label, value in fresh.items()
        }

    def seen(self) -> tuple[SeenPiece, ...]:
        """Every piece that is known, for an observation."""
        told = []
        for track in self._tracks.values():
            piece, labels = track.found, _shares(track.evidence)
            told.append(
                SeenPiece(track.number, piece.kind, piece.center, piece.radius, 0.0, labels, piece.score, track.veiled)
            )
        return tuple(told)


def _distance(first: FoundPiece, second: FoundPiece) -> float:
    return math.dist(first.center, second.center)
