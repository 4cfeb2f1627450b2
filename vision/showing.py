"""Learns an owner's pieces from a guided showing: pieces laid side by side in a named order, a picture for every step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.words import say
from vision.degrees import EVEN, SELDOM
from vision.piece_sets import Doubt, Look, PieceSet, Step, doubts, learn
from vision.pieces import FoundPiece

ToPicture = Callable[[NDArray[np.float64]], NDArray[np.float64]]

SHOWN = SELDOM
"""In a showing it is known how many lie there: what is likelier than this to be a piece is told, and the likeliest are taken."""


def in_order(found: Iterable[FoundPiece], step: Step, to_picture: ToPicture) -> list[FoundPiece]:
    """The pieces of a step from left to right in the picture, or from above to below where they lie in a column.

    to_picture: leads from (n, 2) millimetres to pixels.
    Raises ValueError where there are fewer of them than the step asks for, or more that plainly are some.
    """
    kind, wanted = step.shown[0][0], len(step.shown)
    every = sorted(found, key=lambda piece: -piece.there)
    plain = [piece for piece in every if piece.there >= EVEN]
    row = [piece for piece in plain if piece.kind == kind]
    if len(row) != wanted:
        row = plain if len(plain) > wanted else every[:wanted]  # of an unknown set even the kind may be misread
    if len(row) != wanted:
        raise ValueError(say("{step} I see {seen} of them, not {wanted}: lay them apart, and nothing else near.",
                             step=step.words, seen=len(row), wanted=wanted))
    feet = to_picture(np.array([piece.center for piece in row]))
    axis = int(np.ptp(feet, axis=0).argmax())
    return [row[int(k)] for k in np.argsort(feet[:, axis], kind="stable")]


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A step that was shown: its pieces in order, and what they were read as by what the rounds before had taught."""

    row: tuple[FoundPiece, ...]
    read: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Showing:
    """A showing as far as it has come: its steps, in one round or more; each round but the first also checks what was learnt."""

    steps: tuple[Step, ...]
    chips: Sequence[str] = ()
    taken: tuple[Taken, ...] = ()

    @property
    def rounds(self) -> int:
        """Whole rounds so far."""
        return len(self.taken) // len(self.steps)

    @property
    def step(self) -> Step:
        """What is to be shown next."""
        return self.steps[len(self.taken) % len(self.steps)]

    def take(self, row: Iterable[FoundPiece], read: Iterable[FoundPiece] = ()) -> Showing:
        """With the pieces of the next step, in order. row: read by common marks. read: read by what was learnt so far."""
        return replace(self, taken=(*self.taken, Taken(tuple(row), tuple(piece.label for piece in read))))

    def back(self) -> Showing:
        """Without the last step that was taken."""
        return replace(self, taken=self.taken[:-1])

    def learnt(self, name: str, reader: str) -> PieceSet:
        """What the whole rounds teach a reader of this version."""
        looks = [Look(label, piece.traits, piece.radius, piece.label)
                 for step, taken in zip(self.steps * self.rounds, self.taken, strict=False)
                 for label, piece in zip(step.shown, taken.row, strict=True)]
        return learn(name, looks, self.chips, reader)

    @property
    def sides(self) -> int:
        """So many sides are shown in a round."""
        return sum(len(step.shown) for step in self.steps)

    @property
    def checked(self) -> str:
        """How many sides were read right by what the rounds before had taught, of how many."""
        read = sum(len(taken.read) for taken in self.taken)
        return say("{right} of {read}", right=read - sum(doubt.times for doubt in self.doubts), read=read)

    @property
    def doubts(self) -> list[Doubt]:
        """What was read wrongly by what the rounds before had taught."""
        steps = self.steps * (self.rounds + 1)
        return doubts((label, read) for step, taken in zip(steps, self.taken, strict=False)
                      for label, read in zip(step.shown, taken.read, strict=False))
