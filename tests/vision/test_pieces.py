"""Finding and naming pieces: what the finder's maps mean, what a learnt set changes, what a showing must look like."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.measure import raised
from simulator.piece_truth import profile_of
from simulator.tabletop.camera import Camera
from vision.observation import Kind
from vision.piece_crops import contrast_of, crop_window
from vision.piece_finds import CELL, LOW, RADIUS, REACH, Finds, decode, stood
from vision.piece_kinds import Scores
from vision.piece_sets import CHIP_COLOURS, COMMON, SUITS, VALUES, Look, PieceSet, doubts, learn, showing
from vision.pieces import FoundPiece, label_odds, solid, version
from vision.showing import Showing, in_order

WARMTH = {"sharpness": 12.0}


def _maps(*peaks: tuple[int, int, int, float, float]) -> np.ndarray:
    """Maps with (form, row, column, heat, radius in pixels), tops and feet in the cells' middles."""
    maps = np.zeros((8, 12, 16), np.float32)
    for form, row, column, objectness, radius in peaks:
        maps[form, row, column] = objectness
        maps[7, row, column] = np.log(radius / RADIUS)
    return maps


def test_a_peak_is_a_piece_where_its_cell_says() -> None:
    maps = _maps((1, 3, 5, 0.9, 8.0))
    maps[3:5, 3, 5] = 2 / REACH, -1 / REACH
    maps[5:7, 3, 5] = 6 / REACH, 4 / REACH
    found = decode(maps)
    assert found.form.tolist() == [1]
    assert np.allclose(found.top, [[5.5 * CELL + 2, 3.5 * CELL - 1]], atol=1e-4)
    assert np.allclose(found.foot, [[5.5 * CELL + 6, 3.5 * CELL + 4]], atol=1e-4)
    assert np.allclose(found.radius, [8.0], atol=1e-4)


def test_of_two_of_a_form_in_one_place_the_hotter_is_real_and_neighbours_and_other_forms_stay() -> None:
    found = decode(_maps((0, 3, 3, 0.6, 8.0), (0, 3, 4, 0.9, 8.0), (1, 3, 4, 0.5, 8.0), (0, 3, 8, 0.7, 8.0)))
    assert sorted(zip(found.form.tolist(), found.top[:, 0].tolist(), strict=True)) == [(0, 18.0), (0, 34.0), (1, 18.0)]


def test_a_die_is_read_with_its_sides_and_a_pawn_from_foot_to_head() -> None:
    top, foot = np.array([10.0, 0.0], np.float32), np.array([0.0, 0.0], np.float32)
    middle, half = crop_window("disc", top, foot, 4.0)
    assert middle == pytest.approx(top) and half == pytest.approx(4.8)
    middle, half = crop_window("die", top, foot, 4.0)
    assert middle == pytest.approx([7.5, 0.0]) and half == pytest.approx(7.0)
    middle, half = crop_window("pawn", top, foot, 4.0)
    assert middle == pytest.approx([5.0, 0.0]) and half > 5 + 4


def test_a_die_stands_where_its_top_appears_though_the_finder_sees_tops_low() -> None:
    profile = profile_of(Camera(tilt=0.5))
    true_foot, radius = np.array([[120.0, 80.0]]), 6.5
    at = {high: profile.to_table(raised(profile, high * 2 * radius).to_picture(true_foot)) for high in (1.0, 1 - LOW)}
    seen = Finds(np.array([1]), np.ones(1, np.float32), at[1 - LOW].astype(np.float32), np.zeros((1, 2), np.float32),
                 np.array([radius], np.float32), np.zeros((1, 2), np.float32))  # fmt: skip
    stands = stood(seen, profile)
    assert np.linalg.norm(at[1.0] - at[1 - LOW]) > 0.8
    assert stands.top == pytest.approx(at[1.0], abs=0.15) and stands.foot == pytest.approx(true_foot, abs=0.3)


def _scores(traits: np.ndarray, suit: int = 0, value: int = 0, sure: float = 0.9) -> Scores:
    def row(count: int, top: int) -> np.ndarray:
        out = np.full((1, count), (1 - sure) / (count - 1), np.float32)
        out[0, top] = sure
        return out

    return Scores(row(6, 1), row(4, suit), row(6, value), row(11, 0), traits[None].astype(np.float32))


