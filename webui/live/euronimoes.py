"""Euronimoes on the page: grids with columns upward and higher levels shifted a little, why they score so, and the market."""

from __future__ import annotations

from typing import Any

from engine.actions import Action, Cell
from engine.core import UNKNOWN
from engine.euronimoes.actions import COSTS, Buy, Deal, Draw, Play, Refill, Stop
from engine.euronimoes.layout import Layout, run_score
from webui.live.face import Face, Names, Told, asked, by_phase
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
        why = "; ".join(_run_words(run) for run in runs)
        parts.append({"label": f"Column {place}", "points": sum(map(run_score, runs)), "why": why, "column": x})
    stacked = sorted((tile.level, tile.ends) for tile in layout.placed if tile.level > 1)
    why = ", ".join(f"{a}|{b} on level {level} takes {level} off" for level, (a, b) in stacked) or "Nothing is stacked."
    parts.append({"label": "Levels", "points": layout.level_score(), "why": why, "column": None})
    chips = state.chips[seat]
    why = f"{chips} chip{'' if chips == 1 else 's'} in hand, each takes 1 off"
    parts.append({"label": "Chips", "points": -chips, "why": why, "column": None})
    return parts


def _run_words(run: list[int]) -> str:
    if len(run) == 1:
        return f"{run[0]} alone counts {run[0]}"
    numbers = " ".join(map(str, run))
    if run_score(run) < 0:
        return f"{numbers} is a bomb: takes 3 off"
    return f"{numbers}: the smallest, {min(run)}, counts"


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
        return "+1 chip"
    return "free" if cost == 0 else f"{cost} chip{'' if cost == 1 else 's'}"


def _words(action: Action, state: Any) -> str:
    if isinstance(action, Buy):
        return f"Take the {_chips_words(COSTS[action.slot])} tile"
    if isinstance(action, Play):
        (x0, y0), (x1, _) = action.cells
        lying, (one, other) = x1 > x0, action.ends
        way = f"{one} left, {other} right" if lying else f"{one} below, {other} above"
        level = "" if action.level == 1 else f", on level {action.level}"
        return f"{tile_name(action.tile)} {'lying' if lying else 'standing'} at {x0}, {y0} ({way}){level}"
    return {Draw: "Draw from the bone pile", Stop: "Keep the last tile"}.get(type(action), str(action))


def _wanted(state: Any, names: Names) -> JsonObject | None:
    if state.chance == "refill":
        return asked("refill", FACE.chances["refill"], state.unseen(), 1)
    if state.chance == "deal":
        words = "Who begins? And which five tiles lie on the market, the cheapest first?"
        return asked("deal", words, state.kit, 5, starters=list(names))
    return None


def _tell(state: Any, told: Told) -> Action:
    if state.chance == "refill":
        return Refill(told.one_tile())
    pile = len(state.kit) - len(told.tiles) - 3 * state.players
    return Deal(((UNKNOWN,) * 3,) * state.players, told.tiles, (UNKNOWN,) * pile, told.starter)


def _mark(state: Any, action: Action, drawing: JsonObject | None) -> JsonObject | None:
    return place_in_grid(state.turn, action) if isinstance(action, Play) and state.turn is not None else None


FACE = Face(
    about="Buy tiles from a market and build columns that run up or down, and onto higher levels.", aim="The lowest score wins.",
    scene=grid_scene, words=_words, wanted=_wanted, tell=_tell, mark=_mark, market=_market, reasons=grid_reasons,
    chances={"deal": "Deal the tiles.", "refill": "Which tile came to the market?", "show": "Show the hands."},
    todo=by_phase({"draw": "buy or draw a tile", "play": "play a tile", "last": "play one of the last tiles"}),
)  # fmt: skip
