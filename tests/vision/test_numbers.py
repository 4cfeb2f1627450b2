"""What the numbers of a table's set look like: a half that is like those of a number is more surely of it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import HEIGHT, MARGIN, WIDTH
from vision.table.numbers import Numbers

PLACES = {1: [(24, 24)], 3: [(10, 10), (24, 24), (38, 38)], 9: [(x, y) for x in (10, 24, 38) for y in (10, 24, 38)],
          10: [(x, y) for x in (10, 38) for y in (10, 24, 38)] + [(24, y) for y in (9, 19, 29, 39)]}  # fmt: skip


def tile(first: int, second: int, aside: int = 0) -> NDArray[np.uint8]:
    """A straightened tile whose second half is the first one's turned round, with pips a little aside."""
    crop = np.full((HEIGHT, WIDTH, 3), 220, np.uint8)
    for half, number in enumerate((first, second)):
        for x, y in PLACES[number]:
            x, y = (x, y) if half == 0 else (95 - x, 47 - y)
            cv2.circle(crop, (MARGIN + x + aside, MARGIN + y), 4, (60, 40, 160), -1)
    return np.asarray(cv2.GaussianBlur(crop, (0, 0), 2), np.uint8)


def read(number: int, sure: float, other: int) -> NDArray[np.float32]:
    counts = np.zeros(16, np.float32)
    counts[number], counts[other] = sure, 1 - sure
    return counts


def known() -> Numbers:
    numbers = Numbers()
    tiles = [tile(1, 3), tile(3, 10), tile(10, 1, 1), tile(9, 3), tile(1, 9, 1)]
    numbers.learn(np.stack(tiles), [(1, 3), (3, 10), (10, 1), (9, 3), (1, 9)])
    return numbers


def test_what_looks_like_its_number_is_surer() -> None:
    counts = np.stack([read(10, 0.6, 9), read(1, 0.99, 0)])[None]
    told = known().told(tile(10, 1, -1)[None], counts)
    assert told[0, 0, 10] > 0.95 and np.allclose(told.sum(axis=2), 1)
    assert np.array_equal(told[0, 1], counts[0, 1]), "what is plain is not compared"


def test_whatever_it_looks_like_no_other_number_becomes_likelier() -> None:
    for shown in PLACES:
        for said in PLACES:
            counts = np.stack([read(said, 0.7, shown if shown != said else 0), read(3, 0.6, 1)])[None]
            told = known().told(tile(shown, 3)[None], counts)
            assert told[0].argmax(axis=1).tolist() == [said, 3]
            assert shown == said or np.array_equal(told[0, 0], counts[0, 0])


def test_a_number_that_nobody_has_seen_yet_is_not_taken_for_one_that_was() -> None:
    numbers = Numbers()
    numbers.learn(np.stack([tile(1, 3), tile(3, 10), tile(10, 1, 1)]), [(1, 3), (3, 10), (10, 1)])
    counts = np.stack([read(10, 0.6, 9), read(1, 0.99, 0)])[None]
    assert numbers.told(tile(9, 1)[None], counts)[0, 0, 10] < 0.9, "a nine may look much like a ten"
    assert np.array_equal(Numbers().told(tile(9, 1)[None], counts), counts), "nobody has learned anything"
