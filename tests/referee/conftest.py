"""What several files of the referee's tests begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.euronimoes.actions import DRAW, Buy, Deal
from tests.referee.market_words import lay, tile
from tests.referee.playing import Match


@pytest.fixture
def match(tmp_path: Path) -> Match:
    """Two players; Ann has bought the 0-1 for a chip and played it upright, Ben has drawn and played the 6-6."""
    made = Match("euronimoes", 2, 5, tmp_path / "journal.db")
    hands = tuple(tuple(map(tile, hand.split())) for hand in ("5-6 1-2 2-2", "6-6 3-3 4-5"))
    market = tuple(map(tile, ("0-2", "0-3", "0-1", "1-4", "2-5")))
    rest = tuple(each for each in made.full.kit.tiles if each not in (*hands[0], *hands[1], *market))
    deal = Deal(hands, market, rest, 1)
    made.stage.do(made.full, deal)
    made.full.push(deal)
    made.told.append(made.full.public(deal))
    made.look(1.0)
    for action in (DRAW, lay("6-6", ((0, 0), (1, 0)), (6, 6)), Buy(1), lay("0-1", ((0, 0), (0, 1)), (1, 0))):
        if not made.full.verify(action):
            raise AssertionError(str(made.full.verify(action)))
        made.do(action)
    assert made.right, made.texts()
    assert made.state.turn == 1 and made.full.chips == (2, 3)
    return made
