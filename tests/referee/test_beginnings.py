"""What is believed of a table on which a rule was broken after something was done by the rules."""

from typing import Any

import pytest

from engine.core import Verdict
from engine.engine191.actions import PASS, Draw, End, TurnUp
from engine.euronimoes.actions import DRAW, Play
from engine.pieces import Tile
from referee import decoder
from referee.decoder import Explanation, Kind, _told_apart, decide
from referee.reading import Breach, Difference, Expected, Laid, Reading
from tests.engine.test_engine191 import table

LAID = Play(Tile.parse("3-3"), ((0, 0), (1, 0)), (3, 3), 1)
ANOTHER = ("grid", 0, ((5, 0), (6, 0)), 1)
SLOT = ("market", 0)


def after_a_draw(monkeypatch: pytest.MonkeyPatch, misfit: tuple[Difference, ...], market: Laid) -> decoder.Decision:
    """What is decided where a draw and a play leave this misfit, and none with another play out of turn, and such a market."""
    supposed = Expected({SLOT: market, ANOTHER: Laid(None)})
    breach = Breach(Verdict(False, "out-of-turn", "It is Cem's turn, not Ann's.", {}), supposed, "Ann lays the 2-2.", 0.5)
    extra = Difference("extra", ANOTHER, 9.0)
    cost = 9.0 + sum(each.cost for each in misfit)
    found = [Explanation(0, (DRAW, LAID), 4.5, (), ("", "", ""), breach, 0.99),
             Explanation(0, (DRAW, LAID), cost, (extra, *misfit), ("", ""), None, 0.01),
             Explanation(0, (), 40.0, (extra,), (), None, 0.0)]
    monkeypatch.setattr(decoder, "explanations", lambda *_: found)
    nobody: Any = None
    return decide(nobody, [decoder.Earlier(nobody)], Reading({}))


def test_what_surely_was_done_is_believed_though_another_plays_out_of_turn_then(monkeypatch: pytest.MonkeyPatch) -> None:
    assert after_a_draw(monkeypatch, (), Laid(None)).kind is Kind.PLAY


def test_a_draw_that_the_market_denies_is_not_believed_because_another_may_have_changed_it(
        monkeypatch: pytest.MonkeyPatch) -> None:
    otherwise = Difference("wrong", SLOT, 9.7, (0, 1), (0, 2))
    assert after_a_draw(monkeypatch, (otherwise,), Laid(None)).kind is Kind.ILLEGAL


def test_it_is_believed_where_what_was_done_then_tells_why_the_market_lies_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    otherwise = Difference("wrong", SLOT, 9.7, (0, 1), (0, 2))
    assert after_a_draw(monkeypatch, (otherwise,), Laid((0, 2))).kind is Kind.PLAY


def test_answers_that_would_be_told_alike_say_how_they_differ() -> None:
    misread = Difference("wrong", ("lies", 1), 3.6, due=(2, 3), seen=(3, 2))
    dealt = [Explanation(0, (), cost, left, ("The board is set up.",)) for cost, left in ((0.0, ()), (3.6, (misread,)))]
    other = Explanation(0, (), 4.0, (), ("Ann draws a tile.",))
    assert [each.words for each in _told_apart((*dealt, other))] == [
        ("The board is set up.",), ("The board is set up.", "A 3-2 is read, not the 2-3."), ("Ann draws a tile.",)]


@pytest.mark.parametrize(("drawn", "is_open"), [("0-1", False), ("3-6", True)])
def test_the_end_of_a_turn_is_told_at_once_where_the_tile_drawn_fits_nowhere(drawn: str, is_open: bool) -> None:
    state = table(("0-2 1-2", "4-5 5-6"), "3-3", ("", ""), boneyard=f"{drawn} 2-2")
    assert decoder._is_left_open(state, [Draw(), TurnUp(Tile.parse(drawn)), End()]) is is_open
    assert not decoder._is_left_open(state, [Draw()])


def test_what_no_look_shows_is_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    unseen = [Explanation(0, (), 1.0, (), (), None, 0.49), Explanation(0, (PASS,), 1.0, (), ("",), None, 0.49)]
    played = Explanation(0, (DRAW, LAID), 4.0, (), ("", ""), None, 0.02)
    monkeypatch.setattr(decoder, "explanations", lambda *_: [*unseen, played])
    nobody: Any = None
    assert decide(nobody, [decoder.Earlier(nobody)], Reading({})).kind is Kind.NOTHING
