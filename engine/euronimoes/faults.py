"""Why not: the rule that an action in Euronimoes breaks, and what is wrong with a table or a deal that cannot be."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

from engine.actions import Show
from engine.core import UNKNOWN, Broken
from engine.euronimoes.actions import COSTS, Buy, Deal, Draw, Give, Play, Refill, Stop
from engine.euronimoes.layout import ENDS, Layout, second, spot_of
from engine.pieces import Tile
from engine.state import checked
from engine.words import say

if TYPE_CHECKING:
    from engine.euronimoes.game import State


def broken(state: State, action: Any) -> Broken:
    """The rule that an action breaks which is not legal now."""
    if isinstance(action, Give):
        return Broken("end-in-turn", say("The turn cannot be given to that seat now."), {"seat": action.seat})
    if isinstance(action, Buy | Draw):
        if state.phase == "last":
            return Broken("nothing-to-draw", say("Pile and market are empty; nobody draws any more."))
        if state.phase == "play":
            return Broken("one-draw", say("A tile has been drawn; now one must be played."))
        return _broken_buy(state, action)
    if isinstance(action, Stop):
        if state.phase == "last":
            return Broken("must-play", say("Two or more tiles are left, so one must be played."), {"seat": state.turn})
        return Broken("must-play", say("Every turn a tile is played."), {"seat": state.turn})
    assert isinstance(action, Play)
    if state.phase == "draw":
        return Broken("draw-first", say("First a tile is drawn, from the market or the bone pile."))
    tile = action.tile
    if tile not in state.kit:
        return Broken("not-in-set", say("There is no {tile} in this set.", tile=tile), {"tile": tile})
    if action.ends not in ((tile.low, tile.high), (tile.high, tile.low)):
        return Broken("not-in-set", say("The {tile} does not show {end} and {other}.", tile=tile, end=action.ends[0],
                                        other=action.ends[1]), {"tile": tile})
    hand = state.hands[state.turn or 0]
    if tile not in hand and (UNKNOWN not in hand or tile not in state.unseen()):
        return Broken("not-your-tile", say("The {tile} is not on this rack.", tile=tile), {"tile": tile, "seat": state.turn})
    found = broken_place(state.layouts[state.turn or 0], action, state.rules)
    return found or Broken("ends", say("The tile cannot lie that way round."), {"tile": tile, "ends": action.ends})


def _broken_buy(state: State, action: Buy | Draw) -> Broken:
    if isinstance(action, Draw):
        return Broken("pile-empty", say("The bone pile is empty; take a tile from the market."))
    if not 0 <= action.slot < len(COSTS) or state.market[action.slot] is None:
        return Broken("market-slot-empty", say("There is no tile on that slot of the market."), {"slot": action.slot})
    cost, chips = COSTS[action.slot], state.chips[state.turn or 0]
    return Broken("not-enough-chips", say("That tile costs {cost}, and there are {chips} chips.", cost=cost,
                                          chips=chips), {"cost": cost, "chips": chips})


def broken_place(layout: Layout, action: Play, rules: Any) -> Broken | None:
    """What forbids a tile at a place of a grid; None if nothing does."""
    spot = spot_of(action.cells)
    involved = {"cells": action.cells, "ends": action.ends}
    if spot is None or max(action.ends) >= ENDS or min(action.ends) < 0:
        return Broken("grid", say("A tile covers a cell and the one right of it or above it."), involved)
    if action.level < 1:
        return Broken("level", say("The table is level 1."), {"level": action.level})
    pair = action.ends[0] * ENDS + action.ends[1]
    if action.level > 1:
        found = _broken_stack(layout, spot, pair, action, involved, rules)
    else:
        found = _broken_flat(layout, spot, pair, action, involved)
    if found is None and rules.max_extent is not None and layout.extent_with(action.cells) > rules.max_extent:
        return Broken("extent", say("The grid may be at most {max_extent} cells wide and high.",
                                    max_extent=rules.max_extent), involved)
    return found


def _broken_flat(layout: Layout, spot: int, pair: int, action: Play, involved: dict[str, Any]) -> Broken | None:
    cells = spot // 2, second(spot)
    if any(cell in layout.numbers for cell in cells):
        return Broken("overlap", say("Another tile lies there already."), involved)
    entry = layout.spots.get(spot)
    if entry is None:
        if not layout.placed:
            return Broken("first-tile", say("The first tile's left or lower half lies on the cell 0,0."), involved)
        return Broken("connected", say("A tile must touch the grid with a side; a corner is not enough."), involved)
    if action in layout.plays({pair}, True, None):
        return None
    return _broken_run(layout, cells, action)


def _broken_run(layout: Layout, cells: tuple[int, int], action: Play) -> Broken:
    numbers = dict(layout.numbers)
    numbers[cells[0]], numbers[cells[1]] = action.ends
    for cell in cells:
        for near in (cell - 1, cell + 1):
            if near in numbers and abs(numbers[near] - numbers[cell]) != 1:
                return Broken("run-step", say("In a column, neighbours differ by exactly one: {number} is next to {other}.",
                                              number=numbers[cell], other=numbers[near]),
                              {"cells": action.cells, "numbers": (numbers[cell], numbers[near])})
    return Broken("run-direction", say("A run may not turn round: it goes only up or only down."), {"cells": action.cells})


def _broken_stack(layout: Layout, spot: int, pair: int, action: Play, involved: dict[str, Any], rules: Any) -> Broken | None:
    cells = spot // 2, second(spot)
    heights = [layout.heights.get(cell, 0) for cell in cells]
    if 0 in heights:
        return Broken("overhang", say("Both halves of a stacked tile must rest on tiles."), involved)
    if heights[0] != heights[1]:
        return Broken("uneven", say("Both halves must rest on the same level."), involved | {"levels": heights})
    beneath = layout.numbers[cells[0]], layout.numbers[cells[1]]
    if beneath != action.ends:
        return Broken("stack-match", say("A stacked tile must match the numbers beneath it: {beneath} and {other}.",
                                         beneath=beneath[0], other=beneath[1]),
                      involved | {"beneath": beneath})
    if layout.owners[cells[0]] == layout.owners[cells[1]] or (not rules.stack_direct_only and layout.is_twin(spot)):
        return Broken("stack-two-tiles", say("The halves of a stacked tile must rest on two different tiles."), involved)
    if action.level != heights[0] + 1:
        return Broken("level", say("There it lies on level {height}.", height=heights[0] + 1), {"level": heights[0] + 1})
    return None


def broken_chance(state: State, action: Any) -> Broken | None:
    """What is wrong with a deal, a tile turned up, or tiles shown, if anything."""
    if isinstance(action, Refill):
        if state.chance != "refill":
            return Broken("refill", say("No slot of the market waits for a tile."))
        return _surplus(state, [action.tile])
    if isinstance(action, Show):
        if not 0 <= action.seat < state.players or len(action.tiles) > state.hands[action.seat].count(UNKNOWN):
            return Broken("show", say("That hand has not so many unknown tiles."), {"seat": action.seat})
        return _surplus(state, list(action.tiles))
    assert isinstance(action, Deal)
    if state.chance != "deal":
        return Broken("deal", say("Tiles are dealt only at the start."))
    if len(action.hands) != state.players or any(len(hand) != 3 for hand in action.hands):
        return Broken("deal", say("Everybody takes three tiles."))
    if len(action.market) != 5 or any(tile is None or tile == UNKNOWN for tile in action.market):
        return Broken("deal", say("Five tiles lie open on the market."))
    if len(action.pile) != len(state.kit) - 5 - 3 * state.players:
        return Broken("deal", say("The rest of the {number} tiles is the bone pile.", number=len(state.kit)))
    tiles = [tile for tile in chain(*action.hands, action.market, action.pile) if tile and tile != UNKNOWN]
    if found := _surplus(state, tiles):
        return found
    if not 0 <= action.first < state.players:
        return Broken("deal", say("There is no seat {seat}.", seat=action.first), {"seat": action.first})
    if all(UNKNOWN not in hand for hand in action.hands) and action.first not in state.openers(action.hands):
        return Broken("first-player", say("A holder of the tile with the most pips begins."), {"seat": action.first})
    return None


def _surplus(state: State, tiles: list[Tile]) -> Broken | None:
    """A tile that the set has not, or not so often."""
    left = Counter(state.unseen())
    left.subtract(tiles)
    for tile in tiles:
        if left[tile] < 0:
            return Broken("copies", say("All copies of the {tile} are seen elsewhere.", tile=tile), {"tile": tile})
    return None


def check_table(state: State) -> None:
    """MalformedError where there are too many or too few tiles, chips that cannot be, or a turn that does not fit."""
    for values in (state.chips, state.stopped, state.bought, state.past, state.dealt):
        checked(len(values) == state.players, f"one value per seat, not {len(values)}")
    checked(len(state.market) == 5, "the market has five slots")
    checked(all(0 <= chips <= 4 for chips in state.chips), "a seat has 0 to 4 chips in hand")
    checked(0 <= state.first < state.players, f"there is no seat {state.first}")
    for tile, count in Counter(state.seen()).items():
        checked(tile in state.kit, f"there is no {tile} in the set")
        checked(count <= state.kit.copies, f"{count} copies of the {tile}; the set has {state.kit.copies}")
    laid = sum(len(layout.placed) for layout in state.layouts)
    total = laid + len(state.pile) + sum(map(len, state.hands)) + sum(tile is not None for tile in state.market)
    checked(total == len(state.kit) or state.chance == "deal", f"{total} tiles; the set has {len(state.kit)}")
    filled = [tile is not None for tile in state.market]
    checked(filled == sorted(filled, reverse=True), "the market has a gap: its tiles slide to the cheap end")
    checked(state.phase in ("deal", "draw", "play", "last", "over"), f"no phase {state.phase!r} in euronimoes")
    checked((state.turn is None) == (state.phase in ("deal", "over")), "the turn does not fit the phase")
    for seat, known in enumerate(state.bought):
        checked(not Counter(known) - Counter(state.hands[seat]), f"seat {seat} has not all the tiles it bought")
