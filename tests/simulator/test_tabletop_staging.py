"""Games laid out on simulated tables: nothing lies in anything else, a play moves only what it should, all is there."""

from collections import Counter
from itertools import pairwise
from random import Random

import cv2
import numpy as np
import pytest

from engine.actions import Action, action_from_text
from engine.dominoids import game as dominoids
from engine.euronimoes.actions import Buy
from engine.games import game
from engine.lines.actions import Play
from engine.lines.line import Line
from engine.pieces import Tile as Domino
from engine.playout import choose, deal_on
from engine.state import State
from simulator.layouts import LYING, STANDING, box_corners
from simulator.staging.games import STAGES, seat_counts, set_table, stage_of
from simulator.staging.line_faults import Moment
from simulator.staging.lines import LineStage
from simulator.tabletop.camera import Camera
from simulator.tabletop.look import TESTING_SEEDS
from simulator.tabletop.lying import Board, Chip, Coin, Tabletop, Tile

PLAYERS = [(name, players) for name in STAGES for players in seat_counts(name)]


def played(name: str, players: int, seed: int, turns: int, rules: str = "") -> list[tuple[State, Action | None, Tabletop]]:
    """States of a random game with the actions that led to them and their tables."""
    setting = set_table(name, players, TESTING_SEEDS[seed])
    stage, rng = stage_of(name, setting), Random(seed)
    state = game(name)(game(name).Rules.parse(rules), players)
    deal_on(state, rng)
    told: list[tuple[State, Action | None, Tabletop]] = [(state.copy(), None, stage.lay(state))]
    while state.outcome() is None and len(told) <= turns:
        legal = state.legal()
        if hasattr(stage, "fits"):
            legal = [a for a in legal if not hasattr(a, "cells") or stage.fits(state.turn, a)] or legal
        action = choose(legal, rng)
        state.push(action)
        if hasattr(stage, "done"):
            stage.done(action)
        deal_on(state, rng)
        told.append((state.copy(), action, stage.lay(state)))
    return told


def deepest(table: Tabletop, length: float, width: float) -> float:
    """By how many millimetres the two tiles that lie in one another most do so."""
    tiles = [t for t in table if isinstance(t, Tile) and t.pose == LYING]
    boxes = [box_corners(t.x, t.y, t.angle, length, width) for t in tiles]
    worst = 0.0
    for i, a in enumerate(tiles):
        for j in range(i):
            b = tiles[j]
            if abs(a.z - b.z) > 1 or np.hypot(a.x - b.x, a.y - b.y) > length + width:
                continue
            least = np.inf
            for angle in (a.angle, a.angle + np.pi / 2, b.angle, b.angle + np.pi / 2):
                axis = np.array([np.cos(angle), np.sin(angle)])
                one, other = boxes[i] @ axis, boxes[j] @ axis
                least = min(least, one.max() - other.min(), other.max() - one.min())
            worst = max(worst, float(least))
    return worst


@pytest.mark.parametrize(("name", "players"), PLAYERS)
def test_no_tile_lies_in_another_and_all_are_in_view(name: str, players: int) -> None:
    camera = Camera(tilt=0.1)
    setting = set_table(name, players, TESTING_SEEDS[5])
    for _, _, table in played(name, players, 5, 40)[::4]:
        assert deepest(table, setting.length, setting.width) < 1.5
        flat = [t for t in table if not (isinstance(t, Tile) and t.pose == STANDING)]
        pixels = camera.project(np.array([[t.x, t.y, 0.0] for t in flat]))
        assert (pixels > 10).all() and (pixels < (camera.width - 10, camera.height - 10)).all()


def test_trains_that_are_laid_towards_each_other_leave_each_other_room() -> None:
    setting = set_table("mexican-train", 2, TESTING_SEEDS[12])
    for _, _, table in played("mexican-train", 2, 12, 40):
        assert deepest(table, setting.length, setting.width) < 1.5


@pytest.mark.parametrize(("name", "players"), PLAYERS)
def test_every_tile_of_the_set_that_the_state_has_lies_somewhere(name: str, players: int) -> None:
    for state, _, table in played(name, players, 2, 30)[::6]:
        told = _told(state)
        shown = Counter(tuple(sorted(t.ends)) for t in table if isinstance(t, Tile))
        assert shown == told


def _told(state: State) -> Counter[tuple[int, int]]:
    """Every tile that the exchange form of a state names, whatever its key."""
    told: Counter[tuple[int, int]] = Counter()

    def walk(value: object, key: str) -> None:
        if isinstance(value, dict):
            if "ends" in value:
                told[tuple(sorted(value["ends"]))] += 1
            elif "top" in value:
                told[tuple(sorted((value["top"], value["bottom"])))] += 1
            else:
                if "engine" in value:  # the double that every train starts from
                    told[value["engine"], value["engine"]] += 1
                for name, part in value.items():
                    if name not in ("spinner", "pawns", "coins", "collected", "dice", "drawn", "pending", "bared"):
                        walk(part, name)
        elif isinstance(value, str) and value.count("-") == 1 and value[0].isdigit():
            low, high = map(int, value.split("-"))
            told[low, high] += 1
        elif isinstance(value, list):
            pairs = key in ("left", "right", "up", "down", "lines", "row", "trains")
            if pairs and len(value) == 2 and all(isinstance(v, int) for v in value):
                told[tuple(sorted(value))] += 1
            else:
                for part in value:
                    walk(part, key)

    walk(state.to_exchange(), "")
    return told


