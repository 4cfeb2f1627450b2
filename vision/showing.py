"""Learns an owner's pieces from a guided showing: pieces laid side by side in a named order, a picture for every step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vision.degrees import EVEN, SELDOM
from vision.piece_sets import Doubt, Label, Look, PieceSet, Step, doubts, learn
from vision.pieces import FoundPiece

Round = Sequence[Sequence[FoundPiece]]
"""What was found in the pictures of one round, step by step."""


SHOWN = SELDOM
"""In a showing it is known how many lie there: what is likelier than this to be a piece is told, and the likeliest are taken."""


def in_order(found: Iterable[FoundPiece], step: Step) -> list[FoundPiece]:
    """The pieces of a step from left to right, or from the far to the near side where they lie in a column.

    Raises ValueError where there are fewer of them than the step asks for, or more that plainly are some.
    """
    kind, wanted = step.shown[0][0], len(step.shown)
    every = sorted(found, key=lambda piece: -piece.there)
    plain = [piece for piece in every if piece.there >= EVEN]
    row = [piece for piece in plain if piece.kind == kind]
    if len(row) != wanted:
        row = plain if len(plain) > wanted else every[:wanted]  # of an unknown set even the kind may be misread
    if len(row) != wanted:
        raise ValueError(f"{step.words} I see {len(row)} of them, not {wanted}: lay them apart, and nothing else near.")
    feet = np.array([piece.center for piece in row])
    axis = int(np.ptp(feet, axis=0).argmax())
    return [row[int(k)] for k in np.argsort(feet[:, axis], kind="stable")]


def looks(steps: Sequence[Step], seen: Round) -> list[Look]:
    """What one round shows of every label; ValueError where a step's picture does not show what it should."""
    out = []
    for step, found in zip(steps, seen, strict=True):
        for label, piece in zip(step.shown, in_order(found, step), strict=True):
            out.append(Look(label, piece.traits, piece.radius, piece.label))
    return out


def learn_set(name: str, steps: Sequence[Step], rounds: Sequence[Round], chips: Sequence[str]) -> PieceSet:
    """The set that was shown in these rounds; ValueError as `looks`."""
    return learn(name, [look for seen in rounds for look in looks(steps, seen)], chips)


def check_set(steps: Sequence[Step], seen: Round) -> list[Doubt]:
    """What is read wrongly in a round that was read with the learnt set; ValueError as `looks`."""
    read: list[tuple[Label, str]] = []
    for step, found in zip(steps, seen, strict=True):
        read += [(label, piece.label) for label, piece in zip(step.shown, in_order(found, step), strict=True)]
    return doubts(read)