def _set(common: float) -> PieceSet:
    eye = np.eye(10, dtype=np.float32)
    return PieceSet("mine", {("coin", label): eye[k] for k, label in enumerate(COMMON.labels("coin"))}, common=common)


def test_a_learnt_side_is_named_by_what_it_looks_like() -> None:
    looks_like_a_four = np.eye(10)[8]
    labels = label_odds("coin", _scores(looks_like_a_four, value=2), 0, _set(0.0), WARMTH)
    assert max(labels, key=labels.__getitem__) == "value:4"
    assert sum(labels.values()) == pytest.approx(1)
    assert list(labels) == list(COMMON.labels("coin"))


@pytest.mark.parametrize(("behind", "left"), [(0.95, "suns:4"), (0.1, "suns:5")])
def test_the_side_of_a_die_that_the_camera_sees_before_its_top_is_no_die_of_its_own(behind: float, left: str) -> None:
    top = FoundPiece("die", (0.0, 0.0), (0.0, -9.0), 6.5, {"suns:4": 1.0}, behind, np.ones(2, np.float32))
    side = replace(top, center=(1.0, 7.5), top=(1.0, -1.5), labels={"suns:5": 1.0}, there=0.98)
    another = replace(top, center=(1.0, 20.0), top=(1.0, 11.0), there=0.9)
    assert sorted(piece.label for piece in solid([side, top, another])) == sorted(["suns:4", left])


def test_a_die_that_is_found_twice_in_one_place_is_there() -> None:
    die = FoundPiece("die", (0.0, 0.0), (0.0, -9.0), 6.5, {"suns:4": 1.0}, 0.8, np.ones(2, np.float32))
    assert [piece.there for piece in solid([die, replace(die, center=(0.0, 1.5), there=0.9)])] == [0.9]


def test_without_prototypes_the_common_reading_stands() -> None:
    labels = label_odds("coin", _scores(np.eye(10)[8], value=2), 0, COMMON, WARMTH)
    assert max(labels, key=labels.__getitem__) == "value:2"
    of_a_die = label_odds("die", _scores(np.eye(10)[0], suit=3, value=5), 0, COMMON, WARMTH)
    assert max(of_a_die, key=of_a_die.__getitem__) == "arms:5"


def test_common_marks_help_where_two_sides_look_alike() -> None:
    between = (np.eye(10)[8] + np.eye(10)[9]) / np.sqrt(2)
    labels = label_odds("coin", _scores(between, value=5), 0, _set(1.0), WARMTH)
    assert labels["value:5"] > 2 * labels["value:4"]


def test_a_set_survives_its_file() -> None:
    before = learn("mine", [Look(("coin", "value:3"), np.array([0.6, 0.8], np.float32), 11.8, "value:3")], ("red",))
    after = PieceSet.from_object(json.loads(json.dumps(before.as_object())))
    assert after.name == "mine" and after.chips == ("red",) and after.common == before.common == 1.0
    assert after.radius["coin"] == pytest.approx((11.8, 0.05)) and after.radius["die"] == COMMON.radius["die"]
    assert after.prototypes[("coin", "value:3")] == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", '{"name": "x", "prototypes": {"coin value:9": [1]}, "radius": {}, "chips": [], "common": 0}'],
)
def test_what_is_no_set_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(text)
    with pytest.raises(ValueError, match=r"mine\.json is not a set of pieces"):
        PieceSet.load(tmp_path / "mine.json", version())


def test_a_set_whose_marks_mean_something_else_is_not_read_as_a_common_one() -> None:
    vector = np.array([1.0, 0.0], np.float32)
    wrong = [Look(("coin", f"suit:{suit}"), vector, 9.5, "suit:arms") for suit in SUITS]
    assert learn("other", wrong, ()).common == 0.0


def _found(kind: Kind, x: float, y: float, label: str, traits: np.ndarray) -> FoundPiece:
    return FoundPiece(kind, (x, y), (x, y), 9.5, {label: 1.0}, 1.0, traits.astype(np.float32))


