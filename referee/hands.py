"""Whose hands came over the table, and what they took up first: a hand tells who did what the table then shows."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.reading import Reached
from referee.setting import Point, Setting
from vision.degrees import HALF
from vision.observation import Array, Observation, SeenTile

Mask = NDArray[np.bool_]

NEAR = 0.06
"""How near to a seat's edge, as a share of the table, a veil must come to be this seat's hand."""

SPECK = 0.004
"""Share of the table that neither a hand nor its shadow is smaller than: with other light the edges of tags are swept, too."""

CARD_MM = 110.0
"""What lies no farther than this from a corner of the table, on both sides, may be the tag that is its corner."""

JITTER_MM = 10.0
"""By how much the outline of what lies still may seem to move."""


@dataclass
class Hands:
    """What hands did since the last decision. lately: since a still table last showed something done, though it did not count.
    in_vain: seats whose hands came since then, and nothing was seen to have changed.

    lifted: tiles as they lay before hands took them up, by track, in the order in which that was seen; untouched: those
    that lay where they did when the first of them had gone.
    """

    reached: Reached = field(default_factory=Reached)
    lately: Reached = field(default_factory=Reached)
    in_vain: frozenset[int] = frozenset()
    lifted: tuple[SeenTile, ...] = ()
    untouched: tuple[SeenTile, ...] = ()
    _coming: set[int] = field(default_factory=set)  # seats whose hands came since the table was at rest
    _crossed: set[int] = field(default_factory=set)  # seats to whose edges the arms of others reached
    _beside: dict[int, set[int]] = field(default_factory=dict)  # near whose edges all of an arm came, by whose it was taken for
    _joined: set[int] = field(default_factory=set)  # seats whose arms looked like one
    _arms: dict[int, Mask] = field(default_factory=dict)  # what they covered of the table since then
    _tips: dict[int, tuple[float, Point]] = field(default_factory=dict)  # how deep, and where to, hands reached since then
    _resting: tuple[Array, ...] = ()  # what covered the table when it was at rest is no hand
    _swept: tuple[Array, ...] | None = None

    def see(self, seen: Observation, setting: Setting) -> None:
        """Whose hands are over the table now, and what they take up."""
        if seen.lifted:
            tiles = {tile.track: tile for tile in seen.tiles}
            if not self.lifted:
                self.untouched = tuple(tiles[track] for track in seen.untouched if track in tiles)
            known = {tile.track for tile in self.lifted}
            self.lifted += tuple(tiles[track] for track in seen.lifted if track in tiles and track not in known)
        if not seen.settled:
            for veil in seen.veils:
                if not _may_be_a_tag(veil, setting) and not any(_same(veil, each) for each in self._resting):
                    self._follow(veil, setting)
            return
        self._resting = seen.veils
        self._over_corners()
        swept: set[int] = set()
        if not seen.rests_as(self._swept):  # the table has come to rest anew
            self._swept = seen.swept
            swept = {seat for outline in seen.swept or () if _is_large(outline, setting) for seat in _edges(outline, setting)}
            swept -= self._crossed - self._coming
            if seen.swept == ():  # nothing moved over it: the camera did
                self._coming.clear()
        tips = {seat: tip for seat, (_, tip) in self._tips.items() if seat in self._coming - self._joined}
        self.reached, self.lately = (Reached(each.seats | self._coming, each.perhaps | swept, {**each.tips, **tips})
                                     for each in (self.reached, self.lately))
        for each in (self._coming, self._crossed, self._beside, self._joined, self._arms, self._tips):
            each.clear()

    def _follow(self, veil: Array, setting: Setting) -> None:
        """Whose arm an outline is: that which came over one of the edges it is near before. What lies but near an edge, where an
        arm has been, was left there by it, or is a part of it. Else it is that of the seat over whose edge it comes."""
        seats, covers = _edges(veil, setting), _covered(veil, setting)
        if not seats:
            return
        beside = setting.depths(veil)[:, seats[0]].min() > JITTER_MM
        before = [seat for seat, covered in self._arms.items() if beside and (covered & covers).sum() > HALF * covers.sum()]
        home = next((seat for seat in seats if seat in self._coming), min(before, default=seats[0]))
        self._arms[home] = covers | self._arms.get(home, covers)
        self._crossed.update(set(seats) - {home})
        self._beside[home] = self._beside.get(home, set(seats)) & set(seats)
        if self._coming.intersection(seats) <= {home}:
            for seat in {home, *seats}:
                self._tips[seat] = max(self._tips.get(seat, (0.0, (0.0, 0.0))), _tip(veil, seat, setting))
        else:  # two arms look like one: whose fingers they are nobody can tell
            self._joined.update(self._coming.intersection(seats))
        self._coming.add(home)

    def _over_corners(self) -> None:
        """An arm that came over a corner of the table is that of the seat from whose edge it reached farther."""
        for seat, beside in self._beside.items():
            owner = max({seat, *beside} & self._tips.keys(), key=lambda each: self._tips[each][0], default=seat)
            if owner not in self._coming:
                self._coming ^= {seat, owner}
                self._crossed.add(seat)

    def shown(self) -> None:
        """The table has shown what was done so far, and hands come again."""
        self.lately = Reached()

    def left_all(self) -> None:
        """The table is as it was: what hands have done says nothing about the next play."""
        in_vain = self.in_vain | self.reached.seats
        self.forget()
        self.in_vain = in_vain

    def forget(self, but_lately: bool = False) -> None:
        """What hands have done is explained; `but_lately`: what they did before the table last showed something."""
        self.reached = self.lately if but_lately else Reached()
        self.lately, self.lifted, self.in_vain = self.reached, (), frozenset()


def _is_large(outline: Array, setting: Setting) -> bool:
    x0, y0, x1, y1 = setting.area
    return cv2.contourArea(outline) > SPECK * (x1 - x0) * (y1 - y0)


def _may_be_a_tag(outline: Array, setting: Setting) -> bool:
    """Whether an outline keeps to a corner of the table: when the light changes a tag's sharp edges look like a hand's."""
    x0, y0, x1, y1 = setting.area
    low, high = outline.min(axis=0), outline.max(axis=0)
    aside = np.minimum(np.maximum(high - (x0, y0), 0), np.maximum((x1, y1) - low, 0))
    return bool((aside < CARD_MM).all())


def _same(one: Array, other: Array) -> bool:
    """Whether two outlines reach about as far."""
    corners = [np.concatenate([outline.min(axis=0), outline.max(axis=0)]) for outline in (one, other)]
    return bool(np.abs(corners[0] - corners[1]).max() < JITTER_MM)


def _covered(outline: Array, setting: Setting) -> Mask:
    """What of the table an outline, (n, 2), covers, coarsely: (h, w), as fine as outlines can be trusted."""
    x0, y0, x1, y1 = setting.area
    grid = np.zeros((1 + int((y1 - y0) / JITTER_MM), 1 + int((x1 - x0) / JITTER_MM)), np.uint8)
    cv2.fillPoly(grid, [np.round((outline - (x0, y0)) / JITTER_MM).astype(np.int32)], 1)
    return grid > 0


def _tip(outline: Array, seat: int, setting: Setting) -> tuple[float, Point]:
    """How deep from a seat's edge an outline, (n, 2), reaches, and where."""
    depths = setting.depths(outline)[:, seat]
    x, y = outline[depths.argmax()].tolist()
    return float(depths.max()), (x, y)


def _edges(outline: Array, setting: Setting) -> list[int]:
    """The seats to whose edges an outline, (n, 2), comes near, the nearest first."""
    x0, y0, x1, y1 = setting.area
    deep = setting.depths(outline).min(axis=0).tolist()
    near = NEAR * max(x1 - x0, y1 - y0)
    return sorted((seat for seat in range(len(deep)) if deep[seat] < near), key=lambda seat: deep[seat])