@pytest.mark.parametrize("name", ["block", "all-fives", "matador", "one-arm-joe"])
def test_a_play_on_a_line_moves_one_tile(name: str) -> None:
    rules = "spinner=first_double" if name == "all-fives" else ""
    for before, after in pairwise(played(name, 3, 4, 30, rules)):
        if after[1] is None or after[0].to_exchange()["root"] is None or before[0].to_exchange()["root"] is None:
            continue
        if before[0].to_exchange()["match"] != after[0].to_exchange()["match"]:
            continue
        moved = before[2].changed(after[2])
        assert len(moved) == (1 if after[1].kind in ("play", "draw") else 0)


@pytest.mark.parametrize(("name", "rules"), [("block", ""), ("all-fives", "spinner=first_double"), ("one-arm-joe", "")])
def test_halves_that_touch_on_a_line_match(name: str, rules: str) -> None:
    for seed in range(6):
        setting = set_table(name, 2, TESTING_SEEDS[seed])
        state, _, table = max(played(name, 2, seed, 40, rules), key=lambda each: sum(map(len, _arms(each[0]))))
        reach = setting.length / 4
        halves = [(t, k, t.x + (2 * k - 1) * reach * np.cos(t.angle), t.y + (2 * k - 1) * reach * np.sin(t.angle))
                  for t in table if isinstance(t, Tile) and t.up and t.pose == LYING for k in (0, 1)]
        count = 0
        for i, (a, ka, xa, ya) in enumerate(halves):
            for b, kb, xb, yb in halves[:i]:
                near = np.hypot(xa - xb, ya - yb)
                if a is not b and near < 0.56 * setting.length and a.ends[0] != a.ends[1] and b.ends[0] != b.ends[1]:
                    assert a.ends[ka] == b.ends[kb]
                    count += 1
        assert state is not None and count >= 1


def _arms(state: State) -> list[tuple[tuple[int, int], ...]]:
    assert isinstance(state, Line)
    return [arm for _, arm in state.arms()]


def test_a_long_line_bends_at_the_edge() -> None:
    angles = set()
    for seed in range(8):
        for _, _, table in played("block", 4, seed, 60)[-40:]:
            angles |= {round(float(np.degrees(t.angle)) / 90) % 2 for t in table
                       if isinstance(t, Tile) and t.up and t.pose == LYING and t.ends[0] != t.ends[1]}
    assert angles == {0, 1}


def test_a_tile_on_the_second_level_lies_higher_over_two_others() -> None:
    for seed in range(30):
        setting = set_table("euronimoes", 2, TESTING_SEEDS[seed])
        for _, _, table in played("euronimoes", 2, seed, 60)[-1:]:
            for tile in (t for t in table if isinstance(t, Tile) and t.level == 1):
                assert tile.z == pytest.approx(setting.look.thick_mm)
                under = [t for t in table if isinstance(t, Tile) and t.level == 0 and t.pose == LYING
                         and np.hypot(t.x - tile.x, t.y - tile.y) < 0.85 * setting.length]
                assert len(under) >= 2
                return
    pytest.fail("no tile was played on another")


def test_buying_moves_the_market_as_the_rules_say() -> None:
    for before, after in pairwise(played("euronimoes", 4, 3, 24)):
        if after[1] is not None and after[1].kind == "buy":
            names = {t.name for t in (a or b for a, b in before[2].changed(after[2])) if isinstance(t, Tile)}
            assert len(names) <= 6  # the one bought, four that may slide, the new one
            chips = [a for a, _ in before[2].changed(after[2]) if isinstance(a, Chip)]
            assert len(chips) == abs(before[0].chips[before[0].turn] - after[0].chips[before[0].turn])  # type: ignore[attr-defined]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_chips_in_hand_lie_beside_tiles(players: int) -> None:
    for seed in TESTING_SEEDS[:12]:
        setting = set_table("euronimoes", players, seed)
        state = game("euronimoes")(game("euronimoes").Rules(), players)
        deal_on(state, Random(seed))
        state.chips = (4,) * players  # type: ignore[attr-defined]
        table = stage_of("euronimoes", setting).lay(state)
        radius = setting.look.edition.chip_mm[0] / 2
        tiles = [box_corners(t.x, t.y, t.angle, setting.length, setting.width) for t in table
                 if isinstance(t, Tile) and t.pose == LYING]
        for chip in (thing for thing in table if isinstance(thing, Chip)):
            away = [-cv2.pointPolygonTest(box.astype(np.float32), (chip.x, chip.y), True) for box in tiles]
            assert min(away) > radius, (seed, chip)


