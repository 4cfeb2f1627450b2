"""What the tiles of a table look like: their size and the colours of their faces and backs, learned from sure readings."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.degrees import HALF, NEARLY_ALL, NEVER, PLAIN
from vision.detection import Detection, as_it_is
from vision.frame import Image
from vision.medians import medians
from vision.observation import Array
from vision.rectify import HEIGHT, MARGIN, WIDTH, ImagePyramid
from vision.table.changes import DARK

KNOWN = 6
"""From so many sure tiles on it is known what they look like."""

OF_ONE_SIZE = 0.06
"""Two tiles tell the size of all if neither is longer or wider than the median by more than this part; of more, one may be off
by more, as the median is the surer."""

CROWDED = 5
"""From so many pips on they may cover most of a half."""

NEAREST = 3
"""So many known tiles must be alike for one of their kind to be: a single one may have been misread."""

ALIKE_BACKS, OF_ONE_KIND = 4, 0.2
"""Of so many places that surely are backs, and whose bodies differ by no more than this, the backs' body is known, too."""

NEARLY_MUST = 50.0
"""How many times likelier a tile is there, where all around speaks for it, than the tile reader takes it for."""

SEVERAL = 2
"""So many tiles of one size tell the size of all."""

INSIDE = np.stack(np.meshgrid(np.linspace(0.12, 0.88, 6), np.linspace(0.2, 0.8, 3), indexing="ij"), axis=-1).reshape(-1, 2)
AROUND = np.concatenate([[(u, v) for u in np.linspace(0.1, 0.9, 6) for v in (-0.2, 1.2)],
                         [(u, v) for u in (-0.1, 1.1) for v in np.linspace(0.2, 0.8, 3)]])
"""Where the colour of a place and of its rim is looked at, in its lengths and widths."""

OTHER_BODY = 0.35
"""Halves whose brightness or tint differ by more than this, as logarithms, are hardly of one tile or one set."""


