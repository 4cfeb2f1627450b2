"""Where pieces may stand, as the finder's maps say, and where their feet must be for the camera to see them so."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.measure import raised
from calibration.profile import Profile
from vision.degrees import SELDOM
from vision.observation import Array

CELL, HEATS, REACH, RADIUS = 4, 3, 16.0, 10.0
"""How the finder's maps are to be understood, see `models/training/piece_networks.py`."""

FORMS = ("disc", "die", "pawn")

APART = 0.62
"""Of two finds of one form nearer to each other than this part of both radii together only the hotter one is real."""

DISC_MM, PAWN_MM = 3.2, 27.0
"""How high coins and chips are, and pawns, where nothing better is known."""

LOW = 0.17
"""The finder sees the tops of dice lower than they are, by this part of their height: the mean of 98 dice on made-up tables
that are not kept for testing, each seen turned by all four quarters, so that what errs in one direction evens out."""


@dataclass(frozen=True, slots=True, eq=False)
class Finds:
    """What the finder proposes: form (n,) place in FORMS, heat (n,), top and foot (n, 2), radius (n,).

    lean: (n, 2) how far aside of its top the foot of a thing lies for each mm of its height.
    """

    form: NDArray[np.int64]
    objectness: Array
    top: Array
    foot: Array
    radius: Array
    lean: Array

    def sized(self, by: float) -> Finds:
        """The same with radii that are so many times as large; the feet of dice move with them."""
        die = (self.form == FORMS.index("die"))[:, None]
        foot = np.where(die, self.top + (self.foot - self.top) * np.float32(by), self.foot)
        return replace(self, radius=self.radius * np.float32(by), foot=foot)

    def of_form(self, form: NDArray[np.int64] | int) -> Finds:
        """The same as if they were discs, dice or pawns: what the finder took for something else has another height."""
        forms = np.broadcast_to(np.asarray(form), self.form.shape)
        high = np.choose(forms, [np.full_like(self.radius, DISC_MM), 2 * self.radius, np.full_like(self.radius, PAWN_MM)])
        foot = np.where((forms == self.form)[:, None], self.foot, self.top + self.lean * high[:, None])
        return replace(self, form=forms, foot=foot.astype(np.float32))

    def take(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> Finds:
        return Finds(self.form[which], self.objectness[which], self.top[which], self.foot[which], self.radius[which],
                     self.lean[which])


def decode(maps: Array) -> Finds:
    """Peaks of the finder's maps (8, h, w), in pixels of its picture; of those of one form that crowd only the hottest.

    Of what form a thing is the reader tells better: a coin beside a pawn often looks like a die from afar.
    """
    objectness = maps[:HEATS]
    highest = np.stack([cv2.dilate(channel, np.ones((3, 3), np.uint8)) for channel in objectness])
    form, row, column = np.nonzero((objectness >= highest) & (objectness > SELDOM))
    cell = (np.stack([column, row], axis=1).astype(np.float32) + 0.5) * CELL
    geometry = maps[HEATS:, row, column].T
    radius = np.exp(np.clip(geometry[:, 4], -2, 3)).astype(np.float32) * RADIUS
    top, foot = cell + geometry[:, :2] * REACH, cell + geometry[:, 2:4] * REACH
    finds = Finds(form, objectness[form, row, column], top, foot, radius, np.zeros_like(top))
    finds = finds.take(np.argsort(-finds.objectness, kind="stable"))
    kept: list[int] = []
    for k in range(len(finds.objectness)):
        far = np.linalg.norm(finds.top[kept] - finds.top[k], axis=1)
        near = far <= APART * (finds.radius[kept] + finds.radius[k])
        if not (near & (finds.form[kept] == finds.form[k])).any():
            kept.append(k)
    return finds.take(np.array(kept, np.int64))


def stood(finds: Finds, profile: Profile) -> Finds:
    """The finds with their feet where the camera's place demands: the upper face of what is high appears farther out.

    A die is as high as it is wide, discs are thin. How high a pawn is nobody knows: the finder's word on its foot is right
    to 1.5 mm and stands, that on its top is not, and it is put where pawns usually end.
    """
    if len(finds.objectness) == 0:
        return finds
    above = raised(profile, 1.0).to_table(profile.to_picture(finds.top.astype(np.float64))).astype(np.float32)
    per_mm = above - finds.top  # how far the foot of what is 1 mm high lies from where its top appears
    high = np.choose(finds.form, [np.full_like(finds.radius, DISC_MM), 2 * finds.radius, np.zeros_like(finds.radius)])
    pawn = (finds.form == FORMS.index("pawn"))[:, None]
    low = np.where(finds.form == FORMS.index("die"), np.float32(LOW) * high, 0)
    top = np.where(pawn, finds.foot - per_mm * np.float32(PAWN_MM), finds.top - per_mm * low[:, None]).astype(np.float32)
    foot = np.where(pawn, finds.foot, top + per_mm * high[:, None]).astype(np.float32)
    return replace(finds, top=top, foot=foot, lean=per_mm)
