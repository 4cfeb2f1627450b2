"""The table measured by the dominoes that lie on it: nothing printed, only the length of a tile is known.

Outlines are blurred by bevels, sides and shadows, so it is the pips that measure: the middles of a tile's halves are half
its length apart, and on all tiles of a set the same number is laid out in the same way, however they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import CalibrationError, Fit, fit, uncertainty
from calibration.framing import framed, off_on_plane, quartered, upright
from calibration.pips import HalfPips, pips_of
from calibration.profile import Profile
from calibration.shapes import Shapes, Spots, quad_area
from engine.words import say

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

THICKNESS = 10.0
"""Of usual tiles, millimetres: their faces are that much above the table."""

FEWEST = 6
"""Tiles with fewer than these nothing is measured."""

DOUBTFUL_MM = 3.0
"""Dominoes that tell the table worse than this, root mean square, are too few or too close together."""

UNEXPLAINED, UNEXPLAINED_OUTLINES = 1.45, 2.5
"""So many times what the noise of pips, and of outlines, explains is what tables turn out to be off
(`kibitz measure-calibration`): a lamp shifts all pips, and sides are taken for faces.
"""

SIZE_SPREAD = 0.1
"""How much dominoes of different sets differ in size, as a logarithm."""

CHANCE, ONE_SIZE, SEEMS_ONE_SIZE = 12.0, 0.03, 0.09
"""Tiles are of two sizes where that explains so much more, as a sum of squares, and they differ by more than this; by more
than the last where outlines alone tell, since of some tiles a side is taken for a part of the face. Tiles of one size gain
as much now and then, but by differing a hundredth or two.
"""

BEST_SEEN = 0.4
"""Pips are never taken to be seen better than at so much of the noise that is told below."""

BEST_OUTLINE_PX = 0.1
"""Nor are corners of outlines, pixels."""

TILE_TOLERANCE, LOOSE_TOLERANCE, MIDDLE_TOLERANCE = 0.05, 0.2, 0.015
"""How far a tile's outline may be off to count as fitting, of its length; and where its pips are known, too, its outline,
which may hold a side of the tile, and the middles of its halves."""

PIP_NOISE, PIP_NOISE_PX = 0.0015, 0.05
"""How well a pip is found, of a half's side, and pixels."""

SLIP = 0.004
"""By how much makers slip with all pips of a half, of its side."""

ALIKE = 0.12
"""Pips of two halves lie alike where none is farther off than this, of a half's side."""

ENOUGH_HALVES = 8
"""With the pips of fewer halves it is the outlines that measure."""


