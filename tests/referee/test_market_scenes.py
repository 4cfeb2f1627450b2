"""Scenes at a table of Euronimoes: what the referee says about draws, payments and the market."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.euronimoes.actions import DRAW, STOP, Buy, Play, Refill
from engine.euronimoes.game import State
from engine.pieces import Tile
from referee.decoder import Earlier, Kind, decide
from referee.message import message
from referee.reading import Reached, Sight
from referee.vouched import against_backs
from tests.referee.market_words import drawn, lay, tile, told, word
from tests.referee.playing import Match
from vision.observation import SeenTile


@pytest.mark.parametrize("bought", [True, False])
def test_the_dearest_tile_cannot_be_bought_in_the_first_turn_but_exchanged_before_it(bought: bool, tmp_path: Path) -> None:
    match = Match("euronimoes", 2, 5, tmp_path / "journal.db")
    match.deal()
    stage, kit = match.stage, match.full.kit
    stage.take(4)
    stage.fill(4, next(each for each in kit.tiles if each not in match.full.market))
    if bought:
        del stage.tiles[stage.pile.pop()]
    match.look(4.0, reaching=0)
    assert (word(match) == "illegal" and told(match)["rule"] == "not-enough-chips") == bought
    assert match.referee.ready or bought


def test_a_tile_may_not_be_played_before_one_is_drawn(match: Match) -> None:
    match.stage.lay(1, lay("3-3", ((0, 1), (1, 1)), (3, 3)))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "draw-first"


def test_a_payment_forgotten_is_asked_for_while_the_turn_goes_on_and_reported_after_it(match: Match) -> None:
    stage = match.stage
    stage.take(2)
    stage.shift(2)
    stage.refill(match.full.pile[0])
    match.look(4.0, reaching=1)
    pending = told(match)
    assert word(match) == "reading" and pending["pending"] and pending["rule"] == "not-enough-chips"
    assert pending["steps"] == ["Ben: pay 1 chip to the bank."]
    stage.lay(1, lay("3-3", ((-2, 0), (-1, 0)), (3, 3)))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "not-enough-chips"
    assert told(match)["sentence"] == "After a tile from slot 1 Ben has 2 chips in hand, not 3."
    stage.chips(1, 2)
    match.look(2.0, reaching=1)
    assert word(match) == "ready"
    assert [act.text.split()[0] for act in match.referee.game.standing[-3:]] == ["buy", "refill", "play"]


def test_chips_in_hand_count_where_those_in_the_bank_lie_upon_each_other(tmp_path: Path) -> None:
    match = Match("euronimoes", 2, 5, tmp_path / "journal.db")
    stage, bank = match.stage, match.stage.bank(0, 0)
    match.full.push(deal := match.full.random_chance(match.rng))
    stage.do(match.full, deal)
    for track in [track for track, disc in stage.discs.items() if disc.center == bank]:
        del stage.discs[track]
    match.look(2.0)
    stage.take(2)
    stage.shift(2)
    stage.refill(match.full.pile[0])
    match.look(4.0, reaching=0)
    assert told(match)["steps"] == ["Ann: pay 1 chip to the bank."]


def test_chips_that_may_be_of_two_seats_are_hers_before_whom_they_lie(tmp_path: Path) -> None:
    match = Match("euronimoes", 2, 5, tmp_path / "journal.db")
    match.full.push(deal := match.full.random_chance(match.rng))
    match.stage.do(match.full, deal)
    alike = {"red": 0.7, "blue": 0.3}
    for _ in range(6):
        seen = match.stage.seen()
        pieces = tuple(replace(piece, labels=alike) if piece.label == "blue" else piece for piece in seen.pieces)
        match.referee.observe(replace(seen, pieces=pieces))
    reading: Any = match.referee.reading
    assert [reading.counts[f"chips {seat}"].value for seat in range(2)] == [2, 2]


def test_a_market_not_shifted_is_reminded_of_and_reported_after_the_play(match: Match) -> None:
    stage = match.stage
    stage.take(1)
    match.look(4.0, reaching=1)
    assert word(match) == "reading" and told(match)["pending"] and told(match)["rule"] == "refill"
    assert told(match)["steps"][0] == "Ben: slide the dearer tiles of the market down by one slot."
    stage.lay(1, lay("3-3", ((-2, 0), (-1, 0)), (3, 3)))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "refill"
    stage.shift(1)
    stage.refill(match.full.pile[0])
    match.look(2.0, reaching=1)
    assert word(match) == "ready"
    assert [act.text.split()[0] for act in match.referee.game.standing[-3:]] == ["buy", "refill", "play"]


def test_which_of_two_twins_was_taken_is_told_by_the_slot_that_is_empty(tmp_path: Path) -> None:
    match = Match("euronimoes", 3, 3, tmp_path / "journal.db")
    match.deal()
    seat, stage = match.full.turn, match.stage
    assert match.full.market[0] == match.full.market[3] and seat is not None
    stage.take(3)
    stage.chips(seat, 0)
    match.full.phase = "play"
    stage.lay(seat, next(each for each in match.full.legal() if isinstance(each, Play)))
    match.look(4.0, reaching=seat)
    assert word(match) == "illegal" and told(match)["rule"] == "refill"


@pytest.mark.parametrize("how", ["edit", "undo"])
def test_a_tile_of_the_market_is_what_people_say_where_the_camera_had_told_another(match: Match, how: str) -> None:
    """However surely it is read: it shows a scratch, and that will not go."""
    stage, referee = match.stage, match.referee
    looks_like, shows = match.full.pile[:2]
    stage.take(1)
    stage.shift(1)
    stage.refill(looks_like)
    match.look(4.0, reaching=1)
    entry = referee.game.standing[-1].entry
    assert referee.game.standing[-1].text == f"refill {looks_like}" and word(match) == "ready"
    if how == "edit":
        referee.act({"do": "edit", "entry": entry.number, "action": f"refill {shows}"}, stage.time)
    else:
        referee.act({"do": "undo", "entry": entry.number}, stage.time)
        referee.act({"do": "play", "action": f"refill {shows}"}, stage.time)
    match.look(4.0)
    assert word(match) == "ready" and referee.repair is None
    assert referee.game.standing[-1].text == f"refill {shows}"


def test_a_pile_draw_turns_the_market(match: Match) -> None:
    stage = match.stage
    del stage.tiles[stage.pile.pop()]
    stage.chips(1, 4)
    match.look(4.0, reaching=1)
    assert told(match)["pending"] and told(match)["rule"] == "pile-draw"
    stage.rotate()
    match.look(2.0, reaching=1)
    assert match.referee.game.standing[-1].text == "draw"


def test_who_takes_a_chip_and_plays_has_drawn_though_the_pile_is_counted_as_before(match: Match) -> None:
    match.stage.chips(1, 4)
    match.stage.lay(1, lay("3-3", ((-2, 0), (-1, 0)), (3, 3)))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "pile-draw"


def test_a_tile_too_dear_is_not_bought(match: Match) -> None:
    match.do(Buy(4))
    match.do(lay("3-3", ((-2, 0), (-1, 0)), (3, 3)))
    match.do(Buy(0))
    match.do(lay("2-2", ((1, 0), (2, 0)), (2, 2)))
    assert match.full.chips[1] == 0
    stage = match.stage
    stage.take(3)
    stage.shift(3)
    stage.refill(match.full.pile[0])
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "not-enough-chips"
    assert told(match)["sentence"] == "That tile costs 2, and there are 0 chips."


def test_only_one_tile_is_drawn_in_a_turn(match: Match) -> None:
    drawn(match)
    stage = match.stage
    stage.take(1)
    stage.shift(1)
    stage.refill(match.full.pile[0])
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "one-draw"


def test_the_tile_just_turned_up_was_taken_and_not_misread_where_another_piece_lies_now(match: Match) -> None:
    match.do(Buy(2))
    stage = match.stage
    stage.take(4)
    stage.refill(match.full.pile[0])
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "one-draw"


def test_who_plays_out_of_turn_is_told_whose_turn_it_is(match: Match) -> None:
    match.stage.lay(0, lay("2-2", ((1, 0), (2, 0)), (2, 2)))
    match.look(4.0, reaching=0)
    assert word(match) == "illegal" and told(match)["rule"] == "out-of-turn"
    assert told(match)["sentence"] == "It is Ben's turn, not Ann's."


def test_who_goes_on_after_a_play_that_was_not_seen_does_no_wrong(match: Match) -> None:
    drawn(match).look(2.0, reaching=1)  # he has laid a tile, and nothing is seen of it
    match.stage.take(1)
    match.stage.shift(1)
    match.stage.refill(match.full.pile[0])
    match.look(4.0, reaching=0)
    assert word(match) == "reading" and told(match)["pending"] and told(match)["rule"] == "must-play"
    assert told(match)["steps"] == ["Ben: if a tile was laid, enter which; it is not seen."]


def test_who_plays_and_has_not_drawn_does_not_go_on_after_a_play_that_was_not_seen(match: Match) -> None:
    drawn(match).look(2.0, reaching=1)
    match.stage.lay(0, lay("2-2", ((1, 0), (2, 0)), (2, 2)))
    match.look(4.0, reaching=0)
    assert word(match) == "illegal" and told(match)["rule"] == "out-of-turn"


def test_a_tile_taken_from_the_pile_while_the_play_before_is_told_is_not_forgotten(match: Match) -> None:
    drawn(match).stage.lay(1, lay("4-5", ((-2, 0), (-1, 0)), (4, 5)))
    match.look(0.6, reaching=1)
    del match.stage.tiles[match.stage.pile.pop()]
    match.stage.chips(0, 3)
    match.stage.lay(0, lay("2-2", ((1, 0), (2, 0)), (2, 2)))
    match.look(5.0, reaching=0)
    assert match.referee.game.standing[-1].text.startswith("play 4-5")
    assert word(match) == "illegal" and told(match)["rule"] == "pile-draw"


def test_who_takes_a_tile_before_the_one_before_has_played_breaks_a_rule(match: Match) -> None:
    drawn(match)
    match.stage.take(1)
    match.stage.shift(1)
    match.stage.refill(match.full.pile[0])
    match.look(4.0, reaching=0)
    assert word(match) == "illegal" and told(match)["rule"] == "must-play"


def test_who_plays_out_of_turn_is_told_so_though_the_one_whose_turn_it_is_has_nudged_something(match: Match) -> None:
    match.look(2.0, reaching=1)
    match.stage.lay(0, lay("2-2", ((1, 0), (2, 0)), (2, 2)))
    match.look(4.0, reaching=0)
    assert word(match) == "illegal" and told(match)["rule"] == "out-of-turn"


def test_a_copy_too_many_is_noticed(match: Match) -> None:
    drawn(match).stage.lay(1, lay("0-1", ((-2, 0), (-1, 0)), (0, 1)))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "not-your-tile"


def test_a_tile_of_a_larger_set_is_noticed(match: Match) -> None:
    drawn(match).stage.lay(1, lay("0-8", ((-2, 0), (-1, 0)), (8, 0)))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "not-in-set"


@pytest.mark.parametrize("fitting", [0, 5, 6])
def test_a_tile_of_a_larger_set_is_noticed_though_one_that_fits_may_have_been_read_ill(match: Match, fitting: int) -> None:
    """What fits has one chance in sixty by the reading, and the table denies it: it is no excuse."""
    drawn(match)
    eyes = match.stage.eyes
    plain = eyes.half

    def doubtful(end: int) -> NDArray[np.float32]:
        row = plain(end)
        if end == 8:
            row = np.full_like(row, 1e-4)
            row[8], row[fitting] = 0.98, 0.017
        return np.asarray(row / row.sum(), np.float32)

    eyes.half = doubtful
    match.stage.lay(1, lay("0-8", ((-2, 0), (-1, 0)), (8, 0)))
    match.look(4.0, reaching=1)
    assert word(match) == "illegal" and told(match)["rule"] == "not-in-set"
    assert told(match)["sentence"] == "There is no 0-8 in this set."


def test_a_play_is_believed_though_a_rule_is_broken_after_it(match: Match) -> None:
    drawn(match)
    match.do(lay("3-3", ((-2, 0), (-1, 0)), (3, 3)), look=False)
    match.stage.lay(0, lay("2-2", ((1, 0), (2, 0)), (2, 2)))
    match.referee.observe(match.stage.reach(0))
    match.look(4.0, reaching=1)
    assert match.right and word(match) == "illegal" and told(match)["rule"] == "draw-first"


def test_a_draw_and_the_play_after_it_are_read_together(match: Match) -> None:
    match.do(DRAW, look=False)
    match.do(lay("3-3", ((-2, 0), (-1, 0)), (3, 3)))
    assert match.right and word(match) == "ready"


def test_the_minus_one_tile_bought_and_replaced_by_its_twin_is_asked_about(tmp_path: Path) -> None:
    made = Match("euronimoes", 3, 2, tmp_path / "journal.db")
    made.deal()
    first = made.full.market[0]
    stage = made.stage
    twin = first
    made.full.pile = (twin, *made.full.pile[1:])
    stage.take(0)
    stage.shift(0)
    stage.refill(twin)
    stage.chips(made.full.turn, 3)
    made.look(3.0, reaching=made.full.turn)
    assert word(made) == "asking"
    question = made.referee.question
    assert question is not None
    said = {answer.said[-1] for answer in question.answers}
    name = made.setting.names[made.full.turn]
    assert f"{name} draws from the bone pile." in said and f"The {twin} is turned up." in said


def test_a_draw_is_told_from_a_twin_turned_up_by_what_the_hand_took_first(tmp_path: Path) -> None:
    made = Match("euronimoes", 3, 2, tmp_path / "journal.db")
    made.deal()
    seat = made.full.turn
    drawn_tile = made.stage.pile[-1]
    made.referee.observe(replace(made.stage.reach(seat), lifted=(drawn_tile,), untouched=tuple(filter(None, made.stage.market))))
    made.do(DRAW)
    assert made.right and word(made) == "ready" and not made.counts["asked"]


def test_whoever_goes_to_the_pile_while_the_market_lies_as_it_did_draws(tmp_path: Path) -> None:
    made = Match("euronimoes", 3, 2, tmp_path / "journal.db")
    made.deal()
    lay_there = tuple(filter(None, made.stage.market))[2:]  # of the others a hand hid that they did
    seat, drawn_tile = made.full.turn, made.stage.pile[-1]
    made.referee.observe(replace(made.stage.reach(seat), lifted=(drawn_tile,), untouched=lay_there))
    made.do(DRAW)
    assert made.right and word(made) == "ready" and not made.counts["asked"]


def test_what_was_taken_up_later_lay_there_while_the_pile_was_drawn_from(tmp_path: Path) -> None:
    made = Match("euronimoes", 3, 2, tmp_path / "journal.db")
    made.deal()
    market = tuple(filter(None, made.stage.market))  # a hand hid it at first
    seat, drawn_tile = made.full.turn, made.stage.pile[-1]
    made.referee.observe(replace(made.stage.reach(seat), lifted=(drawn_tile, market[2], market[4])))
    made.do(DRAW)
    assert made.right and word(made) == "ready" and not made.counts["asked"]


def test_whoever_goes_to_the_pile_and_leaves_the_market_as_it_was_has_not_bought_a_tile_whose_twin_came(tmp_path: Path) -> None:
    made = Match("euronimoes", 3, 2, tmp_path / "journal.db")
    made.deal()
    for _ in range(3):
        made.do(Buy(0))
        made.do(next(each for each in made.full.legal() if isinstance(each, Play)))
    seat, stage = made.full.turn, made.stage
    state = made.state
    assert isinstance(state, State) and state.chips[seat] == 3 and state.market[-1] in state.unseen()
    stage.discs.clear()  # or the chips would tell
    drawn_tile, lay_there = stage.pile.pop(), tuple(filter(None, stage.market))
    made.referee.observe(replace(stage.reach(seat), lifted=(drawn_tile,), untouched=lay_there))
    del stage.tiles[drawn_tile]
    made.full.phase = "play"
    stage.lay(seat, next(each for each in made.full.legal() if isinstance(each, Play)))
    made.look(4.0, reaching=seat)
    assert word(made) == "illegal" and told(made)["rule"] == "pile-draw"


def test_a_tile_that_all_saw_bought_is_sooner_played_than_one_that_nobody_knows_of(match: Match) -> None:
    match.do(Buy(0))
    state, reader, reading = match.state, match.referee.reader, match.referee.reading
    assert isinstance(state, State) and reader is not None and reading is not None
    low, high = state.bought[1][-1].low, state.bought[1][-1].high
    rows = np.full((2, 16), 1e-5, np.float32)
    rows[0, [low, 5]], rows[1, high] = (0.5, 0.5), 1.0
    place = ("grid", 1, ((-2, 0), (-1, 0)), 1)
    found = reader.proposals(state, replace(reading, tiles={**reading.tiles, place: Sight(rows, 0.98, (0.0, 0.0), 0.0, 99)}))
    costs = {each.action.ends: each.cost for each in found if isinstance(each.action, Play)}
    assert costs[low, high] == 0 and costs[5, high] > 1


def test_a_plain_back_in_the_pile_that_reads_as_a_double_blank_is_no_event(match: Match) -> None:
    match.stage.flip(match.stage.pile[3], (0, 0))
    match.look(3.0, reaching=1)
    assert word(match) == "ready" and match.right
    match.stage.flip(match.stage.pile[3], (3, 4))  # turned over by accident
    match.look(4.0, reaching=1)
    assert word(match) != "ready"


def test_backs_amid_the_pile_that_read_as_double_blanks_from_the_first_do_not_hold_up_the_deal(tmp_path: Path) -> None:
    match = Match("euronimoes", 2, 5, tmp_path / "journal.db")
    match.full.push(deal := match.full.random_chance(match.rng))
    match.stage.do(match.full, deal)
    for track in (match.stage.pile[1], match.stage.pile[5]):
        match.stage.tiles[track] = replace(match.stage.tiles[track], ends=(0, 0))
    match.look(2.0)
    assert match.referee.ready and match.referee.reading.counts["pile"].value == len(match.full.pile)


def test_a_double_blank_on_the_market_may_show_a_plain_back(match: Match) -> None:
    stage = match.stage
    stage.take(1)
    stage.shift(1)
    stage.chips(1, 3)
    stage.refill(tile("0-0"))
    stage.flip(stage.market[4], None)
    match.look(4.0, reaching=1)
    stage.lay(1, lay("3-3", ((-2, 0), (-1, 0)), (3, 3)))
    match.look(4.0, reaching=1)
    assert word(match) == "ready"
    assert [act.text.split()[:2] for act in match.referee.game.standing[-2:]] == [["refill", "0-0"], ["play", "3-3"]]


@pytest.mark.parametrize("shown", [True, False])
def test_a_double_blank_known_in_a_grid_may_show_a_plain_back_but_a_bare_hole_is_none(shown: bool, match: Match) -> None:
    for action in (Buy(1), lay("3-3", ((-2, 0), (-1, 0)), (3, 3)), DRAW):
        match.do(action)
    state: Any = match.state
    places = state.layouts[0].plays({0}, state.rules.stack_direct_only, state.rules.max_extent)
    blank = match.stage.lay(0, next(play for play in places if play.level == 1))
    if shown:
        match.look(4.0, reaching=0)
    match.stage.flip(blank, None)
    match.look(4.0, reaching=0)
    assert match.referee.game.standing[-1].text.startswith("play 0-0") == shown
    assert word(match) == "ready"


def test_a_market_tile_turned_over_by_accident_is_no_double_blank(match: Match) -> None:
    match.stage.flip(match.stage.market[2], None)
    match.look(4.0, reaching=1)
    assert word(match) == "out-of-sync" and match.right
    assert list(match.referee.repair or ()) == ["On slot 1 of the market should lie the 2-5, face up."]


def test_a_bone_pile_miscounted_by_one_is_no_second_tile_taken(match: Match) -> None:
    """A draw puts the cheapest tile on the dearest slot; bought from there, too, the market looks as if it had been bought."""
    match.stage.discs.clear()
    match.stage.do(match.full, Buy(0))
    match.stage.discs.clear()
    match.full.push(Buy(0))
    match.told += [Buy(0), Refill(match.full.market[-1] or tile("0-0"))]
    memory = match.referee.reading.noted
    yard = replace(memory.bones.boneyard, overlooked=memory.bones.boneyard.overlooked - 1)
    known = replace(memory, bones=replace(memory.bones, boneyard=yard))
    match.referee.reading = replace(match.referee.reading, noted=known)
    match.look(4.0, reaching=1)
    assert match.right and word(match) == "ready"


def test_a_purchase_entered_by_hand_waits_for_the_tile_turned_up(match: Match) -> None:
    match.referee.act({"do": "play", "action": "buy 1"}, match.stage.time, "seat 1")
    assert message(match.referee) == "Turn up a tile from the bone pile for the dearest slot."
    stage, tile_up = match.stage, match.full.pile[0]
    stage.take(1)
    stage.shift(1)
    stage.refill(tile_up)
    match.look(2.0, reaching=1)
    assert match.referee.game.standing[-1].text == f"refill {tile_up}" and word(match) == "ready"


@pytest.mark.parametrize("first", [0, 1])
def test_who_began_is_told_by_the_edge_at_which_something_moved_where_no_hand_was_seen(first: int, tmp_path: Path) -> None:
    match = Match("euronimoes", 2, 5, tmp_path / "journal.db")
    match.deal()
    match.full.turn = match.full.first = first
    match.stage.do(match.full, Buy(1))
    match.full.push(Buy(1))
    strip = match.stage.seen(reaching=first).veils
    for settled in (False, *(True,) * 8):
        match.referee.observe(replace(match.stage.seen(settled=settled), swept=strip))
    state: Any = match.state
    assert state.turn == first and state.chips[first] == 2 and match.referee.question is None
    assert [act.text.split()[0] for act in match.referee.game.standing] == ["deal", "buy", "refill"]


def test_a_first_turn_is_understood_though_a_tile_of_the_market_is_misread_when_it_is_over(tmp_path: Path) -> None:
    match = Match("euronimoes", 2, 5, tmp_path / "journal.db")
    match.deal()
    match.stage.do(match.full, Buy(1))
    match.full.push(Buy(1))
    dearest = match.full.market[3]
    wrong = next(pips for pips in range(7) if pips not in (dearest.low, dearest.high))
    match.referee.observe(match.stage.reach(match.full.turn))
    for settled in (False, *(True,) * 8):
        seen = match.stage.seen(settled=settled)
        tiles = [misread(each, wrong) if each.ends and Tile.of(*each.ends) == dearest else each for each in seen.tiles]
        match.referee.observe(replace(seen, tiles=tuple(tiles)))
    assert [act.text.split()[0] for act in match.referee.game.standing] == ["deal", "buy", "refill"]


def test_a_first_turn_is_understood_though_the_table_came_to_rest_between_the_tile_drawn_and_the_market(tmp_path: Path) -> None:
    match = Match("euronimoes", 2, 5, tmp_path / "journal.db")
    match.deal()
    mover, drawn_tile = match.full.turn, match.stage.pile[-1]
    match.referee.observe(match.stage.reach(mover))
    for settled in (False, True):
        seen = match.stage.seen(settled=settled)
        match.referee.observe(replace(seen, tiles=tuple(each for each in seen.tiles if each.track != drawn_tile)))
    match.stage.do(match.full, DRAW)
    match.full.push(DRAW)
    match.look(4.0, reaching=mover)
    assert [act.text.split()[0] for act in match.referee.game.standing] == ["deal", "draw"] and match.referee.alarm is None


def test_a_first_turn_is_none_of_the_deal_though_the_pile_is_counted_as_before(tmp_path: Path) -> None:
    match = Match("euronimoes", 2, 5, tmp_path / "journal.db")
    match.deal()
    stage, seat = match.stage, match.full.turn
    stage.take(1)
    stage.shift(1)
    stage.fill(4, match.full.pile[0])
    match.look(4.0, reaching=seat)
    assert [act.text.split()[0] for act in match.referee.game.standing] == ["deal", "buy", "refill"]


def misread(seen: SeenTile, wrong: int) -> SeenTile:
    """The tile as it seems, by which its first half shows another number, hardly more likely than the right one."""
    assert seen.ends is not None
    half = np.full(16, 0.001)
    half[[seen.ends[0], wrong]] = 0.4, 0.586
    return replace(seen, ends=(wrong, seen.ends[1]), probabilities=np.stack([half, seen.probabilities[1]]), score=0.58)


def test_what_the_set_up_lacks_is_said(tmp_path: Path) -> None:
    made = Match("euronimoes", 2, 2, tmp_path / "journal.db")
    action = made.full.random_chance(made.rng)
    made.stage.do(made.full, action)
    made.stage.take(2)
    del made.stage.tiles[made.stage.pile.pop()]
    made.stage.chips(0, 3)
    made.look(1.0)
    assert not made.referee.ready and list(made.referee.lacking) == [
        "The market has no tile on 1.", "The bone pile should have 17 tiles; 16 are seen.",
        "Ann has two chips in hand and two in the bank; 3 in hand are seen."]


def test_tiles_of_the_market_beside_the_pile_lie_open_by_right_whatever_else_is_lacking(tmp_path: Path) -> None:
    made = Match("euronimoes", 2, 2, tmp_path / "journal.db")
    made.stage.do(made.full, made.full.random_chance(made.rng))
    made.stage.take(2)
    back = made.stage.pile[-1]
    beside = made.stage.tiles[back].center
    made.stage.put((beside[0] + 25, beside[1]), 0.0, (1, 2))
    made.look(1.0)
    assert made.referee.seen is not None and against_backs(made.referee.seen)
    assert made.referee.lacking and not made.referee.seem_open


def test_whoever_reached_over_the_table_hardly_kept_a_tile_without_a_word(match: Match) -> None:
    state, reader, reading = match.state.copy(), match.referee.reader, match.referee.reading
    assert isinstance(state, State) and reader is not None and reading is not None
    state.phase, state.hands = "last", (state.hands[0], state.hands[1][:1])
    place = ("grid", 0, ((-2, 0), (-1, 0)), 1)
    rows = np.full((2, 16), 1e-5, np.float32)
    rows[0, 1] = rows[1, 2] = 1.0
    other = {**reading.tiles, place: Sight(rows, 0.98, (0.0, 0.0), 0.0, 99)}

    def against_stopping(*reached: int, in_vain: tuple[int, ...] = ()) -> float:
        seen = replace(reading, tiles=other, reached=Reached(frozenset({0, *reached})), in_vain=frozenset(in_vain))
        return next(each.cost for each in reader.proposals(state, seen) if each.action == STOP)

    assert against_stopping() < 1
    assert against_stopping(1) > 3 and against_stopping(in_vain=(1,)) > 3


def test_that_others_were_let_go_first_is_not_believed_for_what_breaks_a_rule(match: Match) -> None:
    """Ann reached over the table and laid nothing; Ben lays a tile that fits nowhere. That alone tells nothing of her turn."""
    state, reader, reading = match.state.copy(), match.referee.reader, match.referee.reading
    assert isinstance(state, State) and reader is not None and state.turn is not None
    state.rules, state.phase = replace(state.rules, endphase="simultaneous"), "last"
    state.hands = tuple(hand[:1] for hand in state.hands)
    rows = np.full((2, 16), 1e-5, np.float32)
    rows[0, 0] = rows[1, 6] = 1.0
    other = {**reading.tiles, ("grid", 1 - state.turn, ((0, 4), (1, 4)), 1): Sight(rows, 0.98, (0.0, 0.0), 0.0, 99)}
    both = frozenset({0, 1})
    decision = decide(reader, [Earlier(state)], replace(reading, tiles=other, reached=Reached(both, both)))
    assert decision.kind is Kind.ILLEGAL
