"""Engine 191 as it is read from the table: bids, what is turned up while track is removed, and who laid what out of turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from engine.core import UNKNOWN
from engine.engine191.actions import DRAW, END, PASS, REMOVE, Play, Reveal, Shuffle, TurnUp
from engine.engine191.game import State
from engine.pieces import Tile
from engine.playout import choose
from referee.decoder import Earlier, Kind, decide
from referee.readers.engine191 import Engine191Reader
from referee.readers.engine191_plays import Memory
from referee.reading import Count, Place, Reached, Reading, Sight
from referee.setting import Setting, seated
from tests.engine.test_engine191 import table
from vision.observation import Array, Observation, SeenTile, TableState

NAMES = ("Ann", "Ben", "Cem")


def reader(players: int) -> Engine191Reader:
    return Engine191Reader(Setting("engine191", State.Rules(), seated(NAMES[:players])))


def half(number: int) -> Array:
    row: Array = np.zeros(16, np.float32)
    row[number] = 1
    return row


def sight(tile: Tile, track: int = 1, score: float = 0.99) -> Sight:
    return Sight(np.stack([half(tile.low), half(tile.high)]), score, (0.0, 0.0), 0.0, track)


def seen(*bids: tuple[int, Tile], setting: Setting) -> Observation:
    """A table on which nothing but these bids lies open, each before its seat."""
    tiles = []
    for seat, tile in bids:
        x, y = setting.edge(seat)
        rows = np.stack([half(tile.low), half(tile.high)])
        tiles.append(SeenTile(10 + seat, (0.6 * x, 0.6 * y), 0.0, 48.0, 24.0, (tile.low, tile.high), rows, 0.99))
    return Observation(0.0, 0, TableState.READY, tuple(tiles), units="mm", settled=True)


def tables(players: int) -> Iterator[Any]:
    """A state as the referee knows it, which goes on through random games, chance and all."""
    for seed in range(40):
        rng = Random(seed)
        known, full = State(State.Rules(), players), State(State.Rules(), players)
        while full.outcome() is None:
            yield known
            action = full.random_chance(rng) if full.chance else choose(full.legal(), rng)
            known.push(full.public(action))
            full.push(action)
            while known.chance not in (None, "deal", "shuffle"):  # those two chance does in sight of all
                yield known
                known.push(full.answer(known))


def test_a_bid_that_nobody_saw_open_is_the_main_station() -> None:
    reading = Reading({("hub",): sight(Tile(0, 0))}, noted=Memory(bids={1: sight(Tile(2, 2), 2)}))
    state = next(state for state in tables(2) if state.chance == "reveal")
    assert [each.action for each in reader(2).proposals(state, reading)] == [Reveal((Tile(0, 0), Tile(2, 2)))]


def test_a_bid_that_is_hardly_read_may_have_been_another() -> None:
    doubtful = Sight(np.stack([0.7 * half(2) + 0.3 * half(3), half(2)]).astype(np.float32), 0.99, (0.0, 0.0), 0.0, 2)
    reading = Reading({}, noted=Memory(bids={0: sight(Tile(0, 0)), 1: doubtful}))
    state = next(state for state in tables(2) if state.chance == "reveal")
    told = {each.action: each.cost for each in reader(2).proposals(state, reading)}
    assert told[Reveal((Tile(0, 0), Tile(2, 2)))] == 0 < told[Reveal((Tile(0, 0), Tile(2, 3)))] < 2


def test_the_bids_of_the_round_before_are_forgotten() -> None:
    eyes = reader(2)
    first = State(State.Rules(), 2)
    memory = eyes.read(seen((0, Tile(0, 0)), (1, Tile(0, 1)), setting=eyes.setting), first, Memory()).noted
    assert set(memory.bids) == {0, 1}
    again = next(state for state in tables(2) if state.chance == "deal" and state.pushed)
    memory = eyes.read(seen((1, Tile(2, 2)), setting=eyes.setting), again, memory).noted
    assert {seat: bid.ends for seat, bid in memory.bids.items()} == {1: (2, 2)}


def test_a_tile_turned_up_when_track_is_removed_is_none_of_those_that_were_removed() -> None:
    state = next(state for state in tables(2) if state.chance == "turn-up" and state.pushed[-1] == REMOVE
                 and all(tile == UNKNOWN or tile != Tile(0, 6) for tile in state.scrap) and state.verify(TurnUp(Tile(0, 6))))
    reading = Reading({("new", 5): sight(Tile(0, 6), 5, 0.93)}, {"boneyard": Count(len(state.boneyard))})
    assert TurnUp(Tile(0, 6)) in [each.action for each in reader(2).proposals(state, reading)]


@pytest.mark.parametrize("seen", [True, False])
def test_what_the_seat_to_move_could_not_lay_there_another_may_have_laid_out_of_turn(seen: bool) -> None:
    """Also where no picture shows its hand, but that something moved at its edge."""
    eyes = reader(3)
    state, play = next((state, play) for state in tables(3) if state.phase == "turn" and state.turn is not None
                       for play in _of_the_next(state))
    place: Place = ("line", play.line, len(state.lines[play.line]) + 1)
    shown = sight(play.tile)
    laid = Sight(shown.probabilities[::-1] if shown.ends[0] != _open(state, play.line) else shown.probabilities, 0.99,
                 shown.center, 0.0, 1)
    seats = frozenset({play.line})
    reached = Reached(seats if seen else frozenset(), seats)
    reading = Reading({place: laid}, {"boneyard": Count(len(state.boneyard))}, reached=reached)
    assert (play.line, "out-of-turn") in {(each.seat, each.verdict.rule) for each in eyes.breaches(state, reading)}


def _open(state: State, line: int) -> int:
    """The number at a line's end."""
    laid = state.lines[line]
    return laid[-1][1] if laid else state.hub.low if state.hub is not None else -1


