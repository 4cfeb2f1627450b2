"""Scenes at a table of Euronimoes: what the referee says about the grids and their levels."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.euronimoes.actions import DRAW, Play
from tests.referee.market_words import drawn, lay, told, word
from tests.referee.playing import Match


@pytest.mark.parametrize(("play", "rule"), [
    (lay("4-5", ((0, 1), (0, 2)), (4, 5)), "run-step"),
    (lay("4-5", ((2, 1), (3, 1)), (4, 5)), "connected"),
    (lay("4-5", ((-2, 0), (-1, 0)), (4, 5)), None),
])
def test_where_a_tile_may_not_lie(match: Match, play: Play, rule: str | None) -> None:
    drawn(match).stage.lay(1, play)
    match.look(4.0, reaching=1)
    if rule is None:
        assert match.referee.game.standing[-1].text == str(play)
    else:
        assert word(match) == "illegal" and told(match)["rule"] == rule


def test_a_run_may_not_turn_round(match: Match) -> None:
    drawn(match).do(lay("4-5", ((0, 1), (0, 2)), (5, 4)))
    match.do(DRAW)
    match.do(lay("2-2", ((1, 0), (2, 0)), (2, 2)))
    match.do(DRAW)
    match.stage.lay(1, lay("3-5", ((0, 3), (1, 3)), (5, 3)))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "run-direction"


@pytest.mark.parametrize(("off", "said"), [(2.5, "ready"), (8.0, "asking"), (12.5, "illegal")])
def test_a_tile_across_the_lines_of_the_grid_does_not_line_up(match: Match, off: float, said: str) -> None:
    play = lay("4-5", ((-2, 0), (-1, 0)), (4, 5))
    drawn(match).stage.lay(1, play, off=(0.0, off))
    match.look(4.0, reaching=1)
    assert word(match) == said
    assert said != "illegal" or told(match)["rule"] == "grid"
    assert (match.referee.game.standing[-1].text == str(play)) == (said == "ready")


@pytest.mark.parametrize("aside", [0.0, 9.0])
def test_a_tile_half_on_another_lies_over_it_though_what_lies_higher_is_seen_aside(match: Match, aside: float) -> None:
    drawn(match).stage.lay(1, lay("4-6", ((-1, 0), (0, 0)), (4, 6)), off=(0.0, aside))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] in ("overlap", "overhang")


def test_a_stacked_tile_must_show_what_lies_beneath_and_rest_on_two_tiles(match: Match) -> None:
    drawn(match).do(lay("4-5", ((0, 1), (0, 2)), (5, 4)))
    match.do(DRAW)
    match.do(lay("2-2", ((1, 0), (2, 0)), (2, 2)))
    match.do(DRAW)
    match.stage.lay(1, lay("3-5", ((0, 0), (0, 1)), (3, 5), 2))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "stack-match"
    match.stage.tiles.pop(max(match.stage.tiles))
    match.look(1.0, reaching=1)
    match.stage.tops[1, (0, 0)] = match.stage.placed["grid", 1, ((0, 0), (1, 0)), 1]
    match.stage.tops[1, (0, 1)] = match.stage.tops[1, (0, 2)]
    match.stage.lay(1, lay("4-5", ((0, 1), (0, 2)), (5, 4), 2))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] in ("not-your-tile", "stack-two-tiles")


def test_a_tile_on_two_others_that_it_matches_counts_on_level_two(match: Match) -> None:
    drawn(match).do(lay("4-5", ((0, 1), (0, 2)), (5, 4)))
    match.do(DRAW)
    match.do(lay("5-6", ((1, 0), (2, 0)), (5, 6)))
    match.do(DRAW)
    match.do(lay("3-3", ((-2, 0), (-1, 0)), (3, 3)))
    layout = match.full.layouts[1]
    assert layout.level_score() == 0
    assert match.right


def test_a_joint_that_looks_like_a_tile_when_one_is_laid_is_no_play(match: Match) -> None:
    drawn(match).do(lay("4-5", ((0, 1), (0, 2)), (5, 4)))
    match.do(DRAW)
    match.do(lay("2-2", ((1, 0), (2, 0)), (2, 2)))
    match.do(DRAW)
    match.stage.lay(1, lay("5-6", ((0, 0), (0, 1)), (6, 5), 2))
    match.do(lay("3-3", ((-2, 0), (-1, 0)), (3, 3)))
    assert word(match) == "ready" and match.right
    for _ in range(4):
        match.do(match.choose())
        assert word(match) == "ready" and match.right
    assert not match.counts["asked"]


def test_a_stacked_tile_told_by_hand_and_never_noticed_troubles_nobody(tmp_path: Path) -> None:
    made = Match("euronimoes", 2, 8, tmp_path / "journal.db")
    made.deal()
    while not (raised := [each for each in made.full.legal() if isinstance(each, Play) and each.level > 1]):
        made.do(made.choose())
    seat = made.full.turn
    made.full.push(raised[0])
    made.told.append(raised[0])
    made.look(reaching=seat)
    made.referee.act({"do": "play", "action": str(raised[0])}, made.stage.time, f"seat {seat}")
    made.look()
    assert word(made) == "ready" and made.right
    for _ in range(4):
        made.do(made.choose())
        assert word(made) == "ready" and made.right and not made.referee.hands.reached.seats
    assert not made.counts["asked"]


def test_a_tile_told_by_hand_and_never_seen_troubles_nobody_after_that(match: Match) -> None:
    unseen = lay("3-3", ((-2, 0), (-1, 0)), (3, 3))
    drawn(match).full.push(unseen)
    match.told.append(unseen)
    match.look(reaching=1)
    match.referee.act({"do": "play", "action": str(unseen)}, match.stage.time, "seat 1")
    match.look()
    assert word(match) == "ready" and match.right
    for _ in range(6):
        match.do(match.choose())
        assert word(match) == "ready" and match.right
    assert not match.counts["asked"]


def test_a_tile_taken_back_from_the_grid_is_taken_back(match: Match) -> None:
    del match.stage.tiles[match.stage.placed["grid", 0, ((0, 0), (0, 1)), 1]]
    match.look(3.0, reaching=0)
    assert word(match) == "ready" and match.state.turn == 0 and match.state.phase == "play"


def test_nudged_grids_and_chips_are_no_event(match: Match) -> None:
    for lying in list(match.stage.tiles.values()):
        if lying.ends is not None:
            match.stage.move(lying.track, 3.0, -2.0, 0.02)
    match.look(3.0, reaching=0)
    assert word(match) == "ready" and match.right


def test_a_tile_laid_exactly_on_another_breaks_the_rules_of_levels(match: Match) -> None:
    grid = drawn(match).stage
    beneath = grid.placed["grid", 1, ((0, 0), (1, 0)), 1]
    del grid.tiles[beneath]  # nothing is seen of what lies beneath
    grid.lay(1, lay("3-3", ((0, 0), (1, 0)), (3, 3)))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "stack-match"
