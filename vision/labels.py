"""Photographs with known tiles: the file `labels.csv` beside them, and what counts as right, missed or wrong."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.pieces import Tile


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of one photograph.

    tiles: every face-up tile wholly in the picture, repeated as often as it lies there.
    optional: tiles that may be read without being right or wrong (cut by the edge, half hidden, standing).
    optional_ends: for each tile that is cut so that only one end is known, that end; a reading with it may be there.
    facedown: how many tiles lie face down; None where nobody counted.
    """

    photo: str
    tiles: tuple[Tile, ...]
    optional: tuple[Tile, ...]
    optional_ends: tuple[int, ...]
    facedown: int | None
    total: int
    tags: frozenset[str]
    source: str

    @property
    def is_partial(self) -> bool:
        """Whether a face-up tile in the picture is not labelled, so that nothing extra can be called wrong."""
        return "partial-labels" in self.tags


@dataclass(frozen=True, slots=True)
class Outcome:
    """One reading beside its label, as multisets: nobody noted where in the picture a tile lies.

    excused: tiles read that the label calls optional.
    """

    right: tuple[Tile, ...]
    missed: tuple[Tile, ...]
    wrong: tuple[Tile, ...]
    excused: tuple[Tile, ...]

    @property
    def is_exact(self) -> bool:
        """Whether every labelled tile was read and nothing else."""
        return not self.missed and not self.wrong

    @property
    def total(self) -> int:
        """The pips that were read, optional tiles left out."""
        return sum(tile.pips for tile in (*self.right, *self.wrong))


def read_labels(folder: Path) -> list[Label]:
    """The labels in `folder/labels.csv`; ValueError names the line that cannot be understood."""
    path = folder / "labels.csv"
    if not path.is_file():
        raise ValueError(f"{folder} has no file labels.csv")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        if not {"photo", "tiles"} <= set(rows.fieldnames or ()):
            raise ValueError(f"{path} needs at least the columns photo and tiles")
        labels = []
        for row in rows:
            try:
                labels.append(_label(row))
            except ValueError as error:
                raise ValueError(f"{path}, line {rows.line_num}: {error}") from error
    return labels


def _label(row: dict[str, str | None]) -> Label:
    def cell(column: str) -> str:
        return (row.get(column) or "").strip()

    tiles, optional = _tiles(cell("tiles")), _tiles(cell("optional"))
    cut, cut_ends = _cut(cell("notes"))
    not_yet_optional = Counter(cut) - Counter(optional)
    total, photo = sum(tile.pips for tile in tiles), cell("photo")
    if cell("total") and int(cell("total")) != total:
        raise ValueError(f"the total is {int(cell('total'))}, but the tiles have {total} pips")
    return Label(photo=photo, tiles=tiles, optional=(*optional, *not_yet_optional.elements()), optional_ends=cut_ends,
                 facedown=int(cell("facedown")) if cell("facedown") else None, total=total,
                 tags=frozenset(cell("tags").split()), source=photo.partition("_")[0])


def _tiles(text: str) -> tuple[Tile, ...]:
    return tuple(sorted(Tile.parse(word) for word in text.split()))


def _cut(notes: str) -> tuple[list[Tile], tuple[int, ...]]:
    """Tiles that a note calls cut (`cut: a 3-4 is cut at the top edge`), and ends of those only half seen."""
    tiles: list[Tile] = []
    ends: list[int] = []
    for clause in notes.split(";"):
        if clause.strip().startswith("cut:"):
            tiles += [Tile.parse(word) for word in re.findall(r"\b\d+-\d+\b", clause)]
            ends += [int(end) for end in re.findall(r"\ba tile with an? (\d+)\b", clause)]
    return tiles, tuple(ends)


def compare(label: Label, read: Iterable[Tile]) -> Outcome:
    """Which tiles of the label were read, which were not, and which readings are too many."""
    seen, there = Counter(read), Counter(label.tiles)
    extra = seen - there
    excused = extra & Counter(label.optional)
    wrong = sorted((extra - excused).elements())
    for end in label.optional_ends:
        half_seen = next((tile for tile in wrong if tile.has(end)), None)
        if half_seen is not None:
            wrong.remove(half_seen)
            excused[half_seen] += 1
    right, missed, optional = (tuple(sorted(each.elements())) for each in (seen & there, there - seen, excused))
    return Outcome(right, missed, wrong=tuple(wrong), excused=optional)
