"""What the numbers of this very set look like: a half that is read with doubt is compared with those that are read plainly.

The reader knows most sets, and sees this one for the first time. Halves of one number look alike, and those of some numbers
look like those of others; how much is learned from the plain ones. What no plain half shows is left as it was read, and so are
blanks: they have nothing to look like.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.degrees import HARDLY, LITTLE, PLAIN
from vision.observation import SeenTile
from vision.reading import HIGHEST_END
from vision.table.changes import DARK
from vision.table.evidence import HALF, MARGIN, NUDGE
from vision.table.track import Track

Array = NDArray[np.float32]

NUMBERS = HIGHEST_END + 1

FEWEST = 3
"""So many plain halves must have another of their number before anything is said: how alike those are is learned from them."""

ENOUGH = 6
"""So many of the plainest halves of a number tell what it looks like."""

FLAT = 0.01
"""What differs less than this in all, as squared logarithms, has no look of its own."""


def told_apart(tracks: Sequence[Track]) -> tuple[SeenTile, ...]:
    """The tiles as others are told of them."""
    seen = [track.seen for track in tracks]
    halves = [(at, side) for at, track in enumerate(tracks) if track.ends is not None and track.patch is not None
              for side in (0, 1)]
    if not halves:
        return tuple(seen)
    rows = np.stack([tracks[at].probabilities[side] for at, side in halves])
    doubted = rows.max(axis=1) < PLAIN
    in_doubt = np.flatnonzero((rows[doubted, 1:] > HARDLY).any(axis=0)) + 1
    if not len(in_doubt):
        return tuple(seen)
    surest_first = np.argsort(-rows.max(axis=1), kind="stable")
    shown = np.where(doubted, -1, rows.argmax(axis=1))[surest_first]
    asked = np.concatenate([np.flatnonzero(doubted), *(surest_first[shown == number][:ENOUGH] for number in in_doubt)])
    owners = np.array([halves[each][0] for each in asked])
    alike = _alike(np.stack([_half(tracks[at], side) for at, side in (halves[each] for each in asked)]))
    alike[owners[:, None] == owners] = np.nan
    rows[asked] = _told(rows[asked], doubted[asked], alike)
    for at in {halves[each][0] for each in np.flatnonzero(doubted)}:
        first = halves.index((at, 0))
        seen[at] = seen[at].read_as(rows[first : first + 2])
    return tuple(seen)


def _told(rows: Array, doubted: NDArray[np.bool_], alike: Array) -> Array:
    """(n, 16) what halves show, by how they are read, (n, 16), and how much they look like each other, (n, n), NaN in a tile."""
    numbers, out = rows.argmax(axis=1), rows.copy()
    likest = np.full((len(rows), NUMBERS), np.nan, np.float32)
    for number in set(numbers[~doubted].tolist()):
        likest[:, number] = np.fmax.reduce(alike[:, ~doubted & (numbers == number)], axis=1)
    of_plain, plain = likest[~doubted], numbers[~doubted]
    same = of_plain[np.arange(len(plain)), plain]
    if np.count_nonzero(~np.isnan(same)) < FEWEST:
        return out
    usual, spread = _usual(of_plain, plain, float(np.nanmean(same))), max(float(np.nanstd(same)), LITTLE)
    most = _trust(of_plain, plain)
    for at in np.flatnonzero(doubted).tolist():
        known = np.flatnonzero((rows[at] > HARDLY) & ~np.isnan(likest[at]))
        if len(known) < 2:
            continue
        nats = -np.nansum(((likest[at, known] - usual[np.ix_(known, known)]) / spread) ** 2, axis=1) / 2
        beside = nats - nats[rows[at, known].argmax()]
        told = rows[at, known] * np.exp(beside.clip(-most, most))
        out[at, known] = told * (rows[at, known].sum() / told.sum())
    return out


def _trust(likest: Array, numbers: NDArray[np.int64]) -> float:
    """How many nats looks are worth at most in this set: how much oftener plain halves look like their own number than like
    another. likest: (n, 16), numbers: (n,) of plain halves."""
    compared = ~np.isnan(likest[np.arange(len(numbers)), numbers]) & (np.count_nonzero(~np.isnan(likest), axis=1) > 1)
    right = np.count_nonzero(np.nan_to_num(likest[compared], nan=-1).argmax(axis=1) == numbers[compared])
    return max(0.0, float(np.log((right + 1) / (np.count_nonzero(compared) - right + 1))))


def _usual(likest: Array, numbers: NDArray[np.int64], same: float) -> Array:
    """(16, 16) how much a half of one number looks like the likest of each, by (n, 16) plain ones of which that is known; NaN
    where it is not. same: how much those of one number look alike, which counts for one more of each."""
    sums, counts = np.zeros((2, NUMBERS, NUMBERS), np.float32)
    np.add.at(sums, numbers, np.nan_to_num(likest))
    np.add.at(counts, numbers, ~np.isnan(likest))
    own = (sums.diagonal() + same) / (counts.diagonal() + 1)
    both = counts + counts.T
    usual = np.divide(sums + sums.T, both, out=np.full_like(sums, np.nan), where=both > 0)
    np.fill_diagonal(usual, own)
    return np.asarray(usual, np.float32)


def _half(track: Track, side: int) -> Array:
    """(h, w, 3) a half as it looked when it was last read well, seen from the middle of its tile, as logarithms."""
    assert track.patch is not None
    left = MARGIN + NUDGE + side * HALF
    half = track.patch[MARGIN + NUDGE : -MARGIN - NUDGE, left : left + HALF]
    return np.asarray(np.log((half[::-1, ::-1] if side else half) + DARK), np.float32)


def _alike(halves: Array) -> Array:
    """(n, n) how much halves, (n, h, w, 3), look like each other, pushed a little and turned about: 1 for the same."""
    inner = (HALF - 2 * NUDGE,) * 2
    parts = sliding_window_view(np.stack([halves, halves[:, ::-1, ::-1]]), inner, axis=(2, 3))
    parts = parts - parts.mean(axis=(-2, -1), keepdims=True)
    flat = parts.transpose(1, 0, 2, 3, 4, 5, 6).reshape(len(halves), -1, 3 * inner[0] * inner[1])
    flat = flat / np.sqrt((flat**2).sum(axis=2, keepdims=True) + FLAT)
    middle = flat[:, 2 * NUDGE * (NUDGE + 1)]
    alike = np.einsum("npk,mk->nmp", flat, middle, optimize=True).max(axis=2)
    return np.asarray(np.maximum(alike, alike.T), np.float32)
