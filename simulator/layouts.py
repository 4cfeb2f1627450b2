"""Where people lay tiles: scattered, in a line of play, in rows and blocks, in heaps, standing at the edge."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

import numpy as np

from simulator.noise import between, chance

LYING, STANDING, UPRIGHT = "lying", "standing", "upright"  # on its face or back; on a long edge; on a short edge


@dataclass(frozen=True, slots=True)
class Placed:
    """One tile on the table: centre in table units, angle of its first-to-second-half axis, and how it lies."""

    x: float
    y: float
    angle: float
    ends: tuple[int, int] | None  # None: face down
    level: int = 0
    pose: str = LYING
    lean: float = 0.0  # radians out of the plane, for tiles that rest on others


def random_ends(highest: int, rng: np.random.Generator) -> tuple[int, int]:
    """Any two ends; blanks and doubles a little more often than in a set, they are the easiest to get wrong."""
    first, second = (int(v) for v in rng.integers(0, highest + 1, 2))
    first = 0 if chance(rng, 0.06) else first
    return (first, first if chance(rng, 0.08) else second)


def box_corners(x: float, y: float, angle: float, length: float, width: float) -> np.ndarray:
    """(4, 2) corners of a rectangle on the table."""
    c, s = np.cos(angle), np.sin(angle)
    u, v = np.array([c, s]) * length / 2, np.array([-s, c]) * width / 2
    return np.array([x, y]) + np.stack([-u - v, u - v, u + v, -u + v])


def overlaps(a: Placed, b: Placed, length: float, slack: float) -> bool:
    """Whether two lying tiles overlap by more than `slack` (separating axes)."""
    if (a.x - b.x) ** 2 + (a.y - b.y) ** 2 > (length + 0.3) ** 2:
        return False
    pa, pb = (box_corners(t.x, t.y, t.angle, length - slack, 1 - slack) for t in (a, b))
    for angle in (a.angle, a.angle + np.pi / 2, b.angle, b.angle + np.pi / 2):
        axis = np.array([np.cos(angle), np.sin(angle)])
        da, db = pa @ axis, pb @ axis
        if da.max() < db.min() or db.max() < da.min():
            return False
    return True


class Table:
    """Tiles laid so far; refuses overlaps on one level."""

    def __init__(self, length: float, reach: tuple[float, float, float, float]) -> None:
        self.length = length
        self.reach = reach  # x0, y0, x1, y1 of what the camera sees, table units
        self.tiles: list[Placed] = []

    def inside(self, tile: Placed) -> bool:
        x0, y0, x1, y1 = self.reach
        return x0 < tile.x < x1 and y0 < tile.y < y1

    def add(self, tile: Placed, slack: float = 0.02) -> bool:
        """Lay the tile if it is in reach and free; says whether it was laid."""
        if not self.inside(tile):
            return False
        if any(t.level == tile.level and overlaps(t, tile, self.length, slack) for t in self.tiles):
            return False
        self.tiles.append(tile)
        return True

    def somewhere(self, rng: np.random.Generator) -> tuple[float, float]:
        """A place in reach, more often near the middle."""
        x0, y0, x1, y1 = self.reach
        u, v = (float(w) for w in np.clip(rng.normal(0.5, 0.27, 2), 0.02, 0.98))
        return x0 + u * (x1 - x0), y0 + v * (y1 - y0)


def scatter(table: Table, count: int, highest: int, rng: np.random.Generator, facedown: float = 0.1) -> None:
    """Loose tiles, often nearly touching."""
    tidy = chance(rng, 0.3)
    base = between(rng, 0, np.pi)
    for _ in range(count):
        for _ in range(6):
            x, y = table.somewhere(rng)
            if table.tiles and chance(rng, 0.5):  # lean against a tile that lies already
                near = table.tiles[int(rng.integers(len(table.tiles)))]
                turn = between(rng, 0, 2 * np.pi)
                gap = between(rng, 1.0, 2.3)
                x, y = near.x + gap * np.cos(turn), near.y + gap * np.sin(turn)
            angle = base + int(rng.integers(4)) * np.pi / 2 + rng.normal(0, 0.08) if tidy else between(rng, 0, 2 * np.pi)
            ends = None if chance(rng, facedown) else random_ends(highest, rng)
            if table.add(Placed(x, y, float(angle), ends), slack=0.02):
                break


def rows(table: Table, count: int, highest: int, rng: np.random.Generator) -> None:
    """A block of tiles in rows, with small gaps or none, as a hand is laid out for counting."""
    x, y = table.somewhere(rng)
    angle = between(rng, 0, 2 * np.pi)
    across = max(1, int(rng.integers(1, 9)))
    gap = 0.0 if chance(rng, 0.35) else between(rng, 0.0, 0.5)
    gap_long = 0.0 if chance(rng, 0.35) else between(rng, 0.0, 0.6)
    slop = between(rng, 0, 0.05)
    sideways = chance(rng, 0.5)
    c, s = np.cos(angle), np.sin(angle)
    facedown = 0.5 if chance(rng, 0.1) else 0.03
    for index in range(count):
        i, j = index % across, index // across
        u, v = (i - across / 2) * (1 + gap), j * (table.length + gap_long)
        if sideways:
            u, v = (i - across / 2) * (table.length + gap_long), j * (1 + gap)
        u, v = u + rng.normal(0, slop), v + rng.normal(0, slop)
        turn = (0.0 if sideways else np.pi / 2) + (np.pi if chance(rng, 0.5) else 0) + rng.normal(0, slop * 0.6)
        ends = None if chance(rng, facedown) else random_ends(highest, rng)
        table.add(Placed(x + u * c - v * s, y + u * s + v * c, angle + turn, ends), slack=0.12)


def line(table: Table, count: int, highest: int, rng: np.random.Generator) -> None:
    """A line of play: tiles end to end, doubles mostly crosswise, corners now and then."""
    x, y = table.somewhere(rng)
    heading = between(rng, 0, 2 * np.pi)
    gap = between(rng, 0.0, 0.05) if chance(rng, 0.7) else between(rng, 0.05, 0.25)
    slop = between(rng, 0, 0.05)
    matching = chance(rng, 0.75)
    turning = between(rng, 0.05, 0.35)
    number, length = int(rng.integers(0, highest + 1)), table.length
    for _ in range(count):
        ends = random_ends(highest, rng)
        ends = (number, ends[1] if not chance(rng, 0.12) else number) if matching else ends
        cross = ends[0] == ends[1] and chance(rng, 0.8)
        c, s = np.cos(heading), np.sin(heading)
        step = 0.5 if cross else length / 2
        cx, cy = x + c * (step + gap), y + s * (step + gap)
        tile = Placed(cx + rng.normal(0, slop), cy + rng.normal(0, slop),
                      heading + (np.pi / 2 if cross else 0.0) + rng.normal(0, slop * 0.6), ends)
        if not table.add(tile, slack=0.1):
            heading += np.pi / 2 * (1 if chance(rng, 0.5) else -1)
            continue
        x, y = cx + c * step, cy + s * step
        number = ends[1]
        if chance(rng, turning):  # the next tile turns off: at the side of the last half, or round the corner
            side = 1 if chance(rng, 0.5) else -1
            turn = heading + side * np.pi / 2
            if not cross and chance(rng, 0.5):
                x, y = x - c * 0.5 + np.cos(turn) * 0.5, y - s * 0.5 + np.sin(turn) * 0.5
            else:
                x, y = x + c * (0.5 + gap) - np.cos(turn) * 0.5, y + s * (0.5 + gap) - np.sin(turn) * 0.5
            heading = turn


def stacked(table: Table, count: int, highest: int, rng: np.random.Generator) -> None:
    """Tiles that lie on top of others, level or a little tilted."""
    below = [t for t in table.tiles if t.level == 0 and t.pose == LYING]
    for _ in range(count):
        if not below:
            return
        base = below[int(rng.integers(len(below)))]
        ends = None if chance(rng, 0.15) else random_ends(highest, rng)
        tidy = chance(rng, 0.5)
        angle = base.angle + int(rng.integers(2)) * np.pi / 2 if tidy else between(rng, 0, 2 * np.pi)
        reach = between(rng, 0.0, 1.3)
        tile = Placed(base.x + reach * np.cos(base.angle), base.y + reach * np.sin(base.angle), angle, ends, level=1,
                      lean=0.0 if tidy else float(rng.normal(0, 0.08)))
        table.add(tile)


def standing(table: Table, count: int, highest: int, away: float, rng: np.random.Generator) -> None:
    """Tiles on edge in a row, as players hide them; `away` points from the camera (radians on the table)."""
    x, y = table.somewhere(rng)
    face = away + (np.pi if chance(rng, 0.5) else 0.0) + rng.normal(0, 0.5)
    pose = STANDING if chance(rng, 0.8) else UPRIGHT
    step = (table.length if pose == STANDING else 1.0) + between(rng, 0.05, 0.5)
    c, s = np.cos(face + np.pi / 2), np.sin(face + np.pi / 2)
    for index in range(count):
        tile = Placed(x + c * step * index, y + s * step * index, face + np.pi / 2 + rng.normal(0, 0.06),
                      random_ends(highest, rng), pose=pose)
        table.add(tile)


def pile(table: Table, count: int, rng: np.random.Generator) -> None:
    """A boneyard: backs in tight rows, in loose rows, or pushed together anyhow."""
    if chance(rng, 0.35):
        scatter(table, count, 0, rng, facedown=1.0)
        return
    x, y = table.somewhere(rng)
    turn, across = between(rng, 0, 2 * np.pi), int(rng.integers(2, 10))
    gap = 0.0 if chance(rng, 0.4) else between(rng, 0.0, 0.35)
    slop = between(rng, 0.005, 0.05)
    c, s = np.cos(turn), np.sin(turn)
    for index in range(count):
        u = (index % across - across / 2) * (1 + gap) + rng.normal(0, slop)
        v = (index // across) * (table.length + gap) + rng.normal(0, slop)
        angle = turn + np.pi / 2 + rng.normal(0, slop * 0.8)
        table.add(Placed(x + u * c - v * s, y + u * s + v * c, float(angle), None), slack=0.12)


def grid(table: Table, count: int, highest: int, rng: np.random.Generator) -> None:
    """Tiles in cells side by side, as in a personal layout, and some of them laid upon two others, half on each."""
    x, y = table.somewhere(rng)
    turn, slop = between(rng, 0, 2 * np.pi), between(rng, 0.0, 0.04)
    pitch = table.length / 2 * (1.0 if chance(rng, 0.6) else between(rng, 1.0, 1.08))
    c, s = np.cos(turn), np.sin(turn)
    cells: dict[tuple[int, int], tuple[int, int, int]] = {}  # cell: (tile on top, its level, pips)
    for number in range(count):
        upon = chance(rng, 0.3)
        for _ in range(40):
            i, j = (int(v) for v in rng.integers(-4, 5, 2))
            lies = chance(rng, 0.5)
            both = [(i, j), (i + 1, j) if lies else (i, j + 1)]
            under = [cells[cell] for cell in both if cell in cells]
            if upon and not (len(under) == 2 and under[0][0] != under[1][0] and under[0][1] == under[1][1]):
                continue
            if not upon and (under or (cells and not any(_next_to(cell, cells) for cell in both))):
                continue
            level = under[0][1] + 1 if upon else 0
            ends = (under[0][2], under[1][2]) if upon and chance(rng, 0.7) else random_ends(highest, rng)
            u = (i + 0.5 * lies) * pitch + rng.normal(0, slop)
            v = (j + 0.5 * (not lies)) * pitch + rng.normal(0, slop)
            angle = turn + (0.0 if lies else np.pi / 2) + rng.normal(0, slop * 0.6)
            if table.add(Placed(x + u * c - v * s, y + u * s + v * c, float(angle), ends, level), slack=0.15):
                cells |= {cell: (number, level, end) for cell, end in zip(both, ends, strict=True)}
            break


def _next_to(cell: tuple[int, int], cells: Container[tuple[int, int]]) -> bool:
    i, j = cell
    return any(at in cells for at in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)))


def lay_game(table: Table, highest: int, away: float, most: int, rng: np.random.Generator) -> list[Placed]:
    """A table in the middle of a game: a line or a layout with tiles upon tiles, and a boneyard beside it."""
    count = int(max(rng.integers(2, most + 1, 2)))
    (grid if chance(rng, 0.55) else line)(table, count, highest, rng)
    pile(table, int(rng.integers(2, most + 1)), rng)
    if chance(rng, 0.3):
        rows(table, int(rng.integers(2, 7)), highest, rng)
    if chance(rng, 0.2):
        standing(table, int(rng.integers(1, 7)), highest, away, rng)
    return table.tiles


def lay_tiles(table: Table, highest: int, away: float, most: int, rng: np.random.Generator) -> list[Placed]:
    """A whole table as found in homes: one or several of the arrangements together."""
    count = int(max(rng.integers(1, most + 1, 2)))
    plan = rng.random()
    if plan < 0.3:
        scatter(table, count, highest, rng)
    elif plan < 0.55:
        line(table, count, highest, rng)
        scatter(table, int(rng.integers(0, 5)), highest, rng, facedown=0.4)
    elif plan < 0.75:
        rows(table, count, highest, rng)
    else:
        line(table, count // 2, highest, rng)
        rows(table, count // 3, highest, rng)
        scatter(table, count // 3, highest, rng, facedown=0.3)
    if chance(rng, 0.12):
        scatter(table, int(rng.integers(2, 10)), highest, rng, facedown=1.0)
    if chance(rng, 0.15):
        stacked(table, int(rng.integers(1, 5)), highest, rng)
    if chance(rng, 0.14):
        standing(table, int(rng.integers(1, 7)), highest, away, rng)
    return [replace(t, angle=float(t.angle)) for t in table.tiles]
