"""The trained networks on a made-up table that they never saw."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from simulator.piece_tables import every_label, game_table, showing_table
from simulator.piece_truth import profile_of
from simulator.tabletop.camera import Camera
from simulator.tabletop.look import TESTING_SEEDS, Look
from simulator.tabletop.render import Renderer
from simulator.tabletop.truth import Truth
from trials.piece_pictures import measure as measured
from trials.piece_pictures import summary
from vision.pieces import PieceReader

SEED = TESTING_SEEDS[4000]
CAMERA = Camera(tilt=0.25, azimuth=0.4)


@cache
def _game() -> tuple[NDArray[np.uint8], Truth, Profile]:
    look = Look.of(SEED)
    image, truth = Renderer(CAMERA, look).shoot(game_table(look, np.random.default_rng(1)))
    return image, truth, profile_of(CAMERA)


@cache
def _reader() -> PieceReader:
    return PieceReader(threads=1)


def test_pieces_are_found_where_they_stand() -> None:
    image, truth, profile = _game()
    found = _reader().read(image, profile)
    things = [
        shown.thing
        for shown in truth.shown
        if shown.thing.name.startswith(("coin", "chip")) and min(shown.visible) > 0.9
    ]
    missed = [t.name for t in things if min(np.hypot(t.x - p.center[0], t.y - p.center[1]) for p in found) > 6]
    assert len(things) > 8 and len(missed) <= 1, missed


def test_a_region_is_read_as_the_whole_table_is() -> None:
    image, _, profile = _game()
    region = (-150.0, -120.0, 120.0, 150.0)
    x0, y0, x1, y1 = region
    whole = [p for p in _reader().read(image, profile) if x0 < p.center[0] < x1 and y0 < p.center[1] < y1]
    part = _reader().read(image, profile, region=region)
    assert len(whole) > 3
    near = [min(np.hypot(w.center[0] - p.center[0], w.center[1] - p.center[1]) for p in part) for w in whole]
    assert sum(far < 1.5 for far in near) >= len(whole) - 1
    assert all(x0 <= p.center[0] <= x1 and y0 <= p.center[1] <= y1 for p in part)


def test_labels_are_shares() -> None:
    image, _, profile = _game()
    for piece in _reader().read(image, profile):
        assert abs(sum(piece.labels.values()) - 1) < 1e-5 and 0 <= piece.score <= 1


def test_a_showing_holds_every_side_of_every_piece() -> None:
    look = Look.of(SEED)
    assert (
        len(showing_table(look, np.random.default_rng(2)).things)
        == len(every_label(look))
        == 38 + len(look.edition.chips)
    )


def test_the_measure_counts_every_piece_once() -> None:
    told = summary(measured(_reader(), 1, 4000))
    kinds = sum(of["pieces"] for name, of in told["groups"].items() if name.startswith("kind"))
    assert kinds == told["groups"]["all"]["pieces"] > 30
    assert told["groups"]["all"]["learnt"] > 0.5
