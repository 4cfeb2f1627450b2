"""What is known of a set as a whole helps to read each piece: one die and one pawn of each suit, chips of one size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.degrees import EVEN, RARELY
from vision.observation import Kind
from vision.piece_sets import SUITS
from vision.pieces import FoundPiece

Array = NDArray[np.float64]

SINGLE: Sequence[Kind] = ("die", "pawn")
"""Kinds of which a piecepack has one of each suit."""

ABSENT = RARELY
"""How often a die or a pawn is not on the table, or not seen."""

SIZE_OFF = 0.2
"""How far off, in its logarithm, the radius of a chip may be seen."""

LEAST = 1e-4

_BITS = 1 << np.arange(len(SUITS))


def one_each(found: Sequence[FoundPiece]) -> list[FoundPiece]:
    """The same pieces, with what each is likely to be, and whether it is there at all, given all the others.

    What is likelier to be the die or the pawn that is missing than what it was taken for is that one, and what was taken
    for a fifth is what else it may be.
    """
    out = list(found)
    for kind in SINGLE:
        able = [(k, as_such) for k, piece in enumerate(out) if (as_such := _as(piece, kind)) is not None]
        for (k, _), told in zip(able, _told([as_such for _, as_such in able]), strict=True):
            out[k] = told if out[k].kind == kind or told.there > EVEN else replace(out[k], instead=None)
    for k, piece in enumerate(out):
        if piece.there <= EVEN and piece.kind in SINGLE and piece.instead is not None and piece.instead.kind not in SINGLE:
            rest = max(1 - found[k].there, piece.instead.there)  # of all that it may be, without what it is not
            out[k] = replace(piece.instead, there=piece.instead.there / rest)
    chips = [k for k, piece in enumerate(out) if piece.kind == "chip"]
    for k, piece in zip(chips, _of_one_size([out[k] for k in chips]), strict=True):
        out[k] = piece
    return out


def _as(piece: FoundPiece, kind: Kind) -> FoundPiece | None:
    """A piece, or what may be there instead, that is of this kind; and instead of that the other."""
    if piece.kind == kind or piece.instead is None:
        return piece if piece.kind == kind else None
    return replace(piece.instead, instead=replace(piece, instead=None)) if piece.instead.kind == kind else None


def _of_one_size(chips: Sequence[FoundPiece]) -> list[FoundPiece]:
    """Chips of one game are of one size: what is smaller or larger than the likeliest ones is hardly a chip."""
    if not chips:
        return []
    radius, there = np.array([chip.radius for chip in chips]), np.array([chip.there for chip in chips])
    order = np.argsort(radius)
    usual = radius[order][np.searchsorted(np.cumsum(there[order] ** 4), (there**4).sum() / 2)]
    fits = np.exp(-0.5 * (np.log(radius / usual) / SIZE_OFF) ** 2)
    return [replace(chip, there=float(chip.there * fit)) for chip, fit in zip(chips, fits, strict=True)]


def _told(alike: Sequence[FoundPiece]) -> list[FoundPiece]:
    if not alike:
        return []
    suits = np.array([[sum(odds for label, odds in piece.labels.items() if label.split(":")[0] == suit) for suit in SUITS]
                      for piece in alike]) + LEAST
    there = np.clip([piece.there for piece in alike], 0.01, 0.99)
    after = marginals(suits * there[:, None], 1 - there)
    told = []
    for piece, before, now in zip(alike, suits, after, strict=True):
        weight = dict(zip(SUITS, now / before, strict=True))
        labels = {label: odds * weight[label.split(":")[0]] for label, odds in piece.labels.items()}
        total = max(sum(labels.values()), 1e-12)
        told.append(replace(piece, labels={label: odds / total for label, odds in labels.items()}, there=float(now.sum())))
    return told


def marginals(suits: Array, nothing: Array) -> Array:
    """(n, 4) how likely each of n pieces is there with each suit, where no two have the same.

    suits: (n, 4) weight of each piece's having each suit. nothing: (n,) weight of its being no piece at all.
    """
    forward = [np.eye(1, 16)[0]]  # weights of the sets of suits that are taken by the pieces so far
    for row, none in zip(suits, nothing, strict=True):
        forward.append(none * forward[-1] + sum(_with(forward[-1], suit, row[suit]) for suit in range(4)))
    missing = np.array([4 - int(taken).bit_count() for taken in range(16)])
    backward = ABSENT**missing * (1 - ABSENT) ** (4 - missing)  # of what the pieces after this one may still take
    out = np.zeros_like(suits)
    for k in range(len(suits) - 1, -1, -1):
        for suit in range(4):
            out[k, suit] = float(_with(forward[k], suit, suits[k, suit]) @ backward)
        later = nothing[k] * backward
        for suit in range(4):
            free = np.flatnonzero((np.arange(16) & _BITS[suit]) == 0)
            later[free] += suits[k, suit] * backward[free | _BITS[suit]]
        backward = later
    return out / max(float(backward[0]), 1e-300)


def _with(sets: Array, suit: int, weight: float) -> Array:
    """The sets that do not have the suit, with it added."""
    out = np.zeros(16)
    free = np.flatnonzero((np.arange(16) & _BITS[suit]) == 0)
    out[free | _BITS[suit]] = weight * sets[free]
    return out
