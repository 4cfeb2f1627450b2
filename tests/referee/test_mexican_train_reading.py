"""Mexican Train as it is read from the table: which train a tile begins, and what the referee waits for."""

from __future__ import annotations

from dataclasses import replace
from math import pi
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine.core import UNKNOWN
from engine.mexican_train.actions import DRAW, PASS, Deal, Play
from engine.mexican_train.game import Rules, State
from engine.pieces import Tile
from referee.decoder import Kind, decide, history
from referee.journal import Journal
from referee.readers.mexican_train import MexicanTrainReader
from referee.reading import Reading
from referee.setting import Setting, seated
from referee.table import Table
from tests.referee.staged import Staged
from vision.observation import Observation, SeenTile, TableState

NAMES = tuple("ABCDEFGH")
Lies = tuple[float, float, float, tuple[int, int] | None]
"""Where a tile lies, mm, how it is turned, and what it shows."""

ENGINE: Lies = (0.0, 0.0, 0.0, (12, 12))


def reader(players: int) -> MexicanTrainReader:
    return MexicanTrainReader(Setting("mexican-train", Rules(), seated(NAMES[:players])))


def dealt(players: int) -> State:
    state = State(Rules(), players)
    rest = len(state.kit) - 1 - players * state.dealt
    state.push(Deal(((UNKNOWN,) * state.dealt,) * players, (UNKNOWN,) * rest, 0))
    return state


def looked(players: int, state: State, *tiles: Lies) -> Reading:
    seen = []
    for track, (x, y, angle, ends) in enumerate(tiles):
        rows = np.full((2, 16), 1e-5, np.float32)
        for row, end in zip(rows, ends or (0, 0), strict=True):
            row[end] = 1
        seen.append(SeenTile(track, (x, y), angle, 48.0, 24.0, ends, rows, 0.99))
    now = Observation(0.0, 0, TableState.READY, tuple(seen), units="mm", settled=True)
    return reader(players).read(now, state, MexicanTrainReader.unread)


@pytest.mark.parametrize(("tile", "train"), [
    ((0, 37, pi / 2, (12, 3)), 0), ((-49, 0, pi, (12, 3)), 1), ((0, -37, -pi / 2, (12, 3)), 2), ((49, 0, 0, (12, 3)), 3),
    ((49, 0, pi, (3, 12)), 3),  # turned round it is the same tile
    ((0, 85, pi / 2, (12, 3)), 0),  # a hub holds it apart from the engine
    ((-200, 150, 0.4, (3, 12)), 4), ((-200, 150, 0.4, (3, 5)), 4),  # apart from all, whether it fits or not
])
def test_a_tile_at_the_engine_begins_the_train_of_the_seat_towards_which_it_lies(tile: Lies, train: int) -> None:
    reading = looked(4, dealt(4), ENGINE, tile)
    assert {place for place in reading.tiles if place[0] == "train"} == {("train", train, 1)}


@pytest.mark.parametrize("turned", [False, True])
def test_the_half_of_a_first_tile_that_is_likelier_the_engines_number_lies_inward(turned: bool) -> None:
    rows = np.full((2, 16), 1e-5, np.float32)
    rows[0, 10], rows[0, 12], rows[1, 7] = 0.55, 0.45, 1
    rows = rows[::-1] if turned else rows
    first, second = rows.argmax(axis=1).tolist()
    engine = SeenTile(0, (0.0, 0.0), 0.0, 48.0, 24.0, (12, 12), np.eye(16, dtype=np.float32)[[12, 12]], 0.99)
    apart = SeenTile(1, (-200.0, 150.0), 0.4, 48.0, 24.0, (first, second), rows, 0.55)
    now = Observation(0.0, 0, TableState.READY, (engine, apart), units="mm", settled=True)
    reading = reader(4).read(now, dealt(4), MexicanTrainReader.unread)
    assert reading.tiles["train", 4, 1].ends == (10, 7)


