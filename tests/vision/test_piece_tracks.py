"""Pieces over time: names that stay, readings that add up, veils that hide and do not remove."""

import numpy as np

from vision.observation import Kind
from vision.piece_tracks import PieceTracks
from vision.pieces import FoundPiece


def _coin(x: float, y: float, label: str, sure: float = 0.9, kind: Kind = "coin") -> FoundPiece:
    others = {"value:2", "value:3", "suit:suns"} - {label}
    labels = {label: sure, **{other: (1 - sure) / len(others) for other in others}}
    return FoundPiece(kind, (x, y), (x, y), 9.5, labels, 0.9, np.ones(2, np.float32))


def test_a_piece_that_slides_keeps_its_name_and_a_new_one_gets_its_own() -> None:
    tracks = PieceTracks()
    tracks.look([_coin(0, 0, "value:2")])
    (first,) = tracks.seen()
    tracks.look([_coin(6, 0, "value:2"), _coin(100, 0, "value:3")])
    names = {piece.label: piece.track for piece in tracks.seen()}
    assert names["value:2"] == first.track != names["value:3"]


def test_a_coin_pushed_far_is_still_that_coin() -> None:
    tracks = PieceTracks()
    tracks.look([_coin(0, 0, "value:2"), _coin(300, 0, "value:2")])
    before = {piece.center[0] > 150: piece.track for piece in tracks.seen()}
    tracks.look([_coin(45, 0, "value:2"), _coin(300, 0, "value:2")])
    assert {piece.center[0] > 150: piece.track for piece in tracks.seen()} == before


def test_several_unsure_looks_make_a_sure_one() -> None:
    tracks = PieceTracks()
    for _ in range(4):
        tracks.look([_coin(0, 0, "value:3", 0.5)])
    (piece,) = tracks.seen()
    assert piece.label == "value:3" and piece.labels["value:3"] > 0.75


def test_one_wrong_look_changes_nothing_and_two_turn_the_coin_over() -> None:
    tracks = PieceTracks()
    for _ in range(3):
        tracks.look([_coin(0, 0, "suit:suns")])
    tracks.look([_coin(0, 0, "value:2")])
    assert tracks.seen()[0].label == "suit:suns"
    tracks.look([_coin(0, 0, "value:2")])
    assert [piece.label for piece in tracks.seen()] == ["value:2"]


def test_hidden_is_not_removed_and_unsearched_is_not_missed() -> None:
    tracks = PieceTracks()
    tracks.look([_coin(0, 0, "value:2")])
    for _ in range(5):
        tracks.look([], veiled=lambda place: True)
    assert tracks.seen()[0].veiled
    for _ in range(5):
        tracks.look([], looked=lambda place: False)
    assert not tracks.seen()[0].veiled
    tracks.look([])
    assert len(tracks.seen()) == 1
    tracks.look([])
    assert tracks.seen() == ()
