"""The figures of an evaluation, on cases small enough to count by hand."""

from __future__ import annotations

import csv
from collections import Counter
from itertools import permutations
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pieces import Tile
from tests.readings import FakeReader, read_tile, reading
from tests.vision.test_labels import label, tiles
from vision.evaluation import (
    PhotoResult,
    Reliability,
    calibration_error,
    evaluate_photo,
    facedown_right,
    negatives_right,
    paired,
    pip_confusion,
    reliability,
    score,
    scores_by_group,
)
from vision.labels import compare
from vision.report import as_object, as_text, write_csv

few_tiles = st.lists(st.builds(Tile.of, st.integers(0, 2), st.integers(0, 2)), max_size=3)


def result(
    there: str, read: str, sure: float = 0.95, tags: str = "", optional: str = "", facedown: int = 0
) -> PhotoResult:
    return PhotoResult(label(there, optional, tags=tags), tuple((tile, sure) for tile in tiles(read)), facedown)


def test_recall_precision_and_halves() -> None:
    figures = score([result("1-2 3-4 5-6", "1-2 3-5"), result("0-0", "0-0 6-6")])
    assert figures.recall == 2 / 4
    assert figures.precision == 2 / 4
    assert figures.halves == (2 + 1 + 0 + 2) / 8  # the 3-5 shares an end with one of the two missed tiles
    assert figures.exact == 0 and figures.totals == 0


def test_without_any_tile_there_is_no_share() -> None:
    figures = score([result("", "")])
    assert figures.recall is None and figures.precision is None and figures.halves is None and figures.exact == 1


def test_a_wrong_reading_can_still_have_the_right_total() -> None:
    figures = score([result("1-4", "2-3")])
    assert figures.totals == 1 and figures.exact == 0 and figures.halves == 0


def test_optional_tiles_change_nothing() -> None:
    figures = score([result("1-2", "1-2 5-5", optional="5-5")])
    assert figures.precision == figures.exact == figures.totals == 1


def test_partly_labelled_photos_count_for_recall_only() -> None:
    figures = score([result("1-2", "1-2 5-5", tags="partial-labels"), result("3-4", "3-4")])
    assert figures.recall == 1 and figures.precision == 1 and figures.exact == 1
    assert (figures.photos, figures.whole_photos, figures.right_in_whole) == (2, 1, 1)


def test_a_photo_that_could_not_be_read_has_missed_every_tile() -> None:
    lost = PhotoResult(label(""), (), error="This is not a picture.")
    figures = score([lost])
    assert figures.exact == 0 and figures.totals == 0
    assert negatives_right([PhotoResult(label("", tags="negative"), (), error="x")]) == (0, 1)


@given(few_tiles, few_tiles)
def test_the_pairing_finds_as_many_right_halves_as_any_assignment(there: list[Tile], read: list[Tile]) -> None:
    def common(tile: Tile, other: Tile) -> int:
        return (Counter(tile) & Counter(other)).total()

    outcome = compare(label(" ".join(map(str, there))), read)
    pairs = paired(outcome)
    assert sorted(tile for tile, _ in pairs if tile) == sorted(outcome.missed)
    assert sorted(tile for _, tile in pairs if tile) == sorted(outcome.wrong)
    ours = 2 * len(outcome.right) + sum(common(tile, other) for tile, other in pairs if tile and other)
    padded = [*read, *[None] * len(there)]
    best = max(sum(common(a, b) for a, b in zip(there, each, strict=False) if b) for each in permutations(padded))
    assert ours == best


def test_confusion_names_the_half_that_was_misread() -> None:
    counts = pip_confusion([result("3-4 6-6", "3-5 6-6"), result("1-1", "")])
    assert counts == {(3, 3): 1, (4, 5): 1, (6, 6): 2, (1, None): 2}
    assert pip_confusion([result("", "2-7")]) == {(None, 2): 1, (None, 7): 1}