def _of_the_next(state: State) -> Iterator[Play]:
    """What the seat after the one to move might lay on its own line, and the one to move might not."""
    assert state.turn is not None
    seat = (state.turn + 1) % state.players
    end = _open(state, seat)
    for other in range(10):
        play = Play(Tile.of(end, other), seat, "hand", None)
        if play.tile in state.kit.tiles and not state.verify(play):
            yield play


def test_where_the_double_blank_is_known_to_be_the_main_station_what_looks_like_a_back_in_the_middle_is_that() -> None:
    state = next(state for state in tables(2) if state.hub == Tile(0, 0))
    at_table = reader(2)
    back = SeenTile(5, at_table.setting.middle, 0.0, 48.0, 24.0, None, np.full((2, 16), 1 / 16, np.float32), 0.99)
    look = Observation(0.0, 0, TableState.READY, (back,), units="mm", settled=True)
    reading = at_table.read(look, state, Memory())
    assert reading.tiles["hub",].track == reading.noted.hub == 5


def test_the_main_station_of_the_round_before_is_none_where_it_lies_in_the_boneyard_now() -> None:
    state = next(state for state in tables(2) if state.hub == Tile(0, 0))
    at_table = reader(2)

    x0, y0, *_ = at_table.setting.area
    lying = [SeenTile(track, (x0 + 60 + 30 * at, y0 + 60), 0.0, 48.0, 24.0, None, np.full((2, 16), 1 / 16, np.float32), 0.99)
             for at, track in enumerate((5, 6))]
    look = Observation(0.0, 0, TableState.READY, tuple(lying), units="mm", settled=True)
    again = type(state)(state.rules, state.players)
    reading = at_table.read(look, again, Memory(hub=5))
    assert not reading.tiles and reading.noted.hub is None and reading.counts["boneyard"].value == 2


@pytest.mark.parametrize("beside", [False, True])
def test_a_double_blank_without_a_bar_is_the_bid_that_nobody_saw_open(beside: bool) -> None:
    """Its face looks like a back; but where others lie beside it, it is one of the boneyard."""
    state = next(state for state in tables(2) if state.chance == "reveal")
    at_table = reader(2)
    open_bid, (x, y) = seen((1, Tile(2, 2)), setting=at_table.setting), at_table.setting.middle
    reading = at_table.read(open_bid, state, Memory())
    assert ("hub",) not in reading.tiles
    backs = [SeenTile(30 + at, (x, y + 30 * at), 0.0, 48.0, 24.0, None, np.full((2, 16), 1 / 16, np.float32), 0.99)
             for at in range(1 + beside)]
    reading = at_table.read(replace(open_bid, tiles=(*open_bid.tiles, *backs)), state, reading.noted)
    found = [each.action for each in at_table.proposals(state, reading)]
    assert found == ([] if beside else [Reveal((Tile(0, 0), Tile(2, 2)))])


