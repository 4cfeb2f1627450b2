"""What the camera knows about the table at one moment: pieces with their poses, veils over them, and how good the view is.

Lengths are millimetres in the table frame (origin in the middle of the play area, x right, y down in the rectified
view); where the camera is not calibrated they are pixels, and `Observation.units` says so. Angles are radians,
clockwise in that view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import cos, sin
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


class TableState(StrEnum):
    """The state words of the table that the camera alone can tell; the referee adds its own."""

    READY = "ready"
    HAND = "hand"
    MOVING = "moving"
    READING = "reading"
    CAMERA_LOST = "camera-lost"
    UNCALIBRATED = "uncalibrated"


@dataclass(frozen=True, slots=True, eq=False)
class SeenTile:
    """One tile on the table.

    track: its name for as long as it lies there; pieces that merely slide keep it.
    center: (x, y) of where it lies, also on others. angle: from the first half to the second. length, width: of its face as seen.
    ends: what its halves most likely show, first half first; None where it lies face down.
    probabilities: (2, 16) for each half the probability of 0 to 15 pips, gathered over still frames; rows sum to 1.
    score: probability that the tile is there and `ends` (or face down) is right.
    under: tracks of the tiles that it lies on; empty for a tile on the table itself.
    veiled: True where a hand or another thing hides it now: it keeps what was last seen.
    doubtful: True where a hand may have taken it, and no look since was sure that it still lies there.
    """

    track: int
    center: tuple[float, float]
    angle: float
    length: float
    width: float
    ends: tuple[int, int] | None
    probabilities: Array
    score: float
    under: tuple[int, ...] = ()
    veiled: bool = False
    doubtful: bool = False

    @property
    def middles(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Of its first and its second half."""
        (x, y), across, down = self.center, self.length / 4 * cos(self.angle), self.length / 4 * sin(self.angle)
        return (x - across, y - down), (x + across, y + down)


Kind = Literal["coin", "die", "pawn", "chip"]


@dataclass(frozen=True, slots=True, eq=False)
class SeenPiece:
    """A coin, die, pawn or chip. `radius`: of a disc, or half a die's side.

    labels: probability by label, summing to 1. Coins: `suit:suns`, `suit:moons`, `suit:crowns`, `suit:arms`,
        `value:null`, `value:ace`, `value:2` ... `value:5`. Dice: `suns:null`, `suns:ace`, `suns:2`, ... for each suit.
        Pawns: the suit. Chips: the colour's name in the set, as `red`.
    alone: the same by its own look, whatever the others of its set show; empty where that is not known.
    top: where what is highest of it is seen to lie on the table: from its middle to there it hides the table from the camera.
    None where that is not known.
    """

    track: int
    kind: Kind
    center: tuple[float, float]
    radius: float
    angle: float
    labels: Mapping[str, float]
    score: float
    veiled: bool = False
    alone: Mapping[str, float] = field(default_factory=dict)
    top: tuple[float, float] | None = None

    @property
    def label(self) -> str:
        """The most likely label."""
        return max(self.labels, key=self.labels.__getitem__)


@dataclass(frozen=True, slots=True)
class Quality:
    """How good the view is now.

    frame_age: seconds since the newest frame. fps: frames per second over the last seconds. light: mean brightness
    0..1. glare: share of the table that is blown out. sharpness: 1 where edges are as crisp as the lens allows.
    scale: picture pixels per millimetre at the worst place of the play area, 0 where not calibrated. white: how bright the
    whitest tiles and pieces are in it, 0..1, in the frame in which that was measured; else 0. outside: share of the play area
    that was in the picture and is not any more, since the camera was bumped.
    """

    frame_age: float = 0.0
    fps: float = 0.0
    light: float = 0.0
    glare: float = 0.0
    sharpness: float = 0.0
    scale: float = 0.0
    white: float = 0.0
    outside: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """Everything known about the table after one frame. `veils`: (n, 2) outlines of what covers it, as hands do.

    settled: nothing moves, nothing veils: what stands here may be decided upon. lifted: while a hand is over the table, the
    tracks whose place it was seen to have left empty, in this order. untouched: those seen to lie as before at the first.
    swept: (n, 2) outlines of all places over which anything moved since the table was settled the time before this one;
    what lies elsewhere nobody has touched; None where that is not known. altered: outlines of what looks otherwise than it
    did then; unexplained: the part of it where no tile is known; None where that is not known.
    """

    time: float
    frame: int
    state: TableState
    tiles: tuple[SeenTile, ...] = ()
    pieces: tuple[SeenPiece, ...] = ()
    veils: tuple[Array, ...] = ()
    units: Literal["mm", "px"] = "px"
    settled: bool = False
    quality: Quality = field(default_factory=Quality)
    lifted: tuple[int, ...] = ()
    untouched: tuple[int, ...] = ()
    swept: tuple[Array, ...] | None = None
    altered: tuple[Array, ...] | None = None
    unexplained: tuple[Array, ...] | None = None

    def rests_as(self, swept: tuple[Array, ...] | None) -> bool:
        """Whether the table rests as it did when these outlines were told: by their points, which recordings keep."""
        known = self.swept
        return known is not None and (known is swept or (
            swept is not None and len(known) == len(swept) and all(map(np.array_equal, known, swept))))
