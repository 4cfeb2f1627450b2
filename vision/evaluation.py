"""How well the reader reads labelled photographs: every figure that `kibitz evaluate` prints, and how it is defined.

Labels and readings are compared as multisets of tiles (`vision.labels.compare`).

- Recall: labelled tiles read with both ends right, of all labelled tiles.
- Precision: readings that are right, of all that are right or wrong (optional tiles are neither).
- Halves: the missed tiles are paired with the wrong readings so that as many pairs as possible share an end; a tile
  read exactly counts two halves, a pair one, of two halves for each labelled tile. (Pairing exact tiles first loses
  nothing: giving up its two right halves can win at most one in each of two other pairs.)
- Exact photos: no tile missed and none wrong. Totals: the pips read, optional tiles left out, are the label's total.
- A photo with partial labels counts for recall and halves only.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.pieces import Tile
from vision.labels import Label, Outcome, compare
from vision.photo import PhotoError, load_photo
from vision.reading import Reading

ReadImage = Callable[[NDArray[np.uint8]], Reading]
"""Reads an upright (H, W, 3) uint8 BGR picture."""

RELIABILITY_BINS = 10

GROUPS: dict[str, Callable[[Label], bool]] = {
    "all": lambda label: True,
    "all but ddd": lambda label: label.source != "ddd",
    "overhead double-six": lambda label: {"overhead", "double-six"} <= label.tags,
    "coloured-pips, double-nine, double-twelve": lambda label: bool(
        {"coloured-pips", "double-nine", "double-twelve"} & label.tags),
    "dark or glare": lambda label: bool({"dark", "glare"} & label.tags),
}
"""Groups of photos that neither one tag nor one source names. (The 40 ddd photos show two games, move by move.)"""


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """One photograph: its label, what was read with which score, and what that makes.

    facedown: how many face-down tiles were read.
    stages_ms: time of each stage, decoding first; empty where the photo could not be read.
    error: why it could not be read; no tile was read then.
    """

    label: Label
    read: tuple[tuple[Tile, float], ...]
    facedown: int = 0
    size: tuple[int, int] = (0, 0)
    stages_ms: dict[str, float] = field(default_factory=dict)
    error: str | None = None

    @property
    def outcome(self) -> Outcome:
        return compare(self.label, (tile for tile, _ in self.read))

    @property
    def ms(self) -> float:
        """The time of all stages together."""
        return sum(self.stages_ms.values())


def evaluate_photo(label: Label, folder: Path, read: ReadImage) -> PhotoResult:
    """Reads one labelled photo of the folder."""
    start = time.perf_counter()
    try:
        photo = load_photo(folder / label.photo)
    except PhotoError as error:
        return PhotoResult(label, (), error=str(error))
    decode_ms = 1000 * (time.perf_counter() - start)
    reading = read(photo.image)
    return PhotoResult(label, tuple((Tile.of(*tile.ends), tile.score) for tile in reading.tiles), len(reading.facedown),
                       photo.size, {"decode": decode_ms, **reading.stages_ms})


def paired(outcome: Outcome) -> list[tuple[Tile | None, Tile | None]]:
    """Missed tiles (first) beside wrong readings (second), as many pairs as possible with a shared end.

    Tiles and readings without such a partner stand beside None.
    """
    missed, wrong = outcome.missed, outcome.wrong
    nearest = [[at for at, tile in enumerate(wrong) if _shared_end(there, tile) is not None] for there in missed]
    partner: dict[int, int] = {}  # reading -> missed tile

    def find_partner(tile: int, tried: set[int]) -> bool:
        for at in nearest[tile]:
            if at not in tried:
                tried.add(at)
                if at not in partner or find_partner(partner[at], tried):
                    partner[at] = tile
                    return True
        return False

    for tile in range(len(missed)):
        find_partner(tile, set())
    taken = set(partner.values())
    pairs: list[tuple[Tile | None, Tile | None]] = [(missed[tile], wrong[at]) for at, tile in sorted(partner.items())]
    pairs += [(tile, None) for at, tile in enumerate(missed) if at not in taken]
    pairs += [(None, tile) for at, tile in enumerate(wrong) if at not in partner]
    return pairs


def _shared_end(tile: Tile, other: Tile) -> int | None:
    return next((end for end in tile if other.has(end)), None)


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of a group of photographs: counts, and shares, of which there are none without any photos or tiles; `whole`
    photos are those without partial labels."""

    photos: int
    whole_photos: int
    tiles: int
    right: int
    right_in_whole: int
    wrong_in_whole: int
    exact_photos: int
    recall: float | None
    precision: float | None
    halves: float | None
    exact: float | None
    totals: float | None


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def score(results: Sequence[PhotoResult]) -> Score:
    """The figures over these photos; a photo that could not be read has missed every tile."""
    outcomes = [(result, result.outcome) for result in results]
    whole = [(result, outcome) for result, outcome in outcomes if not result.label.is_partial]
    shared = sum(1 for _, outcome in outcomes for pair in paired(outcome) if None not in pair)
    tiles, right = sum(len(result.label.tiles) for result in results), sum(len(outcome.right) for _, outcome in outcomes)
    right_in_whole, wrong_in_whole = sum(len(outcome.right) for _, outcome in whole), sum(len(each.wrong) for _, each in whole)
    exact = sum(result.error is None and outcome.is_exact for result, outcome in whole)
    totals = sum(result.error is None and outcome.total == result.label.total for result, outcome in whole)
    return Score(len(results), len(whole), tiles, right, right_in_whole, wrong_in_whole, exact, recall=_share(right, tiles),
                 precision=_share(right_in_whole, right_in_whole + wrong_in_whole), halves=_share(2 * right + shared, 2 * tiles),
                 exact=_share(exact, len(whole)), totals=_share(totals, len(whole)))


