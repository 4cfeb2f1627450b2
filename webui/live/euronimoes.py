"""Euronimoes on the page: grids with columns upward and higher levels shifted a little, why they score so, and the market."""

from __future__ import annotations

from typing import Any

from engine.actions import Action, Cell
from engine.core import UNKNOWN
from engine.euronimoes.actions import COSTS, Buy, Deal, Draw, Play, Refill, Stop
from engine.euronimoes.layout import Layout, Placed, run_score
from engine.pieces import Tile
from engine.words import joined, say, some
from webui.live.face import Face, Names, Told, asked, by_phase, heard, named
from webui.live.scene import JsonObject, box, laid, spot
from webui.live.words import tile_name

SHIFT = 0.09
"""How far a tile is moved up and left for each level it lies above the table, in half tiles."""


def grid_scene(state: Any) -> JsonObject:
    """One drawing per seat, all at one scale."""
    grids = [_tiles(seat, layout) for seat, layout in enumerate(state.layouts)]
    return {
        "kind": "grids",
        "grids": [
            {"tiles": tiles, "box": alike, "room": room}
            for tiles, alike, room in zip(grids, _alike(grids, 0.5), _alike(grids, 2.4), strict=True)
        ],
    }


def _tiles(seat: int, layout: Layout) -> list[JsonObject]:
    return [
        laid(f"{seat}-{at}", tile.ends, cells_spot(tile.cells, tile.level), tile.level)
        for at, tile in sorted(enumerate(layout.placed), key=lambda each: each[1].level)
    ]


def _alike(grids: list[list[JsonObject]], margin: float) -> list[list[float]]:
    """The box of each grid, all as wide and high as the widest and highest needs."""
    boxes = [box(tiles or [spot(0, 0, 0)], margin) for tiles in grids]
    width, height = max(each[2] for each in boxes), max(each[3] for each in boxes)
    return [
        [round(x - (width - own_width) / 2, 2), round(y - (height - own_height) / 2, 2), width, height]
        for x, y, own_width, own_height in boxes
    ]


def cells_spot(cells: tuple[Cell, Cell], level: int = 1) -> JsonObject:
    """The middle of two cells, the first left of or below the second."""
    (x0, y0), (x1, y1) = cells
    up = SHIFT * (level - 1)
    return spot((x0 + x1) / 2 - up, -(y0 + y1) / 2 - up, 0 if x1 > x0 else 270)


def place_in_grid(seat: int, action: Play) -> JsonObject:
    """Where a play would lie in a seat's grid."""
    return laid(f"place-{seat}", action.ends, cells_spot(action.cells, action.level), action.level) | {"seat": seat}


def grid_reasons(state: Any, seat: int) -> list[JsonObject]:
    """The running score of a seat part by part: a label, the points, why, and the column it speaks of."""
    layout: Layout = state.layouts[seat]
    parts = []
    for place, (x, runs) in enumerate(layout.columns(), 1):
        why = joined((_run_words(run) for run in runs), "; ")
        parts.append({"label": say("Column {place}", place=place), "points": sum(map(run_score, runs)), "why": why, "column": x})
    stacked = sorted((tile.level, tile.ends) for tile in layout.placed if tile.level > 1)
    why = joined((say("{tile} on level {level} takes {level} off", tile=f"{one}|{other}", level=level)
                  for level, (one, other) in stacked), ", ") or say("Nothing is stacked.")
    parts.append({"label": say("Levels"), "points": layout.level_score(), "why": why, "column": None})
    chips = state.chips[seat]
    why = say("{chips} in hand, each takes 1 off", chips=some(chips, "chip"))
    parts.append({"label": say("Chips"), "points": -chips, "why": why, "column": None})
    return parts


def _run_words(run: list[int]) -> str:
    if len(run) == 1:
        return say("{end} alone counts {end}", end=run[0])
    numbers = " ".join(map(str, run))
    if run_score(run) < 0:
        return say("{numbers} is a bomb: takes 3 off", numbers=numbers)
    return say("{numbers}: the smallest, {end}, counts", numbers=numbers, end=min(run))


