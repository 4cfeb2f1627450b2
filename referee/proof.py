"""What a decision rests on, as the journal keeps it: what was seen where the table changed, and a picture of that place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from referee.reading import Ends, Expected, Place, Reading, Sight
from referee.setting import Point
from vision.frame import Image
from vision.observation import Array

ToPicture = Callable[[Array], Array]
"""Leads from points on the table, (n, 2), to pixels of the camera's picture."""

AROUND_MM = 75.0
"""A close-up shows so much around the tiles that matter."""


def noticed(before: Expected, after: Expected, reading: Reading, shown: Iterable[int] = ()) -> list[dict[str, Any]]:
    """What is seen where one expected table differs from the other, and of the hands that these seats have shown, as plain JSON
    values.

    Of a tile its place, what it is taken for (`ends`), how likely its picture shows just that (`sure`), and where it lies
    (`center`); of a heap its name, how many it should hold (`due`) and how many are seen (`count`), and where the last tile that
    went lay.
    """
    found = [_tile(place, sight, laid.ends or sight.ends, laid.either_way) for place, laid in after.tiles.items()
             if before.tiles.get(place) != laid and (sight := reading.tiles.get(place)) is not None]
    found += [_tile(("hand", seat, at), sight, sight.ends)
              for seat in shown for at, sight in enumerate(reading.hands.get(seat, ()))]
    for name, due in after.counts.items():
        if name not in reading.counts or before.counts.get(name) == due:
            continue
        count = reading.counts[name]
        where = {"center": _rounded(count.gone)} if count.gone else {}
        found.append({"place": [name], "due": due, "count": count.value} | where)
    return found


def _tile(place: Place, sight: Sight, ends: Ends, either_way: bool = False) -> dict[str, Any]:
    return {"place": list(place), "ends": list(ends), "sure": round(sight.chance(ends, either_way), 4),
            "center": _rounded(sight.center)}


def _rounded(point: Point) -> list[float]:
    return [round(float(each), 1) for each in point]


def close_up(image: Image, centers: Iterable[Point], to_picture: ToPicture) -> Image | None:
    """The part of a (H, W, 3) picture around these points of the table, mm; None where they lie outside it."""
    rims = [(x + dx, y + dy) for x, y in centers for dx in (-AROUND_MM, AROUND_MM) for dy in (-AROUND_MM, AROUND_MM)]
    if not rims:
        return None
    pixels = to_picture(np.array(rims, np.float32))
    height, width = image.shape[:2]
    x0, y0 = np.clip(np.floor(pixels.min(axis=0)), 0, (width, height)).astype(int)
    x1, y1 = np.clip(np.ceil(pixels.max(axis=0)), 0, (width, height)).astype(int)
    return image[y0:y1, x0:x1] if min(x1 - x0, y1 - y0) >= 16 else None
