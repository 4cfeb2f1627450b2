"""Why the table is believed to lie so: what is told of each tile that is new, gone or in doubt."""

from __future__ import annotations

import numpy as np

from tests.vision.lying import a_table, tile
from tests.vision.test_belief import BARE, CHANGED, place, seen, told
from vision.table.belief import Evidence, infer
from vision.table.why import Weighed, Weighing, weighed

IMAGE = np.zeros((8, 8, 3), np.uint8)


def of(*found: Weighed, ends: tuple[int, int], known: bool) -> Weighed:
    """The one of that face."""
    return next(each for each in found if each.ends == ends and each.known == known)


def test_what_came_and_what_went_is_told_with_what_speaks_for_it() -> None:
    belief = a_table(tile((1, 2), 100, 100), tile((3, 3), 300, 100))
    left = seen(belief) | {2: place(tile((3, 3), 300, 100), BARE, told((3, 3)), CHANGED)}
    evidence = Evidence(left, [place(tile((5, 6), 200, 100), told((5, 6)), BARE, CHANGED)])
    found = weighed(Weighing(1.0, IMAGE, belief, evidence, lambda points: points))
    came, went = of(*found, ends=(5, 6), known=False), of(*found, ends=(3, 3), known=True)
    assert came.believed and came.share > 0.99 and min(nats for _, nats in came.sights) > 0
    assert not went.believed and went.share < 0.01 and max(nats for _, nats in went.sights) < 0
    assert not any(each.ends == (1, 2) for each in found), "what surely stays is not told"


def test_two_that_exclude_one_another_share_what_is_believed() -> None:
    belief = a_table(tile((1, 2), 100, 100))
    rivals = [place(tile(ends, 200, 100), told(ends, sure), BARE, CHANGED) for ends, sure in (((5, 6), 0.9), ((5, 5), 0.5))]
    evidence = Evidence(seen(belief), rivals)
    found = weighed(Weighing(1.0, IMAGE, belief, evidence, lambda points: points))
    likelier, other = of(*found, ends=(5, 6), known=False), of(*found, ends=(5, 5), known=False)
    assert likelier.believed and not other.believed
    assert likelier.share > other.share and likelier.share + other.share <= 1.0


def test_it_tells_of_what_is_inferred_and_changes_nothing() -> None:
    belief = a_table(tile((1, 2), 100, 100))
    doubtful = {1: place(tile((1, 2), 100, 100), told((1, 2), 0.3), told((1, 2)), CHANGED)}
    evidence = Evidence(doubtful, [place(tile((5, 6), 200, 100), told((5, 6), 0.4), BARE, CHANGED)])
    before = infer(belief, evidence)
    found = weighed(Weighing(1.0, IMAGE, belief, evidence, lambda points: points))
    after = infer(belief, evidence)
    assert [track.ends for track in before[0].tiles] == [track.ends for track in after[0].tiles]
    lying = {track.ends for track in after[0].tiles}
    assert {each.ends for each in found} == {(1, 2), (5, 6)}
    assert all(each.believed == (each.ends in lying) for each in found)
