"""The long watch of a simulated table: what befalls the camera, and what is said of it."""

from __future__ import annotations

from itertools import islice
from random import Random

from engine.games import game
from simulator.staging.games import set_table, stage_of
from simulator.staging.players import Players
from simulator.tabletop.happenings import Bump, Covered, Flash, Frozen, Lighting, Move, Unplugged, Wash
from simulator.tabletop.look import TESTING_SEEDS
from trials.soak import GROWN_MB, Soak, happenings, soak
from vision.reader import Reader


def players(seed: int) -> Players:
    stage = stage_of("knock-out", set_table("knock-out", 1, TESTING_SEEDS[3]))
    return Players(game("knock-out")(None, 1), stage, seed)


def test_everything_befalls_the_camera_in_turn_and_games_follow_one_another() -> None:
    told = list(islice(happenings(players(1), map(players, range(2, 40)), Random(1)), 900))
    kinds = {type(each) for each in told}
    assert {Move, Unplugged, Flash, Covered, Bump, Frozen, Lighting, Wash} <= kinds


def test_what_was_missed_is_told() -> None:
    done = Soak(seconds=12.0)
    done.note("ready at rest", True)
    done.note("ready at rest", False, "moving")
    assert not done.good and done.tales == ["   12.0 s: not ready at rest, moving"]


def test_growing_memory_is_no_success() -> None:
    flat, grown = Soak(), Soak()
    flat.memory = [(minute, 300.0) for minute in range(6)]
    grown.memory = [(minute, 300.0 + GROWN_MB * minute) for minute in range(6)]
    assert flat.good and not grown.good


def test_a_quiet_table_is_watched_without_a_miss() -> None:
    done = soak("block", 4, 14.0, Reader(), rate=4.0)
    assert done.good and done.frames >= 50 and done.met["ready at rest"] >= 1 and done.score.tiles == done.score.right
