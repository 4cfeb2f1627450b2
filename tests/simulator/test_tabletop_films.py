"""What happens at simulated tables: hands carry things and leave, clocks run, cameras fail, and the engine agrees."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from engine.core import IllegalError
from engine.games import game
from simulator.layouts import LYING
from simulator.staging.games import set_table, stage_of
from simulator.staging.players import CALM, LIVELY, Mischief, Players
from simulator.tabletop.camera import Camera
from simulator.tabletop.films import World, perform
from simulator.tabletop.happenings import (
    Bump,
    Carry,
    Covered,
    Frozen,
    Happening,
    Lighting,
    Move,
    Rest,
    Still,
    Together,
    Unplugged,
    Wash,
    order,
)
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.lying import Tabletop, Thing, Tile
from simulator.tabletop.render import Light
from simulator.tabletop.simulated import Moment, SimulatedTable
from trials.story import Story

SMALL = Camera(480, 270, jpeg=None, rate=5.0)
SETTING = set_table("block", 2, TESTING_SEEDS[8])
TABLE = Tabletop((Tile("1-2", 0.0, 0.0, 0.0, (1, 2)), Tile("3-4", 80.0, 40.0, 1.0, (3, 4), up=False)))


def film(*happenings: Happening) -> list[Moment]:
    return list(SimulatedTable(SETTING, SMALL, TABLE, happenings, last=0.6).moments())


def moves(happenings: Sequence[Happening]) -> list[Move]:
    return [move for each in happenings for move in
            ((each,) if isinstance(each, Move) else each.moves if isinstance(each, Together) else ())]


def test_a_hand_comes_moves_a_tile_and_leaves() -> None:
    there = Tile("1-2", -150.0, 60.0, 0.5, (1, 2))
    moments = film(Move(0, (Carry((there,)),)))
    told = [moment.doing for moment in moments]
    parts = [word for k, word in enumerate(told) if k == 0 or told[k - 1] != word]
    assert parts == ["still", "hand", "moving", "hand", "still"]
    assert moments[0].truth.tabletop == TABLE
    assert moments[-1].truth.tabletop == TABLE.put(there)
    assert all(moment.truth.hands == (moment.doing in ("hand", "moving")) for moment in moments)
    assert any(moment.truth.of("1-2").veiled for moment in moments)
    assert not moments[-1].truth.of("1-2").veiled
    seen = [m.truth.of("1-2").thing for m in moments if m.doing == "moving"]
    assert max(t.lift for t in seen if isinstance(t, Tile)) > 10


def test_two_hands_may_be_over_the_table_at_once() -> None:
    one = Move(0, (Carry((Tile("1-2", -150.0, 60.0, 0.5, (1, 2)),)),))
    other = Move(1, (Carry((Tile("3-4", 150.0, -60.0, 0.5, (3, 4)),)),))
    moments = film(Together((one, other), apart=0.3))
    assert max(moment.truth.hands for moment in moments) == 2
    assert moments[-1].settled == TABLE.put(*one.carries[0].to, *other.carries[0].to)


def test_the_clock_runs_at_the_cameras_rate() -> None:
    moments = film(Still(1.0), Rest(0, (0.0, 0.0), 2.0))
    times = [moment.frame.time for moment in moments]
    assert np.diff(times) == pytest.approx(1 / SMALL.rate)
    assert [moment.frame.sequence for moment in moments] == list(range(len(moments)))


def test_an_unplugged_camera_gives_nothing_for_a_while() -> None:
    moments = film(Unplugged(3.0))
    assert np.diff([moment.frame.time for moment in moments]).max() == pytest.approx(3.0 + 1 / SMALL.rate)


def test_a_frozen_camera_gives_one_picture_again_and_again() -> None:
    frozen = [moment.frame.image for moment in film(Frozen(1.0)) if moment.doing == "frozen"]
    assert len(frozen) == 5 and all((image == frozen[0]).all() for image in frozen)
    alive = [moment.frame.image for moment in film(Still(1.0))]
    assert not any((a == b).all() for a, b in pairwise(alive))


def test_a_covered_lens_sees_nothing() -> None:
    moments = film(Covered(1.0))
    dark = [moment for moment in moments if moment.doing == "covered"]
    assert max(moment.frame.image.mean() for moment in dark) < 20 < moments[0].frame.image.mean()
    assert not any(any(shown.visible) for moment in dark for shown in moment.truth.shown)


def test_a_bump_moves_the_camera_for_good() -> None:
    moments = film(Bump(20.0, -10.0, 0.05))
    before, after = moments[0].truth, moments[-1].truth
    assert not before.bumped and after.bumped
    assert np.linalg.norm(before.of("1-2").outline - after.of("1-2").outline, axis=1).min() > 3
    assert after.tabletop == TABLE


def test_a_lamp_changes_the_light_and_nothing_else() -> None:
    moments = film(Lighting(Light((0.1, 0.1), 0.5), 0.4))
    assert moments[0].frame.image.mean() > min(moment.frame.image.mean() for moment in moments) + 10
    assert moments[-1].truth.tabletop == TABLE


def test_a_wash_lays_another_table() -> None:
    after = Tabletop((Tile("1-2", 100.0, 0.0, 0.0, (1, 2), up=False), Tile("3-4", -80.0, 40.0, 1.0, (3, 4))))
    moments = film(Wash(after, seconds=2.0))
    assert moments[-1].truth.tabletop == after
    assert max(moment.truth.hands for moment in moments) == SETTING.players


def test_nothing_is_put_where_something_lies_that_has_yet_to_go() -> None:
    before = Tabletop(tuple(Tile(f"{k}-6", 40.0 * k, 0.0, 1.6, (k, 6)) for k in range(5)))
    after = Tabletop(tuple(Tile(f"{k}-6", 40.0 * ((k - 1) % 5), 0.0, 1.6, (k, 6)) for k in range(5)))
    table = before
    for carry in order(before, after, lambda a, b: 0.0):
        for thing in carry.to:
            others = [other for other in table if other.name != thing.name]
            assert min(np.hypot(other.x - thing.x, other.y - thing.y) for other in others) > 20
        table = table.put(*carry.to)
    assert set(table) == set(after)


SOME = [("block", 3), ("euronimoes", 2), ("engine191", 2), ("dominoids", 2), ("solitaire", 1)]


@pytest.mark.parametrize(("name", "players"), SOME)
def test_what_players_do_is_what_the_engine_was_told(name: str, players: int) -> None:
    stage = stage_of(name, set_table(name, players, TESTING_SEEDS[9]))
    people = Players(game(name)(None, players), stage, 4, Mischief(take_back=0.2, nudge=0.2, rest=0.1), most=25)
    table, state = people.table, people.state.copy()
    for happening in people.happenings():
        for move in moves([happening]):
            for carry in move.carries:
                table = table.put(*carry.to).without(carry.gone)
            if move.state is None:
                continue
            if move.note != "take-back" and name != "dominoids":  # whose dice the state cannot foretell
                for action in move.actions:
                    state.play(action)
                assert state.chance or state == move.state  # a shuffle cannot be foretold either
            state = move.state.copy()
        if isinstance(happening, Wash):
            table = happening.after
            assert happening.state is not None
            state = happening.state.copy()
    assert set(table) == set(people.table)
    assert state == people.state


def on_the_table(table: Tabletop) -> set[Thing]:
    """All but the tiles of the hands: one taken back may stand elsewhere in its rack."""
    return {thing for thing in table if getattr(thing, "pose", LYING) == LYING}


def test_wrong_plays_are_wrong_and_are_taken_back() -> None:
    stage = stage_of("block", SETTING)
    people = Players(game("block")(None, 2), stage, 3, Mischief(wrong=0.5), most=40)
    state, wrong, laid = people.state.copy(), 0, people.table
    for happening in people.happenings():
        if isinstance(happening, Wash):
            assert happening.state is not None
            state, laid = happening.state.copy(), happening.after
            continue
        if isinstance(happening, Still):
            continue
        (move,) = moves([happening])
        if move.note == "wrong":
            wrong += 1
            assert move.rule in state.RULE_BOOK
            for action in move.actions:  # some faults are none that the engine has a word for
                with pytest.raises(IllegalError) as told:
                    state.copy().play(action)
                assert told.value.verdict.rule == move.rule
        elif move.note == "take-back":
            assert on_the_table(people.table) == on_the_table(laid)
        elif move.state is not None:
            state = move.state.copy()
            laid = people.table
    assert wrong > 3


def test_the_same_seed_gives_the_same_game_and_other_seeds_other_ones() -> None:
    told = []
    for seed in (1, 1, 2):
        people = Players(game("block")(None, 2), stage_of("block", SETTING), seed, LIVELY, most=12)
        told.append([str(action) for move in moves(list(people.happenings())) for action in move.actions])
    assert told[0] == told[1] != told[2]


def test_calm_players_make_no_mistakes() -> None:
    stage = stage_of("euronimoes", set_table("euronimoes", 2, TESTING_SEEDS[1]))
    people = Players(game("euronimoes")(None, 2), stage, 1, CALM, most=10)
    assert all(isinstance(each, Move) and not each.note for each in people.happenings())


def test_a_film_begins_and_ends_with_the_tables_it_says() -> None:
    stage = stage_of("engine191", set_table("engine191", 3, TESTING_SEEDS[4]))
    people = Players(game("engine191")(None, 3), stage, 2, CALM, most=20)
    world, rng = World(people.table, SMALL), np.random.default_rng(0)
    for happening in people.happenings():
        shot = perform(happening, world, stage.setting, rng)
        assert shot.at(0.0).world.table == world.table
        assert set(shot.at(shot.seconds + 0.01).world.table) == set(shot.after.table)
        for time in np.linspace(0, shot.seconds, 7):
            assert {t.name for t in shot.at(time).world.table} >= {t.name for t in world.table if t in shot.after.table}
        world = shot.after


def test_hands_are_shown_before_the_next_deal() -> None:
    people = Players(game("block")(None, 2), stage_of("block", SETTING), 5, CALM, most=40)
    before = people.table
    shown: list[set[str]] = []
    for happening in people.happenings():
        if isinstance(happening, Wash):
            held = {thing.name for thing in before if isinstance(thing, Tile) and thing.pose != "lying"}
            assert held == set()  # nobody hides a tile when a round is counted
            break
        for move in moves([happening]):
            for carry in move.carries:
                before = before.put(*carry.to).without(carry.gone)
        shown += [{thing.name for carry in move.carries for thing in carry.to} for move in moves([happening])]
    else:
        raise AssertionError("no round ended")
    assert any(len(names) > 0 for names in shown)


@pytest.mark.parametrize(("name", "players"), [("block", 2), ("engine191", 3), ("one-arm-joe", 2)])
def test_what_two_play_at_once_could_be_played_one_after_the_other(name: str, players: int) -> None:
    stage = stage_of(name, set_table(name, players, TESTING_SEEDS[4]))
    people = Players(game(name)(None, players), stage, 6, Mischief(together=1.0), most=30)
    story, both = Story(game(name)(None, players)), 0
    for happening in people.happenings():
        both += isinstance(happening, Together)
        for move in moves([happening]):
            assert move.state is not None or not move.actions
            if move.state is not None and move.actions:
                story.add(move.actions, move.state, [each for each in people.state.pushed if each.kind == "deal"])
    assert both and story.state.turn == people.state.turn
