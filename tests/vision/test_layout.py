"""Which places are read again: for a tile laid on two others a thin bar must do."""

import numpy as np

from tests.vision.lying import a_table, tile
from vision.rectify import ImagePyramid
from vision.table.layout import Layout

NOTHING = ImagePyramid(np.zeros((200, 300, 3), np.uint8))


def test_a_little_that_changed_at_a_joint_is_read_and_elsewhere_is_not() -> None:
    """Two tiles of 40 by 20 meet end to end at x = 120; the small picture is half as large."""
    tracks = a_table(tile((2, 3), 100, 100), tile((3, 4), 140, 100)).tiles
    pixels = np.stack([track.corners for track in tracks])
    lay = Layout(tracks, pixels, NOTHING, half=10.0, scale=2.0)
    for x, said in ((60, True), (44, False), (76, False)):
        change = np.zeros((100, 150), np.bool_)
        change[47:53, x] = True
        boxes = lay.to_read(change, np.zeros_like(change))
        assert bool(boxes) == said, x
        assert all(x0 <= 100 and x1 >= 140 for x0, _, x1, _ in boxes)  # both tiles are read


def test_pieces_are_looked_for_where_it_changed_and_where_known_ones_were_handled() -> None:
    lay = Layout([], np.zeros((0, 4, 2), np.float32), NOTHING, half=10.0, scale=2.0)
    nothing, moved = np.zeros((100, 150), np.bool_), np.zeros((100, 150), np.bool_)
    moved[20:80, 20:60] = True
    changed = nothing.copy()
    changed[60:64, 100:104] = True
    square = np.array([[-8, -8], [8, -8], [8, 8], [-8, 8]], np.float32)
    # One under the hand's way, one far from it, one that a bump has taken out of the picture.
    pieces = np.stack([square + (80, 100), square + (250, 40), square + (-40, 100)])
    assert lay.for_pieces(nothing, nothing, pieces) == []
    ((x0, y0, x1, y1),) = lay.for_pieces(nothing, moved, pieces)
    assert x0 <= 72 < 88 <= x1 <= 100 and y0 <= 92 < 108 <= y1 <= 120
    assert len(lay.for_pieces(changed, moved, pieces)) == 2


def test_a_tile_that_is_covered_in_part_is_met_as_a_whole_and_one_beside_it_is_not() -> None:
    """What it showed is kept until all of it is seen again: it may be another tile by then."""
    tracks = a_table(tile((2, 3), 100, 100), tile((3, 4), 180, 100)).tiles
    lay = Layout(tracks, np.stack([track.corners for track in tracks]), NOTHING, half=10.0, scale=2.0)
    hand = np.zeros((100, 150), np.bool_)
    assert not lay.met(hand).any()
    hand[:50, 56:70] = True  # over the second half of the first
    met = lay.met(hand)
    assert met[46:54, 42:58].all() and not met[:, 65:].any() and not met[:40].any()