def sizes(corners: Array) -> Array:
    """(n, 2) length and width of tiles with these corners, (n, 4, 2)."""
    along = (corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 2
    across = (corners[:, 0] + corners[:, 3] - corners[:, 1] - corners[:, 2]) / 2
    return np.stack([np.linalg.norm(along, axis=1), np.linalg.norm(across, axis=1)], axis=1).astype(np.float32)


class TheSet:
    """What the tiles of this table look like, learned from those that are read surely; from `KNOWN` of them on it is known."""

    def __init__(self) -> None:
        self._sizes: deque[Array] = deque(maxlen=200)
        self._faces: deque[Array] = deque(maxlen=200)
        self._backs: deque[Array] = deque(maxlen=200)
        self.size: tuple[float, float] | None = None
        """Length and width of a tile, once they are known."""

    @property
    def measured(self) -> bool:
        """Whether enough tiles were measured for their size to be sure."""
        return len(self._sizes) >= KNOWN

    @property
    def coloured(self) -> bool:
        """Whether enough faces and backs are known to tell what is one of them by its colour."""
        return len(self._faces) >= NEAREST and len(self._backs) >= KNOWN

    def learn(self, pyramid: ImagePyramid, seen: Sequence[Detection]) -> tuple[float, float] | None:
        """Take the sure ones of these into account; the size of a tile, if it is known now."""
        sure = [each for each in seen if each.score > PLAIN]
        if len(sure) >= SEVERAL or self._sizes:  # several looks at one tile tell no more than one
            self._sizes += [sizes(each.corners[None])[0] for each in sure]
            known = np.array(self._sizes)
            usual = np.median(known, axis=0)
            unequal = np.abs(known / usual - 1).max() > OF_ONE_SIZE * np.sqrt(len(known) / SEVERAL)
            self.size = None if unequal and not self.measured else (float(usual[0]), float(usual[1]))
        if sure:
            crops = pyramid.warp_crops(np.array([each.pixels for each in sure]))
            backs = np.array([each.back for each in sure])
            self.remember(bodies_of(pyramid, crops), backs)
        return self.size

    def remember(self, bodies: Array, backs: NDArray[np.bool_]) -> None:
        """Take the bodies of sure tiles, (n, 2, 3), into account; which of them lie face down, (n,).

        What lies face down, but is made like the faces and unlike most backs, is a double blank, and tells nothing of backs.
        """
        self._faces += list(bodies[~backs])
        down = bodies[backs]
        if len(down) and len(self._faces) >= NEAREST:
            other = np.abs(down - _usual([*self._backs, *down])).max(axis=(1, 2)) > OTHER_BODY
            down = down[~(other & (_unlike(down, np.array(self._faces)).max(axis=1) < OTHER_BODY))]
        self._backs += list(down)

    def prior(self, pyramid: ImagePyramid, corners: Array, bodies: Array, counts: Array) -> Array:
        """(n, 3) how many times likelier face, back and nothing are at places, (n, 4, 2) pixels, than their pictures alone tell.

        Where faces and backs are of two colours, each tells which it is; what is all of the faces' colour, which the table
        and what lies around are not, is hardly nothing: a double blank shows little else. bodies: (n, 2, 3). counts: (n, 2, 16)
        what is read there: where it is many pips they, and not the body, may be the most that is seen, and are no back's.
        """
        odds = np.ones((len(bodies), 3), np.float32)
        if len(self._faces) < NEAREST:
            return odds
        if self.coloured:
            from_faces, from_backs = (_unlike(bodies, np.array(known)) for known in (self._faces, self._backs))
            from_face, from_back = from_faces.max(axis=1), from_backs.max(axis=1)
            # A double blank without a bar has nothing else to tell that it is no back.
            odds[(from_face < OTHER_BODY) & (from_back > np.maximum(OTHER_BODY, 2 * from_face)), 1] = NEVER
            from_face = np.where(crowded(counts), 0, from_faces).max(axis=1)
            odds[(from_back < OTHER_BODY) & (from_face > 2 * np.maximum(from_back, _variety(self._faces))), 0] /= NEARLY_MUST
        face = _usual(self._faces)
        if len(self._faces) >= KNOWN and np.abs(face).max() > OTHER_BODY:  # apart from the table
            like = np.flatnonzero(np.abs(bodies - face).max(axis=(1, 2)) < OTHER_BODY)
            like = like[filled(pyramid, corners[like], face, INSIDE) > NEARLY_ALL]
            if len(like):
                odds[like[filled(pyramid, corners[like], face, AROUND) < HALF], 2] /= NEARLY_MUST
        return odds

    def strange(self, bodies: Array, backs: NDArray[np.bool_], counts: Array, certainty: Array) -> NDArray[np.bool_]:
        """(n,) which of the tiles with these halves' bodies, (n, 2, 3), are not made like the others of their kind.

        What is read plainly is a tile however it is made. counts: (n, 2, 16) what is read there, see `prior`.
        Where no backs are known, those that are alike now tell what backs are made of; where there are none, the faces do:
        most backs are of the colour of the faces' bodies.
        """
        out = np.zeros(len(bodies), np.bool_)
        if (certainty >= PLAIN).all():
            return out
        faces = list(self._faces) if len(self._faces) >= KNOWN else []
        others = list(self._backs) if len(self._backs) >= KNOWN else _alike(bodies[backs & (certainty >= PLAIN)])
        for known, which, seen in ((faces, ~backs, as_it_is), (faces, ~backs, _tints), (others or faces, backs, as_it_is)):
            if known:
                usual, shown = _usual(seen(np.array(known))), seen(bodies)
                spread = medians(np.abs(seen(np.array(known)).mean(axis=1) - usual).max(axis=1))
                off = np.abs(shown - usual).max(axis=2)
                off[~backs[:, None] & crowded(counts)] = 0
                out |= which & (off.max(axis=1) > max(OTHER_BODY, 5 * float(spread)))
        return out & (certainty < PLAIN)


def _tints(bodies: Array) -> Array:
    """Bodies, (..., 3), without how bright they are: many pips lighten a dark half, but leave its tint."""
    return np.asarray(bodies - bodies.mean(axis=-1, keepdims=True), np.float32)


def _usual(bodies: Collection[Array]) -> Array:
    """(3,) the body of most tiles, (2, 3) each."""
    return medians(np.array(bodies).mean(axis=1).T).astype(np.float32)


def _variety(bodies: Collection[Array]) -> float:
    """How far nearly all of these tiles, (2, 3) each, keep from the usual: blotches darken one half and not the other."""
    off = np.abs(np.array(bodies) - _usual(bodies)).max(axis=(1, 2))
    nearly_all = int(NEARLY_ALL * (len(off) - 1))
    return float(np.partition(off, nearly_all)[nearly_all])


def crowded(counts: Array) -> NDArray[np.bool_]:
    """(n, 2) which halves most likely show many pips, by counts (n, 2, 16)."""
    return np.asarray(counts.argmax(axis=-1) >= CROWDED)


def _unlike(bodies: Array, known: Array) -> Array:
    """(n, 2) how far from their like the halves of tiles, (n, 2, 3), are: from those known, (m, 2, 3), that are nearest.

    What all known are like on the whole says little: a lamp lights tiles nearby more, and many pips lighten a dark half; one
    with few is like the other halves with few.
    """
    off = np.abs(bodies[:, :, None] - known.reshape(-1, 3)).max(axis=3)
    return np.partition(off, NEAREST - 1, axis=2)[:, :, NEAREST - 1]


def _alike(bodies: Array) -> list[Array]:
    """The bodies, (2, 3), of these tiles, (n, 2, 3), that are like most of them; none where too few are."""
    middles = bodies.mean(axis=1)
    near = np.abs(middles[:, None] - middles[None]).max(axis=2, initial=0.0) < OF_ONE_KIND
    most = near[near.sum(axis=1).argmax()] if len(near) else np.zeros(0, np.bool_)
    return list(bodies[most]) if most.sum() >= ALIKE_BACKS else []


def filled(pyramid: ImagePyramid, places: Array, bodies: Array, where: NDArray[np.float64]) -> Array:
    """(n,) which share of each place, (n, 4, 2) pixels of the album's picture, is of a body's colour, (n, 3) or (3,)."""
    off = np.abs(_colours(pyramid, places, where) - bodies[..., None, :]).max(axis=2)
    return np.asarray((off < OTHER_BODY).mean(axis=1), np.float32)


def _colours(pyramid: ImagePyramid, places: Array, where: NDArray[np.float64]) -> Array:
    """(n, m, 3) what is seen at m points of each place, (n, 4, 2) pixels, as logarithms of ratios to the whole picture's."""
    image = pyramid.size(1)
    scale = np.array(image.shape[1::-1], np.float32) / pyramid.size(0).shape[1::-1]
    first, second, third, fourth = (places[:, k, None] for k in range(4))
    u, v = where[:, :1], where[:, 1:]
    points = ((1 - u) * ((1 - v) * second + v * first) + u * ((1 - v) * third + v * fourth)) * scale
    column, row = (np.clip(points[..., k], 0, image.shape[1 - k] - 1).astype(np.int64) for k in (0, 1))
    return logarithms_of(pyramid, image[row, column].astype(np.float32))


def logarithms_of(pyramid: ImagePyramid, levels: Array) -> Array:
    """Levels, (..., 3), of the album's picture as logarithms of ratios to the whole picture's."""
    return np.log((levels + DARK) / (pyramid.usual + DARK)).astype(np.float32)


def bodies_of(pyramid: ImagePyramid, crops: Image) -> Array:
    """(n, 2, 3) the body of each half of straightened tiles: logarithms of its levels over those of the whole picture."""
    inside = crops[:, MARGIN + 4 : HEIGHT - MARGIN - 4 : 2, MARGIN + 4 : WIDTH - MARGIN - 4 : 2]
    middle = inside.shape[2] // 2
    halves = np.stack([inside[:, :, : middle - 2], inside[:, :, middle + 2 :]], axis=1)
    levels = halves.reshape(len(crops), 2, halves.shape[2] * halves.shape[3], 3)
    return logarithms_of(pyramid, medians(levels.swapaxes(2, 3)))
