"""How makers arrange and colour pips: layouts for 0 to 15, and the colour codes of coloured sets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float32]

# Three parallel lines of pips, as (outer, middle, outer) counts, for each number that is built that way.
_LINES: dict[int, tuple[tuple[int, int, int], ...]] = {
    6: ((3, 0, 3),),
    7: ((3, 1, 3), (2, 3, 2)),
    8: ((3, 2, 3), (4, 0, 4)),
    9: ((3, 3, 3), (4, 1, 4)),
    10: ((4, 2, 4), (3, 4, 3), (5, 0, 5)),
    11: ((4, 3, 4), (5, 1, 5)),
    12: ((4, 4, 4), (5, 2, 5)),
    13: ((5, 3, 5), (4, 5, 4)),
    14: ((5, 4, 5),),
    15: ((5, 5, 5),),
}


def _line(count: int, longest: int, across: float, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Points of one line; a line shorter than its neighbours reaches as far, keeps their pitch, or lies between."""
    if count == 0:
        return []
    if count == 1:
        return [(0.0, across)]
    tight = (count - 1) / (longest - 1)
    reach = float(rng.choice([1.0, tight, (1 + tight) / 2], p=[0.52, 0.38, 0.1])) if count < longest else 1.0
    return [(float(t), across) for t in np.linspace(-reach, reach, count)]


def pip_layout(count: int, rng: np.random.Generator) -> Points:
    """One maker's arrangement of `count` pips: (count, 2) points in [-1, 1], the half's own axes."""
    corners = [(-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)]
    if count == 0:
        return np.zeros((0, 2), np.float32)
    if count == 1:
        points = [(0.0, 0.0)]
    elif count in (2, 3):
        points = corners[:2] if rng.random() < 0.85 else [(-1.0, 0.0), (1.0, 0.0)]
        points = points + [(0.0, 0.0)] if count == 3 else points
    elif count in (4, 5):
        points = corners + ([(0.0, 0.0)] if count == 5 else [])
    elif count == 14 and rng.random() < 0.2:
        grid = np.linspace(-1, 1, 4)
        points = [(float(u), float(v)) for u in grid for v in grid if not (abs(u) < 0.5 and u * v > 0 and abs(v) < 0.5)]
    else:
        forms = _LINES[count]
        form = forms[0] if rng.random() < 0.75 else forms[int(rng.integers(len(forms)))]
        longest = max(form)
        side = _line(form[0], longest, 1.0, rng)
        points = side + _line(form[1], longest, 0.0, rng) + [(u, -1.0) for u, _ in side]
    layout = np.array(points, np.float32).reshape(-1, 2)
    if rng.random() < 0.5:
        layout = layout[:, ::-1].copy()
    if rng.random() < 0.5:
        layout[:, 0] *= -1
    return layout


# The usual colour codes (BGR, 0..1), blank first; makers shift hues, so every use is jittered.
_DOUBLE_NINE = ((0, 0, 0), (230, 170, 90), (60, 190, 70), (60, 50, 220), (60, 90, 150), (190, 70, 30),
                (40, 170, 250), (190, 60, 200), (160, 180, 30), (160, 60, 110))
_DOUBLE_TWELVE = (*_DOUBLE_NINE, (50, 100, 240), (50, 50, 50), (165, 165, 165))
_DOUBLE_FIFTEEN = (*_DOUBLE_TWELVE, (120, 60, 20), (40, 120, 110), (140, 30, 90))
_MEXICAN = ((0, 0, 0), (200, 120, 40), (80, 140, 30), (40, 30, 160), (120, 100, 90), (150, 60, 40),
            (30, 180, 240), (150, 40, 160), (60, 90, 40), (140, 50, 70), (40, 130, 240), (30, 30, 30),
            (150, 150, 150), (60, 60, 170), (90, 170, 170), (90, 40, 30))


def pip_colours(ink: NDArray[np.float32], coloured: bool, rng: np.random.Generator) -> NDArray[np.float32]:
    """(16, 3) BGR 0..1, one colour a number: all `ink`, a known code, or a code of nobody's."""
    if not coloured:
        return np.repeat(ink[None], 16, axis=0)
    kind = rng.random()
    colours: NDArray[np.float32]
    if kind < 0.45:
        colours = np.array(_DOUBLE_FIFTEEN, np.float32) / np.float32(255)
    elif kind < 0.7:
        colours = np.array(_MEXICAN, np.float32) / np.float32(255)
    else:
        colours = (rng.uniform(0.02, 0.9, (16, 3)) * rng.uniform(0.4, 1, (16, 1))).astype(np.float32)
    shifted = colours * np.float32(rng.uniform(0.55, 1.1)) + rng.normal(0, 0.06, (16, 3)).astype(np.float32)
    if rng.random() < 0.2:  # some sets colour only a few numbers
        plain = rng.random(16) < 0.5
        shifted[plain] = ink
    return np.clip(shifted, 0, 1).astype(np.float32)
