"""How one made-up table looks: its top, the domino set, the lamps, the other pieces. Everything follows from a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.editions import Edition, edition
from simulator.faces import SetStyle, set_style
from simulator.noise import between, blobs, chance, clouds
from simulator.surfaces import surface

Picture = NDArray[np.float32]
Array = NDArray[np.float64]

TESTING_SEEDS = range(2_000_000_000, 2_001_000_000)
"""Seeds of looks that only tests and measurements may draw; nothing is ever trained on them."""

LUMA = np.array([0.11, 0.59, 0.3], np.float32)
"""How much each channel, BGR, is of the light that a person sees."""

TOP_MM = (2200, 1500)
"""Size of a painted table top, one pixel a millimetre; beyond it the picture is mirrored."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """A light over the table: place in mm (x, y, height), share of the light it gives, and width of its shadows' edges
    in millimetres under a thing of a tile's height."""

    place: tuple[float, float, float]
    share: float
    soft: float


@dataclass(frozen=True)
class Look:
    """One table's look; see `Look.of`. tile_mm: width of a tile. glossy: how much the table top shines, 0..1."""

    seed: int
    tile_mm: float
    style: SetStyle
    lamps: tuple[Lamp, ...]
    glossy: float
    tint: tuple[float, float, float]

    @classmethod
    def of(cls, seed: int, highest: int = 6, widest: float = 28.0) -> Look:
        """The look of a seed, with a set up to this double and tiles no wider than `widest` millimetres."""
        rng = np.random.default_rng([seed, 1])
        tile = between(rng, 21.0, min(27.0, widest))
        while not _readable(style := set_style(rng, highest)):
            pass
        style = replace(style, thickness=between(rng, 7.0, 12.0) / tile)
        if style.bar == "none":
            style = replace(style, bar="line")
        share = between(rng, 0.35, 0.6)
        first = _lamp(rng, share)
        lamps = (first, _lamp(rng, between(rng, 0.12, 0.3) * (1 - share))) if chance(rng, 0.5) else (first,)
        warm = between(rng, -0.05, 0.05)
        return cls(seed, tile, style, lamps, between(rng, 0.0, 0.5) ** 2, (1 - warm, 1.0, 1 + warm))

    def fitted(self, cell_mm: float) -> Look:
        """The same look with tiles small enough for two cells of a board."""
        return replace(self, tile_mm=min(self.tile_mm, cell_mm - 0.9, (2 * cell_mm - 1.2) / self.style.length))

    @property
    def length_mm(self) -> float:
        """Length of a tile."""
        return self.tile_mm * self.style.length

    @property
    def thick_mm(self) -> float:
        """Thickness of a tile."""
        return self.tile_mm * self.style.thickness

    @cached_property
    def edition(self) -> Edition:
        """The piecepack, and chips of at least four colours."""
        rng = np.random.default_rng([self.seed, 3])
        while len((found := edition(rng)).chips) < 4:
            pass
        return found

    @property
    def covering(self) -> str:
        """What the table top is: wood, felt, cloth, laminate or print."""
        return _covering(np.random.default_rng([self.seed, 2]))

    @cached_property
    def top(self) -> NDArray[np.uint8]:
        """The table top, BGR, one pixel a millimetre."""
        rng = np.random.default_rng([self.seed, 2])
        picture = _TOPS[_covering(rng)](TOP_MM[1], TOP_MM[0], rng)
        return (np.clip(picture, 0, 1) * 255).astype(np.uint8)


def _readable(style: SetStyle) -> bool:
    """Whether every number stands out from the body, and its pips from each other, as on any set that is sold."""
    if any(_nearest(style.pips[count]) * style.spread < 2 * style.radius(count) for count in range(2, style.highest + 1)):
        return False
    inks = style.colours[1 : style.highest + 1]
    light = np.abs(inks @ LUMA - float(style.body @ LUMA))
    hue = np.abs(inks - style.body).max(axis=1)
    return bool(((light > 0.3) | ((light > 0.15) & (hue > 0.5))).all())


def _nearest(points: NDArray[np.float32]) -> float:
    """How far two of (n, 2) points lie from each other at least."""
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    return float(apart[np.triu_indices(len(points), 1)].min())


def _lamp(rng: np.random.Generator, share: float) -> Lamp:
    """A lamp over the table, a lamp beside it, or a window."""
    angle = between(rng, 0, 2 * np.pi)
    kind = rng.random()
    if kind < 0.45:
        far, high, soft = between(rng, 250, 700), between(rng, 700, 1300), between(rng, 0.8, 2.0)
    elif kind < 0.75:
        far, high, soft = between(rng, 700, 1200), between(rng, 700, 1100), between(rng, 0.6, 1.5)
    else:
        far, high, soft = between(rng, 1500, 2600), between(rng, 1000, 1600), between(rng, 2.5, 6.0)
    return Lamp((far * np.cos(angle), far * np.sin(angle), high), share, soft)


