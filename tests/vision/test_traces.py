"""What a movement leaves is told once the table is ready, and is over when the next one begins."""

import numpy as np
from numpy.typing import NDArray

from vision.table.movement import ResidualMotion

Array = NDArray[np.float32]
HALF = 6.0


def mask(x0: int, y0: int, x1: int, y1: int) -> NDArray[np.bool_]:
    out = np.zeros((60, 80), np.bool_)
    out[y0:y1, x0:x1] = True
    return out


NOTHING = mask(0, 0, 0, 0)


def boxes(outlines: tuple[Array, ...] | None) -> list[list[float]]:
    assert outlines is not None
    return sorted([*outline.min(axis=0).tolist(), *outline.max(axis=0).tolist()] for outline in outlines)


def as_they_are(outlines: tuple[Array, ...]) -> tuple[Array, ...]:
    return outlines


def after(traces: ResidualMotion, *moved: NDArray[np.bool_], altered: NDArray[np.bool_] = NOTHING,
          explained: NDArray[np.bool_] = NOTHING) -> ResidualMotion:
    for number, change in enumerate(moved):
        traces.moving(change, was_ready=number == 0)
    traces.still(altered, explained, HALF)
    traces.tell(as_they_are)
    return traces


def test_all_that_was_swept_is_told_when_the_table_is_ready() -> None:
    traces = ResidualMotion()
    traces.moving(mask(5, 5, 15, 15), was_ready=True)
    traces.moving(mask(40, 30, 60, 50), was_ready=False)
    assert traces.told.swept == ()
    traces.still(NOTHING, NOTHING, HALF)
    traces.tell(as_they_are)
    assert boxes(traces.told.swept) == [[5, 5, 14, 14], [40, 30, 59, 49]]


def test_it_is_the_same_until_something_moves_again_and_then_only_what_is_new() -> None:
    traces = after(ResidualMotion(), mask(5, 5, 15, 15))
    told = traces.told
    traces.still(mask(0, 0, 9, 9), NOTHING, HALF)
    traces.tell(as_they_are)
    assert traces.told is told
    assert boxes(after(traces, mask(40, 30, 60, 50)).told.swept) == [[40, 30, 59, 49]]


def test_what_a_tile_explains_is_altered_but_not_unexplained() -> None:
    tile, cloth = mask(10, 10, 24, 17), mask(40, 30, 60, 50)
    told = after(ResidualMotion(), tile | cloth, altered=tile | cloth, explained=mask(8, 8, 26, 20)).told
    assert len(boxes(told.altered)) == 2
    (left,) = boxes(told.unexplained)
    assert left[0] >= 38


def test_where_nothing_was_seen_to_move_nothing_is_known() -> None:
    traces = ResidualMotion()
    traces.still(NOTHING, NOTHING, HALF)
    traces.tell(as_they_are)
    assert traces.told.altered is None and traces.told.unexplained is None


def test_where_a_tile_has_gone_it_is_altered_though_the_small_picture_hardly_shows_it() -> None:
    traces = after(ResidualMotion(), mask(5, 5, 40, 40))
    swept = traces.told.swept
    assert traces.told.altered == ()
    traces.still(NOTHING, NOTHING, HALF, mask(10, 10, 24, 17))  # seen only by the second look
    traces.tell(as_they_are)
    assert boxes(traces.told.altered) == [[10, 10, 23, 16]] and traces.told.unexplained == ()
    assert traces.told.swept is swept  # no other movement