def test_eight_trains_begin_round_a_hub_each_towards_its_seat() -> None:
    places = [reader(8).place(seat) for seat in range(8)]
    assert len(set(places)) == 8
    for seat, (x, y) in enumerate(places):
        way = np.arctan2(y, x)
        tile: Lies = (80 * float(np.cos(way)), 80 * float(np.sin(way)), float(way), (12, seat))
        assert ("train", seat, 1) in looked(8, dealt(8), ENGINE, tile).tiles


def test_a_first_tile_that_goes_to_another_train_is_not_taken_for_the_mexican_one_any_more() -> None:
    state = dealt(2)
    state.push(Play(Tile(3, 12), state.mexican))
    reading = looked(2, state, ENGINE, (0, 37, pi / 2, (12, 3)))
    assert ("train", 0, 1) in reading.tiles and ("train", 2, 1) not in reading.tiles


def test_a_tile_that_lies_where_it_did_is_not_taken_for_one_that_is_gone_from_another_train() -> None:
    state = dealt(2)
    for play in (Play(Tile(7, 12), 0), Play(Tile(0, 12), 1)):
        state.push(play)
    engine, gone, stays = ((0.0, 0.0), 0.0, (12, 12)), ((0.0, 41.0), pi / 2, (12, 7)), ((0.0, -41.0), -pi / 2, (12, 0))
    seen = []
    for track, (center, angle, ends) in enumerate((engine, gone, stays)):
        rows = np.full((2, 16), 0.02, np.float32)
        rows[0, ends[0]] = rows[1, ends[1]] = 0.7
        seen.append(SeenTile(track, center, angle, 48.0, 24.0, ends, rows, 0.7))
    both = Observation(0.0, 0, TableState.READY, tuple(seen), units="mm", settled=True)
    reading = reader(2).read(both, state, MexicanTrainReader.unread)
    assert {place[1] for place in reading.tiles if place[0] == "train"} == {0, 1}
    reading = reader(2).read(replace(both, tiles=(seen[0], seen[2])), state, reading.noted)
    assert {place[1] for place in reading.tiles if place[0] == "train"} == {1}


def test_tiles_before_a_seat_begin_no_train() -> None:
    reading = looked(2, dealt(2), ENGINE, (0, 400, 0, (12, 3)))
    assert set(reading.tiles) == {("engine",)} and len(reading.loose) == 1


def test_before_the_deal_the_engine_is_asked_for() -> None:
    read, state = reader(2), State(Rules(), 2)
    assert read.unready(state, looked(2, state)) == ["Lay the 12-12 open in the middle: it is the engine."]
    assert read.unready(state, looked(2, state, ENGINE)) == []
    assert read.unready(state, looked(2, state, ENGINE, (150, 150, 0, (1, 2)))) == ["1 tile lies open: turn it face down."]