def test_of_two_twins_side_by_side_the_one_that_was_bought_leaves() -> None:
    setting = set_table("euronimoes", 4, TESTING_SEEDS[4])
    state = game("euronimoes")(game("euronimoes").Rules(), 4)
    deal_on(state, Random(4))
    twin, other = Domino(1, 3), Domino(2, 5)
    state.market = (Domino(0, 0), twin, twin, other, Domino(6, 6))  # type: ignore[attr-defined]
    state.hands = ((Domino(0, 1),) * 3,) * 4  # type: ignore[misc]
    state.pile = (Domino(4, 4),) * 3  # type: ignore[attr-defined]
    for slot in (1, 2):
        stage, bought = stage_of("euronimoes", setting), state.copy()
        before = stage.lay(bought)
        lying = {tile.name: tile.x for tile in before if isinstance(tile, Tile) and tile.ends == (1, 3)}
        bought.push(Buy(slot))
        for after in (stage.lay(bought), stage.lay(bought)):
            (standing,) = (tile for tile in after if tile.name in lying and isinstance(tile, Tile) and tile.pose == STANDING)
            assert lying[standing.name] == sorted(lying.values())[slot - 1]


def test_a_shift_moves_one_strip_of_the_board() -> None:
    seen = 0
    for before, after in pairwise(played("dominoids", 2, 1, 60)):
        boards = [b for a, b in before[2].changed(after[2]) if isinstance(b, Board)]
        assert len(boards) == (4 if after[1] is not None and after[1].kind == "shift" else 0)
        seen += bool(boards)
    assert seen > 1


def test_coins_show_one_side_and_stacks_are_as_high_as_they_are() -> None:
    for state, _, table in played("dominoids", 2, 7, 80)[::10]:
        coins = [t for t in table if isinstance(t, Coin)]
        assert len(coins) == 24
        assert isinstance(state, dominoids.State)
        collected = sum(len(each) for each in state.collected)
        assert sum(c.value_up for c in coins) == collected + sum(bool(coin and coin[2]) for coin in state.coins)


@pytest.mark.parametrize(("name", "players"), PLAYERS)
def test_a_table_can_be_laid_from_what_the_camera_may_know(name: str, players: int) -> None:
    state = played(name, players, 6, 12)[-1][0]
    setting = set_table(name, players, TESTING_SEEDS[6])
    full, hidden = (stage_of(name, setting).lay(each) for each in (state, state.project()))
    assert len(full.things) == len(hidden.things)
    up = [sorted((t.name, t.x) for t in table if isinstance(t, Tile) and t.up and t.pose == LYING) for table in (full, hidden)]
    assert up[0] == up[1]


def test_tidy_tables_lie_exactly_as_meant() -> None:
    setting = set_table("block", 2, TESTING_SEEDS[1], tidy=0.0)
    stage = stage_of("block", setting)
    state = game("block").start(None, 2, Random(1))
    assert stage.lay(state) == stage.plan(state).nominal()


def test_a_tile_taken_back_from_one_end_can_be_laid_on_the_other() -> None:
    setting = set_table("block", 2, TESTING_SEEDS[0])
    stage, state = stage_of("block", setting), game("block")(None, 2)
    state.push(action_from_text(state.CHANCE, 'deal [["5-5","0-1","1-2","3-4","4-6"],["0-0","2-5","0-2","0-3","0-4"]] '
                                '["0-5","0-6","1-1","1-3","1-4","1-5","1-6","2-2","2-3","2-4","2-6","3-3","3-5","3-6","4-4",'
                                '"4-5","5-6","6-6"] 0'))
    state.push(Play(Domino(5, 5), "root", None))
    root = stage.lay(state)["5-5"].x
    places = []
    for arm in ("left", "right"):
        state.push(Play(Domino(2, 5), arm, 2))
        places.append(stage.lay(state)["2-5"].x)
        state.pop()
        stage.lay(state)
    assert places[0] < root - 20 < root + 20 < places[1]


def test_of_the_largest_set_nobody_has_a_larger_one() -> None:
    largest, _, _ = played("block", 2, 3, 4, "set_max=15")[-1]
    usual, _, table = played("block", 2, 3, 4)[-1]
    stage = stage_of("block", set_table("block", 2, TESTING_SEEDS[3]))
    assert isinstance(stage, LineStage) and isinstance(largest, Line) and isinstance(usual, Line)
    stage.lay(usual)
    assert list(Moment(stage, largest, table, Random(1)).strangers()) == []
    assert next(Moment(stage, usual, table, Random(1)).strangers()).rule == "not-in-set"


def test_beside_a_first_tile_that_is_still_an_end_no_tile_is_laid_wrongly() -> None:
    lines = [state for state, _, _ in played("block", 2, 5, 60, "next_start=winner") if isinstance(state, Line)]
    first = next(at for at, state in enumerate(lines) if state.root == Domino(2, 6))
    stage = stage_of("block", set_table("block", 2, TESTING_SEEDS[5]))
    assert isinstance(stage, LineStage)
    both = next(state for state in lines[first:] if all(len(arm) > 1 for _, arm in state.arms()))
    alone, inner = (list(Moment(stage, state, stage.lay(state), Random(1)).beside()) for state in (lines[first], both))
    assert not alone and inner
