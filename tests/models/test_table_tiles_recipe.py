"""The lesson of the live table's tile reader, tiny; and what it is shown."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the recipe of the models is not tried")

from models.training import table_tiles as lesson  # noqa: E402
from models.training.table_tiles import PLANS, SHARES, run  # noqa: E402
from simulator.faces import SetStyle  # noqa: E402
from simulator.table_scenes import faint, grained  # noqa: E402
from simulator.tabletop.look import TESTING_SEEDS, Look  # noqa: E402
from vision.blocks import in_blocks  # noqa: E402
from vision.finder import Finder  # noqa: E402
from vision.reader import MODELS, Reader  # noqa: E402


def test_the_lesson_makes_a_network_and_resumes(tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "models"
    run(PLANS["tiny"], work, out, seed=3, workers=1, shipped=MODELS)
    session = onnxruntime.InferenceSession(str(out / "tiles_table.onnx"), providers=["CPUExecutionProvider"])
    assert session.run(None, {"tiles": in_blocks(np.zeros((2, 64, 112, 3), np.uint8))})[0].shape == (2, 35)
    made = [path.stat().st_mtime_ns for path in (work / "lesson.pt", *work.glob("*/*.npz"))]
    run(PLANS["tiny"], work, out, seed=3, workers=1, shipped=MODELS)
    assert [path.stat().st_mtime_ns for path in (work / "lesson.pt", *work.glob("*/*.npz"))] == made  # finished work is kept


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
