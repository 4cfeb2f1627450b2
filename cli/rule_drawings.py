"""Small drawings for the rule books: a tile that breaks the rule, where made-up games come upon one.

`python -m cli.rule_drawings` writes them for the page, when a game's rules or its drawing have changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from engine.actions import Action
from engine.core import IllegalError
from engine.games import GAMES, game
from engine.state import State
from webui.delivery import STATIC
from webui.live.games import FACES
from webui.live.scene import JsonObject, box

FOLDER = STATIC / "rules"

NOT_SEEN = frozenset({"not-your-tile", "drawn-tile-only", "die-not-chosen", "die-face", "choose-first", "child", "act",
                      "no-dominoid"})  # fmt: skip
"""Rules that no place of a tile breaks: it is the turn, the hand or the dice that are wrong."""

GAMES_PLAYED, LONGEST, TRIED = 6, 40, 60
"""How far is looked for rules to be broken: games, actions of each, and wrong actions in each of its moments."""


def drawings(name: str) -> dict[str, JsonObject]:
    """By rule a drawing of a game's table with the tile that breaks it."""
    found: dict[str, JsonObject] = {}
    for seed in range(GAMES_PLAYED):
        rng = Random(seed)
        moments = list(islice(_moments(name, rng), LONGEST))
        later = [action for state in moments[4::4] for action in state.legal()[:40]]
        for state in moments[4:26:3]:
            tried = rng.sample(later, min(len(later), TRIED)) + [each for one in state.legal()[:20] for each in _shifted(one)]
            for action in tried:
                verdict = _verdict(state, action)
                if verdict and verdict not in found | dict.fromkeys(NOT_SEEN) and (drawn := _drawn(state, action)):
                    found[verdict] = drawn
    return found


def _moments(name: str, rng: Random) -> Iterator[State]:
    """A game by chance, at every turn of somebody."""
    kind = game(name)
    state = kind.start(None, kind.SEATS[0], rng)
    while state.result is None:
        if not state.chance:
            yield state.copy()
        some = [state.random_chance(rng)] if state.chance else state.legal()
        state.push(max(rng.sample(some, min(len(some), 8)), key=lambda each: each.kind == "play"))


def _shifted(action: Any) -> Iterator[Action]:
    """The same tile, a cell beside where it may lie."""
    if hasattr(action, "cells"):
        (x0, y0), (x1, y1) = action.cells
        for right, up in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            yield replace(action, cells=((x0 + right, y0 + up), (x1 + right, y1 + up)))


def _verdict(state: State, action: Action) -> str:
    """The rule that the action breaks; empty where it is allowed, or cannot be done at all."""
    try:
        return state.verify(action).rule
    except (IllegalError, ValueError):
        return ""


def _drawn(state: State, action: Action) -> JsonObject | None:
    """The table with the action's tile as it would lie, if it can be drawn."""
    face = FACES[state.game]
    scene = face.scene(state)
    mark = face.mark(state, action, scene)
    if mark is None:
        return None
    shape = next(iter(mark["shapes"])) if "shapes" in mark else None
    drawn = scene["grids"][mark["seat"]] if shape is None else scene["shapes"][shape]
    bad = mark if shape is None else mark["shapes"][shape]
    parts = {where: [one for one in drawn.get(where, ()) if all("seat" not in each for each in one["shapes"])]
             for where in ("under", "over")}  # fmt: skip
    around = drawn["box"] if any(parts.values()) else box([*drawn["tiles"], bad], 0.6)
    return {"box": around, "tiles": drawn["tiles"], "bad": bad, **parts}


def main() -> None:
    """Write the files of all games in which a tile shows that a rule is broken."""
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        if found := drawings(name):
            Path(FOLDER / f"{name}.json").write_text(json.dumps(found, separators=(",", ":"), sort_keys=True))


if __name__ == "__main__":
    main()