def test_a_line_that_was_taken_out_is_not_seen_in_the_scrap_beside_it() -> None:
    """Many tiles are missing, so that the last one might lie far from the main station; but it lay elsewhere."""
    state = next(state for state in tables(2) if len(state.lines[0]) > 3 and not any(map(is_double, state.lines[0])))
    at_table = reader(2)
    (x, y), (fx, fy) = at_table.setting.middle, at_table.setting.seats[0].forward
    angle = float(np.arctan2(-fy, -fx))
    hub = lying(1, (x, y), angle + np.pi / 2, tuple(state.hub))
    places = [(x - fx * away, y - fy * away) for away in 36.0 + 48.0 * np.arange(len(state.lines[0]))]
    line = [lying(10 + at, place, angle, ends) for at, (place, ends) in enumerate(zip(places, state.lines[0], strict=True))]
    aside = [replace(tile, center=(x + 160.0, y + 30.0 * (at - 1))) for at, tile in enumerate(reversed(line))]
    memory = Memory()
    for tiles, seen in ((line, len(line)), (aside, 0)):
        look = Observation(0.0, 0, TableState.READY, (hub, *tiles), units="mm", settled=True)
        reading = at_table.read(look, state, memory)
        memory = reading.noted
        assert sum(place[:2] == ("line", 0) for place in reading.tiles) == seen


def is_double(ends: tuple[int, int]) -> bool:
    return ends[0] == ends[1]


def lying(track: int, center: tuple[float, float], angle: float, ends: tuple[int, int]) -> SeenTile:
    return SeenTile(track, center, angle, 48.0, 24.0, ends, np.stack([half(end) for end in ends]), 0.99)


def _from_the_yard(replaced_by: Tile | None) -> tuple[Engine191Reader, State, Reading, Play]:
    """A tile of the mover's yard on her own line, and the one that takes its place open beside it, if any does."""
    eyes = reader(2)
    state, play = next((state, play) for state in tables(2) if state.turn is not None and not state.chance
                       for play in state.legal() if isinstance(play, Play) and play.source == "yard" and play.line == state.turn)
    places = dict(eyes.expected(state, Reading({}, {"boneyard": Count(len(state.boneyard))})).tiles)
    del places["open", play.tile.low, play.tile.high]
    tiles = {place: sight(Tile.of(*laid.ends), at) for at, (place, laid) in enumerate(places.items()) if laid.ends is not None}
    for place, laid in places.items():
        assert laid.ends is not None
        tiles[place] = replace(tiles[place], probabilities=np.stack([half(laid.ends[0]), half(laid.ends[1])]))
    end = _open(state, play.line)
    rows = np.stack([half(end), half(play.tile.across(end))])
    tiles["line", play.line, len(state.lines[play.line]) + 1] = replace(sight(play.tile, 90), probabilities=rows)
    if replaced_by is not None:
        tiles["new", 91] = sight(replaced_by, 91)
    return eyes, state, Reading(tiles, {"boneyard": Count(len(state.boneyard))}), play


def test_a_tile_from_the_yard_waits_for_the_one_that_takes_its_place() -> None:
    eyes, state, reading, _ = _from_the_yard(None)
    decision = decide(eyes, [Earlier(state)], reading)
    assert decision.kind is Kind.UNFINISHED and "into the yard" in decision.steps[0]


def test_a_tile_from_the_yard_is_played_once_another_has_taken_its_place() -> None:
    _, state, _, play = _from_the_yard(None)
    assert play.replace is not None
    eyes, state, reading, play = _from_the_yard(play.replace)
    decision = decide(eyes, [Earlier(state)], reading)
    assert decision.kind is Kind.PLAY and decision.best.actions == (play,)


def test_what_is_turned_up_on_the_other_side_of_the_table_is_another_yards() -> None:
    """Two do something at once: hers is not there yet."""
    _, state, _, play = _from_the_yard(None)
    assert play.replace is not None and state.turn is not None
    eyes, state, reading, play = _from_the_yard(play.replace)
    assert state.turn is not None
    across = eyes.setting.edge(1 - state.turn)
    reading = replace(reading, tiles={**reading.tiles, ("new", 91): replace(reading.tiles["new", 91], center=across)})
    assert decide(eyes, [Earlier(state)], reading).kind is not Kind.PLAY


def test_one_bone_less_than_there_should_be_is_no_draw_as_long_as_nothing_is_turned_up() -> None:
    eyes = reader(2)
    state = next(state for state in tables(2) if DRAW in state.legal() and state.boneyard and not state.chance)
    tiles = {place: replace(sight(Tile.of(*laid.ends), at), probabilities=np.stack([half(end) for end in laid.ends]))
             for at, (place, laid) in enumerate(eyes.expected(state, Reading({}, {})).tiles.items()) if laid.ends is not None}
    decision = decide(eyes, [Earlier(state)], Reading(tiles, {"boneyard": Count(len(state.boneyard) - 1, 5.0)}))
    assert decision.kind is Kind.OUT_OF_SYNC and not decision.best.actions and "boneyard" in decision.steps[0]


