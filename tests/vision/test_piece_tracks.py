"""Pieces over time: names that stay, readings that add up, veils that hide and do not remove."""

from dataclasses import replace

import numpy as np

from vision.observation import Kind
from vision.piece_tracks import PieceTracks, merged
from vision.pieces import FoundPiece


def _coin(x: float, y: float, label: str, sure: float = 0.9, kind: Kind = "coin") -> FoundPiece:
    others = {"value:2", "value:3", "suit:suns"} - {label}
    labels = {label: sure, **{other: (1 - sure) / len(others) for other in others}}
    return FoundPiece(kind, (x, y), (x, y), 9.5, labels, 0.9, np.ones(2, np.float32))


def test_a_piece_that_slides_keeps_its_name_and_a_new_one_gets_its_own() -> None:
    tracks = PieceTracks()
    tracks.settle([_coin(0, 0, "value:2")])
    (first,) = tracks.seen()
    tracks.settle([_coin(6, 0, "value:2"), _coin(100, 0, "value:3")])
    names = {piece.label: piece.track for piece in tracks.seen()}
    assert names["value:2"] == first.track != names["value:3"]


def test_a_coin_pushed_far_is_still_that_coin() -> None:
    tracks = PieceTracks()
    tracks.settle([_coin(0, 0, "value:2"), _coin(300, 0, "value:2")])
    before = {piece.center[0] > 150: piece.track for piece in tracks.seen()}
    tracks.settle([_coin(45, 0, "value:2"), _coin(300, 0, "value:2")])
    assert {piece.center[0] > 150: piece.track for piece in tracks.seen()} == before


def test_of_two_that_lie_close_each_keeps_its_own_name() -> None:
    tracks = PieceTracks()
    tracks.settle([_coin(0, 0, "value:2"), _coin(12, 0, "value:3")])
    before = {piece.label: piece.track for piece in tracks.seen()}
    tracks.settle([_coin(11, 0, "value:3"), _coin(-1, 0, "value:2")])
    assert {piece.label: piece.track for piece in tracks.seen()} == before


def test_unsure_looks_at_a_coin_that_nobody_touches_add_up() -> None:
    tracks = PieceTracks()
    tracks.settle([_coin(0, 0, "value:3", 0.5)])
    for _ in range(3):
        tracks.settle([_coin(0, 0, "value:3", 0.5)], touched=lambda place: False)
    (piece,) = tracks.seen()
    assert piece.label == "value:3" and piece.labels["value:3"] > 0.7


def test_a_coin_that_was_touched_may_show_its_other_side_and_keeps_its_name() -> None:
    tracks = PieceTracks()
    tracks.settle([_coin(0, 0, "suit:suns")])
    (before,) = tracks.seen()
    for _ in range(2):
        tracks.settle([_coin(0, 0, "suit:suns")], touched=lambda place: False)
    tracks.settle([_coin(0, 0, "value:2")], touched=lambda place: False)
    assert tracks.seen()[0].label == "suit:suns"  # nobody was there: misread
    tracks.settle([_coin(2, 0, "value:2")])
    (after,) = tracks.seen()
    assert after.label == "value:2" and after.track == before.track


def test_a_piece_that_is_seen_faintly_where_one_was_is_there_still() -> None:
    tracks = PieceTracks()
    tracks.settle([replace(_coin(0, 0, "value:2"), there=0.3)])
    assert tracks.seen() == ()
    tracks.settle([_coin(0, 0, "value:2")])
    tracks.settle([replace(_coin(1, 0, "value:2"), there=0.3)])
    assert len(tracks.seen()) == 1


def test_looks_at_one_still_table_are_one_look_and_specks_are_dropped() -> None:
    looks = [[_coin(0, 0, "value:3", 0.8)], [_coin(1, 0, "value:2", 0.6), _coin(90, 0, "value:2")],
             [_coin(2, 0, "value:3", 0.8)]]  # fmt: skip
    (piece,) = merged(looks)
    assert piece.label == "value:3" and piece.center == (1.0, 0.0)


def test_hidden_is_not_removed_and_unsearched_is_not_missed() -> None:
    tracks = PieceTracks()
    tracks.settle([_coin(0, 0, "value:2")])
    for _ in range(5):
        tracks.settle([], veiled=lambda place: True)
    assert tracks.seen()[0].veiled
    for _ in range(5):
        tracks.settle([], looked=lambda place: False)
    assert not tracks.seen()[0].veiled
    tracks.settle([], touched=lambda place: False)
    assert len(tracks.seen()) == 1  # nobody took it: overlooked
    tracks.settle([])
    assert tracks.seen() == ()


def test_what_else_a_piece_may_be_is_kept_over_the_looks() -> None:
    die = replace(_coin(1, 0, "value:2", kind="die"), there=0.3)
    (piece,) = merged([[replace(_coin(0, 0, "value:2"), instead=die)], [_coin(0, 0, "value:2")]])
    assert piece.kind == "coin" and piece.instead is not None and piece.instead.kind == "die"
    assert piece.instead.there < piece.there and piece.instead.instead is None
