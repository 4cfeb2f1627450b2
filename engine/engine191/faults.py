"""Why not: the rule that an action in Engine 191 breaks, and what is wrong with a table or a deal that cannot be."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

from engine.actions import Show
from engine.core import UNKNOWN, Broken
from engine.engine191.actions import HAND, Bid, Deal, Draw, End, Pass, Play, Remove, Reveal, Shuffle, TurnUp
from engine.engine191.belief import possible
from engine.engine191.turns import incomplete as incomplete_lines
from engine.pieces import Tile
from engine.state import checked
from engine.words import say

if TYPE_CHECKING:
    from engine.engine191.game import State


def broken(state: State, action: Any) -> Broken:
    """The rule that an action breaks which is not legal now."""
    seat = state.turn or 0
    if isinstance(action, Bid):
        if state.phase != "bid":
            return Broken("bid-over", say("The bids for the first place are over."))
        return Broken("not-your-tile", say("The {tile} is not in this hand.",
                                           tile=action.tile), {"tile": action.tile, "seat": seat})
    if state.phase == "bid":
        return Broken("bid-first", say("First everybody puts a tile face down."))
    if isinstance(action, Remove):
        if state.phase != "turn":
            return Broken("remove-first", say("Track is removed only at the start of a turn."))
        return Broken("own-line-empty", say("There is no track on this line to remove."), {"line": seat})
    if isinstance(action, End):
        return Broken("end", say("The turn needs a play, a draw or a pass first."))
    if isinstance(action, Play):
        return _broken_play(state, action, seat)
    return _broken_rest(state, action, seat)


def _broken_rest(state: State, action: Draw | Pass, seat: int) -> Broken:
    if state.phase != "turn":
        return Broken("drawn-already", say("This turn has had its play or its draw."))
    incomplete = incomplete_lines(state)
    must = incomplete and state.rules.obligation == "strict" and any(each.kind == "play" for each in state.legal())
    if must and isinstance(action, Draw) == bool(state.boneyard or state.scrap):
        return Broken("incomplete-station", say("A station is incomplete and can be completed, so it must be."),
                      {"lines": incomplete})
    if isinstance(action, Draw):
        return Broken("boneyard-empty", say("There is nothing left to draw."))
    return Broken("must-draw", say("Who does not play takes a tile into the yard while there is one."),
                  {"boneyard": len(state.boneyard)})


def _broken_play(state: State, action: Play, seat: int) -> Broken:
    tile, line = action.tile, action.line
    if tile not in state.kit:
        return Broken("not-in-set", say("There is no {tile} in this set.", tile=tile), {"tile": tile})
    if not 0 <= line < state.players:
        return Broken("line", say("There is no line {line}.", line=line), {"line": line})
    hand, yard = state.hands[seat], state.yards[seat]
    if state.phase == "drawn" and (tile != state.drawn or action.source != "yard"):
        return Broken("drawn-tile-only", say("After drawing, only the tile drawn may be played: {drawn}.",
                                             drawn=state.drawn), {"tile": tile})
    if action.source == "hand" and tile not in hand and tile not in possible(state, seat):
        return Broken("not-your-tile", say("The {tile} is not in this hand.", tile=tile), {"tile": tile, "seat": seat})
    if action.source != "hand" and tile not in yard:
        return Broken("not-your-tile", say("The {tile} is not in this yard.", tile=tile), {"tile": tile, "seat": seat})
    if found := _broken_line(state, action, seat):
        return found
    return Broken("replace", say("A tile from the yard is replaced by one hand tile; a tile from the hand by none."),
                  {"replace": action.replace})


def _broken_line(state: State, action: Play, seat: int) -> Broken | None:
    tile, line = action.tile, action.line
    laid = state.lines[line]
    end = laid[-1][1] if laid else (state.hub or UNKNOWN)[0]
    if end not in tile:
        return Broken("match", say("That line ends in a {end}; the {tile} does not fit.", end=end,
                                   tile=tile), {"tile": tile, "end": end})
    incomplete = incomplete_lines(state)
    if line in incomplete:
        return None
    if incomplete and state.phase in ("turn", "drawn"):
        return Broken("incomplete-station", say("An incomplete station comes first: nobody may play elsewhere."),
                      {"lines": incomplete})
    if line == seat:
        return None
    if not laid and not state.rules.start_foreign_line:
        return Broken("foreign-line", say("Another player's line is begun by its owner."), {"line": line})
    if not (state.boneyard or state.scrap):
        return Broken("foreign-line", say("With nothing left to draw, another's line is open only at an incomplete station."),
                      {"line": line})
    return None


def broken_chance(state: State, action: Any) -> Broken | None:
    """What is wrong with a deal, bids, a tile turned up or a shuffle, if anything."""
    asked = {Deal: "deal", Reveal: "reveal", TurnUp: "turn-up", Shuffle: "shuffle", Show: state.chance}[type(action)]
    if state.chance != asked:
        return Broken("chance-order", say("Nothing of that kind is waited for now."))
    if isinstance(action, Show):
        if not 0 <= action.seat < state.players or len(action.tiles) > state.hands[action.seat].count(UNKNOWN):
            return Broken("show", say("That hand has not so many unknown tiles."), {"seat": action.seat})
        return _misplaced(state.unseen(), action.tiles, "show")
    if isinstance(action, Shuffle):
        if len(action.boneyard) != len(state.scrap):
            return Broken("reshuffle", say("The new boneyard has the {number} tiles of the scrap.", number=len(state.scrap)))
        return _misplaced(list(state.scrap), action.boneyard, "reshuffle")
    if isinstance(action, TurnUp):
        return _misplaced([tile for tile in state.unseen() if tile not in state.not_in_boneyard], (action.tile,), "show")
    if isinstance(action, Reveal):
        if len(action.bids) != state.players or UNKNOWN in action.bids:
            return Broken("bid-first", say("Every bid is turned up."))
        for seat, (bid, known) in enumerate(zip(action.bids, state.bids, strict=True)):
            if known not in (bid, UNKNOWN):
                return Broken("bid-first", say("Seat {seat} bid the {known}.", seat=seat, known=known), {"seat": seat})
        return _misplaced(state.unseen() + [bid for bid in state.bids if bid], action.bids, "bid-first")
    return _broken_deal(state, action)


def _broken_deal(state: State, action: Deal) -> Broken | None:
    size = HAND[state.players]
    if len(action.hands) != state.players or any(len(hand) != size for hand in action.hands):
        return Broken("deal", say("Everybody takes {size} tiles.", size=size))
    if len(action.boneyard) != len(state.kit) - size * state.players:
        return Broken("deal", say("The rest of the {number} tiles is the boneyard.", number=len(state.kit)))
    return _misplaced(list(state.kit), tuple(chain(*action.hands, action.boneyard)), "deal")


def _misplaced(left: list[Tile], tiles: tuple[Tile, ...], rule: str) -> Broken | None:
    """A tile that cannot be there, since these are the ones left."""
    counts = Counter(left)
    counts.subtract(tile for tile in tiles if tile != UNKNOWN)
    for tile in tiles:
        if tile != UNKNOWN and counts[tile] < 0:
            return Broken(rule, say("The {tile} cannot be there: it is elsewhere.", tile=tile), {"tile": tile})
    return None


def check_table(state: State) -> None:
    """MalformedError where tiles are missing or doubled, a line does not join, or the turn does not fit."""
    if state.chance == "deal" and state.hub is None and not any(state.hands):
        return
    for tile, count in Counter(state.seen()).items():
        checked(tile in state.kit, f"there is no {tile} in the set")
        checked(count == 1, f"the {tile} is there {count} times; the set has one")
    groups = (*state.hands, *state.yards, *state.lines, state.boneyard, state.scrap)
    total = sum(map(len, groups)) + (state.hub is not None) + sum(bid is not None for bid in state.bids)
    checked(total == len(state.kit), f"{total} tiles; the set has {len(state.kit)}")
    phases = ("deal", "show", "over", "bid", "turn", "drawn", "chain")
    checked(state.phase in phases, f"no phase {state.phase!r} in engine191")
    checked(state.hub is None or state.hub.is_double, "the main station is a double")
    checked((state.hub is None) == (state.phase == "bid") or state.phase == "deal", "the main station comes from the bids")
    checked(state.turn is not None or state.phase in ("deal", "show", "over") or state.chance == "reveal", "nobody is to move")
    for seat, line in enumerate(state.lines):
        end = state.hub.low if state.hub is not None else -1
        for inner, outer in line:
            checked(inner == end, f"the {inner}-{outer} does not join the {end} on line {seat}")
            end = outer
        ends_in_station = bool(line) and line[-1][0] == line[-1][1]
        checked(ends_in_station or not state.bared[seat], f"line {seat} does not end in a station, so none is bared")
    checked((state.drawn is None) == (state.phase != "drawn") or state.chance is not None,
            "a drawn tile belongs to the phase `drawn`")
    checked(state.drawn is None or state.drawn in state.yards[state.turn or 0], "the drawn tile lies in the yard")
