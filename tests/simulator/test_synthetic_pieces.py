"""Painted piecepack pieces and chips: they look like what is true about them."""

import numpy as np
import pytest

from simulator.editions import Edition, common_editions, edition
from simulator.faces import set_style
from simulator.marks import Mark, fonts, mask_of
from simulator.pieces import Piece, TruePiece, labels_of, lay_pieces, truths
from simulator.scene import Canvas
from simulator.view import look_at

UNIT_MM = 24.0


def _table(pieces: list[Piece], of: Edition, tilt: float = 0.4) -> tuple[Canvas, list[TruePiece]]:
    rng = np.random.default_rng(5)
    view = look_at(tilt, 0.3, 0.1, 900, 40, 400, 300, (200, 150))
    canvas = Canvas(view, np.full((300, 400, 3), 120, np.uint8), set_style(rng), rng)
    painted = lay_pieces(canvas, pieces, of, UNIT_MM, 100)
    return canvas, truths(canvas, painted, of, UNIT_MM, 100)


@pytest.mark.parametrize("name", list(common_editions()))
def test_a_red_chip_is_red_and_a_pawn_wears_its_suit(name: str) -> None:
    of = common_editions()[name]
    canvas, told = _table([Piece("chip", "red", 0, 0), Piece("pawn", "arms", 3, 0)], of)
    blue, green, red = (int(v) for v in canvas.image[int(told[0].top[1]), int(told[0].top[0])])
    assert red > 2 * green and red > 2 * blue
    shown = canvas.image[canvas.ids == 101].mean(axis=0)
    wanted = of.pawn_colours[3]
    assert np.corrcoef(shown, wanted)[0, 1] > 0.95


def test_what_lies_on_top_hides_what_lies_below() -> None:
    of = common_editions()["orthodox"]
    high = of.chip_mm[1] / UNIT_MM
    _, (lower, upper, alone) = _table(
        [Piece("chip", "red", 0, 0), Piece("chip", "blue", 0, 0, z=high), Piece("coin", "suit:suns", 3, 0)], of
    )
    assert upper.visible > 0.95 and alone.visible > 0.95
    assert lower.visible < 0.4
    assert np.linalg.norm(upper.top - lower.top) > 1  # the upper one is nearer to the camera


def test_the_number_side_of_a_null_coin_is_blank_and_of_a_five_is_not() -> None:
    of = common_editions()["orthodox"]
    canvas, told = _table([Piece("coin", "value:null", 0, 0), Piece("coin", "value:5", 3, 0)], of, tilt=0.0)
    spread = []
    for piece in told:
        x, y = (int(v) for v in piece.top)
        spread.append(float(canvas.image[y - 6 : y + 7, x - 6 : x + 7].std()))
    assert spread[0] < 8 < 30 < spread[1]


def test_every_label_of_many_editions_can_be_painted() -> None:
    for seed in range(12):
        of = edition(np.random.default_rng(seed))
        pieces = [
            Piece(kind, label, 0.9 * (k % 9 - 4), 1.4 * (k // 9 - 2), 0.3 * k, turn=k)
            for k, (kind, label) in enumerate(
                (kind, label) for kind, labels in labels_of(of).items() for label in labels
            )
        ]
        _, told = _table([*pieces, Piece("tile", "back", 0, 0), Piece("tile", "suns:ace", 2, 0)], of)
        assert len(told) == len(pieces) + 2
        assert all(np.isfinite(piece.outline).all() and 0 <= piece.visible <= 1 for piece in told)


def test_the_same_hand_draws_the_same_mark_again() -> None:
    for font in fonts():
        mark = Mark("3", 7, font)
        first = mask_of(mark)
        mask_of.cache_clear()
        assert np.array_equal(first, mask_of(mark))
        assert 0.04 < first.mean() < 0.75