def _wood(height: int, width: int, rng: np.random.Generator) -> Picture:
    """Boards of pine, oak, teak, walnut or wenge, oiled or varnished."""
    woods = ((0.50, 0.68, 0.82), (0.36, 0.52, 0.68), (0.22, 0.40, 0.60), (0.14, 0.24, 0.38), (0.10, 0.14, 0.20),
             (0.66, 0.76, 0.82))
    base = np.array(woods[int(rng.integers(len(woods)))], np.float32) * np.float32(between(rng, 0.85, 1.12))
    board = between(rng, 70, 220) if chance(rng, 0.75) else float(height)
    tops = np.arange(-between(rng, 0, board), height, board)
    picture = np.empty((height, width, 3), np.float32)
    for top in tops:
        y0, y1 = max(0, int(top)), min(height, int(top + board) + 1)
        if y1 <= y0:
            continue
        shape = (y1 - y0, width)
        squeezed = (shape[0], max(8, width // 18))
        rings = cv2.resize(clouds(*squeezed, between(rng, 14, 40), rng, 5), (width, shape[0]))
        bend = cv2.resize(blobs(*squeezed, between(rng, 20, 60), rng), (width, shape[0]))
        grain = np.sin(rings * between(rng, 3, 8) + bend) * between(rng, 0.03, 0.09) + rings * 0.03
        pores = cv2.resize(rng.standard_normal((shape[0], max(8, width // 26))).astype(np.float32), (width, shape[0]))
        tone = base * np.float32(between(rng, 0.92, 1.08))
        picture[y0:y1] = tone * (1 + grain + pores * between(rng, 0.01, 0.035))[..., None]
        if board < height:
            picture[y0 : y0 + 1] *= np.float32(0.45)
            picture[y0 + 1 : min(y0 + 2, y1)] *= np.float32(0.8)
    return picture


def _felt(height: int, width: int, rng: np.random.Generator) -> Picture:
    """Felt of a games table: one deep colour, short fibres."""
    felts = ((0.22, 0.36, 0.08), (0.30, 0.42, 0.14), (0.42, 0.22, 0.08), (0.14, 0.12, 0.50), (0.16, 0.16, 0.16),
             (0.26, 0.13, 0.27))
    base = np.array(felts[int(rng.integers(len(felts)))], np.float32) * np.float32(between(rng, 0.8, 1.3))
    fibres = cv2.GaussianBlur(rng.standard_normal((height, width)).astype(np.float32), (0, 0), 0.8)
    worn = clouds(height, width, 240, rng, 3)
    return base * (1 + fibres * between(rng, 0.05, 0.12) + worn * between(rng, 0.01, 0.04))[..., None]


def _cloth(height: int, width: int, rng: np.random.Generator) -> Picture:
    """A plain or checked table cloth: a fine weave, soft folds."""
    hue = np.array([[[between(rng, 0, 180), between(rng, 0, 110), between(rng, 110, 245)]]], np.uint8)
    base = (cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0] / 255).astype(np.float32)
    weave = rng.standard_normal((height, 1)).astype(np.float32) + rng.standard_normal((1, width)).astype(np.float32)
    fold = clouds(height, width, between(rng, 200, 500), rng, 2)
    creases = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(0, 4))):  # from being folded in the drawer
        if chance(rng, 0.5):
            creases[int(rng.integers(height))] = 1
        else:
            creases[:, int(rng.integers(width))] = 1
    creases = cv2.GaussianBlur(creases, (0, 0), 2.5) * 4
    uneven = weave * between(rng, 0.01, 0.04) + fold * between(rng, 0.0, 0.04) - creases * between(rng, 0, 0.2)
    picture = base * (1 + uneven)[..., None]
    if chance(rng, 0.25):
        step, other = between(rng, 14, 60), base * np.float32(between(rng, 0.4, 0.85))
        across = (np.arange(width) % (2 * step) < step).astype(np.float32)
        down = (np.arange(height) % (2 * step) < step).astype(np.float32)
        mix = (across[None] + down[:, None]) / 2
        picture = picture * (1 - mix[..., None]) + picture / base * other * mix[..., None]
    return picture


def _laminate(height: int, width: int, rng: np.random.Generator) -> Picture:
    """A painted or laminated top: white, grey, black or a pale stone pattern."""
    tone = float(rng.choice([0.92, 0.8, 0.55, 0.2])) * between(rng, 0.9, 1.05)
    base = np.array([tone, tone, tone], np.float32) * rng.uniform(0.95, 1.05, 3).astype(np.float32)
    vein = clouds(height, width, between(rng, 60, 240), rng, 5)
    picture = base * (1 + np.sin(vein * 3) * between(rng, 0, 0.05))[..., None]
    return picture * (1 + rng.standard_normal((height, width, 1)).astype(np.float32) * np.float32(between(rng, 0.0, 0.02)))


def _any(height: int, width: int, rng: np.random.Generator) -> Picture:
    """Prints, boards and whatever else tables are covered with."""
    return cv2.resize(surface(1000, rng), (width, width), interpolation=cv2.INTER_CUBIC)[:height]


_TOPS: dict[str, Callable[[int, int, np.random.Generator], Picture]] = {
    "wood": _wood, "felt": _felt, "cloth": _cloth, "laminate": _laminate, "print": _any,
}  # fmt: skip
_TOP_ODDS = (0.42, 0.18, 0.22, 0.14, 0.04)


def _covering(rng: np.random.Generator) -> str:
    return list(_TOPS)[int(rng.choice(len(_TOPS), p=_TOP_ODDS))]