def straight(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The picture of a camera whose pixels are millimetres."""
    return points


def _row(labels: tuple[tuple[Kind, str], ...], along: int = 0) -> list[FoundPiece]:
    every = [*COMMON.labels("coin"), *COMMON.labels("die"), *SUITS, *CHIP_COLOURS]
    out = []
    for k, (kind, label) in enumerate(labels):
        place = (30.0 * k, 4.0 * (k % 2))
        out.append(_found(kind, place[along], place[1 - along], label, np.eye(len(every))[every.index(label)]))
    return out[::-1]  # found in any order


def test_a_showing_learns_every_side_from_its_place_in_the_row() -> None:
    steps = showing(("red", "blue"))
    shown = Showing(steps, ("red", "blue"))
    for along in (0, 1):
        for step in steps:
            row = in_order(_row(step.shown, along), shown.step, straight)
            shown = shown.take(row, row if along else ())
    assert shown.rounds == 2 and len(shown.learnt("mine", "").prototypes) == 4 + 6 + 24 + 4 + 2
    assert shown.checked == "40 of 40" and shown.doubts == []
    mistaken = shown.back().take(shown.taken[-1].row, shown.taken[-1].row[::-1])
    assert mistaken.checked == "38 of 40"
    assert str(mistaken.doubts[0]) == "Red chip was read as blue chip (once of 1): the two look alike."


def test_a_showing_with_a_piece_too_few_says_so() -> None:
    step = showing()[1]
    with pytest.raises(ValueError, match=r"blank, ace, 2, 3, 4, 5\. I see 5 of them, not 6"):
        in_order(_row(step.shown)[1:], step, straight)


def test_a_set_that_another_version_of_the_reader_learnt_is_shown_again(tmp_path: Path) -> None:
    own = learn("mine", [Look(("coin", "value:3"), np.array([0.6, 0.8], np.float32), 11.8, "value:3")], ())
    replace(own, reader=version()).save(tmp_path / "mine.json")
    assert PieceSet.load(tmp_path / "mine.json", version()).reader == version()
    own.save(tmp_path / "mine.json")  # as before sets told it
    with pytest.raises(ValueError, match=r"mine\.json was learnt by another version of the reader: show the set again"):
        PieceSet.load(tmp_path / "mine.json", version())


def test_what_plainly_lies_there_counts_before_what_is_faint_even_as_another_kind() -> None:
    step = showing()[1]
    row = _row(step.shown)
    misread = replace(row[2], kind="die")
    faint = replace(row[3], center=(400.0, 90.0), there=0.12)
    found = in_order([*row[:2], misread, *row[3:], faint], step, straight)
    assert misread in found and faint not in found


def test_of_a_showing_the_likeliest_are_taken_however_faint() -> None:
    step = showing()[1]
    row = _row(step.shown)
    shown = [replace(row[0], there=0.2), *row[1:], replace(row[3], center=(400.0, 90.0), there=0.15)]
    assert [piece.label for piece in in_order(shown, step, straight)] == [label for _, label in step.shown]
    with pytest.raises(ValueError, match="I see 7 of them, not 6"):
        in_order([*row, replace(row[3], center=(400.0, 90.0), there=0.9)], step, straight)


def test_the_second_showing_tells_which_two_look_alike() -> None:
    found = doubts(
        [(("coin", "value:2"), "value:5"), (("coin", "value:2"), "value:2"), (("coin", "value:5"), "value:5")]
    )
    assert [str(doubt) for doubt in found] == ["Coin, 2 was read as coin, 5 (once of 2): the two look alike."]


def test_labels_are_those_that_observations_carry() -> None:
    assert COMMON.labels("coin")[:4] == tuple(f"suit:{suit}" for suit in SUITS)
    assert COMMON.labels("die")[-1] == "arms:5" and len(COMMON.labels("die")) == len(SUITS) * len(VALUES)


def test_the_contrast_of_a_face_is_that_of_the_colour_that_differs_most_and_a_speck_counts_for_nothing() -> None:
    image = np.full((60, 60, 3), 200, np.uint8)
    assert contrast_of(image, (30, 30), 20) == 0
    image[26:34, 22:30] = (200, 200, 120)  # a red mark on white
    assert contrast_of(image, (30, 30), 20) == 80
    image[:] = 255
    image[30, 30] = 0
    assert contrast_of(image, (30, 30), 40) == 0
    assert contrast_of(image, (300, 30), 40) == 0  # out of the picture
