"""A set has one die and one pawn of each suit: what all of them show together tells each."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from vision.observation import Kind
from vision.piece_inventory import ABSENT, marginals, one_each
from vision.piece_sets import LABELS, SUITS
from vision.pieces import FoundPiece


def _pawn(suits: dict[str, float], there: float = 0.9, kind: Kind = "pawn") -> FoundPiece:
    rest = (1 - sum(suits.values())) / (4 - len(suits)) if len(suits) < 4 else 0.0
    labels = {suit: suits.get(suit, rest) for suit in SUITS}
    return FoundPiece(kind, (0.0, 0.0), (0.0, 0.0), 8.0, labels, there, np.ones(2, np.float32))


def test_the_orange_pawn_is_the_crowns_where_a_redder_one_stands_beside_it() -> None:
    orange, red = _pawn({"suns": 0.7, "crowns": 0.25}), _pawn({"suns": 0.97})
    told = one_each([orange, red, _pawn({"moons": 0.9}), _pawn({"arms": 0.9})])
    assert [piece.label for piece in told] == ["crowns", "suns", "moons", "arms"]
    assert told[0].labels["crowns"] > 0.8


def test_a_fifth_pawn_is_none() -> None:
    told = one_each([_pawn({suit: 0.95}) for suit in SUITS] + [_pawn({"suns": 0.6}, there=0.4)])
    assert [piece.there > 0.5 for piece in told] == [True] * 4 + [False]


def test_a_clear_one_outweighs_many_faint_ones() -> None:
    told = one_each([_pawn({"crowns": 0.9}, there=0.8)] + [_pawn({"crowns": 0.9}, there=0.45) for _ in range(12)])
    assert [piece.there > 0.5 for piece in told] == [True] + [False] * 12


def test_a_faint_one_is_believed_where_its_suit_is_missing() -> None:
    told = one_each([_pawn({suit: 0.95}) for suit in SUITS[:3]] + [_pawn({"arms": 0.9}, there=0.45)])
    assert [piece.label for piece in told if piece.there > 0.5] == list(SUITS)


def _or_coin(piece: FoundPiece, there: float) -> tuple[FoundPiece, FoundPiece]:
    """A piece that may be a coin instead, and a coin that may be that piece instead."""
    labels = {label: float(label == "suit:suns") for label in LABELS["coin"]}
    coin = replace(piece, kind="coin", labels=labels, there=there)
    return replace(piece, instead=coin), replace(coin, instead=piece)


def test_what_looks_like_a_fifth_pawn_or_a_coin_is_a_coin() -> None:
    fifth, _ = _or_coin(_pawn({"suns": 0.9}, there=0.5), 0.4)
    told = one_each([_pawn({suit: 0.95}) for suit in SUITS] + [fifth])
    assert [piece.kind for piece in told] == ["pawn"] * 4 + ["coin"]


def test_what_looks_like_a_coin_or_the_missing_pawn_is_that_pawn() -> None:
    _, missing = _or_coin(_pawn({"arms": 0.9}, there=0.4), 0.5)
    told = one_each([_pawn({suit: 0.95}) for suit in SUITS[:3]] + [missing])
    assert [(piece.kind, piece.label) for piece in told][3] == ("pawn", "arms")


def test_coins_may_be_many_of_a_suit() -> None:
    labels = {label: float(label == "suit:suns") for label in LABELS["coin"]}
    coins = [FoundPiece("coin", (30.0 * k, 0.0), (0.0, 0.0), 9.5, labels, 0.4, np.ones(2, np.float32)) for k in range(3)]
    assert one_each(coins) == coins


def test_what_is_much_smaller_than_the_other_chips_is_none() -> None:
    chips = [FoundPiece("chip", (40.0 * k, 0.0), (0.0, 0.0), radius, {"red": 1.0}, there, np.ones(2, np.float32))
             for k, (radius, there) in enumerate([(19.0, 0.9), (20.5, 0.85), (19.8, 0.7), (12.0, 0.7), (6.0, 0.45)])]
    assert [piece.there > 0.4 for piece in one_each(chips)] == [True, True, True, False, False]


@pytest.mark.parametrize("count", [1, 3, 5])
def test_the_shares_are_those_of_all_assignments(count: int) -> None:
    rng = np.random.default_rng(count)
    suits, nothing = rng.uniform(0.01, 1, (count, 4)), rng.uniform(0.05, 1, count)
    total, wanted = 0.0, np.zeros((count, 4))
    for names in itertools.product(range(-1, 4), repeat=count):
        taken = [name for name in names if name >= 0]
        if len(set(taken)) < len(taken):
            continue
        weight = ABSENT ** (4 - len(taken)) * (1 - ABSENT) ** len(taken)
        for k, name in enumerate(names):
            weight *= nothing[k] if name < 0 else suits[k, name]
        total += weight
        for k, name in enumerate(names):
            if name >= 0:
                wanted[k, name] += weight
    assert marginals(suits, nothing) == pytest.approx(wanted / total)
