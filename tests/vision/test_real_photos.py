"""The trained reader on real photographs (kept beside the checkout, or KIBITZ_PHOTOS): figures, turning, scaling.

Turning and scaling read each photo again, so they take every second photo, all sources among them; with
KIBITZ_ALL_PHOTOS=1 they take every one.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from engine.pieces import Tile
from vision.evaluation import (
    PhotoResult,
    Score,
    calibration_error,
    evaluate_photo,
    negatives_right,
    reliability,
    scores_by_group,
)
from vision.labels import Label, compare, read_labels
from vision.photo import load_photo
from vision.photo_reader import PhotoReader
from vision.reader import Reader
from vision.reading import Reading

EVERY = 1 if os.environ.get("KIBITZ_ALL_PHOTOS") else 2


@pytest.fixture(scope="module")
def labels(photos: Path) -> list[Label]:
    return read_labels(photos)


@pytest.fixture(scope="module")
def results(labels: list[Label], photos: Path, reader: Reader, readings: dict[str, Reading]) -> list[PhotoResult]:
    def evaluated(label: Label) -> PhotoResult:
        def read(image: NDArray[np.uint8]) -> Reading:
            readings[label.photo] = PhotoReader(reader).read(image)
            return readings[label.photo]

        return evaluate_photo(label, photos, read)

    return [evaluated(label) for label in labels]


@pytest.fixture(scope="module")
def readings() -> dict[str, Reading]:
    """What was read in each photo as it is, once `results` are there."""
    return {}


@pytest.fixture(scope="module")
def figures(results: list[PhotoResult]) -> dict[str, Score]:
    return {name: score for _, name, score in scores_by_group(results)}


BARS = [
    ("all", "recall", 0.98), ("all", "precision", 0.985), ("all", "halves", 0.993), ("all", "exact", 0.87),
    ("all", "totals", 0.87), ("overhead double-six", "recall", 0.995), ("overhead double-six", "exact", 0.95),
    ("coloured-pips, double-nine, double-twelve", "recall", 0.98), ("dark or glare", "recall", 0.96),
    ("oblique", "recall", 0.90), ("oblique", "precision", 0.90),
]  # fmt: skip


@pytest.mark.parametrize(("group", "figure", "bar"), BARS)
def test_the_reader_is_as_good_as_we_say(figures: dict[str, Score], group: str, figure: str, bar: float) -> None:
    assert getattr(figures[group], figure) >= bar


def test_empty_boards_give_no_tile(results: list[PhotoResult]) -> None:
    right, empty = negatives_right(results)
    assert right == empty


def test_scores_can_be_trusted(results: list[PhotoResult]) -> None:
    error = calibration_error(reliability(results))
    assert error is not None and error <= 0.03


@pytest.fixture(scope="module")
def some(labels: list[Label]) -> list[Label]:
    chosen = labels[::EVERY]
    assert {label.source for label in chosen} == {label.source for label in labels}
    return chosen


def names(reading: Reading) -> Counter[Tile]:
    return Counter(Tile.of(*tile.ends) for tile in reading.tiles)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_photo_has_the_same_tiles(
    quarters: int, some: list[Label], photos: Path, reader: Reader, results: object, readings: dict[str, Reading]
) -> None:
    changed = []
    for label in some:
        image = load_photo(photos / label.photo).image
        upright = names(readings[label.photo])
        turned = names(PhotoReader(reader).read(np.ascontiguousarray(np.rot90(image, quarters))))
        if turned != upright:
            changed.append(f"{label.photo}: {_difference(upright, turned)}")
    assert not changed, f"{len(changed)} of {len(some)} photos read otherwise:\n" + "\n".join(changed)


def _difference(before: Counter[Tile], after: Counter[Tile]) -> str:
    gone, new = (before - after).elements(), (after - before).elements()
    return f"gone {[str(tile) for tile in gone]}, new {[str(tile) for tile in new]}"


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_photo_turned_by_its_exif_block_has_the_same_tiles(
    orientation: int, labels: list[Label], photos: Path, reader: Reader, tmp_path: Path
) -> None:
    stored_turned = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
    exif = Image.Exif()
    exif[0x0112] = orientation
    for label in labels[orientation::20]:
        with Image.open(photos / label.photo) as picture:
            turned_picture = picture.convert("RGB").transpose(stored_turned[orientation])
        turned_picture.save(tmp_path / "turned.png", exif=exif, compress_level=1)
        upright, turned = load_photo(photos / label.photo).image, load_photo(tmp_path / "turned.png").image
        assert np.array_equal(upright, turned)
        assert names(PhotoReader(reader).read(upright)) == names(PhotoReader(reader).read(turned)), label.photo


PIP_OF_HALF = {"double-twelve": 0.13, "double-nine": 0.16}
"""Width of a pip in widths of a half; in double-six sets 0.2."""


def pip_px(label: Label, reading: Reading) -> float:
    """How wide pips are in the photo, from the median half that was read."""
    halves = [float(np.linalg.norm(tile.corners[0] - tile.corners[1])) for tile in reading.tiles]
    share = min((PIP_OF_HALF[tag] for tag in label.tags & PIP_OF_HALF.keys()), default=0.2)
    return share * float(np.median(halves)) if halves else 0.0


@pytest.mark.parametrize("factor", [0.5, 1.5])
def test_another_scale_hardly_changes_recall(
    factor: float, some: list[Label], photos: Path, reader: Reader, results: object, readings: dict[str, Reading]
) -> None:
    there = before = after = 0
    for label in some:
        if factor * pip_px(label, readings[label.photo]) < 3:
            continue
        image = load_photo(photos / label.photo).image
        there += len(label.tiles)
        before += right(label, readings[label.photo])
        after += right(label, PhotoReader(reader).read(scaled(image, factor)))
    assert there > 100
    assert abs(after - before) / there < 0.01, f"{before} of {there} tiles at the photo's own scale, {after} at {factor}"


def right(label: Label, reading: Reading) -> int:
    return len(compare(label, names(reading).elements()).right)


def scaled(image: NDArray[np.uint8], factor: float) -> NDArray[np.uint8]:
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=way), np.uint8)
