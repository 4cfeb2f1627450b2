"""Stacks that lie there in the first picture: of the tiles below one half each looks out, and the upper one hides the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.reader import SHOWN, Reader
from vision.straighten import Album
from vision.table.bodies import OTHER_BODY, bodies_of
from vision.table.sight import Sight
from vision.table.sighting import Sighting
from vision.table.stacks import loose_halves, peeping

Array = NDArray[np.float32]

LEGIBLE = 0.9
"""How surely the half that looks out must be read: a number printed on a mat is none."""


def with_those_below(found: Sequence[Sighting], reader: Reader, album: Album, sight: Sight) -> list[Sighting]:
    """What was found, and the tiles half hidden by it; these come first, and show where they are covered what covers them."""
    seen = [each for each in found if each.score > SHOWN]
    tops = [each for each in seen if not each.back]
    loose = loose_halves(sight.halves(reader, album), seen) if len(tops) > 1 else np.zeros((0, 2), np.float32)
    below = []
    for top in tops if len(loose) else ():
        for hidden in peeping(top, loose):
            pixels = sight.to_picture(hidden.place)
            crops = album.straight(np.stack([pixels, top.pixels]))
            _, counts = reader.judge(crops[:1])
            probabilities = np.stack([counts[0, 0], top.probabilities[hidden.half]])
            sure = float(counts[0, 0].max())
            if sure > LEGIBLE and _of_one_make(bodies_of(album, crops)):
                below.append(Sighting(hidden.place, pixels, probabilities, False, top.score * sure, half_hidden=True))
    return [*below, *found]


def _of_one_make(bodies: Array) -> bool:
    """Whether the half that looks out is made like the tile upon it, (2, 2, 3): a bare cell of a board reads as a blank."""
    return bool(np.abs(bodies[0, 0] - bodies[1]).max(axis=1).min() < OTHER_BODY)