def from_tiles(
    quads: Array, size: tuple[int, int], length_mm: float, thickness_mm: float = THICKNESS,
    image: Image | None = None, ends: Sequence[tuple[int, int]] = (),
) -> Profile:  # fmt: skip
    """The profile from dominoes lying flat on the table, all of one size.

    quads: (n, 4, 2) pixels, the corners of their faces clockwise as seen, starting at either end's first corner as the
    reader gives them (corners 0 and 1 at one end). length_mm: of a tile; its width follows, near half of it. The profile is
    of the table; the faces are `thickness_mm` above it (see `raised`). image, ends: the picture and the pips of each tile's
    first and second half; with them the tiles are measured by their pips, several times as well. Raises CalibrationError.
    """
    quads = np.asarray(quads, np.float64)[:, [1, 2, 3, 0]]
    if len(quads) < FEWEST:
        raise CalibrationError(say("{number} dominoes are seen; lay at least ten face up, spread over the table.",
                                   number=len(quads)))
    if (quad_area(quads) < 0).mean() > 0.5:
        raise CalibrationError(say("The picture is mirrored: switch the camera's mirroring off."))
    facing = quad_area(quads) > 0
    quads, ends = quads[facing], [pair for pair, good in zip(ends, facing, strict=False) if good]
    shapes = _shapes(quads, quads, length_mm, image, ends)
    found = fit(shapes, size, robust=True)
    if shapes.spots is not None:  # outlines that are explained show more halves rightly
        shapes = _shapes(quads, quads - found.residuals, length_mm, image, ends)
        found = fit(shapes, size, robust=True, near=found)
    if shapes.spots is not None:
        shapes = replace(shapes, spots=shapes.spots.noisier(max(BEST_SEEN, found.spots_off)))
    else:
        astray = float(np.median(np.abs(found.residuals))) / 0.5  # of normal ones, less what each tile's place takes up
        shapes = replace(shapes, noise=min(shapes.noise, max(BEST_OUTLINE_PX, astray)))
    found = fit(shapes, size, robust=True, near=found)
    _check_sizes(found, ONE_SIZE if shapes.spots is not None else SEEMS_ONE_SIZE)
    off = off_on_plane(found, quads)
    distance = np.sqrt((off**2).sum(axis=2).mean(axis=1))
    told = np.isin(np.arange(len(quads)), [] if shapes.spots is None else shapes.spots.tile)
    fits = distance < np.where(told, LOOSE_TOLERANCE, TILE_TOLERANCE if shapes.spots is None else 2 * TILE_TOLERANCE) * length_mm
    fits &= _pips_fit(found, shapes, MIDDLE_TOLERANCE * length_mm)
    if fits.sum() < max(FEWEST, 0.75 * len(quads)):
        raise CalibrationError(say("Only {fitting} of {number} dominoes fit together as tiles of one size lying flat: are there "
                                   "two sizes, or do some lean?", fitting=int(fits.sum()), number=len(quads)))
    if not fits.all():
        shapes = replace(shapes, corners=quads[fits], spots=None if shapes.spots is None else shapes.spots.of(fits))
        found = fit(shapes, size, robust=True, near=found)
    profile = _framed(found, quads[fits], size, length_mm, thickness_mm)
    doubt = _doubt(found, profile) * (UNEXPLAINED if shapes.spots is not None else UNEXPLAINED_OUTLINES)
    if doubt > DOUBTFUL_MM:
        raise CalibrationError(say("These {number} dominoes tell the table's millimetres to {doubt} mm only: lay more of them, "
                                   "farther apart, or use table tags.", number=int(fits.sum()), doubt=round(float(doubt))))
    note = say("Measured from {number} dominoes of {length} mm, to about {doubt} mm: table tags measure better.",
               number=int(fits.sum()), length=f"{length_mm:g}", doubt=round(float(doubt), 1))
    return replace(profile, notes=(note,))


def _doubt(found: Fit, profile: Profile) -> float:
    """How far places of the play area may be off by what noise explains, root mean square, millimetres."""
    x0, y0, x1, y1 = profile.area
    grid = np.array([(x, y) for x in np.linspace(x0, x1, 7) for y in np.linspace(y0, y1, 7)])
    return uncertainty(found, profile.to_picture(grid))


def _framed(found: Fit, quads: Array, size: tuple[int, int], length_mm: float, thickness_mm: float) -> Profile:
    """The profile of the table under these tiles; its frame is in line with most of them."""
    places = found.plane.reshape(-1, 2)
    origin = (places.min(axis=0) + places.max(axis=0)) / 2
    along = found.plane[:, 1] - found.plane[:, 0]
    turn = quartered(upright(found, origin), np.arctan2(along[:, 1], along[:, 0]), 0.7)
    grown = np.concatenate([places + d for d in ((-length_mm, -length_mm), (length_mm, length_mm))])
    return framed(found, size, "tiles", origin, turn, grown, thickness_mm, off_on_plane(found, quads), (), within_picture=True)


def _check_sizes(found: Fit, most: float) -> None:
    """Refuse tiles that are explained much better as tiles of two sizes, which differ by more than `most`."""
    gain, larger = two_sizes(found)
    if gain > CHANCE and larger > most:
        raise CalibrationError(say("The dominoes seem to be of different sizes, some {larger} % larger than others: lay out one "
                                   "set only, flat on the table.", larger=round(100 * float(larger))))


