"""The exchange form as shapes: which keys an object has and what each value looks like; written from EXCHANGE.md alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Shape = Callable[[Any], bool]

TILE = re.compile(r"(\d+)-(\d+)")
SUITS = {"suns", "moons", "crowns", "arms"}


def tile(value: Any) -> bool:
    found = isinstance(value, str) and TILE.fullmatch(value)
    return bool(found) and int(found[1]) <= int(found[2])  # type: ignore[index]


def number(value: Any) -> bool:
    return type(value) is int


def natural(value: Any) -> bool:
    return type(value) is int and value >= 0


def truth(value: Any) -> bool:
    return isinstance(value, bool)


def word(value: Any) -> bool:
    return isinstance(value, str)


def one_of(*choices: Any) -> Shape:
    return lambda value: any(type(value) is type(choice) and value == choice for choice in choices)


def maybe(shape: Shape) -> Shape:
    return lambda value: value is None or shape(value)


def many(shape: Shape, count: int | None = None) -> Shape:
    return lambda value: isinstance(value, list) and count in (None, len(value)) and all(map(shape, value))


def table(keys: dict[str, Shape], optional: dict[str, Shape] | None = None) -> Shape:
    known = keys | (optional or {})
    return lambda value: (isinstance(value, dict) and keys.keys() <= value.keys() <= known.keys()
                          and all(known[key](each) for key, each in value.items()))


def any_of(*shapes: Shape) -> Shape:
    return lambda value: any(shape(value) for shape in shapes)


def kind(name: str, **keys: Shape) -> Shape:
    return table({"kind": one_of(name)} | {key.rstrip("_"): shape for key, shape in keys.items()})


pair = many(number, 2)
cells = many(pair, 2)
suit = one_of(*SUITS)
coin = table({"suit": suit, "cell": pair, "value": one_of(*range(6)), "up": truth})
laid = {"cells": cells, "ends": pair}


def by_suit(shape: Shape) -> Shape:
    return table(dict.fromkeys(SUITS, shape))


def state(game: str, players: int) -> Shape:
    """The shape of a game's state; `turn` and `phase` belong to each."""
    def seats(shape: Shape) -> Shape:
        return many(shape, players)

    head = {"turn": maybe(one_of(*range(players)))}
    hands = {"hands": seats(many(tile))}
    if game == "euronimoes":
        return table(head | hands | {
            "phase": one_of("draw", "play", "last", "over"), "market": many(maybe(tile), 5), "pile": many(tile),
            "chips": seats(one_of(0, 1, 2, 3, 4)), "layouts": seats(many(table(laid | {"level": natural}))),
            "stopped": seats(truth), "first": natural})
    if game in ("block", "all-fives", "matador", "one-arm-joe"):
        ends = many(pair)
        arms = table({"left": ends, "right": ends}, {"up": ends, "down": ends})
        if game == "one-arm-joe":
            arms = table({"right": ends})
        return table(head | hands | {
            "phase": one_of("lead", "play", "bonus", "claim", "over"), "boneyard": many(tile), "root": maybe(tile), "arms": arms,
            "spinner": maybe(tile), "match": seats(natural), "points": seats(natural), "passes": natural, "drawn": truth,
            "pending": maybe(table({"seat": natural, "points": natural}))})
    if game == "engine191":
        return table(head | hands | {
            "phase": one_of("bid", "turn", "drawn", "chain", "over"), "hub": maybe(tile), "lines": seats(many(pair)),
            "bared": seats(truth), "yards": seats(many(tile)), "boneyard": many(tile), "scrap": many(tile),
            "bids": seats(maybe(tile)), "drawn": maybe(tile), "passes": natural, "tokens": seats(natural)})
    if game == "dominoids":
        return table(head | {
            "phase": one_of("choose", "act", "consequence", "child", "replace", "over"), "dominoids": many(table(laid)),
            "pool": many(tile), "pawns": by_suit(pair), "coins": many(coin), "stacks": by_suit(many(one_of(*range(6)))),
            "collected": seats(many(table({"suit": suit, "value": one_of(*range(6))}))),
            "dice": by_suit(table({"face": one_of("null", "ace", 2, 3, 4, 5), "box": one_of("old", "new")})),
            "picked": many(suit), "chosen": many(suit), "mover": maybe(natural), "parents": many(natural), "turns": natural})
    if game == "mexican-train":
        trains = many(many(pair), players + 1)
        return table(head | hands | {
            "phase": one_of("play", "drawn", "chain", "over"), "boneyard": many(tile), "engine": natural, "trains": trains,
            "marked": seats(truth), "double": maybe(natural), "begun": seats(truth), "passes": natural, "starter": natural,
            "match": seats(natural)})
    head |= {"phase": one_of("play", "over")}
    if game == "knock-out":
        return table(head | {"row": many(pair)})
    if game == "elimination":
        return table(head | {"row": many(tile), "at": natural, "count": one_of(*range(13))})
    return table(head | {"columns": many(many(table({"up": truth, "top": natural, "bottom": natural}))),
                         "flip": one_of("vertical", "horizontal")})


LINE_ACTIONS = (kind("play", tile=tile, arm=one_of("left", "right", "up", "down", "root"), open=maybe(natural)), kind("draw"),
                kind("pass"), kind("skip"), kind("claim"), kind("muggins", seat=natural))
ACTIONS = dict.fromkeys(("block", "all-fives", "matador", "one-arm-joe"), any_of(*LINE_ACTIONS)) | {
    "euronimoes": any_of(kind("buy", slot=one_of(0, 1, 2, 3, 4)), kind("draw"), kind("stop"),
                         kind("play", tile=tile, cells=cells, ends=pair, level=natural)),
    "engine191": any_of(kind("bid", tile=tile), kind("remove"), kind("draw"), kind("end"), kind("pass"),
                        kind("play", tile=tile, line=natural, from_=one_of("hand", "yard"), replace=maybe(tile))),
    "dominoids": any_of(
        kind("choose", dice=many(suit, 2)), kind("slide", die=suit, tile=tile, cells=cells, ends=pair),
        kind("rotate", die=suit, tile=tile, cells=cells, ends=pair), kind("bud", die=suit, parent=tile),
        kind("shift", die=suit, line=one_of("row", "column"), index=one_of(0, 1, 2, 3), step=one_of(1, -1)),
        kind("pass", die=suit), kind("eat", suit=suit), kind("attack", tile=tile), kind("breed", tile=tile),
        kind("place", tile=tile, cells=cells, ends=pair), kind("replace", suit=suit, cell=pair)),
    "mexican-train": any_of(kind("play", tile=tile, train=natural), kind("draw"), kind("pass"), kind("end")),
    "knock-out": any_of(kind("knock", at=natural), kind("stop")),
    "elimination": kind("touch"),
    "solitaire": any_of(kind("move", from_=natural, size=natural, to=maybe(natural)), kind("stop")),
}


def line(game: str, players: int) -> Shape:
    """The shape of one dumped line."""
    keys = {"game": one_of(game), "rules": lambda value: isinstance(value, dict), "ply": natural, "state": state(game, players),
            "legal": many(ACTIONS[game]), "action": maybe(ACTIONS[game]), "scores": many(number, players)}
    outcome = table({"reason": word, "winners": many(one_of(*range(players))), "scores": many(number, players)})
    return table(keys, {"outcome": outcome})