def test_who_plays_on_need_not_have_ended_the_turn_before() -> None:
    eyes = reader(2)
    state, play = next((state, play) for state in tables(2) if state.phase == "chain" and not (state.boneyard or state.scrap)
                       for play in state.legal() if isinstance(play, Play) and play.source == "hand" and _passed_to(state, play))
    tiles = {place: replace(sight(Tile.of(*laid.ends), at), probabilities=np.stack([half(end) for end in laid.ends]))
             for at, (place, laid) in enumerate(eyes.expected(state, Reading({}, {})).tiles.items()) if laid.ends is not None}
    end = _open(state, play.line)
    rows = np.stack([half(end), half(play.tile.across(end))])
    tiles["line", play.line, len(state.lines[play.line]) + 1] = replace(sight(play.tile, 90), probabilities=rows)
    assert state.turn is not None
    hers = frozenset({state.turn})
    decision = decide(eyes, [Earlier(state)], Reading(tiles, {"boneyard": Count(0)}, reached=Reached(hers, hers)))
    assert decision.kind is Kind.PLAY and decision.best.actions == (play,) and decision.best.share > 0.99


def _passed_to(state: State, play: Play) -> bool:
    """Whether it may also have come to this by an end of the turn and a pass."""
    after = state.copy()
    for action in (END, PASS):
        if action not in after.legal():
            return False
        after.push(action)
    return play in after.legal()


@pytest.mark.parametrize(("gap", "fits", "place"), [
    (8.0, True, ("line", 0, 1)), (8.0, False, ("new", 11)), (30.0, True, ("new", 11))])
def test_a_tile_that_shows_the_number_of_the_main_station_begins_a_line_a_little_apart_from_it(
        gap: float, fits: bool, place: Place) -> None:
    eyes = reader(2)
    state = next(state for state in tables(2) if state.hub is not None and not any(state.lines))
    number, (x, y) = state.hub.low, eyes.setting.seats[0].forward
    ends = (number if fits else (number + 1) % 7, (number + 2) % 7)
    away = -(12 + gap + 24)
    station = SeenTile(10, (0.0, 0.0), float(np.arctan2(x, -y)), 48.0, 24.0, (number, number), np.stack([half(number)] * 2), 0.99)
    laid = SeenTile(11, (away * x, away * y), float(np.arctan2(-y, -x)), 48.0, 24.0, ends, np.stack(list(map(half, ends))), 0.99)
    look = Observation(0.0, 0, TableState.READY, (station, laid), units="mm", settled=True)
    tiles = eyes.read(look, state, Memory(hub=10)).tiles
    assert place in tiles and tiles[place].track == 11


def test_a_back_of_the_boneyard_that_no_look_shows_lies_there_all_the_same() -> None:
    eyes, rows = reader(2), np.full((2, 16), 1 / 16, np.float32)
    backs = tuple(SeenTile(20 + k, (-200.0 + 30 * k, 60.0), 0.0, 48.0, 24.0, None, rows, 0.99) for k in range(9))  # of ten
    look = Observation(0.0, 0, TableState.READY, backs, units="mm", settled=True)
    memory, counts = Memory(), []
    for _, state in zip(range(2), tables(2), strict=False):  # before and after the deal
        reading = eyes.read(look, state, memory)
        memory = reading.noted
        counts.append(reading.counts["boneyard"].value)
    assert counts == [9, 10]


def test_scrap_that_lies_as_it_lay_was_not_turned_over_and_up_again() -> None:
    state = table(("0-2 1-2", "4-5 5-6"), "3-3", ("", ""), boneyard="", scrap="1-5 2-5", reshuffle="when_needed")
    for action in (DRAW, Shuffle((UNKNOWN, UNKNOWN))):
        state.push(action)
    lying = {("open", 1, 5): sight(Tile(1, 5), 7), ("open", 2, 5): sight(Tile(2, 5), 8)}
    for still, turned_up in ((frozenset(), {"1-5", "2-5"}), (frozenset({7}), {"2-5"})):
        found = reader(2).proposals(state, Reading(lying, noted=Memory(still=still)))
        assert {str(proposal.action.tile) for proposal in found if isinstance(proposal.action, TurnUp)} == turned_up
