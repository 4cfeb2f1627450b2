"""How well tables are followed and pictures read that somebody else rendered, and the same figures for our own.

- Layouts right at rest: pictures without a hand at whose end every face-up tile that is wholly in view is believed, and no
  tile that is not there. Tiles that are partly covered may be believed or not.
- Plays right: tiles new since the last settled picture that are believed with both ends by the end of it.
- False comings: faces told to have come more often than they lie there. False goings: told gone though they lie there.
- Hands told: pictures of a hand none of whose frames was taken for a table at rest.
- Face down: of the settled pictures in which backs lie or are believed, those with as many believed as lie there; those of which
  little is seen may count or not.
- Upper tiles: tiles on others, wholly in view and believed with both ends, that are believed to lie on others.
- Centres: how far from the truth the tiles believed right are, millimetres, in every settled picture.
- Pictures read: each by itself, as `kibitz evaluate` defines it.

Tiles are compared as multisets of faces, as nobody notes at a table where a tile is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from calibration.profile import Profile
from engine.pieces import Tile
from referee.session import Session
from trials.shots import RATE, Image, Lying, Point, Shot, held
from vision.evaluation import PhotoResult, score
from vision.frame import Frame
from vision.labels import Label
from vision.observation import Observation, SeenTile, TableState
from vision.reader import Reader
from vision.reading import Reading
from vision.table.layout_changes import LayoutChanges, difference, levels

WHOLE = 0.95
"""Of a tile that is wholly in view so much is visible at least."""

HARDLY = 0.3
"""Tiles of which less is visible need not be noticed at all."""

SAME_PLACE_MM = 12.0
"""Half a half's side: tiles that touch lie twice as far from one another at least."""

BETWEEN_MM = 40.0
"""A tile made of halves of two neighbours lies so near to the middles of both: they are at most three halves from one another."""

EVERY = 9
"""Of our own games every so manyth settled picture is read by itself, too."""


@dataclass(frozen=True, slots=True)
class Believed:
    """A tile as it is believed, where the truth's millimetres have it; ends low first, None face down."""

    ends: tuple[int, int] | None
    center: Point
    level: int


