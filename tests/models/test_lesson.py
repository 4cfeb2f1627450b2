"""A lesson goes on where it was, from its own checkpoint or from the committed weights alone."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: the recipe of the models is not tried")

from models.training import lesson as lessons  # noqa: E402
from models.training.crops import CROP, example  # noqa: E402
from models.training.data import scene_of, shard_of  # noqa: E402
from models.training.lesson import COURSES, FreshCrops, Lesson, grown, picture, small  # noqa: E402
from models.training.tryout import WRITERS, whole  # noqa: E402
from simulator.scene import Scene  # noqa: E402
from vision.blocks import in_blocks  # noqa: E402


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(lessons, "LESSONS", tmp_path / "committed")
    return tmp_path


def test_a_lesson_resumes_from_its_checkpoint_and_from_what_is_committed(here: Path) -> None:
    course = COURSES["detector"]
    batch = next(iter(FreshCrops(0)))
    first = Lesson(course, "detector", here / "work")
    first.step(batch, 0.0, False)
    first.minutes = 2.0
    first.keep()
    again = Lesson(course, "detector", here / "work")
    assert (again.done, again.next, again.minutes) == (1, int(batch["number"]) + 1, 2.0)
    assert all(torch.equal(a, b) for a, b in zip(first.model.parameters(), again.model.parameters(), strict=True))
    alone = Lesson(course, "detector", here / "elsewhere")
    assert (alone.done, alone.next) == (again.done, again.next)
    for a, b in zip(alone.model.parameters(), first.average.parameters(), strict=True):
        assert torch.allclose(a, b, rtol=2e-3, atol=1e-6)
    assert (here / "committed" / "detector.pt").stat().st_size < 3_000_000


def test_the_tile_reader_learns_from_what_the_detector_proposes(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons, "POOL", 200)
    course = COURSES["reader"]
    batch = next(iter(course.fresh(0)))
    assert batch["tiles"].shape == (lessons.TILES, 64, 112, 3)
    lesson = Lesson(course, "reader", here / "work")
    lost = [lesson.step(batch, 0.0, False)["loss"] for _ in range(2)]
    assert max(lost) < 2  # shipped weights know much of it already; nothing at all would be above 5
    assert lesson.next == int(batch["number"]) + 1


def test_pictures_follow_from_their_numbers() -> None:
    first, again, next_one = picture(5, 1), picture(5, 1), picture(5, 2)
    assert (first.images == again.images).all()
    assert (first.images != next_one.images).any()


def test_windows_of_one_table_come_one_after_the_other() -> None:
    asked: list[int] = []

    def table(seed: int, number: int) -> Scene:
        asked.append(number)
        return scene_of(seed, 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lessons, "table_scene_of", table)
        for number in range(6):
            picture(1, number, (scene_of, table, table))
    assert asked == [0, 1, 2, 3]


def test_weights_are_committed_as_half_floats() -> None:
    weights = {"weight": torch.randn(3, 4), "norm": torch.full((3,), 1e5), "seen": torch.tensor(3)}
    back = grown(small(weights))
    assert torch.allclose(back["weight"], weights["weight"], rtol=1e-3)
    assert torch.equal(back["norm"], weights["norm"])
    assert torch.equal(back["seen"], weights["seen"])


def test_a_crop_near_tiles_has_one_in_it() -> None:
    shard = shard_of([scene_of(7, number) for number in range(8)])
    for index in range(8):
        if shard.sure[shard.first[index] : shard.first[index + 1]].sum() > 4:
            crops = [example(shard, index, np.random.default_rng(k), near=1.0) for k in range(6)]
            assert all(crop.picture.shape == (CROP, CROP, 3) for crop in crops)
            assert sum(float(crop.objectness.max()) > 0.99 or float(crop.known.min()) == 0 for crop in crops) >= 4


def test_pictures_come_out_of_blocks_as_they_went_in() -> None:
    pictures = np.random.default_rng(1).integers(0, 256, (2, 8, 6, 3), np.uint8)
    assert (whole(in_blocks(pictures)) == pictures).all()


def test_whatever_is_taught_can_be_tried() -> None:
    assert set(WRITERS) == set(COURSES)
