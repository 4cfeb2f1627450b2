"""The lesson of the live table's tile reader, tiny; and what it is shown."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the recipe of the models is not tried")

from models.training import table_tiles as lesson  # noqa: E402
from models.training.ends import HIGH, taught  # noqa: E402
from models.training.export import scores_of  # noqa: E402
from models.training.networks import COUNTS, KINDS  # noqa: E402
from models.training.table_tiles import PLANS, SHARES, run  # noqa: E402
from models.training.tiles import load_crops  # noqa: E402
from simulator.faces import SetStyle  # noqa: E402
from simulator.table_scenes import faint, grained  # noqa: E402
from simulator.tabletop.look import TESTING_SEEDS, Look  # noqa: E402
from vision.finder import Finder  # noqa: E402
from vision.reader import MODELS, Reader  # noqa: E402


def test_the_lesson_changes_how_numbers_are_told_and_nothing_else(tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "models"
    run(PLANS["tiny"], work, out, seed=3, workers=1, shipped=MODELS)
    made = [path.stat().st_mtime_ns for path in work.glob("*/*.npz")]
    tiles, _ = load_crops(work / "held-out")
    before, after = (scores_of(folder / "tiles_table.onnx", tiles) for folder in (MODELS, out))
    assert (before[:, :KINDS] == after[:, :KINDS]).all()
    assert 0 < np.abs(before[:, KINDS:] - after[:, KINDS:]).max() < 1
    run(PLANS["tiny"], work, out, seed=3, workers=1, shipped=MODELS)
    assert [path.stat().st_mtime_ns for path in work.glob("*/*.npz")] == made  # finished pictures are kept


def test_what_is_new_is_learned_and_what_was_known_is_not_forgotten() -> None:
    torch.manual_seed(1)
    before = torch.nn.Linear(8, 2 * COUNTS)
    told = torch.randn(4000, 8)
    numbers = torch.where(told[:, :1] > 1.2, HIGH, before(told).reshape(-1, 2, COUNTS)[:, :, :HIGH].argmax(2))
    after = taught(before, told, numbers, 1500, 1)
    right = (after(told).reshape(-1, 2, COUNTS).argmax(2) == numbers).all(1)
    known = (before(told).reshape(-1, 2, COUNTS).argmax(2) == numbers).all(1)
    assert right[told[:, 0] > 1.5].float().mean() > 0.9 > known[told[:, 0] > 1.5].float().mean()
    assert right[told[:, 0] < 0.5].float().mean() > known[told[:, 0] < 0.5].float().mean() - 0.05


def test_it_is_shown_faces_backs_and_bare_places_of_tables_that_are_not_kept_for_testing() -> None:
    tiles, labels = lesson.table_tiles(3, Finder(MODELS / "halves_table.onnx", 1))
    assert tiles.shape == (len(labels), 64, 112, 3)
    assert set(labels[:, 0].tolist()) == {0, 1, 2}
    kinds, counts = Reader(threads=1).judge(tiles)
    right = (kinds.argmax(axis=1) == 0) & (counts.argmax(axis=2) == labels[:, 1:]).all(axis=1)
    assert right[labels[:, 0] == 0].mean() > 0.7  # they are labelled as they read
    assert TESTING_SEEDS.start > lesson.FIRST_SEED + 1000 * 1_000_000  # of the tables kept out, too


@pytest.mark.parametrize("wanted", [faint, grained])
def test_most_tables_show_sets_that_are_hard_to_read(wanted: Callable[[SetStyle], bool]) -> None:
    assert sum(SHARES) == pytest.approx(1) and SHARES[0] < 0.5
    assert all(wanted(Look.of(lesson._look_seed(number, wanted)).style) for number in range(10))
    assert 0.05 < np.mean([wanted(Look.of(seed).style) for seed in range(100)]) < 0.6
