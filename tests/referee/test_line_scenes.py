"""Scenes at a table of Block & Draw: what the referee says, and when."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.lines.actions import DRAW, SKIP, Deal, Play
from engine.pieces import Tile
from referee.decoder import Decision, Explanation, Kind
from referee.evidence import Evidence
from referee.message import message
from referee.table import Table
from tests.referee.market_words import told, word
from tests.referee.playing import Match
from tests.referee.staged import SIDE, Tip
from vision.observation import Observation, TableState


def tile(text: str) -> Tile:
    return Tile.parse(text)


def dealt_to(made: Match, *hands: str) -> Match:
    """These hands are dealt, Ann leads, and lines are laid straight."""
    made.stage.bends = 0.0
    dealt = tuple(tuple(map(tile, hand.split())) for hand in hands)
    deal = Deal(dealt, tuple(each for each in made.full.kit.tiles if each not in sum(dealt, ())), 0)
    made.stage.do(made.full, deal)
    made.full.push(deal)
    made.told.append(made.full.public(deal))
    made.look(1.0)
    return made


@pytest.fixture
def match(tmp_path: Path) -> Match:
    """Ann leads 6-6, then 6-4 on the right and 6-3 on the left; Ben is to play: 3 and 4 are open."""
    made = dealt_to(Match("block", 2, 1, tmp_path / "journal.db"), "6-6 6-3 4-4 1-1 0-0", "6-4 3-2 4-1 5-5 2-2")
    for play in (Play(tile("6-6"), "root", None), Play(tile("6-4"), "right", 4), Play(tile("6-3"), "left", 3)):
        made.do(play)
    assert made.right and made.state.turn == 1
    return made


@pytest.fixture
def fives(tmp_path: Path) -> Match:
    """All Fives, in which points have to be called: Ann is to lead her 5-5, which makes ten."""
    made = Match("all-fives", 3, 1, tmp_path / "journal.db", muggins="call")
    made.stage.bends = 0.0
    hands = ("5-5 6-3 4-4 1-1 0-0", "5-0 3-2 4-1 6-5 2-2", "5-1 0-2 6-2 6-1 3-3")
    dealt = tuple(tuple(map(tile, hand.split())) for hand in hands)
    rest = tuple(each for each in made.full.kit.tiles if each not in dealt[0] + dealt[1] + dealt[2])
    made.stage.do(made.full, Deal(dealt, rest, 0))
    made.look(1.0)
    return made


def against_the_line(match: Match, seat: int) -> None:
    """Let what a seat shows come to lie against the tile of the line that is nearest to it, at its long side."""
    fx, fy = match.setting.seats[seat].forward
    *inner, _ = match.stage.places.values()
    root = min((match.stage.tiles[track] for track in inner), key=lambda each: match.setting.depth(seat, each.center))
    along = abs(np.cos(root.angle) * fx + np.sin(root.angle) * fy) > 0.7
    away = SIDE * (1.5 if along else 1.0) + 1
    reveal = match.stage.reveal

    def revealed(whose: int, tiles: list[Any]) -> None:
        reveal(whose, tiles)
        if whose == seat:
            track = max(match.stage.tiles)
            match.stage.tiles[track] = replace(match.stage.tiles[track], angle=np.arctan2(fx, -fy), center=(
                root.center[0] - away * fx, root.center[1] - away * fy))

    match.stage.reveal = revealed


def last(match: Match) -> str:
    return match.referee.game.standing[-1].text


def test_a_play_is_shown_at_once_and_counts_when_the_table_has_been_still(match: Match) -> None:
    match.stage.lay_at("left", 3, 2)
    match.look(0.25, reaching=1)
    assert match.referee.provisional is not None
    assert match.referee.provisional.best.words == ("Ben plays the 2-3 on the left; 2 is open there.",)
    assert last(match) == "play 3-6 left 3"
    match.look(1.5)
    assert last(match) == "play 2-3 left 2" and word(match) == "ready"


@pytest.mark.parametrize(("arm", "ends", "rule", "sentence"), [
    ("left", (2, 5), "match", "The open end there is a 3; the 2-5 does not fit it."),
    ("left", (2, 3), "open-end", "Laid against the 3, the 2-3 cannot leave a 3 open."),
    ("right", (4, 9), "not-in-set", "There is no 4-9 in this set."),
])
def test_a_tile_that_does_not_fit_is_reported_with_its_rule(match: Match, arm: str, ends: tuple[int, int], rule: str,
                                                            sentence: str) -> None:
    match.stage.lay_at(arm, *ends)
    match.look(2.0, reaching=1)
    assert word(match) == "reading"  # people slide tiles about: no alarm yet
    match.look(1.5)
    fault = told(match)
    assert word(match) == "illegal" and (fault["rule"], fault["sentence"]) == (rule, sentence)
    assert last(match) == "play 3-6 left 3"
    assert match.referee.game.notes[-1].data["rule"] == rule


def test_an_illegal_tile_taken_back_is_forgotten_without_a_word(match: Match) -> None:
    track = match.stage.lay_at("left", 2, 5)
    match.look(4.0, reaching=1)
    del match.stage.tiles[track]
    match.look(0.5, reaching=1)
    assert word(match) == "ready" and message(match.referee) == "It is Ben's turn."


def test_nothing_is_believed_that_was_played_on_while_what_broke_a_rule_lies_there_still(match: Match) -> None:
    """It may be misread, and no fault at all: then whoever played next was another."""
    track = match.stage.lay_at("left", 2, 5)
    match.look(4.0, reaching=1)
    match.stage.lay_at("right", 4, 3)
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and last(match) == "play 3-6 left 3"
    del match.stage.tiles[track]
    match.look(4.0, reaching=1)
    assert word(match) == "ready" and last(match) == "play 3-4 right 3"


def test_what_lies_beyond_a_tile_that_can_hardly_be_read_tells_which_it_is(match: Match) -> None:
    track: Any = match.stage.lay_at("left", 3, 2)
    match.stage.lay_at("left", 2, 5)
    match.referee.observe(match.stage.reach(1))
    match.referee.observe(match.stage.reach(0))
    for _ in range(12):
        seen = match.stage.seen()
        rows = np.full((2, 16), 1e-5, np.float32)
        rows[:, 1] = 1 - 15e-5
        tiles = tuple(replace(each, probabilities=rows, ends=(1, 1), score=0.15) if each.track == track else each
                      for each in seen.tiles)
        match.referee.observe(replace(seen, tiles=tiles))
    decision = match.referee.policy.decision
    assert decision is not None and list(map(str, decision.best.actions)) == ["play 2-3 left 2", "play 2-5 left 5"]


@pytest.mark.parametrize("reaching", [False, True])
def test_what_is_left_as_it_lies_is_not_reported_again_though_a_hand_was_over_it_then(match: Match, reaching: bool) -> None:
    match.stage.lay_at("left", 2, 5)
    match.look(4.0, reaching=1)
    assert word(match) == "illegal"
    if reaching:
        match.referee.observe(match.stage.reach(1))
    match.referee.act({"do": "dismiss"}, match.stage.time)
    match.look(4.0)
    assert word(match) == "ready" and match.referee.alarm is None


def test_a_question_is_asked_once_though_a_broken_rule_is_thought_of_that_is_not_its_first_answer(match: Match) -> None:
    match.stage.lay_at("left", 2, 5)
    match.look(4.0, reaching=1)
    broken, legal = match.referee.decided, Explanation(actions=(Play(tile("2-3"), "left", 2),), share=0.4)
    assert broken is not None and broken.kind is Kind.ILLEGAL
    asked = Decision(Kind.ASK, broken.best, (legal, broken.best))
    names = set()
    for _ in range(3):
        match.referee._weigh(asked, True, match.stage.time)
        names.add(match.referee.question and match.referee.question.id)
    assert len(names) == 1


def test_a_tile_drawn_while_a_name_is_changed_is_drawn_all_the_same(match: Match) -> None:
    del match.stage.tiles[match.stage.boneyard.pop()]
    match.look(0.5, reaching=1)
    seats = (replace(match.setting.seats[0], name="Anna"), *match.setting.seats[1:])
    match.referee.set_up(replace(match.setting, seats=seats), match.stage.time)
    match.look(1.5)
    assert last(match) == "draw" and word(match) == "ready" and match.referee.setting.names[0] == "Anna"


def test_a_tile_beside_the_line_is_on_no_open_end(match: Match) -> None:
    match.stage.put((0, 60 + 24 + 25), 1.57, (3, 4), slop=0)
    match.look(4.0, reaching=1)
    fault = told(match)
    assert word(match) == "illegal" and fault["rule"] == "arm"


def test_a_second_tile_in_the_middle_of_nowhere(match: Match) -> None:
    match.stage.put((0, 220), 0.0, (3, 4), slop=0)
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "lead"


def test_a_tile_of_another_set_is_reported_wherever_it_lies(match: Match) -> None:
    match.stage.put((150, -180), 0.3, (2, 8))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "not-in-set"


def test_a_third_copy_of_a_tile_cannot_be(match: Match) -> None:
    match.stage.lay_at("right", 4, 6)
    match.look(4.0, reaching=1)
    fault = told(match)
    assert word(match) == "illegal" and fault["sentence"] == "The 4-6 is not in this hand."


def test_who_drew_cannot_play_what_would_have_fitted_before(match: Match) -> None:
    match.full.hands = (match.full.hands[0], (tile("1-1"), tile("5-5"), tile("2-2")))
    match.do(DRAW)
    match.do(DRAW)
    excluded = match.state.knowledge()[1]
    assert sum(tile("3-4") in slot for slot in excluded) == len(excluded) - 1
    assert last(match) == "draw"


def test_a_play_taken_back_by_hand_is_taken_back_in_the_game(match: Match) -> None:
    track = match.stage.places[("left", 1)]
    del match.stage.tiles[track]
    match.look(1.0, reaching=0)
    assert last(match) == "play 3-6 left 3"
    match.look(1.5)
    assert last(match) == "play 4-6 right 4" and word(match) == "ready" and match.state.turn == 0


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize(("choice", "done"), [(0, "play 3-6 left 3"), (1, "play 4-6 right 4")])
def test_what_a_person_undoes_while_it_lies_there_is_asked_about_and_not_believed_again(
        match: Match, choice: int, done: str, restarted: bool) -> None:
    """The last play is a 3-6 on the left; before it a 4-6 was laid."""
    match.referee.act({"do": "undo"}, 9.0)
    if restarted:
        match.referee = Table(match.referee.journal)
    match.look(3.0)
    assert word(match) == "asking" and last(match) == "play 4-6 right 4"
    question = match.referee.question
    assert question is not None
    match.referee.act({"do": "answer", "question": question.id, "choice": choice}, 9.0)
    match.look(3.0)
    assert word(match) == "ready" and last(match) == done


@pytest.mark.parametrize(("choice", "done"), [(0, "play 3-5 left 5"), (1, "play 2-3 left 2")])
def test_what_people_have_said_is_taken_back_by_the_camera_only_once_they_agree(match: Match, choice: int, done: str) -> None:
    match.referee.act({"do": "play", "action": "play 2-3 left 2"}, 9.0)
    match.stage.lay_at("left", 3, 5)
    match.look(4.0, reaching=1)
    assert word(match) == "asking" and last(match) == "play 2-3 left 2"
    question = match.referee.question
    assert question is not None
    match.referee.act({"do": "answer", "question": question.id, "choice": choice}, 13.0)
    match.look(4.0)
    assert word(match) == "ready" and last(match) == done and match.referee.question is None


@pytest.fixture
def blocked(tmp_path: Path) -> Match:
    """The last play blocked the line, so that two passes had to come."""
    match = Match("block", 2, 47, tmp_path / "journal.db")
    match.deal()
    while not match.full.chance:
        match.do(match.choose())
    return match


@pytest.mark.parametrize("touching", [False, True])
def test_a_round_that_a_skipped_second_tile_blocks_ends_when_hands_are_shown(tmp_path: Path, touching: bool) -> None:
    """Nobody can go on after it, and nothing of that leaves a trace but the hands that then lie open, be it against the line."""
    match = Match("one-arm-joe", 2, 17, tmp_path / "journal.db")
    match.deal()
    while not match.full.chance:
        match.do(SKIP if SKIP in match.full.legal() else match.choose())
    assert [str(each) for each in match.full.pushed[-3:]] == ["skip", "pass", "pass"]
    if touching:
        against_the_line(match, 0)
    match.reveal()
    match.look(4.0)
    assert [act.text for act in match.referee.game.standing] == match.texts() and match.counts["asked"] == 0


@pytest.mark.parametrize("seed", [42, 54, 145, 286])
def test_one_tile_shown_that_is_a_whole_hand_ends_a_blocked_round(tmp_path: Path, seed: int) -> None:
    match = Match("one-arm-joe", 2, seed, tmp_path / "journal.db")
    match.deal()
    while not match.full.chance:
        match.do(SKIP if SKIP in match.full.legal() else match.choose())
    assert len(match.full.hands[0]) == 1 and len(match.full.hands[1]) >= 1
    match.stage.reveal(0, [tuple(each) for each in match.full.hands[0]])
    match.look(4.0, reaching=0)
    assert match.referee.alarm is None and last(match) == f'show 0 ["{match.full.hands[0][0]}"]'


def test_a_person_undoes_a_play_with_the_passes_that_had_to_come(blocked: Match) -> None:
    *before, play, first, second = [act.text for act in blocked.referee.game.standing]
    assert play.startswith("play") and first == second == "pass"
    blocked.referee.act({"do": "undo"}, 9.0)
    assert [act.text for act in blocked.referee.game.standing] == before
    blocked.look(3.0)
    assert word(blocked) == "asking"  # it still lies there


def test_passes_that_had_to_come_are_taken_back_with_the_play_before_them(blocked: Match) -> None:
    match = blocked
    *before, play, first, second = [act.text for act in match.referee.game.standing]
    assert play.startswith("play") and first == second == "pass"  # it blocked the line
    del match.stage.tiles[list(match.stage.places.values())[-1]]
    match.look(2.5, reaching=1)
    assert [act.text for act in match.referee.game.standing] == before


def test_a_play_exchanged_for_another_is_corrected(match: Match) -> None:
    stage = match.stage
    track = stage.places.pop(("left", 1))
    del stage.tiles[track]
    stage.tips["left"] = type(stage.tips["left"])((-12.0, 60.0), (-1, 0), (0, 60), 24.0)
    stage.lay_at("left", 6, 1)
    match.look(2.5, reaching=0)
    assert [act.text for act in match.referee.game.standing][-1] == "play 1-6 left 1"
    assert [act.undone for act in match.referee.game.acts] == [False, False, False, True, False]


def test_a_better_reading_corrects_the_last_play(match: Match) -> None:
    track = match.stage.lay_at("left", 3, 5)
    match.look(2.0, reaching=1)
    assert last(match) == "play 3-5 left 5"
    lying = match.stage.tiles[track]
    match.stage.flip(track, (lying.ends[0], 2) if lying.ends[0] == 3 else (2, lying.ends[1]))
    match.look(2.0)
    assert last(match) == "play 2-3 left 2"


def test_nudged_neighbours_are_no_event(match: Match) -> None:
    for track in match.stage.places.values():
        match.stage.move(track, 4.0, 2.0, 0.03)
    match.look(3.0, reaching=1)
    assert word(match) == "ready" and len(match.referee.game.acts) == 4


def test_a_line_rearranged_for_space_is_the_same_line(match: Match) -> None:
    match.do(Play(tile("3-2"), "left", 2))
    stage = match.stage
    for track, lying in list(stage.tiles.items()):
        if lying.ends is not None:
            del stage.tiles[track]
    stage.places.clear()
    stage.bends = 0.9
    stage.lay(Play(tile("6-6"), "root", None))
    for arm, inner, outer in (("right", 6, 4), ("left", 6, 3), ("left", 3, 2)):
        stage.lay_at(arm, inner, outer)
    match.look(3.0, reaching=1)
    assert word(match) == "ready" and match.right


def test_two_plays_at_once_are_both_read_in_order(match: Match) -> None:
    match.stage.lay_at("left", 3, 2)
    match.stage.lay_at("left", 2, 1)
    match.referee.observe(match.stage.reach(0))
    match.look(2.5, reaching=1)
    assert [act.text for act in match.referee.game.standing[-2:]] == ["play 2-3 left 2", "play 1-2 left 1"]


def test_who_laid_which_of_two_tiles_that_lie_at_both_ends_at_once_is_asked(match: Match) -> None:
    match.stage.lay_at("left", 3, 2)
    match.stage.lay_at("right", 4, 1)
    match.referee.observe(match.stage.reach(0))
    match.look(2.5, reaching=1)
    assert word(match) == "asking" and last(match) == "play 3-6 left 3"
    match.settle_as("play 1-4 right 1", "play 2-3 left 2")
    assert [act.text for act in match.referee.game.standing[-2:]] == ["play 1-4 right 1", "play 2-3 left 2"]


def test_draws_and_the_play_after_them_are_read_together(match: Match) -> None:
    for _ in range(3):
        del match.stage.tiles[match.stage.boneyard.pop()]
    match.stage.lay_at("right", 4, 3)
    match.look(2.5, reaching=1)
    assert [act.text for act in match.referee.game.standing[-4:]] == ["draw", "draw", "draw", "play 3-4 right 3"]


def test_a_play_by_the_wrong_seat_is_reported(match: Match) -> None:
    match.stage.lay_at("left", 3, 2)
    match.look(3.5, reaching=0)
    assert word(match) == "illegal" and last(match) == "play 3-6 left 3"
    assert told(match)["sentence"] == "It is Ben's turn, not Ann's."


def test_a_seat_that_plays_twice_is_reported(match: Match) -> None:
    match.stage.lay_at("left", 3, 2)
    match.stage.lay_at("left", 2, 1)
    match.look(4.0, reaching=1)
    assert told(match)["rule"] == "out-of-turn"


def test_what_lay_still_before_the_next_hand_came_was_done_first(match: Match) -> None:
    match.stage.lay_at("left", 3, 2)
    match.look(0.5, reaching=1)
    del match.stage.tiles[match.stage.boneyard.pop()]
    match.look(2.0, reaching=0)
    assert [act.text for act in match.referee.game.standing[-2:]] == ["play 2-3 left 2", "draw"]


def test_what_was_taken_back_before_it_counted_was_not_done(match: Match) -> None:
    track = match.stage.lay_at("left", 3, 2)
    match.look(0.5, reaching=1)
    del match.stage.tiles[track]
    match.look(0.5, reaching=1)
    del match.stage.tiles[match.stage.boneyard.pop()]
    match.look(2.0, reaching=1)
    assert last(match) == "draw" and match.referee.game.standing[-2].text == "play 3-6 left 3"


def test_a_hand_that_rests_on_the_table_hides_but_removes_nothing(match: Match) -> None:
    for _ in range(240):
        match.referee.observe(match.stage.seen(settled=False, state=TableState.HAND, reaching=0, without=(1, 2, 20)))
    assert word(match) == "hand"
    match.look(1.5)
    assert word(match) == "ready" and len(match.referee.game.acts) == 4


def test_a_line_goes_on_though_its_first_tile_is_not_seen(match: Match) -> None:
    del match.stage.tiles[match.stage.places["root",]]
    match.look(4.0)
    match.stage.lay_at("left", 3, 2)
    match.look(4.0, reaching=1)
    assert last(match) == "play 2-3 left 2"
    assert word(match) == "out-of-sync" and message(match.referee) == "Put the 6-6 back in the middle of the line."


def test_a_tile_that_was_hardly_read_before_is_not_missed(match: Match) -> None:
    root, seen = match.stage.places["root",], match.stage.seen()
    tiles = tuple(replace(tile, score=0.4) if tile.track == root else tile for tile in seen.tiles)
    match.referee.observe(replace(seen, tiles=tiles))
    del match.stage.tiles[root]
    match.look(4.0)
    match.stage.lay_at("left", 3, 2)
    match.look(4.0, reaching=1)
    assert last(match) == "play 2-3 left 2" and word(match) == "ready"


def test_a_tile_of_the_line_is_not_missed_where_backs_lie_beside_it_and_it_is_hardly_read_any_more(match: Match) -> None:
    tip = match.stage.places["right", 1]
    (x, y), angle = match.stage.tiles[tip].center, match.stage.tiles[tip].angle
    for away in (-27.0, 27.0):
        match.stage.put((x - away * np.sin(angle), y + away * np.cos(angle)), angle, None)
    match.look(1.0)
    seen = match.stage.seen()
    tiles = tuple(replace(tile, score=0.84) if tile.track == tip else tile for tile in seen.tiles)
    match.referee.observe(replace(seen, tiles=tiles))
    assert match.referee.reading.tiles["right", 1].track == tip


def test_a_boneyard_tile_turned_over_by_accident_is_to_be_turned_back(match: Match) -> None:
    track = match.stage.boneyard[0]
    match.stage.flip(track, (0, 5))
    match.look(5.0)
    assert word(match) == "out-of-sync"
    assert message(match.referee) == "The 0-5 lies open beside the line: turn it face down or take it back into the hand."
    match.stage.flip(track, None)
    match.look(1.0)
    assert word(match) == "ready" and len(match.referee.game.acts) == 4


def test_a_line_tile_turned_over_is_to_be_turned_back_and_the_step_ticked_off(match: Match) -> None:
    track = match.stage.places[("right", 1)]
    match.stage.flip(track, None)
    match.look(5.0)
    assert word(match) == "out-of-sync"
    assert any("4-6" in step for step in match.referee.repair or ())


def test_a_tile_half_out_of_view_is_not_guessed(match: Match) -> None:
    half: Any = match.stage.lay_at("left", 3, 2)
    seen = match.stage.seen(reaching=1)
    flat = [each for each in seen.tiles if each.track != half]
    cut = next(each for each in seen.tiles if each.track == half)
    for _ in range(16):
        again = match.stage.seen()
        blurred = cut.probabilities.copy()
        hidden = 1 if cut.ends and cut.ends[0] == 3 else 0
        blurred[hidden] = 0
        blurred[hidden, :7] = 1 / 7
        torn = type(cut)(cut.track, cut.center, cut.angle, cut.length, cut.width, cut.ends, blurred, 0.3)
        match.referee.observe(Observation(again.time, again.frame, TableState.READY, (*flat, torn), (), (), "mm", True))
    assert word(match) == "asking" and last(match) == "play 3-6 left 3"


@pytest.mark.parametrize(("across", "expected"), [(True, "ready"), (False, "asking")])
def test_what_lies_across_the_line_is_a_double_though_its_pips_are_hardly_read(match: Match, across: bool, expected: str) -> None:
    track: Any = match.stage.lay_at("right", 4, 4) if across else match.stage.lay_at("right", 4, 5)
    match.referee.observe(match.stage.reach(1))
    for _ in range(8):
        seen = match.stage.seen()
        poor = next(each for each in seen.tiles if each.track == track)
        rows = np.zeros((2, 16), np.float32)
        rows[:, 4], rows[:, 5] = 0.6, 0.4
        poor = replace(poor, ends=(4, 4), probabilities=rows, score=0.6)
        match.referee.observe(replace(seen, tiles=(*(each for each in seen.tiles if each.track != track), poor)))
    assert word(match) == expected


def poorly_seen(match: Match, track: int, seat: int, times: int) -> None:
    """That seat reaches in; then a 2 of that tile may be a 1."""
    match.referee.observe(match.stage.reach(seat))
    for _ in range(times):
        seen = match.stage.seen()
        poor = next(each for each in seen.tiles if each.track == track)
        rows = poor.probabilities.copy()
        rows[poor.ends.index(2) if poor.ends else 0, 1:3] = 0.35, 0.65
        poor = replace(poor, probabilities=rows, score=0.6)
        match.referee.observe(replace(seen, tiles=(*(each for each in seen.tiles if each.track != track), poor)))


def test_what_was_done_while_a_question_stood_is_not_forgotten_with_its_answer(match: Match) -> None:
    track: Any = match.stage.lay_at("left", 3, 2)

    poorly_seen(match, track, 1, 8)
    assert word(match) == "asking"
    del match.stage.tiles[match.stage.boneyard.pop()]
    poorly_seen(match, track, 0, 2)
    match.settle_as("play 2-3 left 2")
    poorly_seen(match, track, 0, 8)
    assert [act.text for act in match.referee.game.standing[-2:]] == ["play 2-3 left 2", "draw"]


def test_who_laid_what_came_while_a_question_stood_is_not_forgotten_with_its_answer(tmp_path: Path) -> None:
    hands = ("5-5 5-4 4-4 1-1 0-3", "5-2 3-2 4-1 6-6 2-2", "5-6 0-2 6-2 6-1 3-3")
    match = dealt_to(Match("block", 3, 1, tmp_path / "journal.db"), *hands)
    match.do(Play(tile("5-5"), "root", None))
    track: Any = match.stage.lay_at("right", 5, 2)
    poorly_seen(match, track, 1, 8)
    assert word(match) == "asking"
    match.stage.lay_at("left", 5, 4)
    poorly_seen(match, track, 0, 2)
    match.settle_as("play 2-5 right 2")
    match.look(4.0)
    assert word(match) == "illegal" and last(match) == "play 2-5 right 2"
    assert match.referee.alarm is not None and match.referee.alarm.verdict is not None
    assert match.referee.alarm.verdict.rule == "out-of-turn"


def test_a_question_that_later_play_answers_is_closed_and_said(match: Match) -> None:
    track: Any = match.stage.lay_at("left", 3, 2)
    poorly_seen(match, track, 1, 8)
    assert word(match) == "asking"
    del match.stage.tiles[match.stage.boneyard.pop()]
    match.look(3.0, reaching=0)  # now it is read well, and she has drawn
    assert [act.text for act in match.referee.game.standing[-2:]] == ["play 2-3 left 2", "draw"]
    assert match.referee.question is None
    said = [note.data["sentence"] for note in match.referee.game.notes if note.data["what"] == "answered"]
    assert len(said) == 1 and said[0].startswith("What was asked is told by what followed:") and "2-3" in said[0]
    assert Table(match.referee.journal).game.notes == match.referee.game.notes


def spun(where: Path, *plays: Play) -> Match:
    """All Fives with a spinner: Ann has led the 6-6, which lies upright, and these plays followed."""
    made = Match("all-fives", 2, 1, where, spinner="first_double")
    dealt_to(made, "6-6 6-3 4-4 1-1 0-0 6-0 2-1", "6-4 3-2 4-1 5-5 2-2 6-1 5-0")
    made.do(Play(tile("6-6"), "root", None))
    made.stage.tips |= {"up": Tip((0, 60 - SIDE), (0, -1), (0, 60 - SIDE / 2), SIDE / 2),
                        "down": Tip((0, 60 + SIDE), (0, 1), (0, 60 + SIDE / 2), SIDE / 2)}
    for play in plays:
        made.do(play)
    return made


def test_what_lies_on_a_spinners_side_begins_an_arm_once_both_its_ends_are_covered(tmp_path: Path) -> None:
    made = spun(tmp_path / "journal.db", Play(tile("6-4"), "right", 4), Play(tile("6-3"), "left", 3), Play(tile("6-1"), "up", 1),
                Play(tile("6-0"), "down", 0))
    state: Any = made.state
    assert made.right and word(made) == "ready"
    assert dict(state.open_ends()) == {"left": 3, "right": 4, "up": 1, "down": 0}
    made.do(Play(tile("4-1"), "up", 4))
    assert made.right and made.referee.game.standing[-1].entry.data["words"] == (
        "Ben plays the 1-4 above the 6-6; 4 is open there.")


def test_a_spinners_side_is_not_open_while_one_of_its_ends_is_free(tmp_path: Path) -> None:
    made = spun(tmp_path / "journal.db", Play(tile("6-4"), "right", 4))
    made.stage.lay_at("up", 6, 3)
    made.look(4.0, reaching=0)
    fault = told(made)
    assert (fault["rule"], fault["sentence"]) == ("arm", "Nothing may be played above the 6-6 now.")
    assert last(made) == "play 4-6 right 4"


@pytest.mark.parametrize("ends", [(1, 3), (3, 1)])
def test_a_single_that_leads_and_the_tile_after_it_are_read_in_one_look(ends: tuple[int, int], tmp_path: Path) -> None:
    made = Match("block", 2, 1, tmp_path / "journal.db", no_double="highest_single")
    made.stage.deal(18)
    made.look(1.0)
    made.stage.put((0, 60), 0.0, ends, slop=0)
    made.stage.put((49 if ends[1] == 1 else -49, 60), 0.0 if ends[1] == 1 else 3.1416, (1, 2), slop=0)
    made.referee.observe(made.stage.reach(0))
    made.look(3.0, reaching=1)
    question = made.referee.question  # nobody saw who led
    assert question is not None and len(question.answers) == 2
    told = [[str(each) for each in answer.actions[1:]] for answer in question.answers]
    assert told == [["play 1-3 root -", "play 1-2 left 2"]] * 2


def test_points_that_nobody_called_are_let_go_when_the_next_tile_lies(fives: Match) -> None:
    fives.stage.lay(Play(tile("5-5"), "root", None))
    fives.look(2.0, reaching=0)
    assert fives.state.phase == "claim" and last(fives) == "play 5-5 root -"
    fives.stage.lay_at("right", 5, 0)
    fives.look(2.0, reaching=1)
    assert [act.text for act in fives.referee.game.standing[-2:]] == ["skip", "play 0-5 right 0"]
    assert fives.state.scores() == (0, 0, 0) and fives.state.phase == "claim"


def test_points_that_were_called_at_the_page_count(fives: Match) -> None:
    fives.stage.lay(Play(tile("5-5"), "root", None))
    fives.look(2.0, reaching=0)
    fives.referee.act({"do": "play", "action": "claim", "seat": 0}, fives.stage.time, "Ann")
    fives.stage.lay_at("right", 5, 0)
    fives.look(2.0, reaching=1)
    assert fives.state.scores() == (10, 0, 0) and last(fives) == "play 0-5 right 0"


def test_whether_points_were_called_is_asked_where_the_next_tile_lay_before_they_were_told(fives: Match) -> None:
    fives.stage.lay(Play(tile("5-5"), "root", None))
    fives.look(0.5, reaching=0)
    fives.stage.lay_at("right", 5, 0)
    fives.look(2.0, reaching=1)
    assert word(fives) == "asking" and not any(act.text == "skip" for act in fives.referee.game.standing)
    begun = [str(each.actions[-2]) for each in fives.referee.question.answers]  # type: ignore[union-attr]
    assert set(begun) == {"skip", "claim"}


def test_own_points_that_waited_for_others_to_call_are_asked_about_when_the_next_tile_lies(fives: Match) -> None:
    fives.stage.lay(Play(tile("5-5"), "root", None))
    fives.look(2.0, reaching=0)
    fives.stage.lay_at("right", 5, 0)  # makes ten, too; Cem may call Ann's
    fives.look(2.0, reaching=1)
    fives.stage.lay_at("left", 5, 1)
    fives.look(2.0, reaching=2)
    assert word(fives) == "asking" and last(fives) == "play 0-5 right 0"
    assert {str(each.actions[-2]) for each in fives.referee.question.answers} == {"claim", "skip"}  # type: ignore[union-attr]


def test_a_tile_that_does_not_fit_lets_no_points_go(fives: Match) -> None:
    fives.stage.lay(Play(tile("5-5"), "root", None))
    fives.look(2.0, reaching=0)
    track = fives.stage.lay_at("right", 4, 1)
    fives.look(4.0, reaching=1)
    assert word(fives) == "illegal" and told(fives)["rule"] == "match"
    del fives.stage.tiles[track]
    fives.look(2.0, reaching=1)
    fives.referee.act({"do": "play", "action": "claim", "seat": 0}, fives.stage.time, "Ann")
    assert fives.state.scores() == (10, 0, 0)


def test_a_back_that_is_hardly_there_is_not_drawn_when_it_goes(tmp_path: Path) -> None:
    made = Match("block", 2, 1, tmp_path / "journal.db")
    made.stage.deal(18)
    faint = made.stage.put((-60, -80), 0.0, None)
    for _ in range(6):
        seen = made.stage.seen()
        made.referee.observe(replace(seen, tiles=tuple(replace(each, score=0.1) if each.track == faint else each
                                                       for each in seen.tiles)))
    assert made.referee.ready and not made.referee.lacking
    del made.stage.tiles[faint]
    made.stage.lay(Play(tile("5-5"), "root", None))
    made.look(2.0, reaching=0)
    made.look(2.0, reaching=1)
    assert last(made) == "play 5-5 root -"


def test_a_tile_of_the_round_before_that_something_hides_since_the_wash_is_none_of_this_round(tmp_path: Path) -> None:
    made = Match("block", 2, 1, tmp_path / "journal.db")
    made.play_round()
    assert made.state.chance == "deal"
    track = max(made.stage.tiles)
    shown = made.stage.tiles[track]
    made.stage.deal(18)
    made.stage.tiles[track] = shown
    made.look(1.0)
    assert "lies open" in made.referee.lacking[0]
    made.stage.veiled.add(track)
    made.look(1.0)
    assert made.referee.ready
    made.stage.lay(Play(tile("5-5"), "root", None))
    made.stage.veiled.clear()
    made.look(2.0, reaching=0)
    assert last(made) == "play 5-5 root -" and word(made) == "ready"


def test_who_leads_before_anybody_saw_all_lie_ready_has_led(tmp_path: Path) -> None:
    made = Match("block", 2, 1, tmp_path / "journal.db")
    made.play_round()
    made.stage.deal(18)
    made.stage.lay(Play(tile("5-5"), "root", None))
    made.look(2.0, reaching=0)
    assert last(made) == "play 5-5 root -" and word(made) == "ready"


def test_a_tile_that_lies_open_among_too_many_backs_has_not_been_led(tmp_path: Path) -> None:
    made = Match("block", 2, 1, tmp_path / "journal.db")
    made.play_round()
    made.stage.deal(20)
    made.stage.lay(Play(tile("5-5"), "root", None))
    made.look(3.0, reaching=0)
    assert made.state.chance == "deal" and "lies open" in made.referee.lacking[0]


@pytest.mark.parametrize("told", [True, False])
def test_tiles_of_the_boneyard_that_seem_open_lie_face_down_once_that_is_said(tmp_path: Path, told: bool) -> None:
    made = Match("block", 2, 1, tmp_path / "journal.db")
    made.stage.deal(18)
    back = max(made.stage.tiles)
    made.stage.tiles[back] = replace(made.stage.tiles[back], ends=(0, 1))
    made.look(2.0)
    assert "turn" in made.referee.lacking[0] and made.referee.seem_open
    if told:
        made.referee.act({"do": "dismiss"}, made.stage.time)
    made.look(1.0)
    assert made.referee.ready == told and not (told and made.referee.lacking)
    made.stage.lay(Play(tile("5-5"), "root", None))
    made.look(2.0, reaching=0)
    assert (word(made) == "ready" and made.state.chance is None) == told


def test_a_table_washed_before_the_hands_were_read_asks_for_what_was_left_alone(tmp_path: Path) -> None:
    made = Match("block", 2, 1, tmp_path / "journal.db")
    made.deal()
    while not made.full.chance:
        made.do(made.choose())
    assert made.state.chance == "show"
    made.stage.deal(18)
    made.look(3.0)
    unread = [name for name, hand in zip(("Ann", "Ben"), made.state.hands, strict=True) if hand]
    assert list(made.referee.repair or ()) == [
        f"The round is over, and its tiles lie otherwise by now: enter what {' and '.join(unread)} had left."]


def test_without_a_camera_the_game_goes_on_by_hand(match: Match) -> None:
    match.referee.observe(match.stage.seen(settled=False, state=TableState.CAMERA_LOST))
    assert word(match) == "camera-lost"
    match.referee.act({"do": "play", "action": "play 2-3 left 2"}, match.stage.time, "seat 1")
    match.referee.act({"do": "play", "action": "play 4-4 right 4"}, match.stage.time, "seat 0")
    match.stage.lay_at("left", 3, 2)
    match.stage.lay_at("right", 4, 4)
    match.look(2.0)
    assert word(match) == "ready" and last(match) == "play 4-4 right 4"
    assert [act.entry.who for act in match.referee.game.standing[-2:]] == ["seat 1", "seat 0"]


def test_a_revoke_is_proven_when_the_hands_are_shown(match: Match) -> None:
    match.full.hands = (match.full.hands[0], (tile("1-1"), tile("5-5"), tile("2-2")))
    match.do(DRAW)  # Ben holds 2-3 and 1-4 all the while, which fit 3 and 4
    for text in ("play 0-4 right 0", "play 0-3 left 0", "play 0-5 left 5", "play 0-0 right 0", "play 5-5 left 5",
                 "play 0-1 right 1", "play 2-5 left 2", "play 1-1 right 1", "play 2-2 left 2", "play 1-6 right 6"):
        match.referee.act({"do": "play", "action": text}, match.stage.time)
        if match.state.chance:
            break
    while not match.state.chance:
        legal = [str(each) for each in match.state.legal() if "2-3" not in str(each) and "1-4" not in str(each)]
        match.referee.act({"do": "play", "action": legal[0]}, match.stage.time)
    state: Any = match.state
    seat = next(seat for seat, hand in enumerate(state.hands) if hand)
    count, left = len(state.hands[seat]), [str(each) for each in state.unseen()]
    assert seat == 1 and count >= 1
    shown = ["1-4", "2-3", *[each for each in left if each not in ("1-4", "2-3")]][:count]
    match.referee.act({"do": "play", "action": f"show 1 {shown}".replace("'", '"').replace(", ", ",")}, match.stage.time)
    proven = [note.data for note in match.referee.game.notes if note.data["what"] == "revoke"]
    assert proven and "Ben drew or passed although the 1-4" in proven[0]["sentence"]


def test_a_double_blank_that_looks_like_a_back_is_read_where_it_fits(match: Match) -> None:
    match.stage.lay_at("left", 3, 0)
    match.look(reaching=1)
    track = match.stage.lay_at("left", 0, 0)
    match.stage.flip(track, None)
    match.look(2.5, reaching=0)
    assert last(match) == "play 0-0 left 0" and word(match) == "ready"
    assert word(match) == "ready"


def test_a_double_blank_that_looks_like_a_back_is_read_in_a_hand_that_is_shown(tmp_path: Path) -> None:
    match = Match("block", 2, 3, tmp_path / "journal.db")
    match.deal()
    while not match.full.chance:
        match.do(match.choose())
    assert any(tile("0-0") in hand for hand in match.full.hands) and match.state.chance == "show"
    for seat, hand in enumerate(match.full.hands):
        match.stage.reveal(seat, [tuple(each) for each in hand])
    blank = next(track for track, each in match.stage.tiles.items() if each.ends == (0, 0))
    match.stage.flip(blank, None)
    match.look(3.0)
    assert match.state.scores() == match.full.scores() and match.state.chance == "deal"


def test_a_tile_of_a_shown_hand_that_may_be_another_is_asked_about_until_that_lies_in_the_next_hand(tmp_path: Path) -> None:
    match = Match("one-arm-joe", 2, 36, tmp_path / "journal.db")
    match.referee.evidence = Evidence(tmp_path / "evidence")
    match.deal()
    while not match.full.chance:
        match.do(SKIP if SKIP in match.full.legal() else match.choose())
    one, other = (next(each for each in hand if 6 in each) for hand in match.full.hands)
    unsure = np.full((2, 16), 1e-4, np.float32)
    unsure[0, 6], unsure[1, other.low], unsure[1, one.low] = 1, 0.52, 0.48
    unsure /= unsure.sum(axis=1, keepdims=True)

    def show(seat: int) -> None:
        match.stage.reveal(seat, [tuple(tile) for tile in match.full.hands[seat]])
        for at in range(10):
            seen = match.stage.seen()
            match.referee.observe(replace(seen, tiles=tuple(
                replace(each, ends=(6, other.low), probabilities=unsure, score=0.5) if {*(each.ends or ())} == {*one} else each
                for each in seen.tiles)), np.full((400, 600, 3), 9 * at, np.uint8),
                lambda points: np.asarray(points / 2 + (300, 200), np.float32))

    show(0)
    assert match.state.chance == "show" and word(match) == "asking"
    assert match.referee.question is not None and len(match.referee.question.pictures) == 3  # the last of them of the hand
    show(1)
    assert match.state.scores() == match.full.scores() and word(match) == "ready"


def test_a_face_down_tile_at_an_end_that_is_not_blank_is_no_play(match: Match) -> None:
    track = match.stage.lay_at("left", 3, 2)
    match.stage.flip(track, None)
    match.look(3.0, reaching=1)
    assert last(match) == "play 3-6 left 3"


def test_a_tile_laid_a_little_apart_from_the_end_that_it_fits_is_played(match: Match) -> None:
    match.stage.lay_at("left", 3, 2, gap=11.0)
    match.look(2.5, reaching=1)
    assert last(match) == "play 2-3 left 2" and word(match) == "ready"


def test_a_tile_of_another_set_laid_by_another_seat_is_reported(match: Match) -> None:
    match.stage.lay_at("right", 4, 9)
    match.look(4.0, reaching=0)
    assert word(match) == "illegal" and told(match)["rule"] == "not-in-set"


def test_whose_hand_it_was_is_asked_where_one_was_the_shadow_of_the_other(match: Match) -> None:
    match.stage.lay_at("left", 3, 2)
    match.referee.observe(match.stage.reach(0))
    (x, y), swept = match.setting.edge(1), []
    swept.append(np.array([(x - 60, y - 60), (x + 60, y - 60), (x, y + 60)], np.float32))
    for _ in range(10):
        match.referee.observe(replace(match.stage.seen(), swept=tuple(swept)))
    assert word(match) == "asking" and last(match) == "play 3-6 left 3"
    match.settle_as("play 2-3 left 2")
    assert last(match) == "play 2-3 left 2"


def test_where_no_picture_shows_a_hand_the_edge_at_which_something_moved_tells_who_played(tmp_path: Path) -> None:
    made = Match("block", 2, 1, tmp_path / "journal.db")
    dealt = tuple(tuple(map(tile, hand.split())) for hand in ("6-3 4-4 1-1 0-0 6-1", "6-4 3-2 4-1 5-5 2-2"))
    rest = tuple(each for each in made.full.kit.tiles if each not in dealt[0] + dealt[1])
    made.stage.do(made.full, Deal(dealt, rest, 1))
    made.look(1.0)
    made.stage.lay(Play(tile("5-5"), "root", None))
    x, y = made.setting.edge(1)
    swept = (np.array([(x - 60, y - 60), (x + 60, y - 60), (x, y + 60)], np.float32),)
    for _ in range(10):
        made.referee.observe(replace(made.stage.seen(), swept=swept))
    assert word(made) == "ready" and made.state.root == tile("5-5") and made.state.turn == 0  # type: ignore[attr-defined]


def test_a_thing_that_is_likelier_no_tile_breaks_no_rule_when_a_hand_comes_in_vain(match: Match) -> None:
    """A marker beside the line, say: whoever only thinks over the table has laid nothing."""
    track: Any = match.stage.put((0, 220), 0.0, (0, 4), slop=0)
    match.referee.observe(match.stage.reach(1))
    for _ in range(30):
        seen = match.stage.seen()
        weak = tuple(replace(each, score=0.4) if each.track == track else each for each in seen.tiles)
        match.referee.observe(replace(seen, tiles=weak))
        assert word(match) in ("ready", "reading")
