"""Several looks at one still table: a wide one at first, then close ones at what it left in doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vision.halves import likeness
from vision.table.choosing import Box
from vision.table.sight import join_boxes
from vision.table.sighting import Sighting, half_of, merged

MOST = 3
"""A changed place is looked at so often at most, until its reading is sure."""

SURE, NOTHING = 0.9, 0.2
"""Readings worth more need no other look, nor do those worth less."""

SAME = 0.5
"""Two sightings that share more than this of their area are of one place."""


class Looks:
    """What was seen so far. A tile in doubt is framed by itself: cut out otherwise, it is a second opinion."""

    def __init__(self) -> None:
        self._looks: list[list[Sighting]] = []

    @property
    def begun(self) -> bool:
        """Whether there was a look."""
        return bool(self._looks)

    @property
    def enough(self) -> bool:
        """Whether nothing is in doubt that another look may settle."""
        return self.begun and (len(self._looks) >= MOST or not any(map(_in_doubt, self._looks[-1])))

    @property
    def found(self) -> list[Sighting]:
        """All looks as one."""
        return merged(self._looks) if self._looks else []

    def wide(self, found: Sequence[Sighting]) -> None:
        """The first look, at all places that matter."""
        self._looks = [list(found)]

    def close(self, look: Callable[[Box], list[Sighting]]) -> None:
        """One more look, only at what is in doubt. look: what is seen in a box of the picture."""
        doubts = [each for each in self._looks[-1] if _in_doubt(each)]
        sure = [each for each in self._looks[-1] if not _in_doubt(each)]
        seen = [each for box in join_boxes([_around(doubt) for doubt in doubts]) for each in look(box)]
        now = [each for each in seen if not any(_alike(each, known) for known in sure)]
        if len(self._looks) == 1:  # the wide look counts only where the close one sees nothing
            self._looks[0] = sure + [next((each for each in now if _alike(each, doubt)), doubt) for doubt in doubts]
        self._looks.append(sure + now)


def _in_doubt(sighting: Sighting) -> bool:
    return NOTHING < sighting.score < SURE


def _alike(one: Sighting, other: Sighting) -> bool:
    return one.back == other.back and likeness(one.pixels, other.pixels) > SAME


def _around(sighting: Sighting) -> Box:
    margin = half_of(sighting.pixels)
    (x0, y0), (x1, y1) = sighting.pixels.min(axis=0), sighting.pixels.max(axis=0)
    return float(x0 - margin), float(y0 - margin), float(x1 + margin), float(y1 + margin)