def test_scores_are_right_as_often_as_they_say() -> None:
    photos = [result("1-2", "1-2", sure=0.75)] * 3 + [result("1-2", "3-4", sure=0.75)]
    bins = reliability(photos)
    assert bins[7] == Reliability(4, 0.75, 3) and calibration_error(bins) == 0
    sure = reliability([result("1-2", "3-4", sure=1.0)])
    assert sure[9].count == 1 and calibration_error(sure) == 1


def test_of_two_readings_of_one_tile_the_surer_is_right() -> None:
    twice = PhotoResult(label("1-2"), ((Tile(1, 2), 0.35), (Tile(1, 2), 0.95)))
    bins = reliability([twice])
    assert bins[9].right == 1 and bins[3] == Reliability(1, pytest.approx(0.35), 0)  # type: ignore[arg-type]


def test_optional_and_unlabelled_readings_say_nothing_about_scores() -> None:
    bins = reliability([result("", "5-5", optional="5-5"), result("", "5-5", tags="partial-labels")])
    assert sum(each.count for each in bins) == 0 and calibration_error(bins) is None


def test_groups_are_named_by_tag_and_by_source() -> None:
    groups = {(kind, name): figures for kind, name, figures in scores_by_group(
        [result("1-2", "1-2", tags="overhead double-six dark"), result("3-4", "", tags="overhead glare")]
    )}  # fmt: skip
    assert groups["group", "overhead double-six"].recall == 1
    assert groups["group", "dark or glare"].recall == groups["tag", "overhead"].recall == groups["source", "s"].recall == 0.5
    assert ("tag", "oblique") not in groups


def test_backs_and_empty_tables_are_counted_by_photo() -> None:
    assert facedown_right([result("", "", facedown=0), result("", "", facedown=2)]) == (1, 2)
    assert negatives_right([result("", "", tags="negative"), result("", "1-1", tags="negative"), result("", "1-1")]) == (1, 2)


def test_a_photo_is_opened_read_and_timed(tmp_path: Path) -> None:
    assert cv2.imwrite(str(tmp_path / "p.jpg"), np.zeros((480, 640, 3), np.uint8))
    reader = FakeReader(reading([read_tile(4, 3)], facedown=2))
    done = evaluate_photo(label("3-4"), tmp_path, reader.read)
    assert done.outcome.is_exact and done.facedown == 2 and done.size == (640, 480)
    assert list(done.stages_ms) == ["decode", "detect", "read"] and done.ms > 15.5
    (tmp_path / "p.jpg").unlink()
    assert "no such file" in (evaluate_photo(label("3-4"), tmp_path, reader.read).error or "")


def test_the_rows_hold_readings_errors_and_stage_times(tmp_path: Path) -> None:
    photos = [
        PhotoResult(label("3-4"), ((Tile(3, 5), 0.5),), 0, (640, 480), {"decode": 1.0, "detect": 2.0}),
        PhotoResult(label("1-1"), (), error="The file is empty."),
    ]
    write_csv(photos, tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["tiles"], first["read"], first["missed"], first["wrong"]) == ("3-4", "3-5", "3-4", "3-5")
    assert (first["decode_ms"], first["detect_ms"], first["ms"], first["exact"]) == ("1.0", "2.0", "3.0", "0")
    assert second["error"] == "The file is empty." and second["missed"] == "1-1"


def test_text_and_object_tell_the_same_figures() -> None:
    photos = [result("1-2 3-4", "1-2 3-5", tags="overhead negative"), PhotoResult(label(""), (), error="It is empty.")]
    told = as_object(photos)
    lines = list(as_text(photos))
    assert told["recall"] == 0.5 and told["halves"] == 0.75 and told["confusion"][-1]["count"] == 1
    assert next(line for line in lines if line.startswith("all ")).split()[-5:] == [
        "0.5000", "0.5000", "0.7500", "0.0000", "0.0000"
    ]  # fmt: skip
    assert "could not be read: p.jpg: It is empty." in lines
    assert any(line.split() == ["4", "5", "1"] for line in lines)
