"""One line of `kibitz watch`: what is believed of the table, and how that differs from what the lines before said."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.observation import Observation, SeenPiece, SeenTile
    from vision.table.layout_changes import LayoutChanges


def as_object(seen: Observation, news: LayoutChanges) -> dict[str, Any]:
    """One line of `watch --json`: what is believed now, and the differences from what was told before."""
    from vision.table.layout_changes import levels

    level = levels(seen.tiles)
    return {
        "time": round(seen.time, 3),
        "frame": seen.frame,
        "appeared": [_tile(tile) for tile in news.appeared],
        "vanished": [_tile(tile) for tile in news.vanished],
        "moved": [{**_tile(after), "from": _tile(before)["center"]} for before, after in news.moved],
        "tiles": [{**_tile(tile), "level": level[tile.track], "p": round(tile.score, 3)} for tile in seen.tiles],
        "state": str(seen.state),
        "units": seen.units,
    }


def piece_as_object(piece: SeenPiece) -> dict[str, Any]:
    """A coin, die, pawn or chip in such a line."""
    center = [round(value, 1) for value in piece.center]
    return {"kind": piece.kind, "label": piece.label, "center": center, "score": round(piece.score, 3)}


def as_text(seen: Observation, news: LayoutChanges) -> str:
    """The same for reading, without all that stayed."""
    parts = [f"+ {_names(news.appeared)}"] if news.appeared else []
    parts += [f"- {_names(news.vanished)}"] if news.vanished else []
    parts += [f"moved {_names(after for _, after in news.moved)}"] if news.moved else []
    return f"{seen.time:9.2f} s  frame {seen.frame:<6} {seen.state:<12} {'  '.join(parts)}"


def _names(tiles: Iterable[SeenTile]) -> str:
    return " ".join("face-down" if tile.ends is None else "{}-{}".format(*sorted(tile.ends)) for tile in tiles)


def _tile(tile: SeenTile) -> dict[str, Any]:
    """The low end first, the angle from it to the other; ends null for a tile face down."""
    ends, angle = tile.ends, tile.angle
    if ends is not None and ends[0] > ends[1]:
        ends, angle = (ends[1], ends[0]), angle + math.pi
    angle = math.remainder(angle, 2 * math.pi)
    center = [round(value, 1) for value in tile.center]
    return {"ends": list(ends) if ends else None, "center": center, "angle": round(angle, 4)}
