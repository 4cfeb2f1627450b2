"""Which of many places that overlap are the tiles: those that together are worth most, not the single strongest first.

Two tiles end to end show a third one in their middle, made of a half of each. It may look the surest of the three; but the
two explain four halves, and it only two.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.degrees import LITTLE
from vision.halves import areas, may_touch, overlap
from vision.observation import Array

Rivals = list[set[int]]

MOST = 16
"""Where more places than this hang together the strongest is taken first: to weigh all their ways would take long."""


def worthiest(corners: Array, worth: Array, most: float) -> NDArray[np.int64]:
    """Indices of the tiles, (n, 4, 2), that are worth most together, (n,), of which no two share more than `most`.

    The worthiest comes first. What is worth little is taken only where it is in nobody's way.
    """
    rivals = rivals_of(corners, most)
    order: list[int] = np.argsort(-worth, kind="stable").tolist()
    left = [at for at in order if worth[at] >= LITTLE]
    taken: set[int] = set()
    while left:
        group = _hanging_together(left[0], rivals, set(left))
        left = [at for at in left if at not in group]
        in_order = [at for at in order if at in group]
        taken.update(_heaviest_of(group, worth, rivals)[1] if len(group) <= MOST else _first_come(in_order, rivals, set()))
    taken.update(_first_come([at for at in order if worth[at] < LITTLE], rivals, taken))
    return np.array([at for at in order if at in taken], np.int64)


def rivals_of(corners: Array, most: float) -> Rivals:
    """For each place those it shares more with than `most` of the smaller one."""
    rivals: Rivals = [set() for _ in corners]
    near = np.argwhere(np.triu(may_touch(corners, corners), 1))
    for one, other in near[_may_share(corners[near[:, 0]], corners[near[:, 1]], most)]:
        if overlap(corners[one], corners[other]) > most:
            rivals[one].add(int(other))
            rivals[other].add(int(one))
    return rivals


def _may_share(first: Array, second: Array, most: float) -> NDArray[np.bool_]:
    """(m,) whether two quadrangles, each (m, 4, 2), may share more than `most` of the smaller one: most that touch do not.

    What both share is no longer, along any side, than they reach into one another, and no wider than either of them.
    """
    least = most * np.minimum(areas(first), areas(second))
    may = np.ones(len(first), np.bool_)
    for one, other in ((first, second), (second, first)):
        for side in (one[:, 1] - one[:, 0], one[:, 2] - one[:, 1]):
            along = side / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-6)
            (low, high), (others_low, others_high) = _reach(one, along), _reach(other, along)
            left, right = _reach(one, np.stack([-along[:, 1], along[:, 0]], axis=1))
            may &= (np.minimum(high, others_high) - np.maximum(low, others_low)) * (right - left) > least
    return may


def _reach(corners: Array, along: Array) -> tuple[Array, Array]:
    """From where to where quadrangles, (m, 4, 2), reach along directions (m, 2)."""
    far = np.einsum("mcd,md->mc", corners, along)
    return far.min(axis=1), far.max(axis=1)


def _hanging_together(start: int, rivals: Rivals, among: set[int]) -> set[int]:
    """A place, its rivals, their rivals and so on."""
    group, fresh = {start}, {start}
    while fresh:
        fresh = {other for at in fresh for other in rivals[at] if other in among} - group
        group |= fresh
    return group


def _first_come(order: Sequence[int], rivals: Rivals, taken: set[int]) -> set[int]:
    """Those of some places, in order, that are no rivals of one that came before or is taken."""
    came: set[int] = set()
    for at in order:
        if not rivals[at] & (came | taken):
            came.add(at)
    return came


def heaviest(weights: Array, rivals: Rivals) -> list[int]:
    """Indices of the things that weigh most together, (n,) each more than 0, of which no two are rivals; exact."""
    return sorted(_heaviest_of(set(range(len(weights))), weights, rivals)[1])


def _heaviest_of(left: set[int], weights: Array, rivals: Rivals) -> tuple[float, list[int]]:
    """The most that some things can weigh together, and which of them do. What does not hang together is weighed apart; of what
    does, the one in the way of most is either one of them or is not."""
    most = 0.0
    taken: list[int] = []
    while left:
        group = _hanging_together(min(left), rivals, left)
        left = left - group
        busiest = max(group, key=lambda at: (len(rivals[at] & group), weights[at]))
        weight, with_it = _heaviest_of(group - rivals[busiest] - {busiest}, weights, rivals)
        weight, with_it = weight + float(weights[busiest]), [busiest, *with_it]
        if len(group) > 1:
            weight, with_it = max((weight, with_it), _heaviest_of(group - {busiest}, weights, rivals), key=lambda each: each[0])
        most, taken = most + weight, taken + with_it
    return most, taken
