"""Stacks that lie there in the first picture: of the tiles below one half each looks out, and the upper one hides the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.reader import SHOWN, Reader
from vision.straighten import Album
from vision.table.sight import Sight
from vision.table.sighting import Sighting
from vision.table.stacks import loose_halves, peeping

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
            _, counts = reader.judge(album.straight(pixels[None]))
            probabilities = np.stack([counts[0, 0], top.probabilities[hidden.half]])
            sure = float(counts[0, 0].max())
            if sure > LEGIBLE:
                below.append(Sighting(hidden.place, pixels, probabilities, False, top.score * sure, half_hidden=True))
    return [*below, *found]