def two_sizes(found: Fit) -> tuple[float, float]:
    """What is gained if some of the tiles are larger than the others, and by how much, as a logarithm.

    The gain is in the sum of squares, in units of its noise. Tiles are parted where their sizes, each fitted with the camera,
    say so best.
    """
    each = -np.linalg.solve(found.hold + np.eye(len(found.pull)) / SIZE_SPREAD**2, found.pull)
    best, larger = 0.0, 0.0
    order = np.argsort(each)
    for number in range(2, len(order) - 1):
        some = np.zeros(len(order))
        some[order[number:]] = 1
        hold = float(some @ found.hold @ some)
        if hold > 1e-9:
            gain = float(some @ found.pull) ** 2 / hold
            if gain > best:
                best, larger = gain, -float(some @ found.pull) / hold
    return best, larger


def _pips_fit(found: Fit, shapes: Shapes, tolerance_mm: float) -> NDArray[np.bool_]:
    """(n,) whether the middles of the halves whose pips are known lie where the fit has them."""
    fits = np.ones(len(shapes.corners), np.bool_)
    spots = shapes.spots
    if spots is None:
        return fits
    seen = found.to_plane(spots.pixels)
    ends = (found.plane[:, [0, 1]] + found.plane[:, [3, 2]]) / 2
    meant = ends * 0.75 + ends[:, ::-1] * 0.25
    for half in range(int(spots.half.max()) + 1):
        own = spots.half == half
        tile, second = int(spots.tile[own][0]), int(spots.second[own][0])
        fits[tile] &= bool(np.linalg.norm(seen[own].mean(axis=0) - meant[tile, second]) < tolerance_mm)
    return fits


def _shapes(quads: Array, around: Array, length_mm: float, image: Image | None, ends: Sequence[tuple[int, int]]) -> Shapes:
    """The outlines `quads`, and where a picture shows the pips of tiles that lie `around` there."""
    side = float(np.median(np.sqrt(quad_area(quads) / 2)))
    if image is not None and len(ends) == len(quads):
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        halves = [(tile, half, pips) for tile, (quad, pair) in enumerate(zip(around, ends, strict=True))
                  for half, pips in pips_of(grey, quad, pair).items()]
        if len(halves) >= ENOUGH_HALVES:
            sides = np.sqrt(quad_area(around) / 2)
            return Shapes(quads, length_mm, length_mm / 2, 0.03, 0.14 * side, _spots(halves, sides, length_mm / 2))
    return Shapes(quads, length_mm, length_mm / 2, slack=0.03, noise=max(0.3, 0.017 * side))


def _spots(halves: Sequence[tuple[int, int, HalfPips]], sides: Array, side_mm: float) -> Spots:
    """The pips of these halves (tile, 0 or 1, pips), those that are laid out alike together. sides: (n,) pixels."""
    layouts: list[Array] = []  # (k, 2) each
    first = [0]  # number of each layout's first vector
    rows: list[tuple[int, int, int, int, float]] = []
    pixels: list[Array] = []
    for number, (tile, second, pips) in enumerate(halves):
        which, order = _alike(pips.rough, layouts)
        if which == len(layouts):
            layouts.append(pips.rough)
            first.append(first[-1] + len(pips.rough) // 2)
        pixels.append(pips.pixels[order])
        count = len(order)
        for at in range(count):
            vector = min(at, count - 1 - at)
            sign = float(np.sign(count - 1 - 2 * at))
            rows.append((tile, number, second, first[which] + vector if sign else 0, sign))
    table = np.array(rows)
    vectors = [layout[: len(layout) // 2] * side_mm for layout in layouts]
    of = sides[table[:, 0].astype(np.int64)]
    return Spots(np.concatenate(pixels), table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2] > 0,
                 table[:, 3].astype(np.int64), table[:, 4], np.concatenate([*vectors, np.zeros((1, 2))]),
                 np.hypot(PIP_NOISE * of, PIP_NOISE_PX), SLIP * of)


def _alike(rough: Array, layouts: Sequence[Array]) -> tuple[int, NDArray[np.int64]]:
    """Which layout these pips have, and their order in it; a new one where they lie unlike all."""
    for which, layout in enumerate(layouts):
        if len(layout) == len(rough):
            apart = np.linalg.norm(layout[:, None] - rough[None], axis=2)
            order = apart.argmin(axis=1)
            if len(set(order.tolist())) == len(rough) and apart.min(axis=1).max() < ALIKE:
                return which, order
    return len(layouts), np.arange(len(rough))
