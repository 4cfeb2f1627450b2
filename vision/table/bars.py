"""What lies between the halves of this set's faces, and not on its backs: a tile without pips that has a bar lies face up,
and one that has none face down."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import HEIGHT, MARGIN, WIDTH
from vision.table.bodies import DARK

Array = NDArray[np.float32]
Image = NDArray[np.uint8]

SEVERAL, ENOUGH = 4, 16
"""From so many faces, and as many backs, on it is known how they differ; of more than the latter, one more tells nothing new."""

STEADY = 0.12
"""How unlike each other bars of one set are at least taken to be, as a share of the usual one: nobody has seen all of them."""

MOST_NATS = 4.0
"""How much a bar, or that there is none, tells at most, in nats."""

NONE, CLEARLY = 0.2, 3.0
"""A bar that is weaker than this share of the usual one is none. A set has bars where the usual one is so many times
stronger than they differ: what faces without bars have in common is chance.
"""

DOUBTFUL = 0.02
"""What is less likely a face, or less likely a back, than this is not looked at again."""

ACROSS = np.s_[:, MARGIN + 4 : HEIGHT - MARGIN - 4, WIDTH // 2 - 12 : WIDTH // 2 + 12]
"""Of straightened tiles, where the bar is, and as much beside it."""

BROADER = 9
"""What is as broad as this across a tile's middle, in pixels, is no bar."""

ASIDE = 4
"""So many pixels from the middle the bar is looked for: people do not lay by the mm, nor do corners lie there as they seem."""


class Bars:
    """Learned from tiles that are surely read."""

    def __init__(self) -> None:
        self._faces: list[Array] = []
        self._backs: list[Array] = []
        self._usual: Array | None = None
        self._face = self._back = (0.0, STEADY)  # how strong the bars of those seen are: the middle one, and how they spread

    @property
    def known(self) -> bool:
        """Whether one more tile tells nothing new."""
        return len(self._faces) >= ENOUGH and len(self._backs) >= ENOUGH

    def learn(self, faces: Image, backs: Image) -> None:
        """Take straightened tiles, (n, h, w, 3) and (m, h, w, 3), that surely lie face up and face down into account."""
        self._faces = [*self._faces, *_profiles(faces)][:ENOUGH]
        self._backs = [*self._backs, *_profiles(backs)][:ENOUGH]
        if len(self._faces) >= SEVERAL:
            self._usual = np.median(np.stack(self._faces), axis=0).astype(np.float32)
            self._face = _normal(self.strengths(np.stack(self._faces)))
            if len(self._backs) >= SEVERAL:
                self._back = _normal(self.strengths(np.stack(self._backs)))

    def told(self, crops: Image, kinds: Array, blank: NDArray[np.bool_]) -> Array:
        """The kinds, (n, 3), of straightened tiles by one who knows the bars: where one is, hardly a back lies, and where
        none is, hardly a double blank. blank: (n,) which of them show no pips, if they lie face up.
        """
        if self._usual is None:
            return kinds
        backs_known = len(self._backs) >= SEVERAL and self._face[0] > self._back[0]
        doubtful = np.logical_and((kinds[:, :2] > DOUBTFUL).all(axis=1), backs_known)
        bare = blank & (kinds[:, 0] > DOUBTFUL)
        bare[bare] = self.absent(crops[bare])
        if not (doubtful | bare).any():
            return kinds
        out = kinds.copy()
        out[bare, 0] *= np.float32(np.exp(-MOST_NATS))
        if doubtful.any():
            seen = self.strengths(_profiles(crops[doubtful]))
            for_a_bar = np.where(seen > self._back[0], _log_density(seen, self._face) - _log_density(seen, self._back), 0.0)
            out[doubtful, 1] *= np.exp(-np.clip(for_a_bar, 0, MOST_NATS)).astype(np.float32)
        return np.asarray(out / out.sum(axis=1, keepdims=True), np.float32)

    def absent(self, crops: Image) -> NDArray[np.bool_]:
        """(n,) which straightened tiles have no bar, though all faces of the set have one."""
        if self._usual is None or self._face[0] < CLEARLY * self._face[1] or not len(crops):
            return np.zeros(len(crops), np.bool_)
        return np.asarray(self.strengths(_profiles(crops)) < NONE * self._face[0], np.bool_)

    def strengths(self, profiles: Array) -> Array:
        """(n,) how strong the bar is in profiles, (n, w, 3): 0 for none, 1 for the usual one."""
        assert self._usual is not None
        inner = self._usual[ASIDE:-ASIDE]
        inner = inner - inner.mean(axis=0)
        found = [(profiles[:, at : at + len(inner)] * inner).sum(axis=(1, 2)) for at in range(2 * ASIDE + 1)]
        return np.asarray(np.max(found, axis=0) / max(float((inner**2).sum()), 1e-6), np.float32)


def _profiles(crops: Image) -> Array:
    """(n, w, 3) what straightened tiles show across their middles, as logarithms, without what is broader: marble and light.

    It is what most rows show: a bar goes from side to side, a scratch over the middle does not.
    """
    if not len(crops):
        return np.zeros((0, WIDTH, 3), np.float32)
    logs = np.log(crops[ACROSS] + np.float32(DARK))
    rows = np.stack([cv2.blur(each, (3, 3)) - cv2.blur(each, (BROADER, 3)) for each in logs])  # a bar may lean a little
    return np.asarray(np.median(rows, axis=1), np.float32)


def _normal(strengths: Array) -> tuple[float, float]:
    """The middle one, and how they spread around it (median absolute deviation, as a standard deviation)."""
    middle = float(np.median(strengths))
    return middle, max(STEADY, 1.48 * float(np.median(np.abs(strengths - middle))))


def _log_density(values: Array, normal: tuple[float, float]) -> Array:
    """How likely such values are under a normal distribution, as logarithms, but for a constant."""
    middle, spread = normal
    return np.asarray(-(((values - middle) / spread) ** 2) / 2 - np.log(spread), np.float32)
