"""A table of Engine 191 in the exchange form, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.actions import MAYBE_TILE, TILES, number, pair, truth
from engine.hidden import slots_from_json, slots_to_json
from engine.state import checked

if TYPE_CHECKING:
    from engine.engine191.game import State


def table(state: State) -> dict[str, Any]:
    """What lies on the table, and the hands."""
    return {
        "hands": [TILES.write(hand) for hand in state.hands],
        "hub": MAYBE_TILE.write(state.hub),
        "lines": [[list(ends) for ends in line] for line in state.lines],
        "bared": list(state.bared),
        "yards": [TILES.write(yard) for yard in state.yards],
        "boneyard": TILES.write(state.boneyard),
        "scrap": TILES.write(state.scrap),
        "bids": [MAYBE_TILE.write(tile) for tile in state.bids],
        "drawn": MAYBE_TILE.write(state.drawn),
        "passes": state.passes,
        "tokens": list(state.tokens),
    }


def beliefs(state: State) -> dict[str, Any]:
    """What is known beyond that: steps still to be done, bids as they were opened, tiles shown and ruled out."""
    return {
        "agenda": list(state.agenda),
        "opened": TILES.write(state.opened),
        "shown": [TILES.write(tiles) for tiles in state.shown] if any(state.shown) else [],
        "slots": slots_to_json(state.slots),
        "not_in_boneyard": TILES.write(sorted(state.not_in_boneyard)),
    }


def fill(state: State, data: Mapping[str, Any], extra: Mapping[str, Any]) -> None:
    """Set the fields of a state from both; ValueError, TypeError or KeyError where that cannot be."""
    state.hands = tuple(tuple(sorted(TILES.read(hand))) for hand in data["hands"])
    state.hub = MAYBE_TILE.read(data["hub"])
    state.lines = tuple(tuple(pair(ends) for ends in line) for line in data["lines"])
    state.bared = tuple(truth(bared) for bared in data["bared"])
    state.yards = tuple(TILES.read(yard) for yard in data["yards"])
    state.boneyard, state.scrap = TILES.read(data["boneyard"]), TILES.read(data["scrap"])
    state.bids = tuple(MAYBE_TILE.read(tile) for tile in data["bids"])
    state.drawn = MAYBE_TILE.read(data["drawn"])
    state.passes = number(data["passes"])
    state.tokens = tuple(number(tokens) for tokens in data["tokens"])
    state.agenda = tuple(extra.get("agenda", ()))
    state.opened = TILES.read(extra.get("opened", []))
    for values in (state.lines, state.bared, state.yards, state.bids, state.tokens):
        checked(len(values) == state.players, f"one value per seat, not {len(values)}")
    state.shown = tuple(TILES.read(tiles) for tiles in extra.get("shown", [[]] * state.players))
    counts = [len(hand) + (bid is not None) - len(shown)
              for hand, bid, shown in zip(state.hands, state.bids, state.shown, strict=True)]
    state.slots = slots_from_json(extra.get("slots", []), counts)
    state.not_in_boneyard = frozenset(TILES.read(extra.get("not_in_boneyard", [])))