def _market(state: Any) -> list[JsonObject]:
    """The slots, cheapest first: what each costs, its tile, who can pay it, and the action of buying it where that is legal."""
    slots = []
    for slot, tile in enumerate(state.market):
        cost = COSTS[slot]
        legal = state.turn is not None and state.phase == "draw" and tile is not None and cost <= state.chips[state.turn]
        slots.append({
            "slot": slot,
            "cost": cost,
            "words": _chips_words(cost),
            "tile": None if tile is None or tile == UNKNOWN else list(tile),
            "afford": [] if tile is None else [seat for seat in range(state.players) if cost <= state.chips[seat]],
            "action": str(Buy(slot)) if legal else None,
        })  # fmt: skip
    return slots


def _chips_words(cost: int) -> str:
    """A price: -1 is a chip gained."""
    if cost < 0:
        return say("+1 chip")
    return say("free") if cost == 0 else some(cost, "chip")


def _words(action: Action, state: Any) -> str:
    if isinstance(action, Buy):
        return say("Take the tile for {price}", price=_chips_words(COSTS[action.slot]))
    if isinstance(action, Play):
        return _where(action)
    return {Draw: say("Draw from the bone pile"), Stop: say("Keep the last tile")}.get(type(action), str(action))


def _where(laid: Play | Placed) -> str:
    """How a tile lies, and on which cells."""
    (x0, y0), (x1, _) = laid.cells
    one, other = laid.ends
    values = {"tile": tile_name(Tile.of(one, other)), "x": x0, "y": y0, "one": one, "other": other}
    way = (say("{tile} lying at {x}, {y} ({one} left, {other} right)", **values) if x1 > x0
           else say("{tile} standing at {x}, {y} ({one} below, {other} above)", **values))  # fmt: skip
    return way if laid.level == 1 else say("{where}, on level {level}", where=way, level=laid.level)


def _heard(state: Any) -> list[JsonObject]:
    """Every tile of every grid, as places for one are told."""
    return [heard(_where(tile), seat) for seat, layout in enumerate(state.layouts) for tile in layout.placed]


def _wanted(state: Any, names: Names) -> JsonObject | None:
    if state.chance == "refill":
        return asked("refill", FACE.chances["refill"], state.unseen(), 1)
    if state.chance == "deal":
        words = say("Who begins? And which five tiles lie on the market, the cheapest first?")
        return asked("deal", words, state.kit, 5, starters=list(names), copies=max(map(state.kit.count, state.kit)))
    return None


def _tell(state: Any, told: Told) -> Action:
    if state.chance == "refill":
        return Refill(told.one_tile())
    pile = len(state.kit) - len(told.tiles) - 3 * state.players
    return Deal(((UNKNOWN,) * 3,) * state.players, told.tiles, (UNKNOWN,) * pile, told.starter)


def _said(action: Any) -> Told:
    return named(action.market, action.first) if isinstance(action, Deal) else named([action.tile])


def _mark(state: Any, action: Action, drawing: JsonObject | None) -> JsonObject | None:
    return place_in_grid(state.turn, action) if isinstance(action, Play) and state.turn is not None else None


FACE = Face(
    about=say("Buy tiles from a market and build columns that run up or down, and onto higher levels."),
    lies=say("The market on its printed mat, the bone pile face down beside it, every grid before its player. Lay the chips in "
             "your hand side by side."),
    aim=say("The lowest score wins."),
    scene=grid_scene, heard=_heard, words=_words, wanted=_wanted, tell=_tell, said=_said, mark=_mark, market=_market,
    reasons=grid_reasons,
    chances={"deal": say("Deal the tiles."), "refill": say("Which tile came to the market?"), "show": say("Show the hands.")},
    todo=by_phase({"draw": say("buy or draw a tile"), "play": say("play a tile"), "last": say("play one of the last tiles")}),
)  # fmt: skip
