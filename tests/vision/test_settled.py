"""What is compared with the settled picture: a hand that was taken for a part of the table uncovers it as it goes."""

import numpy as np

from vision.frame import Image
from vision.rectify import ImagePyramid
from vision.table.changes import Mask, changed, logarithms
from vision.table.settled import Settled

TABLE = np.full((120, 160, 3), 140, np.uint8)
TABLE[:, ::8] = 120


def with_hand(left: int) -> Image:
    image = TABLE.copy()
    image[20:80, left : left + 40] = (90, 120, 190)
    return image


def after(settled: Settled, image: Image, covered: Mask | None = None) -> tuple[Settled, Mask, Mask]:
    """The next settled picture, where it changed, and where that uncovers what lay there before."""
    logs = logarithms(image)
    change = changed(settled.logs, logs)[0]
    nothing = np.zeros(change.shape, np.bool_)
    uncovered = settled.uncovered(change, logs)
    covered = nothing if covered is None else covered
    return settled.but_under(covered, change & ~uncovered, ImagePyramid(image), logs), change, uncovered


def test_what_came_over_the_table_and_leaves_it_uncovers_it_and_another_that_comes_does_not() -> None:
    first = logarithms(TABLE)
    settled, change, uncovered = after(Settled(ImagePyramid(TABLE), first, first), with_hand(60))
    assert change.sum() > 2000 and not uncovered.any()
    settled, change, uncovered = after(settled, TABLE)
    assert change.sum() > 2000 and (uncovered == change).all()
    for left in (60, 80):  # another hand, and at the same place
        _, change, uncovered = after(settled, with_hand(left))
        assert change.sum() > 2000 and not uncovered.any()


def test_of_what_is_covered_nothing_is_learned() -> None:
    first = logarithms(TABLE)
    settled, change, _ = after(Settled(ImagePyramid(TABLE), first, first), with_hand(60))
    settled, _, _ = after(settled, TABLE, covered=change)
    assert (settled.pyramid.size(0)[30:70, 65:95] == with_hand(60)[30:70, 65:95]).all()
    assert (settled.pyramid.size(0)[:, :40] == TABLE[:, :40]).all()
