"""What people tell by hand of tiles, dice and coins that came by chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from random import Random

from engine.actions import Action
from engine.pieces import Tile
from engine.state import State
from engine.words import say
from webui.live.face import Half, Names, Told
from webui.live.games import FACES
from webui.live.scene import JsonObject


def chance_action(state: State, halves: Sequence[Half], starter: int, numbers: Sequence[int] = (), rng: Random | None = None,
                  ) -> Action:
    """The action of chance that was told; see `Told`. ValueError where it tells nothing."""
    return FACES[state.game].tell(state, Told(halves, starter, numbers, rng or Random()))


def otherwise(state: State, names: Names) -> list[tuple[Action, Half | tuple[()], str]]:
    """What chance may have done, where a tile, who begins, or what few things show says it: the action, the tile, and words."""
    wanted = FACES[state.game].wanted(state, names) or {}
    found: list[tuple[Action, Half | tuple[()], str]] = []
    if wanted.get("count") == 1:
        for low, high in wanted["tiles"]:
            for half in dict.fromkeys([(low, high), (high, low)] if wanted.get("turned") else [(low, high)]):
                found.append((chance_action(state, [half], wanted.get("seat", 0)), (low, high), f"{half[0]}|{half[1]}"))
    elif "options" in wanted:
        for shown in product(*(option["choices"] for option in wanted["options"])):
            words = [f"{option['name']}: {each['words']}" for option, each in zip(wanted["options"], shown, strict=True)]
            found.append((chance_action(state, (), 0, [each["value"] for each in shown]), (), ", ".join(words)))
    elif not wanted.get("count") and "shuffled" not in wanted:
        for seat, name in enumerate(wanted.get("starters", ())):
            found.append((chance_action(state, (), seat), (), say("{name} begins", name=name)))
    return [each for each in found if state.verify(each[0])]


def anew(state: State, names: Names, action: Action) -> JsonObject | None:
    """What has to be told again where several tiles were told at once, with those that were; None for anything else."""
    face = FACES[state.game]
    wanted = (face.wanted(state, names) if state.chance else None) or {}
    if wanted.get("count", 0) < 2:
        return None
    said = face.said(action)
    return wanted | {"shuffled": None, "told": [list(ends) for ends in said.halves], "starter": said.starter}


def halves_of(texts: Iterable[str]) -> tuple[Half, ...]:
    """Both ends of tiles from texts like `5-3`, the first end first; ValueError for anything else."""
    return tuple(_half(text) for text in texts)


def _half(text: str) -> Half:
    tile = Tile.parse(text)
    return (tile.low, tile.high) if int(text.partition("-")[0]) == tile.low else (tile.high, tile.low)


def hand_of(texts: Iterable[str]) -> tuple[Tile, ...]:
    """Tiles from texts like `3-5`; ValueError for anything else."""
    return tuple(Tile.parse(text) for text in texts)
