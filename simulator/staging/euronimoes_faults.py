"""What people do wrong at Euronimoes: for each rule that a table can show to be broken, a table that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from engine.actions import Action, Cell
from engine.core import UNKNOWN, replaced, without
from engine.euronimoes.actions import COSTS, DRAW, Buy, Play
from engine.euronimoes.faults import broken_place
from engine.euronimoes.game import State
from engine.euronimoes.layout import ENDS, Placed, uncode
from engine.pieces import Tile as Domino
from simulator.layouts import LYING
from simulator.staging.setting import Fault, pressed
from simulator.tabletop.lying import Tabletop, Tile

if TYPE_CHECKING:
    from simulator.staging.euronimoes import EuronimoesStage

FLAT = ("run-step", "run-direction", "connected")
STACKED = ("stack-match", "stack-two-tiles", "overhang")
RULES = (*FLAT, *STACKED, "grid", "not-in-set", "not-your-tile", "draw-first", "not-enough-chips", "refill", "pile-draw",
         "one-draw", "must-play", "out-of-turn")
"""The rules of the book that a camera can see broken."""

Lay = Callable[[State], Tabletop]


def fault(stage: EuronimoesStage, state: State, table: Tabletop, lay: Lay, rng: Random) -> Fault | None:
    """One thing that may go wrong now, each rule as likely; None where nothing can. table: as it lies; lay: as states do."""
    plays = _misplays(stage, state)
    for rule in rng.sample(RULES, len(RULES)):
        tried = list(_tried(stage, rule, state, plays))
        for seat, after in rng.sample(tried, min(len(tried), 4)):
            lies = _askew(table, lay(after), stage, rng) if rule == "grid" else lay(after)
            if lies is not None:
                return Fault(rule, seat, lies)
    return None


def _tried(stage: EuronimoesStage, rule: str, state: State, plays: dict[str, list[Play]]) -> Iterator[tuple[int, State]]:
    """The seats that may break a rule now, each with the state that its table looks like."""
    turn = state.turn or 0
    if state.phase != "draw" and (rule in FLAT or rule in STACKED):
        yield from ((turn, _after(state, play)) for play in plays.get(rule, ()))
    elif state.phase != "draw" and rule == "not-in-set":
        yield from ((turn, _after(state, play)) for play in _brought_along(state, plays.get("", ())))
    elif state.phase != "draw" and rule == "not-your-tile":
        yield from ((turn, _after(state, play)) for play in _misplays(stage, state, _held_by_others(state)).get("", ()))
    elif state.phase in ("draw", "play") and rule == "out-of-turn":
        for seat in range(state.players):
            early = state.copy()
            early.turn = seat
            if seat != turn:
                yield from ((seat, _after(early, play)) for play in _misplays(stage, early).get("", ()))
    elif state.phase != "draw" and rule == "grid" and state.layouts[turn].placed:
        yield from ((turn, _after(state, play)) for play in plays.get("", ()) if play.level == 1)
    elif state.phase == "draw" and rule == "draw-first":
        yield from ((turn, _after(state, play)) for play in plays.get("", ()))
    elif state.phase == "draw" and rule == "not-enough-chips":
        yield from ((turn, _after(state, Buy(slot))) for slot, tile in enumerate(state.market)
                    if tile is not None and COSTS[slot] > state.chips[turn])
    elif state.phase == "draw" and rule == "refill" and state.pile:
        for slot in range(4):  # the tile of the dearest slot leaves nothing to slide
            if COSTS[slot] <= state.chips[turn]:
                hole = _after(state, Buy(slot))
                hole.market, hole.pile = replaced(state.market, slot, None), state.pile
                yield from ((turn, _after(hole, play)) for play in plays.get("", ())[:4])
    elif state.phase == "draw" and rule == "pile-draw" and state.pile:
        drawn = _after(state, DRAW)
        drawn.market = state.market
        yield from ((turn, _after(drawn, play)) for play in plays.get("", ()))
    elif state.phase == "play" and rule in ("one-draw", "must-play"):
        seat = turn if rule == "one-draw" else (turn + 1) % state.players
        again = state.copy()
        again.turn, again.phase = seat, "draw"
        yield from ((seat, _after(again, action)) for action in again.legal())


def _after(state: State, action: Action) -> State:
    """The state whose table looks as if this had been done, allowed or not."""
    after = state.copy()
    if not isinstance(action, Play):
        after.push(action)
        return after
    seat = state.turn or 0
    layout = copy(state.layouts[seat])
    layout.placed = (*layout.placed, Placed(action.cells, action.ends, action.level))  # all that is looked at to lay it
    after.layouts = replaced(state.layouts, seat, layout)
    owner = next((each for each in (seat, *range(state.players)) if action.tile in state.hands[each]), None)
    if owner is not None:
        hand = state.hands[owner]
        after.hands = replaced(state.hands, owner, without(hand, hand.index(action.tile)))
    return after


def _brought_along(state: State, plays: Iterable[Play]) -> Iterator[Play]:
    """Tiles of a larger set, laid where only one end touches others."""
    covered = {cell for placed in state.layouts[state.turn or 0].placed for cell in placed.cells}
    for play in plays:
        (_, y), (x, across) = play.cells
        if play.level == 1 and y == across and not covered & {(x, y - 1), (x, y + 1)}:
            ends = play.ends[0], ENDS + 1
            yield Play(Domino.of(*ends), play.cells, ends, 1)


def _held_by_others(state: State) -> set[Domino]:
    """Tiles that others were seen to buy, and of which the seat to move cannot have another."""
    known, turn = state.project(), state.turn or 0
    able = {*known.hands[turn], *(known.unseen() if UNKNOWN in known.hands[turn] else ())}
    return {tile for seat, bought in enumerate(state.bought) if seat != turn for tile in bought} - able


def _misplays(stage: EuronimoesStage, state: State, tiles: Iterable[Domino] | None = None) -> dict[str, list[Play]]:
    """Where tiles might be laid near the grid, by the rule that it breaks; the legal plays under "". tiles: without them
    those in hand."""
    turn = state.turn or 0
    layout, found = state.layouts[turn], dict[str, list[Play]]()
    covered = {uncode(cell): height for cell, height in layout.heights.items()}
    around = {(x + dx, y + dy) for x, y in covered for dx in range(-2, 2) for dy in range(-2, 2)} or {(0, 0)}
    for tile in sorted(set(state.hands[turn] if tiles is None else tiles)):
        for ends in {(tile.low, tile.high), (tile.high, tile.low)}:
            for cells in _spots(around):
                heights = [covered.get(cell, 0) for cell in cells]
                if min(heights) != max(heights) and max(heights) > 1:
                    continue  # nothing lies on two heights
                play = Play(tile, cells, ends, max(heights) + 1)
                broken = broken_place(layout, play, state.rules)
                if stage.fits(turn, play):
                    found.setdefault(broken.rule if broken else "", []).append(play)
    return found


def _spots(around: set[Cell]) -> Iterator[tuple[Cell, Cell]]:
    for x, y in sorted(around):
        yield (x, y), (x + 1, y)
        yield (x, y), (x, y + 1)


def _askew(before: Tabletop, after: Tabletop, stage: EuronimoesStage, rng: Random) -> Tabletop | None:
    """The tile that was laid, half a cell aside, where it still touches others; None where there is no room for that."""
    laid = [new for old, new in before.changed(after) if isinstance(new, Tile) and new.pose == LYING]
    length, width = stage.setting.length, stage.setting.width
    for dx, dy in rng.sample(((0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5)), 4):
        for new in laid:
            aside = replace(new, x=new.x + dx * stage.pitch, y=new.y + dy * stage.pitch)
            deep = [pressed(aside, other, length, width) for other in after if isinstance(other, Tile) and other.name != new.name]
            if -1.5 < max(deep, default=-9) < 1.0:
                return after.put(aside)
    return None
