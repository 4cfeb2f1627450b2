"""Where tiles are drawn: lines bend without touching themselves, grids lie as they are played, reasons add up."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.actions import action_from_text
from engine.games import GAMES, game
from tests.webui.faketable import dealt, table, tidy
from webui.live.euronimoes import cells_spot, grid_reasons
from webui.live.form import moment_form, places, scene
from webui.live.line import REACH


def halves(tile: dict[str, Any]) -> set[tuple[float, float]]:
    """The eight points a drawn tile covers: enough to see two tiles overlap."""
    dx, dy = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[tile["turn"]]
    points = [(along, 0.25 * side) for along in (-0.75, -0.25, 0.25, 0.75) for side in (-1, 1)]
    return {(round(tile["x"] + u * dx + v * dy, 3), round(tile["y"] + u * dy + v * dx, 3)) for u, v in points}


def beside_each_other(drawn: dict[str, Any]) -> int:
    """How many points the tiles of a drawing cover, none of them twice, and all within its box."""
    covered: set[tuple[float, float]] = set()
    for tile in drawn["tiles"]:
        here = halves(tile)
        assert not here & covered, tile["key"]
        covered |= here
    x, y, width, height = drawn["box"]
    assert all(x <= px <= x + width and y <= py <= y + height for px, py in covered)
    return len(covered)


@pytest.mark.parametrize("shape", REACH)
@pytest.mark.parametrize("seed", range(5))
def test_a_long_line_never_lies_upon_itself_and_stays_within_its_box(shape: str, seed: int) -> None:
    _, full = dealt("block", 4, 9, seed)
    rng = Random(seed)
    drawings = [scene(full)]
    for step in range(60):
        if full.result is not None:
            break
        full.push(full.random_chance(rng) if full.chance else tidy(full, rng))
        if step % 4 == 0:
            drawings.append(scene(full))
    for drawing in drawings:
        beside_each_other(drawing["shapes"][shape])


@pytest.mark.parametrize("spinner", ["first_double", "all"])
@pytest.mark.parametrize("seed", range(4))
def test_the_arms_of_spinners_never_lie_upon_each_other_and_every_open_end_has_a_place(spinner: str, seed: int) -> None:
    kind: Any = game("all-fives")
    state = kind.start(kind.Rules(spinner=spinner), 2 + seed % 3, Random(seed))
    rng = Random(seed)
    while not state.chance:
        state.push(rng.choice(state.legal()))
        if state.root is None or state.chance:
            continue
        for drawn in scene(state)["shapes"].values():
            assert beside_each_other(drawn) == 8 * len(drawn["tiles"])
            assert {tile["key"] for tile in drawn["tiles"]} == {"root", *(
                f"{name}-{at}" for name, arm in state.arms() for at in range(len(arm)))}
            assert [(end["arm"], end["number"]) for end in drawn["ends"]] == state.open_ends()


def test_a_spinner_has_its_arms_at_right_angles_to_its_line() -> None:
    kind: Any = game("all-fives")
    state = kind(kind.Rules(spinner="first_double"), 2)
    state.push(state.public(state.random_chance(Random(1))))
    for text in ("play 6-6 root -", "play 4-6 right 4", "play 3-6 left 3", "play 2-6 up 2", "play 1-6 down 1"):
        state.push(action_from_text(state.ACTIONS, text))
    tiles = {tile["key"]: tile for tile in scene(state)["shapes"]["wide"]["tiles"]}
    at = {key: (tile["x"], tile["y"]) for key, tile in tiles.items()}
    assert at == {"root": (0, 0), "right-0": (1.5, 0), "left-0": (-1.5, 0), "up-0": (0, -2), "down-0": (0, 2)}
    assert {key: tiles[key]["turn"] for key in ("root", "up-0", "down-0")} == {"root": 90, "up-0": 270, "down-0": 90}


def test_touching_halves_of_a_line_show_the_same_number() -> None:
    _, full = dealt("block", 2, 30, 3)
    for shape in scene(full)["shapes"].values():
        inner = {tile["key"]: tile["ends"] for tile in shape["tiles"]}
        for arm in ("left", "right"):
            number = inner["root"][0 if arm == "left" else 1]
            for at in range(len([key for key in inner if key.startswith(arm)])):
                assert inner[f"{arm}-{at}"][0] == number
                number = inner[f"{arm}-{at}"][1]
            assert next(end["number"] for end in shape["ends"] if end["arm"] == arm) == number


def test_every_legal_play_has_a_place_of_its_own_and_the_end_it_shows() -> None:
    running, _ = dealt("block", 2, 9)
    state = running.moment().state
    for action in state.legal():
        if action.kind != "play":
            continue
        found = next(place for place in places(state, action.tile) if place["action"] == str(action))  # type: ignore[attr-defined]
        for mark in found["shapes"].values():
            assert mark["ends"][1] == action.open  # type: ignore[attr-defined]


def test_the_number_above_is_drawn_above() -> None:
    lying, standing = cells_spot(((2, 3), (3, 3))), cells_spot(((2, 3), (2, 4)))
    assert (lying["x"], lying["y"], lying["turn"]) == (2.5, -3, 0)
    assert (standing["x"], standing["y"], standing["turn"]) == (2, -3.5, 270)


def test_higher_levels_are_drawn_last_and_a_little_aside() -> None:
    _, full = dealt("euronimoes", 2, 56, 2)
    levels = [[tile["level"] for tile in grid["tiles"]] for grid in scene(full)["grids"]]
    assert all(level == sorted(level) for level in levels)
    assert cells_spot(((0, 0), (1, 0)), 2)["y"] < cells_spot(((0, 0), (1, 0)), 1)["y"]


@pytest.mark.parametrize("seed", range(6))
def test_the_reasons_of_a_score_add_up_to_it(seed: int) -> None:
    _, full = dealt("euronimoes", 3, 70, seed)
    for seat in range(3):
        assert sum(part["points"] for part in grid_reasons(full, seat)) == full.scores()[seat]


def test_a_bomb_and_a_run_say_why() -> None:
    from engine.actions import Cell
    from engine.euronimoes.actions import Play
    from engine.pieces import Tile

    state = game("euronimoes").start(None, 2, Random(1))
    layout = state.layouts[0]  # type: ignore[attr-defined]

    def stand(tile: tuple[int, int], low: Cell) -> Play:
        return Play(Tile.of(*tile), (low, (low[0], low[1] + 1)), tile, 1)

    for play in (stand((0, 1), (0, 0)), stand((2, 3), (0, 2)), stand((4, 5), (0, 4))):
        layout = layout.after(play)
    layout = layout.after(Play(Tile.of(6, 2), ((0, 6), (1, 6)), (6, 2), 1))
    state.layouts = (layout, *state.layouts[1:])  # type: ignore[attr-defined]
    why = {part["label"]: part for part in grid_reasons(state, 0)}
    assert why["Column 1"]["points"] == -3 and "bomb" in why["Column 1"]["why"]
    assert why["Column 2"]["why"] == "2 alone counts 2"


def test_a_hand_is_told_to_its_own_seat_alone() -> None:
    from engine.pieces import Tile

    running, _ = dealt("block", 3, 4)
    own = moment_form(running.moment(), 1, (Tile(2, 5), Tile(6, 6)))
    assert own["players"][1]["hand"] == [[2, 5], [6, 6]]
    assert [player["hand"] for player in own["players"] if player["seat"] != 1] == [None, None]
    for seat in (None, 0):
        assert all(player["hand"] in (None, []) for player in moment_form(running.moment(), seat)["players"])


def test_the_market_says_what_a_tile_costs_and_who_can_pay() -> None:
    running, _ = dealt("euronimoes", 2, 0)
    market = moment_form(running.moment(), None)["market"]
    assert [slot["cost"] for slot in market] == [-1, 0, 1, 2, 3]
    assert [slot["afford"] for slot in market] == [[0, 1]] * 4 + [[]]  # two chips each
    assert market[4]["action"] is None and market[1]["action"] == "buy 1"


@pytest.mark.parametrize("shape", REACH)
@pytest.mark.parametrize(("name", "plays"), [("knock-out", 0), ("knock-out", 2), ("elimination", 30), ("solitaire", 9)])
def test_games_for_one_are_drawn_tile_beside_tile_within_their_box(name: str, plays: int, shape: str) -> None:
    _, full = dealt(name, 1, plays, 5)
    drawn = scene(full)["shapes"][shape]
    assert beside_each_other(drawn)
    assert len({tile["key"] for tile in drawn["tiles"]}) == len(drawn["tiles"])


def test_the_tile_that_is_touched_next_says_its_number() -> None:
    _, full = dealt("elimination", 1, 4, 5)
    state: Any = full
    marked = [tile for tile in scene(full)["shapes"]["tall"]["tiles"] if "touch" in tile]
    assert [(tile["ends"], tile["touch"]) for tile in marked] == [(list(state.row[state.at]), state.count)]


def test_a_tile_face_down_says_nothing_of_its_numbers() -> None:
    _, full = dealt("solitaire", 1, 3, 5)
    drawn = scene(full)["shapes"]["wide"]["tiles"]
    state: Any = full
    assert sum(tile["ends"] is None for tile in drawn) == sum(not tile.up for column in state.columns for tile in column) > 0


@pytest.mark.parametrize(("name", "rules", "highest"), [("block", {"set_max": "9"}, 9), ("block", {}, 6), ("euronimoes", {}, 6)])
def test_a_hand_is_told_in_tiles_of_the_set(name: str, rules: dict[str, str], highest: int) -> None:
    assert moment_form(table(name, 2, **rules).moment(), None)["game"]["highest"] == highest


@pytest.mark.parametrize(("players", "plays"), [(2, 0), (2, 12), (3, 40), (4, 60)])
def test_in_engine_191_each_seat_has_its_line_and_its_yard(players: int, plays: int) -> None:
    _, full = dealt("engine191", players, plays, 5)
    drawing = scene(full)
    assert len(drawing["grids"]) == players
    for seat, grid in enumerate(drawing["grids"]):
        beside_each_other(grid)
        hub = 0 if full.hub is None else 1  # type: ignore[attr-defined]
        assert len(grid["tiles"]) == hub * (1 + len(full.lines[seat]) + len(full.yards[seat]))  # type: ignore[attr-defined]


@pytest.mark.parametrize("shape", ["wide", "square", "tall"])
@pytest.mark.parametrize(("players", "plays"), [(2, 0), (2, 60), (4, 90), (8, 70)])
def test_in_mexican_train_every_train_has_its_rows_and_tells_its_end(players: int, plays: int, shape: str) -> None:
    _, full = dealt("mexican-train", players, plays, 3)
    state: Any = full
    drawing = scene(full)["shapes"][shape]
    beside_each_other(drawing)
    tiles = {tile["key"]: tile["ends"] for tile in drawing["tiles"]}
    assert len(tiles) == 1 + sum(map(len, state.trains))
    for train, laid in enumerate(state.trains):
        assert [tuple(tiles[f"train-{train}-{at}"]) for at in range(len(laid))] == list(laid)
        assert [end["number"] for end in drawing["ends"] if end["arm"] == str(train)] == [state.end_of(train)]
    keys = {part["key"] for part in drawing["under"]}
    assert {f"marker-{seat}" for seat in range(players) if state.marked[seat]} == {key for key in keys if "marker" in key}


def test_a_tile_of_mexican_train_lies_with_its_equal_end_inward_where_it_can_be_laid() -> None:
    _, full = dealt("mexican-train", 3, 33, 3)
    state: Any = full
    laid = [action for action in state.legal() if action.kind == "play"]
    assert laid
    for action in laid:
        found = next(place for place in places(state, action.tile) if place["action"] == str(action))
        for name, mark in found["shapes"].items():
            assert mark["ends"][0] == state.end_of(action.train)
            beside_each_other({"tiles": [*scene(full)["shapes"][name]["tiles"], mark], "box": [-9, -9, 99, 99]})


def test_a_player_who_must_cover_a_double_sees_which() -> None:
    from engine.pieces import Tile

    state: Any = game("mexican-train").start(None, 2, Random(1))
    seat = state.turn
    state.hands = tuple((Tile(5, 12), Tile(5, 5), Tile(1, 2)) if each == seat else state.hands[each] for each in range(2))
    state.slots = tuple((frozenset(),) * len(hand) for hand in state.hands)
    for tile in (Tile(5, 12), Tile(5, 5)):
        assert not [part for part in scene(state)["shapes"]["wide"]["under"] if part["key"] == "due"]
        state.turn = seat
        state.push(next(action for action in state.plays_of([tile]) if action.train == seat))
    drawing = scene(state)["shapes"]["wide"]
    (due,) = (part for part in drawing["under"] if part["key"] == "due")
    (double,) = (tile for tile in drawing["tiles"] if tile["key"] == f"train-{seat}-1")
    assert (due["x"], due["y"]) == (double["x"], double["y"])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_whoever_hears_the_table_is_told_every_tile_that_is_drawn(name: str, seed: int) -> None:
    kind: Any = game(name)
    state, rng = kind.start(kind.Rules(), kind.SEATS[0], Random(seed)), Random(seed)
    for step in range(60):
        told = scene(state)
        drawings = told.get("grids") or list(told["shapes"].values())[:1]
        drawn = {tuple(sorted(tile["ends"])) for drawing in drawings for tile in drawing["tiles"]
                 if tile["ends"] and tile["key"] != "engine"}  # fmt: skip
        heard = Counter(tuple(sorted(map(int, pair))) for line in told["words"]
                        for pair in re.findall(r"(\d+)\|(\d+)", line["words"]))  # fmt: skip
        assert heard.keys() == drawn, (step, told["words"])
        assert set(heard.values()) <= {1} or name == "euronimoes"  # whose set has twins
        if state.result is not None:
            break
        state.push(state.random_chance(rng) if state.chance else rng.choice(state.legal()))