@pytest.mark.parametrize("drawer", [0, 1])
def test_who_draws_before_the_first_tile_begins(drawer: int, tmp_path: Path) -> None:
    setting = reader(2).setting
    stage, table = Staged(setting), Table(Journal(tmp_path / "journal.db"))
    table.set_up(setting, 0.0)

    def look(seat: int | None = None) -> list[str]:
        if seat is not None:
            table.observe(stage.reach(seat))
        for _ in range(6):
            table.observe(stage.seen())
        return [act.text for act in table.game.standing][1:]

    stage.put((0, 0), 0, (12, 12))
    boneyard = [stage.put((-290 + 54 * (at % 10), -290 + 30 * (at // 10)), 0, None) for at in range(58)]
    assert look() == []
    del stage.tiles[boneyard[17]]
    assert look(drawer) == ["draw"] and table.state.turn == drawer
    stage.put((-200, 150), 0, (12, 5))
    assert look(1 - drawer) == ["draw", "pass", "play 5-12 2"] and table.question is None


@pytest.mark.parametrize(("twelve", "known"), [(0.3, True), (0.05, False)])
def test_an_engine_of_which_it_is_doubtful_how_many_pips_it_has_is_the_one_that_is_due(twelve: float, known: bool) -> None:
    rows = np.full((2, 16), 0.03, np.float32)
    rows[:, 10], rows[:, 12] = 0.4, 0.4 * twelve
    engine = SeenTile(0, (0.0, 0.0), 0.0, 48.0, 24.0, (10, 10), rows, 0.7)
    now = Observation(0.0, 0, TableState.READY, (engine,), units="mm", settled=True)
    reading = reader(2).read(now, State(Rules(), 2), MexicanTrainReader.unread)
    assert (("engine",) in reading.tiles) is known


def test_with_a_play_no_pass_is_taken_back_that_left_no_trace() -> None:
    state = dealt(2)
    for action in (Play(Tile(3, 12), 0), DRAW, PASS, Play(Tile(3, 4), 0)):
        state.push(action)
    reading = replace(looked(2, state, ENGINE, (0, 37, pi / 2, (12, 3))), counts={})
    decision = decide(reader(2), history(state, 6), reading)
    assert decision.kind is Kind.UNDO and decision.best.undone == 1


def test_one_tile_shown_that_is_a_whole_hand_may_end_a_blocked_round() -> None:
    rng = Random(9)  # Ben has one tile left, and Ann eight, when the boneyard is empty and the last tiles do not fit
    state = State.start(Rules(hands="few"), 2, rng)
    while PASS not in state.legal() or [len(hand) for hand in state.hands] != [8, 1]:
        state.push(rng.choice(state.legal()))
    seen = looked(2, state, ENGINE)
    for seat in (0, 1):
        reading = Reading({}, {}, hands={seat: (seen.tiles["engine",],)})
        assert [proposal.action for proposal in reader(2).proposals(state, reading)] == [PASS] * seat


def test_a_tile_that_touches_the_side_of_a_train_is_on_none() -> None:
    state = dealt(2)
    for play in (Play(Tile(3, 12), 0), Play(Tile(5, 12), 1), Play(Tile(3, 4), 0)):
        state.push(play)
    trains: tuple[Lies, ...] = ((0, 37, pi / 2, (12, 3)), (0, -37, -pi / 2, (12, 5)), (0, 86, pi / 2, (3, 4)))
    reading = looked(2, state, ENGINE, *trains, (38, 37, 0, (7, 8)))
    assert len(reading.loose) == 1
    (breach,) = reader(2).breaches(state, reading)
    assert breach.verdict.rule == "train" and breach.words == "B lays the 7-8 on no train."


def test_a_first_tile_held_apart_from_the_engine_stays_in_its_train_though_it_is_hardly_read_any_more() -> None:
    """The train has gone on from it: another that has not begun would take it for its own."""
    def seen(twelve: float) -> Observation:
        tiles = []
        lie: tuple[tuple[float, float, float, tuple[int, int]], ...] = (
            (0, 0, 0, (12, 12)), (0, 50, pi / 2, (12, 3)), (0, 99, pi / 2, (3, 5)))
        for track, (x, y, angle, (first, second)) in enumerate(lie):
            rows = np.full((2, 16), 1e-5, np.float32)
            rows[0, first] = rows[1, second] = 1
            if track == 1:
                rows[0, 12], rows[0, 10] = twelve, 1 - twelve
            tiles.append(SeenTile(track, (x, y), angle, 48.0, 24.0, (int(rows[0].argmax()), second), rows, 0.99))
        return Observation(0.0, 0, TableState.READY, tuple(tiles), units="mm", settled=True)

    state = dealt(3)
    state.push(Play(Tile(3, 12), 0))
    reading = reader(3).read(seen(1.0), state, MexicanTrainReader.unread)
    assert reading.tiles["train", 0, 1].track == 1
    state.push(Play(Tile(3, 5), 0))
    reading = reader(3).read(seen(0.3), state, reading.noted)
    assert [reading.tiles["train", 0, at].track for at in (1, 2)] == [1, 2]