def scores_by_group(results: Sequence[PhotoResult]) -> Iterator[tuple[str, str, Score]]:
    """(kind, name, figures) for every group that has photos: named groups, then sources, then tags."""
    groups: dict[tuple[str, str], list[PhotoResult]] = {}
    for name, belongs in GROUPS.items():
        groups["group", name] = [result for result in results if belongs(result.label)]
    for source in sorted({result.label.source for result in results}):
        groups["source", source] = [result for result in results if result.label.source == source]
    for tag in sorted({tag for result in results for tag in result.label.tags}):
        groups["tag", tag] = [result for result in results if tag in result.label.tags]
    return ((kind, name, score(members)) for (kind, name), members in groups.items() if members)


def pip_confusion(results: Sequence[PhotoResult]) -> Counter[tuple[int | None, int | None]]:
    """How often a half with so many pips (first) was read as so many (second).

    A shared end of a pair was read right, the other ends stand beside each other; None stands for no tile there.
    """
    counts: Counter[tuple[int | None, int | None]] = Counter()
    for result in results:
        outcome = result.outcome
        counts.update((end, end) for tile in outcome.right for end in tile)
        for tile, reading in paired(outcome):
            shared = _shared_end(tile, reading) if tile and reading else None
            if tile and reading and shared is not None:
                counts[shared, shared] += 1
                counts[tile.across(shared), reading.across(shared)] += 1
            elif not result.label.is_partial or tile:
                counts.update(zip_longest(tile or (), reading or ()))
    return counts


@dataclass(frozen=True, slots=True)
class Reliability:
    """Readings whose score lies in one tenth of 0..1: how many, how sure on average, and how many were right."""

    count: int
    mean_score: float
    right: int


def reliability(results: Sequence[PhotoResult]) -> list[Reliability]:
    """The scores beside the truth, in ten bins; readings of optional tiles and of partly labelled photos left out.

    Of several readings of one tile that lies there once, the surest counts as the right one.
    """
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(RELIABILITY_BINS)]
    for result in results:
        if result.label.is_partial:
            continue
        outcome = result.outcome
        right, excused = Counter(outcome.right), Counter(outcome.excused)
        for tile, sure in sorted(result.read, key=lambda reading: -reading[1]):
            is_right = right[tile] > 0
            if is_right:
                right[tile] -= 1
            elif excused[tile]:
                excused[tile] -= 1
                continue
            bins[min(int(sure * RELIABILITY_BINS), RELIABILITY_BINS - 1)].append((sure, is_right))
    return [Reliability(len(members), sum(sure for sure, _ in members) / max(len(members), 1), sum(ok for _, ok in members))
            for members in bins]


def calibration_error(bins: Sequence[Reliability]) -> float | None:
    """Expected calibration error: the mean distance of score and share right, weighted by the readings of a bin."""
    count = sum(each.count for each in bins)
    return sum(abs(each.right - each.count * each.mean_score) for each in bins) / count if count else None


def facedown_right(results: Sequence[PhotoResult]) -> tuple[int, int]:
    """Photos whose face-down tiles were counted right, and photos whose labels count them."""
    counted = [result for result in results if result.label.facedown is not None]
    return sum(result.error is None and result.facedown == result.label.facedown for result in counted), len(counted)


def negatives_right(results: Sequence[PhotoResult]) -> tuple[int, int]:
    """Photos of empty tables in which no tile was read, and all photos of empty tables."""
    empty = [result for result in results if "negative" in result.label.tags]
    return sum(result.error is None and not result.outcome.wrong for result in empty), len(empty)