@dataclass
class Figures:
    """Counts, as the top of the file defines them. causes: of what was wrong, in how many pictures of games each was found; off:
    millimetres, one for each tile; photos: pictures read by themselves."""

    rest: int = 0
    rest_right: int = 0
    plays: int = 0
    plays_right: int = 0
    false_comings: int = 0
    false_goings: int = 0
    hands: int = 0
    hands_told: int = 0
    facedown: int = 0
    facedown_right: int = 0
    upper: int = 0
    upper_right: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    off: list[float] = field(default_factory=list)
    photos: list[PhotoResult] = field(default_factory=list)

    def as_object(self) -> dict[str, Any]:
        """The counts for `measure-renders --json`."""
        counts = {name: value for name, value in vars(self).items() if isinstance(value, int)}
        photos = score(self.photos)
        off = sorted(self.off)
        return {**counts, "causes": dict(self.causes.most_common()), "off_mm_median": round(median(off), 2) if off else None,
                "off_mm_p95": round(off[int(0.95 * len(off))], 2) if off else None, "off_n": len(off),
                "pictures": photos.whole_photos, "pictures_exact": photos.exact_photos, "tiles": photos.tiles,
                "tiles_right": photos.right, "tiles_wrong": photos.wrong_in_whole,
                "pictures_facedown": sum(each.label.facedown is not None for each in self.photos),
                "pictures_facedown_right": sum(each.facedown == each.label.facedown for each in self.photos)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one picture; causes: what was wrong and how often, in words."""

    film: str
    picture: str
    event: str
    state: str
    right: bool
    missing: str
    extra: str
    causes: str
    off_mm: float | None = None


def follow(film: str, shots: Iterable[Shot], reader: Reader, figures: Figures,
           frames: Callable[[Shot, np.random.Generator], Iterable[Image]] = held) -> Iterator[Row]:
    """Watch a game of shots as tables are watched; what came of each goes into the figures."""
    rng = np.random.default_rng(5)
    session = Session(reader)
    told: tuple[SeenTile, ...] = ()
    before: Counter[str] = Counter()  # what lay on the table when it was last settled
    number = 0
    for shot in shots:
        there = Counter(name(tile.ends) for tile in shot.tiles if tile.ends and not tile.held)
        taken_for_rest, seen = False, None
        for image in frames(shot, rng):
            seen = session.see(Frame(image, number / RATE, number))
            news = difference(told, seen.tiles)
            _count_false(news, told, there, figures)
            told, number = news.after(told), number + 1
            taken_for_rest |= seen.settled
        assert seen is not None
        if shot.hand:
            figures.hands += 1
            figures.hands_told += not taken_for_rest
            causes = "hand taken for rest" if taken_for_rest else ""
            figures.causes.update([causes] * taken_for_rest)
            yield Row(film, shot.name, shot.event, str(seen.state), not taken_for_rest, "", "", causes)
            continue
        believed = _believed(seen, shot, session.profile)
        faces = Counter(name(tile.ends) for tile in believed if tile.ends)
        if shot.event in ("start", "still"):
            figures.plays += (there - before).total()
            figures.plays_right += sum(min(count, max(0, faces[face] - before[face])) for face, count in (there - before).items())
            before |= there
        yield _at_rest(film, shot, seen, believed, figures, session.profile is not None)


def name(ends: tuple[int, int]) -> str:
    """A face as players write it, low end first."""
    return "{}-{}".format(*sorted(ends))


def _count_false(news: LayoutChanges, told: Sequence[SeenTile], there: Counter[str], figures: Figures) -> None:
    believed = Counter(name(tile.ends) for tile in told if tile.ends)
    for tile in news.vanished:
        if tile.ends:
            believed[name(tile.ends)] -= 1
            figures.false_goings += there[name(tile.ends)] > believed[name(tile.ends)]
    for tile in news.appeared:
        if tile.ends:
            figures.false_comings += believed[name(tile.ends)] >= there[name(tile.ends)]
            believed[name(tile.ends)] += 1


def _believed(seen: Observation, shot: Shot, profile: Profile | None) -> list[Believed]:
    level = levels(seen.tiles)
    return [Believed(tile.ends, shot.to_truth(profile, tile, level[tile.track]) if profile else tile.center, level[tile.track])
            for tile in seen.tiles]


def _at_rest(film: str, shot: Shot, seen: Observation, believed: Sequence[Believed], figures: Figures, in_mm: bool) -> Row:
    lying = [tile for tile in shot.tiles if not tile.held]
    sure = Counter(name(tile.ends) for tile in lying if tile.ends and tile.visible >= WHOLE)
    there = Counter(name(tile.ends) for tile in lying if tile.ends)
    faces = Counter(name(tile.ends) for tile in believed if tile.ends)
    missing, extra = sure - faces, faces - there
    figures.rest += 1
    figures.rest_right += not missing and not extra
    shares, backs = [tile.visible for tile in lying if not tile.ends], [tile for tile in believed if not tile.ends]
    counts = sum(share >= WHOLE for share in shares) <= len(backs) <= sum(share >= HARDLY for share in shares)
    figures.facedown += bool(shares or backs)
    figures.facedown_right += counts and bool(shares or backs)
    pairs, unseen, invented = matched(lying, believed)
    off = [math.dist(tile.center, known.center) for tile, known in pairs] if in_mm else []
    figures.off += off
    upper = [(tile, known) for tile, known in pairs if tile.level and tile.visible >= WHOLE]
    lost = sum(not known.level for _, known in upper)
    figures.upper += len(upper)
    figures.upper_right += len(upper) - lost
    causes = why(lying, unseen, invented, backs) if in_mm else Counter({"not calibrated": 1})
    causes["level lost"] += lost
    causes["face-down count"] += not counts
    causes["not told to be at rest"] += seen.state is not TableState.READY
    figures.causes.update((+causes).keys())
    told = "; ".join(f"{what} {count}" for what, count in (+causes).items())
    return Row(film, shot.name, shot.event, str(seen.state), not missing and not extra, " ".join(sorted(missing.elements())),
               " ".join(sorted(extra.elements())), told, round(median(off), 2) if off else None)


def matched(lying: Sequence[Lying],
            believed: Sequence[Believed]) -> tuple[list[tuple[Lying, Believed]], list[Lying], list[Believed]]:
    """Face-up tiles with the same faces believed, the nearest to each, those wholly in view first; then the tiles wholly in
    view that are not believed, and what is believed and is not there."""
    left = [tile for tile in believed if tile.ends]
    pairs: list[tuple[Lying, Believed]] = []
    unseen: list[Lying] = []
    for tile in sorted((tile for tile in lying if tile.ends), key=lambda tile: tile.visible < WHOLE):
        assert tile.ends is not None
        same = [known for known in left if known.ends and name(known.ends) == name(tile.ends)]
        if same:
            nearest = min(same, key=lambda known: math.dist(known.center, tile.center))
            left.remove(nearest)
            pairs.append((tile, nearest))
        elif tile.visible >= WHOLE:
            unseen.append(tile)
    return pairs, unseen, left


def why(lying: Sequence[Lying], unseen: Sequence[Lying], invented: Sequence[Believed], backs: Sequence[Believed]) -> Counter[str]:
    """What went wrong with tiles that are not believed and with those that are not there, told by where they are."""
    causes: Counter[str] = Counter()
    rest = list(invented)
    for tile in unseen:
        at_its_place = [known for known in rest if math.dist(known.center, tile.center) < SAME_PLACE_MM]
        if at_its_place:
            rest.remove(at_its_place[0])
            causes["misread"] += 1
        elif any(math.dist(known.center, tile.center) < SAME_PLACE_MM for known in backs):
            causes["taken for a back"] += 1
        else:
            causes["missed upon others" if tile.level else "missed"] += 1
    for known in rest:
        here = [tile for tile in lying if math.dist(known.center, tile.center) < SAME_PLACE_MM]
        beside = [tile for tile in lying if math.dist(known.center, tile.center) < BETWEEN_MM]
        if any(tile.ends is None for tile in here):
            causes["back taken for a face"] += 1
        elif here and all(tile.visible < WHOLE for tile in here):
            causes["covered tile misread"] += 1
        elif here:
            causes["believed twice"] += 1
        elif known.ends and len(beside) > 1 and _of_two(known.ends, beside):
            causes["split pair"] += 1
        else:
            causes["false"] += 1
    return causes


def _of_two(ends: tuple[int, int], beside: Sequence[Lying]) -> bool:
    """Whether one half is as on one of these tiles, and the other as on another."""
    first = {at for at, tile in enumerate(beside) if tile.ends and ends[0] in tile.ends}
    second = {at for at, tile in enumerate(beside) if tile.ends and ends[1] in tile.ends}
    return bool(first and second) and len(first | second) > 1


def read_alone(shots: Iterable[Shot], read: Callable[[Image], Reading], figures: Figures) -> Iterator[Shot]:
    """The same shots; every now and then a settled one is read by itself, too."""
    settled = 0
    for shot in shots:
        if not shot.hand:
            if settled % EVERY == 0:
                reading = read(shot.image)
                tiles = tuple((Tile.of(*tile.ends), tile.score) for tile in reading.tiles)
                figures.photos.append(PhotoResult(_label(shot), tiles, len(reading.facedown)))
            settled += 1
        yield shot


def _label(shot: Shot) -> Label:
    up = [(Tile.of(*tile.ends), tile.visible) for tile in shot.tiles if tile.ends]
    tiles = tuple(sorted(tile for tile, visible in up if visible >= WHOLE))
    partly = tuple(sorted(tile for tile, visible in up if visible < WHOLE))
    backs = None  # nobody counts those of the tiles that stand in racks, in view beside the table
    return Label(shot.name, tiles, partly, (), backs, sum(tile.pips for tile in tiles), frozenset(), "simulator")


def games_in(folder: Path) -> list[Path]:
    """The rendered games of a folder, by name."""
    return sorted(path.parent for path in folder.glob("*/truth.json") if path.parent.name.startswith("game_"))


def as_table(columns: dict[str, Figures]) -> str:
    """All figures beside one another, with what each is of."""
    rows: list[list[str]] = [["", *columns]]
    told = [figures.as_object() for figures in columns.values()]

    def share(words: str, part: str, whole: str) -> None:
        cells = [f"{each[part]} of {each[whole]}" + (f", {100 * each[part] / each[whole]:.1f} %" if each[whole] else "")
                 for each in told]
        rows.append([words, *cells])

    share("layouts right at rest", "rest_right", "rest")
    share("plays right", "plays_right", "plays")
    rows.append(["false comings", *(f"{each['false_comings']} in {each['plays']} plays" for each in told)])
    rows.append(["false goings", *(f"{each['false_goings']} in {each['plays']} plays" for each in told)])
    share("hands told as hands", "hands_told", "hands")
    share("face-down counts right", "facedown_right", "facedown")
    share("upper tiles known to lie on others", "upper_right", "upper")
    rows.append(["centres off, median / 95th percentile",
                 *(f"{each['off_mm_median']} / {each['off_mm_p95']} mm, n {each['off_n']}" for each in told)])
    share("single pictures read exactly", "pictures_exact", "pictures")
    share("  tiles read", "tiles_right", "tiles")
    rows.append(["  tiles invented", *(f"{each['tiles_wrong']} in {each['pictures']} pictures" for each in told)])
    share("  face-down counts right", "pictures_facedown_right", "pictures_facedown")
    for cause in sorted({cause for each in told for cause in each["causes"]}):
        rows.append([f"pictures with: {cause}", *(str(each["causes"].get(cause, 0)) for each in told)])
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
