"""Labels: how the file is read, and what counts as right, missed, wrong or neither."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pieces import Tile
from vision.labels import Label, compare, read_labels

HEAD = "photo,tiles,optional,facedown,total,tags,source,notes\n"

tile_lists = st.lists(st.builds(Tile.of, st.integers(0, 3), st.integers(0, 3)), max_size=8)


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(word) for word in text.split())


def label(there: str, optional: str = "", ends: tuple[int, ...] = (), tags: str = "") -> Label:
    known = tiles(there)
    total = sum(tile.pips for tile in known)
    return Label("p.jpg", known, tiles(optional), ends, 0, total, frozenset(tags.split()), "s")


def written(folder: Path, row: str) -> Label:
    (folder / "labels.csv").write_text(HEAD + row + "\n", encoding="utf-8")
    (only,) = read_labels(folder)
    return only


def test_a_row_is_read(tmp_path: Path) -> None:
    row = written(tmp_path, "karthik_b8.jpg,0-2 4-4,0-1,8,10,oblique partial-labels,a/b@c:d,green tiles")
    assert row.tiles == tiles("0-2 4-4") and row.optional == tiles("0-1") and row.facedown == 8 and row.total == 10
    assert row.source == "karthik" and row.is_partial and "oblique" in row.tags


def test_an_empty_table_and_uncounted_backs(tmp_path: Path) -> None:
    row = written(tmp_path, "c_1.jpg,,,,0,negative,,")
    assert row.tiles == () and row.facedown is None and not row.is_partial


def test_tiles_that_a_note_calls_cut_may_be_read(tmp_path: Path) -> None:
    row = written(tmp_path, 'k_1.jpg,0-4,0-0,,4,,,"green; cut: a 3-4 is cut at the edge, a tile with a 5 too; 1-1 is not"')
    assert Counter(row.optional) == Counter(tiles("0-0 3-4")) and row.optional_ends == (5,)


def test_a_cut_tile_that_is_optional_already_is_not_counted_twice(tmp_path: Path) -> None:
    row = written(tmp_path, 'd_1.jpg,0-0,0-5,,0,,,"cut: 0-5 loses one blank corner"')
    assert row.optional == tiles("0-5")


def test_a_tile_that_is_cut_but_labelled_is_not_optional(tmp_path: Path) -> None:
    row = written(tmp_path, 'g_1.jpg,3-3,,,6,,,"a corner of the 3-3 is just cut by the left edge (labelled)"')
    assert row.optional == ()


@pytest.mark.parametrize(("row", "says"), [
    ("a.jpg,3-4 x,,,7,,,", "'x'"), ("a.jpg,3-4,,,8,,,", "total is 8"), ("a.jpg,3-17,,,20,,,", "0 to 15"),
    ("a.jpg,3-4,,many,7,,,", "many"),
])  # fmt: skip
def test_a_row_that_makes_no_sense_is_named(tmp_path: Path, row: str, says: str) -> None:
    with pytest.raises(ValueError, match=rf"line 2.*{says}"):
        written(tmp_path, row)


def test_a_folder_without_labels(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no file labels\.csv"):
        read_labels(tmp_path)
    (tmp_path / "labels.csv").write_text("name,value\n")
    with pytest.raises(ValueError, match="columns photo and tiles"):
        read_labels(tmp_path)


def test_the_same_tile_twice_must_be_read_twice() -> None:
    outcome = compare(label("1-2 1-2 3-3"), tiles("1-2 3-3 3-3"))
    assert outcome.right == tiles("1-2 3-3") and outcome.missed == tiles("1-2") and outcome.wrong == tiles("3-3")


def test_an_optional_tile_is_neither_right_nor_wrong_but_only_once() -> None:
    outcome = compare(label("1-2", optional="0-5"), tiles("1-2 0-5"))
    assert outcome.is_exact and outcome.excused == tiles("0-5") and outcome.total == 3
    assert compare(label("1-2", optional="0-5"), tiles("1-2 0-5 0-5")).wrong == tiles("0-5")


def test_a_tile_with_one_end_in_view_excuses_one_reading_with_that_end() -> None:
    outcome = compare(label("1-2", ends=(5,)), tiles("1-2 2-5 3-5"))
    assert outcome.excused == tiles("2-5") and outcome.wrong == tiles("3-5")


@given(tile_lists, tile_lists, tile_lists)
def test_every_tile_and_every_reading_has_exactly_one_fate(there: list[Tile], may: list[Tile], read: list[Tile]) -> None:
    outcome = compare(label(" ".join(map(str, there)), " ".join(map(str, may))), read)
    assert Counter(outcome.right + outcome.missed) == Counter(there)
    assert Counter(outcome.right + outcome.wrong + outcome.excused) == Counter(read)
    assert not Counter(outcome.missed) & Counter(outcome.wrong)
    assert Counter(outcome.excused) <= Counter(may)


def test_the_photographs_at_hand_have_the_labels_that_were_announced(photos: Path) -> None:
    labels = read_labels(photos)
    if len(labels) != 135:
        pytest.skip("not the development split")
    assert sum(len(each.tiles) for each in labels) == 1149
    assert [each.photo for each in labels if each.optional_ends] == ["karthik_bottom_25.jpg"]
    assert sum(each.is_partial for each in labels) == 1
